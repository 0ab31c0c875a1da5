"""Reads workloads, has their pods placed, and says how that went."""

import gc
import logging
import platform
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

from attrs import define, field, frozen

from kubesched.manifests import Manifests, load_objects
from kubesched.model import Node, Pod, Service
from kubesched.state import Cluster
from tests.bench.engines import ENGINES, Place, Settings

# -- reading ---------------------------------------------------------------------------------------


class WorkloadError(Exception):
    """A folder in which something is missing."""


@frozen
class Workload:
    """A cluster that has no pods yet, and the pods to place on it, in their order."""

    cluster: Cluster
    pods: Sequence[Pod]

    @classmethod
    def of(cls, found: Manifests) -> "Workload":
        """Put nodes and services into a cluster, in their order."""
        cluster = Cluster()
        for node in found.of(Node):
            cluster.add_node(node)
        for service in found.of(Service):
            cluster.add(service)
        return cls(cluster, found.of(Pod))


def read(folder: Path) -> Workload:
    """Read a folder.

    Raises:
        ManifestError: it cannot be read.
        WorkloadError: it has no nodes or no pods.
    """
    found = load_objects(folder)
    for kind in (Node, Pod):
        if not found.of(kind):
            raise WorkloadError(f"{folder}: there is no {kind.kind}")
    return Workload.of(found)


# -- placing ---------------------------------------------------------------------------------------


@define
class Run:
    """An engine at work on a cluster of its own; `times` are the seconds that each pod took."""

    engine: str
    workload: Workload
    place: Place
    times: list[float] = field(factory=list)
    placed: int = 0

    @classmethod
    def of(cls, engine: str, folder: Path, settings: Settings) -> "Run":
        """Read a workload anew, so that no engine finds what another one has worked out."""
        workload = read(folder)
        return cls(engine, workload, ENGINES[engine](workload.cluster, settings))

    def go_on(self, pod: Pod) -> None:
        """Place a pod and note how long it took."""
        before = perf_counter()
        self.placed += self.place(pod)
        self.times.append(perf_counter() - before)


def take_turns(runs: Sequence[Run], settings: Settings) -> None:
    """Have each engine place one pod at least, then each the next, as many as there are to be."""
    start = perf_counter()
    for pods in zip(*(run.workload.pods for run in runs), strict=True):
        for run, pod in zip(runs, pods, strict=True):
            run.go_on(pod)
        placed, seconds = min(run.placed for run in runs), perf_counter() - start
        if placed >= settings.pods or seconds >= settings.seconds:
            return


# -- telling ---------------------------------------------------------------------------------------


@frozen(kw_only=True)
class Figures:
    """How an engine did on one workload.

    `pods` counts those that found a node, and `ratio` compares the time with the first engine's.
    """

    workload: str
    engine: str
    nodes: int
    pods: int
    unplaced: int
    seconds: float
    pods_per_s: float
    p50_ms: float
    p99_ms: float
    peak_rss_mib: float | None
    ratio: float
    percentage: int
    workers: int
    python: str

    def __str__(self) -> str:
        """Return a row of the table."""
        peak = "?" if self.peak_rss_mib is None else f"{self.peak_rss_mib:,.0f}"
        return (
            f"{self.workload:12}  {self.engine:8}{self.nodes:8,}{self.pods:8,}{self.unplaced:10,}"
            f"{self.pods_per_s:10,.1f}{self.p50_ms:9.2f}{self.p99_ms:9.2f}{peak:>14}"
            f"{self.ratio:7.2f}"
        )


def measure_apart(folder: Path, settings: Settings) -> list[Figures]:
    """Measure a workload in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measure, folder, settings).result()


def measure(folder: Path, settings: Settings) -> list[Figures]:
    """Have a workload's pods placed by each engine, and say how each did."""
    logging.getLogger("kubesched").addHandler(logging.NullHandler())  # slow decisions are no news
    runs = [Run.of(engine, folder, settings) for engine in settings.engines]
    gc.collect()
    take_turns(runs, settings)
    return [figures_of(run, runs[0], folder, settings) for run in runs]


def figures_of(run: Run, first: Run, folder: Path, settings: Settings) -> Figures:
    """Say how an engine did, also beside the first one."""
    seconds = sum(run.times)
    return Figures(
        workload=folder.resolve().name,
        engine=run.engine,
        nodes=len(run.workload.cluster.nodes),
        pods=run.placed,
        unplaced=len(run.times) - run.placed,
        seconds=round(seconds, 3),
        pods_per_s=round(run.placed / seconds, 1),
        p50_ms=round(1000 * percentile(run.times, 50), 3),
        p99_ms=round(1000 * percentile(run.times, 99), 3),
        peak_rss_mib=peak_rss_mib(),
        ratio=round(seconds / sum(first.times), 3),
        percentage=settings.percentage,
        workers=settings.workers,
        python=platform.python_version(),
    )


def percentile(times: Sequence[float], percent: int) -> float:
    """Return the smallest time that so many percent of the times do not exceed."""
    return sorted(times)[ceil(len(times) * percent / 100) - 1]


def peak_rss_mib() -> float | None:
    """Return the most memory that this process has had; None where the system does not tell."""
    if find_spec("resource") is None:
        return None
    import resource  # noqa: PLC0415 - Windows has none

    units_a_mebibyte = 2**20 if sys.platform == "darwin" else 2**10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / units_a_mebibyte, 1)
