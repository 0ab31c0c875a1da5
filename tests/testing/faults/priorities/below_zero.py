"""Prefers nodes as an annotation of theirs says, 5 where it says nothing.

What is wrong: what is more than 10 is cut off, and what is less than 0 is not.
"""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec
from kubesched.framework import MAX_SCORE

DEFAULT: Final = 5


def whole(text: str | None) -> int:
    """Read a whole number; the default stands for a text that is none."""
    try:
        return int(text or "")
    except ValueError:
        return DEFAULT


def preference(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    return min(MAX_SCORE, whole(node.annotations.get("example.com/preference")))


RULE: Final = PrioritySpec("Preference", preference, reads={Facet.ANNOTATIONS})
