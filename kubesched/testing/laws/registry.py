"""The laws of whole registries."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from attrs import frozen
from hypothesis import settings as Settings  # noqa: N812 - it is a class
from hypothesis.strategies import SearchStrategy

from kubesched.config import FeatureGates
from kubesched.config.order import STOCK_ORDER
from kubesched.config.providers import mandatory_predicates
from kubesched.errors import KubeschedError, SpecError, UnknownNameError
from kubesched.framework import AFTER_STOCK, Registry
from kubesched.model import FrozenMap
from kubesched.testing.broken import LawBrokenError
from kubesched.testing.laws.law import Law, Rule
from kubesched.testing.laws.predicates import PREDICATE_LAWS, check_predicate
from kubesched.testing.laws.priorities import PRIORITY_LAWS, check_priority
from kubesched.testing.laws.running import several
from kubesched.testing.situation import Situation
from kubesched.testing.words import Words

__tracebackhide__ = True  # pytest then shows the test, and not how it went on here

_NOTHING: Final[Mapping[str, Iterable[str]]] = FrozenMap()
_LARGEST_TOTAL: Final = 2**63 - 1


@frozen
class Breach:
    """A law that a rule breaks.

    Attributes:
        rule: the rule's name.
        law: the law's name.
        seen: what was seen.
        error: what was raised, where the law is about a rule's answers.
    """

    rule: str
    law: str
    seen: str
    error: LawBrokenError | None = None


class RegistryBrokenError(KubeschedError, AssertionError):
    """Rules of a registry break laws: all that do, each with the first law that it breaks.

    Attributes:
        breaches: which rule breaks which law.

    >>> print(RegistryBrokenError([Breach("Mine", "names", "it is registered as 'Yours'")]))
    1 law of the registry is broken.
    - Mine breaks 'names': it is registered as 'Yours'
    """

    def __init__(self, breaches: Iterable[Breach]) -> None:
        """Say which rules break which laws, and tell the situations below."""
        self.breaches = tuple(breaches)
        number = len(self.breaches)
        laws = "1 law of the registry is" if number == 1 else f"{number} laws of the registry are"
        told = [f"- {each.rule} breaks {each.law!r}: {each.seen}" for each in self.breaches]
        errors = [f"\n{each.error}" for each in self.breaches if each.error is not None]
        super().__init__("\n".join([f"{laws} broken.", *told, *errors]))


def check_registry(
    registry: Registry,
    *,
    without: Mapping[str, Iterable[str]] = _NOTHING,
    words: Words | None = None,
    situations: SearchStrategy[Situation] | None = None,
    settings: Settings | None = None,
    seed: int | None = None,
) -> None:
    """Check every rule of a registry by its laws, and the registry by its own.

    Those are: "names", a rule is registered under its own name; "orders", no two predicates have
    the same place among the stock ones; "mandatory", where there are stock predicates, there are
    those that run in any case; "weights", no score times its weight needs more than 64 bits.

    Args:
        registry: the registry.
        without: laws to leave out, by the name of the rule; for "mandatory", of the missing one.
        words: as by `check_predicate`.
        situations: as by `check_predicate`.
        settings: as by `check_predicate`.
        seed: makes the run repeatable.

    Raises:
        RegistryBrokenError: with all rules that break laws.
        SpecError: it is no registry.
        UnknownNameError: `without` names a rule or a law that there is not.

    >>> from kubesched.framework import FITS, PredicateSpec
    >>> anywhere = PredicateSpec("Anywhere", lambda pod, meta, node: FITS, reads=())
    >>> check_registry(Registry({"Nowhere": anywhere}), settings=Settings(max_examples=1))
    Traceback (most recent call last):
        ...
    kubesched.testing.laws.registry.RegistryBrokenError: 1 law of the registry is broken.
    - Nowhere breaks 'names': it is registered as 'Nowhere' and calls itself 'Anywhere'
    """
    if not isinstance(registry, Registry):
        raise SpecError(f"{registry!r} is no registry, expected a Registry")
    left_out = {name: frozenset(several(laws)) for name, laws in without.items()}
    _refuse_unknown(registry, left_out)
    options = {"words": words, "situations": situations, "settings": settings, "seed": seed}
    found = [*_of_registry(registry), *_of_rules(registry, left_out, options)]
    breaches = [each for each in found if each.law not in left_out.get(each.rule, ())]
    if breaches:
        raise RegistryBrokenError(breaches)


def _refuse_unknown(registry: Registry, left_out: Mapping[str, Iterable[str]]) -> None:
    mandatory = frozenset[str]().union(*_MANDATORY)
    rules = {*registry.predicates, *registry.priorities, *mandatory}
    laws = {law.name for law in (*PREDICATE_LAWS, *PRIORITY_LAWS)} | _LAWS.keys()
    for name, names in left_out.items():
        if name not in rules:
            raise UnknownNameError("rule", name, rules)
        for law in names:
            if law not in laws:
                raise UnknownNameError("law", law, laws)


# -- the rules -------------------------------------------------------------------------------------


def _of_rules(
    registry: Registry, left_out: Mapping[str, frozenset[str]], options: Mapping[str, Any]
) -> Iterator[Breach]:
    def without(name: str, laws: Iterable[Law]) -> frozenset[str]:
        return left_out.get(name, frozenset()) & {law.name for law in laws}

    for name, predicate in registry.predicates.items():
        check = partial(check_predicate, predicate, without=without(name, PREDICATE_LAWS))
        yield from _of_rule(name, partial(check, **options))
    for name, priority in registry.priorities.items():
        check = partial(check_priority, priority, without=without(name, PRIORITY_LAWS))
        yield from _of_rule(name, partial(check, max_score=registry.max_score, **options))


def _of_rule(name: str, check: Callable[[], None]) -> Iterator[Breach]:
    try:
        check()
    except LawBrokenError as error:
        yield Breach(name, error.law, error.seen, error)


# -- the registry itself ---------------------------------------------------------------------------


def _of_registry(registry: Registry) -> Iterator[Breach]:
    for law, check in _LAWS.items():
        for rule, seen in check(registry):
            yield Breach(rule, law, seen)


def _odd_names(registry: Registry) -> Iterator[tuple[str, str]]:
    rules: list[tuple[str, Rule]] = [*registry.predicates.items(), *registry.priorities.items()]
    for name, spec in rules:
        if name != spec.name:
            yield name, f"it is registered as {name!r} and calls itself {spec.name!r}"


def _equal_orders(registry: Registry) -> Iterator[tuple[str, str]]:
    first: dict[int, str] = {}
    for name, spec in registry.predicates.items():
        other = first.setdefault(spec.order, name)
        if other != name and spec.order < AFTER_STOCK:
            yield name, f"{other} has the order {spec.order} as well"


_MANDATORY: Final = tuple(
    mandatory_predicates(FeatureGates(taint_nodes_by_condition=each)) for each in (True, False)
)


def _missing_ones(registry: Registry) -> Iterator[tuple[str, str]]:
    known = registry.predicates.keys()
    if known & STOCK_ORDER.keys() and not any(names <= known for names in _MANDATORY):
        nearest = min(_MANDATORY, key=lambda names: len(names - known))
        for name in sorted(nearest - known):
            yield name, "it runs in any case, and is not there"


def _large_weights(registry: Registry) -> Iterator[tuple[str, str]]:
    for name, spec in registry.priorities.items():
        if spec.weight * registry.max_score > _LARGEST_TOTAL:
            highest = registry.max_score
            yield name, f"{spec.weight} times {highest} needs more than 64 bits"


_LAWS: Final[Mapping[str, Callable[[Registry], Iterator[tuple[str, str]]]]] = {
    "names": _odd_names,
    "orders": _equal_orders,
    "mandatory": _missing_ones,
    "weights": _large_weights,
}
