"""What was last seen of each object, and so which of the things that a watch says are news."""

from collections.abc import Collection, Iterator
from typing import Final, TypeAlias

from attrs import define, field, frozen

from kubesched.model import KubeObject
from kubesched.model.meta import uids_differ

Kind: TypeAlias = type[KubeObject]

_MOST_DIGITS: Final = 39
"""A resource version is a number of 128 bits at most."""


@frozen
class Sighting:
    """The last that was seen of an object.

    Attributes:
        uid: its identity, if it was told.
        version: its resource version as a number, if it was told and is one.
    """

    uid: str = ""
    version: int | None = None


def version_of(text: str) -> int | None:
    """Return a resource version as a number; None if it is none, so that nothing is known of it.

    >>> version_of("1024"), version_of(""), version_of("v7")
    (1024, None, None)
    """
    is_number = text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else None


def newest(*versions: int | None) -> int | None:
    """Return the largest of the versions that are known."""
    return max((each for each in versions if each is not None), default=None)


@define(eq=False)
class Ledger:
    """Who is there and who is gone, as far as a watch has told.

    Those who are gone are remembered, so that what comes late about them does not bring them back:
    the last `most_gone` of them, or until a list says of a whole kind how it was.
    """

    _most_gone: int
    _there: dict[Kind, dict[str, Sighting]] = field(factory=dict, init=False)
    _gone: dict[tuple[Kind, str], Sighting] = field(factory=dict, init=False)
    _horizons: dict[Kind, int] = field(factory=dict, init=False)

    def keys(self, kind: Kind) -> Iterator[str]:
        """Go over the keys of what is there, in order of arrival."""
        return iter(tuple(self._there.get(kind, ())))

    def knows(self, seen: KubeObject) -> bool:
        """Tell whether an object of this key is there."""
        return self._known(seen) is not None

    def knows_another(self, seen: KubeObject) -> bool:
        """Tell whether an object of this key is there that is not this one."""
        known = self._known(seen)
        return known is not None and uids_differ(known.uid, seen.uid)

    def is_news(self, seen: KubeObject) -> bool:
        """Tell whether an object as it is seen is newer than what is known of it.

        What comes without a version is; what comes about an object that is gone never is.
        """
        gone = self._gone.get((type(seen), seen.key), Sighting())
        if gone.uid and gone.uid == seen.uid:
            return False
        known = self._known(seen) or gone
        oldest = newest(known.version, self._horizons.get(type(seen)))
        version = version_of(seen.metadata.resource_version)
        return version is None or oldest is None or version > oldest

    def is_news_that_gone(self, gone: KubeObject) -> bool:
        """Tell whether a deletion is about what is there, and not about one that was before it.

        Whoever tells of a deletion may not know the object's last state: its version says nothing
        then, except about an object with another uid.
        """
        return not self.knows_another(gone) or self.is_news(gone)

    def is_after(self, kind: Kind, key: str, resource_version: str) -> bool:
        """Tell whether an object that is there was last seen after a list was made."""
        seen = self._there[kind][key].version
        version = version_of(resource_version)
        return seen is not None and version is not None and seen > version

    def note(self, seen: KubeObject) -> None:
        """Note that an object is there."""
        gone = self._gone.pop((type(seen), seen.key), Sighting())
        known = self._known(seen) or gone
        version = newest(version_of(seen.metadata.resource_version), known.version)
        self._there.setdefault(type(seen), {})[seen.key] = Sighting(seen.uid, version)

    def strike_out(self, gone: KubeObject) -> None:
        """Note that an object is gone, and forget whoever has been gone for longest."""
        identity = (type(gone), gone.key)
        before = self._there.get(type(gone), {}).pop(gone.key, None)
        known = before or self._gone.pop(identity, None) or Sighting()
        last = Sighting(gone.uid, version_of(gone.metadata.resource_version))
        self._gone[identity] = _later(known, last)
        if len(self._gone) > self._most_gone:
            del self._gone[next(iter(self._gone))]

    def note_list(self, kind: Kind, resource_version: str, listed: Collection[str]) -> None:
        """Note that everything about a kind up to a version is known; O(those who are gone)."""
        horizon = newest(version_of(resource_version), self._horizons.get(kind))
        if horizon is None:
            return
        self._horizons[kind] = horizon
        self._gone = {
            (kind_of_it, key): gone
            for (kind_of_it, key), gone in self._gone.items()
            if kind_of_it is not kind or key in listed or (gone.version or 0) > horizon
        }

    def _known(self, seen: KubeObject) -> Sighting | None:
        return self._there.get(type(seen), {}).get(seen.key)


def _later(known: Sighting, last: Sighting) -> Sighting:
    """Return what is to be remembered of one who is gone, or of the later one of two."""
    version = newest(known.version, last.version)
    if uids_differ(known.uid, last.uid) and last.version not in {None, version}:
        return known
    return Sighting(last.uid or known.uid, version)
