"""Exchanges with an extender over HTTP: what our client sends, and what it makes of the answer."""

import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import evolve, field, frozen

from kubesched.config.wire import ANY_CASE, WireReader
from kubesched.errors import ExtenderError
from kubesched.framework import Victims
from kubesched.manifests import read_wire
from kubesched.model import Binding, Node, Pod
from kubesched.plugins.http_extender import ExtenderConfig, http_extender
from kubesched.plugins.http_extender.client import HTTPExtender
from kubesched.state import NodeInfo
from kubesched.testing.differential import Comparison
from tests.conformance.recordings import Recording
from tests.conformance.wording import words_that_matter
from tests.scripted_server import HOST, Answer, Asked, Json, the_server

AN_ERROR: Final = "an error"
NO_NODE: Final = "(no node)"
_OUR_WAIT: Final = 500_000_000
"""Nanoseconds that we wait where the original waits for 5 seconds: the replay is to be quick."""

_HEADERS: Final = ("Accept-Encoding", "Authorization", "Content-Length", "Content-Type")


@frozen
class Entry:
    """An extender's entry, in which the case of keys does not matter."""

    extender: ExtenderConfig = field(factory=ExtenderConfig, metadata={ANY_CASE: True})

    @classmethod
    def read(cls, entry: Json, host: str) -> ExtenderConfig:
        """Read an entry that was recorded."""
        config = WireReader().read(cls, {"extender": entry}).extender
        return evolve(config, url_prefix=config.url_prefix.replace(HOST, host))


def replay_extender_call(recording: Recording) -> Iterator[Comparison]:
    """Compare what is sent, and what comes of the answer."""
    name, data = recording.name, recording.data
    host = _free_address() if data.get("unserved") else the_server().host
    call = Call.of(data, host)
    with the_server().playing(lambda asked: _answer(data, asked, host)) as asked:
        returned = call.returned()
    yield from _requests(name, data, asked)
    yield Comparison(scenario=name, part="returned", expected=_expected(data), got=returned)
    for what, got in (("weight", call.weight), ("afterMs", call.limit)):
        if what in data["returned"]:
            yield Comparison(scenario=name, part=what, expected=data["returned"][what], got=got)


def _free_address() -> str:
    """Return an address at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return f"127.0.0.1:{free.getsockname()[1]}"


def _answer(data: Json, asked: Asked, host: str) -> Answer:
    recorded = data["redirected"] if asked.path == "/moved" else data["response"]
    return Answer.recorded(recorded, host)


def _requests(name: str, data: Json, asked: Sequence[Asked]) -> Iterator[Comparison]:
    recorded = data.get("requests", [data["request"]] if "request" in data else [])
    yield Comparison(
        scenario=name, part="number of requests", expected=len(recorded), got=len(asked)
    )
    for number, (before, ours) in enumerate(zip(recorded, asked, strict=False), 1):
        where = f"request {number}"
        for what in ("method", "path", "body"):
            got = getattr(ours, what)
            yield Comparison(scenario=name, part=what, where=where, expected=before[what], got=got)
        if "headers" in before:
            headers = [_chosen(each) for each in (before["headers"], ours.headers)]
            yield Comparison(
                scenario=name, part="headers", where=where, expected=headers[0], got=headers[1]
            )


def _chosen(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name: headers[name] for name in _HEADERS if name in headers}


# -- what was recorded -----------------------------------------------------------------------------


def _expected(data: Json) -> object:
    """Return what came of the answer, in a form that leaves out what makes no difference."""
    returned = data["returned"]
    if "crash" in returned:
        return AN_ERROR
    if "error" in returned:
        return _error(data, returned["error"])
    match data["call"]:
        case "filter":
            known = {node["metadata"]["name"] for node in data["nodes"]}
            names = [name if name in known else NO_NODE for name in returned["nodes"] or ()]
            return {"nodes": names, "failedNodes": returned["failedNodes"] or {}}
        case "prioritize":
            return _summed((each["host"], each["score"]) for each in returned["scores"])
        case _:
            return dict(returned)


def _error(data: Json, text: str) -> str:
    words = words_that_matter(text, data.get("response") or {}, data.get("redirected") or {})
    return AN_ERROR if words is None else words


def _summed(scores: Any) -> Mapping[str, int]:
    sums: dict[str, int] = {}
    for host, score in scores:
        sums[host] = sums.get(host, 0) + score
    return sums


# -- what we make of it ----------------------------------------------------------------------------


@frozen
class Call:
    """A call of our client."""

    data: Json
    host: str
    config: ExtenderConfig
    client: HTTPExtender
    pod: Pod
    nodes: Mapping[str, NodeInfo]

    @classmethod
    def of(cls, data: Json, host: str) -> "Call":
        """Return the call that a recording describes."""
        config = Entry.read(data["extender"], host)
        placed = [read_wire(Pod, each) for each in data.get("placed", ())]
        nodes = [read_wire(Node, each) for each in data.get("nodes", ())]
        impatient = evolve(config, http_timeout=_OUR_WAIT) if _is_late(data) else config
        return cls(
            data,
            host,
            config,
            HTTPExtender.of(impatient),
            read_wire(Pod, data["pod"]),
            {
                node.name: NodeInfo.of(node, [p for p in placed if p.node_name == node.name])
                for node in nodes
            },
        )

    @property
    def weight(self) -> int:
        """How often the scores count."""
        return self.config.weight if self.config.prioritize_verb else 0

    @property
    def limit(self) -> float | None:
        """How many milliseconds the call may take."""
        return self.config.seconds and self.config.seconds * 1000

    def returned(self) -> object:
        """Return what comes of it, in the form of `_expected`."""
        verbs: Mapping[str, Callable[[], object]] = {
            "filter": self._filter,
            "prioritize": lambda: dict(self.client.prioritize(self.pod, [*self.nodes.values()])),
            "preempt": self._preempt,
            "bind": self._bind,
            "properties": self._properties,
        }
        try:
            return verbs[self.data["call"]]()
        except ExtenderError as error:
            words_matter = _expected(self.data) != AN_ERROR
            return str(error).replace(self.host, HOST) if words_matter else AN_ERROR

    def _filter(self) -> object:
        result = self.client.filter(self.pod, [*self.nodes.values()])
        names = [name if name in self.nodes else NO_NODE for name in result.kept]
        return {"nodes": names, "failedNodes": dict(result.failed)}

    def _preempt(self) -> object:
        answer = self.client.preempt(self.pod, self._victims(), self.nodes)
        return {
            "victims": {
                name if name in self.nodes else NO_NODE: {
                    "pods": [pod.uid for pod in victims.pods],
                    "numPDBViolations": victims.num_pdb_violations,
                }
                for name, victims in answer.items()
            }
        }

    def _victims(self) -> Mapping[str, Victims]:
        by_uid = {pod.uid: pod for info in self.nodes.values() for pod in info.pods.values()}
        return {
            name: Victims((by_uid[uid] for uid in each["pods"]), each["numPDBViolations"])
            for name, each in self.data["victims"].items()
        }

    def _bind(self) -> object:
        self.client.bind(Binding.of(self.pod, self.data["binding"]["node"]))
        return {"ok": True}

    def _properties(self) -> object:
        extender = http_extender(self.config)
        return {
            "binder": extender.bind is not None,
            "ignorable": extender.ignorable,
            "interested": extender.is_interested_in(self.pod),
            "name": extender.name.replace(self.host, HOST),
            "supportsPreemption": extender.preempt is not None,
        }


def _is_late(data: Json) -> bool:
    """Tell whether the answer comes after the time limit of which nothing is said."""
    delay = (data.get("response") or {}).get("delayMs", 0)
    return bool(delay >= 5000)
