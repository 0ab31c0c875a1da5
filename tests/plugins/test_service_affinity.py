"""Pods of a service that are to share some labels of their nodes."""

from collections.abc import Sequence
from random import Random

import attrs
import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import KubeschedError
from kubesched.framework import SKIP, FollowsPods, Reason
from kubesched.model import KubeObject, Node, Pod, Service
from kubesched.plugins.service_affinity import (
    AFFINITY_NOT_MET,
    Followed,
    NodeNotFoundError,
    check_service_affinity,
)
from kubesched.state import Cluster, Facet, NodeInfo, Snapshot
from tests.plugins.asking import nodes_of, ready, snapshot_of
from tests.plugins.services import (
    asked_pods,
    deleted,
    labels,
    replica_set,
    service,
    worlds,
)

SAME_RACK = check_service_affinity(["rack"])
SAME_RACK_AND_ROW = check_service_affinity(["rack", "row"])
WEB = pod("web-new", labels={"app": "web"})
WEBS = service("s", {"app": "web"})
RACKS = [
    node("n1", labels={"rack": "1", "row": "1"}),
    node("n2", labels={"rack": "1", "row": "2"}),
    node("n3", labels={"rack": "2", "row": "2"}),
    node("n4"),
]


def web(on: str, name: str = "web-1", **more: str) -> Pod:
    return pod(name, labels={"app": "web", **more}, node_name=on)


def answers(snapshot: Snapshot, asked: Pod, meta: object, *keys: str) -> dict[str, bool] | str:
    """Return which nodes the pod fits, or the error that all of them give."""
    spec = check_service_affinity(keys)
    try:
        return {
            info.name: meta is SKIP or bool(spec.check(asked, meta, info))  # type: ignore[arg-type]
            for info in nodes_of(snapshot)
        }
    except NodeNotFoundError as error:
        return str(error)


def that_fit(asked: Pod, *objects: KubeObject, keys: Sequence[str] = ("rack",)) -> list[str]:
    snapshot = snapshot_of(objects)
    meta = ready(check_service_affinity(keys), asked, snapshot)
    found = answers(snapshot, asked, meta, *keys)
    assert isinstance(found, dict), found
    return [name for name, fits in found.items() if fits]


ALL = ["n1", "n2", "n3", "n4"]
BOTH = ("rack", "row")

CASES = [
    pytest.param(WEB, [WEBS], ("rack",), ALL, id="nobody to follow"),
    pytest.param(WEB, [WEBS, web("n1")], ("rack",), ["n1", "n2"], id="the first pod's rack"),
    pytest.param(WEB, [WEBS, web("n1")], BOTH, ["n1"], id="both labels"),
    pytest.param(WEB, [WEBS, web("n1")], (), ALL, id="no labels are to be shared"),
    pytest.param(WEB, [WEBS, web("n4")], ("rack",), ALL, id="a first node without the label"),
    pytest.param(WEB, [web("n1")], ("rack",), ALL, id="no service"),
    pytest.param(WEB, [service("s", {}), web("n3")], ("rack",), ["n3"], id="any service does"),
    pytest.param(WEB, [service("s", None), web("n1")], ("rack",), ALL, id="but one that selects"),
    pytest.param(
        WEB, [replica_set("r", {"app": "web"}), web("n1")], ("rack",), ALL, id="controllers do not"
    ),
    pytest.param(
        WEB,
        [WEBS, pod("shop/w", labels={"app": "web"}, node_name="n1")],
        ("rack",),
        ALL,
        id="pods of other namespaces do not matter",
    ),
    pytest.param(
        WEB, [WEBS, web("n3", tier="front")], ("rack",), ["n3"], id="a pod with more labels"
    ),
    pytest.param(
        pod("new", labels={"app": "web", "tier": "front"}),
        [WEBS, web("n3")],
        ("rack",),
        ALL,
        id="a pod of the service without all labels of the new one",
    ),
    pytest.param(
        pod("new", labels={"app": "web"}),
        [service("s", {}), pod("bare", node_name="n3")],
        ("rack",),
        ALL,
        id="a pod without labels is not followed by one that has some",
    ),
    pytest.param(
        pod("new"),
        [service("s", {}), web("n3")],
        ("rack",),
        ["n3"],
        id="a pod without labels follows any",
    ),
    pytest.param(
        WEB, [WEBS, deleted(web("n3"))], ("rack",), ["n3"], id="a pod that is being deleted counts"
    ),
    pytest.param(
        pod("new", labels={"app": "web"}, node_selector={"rack": "2"}),
        [WEBS, web("n1")],
        ("rack",),
        ["n3"],
        id="the node selector goes before the first pod",
    ),
    pytest.param(
        pod("new", labels={"app": "web"}, node_selector={"rack": "1"}),
        [WEBS, web("n3")],
        BOTH,
        ["n2"],
        id="only what it leaves open is taken from the first pod",
    ),
    pytest.param(
        pod("new", node_selector={"rack": "2", "disk": "ssd"}),
        [],
        ("rack",),
        ["n3"],
        id="the node selector counts without any service, for these labels",
    ),
    pytest.param(
        WEB,
        [WEBS, web("n3", "web-1"), web("n1", "web-2")],
        ("rack",),
        ["n1", "n2"],
        id="the first pod is on the first node by name",
    ),
    pytest.param(
        WEB,
        [WEBS, web("gone", "web-1"), web("n3", "web-2")],
        ("rack",),
        ["n3"],
        id="and on one that exists, if there is such a pod",
    ),
]


@pytest.mark.parametrize(("asked", "others", "keys", "expected"), CASES)
def test_a_pod_goes_where_its_service_is(
    asked: Pod, others: list[KubeObject], keys: tuple[str, ...], expected: list[str]
) -> None:
    assert that_fit(asked, *RACKS, *others, keys=keys) == expected


def test_a_first_pod_that_is_nowhere_is_an_error_on_every_node() -> None:
    snapshot = snapshot_of([*RACKS, WEBS, web("gone")])
    meta = ready(SAME_RACK, WEB, snapshot)
    for info in nodes_of(snapshot):
        with pytest.raises(NodeNotFoundError, match='node "gone" not found') as caught:
            SAME_RACK.check(WEB, meta, info)
        assert caught.value.node_name == "gone"
        assert isinstance(caught.value, (KubeschedError, LookupError))


def test_it_is_not_asked_where_nobody_can_refuse() -> None:
    snapshot = snapshot_of([*RACKS, WEBS, web("n1")])
    other = pod("db", labels={"app": "db"}, node_selector={"disk": "ssd"})
    assert ready(SAME_RACK, other, snapshot) is SKIP
    assert ready(check_service_affinity([]), WEB, snapshot) is SKIP
    assert ready(SAME_RACK, WEB, snapshot) is not SKIP


def test_what_its_spec_says() -> None:
    assert SAME_RACK.name == "CheckServiceAffinity"
    assert check_service_affinity([], name="Racks").name == "Racks"
    assert SAME_RACK.order == 120
    assert Reason("node(s) didn't match service affinity", resolvable=True) == AFFINITY_NOT_MET
    assert SAME_RACK.reads == {
        Facet.LABELS,
        Facet.CLUSTER_NODES,
        Facet.CLUSTER_PODS,
        Facet.SERVICES,
    }


# -- what-ifs --------------------------------------------------------------------------------------


def followed(*objects: KubeObject, asked: Pod = WEB) -> tuple[Followed, dict[str, NodeInfo]]:
    snapshot = snapshot_of([*RACKS, *objects])
    meta = ready(SAME_RACK, asked, snapshot)
    assert isinstance(meta, Followed)
    assert isinstance(meta, FollowsPods)
    return meta, {info.name: info for info in nodes_of(snapshot)}


def test_the_first_pod_comes_and_goes() -> None:
    meta, infos = followed(WEBS)
    with_one = meta.add_pod(web("n3"), infos["n3"])
    assert not SAME_RACK.check(WEB, with_one, infos["n1"])
    assert SAME_RACK.check(WEB, meta, infos["n1"])
    assert with_one.remove_pod(web("n3"), infos["n3"]) == meta


def test_others_come_and_go_unnoticed() -> None:
    meta, infos = followed(WEBS, web("n3"))
    for other in (pod("db", node_name="n1"), pod("shop/web", labels=WEB.labels, node_name="n1")):
        assert meta.add_pod(other, infos["n1"]) is meta
        assert meta.remove_pod(other, infos["n1"]) is meta


def test_a_nominated_pod_is_followed_last_and_is_nowhere() -> None:
    alone, infos = followed(WEBS)
    nominated = pod("web-2", labels={"app": "web"})
    with pytest.raises(NodeNotFoundError, match='node "" not found'):
        SAME_RACK.check(WEB, alone.add_pod(nominated, infos["n1"]), infos["n1"])
    assert alone.add_pod(nominated, infos["n1"]).remove_pod(nominated, infos["n1"]) == alone
    behind, _ = followed(WEBS, web("n3"))
    assert SAME_RACK.check(WEB, behind.add_pod(nominated, infos["n1"]), infos["n3"])


def test_where_a_pod_is_on_no_node_a_nominated_one_is_not_followed() -> None:
    meta, infos = followed(WEBS, pod("db", node_name="gone"))
    assert meta.add_pod(pod("web-2", labels={"app": "web"}), infos["n1"]) is meta


# -- laws ------------------------------------------------------------------------------------------

keys_shared = st.lists(st.sampled_from(["rack", "row"]), max_size=3)


def naive_answers(
    objects: Sequence[KubeObject], asked: Pod, keys: Sequence[str]
) -> dict[str, bool] | str:
    """Answer by plain loops over all pods."""
    infos = {each.name: each for each in objects if isinstance(each, Node)}
    wanted = {key: asked.spec.node_selector[key] for key in keys if key in asked.spec.node_selector}
    has_service = any(
        isinstance(each, Service)
        and each.namespace == asked.namespace
        and each.spec.selector is not None
        and each.spec.selector.items() <= asked.labels.items()
        for each in objects
    )
    names = [
        each.node_name
        for each in objects
        if isinstance(each, Pod)
        and each.namespace == asked.namespace
        and asked.labels.items() <= each.labels.items()
    ]
    if len(keys) > len(wanted) and has_service and names:
        there = [name for name in names if name in infos]
        if not there:
            return f'node "{min(names)}" not found'
        first = infos[min(there)].labels
        wanted = {**{key: first[key] for key in keys if key in first}, **wanted}
    return {name: wanted.items() <= each.labels.items() for name, each in infos.items()}


@given(worlds(), asked_pods, keys_shared)
def test_the_answers_are_those_of_plain_loops(
    objects: list[KubeObject], asked: Pod, keys: list[str]
) -> None:
    snapshot = snapshot_of(objects)
    meta = ready(check_service_affinity(keys), asked, snapshot)
    assert answers(snapshot, asked, meta, *keys) == naive_answers(objects, asked, keys)


@given(worlds(), asked_pods, keys_shared, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    objects: list[KubeObject], asked: Pod, keys: list[str], random: Random
) -> None:
    spec, shuffled = check_service_affinity(keys), random.sample(objects, len(objects))
    assert ready(spec, asked, snapshot_of(objects)) == ready(spec, asked, snapshot_of(shuffled))


@st.composite
def changes(draw: st.DrawFn, cluster: Cluster, names: list[str], number: int) -> tuple[bool, Pod]:
    """Draw a pod that comes to one of the nodes (True), or one that leaves it."""
    leaving = [each for each in cluster.pods.values() if each.node_name in names]
    coming = st.builds(
        pod, st.just(f"shop/new-{number}"), labels=labels, node_name=st.sampled_from(names)
    )
    comes = not leaving or draw(st.booleans())
    return comes, draw(coming if comes else st.sampled_from(leaving))


@given(worlds(), asked_pods, st.lists(st.sampled_from(BOTH), min_size=1), st.data())
def test_what_is_kept_up_to_date_is_as_prepared_afresh(
    objects: list[KubeObject], asked: Pod, keys: list[str], data: st.DataObject
) -> None:
    spec = check_service_affinity(keys)
    cluster = Cluster.of([*objects, service("every", {}, namespace=asked.namespace)])
    meta = start = ready(spec, asked, cluster.snapshot())
    before = attrs.asdict(start, recurse=False)
    for number in range(data.draw(st.integers(1, 4))):
        comes, changed = data.draw(changes(cluster, [*cluster.nodes], number))
        (cluster.add_pod if comes else cluster.remove_pod)(changed)
        info = cluster.snapshot().node_infos[changed.node_name]
        meta = (meta.add_pod if comes else meta.remove_pod)(changed, info)
        assert meta == ready(spec, asked, cluster.snapshot())
    assert attrs.asdict(start, recurse=False) == before
