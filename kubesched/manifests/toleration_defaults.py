"""The tolerations that every pod gets."""

from kubesched.manifests.filling import filled
from kubesched.model import Pod, Toleration

_TAINTS = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_SECONDS = 300


def tolerating(pod: Pod) -> Pod:
    """Let a pod stay for five minutes on a node that is not ready or not reachable.

    Source: kubernetes v1.12.2, plugin/pkg/admission/defaulttolerationseconds/admission.go, Admit
    """
    added = tuple(_toleration_of(taint) for taint in _TAINTS if not _tolerates(pod, taint))
    return filled(pod, spec=filled(pod.spec, tolerations=pod.spec.tolerations + added))


def _tolerates(pod: Pod, taint: str) -> bool:
    return any(
        one.key in {"", taint} and one.effect in {"", "NoExecute"} for one in pod.spec.tolerations
    )


def _toleration_of(taint: str) -> Toleration:
    return Toleration(key=taint, operator="Exists", effect="NoExecute", toleration_seconds=_SECONDS)
