"""Lists and mappings: read all of their items, or report every item that does not fit."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, get_args

from cattrs import Converter
from cattrs.errors import BaseValidationError, IterableValidationError, IterableValidationNote

from kubesched.manifests.scalars import Mismatch
from kubesched.model.frozen import frozen_map

Reader: TypeAlias = Callable[[Any, Any], Any]
Writer: TypeAlias = Callable[[Any], Any]


def list_reader(kind: Any, converter: Converter) -> Reader:
    """Make the reader of a `tuple[X, ...]`, which stands as a list in a manifest."""
    item_type = get_args(kind)[0]
    read = converter.get_structure_hook(item_type)

    def read_list(value: Any, _type: Any) -> tuple[Any, ...]:
        if not isinstance(value, (list, tuple)):
            raise Mismatch(value, "is not a list")
        try:
            return tuple([read(item, item_type) for item in value])
        except (Mismatch, BaseValidationError):
            every = enumerate(value)
            raise _faults(kind, every, lambda _, item: read(item, item_type)) from None

    return read_list


def map_reader(kind: Any, converter: Converter) -> Reader:
    """Make the reader of a `Mapping[str, X]`; a null value is as good as an absent key."""
    item_type = get_args(kind)[1]
    read = converter.get_structure_hook(item_type)

    def read_item(key: Any, value: Any) -> Any:
        if isinstance(key, str):
            return read(value, item_type)
        raise Mismatch(key, "is not a string, as a key must be")

    def read_map(value: Any, _type: Any) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            raise Mismatch(value, "is not a mapping")
        items = [(key, item) for key, item in value.items() if item is not None]
        try:
            return frozen_map({key: read_item(key, item) for key, item in items})
        except (Mismatch, BaseValidationError):
            raise _faults(kind, items, read_item) from None

    return read_map


def list_writer(kind: Any, converter: Converter) -> Writer:
    """Make the writer of a `tuple[X, ...]`."""
    write = converter.get_unstructure_hook(get_args(kind)[0])
    return lambda value: [write(item) for item in value]


def map_writer(kind: Any, converter: Converter) -> Writer:
    """Make the writer of a `Mapping[str, X]`."""
    write = converter.get_unstructure_hook(get_args(kind)[1])
    return lambda value: {key: write(item) for key, item in value.items()}


def _faults(
    kind: Any, items: Iterable[tuple[Any, Any]], read_item: Callable[[Any, Any], Any]
) -> IterableValidationError:
    """Read once more, item by item, now that it is known that one of them does not fit."""
    faults: list[Exception] = []
    for step, item in items:
        try:
            read_item(step, item)
        except (Mismatch, BaseValidationError) as fault:
            index = step if isinstance(step, (str, int)) else str(step)
            fault.add_note(IterableValidationNote("", index, kind))
            faults.append(fault)
    return IterableValidationError("items that do not fit", faults, kind)
