"""Which nodes a pod names: by host name, by node selector, by node affinity.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go (PodFitsHost,
PodMatchNodeSelector), pkg/scheduler/algorithm/priorities/node_affinity.go.
"""

from typing import Final

from attrs import frozen

from kubesched.errors import SelectorError
from kubesched.framework import (
    FITS,
    SKIP,
    Fit,
    PredicateSpec,
    PrioritySpec,
    Reason,
    Skip,
    normalize,
)
from kubesched.model import NodeAffinity, Pod
from kubesched.selectors import (
    NodeSelection,
    Selector,
    label_map_selector,
    node_label_selector,
    node_selection,
)
from kubesched.state import Facet, NodeInfo, Snapshot

OTHER_HOST_NAME: Final = Reason("node(s) didn't match the requested hostname", resolvable=False)
NOT_SELECTED: Final = Reason("node(s) didn't match node selector", resolvable=False)
_OTHER_HOST: Final = Fit(OTHER_HOST_NAME)
_NOT_SELECTED: Final = Fit(NOT_SELECTED)


def prepare_host(pod: Pod, _snapshot: Snapshot, /) -> str | Skip:
    """Return the name of the node that the pod asks for, if it does."""
    return pod.node_name or SKIP


def pod_fits_host(_pod: Pod, wanted: str, node: NodeInfo, /) -> Fit:
    """Check that the node is the one that the pod names."""
    return FITS if wanted == node.name else _OTHER_HOST


@frozen
class Wanted:
    """The nodes that a pod must go to, its selectors made ready; None where it has none."""

    labels: Selector | None
    affinity: NodeSelection | None


def node_affinity_of(pod: Pod) -> NodeAffinity | None:
    """Return what the pod says about nodes, if anything."""
    return None if pod.spec.affinity is None else pod.spec.affinity.node_affinity


def prepare_selection(pod: Pod, _snapshot: Snapshot, /) -> Wanted | Skip:
    """Make the pod's node selector and required node affinity ready, if it has either."""
    affinity = node_affinity_of(pod)
    required = None if affinity is None else affinity.required
    if not pod.spec.node_selector and required is None:
        return SKIP
    return Wanted(
        label_map_selector(pod.spec.node_selector) if pod.spec.node_selector else None,
        None if required is None else node_selection(required),
    )


def pod_match_node_selector(_pod: Pod, wanted: Wanted, node: NodeInfo, /) -> Fit:
    """Check that the node meets the pod's node selector and its required node affinity."""
    if wanted.labels is not None and not wanted.labels.matches(node.labels):
        return _NOT_SELECTED
    if wanted.affinity is not None and not wanted.affinity.matches(node.labels, node.name):
        return _NOT_SELECTED
    return FITS


@frozen
class Preferences:
    """The nodes that a pod likes, each selector with its weight, and what is wrong with one."""

    terms: tuple[tuple[int, Selector], ...] = ()
    fault: SelectorError | None = None


def prepare_preferences(pod: Pod, _snapshot: Snapshot, /) -> Preferences | Skip:
    """Make the pod's preferred node affinity ready; terms of weight 0 are left out."""
    affinity = node_affinity_of(pod)
    if affinity is None or not affinity.preferred:
        return SKIP
    try:
        return Preferences(
            tuple(
                (term.weight, node_label_selector(term.preference.match_expressions))
                for term in affinity.preferred
                if term.weight
            )
        )
    except SelectorError as fault:
        return Preferences(fault=fault)


def node_affinity(_pod: Pod, wanted: Preferences, node: NodeInfo, /) -> int:
    """Add up the weights of the preferences that the node meets.

    Only label expressions count, as in the original: a preference by `matchFields` alone matches no
    node.

    Raises:
        SelectorError: a preference cannot be evaluated.
    """
    if wanted.fault is not None:
        raise wanted.fault
    total = 0
    for weight, selector in wanted.terms:
        if selector.matches(node.labels):
            total += weight
    return total


HOST_NAME: Final = PredicateSpec(
    "HostName", pod_fits_host, prepare=prepare_host, order=40, reads=()
)

MATCH_NODE_SELECTOR: Final = PredicateSpec(
    "MatchNodeSelector",
    pod_match_node_selector,
    prepare=prepare_selection,
    order=60,
    reads={Facet.LABELS},
)

NODE_AFFINITY: Final = PrioritySpec(
    "NodeAffinityPriority",
    node_affinity,
    reduce=normalize(),
    prepare=prepare_preferences,
    reads={Facet.LABELS},
)
