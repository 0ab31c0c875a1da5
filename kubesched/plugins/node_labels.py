"""Labels that somebody wants nodes to have, or not to have.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go
(CheckNodeLabelPresence), pkg/scheduler/algorithm/priorities/node_label.go.
"""

from collections.abc import Iterable
from typing import Final

from kubesched.framework import FITS, MAX_SCORE, Fit, PredicateSpec, PrioritySpec, Reason
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo

LABELS_NOT_RIGHT: Final = Reason("node(s) didn't have the requested labels", resolvable=False)
_REFUSAL: Final = Fit(LABELS_NOT_RIGHT)


def check_node_label_presence(
    labels: Iterable[str], *, presence: bool, name: str = "CheckNodeLabelPresence"
) -> PredicateSpec[None]:
    """Return the predicate that wants all of the labels on a node, or none of them.

    Args:
        labels: the keys; their values do not matter.
        presence: whether all must be there; otherwise none may.
        name: what the predicate is called.

    >>> from kubesched.builders import node, pod
    >>> no_retiring = check_node_label_presence(["retiring"], presence=False)
    >>> bool(no_retiring.check(pod("web-1"), None, NodeInfo.of(node("worker-1"))))
    True
    """
    keys = tuple(labels)

    def check(_pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:
        return FITS if all((key in node.labels) == presence for key in keys) else _REFUSAL

    return PredicateSpec(name, check, order=110, reads={Facet.LABELS})


def node_label(name: str, label: str, *, presence: bool, weight: int = 1) -> PrioritySpec[None]:
    """Return the priority that scores 10 where a label is there (or is not), else 0.

    Args:
        name: what the priority is called.
        label: the key; its value does not matter.
        presence: whether it had better be there.
        weight: the priority's weight.
    """

    def score(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
        return MAX_SCORE if (label in node.labels) == presence else 0

    return PrioritySpec(name, score, weight=weight, reads={Facet.LABELS})
