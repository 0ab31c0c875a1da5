"""Writing down what a scheduler decides, so that it can be decided again and compared."""

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, Final

from attrs import evolve

from kubesched.framework import PredicateSpec
from kubesched.manifests.dumping import Target
from kubesched.model import Pod
from kubesched.state import Cluster, Snapshot
from kubesched.testing.differential.answers import Answer
from kubesched.testing.differential.configuration import config_of
from kubesched.testing.differential.course import Course, add_waiting
from kubesched.testing.differential.decider import Decider, DecidesBy
from kubesched.testing.differential.recording import (
    RecordedAnswers,
    Recording,
    Scenario,
    ScenarioConfig,
    ScenarioObjects,
    knows_all_images,
)
from kubesched.testing.differential.wire import write_recordings

MOST_NODES_ASKED_ALONE: Final = 20
"""In a larger cluster predicates are not asked by themselves: that would be most of a recording."""


def record(
    by: DecidesBy,
    cluster: Cluster,
    pods: Iterable[Pod] | None = None,
    target: Target | None = None,
    *,
    name: str = "recorded/1",
    config: ScenarioConfig | None = None,
) -> Recording:
    """Schedule pods one after the other, and write down every answer with its evidence.

    The cluster and the scheduler stay as they are; the same is recorded each time, to the byte. A
    pod that finds a node is there when the next one comes; one that does not has nobody evicted.
    Several recordings are put into one file by `write_recordings`, or by recording to one stream.

    What is decided on is the cluster that a replay will see, which is made of the objects alone:
    assumed pods are bound there, and ended ones gone.

    The config that is recorded names the rules and has the options. It does not know rules of
    your own, arguments such as the weight of hard pod affinity, gates other than `PodPriority`,
    extenders, and how a scheduler selects: to replay such, tell who decides.

    Args:
        by: who decides: rules such as a profile's, which take the smallest name among tied nodes;
            all rules of a registry, every predicate asked; or a scheduler with all its settings.
        cluster: the cluster at the start.
        pods: the pods, in this order; the cluster's pending pods if nothing is given.
        target: a path, which is replaced, and compressed if it ends in `.gz`; or an open stream of
            text.
        name: what the scenario is called, `family/what`.
        config: how somebody else would have to set up a scheduler that decides so, if the rules'
            names do not say it all.

    Raises:
        ClusterError: a pod is on a node already, or comes twice.
        OptionError: `by` is nothing that could decide.
        SpecError: a rule broke the contract.
        OSError: the file cannot be written.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.config import Profile
    >>> cluster = Cluster.of([node("n1", cpu=1), node("n2", cpu=4), pod("web", cpu=2)])
    >>> answer = record(Profile.default(), cluster).expected.results[0]
    >>> answer.node, str(answer.filter["n1"])
    ('n2', 'does not fit: Insufficient cpu')
    """
    decider = Decider.of(by)
    wanted = tuple(cluster.pending.values() if pods is None else pods)
    scenario = scenario_of(cluster, wanted, name, config or config_of(decider.rules))
    course = Course.of(scenario.cluster(), scenario.pending, decider)
    expected = RecordedAnswers(
        oracle=f"kubesched {version('kubesched')}", results=answers_on(course, scenario.pending)
    )
    recording = Recording(scenario=scenario, expected=expected)
    if target is not None:
        write_recordings(recording, target)
    return recording


def scenario_of(
    cluster: Cluster, pods: tuple[Pod, ...], name: str, config: ScenarioConfig
) -> Scenario:
    """Return the scenario of pods that come into a cluster.

    Raises:
        ClusterError: a pod is on a node already, or comes twice.
    """
    add_waiting(cluster.copy(), pods)
    snapshot = cluster.snapshot()
    objects = ScenarioObjects.of(snapshot, without={pod.key for pod in pods})
    knows_all = knows_all_images(objects.nodes, snapshot)
    return Scenario(
        name=name,
        config=evolve(config, update_nodes=knows_all),
        objects=objects,
        pending=pods,
    )


def answers_on(course: Course, pods: Iterable[Pod]) -> Iterator[Answer]:
    """Go over the answers about pods, each of which then goes where its answer says.

    Raises:
        SpecError: a rule broke the contract.
    """
    for pod in pods:
        snapshot = course.cluster.snapshot()
        answer = course.answer(pod, _asked_alone(course.decider, snapshot), snapshot)
        yield answer
        course.place(pod, answer.node)


def _asked_alone(decider: Decider, snapshot: Snapshot) -> Mapping[str, PredicateSpec[Any]]:
    return decider.alone if snapshot.num_nodes <= MOST_NODES_ASKED_ALONE else {}
