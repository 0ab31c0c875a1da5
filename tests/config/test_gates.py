"""Feature gates by the names that Kubernetes calls them by."""

import pytest
from attrs import fields

from kubesched.config import FeatureGates
from kubesched.errors import UnknownNameError


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("TaintNodesByCondition", "taint_nodes_by_condition"),
        ("ResourceLimitsPriorityFunction", "resource_limits_priority_function"),
        ("AttachVolumeLimit", "attach_volume_limit"),
        ("VolumeScheduling", "volume_scheduling"),
        ("BalanceAttachedNodeVolumes", "balance_attached_node_volumes"),
        ("PodPriority", "pod_priority"),
    ],
)
@pytest.mark.parametrize("on", [True, False])
def test_a_gate_is_set_by_its_name(name: str, field: str, *, on: bool) -> None:
    gates, stock = FeatureGates.named({name: on}), FeatureGates()
    assert getattr(gates, field) is on
    others = {each.name for each in fields(FeatureGates)} - {field}
    assert all(getattr(gates, other) == getattr(stock, other) for other in others)


def test_nothing_said_leaves_the_defaults() -> None:
    assert FeatureGates.named({}) == FeatureGates()


def test_a_gate_that_does_not_concern_the_algorithm_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'PodPriority'"):
        FeatureGates.named({"PodPriorty": True})
