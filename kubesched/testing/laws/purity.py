"""A rule changes nothing that it is given."""

import pickle
from typing import Final

from kubesched.model import Node
from kubesched.state import Snapshot
from kubesched.testing.laws.law import Draw, Law, Rule
from kubesched.testing.laws.picture import Pictured, difference, picture
from kubesched.testing.laws.question import Question
from kubesched.testing.situation import Situation


def _changes_nothing(rule: Rule, situation: Situation, _draw: Draw, /) -> None:
    given = copied(situation)  # else what is changed here would be so for all other laws
    snapshot = given.snapshot()
    before = pictures(given, snapshot)
    question = Question.of(rule, given.pod, snapshot)
    seen = first_change(before, pictures(given, snapshot))
    if seen is not None:
        raise PURITY.broken(rule, situation, f"prepare changes what it is given: {seen}")
    before["meta"] = picture(question.meta)
    question.answers()
    after = {**pictures(given, snapshot), "meta": picture(question.meta)}
    seen = first_change(before, after)
    if seen is not None:
        raise PURITY.broken(rule, situation, f"it changes what it is given: {seen}")


def copied(situation: Situation) -> Situation:
    """Return an equal situation that shares nothing with it."""
    copy: Situation = pickle.loads(pickle.dumps(situation))  # noqa: S301 - it was just written
    return copy


def pictures(situation: Situation, snapshot: Snapshot) -> dict[str, Pictured]:
    """Take pictures of all that a rule may be given, by what each is called; O(its size)."""
    infos = snapshot.node_infos.values()
    placed = {key for info in infos for key in info.pods}
    rest = [it for it in situation.objects if not isinstance(it, Node) and it.key not in placed]
    return {
        "pod": picture(situation.pod),
        **{f"node {info.name}": picture(info) for info in infos},
        **{f"{it.kind} {it.key}": picture(it) for it in rest},
        "snapshot.label_groups": picture(dict(snapshot.label_groups)),
        "snapshot.affinity_groups": picture(dict(snapshot.affinity_groups)),
    }


def first_change(before: dict[str, Pictured], after: dict[str, Pictured]) -> str | None:
    """Tell the first thing that has changed between two sets of pictures, None if nothing has."""
    changes = (difference(before[name], after[name], name) for name in before)
    return next((change for change in changes if change is not None), None)


PURITY: Final = Law("purity", "a rule changes nothing that it is given.", _changes_nothing)
