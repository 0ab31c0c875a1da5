"""Prefers nodes with few soft taints that the pod does not tolerate: a method of an object."""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, normalize
from kubesched.tolerations import any_tolerates


class SoftTaints:
    """The priority as an object."""

    def map(self, pod: Pod, _meta: None, node: NodeInfo, /) -> int:
        """Count the taints."""
        return sum(
            taint.effect == "PreferNoSchedule" and not any_tolerates(pod.spec.tolerations, taint)
            for taint in node.taints
        )


RULE: Final = PrioritySpec(
    "SoftTaints", SoftTaints().map, reduce=normalize(reverse=True), reads={Facet.TAINTS}
)
