"""Two schedulers decide the same, or it is told in what they differ."""

import pytest
from attrs import evolve
from hypothesis import given, settings

from kubesched.builders import node, pod
from kubesched.config import Profile, stock_registry
from kubesched.engine import EquivalenceCache, FirstByName, GenericScheduler, Random, Workers
from kubesched.framework import FITS, PredicateSpec, Registry
from kubesched.state import Cluster
from kubesched.testing import clusters
from kubesched.testing.differential import DecisionsDifferError, assert_same_decisions
from tests.testing.differential.worlds import (
    BASE,
    OTHER_RACK,
    PROFILE,
    closed_racks,
    prefer_rack,
    racks,
)

ELSEWHERE = Cluster()


@settings(max_examples=40)
@given(clusters(min_pending=1, max_pending=3))
def test_neither_workers_nor_what_is_remembered_change_a_decision(cluster: Cluster) -> None:
    remembering = GenericScheduler(
        ELSEWHERE,
        Profile.default(),
        select=FirstByName(),
        workers=Workers(4),
        equivalence_cache=EquivalenceCache(),
    )
    assert_same_decisions(Profile.default(), remembering, cluster)


@settings(max_examples=40)
@given(clusters(min_pending=1, max_pending=3))
def test_a_predicate_that_is_always_content_changes_no_decision(cluster: Cluster) -> None:
    content = PredicateSpec("Anywhere", lambda _pod, _meta, _node: FITS)
    assert_same_decisions(BASE, BASE.with_predicate(content), cluster)
    assert_same_decisions(BASE.with_predicate(content), BASE, cluster)


def test_it_is_told_about_which_pod_they_differ_in_what_and_where() -> None:
    with pytest.raises(DecisionsDifferError) as raised:
        assert_same_decisions(PROFILE, OTHER_RACK, racks(), [pod("web", cpu=1)])
    text, _, manifest = str(raised.value).partition("\n\nThe situation of the first one:\n\n")
    assert text == (
        "0 of 1 decisions agree\n"
        "\n"
        "pod default/web\n"
        "  filter[n7]\n"
        "    first  does not fit: node(s) were in a rack under maintenance\n"
        "    second fits\n"
        "  each[n7][RackIsOpen]\n"
        "    first  does not fit: node(s) were in a rack under maintenance\n"
        "    second fits"
    )
    assert manifest == raised.value.report.differences[0].manifest().rstrip()


def test_each_pod_goes_where_the_first_one_puts_it() -> None:
    cluster = Cluster.of([node("n1", cpu=4), node("n2", cpu=4, labels={"rack": "r2"})])
    left, right = (BASE.with_priority(prefer_rack(rack, 9)) for rack in ("r2", "r1"))
    pods = [pod("first", cpu=1), pod("second", cpu=4)]
    with pytest.raises(DecisionsDifferError) as raised:
        assert_same_decisions(left, right, cluster, pods)
    (first,) = raised.value.report.differences
    assert (first.pod, str(first.parts[0])) == ("default/first", 'node: expected "n2", got "n1"')


def test_ties_are_broken_as_a_scheduler_breaks_them() -> None:
    cluster = Cluster.of([node(f"n{number}") for number in range(9)])
    pods = [pod(f"web-{number}") for number in range(9)]
    by_chance = GenericScheduler(ELSEWHERE, BASE, select=Random(7))
    assert_same_decisions(by_chance, by_chance, cluster, pods)
    with pytest.raises(DecisionsDifferError):
        assert_same_decisions(BASE, by_chance, cluster, pods)


def test_of_a_pod_that_waits_the_version_given_is_asked_to_be_kept_room_for() -> None:
    cluster = Cluster.of([node("n1", cpu=2), pod("promised", cpu=2, priority=9), pod("web", cpu=1)])
    waiting = cluster.pending["default/promised"]
    promised = evolve(waiting, status=evolve(waiting.status, nominated_node_name="n1"))
    keeping = BASE.with_options(pod_priority=False)
    pods = [cluster.pending["default/web"], waiting]
    assert_same_decisions(BASE, keeping, cluster, pods[:1])
    with pytest.raises(DecisionsDifferError, match="Insufficient cpu"):
        assert_same_decisions(BASE, keeping, cluster, [pods[0], promised])


def test_registries_are_compared_rule_by_rule() -> None:
    assert_same_decisions(stock_registry(), stock_registry(), racks())
    ours, theirs = (Registry().extended(closed_racks(rack)) for rack in ("r7", "r8"))
    with pytest.raises(DecisionsDifferError, match=r"each\[n7\]\[RackIsOpen\]"):
        assert_same_decisions(ours, theirs, racks())


def test_the_cluster_and_its_assumed_pods_stay_as_they_are() -> None:
    cluster = racks()
    assumed = cluster.assume(cluster.pending["default/web-1"], "n1")
    before = cluster.snapshot()
    assert_same_decisions(PROFILE, PROFILE, cluster)
    assert cluster.snapshot() is before
    assert cluster.is_assumed(assumed)


def test_without_pods_there_is_nothing_to_differ_in() -> None:
    assert_same_decisions(PROFILE, OTHER_RACK, racks(), [])
