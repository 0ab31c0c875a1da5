"""Claims, volumes and classes in one line, and pods that use claims."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from kubesched import builders
from kubesched.model import (
    LabelSelector,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ObjectMeta,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimVolumeSource,
    PersistentVolumeSpec,
    PersistentVolumeStatus,
    Pod,
    StorageClass,
    TopologySelectorLabelRequirement,
    TopologySelectorTerm,
    Volume,
    VolumeNodeAffinity,
    VolumeResourceRequirements,
)
from kubesched.plugins.volume_binding import BIND_COMPLETED

WAITS = "WaitForFirstConsumer"
NAMESPACE = "default"


def waiting_class(
    name: str = "local",
    *,
    provisioner: str = "kubernetes.io/no-provisioner",
    mode: str | None = WAITS,
    allowed: Iterable[Mapping[str, Iterable[str]]] = (),
) -> StorageClass:
    """Return a class whose claims wait for their pod; `allowed` has terms of label values."""
    return StorageClass(
        metadata=ObjectMeta(name=name),
        provisioner=provisioner,
        volume_binding_mode=mode,
        allowed_topologies=[
            TopologySelectorTerm(
                match_label_expressions=[
                    TopologySelectorLabelRequirement(key=key, values=tuple(values))
                    for key, values in term.items()
                ]
            )
            for term in allowed
        ],
    )


def claim(  # noqa: PLR0913 - each keyword is one field of a manifest
    name: str = "data",
    *,
    asks: str | None = None,
    of_class: str | None = "local",
    modes: Iterable[str] = (),
    volume_mode: str | None = None,
    selector: LabelSelector | None = None,
    annotations: Mapping[str, str] | None = None,
    volume: str = "",
    uid: str = "",
) -> PersistentVolumeClaim:
    """Return a claim that is not bound."""
    requests = {} if asks is None else {"storage": asks}
    return PersistentVolumeClaim(
        metadata=ObjectMeta(
            name=name, namespace=NAMESPACE, uid=uid, annotations=dict(annotations or {})
        ),
        spec=PersistentVolumeClaimSpec(
            access_modes=modes,
            selector=selector,
            resources=VolumeResourceRequirements(requests=requests),
            volume_name=volume,
            storage_class_name=of_class,
            volume_mode=volume_mode,
        ),
    )


def bound_claim(name: str, volume: str) -> PersistentVolumeClaim:
    return claim(name, volume=volume, annotations={BIND_COMPLETED: "yes"})


def volume(  # noqa: PLR0913 - each keyword is one field of a manifest
    name: str = "pv",
    *,
    size: str | None = None,
    of_class: str = "local",
    within: Mapping[str, Iterable[str]] | None = None,
    affinity: Iterable[NodeSelectorTerm] | None = None,
    phase: str = "Available",
    modes: Iterable[str] = (),
    volume_mode: str | None = None,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    kept_for: str | None = None,
    kept_uid: str = "",
    goes_away: bool = False,
) -> PersistentVolume:
    """Return a volume that is free; `within` has the label values of the nodes that reach it."""
    terms = affinity if within is None else [term(within)]
    kept = ObjectReference(namespace=NAMESPACE, name=kept_for or "", uid=kept_uid)
    return PersistentVolume(
        metadata=ObjectMeta(
            name=name,
            labels=dict(labels or {}),
            annotations=dict(annotations or {}),
            deletion_timestamp=datetime(2018, 11, 1, tzinfo=UTC) if goes_away else None,
        ),
        spec=PersistentVolumeSpec(
            capacity={} if size is None else {"storage": size},
            access_modes=modes,
            claim_ref=None if kept_for is None else kept,
            storage_class_name=of_class,
            volume_mode=volume_mode,
            node_affinity=None
            if terms is None
            else VolumeNodeAffinity(required=NodeSelector(node_selector_terms=terms)),
        ),
        status=PersistentVolumeStatus(phase=phase),
    )


def term(within: Mapping[str, Iterable[str]]) -> NodeSelectorTerm:
    """Return the term of the nodes that have one of some values of each label."""
    return NodeSelectorTerm(
        match_expressions=[
            NodeSelectorRequirement(key=key, operator="In", values=tuple(values))
            for key, values in within.items()
        ]
    )


def using(*claims: str, name: str = "db-0") -> Pod:
    """Return a pod with a volume for each of these claims."""
    return builders.pod(
        name,
        volumes=[
            Volume(persistent_volume_claim=PersistentVolumeClaimVolumeSource(claim_name=claim_name))
            for claim_name in claims
        ],
    )
