"""From a file, a config map or plain data to a Policy as it is written.

Source: kubernetes v1.12.2, pkg/scheduler/scheduler.go, initPolicyFromFile and
initPolicyFromConfigMap.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from attrs import evolve, field, frozen

from kubesched.config.documents import Document, only_document
from kubesched.config.errors import PolicyError
from kubesched.config.policy.model import Policy
from kubesched.config.wire import WireReader
from kubesched.manifests import Place, Problem
from kubesched.manifests.fault import Fault
from kubesched.manifests.sources import Readable

POLICY_KEY: Final = "policy.cfg"
"""The key of a config map under which there is a Policy."""


@runtime_checkable
class ConfigMap(Protocol):
    """An object that holds texts by key, such as a client library's config map."""

    @property
    def data(self) -> Mapping[str, str]:
        """The texts."""
        ...


PolicySource: TypeAlias = str | os.PathLike[str] | Readable | Mapping[str, Any] | ConfigMap
"""A Policy as plain data, a path, `-`, an open stream, or a config map in any of these forms."""


@frozen
class Written:
    """A Policy, where it stands, and what did not fit when it was read."""

    policy: Policy
    place: Place = field(factory=Place)
    faults: tuple[Fault, ...] = ()


def named_policy(predicates: Iterable[str], priorities: Mapping[str, int]) -> Written:
    """Write a Policy that has these names and nothing else."""
    reader = WireReader()
    policy = reader.read(
        Policy,
        {
            "predicates": [{"name": name} for name in predicates],
            "priorities": [{"name": name, "weight": each} for name, each in priorities.items()],
        },
    )
    return Written(policy, faults=tuple(reader.faults))


def read_policy(source: PolicySource) -> Written:
    """Read a Policy.

    Raises:
        PolicyError: there is none, or its text cannot be read.
        MissingExtraError: it is YAML, and PyYAML is not installed.
    """
    problems: list[Problem] = []
    document = _document(source, problems)
    if document is None:
        raise PolicyError(problems)
    read = document.read(Policy, "kind", "apiVersion", "metadata")
    stated = (
        *document.stated("kind", "Policy", required=False),
        *document.stated("apiVersion", "v1", required=False),
    )
    return Written(read.value, document.place, (*stated, *read.faults))


def _document(source: Any, problems: list[Problem]) -> Document | None:
    if isinstance(source, ConfigMap) and not isinstance(source, Mapping):
        return _held_by(Place(source="config map"), source.data, problems)
    document = only_document(source, "Policy", problems)
    if document is None or document.wire.get("kind") != "ConfigMap":
        return document
    return _held_by(_named(document), document.wire.get("data"), problems)


def _named(config_map: Document) -> Place:
    metadata = config_map.wire.get("metadata")
    metadata = metadata if isinstance(metadata, Mapping) else {}
    key = "/".join(str(metadata[part]) for part in ("namespace", "name") if metadata.get(part))
    return evolve(config_map.place, object=f"ConfigMap {key}".rstrip())


def _held_by(place: Place, data: object, problems: list[Problem]) -> Document | None:
    """Return the Policy in a config map's data."""
    text = data.get(POLICY_KEY) if isinstance(data, Mapping) else None
    if not isinstance(text, str):
        problems.append(place.problem("holds no text (expected a Policy)", f"data['{POLICY_KEY}']"))
        return None
    inner = _Stream(text, f"{place}, {POLICY_KEY}")
    return only_document(inner, "Policy", problems)


@frozen
class _Stream:
    """A text with a name, to be read like an open file."""

    text: str
    name: str

    def read(self) -> str:
        return self.text
