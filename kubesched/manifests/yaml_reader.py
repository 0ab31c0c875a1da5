"""YAML, as many documents as there are, in the dialect of Kubernetes (see `yaml_scalars`).

PyYAML, an extra, finds the events in the text; what they make is built here, because its own
constructors know another dialect, go as deep as they are told to, and expand any alias.
"""

import re
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import yaml

from kubesched.manifests.text import TextError, position
from kubesched.manifests.yaml_nodes import Builder

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_Event: TypeAlias = Any


def read_yaml(text: str) -> Iterator[object]:
    r"""Read documents until the text ends; numbers are read exactly, as integers or Decimals.

        >>> list(read_yaml("cpu: 0.1\n---\n- on\n- 08:30\n"))
        [{'cpu': Decimal('0.1')}, [True, '08:30']]

    Raises:
        TextError: where the text stops to be YAML, or to be what Kubernetes takes.
    """
    if found := _UNPRINTABLE.search(text):
        what = f"the character U+{ord(found[0]):04X} is not allowed"
        raise TextError(f"is not YAML ({position(text, found.start())}: {what})")
    try:
        yield from _documents(yaml.parse(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        raise TextError(f"is not YAML ({_place(error.problem_mark)}: {error.problem})") from None


def _documents(events: Iterator[_Event]) -> Iterator[object]:
    builder = Builder()
    for event in events:
        match event:
            case yaml.DocumentStartEvent():
                builder = Builder()
            case yaml.DocumentEndEvent():
                yield builder.document
            case _:
                _build(builder, event)


def _build(builder: Builder, event: _Event) -> None:
    try:
        match event:
            case yaml.ScalarEvent():
                plain = event.implicit[0]
                builder.scalar(event.value, event.tag, event.anchor, plain=plain)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                is_map = isinstance(event, yaml.MappingStartEvent)
                builder.open(event.tag, event.anchor, is_map=is_map)
            case yaml.CollectionEndEvent():
                builder.close()
            case yaml.AliasEvent():
                builder.alias(str(event.anchor))
    except ValueError as error:
        raise TextError(f"is not accepted ({_place(event.start_mark)}: {error})") from None


def _place(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark else "no line"
