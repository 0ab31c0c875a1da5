"""What is sent to an extender: the body of each verb's request, to the byte.

The keys at the top are those of Go's own types, capitalised; what is not used is null.

Source: kubernetes v1.12.2, pkg/scheduler/core/extender.go (Filter, Prioritize, ProcessPreemption,
Bind), pkg/scheduler/api/types.go.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from kubesched.framework import Victims
from kubesched.model import Binding, Pod
from kubesched.plugins.http_extender.objects import go_json, plain
from kubesched.state import NodeInfo


def about_nodes(pod: Pod, nodes: Sequence[NodeInfo], *, by_name: bool) -> bytes:
    """Write the request to filter or to score nodes.

    >>> from kubesched.builders import pod
    >>> about_nodes(pod("web-1"), [], by_name=True)[-30:]
    b'},"Nodes":null,"NodeNames":[]}'
    """
    items = None if by_name else [plain(info.node) for info in nodes] or None
    return go_json(
        {
            "Pod": plain(pod),
            "Nodes": None if by_name else {"metadata": {}, "items": items},
            "NodeNames": [info.name for info in nodes] if by_name else None,
        }
    )


def about_victims(pod: Pod, victims: Mapping[str, Victims], *, by_name: bool) -> bytes:
    """Write the request to choose victims; by name, the original loses how many are protected."""
    write = _meta_victims if by_name else _victims
    each = {name: write(victims[name]) for name in sorted(victims)}
    return go_json(
        {
            "Pod": plain(pod),
            "NodeNameToVictims": None if by_name else each,
            "NodeNameToMetaVictims": each if by_name else None,
        }
    )


def _victims(victims: Victims) -> dict[str, Any]:
    pods = [plain(pod) for pod in victims.pods] or None
    return {"Pods": pods, "NumPDBViolations": victims.num_pdb_violations}


def _meta_victims(victims: Victims) -> dict[str, Any]:
    return {"Pods": [{"UID": pod.uid} for pod in victims.pods], "NumPDBViolations": 0}


def about_binding(binding: Binding) -> bytes:
    """Write the request to bind a pod.

    >>> from kubesched.builders import pod
    >>> about_binding(Binding.of(pod("web-1"), "worker-1"))
    b'{"PodName":"web-1","PodNamespace":"default","PodUID":"","Node":"worker-1"}'
    """
    return go_json(
        {
            "PodName": binding.name,
            "PodNamespace": binding.namespace,
            "PodUID": binding.uid,
            "Node": binding.target.name,
        }
    )
