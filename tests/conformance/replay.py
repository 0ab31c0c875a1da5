"""Replays recorded answers of the original and tells where ours differ.

    python tests/conformance/replay.py [PATH…] [--only NAME…] [--show K] [--workers N]
        [--equivalence-cache]
    python tests/conformance/replay.py --sequences DECISIONS --workloads FOLDER [--only NAME…] …

A path is a file of recordings or a folder of them; without any, it is all that are kept here. The
last line counts the scenarios and their parts (each answer that was recorded) that agree. What is
answered otherwise on purpose is counted on lines of its own, and never as agreeing.

DECISIONS is a file or folder of whole sequences of decisions; a file is named after its workload,
which is a folder in FOLDER. Each decision counts as a scenario.

Exit code: 0 if everything that was compared agrees, 1 if something differs or nothing could be
compared, 2 if there is nothing to replay.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from logging import ERROR, getLogger
from pathlib import Path
from typing import Final, TypeAlias

HERE: Final = Path(__file__).resolve().parent
if __name__ == "__main__":  # run as a script, Python looks beside it and not where `tests` is
    sys.path.append(str(HERE.parents[1]))

from kubesched.engine import Workers  # noqa: E402
from kubesched.testing.differential import Comparison, RecordingError  # noqa: E402
from tests.conformance.attempts import replay_attempts  # noqa: E402
from tests.conformance.extender_cases import replay_extender_attempts  # noqa: E402
from tests.conformance.extender_wire import replay_extender_call  # noqa: E402
from tests.conformance.functions import (  # noqa: E402
    replay_feasible_nodes,
    replay_node_tree,
    replay_select_host,
)
from tests.conformance.recordings import NothingToReplay, Recording, recorded_in  # noqa: E402
from tests.conformance.report import report  # noqa: E402
from tests.conformance.sequences import replayed_sequences  # noqa: E402
from tests.conformance.setting import Setting  # noqa: E402
from tests.conformance.tally import Tally  # noqa: E402

LEGACY: Final = HERE / "data" / "legacy"
Replay: TypeAlias = Callable[[Recording, Setting], Iterator[Comparison]]


REPLAYS: Final[Mapping[str, Replay]] = {
    "attempts": replay_attempts,
    "node tree": lambda recording, _: replay_node_tree(recording),
    "feasible nodes": lambda recording, _: replay_feasible_nodes(recording),
    "select host": lambda recording, _: replay_select_host(recording),
    "extender attempts": replay_extender_attempts,
    "extender call": lambda recording, _: replay_extender_call(recording),
}


def replayed(
    recordings: Iterable[Recording], workers: int = 1, *, remembers: bool = False
) -> Tally:
    """Replay recordings and count what agrees."""
    tally, setting = Tally(), Setting(Workers(workers), remembers)
    for recording in recordings:
        tally.note(recording.family, _parts(recording, setting))
    return tally


def _parts(recording: Recording, setting: Setting) -> Iterator[Comparison]:
    """Replay one recording; an error of ours is a difference and does not end the run."""
    try:
        yield from REPLAYS[recording.shape](recording, setting)
    except Exception as error:  # noqa: BLE001 - whatever it is, the report shows it
        got = f"{type(error).__name__}: {error}"
        yield Comparison(scenario=recording.name, part="replay", expected="an answer", got=got)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if bool(options.sequences) != bool(options.workloads):
        parser.error("--sequences and --workloads go together")
    if options.sequences and options.paths:
        parser.error("--sequences goes without any PATH")
    try:
        tally = _tally(options)
    except (RecordingError, NothingToReplay) as error:
        sys.stderr.write(f"replay.py: {error}\n")
        return 2
    for line in report(tally, options.show):
        sys.stdout.write(f"{line}\n")
    return 0 if tally.all_agree else 1


def _tally(options: argparse.Namespace) -> Tally:
    if options.sequences:
        setting = Setting(Workers(options.workers), options.equivalence_cache)
        return replayed_sequences(options.sequences, options.workloads, setting, options.only)
    return replayed(
        _chosen(options.paths or [LEGACY], options.only),
        options.workers,
        remembers=options.equivalence_cache,
    )


def _chosen(paths: Iterable[Path], patterns: Sequence[str]) -> Iterator[Recording]:
    """Read the recordings of these names or families, or all if no name is given."""
    is_empty = True
    for recording in recorded_in(paths):
        if not patterns or recording.is_one_of(patterns):
            is_empty = False
            yield recording
    if is_empty:
        raise NothingToReplay(f"no scenario is called {' or '.join(patterns)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="replay.py", description="Replay recorded answers and tell where ours differ."
    )
    parser.add_argument("paths", metavar="PATH", nargs="*", type=Path, help="file or folder")
    parser.add_argument(
        "--only",
        metavar="NAME",
        nargs="+",
        default=(),
        help="scenarios or families, as patterns with * and ?",
    )
    parser.add_argument(
        "--show", metavar="K", type=_number(0), default=5, help="how many differences to show (5)"
    )
    parser.add_argument(
        "--workers", metavar="N", type=_number(1), default=1, help="the scheduler's workers (1)"
    )
    parser.add_argument(
        "--equivalence-cache", action="store_true", help="let the scheduler remember verdicts"
    )
    parser.add_argument(
        "--sequences", metavar="DECISIONS", type=Path, help="file or folder of whole sequences"
    )
    parser.add_argument("--workloads", metavar="FOLDER", type=Path, help="what they are about")
    return parser


def _number(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value} is less than {least}")
        return value

    return number


if __name__ == "__main__":
    getLogger("kubesched").setLevel(ERROR)  # some policies name what never runs
    sys.exit(main())
