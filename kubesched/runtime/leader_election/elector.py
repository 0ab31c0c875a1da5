"""One leader among several schedulers, by a lease that it renews.

A candidate that has not seen the lease change for as long as the lease is good for takes it. A
leader that cannot renew it stops leading before anybody may take it. Times in the record count for
nothing: each goes by its own clock and by when it saw the record change.

That keeps two from leading at once as long as clocks run alike. Where they do not, or a process
sleeps in the middle of its work, it is the token of the term that tells a late leader from the new
one: `LeaderElector.confirm` asks for it.

Source: kubernetes v1.12.2, staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go;
release as in v1.14.0.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from logging import getLogger
from threading import Condition, Event, RLock
from typing import Final

from attrs import define, field, frozen

from kubesched.errors import OptionError
from kubesched.runtime.clock import Clock, RealClock
from kubesched.runtime.leader_election.callbacks import LeaderCallbacks
from kubesched.runtime.leader_election.candidacy import Candidacy
from kubesched.runtime.leader_election.lease_lock import LeaseLock
from kubesched.runtime.leader_election.term import DeposedError, Term
from kubesched.runtime.leader_election.timing import JITTER_FACTOR, ElectionTiming

_LOGGER: Final = getLogger("kubesched.runtime")


def _no_jitter() -> float:
    return 0.0


@frozen
class _Leadership:
    """The own term, and when the last renewal that went well was begun, by the own clock."""

    term: Term
    renewed_at: float


@define(eq=False, kw_only=True)
class LeaderElector:
    """A candidate for leadership, and the leader if it wins.

    `step` makes one attempt to acquire or to renew; `run` makes them in time.

    Attributes:
        lock: what all candidates compete for.
        identity: who this is. No two candidates may have the same.
        clock: tells the time; each candidate may have its own, and they need not agree.
        timing: how long the lease is good for, and how often it is renewed.
        callbacks: what is called when leadership changes.
        release_on_stop: whether `run` gives the lease back when it returns, so that somebody else
            can take it at once.
        jitter: returns a number in 0..1, by how much of 1.2 retry periods a candidate's wait is
            longer; `random.Random(seed).random`, for example. Without it nothing is added.

    >>> from kubesched.runtime.clock import ManualClock
    >>> from kubesched.runtime.leader_election.lease_lock import InMemoryLeaseLock
    >>> lock, clock = InMemoryLeaseLock(), ManualClock()
    >>> a, b = (LeaderElector(lock=lock, identity=name, clock=clock) for name in "ab")
    >>> a.step(), b.step()
    (True, False)
    >>> clock.advance(15)
    >>> b.step(), a.step()
    (True, False)
    >>> b.term
    Term(identity='b', token=1)

    Differs: the original renews until its deadline after the next period, which is up to 12 s after
    the last renewal; here it is 10 s. The record says for how long the lease is good, as in later
    releases, not the candidate's own settings. A term begins with a new token even if the same
    identity led before. A lease with the own identity that this elector has not written is somebody
    else's. A lease that vanishes ends the term.

    Raises:
        OptionError: the identity is empty.
    """

    lock: LeaseLock
    identity: str
    clock: Clock = field(factory=RealClock)
    timing: ElectionTiming = field(factory=ElectionTiming)
    callbacks: LeaderCallbacks = field(factory=LeaderCallbacks)
    release_on_stop: bool = False
    jitter: Callable[[], float] = _no_jitter
    _leadership: _Leadership | None = field(default=None, init=False)
    _candidacy: Candidacy = field(init=False, repr=False)
    _terms_ended: int = field(default=0, init=False, repr=False)
    _reported_leader: str = field(default="", init=False, repr=False)
    _failure: Exception | None = field(default=None, init=False, repr=False)
    _next_step_at: float = field(init=False, repr=False)
    # Held during a step and its callbacks. Questions do not take it: what a callback waits for may
    # still ask whether this leads.
    _step_lock: RLock = field(factory=RLock, init=False, repr=False)
    _woken: Condition = field(factory=Condition, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Refuse an empty identity, which in a lease means nobody."""
        if not self.identity:
            raise OptionError("a candidate needs an identity that is not empty")
        duration = self.timing.lease_duration
        self._candidacy = Candidacy(self.lock, self.identity, self.clock, duration)
        self._next_step_at = self.clock.now()

    # -- questions, which any thread may ask at any time -------------------------------------------

    @property
    def term(self) -> Term | None:
        """The own term if this leads, which it never does beyond its deadline, step or no step."""
        leadership = self._leadership
        return leadership.term if leadership and self._is_in_time(leadership) else None

    @property
    def is_leader(self) -> bool:
        """Whether this leads, as far as it knows; `confirm` asks the lock as well."""
        return self.term is not None

    @property
    def leader(self) -> str:
        """Who leads, as far as was seen last; empty if nobody does."""
        return self._candidacy.leader

    @property
    def failure(self) -> Exception | None:
        """What the last attempt failed of; None if it did not."""
        return self._failure

    @property
    def next_step_at(self) -> float:
        """When the next step is due, by the own clock."""
        return self._next_step_at

    @property
    def seconds_overdue(self) -> float:
        """For how many seconds the lease has been over of a term that no step has ended.

        Above 0 means that whoever should make the steps is stuck. It is 0 if there is no term.
        """
        leadership = self._leadership
        if leadership is None:
            return 0.0
        return max(self.clock.now() - leadership.renewed_at - self.timing.lease_duration, 0.0)

    def confirm(self, term: Term) -> None:
        """Make sure that this leads in that term, by its clock and by the lock.

        To be called right before something is done that only a leader may do.

        Raises:
            DeposedError: the term is over.
            Exception: the lock cannot be read.
        """
        stored = self.lock.get()
        if stored is None or not term.is_held_in(stored.record):
            raise DeposedError(term, stored.record.holder_identity if stored else "")
        # The clock comes last: to read the lock may have taken long.
        if self.term != term:
            raise DeposedError(term, "")

    # -- what makes it go --------------------------------------------------------------------------

    def step(self) -> bool:
        """Try once to acquire the lease, or to renew it, whether it is time or not.

        Whatever the lock raises is a failed attempt; it is logged and kept as `failure`.

        Returns:
            Whether this leads now.
        """
        with self._step_lock:
            if self._leadership is None:
                self._acquire()
            else:
                self._renew(self._leadership)
            self._report_leader()
            self._next_step_at = self._due()
            return self.is_leader

    def run(self, stop: Event) -> None:
        """Step whenever it is time, until `stop` is set or a term has ended.

        Whatever ends it, the term ends, too. That `stop` is set is noticed when the next step is
        due, or at once if `wake` is called after it.
        """
        ended = self._terms_ended
        try:
            while not stop.is_set() and self._terms_ended == ended:
                self.step()
                self._sleep(lambda: stop.is_set() or self._terms_ended != ended)
        finally:
            self._leave()

    def wake(self) -> None:
        """Let `run` look whether it shall stop."""
        with self._woken:
            self._woken.notify_all()

    def release(self) -> bool:
        """Stop leading, if this leads, and then give the lease back if it is still our own.

        Returns:
            Whether that went well, so that nobody has to wait until the lease is over.
        """
        with self._step_lock:
            self._resign()
            with self._noting():
                self._candidacy.give_back()
            return self._failure is None

    # -- the parts of that -------------------------------------------------------------------------

    def _acquire(self) -> None:
        began, term = self.clock.now(), None
        with self._noting():
            term = self._candidacy.acquire()
        if term is not None and self._is_in_time(leadership := _Leadership(term, began)):
            self._leadership = leadership
            _LOGGER.info("%s begins", term)
            self.callbacks.on_started_leading(term)

    def _renew(self, leadership: _Leadership) -> None:
        if self._is_in_time(leadership):
            began, term = self.clock.now(), leadership.term
            with self._noting():
                self._candidacy.renew(term)
                self._leadership = _Leadership(term, began)
        if self.term is None or isinstance(self._failure, DeposedError):
            self._resign()

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Take whatever the lock raises for an attempt that failed."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - a lock may raise anything
            _LOGGER.warning(
                "%s: attempt failed: %s: %s", self.identity, type(error).__name__, error
            )
            self._failure = error
        else:
            self._failure = None

    def _resign(self) -> None:
        leadership, self._leadership = self._leadership, None
        if leadership is not None:
            _LOGGER.info("%s is over", leadership.term)
            self._terms_ended += 1
            self.wake()
            self.callbacks.on_stopped_leading(leadership.term)

    def _leave(self) -> None:
        if self.release_on_stop:
            self.release()
        else:
            with self._step_lock:
                self._resign()

    def _report_leader(self) -> None:
        leader = self.leader
        if leader and leader != self._reported_leader:
            self._reported_leader = leader
            self.callbacks.on_new_leader(leader)

    def _is_in_time(self, leadership: _Leadership) -> bool:
        return self.clock.now() < leadership.renewed_at + self.timing.renew_deadline

    def _due(self) -> float:
        now, period = self.clock.now(), self.timing.retry_period
        if self._leadership is None:
            return now + period * (1 + JITTER_FACTOR * self.jitter())
        return min(now + period, self._leadership.renewed_at + self.timing.renew_deadline)

    def _sleep(self, is_over: Callable[[], bool]) -> None:
        with self._woken:
            while not is_over() and self.clock.now() < self._next_step_at:
                self.clock.wait_until(self._woken, self._next_step_at)
