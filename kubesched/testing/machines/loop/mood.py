"""A rule that does as the node pleases."""

from typing import Final

from kubesched.framework import FITS, Fit, PredicateSpec, Reason
from kubesched.model import Pod
from kubesched.state import Facet, NodeInfo

MOODS: Final = ("good", "closed", "bad", "odd")
"""Of a node, as its label `mood` says: a rule takes it, refuses it, fails, or answers nonsense."""


def mood(_pod: Pod, _meta: None, info: NodeInfo, /) -> Fit:
    """Do what the node's mood says."""
    match info.labels.get("mood"):
        case "closed":
            return Fit(Reason("closed"))
        case "bad":
            raise ValueError(f"{info.name} is in a bad mood")
        case "odd":
            return None  # type: ignore[return-value]  # it breaks the contract on purpose
        case _:
            return FITS


MOOD: Final = PredicateSpec("Mood", mood, reads={Facet.LABELS}, blocks=True)
