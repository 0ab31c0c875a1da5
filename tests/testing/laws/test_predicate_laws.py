"""The laws of predicates: each catches what breaks it, and says how."""

import random
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field, frozen

from kubesched import (
    FITS,
    SKIP,
    Facet,
    Fit,
    NodeInfo,
    Pod,
    PredicateSpec,
    Reason,
    SchedulingError,
    Snapshot,
    SpecError,
    node,
    pod,
)
from kubesched.model import Service, ServiceSpec
from kubesched.testing import PREDICATE_LAWS, Law, Situation
from tests.testing.laws.trying import identified, seen

LAWS: dict[str, Law] = {law.name: law for law in PREDICATE_LAWS}
NO = Fit(Reason("no"))
NEVER = Fit(Reason("never", resolvable=False))

ONE_NODE = Situation(pod("web", labels={"app": "a", "tier": "b"}), [node("n1")])
ONE_POD = Situation(pod("web"), [node("n1"), pod("db", node_name="n1", cpu=1)])
OTHER = Situation(
    pod("shop/other", labels={"app": "c"}),
    [
        node("n1", labels={"rack": "r1"}, annotations={"a": "b"}, taints=["gone:NoSchedule"]),
        pod("shop/new", node_name="n1", cpu=2),
        Service(spec=ServiceSpec(selector={"app": "a"})),
    ],
)


def asking(check: Callable[..., Any], **options: Any) -> PredicateSpec[Any]:
    """Return a predicate of its `(pod, meta, node)`, which declares a lot unless told otherwise."""
    return PredicateSpec("Mine", check, **{"reads": {Facet.NODE, Facet.PODS}, **options})


def refusing_if(condition: Callable[..., Any], **options: Any) -> PredicateSpec[Any]:
    return asking(lambda *asked: NO if condition(*asked) else FITS, **options)


def raising(error: Exception) -> Callable[..., Any]:
    def check(_pod: Pod, _meta: object, _node: NodeInfo, /) -> Fit:
        raise error

    return check


# -- answers ---------------------------------------------------------------------------------------

ANSWERS = partial(seen, LAWS["answers"], situation=ONE_NODE)


@pytest.mark.parametrize(
    ("check", "told"),
    [
        (lambda *_: None, "is None, expected FITS or Fit(reason, …)"),
        (lambda *_: False, "is False, expected"),
        (lambda *_: Fit(), "is a Fit without reasons, which lets the pod pass"),
        (lambda *_: Fit("full"), "is a Fit with 'full', expected a Reason with a text"),  # type: ignore[arg-type]
        (lambda *_: Fit(Reason("")), "is a Fit with Reason(text='', resolvable=True)"),
        (raising(KeyError("rack")), "raises KeyError: 'rack'"),
        (raising(SpecError("odd")), "raises SpecError: odd"),
    ],
    ids=[
        "no answer",
        "a truth value",
        "a Fit without reasons",
        "a text for a reason",
        "a reason without a text",
        "an error that nobody expects",
        "an error about a rule",
    ],
)
def test_what_is_no_answer(check: Callable[..., Any], told: str) -> None:
    assert told in (ANSWERS(rule=asking(check)) or "")


@pytest.mark.parametrize(
    "check",
    [lambda *_: FITS, lambda *_: NO, raising(SchedulingError("a claim is missing"))],
    ids=["FITS", "a reason", "an error that says why"],
)
def test_what_is_an_answer(check: Callable[..., Any]) -> None:
    assert ANSWERS(rule=asking(check)) is None


def test_the_error_that_was_raised_is_the_cause_of_the_one_that_is_told() -> None:
    with pytest.raises(AssertionError) as caught:
        LAWS["answers"].check(asking(raising(KeyError("rack"))), ONE_NODE, None)  # type: ignore[arg-type]
    assert isinstance(caught.value.__cause__, KeyError)


# -- purity ----------------------------------------------------------------------------------------


def changes_meta(_pod: Pod, meta: list[int], _node: NodeInfo, /) -> Fit:
    meta.append(1)
    return FITS


def changes_pod(pod: Pod, _meta: None, _node: NodeInfo, /) -> Fit:
    object.__setattr__(pod.spec, "priority", 7)
    return FITS


def changes_node(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    node.requested.milli_cpu += 5
    return FITS


def changes_snapshot(_pod: Pod, snapshot: Snapshot, /) -> None:
    next(iter(snapshot.node_infos.values())).pods.clear()


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (asking(changes_meta, prepare=lambda *_: []), "it changes what it is given: meta has [0]"),
        (asking(changes_pod), "it changes what it is given: pod.spec.priority was None and is 7"),
        (asking(changes_node), "node n1.requested.milli_cpu was 1000 and is 1005"),
        (
            asking(lambda *_: FITS, prepare=changes_snapshot),
            "prepare changes what it is given: node n1.pods has lost ['default/db']",
        ),
    ],
    ids=["what was prepared", "the pod", "a node", "the snapshot"],
)
def test_what_a_rule_must_not_change(rule: PredicateSpec[Any], told: str) -> None:
    assert told in (seen(LAWS["purity"], rule, ONE_POD) or "")
    assert ONE_POD.pod.spec.priority is None


# -- repetition ------------------------------------------------------------------------------------


def test_another_answer_the_second_time() -> None:
    numbers = count()
    rule = refusing_if(lambda *_: next(numbers))
    told = seen(LAWS["repetition"], rule, ONE_NODE)
    assert told == (
        "its answer about node n1 was at first: it fits; "
        "and when it was asked again: it is refused (no)"
    )


def test_another_answer_after_other_questions() -> None:
    known: dict[str, bool] = {}
    rule = refusing_if(lambda pod, _meta, _node: known.setdefault(pod.name, bool(known)))
    assert "after questions about another pod" in (
        seen(LAWS["repetition"], rule, ONE_NODE, other=OTHER) or ""
    )
    known.clear()
    rule = refusing_if(lambda pod, *_: known.setdefault(pod.name, True) and len(known) > 1)
    assert "after questions about another pod" in (
        seen(LAWS["repetition"], rule, ONE_NODE, other=OTHER) or ""
    )


# -- constancy -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "told"),
    [
        (lambda *_: time.localtime().tm_hour == 3, "later: "),
        (lambda *_: time.localtime().tm_wday == 6, "later: "),
        (lambda *_: time.localtime().tm_mon == 2, "later: "),
        (lambda *_: random.random() < 0.5, "with other random numbers: "),  # noqa: S311
    ],
    ids=["an hour of the day", "a day of the week", "a month", "chance"],
)
def test_what_an_answer_must_not_depend_on(condition: Callable[..., Any], told: str) -> None:
    state = random.getstate()
    assert told in (seen(LAWS["constancy"], refusing_if(condition), ONE_NODE) or "")
    assert random.getstate() == state


def test_a_time_that_an_object_holds_may_be_just_over() -> None:
    def is_old(pod: Pod, _meta: None, _node: NodeInfo, /) -> bool:
        created = pod.metadata.creation_timestamp
        return created is not None and time.time() - created.timestamp() > 300

    created = evolve(ONE_NODE.pod.metadata, creation_timestamp=datetime(2018, 9, 1, tzinfo=UTC))
    situation = evolve(ONE_NODE, pod=evolve(ONE_NODE.pod, metadata=created))
    told = seen(LAWS["constancy"], refusing_if(is_old), situation)
    assert "and 0:00:01 after 2018-09-01: it fits" in (told or "")


# -- order -----------------------------------------------------------------------------------------


def test_the_first_of_some_labels_is_none_in_particular() -> None:
    rule = refusing_if(lambda pod, _meta, _node: next(iter(pod.labels)) == "app")
    assert seen(LAWS["order"], rule, ONE_NODE) == (
        "its answer about node n1 is: it is refused (no); and with the entries of every mapping "
        "(labels, annotations, requests …) the other way round: it fits"
    )


def test_reasons_may_come_in_any_order() -> None:
    rule = asking(lambda pod, *_: Fit(*(Reason(label) for label in pod.labels)))
    assert seen(LAWS["order"], rule, ONE_NODE) is None


# -- curing ----------------------------------------------------------------------------------------


def test_a_refusal_that_no_eviction_can_change_is_not_resolvable() -> None:
    rule = asking(lambda *_: NO, reads={Facet.LABELS})
    assert seen(LAWS["curing"], rule, ONE_NODE) == (
        "about node n1 it says that it is refused (no) and calls that resolvable, but it reads "
        "nothing that changes when pods are evicted"
    )
    assert seen(LAWS["curing"], asking(lambda *_: NEVER, reads={Facet.LABELS}), ONE_NODE) is None


def test_a_refusal_that_an_eviction_cures_is_resolvable() -> None:
    rule = asking(lambda _pod, _meta, node: NEVER if node.pods else FITS)
    assert seen(LAWS["curing"], rule, ONE_POD) == (
        "about node n1 it says that it is refused (never) and calls that not resolvable, "
        "but it fits when default/db is evicted"
    )
    assert seen(LAWS["curing"], refusing_if(lambda _pod, _meta, node: node.pods), ONE_POD) is None


def test_what_declares_nothing_and_looks_at_the_node_alone_is_tried_as_well() -> None:
    rule = asking(lambda _pod, _meta, node: NEVER if node.pods else FITS, reads=set(Facet))
    assert "but it fits when default/db is evicted" in (seen(LAWS["curing"], rule, ONE_POD) or "")


def test_an_undeclared_read_of_pods_is_not_told_as_a_refusal_that_nobody_can_cure() -> None:
    rule = asking(lambda _pod, _meta, node: NO if node.pods else FITS, reads={Facet.LABELS})
    assert seen(LAWS["curing"], rule, ONE_POD) == (
        "about node n1 it says that it is refused (no) and calls that resolvable, "
        "and it does fit when default/db is evicted; but it declares nothing of the kind"
    )


# -- likeness --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "condition",
    [
        lambda pod, _meta, _node: pod.name.endswith("-1"),
        lambda pod, _meta, _node: pod.name == "other",
        lambda pod, _meta, _node: pod.uid,
        lambda pod, _meta, _node: pod.metadata.creation_timestamp,
        lambda pod, _meta, _node: pod.status.phase,
    ],
    ids=["the number of a pod", "its name", "its identity", "its age", "its status"],
)
def test_what_pods_of_one_class_differ_in(condition: Callable[..., Any]) -> None:
    then = datetime(2018, 9, 1, tzinfo=UTC)
    meta = evolve(OTHER.pod.metadata, uid="u1", creation_timestamp=then)
    other = evolve(
        OTHER, pod=evolve(OTHER.pod, metadata=meta, status=evolve(OTHER.pod.status, phase="x"))
    )
    rule = refusing_if(condition)
    assert "that is like it but for" in (seen(LAWS["likeness"], rule, ONE_NODE, other=other) or "")
    assert seen(LAWS["likeness"], evolve(rule, reads=set(Facet)), ONE_NODE, other=other) is None


@pytest.mark.parametrize("taken", [pod("default/other"), identified(pod("db"), "u1")])
def test_a_pod_is_not_taken_for_another_one_that_is_there(taken: Pod) -> None:
    def is_there(pod: Pod, _meta: None, node: NodeInfo, /) -> bool:
        return any(pod.key == it.key or pod.uid == it.uid != "" for it in node.pods.values())

    other = evolve(OTHER, pod=identified(OTHER.pod, "u1"))
    there = Situation(pod("web"), [node("n1"), taken.bound_to("n1")])
    assert seen(LAWS["likeness"], refusing_if(is_there), there, other=other) is None


# -- reads -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("condition", "facet"),
    [
        (lambda _pod, _meta, node: "rack" in node.labels, "LABELS"),
        (lambda _pod, _meta, node: node.annotations, "ANNOTATIONS"),
        (lambda _pod, _meta, node: node.taints, "TAINTS"),
        (lambda _pod, _meta, node: node.pods, "PODS or Facet.REQUESTED"),
        (lambda _pod, _meta, node: node.requested.milli_cpu > 0, "PODS or Facet.REQUESTED"),
        (lambda _pod, _meta, node: "default/db" in node.pods, None),
    ],
    ids=["labels", "annotations", "taints", "pods", "requests", "a pod that does not come or go"],
)
def test_what_is_not_declared_must_not_be_read(
    condition: Callable[..., Any], facet: str | None
) -> None:
    rule = refusing_if(condition, reads={Facet.IMAGES})
    told = seen(LAWS["reads"], rule, ONE_NODE, other=OTHER)
    assert (told or "").startswith(f"Facet.{facet}" if facet else "")
    assert told is not None or facet is None
    assert seen(LAWS["reads"], evolve(rule, reads=set(Facet)), ONE_NODE, other=OTHER) is None


@pytest.mark.parametrize("declared", [True, False])
def test_what_is_prepared_is_declared(declared: bool) -> None:  # noqa: FBT001
    rule = refusing_if(
        lambda _pod, services, _node: services,
        prepare=lambda _pod, snapshot: len(snapshot.of(Service)),
        reads={Facet.SERVICES} if declared else {Facet.LABELS},
    )
    told = seen(LAWS["reads"], rule, ONE_NODE, other=OTHER)
    assert (told or "").startswith("" if declared else "Facet.SERVICES")
    assert (told is None) == declared


def test_what_is_read_of_the_cluster_does_not_say_what_is_read_of_the_node() -> None:
    rule = refusing_if(
        lambda _pod, _meta, node: node.pods,
        prepare=lambda *_: None,
        reads={Facet.CLUSTER_PODS},
    )
    assert "changes its answer about node n1" in (
        seen(LAWS["reads"], rule, ONE_NODE, other=OTHER) or ""
    )


def test_what_is_prepared_is_equal_only_if_it_is_the_same() -> None:
    @frozen
    class Services:
        number: int = field(eq=False)

    rule = refusing_if(
        lambda _pod, services, _node: services.number,
        prepare=lambda _pod, snapshot: Services(len(snapshot.of(Service))),
        reads={Facet.SERVICES},
    )
    assert (seen(LAWS["reads"], rule, ONE_NODE, other=OTHER) or "").startswith(
        "what it prepares is equal before and after (==), and yet something changes its answer"
    )


def test_other_nodes_are_not_read_unless_that_is_declared() -> None:
    two = evolve(ONE_NODE, objects=[node("n1"), node("n2")])
    rule = refusing_if(
        lambda _pod, labels, _node: "rack" in labels,
        prepare=lambda _pod, snapshot: {
            key for it in snapshot.node_infos.values() for key in it.labels
        },
        reads={Facet.LABELS},
    )
    assert (seen(LAWS["reads"], rule, two, other=OTHER) or "").startswith("Facet.CLUSTER_NODES")
    honest = evolve(rule, reads={Facet.CLUSTER_NODES})
    assert seen(LAWS["reads"], honest, two, other=OTHER) is None


# -- following -------------------------------------------------------------------------------------


@frozen
class Number:
    """How many pods there are, which may be counted wrongly when they come or go."""

    pods: int
    coming: int = 1
    going: int = 1

    def add_pod(self, _pod: Pod, _node: NodeInfo, /) -> "Number":
        return evolve(self, pods=self.pods + self.coming)

    def remove_pod(self, _pod: Pod, _node: NodeInfo, /) -> "Number":
        return evolve(self, pods=self.pods - self.going)


def counting(make: Callable[[int], Any], **options: Any) -> PredicateSpec[Any]:
    return refusing_if(
        lambda _pod, meta, _node: getattr(meta, "pods", meta),
        prepare=lambda _pod, snapshot: make(
            sum(len(info.pods) for info in snapshot.node_infos.values())
        ),
        **{"reads": {Facet.CLUSTER_PODS}, **options},
    )


class Forgetful(Number):
    def add_pod(self, _pod: Pod, _node: NodeInfo, /) -> "Number":
        return Number(self.pods + 1)


@define
class Counted:
    """How many pods there are, which changes instead of giving another one."""

    pods: int

    def add_pod(self, _pod: Pod, _node: NodeInfo, /) -> "Counted":
        self.pods += 1
        return self

    def remove_pod(self, _pod: Pod, _node: NodeInfo, /) -> "Counted":
        self.pods -= 1
        return self


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        (counting(partial(Number, going=0)), "leaves node n1, its answer about node n1 is: it is"),
        (counting(partial(Number, coming=0)), "comes to node n1 and then pod default/db leaves"),
        (counting(Counted), "what was prepared.pods was 1 and is "),
        (counting(Forgetful), "what was prepared becomes Number(pods=2"),
        (counting(lambda number: number, reads={Facet.PODS}), "leaves node n1, its answer"),
        (counting(lambda number: number or SKIP), "leaves node n1, what was prepared becomes"),
    ],
    ids=[
        "pods that go are not counted",
        "pods that come are not counted",
        "it changes",
        "it becomes something else",
        "it stays, and declares nothing of other pods",
        "it has nothing to say later",
    ],
)
def test_what_was_prepared_follows_pods(rule: PredicateSpec[Any], told: str) -> None:
    choices = (0, 1)  # the node, and one newcomer
    assert told in (seen(LAWS["following"], rule, ONE_POD, other=OTHER, choices=choices) or "")


@pytest.mark.parametrize(
    "rule",
    [
        counting(Number),
        counting(lambda number: number),
        refusing_if(lambda _pod, _meta, node: node.pods),
        refusing_if(lambda _pod, app, node: app in node.labels, prepare=lambda pod, _: pod.name),
    ],
    ids=["it follows", "it is prepared again", "nothing is prepared", "it depends on no pods"],
)
def test_what_was_prepared_holds(rule: PredicateSpec[Any]) -> None:
    for newcomers in range(3):
        told = seen(LAWS["following"], rule, ONE_POD, other=OTHER, choices=(0, newcomers))
        assert told is None


# -- threads ---------------------------------------------------------------------------------------

scratch: list[int] = []


def collects(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
    scratch.clear()
    scratch.extend(1 for _ in node.pods)
    return NO if scratch else FITS


def test_a_list_that_threads_share_is_filled_by_both() -> None:
    told = [
        seen(LAWS["threads"], asking(collects), ONE_NODE, other=OTHER, choices=(line,))
        for line in range(4)
    ]
    where = rf"before line \d+ of {Path(__file__).name}: it is refused"
    assert any(
        re.search(f"if another thread asks about other nodes {where}", it or "") for it in told
    )


# -- all -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", PREDICATE_LAWS, ids=lambda law: law.name)
@pytest.mark.parametrize("situation", [Situation(Pod()), ONE_NODE, ONE_POD], ids=["0", "1", "2"])
def test_a_good_predicate_keeps_the_law_even_if_there_is_nothing(
    law: Law, situation: Situation
) -> None:
    rule = refusing_if(lambda _pod, _meta, node: node.requested.milli_cpu > 500)
    for other in (Situation(Pod()), OTHER):
        assert seen(law, rule, situation, other=other) is None
