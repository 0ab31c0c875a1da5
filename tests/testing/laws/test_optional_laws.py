"""The laws that some predicates keep: each catches what breaks it, and stock rules that promise it
keep it.
"""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings, strategies as st

from kubesched import FITS, Fit, NodeInfo, Pod, PredicateSpec, Reason, node, pod
from kubesched.config.registries import GENERAL_PREDICATES
from kubesched.plugins.ports import POD_FITS_HOST_PORTS
from kubesched.plugins.resources import POD_FITS_RESOURCES
from kubesched.plugins.taints import POD_TOLERATES_NODE_TAINTS
from kubesched.state import requests_to_fit
from kubesched.testing import (
    OPTIONAL_PREDICATE_LAWS,
    PREDICATE_LAWS,
    LawBrokenError,
    Situation,
    check_predicate,
)
from tests.testing.laws.trying import seen

LAWS = {law.name: law for law in OPTIONAL_PREDICATE_LAWS}
USUAL = [law.name for law in PREDICATE_LAWS]
NO = Fit(Reason("no"))
NEVER = Fit(Reason("never", resolvable=False))


def refusing_if(condition: Callable[[Pod, NodeInfo], object], refusal: Fit = NO) -> Any:
    return PredicateSpec("Mine", lambda pod, _meta, node: refusal if condition(pod, node) else FITS)


BREAKS = {
    "monotone in requests": refusing_if(
        lambda pod, _node: 0 < requests_to_fit(pod).milli_cpu < 900
    ),
    "monotone in free resources": refusing_if(lambda _pod, node: node.allocatable.milli_cpu > 4000),
    "monotone in tolerations": refusing_if(lambda pod, _node: len(pod.spec.tolerations) > 1),
    "monotone in removed pods": refusing_if(lambda _pod, node: not node.pods),
    "eviction": refusing_if(lambda _pod, node: node.labels.get("app")),
    "arrival": refusing_if(lambda _pod, node: [*node.pods] == sorted(node.pods)),
    "unknown labels": refusing_if(lambda pod, _node: max(pod.labels, default="z") < "m"),
}


@pytest.mark.parametrize(("name", "rule"), BREAKS.items(), ids=BREAKS)
def test_the_law_is_broken(name: str, rule: PredicateSpec[Any]) -> None:
    with pytest.raises(LawBrokenError) as caught:
        check_predicate(rule, also=[name], without=USUAL, seed=0)
    assert caught.value.law == name
    assert len(caught.value.situation.nodes) <= 2
    assert 1 + len(caught.value.situation.pods) <= 3


def room(node: NodeInfo) -> int:
    return node.allocatable.milli_cpu - node.requested.milli_cpu


def share(node: NodeInfo) -> int:
    """Return what of a cpu is for pods: of large nodes less."""
    there = node.allocatable.milli_cpu
    return there * (75 if there > 2000 else 95) // 100


SELDOM_BREAK = {
    "monotone in requests": refusing_if(
        lambda pod, node: (requests_to_fit(pod).milli_cpu or 250) > room(node)
    ),
    "monotone in free resources": refusing_if(
        lambda pod, node: 0 < requests_to_fit(pod).milli_cpu > share(node)
    ),
    "monotone in removed pods": refusing_if(
        lambda pod, node: (
            sum(it.namespace == pod.namespace for it in node.pods.values()) * 2 > len(node.pods) > 1
        )
    ),
}


@pytest.mark.parametrize(("name", "rule"), SELDOM_BREAK.items(), ids=SELDOM_BREAK)
def test_the_law_is_broken_where_a_pod_just_fits(name: str, rule: PredicateSpec[Any]) -> None:
    with pytest.raises(LawBrokenError, match=name):
        check_predicate(rule, also=[name], without=USUAL, seed=0)


def test_one_change_follows_upon_another() -> None:
    rule = refusing_if(lambda _pod, node: len(node.pods) == 1)
    pods = [pod(f"p{number}", node_name="n1") for number in range(3)]
    crowded = st.just(Situation(pod("web"), [node("n1"), *pods]))
    with pytest.raises(LawBrokenError, match="monotone in removed pods"):
        check_predicate(
            rule, also=["monotone in removed pods"], without=USUAL, situations=crowded, seed=0
        )


@pytest.mark.parametrize(
    ("key", "condition"),
    [
        ("app", lambda pod, _node: min(pod.labels) > "m"),
        ("tier", lambda pod, _node: max(pod.labels) < "n"),
    ],
    ids=["the first", "the last"],
)
def test_a_name_may_have_been_the_first_or_the_last(
    key: str, condition: Callable[[Pod, NodeInfo], bool]
) -> None:
    labelled = Situation(pod("web", labels={key: "a"}), [node("n1")])
    assert seen(LAWS["unknown labels"], refusing_if(condition), labelled)


def test_every_law_is_tried() -> None:
    assert BREAKS.keys() == LAWS.keys()


MONOTONE = [name for name in LAWS if name.startswith("monotone")]
EVERYWHERE = [*MONOTONE, "arrival", "unknown labels"]
KEEPS: list[tuple[PredicateSpec[Any], list[str]]] = [
    (POD_FITS_RESOURCES, EVERYWHERE),
    (POD_FITS_HOST_PORTS, [*EVERYWHERE, "eviction"]),
    (POD_TOLERATES_NODE_TAINTS, [*EVERYWHERE, "eviction"]),
    (GENERAL_PREDICATES, EVERYWHERE),
]


@pytest.mark.parametrize(("rule", "laws"), KEEPS, ids=[rule.name for rule, _ in KEEPS])
def test_stock_rules_keep_what_they_promise(rule: PredicateSpec[Any], laws: list[str]) -> None:
    few = settings(max_examples=20)
    check_predicate(rule, also=laws, without=USUAL, settings=few, seed=0)


def test_a_resolvable_refusal_that_nobody_can_cure_is_told() -> None:
    rule = refusing_if(lambda _pod, node: node.allocatable.milli_cpu < 8000)
    assert seen(LAWS["eviction"], rule, Situation(pod("web"), [node("n1")])) == (
        "about node n1 it says that it is refused (no) and calls that resolvable; "
        "but without its pods, it is refused (no)"
    )


def test_a_refusal_that_eviction_cures_is_not_called_unresolvable() -> None:
    rule = refusing_if(lambda _pod, node: node.pods, NEVER)
    placed = Situation(pod("web"), [node("n1"), pod("db", node_name="n1")])
    assert "but without its pods, it fits" in (seen(LAWS["eviction"], rule, placed) or "")


def test_a_label_that_a_rule_knows_keeps_its_name() -> None:
    rule = refusing_if(lambda pod, _node: "app" in pod.labels)
    labelled = Situation(pod("web", labels={"app": "a", "tier": "b"}), [node("n1")])
    assert seen(LAWS["unknown labels"], rule, labelled) is None
