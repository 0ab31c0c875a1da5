"""An example that fails a test is shown as somebody would write it."""

import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kubesched.testing import clusters, node_infos, policies, profiles

N1 = r"Node\(metadata=ObjectMeta\(name='n1'\), status=NodeStatus\(.*?\)\)"
P1 = r"Pod\(metadata=ObjectMeta\(name='p1', .*?\), spec=PodSpec\(.*?, node_name='n1'\)\)"
POLICY = r"\{'kind': 'Policy', 'apiVersion': 'v1', 'predicates': \[\{'name': '\w+'\}\]\}"


@pytest.mark.parametrize(
    ("strategy", "has_some", "shown"),
    [
        (clusters(), lambda cluster: cluster.pods, rf"of\(\({N1}, {P1}\)\)"),
        (node_infos(), lambda info: info.pods, rf"node_info_of\(\({N1}, \[{P1}\]\)\)"),
        (policies(), lambda policy: policy.get("predicates"), POLICY),
        (
            profiles(),
            lambda profile: len(profile.predicates) > 2,
            rf"profile_of\({POLICY}, percentage_of_nodes_to_score=100\)",
        ),
    ],
    ids=["a cluster", "a node with a pod", "a policy", "a profile"],
)
@pytest.mark.usefixtures("without_chance")
def test_the_smallest_example_is_shown(
    strategy: st.SearchStrategy[Any], has_some: Any, shown: str
) -> None:
    @settings(settings.get_profile("examples"))
    @given(strategy)
    def has_none(it: Any) -> None:
        assert not has_some(it)

    with pytest.raises(AssertionError) as caught:
        has_none()
    told = (
        " ".join("\n".join(caught.value.__notes__).split()).replace("( ", "(").replace(", )", ")")
    )
    assert re.search(rf"it={shown}", told), told
