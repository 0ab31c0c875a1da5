"""The converter between plain data, as JSON and YAML have it, and the models.

It is made once, at import, from the models alone: each class's reader and writer are generated when
they are first needed. A field is called as `paths.wire_name` says. Its `keep` metadata says that it
is written even if it is empty; all others are left out then, as Go's `omitempty` does.
"""

from collections.abc import Mapping
from datetime import datetime
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from kubesched.manifests.containers import (
    Reader,
    Writer,
    list_reader,
    list_writer,
    map_reader,
    map_writer,
)
from kubesched.manifests.paths import wire_name
from kubesched.manifests.scalars import (
    Mismatch,
    read_integer,
    read_integer_or_text,
    read_quantity,
    read_text,
    read_time,
    read_truth,
    write_time,
)
from kubesched.quantity import Quantity


def _make_converter() -> Converter:
    converter = Converter(detailed_validation=True)
    _add_scalars(converter)
    for suits, reader, writer in (
        (_is_list, list_reader, list_writer),
        (_is_map, map_reader, map_writer),
        (_is_optional, _optional_reader, _optional_writer),
        (attrs.has, _class_reader, _class_writer),
    ):
        converter.register_structure_hook_factory(suits, reader)
        converter.register_unstructure_hook_factory(suits, writer)
    converter.register_structure_hook(Quantity, read_quantity)
    converter.register_unstructure_hook(Quantity, str)
    return converter


def _add_scalars(converter: Converter) -> None:
    converter.register_structure_hook(str, read_text)
    converter.register_structure_hook(int, read_integer)
    converter.register_structure_hook(bool, read_truth)
    converter.register_structure_hook(datetime, read_time)
    converter.register_unstructure_hook(datetime, write_time)


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_map(kind: Any) -> bool:
    return get_origin(kind) is Mapping


def _is_optional(kind: Any) -> bool:
    return get_origin(kind) in {UnionType, Union}


def _optional_reader(kind: Any, converter: Converter) -> Reader:
    """Read what it is if it is there: a null never gets this far."""
    inner = [one for one in get_args(kind) if one is not type(None)]
    return converter.get_structure_hook(inner[0]) if len(inner) == 1 else read_integer_or_text


def _optional_writer(kind: Any, converter: Converter) -> Writer:
    inner = [one for one in get_args(kind) if one is not type(None)]
    return converter.get_unstructure_hook(inner[0]) if len(inner) == 1 else _as_it_is


def _as_it_is(value: Any) -> Any:
    return value


def _class_reader(kind: Any, converter: Converter) -> Reader:
    names: Any = {field.name: override(rename=wire_name(field)) for field in attrs.fields(kind)}
    read = make_dict_structure_fn(kind, converter, **names)

    def read_object(value: Any, _type: Any) -> Any:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise Mismatch(value, "is not a mapping")
        if None in value.values():
            value = {key: item for key, item in value.items() if item is not None}
        return read(value, kind)

    return read_object


def _class_writer(kind: Any, converter: Converter) -> Writer:
    fields: Any = {
        field.name: override(
            rename=wire_name(field), omit_if_default=not field.metadata.get("keep", False)
        )
        for field in attrs.fields(kind)
    }
    return make_dict_unstructure_fn(kind, converter, **fields)


CONVERTER: Final = _make_converter()
"""Reads with `structure`, writes with `unstructure`."""
