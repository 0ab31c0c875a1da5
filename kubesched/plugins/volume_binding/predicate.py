"""Whether a node can reach a pod's volumes, and has some for its waiting claims.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/predicates/predicates.go
(VolumeBindingChecker); v1.13.0,
pkg/controller/volume/persistentvolume/scheduler_binder.go (FindPodVolumes, checkBoundClaims).
"""

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve, field, frozen

from kubesched.errors import SchedulingError
from kubesched.framework import FITS, SKIP, Fit, PredicateSpec, Reason, Skip
from kubesched.model import PersistentVolume, PersistentVolumeClaim, Pod, StorageClass
from kubesched.plugins.volume_binding.claims import UnboundClaimsError, claims_of
from kubesched.plugins.volume_binding.matching import choose
from kubesched.plugins.volume_binding.reach import Reach
from kubesched.plugins.volume_binding.wishes import Wish, wishes_of
from kubesched.state import Facet, NodeInfo, Snapshot

VOLUME_NODE_CONFLICT: Final = Reason("node(s) had volume node affinity conflict", resolvable=False)
VOLUME_BINDING_CONFLICT: Final = Reason(
    "node(s) didn't find available persistent volumes to bind", resolvable=False
)
_ANSWERS: Final[Mapping[tuple[bool, bool], Fit]] = {
    (True, True): FITS,
    (True, False): Fit(VOLUME_BINDING_CONFLICT),
    (False, True): Fit(VOLUME_NODE_CONFLICT),
    (False, False): Fit(VOLUME_NODE_CONFLICT, VOLUME_BINDING_CONFLICT),
}
"""By whether the bound volumes can be reached, and whether there are volumes for the others."""


class MissingVolumeError(SchedulingError, LookupError):
    """A claim is bound to a volume that does not exist.

    Attributes:
        volume: the volume's name.
    """

    def __init__(self, volume: str) -> None:
        super().__init__(f'could not find v1.PersistentVolume "{volume}"')
        self.volume = volume


@frozen
class VolumesOfPod:
    """What is to be known of a pod's volumes before any node is looked at.

    Attributes:
        bound: the volumes of the bound claims that not every node can reach, up to the first that
            does not exist.
        missing: the name of the volume that does not exist; empty if all do.
        wishes: the waiting claims, those that ask for the least first.
        fault: why nothing can be said about any node, once the bound volumes have been looked at.
    """

    bound: tuple[Reach, ...] = ()
    missing: str = ""
    wishes: tuple[Wish, ...] = ()
    fault: SchedulingError | None = field(default=None, eq=str)

    def are_reachable(self, labels: Mapping[str, str]) -> bool:
        """Tell whether a node with these labels can reach the volumes of the bound claims.

        Raises:
            MissingVolumeError: it can reach all that come before one that does not exist.
        """
        for reach in self.bound:
            if not reach.covers(labels):
                return False
        if self.missing:
            raise MissingVolumeError(self.missing)
        return True


_ANY_NODE: Final = VolumesOfPod()


def volumes_of(pod: Pod, snapshot: Snapshot) -> VolumesOfPod:
    """Work out what is to be known of a pod's volumes.

    O(claims) if all are bound, else O(volumes + waiting claims x volumes of their classes).
    """
    volumes, classes = snapshot.of(PersistentVolume), snapshot.of(StorageClass)
    try:
        claims = claims_of(pod, snapshot.of(PersistentVolumeClaim), classes)
    except SchedulingError as fault:
        return VolumesOfPod(fault=fault)
    if claims.unbound:
        return VolumesOfPod(fault=UnboundClaimsError(claim.key for claim in claims.unbound))
    ready = _bound_volumes((claim.spec.volume_name for claim in claims.bound), volumes)
    if not claims.waiting:
        return ready
    try:
        return evolve(ready, wishes=wishes_of(claims.waiting, volumes.entries(), classes))
    except SchedulingError as fault:
        return evolve(ready, fault=fault)


def _bound_volumes(names: Iterable[str], volumes: Mapping[str, PersistentVolume]) -> VolumesOfPod:
    bound: list[Reach] = []
    for name in names:
        volume = volumes.get(name)
        if volume is None:
            return VolumesOfPod(tuple(bound), name)
        reach = Reach(volume)
        if reach.terms is not None:
            bound.append(reach)
    return VolumesOfPod(tuple(bound))


def prepare_volumes(pod: Pod, snapshot: Snapshot, /) -> VolumesOfPod | Skip:
    """Work out what is to be known of a pod's volumes, if it depends on the node where it goes."""
    if not pod.claim_keys:
        return SKIP
    wanted = volumes_of(pod, snapshot)
    return SKIP if wanted == _ANY_NODE else wanted


def check_volume_binding(_pod: Pod, wanted: VolumesOfPod, node: NodeInfo, /) -> Fit:
    """Check that the node can reach the pod's volumes, and that its waiting claims get some there.

    Raises:
        MissingVolumeError: a claim is bound to a volume that does not exist.
        UnboundClaimsError: a claim that does not wait for its pod is not bound.
        MissingClaimError: a claim does not exist.
        BindingModeError: a class does not say when its claims are bound.
        ClaimSelectorError: a claim's selector cannot be evaluated.
    """
    labels = node.labels
    are_reachable = wanted.are_reachable(labels)
    if wanted.fault is not None:
        raise wanted.fault
    return _ANSWERS[are_reachable, choose(wanted.wishes, labels) is not None]


CHECK_VOLUME_BINDING: Final = PredicateSpec(
    "CheckVolumeBinding",
    check_volume_binding,
    prepare=prepare_volumes,
    order=170,
    reads={
        Facet.LABELS,
        Facet.PERSISTENT_VOLUME_CLAIMS,
        Facet.PERSISTENT_VOLUMES,
        Facet.STORAGE_CLASSES,
    },
)


def without_scheduling() -> PredicateSpec[VolumesOfPod]:
    """Return the predicate as it is with the gate VolumeScheduling off: it lets everything pass.

    >>> without_scheduling().reads
    frozenset()
    """

    def prepare(_pod: Pod, _snapshot: Snapshot, /) -> Skip:
        return SKIP

    return evolve(CHECK_VOLUME_BINDING, prepare=prepare, reads=())
