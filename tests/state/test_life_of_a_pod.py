"""Where a pod goes by each move, and which moves it cannot make."""

from collections.abc import Callable, Mapping
from math import nan
from typing import NamedTuple, TypeAlias

import pytest

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.errors import ClusterError
from kubesched.state import ASSUME_TTL, Change, Cluster
from tests.state.pictures import picture_of_cluster

Move: TypeAlias = Callable[[Cluster], object]

WEB = make_pod("shop/web", cpu=1)
ON_N1, ON_N2 = WEB.bound_to("n1"), WEB.bound_to("n2")
ENDED = make_pod("shop/web", phase="Succeeded")
ENDED_ON_N1 = ENDED.bound_to("n1")
LATE = ASSUME_TTL + 1


def nodes_alone() -> Cluster:
    return Cluster.of([make_node("n1"), make_node("n2")])


def assume_unseen(cluster: Cluster) -> None:
    cluster.assume(WEB, "n1")


def assume_seen(cluster: Cluster) -> None:
    cluster.add_pod(WEB)
    cluster.assume(WEB, "n1")


def finish_unseen(cluster: Cluster) -> None:
    assume_unseen(cluster)
    cluster.finish_binding(WEB, now=0)


def finish_seen(cluster: Cluster) -> None:
    assume_seen(cluster)
    cluster.finish_binding(WEB, now=0)


STATES: Mapping[str, Move] = {
    "unknown": lambda _cluster: None,
    "waiting": lambda cluster: cluster.add_pod(WEB),
    "assumed": assume_seen,
    "assumed unseen": assume_unseen,
    "assumed, binding over": finish_seen,
    "assumed unseen, binding over": finish_unseen,
    "bound": lambda cluster: cluster.add_pod(ON_N1),
    "ended": lambda cluster: cluster.add_pod(ENDED_ON_N1),
}
ASSUMED = [state for state in STATES if state.startswith("assumed")]

MOVES: Mapping[str, Move] = {
    "added, waiting": lambda cluster: cluster.add_pod(WEB),
    "added on n1": lambda cluster: cluster.add_pod(ON_N1),
    "added on n2": lambda cluster: cluster.add_pod(ON_N2),
    "added, ended": lambda cluster: cluster.add_pod(ENDED_ON_N1),
    "updated, waiting": lambda cluster: cluster.update_pod(WEB),
    "updated on n1": lambda cluster: cluster.update_pod(ON_N1),
    "updated on n2": lambda cluster: cluster.update_pod(ON_N2),
    "updated, ended on n1": lambda cluster: cluster.update_pod(ENDED_ON_N1),
    "updated, ended without a node": lambda cluster: cluster.update_pod(ENDED),
    "removed": lambda cluster: cluster.remove_pod(WEB),
    "deleted": lambda cluster: cluster.delete_pod(WEB),
    "assumed on n1": lambda cluster: cluster.assume(WEB, "n1"),
    "assumed on n2": lambda cluster: cluster.assume(WEB, "n2"),
    "assumed on no node": lambda cluster: cluster.assume(WEB, ""),
    "assumed, having ended": lambda cluster: cluster.assume(ENDED, "n1"),
    "forgotten": lambda cluster: cluster.forget(WEB),
    "forgotten on n1": lambda cluster: cluster.forget(ON_N1),
    "forgotten on n2": lambda cluster: cluster.forget(ON_N2),
    "left to time": lambda cluster: cluster.expire(now=LATE),
}


def all_of(states: list[str], outcome: str) -> dict[str, str]:
    return dict.fromkeys(states, outcome)


THERE = {state: f"the pod is {state} already" for state in ("bound", "ended")} | {
    "waiting": "the pod is pending already"
}
NOT_ASSUMED = all_of(["unknown", "waiting", "bound", "ended"], "the pod is not assumed")
NAMELESS = "the pod cannot be assumed on a node without a name"
ONE_IS_ASSUMED = all_of(ASSUMED, "the pod is assumed already")
FORGOTTEN = {
    "assumed": "waiting",
    "assumed, binding over": "waiting",
    "assumed unseen": "gone",
    "assumed unseen, binding over": "gone",
}

# What becomes of the pod by each move, from each state; a refusal begins with "the pod".
OUTCOMES: Mapping[str, Mapping[str, str]] = {
    "added, waiting": {"unknown": "waiting"} | THERE | ONE_IS_ASSUMED,
    "added on n1": {"unknown": "bound to n1"} | THERE | all_of(ASSUMED, "bound to n1"),
    "added on n2": {"unknown": "bound to n2"} | THERE | all_of(ASSUMED, "bound to n2"),
    "added, ended": {"unknown": "ended"} | THERE | all_of(ASSUMED, "ended"),
    "updated, waiting": {
        "unknown": "the pod is not there",
        "waiting": "waiting",
        "bound": "the pod is on n1 and cannot move to no node",
        "ended": "waiting",
    }
    | all_of(ASSUMED, "assumed on n1"),
    "updated on n1": {
        "unknown": "the pod is not there",
        "waiting": "bound to n1",
        "bound": "bound to n1",
        "ended": "bound to n1",
    }
    | all_of(ASSUMED, "bound to n1"),
    "updated on n2": {
        "unknown": "the pod is not there",
        "waiting": "bound to n2",
        "bound": "the pod is on n1 and cannot move to n2",
        "ended": "bound to n2",
    }
    | all_of(ASSUMED, "bound to n2"),
    "updated, ended on n1": {
        "unknown": "the pod is not there",
        "waiting": "ended",
        "bound": "ended",
        "ended": "ended",
    }
    | all_of(ASSUMED, "ended"),
    "updated, ended without a node": {
        "unknown": "the pod is not there",
        "waiting": "ended",
        "bound": "the pod is on n1 and cannot move to no node",
        "ended": "ended",
    }
    | all_of(ASSUMED, "assumed on n1"),
    "removed": {
        "unknown": "the pod is not there",
        "waiting": "gone",
        "bound": "gone",
        "ended": "gone",
    }
    | all_of(ASSUMED, "the pod is assumed; forget it instead"),
    "deleted": all_of(list(STATES), "gone"),
    "assumed on n1": THERE
    | ONE_IS_ASSUMED
    | {"unknown": "assumed on n1", "waiting": "assumed on n1"},
    "assumed on n2": THERE
    | ONE_IS_ASSUMED
    | {"unknown": "assumed on n2", "waiting": "assumed on n2"},
    "assumed on no node": THERE | ONE_IS_ASSUMED | {"unknown": NAMELESS, "waiting": NAMELESS},
    "assumed, having ended": all_of(list(STATES), "the pod is ended already"),
    "forgotten": NOT_ASSUMED | FORGOTTEN,
    "forgotten on n1": NOT_ASSUMED | FORGOTTEN,
    "forgotten on n2": NOT_ASSUMED | all_of(ASSUMED, "the pod is assumed on n1, not n2"),
    "left to time": {
        "unknown": "gone",
        "waiting": "waiting",
        "bound": "bound to n1",
        "ended": "ended",
        "assumed": "assumed on n1",
        "assumed unseen": "assumed on n1",
        "assumed, binding over": "waiting",
        "assumed unseen, binding over": "gone",
    },
}


def stands(cluster: Cluster) -> str:
    """Say where the pod stands."""
    if WEB.key in cluster.pending:
        return "waiting"
    if WEB.key in cluster.pods:
        how = "assumed on" if cluster.is_assumed(WEB) else "bound to"
        return f"{how} {cluster.pods[WEB.key].node_name}"
    return "ended" if WEB.key in cluster._pods.ended else "gone"


def taken(cluster: Cluster) -> dict[str, int]:
    infos = cluster.snapshot().node_infos
    return {name: info.requested.milli_cpu for name, info in infos.items() if info.pods}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("move", MOVES)
def test_a_pod_goes_where_the_move_leads_or_stays_where_it_is(move: str, state: str) -> None:
    cluster, outcome = nodes_alone(), OUTCOMES[move][state]
    STATES[state](cluster)
    before, told = picture_of_cluster(cluster), list[Change]()
    cluster.subscribe(told.append)
    if outcome.startswith("the pod"):
        with pytest.raises(ClusterError) as caught:
            MOVES[move](cluster)
        assert (str(caught.value), caught.value.key) == (f"{WEB.key}: {outcome}", WEB.key)
        assert (picture_of_cluster(cluster), told) == (before, [])
    else:
        MOVES[move](cluster)
        assert stands(cluster) == outcome
        on_a_node = outcome.startswith(("assumed", "bound"))
        assert taken(cluster) == ({outcome.split()[-1]: 1000} if on_a_node else {})
        assert told or picture_of_cluster(cluster) == before
    cluster._check()


def test_every_move_from_every_state_has_an_outcome() -> None:
    assert OUTCOMES.keys() == MOVES.keys()
    assert all(outcomes.keys() == STATES.keys() for outcomes in OUTCOMES.values())


@pytest.mark.parametrize("state", STATES)
def test_who_deletes_a_pod_is_told_if_it_was_there(state: str) -> None:
    cluster = nodes_alone()
    STATES[state](cluster)
    assert [cluster.delete_pod(WEB), cluster.delete_pod(WEB)] == [state != "unknown", False]


def test_an_assumed_pod_that_is_deleted_is_heard_of_as_bound_and_then_removed() -> None:
    cluster, told = nodes_alone(), list[Change]()
    assume_seen(cluster)
    cluster.subscribe(told.append)
    cluster.delete_pod(WEB)
    assert told == [Change("updated", ON_N1, ON_N1), Change("removed", ON_N1, None)]


def test_a_pod_that_comes_back_waits_as_it_was_last_seen() -> None:
    cluster, seen = nodes_alone(), make_pod("shop/web", cpu=2)
    assume_seen(cluster)
    cluster.update_pod(seen)
    assert cluster.pods[WEB.key] == ON_N1
    cluster.forget(WEB)
    assert cluster.pending[WEB.key] == seen


def test_a_pod_that_ended_while_it_was_assumed_has_ended_once_it_is_forgotten() -> None:
    cluster = nodes_alone()
    assume_seen(cluster)
    cluster.update_pod(ENDED)
    cluster.forget(WEB)
    assert stands(cluster) == "ended"


def test_assuming_gives_the_pod_back_with_its_node() -> None:
    cluster = nodes_alone()
    assert cluster.assume(WEB, "n1") == ON_N1
    assert cluster.is_assumed(ON_N1)


def test_pods_wait_in_order_of_arrival_and_an_update_changes_no_place() -> None:
    cluster = Cluster()
    for name in ("a", "b", "c"):
        cluster.add_pod(make_pod(name))
    cluster.update_pod(make_pod("a", cpu=1))
    assert list(cluster.pending) == ["default/a", "default/b", "default/c"]


# -- time ------------------------------------------------------------------------------------------


class Finished(NamedTuple):
    """When bindings finished, and who has expired when."""

    says: str
    finished: tuple[tuple[str, float], ...]
    now: float
    expired: tuple[str, ...]


FINISHED = [
    Finished("a pod that is still being bound never expires", (), 1e9, ()),
    Finished("its time is not over at the last moment", (("a", 5),), 5 + ASSUME_TTL, ()),
    Finished("its time is over after that", (("a", 5),), 5.1 + ASSUME_TTL, ("a",)),
    Finished("each has its own time", (("a", 0), ("b", 9)), 5 + ASSUME_TTL, ("a",)),
    Finished("all that are late expire", (("a", 0), ("b", 0)), 5 + ASSUME_TTL, ("a", "b")),
    Finished("who was assumed first comes first", (("b", 0), ("a", 4)), 5 + ASSUME_TTL, ("a", "b")),
    Finished("finishing again gives it more time", (("a", 0), ("a", 9)), 5 + ASSUME_TTL, ()),
    Finished("or less", (("a", 9), ("a", 0)), 5 + ASSUME_TTL, ("a",)),
    Finished("one that is not assumed is left alone", (("none", 0),), 1e9, ()),
]


@pytest.mark.parametrize("finished", FINISHED, ids=lambda it: it.says)
def test_an_assumed_pod_expires_some_time_after_its_binding(finished: Finished) -> None:
    cluster = nodes_alone()
    for name in ("a", "b"):
        cluster.assume(make_pod(name), "n1")
    for name, at in finished.finished:
        cluster.finish_binding(make_pod(name), at)
    expired = cluster.expire(finished.now)
    assert tuple(pod.name for pod in expired) == finished.expired
    assert all(pod.node_name == "n1" for pod in expired)
    assert {pod.name for pod in cluster.pods.values()} == {"a", "b"} - {*finished.expired}
    cluster._check()


def test_a_pod_that_was_assumed_anew_expires_after_the_others() -> None:
    cluster = nodes_alone()
    pods = [make_pod(name) for name in ("a", "b", "c")]
    for pod in pods:
        cluster.assume(pod, "n1")
    cluster.forget(pods[0])
    cluster.assume(pods[0], "n2")
    for pod in pods:
        cluster.finish_binding(pod, now=0)
    assert [pod.name for pod in cluster.expire(LATE)] == ["b", "c", "a"]


def test_a_binding_cannot_end_at_no_time() -> None:
    cluster = nodes_alone()
    cluster.assume(WEB, "n1")
    with pytest.raises(ClusterError, match="shop/web: the pod cannot expire at nan s"):
        cluster.finish_binding(WEB, now=nan)
    cluster._check()


def test_confirmed_pods_do_not_expire() -> None:
    cluster = nodes_alone()
    finish_seen(cluster)
    cluster.update_pod(ON_N1)
    assert cluster.expire(LATE) == ()
