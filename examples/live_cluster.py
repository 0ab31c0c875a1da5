"""Schedules the pods of a running cluster, by the official client: `pip install kubernetes`.

    python3 examples/live_cluster.py --scheduler-name mine

Pods whose `schedulerName` is `mine` are placed by the rules of the default provider: a `Watch` for
each kind feeds a `Cluster`, `ApiServer` is what the scheduler says to the outside, and `schedule`
runs it between the two. Left out are volumes that are bound only when their pod is placed, whose
pods are refused, and a leader among several processes (`kubesched.runtime.LeaderElector`).
"""

import argparse
import json
import logging
import signal
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http import HTTPStatus
from threading import Event as Flag, Thread
from typing import Any, Final
from uuid import uuid4

from attrs import define, evolve, field

import kubesched as ks
from kubesched import model, runtime
from kubesched.manifests import read_wire, to_wire

LOG: Final = logging.getLogger("live_cluster")

WATCHED: Final[Mapping[type[model.KubeObject], str]] = {
    model.Node: "CoreV1Api.list_node",
    model.Pod: "CoreV1Api.list_pod_for_all_namespaces",
    model.Service: "CoreV1Api.list_service_for_all_namespaces",
    model.ReplicationController: "CoreV1Api.list_replication_controller_for_all_namespaces",
    model.ReplicaSet: "AppsV1Api.list_replica_set_for_all_namespaces",
    model.StatefulSet: "AppsV1Api.list_stateful_set_for_all_namespaces",
    model.PersistentVolume: "CoreV1Api.list_persistent_volume",
    model.PersistentVolumeClaim: "CoreV1Api.list_persistent_volume_claim_for_all_namespaces",
    model.StorageClass: "StorageV1Api.list_storage_class",
    model.PodDisruptionBudget: "PolicyV1Api.list_pod_disruption_budget_for_all_namespaces",
}
"""What decisions are made of, and the client's method that lists and watches it."""


@define(eq=False)
class Watch:
    """Lists one kind of object, then watches it; what breaks off is taken up again."""

    kind: type[model.KubeObject]
    list_objects: Any
    wire: runtime.WireFeed
    stop: Flag
    seconds: int = field(default=300, kw_only=True)  # how long one watch lasts
    pause: float = field(default=1.0, kw_only=True)  # seconds from one watch to the next
    version: str = field(default="", init=False)  # from where to watch on; if empty, list first
    listed: Flag = field(factory=Flag, init=False)

    def run(self) -> None:
        """List and watch until it is time to stop; for a thread of its own."""
        while not self.stop.is_set():
            try:
                self.list_and_watch()
            except Exception as error:  # noqa: BLE001 - whatever happens, the watch goes on
                self.version = self.version if is_passing(error) else ""
                if not self.stop.is_set():
                    LOG.warning("watching %s: %s", self.kind.kind, error)
            self.stop.wait(self.pause)

    def list_and_watch(self) -> None:
        """List if need be, then watch until the server ends it or only another list helps."""
        from kubernetes import watch  # noqa: PLC0415 - the client is optional

        if not self.version:
            self.version = self.wire.relist(self.kind, answer(self.list_objects))
            self.listed.set()
        for told in watch.Watch(return_type=object).stream(
            self.list_objects,
            resource_version=self.version,
            allow_watch_bookmarks=True,
            timeout_seconds=self.seconds,
            _request_timeout=(10, self.seconds + 30),
        ):
            event = {"type": told["type"], "object": told["raw_object"]} if told else {}
            self.version = self.wire.event(self.kind, event)
            if self.stop.is_set() or not self.version:
                return


def answer(call: Any, *arguments: Any) -> Any:
    """Call a method of the client, and return the server's answer as plain data."""
    return json.loads(call(*arguments, _preload_content=False).data)


def is_passing(it: Exception) -> bool:
    """Tell whether one can watch on after an error: not after 410 Gone, for instance."""
    from kubernetes.client import ApiException  # noqa: PLC0415
    from urllib3.exceptions import HTTPError  # noqa: PLC0415 - the client brings it

    return isinstance(it, ApiException | HTTPError) and getattr(it, "status", 0) != HTTPStatus.GONE


def follow(client: Any, cluster: ks.Cluster, stop: Flag, **options: Any) -> None:
    """Have a cluster follow what the server says; return once everything has been listed."""
    from kubernetes import client as apis  # noqa: PLC0415

    wire = runtime.WireFeed(runtime.ClusterFeed(cluster))
    watches = []
    for kind, path in WATCHED.items():
        api, method = path.split(".")
        list_objects = getattr(getattr(apis, api)(client), method)
        watches.append(Watch(kind, list_objects, wire, stop, **options))
        Thread(target=watches[-1].run, name=f"watch {kind.kind}", daemon=True).start()
    while not all(watch.listed.is_set() for watch in watches) and not stop.wait(0.1):
        pass


@define(eq=False)
class ApiServer:
    """Binder, event recorder, condition updater and preemptor by way of a `CoreV1Api`."""

    core: Any
    scheduler_name: str
    _posts: ThreadPoolExecutor = field(factory=lambda: ThreadPoolExecutor(1), init=False)

    def bind(self, it: model.Binding, /) -> None:
        """Bind a pod."""
        answer(self.core.create_namespaced_pod_binding, it.name, it.namespace, to_wire(it))

    def record(self, event: runtime.Event, /) -> None:
        """Post an event, some time soon; if that fails, it is logged."""
        self._posts.submit(self._post, event)

    def _post(self, event: runtime.Event) -> None:
        about, now = event.object, datetime.now(UTC).isoformat(timespec="seconds")
        body = {
            "metadata": {"name": f"{about.name}.{uuid4().hex[:16]}", "namespace": about.namespace},
            "involvedObject": to_wire(about),
            "type": event.type,
            "reason": event.reason,
            "message": event.message[:1024],
            "source": {"component": self.scheduler_name},
            **dict.fromkeys(("firstTimestamp", "lastTimestamp"), now),
            "count": 1,
        }
        try:
            answer(self.core.create_namespaced_event, about.namespace, body)
        except Exception:
            LOG.exception("an event could not be posted: %s", event.message)

    def update_condition(self, pod: model.Pod, condition: model.PodCondition, /) -> None:
        """Write a condition into a pod's status, unless it says so already."""
        before = next((it for it in pod.status.conditions if it.type == condition.type), None)
        since = datetime.now(UTC).replace(microsecond=0)
        if before is not None and before.status == condition.status:
            since = before.last_transition_time or since
        after = evolve(condition, last_transition_time=since)
        if after != before:
            self._patch_status(pod, {"conditions": [to_wire(after)]})

    def updated_pod(self, pod: model.Pod, /) -> model.Pod:
        """Return what has become of a pod."""
        return read_wire(model.Pod, answer(self.core.read_namespaced_pod, pod.name, pod.namespace))

    def delete_pod(self, pod: model.Pod, /) -> None:
        """Evict a pod, in the newest form that the server knows; one that is gone is left alone."""
        from kubernetes.client import ApiException  # noqa: PLC0415

        try:
            self._evict(pod, "policy/v1")
        except ApiException as error:
            if error.status == HTTPStatus.BAD_REQUEST:
                self._evict(pod, "policy/v1beta1")
            elif error.status not in {HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT}:
                raise

    def _evict(self, pod: model.Pod, version: str) -> None:
        body = {
            "apiVersion": version,
            "kind": "Eviction",
            "metadata": {"name": pod.name, "namespace": pod.namespace},
            "deleteOptions": {"preconditions": {"uid": pod.uid}},
        }
        answer(self.core.create_namespaced_pod_eviction, pod.name, pod.namespace, body)

    def set_nominated_node(self, pod: model.Pod, node_name: str, /) -> None:
        """Promise a node to a pod."""
        self._patch_status(pod, {"nominatedNodeName": node_name})

    def remove_nominated_node(self, pod: model.Pod, /) -> None:
        """Take back what was promised to a pod."""
        self._patch_status(pod, {"nominatedNodeName": None})

    def _patch_status(self, pod: model.Pod, status: Mapping[str, Any]) -> None:
        answer(self.core.patch_namespaced_pod_status, pod.name, pod.namespace, {"status": status})


@define(eq=False)
class NoLateVolumes(runtime.InMemoryVolumeBinder):
    """Takes pods whose claims are bound, and refuses the others."""

    def bind_pod_volumes(self, pod: model.Pod, node_name: str, /) -> None:
        """Refuse, as only claims that are not bound come here."""
        raise ks.SchedulingError(f"claims of {pod} are not bound, and not bound on {node_name}")


def schedule(client: Any, scheduler_name: str, stop: Flag, **options: Any) -> None:
    """Follow the server and schedule until it is time to stop."""
    from kubernetes.client import CoreV1Api  # noqa: PLC0415

    cluster, server = ks.Cluster(), ApiServer(CoreV1Api(client), scheduler_name)
    follow(client, cluster, stop, **options)
    runtime.Scheduler(
        cluster,
        ks.Profile.default(),
        name=scheduler_name,
        binder=server,
        recorder=server,
        conditions=server,
        preemptor=server,
        volume_binder=NoLateVolumes(cluster),
        binding_threads=4,
    ).run(stop)


def stop_at_a_signal(stop: Flag) -> None:
    """Have the first SIGINT or SIGTERM set a flag; called before any thread is started.

    A thread waits for it. A handler would run in the main thread, which may not come to it while it
    waits for the next pod, and may be inside the flag when it does.
    """
    signals = {signal.SIGINT, signal.SIGTERM}

    def wait() -> None:
        signal.sigwait(signals)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)  # the next one ends it at once
        stop.set()

    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    Thread(target=wait, name="signals", daemon=True).start()


def main() -> None:
    """Schedule until interrupted."""
    from kubernetes import client, config  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--scheduler-name", required=True, help="whose pods to place")
    parser.add_argument("--kubeconfig", help="the file that says where the cluster is")
    parser.add_argument("--context", help="which context of that file")
    parser.add_argument("--in-cluster", action="store_true", help="run in a pod of the cluster")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    stop, settings = Flag(), client.Configuration()
    if given.in_cluster:
        config.load_incluster_config(client_configuration=settings)
    else:
        config.load_kube_config(given.kubeconfig, given.context, client_configuration=settings)
    settings.connection_pool_maxsize = 2 * len(WATCHED)  # each watch keeps one
    stop_at_a_signal(stop)
    schedule(client.ApiClient(settings), given.scheduler_name, stop)


if __name__ == "__main__":
    main()
