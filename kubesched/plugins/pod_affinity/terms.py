"""What pods say about other pods, made ready to be asked.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/util/topologies.go.
"""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

from attrs import frozen

from kubesched.errors import SelectorError
from kubesched.model import (
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
    WeightedPodAffinityTerm,
)
from kubesched.selectors import Selector, label_selector
from kubesched.state import AffinityGroup, LabelGroup

Labelled: TypeAlias = Pod | LabelGroup
"""A pod, or a group of pods alike; a term looks at either."""


@frozen
class Term:
    """Pods with some labels in some namespaces, and the node label that says what is near them.

    Attributes:
        topology_key: nodes with the same value of this label are near each other.
        namespaces: those of the term, or else that of the pod which holds the term.
        selector: picks the labels; where the term has none it picks no pod.
    """

    topology_key: str
    namespaces: frozenset[str]
    selector: Selector

    def selects(self, pod: Labelled) -> bool:
        """Tell whether the term is about a pod."""
        return pod.namespace in self.namespaces and self.selector.matches(pod.labels)


@frozen
class Terms:
    """The terms of one list; if one of them cannot be evaluated there are none, but its fault."""

    terms: tuple[Term, ...] = ()
    fault: str | None = None

    @property
    def are_given(self) -> bool:
        """Whether there are terms, be it such that cannot be evaluated."""
        return bool(self.terms) or self.fault is not None

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The topology keys, each once."""
        return _keys_of(self.terms)

    def all_select(self, pod: Labelled) -> bool:
        """Tell whether there are terms and all of them are about a pod."""
        return bool(self.terms) and all(term.selects(pod) for term in self.terms)

    def keys_about(self, pod: Labelled) -> tuple[str, ...]:
        """Return the topology keys of the terms that are about a pod, each once."""
        return _keys_of(term for term in self.terms if term.selects(pod))

    def keys_if_all_select(self, pod: Labelled) -> tuple[str, ...]:
        """Return the topology keys if all terms are about a pod, and none otherwise."""
        return self.keys if self.all_select(pod) else ()


def _keys_of(terms: Iterable[Term]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term.topology_key for term in terms))


@frozen
class Preferences:
    """Preferred terms with their weights, below 0 for anti-affinity; or what is wrong with one."""

    terms: tuple[tuple[int, Term], ...] = ()
    fault: str | None = None


@frozen
class PodTerms:
    """All terms of a pod; pods of one template share them, so that each need be asked only once.

    Attributes:
        required: required affinity: pods that must be near.
        forbidden: required anti-affinity: pods that must not be near.
        preferred: preferred affinity and anti-affinity.
    """

    required: Terms = Terms()
    forbidden: Terms = Terms()
    preferred: Preferences = Preferences()


_NO_TERMS: Final = PodTerms()


def terms_of(pod: Pod) -> PodTerms:
    """Return what a pod says about other pods.

    >>> from kubesched.builders import pod
    >>> terms_of(pod("web-1")).forbidden.terms
    ()
    """
    affinity = pod.spec.affinity
    if affinity is None or not (affinity.pod_affinity or affinity.pod_anti_affinity):
        return _NO_TERMS
    return _made_ready(pod.namespace, affinity.pod_affinity, affinity.pod_anti_affinity)


def terms_of_group(group: AffinityGroup) -> PodTerms:
    """Return what each pod of a group says about other pods."""
    return _made_ready(group.namespace, group.pod_affinity, group.pod_anti_affinity)


# There is room for more templates than a cluster has: every prepare asks for all of them in turn.
@lru_cache(maxsize=1 << 14)
def _made_ready(namespace: str, near: PodAffinity | None, far: PodAntiAffinity | None) -> PodTerms:
    near, far = near or PodAffinity(), far or PodAntiAffinity()
    return PodTerms(
        _terms(near.required, namespace),
        _terms(far.required, namespace),
        _preferences(near.preferred, far.preferred, namespace),
    )


def _terms(given: Iterable[PodAffinityTerm], namespace: str) -> Terms:
    try:
        return Terms(tuple(_term(each, namespace) for each in given))
    except SelectorError as error:
        return Terms(fault=str(error))


def _preferences(
    near: Iterable[WeightedPodAffinityTerm],
    far: Iterable[WeightedPodAffinityTerm],
    namespace: str,
) -> Preferences:
    weighted = (
        *((each.weight, each.pod_affinity_term) for each in near),
        *((-each.weight, each.pod_affinity_term) for each in far),
    )
    try:
        return Preferences(tuple((weight, _term(each, namespace)) for weight, each in weighted))
    except SelectorError as error:
        return Preferences(fault=str(error))


def _term(term: PodAffinityTerm, namespace: str) -> Term:
    namespaces = frozenset(term.namespaces or (namespace,))
    return Term(term.topology_key, namespaces, label_selector(term.label_selector))
