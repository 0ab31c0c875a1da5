"""Whoever is to decide does so with a scheduler that has not decided yet."""

import pytest

from kubesched.builders import node, pod
from kubesched.engine import EquivalenceCache, FirstByName, GenericScheduler, RoundRobin
from kubesched.errors import OptionError
from kubesched.framework import Fit, PredicateSpec, Reason, Registry
from kubesched.runtime import Scheduler
from kubesched.state import Cluster
from kubesched.testing.differential import Decider, record
from tests.testing.differential.worlds import PROFILE, closed_racks, prefer_rack, racks

HERE = Cluster()


def test_rules_decide_with_the_smallest_name_among_tied_nodes() -> None:
    scheduler = Decider.of(PROFILE).scheduler(HERE)
    assert scheduler.cluster is HERE
    assert scheduler.profile is PROFILE
    assert isinstance(scheduler.select, FirstByName)


def test_of_a_registry_all_rules_decide_and_every_predicate_is_asked() -> None:
    never = PredicateSpec("Never", lambda _pod, _meta, _node: Fit(Reason("never")))
    registry = Registry().extended(closed_racks("r7"), never, prefer_rack("r2"))
    filtered = record(registry, racks()).expected.results[0].filter
    assert filtered is not None
    assert [*filtered["n7"].reasons] == ["node(s) were in a rack under maintenance", "never"]
    decider = Decider.of(registry)
    assert [*decider.alone] == ["RackIsOpen", "Never"]
    assert [spec.name for spec in decider.rules.priorities] == ["PreferRack"]


@pytest.mark.parametrize("kind", [GenericScheduler, Scheduler])
def test_a_scheduler_decides_with_its_settings_and_keeps_what_changes(
    kind: type[GenericScheduler] | type[Scheduler],
) -> None:
    cache, turns = EquivalenceCache(max_classes=7), RoundRobin(3)
    model = kind(Cluster(), PROFILE, select=turns, workers=3, equivalence_cache=cache)
    made = Decider.of(model).scheduler(HERE)
    assert made.cluster is HERE
    assert made.profile is PROFILE
    assert isinstance(made.select, RoundRobin)
    assert made.select is not turns
    assert made.select.index == 3
    assert made.workers.count == 3
    assert made.equivalence_cache is not None
    assert made.equivalence_cache is not cache
    assert made.equivalence_cache.max_classes == 7


def test_nobody_else_hears_of_what_is_decided() -> None:
    heard: list[str] = []
    model = GenericScheduler(HERE, PROFILE, observe=lambda step, _seconds: heard.append(step))
    record(model, racks())
    assert heard == []


class Stubborn(GenericScheduler):
    """A scheduler of somebody's own."""


def test_a_scheduler_of_somebodys_own_kind_stays_one() -> None:
    assert isinstance(Decider.of(Stubborn(Cluster(), PROFILE)).scheduler(HERE), Stubborn)


def test_turns_are_taken_from_the_beginning_each_time() -> None:
    scheduler = GenericScheduler(HERE, PROFILE)
    cluster = Cluster.of([node("n1"), node("n2"), pod("web-1"), pod("web-2")])
    assert record(scheduler, cluster) == record(scheduler, cluster)


def test_a_decider_stays_what_it_is_and_anything_else_is_refused() -> None:
    decider = Decider.of(PROFILE)
    assert Decider.of(decider) is decider
    with pytest.raises(OptionError, match="None decides nothing"):
        Decider.of(None)  # type: ignore[arg-type]
