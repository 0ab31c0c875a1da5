"""Scenarios of whole attempts: a cluster, a configuration, pods that are placed one by one.

After each attempt the pod goes where the recording says, so that one answer of ours that differs
does not make all later ones differ as well.
"""

from collections.abc import Iterable, Iterator

from kubesched.engine import FirstByName, GenericScheduler, Workers
from kubesched.model import Pod
from tests.conformance.attempt import Attempt
from tests.conformance.clusters import cluster_at_start, read_pod
from tests.conformance.configuration import configured
from tests.conformance.parts import Part
from tests.conformance.recordings import Recording


def replay_attempts(recording: Recording, workers: Workers) -> Iterator[Part]:
    """Make a scenario's attempts and lay our answers beside the recorded ones."""
    scenario, expected = recording.data["scenario"], recording.data["expected"]
    if "error" in expected:
        yield _refusal(recording.name, expected["error"])
        return
    cluster = cluster_at_start(scenario)
    configuration = configured(scenario["config"])
    scheduler = GenericScheduler(
        cluster, configuration.rules, select=FirstByName(), workers=workers
    )
    pods = [read_pod(each) for each in scenario["pending"]]
    queue = [*cluster.pending.values(), *pods]
    for pod, result in zip(pods, expected["results"], strict=True):
        queue.remove(pod)
        attempt = Attempt(
            scenario=recording.name,
            pod=pod,
            result=result,
            configuration=configuration,
            scheduler=scheduler,
            snapshot=cluster.snapshot(),
            kept=_kept(queue, pod),
        )
        yield from attempt.parts()
        if result["node"] is None:
            queue.append(pod)
        else:
            cluster.add_pod(pod.bound_to(result["node"]))


def _refusal(name: str, error: str) -> Part:
    """Stand for a configuration that is refused."""
    return Part(scenario=name, what="error", expected=error, lacks=("policy errors",))


def _kept(queue: Iterable[Pod], pod: Pod) -> frozenset[str]:
    """Return the nodes to which pods are nominated that are as important as this one or more."""
    return frozenset(
        each.status.nominated_node_name for each in queue if each.priority >= pod.priority
    )
