"""Honest reads: what a rule does not declare does not change its answer.

An answer may be remembered as long as no facet of the node that the rule declares has changed, and
`prepare` makes the same again. So that is when it must not change.
"""

from typing import Any, Final

from kubesched.state import CLUSTER_FACETS, NODE_FACETS, Facet, NodeInfo, Snapshot
from kubesched.testing.laws.changing import a_node, changed, changes
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.question import Question, Raised, nodes_of, same, told
from kubesched.testing.situation import Situation

MOST_WORDS: Final = 4


def _reads_what_it_declares(rule: Rule, situation: Situation, draw: Draw, /) -> None:
    if rule.reads == frozenset(Facet) or not situation.nodes:
        return
    cluster = situation.cluster()
    before = Question.of(rule, situation.pod, cluster.snapshot())
    answers = before.answers()
    for after in changes(situation, draw.other, a_node(situation, draw), _words(draw)):
        snapshot = changed(cluster, situation, after).snapshot()
        then = Question.of(rule, situation.pod, snapshot)
        for info in _nodes_to_remember(rule, before, then):
            answer = then.answer(info)
            if not same(answer, answers[info.name]):
                raise READS.broken(
                    rule,
                    situation,
                    f"{_cause(rule, before, then, info)} its answer about node "
                    f"{info.name}. It was: {told(answers[info.name])}; and then: {told(answer)}",
                    after=after,
                )


def _words(draw: Draw) -> list[tuple[str, str]]:
    """Choose some of the words to make labels or annotations of."""
    value = draw.choose(draw.words.values)
    return [(draw.choose(draw.words.keys), value) for _ in range(MOST_WORDS)]


def _nodes_to_remember(rule: Rule, before: Question, then: Question) -> list[NodeInfo]:
    """Return the nodes about which the answer must be the same as before."""
    if not _prepared_alike(rule, before, then):
        return []
    read, known = rule.reads & NODE_FACETS, before.snapshot.node_infos
    return [
        info
        for info in nodes_of(then.snapshot)
        if info.name in known
        and known[info.name].node is not None
        and all(info.generations[it] == known[info.name].generations[it] for it in read)
    ]


def _prepared_alike(rule: Rule, before: Question, then: Question) -> bool:
    """Tell whether what is prepared, or read of the cluster at check, must be taken as the same."""
    if not _moved_in_cluster(before.snapshot, then.snapshot) & rule.reads:
        return True
    return rule.prepare is not None and _equal(before.meta, then.meta)


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other) and not isinstance(one, Raised)
    except Exception:  # noqa: BLE001 - somebody's own meta, which then is not remembered
        return False


def _moved_in_cluster(before: Snapshot, after: Snapshot) -> frozenset[Facet]:
    return frozenset(
        facet
        for facet in CLUSTER_FACETS
        if before.generation_of([facet]) != after.generation_of([facet])
    )


def _cause(rule: Rule, before: Question, then: Question, node: NodeInfo) -> str:
    """Name what has changed and is not declared, of the node or of the cluster."""
    old = before.snapshot.node_infos[node.name]
    here = {it for it in NODE_FACETS if old.generations[it] != node.generations[it]}
    is_prepared = not same(before.answer(node), then.answer(node))
    moved = _moved_in_cluster(before.snapshot, then.snapshot) if is_prepared else here
    facets = frozenset(moved or here or _moved_in_cluster(before.snapshot, then.snapshot))
    facets -= rule.reads
    if not facets:
        return "what it prepares is equal before and after (==), and yet something changes"
    special = sorted(facets - {Facet.NODE}) or [Facet.NODE]  # which counts every change of a node
    names = " or ".join(f"Facet.{facet.name}" for facet in special)
    return f"{names}, which it does not declare, changes"


READS: Final = Law(
    "reads",
    "what a rule does not declare does not change its answer.",
    _reads_what_it_declares,
)
