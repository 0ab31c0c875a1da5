"""Each oddity of a watch, and what a feed makes of it."""

import logging
from collections.abc import Callable, Sequence
from threading import Thread
from typing import NamedTuple, TypeAlias

import pytest
from attrs import evolve

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.model import Deployment, KubeObject, Node, ObjectMeta, Pod, Service
from kubesched.runtime import MOST_GONE, ClusterFeed, FeedProblem
from kubesched.runtime.feed.ledger import Ledger
from kubesched.state import Change, Cluster

Step: TypeAlias = Callable[[ClusterFeed], object]


def as_seen(it: KubeObject, version: str, uid: str) -> KubeObject:
    meta = evolve(it.metadata, resource_version=version, uid=uid)
    return evolve(it, metadata=meta)


def web(version: str = "", *, uid: str = "u1", on: str = "", phase: str = "") -> Pod:
    it = make_pod("web", cpu=1, node_name=on, phase=phase)
    seen = as_seen(it, version, uid)
    assert isinstance(seen, Pod)
    return seen


def add(pod: Pod) -> Step:
    return lambda feed: feed.add(pod)


def delete(pod: Pod) -> Step:
    return lambda feed: feed.delete(pod)


def relist(*pods: Pod, at: str = "") -> Step:
    return lambda feed: feed.relist(Pod, pods, resource_version=at)


def assume(name: str) -> Step:
    return lambda feed: feed.cluster.assume(feed.cluster.pods.get("default/web", web()), name)


def forget(feed: ClusterFeed) -> None:
    feed.cluster.forget(web())


def stands(cluster: Cluster) -> str:
    """Say where the pod stands, and in which version."""
    pod = cluster.pods.get("default/web")
    if pod is None:
        return "ended" if "default/web" in cluster._pods.ended else "gone"
    how = "assumed on" if cluster.is_assumed(pod) else "on"
    where = f"{how} {pod.node_name}" if pod.node_name else "waits"
    return f"{where}, {pod.uid} {pod.metadata.resource_version}".rstrip()


class Told(NamedTuple):
    """What a feed is told, and what becomes of the pod."""

    says: str
    steps: Sequence[Step]
    becomes: str
    problems: int = 0


TOLD = [
    Told("an add", [add(web("5"))], "waits, u1 5"),
    Told("an add twice", [add(web("5")), add(web("5"))], "waits, u1 5"),
    Told("an add of what is there", [add(web("5")), add(web("6"))], "waits, u1 6"),
    Told("what is older", [add(web("6", on="n1")), add(web("5"))], "on n1, u1 6"),
    Told("9 is older than 10", [add(web("10")), add(web("9"))], "waits, u1 10"),
    Told("no version is news", [add(web("6")), add(web(on="n1"))], "on n1, u1"),
    Told(
        "a version that is no number is news",
        [add(web("6")), add(web("x7", on="n1"))],
        "on n1, u1 x7",
    ),
    Told(
        "what is older than the version before the one that was not told",
        [add(web("6")), add(web(on="n1")), add(web("5"))],
        "on n1, u1",
    ),
    Told("a delete", [add(web("5")), delete(web("6"))], "gone"),
    Told("a delete of what is not there", [delete(web("6"))], "gone"),
    Told("a delete with a stale state", [add(web("5")), delete(web("4"))], "gone"),
    Told("a delete without a uid", [add(web("5")), delete(web("4", uid=""))], "gone"),
    Told("an add that comes after the delete", [delete(web("6")), add(web("5"))], "gone"),
    Told(
        "a change that comes after the delete, which told a stale state",
        [add(web("5")), delete(web("5")), add(web("7"))],
        "gone",
    ),
    Told(
        "without a uid, versions tell what comes late after a delete",
        [add(web("5", uid="")), delete(web("6", uid="")), add(web("5", uid=""))],
        "gone",
    ),
    Told(
        "without a uid, versions tell that one was created anew",
        [add(web("5", uid="")), delete(web("6", uid="")), add(web("7", uid=""))],
        "waits,  7",
    ),
    Told(
        "without anything, what was deleted comes back",
        [add(web(uid="")), delete(web(uid="")), add(web(uid=""))],
        "waits,",
    ),
    Told(
        "a delete without a version of what came anew",
        [add(web("5")), add(web("8", uid="u2")), delete(web(uid="u2")), add(web("9", uid="u2"))],
        "gone",
    ),
    Told(
        "a delete of the one before",
        [add(web("5")), add(web("8", uid="u2")), delete(web("6"))],
        "waits, u2 8",
    ),
    Told(
        "a delete of the one after",
        [add(web("5")), delete(web("8", uid="u2")), add(web("7", uid="u2"))],
        "gone",
    ),
    Told(
        "a late delete of the one before does not hide that of the one after",
        [delete(web("8", uid="u2")), delete(web("6")), add(web("9", uid="u2"))],
        "gone",
    ),
    Told(
        "late news of the one before after one of no version",
        [add(web("5")), delete(web("6")), add(web(uid="u2")), add(web("4", uid="u0"))],
        "waits, u2",
    ),
    Told(
        "another one in the place of a bound one",
        [add(web("5", on="n1")), add(web("8", uid="u2"))],
        "waits, u2 8",
    ),
    Told("bound", [add(web("5")), add(web("6", on="n1"))], "on n1, u1 6"),
    Told(
        "bound to another node",
        [add(web("5", on="n1")), add(web("6", on="n2"))],
        "on n2, u1 6",
        problems=1,
    ),
    Told(
        "bound no more",
        [add(web("5", on="n1")), add(web("6"))],
        "waits, u1 6",
        problems=1,
    ),
    Told("ended", [add(web("5", on="n1")), add(web("6", on="n1", phase="Failed"))], "ended"),
    Told(
        "ended and gone",
        [add(web("6", on="n1", phase="Failed")), delete(web("7"))],
        "gone",
    ),
    Told("seen while assumed", [add(web("5")), assume("n1"), add(web("6"))], "assumed on n1, u1 5"),
    Told("as last seen", [add(web("5")), assume("n1"), add(web("6")), forget], "waits, u1 6"),
    Told("confirmed", [add(web("5")), assume("n1"), add(web("6", on="n1"))], "on n1, u1 6"),
    Told("moved", [add(web("5")), assume("n1"), add(web("6", on="n2"))], "on n2, u1 6"),
    Told("deleted while assumed", [add(web("5")), assume("n1"), delete(web("6"))], "gone"),
    Told("assumed and never seen", [assume("n1"), delete(web("6"))], "gone"),
    Told(
        "replaced while assumed",
        [add(web("5")), assume("n1"), add(web("8", uid="u2"))],
        "waits, u2 8",
    ),
    Told("ended while assumed", [assume("n1"), add(web("6", on="n1", phase="Failed"))], "ended"),
    Told("listed", [relist(web("5"), at="9")], "waits, u1 5"),
    Told("not listed", [add(web("5")), relist(at="9")], "gone"),
    Told("not listed, bound", [add(web("5", on="n1")), relist(at="9")], "gone"),
    Told("not listed, assumed", [add(web("5")), assume("n1"), relist(at="9")], "gone"),
    Told("not listed, ended", [add(web("5", phase="Failed")), relist(at="9")], "gone"),
    Told("listed, assumed", [add(web("5")), assume("n1"), relist(web("5"), at="9")],
         "assumed on n1, u1 5"),
    Told("listed on its node", [add(web("5")), assume("n1"), relist(web("6", on="n1"), at="9")],
         "on n1, u1 6"),
    Told("seen after the list was made", [add(web("10")), relist(at="9")], "waits, u1 10"),
    Told("listed as it was before", [add(web("10")), relist(web("8"), at="9")], "waits, u1 10"),
    Told("a list of no version", [add(web("10")), relist()], "gone"),
    Told("late news of what is not listed", [add(web("5")), relist(), add(web("6"))], "gone"),
    Told("older than the list, and not in it", [relist(at="9"), add(web("8"))], "gone"),
    Told("newer than the list", [relist(at="9"), add(web("10"))], "waits, u1 10"),
    Told("an older list", [relist(at="9"), relist(web("5"), at="6"), add(web("8"))], "gone"),
    Told(
        "deleted after the list was made that comes late",
        [add(web("5")), delete(web("10")), relist(web("5"), at="9")],
        "gone",
    ),
    Told(
        "deleted after the list was made that comes late, which told a stale state",
        [add(web("5")), delete(web("5")), relist(web("5"), at="9"), add(web("10"))],
        "gone",
    ),
]  # fmt: skip


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.says)
def test_what_becomes_of_a_pod(told: Told) -> None:
    cluster, problems = Cluster(), list[FeedProblem]()
    feed = ClusterFeed(cluster, report=problems.append)
    for step in told.steps:
        step(feed)
        cluster._check()
    assert stands(cluster) == told.becomes
    assert len(problems) == told.problems


def test_a_handler_says_whether_it_was_told_news() -> None:
    feed = ClusterFeed(Cluster())
    assert feed.add(web("5"))
    assert not feed.add(web("5"))
    assert feed.update(web("6"))
    assert not feed.update(web("5"))
    assert feed.delete(web("7"))
    assert not feed.delete(web("7"))
    assert not feed.update(web("7"))


def test_a_pod_that_is_deleted_while_assumed_frees_its_room_before_all_eyes() -> None:
    cluster, told = Cluster(), list[Change]()
    feed = ClusterFeed(cluster)
    feed.add(web("5"))
    cluster.assume(web(), "n1")
    cluster.subscribe(told.append)
    feed.delete(web("6"))
    assert [change.action for change in told] == ["updated", "removed"]
    assert isinstance(told[-1].before, Pod)
    assert told[-1].before.node_name == "n1"


def test_every_kind_comes_changes_and_goes() -> None:
    cluster = Cluster()
    feed = ClusterFeed(cluster)
    named = ObjectMeta(name="web", namespace="default")
    seen = [make_node("n1"), Service(metadata=named), make_pod("web")]
    for it in seen:
        assert feed.update(as_seen(it, "5", "u1"))
        assert feed.add(as_seen(it, "6", "u1"))
    assert cluster.nodes["n1"].metadata.resource_version == "6"
    assert cluster.of_kind(Service)["default/web"].metadata.resource_version == "6"
    for it in seen:
        assert feed.delete(as_seen(it, "7", "u1"))
    assert (cluster.nodes, dict(cluster.of_kind(Service)), cluster.pods) == ({}, {}, {})


def test_a_list_is_about_one_kind_and_all_of_it() -> None:
    cluster = Cluster.of([make_node("n1"), make_node("n2"), make_pod("web")])
    feed = ClusterFeed(cluster)
    feed.relist(Node, [make_node("n2"), make_node("n3")])
    assert (list(cluster.nodes), list(cluster.pods)) == (["n2", "n3"], ["default/web"])


def test_what_others_put_into_the_cluster_is_updated_and_not_overwritten_by_older_news() -> None:
    cluster = Cluster.of([web("5")])
    feed = ClusterFeed(cluster)
    assert not feed.add(web("4", on="n1"))
    cluster.add_node(make_node("n1"))
    assert feed.add(make_node("n1", cpu=4))
    cluster.add_node(make_node("n2"))
    feed.relist(Node, [])
    assert (stands(cluster), cluster.nodes) == ("waits, u1 5", {})


# -- what is odd -----------------------------------------------------------------------------------


class Odd(NamedTuple):
    """Something odd that a feed is told, and what is said about it."""

    says: str
    step: Step
    problem: str


NAMELESS = Pod(metadata=ObjectMeta(namespace="default"))
KEPT = "a cluster keeps no objects of this kind"
ODD = [
    Odd("no name", lambda feed: feed.add(NAMELESS), "Pod: has no name; it is left out"),
    Odd("no name, gone", lambda feed: feed.delete(NAMELESS), "Pod: has no name; it is left out"),
    Odd("a kind that is not kept", lambda feed: feed.add(Deployment()), f"Deployment: {KEPT}"),
    Odd("a list of such a kind", lambda feed: feed.relist(Deployment, []), f"Deployment: {KEPT}"),
    Odd(
        "another kind in a list",
        lambda feed: feed.relist(Pod, [web("5", on="n1"), make_node("n1")]),
        "Node n1: is no Pod; it is left out",
    ),
    Odd(
        "a pod that moves",
        lambda feed: feed.add(web("6", on="n2")),
        "Pod default/web: default/web: the pod is on n1 and cannot move to n2; it was added anew",
    ),
]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd.says)
def test_what_is_odd_is_reported(odd: Odd, caplog: pytest.LogCaptureFixture) -> None:
    cluster, problems = Cluster(), list[FeedProblem]()
    for feed in (ClusterFeed(cluster, report=problems.append), ClusterFeed(Cluster())):
        feed.add(web("5", on="n1"))
        odd.step(feed)
    assert [str(problem) for problem in problems] == [odd.problem]
    assert caplog.record_tuples == [("kubesched.runtime", logging.WARNING, odd.problem)]
    assert (list(cluster.pods), cluster.nodes) == (["default/web"], {})


def test_what_the_cluster_cannot_take_is_left_out_and_tried_again_with_the_next_news() -> None:
    cluster, problems = Cluster(), list[FeedProblem]()
    feed = ClusterFeed(cluster, report=problems.append)
    refusing = RefusingCluster()
    feed.cluster = refusing
    assert not feed.add(web("5"))
    assert [problem.why for problem in problems] == ["default/web: not today; it was left out"]
    feed.cluster = cluster
    assert feed.add(web("5"))


class RefusingCluster(Cluster):
    """A cluster that takes no pod."""

    def add_pod(self, pod: Pod) -> None:
        from kubesched.errors import ClusterError  # noqa: PLC0415

        raise ClusterError(pod.key, "not today")


# -- how much is remembered ------------------------------------------------------------------------


def test_who_has_been_gone_for_longest_is_forgotten() -> None:
    ledger = Ledger(2)
    for name in ("a", "b", "c"):
        ledger.strike_out(make_pod(name))
    assert [key for _, key in ledger._gone] == ["default/b", "default/c"]


def test_a_list_lets_forget_who_was_gone_before_it() -> None:
    feed = ClusterFeed(Cluster())
    for number in range(5):
        feed.delete(as_seen(make_pod(f"web-{number}"), str(number), f"u{number}"))
    feed.relist(Pod, [], resource_version="3")
    assert [key for _, key in feed._ledger._gone] == ["default/web-4"]


def test_a_feed_remembers_no_more_than_so_many() -> None:
    feed = ClusterFeed(Cluster())
    for number in range(MOST_GONE + 1):
        feed.delete(make_pod(f"web-{number}"))
    assert len(feed._ledger._gone) == MOST_GONE


# -- threads ---------------------------------------------------------------------------------------


def test_watches_on_several_threads_feed_one_cluster() -> None:
    cluster = Cluster()
    feed = ClusterFeed(cluster)

    def watch(make: Callable[[str], KubeObject]) -> None:
        for number in range(100):
            feed.add(as_seen(make(f"it-{number % 10}"), str(number), f"u{number // 50}"))

    makers: list[Callable[[str], KubeObject]] = [make_node, make_pod, make_pod]
    threads = [Thread(target=watch, args=(make,)) for make in makers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cluster._check()
    assert len(cluster.nodes) == len(cluster.pods) == 10
    assert {pod.metadata.resource_version for pod in cluster.pods.values()} == {
        str(number) for number in range(90, 100)
    }
