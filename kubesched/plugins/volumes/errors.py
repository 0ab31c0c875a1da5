"""What a predicate about volumes raises when it cannot answer."""

from kubesched.errors import SchedulingError


class UnusableClaimError(SchedulingError):
    """A claim that a predicate can make nothing of: it is missing or not bound, or has no name.

    Attributes:
        claim: the claim, `namespace/name`.
    """

    def __init__(self, claim: str, why: str) -> None:
        """Say why, in the original's words."""
        super().__init__(why)
        self.claim = claim
