"""Keeps pods that no service selects off the pool for services; a memory that cannot go wrong."""

from functools import lru_cache
from threading import Lock
from typing import Final

from attrs import define, field

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason, Snapshot
from kubesched.model import Service

FOR_SERVICES: Final = Reason("node(s) were kept for services", resolvable=False)


@lru_cache(maxsize=1024)
def _holds(selector: frozenset[tuple[str, str]], labels: frozenset[tuple[str, str]]) -> bool:
    return bool(selector) and selector <= labels


@define
class ServicePool:
    """The predicate as an object, which counts how often it is asked."""

    pool: str
    asked: int = 0
    _lock: Lock = field(factory=Lock)

    def prepare(self, pod: Pod, snapshot: Snapshot, /) -> bool:
        """Tell whether a service selects the pod."""
        return any(
            service.namespace == pod.namespace
            and _holds(
                frozenset((service.spec.selector or {}).items()), frozenset(pod.labels.items())
            )
            for service in snapshot.of(Service).values()
        )

    def check(self, _pod: Pod, is_served: bool, node: NodeInfo, /) -> Fit:  # noqa: FBT001
        with self._lock:
            self.asked += 1
        is_kept = node.labels.get("pool") == self.pool
        return Fit(FOR_SERVICES) if is_kept and not is_served else FITS


POOL: Final = ServicePool("services")

RULE: Final = PredicateSpec(
    "ServicePool",
    POOL.check,
    prepare=POOL.prepare,
    reads={Facet.LABELS, Facet.SERVICES},
)
