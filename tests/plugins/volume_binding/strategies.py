"""Small worlds of claims, volumes and classes, in which things often meet."""

from typing import TypeVar

from attrs import frozen
from hypothesis import strategies as st

from kubesched import builders
from kubesched.model import (
    KubeObject,
    LabelSelector,
    Node,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PersistentVolume,
    PersistentVolumeClaim,
    StorageClass,
)
from kubesched.plugins.volume_binding import SELECTED_NODE
from tests.plugins.volume_binding.objects import bound_claim, claim, term, volume, waiting_class

T = TypeVar("T")

CLAIMS = ("c1", "c2", "c3")
VOLUMES = ("v1", "v2", "v3", "v4", "v5")
ZONE = "failure-domain.beta.kubernetes.io/zone"
CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class"


def mostly(usual: T, *others: T) -> st.SearchStrategy[T]:
    """Draw what is usual, and one time in six something else."""
    return st.sampled_from([*[usual] * 5 * len(others), *others])


sizes = st.sampled_from(["1Gi", "2Gi", "3Gi"])
volume_modes = mostly(None, "Filesystem", "Block")
labels: st.SearchStrategy[dict[str, str]] = mostly({}, {"tier": "a"}, {"tier": "b"})
class_names = mostly("local", "cloud")
class_annotations: st.SearchStrategy[dict[str, str]] = mostly({}, {CLASS_ANNOTATION: "local"})

not_east = NodeSelectorTerm(
    match_expressions=[NodeSelectorRequirement(key=ZONE, operator="NotIn", values=["east"])]
)
by_field = NodeSelectorTerm(
    match_fields=[NodeSelectorRequirement(key="metadata.name", operator="NotIn", values=["n1"])]
)
terms = st.sampled_from(
    [
        term({ZONE: ["east"]}),
        term({ZONE: ["east", "west"]}),
        term({"kubernetes.io/hostname": ["n2"]}),
        term({ZONE: ["west"], "kubernetes.io/hostname": ["n1", "n3"]}),
        NodeSelectorTerm(),
        not_east,
        by_field,
    ]
)
affinities: st.SearchStrategy[list[NodeSelectorTerm] | None] = (
    st.none() | st.lists(terms, min_size=1, max_size=2) | st.just([])
)


@frozen
class World:
    """Nodes n1 to n3, claims, volumes and classes."""

    nodes: tuple[Node, ...]
    claims: tuple[PersistentVolumeClaim, ...]
    volumes: tuple[PersistentVolume, ...]
    classes: tuple[StorageClass, ...]

    @property
    def objects(self) -> list[KubeObject]:
        """All of it."""
        return [*self.nodes, *self.claims, *self.volumes, *self.classes]


NODES = (
    builders.node("n1", zone="east"),
    builders.node("n2", zone="west"),
    builders.node("n3"),
)


def free_volumes(name: str) -> st.SearchStrategy[PersistentVolume]:
    return st.builds(
        volume,
        st.just(name),
        size=sizes,
        of_class=class_names,
        affinity=affinities,
        phase=mostly("Available", "Bound", ""),
        modes=st.sampled_from([("A",), ("A", "B")]),
        volume_mode=volume_modes,
        labels=labels,
        annotations=class_annotations,
        kept_for=mostly(None, "c1", "c2"),
        kept_uid=st.sampled_from(["", "c1", "c2"]),
        goes_away=mostly(False, True),  # noqa: FBT003 - values to draw from
    )


def waiting_claims(name: str) -> st.SearchStrategy[PersistentVolumeClaim]:
    return st.builds(
        claim,
        st.just(name),
        asks=sizes,
        of_class=class_names,
        modes=mostly((), ("A",), ("B",)),
        volume_mode=volume_modes,
        selector=mostly(None, LabelSelector(), LabelSelector(match_labels={"tier": "a"})),
        annotations=class_annotations,
        uid=st.just(name),
    )


def claims(name: str) -> st.SearchStrategy[PersistentVolumeClaim]:
    """Draw a claim, mostly one that waits."""
    waiting = waiting_claims(name)
    bound = st.builds(bound_claim, st.just(name), st.sampled_from([*VOLUMES, "gone"]))
    odd = st.sampled_from(
        [
            claim(name, of_class="none"),
            claim(name, of_class=None),
            claim(name, annotations={SELECTED_NODE: "n1"}),
            claim(name, volume="v1"),
        ]
    )
    return st.one_of(waiting, waiting, waiting, bound, bound, odd)


classes = st.tuples(
    st.builds(
        waiting_class,
        st.just("local"),
        provisioner=st.sampled_from(["kubernetes.io/no-provisioner", ""]),
    ),
    st.builds(
        waiting_class,
        st.just("cloud"),
        provisioner=st.sampled_from(["csi.example.com", "kubernetes.io/no-provisioner"]),
        allowed=st.sampled_from([(), [{ZONE: ["west"]}], [{ZONE: []}], [{}]]),
    ),
)


def worlds(*, only_waiting: bool = False) -> st.SearchStrategy[World]:
    """Draw a world; in one with `only_waiting` every claim waits."""
    drawn = waiting_claims if only_waiting else claims
    return st.builds(
        World,
        st.just(NODES),
        st.tuples(*map(drawn, CLAIMS)),
        st.tuples(*map(free_volumes, VOLUMES)),
        classes,
    )


uses = st.lists(st.sampled_from(CLAIMS), max_size=3)
