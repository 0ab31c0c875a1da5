"""Which nodes a pod names: by host name, by node selector, by node affinity."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import SelectorError
from kubesched.framework import Reason
from kubesched.model import (
    Affinity,
    NodeAffinity,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    Pod,
    PreferredSchedulingTerm,
)
from kubesched.plugins.node_selection import (
    HOST_NAME,
    MATCH_NODE_SELECTOR,
    NODE_AFFINITY,
    NOT_SELECTED,
    OTHER_HOST_NAME,
)
from tests.plugins.asking import fits, reasons, scores
from tests.strategies import labels, node_selectors_maybe_odd, node_terms_maybe_odd

SSD = node("n1", labels={"disk": "ssd", "cores": "8"})


def expression(key: str, operator: str, *values: str) -> NodeSelectorRequirement:
    return NodeSelectorRequirement(key=key, operator=operator, values=values)


def term(*expressions: NodeSelectorRequirement) -> NodeSelectorTerm:
    return NodeSelectorTerm(match_expressions=expressions)


def named(operator: str, *names: str) -> NodeSelectorTerm:
    return NodeSelectorTerm(match_fields=[expression("metadata.name", operator, *names)])


def requiring(terms: Sequence[NodeSelectorTerm], **selector: str) -> Pod:
    required = NodeSelector(node_selector_terms=terms)
    affinity = Affinity(node_affinity=NodeAffinity(required=required))
    return pod("web-1", affinity=affinity, node_selector=selector)


# -- HostName ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [("", []), ("n1", []), ("n2", [OTHER_HOST_NAME.text])],
    ids=["a pod that names no node", "the node that it names", "another node"],
)
def test_a_pod_may_name_its_node(wanted: str, expected: list[str]) -> None:
    assert reasons(HOST_NAME, pod("web-1", node_name=wanted), node("n1")) == expected


def test_the_label_with_the_host_name_does_not_matter() -> None:
    asked = pod("web-1", node_name="n2")
    assert not fits(HOST_NAME, asked, node("n1", labels={"kubernetes.io/hostname": "n2"}))


def test_eviction_is_no_cure() -> None:
    texts = ["node(s) didn't match the requested hostname", "node(s) didn't match node selector"]
    assert [Reason(text, resolvable=False) for text in texts] == [OTHER_HOST_NAME, NOT_SELECTED]


# -- MatchNodeSelector -------------------------------------------------------------------------

IN_SSD = expression("disk", "In", "ssd")
IN_HDD = expression("disk", "In", "hdd")
ODD = expression("disk", "Near", "ssd")

SELECTORS = [
    pytest.param(pod("p"), True, id="neither selector nor affinity"),
    pytest.param(pod("p", node_selector={"disk": "ssd"}), True, id="a label that is there"),
    pytest.param(pod("p", node_selector={"disk": "hdd"}), False, id="another value"),
    pytest.param(pod("p", node_selector={"gpu": ""}), False, id="a label that is not there"),
    pytest.param(
        pod("p", node_selector={"disk": "ssd", "cores": "8"}), True, id="all labels are there"
    ),
    pytest.param(
        pod("p", node_selector={"disk": "ssd", "cores": "9"}), False, id="not all labels are"
    ),
    pytest.param(
        pod("p", node_selector={"disk": "ssd", "a b": "c"}), True, id="what is no label is skipped"
    ),
    pytest.param(pod("p", affinity=Affinity()), True, id="an affinity to no nodes"),
    pytest.param(
        pod("p", affinity=Affinity(node_affinity=NodeAffinity())), True, id="nothing required"
    ),
    pytest.param(requiring([]), False, id="no terms match nothing"),
    pytest.param(requiring([term()]), False, id="an empty term matches nothing"),
    pytest.param(requiring([term(IN_SSD)]), True, id="a term that matches"),
    pytest.param(requiring([term(IN_HDD)]), False, id="a term that does not"),
    pytest.param(requiring([term(IN_HDD), term(IN_SSD)]), True, id="one of two terms"),
    pytest.param(requiring([term(IN_HDD, IN_SSD)]), False, id="one of two expressions"),
    pytest.param(requiring([term(ODD)]), False, id="a term that makes no sense"),
    pytest.param(requiring([term(ODD), term(IN_SSD)]), True, id="beside one that does"),
    pytest.param(requiring([term(expression("disk", "NotIn", "hdd"))]), True, id="NotIn"),
    pytest.param(
        requiring([term(expression("gpu", "NotIn", "a"))]), True, id="NotIn without the label"
    ),
    pytest.param(
        requiring([term(expression("gpu", "NotIn", "-1"))]), False, id="NotIn what is no value"
    ),
    pytest.param(requiring([term(expression("disk", "Exists"))]), True, id="Exists"),
    pytest.param(requiring([term(expression("gpu", "DoesNotExist"))]), True, id="DoesNotExist"),
    pytest.param(requiring([term(expression("cores", "Gt", "7"))]), True, id="Gt"),
    pytest.param(requiring([term(expression("cores", "Lt", "8"))]), False, id="Lt"),
    pytest.param(requiring([term(expression("gpu", "Lt", "8"))]), False, id="Lt without the label"),
    pytest.param(
        requiring([term(expression("disk", "Gt", "0"))]), False, id="Gt of what is no number"
    ),
    pytest.param(requiring([named("In", "n1")]), True, id="the name of the node"),
    pytest.param(requiring([named("In", "n2")]), False, id="the name of another node"),
    pytest.param(requiring([named("NotIn", "n2")]), True, id="any name but another's"),
    pytest.param(requiring([named("In", "n1", "n2")]), False, id="two names make no sense"),
    pytest.param(
        requiring([NodeSelectorTerm(match_expressions=[IN_HDD], match_fields=[])]),
        False,
        id="expressions and no fields",
    ),
    pytest.param(
        requiring(
            [
                NodeSelectorTerm(
                    match_expressions=[IN_SSD],
                    match_fields=[expression("metadata.name", "In", "n2")],
                )
            ]
        ),
        False,
        id="expressions match and fields do not",
    ),
    pytest.param(requiring([term(IN_SSD)], cores="8"), True, id="selector and affinity match"),
    pytest.param(requiring([term(IN_SSD)], cores="9"), False, id="the selector does not"),
    pytest.param(requiring([term(IN_HDD)], cores="8"), False, id="the affinity does not"),
]


@pytest.mark.parametrize(("asked", "expected"), SELECTORS)
def test_a_node_must_meet_selector_and_required_affinity(*, asked: Pod, expected: bool) -> None:
    told = reasons(MATCH_NODE_SELECTOR, asked, SSD)
    assert told == ([] if expected else [NOT_SELECTED.text])


@given(node_selectors_maybe_odd(), node_terms_maybe_odd(), labels())
def test_one_more_term_never_hurts(
    required: NodeSelector, more: NodeSelectorTerm, there: dict[str, str]
) -> None:
    terms, asked = required.node_selector_terms, node("n1", labels=there)
    before = fits(MATCH_NODE_SELECTOR, requiring(terms), asked)
    assert fits(MATCH_NODE_SELECTOR, requiring([*terms, more]), asked) >= before


@given(labels(), labels(max_size=1), labels())
def test_one_more_selected_label_never_helps(
    selected: dict[str, str], more: dict[str, str], there: dict[str, str]
) -> None:
    asked = node("n1", labels=there)
    before = fits(MATCH_NODE_SELECTOR, pod("p", node_selector=selected), asked)
    after = fits(MATCH_NODE_SELECTOR, pod("p", node_selector={**more, **selected}), asked)
    assert after <= before


@given(labels())
def test_a_node_meets_a_selector_of_its_own_labels(there: dict[str, str]) -> None:
    asked = pod("p", node_selector=there)
    assert fits(MATCH_NODE_SELECTOR, asked, node("n1", labels=there))


# -- NodeAffinityPriority ----------------------------------------------------------------------


def preferring(*preferences: tuple[int, NodeSelectorTerm]) -> Pod:
    preferred = [
        PreferredSchedulingTerm(weight=weight, preference=preference)
        for weight, preference in preferences
    ]
    return pod("web-1", affinity=Affinity(node_affinity=NodeAffinity(preferred=preferred)))


WIDE = expression("cores", "Gt", "4")
NODES = [SSD, node("n2", labels={"disk": "hdd", "cores": "8"}), node("n3")]

PREFERENCES = [
    pytest.param(pod("p"), [0, 0, 0], id="no affinity"),
    pytest.param(pod("p", affinity=Affinity()), [0, 0, 0], id="an affinity to no nodes"),
    pytest.param(preferring(), [0, 0, 0], id="no preferences"),
    pytest.param(preferring((1, term(IN_SSD))), [10, 0, 0], id="one preference"),
    pytest.param(
        preferring((1, term(IN_SSD)), (1, term(WIDE))), [10, 5, 0], id="the more the better"
    ),
    pytest.param(preferring((2, term(IN_SSD)), (1, term(WIDE))), [10, 3, 0], id="weights add up"),
    pytest.param(preferring((7, term(IN_SSD, WIDE))), [10, 0, 0], id="expressions are ANDed"),
    pytest.param(
        preferring((3, term(expression("gpu", "Exists")))), [0, 0, 0], id="nobody meets it"
    ),
    pytest.param(preferring((5, term())), [0, 0, 0], id="no expressions match nothing"),
    pytest.param(preferring((5, named("In", "n2"))), [0, 0, 0], id="fields are ignored"),
    pytest.param(
        preferring((5, named("In", "n2")), (1, term(IN_SSD))),
        [10, 0, 0],
        id="fields beside expressions",
    ),
    pytest.param(preferring((0, term(WIDE))), [0, 0, 0], id="weight 0"),
    pytest.param(
        preferring((0, term(ODD)), (1, term(IN_SSD))), [10, 0, 0], id="weight 0 skips any nonsense"
    ),
]


@pytest.mark.parametrize(("asked", "expected"), PREFERENCES)
def test_a_node_scores_by_the_preferences_that_it_meets(asked: Pod, expected: list[int]) -> None:
    assert scores(NODE_AFFINITY, asked, *NODES) == expected


def test_a_preference_that_makes_no_sense_is_an_error() -> None:
    asked = preferring((1, term(IN_SSD)), (1, term(ODD)))
    with pytest.raises(SelectorError) as caught:
        scores(NODE_AFFINITY, asked, *NODES)
    assert str(caught.value) == '"Near" is not a valid node selector operator'


@given(st.lists(st.tuples(st.integers(0, 100), st.booleans()), max_size=4))
def test_a_node_that_meets_every_preference_is_best(preferences: list[tuple[int, bool]]) -> None:
    asked = preferring(
        *((weight, term(WIDE if is_wide else IN_SSD)) for weight, is_wide in preferences)
    )
    best, wide, none = scores(NODE_AFFINITY, asked, *NODES)
    assert 0 == none <= wide <= best <= 10
    assert best == (10 if any(weight for weight, _ in preferences) else 0)
