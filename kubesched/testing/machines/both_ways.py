"""Decisions with remembered verdicts and without, side by side."""

from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field

from kubesched.engine import Decision, FirstByName, GenericScheduler
from kubesched.errors import SchedulingError, SpecError
from kubesched.framework import PredicateSpec, PrioritySpec, Registry, RuleSet
from kubesched.model import Pod
from kubesched.state import Cluster, Snapshot
from kubesched.testing.broken import LawBrokenError
from kubesched.testing.machines.checked_cache import CheckedCache
from kubesched.testing.reach import cells_of
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

LAW: Final = "remembered"
SAYS: Final = "A decision with remembered verdicts is the same as one without."

Rule: TypeAlias = PredicateSpec[Any] | PrioritySpec[Any]

Answer: TypeAlias = Decision | SchedulingError | SpecError

_FEW_CLASSES: Final = 3
"""How many classes of pods are remembered: so few that some are forgotten."""


@define(eq=False)
class BothWays:
    """Two schedulers with the same rules over one cluster; one of them remembers.

    Attributes:
        cluster: the cluster.
        rules: the rules.
    """

    cluster: Cluster
    rules: RuleSet
    _cache: CheckedCache = field(factory=lambda: CheckedCache(_FEW_CLASSES), init=False)
    _plain: GenericScheduler = field(init=False)
    _remembering: GenericScheduler = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._plain = GenericScheduler(self.cluster, self.rules, select=FirstByName())
        self._remembering = GenericScheduler(
            self.cluster, self.rules, select=FirstByName(), equivalence_cache=self._cache
        )

    @classmethod
    def of_each(cls, cluster: Cluster, rules: Iterable[Rule]) -> "list[BothWays]":
        """Return what decides by each of these predicates alone.

        Where other predicates refuse a node first, what is wrong with one behind them is not seen.
        """
        predicates = (rule for rule in rules if isinstance(rule, PredicateSpec))
        return [cls(cluster, RuleSet([spec])) for spec in predicates]

    def compare(self, pod: Pod, snapshot: Snapshot | None = None) -> None:
        """Decide about a pod in both ways.

        Raises:
            LawBrokenError: the decisions differ.
        """
        snapshot = self.cluster.snapshot() if snapshot is None else snapshot
        with_memory = _answer(self._remembering, pod, snapshot)
        without = _answer(self._plain, pod, snapshot)
        if self._cache.stale or _told(with_memory) != _told(without):
            raise self._broken(pod, with_memory, without)

    @property
    def _names(self) -> str:
        return ", ".join(spec.name for spec in own_rules(self.rules)) or "a rule"

    def _broken(self, pod: Pod, with_memory: Answer, without: Answer) -> LawBrokenError:
        stale = self._cache.stale[0] if self._cache.stale else None
        both = f"{_in_short(with_memory)} with what is remembered, and {_in_short(without)} without"
        seen = str(stale) if stale else f"the decision is {both}"
        rule = stale.culprit if stale and stale.culprit else self._names
        return LawBrokenError(LAW, SAYS, rule, Situation.of(pod, self.cluster), seen)


def rules_of(by: RuleSet | Registry) -> RuleSet:
    """Return rules as they are, or all rules of a registry.

    >>> rules_of(Registry()) == RuleSet()
    True
    """
    if isinstance(by, Registry):
        return RuleSet(by.predicates.values(), by.priorities.values())
    return by


def own_rules(rules: RuleSet) -> list[Rule]:
    """Return the rules that are somebody's own, or made of such, and not the library's."""
    both: list[Rule] = [*rules.predicates, *rules.priorities]
    return [rule for rule in both if _is_own(rule)]


def _is_own(rule: Rule) -> bool:
    functions = [each for each in _functions_of(rule) if each is not None]
    return not all(map(_is_ours, functions)) or any(map(_is_own, _held_by(functions)))


def _functions_of(rule: Rule) -> tuple[object, ...]:
    if isinstance(rule, PredicateSpec):
        return rule.check, rule.prepare
    return rule.map, rule.reduce, rule.prepare


def _is_ours(function: object) -> bool:
    return str(getattr(function, "__module__", "")).startswith("kubesched.")


def _held_by(functions: Iterable[object]) -> Iterator[Rule]:
    """Go over the rules in functions' closures, where `all_of` keeps what it asks."""
    for function in functions:
        for cell in cells_of(function) if isinstance(function, FunctionType) else ():
            held = cell.cell_contents
            for each in held if isinstance(held, tuple) else (held,):
                if isinstance(each, PredicateSpec | PrioritySpec):
                    yield each


def words_of(rules: Iterable[Rule], words: Words) -> Words:
    """Return words of which the keys and values of labels are those that rules speak of.

    >>> from kubesched.testing.words import WORDS
    >>> words_of([], WORDS) == WORDS
    True
    """
    more = words.with_those_of(*rules)
    keys, values = more.keys[len(words.keys) :], more.values[len(words.values) :]
    return evolve(more, keys=keys or words.keys, values=values or words.values)


def _answer(scheduler: GenericScheduler, pod: Pod, snapshot: Snapshot) -> Answer:
    try:
        return scheduler.schedule(pod, snapshot)
    except (SchedulingError, SpecError) as error:
        return error


def _told(answer: Answer) -> object:
    """Return all that an answer says."""
    if isinstance(answer, Decision):
        return answer.node, answer.feasible, answer.refusals, answer.totals
    return type(answer), str(answer), getattr(answer, "refusals", None)


def _in_short(answer: Answer) -> str:
    return f"node {answer.node}" if isinstance(answer, Decision) else f"'{answer}'"
