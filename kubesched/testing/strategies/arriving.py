"""Pods that come to a cluster, before it is known where they end up."""

from hypothesis import strategies as st

from kubesched.model import Pod
from kubesched.testing.strategies.placing import Arrival, State


def arrivals(
    pods: st.SearchStrategy[Pod],
    *,
    states: tuple[State, ...],
    keys: tuple[str, ...],
    nodes: int,
) -> st.SearchStrategy[Arrival]:
    """Draw pods that come to a cluster; one in four is like the one before.

    Args:
        pods: what they are like.
        states: how they are there, the more often the more entries.
        keys: what they would like to be called.
        nodes: how many nodes there are at most.
    """
    return st.builds(
        Arrival,
        key=st.sampled_from(keys),
        pod=pods,
        is_twin=st.sampled_from([False, False, False, True]),
        where=st.integers(0, max(nodes - 1, 0)),
        state=st.sampled_from(states),
    )
