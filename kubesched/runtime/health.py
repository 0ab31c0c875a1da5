"""Whether a scheduler is well, as an answer that any web framework can give.

Source: kubernetes v1.12.2, staging/src/k8s.io/apiserver/pkg/server/healthz/healthz.go
(handleRootHealthz).
"""

from collections.abc import Callable, Collection, Mapping
from logging import getLogger
from typing import Final, NamedTuple, TypeAlias

_LOGGER: Final = getLogger("kubesched.runtime")

HealthCheck: TypeAlias = Callable[[], object]
"""Returns, whatever it likes, if all is well, and raises if not."""


class Health(NamedTuple):
    """What to answer somebody who asks.

    Attributes:
        status: the status code of HTTP: 200 if all is well, else 500.
        text: the body, as plain text.
    """

    status: int
    text: str


def healthz(
    checks: Mapping[str, HealthCheck], *, exclude: Collection[str] = (), verbose: bool = False
) -> Health:
    """Run checks, all of them, and return what to answer.

    What is wrong stands in the log alone: whoever may ask need not be told.

    Args:
        checks: the checks by name.
        exclude: names of checks that are passed over, and taken as good.
        verbose: whether to answer check by check even if all is well.

    >>> def leads() -> None:
    ...     raise TimeoutError("the lease has not been renewed for 20 s")
    >>> healthz({"ping": bool})
    Health(status=200, text='ok')
    >>> status, text = healthz({"ping": bool, "leaderElection": leads})
    >>> print(status, text, end="")
    500 [+]ping ok
    [-]leaderElection failed: reason withheld
    healthz check failed
    """
    told = {name: _line(name, check, exclude) for name, check in checks.items()}
    lines = "".join(f"{line}\n" for line in told.values())
    if any(line.startswith("[-]") for line in told.values()):
        return Health(500, f"{lines}healthz check failed\n")
    return Health(200, f"{lines}healthz check passed\n" if verbose else "ok")


def _line(name: str, check: HealthCheck, exclude: Collection[str]) -> str:
    if name in exclude:
        return f"[+]{name} excluded: ok"
    try:
        check()
    except Exception as error:  # noqa: BLE001 - whatever it is, the scheduler is not well
        _LOGGER.warning("health check %s failed: %s", name, error, extra={"check": name})
        return f"[-]{name} failed: reason withheld"
    return f"[+]{name} ok"
