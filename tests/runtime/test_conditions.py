"""Conditions: one of each type, and its transition has the time at which the status changed."""

from datetime import UTC, datetime

import pytest
from attrs import evolve
from hypothesis import given

from kubesched.builders import pod as make_pod
from kubesched.model import Pod, PodCondition
from kubesched.runtime import InMemoryPodConditionUpdater, not_scheduled
from kubesched.runtime.conditions import with_condition
from kubesched.state import Change, Cluster
from tests.strategies import pods

EARLY, LATE = (datetime(2024, 1, day, tzinfo=UTC) for day in (1, 2))
WEB = make_pod("shop/web")
READY = PodCondition(type="Ready", status="False")
NO_NODE = not_scheduled("Unschedulable", "no nodes available")


def having(*conditions: PodCondition) -> Pod:
    return evolve(WEB, status=evolve(WEB.status, conditions=conditions))


def test_why_a_pod_was_not_scheduled() -> None:
    assert not_scheduled("SchedulerError", "odd") == PodCondition(
        type="PodScheduled", status="False", reason="SchedulerError", message="odd"
    )


@pytest.mark.parametrize(
    ("before", "condition", "after"),
    [
        pytest.param((), NO_NODE, (NO_NODE,), id="the first one is added"),
        pytest.param((READY,), NO_NODE, (READY, NO_NODE), id="others stay"),
        pytest.param(
            (not_scheduled("SchedulerError"), READY),
            NO_NODE,
            (NO_NODE, READY),
            id="one of the same type is replaced where it stands",
        ),
        pytest.param(
            (evolve(NO_NODE, last_transition_time=EARLY),),
            evolve(not_scheduled("SchedulerError"), last_transition_time=LATE),
            (evolve(not_scheduled("SchedulerError"), last_transition_time=EARLY),),
            id="the same status is no transition",
        ),
        pytest.param(
            (evolve(NO_NODE, last_transition_time=EARLY),),
            PodCondition(type="PodScheduled", status="True", last_transition_time=LATE),
            (PodCondition(type="PodScheduled", status="True", last_transition_time=LATE),),
            id="another status is one",
        ),
    ],
)
def test_a_condition_takes_the_place_of_the_one_of_its_type(
    before: tuple[PodCondition, ...], condition: PodCondition, after: tuple[PodCondition, ...]
) -> None:
    assert with_condition(having(*before), condition) == having(*after)


@given(pods())
def test_to_say_the_same_twice_changes_nothing(pod: Pod) -> None:
    once = with_condition(pod, NO_NODE)
    assert with_condition(once, NO_NODE) == once
    assert evolve(once, status=pod.status) == pod


def test_the_condition_is_written_into_the_latest_of_the_pod() -> None:
    changed = evolve(WEB, spec=evolve(WEB.spec, priority=7))
    cluster, heard = Cluster.of([changed]), list[Change]()
    cluster.subscribe(heard.append)
    updater = InMemoryPodConditionUpdater(cluster)
    updater.update_condition(WEB, NO_NODE)
    updater.update_condition(WEB, NO_NODE)
    assert cluster.pending[WEB.key] == with_condition(changed, NO_NODE)
    assert len(heard) == 1, "what says the same again is no change"


def test_a_pod_that_is_gone_is_tolerated() -> None:
    cluster = Cluster()
    InMemoryPodConditionUpdater(cluster).update_condition(WEB, NO_NODE)
    assert not cluster.pods


def test_an_assumed_pod_stays_assumed() -> None:
    cluster = Cluster.of([WEB])
    cluster.assume(WEB, "n1")
    InMemoryPodConditionUpdater(cluster).update_condition(WEB, NO_NODE)
    assert cluster.is_assumed(WEB)
    cluster.forget(WEB)
    assert cluster.pending[WEB.key] == having(NO_NODE)
