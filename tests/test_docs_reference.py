"""The reference describes every public name once, and the page on fidelity every rule."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name, walk_packages
from typing import Any, TypeAlias

import pytest

import kubesched
from kubesched import plugins
from kubesched.cli.command import simulate_command
from kubesched.config import FeatureGates, stock_registry
from kubesched.framework import PredicateSpec, PrioritySpec

Spec: TypeAlias = PredicateSpec[Any] | PrioritySpec[Any]
Row: TypeAlias = Mapping[str, str]

DOCS = Path(__file__).parents[1] / "docs"
REFERENCE = {page.stem: page.read_text("utf-8") for page in (DOCS / "reference").glob("*.md")}
FRONT_PAGE = REFERENCE["kubesched"]
PACKAGES = (
    "config",
    "engine",
    "framework",
    "manifests",
    "model",
    "runtime",
    "state",
    "testing",
)
MODULES = ("builders", "errors", "quantity", "selectors", "tolerations")

_DIRECTIVE = re.compile(
    r"^\.\. (?P<what>currentmodule|auto\w+|py:data|py:type):: (?P<name>[\w.]+)", re.MULTILINE
)
_LINK = re.compile(r"\{py:\w+\}`(?P<name>\w+) <(?P<target>[\w.]+)>`")


def described_on(page: str) -> Iterator[str]:
    """Go over the names that directives of a page describe."""
    module = ""
    for what, name in _DIRECTIVE.findall(page):
        if what == "currentmodule":
            module = f"{name}."
        else:
            yield name if "." in name else module + name


def public_names() -> Iterator[str]:
    yield from (f"kubesched.{module}" for module in MODULES)
    for package in PACKAGES:
        exported = import_module(f"kubesched.{package}").__all__
        yield from (f"kubesched.{package}.{name}" for name in exported)


def test_every_public_name_is_described_on_exactly_one_page() -> None:
    times = Counter(name for page in REFERENCE.values() for name in described_on(page))
    assert {name for name in public_names() if not times[name]} == set()
    assert {name for name, count in times.items() if count > 1} == set()


def test_everything_that_is_described_exists() -> None:
    for page in REFERENCE.values():
        for name in described_on(page):
            resolve_name(name)


def test_the_front_page_lists_what_import_kubesched_gives() -> None:
    links = dict(_LINK.findall(FRONT_PAGE))
    here = [name.removeprefix("kubesched.") for name in described_on(FRONT_PAGE)]
    assert sorted([*links, *here]) == sorted(kubesched.__all__)
    for name, target in links.items():
        assert resolve_name(target) is getattr(kubesched, name), name


def test_every_option_of_the_command_is_described() -> None:
    options = {option for each in simulate_command.params for option in each.opts}
    described = re.findall(r"`(-[\w-]+)`", REFERENCE["command-line"])
    assert {option for option in options if option.startswith("-")} <= set(described)


# -- the rules -------------------------------------------------------------------------------------


def table(page: str, title: str) -> dict[str, Row]:
    """Read the table whose first column has this title: each row's cells, by its first cell."""
    lines = page[page.index(f"| {title} |") :].partition("\n\n")[0].splitlines()
    titles, _, *rows = map(cells_of, lines)
    return {row[0]: dict(zip(titles, row, strict=True)) for row in rows}


def cells_of(line: str) -> list[str]:
    return [cell.strip(" `") for cell in line.strip("|").split("|")]


FIDELITY = (DOCS / "explanation/fidelity.md").read_text("utf-8")
PREDICATES, PRIORITIES = table(FIDELITY, "predicate"), table(FIDELITY, "priority")
ALL_RULES = {**PREDICATES, **PRIORITIES}


@pytest.mark.parametrize("taints", [True, False], ids=["taints on", "taints off"])
@pytest.mark.parametrize("limits", [True, False], ids=["limits on", "limits off"])
def test_the_page_on_fidelity_has_the_rules_of_the_registry(*, taints: bool, limits: bool) -> None:
    gates = FeatureGates(taint_nodes_by_condition=taints, resource_limits_priority_function=limits)
    said = {
        "yes",
        f"TaintNodesByCondition {'on' if taints else 'off'}",
        f"ResourceLimitsPriorityFunction {'on' if limits else 'off'}",
    }
    registry = stock_registry(gates)
    for rules, rows in ((registry.predicates, PREDICATES), (registry.priorities, PRIORITIES)):
        assert set(rules) == {name for name, row in rows.items() if row["registered"] in said}


def specs_in_plugins() -> Iterator[Spec]:
    for module in walk_packages(plugins.__path__, f"{plugins.__name__}."):
        for value in vars(import_module(module.name)).values():
            if isinstance(value, PredicateSpec | PrioritySpec):
                yield value


def test_the_page_on_fidelity_says_what_each_rule_reads() -> None:
    for spec in specs_in_plugins():
        facets = sorted(facet.name for facet in spec.reads)
        assert ALL_RULES[spec.name]["reads"] == (", ".join(facets) or "nothing"), spec.name


def test_the_page_on_fidelity_has_the_predicates_in_their_order() -> None:
    orders = {spec.name: spec.order for spec in specs_in_plugins() if type(spec) is PredicateSpec}
    listed = [orders[name] for name in PREDICATES if name in orders]
    assert listed == sorted(listed)


def test_the_reference_says_where_each_specification_is() -> None:
    listed = table(REFERENCE["plugins"], "specification")
    for path, row in listed.items():
        spec = resolve_name(path)
        assert isinstance(spec, PredicateSpec | PrioritySpec)
        assert spec.name == row["name of the rule"]
    assert {spec.name for spec in specs_in_plugins()} <= {
        row["name of the rule"] for row in listed.values()
    }
