"""The rules that a scheduler decides by, as one value."""

from collections.abc import Iterable
from typing import Any, Self

from attrs import Attribute, evolve, field, frozen

from kubesched.errors import DuplicateNameError, OptionError, UnknownNameError
from kubesched.framework.extender import Extender
from kubesched.framework.specs import PredicateSpec, PrioritySpec


def _check_percentage(_options: "Options", _attribute: "Attribute[int]", value: object) -> None:
    if type(value) is not int:
        raise OptionError(f"percentage_of_nodes_to_score is {value!r}, expected an integer")


def _check_choice(_options: "Options", attribute: "Attribute[bool]", value: object) -> None:
    if not isinstance(value, bool):
        raise OptionError(f"{attribute.name} is {value!r}, expected True or False")


@frozen(kw_only=True)
class Options:
    """What changes the algorithm beside the rules themselves.

    Attributes:
        percentage_of_nodes_to_score: how many of the nodes are to be found feasible before the
            search stops, in percent, and never fewer than 100 nodes; 0 or less and 100 or more
            mean all.
        always_check_all_predicates: whether a node is asked every predicate even after a refusal.
        pod_priority: whether pods make room for more important ones, and room is kept on a node for
            the pods that are nominated to it.
        disable_preemption: whether a pod that fits nowhere leaves the others alone all the same.
    """

    percentage_of_nodes_to_score: int = field(default=50, validator=_check_percentage)
    always_check_all_predicates: bool = field(default=False, validator=_check_choice)
    pod_priority: bool = field(default=True, validator=_check_choice)
    disable_preemption: bool = field(default=False, validator=_check_choice)


def _in_order(predicates: Iterable[PredicateSpec[Any]]) -> tuple[PredicateSpec[Any], ...]:
    return tuple(sorted(predicates, key=lambda spec: spec.order))


def _as_tuple(priorities: Iterable[PrioritySpec[Any]]) -> tuple[PrioritySpec[Any], ...]:
    return tuple(priorities)


def _as_extenders(extenders: Iterable[Extender]) -> tuple[Extender, ...]:
    return tuple(extenders)


def _no_name_twice(
    _rules: "RuleSet",
    attribute: "Attribute[Any]",
    specs: tuple[PredicateSpec[Any] | PrioritySpec[Any], ...],
) -> None:
    names: set[str] = set()
    for spec in specs:
        if spec.name in names:
            raise DuplicateNameError(_singular(attribute.name), spec.name)
        names.add(spec.name)


def _singular(plural: str) -> str:
    return {"predicates": "predicate", "priorities": "priority"}[plural]


@frozen
class RuleSet:
    """Predicates in the order in which they are asked, priorities with their weights, options.

    The extenders are asked one after the other, when the rules have said what they have to say.

    It is a value: the methods return another one.

    Raises:
        DuplicateNameError: a name occurs twice.

    >>> from kubesched.framework import FITS
    >>> anywhere = PredicateSpec("Anywhere", lambda pod, meta, node: FITS)
    >>> RuleSet().with_predicate(anywhere).without("Anywhere") == RuleSet()
    True
    """

    predicates: tuple[PredicateSpec[Any], ...] = field(
        default=(), converter=_in_order, validator=_no_name_twice
    )
    priorities: tuple[PrioritySpec[Any], ...] = field(
        default=(), converter=_as_tuple, validator=_no_name_twice
    )
    options: Options = field(factory=Options)
    extenders: tuple[Extender, ...] = field(default=(), converter=_as_extenders)

    def with_predicate(self, spec: PredicateSpec[Any]) -> Self:
        """Return these rules and a predicate, which takes its place in the order.

        Raises:
            DuplicateNameError: there is a predicate of this name.
        """
        return evolve(self, predicates=(*self.predicates, spec))

    def with_priority(self, spec: PrioritySpec[Any]) -> Self:
        """Return these rules and a priority.

        Raises:
            DuplicateNameError: there is a priority of this name.
        """
        return evolve(self, priorities=(*self.priorities, spec))

    def with_extender(self, extender: Extender) -> Self:
        """Return these rules and an extender, which is asked after all others."""
        return evolve(self, extenders=(*self.extenders, extender))

    def without(self, name: str) -> Self:
        """Return these rules less the predicate or priority of this name, or both.

        Raises:
            UnknownNameError: there is neither.
        """
        names = [spec.name for spec in self.predicates] + [spec.name for spec in self.priorities]
        if name not in names:
            raise UnknownNameError("rule", name, names)
        return evolve(
            self,
            predicates=tuple(spec for spec in self.predicates if spec.name != name),
            priorities=tuple(spec for spec in self.priorities if spec.name != name),
        )

    def with_options(self, **changes: Any) -> Self:
        """Return these rules with some options changed; see `Options`.

        Raises:
            OptionError: a value out of range.
            UnknownNameError: there is no such option.
        """
        known = {attribute.name for attribute in Options.__attrs_attrs__}
        for name in changes:
            if name not in known:
                raise UnknownNameError("option", name, known)
        return evolve(self, options=evolve(self.options, **changes))
