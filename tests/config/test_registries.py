"""The stock rules by name."""

from typing import Any

import pytest

from kubesched.builders import node, pod
from kubesched.config import FeatureGates, stock_registry
from kubesched.config.order import STOCK_ORDER
from kubesched.config.registries import GENERAL_PREDICATES
from kubesched.framework import FITS
from kubesched.model import Pod
from kubesched.plugins.taints import POD_TOLERATES_NODE_NO_EXECUTE_TAINTS
from kubesched.state import Cluster

DEFAULT = FeatureGates()
BY_CONDITIONS = FeatureGates(taint_nodes_by_condition=False)
WITH_LIMITS = FeatureGates(resource_limits_priority_function=True)


@pytest.mark.parametrize("gates", [DEFAULT, BY_CONDITIONS, WITH_LIMITS], ids=repr)
def test_predicates_are_asked_in_the_order_of_the_original(gates: FeatureGates) -> None:
    specs = stock_registry(gates).predicates.values()
    assert {spec.name: spec.order for spec in specs}.items() <= STOCK_ORDER.items()


@pytest.mark.parametrize("gates", [DEFAULT, BY_CONDITIONS, WITH_LIMITS], ids=repr)
def test_every_rule_is_registered_under_its_own_name(gates: FeatureGates) -> None:
    registry = stock_registry(gates)
    for rules in (registry.predicates, registry.priorities):
        assert all(name == spec.name for name, spec in rules.items())


def test_where_conditions_are_taints_no_predicate_looks_at_conditions() -> None:
    by_taints, by_conditions = (
        stock_registry(gates).predicates.keys() for gates in (DEFAULT, BY_CONDITIONS)
    )
    assert by_taints - by_conditions == {"CheckNodeUnschedulable"}
    assert by_conditions - by_taints == {
        "CheckNodeCondition",
        "CheckNodeMemoryPressure",
        "CheckNodePIDPressure",
        "CheckNodeDiskPressure",
    }


def test_the_limits_priority_is_behind_its_gate() -> None:
    without, with_it = (stock_registry(gates).priorities.keys() for gates in (None, WITH_LIMITS))
    assert with_it - without == {"ResourceLimitsPriority"}


def test_a_predicate_for_no_execute_alone_has_no_name() -> None:
    for gates in (DEFAULT, BY_CONDITIONS):
        names = stock_registry(gates).predicates
        assert POD_TOLERATES_NODE_NO_EXECUTE_TAINTS.name not in names


# -- GeneralPredicates -------------------------------------------------------------------------

WRONG = pod(
    "wrong", cpu=9, memory="99Gi", host_ports=[80], node_name="n2", node_selector={"gpu": "yes"}
)
SMALL = node("n1", cpu=1)
BUSY = pod("busy", host_ports=[80], node_name="n1")

SHORT = ["Insufficient cpu", "Insufficient memory"]
HOST = ["node(s) didn't match the requested hostname"]
PORT = ["node(s) didn't have free ports for the requested pod ports"]
SELECTOR = ["node(s) didn't match node selector"]

GENERAL = [
    pytest.param(pod("p"), [], id="nothing"),
    pytest.param(pod("p", cpu=9, memory="99Gi"), SHORT, id="room"),
    pytest.param(pod("p", node_name="n2"), HOST, id="its name"),
    pytest.param(pod("p", host_ports=[80]), PORT, id="a port"),
    pytest.param(pod("p", node_selector={"gpu": "yes"}), SELECTOR, id="its labels"),
    pytest.param(WRONG, SHORT + HOST + PORT + SELECTOR, id="everything, in this order"),
]


@pytest.mark.parametrize(("asked", "expected"), GENERAL)
def test_a_node_itself_objects_to(asked: Pod, expected: list[str]) -> None:
    snapshot = Cluster.of([SMALL, BUSY]).snapshot()
    prepare: Any = GENERAL_PREDICATES.prepare
    meta = prepare(asked, snapshot)
    fit = GENERAL_PREDICATES.check(asked, meta, snapshot.node_infos["n1"])
    assert [str(reason) for reason in fit.reasons] == expected
    assert (fit is FITS) == (not expected)


def test_what_it_reads_is_what_its_parts_read() -> None:
    registry = stock_registry()
    parts = ["PodFitsResources", "HostName", "PodFitsHostPorts", "MatchNodeSelector"]
    read = [registry.predicate(name).reads for name in parts]
    assert frozenset().union(*read) == GENERAL_PREDICATES.reads
