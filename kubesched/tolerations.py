"""Which taints a pod puts up with.

Source: kubernetes v1.12.2, staging/src/k8s.io/api/core/v1/toleration.go (ToleratesTaint),
pkg/apis/core/v1/helper/helpers.go (TolerationsTolerateTaint).
"""

from collections.abc import Iterable

from kubesched.model import Taint, Toleration


def tolerates(toleration: Toleration, taint: Taint) -> bool:
    """Tell whether a toleration covers a taint; an operator that is not known covers none.

    >>> from kubesched.builders import taint, toleration
    >>> tolerates(toleration("dedicated"), taint("dedicated=gpu:NoSchedule"))
    True
    >>> tolerates(toleration("dedicated=web:NoSchedule"), taint("dedicated=gpu:NoSchedule"))
    False
    """
    if toleration.effect and toleration.effect != taint.effect:
        return False
    if toleration.key and toleration.key != taint.key:
        return False
    if toleration.operator in {"", "Equal"}:
        return toleration.value == taint.value
    return toleration.operator == "Exists"


def any_tolerates(tolerations: Iterable[Toleration], taint: Taint) -> bool:
    """Tell whether one of the tolerations covers a taint."""
    return any(tolerates(each, taint) for each in tolerations)
