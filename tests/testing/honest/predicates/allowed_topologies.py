"""Keeps a pod where its storage classes allow volumes: it declares both claims and classes."""

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from kubesched import FITS, SKIP, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.framework import Skip
from kubesched.model import PersistentVolumeClaim, StorageClass

ELSEWHERE: Final = Reason("node(s) were out of the storage class's topology", resolvable=False)

Term = tuple[tuple[str, frozenset[str]], ...]


@frozen
class Allowed:
    """For each claim, the terms one of which a node's labels have to meet, if there are any."""

    claims: tuple[tuple[Term, ...], ...]

    def allows(self, labels: Mapping[str, str]) -> bool:
        return all(
            not terms
            or any(all(labels.get(key) in values for key, values in term) for term in terms)
            for terms in self.claims
        )


def terms_of(storage: StorageClass) -> tuple[Term, ...]:
    return tuple(
        tuple((each.key, frozenset(each.values)) for each in term.match_label_expressions)
        for term in storage.allowed_topologies
    )


def allowed(pod: Pod, snapshot: Snapshot, /) -> Allowed | Skip:
    claims, classes = snapshot.of(PersistentVolumeClaim), snapshot.of(StorageClass)
    found = []
    for key in sorted(set(pod.claim_keys)):
        claim = claims.get(key)
        if claim is None or claim.spec.volume_name:
            continue
        storage = classes.get(claim.spec.storage_class_name or "")
        if storage is not None and storage.volume_binding_mode == "WaitForFirstConsumer":
            found.append(terms_of(storage))
    return Allowed(tuple(found)) if found else SKIP


def is_allowed(_pod: Pod, allowed: Allowed, node: NodeInfo, /) -> Fit:
    return FITS if allowed.allows(node.labels) else Fit(ELSEWHERE)


RULE: Final = PredicateSpec(
    "AllowedTopologies",
    is_allowed,
    prepare=allowed,
    reads={Facet.LABELS, Facet.PERSISTENT_VOLUME_CLAIMS, Facet.STORAGE_CLASSES},
)
