"""A node with other pods than it has."""

from typing import Any, Self

import pytest
from attrs import evolve, frozen
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.engine.prepared import Prepared
from kubesched.engine.what_if import WhatIf
from kubesched.errors import SpecError
from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, Skip
from kubesched.model import Node, Pod
from kubesched.state import (
    Cluster,
    Facet,
    HostPort,
    LabelGroup,
    NodeInfo,
    Snapshot,
    host_ports,
)
from tests.plugins.strategies import nodes
from tests.strategies import pods

ASKED = pod("shop/asked", labels={"app": "web"})
CROWDED = Reason("too many alike")


@frozen
class Alike:
    """How many pods in the whole cluster are like the one that is asked about."""

    group: LabelGroup
    number: int

    def add_pod(self, added: Pod, _node: NodeInfo, /) -> Self:
        return evolve(self, number=self.number + (LabelGroup.of(added) == self.group))

    def remove_pod(self, removed: Pod, _node: NodeInfo, /) -> Self:
        return evolve(self, number=self.number - (LabelGroup.of(removed) == self.group))


def count_alike(asked: Pod, snapshot: Snapshot, /) -> int:
    group = LabelGroup.of(asked)
    return sum(snapshot.label_groups.get(group, {}).values())


def prepare_alike(asked: Pod, snapshot: Snapshot, /) -> Alike:
    return Alike(LabelGroup.of(asked), count_alike(asked, snapshot))


FOLLOWING = PredicateSpec(
    "Following",
    lambda _pod, meta, _node: Fit(Reason(f"{meta.number} alike")) if meta.number else FITS,
    prepare=prepare_alike,
    reads={Facet.CLUSTER_PODS},
)
PREPARING = PredicateSpec(
    "Preparing",
    lambda _pod, meta, _node: Fit(Reason(f"{meta} alike")) if meta else FITS,
    prepare=count_alike,
    reads={Facet.CLUSTER_PODS},
)


def none_twice(drawn: list[Pod]) -> list[Pod]:
    """Take the ports from who wants one that is gone: such a port is free once the first leaves."""
    taken, kept = set[HostPort](), list[Pod]()
    for each in drawn:
        wanted = {*host_ports(each)}
        kept.append(each if taken.isdisjoint(wanted) else without_ports(each))
        taken |= wanted
    return kept


def without_ports(each: Pod) -> Pod:
    containers = [evolve(one, ports=()) for one in each.spec.containers]
    return evolve(each, spec=evolve(each.spec, containers=containers))


placed = pods(node_names=st.just("n1"))
on_one_node = st.lists(placed, max_size=3, unique_by=lambda each: each.key).map(none_twice)


@given(
    nodes(names=st.just("n1")),
    on_one_node,
    pods(keys=st.just("shop/new"), node_names=st.just("n1")),
    pods(keys=st.just("shop/asked")),
    st.integers(0, 2),
)
def test_it_says_what_would_be_said_of_such_a_cluster(
    there: Node, on_it: list[Pod], new: Pod, asked: Pod, leaving: int
) -> None:
    before = Cluster.of([there, node("n2"), *on_it])
    after = Cluster.of([there, node("n2"), *on_it[leaving:], new])
    predicates = [*Profile.default().predicates, FOLLOWING, PREPARING]
    prepared = Prepared.of(asked, predicates, before.snapshot(), checks_all=True)
    real = Prepared.of(asked, predicates, after.snapshot(), checks_all=True)
    expected = told(lambda: real.reasons_against(after.snapshot().node_infos["n1"]))

    one_by_one = WhatIf.of(prepared, before.snapshot().node_infos["n1"])
    for each in on_it[:leaving]:
        one_by_one.remove_pod(each)
    one_by_one.add_pod(new)
    assert told(one_by_one.reasons_against) == expected

    at_once = WhatIf.of(prepared, before.snapshot().node_infos["n1"], without=on_it[:leaving])
    copied = at_once.copy()
    copied.add_pod(new)
    assert told(copied.reasons_against) == expected
    copied.node._check()
    assert "shop/new" not in at_once.node.pods


def told(ask: Any) -> object:
    """Return the reasons, or the error in their place."""
    try:
        return ask()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is compared
        return str(error)


def test_the_snapshot_is_left_alone() -> None:
    snapshot = Cluster.of([node("n1"), pod("shop/a", node_name="n1")]).snapshot()
    info = snapshot.node_infos["n1"]
    what_if = WhatIf.of(Prepared.of(ASKED, [FOLLOWING], snapshot), info)
    what_if.remove_pod(info.pods["shop/a"])
    assert [*info.pods] == ["shop/a"]


@frozen
class Forgetful:
    """A meta that changes in place, or means to, and returns nothing."""

    def add_pod(self, _added: Pod, _node: NodeInfo, /) -> None: ...
    def remove_pod(self, _removed: Pod, _node: NodeInfo, /) -> None: ...


def test_a_meta_that_returns_no_meta_is_found_out() -> None:
    spec = PredicateSpec(
        "Forgetful", lambda _pod, _meta, _node: FITS, prepare=lambda _pod, _snapshot: Forgetful()
    )
    snapshot = Cluster.of([node("n1")]).snapshot()
    what_if = WhatIf.of(Prepared.of(ASKED, [spec], snapshot), snapshot.node_infos["n1"])
    with pytest.raises(SpecError, match="add_pod of the meta of 'Forgetful' returned None"):
        what_if.add_pod(pod("shop/a"))


def test_who_had_something_to_say_may_not_fall_silent_when_pods_come() -> None:
    def prepare(_pod: Pod, snapshot: Snapshot, /) -> str | Skip:
        return SKIP if snapshot.label_groups else "nobody there"

    spec = PredicateSpec(
        "Moody",
        lambda _pod, _meta, _node: Fit(CROWDED),
        prepare=prepare,
        reads={Facet.CLUSTER_PODS},
    )
    snapshot = Cluster.of([node("n1")]).snapshot()
    what_if = WhatIf.of(Prepared.of(ASKED, [spec], snapshot), snapshot.node_infos["n1"])
    what_if.add_pod(pod("shop/a"))
    with pytest.raises(SpecError, match="prepare of 'Moody' returned SKIP"):
        what_if.reasons_against()


def test_a_rule_that_has_nothing_to_say_is_not_asked() -> None:
    spec = PredicateSpec(
        "Silent",
        lambda _pod, _meta, _node: Fit(CROWDED),
        prepare=lambda _pod, _snapshot: SKIP,
    )
    snapshot = Cluster.of([node("n1")]).snapshot()
    assert Prepared.of(ASKED, [spec], snapshot).reasons_against(snapshot.node_infos["n1"]) == ()
