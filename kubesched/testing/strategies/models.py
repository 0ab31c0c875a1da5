"""Every model class: those that have strategies of their own, and the others by their fields."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeVar

import attrs
from hypothesis import strategies as st

from kubesched import model
from kubesched.model import KINDS, KubeObject
from kubesched.quantity import Quantity
from kubesched.testing.strategies.containers import container_ports, containers
from kubesched.testing.strategies.drawing import made
from kubesched.testing.strategies.fields import field_values
from kubesched.testing.strategies.metadata import labels, owner_references
from kubesched.testing.strategies.nodes import nodes
from kubesched.testing.strategies.pods import pods
from kubesched.testing.strategies.quantities import quantities
from kubesched.testing.strategies.selectors import (
    affinities,
    label_selector_requirements,
    label_selectors,
    node_affinities,
    node_selector_requirements,
    node_selector_terms,
    node_selectors,
    pod_affinity_terms,
)
from kubesched.testing.strategies.storage import (
    csi_nodes,
    persistent_volume_claims,
    persistent_volumes,
    storage_classes,
)
from kubesched.testing.strategies.taints import taints, tolerations
from kubesched.testing.strategies.volumes import volumes
from kubesched.testing.strategies.workloads import services
from kubesched.testing.words import WORDS, Words

T = TypeVar("T")

_OWN: Final[Mapping[type, Callable[..., st.SearchStrategy[Any]]]] = {
    Quantity: quantities,
    model.Affinity: affinities,
    model.CSINode: csi_nodes,
    model.Container: containers,
    model.ContainerPort: container_ports,
    model.LabelSelector: label_selectors,
    model.LabelSelectorRequirement: label_selector_requirements,
    model.Node: nodes,
    model.NodeAffinity: node_affinities,
    model.NodeSelector: node_selectors,
    model.NodeSelectorRequirement: node_selector_requirements,
    model.NodeSelectorTerm: node_selector_terms,
    model.OwnerReference: owner_references,
    model.PersistentVolume: persistent_volumes,
    model.PersistentVolumeClaim: persistent_volume_claims,
    model.Pod: pods,
    model.PodAffinityTerm: pod_affinity_terms,
    model.Service: services,
    model.StorageClass: storage_classes,
    model.Taint: taints,
    model.Toleration: tolerations,
    model.Volume: volumes,
}

_PART_OF: Final[Mapping[type, tuple[type, str]]] = {
    model.NodeSpec: (model.Node, "spec"),
    model.NodeStatus: (model.Node, "status"),
    model.ObjectMeta: (model.Pod, "metadata"),
    model.PersistentVolumeClaimSpec: (model.PersistentVolumeClaim, "spec"),
    model.PersistentVolumeSpec: (model.PersistentVolume, "spec"),
    model.PodSpec: (model.Pod, "spec"),
    model.ResourceRequirements: (model.Container, "resources"),
    model.ServiceSpec: (model.Service, "spec"),
}
"""Classes that are drawn as a part of another one."""

_NAMES: Final[Mapping[type[KubeObject], str]] = {
    model.CSIDriver: "drivers",
    model.Namespace: "namespaces",
}
"""From which of the words the names of a kind are drawn; of others, from `service_names`."""


def models(kind: type[T], *, words: Words = WORDS) -> st.SearchStrategy[T]:
    """Draw instances of any model class, or quantities, as one would write them.

    Args:
        kind: the class; `KubeObject` stands for every kind that can be in a manifest.
        words: what names, labels and amounts are drawn from.

    >>> from hypothesis import find
    >>> from kubesched.model import PodDisruptionBudget
    >>> find(models(PodDisruptionBudget), lambda budget: budget.spec.selector is not None).key
    'default/s1'
    """
    return _models(kind, words)


def _models(kind: Any, words: Words) -> st.SearchStrategy[Any]:
    if kind is KubeObject:
        return st.one_of([_models(each, words) for each in KINDS])
    if kind in _OWN:
        return _OWN[kind](words=words)
    if kind in _PART_OF:
        whole, part = _PART_OF[kind]
        return _models(whole, words).map(attrgetter(part))
    return _by_fields(kind, words)


@lru_cache(maxsize=256)
def _by_fields(kind: type[Any], words: Words) -> st.SearchStrategy[Any]:
    """Draw what a class cannot be without, and a few other fields."""
    fields = {each.name: each for each in attrs.fields(kind)}
    values = {
        name: field_values(name, each.type, of_class=lambda it: _models(it, words), words=words)
        for name, each in fields.items()
    }
    if issubclass(kind, KubeObject):
        values["metadata"] = _metadata(kind, words)
    needed = [name for name, it in fields.items() if it.metadata.get("keep") or name in _NEEDED]
    always = {name: values[name] for name in needed}
    others = dict.fromkeys((name for name in fields if name not in always), ...)
    return made(kind, always, others, values, most=3)


_NEEDED: Final = frozenset({"metadata", "name"})


def _metadata(kind: type[KubeObject], words: Words) -> st.SearchStrategy[model.ObjectMeta]:
    names = getattr(words, _NAMES.get(kind, "service_names"))
    return st.builds(
        model.ObjectMeta,
        name=st.sampled_from(names),
        namespace=st.sampled_from(words.namespaces if kind.namespaced else ("",)),
        labels=labels(max_size=1, words=words),
    )
