"""Disks that two pods of a node cannot mount both."""

from itertools import product

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import pod
from kubesched.framework import SKIP
from kubesched.model import CSIVolumeSource, DiskSource, NFSVolumeSource, Volume
from kubesched.plugins.volumes import NO_DISK_CONFLICT
from kubesched.plugins.volumes.conflicts import DISK_CONFLICT, clash
from tests.plugins.asking import ready, reasons, snapshot_of
from tests.plugins.volumes.making import (
    asking,
    azure,
    claim,
    ebs,
    gce,
    iscsi,
    node,
    placed,
    rbd,
    volume,
)

CASES = [
    pytest.param(ebs("v"), ebs("v"), True, id="an EBS volume is for one pod"),
    pytest.param(ebs("v"), ebs("w"), False, id="two EBS volumes"),
    pytest.param(gce("d"), gce("d"), True, id="a GCE disk that both write"),
    pytest.param(gce("d", read_only=True), gce("d"), True, id="a GCE disk that one writes"),
    pytest.param(gce("d"), gce("d", read_only=True), True, id="or the other"),
    pytest.param(
        gce("d", read_only=True), gce("d", read_only=True), False, id="a GCE disk that both read"
    ),
    pytest.param(gce("d"), gce("e"), False, id="two GCE disks"),
    pytest.param(iscsi("i"), iscsi("i", lun=1), True, id="an iSCSI target, whatever the unit"),
    pytest.param(iscsi("i"), iscsi("j"), False, id="two iSCSI targets"),
    pytest.param(
        iscsi("i", read_only=True), iscsi("i", read_only=True), False, id="a target that both read"
    ),
    pytest.param(
        iscsi("i", read_only=True), iscsi("i"), True, id="a target that one of them writes"
    ),
    pytest.param(rbd("a", "b"), rbd("b", "c"), True, id="an image with a monitor in common"),
    pytest.param(rbd("a", "b"), rbd("c"), False, id="an image of other monitors"),
    pytest.param(rbd("a"), rbd("a", image="j"), False, id="another image"),
    pytest.param(rbd("a"), rbd("a", pool=""), False, id="another pool, even the unnamed one"),
    pytest.param(
        rbd("a", read_only=True), rbd("a", read_only=True), False, id="an image that both read"
    ),
    pytest.param(rbd("a", read_only=True), rbd("a"), True, id="an image that one of them writes"),
    pytest.param(rbd(), rbd(), False, id="images without monitors"),
    pytest.param(azure("z"), azure("z"), False, id="Azure disks are not looked at"),
    pytest.param(
        NFSVolumeSource(path="/"), NFSVolumeSource(path="/"), False, id="nor are file servers"
    ),
    pytest.param(ebs("x"), gce("x"), False, id="one name of two kinds"),
]


@pytest.mark.parametrize(("mine", "other", "refused"), CASES)
def test_a_disk_can_be_shared_or_not(mine: DiskSource, other: DiskSource, *, refused: bool) -> None:
    expected = ["node(s) had no available disk"] if refused else []
    assert reasons(NO_DISK_CONFLICT, asking(mine), node(), placed("q", other)) == expected


def test_any_disk_of_the_pod_may_clash_with_any_of_any_pod() -> None:
    there = [placed("q", gce("a"), gce("b")), placed("r", ebs("c"))]
    assert reasons(NO_DISK_CONFLICT, asking(gce("x"), ebs("c")), node(), *there)
    assert not reasons(NO_DISK_CONFLICT, asking(gce("x"), ebs("y")), node(), *there)


def test_the_disks_of_one_pod_do_not_clash_with_each_other() -> None:
    assert not reasons(NO_DISK_CONFLICT, asking(ebs("v"), ebs("v")), node())


def test_disks_behind_claims_are_not_looked_at() -> None:
    behind = [claim("c", "pv"), volume("pv", ebs("v"))]
    assert not reasons(NO_DISK_CONFLICT, asking("c"), node(), *behind, placed("q", "c"))
    assert not reasons(NO_DISK_CONFLICT, asking("c"), node(), *behind, placed("q", ebs("v")))


@pytest.mark.parametrize("mounted", [(), ("c",), (azure("z"),)], ids=repr)
def test_a_pod_without_such_disks_asks_no_node(mounted: tuple[DiskSource | str, ...]) -> None:
    assert ready(NO_DISK_CONFLICT, asking(*mounted), snapshot_of([node()])) is SKIP


def test_a_volume_made_for_the_pod_alone_asks_no_node() -> None:
    asked = pod("p", volumes=[Volume(csi=CSIVolumeSource(driver="d"))])
    assert ready(NO_DISK_CONFLICT, asked, snapshot_of([node()])) is SKIP


def test_eviction_could_cure_it() -> None:
    assert DISK_CONFLICT.resolvable


disks = st.sampled_from(
    [
        *(gce("d", read_only=only) for only in (True, False)),
        *(iscsi("d", read_only=only) for only in (True, False)),
        *(rbd(*names, read_only=only) for names, only in product(("a", "ab", "b"), (True, False))),
        ebs("d"),
        azure("d"),
    ]
)


@given(disks, disks)
def test_whether_disks_clash_does_not_depend_on_who_came_first(
    mine: DiskSource, other: DiskSource
) -> None:
    assert clash(mine, other) == clash(other, mine)
