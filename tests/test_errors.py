"""One tree of errors, each with its text, its data and its builtin."""

import builtins
import copy
import re
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, NamedTuple

import pytest

import kubesched
from kubesched import errors
from kubesched.builders import pod
from kubesched.engine import ClaimError, EvaluationError, FitError, NoNodesAvailable
from kubesched.errors import (
    ClusterError,
    DuplicateNameError,
    ExtenderError,
    KubeschedError,
    MissingExtraError,
    OptionError,
    QuantityError,
    SchedulingError,
    SelectorError,
    SpecError,
    UnknownNameError,
)
from kubesched.framework import Reason
from tests.copies import PROTOCOLS, pickled


class Raised(NamedTuple):
    """An error, its text, its data and the builtin that it is besides."""

    error: KubeschedError
    text: str
    builtin: type[Exception]
    data: dict[str, Any]


WEB = pod("web")
CPU = Reason("Insufficient cpu")
ODD = ValueError("odd")
RAISED = [
    Raised(
        QuantityError("16 GB"),
        "'16 GB' is not a quantity (expected something like '16Gi' or '16G')",
        ValueError,
        {"value": "16 GB", "expected": "something like '16Gi' or '16G'"},
    ),
    Raised(
        QuantityError(None, expected="a number"),
        "None is not a quantity (expected a number)",
        ValueError,
        {"value": None, "expected": "a number"},
    ),
    Raised(
        QuantityError("9" * 500),
        f"'{'9' * 119}… is not a quantity (expected something like '16Gi' or '16G')",
        ValueError,
        {"value": "9" * 500, "expected": "something like '16Gi' or '16G'"},
    ),
    Raised(
        QuantityError(2**2000, expected="less than 10^100"),
        "an integer of 2001 bits is not a quantity (expected less than 10^100)",
        ValueError,
        {"value": 2**2000, "expected": "less than 10^100"},
    ),
    Raised(SelectorError("cannot be evaluated"), "cannot be evaluated", ValueError, {}),
    Raised(
        MissingExtraError("reading YAML", "yaml"),
        "reading YAML needs an extra: pip install 'kubesched[yaml]'",
        ImportError,
        {"extra": "yaml"},
    ),
    Raised(
        UnknownNameError("predicate", "PodFitsResource", ["PodFitsResources", "HostName"]),
        "predicate 'PodFitsResource' is not registered; did you mean 'PodFitsResources'?",
        LookupError,
        {
            "kind": "predicate",
            "unknown": "PodFitsResource",
            "known": ("HostName", "PodFitsResources"),
            "hint": "did you mean 'PodFitsResources'?",
        },
    ),
    Raised(
        DuplicateNameError("priority", "EqualPriority"),
        "priority 'EqualPriority' is registered already",
        ValueError,
        {"kind": "priority", "taken": "EqualPriority"},
    ),
    Raised(SpecError("breaks the contract"), "breaks the contract", TypeError, {}),
    Raised(OptionError("out of range"), "out of range", ValueError, {}),
    Raised(
        ClusterError("shop/web", "the pod is not there"),
        "shop/web: the pod is not there",
        ValueError,
        {"key": "shop/web"},
    ),
    Raised(SchedulingError("no node"), "no node", Exception, {}),
    Raised(
        FitError(WEB, 2, {"a": (CPU,), "b": (CPU,)}),
        "0/2 nodes are available: 2 Insufficient cpu.",
        Exception,
        {"pod": WEB, "num_all_nodes": 2, "refusals": {"a": (CPU,), "b": (CPU,)}},
    ),
    Raised(NoNodesAvailable(), "no nodes available to schedule pods", Exception, {}),
    Raised(
        ClaimError("data", "not found"),
        'persistentvolumeclaim "data" not found',
        Exception,
        {"claim": "data"},
    ),
    Raised(
        ExtenderError("licences", "out of cheese"),
        "out of cheese",
        Exception,
        {"extender": "licences"},
    ),
]


def name_of(raised: Raised) -> str:
    return f"{type(raised.error).__name__}: {raised.text}"


each_error = pytest.mark.parametrize("raised", RAISED, ids=name_of)


@each_error
def test_an_error_says_what_was_wrong(raised: Raised) -> None:
    assert str(raised.error) == raised.text


@each_error
def test_an_error_carries_its_data(raised: Raised) -> None:
    assert vars(raised.error) == raised.data


@each_error
def test_an_error_is_also_the_builtin_that_a_caller_expects(raised: Raised) -> None:
    assert isinstance(raised.error, KubeschedError)
    assert isinstance(raised.error, raised.builtin)


@each_error
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_error_survives_pickling(raised: Raised, protocol: int) -> None:
    assert_same(pickled(raised.error, protocol), raised.error)


@each_error
def test_an_error_survives_copying(raised: Raised) -> None:
    assert_same(copy.copy(raised.error), raised.error)
    assert_same(copy.deepcopy(raised.error), raised.error)


def assert_same(back: KubeschedError, error: KubeschedError) -> None:
    assert back is not error
    assert type(back) is type(error)
    assert (str(back), back.args, vars(back)) == (str(error), error.args, vars(error))


def test_a_note_and_what_the_builtin_keeps_survive_pickling() -> None:
    error = MissingExtraError("reading YAML", "yaml")
    error.add_note("while loading cluster.yaml")
    back = pickled(error)
    assert (back.msg, back.__notes__) == (error.msg, ["while loading cluster.yaml"])


def test_what_predicates_raised_survives_pickling() -> None:
    back = pickled(EvaluationError.of_predicates([ODD, ODD]))
    assert str(back) == "odd (repeated 2 times)"
    assert [repr(each) for each in back.errors] == [repr(ODD)] * 2


# -- did you mean ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unknown", "known", "hint"),
    [
        pytest.param("HostNames", ["HostName"], "did you mean 'HostName'?", id="a letter more"),
        pytest.param("hostname", ["HostName"], "did you mean 'HostName'?", id="in small letters"),
        pytest.param(
            "Port", ["Ports", "Part", "Labels"], "did you mean 'Ports'?", id="the closest of two"
        ),
        pytest.param("Zzz", ["HostName", "Aaa"], "there are: Aaa, HostName", id="nothing close"),
        pytest.param("HostName", [], "there are: none", id="nothing at all"),
        pytest.param("", ["HostName"], "there are: HostName", id="an empty name"),
    ],
)
def test_a_name_that_nobody_registered_brings_a_hint(
    unknown: str, known: list[str], hint: str
) -> None:
    error = UnknownNameError("predicate", unknown, iter(known))
    assert str(error) == f"predicate {unknown!r} is not registered; {hint}"
    assert error.known == tuple(sorted(known))


# -- one tree --------------------------------------------------------------------------------------


def drawn_tree() -> dict[str, str]:
    """Return each name of the tree in the docstring, with the builtin beside it."""
    branches = re.findall(r"[├└]── (\w+)(?: \((\w+)\))?", errors.__doc__ or "")
    return {name: builtin or "Exception" for name, builtin in branches}


def public_errors() -> set[type[Exception]]:
    """Return every exception class that a package offers, and those where the tree grows."""
    modules = [import_module(each.name) for each in walk_packages(kubesched.__path__, "kubesched.")]
    offered = [
        getattr(module, name) for module in modules for name in vars(module).get("__all__", ())
    ]
    return {
        each
        for each in (*offered, *vars(errors).values())
        if isinstance(each, type) and issubclass(each, Exception)
    }


def test_every_public_error_hangs_on_the_one_tree() -> None:
    assert [each for each in public_errors() if not issubclass(each, KubeschedError)] == []


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    classes = {each.__name__: each for each in public_errors() - {KubeschedError}}
    assert drawn_tree().keys() == classes.keys()
    for name, builtin in drawn_tree().items():
        assert issubclass(classes[name], getattr(builtins, builtin))


def test_every_scheduling_error_hangs_below_scheduling_error() -> None:
    below = {FitError, NoNodesAvailable, ClaimError, EvaluationError, ExtenderError}
    assert all(issubclass(each, SchedulingError) for each in below)
