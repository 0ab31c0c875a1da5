"""Unpacking what is sent in gzip, as it comes.

Source: Go's compress/gzip (gunzip.go).
"""

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

_WITH_HEADER: Final = zlib.MAX_WBITS | 16


def unzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Go over what is packed, in one member or in several, one behind the other; O(size).

    Raises:
        zlib.error: what comes next is no gzip.
        EOFError: it ends too early.

    >>> from gzip import compress
    >>> b" ".join(unzipped([compress(b"one") + compress(b"two")]))
    b'one two'
    """
    member = zlib.decompressobj(_WITH_HEADER)
    for piece in pieces:
        rest = piece
        while rest:
            if member.eof:
                member = zlib.decompressobj(_WITH_HEADER)
            yield member.decompress(rest)
            rest = member.unused_data
    if not member.eof:
        raise EOFError("it ends in the middle of what is packed")
