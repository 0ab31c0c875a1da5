"""How a node is: ready, under pressure, closed to new pods."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import container, node, pod
from kubesched.framework import PredicateSpec, Reason
from kubesched.model import NodeCondition, NodeStatus, Pod, Toleration
from kubesched.plugins.node_conditions import (
    CHECK_NODE_CONDITION,
    CHECK_NODE_DISK_PRESSURE,
    CHECK_NODE_MEMORY_PRESSURE,
    CHECK_NODE_PID_PRESSURE,
    CHECK_NODE_UNSCHEDULABLE,
    DISK_PRESSURE,
    MEMORY_PRESSURE,
    NO_NETWORK,
    NOT_READY,
    OUT_OF_DISK,
    PID_PRESSURE,
    UNSCHEDULABLE,
    is_best_effort,
)
from kubesched.state import NodeInfo
from tests.plugins.asking import fits, reasons
from tests.strategies import tolerations_maybe_odd

POD = pod("web-1", cpu=1)
IDLE = pod("idle")
UNSCHEDULABLE_KEY = "node.kubernetes.io/unschedulable"

WORDS = [
    (NOT_READY, "node(s) were not ready"),
    (OUT_OF_DISK, "node(s) were out of disk space"),
    (NO_NETWORK, "node(s) had unavailable network"),
    (UNSCHEDULABLE, "node(s) were unschedulable"),
    (MEMORY_PRESSURE, "node(s) had memory pressure"),
    (DISK_PRESSURE, "node(s) had disk pressure"),
    (PID_PRESSURE, "node(s) had pid pressure"),
]


@pytest.mark.parametrize(("reason", "text"), WORDS, ids=[text for _, text in WORDS])
def test_eviction_is_no_cure_for(reason: Reason, text: str) -> None:
    assert reason == Reason(text, resolvable=False)


# -- CheckNodeCondition ------------------------------------------------------------------------

CONDITIONS = [
    pytest.param({}, [], id="a condition that is not reported is fine"),
    pytest.param({"Ready": "True"}, [], id="a node that is ready"),
    pytest.param({"Ready": "False"}, [NOT_READY], id="a node that is not ready"),
    pytest.param({"Ready": "Unknown"}, [NOT_READY], id="a node of which that is not known"),
    pytest.param({"OutOfDisk": "False"}, [], id="a node with disk space"),
    pytest.param({"OutOfDisk": "True"}, [OUT_OF_DISK], id="a node without disk space"),
    pytest.param({"OutOfDisk": "Unknown"}, [OUT_OF_DISK], id="a disk of which nothing is known"),
    pytest.param({"NetworkUnavailable": "False"}, [], id="a node with a network"),
    pytest.param({"NetworkUnavailable": "True"}, [NO_NETWORK], id="a node without a network"),
    pytest.param({"NetworkUnavailable": "Unknown"}, [NO_NETWORK], id="perhaps without"),
    pytest.param({"DiskPressure": "True", "Odd": "Unknown"}, [], id="others do not matter"),
    pytest.param(
        {"NetworkUnavailable": "True", "Ready": "False", "OutOfDisk": "True"},
        [NO_NETWORK, NOT_READY, OUT_OF_DISK],
        id="one reason for each, in the node's order",
    ),
]


@pytest.mark.parametrize(("conditions", "expected"), CONDITIONS)
def test_a_node_must_be_ready_and_have_disk_and_network(
    conditions: dict[str, str], expected: list[Reason]
) -> None:
    texts = [reason.text for reason in expected]
    asked = node("n1", conditions=conditions)
    closed = node("n1", conditions=conditions, unschedulable=True)
    assert reasons(CHECK_NODE_CONDITION, POD, asked) == texts
    assert reasons(CHECK_NODE_CONDITION, POD, closed) == [*texts, UNSCHEDULABLE.text]


def test_a_condition_that_is_reported_twice_counts_twice() -> None:
    twice = [NodeCondition(type="Ready", status=status) for status in ("False", "Unknown")]
    asked = evolve(node("n1"), status=NodeStatus(conditions=twice))
    assert reasons(CHECK_NODE_CONDITION, POD, asked) == [NOT_READY.text] * 2


def test_whatever_is_tolerated_a_closed_node_is_not_open() -> None:
    asked = pod("web-1", tolerations=["*"])
    closed = node("n1", unschedulable=True)
    assert reasons(CHECK_NODE_CONDITION, asked, closed) == [UNSCHEDULABLE.text]


@pytest.mark.parametrize(
    "spec",
    [
        CHECK_NODE_CONDITION,
        CHECK_NODE_UNSCHEDULABLE,
        CHECK_NODE_MEMORY_PRESSURE,
        CHECK_NODE_PID_PRESSURE,
        CHECK_NODE_DISK_PRESSURE,
    ],
    ids=lambda spec: spec.name,
)
def test_a_node_of_which_nothing_is_known_is_fine(spec: PredicateSpec[bool | None]) -> None:
    assert spec.check(POD, False, NodeInfo("gone"))  # noqa: FBT003 - it is what is prepared


# -- CheckNodeUnschedulable --------------------------------------------------------------------

OPENERS = [
    pytest.param(Toleration(key=UNSCHEDULABLE_KEY, operator="Exists"), True, id="its key"),
    pytest.param(
        Toleration(key=UNSCHEDULABLE_KEY, operator="Exists", effect="NoSchedule"),
        True,
        id="its key and effect",
    ),
    pytest.param(Toleration(key=UNSCHEDULABLE_KEY), True, id="its key and its empty value"),
    pytest.param(Toleration(operator="Exists"), True, id="everything"),
    pytest.param(Toleration(), True, id="every empty value"),
    pytest.param(Toleration(key=UNSCHEDULABLE_KEY, value="x"), False, id="another value"),
    pytest.param(
        Toleration(key=UNSCHEDULABLE_KEY, operator="Exists", effect="NoExecute"),
        False,
        id="another effect",
    ),
    pytest.param(Toleration(key="gpu", operator="Exists"), False, id="another taint"),
]


@pytest.mark.parametrize(("toleration", "expected"), OPENERS)
def test_a_closed_node_is_open_for_who_tolerates(*, toleration: Toleration, expected: bool) -> None:
    asked = pod("web-1", tolerations=[toleration])
    assert fits(CHECK_NODE_UNSCHEDULABLE, asked, node("n1", unschedulable=True)) is expected
    assert fits(CHECK_NODE_UNSCHEDULABLE, asked, node("n1"))


def test_others_are_told_that_it_is_closed() -> None:
    closed = node("n1", unschedulable=True)
    assert reasons(CHECK_NODE_UNSCHEDULABLE, POD, closed) == [UNSCHEDULABLE.text]


@given(st.lists(tolerations_maybe_odd(), max_size=2), tolerations_maybe_odd())
def test_one_more_toleration_never_closes_a_node(
    tolerations: list[Toleration], more: Toleration
) -> None:
    closed = node("n1", unschedulable=True)
    before = fits(CHECK_NODE_UNSCHEDULABLE, pod("p", tolerations=tolerations), closed)
    after = fits(CHECK_NODE_UNSCHEDULABLE, pod("p", tolerations=[*tolerations, more]), closed)
    assert after >= before


# -- pressures ---------------------------------------------------------------------------------

PRESSURES: list[tuple[PredicateSpec[Any], str, Reason]] = [
    (CHECK_NODE_MEMORY_PRESSURE, "MemoryPressure", MEMORY_PRESSURE),
    (CHECK_NODE_DISK_PRESSURE, "DiskPressure", DISK_PRESSURE),
    (CHECK_NODE_PID_PRESSURE, "PIDPressure", PID_PRESSURE),
]
for_each_pressure = pytest.mark.parametrize(
    ("spec", "condition", "reason"), PRESSURES, ids=["memory", "disk", "pid"]
)


@for_each_pressure
def test_only_a_pressure_that_is_true_counts(
    spec: PredicateSpec[bool | None], condition: str, reason: Reason
) -> None:
    for status in ("False", "Unknown", ""):
        assert fits(spec, IDLE, node("n1", conditions={condition: status}))
    pressed = node("n1", conditions={"Ready": "False", condition: "True"})
    assert reasons(spec, IDLE, pressed) == [reason.text]


@for_each_pressure
def test_a_pressure_does_not_matter_to_the_others(
    spec: PredicateSpec[bool | None], condition: str, reason: Reason
) -> None:
    pressed = node("n1", conditions={condition: "True"})
    told = {each.name: reasons(each, IDLE, pressed) for each, _, _ in PRESSURES}
    assert {name: texts for name, texts in told.items() if texts} == {spec.name: [reason.text]}


@for_each_pressure
def test_of_a_pressure_that_is_reported_twice_the_last_report_counts(
    spec: PredicateSpec[bool | None], condition: str, reason: Reason
) -> None:
    for first, last, expected in (("True", "False", []), ("False", "True", [reason.text])):
        twice = [NodeCondition(type=condition, status=status) for status in (first, last)]
        asked = evolve(node("n1"), status=NodeStatus(conditions=twice))
        assert reasons(spec, IDLE, asked) == expected


EFFORTS = [
    pytest.param(pod("p"), True, id="no requests at all"),
    pytest.param(pod("p", cpu="1m"), False, id="a little cpu"),
    pytest.param(pod("p", memory=1), False, id="a byte of memory"),
    pytest.param(pod("p", limits={"cpu": 1}), False, id="a limit"),
    pytest.param(pod("p", cpu=0, memory=0, limits={"cpu": 0}), True, id="zero"),
    pytest.param(
        pod("p", requests={"nvidia.com/gpu": 1, "ephemeral-storage": "1Gi"}),
        True,
        id="other resources",
    ),
    pytest.param(pod("p", init_containers=[container(cpu=1)]), True, id="an init container's"),
    pytest.param(
        pod("p", containers=[container("idle"), container("busy", memory="1Gi")]),
        False,
        id="those of the second container",
    ),
    pytest.param(pod("p", containers=[]), True, id="no containers"),
]


@pytest.mark.parametrize(("asked", "expected"), EFFORTS)
def test_memory_pressure_matters_to_best_effort_pods_alone(*, asked: Pod, expected: bool) -> None:
    pressed = node("n1", conditions={"MemoryPressure": "True"})
    assert is_best_effort(asked) is expected
    assert fits(CHECK_NODE_MEMORY_PRESSURE, asked, pressed) is not expected
