"""Let chance drive the loop for as long as is wanted; the same seed, the same trace.

    python tests/soak.py --steps 100000 --seed 1

Prints how many steps it took, what happened in them, and a digest of the trace, which depends on
the seed and the number of steps alone.
"""

import argparse
import logging
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from attrs import frozen

from kubesched.testing.machines.loop.cast import node_of_mood, pod_of_kind
from kubesched.testing.machines.loop.checks import check, fall_quiet
from kubesched.testing.machines.loop.faults import STEPS, Fault
from kubesched.testing.machines.loop.loop import Loop
from kubesched.testing.machines.loop.member import Manner
from kubesched.testing.machines.loop.mood import MOODS

Command: TypeAlias = Callable[[Loop, Random], object]

NODES: Final = 5
PODS: Final = 20
QUIET_EVERY: Final = 1000
"""After so many steps everything may end, and nothing may be left over."""

SECONDS: Final = (0.25, 0.5, 1.0, 1.0, 3.0, 3.0, 10.0, 10.0, 31.0, 61.0, 601.0)
MOOD_OF: Final = (*["good"] * 25, *MOODS[1:])


def _at(chance: Random) -> int:
    return chance.randrange(1000)


def _yes(chance: Random) -> bool:
    return chance.random() < 0.5


COMMANDS: Final[dict[str, tuple[float, Command]]] = {
    "put pod": (
        18,
        lambda loop, by: loop.put_pod(
            pod_of_kind(
                by.randrange(PODS),
                cpu=by.choice([1, 2, 2, 3]),
                priority=by.choice([0, 0, 5, 10]),
                kind=by.randrange(8),
            )
        ),
    ),
    "change pod": (3, lambda loop, by: loop.change_pod(_at(by), by.randrange(3))),
    "delete pod": (8, lambda loop, by: loop.delete_pod(_at(by), at_once=_yes(by))),
    "end pod": (4, lambda loop, by: loop.end_pod(_at(by))),
    "put node": (
        4,
        lambda loop, by: loop.put_node(
            node_of_mood(by.randrange(NODES), cpu=by.choice([2, 4, 4]), mood=by.choice(MOOD_OF))
        ),
    ),
    "remove node": (1, lambda loop, by: loop.remove_node(f"n{by.randrange(NODES)}")),
    "deliver": (20, lambda loop, by: loop.deliver(_at(by))),
    "deliver all": (8, lambda loop, by: loop.deliver_all(_at(by))),
    "deliver again": (2, lambda loop, by: loop.deliver_again(_at(by))),
    "lose": (1, lambda loop, by: loop.lose(_at(by))),
    "relist": (2, lambda loop, by: loop.relist(by.randrange(2))),
    "relist late": (1, lambda loop, by: loop.relist_late(_at(by))),
    "schedule one": (24, lambda loop, by: loop.schedule_one(_at(by))),
    "schedule all": (3, lambda loop, by: loop.schedule_all(_at(by))),
    "bind": (18, lambda loop, by: loop.bind_one(_at(by))),
    "bind late": (2, lambda loop, by: loop.bind_late(_at(by))),
    "let time pass": (10, lambda loop, by: loop.let_time_pass(by.choice(SECONDS))),
    "keep time": (4, lambda loop, by: loop.keep_time(_at(by))),
    "plan a fault": (12, lambda loop, by: loop.plan(by.choice(STEPS), by.choice([*Fault]))),
    "kill": (0.2, lambda loop, by: loop.kill(elsewhere=_yes(by))),
    "stop": (0.2, lambda loop, by: loop.stop(elsewhere=_yes(by))),
}
"""What may happen: how often, and how."""


@frozen
class Soak:
    """What came of a run."""

    steps: int
    digest: str
    counts: Counter[str]


def soak(steps: int, seed: int, *, workers: int = 1, remembers: bool = False) -> Soak:
    """Take so many steps by chance, checking after each."""
    chance, loop = Random(seed), Loop(Manner(workers, remembers))  # noqa: S311 - nothing here is secret
    for number in range(NODES):
        loop.put_node(node_of_mood(number, cpu=4, mood="good"))
    names = list(COMMANDS)
    weights = [weight for weight, _ in COMMANDS.values()]
    for step in range(1, steps + 1):
        name = chance.choices(names, weights)[0]
        loop.tell(f"{step} {name}")
        COMMANDS[name][1](loop, chance)
        check(loop)
        loop.tell(loop.places())
        if step % QUIET_EVERY == 0 or step == steps:
            loop.tell("quiet")
            fall_quiet(loop)
    return Soak(steps, loop.digest, loop.counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--remembers", action="store_true", help="with an equivalence cache")
    asked = parser.parse_args()
    logging.disable()  # whatever goes wrong on command is told there
    run = soak(asked.steps, asked.seed, workers=asked.workers, remembers=asked.remembers)
    counts = ", ".join(f"{count} {what}" for what, count in sorted(run.counts.items()))
    sys.stdout.write(f"{run.steps} steps: {counts}\n{run.digest}\n")


if __name__ == "__main__":
    main()
