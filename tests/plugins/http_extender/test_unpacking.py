"""What is packed is unpacked however it is cut up."""

import zlib
from collections.abc import Iterator
from gzip import compress

import pytest
from hypothesis import given, strategies as st

from kubesched.plugins.http_extender.unpacking import unzipped


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=4), st.integers(1, 30))
def test_members_in_pieces_give_what_was_packed(members: list[bytes], size: int) -> None:
    packed = b"".join(map(compress, members))
    pieces = [packed[start : start + size] for start in range(0, len(packed), size)]
    assert b"".join(unzipped(pieces)) == b"".join(members)


@given(st.binary(max_size=50), st.data())
def test_what_ends_too_early_is_an_error_behind_what_has_come(
    content: bytes, data: st.DataObject
) -> None:
    packed = compress(content)
    come = unzipped([packed[: data.draw(st.integers(0, len(packed) - 1))]])
    assert content.startswith(b"".join(until(EOFError, come)))


def until(error: type[Exception], come: Iterator[bytes]) -> Iterator[bytes]:
    """Go as far as an error, which must come."""
    with pytest.raises(error):
        yield from come


def test_what_is_no_member_is_an_error_behind_what_has_come() -> None:
    come = unzipped([compress(b"one"), b"two"])
    assert next(come) == b"one"
    with pytest.raises(zlib.error):
        next(come)
