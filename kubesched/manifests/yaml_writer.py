"""Plain data to YAML, as kubectl writes it: block style, keys in their order.

PyYAML is not asked, because it knows another dialect: it leaves `y` and `1e3` without quotes, which
Kubernetes and `yaml_scalars` read as true and 1000.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kubesched.manifests.yaml_scalars import resolve

# Text that no reader takes for anything but itself; more would be possible, less is surer.
_PLAIN = re.compile(r"[A-Za-z/](?:[A-Za-z0-9_./-]|[ :=@+](?=[A-Za-z0-9_./-]))*")
_TO_ESCAPE = re.compile(
    r'["\\]|[^ -~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]'
)
_LONGEST_KEY = 128  # YAML lets a reader give up on keys that are much longer


def to_yaml(data: Any) -> str:
    """Write plain data as one YAML document.

    >>> print(to_yaml({"kind": "Pod", "metadata": {"name": "cart-1", "uid": "1e3"}}), end="")
    kind: Pod
    metadata:
      name: cart-1
      uid: "1e3"
    """
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(data: Any) -> Iterator[str]:
    if isinstance(data, Mapping) and data:
        for key, value in data.items():
            yield from _entry(key, value)
    elif _is_list(data) and data:
        for item in data:
            first, *others = _lines(item)
            yield f"- {first}"
            yield from _indented(others)
    else:
        yield _scalar(data)


def _entry(key: Any, value: Any) -> Iterator[str]:
    head = _scalar(key)
    if len(head) > _LONGEST_KEY:
        yield f"? {head}"
        head = ""
    if isinstance(value, Mapping) and value:
        yield f"{head}:"
        yield from _indented(_lines(value))
    elif _is_list(value) and value:
        yield f"{head}:"
        yield from _lines(value)
    else:
        yield f"{head}: {_scalar(value)}"


def _indented(lines: Iterator[str] | list[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)


def _is_list(data: Any) -> bool:
    return isinstance(data, Sequence) and not isinstance(data, str)


def _scalar(value: Any) -> str:
    """Write what has no parts: a scalar, or an empty mapping or list."""
    if not isinstance(value, str):
        return json.dumps(value)
    is_plain = _PLAIN.fullmatch(value) and resolve(value) == value
    return value if is_plain else f'"{_TO_ESCAPE.sub(_escape, value)}"'


def _escape(match: re.Match[str]) -> str:
    match character := match[0]:
        case '"' | "\\":
            return f"\\{character}"
        case "\n":
            return r"\n"
        case _ if ord(character) > 0xFFFF:  # noqa: PLR2004 - what four hexadecimal digits can say
            return f"\\U{ord(character):08x}"
        case _:
            return f"\\u{ord(character):04x}"
