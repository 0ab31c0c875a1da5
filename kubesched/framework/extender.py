"""Somebody else who filters, scores, chooses victims or binds beside the scheduler's own rules.

An extender stands outside the scheduler: it is handed all nodes at once, may take its time and may
fail. Plain functions satisfy the protocols here, and an extender needs only those it has a use for.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/scheduler_interface.go, SchedulerExtender.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from attrs import Attribute, field, frozen

from kubesched.errors import OptionError, SpecError
from kubesched.model import Binding, FrozenMap, Pod
from kubesched.state import NodeInfo


def _pods(pods: Iterable[Pod]) -> tuple[Pod, ...]:
    return tuple(pods)


def _names(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(names)


def _name_set(names: Iterable[str]) -> frozenset[str]:
    return frozenset(names)


def _reasons(reasons: Mapping[str, str]) -> Mapping[str, str]:
    return FrozenMap(reasons)


@frozen
class Victims:
    """The pods that would have to leave a node to make room for another one.

    Attributes:
        pods: the pods; those that are evicted against their disruption budgets come first, and
            within both kinds the most important ones.
        num_pdb_violations: how many are evicted against their budgets.

    Source: kubernetes v1.12.2, pkg/scheduler/api/types.go, Victims.
    """

    pods: tuple[Pod, ...] = field(converter=_pods)
    num_pdb_violations: int = 0


@frozen
class ExtenderFilterResult:
    """Which nodes an extender keeps, and what it has against others.

    Attributes:
        kept: the names of the nodes that are left, in the order in which they go on. Nodes that
            were refused before may be among them: the extender has the last word.
        failed: reasons by node name; a node may be dropped without one.

    Source: kubernetes v1.12.2, pkg/scheduler/api/types.go, ExtenderFilterResult.

    >>> ExtenderFilterResult(["worker-1"], {"worker-2": "no licence left"}).kept
    ('worker-1',)
    """

    kept: tuple[str, ...] = field(converter=_names)
    failed: Mapping[str, str] = field(factory=FrozenMap, converter=_reasons)


class ExtenderFilter(Protocol):
    """Keeps some of the nodes that are left for a pod."""

    def __call__(self, pod: Pod, nodes: Sequence[NodeInfo], /) -> ExtenderFilterResult: ...


class ExtenderPrioritize(Protocol):
    """Scores nodes by name; the scores are added, times the weight, to the nodes' totals.

    They need not lie in any range, and a node that has none gets nothing.
    """

    def __call__(self, pod: Pod, nodes: Sequence[NodeInfo], /) -> Mapping[str, int]: ...


class ExtenderPreempt(Protocol):
    """Says on which nodes which pods are to make room, given what the scheduler would do.

    `victims` are the candidates by node name, `nodes` all nodes that are known. The answer takes
    the candidates' place and may name any known node and any pods on it.
    """

    def __call__(
        self, pod: Pod, victims: Mapping[str, Victims], nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]: ...


class ExtenderBind(Protocol):
    """Binds a pod to a node in the scheduler's place; raises where it cannot."""

    def __call__(self, binding: Binding, /) -> None: ...


_SHAPES: Final[Mapping[str, str]] = {
    "filter": "filter(pod, nodes) -> ExtenderFilterResult",
    "prioritize": "prioritize(pod, nodes) -> {node name: score}",
    "preempt": "preempt(pod, victims, nodes) -> {node name: Victims}",
    "bind": "bind(binding)",
}


def _check_name(_extender: "Extender", _attribute: "Attribute[str]", value: object) -> None:
    if not isinstance(value, str):
        raise SpecError(f"the name of an extender is {value!r}, expected a text")


def _check_callable(extender: "Extender", attribute: "Attribute[Any]", value: object) -> None:
    if value is not None and not callable(value):
        shape = _SHAPES[attribute.name]
        raise SpecError(
            f"{attribute.name} of extender {extender.name!r} is {value!r}, expected {shape}"
        )


def _check_weight(extender: "Extender", _attribute: "Attribute[int]", value: object) -> None:
    if type(value) is not int or value < 1:
        raise OptionError(
            f"the weight of extender {extender.name!r} is {value!r}, expected an integer above 0"
        )


@frozen
class Extender:
    """An extender with its name and what the engine must know of it.

    Extenders are asked one after the other, after the scheduler's own rules. What one of them
    raises, or answers out of shape, is an `ExtenderError` that names it.

    Attributes:
        name: what it is called in errors.
        filter: keeps some of the nodes; without it all are kept.
        prioritize: scores nodes.
        weight: how often its scores count, above 0.
        preempt: has a say in who is evicted.
        bind: binds pods; at most one extender of a profile may.
        managed_resources: if there are any, it is asked only about pods that name one of them.
        ignorable: whether the attempt goes on without it if it fails.
        blocks: whether it waits for something outside (a network), so that threads help.

    Raises:
        SpecError: a callable that is none.
        OptionError: a weight out of range.

    >>> def licensed(pod, nodes):
    ...     return ExtenderFilterResult(node.name for node in nodes if "licence" in node.labels)
    >>> Extender("licences", filter=licensed, ignorable=True).ignorable
    True
    """

    name: str = field(validator=_check_name)
    filter: ExtenderFilter | None = field(default=None, kw_only=True, validator=_check_callable)
    prioritize: ExtenderPrioritize | None = field(
        default=None, kw_only=True, validator=_check_callable
    )
    weight: int = field(default=1, kw_only=True, validator=_check_weight)
    preempt: ExtenderPreempt | None = field(default=None, kw_only=True, validator=_check_callable)
    bind: ExtenderBind | None = field(default=None, kw_only=True, validator=_check_callable)
    managed_resources: frozenset[str] = field(
        default=frozenset(), kw_only=True, converter=_name_set
    )
    ignorable: bool = field(default=False, kw_only=True)
    blocks: bool = field(default=False, kw_only=True)

    def is_interested_in(self, pod: Pod) -> bool:
        """Tell whether it is to be asked about a pod; O(the pod's containers).

        It is where it manages no resources, or a container requests or limits one of them, be it
        to 0.

        Source: kubernetes v1.12.2, pkg/scheduler/core/extender.go, IsInterested.

        >>> from kubesched.builders import pod
        >>> gpus = Extender("gpus", managed_resources={"example.com/gpu"})
        >>> gpus.is_interested_in(pod("web-1", cpu=1))
        False
        """
        managed = self.managed_resources
        return not managed or any(
            not managed.isdisjoint(amounts)
            for container in (*pod.spec.containers, *pod.spec.init_containers)
            for amounts in (container.resources.requests, container.resources.limits)
        )
