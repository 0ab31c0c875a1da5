"""Keeps pods of a tier, which a label tells, on nodes of that tier or of a better one.

What is wrong: it has no answer for a silver pod and a bronze node, and so returns None.
"""

from enum import Enum
from typing import Final, Self

from kubesched import FITS, Facet, Fit, NodeInfo, Pod, PredicateSpec, Reason

OTHER_TIER: Final = Reason("node(s) were of another tier", resolvable=False)


class Tier(Enum):
    """How good a node is, or has to be."""

    GOLD = "gold"
    SILVER = "silver"
    BRONZE = "bronze"

    @classmethod
    def of(cls, text: str | None) -> Self:
        return next((each for each in cls if each.value == text), cls("bronze"))


def has_tier(pod: Pod, _meta: None, node: NodeInfo, /) -> Fit:  # type: ignore[return] # noqa: RET503
    wanted, held = Tier.of(pod.labels.get("tier")), Tier.of(node.labels.get("tier"))
    if wanted is Tier.GOLD:
        return FITS if held is Tier.GOLD else Fit(OTHER_TIER)
    if wanted is Tier.SILVER:
        if held is not Tier.BRONZE:
            return FITS
    else:
        return FITS


RULE: Final = PredicateSpec("TierFits", has_tier, reads={Facet.LABELS})
