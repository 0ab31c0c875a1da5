"""Services, controllers, and pods on nodes, which often meet: few labels, two namespaces."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from attrs import evolve
from hypothesis import strategies as st

from kubesched import builders
from kubesched.model import (
    KubeObject,
    LabelSelector,
    LabelSelectorRequirement,
    Node,
    ObjectMeta,
    Pod,
    ReplicaSet,
    ReplicationController,
    ReplicationControllerSpec,
    Service,
    ServiceSpec,
    StatefulSet,
    WorkloadSpec,
)
from tests.strategies import NODE_NAMES

Selection = Mapping[str, str] | None


def service(name: str, selector: Selection, *, namespace: str = "default") -> Service:
    metadata = ObjectMeta(name=name, namespace=namespace)
    return Service(metadata=metadata, spec=ServiceSpec(selector=selector))


def replication_controller(
    name: str, selector: Selection, *, namespace: str = "default"
) -> ReplicationController:
    metadata = ObjectMeta(name=name, namespace=namespace)
    return ReplicationController(
        metadata=metadata, spec=ReplicationControllerSpec(selector=selector or {})
    )


def selecting(labels: Selection, *expressions: LabelSelectorRequirement) -> LabelSelector | None:
    if labels is None:
        return None
    return LabelSelector(match_labels=labels, match_expressions=expressions)


def replica_set(
    name: str,
    labels: Selection,
    *expressions: LabelSelectorRequirement,
    namespace: str = "default",
) -> ReplicaSet:
    metadata = ObjectMeta(name=name, namespace=namespace)
    return ReplicaSet(
        metadata=metadata, spec=WorkloadSpec(selector=selecting(labels, *expressions))
    )


def stateful_set(
    name: str,
    labels: Selection,
    *expressions: LabelSelectorRequirement,
    namespace: str = "default",
) -> StatefulSet:
    metadata = ObjectMeta(name=name, namespace=namespace)
    return StatefulSet(
        metadata=metadata, spec=WorkloadSpec(selector=selecting(labels, *expressions))
    )


def deleted(pod: Pod) -> Pod:
    """Return the pod on its way out."""
    then = datetime(2018, 9, 27, tzinfo=UTC)
    return evolve(pod, metadata=evolve(pod.metadata, deletion_timestamp=then))


# -- strategies ------------------------------------------------------------------------------------

namespaces = st.sampled_from(["shop", "shop", "shop", "batch"])
labels = st.dictionaries(st.sampled_from(["app", "tier"]), st.sampled_from("ab"), max_size=2)
optional_labels = st.none() | labels
expressions = st.sampled_from(
    [
        LabelSelectorRequirement(key="app", operator="In", values=("a", "b")),
        LabelSelectorRequirement(key="tier", operator="DoesNotExist"),
        LabelSelectorRequirement(key="tier", operator="Gt", values=("1",)),  # not for pods
    ]
)
racks = st.dictionaries(st.sampled_from(["rack", "row"]), st.sampled_from("123"), max_size=2)


def nodes() -> st.SearchStrategy[list[Node]]:
    made = st.builds(
        builders.node,
        st.sampled_from(NODE_NAMES),
        zone=st.sampled_from(["", "a", "b"]),
        region=st.sampled_from(["", "", "r"]),
        labels=racks,
    )
    return st.lists(made, min_size=1, max_size=4, unique_by=lambda node: node.name)


@st.composite
def placed_pods(draw: st.DrawFn, *, names: st.SearchStrategy[str]) -> list[Pod]:
    """Draw pods on nodes of these names, some on their way out."""
    count = draw(st.integers(0, 8))
    pods = [
        builders.pod(f"{draw(namespaces)}/p{index}", labels=draw(labels), node_name=draw(names))
        for index in range(count)
    ]
    return [deleted(pod) if draw(st.integers(0, 5)) == 0 else pod for pod in pods]


def named(
    name: str, make: Callable[..., KubeObject], *drawn: st.SearchStrategy[Any]
) -> st.SearchStrategy[list[KubeObject]]:
    """Draw none, or one of this name that is made of what is drawn."""
    one = st.builds(make, st.just(name), *drawn, namespace=namespaces)
    return st.lists(one, max_size=1)


def selecting_objects() -> st.SearchStrategy[list[KubeObject]]:
    """Draw some services and controllers of all kinds."""
    drawn = [
        named("s1", service, optional_labels),
        named("s2", service, optional_labels),
        named("c1", replication_controller, optional_labels),
        named("r1", replica_set, optional_labels),
        named("r2", replica_set, optional_labels, expressions),
        named("x1", stateful_set, optional_labels),
        named("x2", stateful_set, optional_labels, expressions),
    ]
    return st.tuples(*drawn).map(lambda lists: [each for made in lists for each in made])


names_of_nodes = st.sampled_from(NODE_NAMES)
asked_pods = st.builds(
    builders.pod, st.just("shop/asked"), labels=labels, node_selector=racks.map(dict)
)


@st.composite
def worlds(draw: st.DrawFn) -> list[KubeObject]:
    """Draw nodes, pods on these and other nodes, services and controllers."""
    made: list[KubeObject] = []
    made += draw(nodes())
    made += draw(placed_pods(names=names_of_nodes))
    made += draw(selecting_objects())
    return made
