"""How many volumes of a CSI driver a node takes."""

from hashlib import sha1
from typing import NamedTuple

import pytest

from kubesched.config import FeatureGates, stock_registry
from kubesched.framework import SKIP
from kubesched.model import DiskSource, KubeObject
from kubesched.plugins.volumes import (
    MAX_CSI_VOLUME_COUNT,
    UnusableClaimError,
    max_csi_volume_count,
)
from kubesched.plugins.volumes.csi_limits import csi_limit
from tests.plugins.asking import fits, ready, reasons, snapshot_of
from tests.plugins.volumes.making import asking, claim, csi, ebs, node, placed, volume

A, B = (f"attachable-volumes-csi-{driver}" for driver in "ab")

BOUND: list[KubeObject] = [
    *(claim(name, f"pv-{name}") for name in ("a1", "a2", "a3", "again", "b1", "b2", "ab", "disk")),
    *(volume(f"pv-a{number}", csi(f"h{number}", "a")) for number in (1, 2, 3)),
    volume("pv-again", csi("h1", "a")),
    volume("pv-b1", csi("g1", "b")),
    volume("pv-b2", csi("g2", "b")),
    volume("pv-ab", csi("h1", "b")),
    volume("pv-disk", ebs("v")),
    claim("unbound"),
    claim("lost", "pv-lost"),
]


class Case(NamedTuple):
    """What a node takes, what is there, what the pod mounts, and whether that is too much."""

    says: str
    limits: dict[str, int]
    there: list[list[str]]
    mounts: list[str]
    refused: bool


CASES = [
    Case("room for the last one", {A: 2}, [["a1"]], ["a2"], refused=False),
    Case("one too many", {A: 2}, [["a1"], ["a2"]], ["a3"], refused=True),
    Case("two, of which one is too many", {A: 2}, [["a1"]], ["a2", "a3"], refused=True),
    Case("none at all", {A: 0}, [], ["a1"], refused=True),
    Case("a volume that is there is not new", {A: 1}, [["a1"]], ["a1"], refused=False),
    Case("nor is it by another claim", {A: 1}, [["a1"]], ["again"], refused=False),
    Case("even where there are too many", {A: 1}, [["a1", "a2"]], ["a1"], refused=False),
    Case(
        "a volume mounted twice is one", {A: 2}, [["a1"], ["again"], ["a1"]], ["a2"], refused=False
    ),
    Case("each driver by itself", {A: 1, B: 1}, [["a1"]], ["b1"], refused=False),
    Case("and all of them", {A: 9, B: 1}, [["b1"]], ["a1", "b2"], refused=True),
    Case("no limit for this driver", {B: 0}, [["a1"]], ["a2"], refused=False),
    Case("no limit for one of two drivers", {B: 1}, [], ["a1", "a2", "b1"], refused=False),
    Case("no limit at all", {}, [["a1"]], ["a2"], refused=False),
    Case("one handle of two drivers is one volume", {B: 0}, [["a1"]], ["ab"], refused=False),
    Case(
        "the pod's own too: the last driver counts", {A: 0, B: 9}, [], ["a1", "ab"], refused=False
    ),
    Case("the other way round", {A: 0, B: 9}, [], ["ab", "a1"], refused=True),
    Case("on the node it is the last pod's", {A: 1}, [["a1"], ["ab"]], ["a2"], refused=False),
    Case(
        "which may have come before as well", {A: 1}, [["a1"], ["ab"], ["a1"]], ["a2"], refused=True
    ),
    Case("a missing claim is nothing", {A: 1}, [["gone"]], ["a1"], refused=False),
    Case("nor is one that is not bound", {A: 1}, [["unbound"]], ["a1"], refused=False),
    Case("nor is one whose volume is missing", {A: 1}, [["lost"]], ["a1"], refused=False),
    Case("nor is one on another kind of volume", {A: 1}, [["disk"]], ["a1"], refused=False),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.says)
def test_volumes_are_counted_by_driver(case: Case) -> None:
    there = [placed(f"q{index}", *names) for index, names in enumerate(case.there)]
    got = reasons(MAX_CSI_VOLUME_COUNT, asking(*case.mounts), node(case.limits), *BOUND, *there)
    assert got == (["node(s) exceed max volume count"] if case.refused else [])


@pytest.mark.parametrize(
    "mounted", [(), ("disk",), ("gone",), ("unbound",), ("lost",), (ebs("v"),)], ids=repr
)
def test_a_pod_without_csi_volumes_asks_no_node(mounted: tuple[DiskSource | str, ...]) -> None:
    snapshot = snapshot_of([node({A: 0}), *BOUND])
    assert ready(MAX_CSI_VOLUME_COUNT, asking(*mounted), snapshot) is SKIP


def test_a_claim_without_a_name_is_an_error_where_the_node_says_any_limit() -> None:
    limited, unlimited = node({"attachable-volumes-aws-ebs": 1}), node()
    for asked, there in ((asking(""), []), (asking("a1"), [placed("q", "")])):
        with pytest.raises(UnusableClaimError, match="had no name"):
            fits(MAX_CSI_VOLUME_COUNT, asked, limited, *BOUND, *there)
        assert fits(MAX_CSI_VOLUME_COUNT, asked, unlimited, *BOUND, *there)


def test_without_limits_by_nodes_every_pod_fits() -> None:
    off = max_csi_volume_count(node_limits=False)
    assert ready(off, asking("a1"), snapshot_of([node({A: 0}), *BOUND])) is SKIP
    gates = FeatureGates(attach_volume_limit=False)
    assert stock_registry(gates).predicate("MaxCSIVolumeCountPred") == off
    assert stock_registry().predicate("MaxCSIVolumeCountPred") == MAX_CSI_VOLUME_COUNT


def test_a_long_name_of_a_driver_is_cut_and_hashed() -> None:
    short, long = "d" * 39, "disks.example.com/" + "x" * 22
    hashed = sha1(long.encode(), usedforsecurity=False).hexdigest()
    assert csi_limit(short) == f"attachable-volumes-csi-{short}"
    assert csi_limit(long) == f"attachable-volumes-csi-{long[:23]}{hashed[:16]}"
    assert len(csi_limit(long)) == 62
