"""The path of an address as Go writes it into a request.

Source: Go's net/url (url.go, setPath, EscapedPath).
"""

import re
from typing import Final
from urllib.parse import quote, unquote_to_bytes

_GOOD_ESCAPE: Final = "%[0-9A-Fa-f]{2}"
_VALID_PATH: Final = re.compile(rf"(?:[A-Za-z0-9_.~$&+,/:;=@!'()*\[\]-]|{_GOOD_ESCAPE})*")
_BAD_ESCAPE: Final = re.compile(f"%(?!{_GOOD_ESCAPE[1:]})")
_UNESCAPED: Final = "$&+,/:;=@"


def escaped(url: str) -> str:
    """Return an address in which the path holds only what may stand in a request.

    A path that may stand there stays as it is; else all of it is unescaped and escaped again.

        >>> escaped("http://127.0.0.1/with space/filter?mode=a b")
        'http://127.0.0.1/with%20space/filter?mode=a b'

    Raises:
        ValueError: a percent sign begins no escape.
    """
    url, _, _ = url.partition("#")
    before, mark, query = url.partition("?")
    scheme, slashes, rest = before.partition("://")
    host, slash, path = rest.partition("/")
    if _BAD_ESCAPE.search(path):
        raise ValueError(f"{path!r} has a percent sign that begins no escape")
    if not _VALID_PATH.fullmatch(path):
        path = quote(unquote_to_bytes(path), safe=_UNESCAPED)
    return f"{scheme}{slashes}{host}{slash}{path}{mark}{query}"
