"""Measures how fast pods are placed, one after the other.

    python tests/bench/throughput.py [FOLDER …] [--engine NAME,…] [--pods N] [--seconds S] [--json]

Each folder is measured in a process of its own, so that its memory is its own; reading it does not
count. Without a folder two workloads are made, A with 100 and with 1,000 nodes. README.md says what
a folder holds and what the figures mean.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import asdict

from kubesched.engine import WORKERS
from kubesched.manifests import ManifestError
from tests.bench.engines import ENGINES, Settings
from tests.bench.measuring import WorkloadError, measure_apart

GENERATOR: Final = Path(__file__).with_name("workloads.py")
HEADINGS: Final = (
    "workload      engine     nodes    pods  unplaced    pods/s   p50 ms   p99 ms  peak RSS MiB"
    "  ratio"
)
WHO: Final = f"who places the pods: {', '.join(ENGINES)}; several take turns (plain)"


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
                for figures in measure_apart(folder, settings):
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
    add("--engine", dest="engines", type=engines, default="plain", metavar="NAME,…", help=WHO)
    add("--percentage", type=count, default=100, metavar="P", help="of the nodes to score (100)")
    add("--workers", type=count, default=WORKERS, metavar="N", help=f"threads ({WORKERS})")
    add("--json", action="store_true", help="print an object a line instead of a table")
    return parser


def engines(text: str) -> tuple[str, ...]:
    """Read names with commas between them."""
    names = tuple(text.split(","))
    if not ENGINES.keys() >= set(names):
        raise ArgumentTypeError(f"{text!r} has a name that is none of {', '.join(ENGINES)}")
    return names


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
