"""What is called when leadership changes."""

from collections.abc import Callable

from attrs import frozen

from kubesched.runtime.leader_election.term import Term


def _nothing(_: object) -> None:
    """Do nothing."""


@frozen(kw_only=True)
class LeaderCallbacks:
    """What is called when leadership changes, by the thread that makes the step.

    They should return soon, for while they run nothing is renewed: what the leader does goes to a
    thread of its own. What they raise comes out of `step` and `run`.

    Attributes:
        on_started_leading: this elector leads now; takes the term.
        on_stopped_leading: the term is over, and whatever was done by its right has to end.
        on_new_leader: another identity leads than the one before; takes it. Also for the first
            leader that is seen, and for this elector itself.
    """

    on_started_leading: Callable[[Term], object] = _nothing
    on_stopped_leading: Callable[[Term], object] = _nothing
    on_new_leader: Callable[[str], object] = _nothing
