"""A binder that is asked to bind all kinds of pods, some of which cannot be bound."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import ClassVar, Final, TypeAlias

from attrs import evolve
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from kubesched.builders import node as make_node, pod as make_pod
from kubesched.model import Binding, Pod, PodStatus
from kubesched.runtime import Binder
from kubesched.state import Cluster
from kubesched.testing.machines.promises import Promise, PromiseMachine

BINDS: Final = Promise("binds", "A pod that can be bound is, to the node that the binding names.")
REFUSES: Final = Promise("refuses", "What is not bound in the end is an error.")
UNTOUCHED: Final = Promise("untouched", "No other pod is touched, nor anything else of this one.")

NODES: Final = ("n1", "n2", "n3")
_NAMES: Final = ("a", "b", "c")
_SINCE: Final = datetime(2024, 1, 1, tzinfo=UTC)

Pods: TypeAlias = Mapping[str, Pod]

_made: Final = st.runner().flatmap(lambda machine: st.sampled_from(sorted(machine.made)))
_there: Final = st.runner().flatmap(lambda machine: st.sampled_from(sorted(machine.pods())))


class BinderMachine(PromiseMachine):
    """Create, delete and bind pods, and see each time what has become of all of them.

    Override `make_binder`. If your binder does not bind in the cluster that it is given, but
    somewhere else, also override `create`, `change`, `delete` and `pods`, which work there.

    >>> from kubesched.runtime import InMemoryBinder
    >>> class MyBinderMachine(BinderMachine):
    ...     def make_binder(self, cluster):
    ...         return InMemoryBinder(cluster)
    >>> TestMyBinder = MyBinderMachine.TestCase

    Attributes:
        cluster: three nodes, and the pods.
        binder: the binder.
        made: all pods that ever were, by UID, as they were new.
    """

    promises: ClassVar[tuple[Promise, ...]] = (BINDS, REFUSES, UNTOUCHED)

    def __init__(self) -> None:
        """Make the cluster and the binder."""
        super().__init__()
        self.cluster = Cluster.of(make_node(name) for name in NODES)
        self.binder = self.make_binder(self.cluster)
        self.whose = type(self.binder).__name__
        self.made: dict[str, Pod] = {}

    # -- what to override ----------------------------------------------------------------------

    def make_binder(self, cluster: Cluster) -> Binder:
        """Return a new binder, that binds in this cluster."""
        raise NotImplementedError("override make_binder, and return a binder for the cluster")

    def create(self, pod: Pod) -> None:
        """Create a pod where the binder works."""
        self.cluster.add_pod(pod)

    def change(self, pod: Pod) -> None:
        """Put a pod in place of the one of the same name."""
        self.cluster.update_pod(pod)

    def delete(self, pod: Pod) -> None:
        """Delete a pod."""
        if self.cluster.is_assumed(pod):
            self.cluster.forget(pod)
        self.cluster.remove_pod(pod)

    def pods(self) -> Pods:
        """Return all pods by key, as they are now where the binder works."""
        return dict(self.cluster.pods)

    # -- pods ----------------------------------------------------------------------------------

    @rule(name=st.sampled_from(_NAMES), labels=st.sampled_from([{}, {"app": "web"}]))
    def create_pod(self, name: str, labels: Mapping[str, str]) -> None:
        """A pod is created, unless there is one of its name; it is not the one that was before."""
        if make_pod(name).key in self.pods():
            return
        made = make_pod(name, cpu=1, labels=labels)
        uid = f"{name}-{len(self.made) + 1}"
        made = evolve(made, metadata=evolve(made.metadata, uid=uid))
        self.made[uid] = made
        self.create(made)

    @precondition(lambda self: self.pods())
    @rule(key=_there)
    def delete_pod(self, key: str) -> None:
        """A pod is deleted, and is gone."""
        self.delete(self.pods()[key])

    @precondition(lambda self: self.pods())
    @rule(key=_there)
    def begin_to_delete_pod(self, key: str) -> None:
        """A pod is deleted, and will be gone."""
        pod = self.pods()[key]
        if not self.cluster.is_assumed(pod):
            self.change(evolve(pod, metadata=evolve(pod.metadata, deletion_timestamp=_SINCE)))

    @precondition(lambda self: self.pods())
    @rule(key=_there, node_name=st.sampled_from(NODES))
    def assume_pod(self, key: str, node_name: str) -> None:
        """A scheduler assumes a pod that waits, as it does before it has one bound."""
        pod = self.cluster.pods.get(key)
        if pod is not None and not pod.node_name:
            self.cluster.assume(pod, node_name)

    # -- bindings ------------------------------------------------------------------------------

    @precondition(lambda self: self.made)
    @rule(uid=_made, node_name=st.sampled_from(NODES))
    def bind(self, uid: str, node_name: str) -> None:
        """A pod is to be bound; it may be gone, or on a node already."""
        before, binding = self.pods(), Binding.of(self.made[uid], node_name)
        why_not = self._why_not(before.get(binding.key), binding)
        try:
            self.binder.bind(binding)
        except Exception as error:  # noqa: BLE001 - a binder may raise what it likes
            if not why_not:
                self.complain(
                    BINDS, f"{_told(binding)} raised {error!r}, though nothing forbids it"
                )
            self._look_at_all(before, self.pods(), binding)
        else:
            if why_not and not self._is_there_already(before, binding):
                self.complain(REFUSES, f"{_told(binding)} raised nothing, though the pod {why_not}")
            else:
                self._look_at_bound(before, self.pods(), binding)

    def _why_not(self, pod: Pod | None, binding: Binding) -> str:
        if pod is None:
            return "is not there"
        if pod.uid != binding.uid:
            return "is another one of the same name"
        if pod.is_terminating:
            return "is being deleted"
        if pod.node_name and not self.cluster.is_assumed(pod):
            return f"is bound to {pod.node_name} already"
        return ""

    def _is_there_already(self, before: Pods, binding: Binding) -> bool:
        """Tell whether a pod is bound already, as it should be: that is no reason to complain."""
        pod = before.get(binding.key)
        if pod is None or self.cluster.is_assumed(pod):
            return False
        return (pod.uid, pod.node_name) == (binding.uid, binding.target.name)

    def _look_at_bound(self, before: Pods, after: Pods, binding: Binding) -> None:
        pod = after.get(binding.key)
        where = pod.node_name if pod is not None else None
        if pod is None or where != binding.target.name or self.cluster.is_assumed(pod):
            is_bound = where and not (pod and self.cluster.is_assumed(pod))
            seen = f"the pod is on node {where}" if is_bound else "the pod is not bound"
            self.complain(BINDS, f"{_told(binding)} raised nothing, but {seen}")
        elif _apart_from_binding(pod) != _apart_from_binding(before[binding.key]):
            self.complain(
                UNTOUCHED,
                f"{_told(binding)} made {before[binding.key]!r} into {pod!r}",
            )
        rest = {key: each for key, each in before.items() if key != binding.key}
        self._look_at_all(rest, {k: it for k, it in after.items() if k != binding.key}, binding)

    def _look_at_all(self, before: Pods, after: Pods, binding: Binding) -> None:
        """See that pods are as they were."""
        for key in sorted({*before, *after}):
            old, new = before.get(key), after.get(key)
            if old != new:
                self.complain(UNTOUCHED, f"{_told(binding)} made {old!r} into {new!r}")


def _told(binding: Binding) -> str:
    return f"binding {binding.key} ({binding.uid}) to {binding.target.name}"


def _apart_from_binding(pod: Pod) -> Pod:
    """Return a pod without what the binding may change: its node, its status, its version."""
    metadata = evolve(pod.metadata, resource_version="", generation=0)
    return evolve(pod.bound_to(""), metadata=metadata, status=PodStatus())
