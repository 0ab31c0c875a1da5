"""A small cluster and a scheduler with a rule of its own, to be recorded and compared."""

from typing import Final

from kubesched.builders import node, pod
from kubesched.config import Profile
from kubesched.framework import FITS, Fit, PredicateSpec, PrioritySpec, Reason
from kubesched.model import Pod
from kubesched.state import Cluster, Facet, NodeInfo

CLOSED: Final = Reason("node(s) were in a rack under maintenance", resolvable=False)


def closed_racks(*racks: str) -> PredicateSpec[None]:
    """Return a predicate that refuses the nodes in these racks."""

    def rack_is_open(_pod: Pod, _meta: None, info: NodeInfo, /) -> Fit:
        return Fit(CLOSED) if info.labels.get("rack") in racks else FITS

    return PredicateSpec("RackIsOpen", rack_is_open, reads={Facet.LABELS})


def prefer_rack(rack: str, score: int = 3) -> PrioritySpec[None]:
    """Return a priority that scores the nodes in this rack."""

    def in_rack(_pod: Pod, _meta: None, info: NodeInfo, /) -> int:
        return score if info.labels.get("rack") == rack else 0

    return PrioritySpec("PreferRack", in_rack, reads={Facet.LABELS})


BASE: Final = Profile.from_names(["GeneralPredicates"], ["LeastRequestedPriority"])
PROFILE: Final = BASE.with_predicate(closed_racks("r7")).with_priority(prefer_rack("r2"))
OTHER_RACK: Final = BASE.with_predicate(closed_racks("r8")).with_priority(prefer_rack("r2"))
OTHER_SCORE: Final = BASE.with_predicate(closed_racks("r7")).with_priority(prefer_rack("r2", 4))


def racks() -> Cluster:
    """Return three nodes in three racks, a pod that is placed and three that wait."""
    return Cluster.of(
        [
            node("n1", cpu=4, labels={"rack": "r1"}),
            node("n2", cpu=4, labels={"rack": "r2"}),
            node("n7", cpu=8, labels={"rack": "r7"}),
            pod("db", cpu=1, node_name="n1"),
            pod("web-1", cpu=1),
            pod("web-2", cpu=3),
            pod("huge", cpu=64, priority=7),
        ]
    )
