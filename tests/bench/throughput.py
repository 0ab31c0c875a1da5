"""Measures how fast pods are placed: decide, assume, next.

    python tests/bench/throughput.py [FOLDER …] [--pods N] [--seconds S] [--json]

Each folder is measured in a process of its own, so that its memory is its own; reading it does not
count. Without a folder two workloads are made, A with 100 and with 1,000 nodes. README.md says what
a folder holds and what the figures mean.
"""

import gc
import json
import logging
import platform
import subprocess
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from math import ceil, inf
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, Protocol

from attrs import asdict, frozen

from kubesched.config import Profile
from kubesched.engine import WORKERS, Decision, EquivalenceCache, GenericScheduler
from kubesched.errors import SchedulingError
from kubesched.manifests import ManifestError, Manifests, load_objects
from kubesched.model import Node, Pod, Service
from kubesched.state import Cluster

GENERATOR: Final = Path(__file__).with_name("workloads.py")
HEADINGS: Final = (
    "workload      engine     nodes    pods  unplaced    pods/s   p50 ms   p99 ms  peak RSS MiB"
)


class Decider(Protocol):
    """What is measured."""

    def schedule(self, pod: Pod, /) -> Decision: ...


@frozen(kw_only=True)
class Settings:
    """How to measure.

    Attributes:
        engine: who decides, a key of `ENGINES`.
        percentage: how many of the nodes are to be found feasible before the search stops.
        workers: how many threads may help.
        pods: how many pods are placed at most.
        seconds: how long pods are placed at most.
    """

    engine: str = "plain"
    percentage: int = 100
    workers: int = WORKERS
    pods: float = inf
    seconds: float = inf


def plain(cluster: Cluster, settings: Settings) -> Decider:
    """Ask every rule about every node, each time anew."""
    profile = Profile.default().with_options(percentage_of_nodes_to_score=settings.percentage)
    return GenericScheduler(cluster, profile, workers=settings.workers)


def cached(cluster: Cluster, settings: Settings) -> Decider:
    """Ask only where what a rule reads has changed since a pod of the same kind was asked about."""
    profile = Profile.default().with_options(percentage_of_nodes_to_score=settings.percentage)
    return GenericScheduler(
        cluster, profile, workers=settings.workers, equivalence_cache=EquivalenceCache()
    )


ENGINES: Final[Mapping[str, Callable[[Cluster, Settings], Decider]]] = {
    "plain": plain,
    "cached": cached,
}


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


# -- measuring -------------------------------------------------------------------------------------


@frozen(kw_only=True)
class Figures:
    """What was measured on one workload; `pods` counts those that found a node."""

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
    percentage: int
    workers: int
    python: str

    def __str__(self) -> str:
        """Return a row of the table."""
        peak = "?" if self.peak_rss_mib is None else f"{self.peak_rss_mib:,.0f}"
        return (
            f"{self.workload:12}  {self.engine:8}{self.nodes:8,}{self.pods:8,}{self.unplaced:10,}"
            f"{self.pods_per_s:10,.1f}{self.p50_ms:9.2f}{self.p99_ms:9.2f}{peak:>14}"
        )


def measure_apart(folder: Path, settings: Settings) -> Figures:
    """Measure a workload in a fresh process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measure, folder, settings).result()


def measure(folder: Path, settings: Settings) -> Figures:
    """Read a workload, place its pods and say how it went."""
    logging.getLogger("kubesched").addHandler(logging.NullHandler())  # slow decisions are no news
    workload = read(folder)
    decider = ENGINES[settings.engine](workload.cluster, settings)
    gc.collect()
    times = list(place(workload, decider, settings))
    placed, seconds = len(workload.cluster.pods), sum(times)
    return Figures(
        workload=folder.resolve().name,
        engine=settings.engine,
        nodes=len(workload.cluster.nodes),
        pods=placed,
        unplaced=len(times) - placed,
        seconds=round(seconds, 3),
        pods_per_s=round(placed / seconds, 1),
        p50_ms=round(1000 * percentile(times, 50), 3),
        p99_ms=round(1000 * percentile(times, 99), 3),
        peak_rss_mib=peak_rss_mib(),
        percentage=settings.percentage,
        workers=settings.workers,
        python=platform.python_version(),
    )


def place(workload: Workload, decider: Decider, settings: Settings) -> Iterator[float]:
    """Place one pod at least, and as many as there are to be; give the seconds that each took."""
    placed, start = 0, perf_counter()
    for pod in workload.pods:
        before = perf_counter()
        try:
            workload.cluster.assume(pod, decider.schedule(pod).node)
            placed += 1
        except SchedulingError:
            pass
        after = perf_counter()
        yield after - before
        if placed >= settings.pods or after - start >= settings.seconds:
            return


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


# -- the command -----------------------------------------------------------------------------------


def main() -> None:
    """Measure what the command line asks for; a folder that is no workload ends it with code 2."""
    parser = make_parser()
    options = vars(parser.parse_args())
    folders, as_json = options.pop("folders"), options.pop("json")
    settings = Settings(**options)
    if not as_json:
        print(HEADINGS)  # noqa: T201 - it talks to whoever runs it
    try:
        with workloads(folders) as chosen:
            for folder in chosen:
                figures = measure_apart(folder, settings)
                line = json.dumps(asdict(figures)) if as_json else str(figures)
                print(line, flush=True)  # noqa: T201 - see above
    except (ManifestError, WorkloadError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


def make_parser() -> ArgumentParser:
    """Return the reader of the command line."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    add, count = parser.add_argument, above_zero(int)
    add("folders", nargs="*", type=Path, metavar="FOLDER", help="a workload")
    add("--pods", type=count, default=inf, metavar="N", help="stop after N pods were placed")
    add("--seconds", type=above_zero(float), default=inf, metavar="S", help="stop after S seconds")
    add("--engine", choices=ENGINES, default="plain", help="who decides")
    add("--percentage", type=count, default=100, metavar="P", help="of the nodes to score (100)")
    add("--workers", type=count, default=WORKERS, metavar="N", help=f"threads ({WORKERS})")
    add("--json", action="store_true", help="print an object a line instead of a table")
    return parser


def above_zero(kind: type[int] | type[float]) -> Callable[[str], float]:
    """Return a reader of numbers above 0."""

    def read_number(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = 0
        if not number > 0:
            raise ArgumentTypeError(f"{text!r} is not a number above 0")
        return number

    return read_number


@contextmanager
def workloads(folders: Sequence[Path]) -> Iterator[Sequence[Path]]:
    """Give the folders; if there are none, make two, which go away afterwards."""
    if folders:
        yield folders
        return
    with TemporaryDirectory() as made:
        which = ["--kinds", "A", "--nodes", "100,1000"]
        subprocess.run(  # noqa: S603 - it is our own program
            [sys.executable, GENERATOR, made, *which], check=True, stdout=subprocess.DEVNULL
        )
        yield [Path(made, "A-100"), Path(made, "A-1000")]


if __name__ == "__main__":
    main()
