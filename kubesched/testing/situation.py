"""A pod to ask about and the cluster around it, as plain objects that can be written down."""

from collections.abc import Iterable

from attrs import field, frozen
from hypothesis import strategies as st

from kubesched.model import KubeObject, Node, Pod
from kubesched.state import FACET_OF_KIND, Cluster, Snapshot
from kubesched.testing.strategies import cluster_objects
from kubesched.testing.strategies.drawing import refuse_odd_bounds
from kubesched.testing.words import WORDS, Words
from kubesched.testing.writing import commented, told


def _as_tuple(objects: Iterable[KubeObject]) -> tuple[KubeObject, ...]:
    return tuple(objects)


@frozen
class Situation:
    """A pod that is asked about, and what else there is.

    Attributes:
        pod: the pod.
        objects: nodes, the pods on them, services, claims and so on; the pod itself is not there.

    >>> from kubesched.builders import node, pod
    >>> situation = Situation(pod("web"), [node("n1"), pod("db", node_name="n1")])
    >>> list(situation.snapshot().node_infos["n1"].pods)
    ['default/db']
    """

    pod: Pod
    objects: tuple[KubeObject, ...] = field(default=(), converter=_as_tuple)

    @classmethod
    def around(cls, pod: Pod, objects: Iterable[KubeObject]) -> "Situation":
        """Return the situation of a pod among objects, of which it may be one."""
        return cls(pod, (each for each in objects if not _is_pod(each, pod.key)))

    @classmethod
    def of(cls, pod: Pod, cluster: Cluster) -> "Situation":
        """Return the situation of a pod in a cluster."""
        rest = (each for kind in FACET_OF_KIND for each in cluster.of_kind(kind).values())
        return cls.around(pod, (*cluster.nodes.values(), *cluster.pods.values(), *rest))

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes."""
        return tuple(each for each in self.objects if isinstance(each, Node))

    @property
    def pods(self) -> tuple[Pod, ...]:
        """The other pods."""
        return tuple(each for each in self.objects if isinstance(each, Pod))

    def cluster(self) -> Cluster:
        """Return a new cluster of the objects."""
        return Cluster.of(self.objects)

    def snapshot(self) -> Snapshot:
        """Return a new cluster's snapshot."""
        return self.cluster().snapshot()

    def manifest(self) -> str:
        """Write it down as YAML, to be put into a file and loaded.

        The pod that is asked about comes first. What is empty is left out.

        >>> from kubesched.builders import pod
        >>> print(Situation(pod("web", containers=[])).manifest(), end="")
        # The pod that is asked about:
        apiVersion: v1
        kind: Pod
        metadata:
          name: web
          namespace: default
        """
        return commented("The pod that is asked about:") + told([self.pod, *self.objects])


def _is_pod(it: KubeObject, key: str) -> bool:
    return isinstance(it, Pod) and it.key == key


def situations(
    *,
    words: Words = WORDS,
    min_nodes: int = 1,
    max_nodes: int = 3,
    max_pods: int = 4,
) -> st.SearchStrategy[Situation]:
    """Draw a pod and a small cluster around it.

    Args:
        words: what names, labels and amounts are drawn from.
        min_nodes: how many nodes there are at least.
        max_nodes: how many nodes there are at most.
        max_pods: how many other pods there are at most.

    Raises:
        OptionError: a bound is below 0, or the minimum above the maximum.

    >>> from hypothesis import find
    >>> smallest = find(situations(), lambda situation: True)
    >>> smallest.pod.key, [it.key for it in smallest.objects]
    ('default/p1', ['n1'])
    """
    refuse_odd_bounds(max_pods=max_pods)
    return cluster_objects(
        words=words,
        min_nodes=min_nodes,
        max_nodes=max_nodes,
        max_placed=max_pods,
        min_pending=1,
        max_pending=1,
    ).map(_of_its_pending_pod)


def _of_its_pending_pod(objects: Iterable[KubeObject]) -> Situation:
    """Return the situation of the pod that waits."""
    there = tuple(objects)
    pod = next(it for it in there if isinstance(it, Pod) and not it.node_name)
    return Situation(pod, (it for it in there if it is not pod))
