"""A sequence of decisions with all their evidence, as text; run as a script, it prints them."""

import sys
from collections.abc import Iterator
from random import Random as Chance
from typing import Final

from attrs import evolve

from kubesched.builders import container, node, pod
from kubesched.config import FeatureGates, Profile
from kubesched.engine import (
    Decision,
    FirstByName,
    FitError,
    GenericScheduler,
    HostSelector,
    Random,
    RoundRobin,
)
from kubesched.errors import SchedulingError
from kubesched.framework import FITS, Fit, PredicateSpec, PrioritySpec, Reason, normalize
from kubesched.model import (
    Affinity,
    Node,
    NodeAffinity,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PersistentVolumeClaimVolumeSource,
    Pod,
    PreferredSchedulingTerm,
    Volume,
)
from kubesched.state import Cluster, Facet, NodeInfo

NODES: Final = 144
PODS: Final = 24
ZONES: Final = ("", "east", "west")
TAINTS: Final = ("spot:NoSchedule", "old:PreferNoSchedule", "gpu=a:NoExecute")
IMAGES: Final = {"web:1": 700_000_000, "db:2": 300_000_000}


def rack_is_open(_pod: Pod, _meta: None, info: NodeInfo, /) -> Fit:
    """Refuse every seventh rack, for two reasons."""
    return Fit(Reason("closed"), Reason("dark")) if info.labels["rack"] == "r6" else FITS


def newer(_pod: Pod, _meta: None, info: NodeInfo, /) -> int:
    """Score a node's generation."""
    return int(info.labels["generation"])


def profile(*, blocks: bool) -> Profile:
    """Return stock rules and two more, which all claim to wait for something, or not.

    So few nodes are wanted that some are not looked at.
    """
    rules = (
        Profile.default(FeatureGates(taint_nodes_by_condition=False))
        .with_predicate(PredicateSpec("RackIsOpen", rack_is_open, reads={Facet.LABELS}))
        .with_priority(PrioritySpec("Newer", newer, reduce=normalize(), weight=3))
    )
    return Profile(
        [evolve(spec, blocks=blocks) for spec in rules.predicates],
        [evolve(spec, blocks=blocks) for spec in rules.priorities],
        evolve(rules.options, percentage_of_nodes_to_score=60, always_check_all_predicates=True),
    )


def nodes() -> Iterator[Node]:
    """Give nodes that differ in all that the rules look at."""
    chance = Chance(1)  # noqa: S311 - nothing here is secret
    for index in range(NODES):
        yield node(
            f"n{index}",
            cpu=chance.choice([1, 2, 4]),
            memory=chance.choice(["1Gi", "4Gi", "16Gi"]),
            zone=chance.choice(ZONES),
            labels={"rack": f"r{index % 7}", "generation": str(chance.randrange(4))},
            taints=[each for each in TAINTS if chance.random() < 0.04],
            images={name: size for name, size in IMAGES.items() if chance.random() < 0.5},
            unschedulable=index % 20 == 0,
            conditions={"Ready": "Unknown" if index % 30 == 1 else "True"},
        )


def preferring(operator: str) -> Affinity:
    """Prefer new nodes."""
    new = NodeSelectorRequirement(key="generation", operator=operator, values=("1",))
    preference = NodeSelectorTerm(match_expressions=[new])
    term = PreferredSchedulingTerm(weight=5, preference=preference)
    return Affinity(node_affinity=NodeAffinity(preferred=[term]))


def pods() -> Iterator[Pod]:
    """Give pods that find a node, pods that do not, and pods about which a rule cannot answer."""
    chance = Chance(2)  # noqa: S311 - nothing here is secret
    for index in range(PODS):
        yield pod(
            f"shop/p{index}",
            containers=[
                container(
                    image=chance.choice(["web:1", "db:2", "web"]),
                    cpu=chance.choice([None, "250m", "1"]),
                    memory=chance.choice([None, "1Gi"]),
                    host_ports=chance.choice([[], [80]]),
                )
            ],
            tolerations=chance.choice([[], ["spot"], ["*"]]),
            node_selector=chance.choice([{}, {"rack": "r1"}]),
            affinity=chance.choice([None, preferring("Gt")]),
        )
    yield pod("shop/huge", cpu=64, node_selector={"rack": "r2"})
    yield pod("shop/odd", affinity=preferring("Near"))
    claim = PersistentVolumeClaimVolumeSource(claim_name="data")
    yield pod("shop/lost", volumes=[Volume(name="data", persistent_volume_claim=claim)])
    yield pod("shop/last")


def account_of(decision: Decision) -> Iterator[str]:
    """Tell all that a decision says, in its order."""
    yield f"{decision.pod} goes to {decision.node}"
    yield f"looked at {len(decision.feasible) + len(decision.refusals)} nodes"
    yield f"feasible {decision.feasible}"
    yield from account_of_refusals(dict(decision.refusals))
    yield from (f"scores {name} {dict(each)}" for name, each in decision.scores.items())
    yield f"totals {dict(decision.totals)} top {decision.top}"


def account_of_refusals(refusals: dict[str, tuple[Reason, ...]]) -> Iterator[str]:
    """Tell why nodes were refused, in their order."""
    for name, reasons in refusals.items():
        yield f"refused {name} {reasons}"


def account(scheduler: GenericScheduler) -> Iterator[str]:
    """Decide about one pod after the other and tell all about it."""
    for each in pods():
        try:
            decision = scheduler.schedule(each)
        except SchedulingError as error:
            yield f"{each} fails: {error}"
            if isinstance(error, FitError):
                yield from account_of_refusals(dict(error.refusals))
        else:
            yield from account_of(decision)
            scheduler.cluster.assume(each, decision.node)


def decisions(*, workers: int, blocks: bool, select: HostSelector) -> str:
    """Return all decisions as text."""
    scheduler = GenericScheduler(
        Cluster.of(nodes()), profile(blocks=blocks), select=select, workers=workers
    )
    return "\n".join(account(scheduler))


if __name__ == "__main__":
    for selector in (RoundRobin(), Random(7), FirstByName()):
        sys.stdout.write(decisions(workers=3, blocks=True, select=selector))
