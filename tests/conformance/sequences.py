"""Whole sequences of decisions: the pods of a workload, each placed before the next is decided.

Of each decision sums are recorded. One wrong score on any node shows in a sum, and one wrong
placement would change all that follow, so each pod goes where the recording says.
"""

from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from kubesched.engine import Decision, FitError, GenericScheduler
from kubesched.errors import SchedulingError
from kubesched.manifests import read_wire
from kubesched.model import Node, Pod, Service
from kubesched.state import Cluster, Snapshot
from kubesched.testing.differential import (
    Comparison,
    RecordingError,
    ScenarioConfig,
    as_configured,
)
from kubesched.testing.differential.lines import SUFFIXES, Line, files_in, lines_of_file
from tests.conformance.recordings import Json, NothingToReplay
from tests.conformance.setting import Setting
from tests.conformance.tally import Tally

_ANSWERS: Final = frozenset(
    {"node", "feasible", "top", "tied", "sumTotals", "sumScores", "message", "preemption"}
)


@frozen
class Sequence:
    """The decisions about a workload's pods, in their order.

    Attributes:
        name: the workload's.
        workload: its folder, with nodes, pods and services.
        decisions: one for each pod, from the first on.
    """

    name: str
    workload: Path
    decisions: list[Json]

    def cluster(self) -> Cluster:
        """Return the workload's cluster, whose nodes came one by one and never changed."""
        cluster = Cluster()
        for node in _objects(self.workload, "nodes"):
            cluster.add_node(read_wire(Node, node))
        for service in _objects(self.workload, "services"):
            cluster.add(read_wire(Service, service))
        return cluster

    def pods(self) -> list[Pod]:
        """Return the pods about which decisions were recorded.

        Raises:
            RecordingError: they are not those of the workload.
        """
        pods = [read_wire(Pod, each) for each in _objects(self.workload, "pods")]
        pods = pods[: len(self.decisions)]
        if [pod.key for pod in pods] != [each["pod"] for each in self.decisions]:
            why = "the pods are not those of the decisions"
            raise RecordingError(str(self.workload), None, [why])
        return pods


def sequences_in(decisions: Path, workloads: Path) -> Iterator[Sequence]:
    """Read the decisions of a file, or of the files in a folder, and find their workloads.

    Raises:
        RecordingError: a path, a line or a workload that is none.
    """
    for file in files_in(decisions):
        name = next(file.name.removesuffix(end) for end in SUFFIXES if file.name.endswith(end))
        if not (workloads / name).is_dir():
            why = f"no such folder, the workload of {file}"
            raise RecordingError(str(workloads / name), None, [why])
        yield Sequence(name, workloads / name, [*map(_decision, lines_of_file(file))])


def replayed_sequences(
    decisions: Path, workloads: Path, setting: Setting, patterns: Collection[str] = ()
) -> Tally:
    """Replay the sequences of these names, or all, and count what agrees.

    Raises:
        RecordingError: files that do not hold sequences and their workloads.
        NothingToReplay: there is no such name.
    """
    tally = Tally()
    for sequence in sequences_in(decisions, workloads):
        if not patterns or any(fnmatchcase(sequence.name, pattern) for pattern in patterns):
            _replay(sequence, setting, tally)
    if not tally.families:
        raise NothingToReplay(f"no sequence is called {' or '.join(patterns)}")
    return tally


def _replay(sequence: Sequence, setting: Setting, tally: Tally) -> None:
    """Decide about each pod, and lay our answers beside the recorded ones."""
    cluster = sequence.cluster()
    scheduler = setting.scheduler(cluster, as_configured(ScenarioConfig()).rules)
    for number, (pod, recorded) in enumerate(
        zip(sequence.pods(), sequence.decisions, strict=True), 1
    ):
        step = Step(f"{sequence.name}/{number}", pod, recorded)
        tally.note(sequence.name, step.parts(_answers(pod, scheduler, cluster.snapshot())))
        if recorded["node"] is not None:
            cluster.add_pod(pod.bound_to(recorded["node"]))


def _answers(pod: Pod, scheduler: GenericScheduler, snapshot: Snapshot) -> Json:
    """Decide, and put the decision into the form of the recordings."""
    try:
        return _of_decision(scheduler.schedule(pod, snapshot))
    except FitError as error:
        ours = scheduler.preempt(pod, error, snapshot)
        victims = sorted(each.name for each in ours.victims)
        preemption = {"nominatedNode": ours.node, "victims": victims}
        return {"node": None, "feasible": 0, "message": str(error), "preemption": preemption}
    except SchedulingError as error:
        return {"node": None, "message": str(error)}
    except Exception as error:  # noqa: BLE001 - whatever it is, the report shows it
        return {"node": f"{type(error).__name__}: {error}"}


def _of_decision(decision: Decision) -> Json:
    totals = decision.totals.values()
    return {
        "node": decision.node,
        "feasible": len(decision.feasible),
        "top": max(totals, default=None),
        "tied": len(decision.top),
        "sumTotals": sum(totals),
        "sumScores": {name: sum(each.values()) for name, each in decision.scores.items()},
    }


@frozen
class Step:
    """One pod of a sequence, and what was recorded."""

    name: str
    pod: Pod
    recorded: Json

    def parts(self, ours: Json) -> Iterator[Comparison]:
        """Compare all that was recorded."""
        for name, total in self.recorded.get("sumScores", {}).items():
            rule = {"rule": name, "where": "sum"}
            got = ours.get("sumScores", {}).get(name)
            yield self._part("scores", total, got, **rule)
        for what in self.recorded.keys() & _ANSWERS - {"sumScores"}:
            yield self._part(what, self.recorded[what], ours.get(what))

    def _part(self, part: str, expected: object, got: object, **about: str) -> Comparison:
        return Comparison(
            scenario=self.name,
            pod=self.pod.key,
            part=part,
            expected=expected,
            got=got,
            **about,
        )


def _decision(line: Line) -> Json:
    decision: Any = line.json()
    if not isinstance(decision, dict) or not {"pod", "node", "feasible"} <= decision.keys():
        raise line.wrong("is not a recorded decision")
    return decision


def _objects(workload: Path, kind: str) -> Iterator[Mapping[str, Any]]:
    """Go over the objects of a kind in a workload, whose file may be compressed."""
    file = next(
        (file for end in SUFFIXES if (file := workload / f"{kind}{end}").exists()),
        workload / f"{kind}.jsonl",
    )
    for line in lines_of_file(file):
        yield line.json()
