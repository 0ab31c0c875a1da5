"""What the fields of models hold, by their names and types."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache
from types import UnionType
from typing import Any, Final, TypeAlias, Union, get_args, get_origin

from hypothesis import strategies as st

from kubesched.quantity import Quantity
from kubesched.testing.strategies.metadata import TIMES, UIDS, labels
from kubesched.testing.strategies.quantities import amounts_of, resource_lists
from kubesched.testing.strategies.taints import EFFECTS
from kubesched.testing.words import Words

OfClass: TypeAlias = Callable[[type[Any]], st.SearchStrategy[Any]]
"""Draws the instances of a class."""

_FROM_WORDS: Final[Mapping[str, str]] = {
    "attacher": "drivers",
    "claim_name": "claim_names",
    "disk_name": "volume_names",
    "driver": "drivers",
    "image": "images",
    "key": "keys",
    "kind": "owner_kinds",
    "match_label_keys": "keys",
    "mismatch_label_keys": "keys",
    "name": "service_names",
    "names": "images",
    "namespace": "namespaces",
    "node_name": "node_names",
    "nominated_node_name": "node_names",
    "pd_name": "volume_names",
    "priority_class_name": "service_names",
    "persistent_volume_name": "volume_names",
    "scheduler_name": "scheduler_names",
    "service_name": "service_names",
    "storage_class_name": "storage_classes",
    "topology_key": "keys",
    "topology_keys": "keys",
    "type": "conditions",
    "volume_handle": "volume_names",
    "volume_id": "volume_names",
    "volume_name": "volume_names",
}
"""Which of the words a field's texts are; those of other fields are values."""

REFERENCES: Final = frozenset(_FROM_WORDS) - {"type"}
"""Fields whose texts have to agree with those of other objects, if they are to mean anything."""

_CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "access_modes": ("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"),
    "effect": EFFECTS,
    "phase": ("Pending", "Running", "Bound", "Available"),
    "preemption_policy": ("PreemptLowerPriority", "Never"),
    "protocol": ("TCP", "UDP"),
    "restart_policy": ("Always", "Never"),
    "status": ("True", "False", "Unknown"),
    "uid": UIDS,
    "volume_mode": ("Filesystem", "Block"),
    "when_unsatisfiable": ("DoNotSchedule", "ScheduleAnyway"),
}
"""The few texts that a field may hold."""

_WEIGHTS: Final = (1, 100)


def field_values(
    name: str, kind: Any, *, of_class: OfClass, words: Words
) -> st.SearchStrategy[Any]:
    """Draw what a field of this name and type holds where it is set.

    >>> from hypothesis import find
    >>> from kubesched.testing.words import WORDS
    >>> find(field_values("node_name", str, of_class=st.from_type, words=WORDS), bool)
    'n1'
    """
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if origin in {UnionType, Union}:
        choices = [each for each in arguments if each is not type(None)]
        return st.one_of(
            [field_values(name, each, of_class=of_class, words=words) for each in choices]
        )
    if origin is tuple:
        return st.lists(
            field_values(name, arguments[0], of_class=of_class, words=words), max_size=2
        ).map(tuple)
    if origin is Mapping:
        return _mappings(arguments[1], words)
    known = _scalars(name, words)
    return known[origin] if origin in known else of_class(origin)


def _mappings(held: Any, words: Words) -> st.SearchStrategy[Any]:
    if held is Quantity:
        return resource_lists(words=words)
    if held is datetime:
        return st.dictionaries(st.sampled_from(words.pod_names), st.sampled_from(TIMES), max_size=2)
    return labels(words=words)


@lru_cache(maxsize=256)
def _scalars(name: str, words: Words) -> Mapping[Any, st.SearchStrategy[Any]]:
    texts = _CHOICES.get(name) or getattr(words, _FROM_WORDS.get(name, "values"))
    numbers = st.integers(*_WEIGHTS) if name == "weight" else st.sampled_from(words.numbers)
    return {
        str: st.sampled_from(texts),
        int: numbers,
        bool: st.sampled_from([True, False]),
        datetime: st.sampled_from(TIMES),
        Quantity: amounts_of("storage", words=words),
    }
