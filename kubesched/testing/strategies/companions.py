"""What belongs to the pods and nodes of a cluster: services, controllers, claims, volumes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice, product
from typing import Final, TypeAlias

from attrs import frozen
from hypothesis import strategies as st

from kubesched.builders import pod as plain_pod
from kubesched.model import (
    CSIDriver,
    CSINode,
    CSIStorageCapacity,
    KubeObject,
    Namespace,
    Node,
    ObjectMeta,
    PersistentVolume,
    PersistentVolumeClaim,
    Pod,
    PriorityClass,
    StorageClass,
    VolumeAttachment,
)
from kubesched.testing.strategies.drawing import mostly, some
from kubesched.testing.strategies.metadata import labels
from kubesched.testing.strategies.models import models
from kubesched.testing.strategies.storing import stored_for
from kubesched.testing.strategies.workloads import FINDERS, finder
from kubesched.testing.words import WORDS, Words

Companions: TypeAlias = Callable[
    [Sequence[Node], Sequence[Pod]], st.SearchStrategy[tuple[KubeObject, ...]]
]
"""Draws what belongs to the nodes and pods of a cluster."""

_OTHERS: Final[tuple[type[KubeObject], ...]] = (
    Namespace,
    PriorityClass,
    PersistentVolumeClaim,
    PersistentVolume,
    StorageClass,
    CSINode,
    CSIDriver,
    CSIStorageCapacity,
    VolumeAttachment,
)


def companions(*, words: Words = WORDS) -> Companions:
    """Return what draws the rest of a cluster for its nodes and pods.

    >>> from hypothesis import find
    >>> from kubesched.builders import pod
    >>> around = companions()([], [pod("p1", labels={"app": "b"})])
    >>> find(around, bool)[0].spec.selector
    {'app': 'b'}
    """
    services = product(FINDERS[:1], words.service_names)
    named = [*services, *product(FINDERS[1:], words.service_names[:1])]
    finders = st.dictionaries(st.sampled_from(named), _searches(words), max_size=2)
    stored = stored_for(words)
    none: st.SearchStrategy[list[type[KubeObject]]] = st.builds(list)
    kinds = mostly(none, some(_OTHERS, least=1, most=2), one_in=4)
    others = {kind: models(kind, words=words) for kind in _OTHERS}

    @st.composite
    def draw_companions(
        draw: st.DrawFn, _nodes: Sequence[Node], pods: Sequence[Pod]
    ) -> tuple[KubeObject, ...]:
        found_by = [it.made(kind, name, pods) for (kind, name), it in draw(finders).items()]
        claims = dict.fromkeys(key for pod in pods for key in pod.claim_keys)
        rest = [draw(others[kind]) for kind in draw(kinds)]
        return _each_once([*found_by, *draw(stored(tuple(claims))), *rest])

    return draw_companions


@frozen
class _Search:
    """What something that finds pods looks for.

    Attributes:
        where: the pod that it is about, counted round and round.
        without: how many of that pod's labels are left out, from the end; one always stays.
        instead: the labels that are looked for instead; None for that pod's own.
    """

    where: int
    without: int
    instead: Mapping[str, str] | None

    def subject(self, pods: Sequence[Pod]) -> Pod | None:
        """Return the pod that it is about, one with labels if there is one."""
        labelled = [pod for pod in pods if pod.labels] or pods
        return labelled[self.where % len(labelled)] if labelled else None

    def made(self, kind: type[KubeObject], name: str, pods: Sequence[Pod]) -> KubeObject:
        """Return an object of this kind and name that looks for it."""
        pod = self.subject(pods) or _NOBODY
        its = dict(islice(pod.labels.items(), max(len(pod.labels) - self.without, 1)))
        metadata = ObjectMeta(name=name, namespace=pod.namespace)
        return finder(kind, metadata, its if self.instead is None else self.instead)


_NOBODY: Final = plain_pod("nobody")


def _searches(words: Words) -> st.SearchStrategy[_Search]:
    return st.builds(
        _Search,
        where=st.integers(0, 7),
        without=st.sampled_from([0, 0, 1]),
        instead=mostly(st.none(), labels(words=words), one_in=4),
    )


def _each_once(objects: Iterable[KubeObject]) -> tuple[KubeObject, ...]:
    """Leave out what has the kind and the key of something before it."""
    known: dict[tuple[type[KubeObject], str], KubeObject] = {}
    for each in objects:
        known.setdefault((type(each), each.key), each)
    return tuple(known.values())
