"""Writing: objects to text, and text to a file or stream."""

import json
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from stat import S_IMODE
from typing import Any, Final, Literal, Protocol, TypeAlias

from kubesched.errors import OptionError
from kubesched.manifests.wire import to_wire
from kubesched.model import KubeObject

Format: TypeAlias = Literal["json", "yaml", "jsonl"]


class Writable(Protocol):
    """An open stream of text."""

    def write(self, text: str, /) -> object:
        """Take the text."""
        ...


Target: TypeAlias = str | os.PathLike[str] | Writable
"""Where text goes: a path, or an open stream of text."""


def dump(
    objects: KubeObject | Iterable[KubeObject],
    target: Target | None = None,
    *,
    format: Format = "json",  # noqa: A002 - what everybody calls it
) -> str:
    """Write objects in the form in which they are loaded, and return the text.

    One object is written as itself, several as a `List`; as JSON lines each on a line of its own. A
    file is replaced as a whole or not touched at all.

    Args:
        objects: one object, or several.
        target: a path or an open stream that the text goes to as well.
        format: `json`, `yaml` (which needs the extra `yaml`) or `jsonl`.

    Raises:
        MissingExtraError: for YAML, if PyYAML is not installed.
        OptionError: there is no such format.
        OSError: the file cannot be written.

    >>> from kubesched.model import Namespace, ObjectMeta
    >>> shop = Namespace(metadata=ObjectMeta(name="shop"))
    >>> dump([shop, shop], format="jsonl").splitlines()[0]
    '{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}'
    """
    if format not in _WRITERS:
        raise OptionError(f"format {format!r} is none of {', '.join(_WRITERS)}")
    text = _WRITERS[format](objects)
    match target:
        case None:
            pass
        case str() | os.PathLike():
            _replace(Path(target), text)
        case _:
            target.write(text)
    return text


def _document(objects: KubeObject | Iterable[KubeObject]) -> dict[str, Any]:
    if isinstance(objects, KubeObject):
        return to_wire(objects)
    return {"apiVersion": "v1", "kind": "List", "items": [to_wire(it) for it in objects]}


def _as_json(objects: KubeObject | Iterable[KubeObject]) -> str:
    return json.dumps(_document(objects), indent=2, ensure_ascii=False) + "\n"


def _as_yaml(objects: KubeObject | Iterable[KubeObject]) -> str:
    from kubesched.manifests.yaml_writer import to_yaml  # noqa: PLC0415 - PyYAML is an extra

    return to_yaml(_document(objects))


def _as_lines(objects: KubeObject | Iterable[KubeObject]) -> str:
    each = [objects] if isinstance(objects, KubeObject) else objects
    return "".join(f"{json.dumps(to_wire(it), ensure_ascii=False)}\n" for it in each)


_WRITERS: Final[Mapping[str, Callable[[KubeObject | Iterable[KubeObject]], str]]] = {
    "json": _as_json,
    "yaml": _as_yaml,
    "jsonl": _as_lines,
}


def _replace(path: Path, text: str) -> None:
    """Write beside the file and take its place only when all is written."""
    content = text.encode()
    if path.exists() and not path.is_file():
        path.write_bytes(content)  # a pipe or device: there is no place to take
        return
    path = path.resolve()  # a link stays a link
    beside = path.with_name(f".kubesched-{os.urandom(8).hex()}")
    try:
        beside.write_bytes(content)
        if path.exists():
            beside.chmod(S_IMODE(path.stat().st_mode))
        beside.replace(path)
    except OSError as error:
        error.filename = str(path)  # nobody knows the other one
        raise
    finally:
        beside.unlink(missing_ok=True)
