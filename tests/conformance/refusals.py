"""Configurations that are refused: what the recorded text says, and whether ours says it, too.

The texts differ; what is compared is each thing that is wrong, with the name that it is about. Of a
text that is not known it is whether ours has the names that it quotes from the configuration.
"""

import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from kubesched.config import PolicyError
from kubesched.errors import UnknownNameError
from kubesched.manifests import read_wire
from kubesched.manifests.values import shown
from kubesched.testing.differential import Comparison, ScenarioConfig, as_configured
from tests.conformance.recordings import Json

_RULE: Final = {
    r"Priority (?P<a>(?!for extender ).*?) ?should have a positive weight applied to it or it has "
    r"overflown": r"priority ?<a>: priorities\[\d+\]\.weight.* (is out of range|is missing) ",
    r"Total priority of priority functions has overflown": r"too large a sum of weights",
    r"Invalid configuration: Predicate type not found for (?P<a>.+)": (
        r"predicates\[\d+\]\.name: '<a>' is not registered"
    ),
    r"Invalid configuration: Priority type not found for (?P<a>.+)": (
        r"priorities\[\d+\]\.name: '<a>' is not registered"
    ),
    r"Exactly 1 predicate argument is required, numArgs: (?P<b>\d), Predicate: ?(?P<a>.*)": (
        r"predicate ?<a>: predicates\[\d+\]\.argument has <b> arguments"
    ),
    r"Exactly 1 priority argument is required, numArgs: (?P<b>\d), Priority: ?(?P<a>.*)": (
        r"priority ?<a>: priorities\[\d+\]\.argument has <b> arguments"
    ),
    r"Algorithm name (?P<a>.+) does not match the name validation regexp .+": (
        r"\[\d+\]\.name: '<a>' is no name for a rule"
    ),
    r"Invalid configuration: \w+ type not found for ?$|Algorithm name  does not match .+": (
        r"\[\d+\]\.name is missing"
    ),
}
_SHAPE: Final = {
    r"invalid \w+ arguments: at least one point must be specified": r"\.shape is empty",
    r"invalid \w+ arguments: (utilization|score) (values must|valuses) not be \w+ than \d+. "
    r"(Utilization|Score)\[(?P<a>\d+)\]==(?P<b>-?\d+)": (
        r"\.shape\[<a>\]\.(utilization|score): <b> is out of range"
    ),
    r"invalid \w+ arguments: utilization values must be sorted. "
    r"Utilization\[\d+\]==(?P<c>-?\d+) >= Utilization\[(?P<a>\d+)\]==(?P<b>-?\d+)": (
        r"\.shape\[<a>\]\.utilization: <b> is not sorted \(expected more than the <c> before it"
    ),
}
_EXTENDER: Final = {
    r"Priority for extender (?P<a>.*?) ?should have a positive weight applied to it": (
        r"extender ?<a>: extenders\[\d+\]\.weight: -?\d+ is out of range"
    ),
    r"Only one extender can implement bind, found (?P<a>\d+)": r"\.bindVerb: .* is one of <a> ",
    r"(?P<a>[^ ,\[]+) is an invalid extended resource name": (
        r"\.name: '<a>' is not the name of an extended resource"
    ),
    r"(name part|prefix part|a qualified name) .+?"
    r"(?=, (name part|prefix part|a qualified name|Duplicate|Only one|Priority|\S+ is an)|\]?$)": (
        r"\.name: '.*' is not the name of an extended resource"
    ),
    r"Duplicate extender managed resource name (?P<a>[^ ,\]]*)": (
        r"\.name: '<a>' is managed more than once"
    ),
    r"open (?P<a>.+?): (no such file or directory|permission denied|is a directory)": (
        r"extenders\[\d+\]\.tlsConfig .*<a>"
    ),
    r"specifying a root certificates file with the insecure flag is not allowed": (
        r"extenders\[\d+\]\.tlsConfig .*insecure"
    ),
    r"tls: .+": r"extenders\[\d+\]\.tlsConfig ",
}
_WHOLE: Final = {
    r"invalid hardPodAffinitySymmetricWeight: (?P<a>-?\d+), must be in the range 1-100": (
        r"hardPodAffinitySymmetricWeight: <a> is out of range \(expected 1 to 100\)"
    ),
    r'plugin "(?P<a>.*)" has not been registered': r"provider '<a>' is not registered",
}
_OURS: Final = {**_RULE, **_SHAPE, **_EXTENDER, **_WHOLE}
"""Each recorded text, and the one of ours that says the same about the same names."""

_MISFIT: Final = (
    re.compile(r"Go struct field [\w.]+\.(?P<field>\w+) of type"),
    re.compile(r".*v1\.\w+\.(?P<field>\w+): .*error found in #", re.DOTALL),
)
"""What is said of a field that does not fit, by either of the original's two readers of JSON."""

_WIRE_NAMES: Final = {"ExtenderConfigs": "extenders", "UtilizationShape": "shape"}
"""What fields are called in a Policy, where that is not as in Go."""

_NUMERALS: Final = {"0": "no"}


def refusal(scenario: str, config: Json, recorded: str) -> Comparison:
    """Lay what is wrong with a configuration beside what we find wrong with it."""
    meant = list(_meant(recorded, config))
    said = _said(config)
    found = [each for each in meant if re.search(each, said)]
    return Comparison(scenario=scenario, part="error", expected=meant, got=found)


def _said(config: Json) -> str:
    try:
        as_configured(read_wire(ScenarioConfig, config))
    except (PolicyError, UnknownNameError) as error:
        return re.sub("; (did you mean|there are:) .*", "", str(error))
    return ""


def _meant(recorded: str, config: Json) -> Iterator[str]:
    """Go over the patterns that our text is to have; what is not understood is none of them."""
    if misfit := next(filter(None, (each.search(recorded) for each in _MISFIT)), None):
        field = _WIRE_NAMES.get(misfit["field"], misfit["field"])
        yield rf"(?i)\b{field}: .* is (not|no) "
        return
    meant, rest = [], recorded
    for pattern, ours in _OURS.items():
        for match in re.finditer(pattern, recorded):
            rest = rest.replace(match[0], "")
            meant.append(_filled(ours, match))
    meant += _names_quoted(rest, config)
    yield from meant or [re.escape(f"(not understood: {recorded})")]


def _filled(ours: str, match: re.Match[str]) -> str:
    """Put the names of a recorded text into our pattern."""
    for key, name in match.groupdict().items():
        text = _NUMERALS.get(name, name) if "arguments" in ours else name
        ours = ours.replace(f"'<{key}>'", _in_quotes(text)).replace(f"<{key}>", re.escape(text))
    return ours


def _in_quotes(text: str) -> str:
    """Return a pattern for a name as our errors quote it; the original quotes some as Go does."""
    if "\\" in text:
        with suppress(ValueError, SyntaxError):
            text = literal_eval(f'"{text}"')
    return f"({re.escape(repr(text))}|{re.escape(shown(text))})"


def _names_quoted(text: str, config: Json) -> list[str]:
    """Return the names in a configuration that a text has, as patterns."""
    return [
        re.escape(name)
        for name in sorted({*_texts_in(config)})
        if re.search(rf"(?<![\w/-]){re.escape(name)}(?![\w/-])", text)
    ]


def _texts_in(config: object) -> Iterator[str]:
    match config:
        case str() if config:
            yield config
        case Mapping():
            for value in config.values():
                yield from _texts_in(value)
        case list():
            for value in config:
                yield from _texts_in(value)
