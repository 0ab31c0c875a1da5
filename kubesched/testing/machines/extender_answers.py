"""What is wrong with an extender's answers, if anything is."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from kubesched.framework import ExtenderFilterResult, Victims
from kubesched.state import NodeInfo
from kubesched.testing.machines.promises import Promise

SHAPE: Final = Promise("shape", "Every answer has the shape that the protocol asks for.")
KNOWN: Final = Promise("known", "It speaks of nodes that it was given, and of pods that are there.")
VERDICTS: Final = Promise(
    "verdicts", "Each node is either kept, and once, or dropped for a reason that is told."
)

Complaint: TypeAlias = tuple[Promise, str]
"""A promise that is not kept, and what was seen instead."""


def wrong_with_filter(answer: object, nodes: Sequence[NodeInfo]) -> Iterator[Complaint]:
    """Look at what `filter` has answered about some nodes."""
    if not isinstance(answer, ExtenderFilterResult):
        yield SHAPE, f"filter gave {answer!r}, expected an ExtenderFilterResult"
        return
    texts: list[object] = [*answer.kept, *answer.failed, *answer.failed.values()]
    odd = [each for each in texts if not isinstance(each, str)]
    if odd:
        yield SHAPE, f"filter gave {odd[0]!r} where the name of a node or a reason should be"
        return
    given = [node.name for node in nodes]
    yield from _unknown("filter", [*answer.kept, *answer.failed], given)
    yield from _wrong_verdicts(answer, given)


def _wrong_verdicts(answer: ExtenderFilterResult, given: Collection[str]) -> Iterator[Complaint]:
    for name in given:
        kept, why = answer.kept.count(name), answer.failed.get(name)
        if kept > 1:
            yield VERDICTS, f"filter keeps node {name} {kept} times"
        if kept and why is not None:
            yield VERDICTS, f"filter keeps node {name}, and says against it: {why}"
        if not kept and not why:
            yield VERDICTS, f"filter drops node {name} without a reason"


def wrong_with_scores(answer: object, nodes: Sequence[NodeInfo]) -> Iterator[Complaint]:
    """Look at what `prioritize` has answered about some nodes."""
    if not isinstance(answer, Mapping):
        yield SHAPE, f"prioritize gave {answer!r}, expected a mapping of node names to scores"
        return
    for name, score in answer.items():
        if type(score) is not int:
            yield SHAPE, f"prioritize gave {score!r} for {name!r}, expected an integer"
    yield from _unknown("prioritize", answer, [node.name for node in nodes])


def wrong_with_victims(answer: object, nodes: Mapping[str, NodeInfo]) -> Iterator[Complaint]:
    """Look at what `preempt` has answered, given all nodes that are known."""
    if not isinstance(answer, Mapping):
        yield SHAPE, f"preempt gave {answer!r}, expected a mapping of node names to Victims"
        return
    yield from _unknown("preempt", answer, nodes)
    for name, victims in answer.items():
        if not isinstance(victims, Victims):
            yield SHAPE, f"preempt gave {victims!r} for {name!r}, expected Victims"
        elif name in nodes:
            yield from _wrong_victims(name, victims, nodes[name])


def _wrong_victims(name: str, victims: Victims, node: NodeInfo) -> Iterator[Complaint]:
    count = victims.num_pdb_violations
    if type(count) is not int or not 0 <= count <= len(victims.pods):
        yield SHAPE, f"preempt gave {count!r} as num_pdb_violations of {len(victims.pods)} victims"
    keys = [getattr(pod, "key", repr(pod)) for pod in victims.pods]
    for key in keys:
        if key not in node.pods:
            yield KNOWN, f"preempt evicts {key} from node {name}, where it is not"
        if keys.count(key) > 1:
            yield SHAPE, f"preempt evicts {key} from node {name} more than once"


def _unknown(verb: str, named: Collection[object], given: Collection[str]) -> Iterator[Complaint]:
    for name in named:
        if name not in given:
            yield KNOWN, f"{verb} speaks of node {name!r}, which it was not given"
