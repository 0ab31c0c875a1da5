"""A plain model of an API server: what there is, and what its watch says of it."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from attrs import define, evolve, field

from kubesched.model import KubeObject

EventType: TypeAlias = Literal["ADDED", "MODIFIED", "DELETED"]


class Told(NamedTuple):
    """What a watch says."""

    type: EventType
    it: KubeObject


class Listed(NamedTuple):
    """All objects of a kind, as they were at a version."""

    kind: type[KubeObject]
    objects: tuple[KubeObject, ...]
    version: str


@define
class ApiModel:
    """Objects by kind and key; every write takes the next resource version."""

    objects: dict[tuple[type[KubeObject], str], KubeObject] = field(factory=dict)
    first: dict[str, KubeObject] = field(factory=dict)
    version: int = 98  # versions soon have three digits, and text would sort wrongly
    created: int = 0

    def put(self, it: KubeObject) -> Told:
        """Create an object, or change the one that is there."""
        before = self.objects.get((type(it), it.key))
        self.version += 1
        self.created += before is None
        uid = f"uid-{self.created}" if before is None else before.uid
        stored = self._stored(it, uid)
        self.objects[type(it), it.key] = stored
        self.first.setdefault(uid, stored)
        return Told("ADDED" if before is None else "MODIFIED", stored)

    def delete(self, kind: type[KubeObject], key: str, *, tells_first_state: bool) -> Told:
        """Delete an object; what is told may be how it was when it was new."""
        gone = self.objects.pop((kind, key))
        self.version += 1
        first = self.first[gone.uid]
        return Told("DELETED", first if tells_first_state else self._stored(gone, gone.uid))

    def list(self, kind: type[KubeObject]) -> Listed:
        """List all objects of a kind."""
        return Listed(kind, tuple(self.of(kind)), str(self.version))

    def of(self, kind: type[KubeObject]) -> Iterator[KubeObject]:
        """Go over the objects of a kind."""
        return (it for (kind_of_it, _), it in self.objects.items() if kind_of_it is kind)

    def _stored(self, it: KubeObject, uid: str) -> KubeObject:
        meta = evolve(it.metadata, uid=uid, resource_version=str(self.version))
        return evolve(it, metadata=meta)
