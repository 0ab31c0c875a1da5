"""No binding by the right of a term that is over."""

from attrs import frozen

from kubesched.model import Binding
from kubesched.runtime.binder import Binder
from kubesched.runtime.leader_election.elector import LeaderElector
from kubesched.runtime.leader_election.term import Term


@frozen
class FencedBinder:
    """A binder for one term of a leader: it refuses to bind once the term is over.

    A leader decides, and binds later, in another thread; meanwhile it may have been deposed. So the
    lock is asked for the token right before each binding. What is left is the time that the binding
    itself takes: it should end within `lease_duration - renew_deadline`.

    Attributes:
        binder: who binds.
        elector: who led when the term began.
        term: the term, as `on_started_leading` got it.

    Every method may be called from any thread, if the binder's may.
    """

    binder: Binder
    elector: LeaderElector
    term: Term

    def bind(self, binding: Binding, /) -> None:
        """Bind, unless the term is over.

        Raises:
            DeposedError: the term is over; nothing was bound.
            Exception: the lock cannot be read, or the binder cannot bind.
        """
        self.elector.confirm(self.term)
        self.binder.bind(binding)
