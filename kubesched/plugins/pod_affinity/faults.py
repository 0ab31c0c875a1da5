"""Placed pods whose terms cannot be evaluated."""

from collections.abc import Callable, Iterator

from attrs import frozen

from kubesched.plugins.pod_affinity.terms import PodTerms, terms_of, terms_of_group
from kubesched.state import Snapshot


@frozen
class Fault:
    """A placed pod with a term that cannot be evaluated.

    Attributes:
        key: the pod's `namespace/name`.
        text: what is wrong.
    """

    key: str
    text: str


def faults_in(snapshot: Snapshot, fault_of: Callable[[PodTerms], str | None]) -> Iterator[Fault]:
    """Go over the placed pods with a fault, in the order of the nodes.

    Pods for which there is no node do not count. O(groups of pods with terms), and only where one
    of them has a fault O(pods with terms).

    Args:
        snapshot: where they are.
        fault_of: what is wrong with these terms, if anything.
    """
    if all(fault_of(terms_of_group(group)) is None for group in snapshot.affinity_groups):
        return
    for info in snapshot.node_infos.entries():
        for pod in info.pods_with_affinity.values() if info.node is not None else ():
            text = fault_of(terms_of(pod))
            if text is not None:
                yield Fault(pod.key, text)
