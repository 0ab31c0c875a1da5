"""Objects as manifests for people: with comments, and nothing in them that is empty."""

from collections.abc import Iterable
from typing import Any, Final

from kubesched.manifests import to_wire
from kubesched.manifests.yaml_writer import to_yaml
from kubesched.model import KubeObject


def document_of(it: KubeObject) -> str:
    """Write one object as YAML.

    >>> from kubesched.model import Pod, ObjectMeta
    >>> print(document_of(Pod(metadata=ObjectMeta(name="web"))), end="")
    apiVersion: v1
    kind: Pod
    metadata:
      name: web
    """
    return to_yaml(_without_what_is_empty(to_wire(it)))


_MAY_BE_EMPTY: Final = frozenset({"spec", "status", "resources", "containers"})
"""What manifests have even if it is empty; everything else that is empty means something."""


def _without_what_is_empty(wire: Any) -> Any:
    match wire:
        case dict():
            parts = ((name, _without_what_is_empty(part)) for name, part in wire.items())
            return {name: part for name, part in parts if part or name not in _MAY_BE_EMPTY}
        case list():
            return [_without_what_is_empty(part) for part in wire]
        case _:
            return wire


def commented(text: str) -> str:
    """Return text as comments, line by line."""
    return "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())


def told_changes(before: Iterable[KubeObject], after: Iterable[KubeObject]) -> str:
    """Tell which objects have come, gone or changed, and what has become of them."""
    old = {(it.kind, it.key): it for it in before}
    new = {(it.kind, it.key): it for it in after}
    gone = [f"{kind} {key} is gone." for kind, key in old if (kind, key) not in new]
    others = [
        f"{kind} {key} {'becomes' if (kind, key) in old else 'comes'}:\n{document_of(it)}"
        for (kind, key), it in new.items()
        if old.get((kind, key)) != it
    ]
    return "\n".join([*gone, *others])


def told(objects: Iterable[KubeObject]) -> str:
    """Write several objects as YAML."""
    return "---\n".join(map(document_of, objects))
