"""The client of an extender over HTTP: one request a call, and its answer.

Source: kubernetes v1.12.2, pkg/scheduler/core/extender.go, HTTPExtender.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any, Final, Self
from weakref import finalize

import httpcore
import httpx
from attrs import field, frozen

from kubesched.errors import ExtenderError
from kubesched.framework import ExtenderFilterResult, Victims
from kubesched.model import Binding, Pod
from kubesched.plugins.http_extender.addresses import escaped
from kubesched.plugins.http_extender.answers import BOUND, FILTERED, PREEMPTED, SCORED
from kubesched.plugins.http_extender.config import ExtenderConfig
from kubesched.plugins.http_extender.reading import Kind, UnreadableError, first_value
from kubesched.plugins.http_extender.requests import about_binding, about_nodes, about_victims
from kubesched.plugins.http_extender.tls import tls_context
from kubesched.plugins.http_extender.transport import TimedTransport, time_limit
from kubesched.plugins.http_extender.unpacking import unzipped
from kubesched.state import NodeInfo

_MOST_REQUESTS: Final = 10
"""Requests that a call may come to by being sent elsewhere."""


@frozen(eq=False)
class HTTPExtender:
    """Asks an extender over HTTP; its methods are what `Extender` takes.

    Attributes:
        config: where it is and what it does.
    """

    config: ExtenderConfig
    _http: httpx.Client = field(repr=False)

    @classmethod
    def of(cls, config: ExtenderConfig) -> Self:
        """Return the client of an extender; no connection is made yet.

        Raises:
            OptionError: its options for TLS cannot be used.
        """
        http = httpx.Client(
            transport=TimedTransport(tls_context(config)),
            headers={"Accept-Encoding": "gzip", "User-Agent": "kubesched"},
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            timeout=None,  # noqa: S113 - the transport sees to it
            trust_env=False,
        )
        for needless in ("Accept", "Connection"):
            del http.headers[needless]
        made = cls(config, http)
        finalize(made, http.close)
        return made

    def filter(self, pod: Pod, nodes: Sequence[NodeInfo], /) -> ExtenderFilterResult:
        """Return the nodes that the extender keeps; all, if it does not filter.

        Raises:
            ExtenderError: it gave no answer that could be used, or an error.
        """
        config = self.config
        if not config.filter_verb:
            return ExtenderFilterResult(node.name for node in nodes)
        body = about_nodes(pod, nodes, by_name=config.node_cache_capable)
        answer = self._ask(config.filter_verb, body, FILTERED)
        self._raise(answer["Error"])
        return ExtenderFilterResult(self._kept(answer), answer["FailedNodes"] or {})

    def _kept(self, answer: Mapping[str, Any]) -> Sequence[str]:
        names, nodes = answer["NodeNames"], answer["Nodes"]
        if self.config.node_cache_capable and names is not None:
            return list(names)
        return [node["metadata"]["name"] for node in (nodes or {}).get("items") or ()]

    def prioritize(self, pod: Pod, nodes: Sequence[NodeInfo], /) -> Mapping[str, int]:
        """Return the extender's scores, not weighted; 0 for each node if it does not score.

        Raises:
            ExtenderError: it gave no answer that could be used.
        """
        config = self.config
        if not config.prioritize_verb:
            return {node.name: 0 for node in nodes}
        body = about_nodes(pod, nodes, by_name=config.node_cache_capable)
        scores = Counter[str]()
        for entry in self._ask(config.prioritize_verb, body, SCORED) or ():
            scores[entry["Host"]] += entry["Score"]
        return scores

    def preempt(
        self, pod: Pod, victims: Mapping[str, Victims], nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        """Return on which nodes which pods are to make room; no budget counts as violated.

        Raises:
            ExtenderError: it gave no answer that could be used, or named pods that are not there.
        """
        config = self.config
        if not config.preempt_verb:
            text = f"preempt verb is not defined for extender {config.url_prefix} but run into "
            raise self._error(f"{text}ProcessPreemption")
        body = about_victims(pod, victims, by_name=config.node_cache_capable)
        answer = self._ask(config.preempt_verb, body, PREEMPTED)["NodeNameToMetaVictims"] or {}
        return {name: self._victims(name, each, nodes) for name, each in answer.items()}

    def _victims(
        self, node: str, answer: Mapping[str, Any] | None, nodes: Mapping[str, NodeInfo]
    ) -> Victims:
        if answer is None:
            raise self._error(f"extender: {self.config.url_prefix} gives null for node: {node}")
        info = nodes.get(node)
        there = {pod.uid: pod for pod in reversed(info.pods.values())} if info else {}
        return Victims(self._victim(node, each, there) for each in answer["Pods"] or ())

    def _victim(self, node: str, answer: Mapping[str, Any] | None, there: Mapping[str, Pod]) -> Pod:
        placed = None if answer is None else there.get(answer["UID"])
        if placed is None:
            uid = "<nil>" if answer is None else f"&{{{answer['UID']}}}"
            raise self._error(
                f"extender: {self.config.url_prefix} claims to preempt pod (UID: {uid}) "
                f"on node: {node}, but the pod is not found on that node"
            )
        return placed

    def bind(self, binding: Binding, /) -> None:
        """Let the extender bind a pod.

        Raises:
            ExtenderError: it did not.
        """
        if not self.config.bind_verb:
            raise self._error("Unexpected empty bindVerb in extender")
        answer = self._ask(self.config.bind_verb, about_binding(binding), BOUND)
        self._raise(answer["Error"])

    def _raise(self, text: str) -> None:
        if text:
            raise self._error(text)

    def _error(self, text: str) -> ExtenderError:
        return ExtenderError(self.config.url_prefix, text)

    # -- one call ----------------------------------------------------------------------------------

    def _ask(self, verb: str, body: bytes, kind: Kind) -> Any:
        """Send a request and return what is answered.

        Raises:
            ExtenderError: whatever happens instead of an answer.
        """
        url, seconds = self.config.url_of(verb), self.config.seconds
        try:
            with time_limit(seconds):
                return kind.of(self._first_value(verb, url, body))
        except ExtenderError:
            raise
        except UnreadableError as error:
            raise self._error(f"the answer of {url} cannot be used: {error}") from error
        except httpcore.TimeoutException as error:
            raise self._error(f"{url} did not answer within {seconds:g} s") from error
        except Exception as error:
            why = str(error) or type(error).__name__
            raise self._error(f"{url} gave no answer: {why}") from error

    def _first_value(self, verb: str, url: str, body: bytes) -> object:
        """Return the first value of the answer, even if what comes after it breaks off."""
        with closing(self._sent(url, body)) as response:
            if response.status_code != httpx.codes.OK:
                status = response.status_code
                raise self._error(f"Failed {verb} with extender at URL {url}, code {status}")
            content, broken = _content(response)
        try:
            return first_value(content)
        except UnreadableError:
            if broken is not None:
                raise broken from None
            raise

    def _sent(self, url: str, body: bytes) -> httpx.Response:
        """Send a request, to wherever the answers send it on, and return the last answer."""
        request = self._http.build_request(
            "POST", escaped(url), content=body, headers={"Content-Type": "application/json"}
        )
        tls = self.config.tls_config
        if tls is not None and tls.server_name:
            request.extensions["sni_hostname"] = tls.server_name
        for _ in range(_MOST_REQUESTS):
            response = self._http.send(request, stream=True)
            if response.next_request is None or not response.headers["Location"]:
                return response
            response.close()
            request = response.next_request
            request.headers.pop("Authorization", None)  # the new address says who is asking
        raise self._error(f"{url} sends requests on more than {_MOST_REQUESTS - 1} times")


def _content(response: httpx.Response) -> tuple[bytes, Exception | None]:
    """Return what comes of an answer, and the error with which it breaks off, if it does."""
    content = bytearray()
    try:
        for piece in _pieces(response):
            content += piece
    except Exception as error:  # noqa: BLE001 - it is raised if what has come is not enough
        return bytes(content), error
    return bytes(content), None


def _pieces(response: httpx.Response) -> Iterator[bytes]:
    """Go over an answer; Go unpacks gzip, which it asks for, and no other encoding."""
    encoding, *_ = *response.headers.get_list("Content-Encoding"), ""
    pieces = response.iter_raw()
    return unzipped(pieces) if encoding.lower() == "gzip" else pieces
