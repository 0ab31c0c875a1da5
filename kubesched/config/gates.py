"""Feature gates that change which rules there are."""

from attrs import frozen


@frozen(kw_only=True)
class FeatureGates:
    """The gates of the release that concern the algorithm, as they are by default.

    Attributes:
        taint_nodes_by_condition: `TaintNodesByCondition`. Conditions of nodes show as taints, so
            that PodToleratesNodeTaints and CheckNodeUnschedulable stand in for CheckNodeCondition
            and the pressure predicates, which then do not exist.
        resource_limits_priority_function: `ResourceLimitsPriorityFunction`. ResourceLimitsPriority
            exists and belongs to the providers.

    Source: kubernetes v1.12.2, pkg/features/kube_features.go.
    """

    taint_nodes_by_condition: bool = True
    resource_limits_priority_function: bool = False
