"""A score for nodes of which cpu, memory and volumes would be used alike."""

from fractions import Fraction
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched import builders
from kubesched.config import FeatureGates, Profile, stock_registry
from kubesched.framework import MAX_SCORE, PredicateSpec, RuleSet
from kubesched.model import DiskSource, KubeObject, Pod
from kubesched.plugins.node_labels import check_node_label_presence
from kubesched.plugins.resources import BALANCED_RESOURCE_ALLOCATION
from kubesched.plugins.volumes import (
    MAX_AZURE_DISK_VOLUME_COUNT,
    MAX_CSI_VOLUME_COUNT,
    MAX_EBS_VOLUME_COUNT,
    MAX_GCE_PD_VOLUME_COUNT,
    attuned,
    balanced_resource_allocation_with_volumes,
)
from kubesched.plugins.volumes.balance import balanced_score
from kubesched.state import Facet
from tests.plugins.asking import scores
from tests.plugins.volumes.making import azure, claim, csi, ebs, gce, placed, volume, volumes_of

COUNTS = [MAX_EBS_VOLUME_COUNT, MAX_GCE_PD_VOLUME_COUNT, MAX_AZURE_DISK_VOLUME_COUNT]
GATES = FeatureGates(balance_attached_node_volumes=True)


# -- the formula -----------------------------------------------------------------------------------

SCORES = [
    pytest.param(0.0, 0.0, 0.0, 10, id="nothing used"),
    pytest.param(0.5, 0.5, 0.5, 10, id="all alike"),
    pytest.param(0.9, 0.1, 0.5, 8, id="a variance of 0.1067"),
    pytest.param(0.9, 0.0, 0.0, 8, id="a variance of 0.18"),
    pytest.param(0.99, 0.0, 0.0, 7, id="about as uneven as can be"),
    pytest.param(0.5, 0.5, 1.0, 0, id="all volumes used"),
    pytest.param(1.0, 0.5, 0.5, 0, id="all cpu used"),
    pytest.param(0.5, 1.0, 0.5, 0, id="all memory used"),
    pytest.param(0.5, 0.25, None, 7, id="no volumes"),
    pytest.param(0.9, 0.2, None, 3, id="no volumes, rounded as doubles are"),
    pytest.param(1.5, 1.5, None, 0, id="no volumes and too much used"),
]


@pytest.mark.parametrize(("cpu", "memory", "volumes", "score"), SCORES)
def test_what_is_used_alike_scores_high(
    cpu: float, memory: float, volumes: float | None, score: int
) -> None:
    assert balanced_score(cpu, memory, volumes) == score


parts = st.integers(0, 150).map(lambda percent: percent / 100)


@given(parts, parts, parts)
def test_the_score_is_that_of_the_variance(cpu: float, memory: float, volumes: float) -> None:
    score = balanced_score(cpu, memory, volumes)
    assert 0 <= score <= MAX_SCORE
    if max(cpu, memory, volumes) >= 1:
        assert score == 0
        return
    exact = [Fraction(part) for part in (cpu, memory, volumes)]
    mean = sum(exact) / 3
    unrounded = (1 - sum((part - mean) ** 2 for part in exact) / 3) * MAX_SCORE
    assert score in {int(unrounded - Fraction(1, 10**9)), int(unrounded + Fraction(1, 10**9))}


# -- which volumes count ---------------------------------------------------------------------------

LEFT_OUT, NONE, HALF, ALL = 10, 8, 9, 0
"""What a pod scores that takes 9/10 of cpu and memory: without volumes, and with a part of them."""

LIMIT_OF = {"ebs": "aws-ebs", "gce": "gce-pd", "azure": "azure-disk", "csi": "csi-d"}


def score_on(
    limits: dict[str, int],
    mounted: list[DiskSource | str],
    *objects: KubeObject,
    counts: list[PredicateSpec[Any]] = COUNTS,
) -> int:
    """Score a pod that would take 9/10 of a node's cpu and memory, and some volumes."""
    spec = balanced_resource_allocation_with_volumes(counts)
    asked = builders.pod("p", cpu=9, memory=9, volumes=volumes_of(*mounted))
    allocatable = {f"attachable-volumes-{LIMIT_OF[kind]}": most for kind, most in limits.items()}
    there = builders.node("n1", cpu=10, memory=10, allocatable=allocatable)
    (score,) = scores(spec, asked, there, *objects)
    return score


def light(name: str, *mounted: DiskSource | str) -> Pod:
    """Return a pod on the node that takes nothing but volumes."""
    made = placed(name, *mounted)
    return evolve(made, spec=evolve(made.spec, containers=()))


def test_the_outcomes_can_be_told_apart() -> None:
    parts = {None: LEFT_OUT, 0: NONE, 0.5: HALF, 1: ALL}
    assert {part: balanced_score(0.9, 0.9, part) for part in parts} == parts


def test_a_part_is_of_what_the_node_still_takes() -> None:
    assert score_on({"ebs": 2}, [ebs("a")]) == HALF
    assert score_on({"ebs": 3}, [ebs("a")], light("q", ebs("b"))) == HALF
    assert score_on({"ebs": 2}, [ebs("a")], light("q", ebs("b"))) == ALL
    assert score_on({"ebs": 2}, [ebs("a"), ebs("b")]) == ALL


def test_a_volume_that_is_there_already_is_not_new() -> None:
    assert score_on({"ebs": 2}, [ebs("a")], light("q", ebs("a"))) == NONE


def test_a_node_that_takes_no_more_is_scored_without_volumes() -> None:
    assert score_on({"ebs": 1}, [ebs("a")], light("q", ebs("a"))) == LEFT_OUT
    assert score_on({"ebs": 0}, [ebs("a")]) == LEFT_OUT
    assert score_on({"ebs": 0}, [ebs("a")], light("q", ebs("a"))) == LEFT_OUT


def test_so_is_a_pod_without_volumes_that_count() -> None:
    on_csi = [claim("c", "pv"), volume("pv", csi("h"))]
    assert score_on({"ebs": 2}, []) == LEFT_OUT
    assert score_on({"csi": 2}, ["c"], *on_csi, counts=[*COUNTS, MAX_CSI_VOLUME_COUNT]) == LEFT_OUT


def test_the_last_limit_that_has_volumes_to_count_decides() -> None:
    limits = {"ebs": 1, "gce": 2, "azure": 1}
    assert score_on(limits, [ebs("a"), gce("b")]) == HALF
    assert score_on(limits, [gce("b"), azure("c")]) == ALL
    assert score_on(limits, [gce("b")]) == HALF


def test_in_the_order_of_the_predicates_however_they_are_given() -> None:
    backwards = COUNTS[::-1]
    assert score_on({"ebs": 1, "gce": 2}, [ebs("a"), gce("b")], counts=backwards) == HALF


def test_only_limits_that_run_decide() -> None:
    limits: dict[str, int] = {"ebs": 1, "gce": 2}
    mounted: list[DiskSource | str] = [ebs("a"), gce("b")]
    assert score_on(limits, mounted, counts=[MAX_EBS_VOLUME_COUNT]) == ALL
    assert score_on(limits, mounted, counts=[MAX_AZURE_DISK_VOLUME_COUNT]) == LEFT_OUT
    assert score_on(limits, mounted, counts=[]) == LEFT_OUT


def test_a_claim_that_cannot_be_looked_at_counts_for_the_last_limit() -> None:
    assert score_on({"ebs": 1, "azure": 2}, ["gone"]) == HALF
    assert score_on({"ebs": 1, "azure": 2}, ["gone"], counts=[MAX_EBS_VOLUME_COUNT]) == ALL


amounts = st.integers(0, 12)


@given(st.tuples(amounts, amounts), st.tuples(amounts, amounts), st.sampled_from([COUNTS, []]))
def test_without_volumes_it_is_the_plain_priority(
    asks: tuple[int, int], has: tuple[int, int], counts: list[PredicateSpec[Any]]
) -> None:
    spec = balanced_resource_allocation_with_volumes(counts)
    asked = builders.pod("p", cpu=asks[0], memory=asks[1])
    there = builders.node("n1", cpu=has[0], memory=has[1])
    assert scores(spec, asked, there) == scores(BALANCED_RESOURCE_ALLOCATION, asked, there)


# -- how it is registered --------------------------------------------------------------------------


def test_the_gate_puts_it_in_the_place_of_the_plain_one() -> None:
    name = BALANCED_RESOURCE_ALLOCATION.name
    expected = balanced_resource_allocation_with_volumes(COUNTS)
    assert stock_registry().priority(name) is BALANCED_RESOURCE_ALLOCATION
    assert stock_registry(GATES).priority(name) == expected
    assert expected in Profile.default(GATES).priorities


def test_it_reads_what_its_limits_read() -> None:
    plain = BALANCED_RESOURCE_ALLOCATION.reads
    assert balanced_resource_allocation_with_volumes([]).reads == plain
    with_ebs = balanced_resource_allocation_with_volumes([MAX_EBS_VOLUME_COUNT]).reads
    assert with_ebs == plain | MAX_EBS_VOLUME_COUNT.reads
    assert Facet.DISKS in with_ebs


def test_rules_can_be_attuned_to_their_own_predicates() -> None:
    rules = Profile.default(GATES)
    fewer = attuned(rules.without("MaxAzureDiskVolumeCount"))
    (made,) = (spec for spec in fewer.priorities if spec.name == BALANCED_RESOURCE_ALLOCATION.name)
    assert made == balanced_resource_allocation_with_volumes(COUNTS[:2])
    assert isinstance(fewer, Profile)
    assert attuned(rules) == rules
    assert attuned(fewer) == fewer


def test_another_rule_under_the_name_of_a_limit_counts_nothing() -> None:
    other = check_node_label_presence(["a"], presence=False, name="MaxEBSVolumeCount")
    weighted = balanced_resource_allocation_with_volumes(COUNTS).weighted(7)
    (made,) = attuned(RuleSet([other], [weighted])).priorities
    assert made == balanced_resource_allocation_with_volumes([]).weighted(7)


def test_the_plain_priority_is_left_alone() -> None:
    rules = RuleSet(COUNTS, [BALANCED_RESOURCE_ALLOCATION])
    assert attuned(rules) == rules
