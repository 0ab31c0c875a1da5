"""Nodes that would rather not have the pods of some controllers."""

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.model import OwnerReference
from kubesched.plugins.avoid_pods import (
    NODE_PREFER_AVOID_PODS,
    PREFER_AVOID_PODS,
    controllers_avoided,
)
from tests.plugins.asking import scores

OWNER = OwnerReference(kind="ReplicaSet", name="web", uid="42", controller=True)


def avoiding(*controllers: Any) -> str:
    """Write an annotation that avoids these controllers."""
    entries = [{"podSignature": {"podController": each}} for each in controllers]
    return json.dumps({"preferAvoidPods": entries})


WEB = {"kind": "ReplicaSet", "uid": "42"}
OTHER = {"kind": "ReplicaSet", "uid": "43"}

CONTROLLERS = [
    pytest.param(OWNER, 0, id="the controller that is avoided"),
    pytest.param(None, 10, id="no owner"),
    pytest.param(
        OwnerReference(kind="ReplicaSet", uid="42"), 10, id="an owner that is no controller"
    ),
    pytest.param(
        OwnerReference(kind="ReplicaSet", uid="42", controller=False),
        10,
        id="an owner that says so",
    ),
    pytest.param(
        OwnerReference(kind="ReplicaSet", uid="44", controller=True), 10, id="another uid"
    ),
    pytest.param(
        OwnerReference(kind="ReplicationController", uid="42", controller=True),
        10,
        id="another kind",
    ),
]


@pytest.mark.parametrize(("owner", "score"), CONTROLLERS)
def test_a_pod_is_avoided_for_its_controller(owner: OwnerReference | None, score: int) -> None:
    nodes = [node("n1", annotations={PREFER_AVOID_PODS: avoiding(OTHER, WEB)}), node("n2")]
    assert scores(NODE_PREFER_AVOID_PODS, pod("web-1", owner=owner), *nodes) == [score, 10]


@pytest.mark.parametrize(
    ("kind", "score"),
    [("ReplicationController", 0), ("ReplicaSet", 0), ("StatefulSet", 10), ("Job", 10)],
)
def test_only_controllers_of_these_kinds_can_be_avoided(kind: str, score: int) -> None:
    owner = OwnerReference(kind=kind, uid="42", controller=True)
    avoids = node("n1", annotations={PREFER_AVOID_PODS: avoiding({"kind": kind, "uid": "42"})})
    assert scores(NODE_PREFER_AVOID_PODS, pod("web-1", owner=owner), avoids) == [score]


def with_more(**more: Any) -> str:
    """Write an annotation that says more than whom it is about."""
    entry = {"podSignature": {"podController": WEB}, **more}
    return json.dumps({"preferAvoidPods": [entry]})


AVOIDED = {("ReplicaSet", "42")}

READ = [
    pytest.param(avoiding(WEB), {("ReplicaSet", "42")}, id="one"),
    pytest.param(avoiding(WEB, OTHER), {("ReplicaSet", "42"), ("ReplicaSet", "43")}, id="two"),
    pytest.param(avoiding({**WEB, "name": "web"}), {("ReplicaSet", "42")}, id="more is ignored"),
    pytest.param(
        avoiding(WEB).replace("preferAvoidPods", "PREFERAVOIDPODS").replace("uid", "UID"),
        {("ReplicaSet", "42")},
        id="keys in any case",
    ),
    pytest.param(avoiding({"kind": "ReplicaSet"}), {("ReplicaSet", "")}, id="no uid is empty"),
    pytest.param(with_more(evictionTime="2018-11-01T10:00:00Z"), AVOIDED, id="a time"),
    pytest.param(with_more(evictionTime=None), AVOIDED, id="null for a time"),
    pytest.param(with_more(evictionTime="soon"), set(), id="a time that is none"),
    pytest.param(with_more(evictionTime=""), set(), id="an empty time"),
    pytest.param(with_more(reason="flaky", message="try later"), AVOIDED, id="a reason"),
    pytest.param(with_more(reason=1), set(), id="a number for the reason"),
    pytest.param(with_more(message=[]), set(), id="a list for the message"),
    pytest.param(with_more(else_=7), AVOIDED, id="a member that is not known"),
    pytest.param(avoiding({**WEB, "controller": "true"}), set(), id="a text for a truth value"),
    pytest.param(avoiding({**WEB, "apiVersion": 1}), set(), id="a number for the version"),
    pytest.param(avoiding(WEB)[:-1] + ', "more": NaN}', set(), id="a number that JSON has not"),
    pytest.param('{"preferAvoidPods": null}', set(), id="null for the list"),
    pytest.param("{}", set(), id="no list"),
    pytest.param("null", set(), id="null for everything"),
    pytest.param("", set(), id="an empty text"),
    pytest.param("nobody", set(), id="no JSON"),
    pytest.param(avoiding(WEB)[:-1], set(), id="a JSON that breaks off"),
    pytest.param("[]", set(), id="a list"),
    pytest.param('{"preferAvoidPods": {}}', set(), id="an object for the list"),
    pytest.param(avoiding(WEB, 7), set(), id="a number for a controller"),
    pytest.param(avoiding(WEB, {"kind": "ReplicaSet", "uid": 42}), set(), id="a number for a uid"),
    pytest.param("[" * 100_000, set(), id="a JSON too deep"),
]


@pytest.mark.parametrize(("annotation", "expected"), READ)
def test_an_annotation_avoids(annotation: str, expected: set[tuple[str, str]]) -> None:
    assert controllers_avoided(annotation) == expected


KEYS = ["preferAvoidPods", "podSignature", "podController", "kind", "uid"]
jsons = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["ReplicaSet", "42"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(st.text() | jsons.map(json.dumps))
def test_an_annotation_that_makes_no_sense_avoids_nobody(annotation: str) -> None:
    asked = pod("web-1", owner=OWNER)
    odd = node("n1", annotations={PREFER_AVOID_PODS: annotation})
    (score,) = scores(NODE_PREFER_AVOID_PODS, asked, odd)
    assert score in {0, 10}
    assert score == 10 or '"42"' in annotation
