"""Whom a pod talks to, and how much."""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Protocol

from attrs import field, frozen

from kubesched.errors import KubeschedError, OptionError
from kubesched.manifests import read_wire
from kubesched.model import LabelSelector, Pod
from kubesched.plugins.network_latency.numbers import Number, exact
from kubesched.selectors import Selector, label_selector

_MEMBERS: Final = frozenset({"labelSelector", "namespace", "weight"})


def _selector(value: LabelSelector | Mapping[str, str]) -> LabelSelector:
    return value if isinstance(value, LabelSelector) else LabelSelector(match_labels=value)


def _weight(value: Number) -> Fraction:
    return exact(value, "weight of a peer")


@frozen
class Peer:
    """Pods to which a pod talks.

    Attributes:
        selector: selects them; may be given as a plain mapping of labels.
        weight: how much of the talk is with them, all of them together: 0 or more, in any unit.
        namespace: the namespace that they are in; the pod's own if it is None.

    Raises:
        SelectorError: a selector that cannot be evaluated.
        OptionError: a weight that is no number of 0 or more.

    >>> Peer({"app": "db"}, 0.5).matches({"app": "db", "tier": "back"})
    True
    """

    selector: LabelSelector = field(converter=_selector)
    weight: Fraction = field(default=Fraction(1), converter=_weight)
    namespace: str | None = field(default=None, kw_only=True)
    _ready: Selector = field(init=False, repr=False, eq=False)

    @_ready.default
    def _make_ready(self) -> Selector:
        return label_selector(self.selector)

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Tell whether the selector selects a pod with these labels."""
        return self._ready.matches(labels)


class PeersOf(Protocol):
    """Tells whom a pod talks to: nobody, or some groups of pods."""

    def __call__(self, pod: Pod, /) -> Iterable[Peer]: ...


def peers_by_label(label: str, traffic: Mapping[str, Mapping[str, Number]]) -> PeersOf:
    """Return peers by a graph of who talks to whom, for pods of the same namespace.

    Args:
        label: the label whose values the graph is about, such as "app".
        traffic: `traffic[value][other_value]` is the weight of what pods with the one value of the
            label say to pods with the other.

    Raises:
        OptionError: a graph of another form.
        SelectorError: what is not the key or value of a label.

    >>> from kubesched.builders import pod
    >>> peers_of = peers_by_label("app", {"web": {"api": 9, "cache": 1}})
    >>> [int(peer.weight) for peer in peers_of(pod("web-1", labels={"app": "web"}))]
    [9, 1]
    """
    known = {value: _neighbours(label, value, row) for value, row in traffic.items()}

    def peers_of(pod: Pod, /) -> Iterable[Peer]:
        return known.get(pod.labels.get(label, ""), ())

    return peers_of


def _neighbours(label: str, value: str, row: object) -> tuple[Peer, ...]:
    if not isinstance(row, Mapping):
        raise OptionError(f"traffic[{value!r}] is {row!r}, expected a mapping of texts to numbers")
    return tuple(
        Peer({label: other}, exact(weight, f"traffic[{value!r}][{other!r}]"))
        for other, weight in row.items()
    )


def peers_in_annotation(annotation: str) -> PeersOf:
    """Return the peers that an annotation of the pod lists, as JSON.

    A list of objects with `labelSelector` and, where they differ from `Peer`'s defaults, `weight`
    and `namespace`. An annotation of another form is an `OptionError`, which ends the attempt to
    place the pod.

    >>> from kubesched.builders import pod
    >>> peers_of = peers_in_annotation("example.com/talks-to")
    >>> talks_to = '[{"labelSelector": {"matchLabels": {"app": "db"}}, "weight": 3}]'
    >>> web = pod("web-1", annotations={"example.com/talks-to": talks_to})
    >>> [int(peer.weight) for peer in peers_of(web)]
    [3]
    """

    def peers_of(pod: Pod, /) -> Iterable[Peer]:
        text = pod.annotations.get(annotation)
        if text is None:
            return ()
        try:
            return _peers_in(text)
        except (KubeschedError, ValueError, RecursionError) as error:
            raise OptionError(f"annotation {annotation!r} of pod {pod.key}: {error}") from error

    return peers_of


@lru_cache(maxsize=4096)
def _peers_in(text: str) -> tuple[Peer, ...]:
    listed = json.loads(text)
    if not isinstance(listed, list):
        raise OptionError(f"{listed!r} is not a list of peers")
    return tuple(_peer(f"[{index}]", each) for index, each in enumerate(listed))


def _peer(where: str, entry: Any) -> Peer:
    if not isinstance(entry, dict) or "labelSelector" not in entry or entry.keys() - _MEMBERS:
        raise OptionError(
            f"{where} is {entry!r}, expected labelSelector and, if need be, weight and namespace"
        )
    namespace = entry.get("namespace")
    if not isinstance(namespace, str | None):
        raise OptionError(f"{where}.namespace is {namespace!r}, expected a text")
    return Peer(
        read_wire(LabelSelector, entry["labelSelector"], f"{where}.labelSelector"),
        exact(entry.get("weight", 1), f"{where}.weight"),
        namespace=namespace,
    )
