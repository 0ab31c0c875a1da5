"""The examples in the docstrings, run against the package as it is installed."""

import doctest
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

import pytest

import kubesched

LENIENT = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def docstrings_with_examples() -> Iterator[doctest.DocTest]:
    finder = doctest.DocTestFinder()
    for module in walk_packages(kubesched.__path__, "kubesched."):
        found = finder.find(import_module(module.name))
        yield from (docstring for docstring in found if docstring.examples)


@pytest.mark.usefixtures("without_chance")
@pytest.mark.parametrize("docstring", list(docstrings_with_examples()), ids=lambda it: it.name)
def test_a_docstring_shows_what_happens(docstring: doctest.DocTest) -> None:
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=LENIENT).run(docstring, out=report.append)
    if result.failed:
        pytest.fail("".join(report), pytrace=False)
