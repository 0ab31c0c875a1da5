"""JSON, one document after the other: a single one, concatenated ones, or one a line."""

import json
import re
from collections.abc import Iterator

from kubesched.manifests.flaws import TOO_DEEP, mapping_of
from kubesched.manifests.numerals import decimal_of, integer_of, no_number
from kubesched.manifests.text import TextError, position

_DECODER = json.JSONDecoder(
    object_pairs_hook=mapping_of,
    parse_float=decimal_of,
    parse_int=integer_of,
    parse_constant=no_number,
)
_BLANK = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def read_json(text: str) -> Iterator[object]:
    """Read documents until the text ends; numbers are read exactly, as integers or Decimals.

        >>> list(read_json('{"cpu": 0.1} [1, null]'))
        [{'cpu': Decimal('0.1')}, [1, None]]

    Raises:
        TextError: at the first document that is not JSON.
    """
    end = _skip_blanks(text, 0)
    while end < len(text):
        start = end
        document, end = _read_one(text, start)
        if _SURROGATE.search(text, start, end):
            _refuse_half_characters(document, text, start)
        yield document
        end = _skip_blanks(text, end)


def _skip_blanks(text: str, start: int) -> int:
    blank = _BLANK.match(text, start)
    return blank.end() if blank else start


def _read_one(text: str, start: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        what = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        raise TextError(f"is not JSON ({position(text, error.pos)}: {what})") from None
    except RecursionError:
        raise TextError(TOO_DEEP) from None


def _refuse_half_characters(document: object, text: str, start: int) -> None:
    r"""Refuse text such as "\ud83d", half of a pair, that nothing could print or store."""
    try:
        json.dumps(document, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        what = "a string holds half of a surrogate pair"
        raise TextError(f"is not JSON (from {position(text, start)} on: {what})") from None
