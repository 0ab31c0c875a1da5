"""What cannot be a bound is refused at once, by its name."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from kubesched import OptionError
from kubesched.testing import (
    cluster_objects,
    clusters,
    label_selector_requirements,
    label_selectors,
    labels,
    node_infos,
    node_selector_requirements,
    node_selectors,
    policies,
    profiles,
    registries,
    resource_lists,
    situations,
    workloads,
)


@pytest.mark.parametrize(
    ("make", "bounds", "told"),
    [
        (clusters, {"min_nodes": 4}, "min_nodes is 4, expected no more than max_nodes, 3"),
        (clusters, {"min_placed": 5}, "min_placed is 5, expected no more than max_placed, 4"),
        (clusters, {"max_pending": -1}, "max_pending is -1, expected 0 or more"),
        (clusters, {"max_nodes": "3"}, "max_nodes is '3', expected 0 or more"),
        (cluster_objects, {"min_nodes": -1}, "min_nodes is -1, expected 0 or more"),
        (situations, {"max_nodes": 0}, "min_nodes is 1, expected no more than max_nodes, 0"),
        (situations, {"max_pods": -1}, "max_pods is -1, expected 0 or more"),
        (node_infos, {"max_pods": -1}, "max_pods is -1, expected 0 or more"),
        (workloads, {"min_pods": 4}, "min_pods is 4, expected no more than max_pods, 3"),
        (labels, {"min_size": 3}, "min_size is 3, expected no more than max_size, 2"),
        (label_selectors, {"max_size": -1}, "max_size is -1, expected 0 or more"),
        (label_selector_requirements, {"max_values": 0}, "max_values is 0, expected 1 or more"),
        (node_selector_requirements, {"max_values": 0}, "max_values is 0, expected 1 or more"),
        (node_selectors, {"max_terms": -1}, "max_terms is -1, expected 0 or more"),
        (resource_lists, {"max_size": -1}, "max_size is -1, expected 0 or more"),
        (policies, {"max_rules": -1}, "max_rules is -1, expected 0 or more"),
        (profiles, {"max_rules": -1}, "max_rules is -1, expected 0 or more"),
        (registries, {"max_missing": -1}, "max_missing is -1, expected 0 or more"),
    ],
)
def test_odd_bounds_are_refused(make: Callable[..., Any], bounds: Any, told: str) -> None:
    with pytest.raises(OptionError, match=f"^{re.escape(told)}$"):
        make(**bounds)
