"""What stands behind the claims that pods mount."""

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Final, TypeAlias

from attrs import evolve
from hypothesis import strategies as st

from kubesched.model import (
    KubeObject,
    ObjectReference,
    PersistentVolume,
    PersistentVolumeClaim,
)
from kubesched.testing.strategies.drawing import enough
from kubesched.testing.strategies.storage import (
    persistent_volume_claims,
    persistent_volumes,
    storage_classes,
)
from kubesched.testing.words import Words

StoredFor: TypeAlias = Callable[[Sequence[str]], st.SearchStrategy[list[KubeObject]]]
"""Draws what stands behind claims, which are given by their keys."""


class _Fate(Enum):
    """What has become of a claim."""

    BOUND = "it has its volume"
    WAITING = "it waits, and there is a volume that is free"
    NOTHING_FREE = "it waits, and there is none"
    LOST = "its volume does not exist"
    MISSING = "it does not exist itself"


_FATES: Final = (*[_Fate.BOUND] * 4, *[_Fate.WAITING] * 2, *[*_Fate][2:])


def stored_for(words: Words) -> StoredFor:
    """Return what draws claims, and their volumes and classes, most of which exist."""
    fates = st.sampled_from(_FATES)
    bound = persistent_volume_claims(volume_name=words.volume_names[0], words=words)
    waiting = persistent_volume_claims(volume_name="", words=words)
    volumes = persistent_volumes(claim="", words=words)
    classes = {name: storage_classes(name=name, words=words) for name in words.storage_classes}

    @st.composite
    def draw_behind(draw: st.DrawFn, key: str, volume_name: str) -> list[KubeObject]:
        fate = draw(fates)
        if fate is _Fate.MISSING:
            return []
        is_bound = fate in {_Fate.BOUND, _Fate.LOST}
        claim = _claim(draw(bound if is_bound else waiting), key, volume_name)
        if fate in {_Fate.LOST, _Fate.NOTHING_FREE}:
            return [claim]
        return [claim, _volume(draw(volumes), volume_name, claim)]

    @st.composite
    def draw_stored(draw: st.DrawFn, keys: Sequence[str]) -> list[KubeObject]:
        names = enough(words.volume_names, len(keys))
        made = [
            each for pair in zip(keys, names, strict=False) for each in draw(draw_behind(*pair))
        ]
        return [*made, *(draw(classes[name]) for name in _classes_of(made) if name in classes)]

    return draw_stored


def _claim(claim: PersistentVolumeClaim, key: str, volume_name: str) -> PersistentVolumeClaim:
    namespace, _, name = key.rpartition("/")
    spec = claim.spec
    return evolve(
        claim,
        metadata=evolve(claim.metadata, namespace=namespace, name=name),
        spec=evolve(spec, volume_name=volume_name) if spec.volume_name else spec,
    )


def _volume(volume: PersistentVolume, name: str, claim: PersistentVolumeClaim) -> PersistentVolume:
    """Give a volume its name, the class of the claim and, if it is bound to it, the claim."""
    spec = evolve(volume.spec, storage_class_name=claim.spec.storage_class_name or "")
    status = volume.status
    if claim.spec.volume_name:
        reference = ObjectReference(namespace=claim.namespace, name=claim.name)
        spec, status = evolve(spec, claim_ref=reference), evolve(status, phase="Bound")
    return evolve(volume, metadata=evolve(volume.metadata, name=name), spec=spec, status=status)


def _classes_of(objects: Sequence[KubeObject]) -> Iterator[str]:
    """Go over the names of the classes that claims name."""
    claims = (each for each in objects if isinstance(each, PersistentVolumeClaim))
    names = (each.spec.storage_class_name for each in claims)
    return iter(dict.fromkeys(name for name in names if name))
