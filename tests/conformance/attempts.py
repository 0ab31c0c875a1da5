"""Scenarios of whole attempts: a cluster, a configuration, pods that are placed one by one.

After each attempt the pod goes where the recording says, so that one answer of ours that differs
does not make all later ones differ as well.
"""

from collections.abc import Iterator
from contextlib import suppress

from kubesched.errors import SchedulingError
from kubesched.plugins.volume_binding import CHECK_VOLUME_BINDING
from kubesched.runtime import InMemoryVolumeBinder
from tests.conformance.attempt import Attempt
from tests.conformance.clusters import cluster_at_start, read_pod
from tests.conformance.configuration import configured
from tests.conformance.parts import Part
from tests.conformance.recordings import Recording
from tests.conformance.refusals import refusal
from tests.conformance.setting import Setting


def replay_attempts(recording: Recording, setting: Setting) -> Iterator[Part]:
    """Make a scenario's attempts and lay our answers beside the recorded ones."""
    scenario, expected = recording.data["scenario"], recording.data["expected"]
    if "error" in expected:
        yield refusal(recording.name, scenario["config"], expected["error"])
        return
    cluster = cluster_at_start(scenario)
    configuration = configured(scenario["config"])
    scheduler = setting.scheduler(cluster, configuration.rules)
    volumes = InMemoryVolumeBinder(cluster)
    assumes_volumes = CHECK_VOLUME_BINDING in configuration.rules.predicates
    pods = [read_pod(each) for each in scenario["pending"]]
    for pod in pods:
        if not pod.node_name:  # one that names its node would be taken for a pod that is there
            cluster.add_pod(pod)
    for pod, result in zip(pods, expected["results"], strict=True):
        attempt = Attempt(
            scenario=recording.name,
            pod=pod,
            result=result,
            configuration=configuration,
            scheduler=scheduler,
            snapshot=cluster.snapshot(),
        )
        yield from attempt.parts()
        if result["node"] is not None:
            with suppress(SchedulingError):  # then one of our answers above differs already
                if assumes_volumes:
                    volumes.assume_pod_volumes(pod, result["node"])
            put = cluster.add_pod if pod.node_name else cluster.update_pod
            put(pod.bound_to(result["node"]))
