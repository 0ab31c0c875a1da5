"""Pods: what is to be placed, and what is placed already."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import product
from typing import Any, Final

from attrs import evolve
from hypothesis import strategies as st

from kubesched import builders
from kubesched.builders import Amount
from kubesched.model import Affinity, Container, OwnerReference, Pod, Toleration, Volume
from kubesched.quantity import Quantity
from kubesched.testing.strategies.containers import containers as usual_containers
from kubesched.testing.strategies.drawing import Drawn, made, mostly, said
from kubesched.testing.strategies.metadata import TIMES, labels as usual_labels, owner_references
from kubesched.testing.strategies.selectors import affinities
from kubesched.testing.strategies.taints import tolerations as usual_tolerations
from kubesched.testing.strategies.volumes import volumes as usual_volumes
from kubesched.testing.words import WORDS, Words

_PRIORITIES: Final = (1, 0, -1, 2**31 - 1, -(2**31))


def pod_keys(*, words: Words = WORDS) -> st.SearchStrategy[str]:
    """Draw what pods are called, `namespace/name`.

    >>> from hypothesis import find
    >>> find(pod_keys(), lambda key: key != "default/p1")
    'default/p2'
    """
    return st.sampled_from(all_pod_keys(words))


def all_pod_keys(words: Words) -> tuple[str, ...]:
    """Return the keys that pods may have: few in all but the first two namespaces.

    >>> all_pod_keys(WORDS)[:2]
    ('default/p1', 'default/p2')
    """
    usual = product(words.namespaces[:2], words.pod_names)
    others = product(words.namespaces[2:], words.pod_names[:1])
    return tuple("/".join(each) for each in (*usual, *others))


def pods(  # noqa: PLR0913 - each keyword is one field of a manifest
    *,
    name: Drawn[str] = ...,
    cpu: Drawn[Amount | None] = ...,
    memory: Drawn[Amount | None] = ...,
    requests: Drawn[Mapping[str, Amount]] = ...,
    limits: Drawn[Mapping[str, Amount]] = ...,
    image: Drawn[str] = ...,
    host_ports: Drawn[Iterable[str | int]] = ...,
    containers: Drawn[Iterable[Container]] = ...,
    init_containers: Drawn[Iterable[Container]] = ...,
    labels: Drawn[Mapping[str, str]] = ...,
    annotations: Drawn[Mapping[str, str]] = ...,
    owner: Drawn[OwnerReference | None] = ...,
    node_name: Drawn[str] = "",
    node_selector: Drawn[Mapping[str, str]] = ...,
    affinity: Drawn[Affinity | None] = ...,
    tolerations: Drawn[Iterable[str | Toleration]] = ...,
    volumes: Drawn[Iterable[Volume]] = ...,
    priority: Drawn[int | None] = ...,
    scheduler_name: Drawn[str] = "",
    phase: Drawn[str] = "",
    created: Drawn[datetime | None] = ...,
    words: Words = WORDS,
) -> st.SearchStrategy[Pod]:
    """Draw pods; each keyword is one of `kubesched.pod`, a value or a strategy of values.

    `cpu` to `host_ports` are those of each container, unless there are `containers`. Pods wait for
    a node, and for the default scheduler, if nothing else is said; with `...` for `node_name`,
    `scheduler_name` or `phase` that is drawn, too. Other fields are drawn, a few at a time, from a
    small world in which things often meet. Shrinks to a pod that asks for nothing.

    >>> from hypothesis import find
    >>> find(pods(), lambda pod: pod.spec.containers[0].resources.requests)
    Pod(metadata=ObjectMeta(name='p1', namespace='default'),
        spec=PodSpec(containers=(Container(name='main',
            resources=ResourceRequirements(requests={'cpu': Quantity('1')})),)))
    """
    one = usual_containers(
        cpu=cpu,
        memory=memory,
        requests=requests,
        limits=limits,
        image=image,
        host_ports=host_ports,
        words=words,
    )
    any_labels = usual_labels(words=words)
    return made(
        _pod,
        {
            "name": said(name, pod_keys(words=words)),
            "containers": said(containers, _several(one)),
            "labels": said(labels, any_labels),
            "node_name": said(node_name, st.sampled_from(words.node_names)),
            "scheduler_name": said(scheduler_name, st.sampled_from(words.scheduler_names)),
            "phase": said(phase, st.sampled_from(["Pending", "Running"])),
        },
        {
            "tolerations": tolerations,
            "affinity": affinity,
            "volumes": volumes,
            "priority": priority,
            "node_selector": node_selector,
            "owner": owner,
            "init_containers": init_containers,
            "annotations": annotations,
            "created": created,
            "rest": ...,
        },
        {
            "tolerations": st.lists(usual_tolerations(words=words), min_size=1, max_size=2),
            "affinity": affinities(words=words),
            "volumes": st.lists(usual_volumes(words=words), min_size=1, max_size=2),
            "priority": st.sampled_from(_PRIORITIES),
            "node_selector": usual_labels(max_size=1, words=words),
            "owner": owner_references(words=words),
            "init_containers": st.lists(one, min_size=1, max_size=1),
            "annotations": any_labels,
            "created": st.sampled_from(TIMES),
            "rest": st.sampled_from(_RESTS),
        },
        most=6,
    )


_RESTS: Final[tuple[Mapping[str, Any], ...]] = (
    {"host_network": True},
    {"overhead": {"cpu": Quantity("100m")}},
    {"preemption_policy": "Never"},
    {"service_account_name": "default"},
)
"""What has no keyword of its own."""


def _several(one: st.SearchStrategy[Container]) -> st.SearchStrategy[list[Container]]:
    """Draw a container or two, rarely none at all."""
    nothing: st.SearchStrategy[list[Container]] = st.builds(list)
    return mostly(st.lists(one, min_size=1, max_size=2), nothing, one_in=16)


def _pod(
    *, containers: Iterable[Container], rest: Mapping[str, Any] | None = None, **fields: Any
) -> Pod:
    pod = builders.pod(containers=_named_apart(containers), **fields)
    return evolve(pod, spec=evolve(pod.spec, **rest)) if rest else pod


def _named_apart(containers: Iterable[Container]) -> list[Container]:
    """Give the second and all further containers of a name a number."""
    names: Counter[str] = Counter()
    apart = []
    for each in containers:
        names[each.name] += 1
        number = names[each.name]
        apart.append(each if number == 1 else evolve(each, name=f"{each.name}-{number}"))
    return apart
