"""What selects pods and nodes by their labels; all that is drawn can be evaluated."""

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from kubesched.model import (
    Affinity,
    LabelSelector,
    LabelSelectorRequirement,
    NodeAffinity,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
    PreferredSchedulingTerm,
    WeightedPodAffinityTerm,
)
from kubesched.testing.strategies.drawing import mostly, refuse_odd_bounds
from kubesched.testing.strategies.metadata import key_value_pairs, labels
from kubesched.testing.words import WORDS, Words

HOST_NAME: Final = "kubernetes.io/hostname"
ZONE: Final = "failure-domain.beta.kubernetes.io/zone"
_WITH_VALUES: Final = ("In", "NotIn")
_OPERATORS: Final = (*_WITH_VALUES, "Exists", "DoesNotExist")
_COMPARISONS: Final = ("Gt", "Lt")


def label_selector_requirements(
    *, max_values: int = 2, words: Words = WORDS
) -> st.SearchStrategy[LabelSelectorRequirement]:
    """Draw conditions on a label.

    Args:
        max_values: how many values a condition has at most, 1 or more.
        words: what keys and values are drawn from.

    >>> from hypothesis import find
    >>> find(label_selector_requirements(), lambda requirement: requirement.operator == "In")
    LabelSelectorRequirement(key='app', operator='In', values=('a',))
    """
    refuse_odd_bounds(1, max_values=max_values)
    return st.builds(
        _label_requirement,
        key_value_pairs(words=words),
        st.sampled_from(_OPERATORS),
        st.lists(st.sampled_from(words.values), max_size=max_values - 1),
    )


def _label_requirement(
    pair: tuple[str, str], operator: str, more: Sequence[str]
) -> LabelSelectorRequirement:
    key, value = pair
    values = dict.fromkeys((value, *more)) if operator in _WITH_VALUES else ()
    return LabelSelectorRequirement(key=key, operator=operator, values=tuple(values))


def label_selectors(*, max_size: int = 2, words: Words = WORDS) -> st.SearchStrategy[LabelSelector]:
    """Draw selectors; the empty one selects everything.

    >>> from hypothesis import find
    >>> find(label_selectors(), lambda selector: selector.match_labels)
    LabelSelector(match_labels={'app': 'a'})
    """
    return st.builds(
        LabelSelector,
        match_labels=labels(max_size=max_size, words=words),
        match_expressions=st.lists(label_selector_requirements(words=words), max_size=max_size),
    )


def node_selector_requirements(
    *, max_values: int = 2, words: Words = WORDS
) -> st.SearchStrategy[NodeSelectorRequirement]:
    """Draw conditions on a node's label.

    Args:
        max_values: how many values a condition has at most, 1 or more.
        words: what keys, values and numbers are drawn from.

    >>> from hypothesis import find
    >>> find(node_selector_requirements(), lambda requirement: requirement.operator == "Gt")
    NodeSelectorRequirement(key='app', operator='Gt', values=('1',))
    """
    refuse_odd_bounds(1, max_values=max_values)
    return st.builds(
        _node_requirement,
        key_value_pairs(words=words),
        st.sampled_from((*_OPERATORS, *_COMPARISONS)),
        st.lists(st.sampled_from(words.values), max_size=max_values - 1),
        st.sampled_from(words.numbers),
    )


def _node_requirement(
    pair: tuple[str, str], operator: str, more: Sequence[str], number: int
) -> NodeSelectorRequirement:
    plain = _label_requirement(pair, operator, more)
    values = (str(number),) if operator in _COMPARISONS else plain.values
    return NodeSelectorRequirement(key=plain.key, operator=operator, values=values)


def node_selector_terms(*, words: Words = WORDS) -> st.SearchStrategy[NodeSelectorTerm]:
    """Draw terms; one without a condition matches no node."""
    by_name = st.builds(
        NodeSelectorRequirement,
        key=st.just("metadata.name"),
        operator=st.sampled_from(["In", "NotIn"]),
        values=st.lists(st.sampled_from(words.node_names), min_size=1, max_size=1),
    )
    return st.builds(
        NodeSelectorTerm,
        match_expressions=st.lists(node_selector_requirements(words=words), max_size=2),
        match_fields=st.lists(by_name, max_size=1),
    )


def node_selectors(*, max_terms: int = 2, words: Words = WORDS) -> st.SearchStrategy[NodeSelector]:
    """Draw node selectors; one without a term matches no node."""
    refuse_odd_bounds(max_terms=max_terms)
    terms = st.lists(node_selector_terms(words=words), max_size=max_terms)
    return st.builds(NodeSelector, node_selector_terms=terms)


def node_affinities(*, words: Words = WORDS) -> st.SearchStrategy[NodeAffinity]:
    """Draw what a node must be, and had better be."""
    preferred = st.builds(
        PreferredSchedulingTerm,
        weight=st.integers(1, 100),
        preference=node_selector_terms(words=words),
    )
    return st.builds(
        NodeAffinity,
        required=st.none() | node_selectors(words=words),
        preferred=st.lists(preferred, max_size=2),
    )


def pod_affinity_terms(*, words: Words = WORDS) -> st.SearchStrategy[PodAffinityTerm]:
    """Draw which pods, and how near."""
    plain = st.builds(LabelSelector, match_labels=labels(max_size=1, words=words))
    return st.builds(
        PodAffinityTerm,
        label_selector=mostly(plain, st.none() | label_selectors(words=words), one_in=4),
        namespaces=st.lists(st.sampled_from(words.namespaces), max_size=1),
        topology_key=st.sampled_from((HOST_NAME, ZONE, *words.keys)),
    )


def affinities(*, words: Words = WORDS) -> st.SearchStrategy[Affinity]:
    """Draw all that a pod can say about its place."""
    terms = pod_affinity_terms(words=words)
    weighted = st.builds(
        WeightedPodAffinityTerm, weight=st.integers(1, 100), pod_affinity_term=terms
    )
    required, preferred = st.lists(terms, max_size=2), st.lists(weighted, max_size=1)
    return st.builds(
        Affinity,
        node_affinity=st.none() | node_affinities(words=words),
        pod_affinity=st.none() | st.builds(PodAffinity, required=required, preferred=preferred),
        pod_anti_affinity=st.none()
        | st.builds(PodAntiAffinity, required=required, preferred=preferred),
    )
