"""A time of leadership, from its start to its end."""

from attrs import frozen

from kubesched.errors import KubeschedError
from kubesched.runtime.leader_election.lease_lock import LeaseRecord


@frozen
class Term:
    """One leader's time; whoever leads later has a higher token.

    Attributes:
        identity: who leads.
        token: the number of the term, 0 or above: `lease_transitions` of the lease.

    >>> print(Term("a", 3))
    term 3 of 'a'
    """

    identity: str
    token: int

    def __str__(self) -> str:
        """Return it as it is in messages."""
        return f"term {self.token} of {self.identity!r}"

    def is_held_in(self, record: LeaseRecord) -> bool:
        """Whether the lease is this term's."""
        return record.holder_identity == self.identity and record.lease_transitions == self.token


class DeposedError(KubeschedError):
    """Something was to be done by the right of a term that is over.

    Attributes:
        term: the term.
        holder_identity: who leads instead, as far as is known; empty if nobody does.
    """

    def __init__(self, term: Term, holder_identity: str) -> None:
        """Say which term it was and who leads instead."""
        led_by = f"{holder_identity!r} leads" if holder_identity else "nobody leads"
        super().__init__(f"{term} is over: {led_by}")
        self.term = term
        self.holder_identity = holder_identity
