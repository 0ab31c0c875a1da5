"""Text as such: from bytes, and where in it something is."""


class TextError(ValueError):
    """Text that cannot be read any further; the message says why, as in "is not JSON (…)"."""


def decoded(content: str | bytes) -> str:
    r"""Decode UTF-8, or UTF-16 with a byte-order mark, and take the mark away.

        >>> decoded("\ufeff{}".encode("utf-16"))
        '{}'

    Raises:
        TextError: if the bytes are neither.
    """
    if isinstance(content, str):
        return content.removeprefix("\ufeff")
    encoding = "utf-16" if content[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{content[error.start]:02x} at offset {error.start}"
        name = error.encoding.upper().removesuffix("-LE").removesuffix("-BE")
        raise TextError(f"is not text in {name} ({byte})") from None


def position(text: str, offset: int) -> str:
    r"""Say in which line and column an offset is, both from 1.

    >>> position("ab\ncd", 4)
    'line 2, column 2'
    """
    line = text.count("\n", 0, offset) + 1
    return f"line {line}, column {offset - text.rfind(chr(10), 0, offset)}"
