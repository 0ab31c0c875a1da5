"""What stands behind claims: persistent volumes, storage classes, drivers."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hypothesis import strategies as st

from kubesched.builders import Amount
from kubesched.model import (
    AWSElasticBlockStoreVolumeSource,
    CSINode,
    CSINodeDriver,
    CSINodeSpec,
    CSIPersistentVolumeSource,
    GCEPersistentDiskVolumeSource,
    LabelSelector,
    LocalVolumeSource,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ObjectMeta,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimStatus,
    PersistentVolumeSpec,
    PersistentVolumeStatus,
    StorageClass,
    VolumeNodeAffinity,
    VolumeNodeResources,
    VolumeResourceRequirements,
)
from kubesched.plugins.volume_binding import BIND_COMPLETED
from kubesched.testing.strategies.drawing import Drawn, drawn, mostly
from kubesched.testing.strategies.metadata import labels as any_labels
from kubesched.testing.strategies.selectors import HOST_NAME, ZONE
from kubesched.testing.words import WORDS, Words

NO_PROVISIONER: Final = "kubernetes.io/no-provisioner"
_MODES: Final = ("WaitForFirstConsumer", "Immediate")
_SIZES: Final = ("1Gi", "2Gi", "3Gi")
_ACCESS: Final = (("ReadWriteOnce",), ("ReadWriteOnce", "ReadOnlyMany"), ())


def persistent_volume_claims(
    *,
    name: Drawn[str] = ...,
    namespace: Drawn[str] = ...,
    volume_name: Drawn[str] = ...,
    storage_class: Drawn[str | None] = ...,
    size: Drawn[Amount] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[PersistentVolumeClaim]:
    """Draw claims; each keyword is a value or a strategy.

    A claim that names its volume is bound to it for good, most of the time; another one waits.

    >>> from hypothesis import find
    >>> find(persistent_volume_claims(), lambda claim: claim.spec.volume_name).status.phase
    'Bound'
    """
    return st.builds(
        _claim,
        name=drawn(name, st.sampled_from(words.claim_names)),
        namespace=drawn(namespace, st.sampled_from(words.namespaces)),
        volume_name=drawn(volume_name, st.sampled_from(("", *words.volume_names))),
        storage_class=drawn(storage_class, st.sampled_from((*words.storage_classes, None))),
        size=drawn(size, st.sampled_from(_SIZES)),
        access_modes=st.sampled_from(_ACCESS),
        is_settled=mostly(st.just(True), st.just(False)),  # noqa: FBT003 - values to draw
        selector=mostly(
            st.none(), st.builds(LabelSelector, match_labels=any_labels(max_size=1, words=words))
        ),
    )


def _claim(  # noqa: PLR0913 - what is drawn of it
    *,
    name: str,
    namespace: str,
    volume_name: str,
    storage_class: str | None,
    size: Amount,
    access_modes: Iterable[str],
    is_settled: bool,
    selector: LabelSelector | None,
) -> PersistentVolumeClaim:
    is_bound = bool(volume_name) and is_settled
    annotations = {BIND_COMPLETED: "yes"} if is_bound else {}
    return PersistentVolumeClaim(
        metadata=ObjectMeta(name=name, namespace=namespace, annotations=annotations),
        spec=PersistentVolumeClaimSpec(
            access_modes=access_modes,
            selector=selector,
            resources=VolumeResourceRequirements(requests={"storage": size}),
            volume_name=volume_name,
            storage_class_name=storage_class,
        ),
        status=PersistentVolumeClaimStatus(phase="Bound" if is_bound else "Pending"),
    )


def persistent_volumes(
    *,
    name: Drawn[str] = ...,
    claim: Drawn[str] = ...,
    storage_class: Drawn[str] = ...,
    size: Drawn[Amount] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[PersistentVolume]:
    """Draw persistent volumes; each keyword is a value or a strategy.

    Args:
        name: what it is called.
        claim: the key of the claim that it is bound to; empty for one that is free.
        storage_class: the name of its class; empty for none.
        size: its capacity.
        words: what the rest is drawn from.

    >>> from hypothesis import find
    >>> find(persistent_volumes(), lambda volume: volume.spec.claim_ref).status.phase
    'Bound'
    """
    keys = [f"{space}/{each}" for space in words.namespaces for each in words.claim_names]
    return st.builds(
        _volume,
        name=drawn(name, st.sampled_from(words.volume_names)),
        claim=drawn(claim, st.sampled_from(("", *keys))),
        storage_class=drawn(storage_class, st.sampled_from((*words.storage_classes, ""))),
        size=drawn(size, st.sampled_from(_SIZES)),
        access_modes=st.sampled_from(_ACCESS),
        source=_sources(words),
        within=_places(words),
    )


def _sources(words: Words) -> st.SearchStrategy[dict[str, Any]]:
    disk, driver = words.volume_names[0], words.drivers[0]
    return st.sampled_from(
        [
            {"local": LocalVolumeSource(path="/data")},
            {"gce_persistent_disk": GCEPersistentDiskVolumeSource(pd_name=disk)},
            {"aws_elastic_block_store": AWSElasticBlockStoreVolumeSource(volume_id=disk)},
            {"csi": CSIPersistentVolumeSource(driver=driver, volume_handle=disk)},
        ]
    )


def _places(words: Words) -> st.SearchStrategy[tuple[str, str] | None]:
    """Draw the label that a volume wants of its node, if it wants one."""
    zones = [(ZONE, zone) for zone in words.zones]
    hosts = [(HOST_NAME, name) for name in words.node_names]
    return st.none() | st.sampled_from([*zones, *hosts])


def _volume(  # noqa: PLR0913 - what is drawn of it
    *,
    name: str,
    claim: str,
    storage_class: str,
    size: Amount,
    access_modes: Iterable[str],
    source: Mapping[str, Any],
    within: tuple[str, str] | None,
) -> PersistentVolume:
    namespace, _, claim_name = claim.rpartition("/")
    return PersistentVolume(
        metadata=ObjectMeta(name=name, labels=dict([within] if within else [])),
        spec=PersistentVolumeSpec(
            capacity={"storage": size},
            access_modes=access_modes,
            claim_ref=ObjectReference(namespace=namespace, name=claim_name) if claim else None,
            storage_class_name=storage_class,
            node_affinity=None if within is None else _affinity(*within),
            **source,
        ),
        status=PersistentVolumeStatus(phase="Bound" if claim else "Available"),
    )


def _affinity(key: str, value: str) -> VolumeNodeAffinity:
    wanted = NodeSelectorRequirement(key=key, operator="In", values=(value,))
    term = NodeSelectorTerm(match_expressions=(wanted,))
    return VolumeNodeAffinity(required=NodeSelector(node_selector_terms=(term,)))


def storage_classes(
    *, name: Drawn[str] = ..., words: Words = WORDS
) -> st.SearchStrategy[StorageClass]:
    """Draw storage classes, most of which bind claims when their pod has a node.

    >>> from hypothesis import find
    >>> find(storage_classes(), lambda it: it.volume_binding_mode == "Immediate").name
    'local'
    """
    return st.builds(
        StorageClass,
        metadata=st.builds(ObjectMeta, name=drawn(name, st.sampled_from(words.storage_classes))),
        provisioner=st.sampled_from((NO_PROVISIONER, *words.drivers)),
        volume_binding_mode=st.sampled_from(_MODES),
    )


def csi_nodes(*, name: Drawn[str] = ..., words: Words = WORDS) -> st.SearchStrategy[CSINode]:
    """Draw what storage drivers know of a node; each says how many volumes it takes, or does not.

    >>> from hypothesis import find
    >>> find(csi_nodes(), lambda node: node.spec.drivers).name
    'n1'
    """
    driver = st.builds(
        CSINodeDriver,
        name=st.sampled_from(words.drivers),
        node_id=st.just("id"),
        allocatable=st.none()
        | st.builds(VolumeNodeResources, count=st.sampled_from(words.numbers)),
    )
    return st.builds(
        CSINode,
        metadata=st.builds(ObjectMeta, name=drawn(name, st.sampled_from(words.node_names))),
        spec=st.builds(CSINodeSpec, drivers=st.lists(driver, max_size=1)),
    )
