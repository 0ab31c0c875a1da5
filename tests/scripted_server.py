"""A server on loopback that answers as a script says, and keeps what it was asked."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final, TypeAlias, cast

from attrs import field, frozen

Json: TypeAlias = Mapping[str, Any]

HOST: Final = "{HOST}"
"""What recordings put for the server's address."""


@frozen
class Asked:
    """A request that came; the port tells over which connection."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: str
    port: int = 0


@frozen
class Answer:
    """What is answered.

    Attributes:
        body: the body.
        status: the status.
        headers: headers beside the content's type and length.
        delay: seconds before anything is sent.
        cut_after: how many bytes of the body are sent before the connection breaks off.
        is_silent: whether the connection is closed without an answer.
    """

    body: bytes = b""
    status: int = field(default=200, kw_only=True)
    headers: Mapping[str, str] = field(factory=dict, kw_only=True)
    delay: float = field(default=0, kw_only=True)
    cut_after: int | None = field(default=None, kw_only=True)
    is_silent: bool = field(default=False, kw_only=True)

    @classmethod
    def recorded(cls, answer: Json, host: str) -> "Answer":
        """Return an answer as a recording describes it."""
        text = json.dumps(answer["json"]) if "json" in answer else answer.get("body", "")
        return cls(
            text.encode(),
            status=answer.get("status", 200),
            headers={k: v.replace(HOST, host) for k, v in answer.get("headers", {}).items()},
            delay=answer.get("delayMs", 0) / 1000,
            cut_after=answer.get("cutAfter"),
            is_silent=answer.get("close", False),
        )


Script: TypeAlias = Callable[[Asked], Answer]


class ScriptedServer(ThreadingHTTPServer):
    """Plays one script at a time; what is late for one does not disturb the next."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: Script = lambda _: Answer(status=404)
        self.asked: list[Asked] = []

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of whoever leaves in the middle of it."""

    @property
    def host(self) -> str:
        """The address, as it stands in a URL."""
        return f"127.0.0.1:{self.server_address[1]}"

    @contextmanager
    def playing(self, script: Script) -> Iterator[list[Asked]]:
        """Answer by a script for a while; what is asked meanwhile is listed."""
        before = self.script
        self.script, self.asked = script, []
        try:
            yield self.asked
        finally:
            self.script = before


@cache
def the_server() -> ScriptedServer:
    """Return the server of this process, which lives as long as the process does."""
    server = ScriptedServer()
    Thread(target=server.serve_forever, daemon=True).start()
    return server


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Answer by the script."""
        server = cast("ScriptedServer", self.server)
        script, asked = server.script, server.asked
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        port = self.client_address[1]
        request = Asked(self.command, self.path, dict(self.headers), body, port)
        asked.append(request)
        answer = script(request)
        time.sleep(answer.delay)
        if answer.is_silent:
            self.close_connection = True
            return
        with suppress(OSError):  # who asked may have left
            self._send(answer)

    def do_GET(self) -> None:
        """Answer as to a POST."""
        self.do_POST()

    def _send(self, answer: Answer) -> None:
        self.send_response(answer.status)
        headers = {"Content-Type": "application/json", **answer.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body[: answer.cut_after])
        self.close_connection = answer.cut_after is not None

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""
