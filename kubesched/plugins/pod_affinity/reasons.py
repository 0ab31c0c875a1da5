"""Why pods that affinity or anti-affinity speaks of keep a pod off a node.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/error.go,
pkg/scheduler/core/generic_scheduler.go (nodesWherePreemptionMightHelp).
"""

from typing import Final

from kubesched.errors import SchedulingError
from kubesched.framework import Fit, Reason

NOT_MATCHED: Final = Reason("node(s) didn't match pod affinity/anti-affinity")
OTHERS_MIND: Final = Reason("node(s) didn't satisfy existing pods anti-affinity rules")
FAR_FROM_WANTED: Final = Reason("node(s) didn't match pod affinity rules", resolvable=False)
NEAR_UNWANTED: Final = Reason("node(s) didn't match pod anti-affinity rules")

KEPT_OFF: Final = Fit(NOT_MATCHED, OTHERS_MIND)
"""Placed pods do not want the pod near."""
TOO_FAR: Final = Fit(NOT_MATCHED, FAR_FROM_WANTED)
"""The pod would not be near the pods that it must be near."""
TOO_NEAR: Final = Fit(NOT_MATCHED, NEAR_UNWANTED)
"""The pod would be near pods that it must not be near."""


class PodAffinityError(SchedulingError):
    """Affinity or anti-affinity to pods that cannot be evaluated; its text is the original's."""
