"""Affinity in one readable line."""

from collections.abc import Iterable

from kubesched.model import (
    Affinity,
    LabelSelector,
    LabelSelectorRequirement,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
    WeightedPodAffinityTerm,
)


def odd(operator: str) -> LabelSelector:
    """Return a selector that cannot be evaluated, as there is no such operator."""
    odd_one = LabelSelectorRequirement(key="app", operator=operator)
    return LabelSelector(match_expressions=[odd_one])


ODD = odd("Near")
ODD_TEXT = '"Near" is not a valid pod selector operator'


def term(
    app: str | LabelSelector | None = None, by: str = "zone", namespaces: Iterable[str] = ()
) -> PodAffinityTerm:
    """Return a term about the pods of an app, or about those that a selector picks."""
    selector = LabelSelector(match_labels={"app": app}) if isinstance(app, str) else app
    return PodAffinityTerm(label_selector=selector, topology_key=by, namespaces=namespaces)


def saying(
    near: Iterable[PodAffinityTerm] = (),
    far: Iterable[PodAffinityTerm] = (),
    likes: Iterable[tuple[int, PodAffinityTerm]] = (),
    dislikes: Iterable[tuple[int, PodAffinityTerm]] = (),
) -> Affinity:
    """Return required affinity and anti-affinity, and preferred with weights."""
    return Affinity(
        pod_affinity=PodAffinity(required=near, preferred=map(_weighted, likes)),
        pod_anti_affinity=PodAntiAffinity(required=far, preferred=map(_weighted, dislikes)),
    )


def _weighted(weight_and_term: tuple[int, PodAffinityTerm]) -> WeightedPodAffinityTerm:
    weight, weighed = weight_and_term
    return WeightedPodAffinityTerm(weight=weight, pod_affinity_term=weighed)
