"""What the events of a YAML document amount to, built without recursion and with few aliases."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from attrs import Factory, define, field

from kubesched.manifests.flaws import DEEPEST, TOO_DEEP, mapping_of
from kubesched.manifests.yaml_scalars import as_key, resolve, resolve_tagged

MOST_ALIASED: Final = 100_000
"""How many nodes all aliases of a document may stand for together."""

_COLLECTION_TAGS = {None, "!", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"}


class _MergeKey(str):
    """The unquoted `<<`, which is a key like no other, and mere text where no key can be."""

    __slots__ = ()


_MERGE: Final = _MergeKey("<<")


@define(eq=False)
class _OpenList:
    """A sequence whose end has not come yet."""

    anchor: str | None
    size: int = 1
    items: list[object] = Factory(list)

    def add(self, value: object) -> None:
        self.items.append(value)

    def finished(self) -> object:
        return self.items


@define(eq=False)
class _OpenMap:
    """A mapping whose end has not come yet; keys and values come by turns."""

    anchor: str | None
    size: int = 1
    pairs: list[tuple[str, object]] = Factory(list)
    merged: dict[str, object] = Factory(dict)
    _key: str | None = None

    def add(self, value: object) -> None:
        if self._key is None:
            self._key = _MERGE if value is _MERGE else as_key(value)
            return
        if self._key is _MERGE:
            self._merge(value)
        else:
            self.pairs.append((self._key, value))
        self._key = None

    def _merge(self, value: object) -> None:
        for source in value if isinstance(value, list) else [value]:
            if not isinstance(source, Mapping):
                raise ValueError("only mappings can be merged with '<<'")  # noqa: TRY004 - as other faults
            for key, part in source.items():
                self.merged.setdefault(key, part)

    def finished(self) -> object:
        explicit = {key for key, _ in self.pairs}
        merged = [(key, value) for key, value in self.merged.items() if key not in explicit]
        return mapping_of(merged + self.pairs)


_Open: TypeAlias = _OpenList | _OpenMap


@define(eq=False)
class Builder:
    """Builds one document; every call stands for one event.

    What is wrong with an event is a ValueError with a text that goes with its line and column.

        >>> builder = Builder()
        >>> builder.open(None, None, is_map=True)
        >>> for text in ("replicas", "3"):
        ...     builder.scalar(text, None, None, plain=True)
        >>> builder.close()
        >>> builder.document
        {'replicas': 3}
    """

    document: object = None
    _open: list[_Open] = field(factory=list, init=False)
    _anchored: dict[str, tuple[object, int]] = field(factory=dict, init=False)
    _aliased: int = field(default=0, init=False)

    def scalar(self, text: str, tag: str | None, anchor: str | None, *, plain: bool) -> None:
        """Add a scalar; `plain` says that it is not quoted."""
        value: object = text
        if tag is not None:
            value = resolve_tagged(text, tag)
        elif plain:
            value = _MERGE if text == _MERGE else resolve(text)
        self._place(value, 1, anchor)

    def open(self, tag: str | None, anchor: str | None, *, is_map: bool) -> None:
        """Begin a sequence or mapping."""
        if tag not in _COLLECTION_TAGS:
            raise ValueError(f"the tag {tag!r} is not known")
        if len(self._open) == DEEPEST:
            raise ValueError(f"the document {TOO_DEEP}")
        self._open.append(_OpenMap(anchor) if is_map else _OpenList(anchor))

    def close(self) -> None:
        """End the innermost sequence or mapping."""
        ended = self._open.pop()
        self._place(ended.finished(), ended.size, ended.anchor)

    def alias(self, name: str) -> None:
        """Add what an anchor stands for, once more."""
        if any(outer.anchor == name for outer in self._open):
            raise ValueError(f"the anchor {name!r} contains itself")
        if name not in self._anchored:
            raise ValueError(f"there is no anchor {name!r}")
        value, size = self._anchored[name]
        self._aliased += size
        if self._aliased > MOST_ALIASED:
            raise ValueError(f"the aliases stand for more than {MOST_ALIASED:,} nodes")
        self._place(value, size, None)

    def _place(self, value: object, size: int, anchor: str | None) -> None:
        if anchor is not None:
            self._anchored[anchor] = (value, size)
        if not self._open:
            self.document = value
            return
        self._open[-1].size += size
        self._open[-1].add(value)
