"""Nodes, in all the states they can be in."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st

from kubesched import builders
from kubesched.builders import Amount
from kubesched.model import Node, Taint
from kubesched.plugins.avoid_pods import PREFER_AVOID_PODS
from kubesched.plugins.volumes.kinds import AZURE_DISK, EBS, GCE_PD
from kubesched.quantity import Quantity
from kubesched.testing.strategies.drawing import Drawn, made, mostly, said
from kubesched.testing.strategies.metadata import UIDS, labels as usual_labels
from kubesched.testing.strategies.quantities import resource_lists, usual_amounts
from kubesched.testing.strategies.selectors import HOST_NAME
from kubesched.testing.strategies.taints import taints as usual_taints
from kubesched.testing.words import WORDS, Words

_COMMON: Final = frozenset({"cpu", "memory", "pods"})
_STATUSES: Final = ("True", "False", "Unknown")
_IMAGE_SIZES: Final = (700 * 2**20, 1, 2**40)
_CPUS: Final = ("1", "2", "4", "8", "16")
_MEMORIES: Final = ("1Gi", "2Gi", "4Gi", "8Gi", "16Gi")
_ROOM_FOR_PODS: Final = (*[110] * 16, 1, 2, 3, 0, None)
_VOLUME_LIMITS: Final = tuple(each.node_limit for each in (EBS, GCE_PD, AZURE_DISK))


def nodes(  # noqa: PLR0913 - each keyword is one field of a manifest
    *,
    name: Drawn[str] = ...,
    cpu: Drawn[Amount | None] = ...,
    memory: Drawn[Amount | None] = ...,
    pods: Drawn[Amount | None] = ...,
    allocatable: Drawn[Mapping[str, Amount]] = ...,
    labels: Drawn[Mapping[str, str]] = ...,
    annotations: Drawn[Mapping[str, str]] = ...,
    zone: Drawn[str] = ...,
    region: Drawn[str] = ...,
    taints: Drawn[Iterable[str | Taint]] = ...,
    unschedulable: Drawn[bool] = ...,
    conditions: Drawn[Mapping[str, str]] = ...,
    images: Drawn[Mapping[str, int]] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[Node]:
    """Draw nodes; each keyword is one of `kubesched.node`, a value or a strategy of values.

    `cpu`, `memory` and `pods` may be None: rarely a node does not say. Whether it has its host name
    as a label and tells its capacity is drawn as well. Other fields are drawn, a few at a time,
    from a small world in which things often meet.

    >>> from hypothesis import find
    >>> find(nodes(), lambda node: True)
    Node(metadata=ObjectMeta(name='n1'),
         status=NodeStatus(allocatable={'cpu': Quantity('1'), 'memory': Quantity('1Gi'),
                                        'pods': Quantity('110')}))
    """
    others = [each for each in words.resources if each not in _COMMON] + [*_VOLUME_LIMITS]
    sizes = st.sampled_from((*_IMAGE_SIZES, *words.numbers))
    return made(
        _node,
        {
            "name": said(name, st.sampled_from(words.node_names)),
            "cpu": said(cpu, _capacities("cpu", _CPUS, words)),
            "memory": said(memory, _capacities("memory", _MEMORIES, words)),
            "pods": said(pods, st.sampled_from(_ROOM_FOR_PODS)),
            "labels": said(labels, usual_labels(words=words)),
            "zone": said(zone, st.sampled_from(("", *words.zones))),
            "is_plain": st.sampled_from([True, False, False, False]),
        },
        {
            "taints": taints,
            "allocatable": allocatable,
            "conditions": conditions,
            "unschedulable": unschedulable,
            "images": images,
            "annotations": annotations,
            "region": region,
        },
        {
            "taints": st.lists(usual_taints(words=words), min_size=1, max_size=2),
            "allocatable": resource_lists(resources=others, max_size=2, words=words),
            "conditions": st.dictionaries(
                st.sampled_from(words.conditions), st.sampled_from(_STATUSES), max_size=2
            ),
            "unschedulable": st.just(True),  # noqa: FBT003 - a value to draw
            "images": st.dictionaries(st.sampled_from(words.images), sizes, max_size=2),
            "annotations": mostly(
                usual_labels(words=words), _avoiding(words.owner_kinds), one_in=4
            ),
            "region": st.sampled_from(words.zones),
        },
    )


def _capacities(
    resource: str, plain: tuple[str, ...], words: Words
) -> st.SearchStrategy[Quantity | None]:
    """Draw what a node has: mostly enough for a pod or two; any amount, or none said at all."""
    usual = usual_amounts(resource, words.numbers)
    enough = [*map(Quantity, plain)] * len(usual)
    return st.sampled_from([*enough, *usual, None])


def _avoiding(kinds: Iterable[str]) -> st.SearchStrategy[dict[str, str]]:
    """Draw the annotation of a node that had rather not have some controller's pods."""
    avoided = [{"kind": kind, "uid": uid} for kind in kinds for uid in UIDS]
    entries = [{"podSignature": {"podController": each}} for each in avoided]
    texts = [json.dumps({"preferAvoidPods": [each]}) for each in entries]
    return st.sampled_from([{PREFER_AVOID_PODS: text} for text in texts])


def _node(*, is_plain: bool, labels: Mapping[str, str], **fields: Any) -> Node:
    """Make a node; a plain one has no label with its host name and does not tell its capacity."""
    node = builders.node(labels=labels, **fields)
    if not is_plain:
        return node
    kept = {key: it for key, it in node.labels.items() if key != HOST_NAME or key in labels}
    return evolve(
        node,
        metadata=evolve(node.metadata, labels=kept),
        status=evolve(node.status, capacity={}),
    )
