"""Policies, as they are written."""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any, Final, TypeAlias

from hypothesis import strategies as st

from kubesched.config import stock_registry
from kubesched.config.providers import DEFAULT_PROVIDER, provider
from kubesched.framework import Registry
from kubesched.testing.strategies.drawing import refuse_odd_bounds, some
from kubesched.testing.words import WORDS, Words

Entry: TypeAlias = dict[str, Any]

_SOME_WEIGHT: Final = st.sampled_from((1, 2, 10000))
_SHAPES: Final = (((0, 10), (100, 0)), ((0, 0), (100, 10)), ((0, 0), (50, 10), (100, 5)))


def policies(
    *, registry: Registry | None = None, max_rules: int = 4, words: Words = WORDS
) -> st.SearchStrategy[dict[str, Any]]:
    """Draw Policies as plain data, such as `Profile.from_policy` reads; each of them can be used.

    Args:
        registry: where names are from; the stock rules if nothing is said.
        max_rules: how many predicates, and how many priorities, are named at most.
        words: what the arguments of rules are drawn from.

    Raises:
        OptionError: `max_rules` is below 0.

    >>> from hypothesis import find
    >>> find(policies(), lambda policy: policy.get("priorities"))["priorities"]
    [{'name': 'SelectorSpreadPriority', 'weight': 1}]
    """
    known = stock_registry() if registry is None else registry
    refuse_odd_bounds(max_rules=max_rules)
    rules = {
        "predicates": _entries(known.predicates, max_rules, _made_predicates(words)),
        "priorities": _entries(
            known.priorities, max_rules, _made_priorities(words), weight=_SOME_WEIGHT
        ),
    }
    said = {} if _has_defaults(known) else rules
    return st.fixed_dictionaries(
        {"kind": st.just("Policy"), "apiVersion": st.just("v1"), **said},
        optional={
            **{key: it for key, it in rules.items() if key not in said},
            "hardPodAffinitySymmetricWeight": st.integers(1, 100),
            "alwaysCheckAllPredicates": st.booleans(),
        },
    )


def _has_defaults(registry: Registry) -> bool:
    """Tell whether a Policy may leave it to the default provider which rules there are."""
    usual = provider(DEFAULT_PROVIDER)
    return usual.predicates <= {*registry.predicates} and usual.priorities.keys() <= {
        *registry.priorities
    }


def _entries(
    names: Iterable[str],
    most: int,
    made: st.SearchStrategy[Entry],
    **more: st.SearchStrategy[Any],
) -> st.SearchStrategy[list[Entry]]:
    """Draw entries of some of the names, and sometimes one more that makes a rule of its own."""
    known = tuple(names)
    entry = st.fixed_dictionaries({"name": st.sampled_from(known or ("none",)), **more})
    most = min(most, len(known))
    named = st.lists(entry, max_size=most, unique_by=itemgetter("name"))
    maybe_made = st.lists(made, max_size=1)

    @st.composite
    def draw_entries(draw: st.DrawFn) -> list[Entry]:
        return draw(named) + draw(maybe_made)

    return draw_entries()


def _made_predicates(words: Words) -> st.SearchStrategy[Entry]:
    labels = some(words.keys, least=1, most=2)
    presence = st.fixed_dictionaries({"labels": labels, "presence": st.booleans()})
    affinity = st.fixed_dictionaries({"labels": labels})
    return st.one_of(
        _made("CheckNodeLabelPresence", "labelsPresence", presence),
        _made("CheckServiceAffinity", "serviceAffinity", affinity),
    )


def _made_priorities(words: Words) -> st.SearchStrategy[Entry]:
    label = st.sampled_from(words.keys)
    spread = st.fixed_dictionaries({"label": label})
    preferred = st.fixed_dictionaries({"label": label, "presence": st.booleans()})
    shape = st.sampled_from([{"shape": _points(each)} for each in _SHAPES])
    ratio = "requestedToCapacityRatioArguments"
    return st.one_of(
        _made("LabelPreferred", "labelPreference", preferred, weight=_SOME_WEIGHT),
        _made("ServiceSpread", "serviceAntiAffinity", spread, weight=_SOME_WEIGHT),
        _made("CapacityRatio", ratio, shape, weight=_SOME_WEIGHT),
    )


def _points(shape: Iterable[tuple[int, int]]) -> list[dict[str, int]]:
    return [{"utilization": utilization, "score": score} for utilization, score in shape]


def _made(
    name: str, kind: str, argument: st.SearchStrategy[Any], **more: st.SearchStrategy[Any]
) -> st.SearchStrategy[Entry]:
    arguments = st.fixed_dictionaries({kind: argument})
    return st.fixed_dictionaries({"name": st.just(name), **more, "argument": arguments})
