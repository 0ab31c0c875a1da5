"""What it costs to draw an example."""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings, strategies as st
from pytest_benchmark.fixture import BenchmarkFixture

from kubesched.testing import WORDS, cluster_changes, clusters, node_infos, nodes, pods

EXAMPLES = 200
PLAINLY = settings(
    max_examples=EXAMPLES,
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[*HealthCheck],
)


@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(pods(), id="pods"),
        pytest.param(nodes(), id="nodes"),
        pytest.param(node_infos(), id="node_infos"),
        pytest.param(clusters(), id="clusters"),
        pytest.param(
            clusters(words=WORDS.with_words(["rack", "r7", "gpu"], [110])), id="clusters of a rule"
        ),
        pytest.param(clusters(min_nodes=10, max_nodes=10, max_placed=20), id="larger clusters"),
        pytest.param(cluster_changes(), id="cluster_changes"),
    ],
)
def test_draw_200_examples(benchmark: BenchmarkFixture, strategy: st.SearchStrategy[Any]) -> None:
    @PLAINLY
    @given(strategy)
    def draw(_drawn: object) -> None:
        pass

    benchmark.pedantic(draw, rounds=3)  # type: ignore[no-untyped-call]
