"""Whether a pod would fit a node that had other pods."""

from collections.abc import Iterable
from typing import Any

from attrs import define

from kubesched.engine.prepared import Prepared
from kubesched.errors import SpecError
from kubesched.framework import SKIP, Reason, meta_of
from kubesched.model import Pod
from kubesched.state import NodeInfo


@define(eq=False)
class WhatIf:
    """A node of one's own to try things on, and what the predicates would have prepared for it.

    A meta that follows pods is asked what it would be; one that depends on placed pods and cannot
    tell is prepared again.

    Attributes:
        node: the node as it would be.
    """

    _prepared: Prepared
    node: NodeInfo
    _metas: list[Any]
    _is_stale: bool = False

    @classmethod
    def of(cls, prepared: Prepared, node: NodeInfo, without: Iterable[Pod] = ()) -> "WhatIf":
        """Return a node to try things on, less some of its pods; O(its pods)."""
        gone = {pod.key: pod for pod in without}
        if not gone:
            return cls(prepared, node.clone(), list(prepared.metas))
        made = cls(prepared, node.clone_without(gone), list(prepared.metas))
        for pod in gone.values():
            made._follow("remove_pod", pod)
        return made

    def copy(self) -> "WhatIf":
        """Return another one that starts out as this one; O(pods)."""
        return WhatIf(self._prepared, self.node.clone(), list(self._metas), self._is_stale)

    def add_pod(self, pod: Pod) -> None:
        """Put a pod on the node."""
        self.node.add_pod(pod)
        self._follow("add_pod", pod)

    def remove_pod(self, pod: Pod) -> None:
        """Take a pod off the node."""
        self.node.remove_pod(pod)
        self._follow("remove_pod", pod)

    def reasons_against(self) -> tuple[Reason, ...]:
        """Return why the pod would not fit, nothing if it would.

        Raises:
            SpecError: a predicate broke the contract.
            Exception: whatever a predicate raises.
        """
        if self._is_stale:
            self._prepare_again()
        return self._prepared.question(self._metas)(self.node)

    def _follow(self, how: str, pod: Pod) -> None:
        prepared = self._prepared
        for index in prepared.followers:
            meta = getattr(self._metas[index], how)(pod, self.node)
            if type(meta) is not type(self._metas[index]):
                spec = prepared.specs[index]
                raise SpecError(f"{how} of the meta of {spec.name!r} returned {meta!r}, not a meta")
            self._metas[index] = meta
        self._is_stale = bool(prepared.stale_with_pods)

    def _prepare_again(self) -> None:
        prepared = self._prepared
        snapshot = prepared.snapshot.with_node(self.node)
        for index in prepared.stale_with_pods:
            meta = meta_of(prepared.specs[index], prepared.pod, snapshot)
            if meta is SKIP:
                name = prepared.specs[index].name
                raise SpecError(f"prepare of {name!r} returned SKIP, which it did not before")
            self._metas[index] = meta
        self._is_stale = False
