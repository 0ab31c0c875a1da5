"""A server on loopback that speaks as much of the Kubernetes API as a scheduler needs."""

import json
import socket
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Thread
from typing import Any, Final, NamedTuple, TypeAlias, cast
from urllib.parse import parse_qs, urlsplit

from attrs import define, field

Json: TypeAlias = dict[str, Any]

LONG: Final = 60.0
"""Seconds after which a test gives up."""


class Told(NamedTuple):
    """What a watch says, and when it was so."""

    version: int
    plural: str
    type: str
    it: Json


class Refused(Exception):  # noqa: N818 - it is no error of ours
    """A request that is answered by a status."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.status = {"kind": "Status", "code": code, "reason": reason, "message": reason}


@define(eq=False)
class Store:
    """What there is, what was said of it, and what was asked; every write wakes the watches.

    Attributes:
        evictions: the versions of evictions that are known.
        forgotten: the version up to which nothing is known any more.
        calls: how often all watches have been cut off.
        listed: how often each kind has been listed.
        watched: how often each kind has been watched.
        asked: what was posted and patched: path and body.
    """

    objects: dict[tuple[str, str], Json] = field(factory=dict)
    told: list[Told] = field(factory=list)
    version: int = 98
    forgotten: int = 0
    calls: int = 0
    evictions: set[str] = field(factory=lambda: {"policy/v1", "policy/v1beta1"})
    budget: int = 100
    listed: Counter[str] = field(factory=Counter)
    watched: Counter[str] = field(factory=Counter)
    asked: list[tuple[str, Json]] = field(factory=list)
    content_types: set[str] = field(factory=set)
    changed: Condition = field(factory=Condition)

    def put(self, plural: str, it: Json) -> None:
        """Create or replace an object."""
        with self.changed:
            key = key_of(it)
            is_new = (plural, key) not in self.objects
            self.version += 1
            meta = {
                "uid": f"uid-{self.version}" if is_new else uid_of(self.objects[plural, key]),
                **it["metadata"],
                "resourceVersion": str(self.version),
            }
            stored = {**it, "metadata": meta}
            self.objects[plural, key] = stored
            self._say(plural, "ADDED" if is_new else "MODIFIED", stored)

    def delete(self, plural: str, key: str) -> None:
        """Delete an object."""
        with self.changed:
            gone = self.objects.pop((plural, key))
            self.version += 1
            meta = {**gone["metadata"], "resourceVersion": str(self.version)}
            self._say(plural, "DELETED", {**gone, "metadata": meta})

    def bookmark(self, plural: str) -> None:
        """Have a watch say how far it is."""
        with self.changed:
            self.version += 1
            self._say(plural, "BOOKMARK", {"metadata": {"resourceVersion": str(self.version)}})

    def hang_up(self, *, forget: bool = False) -> None:
        """Cut off all watches in mid-sentence, and perhaps forget what has been said so far."""
        with self.changed:
            self.calls += 1
            self.forgotten = self.version if forget else self.forgotten
            self.changed.notify_all()

    def get(self, plural: str, key: str) -> Json:
        """Return an object."""
        with self.changed:
            if (plural, key) not in self.objects:
                raise Refused(404, f"{plural} {key} not found")
            return self.objects[plural, key]

    def all(self, plural: str) -> Json:
        """Return all objects of a kind."""
        with self.changed:
            self.listed[plural] += 1
            items = [it for (kind, _), it in self.objects.items() if kind == plural]
            return {"metadata": {"resourceVersion": str(self.version)}, "items": items}

    def wait(self, condition: Callable[[], object]) -> None:
        """Wait until something is so."""
        with self.changed:
            assert self.changed.wait_for(condition, LONG)

    def posted(self, end: str) -> list[Json]:
        """Return what was posted or patched to paths with this end."""
        with self.changed:
            return [body for path, body in self.asked if path.endswith(end)]

    def _say(self, plural: str, kind: str, it: Json) -> None:
        self.told.append(Told(self.version, plural, kind, it))
        self.changed.notify_all()

    # -- what a scheduler does -----------------------------------------------------------------

    def act(self, path: str, body: Json) -> Json:
        """Do what is posted or patched to a path, and say that it is done."""
        with self.changed:
            self.asked.append((path, body))
            self.changed.notify_all()
            match path.strip("/").split("/"):
                case [*_, "namespaces", namespace, "pods", name, "binding"]:
                    self._bind(f"{namespace}/{name}", body)
                case [*_, "namespaces", namespace, "pods", name, "status"]:
                    self._patch_status(f"{namespace}/{name}", body["status"])
                case [*_, "namespaces", namespace, "pods", name, "eviction"]:
                    self._evict(f"{namespace}/{name}", body)
                case [*_, "namespaces", _, "events"]:
                    pass
                case _:
                    raise Refused(405, f"{path} is not known")
        return {"kind": "Status", "status": "Success"}

    def _bind(self, key: str, body: Json) -> None:
        pod = self.get("pods", key)
        if pod["spec"].get("nodeName"):
            raise Refused(409, f"pod {key} is already assigned")
        self.put("pods", {**pod, "spec": {**pod["spec"], "nodeName": body["target"]["name"]}})

    def _patch_status(self, key: str, patch: Json) -> None:
        pod = self.get("pods", key)
        status = {**pod.get("status", {}), **patch}
        merged = {
            each["type"]: each
            for each in (*pod.get("status", {}).get("conditions", ()), *patch.get("conditions", ()))
        }
        status["conditions"] = [*merged.values()]
        known = {name: value for name, value in status.items() if value is not None}
        self.put("pods", {**pod, "status": known})

    def _evict(self, key: str, body: Json) -> None:
        pod = self.get("pods", key)
        if body["apiVersion"] not in self.evictions:
            raise Refused(400, f"no kind Eviction is registered for {body['apiVersion']}")
        if body["deleteOptions"]["preconditions"]["uid"] != uid_of(pod):
            raise Refused(409, "the uid does not match")
        if self.budget == 0:
            raise Refused(429, "it would violate the pod's disruption budget")
        self.budget -= 1
        self.delete("pods", key)


def key_of(it: Json) -> str:
    meta = it["metadata"]
    return f"{meta['namespace']}/{meta['name']}" if "namespace" in meta else str(meta["name"])


def uid_of(it: Json) -> str:
    return str(it["metadata"]["uid"])


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    store: Store

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of whoever leaves in the middle of it."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def store(self) -> Store:
        return cast("_Server", self.server).store

    def do_GET(self) -> None:
        """List, watch, or show one object."""
        url = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        match url.path.strip("/").split("/"):
            case [*_, "namespaces", namespace, plural, name]:
                self._answer(lambda: self.store.get(plural, f"{namespace}/{name}"))
            case [*_, plural] if asked.get("watch", "").lower() == "true":
                with suppress(OSError):
                    self._watch(plural, asked)
            case [*_, plural]:
                self._answer(lambda: self.store.all(plural))

    def do_POST(self) -> None:
        """Do what is asked."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._answer(lambda: self.store.act(self.path, body))

    def do_PATCH(self) -> None:
        """Do what is asked."""
        self.store.content_types.add(self.headers["Content-Type"])
        self.do_POST()

    def _answer(self, make: Callable[[], Json]) -> None:
        try:
            code, answer = 200, make()
        except Refused as refused:
            code, answer = refused.code, refused.status
        body = json.dumps(answer).encode()
        self.send_response(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _watch(self, plural: str, asked: Mapping[str, str]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        version, seconds = int(asked["resourceVersion"]), float(asked["timeoutSeconds"])
        wants_bookmarks = asked.get("allowWatchBookmarks", "").lower() == "true"
        for told in self._news(plural, version, seconds):
            if told.type == "BOOKMARK" and not wants_bookmarks:
                continue
            line = json.dumps({"type": told.type, "object": told.it}).encode() + b"\n"
            middle = len(line) // 2  # a line may come in pieces
            for piece in (line[:middle], line[middle:]):
                self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        if not self.close_connection:
            self.wfile.write(b"0\r\n\r\n")

    def _news(self, plural: str, version: int, seconds: float) -> Iterator[Told]:
        """Go over what is said after a version until time is up, or the line is cut."""
        store, at = self.store, 0
        with store.changed:
            calls = store.calls
            store.watched[plural] += 1
            store.changed.notify_all()
        if version < store.forgotten:
            yield Told(version, plural, "ERROR", Refused(410, "Expired").status)
            return
        while not self.close_connection:
            with store.changed:
                news = [each for each in store.told[at:] if each.plural == plural]
                at = len(store.told)
                if not news and store.calls == calls:
                    if not store.changed.wait(seconds):
                        return
                    continue
                is_cut = store.calls != calls
            yield from (each for each in news if each.version > version)
            if is_cut:
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Say nothing."""


@contextmanager
def serving(store: Store) -> Iterator[str]:
    """Serve a store for a while, at the address that is given."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.store = store
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        store.hang_up()
        server.shutdown()
        thread.join()
        server.server_close()
