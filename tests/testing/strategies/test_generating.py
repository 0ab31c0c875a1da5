"""Nothing that is drawn is thrown away, and Hypothesis has nothing to complain about."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import Phase, given, settings, strategies as st
from hypothesis.statistics import collector

from kubesched.model import PodDisruptionBudget
from kubesched.testing import (
    affinities,
    any_models,
    cluster_changes,
    clusters,
    label_selectors,
    models,
    node_infos,
    nodes,
    persistent_volume_claims,
    persistent_volumes,
    pods,
    policies,
    profiles,
    quantities,
    registries,
    tolerations,
    volumes,
    workloads,
)
from kubesched.testing.words import WORDS

FULL_OF_WORDS = WORDS.with_words(["rack", "r7", "example.com/fpga", "gpu-pool"], [110, 8 * 2**30])


@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(quantities(min_value="100m", max_value="900m"), id="quantities"),
        pytest.param(label_selectors(), id="label_selectors"),
        pytest.param(affinities(), id="affinities"),
        pytest.param(tolerations(), id="tolerations"),
        pytest.param(volumes(), id="volumes"),
        pytest.param(pods(), id="pods"),
        pytest.param(nodes(), id="nodes"),
        pytest.param(node_infos(), id="node_infos"),
        pytest.param(clusters(), id="clusters"),
        pytest.param(
            clusters(min_nodes=2, max_nodes=6, min_placed=3, max_placed=9), id="large clusters"
        ),
        pytest.param(clusters(words=FULL_OF_WORDS), id="clusters of many words"),
        pytest.param(cluster_changes(), id="cluster_changes"),
        pytest.param(policies(), id="policies"),
        pytest.param(profiles(), id="profiles"),
        pytest.param(registries(), id="registries"),
        pytest.param(workloads(), id="workloads"),
        pytest.param(persistent_volumes(), id="persistent_volumes"),
        pytest.param(persistent_volume_claims(), id="persistent_volume_claims"),
        pytest.param(models(PodDisruptionBudget), id="models"),
        pytest.param(any_models(PodDisruptionBudget), id="any_models"),
    ],
)
def test_nothing_that_is_drawn_is_thrown_away(strategy: st.SearchStrategy[Any]) -> None:
    @settings(max_examples=60, database=None, phases=[Phase.generate])
    @given(strategy)
    def draw(_drawn: object) -> None:
        pass

    told: list[dict[str, Any]] = []
    with collector.with_value(told.append):  # type: ignore[arg-type]
        draw()
    statuses = Counter(case["status"] for case in told[0]["generate-phase"]["test-cases"])
    assert statuses["valid"] > 1
    assert not statuses["invalid"]
