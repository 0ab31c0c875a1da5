"""Hypothesis knows how our models are drawn as soon as it is there."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from attrs import fields, has
from hypothesis import given, settings, strategies as st

from _kubesched_hypothesis import MODELS, register
from kubesched import model
from kubesched.config import FeatureGates, Profile
from kubesched.framework import Registry
from kubesched.model import KINDS, FrozenMap, KubeObject
from kubesched.quantity import Quantity
from kubesched.state import Cluster, NodeInfo, Snapshot

register()

DISK: Any = model.DiskSource
ENTRY_POINTS = "[hypothesis]\nkubesched = _kubesched_hypothesis:register\n"


@pytest.mark.parametrize("kind", MODELS)
@settings(max_examples=3)
@given(st.data())
def test_every_model_can_be_drawn_by_its_type(kind: type[Any], data: st.DataObject) -> None:
    assert isinstance(data.draw(st.from_type(kind)), kind)


@pytest.mark.parametrize("kind", [each for each in MODELS if each is not KubeObject])
@settings(max_examples=3)
@given(st.data())
def test_every_model_can_be_built(kind: type[Any], data: st.DataObject) -> None:
    assert data.draw(st.builds(kind)) == kind()
    inferred = {each.name: ... for each in fields(kind)}
    assert isinstance(data.draw(st.builds(kind, **inferred)), kind)


def test_no_model_is_forgotten() -> None:
    classes = [each for name in model.__all__ if has(each := getattr(model, name))]
    assert list(MODELS) == classes
    assert {*KINDS} < {*MODELS}


@settings(max_examples=10)
@given(
    st.from_type(Quantity),
    st.from_type(FrozenMap[str, Quantity]),
    st.from_type(FrozenMap),
    st.from_type(DISK),
)
def test_what_models_are_made_of_can_be_drawn(
    amount: object, amounts: Any, texts: object, disk: object
) -> None:
    assert type(amount) is Quantity
    assert {type(each) for each in amounts.values()} <= {Quantity}
    assert (type(texts), type(amounts)) == (FrozenMap, FrozenMap)
    assert isinstance(disk, DISK)


@pytest.mark.parametrize("kind", [Cluster, Snapshot, NodeInfo, FeatureGates, Registry, Profile])
@settings(max_examples=3)
@given(st.data())
def test_what_models_are_in_and_what_decides_can_be_drawn(
    kind: type[Any], data: st.DataObject
) -> None:
    assert type(data.draw(st.from_type(kind))) is kind


@settings(max_examples=3)
@given(...)
def test_a_rule_can_be_asked_by_its_annotations(pod: model.Pod, node: NodeInfo) -> None:
    assert (type(pod), type(node)) == (model.Pod, NodeInfo)


@pytest.mark.parametrize("first", ["hypothesis", "kubesched.testing"])
def test_nobody_has_to_call_anything(first: str, tmp_path: Path) -> None:
    """The entry point is that of a distribution that this test makes up, installed or not."""
    made_up = tmp_path / "made_up-1.0.dist-info"
    made_up.mkdir()
    (made_up / "METADATA").write_text("Metadata-Version: 2.1\nName: made-up\nVersion: 1.0\n")
    (made_up / "entry_points.txt").write_text(ENTRY_POINTS)
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"import {first}\n"
        "from hypothesis import Phase, find, settings, strategies as st\n"
        "from kubesched import Pod\n"
        "plainly = settings(phases=[Phase.generate], database=None)\n"
        "print(find(st.from_type(Pod), lambda pod: True, settings=plainly))"
    )
    done = subprocess.run(  # noqa: S603 - code of this file, on this Python
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.stdout, done.stderr) == ("default/p1\n", "")


def test_the_distribution_names_the_entry_point() -> None:
    text = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert ENTRY_POINTS.splitlines()[1] in text.replace('"', "")
