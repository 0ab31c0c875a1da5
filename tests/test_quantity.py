import copy
import pickle
import re
from decimal import Decimal
from fractions import Fraction
from itertools import product
from operator import add, ge, gt, le, lt, sub
from typing import Any, NamedTuple

import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import assume, example, given, strategies as st

from kubesched.errors import QuantityError
from kubesched.quantity import Format, Quantity

NANO = Fraction(1, 10**9)
MOST = 2**63 - 1
ZEROS = "0" * 5000
KI, MI, GI, EI = 1024, 1024**2, 1024**3, 1024**6


class Reading(NamedTuple):
    """What a text should be read as."""

    says: str
    text: str
    nano: int
    value: int
    milli_value: int
    written: str


def of_units(says: str, text: str, units: int, written: str) -> Reading:
    """Expect a whole number of units."""
    return Reading(says, text, units * 10**9, units, units * 1000, written)


READINGS = [
    of_units("a digit is that many", "2", 2, "2"),
    of_units("zero is zero", "0", 0, "0"),
    of_units("zero has no sign", "-0", 0, "0"),
    of_units("zero has no suffix", "0Gi", 0, "0"),
    of_units("zero has no exponent, however large", "0e999999999999999999", 0, "0"),
    of_units("leading zeros do not count", "007", 7, "7"),
    of_units("a plus changes nothing", "+1", 1, "1"),
    of_units("a minus negates", "-3k", -3000, "-3k"),
    of_units("a point may come last", "5.", 5, "5"),
    of_units("a point may come last before a suffix", "1.G", 10**9, "1G"),
    *(
        of_units(f"{suffix} is {base}^{power}", f"1{suffix}", base**power, f"1{suffix}")
        for base, suffixes in {1000: "k M G T P E", 1024: "Ki Mi Gi Ti Pi Ei"}.items()
        for power, suffix in enumerate(suffixes.split(), start=1)
    ),
    of_units("e3 is a thousand", "1e3", 1000, "1e3"),
    of_units("E3 is written as e3", "1E3", 1000, "1e3"),
    of_units("an exponent may have a plus", "1e+3", 1000, "1e3"),
    of_units("an exponent may have leading zeros", f"1e{ZEROS}3", 1000, "1e3"),
    of_units("an exponent of zero is not written", "4e0", 4, "4"),
    of_units("an exponent is written as a multiple of three", "1.2e4", 12_000, "12e3"),
    of_units("the largest decimal suffix is written", "1000M", 10**9, "1G"),
    of_units("the largest binary suffix is written", "1024Mi", GI, "1Gi"),
    of_units("a decimal fraction is written in a smaller suffix", "1.5G", 1_500_000_000, "1500M"),
    of_units("a binary fraction is written in a smaller suffix", "1.5Gi", 3 * GI // 2, "1536Mi"),
    of_units("a negative binary amount keeps its suffix", "-1.5Gi", -3 * GI // 2, "-1536Mi"),
    of_units("half a Gi is 512 Mi", "0.5Gi", 512 * MI, "512Mi"),
    of_units("below 1024 binary is written in decimal", "0.5Ki", 512, "512"),
    of_units("1000 binary bytes are written in decimal", "0.9765625Ki", 1000, "1k"),
    of_units("1024 itself is written in binary", "0.0009765625Mi", 1024, "1Ki"),
    of_units("binary between two suffixes has none", "1.25Ki", 1280, "1280"),
    of_units("without a suffix binary keeps its zeros", "1.953125Ki", 2000, "2000"),
    of_units("decimal passes 2^63", "10E", 10**19, "10E"),
    of_units("decimal passes E in exponents", "1000E", 10**21, "1e21"),
    of_units("20 digits are not too many", "9" * 20, 10**20 - 1, "9" * 20),
    of_units("19 digits may pass 2^63", "9" * 19, 10**19 - 1, "9" * 19),
    of_units("7Ei is the last whole Ei", "7Ei", 7 * EI, "7Ei"),
    of_units("8Ei is capped", "8Ei", MOST, "9223372036854775807"),
    of_units("-8Ei is capped", "-8Ei", -MOST, "-9223372036854775807"),
    of_units("many binary digits are capped", "9" * 5000 + "Ki", MOST, "9223372036854775807"),
    Reading("m is a thousandth", "100m", 10**8, 1, 100, "100m"),
    Reading("u is a millionth", "1u", 1000, 1, 1, "1u"),
    Reading("n is a nano-unit", "1n", 1, 1, 1, "1n"),
    Reading("half is 500m", "0.5", 5 * 10**8, 1, 500, "500m"),
    Reading("a point may come first", ".5", 5 * 10**8, 1, 500, "500m"),
    Reading("trailing zeros do not count", "1.2500", 1_250_000_000, 2, 1250, "1250m"),
    Reading("thousandths are exact", "1.001", 1_001_000_000, 2, 1001, "1001m"),
    Reading("thousandths round up", "1.0001", 1_000_100_000, 2, 1001, "1000100u"),
    Reading("a negative value rounds away from zero", "-1.5", -1_500_000_000, -2, -1500, "-1500m"),
    Reading("a negative nano rounds away from zero", "-1n", -1, -1, -1, "-1n"),
    Reading("an exponent may be negative", "5e-1", 5 * 10**8, 1, 500, "500e-3"),
    Reading("finer than a nano-unit rounds up", "3.001n", 4, 1, 1, "4n"),
    Reading("finer than a nano-unit is not lost", "0.0000000001", 1, 1, 1, "1n"),
    Reading("below zero it rounds down", "-0.1n", -1, -1, -1, "-1n"),
    Reading("a tiny exponent is a nano-unit", "1e-999999999999999999", 1, 1, 1, "1e-9"),
    Reading("a tiny negative one too", "-1e-999999999", -1, -1, -1, "-1e-9"),
    Reading("the last of many digits counts", f"1.{ZEROS}1n", 2, 1, 1, "2n"),
    Reading("and in binary", f"1.{ZEROS}1Ki", KI * 10**9 + 1, 1025, 1_024_001, "1024000000001n"),
    Reading("fractional binary is decimal", "1.1Ki", 11264 * 10**8, 1127, 1_126_400, "1126400m"),
    Reading("binary below one is decimal", "0.001Ki", 1_024_000_000, 2, 1024, "1024m"),
    Reading("binary below a nano-unit rounds up", "0.000000000001Ki", 2, 1, 1, "2n"),
]

REFUSED: list[tuple[str, object]] = [
    ("nothing", ""),
    ("a space before", " 1"),
    ("a space after", "1 "),
    ("a line end after", "1\n"),
    ("a space before the suffix", "1 Gi"),
    ("a unit that is no suffix", "16GB"),
    ("a byte after the suffix", "1KiB"),
    ("a suffix in lower case", "1gi"),
    ("a capital K", "1K"),
    ("a binary m", "0.1mi"),
    ("two suffixes", "1MM"),
    ("a word", "lots"),
    ("a point alone", "."),
    ("a signed point", "-."),
    ("a sign alone", "+"),
    ("a suffix alone", "Ki"),
    ("an e alone", "e"),
    ("an exponent alone", "e5"),
    ("an e without an exponent", "1e"),
    ("a sign without an exponent", "-3.01e-"),
    ("an exponent with a fraction", "1e1.5"),
    ("an exponent of 19 digits", "1e1000000000000000000"),
    ("a negative exponent of 19 digits", "1e-1000000000000000000"),
    ("an exponent of 5000 digits, even of zero", "0e" + "9" * 5000),
    ("an exponent and a suffix", "1e3Ki"),
    ("a suffix and an exponent", "1Ki5"),
    ("an exponent without an e", "1+3"),
    ("two signs", "--1"),
    ("two points", "1.1.1"),
    ("a point between number and suffix", "1.1.M"),
    ("hexadecimal digits", "0x1"),
    ("underscores between digits", "1_000"),
    ("a comma", "1,5"),
    ("Arabic digits", "\u0663"),
    ("full-width digits", "\uff11"),
    ("a Kelvin sign", "1\u212ai"),
    ("infinity", "Infinity"),
    ("no number", "NaN"),
    ("a float that is no number", float("nan")),
    ("a Decimal that is no number", Decimal("NaN")),
    ("true", True),
    ("nothing at all", None),
    ("bytes", b"1"),
    ("a list", ["1"]),
]

TOO_LARGE: list[tuple[str, object]] = [
    ("10^100", "1e100"),
    ("10^100 below zero", "-1e100"),
    ("10^100 in digits", "1" + "0" * 100),
    ("what rounds up to 10^100", "9" * 100 + ".9999999999"),
    ("an absurd exponent", "1e999999999"),
    ("an exponent of 18 digits", "99e999999999999999999"),
    ("a million digits", "9" * 10**6),
    ("the int 10^100", 10**100),
    ("the int -10^100", -(10**100)),
    ("an int of 4001 digits", 10**4000),
    ("the float 1e100", 1e100),
    ("an infinite float", float("inf")),
    ("the Decimal 1e100", Decimal("1e100")),
    ("a Decimal of a million digits", Decimal("1e999999")),
]

EXPECTED = {"something like '16Gi' or '16G'": REFUSED, "less than 10^100": TOO_LARGE}


def exact(quantity: Quantity) -> Fraction:
    return quantity.nano * NANO


class Written(NamedTuple):
    """A text, and what it says, by other means than `Quantity`'s."""

    text: str
    amount: Fraction


UNITS = (
    {suffix: Fraction(1000) ** power for power, suffix in enumerate(["n", "u", "m", ""], start=-3)}
    | {suffix: Fraction(1000**power) for power, suffix in enumerate("kMGTPE", start=1)}
    | {suffix: Fraction(1024**power) for power, suffix in enumerate(["Ki", "Mi", "Gi", "Ti"], 1)}
    | {f"{e}{n:{sign}}": Fraction(10) ** n for e, n, sign in product("eE", range(-12, 25), "+-")}
)


@st.composite
def written(draw: st.DrawFn) -> Written:
    """Draw a text below the cap in any of the forms."""
    sign = draw(st.sampled_from(["", "-", "+"]))
    whole = draw(st.integers(0, 999_999) | st.integers(0, 99).map(lambda n: n * 1000))
    fraction = draw(st.none() | st.text("0123456789", max_size=14))
    suffix = draw(st.sampled_from(sorted(UNITS)))
    number = str(whole) if fraction is None else f"{whole}.{fraction}"
    amount = Fraction(number.removesuffix(".")) * UNITS[suffix]
    return Written(sign + number + suffix, -amount if sign == "-" else amount)


quantities = written().map(lambda it: Quantity(it.text))
near_misses = st.text("0123456789+-.eEinumkKMGTP _\n\u0663", max_size=8)


@pytest.mark.parametrize("reading", READINGS, ids=lambda it: it.says)
def test_a_text_is_read_as(reading: Reading) -> None:
    quantity = Quantity(reading.text)
    assert quantity.nano == reading.nano
    assert quantity.value() == reading.value
    assert quantity.milli_value() == reading.milli_value
    assert str(quantity) == reading.written


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(value, expected, id=says)
        for expected, rows in EXPECTED.items()
        for says, value in rows
    ],
)
def test_what_is_no_quantity_is_refused(value: Any, expected: str) -> None:
    with pytest.raises(QuantityError) as caught:
        Quantity(value)
    text = str(caught.value).removesuffix(f" is not a quantity (expected {expected})")
    is_long = len(repr(value)) > 120
    assert len(text) <= 121 if is_long else text == repr(value)
    assert caught.value.value is value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(4, "4", id="an int"),
        pytest.param(-1000, "-1k", id="an int counts as decimal"),
        pytest.param(10**100 - 1, "9" * 100, id="an int just below 10^100"),
        pytest.param(0.1, "100m", id="a float means its shortest repr"),
        pytest.param(1e22, "10e21", id="a float with an exponent"),
        pytest.param(1e-12, "1n", id="a float that is too fine rounds up"),
        pytest.param(-0.0, "0", id="a negative zero"),
        pytest.param(Decimal("0.25"), "250m", id="a Decimal"),
        pytest.param(Decimal("1e3"), "1k", id="a Decimal counts as written without a suffix"),
        pytest.param(Decimal("-1e-999999"), "-1n", id="a Decimal that is too fine rounds up"),
        pytest.param(Quantity("1Ki"), "1Ki", id="a quantity"),
    ],
)
def test_a_number_is_a_quantity(value: Any, text: str) -> None:
    assert str(Quantity(value)) == str(Quantity.parse(value)) == text


def test_parsing_a_quantity_gives_it_back() -> None:
    quantity = Quantity("1Gi")
    assert Quantity.parse(quantity) is quantity


@pytest.mark.parametrize(
    ("text", "form"),
    [
        pytest.param("1", Format.DECIMAL_SI, id="no suffix is decimal"),
        pytest.param("1E", Format.DECIMAL_SI, id="E is decimal"),
        pytest.param("1E1", Format.DECIMAL_EXPONENT, id="E and digits are an exponent"),
        pytest.param("1Ei", Format.BINARY_SI, id="Ei is binary"),
        pytest.param("0Ki", Format.BINARY_SI, id="binary zero is binary"),
        pytest.param("0.0009765625Ki", Format.BINARY_SI, id="a binary one is binary"),
        pytest.param("0.0009Ki", Format.DECIMAL_SI, id="binary below one is decimal"),
        pytest.param("-0.0009Ki", Format.DECIMAL_SI, id="binary above minus one is decimal"),
    ],
)
def test_the_format_is_remembered(text: str, form: Format) -> None:
    assert Quantity(text).format is form


@pytest.mark.parametrize(
    ("left", "operation", "right", "text"),
    [
        pytest.param("1Gi", add, "1M", "1074741824", id="a sum has the left format"),
        pytest.param("1M", add, "1Ki", "1001024", id="also when that is decimal"),
        pytest.param("1e3", add, "1k", "2e3", id="also when that is an exponent"),
        pytest.param("0", add, "1Gi", "1Gi", id="nothing plus something has its format"),
        pytest.param("1Gi", add, "0", "1Gi", id="something plus nothing keeps its format"),
        pytest.param("0", sub, "1Gi", "-1Gi", id="nothing minus something has its format"),
        pytest.param("2Gi", sub, "1G", "1147483648", id="a difference has the left format"),
        pytest.param("1Gi", sub, "1Gi", "0", id="a difference may be nothing"),
        pytest.param("7Ei", add, "1Ei", "8Ei", id="a sum is not capped"),
        pytest.param("512Ei", sub, "-512Ei", "18446744073709551614", id="but what it adds is"),
    ],
)
def test_a_sum_is_written(left: str, operation: Any, right: str, text: str) -> None:
    assert str(operation(Quantity(left), Quantity(right))) == text


def test_a_sum_beyond_ei_is_written_in_ei() -> None:
    eight = Quantity("7Ei") + Quantity("1Ei")
    assert str(sum([eight] * 128, start=Quantity(0))) == "1024Ei"


def test_a_quantity_shows_as_its_canonical_text() -> None:
    assert repr(Quantity("0.5")) == "Quantity('500m')"


def test_only_zero_is_false() -> None:
    assert not Quantity("0Ki")
    assert Quantity("1n")
    assert Quantity("-1n")


def test_a_quantity_cannot_be_changed() -> None:
    quantity: Any = Quantity("1")
    with pytest.raises(FrozenInstanceError):
        quantity.nano = 2
    assert not hasattr(quantity, "__dict__")


@pytest.mark.parametrize("operation", [add, sub, lt, le, gt, ge])
def test_a_quantity_does_not_mix_with_numbers(operation: Any) -> None:
    quantity: Any = Quantity("1")
    assert quantity != 1
    with pytest.raises(TypeError):
        operation(quantity, 1)


@given(near_misses | st.text(max_size=8))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        quantity = Quantity(text)
    except QuantityError as error:
        assert error.value == text  # noqa: PT017 - both outcomes are right
    else:
        assert Quantity(str(quantity)) == quantity


@given(written())
def test_reading_rounds_away_from_zero_by_less_than_a_nano_unit(it: Written) -> None:
    amount = exact(Quantity(it.text))
    assert 0 <= abs(amount) - abs(it.amount) < NANO
    assert amount * it.amount >= 0


@given(
    st.integers(-(10**90), 10**90)
    | st.floats(-1e90, 1e90)
    | st.decimals(allow_nan=False, allow_infinity=False).filter(lambda it: it.adjusted() < 99)
)
def test_a_number_is_read_as_its_text(number: float | Decimal) -> None:
    assert Quantity(number) == Quantity(str(number))


@given(quantities)
def test_rounding_away_from_zero_never_loses_and_is_least(quantity: Quantity) -> None:
    amount = abs(exact(quantity))
    assert 0 <= abs(quantity.value()) - amount < 1
    assert 0 <= abs(quantity.milli_value()) - amount * 1000 < 1
    assert quantity.value() * quantity.nano >= 0
    assert quantity.milli_value() * quantity.nano >= 0


@given(quantities)
def test_what_is_written_reads_the_same(quantity: Quantity) -> None:
    assert Quantity(str(quantity)) == quantity


@given(quantities)
@example(Quantity("1.953125Ki"))
def test_what_is_written_is_canonical(quantity: Quantity) -> None:
    number, suffix = split(str(quantity))
    assert str(number) == str(quantity).removesuffix(suffix)
    if suffix.endswith("i"):
        assert number % 1024 or suffix == "Ei"
    elif quantity.format is not Format.BINARY_SI:
        assert number % 1000 or not number


@given(quantities)
def test_canonical_text_stays_as_it_is(quantity: Quantity) -> None:
    text = str(quantity)
    # 2000 bytes that were written in binary have no suffix that tells; as decimal they are 2k.
    assume(quantity.format is not Format.BINARY_SI or text.endswith("i"))
    assert str(Quantity(text)) == text


@given(quantities, quantities)
def test_order_is_that_of_the_amounts(left: Quantity, right: Quantity) -> None:
    for operation in (lt, le, gt, ge):
        assert operation(left, right) is operation(exact(left), exact(right))
    assert (left == right) is (exact(left) == exact(right))


@given(quantities)
def test_equal_amounts_are_equal_however_written(quantity: Quantity) -> None:
    for again in (Quantity(f"{quantity.nano}n"), Quantity(f"{quantity.nano}e-9")):
        assert again == quantity
        assert hash(again) == hash(quantity)


@given(quantities, quantities)
def test_arithmetic_is_exact(left: Quantity, right: Quantity) -> None:
    assert exact(left + right) == exact(left) + exact(right)
    assert exact(left - right) == exact(left) - exact(right)
    assert exact(-left) == -exact(left)


@given(quantities, quantities)
def test_subtracting_what_was_added_gives_the_same(left: Quantity, right: Quantity) -> None:
    assume(left)
    assume(left + right)
    assert str(left + right - right) == str(left)


@given(quantities)
def test_copies_are_equal_and_written_alike(quantity: Quantity) -> None:
    for twin in (
        pickle.loads(pickle.dumps(quantity)),  # noqa: S301 - it is our own
        copy.copy(quantity),
        copy.deepcopy(quantity),
    ):
        assert twin == quantity
        assert str(twin) == str(quantity)
        assert twin.format is quantity.format


def split(text: str) -> tuple[int, str]:
    match = re.fullmatch(r"(-?[0-9]+)(e-?[0-9]+|[a-zA-Z]*)", text)
    assert match is not None
    return int(match[1]), match[2]


@pytest.mark.parametrize(
    ("absurd", "text"),
    [
        pytest.param(10**5000, "an integer of 16610 bits", id="a number of 5,001 digits"),
        pytest.param("9" * 5000 + "x", f"'{'9' * 119}…", id="a text of 5,001 characters"),
    ],
)
def test_an_error_does_not_repeat_an_absurd_value(absurd: int | str, text: str) -> None:
    with pytest.raises(QuantityError) as error:
        Quantity(absurd)
    assert str(error.value).startswith(f"{text} is not a quantity (expected ")
