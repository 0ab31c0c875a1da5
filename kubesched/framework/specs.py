"""A rule and all that the engine must know of it, in one place."""

from collections.abc import Callable, Iterable
from inspect import Parameter, signature
from typing import Any, Final, Generic, TypeVar, overload

from attrs import Attribute, evolve, field, frozen

from kubesched.errors import OptionError, SpecError
from kubesched.framework.contract import (
    Fit,
    FitPredicate,
    Prepare,
    PriorityMap,
    PriorityReduce,
    Reason,
    Skip,
)
from kubesched.model import Pod
from kubesched.state import Facet, Snapshot

M = TypeVar("M")

AFTER_STOCK: Final = 1000
"""The order of a predicate that says nothing: after every stock one."""

WEIGHT_LIMIT: Final = (2**63 - 1) // 10
"""Weights are below this, so that a weighted score is a 64-bit integer."""


def _facets(reads: Iterable[Facet]) -> frozenset[Facet]:
    return frozenset(reads)


def _takes(count: int, shape: str) -> Callable[[Any, "Attribute[Any]", Any], None]:
    """Return a validator: the value is None or may be called with so many positional arguments."""

    def check(spec: Any, attribute: "Attribute[Any]", value: Any) -> None:
        if value is None and attribute.default is None:
            return
        if not callable(value) or not _accepts(value, count):
            raise SpecError(f"{attribute.name} of {spec.name!r} is {value!r}, expected {shape}")

    return check


def _accepts(function: Callable[..., object], count: int) -> bool:
    try:
        parameters = signature(function).parameters.values()
    except ValueError:  # some callables written in C tell nothing about themselves
        return True
    positional = [each for each in parameters if each.kind <= Parameter.POSITIONAL_OR_KEYWORD]
    needed = [
        each
        for each in parameters
        if each.default is Parameter.empty
        and each.kind not in {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}
    ]
    has_rest = any(each.kind is Parameter.VAR_POSITIONAL for each in parameters)
    named_only = any(each.kind is Parameter.KEYWORD_ONLY for each in needed)
    return not named_only and len(needed) <= count and (has_rest or len(positional) >= count)


def _check_name(_spec: Any, _attribute: "Attribute[str]", value: object) -> None:
    if not isinstance(value, str) or not value:
        raise SpecError(f"the name of a rule is {value!r}, expected a text that is not empty")


def _check_reads(spec: Any, _attribute: "Attribute[Any]", value: frozenset[object]) -> None:
    strangers = sorted(repr(each) for each in value if not isinstance(each, Facet))
    if strangers:
        raise SpecError(f"reads of {spec.name!r} has {strangers[0]}, expected members of Facet")


def _check_order(spec: Any, _attribute: "Attribute[int]", value: object) -> None:
    if type(value) is not int:
        raise SpecError(f"order of {spec.name!r} is {value!r}, expected an integer")


def _check_weight(spec: Any, _attribute: "Attribute[int]", value: object) -> None:
    if type(value) is not int or not 0 < value < WEIGHT_LIMIT:
        raise OptionError(
            f"the weight of priority {spec.name!r} is {value!r}, "
            f"expected an integer above 0 and below {WEIGHT_LIMIT}"
        )


@frozen
class PredicateSpec(Generic[M]):
    """A predicate with its name and what the engine must know of it.

    Attributes:
        name: what it is called in registries, profiles, policies and evidence.
        check: the predicate.
        prepare: what works out its `meta`, once a pod.
        order: where it stands among the predicates; the stock ones take 0..999.
        reads: the facets that its answer depends on; all, if nothing is said. An answer may be
            remembered until one of them changes.
        blocks: whether the callable waits for something outside (a file, a network), so that
            threads help.

    Raises:
        SpecError: a callable that cannot be called as the contract says.

    >>> from kubesched.framework import FITS
    >>> PredicateSpec("Anywhere", lambda pod, meta, node: FITS, reads={Facet.LABELS}).order
    1000
    >>> PredicateSpec("Anywhere", lambda pod: FITS)
    Traceback (most recent call last):
        ...
    kubesched.errors.SpecError: check of 'Anywhere' is ..., expected check(pod, meta, node) -> Fit
    """

    name: str = field(validator=_check_name)
    check: FitPredicate[M] = field(validator=_takes(3, "check(pod, meta, node) -> Fit"))
    prepare: Prepare[M] | None = field(
        default=None, kw_only=True, validator=_takes(2, "prepare(pod, snapshot) -> meta")
    )
    order: int = field(default=AFTER_STOCK, kw_only=True, validator=_check_order)
    reads: frozenset[Facet] = field(
        default=frozenset(Facet), kw_only=True, converter=_facets, validator=_check_reads
    )
    blocks: bool = field(default=False, kw_only=True)


def reasons_of(spec: PredicateSpec[Any], answer: object) -> tuple[Reason, ...]:
    """Return the reasons of a predicate's answer.

    Raises:
        SpecError: the answer is no `Fit`, or a reason of it no `Reason`.
    """
    if not isinstance(answer, Fit):
        raise SpecError(
            f"predicate {spec.name!r} returned {answer!r}, expected FITS or Fit(reason, …)"
        )
    reasons: tuple[object, ...] = answer.reasons
    for reason in reasons:
        if not isinstance(reason, Reason):
            raise SpecError(f"predicate {spec.name!r} gave {reason!r}, expected a Reason")
    return answer.reasons


@frozen
class PrioritySpec(Generic[M]):
    """A priority with its name, its weight and what the engine must know of it.

    Attributes:
        name: what it is called in registries, profiles, policies and evidence.
        map: scores one node.
        reduce: brings the scores of all nodes to 0..10; without it the map's scores stand.
        weight: how often the score counts in a node's total, above 0.
        prepare: what works out its `meta`, once a pod.
        reads: the facets that the map's score depends on; all, if nothing is said.
        blocks: whether the callable waits for something outside, so that threads help.

    Raises:
        SpecError: a callable that cannot be called as the contract says.
        OptionError: a weight out of range.
    """

    name: str = field(validator=_check_name)
    map: PriorityMap[M] = field(validator=_takes(3, "map(pod, meta, node) -> int"))
    reduce: PriorityReduce[M] | None = field(
        default=None,
        kw_only=True,
        validator=_takes(4, "reduce(pod, meta, nodes, scores) -> scores"),
    )
    weight: int = field(default=1, kw_only=True, validator=_check_weight)
    prepare: Prepare[M] | None = field(
        default=None, kw_only=True, validator=_takes(2, "prepare(pod, snapshot) -> meta")
    )
    reads: frozenset[Facet] = field(
        default=frozenset(Facet), kw_only=True, converter=_facets, validator=_check_reads
    )
    blocks: bool = field(default=False, kw_only=True)

    def weighted(self, weight: int) -> "PrioritySpec[M]":
        """Return the same priority with another weight."""
        return evolve(self, weight=weight)


def meta_of(
    spec: PredicateSpec[M] | PrioritySpec[M], pod: Pod, snapshot: Snapshot
) -> M | Skip | None:
    """Return what a rule's `prepare` makes of a pod, None where it has none.

    Raises:
        Exception: whatever the rule raises.
    """
    return None if spec.prepare is None else spec.prepare(pod, snapshot)


@overload
def predicate(
    name: str, *, order: int = ..., reads: Iterable[Facet] = ..., blocks: bool = ...
) -> Callable[[FitPredicate[None]], PredicateSpec[None]]: ...
@overload
def predicate(
    name: str,
    *,
    prepare: Prepare[M],
    order: int = ...,
    reads: Iterable[Facet] = ...,
    blocks: bool = ...,
) -> Callable[[FitPredicate[M]], PredicateSpec[M]]: ...
def predicate(
    name: str,
    *,
    prepare: Prepare[Any] | None = None,
    order: int = AFTER_STOCK,
    reads: Iterable[Facet] = frozenset(Facet),
    blocks: bool = False,
) -> Callable[[FitPredicate[Any]], PredicateSpec[Any]]:
    """Make a predicate's spec of the function below; see `PredicateSpec` for the arguments.

    >>> from kubesched.framework import FITS
    >>> @predicate("Anywhere", reads=())
    ... def anywhere(pod, meta, node):
    ...     return FITS
    >>> anywhere.name
    'Anywhere'
    """
    facets = frozenset(reads)

    def made_of(check: FitPredicate[Any]) -> PredicateSpec[Any]:
        return PredicateSpec(name, check, prepare=prepare, order=order, reads=facets, blocks=blocks)

    return made_of


@overload
def priority(
    name: str,
    *,
    reduce: PriorityReduce[None] | None = ...,
    weight: int = ...,
    reads: Iterable[Facet] = ...,
    blocks: bool = ...,
) -> Callable[[PriorityMap[None]], PrioritySpec[None]]: ...
@overload
def priority(
    name: str,
    *,
    prepare: Prepare[M],
    reduce: PriorityReduce[M] | None = ...,
    weight: int = ...,
    reads: Iterable[Facet] = ...,
    blocks: bool = ...,
) -> Callable[[PriorityMap[M]], PrioritySpec[M]]: ...
def priority(
    name: str,
    *,
    prepare: Prepare[Any] | None = None,
    reduce: PriorityReduce[Any] | None = None,
    weight: int = 1,
    reads: Iterable[Facet] = frozenset(Facet),
    blocks: bool = False,
) -> Callable[[PriorityMap[Any]], PrioritySpec[Any]]:
    """Make a priority's spec of the function below; see `PrioritySpec` for the arguments."""
    facets = frozenset(reads)

    def made_of(score: PriorityMap[Any]) -> PrioritySpec[Any]:
        return PrioritySpec(
            name, score, reduce=reduce, weight=weight, prepare=prepare, reads=facets, blocks=blocks
        )

    return made_of
