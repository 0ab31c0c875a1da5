"""What holds for all predicates about volumes, whatever is mounted where."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kubesched import builders
from kubesched.framework import SKIP, PredicateSpec
from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    DiskSource,
    GCEPersistentDiskVolumeSource,
    KubeObject,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    Volume,
)
from kubesched.plugins.volumes import (
    MAX_AZURE_DISK_VOLUME_COUNT,
    MAX_CSI_VOLUME_COUNT,
    MAX_EBS_VOLUME_COUNT,
    MAX_GCE_PD_VOLUME_COUNT,
    NO_DISK_CONFLICT,
    NO_VOLUME_ZONE_CONFLICT,
)
from kubesched.state import Cluster, NodeInfo, Snapshot
from kubesched.state.node_tree import ZONE_LABEL
from tests.plugins.asking import fits, ready, snapshot_of
from tests.plugins.volumes.making import (
    azure,
    claim,
    csi,
    ebs,
    gce,
    iscsi,
    node,
    rbd,
    volume,
    volumes_of,
)

OF_KINDS: dict[type[DiskSource], PredicateSpec[Any]] = {
    AWSElasticBlockStoreVolumeSource: MAX_EBS_VOLUME_COUNT,
    GCEPersistentDiskVolumeSource: MAX_GCE_PD_VOLUME_COUNT,
    AzureDiskVolumeSource: MAX_AZURE_DISK_VOLUME_COUNT,
}
ALL = [*OF_KINDS.values(), MAX_CSI_VOLUME_COUNT, NO_DISK_CONFLICT, NO_VOLUME_ZONE_CONFLICT]
each_predicate = pytest.mark.parametrize("spec", ALL, ids=lambda spec: spec.name)

DISKS: list[DiskSource] = [
    ebs("a"),
    ebs("b"),
    gce("a"),
    gce("a", read_only=True),
    azure("a"),
    azure("b"),
    iscsi("a"),
    rbd("m", "n"),
    rbd("n", read_only=True),
]
CLAIMS = ["c1", "c2", "c3", "c4"]
VOLUMES = ["v1", "v2", "v3"]
BEHIND = [*DISKS[:6], csi("h1"), csi("h2"), csi("g1", "e"), None]

mounted = st.lists(st.sampled_from([*volumes_of(*DISKS, *CLAIMS), Volume()]), max_size=3)
limits = st.dictionaries(
    st.sampled_from(["aws-ebs", "gce-pd", "azure-disk", "csi-d", "csi-e"]).map(
        "attachable-volumes-{}".format
    ),
    st.integers(0, 3),
)
zones = st.sampled_from([{}, {ZONE_LABEL: "east"}, {ZONE_LABEL: "west"}])
nodes = st.builds(node, limits, zones)
asked_pods = st.builds(lambda volumes: builders.pod("p", volumes=volumes), mounted)
placed_pods = st.lists(mounted, max_size=4).map(
    lambda lists: [
        builders.pod(f"q{index}", node_name="n1", volumes=volumes)
        for index, volumes in enumerate(lists)
    ]
)
claims = st.lists(
    st.builds(claim, st.sampled_from(CLAIMS), st.sampled_from(["", "gone", *VOLUMES])),
    max_size=4,
    unique_by=lambda each: each.key,
)
volumes = st.lists(
    st.builds(volume, st.sampled_from(VOLUMES), st.sampled_from(BEHIND), zones),
    max_size=3,
    unique_by=lambda each: each.key,
)
storage = st.builds(lambda some, more: [*some, *more], claims, volumes)


def outcome(spec: PredicateSpec[Any], asked: Pod, *objects: KubeObject) -> bool | str:
    try:
        return fits(spec, asked, *objects)
    except Exception as error:  # noqa: BLE001 - two runs are compared, errors included
        return str(error)


# -- oracles over plain pods -----------------------------------------------------------------------


def volumes_behind(pod: Pod, objects: Iterable[KubeObject]) -> Iterator[PersistentVolume | str]:
    """Go over a pod's claims: the volume, or the claim's name if that cannot be told."""
    known = {(type(each), each.name): each for each in objects}
    for mount in pod.spec.volumes:
        if mount.persistent_volume_claim is not None:
            name = mount.persistent_volume_claim.claim_name
            found = known.get((PersistentVolumeClaim, name))
            bound = found.spec.volume_name if isinstance(found, PersistentVolumeClaim) else ""
            behind = known.get((PersistentVolume, bound))
            yield behind if isinstance(behind, PersistentVolume) else name


def ids_of(kind: type[DiskSource], pod: Pod, objects: list[KubeObject]) -> set[object]:
    ids: set[object] = set()
    sources: list[object] = [each.disk for each in pod.spec.volumes]
    for behind in volumes_behind(pod, objects):
        if isinstance(behind, str):
            ids.add((behind,))
        else:
            spec = behind.spec
            sources += [spec.aws_elastic_block_store, spec.gce_persistent_disk, spec.azure_disk]
    for source in sources:
        match source:
            case AWSElasticBlockStoreVolumeSource(volume_id=name) if isinstance(source, kind):
                ids.add(name)
            case GCEPersistentDiskVolumeSource(pd_name=name) if isinstance(source, kind):
                ids.add(name)
            case AzureDiskVolumeSource(disk_name=name) if isinstance(source, kind):
                ids.add(name)
    return ids


@given(nodes, asked_pods, placed_pods, storage)
def test_volumes_of_a_kind_are_limited_as_counting_them_all_would(
    there: Node, asked: Pod, others: list[Pod], objects: list[KubeObject]
) -> None:
    for kind, spec in OF_KINDS.items():
        mine = ids_of(kind, asked, objects)
        used = set[object]().union(*(ids_of(kind, each, objects) for each in others))
        resource = spec.check.kind.node_limit  # type: ignore[attr-defined]
        limit = there.status.allocatable.get(resource)
        expected = not mine or limit is None or len(used | mine) <= limit.value()
        assert outcome(spec, asked, there, *others, *objects) == expected


def handles(pods: Iterable[Pod], objects: list[KubeObject]) -> set[tuple[str, str]]:
    """Collect the drivers and handles of the CSI volumes that some pods mount."""
    behind = [each for pod in pods for each in volumes_behind(pod, objects)]
    sources = [None if isinstance(each, str) else each.spec.csi for each in behind]
    return {(each.driver, each.volume_handle) for each in sources if each is not None}


@given(nodes, asked_pods, placed_pods, storage)
def test_csi_volumes_are_limited_as_counting_them_all_would(
    there: Node, asked: Pod, others: list[Pod], objects: list[KubeObject]
) -> None:
    mine, used = handles([asked], objects), handles(others, objects)
    expected = True
    for driver in "de":
        limit = there.status.allocatable.get(f"attachable-volumes-csi-{driver}")
        new = {each for each in mine - used if each[0] == driver}
        old = {each for each in used if each[0] == driver}
        expected &= not new or limit is None or len(new) + len(old) <= limit.value()
    assert outcome(MAX_CSI_VOLUME_COUNT, asked, there, *others, *objects) == expected


# -- pods that come and go -------------------------------------------------------------------------


@each_predicate
@given(there=nodes, asked=asked_pods, others=placed_pods, objects=storage)
def test_removing_a_pod_never_makes_a_refusal_appear(
    spec: PredicateSpec[Any],
    there: Node,
    asked: Pod,
    others: list[Pod],
    objects: list[KubeObject],
) -> None:
    """One handle of two drivers is left out: there the original's answer depends on the order.

    A CSI volume that is on the node already is new once who else mounts it has left; the node may
    have too many for a new one.
    """
    crowded = outcome(spec, asked, there, *objects, *others)
    mine = handles([asked], objects) if spec is MAX_CSI_VOLUME_COUNT else set[object]()
    for leaving in others:
        left = [each for each in others if each is not leaving]
        after = outcome(spec, asked, there, *objects, *left)
        assert after == crowded or after is True or mine & handles([leaving], objects)


def changed_by(change: Callable[[NodeInfo], None], snapshot: Snapshot) -> NodeInfo:
    info = snapshot.node_infos["n1"].clone()
    change(info)
    return info


def ask(spec: PredicateSpec[Any], asked: Pod, meta: Any, info: NodeInfo) -> object:
    try:
        return meta is SKIP or spec.check(asked, meta, info)
    except Exception as error:  # noqa: BLE001 - two runs are compared, errors included
        return str(error)


@each_predicate
@given(there=nodes, asked=asked_pods, others=placed_pods, objects=storage)
def test_what_was_prepared_holds_while_pods_come_and_go(
    spec: PredicateSpec[Any],
    there: Node,
    asked: Pod,
    others: list[Pod],
    objects: list[KubeObject],
) -> None:
    without = snapshot_of([there, *objects, *others[:-1]])
    together = snapshot_of([there, *objects, *others])
    before, after = (ready(spec, asked, snapshot) for snapshot in (without, together))
    for pod in others[-1:]:
        come = changed_by(lambda info, pod=pod: info.add_pod(pod), without)  # type: ignore[misc]
        gone = changed_by(lambda info, pod=pod: info.remove_pod(pod), together)  # type: ignore[misc]
        with_it, without_it = (each.node_infos["n1"] for each in (together, without))
        assert ask(spec, asked, before, come) == ask(spec, asked, after, with_it)
        assert ask(spec, asked, after, gone) == ask(spec, asked, before, without_it)


# -- when what was prepared is the same ------------------------------------------------------------

WITH_ALL = builders.pod("p", volumes=volumes_of("c1", ebs("a"), gce("a"), azure("a")))


def prepared(spec: PredicateSpec[Any], cluster: Cluster) -> object:
    return ready(spec, WITH_ALL, cluster.snapshot())


def a_cluster() -> Cluster:
    bound = [claim("c1", "v1"), volume("v1", csi("h"), {ZONE_LABEL: "east"})]
    return Cluster.of([node(), *bound])


@each_predicate
def test_it_stays_equal_while_pods_and_nodes_change(spec: PredicateSpec[Any]) -> None:
    cluster = a_cluster()
    before = prepared(spec, cluster)
    assert before is not SKIP
    assert before == prepared(spec, cluster)
    cluster.add_pod(builders.pod("q", node_name="n1", volumes=volumes_of(ebs("b"))))
    cluster.add_node(builders.node("n2"))
    assert before == prepared(spec, cluster)


@pytest.mark.parametrize("spec", ALL[:4], ids=lambda spec: spec.name)
def test_but_not_when_any_claim_or_volume_does(spec: PredicateSpec[Any]) -> None:
    cluster = a_cluster()
    before = prepared(spec, cluster)
    cluster.add(claim("c2", "v2"))
    unbound = prepared(spec, cluster)
    cluster.add(volume("v2", ebs("b")))
    assert before != unbound
    assert unbound != prepared(spec, cluster)


@pytest.mark.parametrize("spec", ALL[:4], ids=lambda spec: spec.name)
def test_nor_in_another_cluster(spec: PredicateSpec[Any]) -> None:
    assert prepared(spec, a_cluster()) != prepared(spec, a_cluster())


@each_predicate
def test_nor_for_other_volumes(spec: PredicateSpec[Any]) -> None:
    cluster = a_cluster()
    cluster.add(claim("c2", "v2"))
    cluster.add(volume("v2", csi("h2"), {ZONE_LABEL: "west"}))
    other = builders.pod("p", volumes=volumes_of("c2", ebs("b"), gce("b"), azure("b")))
    assert prepared(spec, cluster) != ready(spec, other, cluster.snapshot())
