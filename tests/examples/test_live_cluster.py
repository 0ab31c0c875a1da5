"""The example that schedules a running cluster, with the real client and a small server."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Condition, Event as Flag, Thread
from types import ModuleType
from typing import Any

import pytest
from attrs import evolve
from kubernetes import client as official

import kubesched as ks
from kubesched.manifests import read_wire, to_wire
from kubesched.model import (
    Binding,
    KubeObject,
    PersistentVolumeClaimVolumeSource,
    Pod,
    PodCondition,
    PodStatus,
    Volume,
)
from kubesched.runtime import Event
from kubesched.state import Change
from tests.examples.api_server import LONG, Store, serving

EXAMPLE = Path(__file__).parents[2] / "examples/live_cluster.py"
QUICK = {"seconds": 30, "pause": 0.01}


def loaded() -> ModuleType:
    """Load the example, which is a script and no part of a package."""
    spec = spec_from_file_location("live_cluster", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


live_cluster = loaded()


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def client(store: Store) -> Iterator[Any]:
    """Return a client of the server; whatever it has opened is closed in the end."""
    with serving(store) as url:
        settings = official.Configuration()
        settings.host = url
        client = official.ApiClient(settings)
        yield client
        client.rest_client.pool_manager.clear()


@contextmanager
def running(work: Callable[[Flag], None]) -> Iterator[None]:
    """Do something in a thread until the block is over."""
    stop = Flag()
    thread = Thread(target=work, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(LONG)
        assert not thread.is_alive()


class Following:
    """A cluster that follows a server, and a way to wait for what becomes of it."""

    def __init__(self, client: Any, stop: Flag) -> None:
        self.cluster = ks.Cluster()
        self.changed = Condition()
        self.cluster.subscribe(self.notify)
        live_cluster.follow(client, self.cluster, stop, **QUICK)

    def notify(self, _: Change) -> None:
        with self.changed:
            self.changed.notify_all()

    def wait(self, condition: Callable[[ks.Cluster], object]) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: condition(self.cluster), LONG)


@pytest.fixture
def following(client: Any) -> Iterator[Callable[[], Following]]:
    stop = Flag()
    yield lambda: Following(client, stop)
    stop.set()


def put(store: Store, *objects: KubeObject) -> None:
    plurals = {"Pod": "pods", "Node": "nodes", "PersistentVolumeClaim": "persistentvolumeclaims"}
    for it in objects:
        store.put(plurals[it.kind], to_wire(it))


def node_of(cluster: ks.Cluster, name: str) -> str:
    pod = cluster.pods.get(f"default/{name}")
    return pod.node_name if pod else "gone"


# -- following -------------------------------------------------------------------------------------


def test_a_cluster_is_as_the_server_lists_it(
    store: Store, following: Callable[[], Following]
) -> None:
    put(store, ks.node("n1"), ks.pod("web"), ks.pod("batch", node_name="n1"))
    cluster = following().cluster
    assert (list(cluster.nodes), list(cluster.pending)) == (["n1"], ["default/web"])
    assert node_of(cluster, "batch") == "n1"


def test_what_is_added_changed_and_deleted_later_is_followed(
    store: Store, following: Callable[[], Following]
) -> None:
    put(store, ks.node("n1"), ks.pod("web"))
    follows = following()
    put(store, ks.node("n2"), ks.pod("web", node_name="n1"), ks.pod("batch"))
    follows.wait(lambda it: "n2" in it.nodes and node_of(it, "web") == "n1")
    follows.wait(lambda it: node_of(it, "batch") == "")
    store.delete("pods", "default/web")
    store.delete("nodes", "n1")
    follows.wait(lambda it: [*it.nodes] == ["n2"] and node_of(it, "web") == "gone")
    assert store.listed["pods"] == store.listed["nodes"] == 1


def hang_up_and_be_called_again(store: Store, *, forget: bool = False) -> None:
    watched = store.watched["pods"]
    store.hang_up(forget=forget)
    store.wait(lambda: store.watched["pods"] > watched)


def test_after_a_disconnect_the_watch_goes_on_where_it_was(
    store: Store, following: Callable[[], Following]
) -> None:
    put(store, ks.node("n1"))
    follows = following()
    for number in range(3):
        put(store, ks.pod(f"web-{number}"))
        hang_up_and_be_called_again(store)
    follows.wait(lambda it: len(it.pending) == 3)
    assert store.listed["pods"] == 1


def test_after_410_gone_everything_is_listed_again(
    store: Store, following: Callable[[], Following]
) -> None:
    put(store, ks.pod("web"), ks.pod("batch"))
    follows = following()
    with store.changed:  # so that no watch hears of it before it is forgotten
        store.delete("pods", "default/web")
        put(store, ks.pod("new"))
        store.told.clear()
        store.hang_up(forget=True)
    follows.wait(lambda it: [*it.pending] == ["default/batch", "default/new"])
    assert store.listed["pods"] == 2


def test_a_bookmark_spares_a_list_where_much_else_has_happened(
    store: Store, following: Callable[[], Following]
) -> None:
    put(store, ks.node("n1"), ks.pod("web"))
    follows = following()
    for number in range(3):
        put(store, ks.node(f"new-{number}"))
    store.wait(lambda: store.watched["pods"])
    store.bookmark("pods")
    # Who knows of nothing that is newer than the pod has to list again.
    hang_up_and_be_called_again(store, forget=True)
    put(store, ks.pod("batch"))
    follows.wait(lambda it: len(it.pending) == 2)
    assert store.listed["pods"] == 1


def test_what_cannot_be_read_is_logged_and_the_rest_is_followed(
    store: Store, following: Callable[[], Following], caplog: pytest.LogCaptureFixture
) -> None:
    follows = following()
    store.put("nodes", {"metadata": {"name": "odd"}, "spec": {"taints": "none"}})
    put(store, ks.node("n1"))
    follows.wait(lambda it: [*it.nodes] == ["n1"])
    assert "Node odd: spec.taints: 'none' is not a list; it is left out" in caplog.text


# -- what goes to the server -----------------------------------------------------------------------


@pytest.fixture
def server(client: Any) -> Any:
    return live_cluster.ApiServer(official.CoreV1Api(client), "mine")


def seen(store: Store, name: str = "web") -> Pod:
    return read_wire(Pod, store.get("pods", f"default/{name}"))


def test_a_binding_binds(store: Store, server: Any) -> None:
    put(store, ks.pod("web"))
    server.bind(Binding.of(ks.pod("web"), "n1"))
    assert seen(store).node_name == "n1"


def test_a_binding_that_is_refused_raises(store: Store, server: Any) -> None:
    put(store, ks.pod("web", node_name="n1"))
    with pytest.raises(official.ApiException, match="409"):
        server.bind(Binding.of(ks.pod("web"), "n2"))


def test_an_event_is_posted(store: Store, server: Any) -> None:
    put(store, ks.pod("web"))
    server.record(Event.scheduled(seen(store), "n1"))
    store.wait(lambda: store.posted("/events"))
    (posted,) = store.posted("/events")
    assert posted["metadata"]["name"].startswith("web.")
    assert posted["involvedObject"] == {
        "kind": "Pod",
        "namespace": "default",
        "name": "web",
        "uid": "uid-99",
    }
    assert posted["message"] == "Successfully assigned default/web to n1"
    assert (posted["reason"], posted["type"]) == ("Scheduled", "Normal")
    assert posted["source"] == {"component": "mine"}
    assert posted["count"] == 1


def test_an_event_that_cannot_be_posted_is_logged(
    store: Store, server: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.core, "create_namespaced_event", None)
    server.record(Event.scheduled(ks.pod("web"), "n1"))
    server._posts.shutdown()
    assert "an event could not be posted: Successfully assigned default/web" in caplog.text
    assert store.posted("/events") == []


def test_a_condition_is_written_once_and_its_time_is_that_of_its_turn(
    store: Store, server: Any
) -> None:
    put(store, ks.pod("web"))
    refused = PodCondition(type="PodScheduled", status="False", reason="Unschedulable")
    server.update_condition(seen(store), refused)
    (first,) = seen(store).status.conditions
    assert (first.status, first.reason) == ("False", "Unschedulable")
    assert first.last_transition_time is not None
    server.update_condition(seen(store), refused)
    assert len(store.posted("/status")) == 1
    earlier = evolve(first, last_transition_time=datetime(2024, 1, 1, tzinfo=UTC))
    web = evolve(ks.pod("web"), status=PodStatus(conditions=(earlier,)))
    server.update_condition(web, evolve(refused, reason="SchedulerError"))
    (second,) = seen(store).status.conditions
    assert second == evolve(earlier, reason="SchedulerError")
    server.update_condition(web, evolve(refused, status="True"))
    (third,) = seen(store).status.conditions
    assert third.last_transition_time != earlier.last_transition_time
    assert store.content_types == {"application/strategic-merge-patch+json"}


def test_a_nomination_is_made_and_taken_back(store: Store, server: Any) -> None:
    put(store, ks.pod("web"))
    server.set_nominated_node(seen(store), "n1")
    assert server.updated_pod(ks.pod("web")).status.nominated_node_name == "n1"
    server.remove_nominated_node(seen(store))
    assert server.updated_pod(ks.pod("web")).status.nominated_node_name == ""


@pytest.mark.parametrize("known", ["policy/v1", "policy/v1beta1"])
def test_a_pod_is_evicted_in_a_form_that_the_server_knows(
    store: Store, server: Any, known: str
) -> None:
    put(store, ks.pod("web"))
    store.evictions = {known}
    server.delete_pod(seen(store))
    assert store.posted("/eviction")[-1]["apiVersion"] == known
    assert store.all("pods")["items"] == []


def test_a_pod_that_is_gone_or_another_one_is_not_evicted(store: Store, server: Any) -> None:
    server.delete_pod(ks.pod("web"))
    put(store, ks.pod("web"))
    server.delete_pod(ks.pod("web"))
    assert seen(store).name == "web"


def test_an_eviction_that_a_budget_forbids_raises(store: Store, server: Any) -> None:
    put(store, ks.pod("web"))
    store.budget = 0
    with pytest.raises(official.ApiException, match="429"):
        server.delete_pod(seen(store))


# -- all of it -------------------------------------------------------------------------------------


def mine(name: str, **more: Any) -> Pod:
    return ks.pod(name, scheduler_name="mine", **more)


def is_on(store: Store, name: str) -> str:
    there = store.objects.get(("pods", f"default/{name}"))
    return "gone" if there is None else there["spec"].get("nodeName", "")


@pytest.fixture
def scheduling(client: Any) -> Iterator[None]:
    with running(lambda stop: live_cluster.schedule(client, "mine", stop, **QUICK)):
        yield


@pytest.mark.usefixtures("scheduling")
def test_pods_are_bound_as_they_come(store: Store) -> None:
    put(store, mine("web-1", cpu=1), ks.pod("of-others"), ks.node("n1", cpu=2))
    store.wait(lambda: is_on(store, "web-1") == "n1")
    put(store, mine("web-2", cpu=2))
    store.wait(lambda: store.posted("/web-2/status"))
    (condition,) = store.posted("/web-2/status")[0]["status"]["conditions"]
    assert condition["message"] == "0/1 nodes are available: 1 Insufficient cpu."
    put(store, ks.node("n2", cpu=2))
    store.wait(lambda: is_on(store, "web-2") == "n2")
    assert is_on(store, "of-others") == ""
    store.wait(lambda: len(store.posted("/events")) >= 3)
    reasons = [event["reason"] for event in store.posted("/events")]
    assert sorted({*reasons}) == ["FailedScheduling", "Scheduled"]


@pytest.mark.usefixtures("scheduling")
def test_less_important_pods_are_evicted(store: Store) -> None:
    put(store, ks.node("n1", cpu=2), ks.pod("batch", cpu=2, node_name="n1"))
    put(store, mine("web", cpu=2, priority=10))
    store.wait(lambda: is_on(store, "web") == "n1")
    assert is_on(store, "batch") == "gone"


@pytest.mark.usefixtures("scheduling")
def test_a_pod_whose_claim_is_not_bound_is_refused(store: Store) -> None:
    put(store, ks.node("n1"))
    store.put(
        "storageclasses",
        {
            "metadata": {"name": "late"},
            "provisioner": "csi.example.com",
            "volumeBindingMode": "WaitForFirstConsumer",
        },
    )
    store.put(
        "persistentvolumeclaims",
        {
            "metadata": {"name": "data", "namespace": "default"},
            "spec": {"storageClassName": "late"},
        },
    )
    source = PersistentVolumeClaimVolumeSource(claim_name="data")
    put(store, mine("db", volumes=[Volume(name="data", persistent_volume_claim=source)]))
    said = "claims of default/db are not bound, and not bound on n1"
    store.wait(lambda: any(said in each["message"] for each in store.posted("/events")))
    assert is_on(store, "db") == ""


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_the_script_runs_until_it_is_interrupted(
    told: signal.Signals, store: Store, tmp_path: Path
) -> None:
    put(store, ks.node("n1"), mine("web"))
    with serving(store) as url:
        where = {
            "clusters": [{"name": "here", "cluster": {"server": url}}],
            "contexts": [{"name": "here", "context": {"cluster": "here", "user": "me"}}],
            "users": [{"name": "me", "user": {}}],
        }
        file = tmp_path / "kubeconfig"
        file.write_text(json.dumps(where))
        options = ["--scheduler-name", "mine", "--kubeconfig", str(file), "--context", "here"]
        with subprocess.Popen([sys.executable, EXAMPLE, *options]) as script:  # noqa: S603 - our own
            try:
                store.wait(lambda: is_on(store, "web") == "n1")
                script.send_signal(told)
                assert script.wait(LONG) == 0
            finally:
                script.kill()
