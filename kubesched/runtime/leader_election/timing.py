"""How long a lease is good for, and how often it is renewed."""

from math import isfinite
from typing import Final

from attrs import frozen

from kubesched.errors import OptionError

JITTER_FACTOR: Final = 1.2
"""How many times the retry period a candidate waits longer at most.

Source: kubernetes v1.12.2, staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go,
JitterFactor.
"""


@frozen(kw_only=True)
class ElectionTiming:
    """The times of an election, in seconds.

    Clocks of candidates may show anything, but should run alike: what is tolerated is that one runs
    `lease_duration / renew_deadline` times as fast as another.

    Attributes:
        lease_duration: for how long after a renewal nobody else may lead.
        renew_deadline: how long after its last renewal a leader stops leading; below
            `lease_duration`.
        retry_period: the time between two attempts to acquire or to renew; `renew_deadline` is
            above 1.2 times that.

    >>> ElectionTiming()
    ElectionTiming(lease_duration=15.0, renew_deadline=10.0, retry_period=2.0)
    >>> ElectionTiming(renew_deadline=20.0)
    Traceback (most recent call last):
        ...
    kubesched.errors.OptionError: lease_duration (15.0 s) must be above renew_deadline (20.0 s)

    Source: kubernetes v1.12.2, staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go,
    NewLeaderElector; pkg/client/leaderelectionconfig/config.go, the defaults.

    Raises:
        OptionError: the times are not as described, not finite or not above 0.
    """

    lease_duration: float = 15.0
    renew_deadline: float = 10.0
    retry_period: float = 2.0

    def __attrs_post_init__(self) -> None:
        """Check the times one by one, then against each other."""
        for name in ("lease_duration", "renew_deadline", "retry_period"):
            seconds = getattr(self, name)
            if not (seconds > 0 and isfinite(seconds)):
                raise OptionError(f"{name} must be above 0 s and finite, not {seconds!r}")
        self._check_above("lease_duration", self.lease_duration, "renew_deadline", 1.0)
        self._check_above("renew_deadline", self.renew_deadline, "retry_period", JITTER_FACTOR)

    def _check_above(self, name: str, seconds: float, other: str, factor: float) -> None:
        least = getattr(self, other)
        if not seconds > least * factor:
            times = "" if factor == 1 else f"{factor} times "
            raise OptionError(f"{name} ({seconds} s) must be above {times}{other} ({least} s)")
