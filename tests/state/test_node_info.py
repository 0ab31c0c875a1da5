from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

import pytest
from attrs import evolve
from hypothesis import assume, given, strategies as st

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.model import (
    Affinity,
    ISCSIVolumeSource,
    Node,
    NodeAffinity,
    PersistentVolumeClaimVolumeSource,
    Pod,
    PodAffinity,
    PodAntiAffinity,
    Volume,
)
from kubesched.state import (
    NODE_FACETS,
    AffinityGroup,
    Facet,
    ImageState,
    NodeInfo,
    NonzeroRequests,
    Resources,
    host_ports,
    nonzero_requests,
    requests_once_placed,
)
from kubesched.state.node_info import has_affinity
from kubesched.testing.machines.pictures import SHOWN, picture_of_node
from tests.strategies import counted_pods, nodes

ISCSI = ISCSIVolumeSource(iqn="i")
DISK = Volume(iscsi=ISCSI)
CLAIM = Volume(persistent_volume_claim=PersistentVolumeClaimVolumeSource(claim_name="data"))

Step: TypeAlias = Pod | Node | None
"""A pod that comes, or goes if it is there; a node object that is set; or none."""

n1 = st.just("n1")
steps = st.lists(st.one_of(counted_pods(), counted_pods(), nodes(names=n1), st.none()), max_size=12)


def images_of(node: Node | None) -> dict[str, ImageState]:
    reported = () if node is None else node.status.images
    return {name: ImageState(each.size_bytes, 1) for each in reported for name in each.names}


def take(info: NodeInfo, step: Step) -> None:
    if not isinstance(step, Pod):
        info.set_node(step, images_of(step))
    elif step.key in info.pods:
        info.remove_pod(step)
    else:
        info.add_pod(step)


def after(history: Iterable[Step]) -> NodeInfo:
    info = NodeInfo("n1")
    for step in history:
        take(info, step)
    return info


# -- totals ----------------------------------------------------------------------------------------


def summed(parts: Iterable[Resources]) -> Resources:
    total = Resources()
    for part in parts:
        total.add(part)
    return total


@given(steps)
def test_totals_are_what_summing_up_afresh_gives(history: list[Step]) -> None:
    info = after(history)
    info._check()
    there = list(info.pods.values())
    requested, expected = info.requested.copy(), summed(map(requests_once_placed, there))
    for gone in requested.scalars.keys() - expected.scalars.keys():
        assert requested.scalars.pop(gone) == 0
    assert requested == expected
    nonzero = [nonzero_requests(pod) for pod in there]
    assert info.nonzero_requested == NonzeroRequests(
        sum(each.milli_cpu for each in nonzero), sum(each.memory for each in nonzero)
    )
    assert set(info.used_ports) <= {port for pod in there for port in host_ports(pod)}
    assert info.pods_with_affinity == {pod.key: pod for pod in there if has_affinity(pod)}
    volumes = [(pod, volume) for pod in there for volume in pod.spec.volumes]
    assert dict(info.disks) == Counter(volume.disk for _, volume in volumes if volume.disk)
    assert dict(info.claims) == Counter(
        f"{pod.namespace}/{volume.persistent_volume_claim.claim_name}"
        for pod, volume in volumes
        if volume.persistent_volume_claim
    )


@given(steps)
def test_the_node_and_its_pods_are_those_last_told(history: list[Step]) -> None:
    info = after(history)
    node: Node | None = None
    there: dict[str, Pod] = {}
    for step in history:
        if not isinstance(step, Pod):
            node = step
        elif there.pop(step.key, None) is None:
            there[step.key] = step
    shown = node or Node()
    assert (info.node, list(info.pods.items())) == (node, list(there.items()))
    assert (info.labels, info.annotations) == (shown.labels, shown.annotations)
    assert (info.taints, info.unschedulable) == (shown.spec.taints, shown.spec.unschedulable)
    assert info.allocatable == Resources.of(shown.status.allocatable)
    assert info.images == images_of(node)


@given(nodes(names=n1), st.lists(counted_pods(), unique_by=lambda pod: pod.key))
def test_one_made_at_once_is_one_made_step_by_step(node: Node, there: list[Pod]) -> None:
    assert picture_of_node(NodeInfo.of(node, there)) == picture_of_node(after([node, *there]))


@given(steps, counted_pods(), counted_pods())
def test_what_is_taken_off_is_what_was_put_on(history: list[Step], pod: Pod, later: Pod) -> None:
    info = after(step for step in history if not (isinstance(step, Pod) and step.key == pod.key))
    assume(set(host_ports(pod)).isdisjoint(info.used_ports))  # else the port would be free after
    before, scalars = picture_of_node(info), set(info.requested.scalars)
    info.add_pod(pod)
    info.remove_pod(evolve(later, metadata=pod.metadata))
    for gone in info.requested.scalars.keys() - scalars:
        assert info.requested.scalars.pop(gone) == 0
    assert picture_of_node(info) | {"generations": None} == before | {"generations": None}


def test_a_scalar_that_was_asked_for_once_stays_with_0() -> None:
    info, gpu = NodeInfo("n1"), make_pod("web", requests={"x/y": 1})
    info.add_pod(gpu)
    info.remove_pod(gpu)
    assert info.requested.scalars == {"x/y": 0}
    info._check()


@pytest.mark.parametrize(
    ("affinity", "has"),
    [
        pytest.param(None, False, id="none"),
        pytest.param(Affinity(), False, id="an empty one"),
        pytest.param(Affinity(node_affinity=NodeAffinity()), False, id="to nodes"),
        pytest.param(Affinity(pod_affinity=PodAffinity()), True, id="to pods"),
        pytest.param(Affinity(pod_anti_affinity=PodAntiAffinity()), True, id="against pods"),
    ],
)
def test_a_pod_has_affinity_if_it_says_anything_about_pods(
    *, affinity: Affinity | None, has: bool
) -> None:
    pod = make_pod("web", affinity=affinity)
    assert has_affinity(pod) is has
    assert (AffinityGroup.of(pod) is not None) is has


# -- refusals --------------------------------------------------------------------------------------

WEB = make_pod("shop/web", cpu=1, host_ports=[80], volumes=[DISK])


class Refused(NamedTuple):
    """A change that is refused, and in which words."""

    says: str
    start: tuple[Step, ...]
    change: Callable[[NodeInfo], None]
    text: str


REFUSED = [
    Refused(
        "a pod that is there cannot come",
        (WEB,),
        lambda info: info.add_pod(WEB),
        "shop/web: the pod is on node n1 already",
    ),
    Refused(
        "nor can one of the same name that asks for something else",
        (WEB,),
        lambda info: info.add_pod(make_pod("shop/web", cpu=2)),
        "shop/web: the pod is on node n1 already",
    ),
    Refused(
        "a pod that is not there cannot go",
        (make_node("n1"),),
        lambda info: info.remove_pod(WEB),
        "shop/web: the pod is not on node n1",
    ),
    Refused(
        "a pod of another namespace is another pod",
        (WEB,),
        lambda info: info.remove_pod(make_pod("batch/web")),
        "batch/web: the pod is not on node n1",
    ),
]


@pytest.mark.parametrize("refused", REFUSED, ids=lambda it: it.says)
def test_a_refused_change_leaves_all_as_it_was(refused: Refused) -> None:
    info = after(refused.start)
    before = picture_of_node(info)
    with pytest.raises(ClusterError) as caught:
        refused.change(info)
    assert str(caught.value) == refused.text
    assert picture_of_node(info) == before


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda info: info.add_pod(make_pod("new")), id="a pod that comes"),
        pytest.param(lambda info: info.remove_pod(WEB), id="a pod that goes"),
        pytest.param(lambda info: info.set_node(None, {}), id="the node"),
    ],
)
def test_one_that_a_snapshot_holds_refuses_every_change(change: Callable[[NodeInfo], None]) -> None:
    info = NodeInfo.of(make_node("n1"), [WEB])
    info.share()
    before = picture_of_node(info)
    with pytest.raises(ClusterError) as caught:
        change(info)
    assert str(caught.value) == "n1: the node belongs to a snapshot; change a clone() of it"
    assert picture_of_node(info) == before
    change(info.clone())


def test_one_says_whether_a_snapshot_holds_it() -> None:
    info = NodeInfo("n1")
    before = info.is_shared
    info.share()
    assert (before, info.is_shared, info.clone().is_shared) == (False, True, False)


@given(steps, steps)
def test_a_clone_starts_alike_and_goes_its_own_way(history: list[Step], more: list[Step]) -> None:
    info = after(history)
    before, clone = picture_of_node(info), info.clone()
    assert picture_of_node(clone) == before
    for step in more:
        take(clone, step)
    assert picture_of_node(info) == before
    clone._check()
    for step in more:
        take(info, step)
    there = picture_of_node(clone) | {"generations": None}
    assert picture_of_node(info) | {"generations": None} == there


# -- facets ----------------------------------------------------------------------------------------


def moved(info: NodeInfo, change: Callable[[NodeInfo], None]) -> set[Facet]:
    """Return the facets that a change moved on; those that it did not must stay."""
    before = info.generations.copy()
    change(info)
    assert all(now >= then for now, then in zip(info.generations, before, strict=True))
    return {facet for facet in NODE_FACETS if info.generations[facet] != before[facet]}


NODE = make_node("n1", cpu=4, images={"web:1": 10})
NODE_CHANGES = {
    "nothing": (NODE, set[Facet]()),
    "the labels": (make_node("n1", images={"web:1": 10}, labels={"a": "b"}), {Facet.LABELS}),
    "the annotations": (
        make_node("n1", images={"web:1": 10}, annotations={"a": "b"}),
        {Facet.ANNOTATIONS},
    ),
    "the taints": (make_node("n1", images={"web:1": 10}, taints=["a:NoSchedule"]), {Facet.TAINTS}),
    "whether it is closed": (
        make_node("n1", images={"web:1": 10}, unschedulable=True),
        {Facet.UNSCHEDULABLE},
    ),
    "its condition": (
        make_node("n1", images={"web:1": 10}, conditions={"Ready": "True"}),
        {Facet.CONDITIONS},
    ),
    "what it offers": (make_node("n1", cpu=5, images={"web:1": 10}), {Facet.ALLOCATABLE}),
    "its images": (make_node("n1"), {Facet.IMAGES}),
    "something else": (
        evolve(NODE, spec=evolve(NODE.spec, provider_id="aws://1")),
        set[Facet](),
    ),
    "two things": (make_node("n1", cpu=5), {Facet.ALLOCATABLE, Facet.IMAGES}),
}


@pytest.mark.parametrize("what", NODE_CHANGES)
def test_a_node_that_changes_moves_the_facets_that_it_touches(what: str) -> None:
    node, touched = NODE_CHANGES[what]
    info = NodeInfo.of(NODE, [WEB])
    expected = touched if node == NODE else touched | {Facet.NODE}
    assert moved(info, lambda info: info.set_node(node, images_of(node))) == expected


def test_a_count_of_an_image_moves_on_without_the_node() -> None:
    info = NodeInfo.of(NODE)
    more = {"web:1": ImageState(10, 2)}
    assert moved(info, lambda info: info.set_node(NODE, more)) == {Facet.IMAGES}


def test_a_node_that_says_nothing_is_still_a_node() -> None:
    assert moved(NodeInfo("n1"), lambda info: info.set_node(Node(), {})) == {Facet.NODE}


POD_TOUCHES = {
    "nothing in particular": (make_pod("p"), set[Facet]()),
    "a host port": (make_pod("p", host_ports=[80]), {Facet.PORTS}),
    "a disk": (make_pod("p", volumes=[DISK]), {Facet.DISKS}),
    "a claim": (make_pod("p", volumes=[CLAIM]), {Facet.DISKS}),
    "a volume that is not looked at": (make_pod("p", volumes=[Volume(name="s")]), set[Facet]()),
    "all of these": (
        make_pod("p", host_ports=[80], volumes=[CLAIM, DISK]),
        {Facet.PORTS, Facet.DISKS},
    ),
}


@pytest.mark.parametrize("what", POD_TOUCHES)
def test_a_pod_that_comes_and_goes_moves_the_facets_that_it_touches(what: str) -> None:
    pod, touched = POD_TOUCHES[what]
    info = NodeInfo.of(NODE, [WEB])
    expected = {Facet.PODS, Facet.REQUESTED} | touched
    assert moved(info, lambda info: info.add_pod(pod)) == expected
    assert moved(info, lambda info: info.remove_pod(pod)) == expected


@given(steps, st.lists(st.booleans(), min_size=12, max_size=12))
def test_while_a_facet_stays_so_does_what_it_shows(
    history: list[Step], on_a_clone: list[bool]
) -> None:
    assert SHOWN.keys() == NODE_FACETS
    seen: dict[tuple[Facet, int], object] = {}
    info = NodeInfo("n1")
    for step, elsewhere in zip(history, on_a_clone, strict=False):
        there = info.clone() if elsewhere else info
        take(there, step)
        for each in (info, there):
            for facet, show in SHOWN.items():
                shown = show(each)
                assert seen.setdefault((facet, each.generations[facet]), shown) == shown


@given(steps, st.sets(st.sampled_from(sorted(NODE_FACETS))))
def test_the_generation_of_facets_is_that_of_the_newest(
    history: list[Step], facets: set[Facet]
) -> None:
    info = after(history)
    assert info.generation_of(facets) == max((info.generations[each] for each in facets), default=0)
    assert info.generation_of(NODE_FACETS) >= info.generation_of(facets)


def test_of_no_facets_the_generation_is_0() -> None:
    assert NodeInfo.of(NODE, [WEB]).generation_of(()) == 0
