"""Which labels and annotations a rule asks for, found out while it is asked.

Its code tells which texts there are, but not which of them are keys, of which objects; and one that
goes through a helper, or is put together, does not stand in the code at all.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from kubesched.model import FrozenMap, KubeObject
from kubesched.testing.laws.purity import copied
from kubesched.testing.situation import Situation


class Asked(NamedTuple):
    """A label or an annotation that a rule has asked for.

    Attributes:
        kind: the kind of the objects that have it, or have not.
        field: `labels` or `annotations`.
        key: its key.
    """

    kind: type[KubeObject]
    field: str
    key: str


def told_of(situation: Situation, note: Callable[[Asked], object]) -> Situation:
    """Return a copy of a situation that tells which labels and annotations are looked up.

    >>> from kubesched.builders import pod
    >>> told = told_of(Situation(pod("web", labels={"app": "a"})), print)
    >>> told.pod.labels.get("tier")
    Asked(kind=<class 'kubesched.model.pod.Pod'>, field='labels', key='tier')
    """
    copy = copied(situation)
    for it in (copy.pod, *copy.objects):
        for field in ("labels", "annotations"):
            telling = _Telling(getattr(it.metadata, field))
            telling.tell = _teller(type(it), field, note)
            object.__setattr__(it.metadata, field, telling)
    return copy


def _teller(
    kind: type[KubeObject], field: str, note: Callable[[Asked], object]
) -> Callable[[object], None]:
    def tell(key: object) -> None:
        if isinstance(key, str):
            note(Asked(kind, field, key))

    return tell


class _Telling(FrozenMap[str, str]):
    """Labels or annotations that tell which keys are looked up."""

    __slots__ = ("tell",)

    tell: Callable[[object], None]

    def __getitem__(self, key: str) -> str:
        self.tell(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.tell(key)
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.tell(key)
        return super().__contains__(key)
