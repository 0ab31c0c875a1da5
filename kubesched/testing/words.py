"""The small world that things are drawn from, so that two of them are often about the same."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, Self

from attrs import evolve, field, fields, frozen

from kubesched.errors import OptionError
from kubesched.selectors import faults_of_label_value, faults_of_qualified_name

_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")
_TITLE: Final = re.compile(r"[A-Z][A-Za-z0-9]{1,62}")
_DOTTED: Final = re.compile(r"[a-z0-9][-a-z0-9]*(\.[a-z0-9][-a-z0-9]*)+")
_RESOURCE: Final = re.compile(
    r"cpu|memory|pods|ephemeral-storage|(hugepages|attachable-volumes)-.+"
)
_LARGEST: Final = 2**63 - 1


def _texts(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def _numbers(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(numbers))


@frozen(kw_only=True)
class Words:
    """Names, keys, values and numbers, the plainest first: that is what examples shrink to.

    Attributes:
        node_names: what nodes are called.
        pod_names: what pods are called, without their namespace.
        namespaces: where pods, services and claims are.
        keys: keys of labels, annotations and taints.
        values: values of labels, annotations and taints.
        zones: names of zones and regions.
        resources: names of resources.
        images: names of container images.
        conditions: types of a node's conditions.
        owner_kinds: kinds of what controls pods.
        service_names: what services and others that find pods are called.
        claim_names: what claims are called, without their namespace.
        volume_names: what persistent volumes and disks are called.
        storage_classes: what storage classes are called.
        drivers: names of what provides volumes.
        scheduler_names: names of schedulers; the empty one is the default scheduler.
        numbers: amounts and counts, none below 0.

    Raises:
        OptionError: there is not even one of something.

    >>> WORDS.node_names[0], WORDS.numbers[0]
    ('n1', 1)
    """

    node_names: tuple[str, ...] = field(default=("n1", "n2", "n3", "n4"), converter=_texts)
    pod_names: tuple[str, ...] = field(default=("p1", "p2", "p3", "p4"), converter=_texts)
    namespaces: tuple[str, ...] = field(default=("default", "shop"), converter=_texts)
    keys: tuple[str, ...] = field(default=("app", "tier", "example.com/cores"), converter=_texts)
    values: tuple[str, ...] = field(default=("a", "b", "7", "12", ""), converter=_texts)
    zones: tuple[str, ...] = field(default=("east", "west"), converter=_texts)
    resources: tuple[str, ...] = field(
        default=("cpu", "memory", "example.com/gpu", "ephemeral-storage", "hugepages-2Mi"),
        converter=_texts,
    )
    images: tuple[str, ...] = field(default=("web:1", "web:2", "db:1"), converter=_texts)
    conditions: tuple[str, ...] = field(
        default=("Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"),
        converter=_texts,
    )
    owner_kinds: tuple[str, ...] = field(
        default=("ReplicaSet", "ReplicationController", "StatefulSet", "DaemonSet"),
        converter=_texts,
    )
    service_names: tuple[str, ...] = field(default=("s1", "s2"), converter=_texts)
    claim_names: tuple[str, ...] = field(default=("c1", "c2"), converter=_texts)
    volume_names: tuple[str, ...] = field(default=("v1", "v2"), converter=_texts)
    storage_classes: tuple[str, ...] = field(default=("local", "cloud"), converter=_texts)
    drivers: tuple[str, ...] = field(default=("csi.example.com",), converter=_texts)
    scheduler_names: tuple[str, ...] = field(default=("", "other"), converter=_texts)
    numbers: tuple[int, ...] = field(default=(1, 2, 3, 4, 8, 0), converter=_numbers)

    def __attrs_post_init__(self) -> None:
        for each in fields(type(self)):
            if not getattr(self, each.name):
                raise OptionError(f"{each.name} of the words is empty, expected at least one")

    def with_those_of(self, *functions: object) -> Self:
        """Return these words and those that somebody's functions speak of.

        Texts and numbers are looked for in the code and in what it can get at; nothing is called.

        Args:
            functions: functions, specs, or whatever holds some.

        >>> closed = {"rack": "r7"}
        >>> words = WORDS.with_those_of(closed)
        >>> "rack" in words.keys, "r7" in words.values
        (True, True)
        """
        from kubesched.testing.harvest import texts_and_numbers  # noqa: PLC0415 - only here

        return self.with_words(*texts_and_numbers(functions))

    def with_words(self, texts: Iterable[str] = (), numbers: Iterable[int] = ()) -> Self:
        """Return these words and others, each wherever it could be meant.

        `rack` may be a key or a value, `example.com/gpu` a resource as well; a number comes with
        its neighbours, as rules err by one, and as a value.

        >>> words = WORDS.with_words(["rack"], [110])
        >>> "rack" in words.keys, [n for n in words.numbers if n > 100]
        (True, [110, 111, 109])
        """
        found, counts = tuple(texts), tuple(numbers)
        names = [text for text in found if _NAME.fullmatch(text)]
        titles = [text for text in found if _TITLE.fullmatch(text)]
        values = [text for text in found if not faults_of_label_value(text)]
        return evolve(
            self,
            node_names=(*self.node_names, *names),
            namespaces=(*self.namespaces, *names),
            keys=(*self.keys, *(text for text in found if not faults_of_qualified_name(text))),
            values=(*self.values, *values, *map(str, filter(_is_a_count, counts))),
            zones=(*self.zones, *names),
            resources=(*self.resources, *filter(_may_be_a_resource, found)),
            images=(*self.images, *(text for text in found if ":" in text)),
            conditions=(*self.conditions, *titles),
            owner_kinds=(*self.owner_kinds, *titles),
            storage_classes=(*self.storage_classes, *names),
            drivers=(*self.drivers, *(text for text in found if _DOTTED.fullmatch(text))),
            scheduler_names=(*self.scheduler_names, *names),
            numbers=(*self.numbers, *_with_neighbours(counts)),
        )


def _may_be_a_resource(text: str) -> bool:
    is_extended = "/" in text and not faults_of_qualified_name(text)
    return is_extended or _RESOURCE.fullmatch(text) is not None


def _with_neighbours(numbers: Iterable[int]) -> Iterator[int]:
    return filter(_is_a_count, (number + by for number in numbers for by in (0, 1, -1)))


def _is_a_count(number: int) -> bool:
    return 0 <= number <= _LARGEST


WORDS: Final = Words()
"""The words that are used where nobody says otherwise."""
