"""HTTP connections that heed the time limit of the whole call.

httpx limits the time of each step: a server that sends a byte now and then would keep a call alive
for ever. Here every step has what is left of the call's time. Looking up a name is the one thing
that cannot be interrupted.
"""

import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic
from typing import Any, Final

import httpcore
import httpx

_DEADLINE: Final = ContextVar("_DEADLINE", default=inf)
_PIECE: Final = 1 << 14
"""How many bytes are written in one step."""

_LONGEST_STEP: Final = 1e6
"""Seconds, some days: a socket takes no longer limit, or takes it modulo 2^32 milliseconds."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Let whatever is sent and received inside take no longer than this in all.

    What takes longer raises `httpcore.TimeoutException`.
    """
    token = _DEADLINE.set(inf if seconds is None else monotonic() + seconds)
    try:
        yield
    finally:
        _DEADLINE.reset(token)


def _time_left() -> float | None:
    deadline = _DEADLINE.get()
    if deadline == inf:
        return None
    left = deadline - monotonic()
    if left <= 0:
        raise httpcore.TimeoutException
    return min(left, _LONGEST_STEP)


class _Stream(httpcore.NetworkStream):
    """A connection of which every step ends in time."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(max_bytes, _time_left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        for start in range(0, len(buffer), _PIECE):
            self._stream.write(buffer[start : start + _PIECE], _time_left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, _time_left()))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore.NetworkBackend):
    """Makes connections of this kind."""

    def __init__(self) -> None:
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        stream = self._sockets.connect_tcp(host, port, _time_left(), local_address, socket_options)
        return _Stream(stream)


class TimedTransport(httpx.BaseTransport):
    """What httpx sends requests with; connections are kept for the next call."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._pool = httpcore.ConnectionPool(
            context, max_connections=None, network_backend=_Backend()
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and return the answer, its body unread."""
        url = request.url
        if not url.host:
            raise httpcore.UnsupportedProtocol("the address names no host")
        sent = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
            ),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        got = self._pool.handle_request(sent)
        return httpx.Response(got.status, headers=got.headers, stream=_Body(got))

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    """The body of an answer, as httpx reads it."""

    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()
