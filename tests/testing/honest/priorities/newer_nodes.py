"""Prefers nodes of a newer generation, which a label tells."""

from typing import Final

from kubesched import Facet, NodeInfo, Pod, PrioritySpec, normalize


def generation(_pod: Pod, _meta: None, node: NodeInfo, /) -> int:
    """Read the generation, 0 where the label is missing or no small number."""
    text = node.labels.get("generation", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 4 else 0


RULE: Final = PrioritySpec(
    "PreferNewer", generation, reduce=normalize(), weight=2, reads={Facet.LABELS}
)
