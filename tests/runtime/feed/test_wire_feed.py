"""What an API server sends, as plain data, good and bad."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from kubesched.model import Node, Pod
from kubesched.runtime import ClusterFeed, FeedProblem, WireFeed
from kubesched.state import Cluster


def worker(name: str, version: str, **spec: Any) -> dict[str, Any]:
    return {"metadata": {"name": name, "resourceVersion": version}, "spec": spec}


def listed(*items: Any, at: str) -> dict[str, Any]:
    return {"metadata": {"resourceVersion": at}, "items": [*items]}


def fed() -> tuple[WireFeed, list[FeedProblem]]:
    problems: list[FeedProblem] = []
    return WireFeed(ClusterFeed(Cluster(), report=problems.append)), problems


class Event(NamedTuple):
    """An event about one of the nodes n1 and n2, and what there is then."""

    says: str
    event: Mapping[str, Any]
    version: str
    nodes: Mapping[str, str]
    problems: tuple[str, ...] = ()


UNCHANGED = {"n1": "5", "n2": "6"}
EVENTS = [
    Event("added", {"type": "ADDED", "object": worker("n3", "7")}, "7", UNCHANGED | {"n3": "7"}),
    Event(
        "modified", {"type": "MODIFIED", "object": worker("n1", "7")}, "7", {**UNCHANGED, "n1": "7"}
    ),
    Event("deleted", {"type": "DELETED", "object": worker("n1", "7")}, "7", {"n2": "6"}),
    Event(
        "a bookmark",
        {"type": "BOOKMARK", "object": {"kind": "Node", "metadata": {"resourceVersion": "90"}}},
        "90",
        UNCHANGED,
    ),
    Event(
        "what cannot be read",
        {"type": "MODIFIED", "object": worker("n1", "7", taints="none")},
        "7",
        UNCHANGED,
        ("Node n1: spec.taints: 'none' is not a list; it is left out",),
    ),
    Event(
        "what cannot be read, and is gone",
        {"type": "DELETED", "object": worker("n1", "7", taints="none")},
        "7",
        {"n2": "6"},
    ),
    Event(
        "an error",
        {"type": "ERROR", "object": {"kind": "Status", "code": 410}},
        "",
        UNCHANGED,
        ("Node: the watch says 'ERROR': {'kind': 'Status', 'code': 410}",),
    ),
    Event("nothing", {}, "", UNCHANGED, ("Node: the watch says None: None",)),
    Event(
        "an object that is none",
        {"type": "ADDED", "object": "n3"},
        "",
        UNCHANGED,
        ("Node: 'n3' is not a mapping; it is left out",),
    ),
    Event(
        "an object of another kind",
        {"type": "ADDED", "object": {"kind": "Pod", **worker("n3", "7")}},
        "7",
        UNCHANGED,
        ("Node n3: kind: 'Pod' is not 'Node'; it is left out",),
    ),
    Event(
        "a name that is none",
        {"type": "DELETED", "object": {"metadata": {"name": 7, "resourceVersion": "8"}}},
        "8",
        UNCHANGED,
        ("Node: has no name; it is left out",),
    ),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.says)
def test_an_event_is_taken_in_or_reported(event: Event) -> None:
    wire, problems = fed()
    assert wire.relist(Node, listed(worker("n1", "5"), worker("n2", "6"), at="6")) == "6"
    assert wire.event(Node, event.event) == event.version
    nodes = wire.feed.cluster.nodes.values()
    assert {node.name: node.metadata.resource_version for node in nodes} == event.nodes
    assert tuple(map(str, problems)) == event.problems


def test_what_is_listed_but_cannot_be_read_stays_as_it_was() -> None:
    wire, problems = fed()
    wire.relist(Node, listed(worker("n1", "5"), worker("n2", "6"), at="6"))
    wire.relist(Node, listed(worker("n1", "7", unschedulable="no"), at="8"))
    assert list(wire.feed.cluster.nodes) == ["n1"]
    assert [problem.key for problem in problems] == ["n1"]


@pytest.mark.parametrize("items", [None, "n1", {}], ids=repr)
def test_what_is_no_list_removes_nothing(items: object) -> None:
    wire, problems = fed()
    wire.relist(Node, listed(worker("n1", "5"), at="6"))
    assert wire.relist(Node, {"metadata": {"resourceVersion": "9"}, "items": items}) == ""
    assert list(wire.feed.cluster.nodes) == ["n1"]
    assert [problem.why for problem in problems] == ["is no list; it is left out"]


def test_the_namespace_counts() -> None:
    wire, _ = fed()
    for namespace in ("shop", "batch"):
        meta = {"name": "web", "namespace": namespace, "resourceVersion": "5"}
        wire.event(Pod, {"type": "ADDED", "object": {"metadata": meta}})
    wire.event(Pod, {"type": "DELETED", "object": {"metadata": {**meta, "uid": "u1"}}})
    assert list(wire.feed.cluster.pods) == ["shop/web"]
