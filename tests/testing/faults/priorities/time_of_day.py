"""Sends pods to cheap nodes at night, when nobody waits for them.

What is wrong: it asks the clock. What was worked out before ten in the evening is remembered after
it, and no decision can be played again.
"""

from datetime import UTC, datetime
from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE

EVENING: Final = 22
MORNING: Final = 6


def cheap_at_night(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Score 10 on cheap nodes at night and on all others by day, else 0."""
    hour = datetime.now(UTC).hour
    is_night = hour >= EVENING or hour < MORNING
    is_cheap = node.labels.get("tariff") == "night"
    return MAX_SCORE if is_cheap == is_night else 0


RULE: Final = PrioritySpec("CheapAtNight", cheap_at_night, reads={Facet.LABELS})
