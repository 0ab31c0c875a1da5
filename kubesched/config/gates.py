"""Feature gates that change which rules there are."""

from collections.abc import Mapping

from attrs import fields, frozen

from kubesched.errors import UnknownNameError


@frozen(kw_only=True)
class FeatureGates:
    """The gates of the release that concern the algorithm, as they are by default.

    Attributes:
        taint_nodes_by_condition: `TaintNodesByCondition`. Conditions of nodes show as taints, so
            that PodToleratesNodeTaints and CheckNodeUnschedulable stand in for CheckNodeCondition
            and the pressure predicates, which then do not exist.
        resource_limits_priority_function: `ResourceLimitsPriorityFunction`. ResourceLimitsPriority
            exists and belongs to the providers.
        attach_volume_limit: `AttachVolumeLimit`. A node may say itself how many volumes of a kind
            it takes, and volumes of CSI drivers are counted.
        volume_scheduling: `VolumeScheduling`. Claims may wait for a node, and CheckVolumeBinding
            looks whether there are volumes for them.
        balance_attached_node_volumes: `BalanceAttachedNodeVolumes`. BalancedResourceAllocation
            looks at the number of volumes as well.
        pod_priority: `PodPriority`. Pods make room for more important ones, and nominated pods
            have room kept for them.

    Source: kubernetes v1.12.2, pkg/features/kube_features.go.
    """

    taint_nodes_by_condition: bool = True
    resource_limits_priority_function: bool = False
    attach_volume_limit: bool = True
    volume_scheduling: bool = True
    balance_attached_node_volumes: bool = False
    pod_priority: bool = True

    @classmethod
    def named(cls, gates: Mapping[str, bool]) -> "FeatureGates":
        """Return the gates that have these values, by the names that Kubernetes calls them by.

        Raises:
            UnknownNameError: a gate that does not concern the algorithm.

        >>> FeatureGates.named({"PodPriority": False}).pod_priority
        False
        """
        known = {_camel(field.name): field.name for field in fields(cls)}
        for name in gates:
            if name not in known:
                raise UnknownNameError("feature gate", name, known)
        return cls(**{known[name]: on for name, on in gates.items()})


def _camel(name: str) -> str:
    return "".join(map(str.capitalize, name.split("_")))
