"""Whether whoever should renew the lease is stuck.

Source: kubernetes v1.13.0, staging/src/k8s.io/client-go/tools/leaderelection/healthzadaptor.go.
"""

from typing import ClassVar

from attrs import define, field

from kubesched.errors import KubeschedError
from kubesched.runtime.leader_election.elector import LeaderElector


class LeaseOverdueError(KubeschedError):
    """A leader's lease is over, and it has not even stopped leading: its steps are not made.

    Attributes:
        identity: the leader's.
        seconds: for how long the lease has been over.
    """

    def __init__(self, identity: str, seconds: float) -> None:
        """Say who it is and for how long."""
        super().__init__(f"{identity!r} has not renewed its lease, over for {seconds:g} s")
        self.identity = identity
        self.seconds = seconds


@define(eq=False)
class LeaderHealth:
    """A health check that may be there before there is an elector; without one all is well.

    Attributes:
        name: what the check is called.
        tolerance: for how many seconds a lease may be over.

    >>> health = LeaderHealth()
    >>> health.check()

    Source: kubernetes v1.13.0, staging/src/k8s.io/client-go/tools/leaderelection/
    healthzadaptor.go, HealthzAdaptor; cmd/kube-scheduler/app/server.go, the 20 s.
    """

    name: ClassVar[str] = "leaderElection"

    tolerance: float = 20.0
    _elector: LeaderElector | None = field(default=None, init=False)

    def watch(self, elector: LeaderElector) -> None:
        """Check this elector from now on."""
        self._elector = elector

    def check(self) -> None:
        """Do nothing if all is well; a candidate that does not lead always is.

        Raises:
            LeaseOverdueError: the lease has been over for longer than is tolerated.
        """
        elector = self._elector
        if elector is not None and (seconds := elector.seconds_overdue) > self.tolerance:
            raise LeaseOverdueError(elector.identity, seconds)
