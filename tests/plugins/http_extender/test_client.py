"""An extender over HTTP, asked at a real server."""

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from gzip import compress
from threading import Thread
from typing import Any

import pytest

from kubesched.builders import node, pod
from kubesched.engine import GenericScheduler
from kubesched.errors import ExtenderError, MissingExtraError, OptionError
from kubesched.framework import Extender, ExtenderFilterResult, RuleSet, Victims
from kubesched.model import Binding, ObjectMeta, Pod, PodSpec
from kubesched.plugins.http_extender import ExtenderConfig, ManagedResource, http_extender
from kubesched.state import Cluster
from tests.scripted_server import Answer, Asked, the_server

POD = pod("shop/web")
LOW = Pod(
    metadata=ObjectMeta(namespace="shop", name="low", uid="uid-low"), spec=PodSpec(node_name="a")
)
CLUSTER = Cluster.of([node("a"), node("b"), LOW])
SNAPSHOT = CLUSTER.snapshot()
NODES = SNAPSHOT.node_infos.select("ab")
SHORT = 200_000_000  # nanoseconds
VERBS = {
    "filter_verb": "filter",
    "prioritize_verb": "prioritize",
    "preempt_verb": "preempt",
    "bind_verb": "bind",
}


def extender(host: str | None = None, **config: Any) -> Extender:
    """Return an extender with all verbs and a short time limit, at the scripted server."""
    usual = {"url_prefix": f"http://{host or the_server().host}", **VERBS, "weight": 1}
    return http_extender(ExtenderConfig(**{**usual, "http_timeout": SHORT, **config}))


def filtered(asked: Extender) -> ExtenderFilterResult:
    assert asked.filter is not None
    return asked.filter(POD, NODES)


def preempted(asked: Extender) -> Any:
    assert asked.preempt is not None
    return asked.preempt(POD, {"a": Victims((LOW,), 1)}, SNAPSHOT.node_infos)


def says(answer: object, **how: Any) -> Callable[[Asked], Answer]:
    return lambda _: Answer(body=json.dumps(answer).encode(), **how)


KEEPS_B = {"Nodes": {"items": [{"metadata": {"name": "b"}}]}}
KEPT = json.dumps(KEEPS_B).encode()


# -- answers that are of no use --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(Answer(status=500), "Failed filter with extender at URL", id="status 500"),
        pytest.param(
            Answer(b'{"NodeNames": []}', status=201), "/filter, code 201", id="status 201"
        ),
        pytest.param(Answer(status=204), "/filter, code 204", id="status 204"),
        pytest.param(Answer(status=302), "/filter, code 302", id="sent on to nowhere"),
        pytest.param(
            Answer(status=307, headers={"Location": ""}), "/filter, code 307", id="sent on to ''"
        ),
        pytest.param(Answer(b"<html>busy</html>"), "cannot be used: it is not JSON", id="garbage"),
        pytest.param(Answer(b""), "cannot be used: it is empty", id="an empty body"),
        pytest.param(Answer(b'{"Nodes": {"it'), "cannot be used: it is not JSON", id="half of it"),
        pytest.param(
            Answer(b'{"Error": "x"}', cut_after=5), "gave no answer: ", id="a body that breaks off"
        ),
        pytest.param(Answer(b'{"Error": 7}'), "Error is not a string", id="another type"),
        pytest.param(Answer(b'{"Error": "100% full"}'), "100% full", id="an error"),
        pytest.param(Answer(is_silent=True), "gave no answer: ", id="no answer"),
        pytest.param(Answer(b"{}", delay=0.5), "did not answer within 0.2 s", id="too late"),
        pytest.param(
            Answer(b"{}", headers={"Content-Encoding": "gzip"}), "gave no answer", id="no gzip"
        ),
        pytest.param(
            Answer(compress(b"{}")[:12], headers={"Content-Encoding": "gzip"}),
            "gave no answer: it ends in the middle",
            id="half of what is packed",
        ),
    ],
)
def test_an_answer_of_no_use_is_an_error_of_the_extender(answer: Answer, said: str) -> None:
    asked = extender()
    with the_server().playing(lambda _: answer), pytest.raises(ExtenderError) as caught:
        filtered(asked)
    assert said in str(caught.value)
    assert caught.value.extender == asked.name


@pytest.mark.parametrize(
    "prefix",
    ["", "/sched", "http://", "http://[::1", "ftp://127.0.0.1/x", "127.0.0.1/x", "http://h/%zz"],
)
def test_a_prefix_that_leads_nowhere_fails_at_each_call(prefix: str) -> None:
    with pytest.raises(ExtenderError, match="gave no answer"):
        filtered(extender(url_prefix=prefix))


def test_that_nobody_listens_is_an_error_of_the_extender() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(ExtenderError, match=r"gave no answer: .*refused"):
        filtered(extender(f"127.0.0.1:{port}"))


# -- a server that takes its time ------------------------------------------------------------------


@contextmanager
def listening(serve: Callable[[socket.socket], None]) -> Iterator[str]:
    """Serve one connection byte by byte; yields the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def run() -> None:
            connection, _ = server.accept()
            with connection, suppress(OSError):
                connection.recv(1 << 16)
                serve(connection)
                while connection.recv(1 << 16):
                    pass

        thread = Thread(target=run)
        thread.start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def dribbles(connection: socket.socket, text: bytes) -> None:
    """Send a byte now and then until the other side has enough of it."""
    connection.settimeout(0.02)
    for byte in text:
        connection.sendall(bytes([byte]))
        with suppress(TimeoutError):
            if not connection.recv(1):
                return
    connection.settimeout(None)


HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n"


@pytest.mark.parametrize(
    ("at_once", "slowly"),
    [
        pytest.param(b"", HEAD + b"X-Patience: " + b"x" * 2000, id="headers"),
        pytest.param(HEAD + b"\r\n", b'{"Error": "' + b"x" * 2000, id="a body"),
    ],
)
def test_the_limit_is_for_the_whole_call_even_if_bytes_go_on_coming(
    at_once: bytes, slowly: bytes
) -> None:
    def serve(connection: socket.socket) -> None:
        connection.sendall(at_once)
        dribbles(connection, slowly)

    with listening(serve) as host, pytest.raises(ExtenderError, match=r"within 0\.2 s"):
        filtered(extender(host))


def test_what_was_answered_counts_even_if_the_rest_does_not_come() -> None:
    answer = HEAD + b"\r\n" + json.dumps(KEEPS_B).encode()
    with listening(lambda connection: connection.sendall(answer)) as host:
        assert filtered(extender(host)).kept == ("b",)


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        pytest.param(compress(KEPT), "gzip", id="packed"),
        pytest.param(compress(KEPT), "GZip", id="in another case"),
        pytest.param(compress(KEPT[:9]) + compress(KEPT[9:]), "gzip", id="in two members"),
        pytest.param(compress(KEPT) + b" and more", "gzip", id="with more behind it"),
        pytest.param(KEPT, "deflate", id="in an encoding that is not unpacked"),
        pytest.param(KEPT, "identity", id="as it is"),
    ],
)
def test_an_answer_may_be_packed(body: bytes, encoding: str) -> None:
    answer = Answer(body, headers={"Content-Encoding": encoding})
    with the_server().playing(lambda _: answer):
        assert filtered(extender()).kept == ("b",)


@pytest.mark.parametrize("milliseconds", [2**32 + 50, 2**63 // 10**6])
def test_a_limit_may_be_longer_than_a_socket_takes(milliseconds: int) -> None:
    with the_server().playing(says(KEEPS_B, delay=0.3)):
        assert filtered(extender(http_timeout=milliseconds * 10**6)).kept == ("b",)


def test_without_a_limit_a_slow_answer_is_waited_for() -> None:
    with the_server().playing(says(KEEPS_B, delay=0.3)):
        assert filtered(extender(http_timeout=-1)).kept == ("b",)


# -- how it is asked -------------------------------------------------------------------------------


def test_a_connection_is_kept_for_the_next_call() -> None:
    one = extender()
    with the_server().playing(says(KEEPS_B)) as asked:
        filtered(one)
        filtered(one)
        filtered(extender())
    first, second, other = (each.port for each in asked)
    assert first == second != other


def test_no_cookie_is_sent_back_and_no_proxy_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(variable, "http://127.0.0.1:1")
    one = extender()
    with the_server().playing(says(KEEPS_B, headers={"Set-Cookie": "a=b"})) as asked:
        filtered(one)
        filtered(one)
    assert all("Cookie" not in each.headers for each in asked)


@pytest.mark.parametrize(
    ("status", "method", "has_body"),
    [(301, "GET", False), (302, "GET", False), (303, "GET", False), (307, "POST", True)],
)
def test_a_request_is_sent_on(status: int, method: str, *, has_body: bool) -> None:
    def script(asked: Asked) -> Answer:
        if asked.path == "/moved":
            return Answer(body=json.dumps(KEEPS_B).encode())
        return Answer(status=status, headers={"Location": "/moved"})

    with the_server().playing(script) as asked:
        assert filtered(extender()).kept == ("b",)
    assert [(each.path, each.method) for each in asked] == [("/filter", "POST"), ("/moved", method)]
    assert bool(asked[1].body) is has_body


def test_a_request_is_not_sent_on_for_ever() -> None:
    script = says(None, status=307, headers={"Location": "/filter"})
    with the_server().playing(script) as asked, pytest.raises(ExtenderError, match="sends req"):
        filtered(extender())
    assert len(asked) == 10


def test_user_and_password_of_the_prefix_are_sent() -> None:
    with the_server().playing(says(KEEPS_B)) as asked:
        filtered(extender(f"user:pw@{the_server().host}"))
    assert asked[0].headers["Authorization"] == "Basic dXNlcjpwdw=="


@pytest.mark.parametrize(("to", "they_are"), [("/moved", True), ("http://{}/moved", False)])
def test_user_and_password_are_sent_on_unless_there_is_a_new_address(
    to: str, *, they_are: bool
) -> None:
    host = the_server().host

    def script(asked: Asked) -> Answer:
        if asked.path == "/moved":
            return Answer(KEPT)
        return Answer(status=307, headers={"Location": to.format(host)})

    with the_server().playing(script) as asked:
        filtered(extender(f"user:pw@{host}"))
    assert ["Authorization" in each.headers for each in asked] == [True, they_are]


# -- what comes of it ------------------------------------------------------------------------------


def test_scores_of_the_same_node_add_up() -> None:
    answer = [{"Host": "a", "Score": 2}, None, {"Host": "a", "Score": 3}]
    with the_server().playing(says(answer)):
        prioritize = extender().prioritize
        assert prioritize is not None
        assert prioritize(POD, NODES) == {"a": 5, "": 0}


def meta_victims(**pods: Any) -> object:
    return {"NodeNameToMetaVictims": {name: {"Pods": each} for name, each in pods.items()}}


@pytest.mark.parametrize(
    ("answer", "victims"),
    [
        pytest.param(meta_victims(a=[{"UID": "uid-low"}]), {"a": Victims((LOW,))}, id="a victim"),
        pytest.param(meta_victims(b=None, z=[]), {"b": Victims(()), "z": Victims(())}, id="none"),
        pytest.param({"NodeNameToVictims": {"a": {"Pods": [LOW.uid]}}}, {}, id="the wrong key"),
        pytest.param(None, {}, id="null"),
    ],
)
def test_victims_are_found_by_their_uid(answer: object, victims: object) -> None:
    with the_server().playing(says(answer)):
        assert preempted(extender()) == victims


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(
            meta_victims(a=[{"UID": "x"}]),
            "extender: {} claims to preempt pod (UID: &{{x}}) on node: a, "
            "but the pod is not found on that node",
            id="no such pod",
        ),
        pytest.param(meta_victims(b=[{"UID": "uid-low"}]), "on node: b, but", id="elsewhere"),
        pytest.param(meta_victims(z=[{"UID": "uid-low"}]), "on node: z, but", id="no such node"),
        pytest.param(meta_victims(a=[None]), "(UID: <nil>) on node: a", id="null for a pod"),
        pytest.param(
            {"NodeNameToMetaVictims": {"a": None}}, "extender: {} gives null for node: a", id="null"
        ),
    ],
)
def test_victims_that_are_not_there_are_an_error_of_the_extender(answer: object, said: str) -> None:
    one = extender()
    with the_server().playing(says(answer)), pytest.raises(ExtenderError) as caught:
        preempted(one)
    assert said.format(one.name) in str(caught.value)


def test_a_pod_is_bound_or_the_extender_says_why_not() -> None:
    bind = extender().bind
    assert bind is not None
    with the_server().playing(says({})) as asked:
        bind(Binding.of(LOW, "a"))
    assert json.loads(asked[0].body)["PodUID"] == "uid-low"
    taken = says({"error": "seat taken"})
    with the_server().playing(taken), pytest.raises(ExtenderError, match=r"^seat taken$"):
        bind(Binding.of(LOW, "a"))


# -- the extender as a value -----------------------------------------------------------------------


def test_an_extender_does_what_it_has_verbs_for() -> None:
    one = http_extender(ExtenderConfig(url_prefix="http://h/"))
    assert [one.filter, one.prioritize, one.preempt, one.bind] == [None] * 4
    assert (one.name, one.blocks, one.ignorable) == ("http://h/", True, False)


def test_managed_resources_decide_about_its_interest() -> None:
    gpus = extender(managed_resources=[ManagedResource(name="example.com/gpu")])
    assert gpus.is_interested_in(pod("a", limits={"example.com/gpu": 0}))
    assert not gpus.is_interested_in(POD)


def test_one_that_scores_needs_a_weight() -> None:
    with pytest.raises(OptionError, match="the weight of extender 'http://h' is 0"):
        http_extender(ExtenderConfig(url_prefix="http://h", prioritize_verb="prioritize"))


def test_without_httpx_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    package = "kubesched.plugins.http_extender"
    for module in (f"{package}.client", f"{package}.transport"):
        monkeypatch.delitem(__import__("sys").modules, module, raising=False)
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'kubesched\[http\]'"):
        http_extender(ExtenderConfig(url_prefix="http://h"))


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"NodeNames": ["b", "z"]}, id="an unknown name"),
        pytest.param({"NodeNames": [None]}, id="null for a name"),
        pytest.param({"Nodes": {"items": [{"metadata": {"name": "z"}}]}}, id="an unknown node"),
        pytest.param({"Nodes": {"items": [None]}}, id="null for a node"),
    ],
)
def test_a_node_that_does_not_exist_is_an_error_in_a_decision(answer: object) -> None:
    def schedule(*, ignorable: bool) -> str:
        one = extender(node_cache_capable=True, ignorable=ignorable, prioritize_verb="")
        return GenericScheduler(CLUSTER, RuleSet(extenders=[one])).schedule(POD).node

    with the_server().playing(says(answer)):
        with pytest.raises(ExtenderError, match="the name of a node that exists"):
            schedule(ignorable=False)
        assert schedule(ignorable=True) == "a"
