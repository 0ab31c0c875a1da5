"""What is recorded: a cluster, the pods that come one by one, and all that was answered.

Field by field it is the form of a line in a file, and read and written as the models are.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final, get_args

from attrs import field, fields, frozen

from kubesched.model import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    KubeObject,
    Namespace,
    Node,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PodDisruptionBudget,
    PriorityClass,
    ReplicaSet,
    ReplicationController,
    Service,
    StatefulSet,
    StorageClass,
    VolumeAttachment,
)
from kubesched.model.frozen import frozen_map, frozen_tuple
from kubesched.state import Cluster, Snapshot
from kubesched.testing.differential.answers import Answer

_KEPT: Final = {"keep": True}


@frozen(kw_only=True)
class ScenarioObjects:
    """The objects that a cluster starts out with, kind by kind; iterating gives all of them.

    Pods are on their nodes, or else wait and are not scheduled: they may have room kept for them.
    """

    nodes: tuple[Node, ...] = field(default=(), converter=frozen_tuple)
    pods: tuple[Pod, ...] = field(default=(), converter=frozen_tuple)
    services: tuple[Service, ...] = field(default=(), converter=frozen_tuple)
    replication_controllers: tuple[ReplicationController, ...] = field(
        default=(), converter=frozen_tuple
    )
    replica_sets: tuple[ReplicaSet, ...] = field(default=(), converter=frozen_tuple)
    stateful_sets: tuple[StatefulSet, ...] = field(default=(), converter=frozen_tuple)
    persistent_volumes: tuple[PersistentVolume, ...] = field(default=(), converter=frozen_tuple)
    persistent_volume_claims: tuple[PersistentVolumeClaim, ...] = field(
        default=(), converter=frozen_tuple
    )
    storage_classes: tuple[StorageClass, ...] = field(default=(), converter=frozen_tuple)
    csi_nodes: tuple[CSINode, ...] = field(default=(), converter=frozen_tuple)
    csi_drivers: tuple[CSIDriver, ...] = field(default=(), converter=frozen_tuple)
    csi_storage_capacities: tuple[CSIStorageCapacity, ...] = field(
        default=(), converter=frozen_tuple
    )
    volume_attachments: tuple[VolumeAttachment, ...] = field(default=(), converter=frozen_tuple)
    pod_disruption_budgets: tuple[PodDisruptionBudget, ...] = field(
        default=(), converter=frozen_tuple
    )
    namespaces: tuple[Namespace, ...] = field(default=(), converter=frozen_tuple)
    priority_classes: tuple[PriorityClass, ...] = field(default=(), converter=frozen_tuple)

    @classmethod
    def of(cls, snapshot: Snapshot, without: Collection[str] = ()) -> "ScenarioObjects":
        """Return the objects of a cluster, less the waiting pods that have one of these keys."""
        infos = snapshot.node_infos.values()
        placed = [pod for info in infos for pod in info.pods.values()]
        waiting = [pod for key, pod in snapshot.pending.items() if key not in without]
        return cls(
            nodes=[info.node for info in infos if info.node is not None],
            pods=[*placed, *waiting],
            **{name: snapshot.of(kind).values() for name, kind in KIND_OF_FIELD.items()},
        )

    def __iter__(self) -> Iterator[KubeObject]:
        for each in fields(type(self)):
            yield from getattr(self, each.name)


KIND_OF_FIELD: Final[Mapping[str, type[KubeObject]]] = {
    each.name: get_args(each.type)[0]
    for each in fields(ScenarioObjects)
    if each.name not in {"nodes", "pods"}
}
"""What a cluster keeps as it is: the field of each kind."""


@frozen(kw_only=True)
class ScenarioConfig:
    """How the scheduler is set up that answers.

    Attributes:
        provider: the provider of its rules.
        policy: a v1 Policy that names its rules instead; without either it is the default provider.
        hard_pod_affinity_symmetric_weight: as for `Profile.from_provider`.
        always_check_all_predicates: whether a node is asked every predicate even after a refusal.
        percentage_of_nodes_to_score: as in `Options`; all nodes, if nothing is said.
        disable_preemption: whether pods that fit nowhere leave the others alone.
        feature_gates: gates that are not as by default, as Kubernetes calls them.
        update_nodes: whether each node got an update when all were there, so that each knows how
            many nodes hold its images.
        profile: a profile of a later kube-scheduler, of which nothing is known here.
    """

    provider: str | None = None
    policy: Mapping[str, Any] | None = None
    hard_pod_affinity_symmetric_weight: int = 1
    always_check_all_predicates: bool = False
    percentage_of_nodes_to_score: int = 100
    disable_preemption: bool = False
    feature_gates: Mapping[str, bool] = field(factory=dict, converter=frozen_map)
    update_nodes: bool = False
    profile: Mapping[str, Any] | None = None


@frozen(kw_only=True)
class Scenario:
    """A cluster, and the pods that are to be scheduled one after the other.

    Attributes:
        name: what it is called, `family/what`.
        tags: what it is about.
        config: how the scheduler is set up.
        objects: the cluster at the start.
        pending: the pods, in this order; each that finds a node is there when the next one comes.
    """

    name: str = field(default="", metadata=_KEPT)
    tags: tuple[str, ...] = field(default=(), converter=frozen_tuple)
    config: ScenarioConfig = field(factory=ScenarioConfig, metadata=_KEPT)
    objects: ScenarioObjects = field(factory=ScenarioObjects, metadata=_KEPT)
    pending: tuple[Pod, ...] = field(default=(), converter=frozen_tuple, metadata=_KEPT)

    def cluster(self) -> Cluster:
        """Return the cluster as it is before the first pod comes; none of `pending` is there yet.

        Raises:
            ClusterError: two objects of one kind have one key.
        """
        cluster, nodes = Cluster(), self.objects.nodes
        for node in nodes:
            cluster.add_node(node)
        if self.config.update_nodes:
            for node in nodes:
                cluster.update_node(node)
        for each in sorted(self.objects, key=lambda each: isinstance(each, Pod)):
            if not isinstance(each, Node):
                cluster.add(each)
        return cluster


@frozen(kw_only=True)
class RecordedAnswers:
    """What was answered.

    Attributes:
        oracle: who answered.
        results: the answers, one for each pending pod.
        error: why the configuration was refused; there are no answers then.
        fatal: whether this ended the process.
    """

    oracle: str = ""
    results: tuple[Answer, ...] = field(default=(), converter=frozen_tuple)
    error: str | None = None
    fatal: bool = False


@frozen(kw_only=True)
class Recording:
    """One line of a file: a scenario, and what was answered."""

    scenario: Scenario = field(factory=Scenario, metadata=_KEPT)
    expected: RecordedAnswers = field(factory=RecordedAnswers, metadata=_KEPT)


def knows_all_images(nodes: Iterable[Node], snapshot: Snapshot) -> bool:
    """Tell whether each node knows how many nodes hold its images, as after an update of each."""
    updated = Scenario(
        objects=ScenarioObjects(nodes=nodes), config=ScenarioConfig(update_nodes=True)
    )
    infos = updated.cluster().snapshot().node_infos
    return all(snapshot.node_infos[name].images == info.images for name, info in infos.items())
