"""Configurations that are refused: what the recorded text says, and whether ours says it, too.

The texts differ; what is compared is each thing that is wrong, with the name that it is about.
"""

import re
from collections.abc import Iterator
from typing import Final

from kubesched.config import PolicyError
from kubesched.errors import UnknownNameError
from tests.conformance.configuration import configured
from tests.conformance.parts import Part
from tests.conformance.recordings import Json

_RULE: Final = {
    r"Priority (?P<a>[\w-]+) should have a positive weight applied to it or it has overflown": (
        r"priority <a>: priorities\[\d+\]\.weight.* (is out of range|is missing) "
    ),
    r"Total priority of priority functions has overflown": r"too large a sum of weights",
    r"Invalid configuration: Predicate type not found for (?P<a>.+)": (
        r"predicates\[\d+\]\.name: '<a>' is not registered"
    ),
    r"Invalid configuration: Priority type not found for (?P<a>.+)": (
        r"priorities\[\d+\]\.name: '<a>' is not registered"
    ),
    r"Exactly 1 predicate argument is required, numArgs: (?P<b>\d), Predicate: (?P<a>.+)": (
        r"predicate <a>: predicates\[\d+\]\.argument has <b> arguments"
    ),
    r"Exactly 1 priority argument is required, numArgs: (?P<b>\d), Priority: (?P<a>.+)": (
        r"priority <a>: priorities\[\d+\]\.argument has <b> arguments"
    ),
    r"Algorithm name (?P<a>.+) does not match the name validation regexp .+": (
        r"\[\d+\]\.name: '<a>' is no name for a rule"
    ),
}
_SHAPE: Final = {
    r"invalid \w+ arguments: at least one point must be specified": r"\.shape is empty",
    r"invalid \w+ arguments: (utilization|score) values must not be \w+ than \d+. "
    r"(Utilization|Score)\[(?P<a>\d+)\]==(?P<b>-?\d+)": (
        r"\.shape\[<a>\]\.(utilization|score): <b> is out of range"
    ),
    r"invalid \w+ arguments: utilization values must be sorted. "
    r"Utilization\[\d+\]==(?P<c>-?\d+) >= Utilization\[(?P<a>\d+)\]==(?P<b>-?\d+)": (
        r"\.shape\[<a>\]\.utilization: <b> is not sorted \(expected more than the <c> before it"
    ),
}
_EXTENDER: Final = {
    r"Priority for extender (?P<a>[^ ]*) should have a positive weight applied to it": (
        r"extender <a>: extenders\[\d+\]\.weight: -?\d+ is out of range"
    ),
    r"Only one extender can implement bind, found (?P<a>\d+)": r"\.bindVerb: .* is one of <a> ",
    r"(?P<a>[^ ,\[]+) is an invalid extended resource name": (
        r"\.name: '<a>' is not the name of an extended resource"
    ),
    r"(name part|prefix part|a qualified name) .+?"
    r"(?=, (name part|prefix part|a qualified name|Duplicate|Only one|Priority|\S+ is an)|\]?$)": (
        r"\.name: '.*' is not the name of an extended resource"
    ),
    r"Duplicate extender managed resource name (?P<a>[^ ,\]]+)": (
        r"\.name: '<a>' is managed more than once"
    ),
}
_WHOLE: Final = {
    r"invalid hardPodAffinitySymmetricWeight: (?P<a>-?\d+), must be in the range 1-100": (
        r"hardPodAffinitySymmetricWeight: <a> is out of range \(expected 1 to 100\)"
    ),
    r'plugin "(?P<a>.*)" has not been registered': r"provider '<a>' is not registered",
}
_OURS: Final = {**_RULE, **_SHAPE, **_EXTENDER, **_WHOLE}
"""Each recorded text, and the one of ours that says the same about the same names."""

_NUMERALS: Final = {"0": "no"}


def refusal(scenario: str, config: Json, recorded: str) -> Part:
    """Lay what is wrong with a configuration beside what we find wrong with it."""
    meant = list(_meant(recorded))
    said = _said(config)
    found = [each for each in meant if re.search(each, said)]
    return Part(scenario=scenario, what="error", expected=meant, got=found)


def _said(config: Json) -> str:
    try:
        configured(config)
    except (PolicyError, UnknownNameError) as error:
        return str(error)
    return ""


def _meant(recorded: str) -> Iterator[str]:
    """Go over the patterns that our text is to have; what is not understood is none of them."""
    rest = recorded
    for pattern, ours in _OURS.items():
        for match in re.finditer(pattern, recorded):
            rest = rest.replace(match[0], "")
            yield _filled(ours, match)
    if left := re.sub(r"[\[\], ]", "", rest):
        yield f"(not understood: {left})"


def _filled(ours: str, match: re.Match[str]) -> str:
    """Put the names of a recorded text into our pattern."""
    for key, name in match.groupdict().items():
        text = _NUMERALS.get(name, name) if "arguments" in ours else name
        ours = ours.replace(f"<{key}>", re.escape(text))
    return ours
