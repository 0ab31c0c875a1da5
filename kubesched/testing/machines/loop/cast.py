"""The pods and nodes of the loop's world."""

from typing import Final

from hypothesis import strategies as st

from kubesched.builders import node, pod
from kubesched.model import Node, Pod
from kubesched.testing.machines.loop.loop import NAMES
from kubesched.testing.machines.loop.mood import MOODS
from kubesched.testing.strategies import labels, taints, tolerations
from kubesched.testing.words import Words

_NODES: Final = 3
_PODS: Final = 6
_KINDS: Final = 8


def pod_of_kind(number: int, *, cpu: int, priority: int, kind: int) -> Pod:
    """Return a pod; its kind decides who schedules it, who binds it, and if it has volumes.

    >>> made = pod_of_kind(3, cpu=1, priority=5, kind=1)
    >>> made.key, made.spec.scheduler_name, made.labels
    ('default/p3', 'batch-scheduler', {})
    """
    return pod(
        f"p{number}",
        cpu=cpu,
        priority=priority,
        scheduler_name=NAMES[kind % 2],
        labels={"volumes": "yes"} if kind // 2 % 2 else {},
        requests={"example.com/gpu": 0} if kind // 4 % 2 else {},
    )


def node_of_mood(number: int, *, cpu: int, mood: str) -> Node:
    """Return a node of one of the `MOODS`.

    >>> node_of_mood(1, cpu=4, mood="closed").labels["mood"]
    'closed'
    """
    return node(f"n{number}", cpu=cpu, labels={"mood": mood})


def pods_of_all_kinds() -> st.SearchStrategy[Pod]:
    """Draw pods that differ in what the world looks at."""
    return st.builds(
        pod_of_kind,
        st.integers(0, _PODS - 1),
        cpu=st.integers(1, 3),
        priority=st.sampled_from([0, 5, 10]),
        kind=st.integers(0, _KINDS - 1),
    )


def nodes_of_all_moods() -> st.SearchStrategy[Node]:
    """Draw nodes that differ in what the world looks at; most are in a good mood."""
    return st.builds(
        node_of_mood,
        st.integers(0, _NODES - 1),
        cpu=st.integers(2, 4),
        mood=st.sampled_from([MOODS[0], MOODS[0], *MOODS]),
    )


def pods_of_words(words: Words) -> st.SearchStrategy[Pod]:
    """Draw pods with labels, node selectors and tolerations in these words."""
    some_tolerations = st.lists(tolerations(words=words), max_size=1)
    return st.builds(
        pod,
        st.sampled_from([f"p{number}" for number in range(_PODS)]),
        cpu=st.integers(1, 3),
        priority=st.sampled_from([0, 5, 10]),
        scheduler_name=st.sampled_from(NAMES),
        labels=labels(words=words),
        node_selector=st.just({}) | labels(max_size=1, words=words),
        tolerations=some_tolerations,
    )


def nodes_of_words(words: Words) -> st.SearchStrategy[Node]:
    """Draw nodes with labels and taints in these words."""
    return st.builds(
        node,
        st.sampled_from([f"n{number}" for number in range(_NODES)]),
        cpu=st.integers(2, 4),
        labels=labels(words=words),
        taints=st.lists(taints(words=words), max_size=1),
    )
