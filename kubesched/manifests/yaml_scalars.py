"""What a plain YAML scalar stands for, as the YAML library of Kubernetes sees it.

Source: kubernetes v1.12.2, vendor/gopkg.in/yaml.v2/resolve.go, resolve
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Final, TypeAlias

from kubesched.manifests.numerals import decimal_of, integer_of, no_number
from kubesched.manifests.values import BadNumber, shown

Scalar: TypeAlias = "str | int | bool | Decimal | BadNumber | None"


def _in_all_cases(*words: str) -> list[str]:
    return [form for word in words for form in (word, word.capitalize(), word.upper())]


_WORDS: Final[Mapping[str, bool | None]] = MappingProxyType(
    dict.fromkeys(_in_all_cases("y", "yes", "true", "on"), True)
    | dict.fromkeys(_in_all_cases("n", "no", "false", "off"), False)
    | dict.fromkeys(["", "~", *_in_all_cases("null")])
)
_NO_NUMBERS = {".nan", ".NaN", ".NAN"} | {
    sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")
}
_BASES = {"0b": 2, "0o": 8, "0x": 16}
_INTEGER = re.compile(r"[-+]?(0b[01]+|0o[0-7]+|0x[0-9a-f]+|[0-9]+)", re.IGNORECASE)
_OCTAL = re.compile(r"[-+]?0[0-7]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def resolve(text: str) -> Scalar:
    """Tell what unquoted text stands for; times stay text, and 1:30 is no number.

    >>> [resolve(text) for text in ("on", "0x1F", "010", "1e3", "1_000", "1:30", "2018-11-29")]
    [True, 31, 8, Decimal('1E+3'), 1000, '1:30', '2018-11-29']
    """
    if text in _WORDS:
        return _WORDS[text]
    if text in _NO_NUMBERS:
        return no_number(text)
    if text[0] == ".":
        return decimal_of(text) if _FLOAT.fullmatch(text) else text
    return _number(text.replace("_", ""), text) if text[0] in "+-0123456789" else text


def _number(digits: str, text: str) -> Scalar:
    if _OCTAL.fullmatch(digits):
        return integer_of(digits, 8)
    if _INTEGER.fullmatch(digits):
        return integer_of(digits, _BASES.get(digits.lstrip("+-")[:2].lower(), 10))
    return decimal_of(digits) if _FLOAT.fullmatch(digits) else text


_STANDARD = "tag:yaml.org,2002:"
_TEXT = {"!", f"{_STANDARD}str", f"{_STANDARD}timestamp"}
_TAGGED: Final[Mapping[str, tuple[type, ...]]] = MappingProxyType(
    {
        f"{_STANDARD}int": (int,),
        f"{_STANDARD}float": (int, Decimal, BadNumber),
        f"{_STANDARD}bool": (bool,),
        f"{_STANDARD}null": (type(None),),
    }
)


def resolve_tagged(text: str, tag: str) -> Scalar:
    """Tell what text stands for that says itself what it is; ValueError if it is not that.

    >>> resolve_tagged("80", "tag:yaml.org,2002:str"), resolve_tagged("80", "tag:yaml.org,2002:int")
    ('80', 80)
    """
    if tag in _TEXT:
        return text
    if tag not in _TAGGED:
        raise ValueError(f"the tag {tag!r} is not known")
    value = resolve(text)
    if type(value) not in _TAGGED[tag]:
        raise ValueError(f"{shown(text)} is not of the type that its tag says")
    return value


def as_key(value: object) -> str:
    """Make a key of a value, as it is made on the way to JSON; ValueError if it cannot be one.

    Source: kubernetes v1.12.2, vendor/github.com/ghodss/yaml/yaml.go, convertToJSONableObject

    >>> as_key("on"), as_key(True), as_key(8080)
    ('on', 'true', '8080')
    """
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal():
            return f"{value.normalize():f}"
        case _:
            raise ValueError(f"{shown(value)} cannot be a key")
