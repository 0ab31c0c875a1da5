"""Label and node selectors, made ready once and then asked about many labels.

A selector of a manifest becomes a `Selector` (or a `NodeSelection`), which answers `matches`. What
cannot be evaluated, such as an unknown operator, raises a `SelectorError` when it is made ready, in
the words of the original.

Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/labels/selector.go,
pkg/apis/meta/v1/helpers.go (LabelSelectorAsSelector), pkg/apis/core/v1/helper/helpers.go
(NodeSelectorRequirementsAsSelector, MatchNodeSelectorTerms).
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from attrs import field, frozen

from kubesched.errors import SelectorError
from kubesched.model import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
)

_NAME_PATTERN: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_NAME: Final = re.compile(_NAME_PATTERN)
_SUBDOMAIN_PATTERN: Final = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_SUBDOMAIN: Final = re.compile(_SUBDOMAIN_PATTERN)
_INTEGER: Final = re.compile(r"([+-]?)0*([0-9]{1,19})")
_NAME_LENGTH: Final = 63
_SUBDOMAIN_LENGTH: Final = 253
_INT64: Final = range(-(2**63), 2**63)

_NAME_RULE: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character"
)


def integer(text: str) -> int | None:
    """Read a decimal integer of 64 bits as Go's ParseInt does; None where it is not one.

    >>> integer("42"), integer("4.2"), integer("9223372036854775808")
    (42, None, None)
    """
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    number = int("".join(match.groups()))
    return number if number in _INT64 else None


def faults_of_label_value(value: str) -> list[str]:
    """Tell what keeps a text from being the value of a label; nothing if it may be one.

    Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/util/validation/validation.go.
    """
    faults = []
    if len(value) > _NAME_LENGTH:
        faults.append(f"must be no more than {_NAME_LENGTH} characters")
    if value and _NAME.fullmatch(value) is None:
        faults.append(
            f"a valid label must be an empty string or consist of alphanumeric characters, '-', "
            f"'_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  "
            f"or 'my_value',  or '12345', regex used for validation is '({_NAME_PATTERN})?')"
        )
    return faults


def faults_of_qualified_name(name: str) -> list[str]:
    """Tell what keeps a text from being a label's key; nothing if it may be one.

    Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/util/validation/validation.go,
    IsQualifiedName.
    """
    prefix, slash, short = name.rpartition("/")
    if "/" in prefix:
        return [
            (
                f"a qualified name {_NAME_RULE} (e.g. 'MyName',  or 'my.name',  or '123-abc', "
                f"regex used for validation is '{_NAME_PATTERN}') with an optional DNS subdomain "
                f"prefix and '/' (e.g. 'example.com/MyName')"
            )
        ]
    return [*(_faults_of_prefix(prefix) if slash else ()), *_faults_of_short_name(short)]


def _faults_of_prefix(prefix: str) -> list[str]:
    if not prefix:
        return ["prefix part must be non-empty"]
    faults = []
    if len(prefix) > _SUBDOMAIN_LENGTH:
        faults.append(f"prefix part must be no more than {_SUBDOMAIN_LENGTH} characters")
    if _SUBDOMAIN.fullmatch(prefix) is None:
        faults.append(
            f"prefix part a DNS-1123 subdomain must consist of lower case alphanumeric characters, "
            f"'-' or '.', and must start and end with an alphanumeric character (e.g. "
            f"'example.com', regex used for validation is '{_SUBDOMAIN_PATTERN}')"
        )
    return faults


def _faults_of_short_name(short: str) -> list[str]:
    faults = []
    if not short:
        faults.append("name part must be non-empty")
    if len(short) > _NAME_LENGTH:
        faults.append(f"name part must be no more than {_NAME_LENGTH} characters")
    if _NAME.fullmatch(short) is None:
        faults.append(
            f"name part {_NAME_RULE} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
            f"validation is '{_NAME_PATTERN}')"
        )
    return faults


def _above(held: str | None, wanted: Sequence[str]) -> bool:
    number = None if held is None else integer(held)
    return number is not None and number > int(wanted[0])


def _below(held: str | None, wanted: Sequence[str]) -> bool:
    number = None if held is None else integer(held)
    return number is not None and number < int(wanted[0])


def _in(held: str | None, wanted: Sequence[str]) -> bool:
    return held in wanted


def _not_in(held: str | None, wanted: Sequence[str]) -> bool:
    return held not in wanted


def _exists(held: str | None, _wanted: Sequence[str]) -> bool:
    return held is not None


def _is_absent(held: str | None, _wanted: Sequence[str]) -> bool:
    return held is None


# Functions with names and not lambdas, so that requirements can be pickled.
_TESTS: Final[Mapping[str, Callable[[str | None, Sequence[str]], bool]]] = {
    "In": _in,
    "NotIn": _not_in,
    "Exists": _exists,
    "DoesNotExist": _is_absent,
    "Gt": _above,
    "Lt": _below,
}


@frozen
class Requirement:
    """One condition on labels that has been found to make sense.

    >>> Requirement("tier", "NotIn", ("db",)).matches({"app": "web"})
    True
    >>> Requirement("cores", "Gt", ("4",)).matches({"cores": "8"})
    True
    """

    key: str
    operator: str
    values: tuple[str, ...] = ()
    _test: Callable[[str | None, Sequence[str]], bool] = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        """Refuse what cannot be evaluated."""
        fault = self._fault()
        if fault is not None:
            raise SelectorError(fault)
        object.__setattr__(self, "_test", _TESTS[self.operator])

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Tell whether the labels meet the condition; O(values)."""
        return self._test(labels.get(self.key), self.values)

    def _fault(self) -> str | None:
        faults = faults_of_qualified_name(self.key)
        if faults:
            return f'invalid label key "{self.key}": {"; ".join(faults)}'
        return self._fault_of_count() or self._fault_of_values()

    def _fault_of_count(self) -> str | None:
        match self.operator:
            case "In" | "NotIn" if not self.values:
                return "for 'in', 'notin' operators, values set can't be empty"
            case "Exists" | "DoesNotExist" if self.values:
                return "values set must be empty for exists and does not exist"
            case "Gt" | "Lt" if len(self.values) != 1:
                return "for 'Gt', 'Lt' operators, exactly one value is required"
            case "Gt" | "Lt" if integer(self.values[0]) is None:
                return "for 'Gt', 'Lt' operators, the value must be an integer"
            case _ if self.operator not in _TESTS:
                return f"operator '{self.operator}' is not recognized"
        return None

    def _fault_of_values(self) -> str | None:
        for value in self.values:
            faults = faults_of_label_value(value)
            if faults:
                return f'invalid label value: "{value}": {"; ".join(faults)}'
        return None


@frozen
class Selector:
    """Requirements that must all hold: with none it selects everything, without (None) nothing.

    >>> web = Selector((Requirement("app", "In", ("web",)),))
    >>> web.matches({"app": "web", "tier": "front"})
    True
    """

    requirements: tuple[Requirement, ...] | None

    def matches(self, labels: Mapping[str, str]) -> bool:
        """Tell whether the labels meet every requirement; O(requirements)."""
        if self.requirements is None:
            return False
        for requirement in self.requirements:  # noqa: SIM110 - all() costs twice as much here
            if not requirement.matches(labels):
                return False
        return True


EVERYTHING: Final = Selector(())
NOTHING: Final = Selector(None)


def label_selector(selector: LabelSelector | None) -> Selector:
    """Make a label selector ready: absent selects nothing, empty selects everything.

    Raises:
        SelectorError: an operator, key or value that cannot be evaluated.

    >>> label_selector(LabelSelector(match_labels={"app": "web"})).matches({"app": "db"})
    False
    >>> label_selector(None) is NOTHING
    True
    """
    if selector is None:
        return NOTHING
    return Selector(
        (
            *(Requirement(key, "In", (value,)) for key, value in selector.match_labels.items()),
            *(_requirement(each, "pod", _POD_OPERATORS) for each in selector.match_expressions),
        )
    )


def label_map_selector(labels: Mapping[str, str]) -> Selector:
    """Make a plain map of labels ready, as services and node selectors use it.

    If one entry could not be a label, everything is selected, whatever the others say.

    Source: kubernetes v1.12.2, k8s.io/apimachinery/pkg/labels/selector.go, SelectorFromSet.

    >>> label_map_selector({"app": "web"}).matches({"app": "web", "tier": "front"})
    True
    """
    if any(
        faults_of_qualified_name(key) or faults_of_label_value(value)
        for key, value in labels.items()
    ):
        return EVERYTHING
    return Selector(tuple(Requirement(key, "In", (value,)) for key, value in labels.items()))


def node_label_selector(requirements: Iterable[NodeSelectorRequirement]) -> Selector:
    """Make the label expressions of a node selector term ready; none select nothing.

    Raises:
        SelectorError: an operator, key or value that cannot be evaluated.

    >>> wide = NodeSelectorRequirement(key="cores", operator="Gt", values=("4",))
    >>> node_label_selector([wide]).matches({"cores": "8"})
    True
    """
    made = tuple(_requirement(each, "node", _NODE_OPERATORS) for each in requirements)
    return Selector(made) if made else NOTHING


_POD_OPERATORS: Final = frozenset({"In", "NotIn", "Exists", "DoesNotExist"})
_NODE_OPERATORS: Final = _POD_OPERATORS | {"Gt", "Lt"}


def _requirement(
    expression: LabelSelectorRequirement | NodeSelectorRequirement,
    what: str,
    operators: frozenset[str],
) -> Requirement:
    if expression.operator not in operators:
        raise SelectorError(f'"{expression.operator}" is not a valid {what} selector operator')
    return Requirement(expression.key, expression.operator, expression.values)


@frozen
class FieldRequirement:
    """One condition on a node's fields, of which there is one: `metadata.name`.

    A field that does not exist is empty.
    """

    key: str
    is_equal: bool
    value: str

    def matches(self, name: str) -> bool:
        """Tell whether the node of this name meets the condition."""
        held = name if self.key == "metadata.name" else ""
        return (held == self.value) == self.is_equal


def _field_requirement(expression: NodeSelectorRequirement) -> FieldRequirement:
    operator = expression.operator
    if operator not in {"In", "NotIn"}:
        raise SelectorError(f'"{operator}" is not a valid node field selector operator')
    if len(expression.values) != 1:
        raise SelectorError(
            f"unexpected number of value ({len(expression.values)}) for node field selector "
            f'operator "{operator}"'
        )
    return FieldRequirement(expression.key, operator == "In", expression.values[0])


@frozen
class NodeTerm:
    """Conditions on a node's labels and fields, all of which must hold."""

    labels: Selector
    fields: tuple[FieldRequirement, ...]

    def matches(self, labels: Mapping[str, str], name: str) -> bool:
        """Tell whether the node with these labels and this name meets all conditions."""
        return self.labels.matches(labels) and all(each.matches(name) for each in self.fields)


@frozen
class NodeSelection:
    """Terms of which one must hold; with none it selects no node."""

    terms: tuple[NodeTerm, ...]

    def matches(self, labels: Mapping[str, str], name: str) -> bool:
        """Tell whether the node with these labels and this name meets one of the terms."""
        return any(term.matches(labels, name) for term in self.terms)


def node_selection(selector: NodeSelector) -> NodeSelection:
    """Make a node selector ready; terms that are empty or cannot be evaluated match no node.

    Source: kubernetes v1.12.2, pkg/apis/core/v1/helper/helpers.go, MatchNodeSelectorTerms.

    >>> in_zone = NodeSelectorRequirement(key="zone", operator="In", values=("a", "b"))
    >>> term = NodeSelectorTerm(match_expressions=(in_zone,))
    >>> selection = node_selection(NodeSelector(node_selector_terms=(term, NodeSelectorTerm())))
    >>> selection.matches({"zone": "b"}, "worker-1"), selection.matches({}, "worker-1")
    (True, False)
    """
    terms = (_node_term(term) for term in selector.node_selector_terms)
    return NodeSelection(tuple(term for term in terms if term is not None))


def _node_term(term: NodeSelectorTerm) -> NodeTerm | None:
    if not term.match_expressions and not term.match_fields:
        return None
    try:
        expressions = term.match_expressions
        labels = node_label_selector(expressions) if expressions else EVERYTHING
        return NodeTerm(labels, tuple(_field_requirement(each) for each in term.match_fields))
    except SelectorError:
        return None
