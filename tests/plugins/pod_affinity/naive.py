"""The rules read plainly: every node asks every placed pod, and nothing is worked out before."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kubesched.errors import SelectorError
from kubesched.framework import Reason
from kubesched.model import Affinity, Pod, PodAffinity, PodAffinityTerm, PodAntiAffinity
from kubesched.plugins.pod_affinity.reasons import KEPT_OFF, TOO_FAR, TOO_NEAR
from kubesched.selectors import label_selector
from kubesched.state import NodeInfo, Snapshot

Answer = tuple[Reason, ...] | str
"""The reasons against a node, or the text of an error."""


class Placed(NamedTuple):
    pod: Pod
    node: NodeInfo


def placed_in(infos: Iterable[NodeInfo]) -> list[Placed]:
    return [Placed(pod, info) for info in infos for pod in info.pods.values()]


def affinity_of(pod: Pod) -> tuple[PodAffinity, PodAntiAffinity]:
    said = pod.spec.affinity or Affinity()
    return said.pod_affinity or PodAffinity(), said.pod_anti_affinity or PodAntiAffinity()


def required(pod: Pod) -> tuple[PodAffinityTerm, ...]:
    return affinity_of(pod)[0].required


def forbidden(pod: Pod) -> tuple[PodAffinityTerm, ...]:
    return affinity_of(pod)[1].required


def is_about(term: PodAffinityTerm, holder: Pod, other: Pod) -> bool:
    namespaces = term.namespaces or (holder.namespace,)
    selector = label_selector(term.label_selector)
    return other.namespace in namespaces and selector.matches(other.labels)


def all_are_about(terms: Sequence[PodAffinityTerm], holder: Pod, other: Pod) -> bool:
    # A list, as the selectors of all terms are read before one of them is asked.
    return bool(terms) and all([is_about(term, holder, other) for term in terms])  # noqa: C419


def same_place(some: Mapping[str, str], other: Mapping[str, str], key: str) -> bool:
    return key in some and key in other and some[key] == other[key]


def is_faulty(terms: Iterable[PodAffinityTerm]) -> bool:
    try:
        for term in terms:
            label_selector(term.label_selector)
    except SelectorError:
        return True
    return False


# -- the predicate -----------------------------------------------------------------------------


def has_overview(asked: Pod, placed: Sequence[Placed]) -> bool:
    return not (
        any(other.node.node is None or is_faulty(forbidden(other.pod)) for other in placed)
        or is_faulty(required(asked))
        or (placed and is_faulty(forbidden(asked)))
    )


def reasons_with_overview(asked: Pod, placed: Sequence[Placed], node: NodeInfo) -> Answer:
    """Answer where all can be told; pods that are not bound yet count for their own terms alone."""
    if any(
        is_about(term, other.pod, asked)
        and same_place(other.node.labels, node.labels, term.topology_key)
        for other in placed
        for term in forbidden(other.pod)
    ):
        return KEPT_OFF.reasons
    bound = [other for other in placed if other.pod.node_name]
    if required(asked) and not _is_near_wanted(asked, bound, node):
        return TOO_FAR.reasons
    if any(
        is_about(term, asked, other.pod)
        and same_place(other.node.labels, node.labels, term.topology_key)
        for other in bound
        for term in forbidden(asked)
    ):
        return TOO_NEAR.reasons
    return ()


def _is_near_wanted(asked: Pod, bound: Sequence[Placed], node: NodeInfo) -> bool:
    terms = required(asked)
    wanted = [other for other in bound if all_are_about(terms, asked, other.pod)]
    if all(
        any(same_place(other.node.labels, node.labels, term.topology_key) for other in wanted)
        for term in terms
    ):
        return True
    has_place = any(term.topology_key in other.node.labels for other in wanted for term in terms)
    return not has_place and all_are_about(terms, asked, asked)


def reasons_without_overview(asked: Pod, placed: Sequence[Placed], node: NodeInfo) -> Answer:
    """Answer as the original does when it has given its overview up."""
    try:
        return _one_by_one(asked, placed, node)
    except _UnknownError as error:
        return str(error)


class _UnknownError(Exception):
    pass


def _one_by_one(asked: Pod, placed: Sequence[Placed], node: NodeInfo) -> tuple[Reason, ...]:
    if _others_mind(asked, placed, node):
        return KEPT_OFF.reasons
    found = knows_such = False
    for other in placed:
        if required(asked) and not found:
            found, is_such = _meets_required(asked, other, node)
            knows_such = knows_such or is_such
        if forbidden(asked) and _may_meet_forbidden(asked, other, node):
            return TOO_NEAR.reasons
    if not required(asked) or found:
        return ()
    is_first = not is_faulty(required(asked)) and all_are_about(required(asked), asked, asked)
    return () if is_first and not knows_such else TOO_FAR.reasons


def _meets_required(asked: Pod, other: Placed, node: NodeInfo) -> tuple[bool, bool]:
    try:
        return _meets(required(asked), asked, other, node)
    except (SelectorError, _UnknownError) as error:
        onto = f"Cannot schedule pod {asked.key} onto node {node.name}, because of PodAffinity"
        raise _UnknownError(f"{onto}, err: {error}") from error


def _may_meet_forbidden(asked: Pod, other: Placed, node: NodeInfo) -> bool:
    try:
        return _meets(forbidden(asked), asked, other, node)[0]
    except (SelectorError, _UnknownError):
        return True


def _others_mind(asked: Pod, placed: Sequence[Placed], node: NodeInfo) -> bool:
    minds = False
    for other in placed:
        if other.node.node is None:
            continue
        for term in forbidden(other.pod):
            try:
                is_meant = is_about(term, other.pod, asked)
            except SelectorError as error:
                raise _UnknownError(
                    f"Failed to get all terms that pod {asked.key} matches, err: {error}"
                ) from error
            same = same_place(other.node.labels, node.labels, term.topology_key)
            minds = minds or (is_meant and same)
    return minds


def _meets(
    terms: Sequence[PodAffinityTerm], asked: Pod, other: Placed, node: NodeInfo
) -> tuple[bool, bool]:
    """Tell whether one pod meets all terms and their places, and whether it meets all terms."""
    if not all_are_about(terms, asked, other.pod):
        return False, False
    if other.node.node is None:
        raise _UnknownError(f'node "{other.node.name}" not found')
    for term in terms:
        if not term.topology_key:
            raise _UnknownError(
                "empty topologyKey is not allowed except for PreferredDuringScheduling pod "
                "anti-affinity"
            )
        if not same_place(other.node.labels, node.labels, term.topology_key):
            return False, True
    return True, True


# -- the priority ------------------------------------------------------------------------------


def weighed(
    asked: Pod, other: Pod, hard_weight: int
) -> Iterator[tuple[int, PodAffinityTerm, Pod, Pod]]:
    """Go over the terms that two pods have for each other: weight, term, who has it, of whom."""
    for holder, meant in ((asked, other), (other, asked)):
        near, far = affinity_of(holder)
        if holder is other:
            yield from ((hard_weight, term, holder, meant) for term in near.required)
        yield from ((it.weight, it.pod_affinity_term, holder, meant) for it in near.preferred)
        yield from ((-it.weight, it.pod_affinity_term, holder, meant) for it in far.preferred)


def scores(asked: Pod, snapshot: Snapshot, nodes: Sequence[NodeInfo], hard: int) -> list[int]:
    placed = placed_in(info for info in snapshot.node_infos.values() if info.node is not None)
    totals = [sum(_worth(asked, other, node, hard) for other in placed) for node in nodes]
    low, high = min(0, *totals), max(0, *totals)
    return [int(10 * ((it - low) / (high - low))) if high > low else 0 for it in totals]


def _worth(asked: Pod, other: Placed, node: NodeInfo, hard: int) -> int:
    return sum(
        weight
        for weight, term, holder, meant in weighed(asked, other.pod, hard)
        if is_about(term, holder, meant)
        and term.topology_key
        and same_place(other.node.labels, node.labels, term.topology_key)
    )
