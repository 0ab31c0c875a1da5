"""Amounts of a resource, exact and immutable: `500m` of cpu, `16Gi` of memory."""

import re
from collections.abc import Mapping
from decimal import ROUND_UP, Context, Decimal, InvalidOperation
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Self, TypeAlias

from attrs import field, frozen

from kubesched.errors import QuantityError

QuantityLike: TypeAlias = "Quantity | str | int | float | Decimal"


class Format(StrEnum):
    """How a quantity was written, and so how it is written again."""

    BINARY_SI = "BinarySI"
    DECIMAL_SI = "DecimalSI"
    DECIMAL_EXPONENT = "DecimalExponent"


_MILLI = 10**6  # nano-units
_ONE = 10**9  # nano-units
_MOST_BINARY = Decimal((2**63 - 1) * _ONE)
_TOO_LARGE = 10**100

_BINARY_SUFFIXES = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_DECIMAL_SUFFIXES = ("n", "u", "m", "", "k", "M", "G", "T", "P", "E")
# What one of each suffix is in nano-units. Decimal comes last: it is what no suffix means.
_UNITS: Mapping[str, tuple[Decimal, Format]] = MappingProxyType(
    {text: (Decimal(_ONE * 1024**n), Format.BINARY_SI) for n, text in enumerate(_BINARY_SUFFIXES)}
    | {text: (Decimal(1000**n), Format.DECIMAL_SI) for n, text in enumerate(_DECIMAL_SUFFIXES)}
)
_QUANTITY = re.compile(
    r"(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))"
    r"(?P<suffix>[numkMGTPE]?|[KMGTPE]i|[eE][+-]?0*[0-9]{1,18})"
)

# Rounding away from zero to 109 digits and then to whole nano-units is rounding once, because the
# finer steps contain the coarser. What needs more digits, 10^100 or more, is an ArithmeticError.
# Only the flags of a context ever change, and nobody reads these.
_AWAY_FROM_ZERO = Context(prec=109, rounding=ROUND_UP, traps=[InvalidOperation])


@frozen(init=False, repr=False, order=True)
class Quantity:
    """An amount of a resource, held as a whole number of nano-units (10^-9) of any size.

    It is read from text such as `16Gi`, `1.5G`, `100m` or `1e3`, or from a number, which counts as
    written without a suffix. What is finer than a nano-unit is rounded away from zero, and a binary
    amount stops at 2^63-1. Equality, order and hash look at the amount alone. A sum or difference
    is exact and has the format of its left operand, or of the right one if the left one is zero.

        >>> Quantity("1.5Gi")
        Quantity('1536Mi')
        >>> Quantity("0.5") + Quantity("250m"), Quantity("1024Mi") == Quantity("1Gi")
        (Quantity('750m'), True)
        >>> Quantity("16 GB")
        Traceback (most recent call last):
        kubesched.errors.QuantityError: '16 GB' is not a quantity (expected ...)

    Attributes:
        nano: the amount in nano-units.
        format: how it was written.

    Raises:
        QuantityError: if the value is no quantity, or is 10^100 or more.

    Differs:
        10^100 or more is an error, and so is an exponent of more than 18 digits; the original takes
        exponents modulo 2^32, and may then compute without end. A number without a digit (`.`,
        `Ki`, `-`) is an error; the original takes it for 0.

    Source: kubernetes v1.12.2, staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go,
        ParseQuantity, Add, Sub
    """

    nano: int
    format: Format = field(eq=False)

    def __init__(self, value: QuantityLike) -> None:
        """Read a quantity; the texts that occur often are read once."""
        try:
            nano, form = _read(value) if isinstance(value, str) else _convert(value)
        except ArithmeticError:
            raise QuantityError(value, expected="less than 10^100") from None
        except ValueError:
            raise QuantityError(value) from None
        self.__attrs_init__(nano, form)

    @classmethod
    def parse(cls, value: QuantityLike) -> Self:
        """Read a quantity like the constructor, but give a `Quantity` back as it is.

        >>> Quantity.parse("2")
        Quantity('2')
        """
        return value if isinstance(value, cls) else cls(value)

    def value(self) -> int:
        """Give the amount in whole units, rounded away from zero.

            >>> Quantity("100m").value()
            1

        Differs: the original overflows past 2^63-1, and rounds some negative amounts, by how it
            holds them, towards zero or beyond it.

        Source: kubernetes v1.12.2, staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go,
            Value, and scale_int.go, scaledValue
        """
        return _rounded(self.nano, _ONE)

    def milli_value(self) -> int:
        """Give the amount in thousandths, rounded as in `value` and as large as it takes.

            >>> Quantity("0.5").milli_value()
            500

        Source: kubernetes v1.12.2, staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go,
            MilliValue
        """
        return _rounded(self.nano, _MILLI)

    def __str__(self) -> str:
        """Write the canonical form: exact, without a fraction, the suffix as large as possible.

        A binary amount that is fractional or below 1024 is written in decimal.

            >>> str(Quantity("1024Mi")), str(Quantity("0.5Ki")), str(Quantity("1200e1"))
            ('1Gi', '512', '12e3')

        Differs: the original gives some texts back as they were read (`+1`, `1.250`, `1E3`), and
            leaves out what no suffix is large enough for: it writes `1000E` as `1`. Here it is
            `1e21`, as in later releases.

        Source: kubernetes v1.12.2, staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go,
            CanonicalizeBytes
        """
        if not self:
            return "0"
        units, fraction = divmod(self.nano, _ONE)
        if self.format is Format.BINARY_SI and not fraction and abs(units) >= 1024:  # noqa: PLR2004
            return _in_binary(units)
        return _in_decimal(self.nano, with_exponent=self.format is Format.DECIMAL_EXPONENT)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __bool__(self) -> bool:
        return self.nano != 0

    def __neg__(self) -> Self:
        return self._of(-self.nano, self.format)

    def __add__(self, other: "Quantity") -> Self:
        if not isinstance(other, Quantity):
            return NotImplemented
        return self._of(self.nano + other.nano, (self or other).format)

    def __sub__(self, other: "Quantity") -> Self:
        if not isinstance(other, Quantity):
            return NotImplemented
        return self._of(self.nano - other.nano, (self or other).format)

    @classmethod
    def _of(cls, nano: int, form: Format) -> Self:
        quantity = cls.__new__(cls)
        quantity.__attrs_init__(nano, form)
        return quantity


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[int, Format]:
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise ValueError(text)
    number, suffix = match.groups()
    if suffix not in _UNITS:
        return _in_nano(Decimal(number + suffix)), Format.DECIMAL_EXPONENT
    unit, form = _UNITS[suffix]
    if form is Format.BINARY_SI:
        return _read_binary(Decimal(number), unit)
    return _in_nano(Decimal(number), unit), form


def _read_binary(number: Decimal, unit: Decimal) -> tuple[int, Format]:
    amount = _AWAY_FROM_ZERO.multiply(number, unit)
    nano = _whole(max(-_MOST_BINARY, min(amount, _MOST_BINARY)))
    return nano, Format.DECIMAL_SI if 0 < abs(nano) < _ONE else Format.BINARY_SI


def _convert(value: object) -> tuple[int, Format]:
    match value:
        case Quantity():
            return value.nano, value.format
        case bool():
            raise ValueError(value)
        case int():
            return _in_nano(_capped(value)), Format.DECIMAL_SI
        case Decimal():
            return _in_nano(value), Format.DECIMAL_SI
        case float():
            return _in_nano(Decimal(float.__repr__(value))), Format.DECIMAL_SI
        case _:
            raise ValueError(value)


def _capped(number: int) -> Decimal:
    """Make a Decimal in constant time: one of a million digits would take seconds."""
    return Decimal(max(-_TOO_LARGE, min(number, _TOO_LARGE)))


def _in_nano(number: Decimal, unit: Decimal = Decimal(_ONE)) -> int:
    return _whole(_AWAY_FROM_ZERO.multiply(number, unit))


def _whole(amount: Decimal) -> int:
    return int(_AWAY_FROM_ZERO.quantize(amount, Decimal(1)))


def _rounded(nano: int, unit: int) -> int:
    return nano // unit if nano < 0 else -(-nano // unit)


def _in_binary(units: int) -> str:
    power = 0
    while power < len(_BINARY_SUFFIXES) - 1 and units % 1024 == 0:
        units //= 1024
        power += 1
    return f"{units}{_BINARY_SUFFIXES[power]}"


def _in_decimal(nano: int, *, with_exponent: bool) -> str:
    digits = str(nano)
    power = (len(digits) - len(digits.rstrip("0"))) // 3
    number = digits[: len(digits) - 3 * power]
    if power < len(_DECIMAL_SUFFIXES) and not with_exponent:
        return number + _DECIMAL_SUFFIXES[power]
    exponent = 3 * power - 9
    return f"{number}e{exponent}" if exponent else number
