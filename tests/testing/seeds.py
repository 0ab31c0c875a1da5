"""Try all that is honest with many seeds: a law that it seems to break would be a false alarm.

    python tests/testing/seeds.py --seeds 20 --examples 200

Prints a line for each seed, and each rule that seems to break a law with how it does.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hypothesis import settings

from kubesched import Registry
from kubesched.testing import RegistryBrokenError, check_registry
from kubesched.testing.laws.running import EXAMPLES
from tests.testing.predicates import HONEST as PREDICATES
from tests.testing.priorities import HONEST as PRIORITIES
from tests.testing.stock import REGISTRIES


def alarms(seed: int, examples: int) -> Iterator[str]:
    """Go over what the rules seem to break; the same seed, the same alarms."""
    options = settings(max_examples=examples, deadline=None, database=None)
    custom = Registry().extended(*PREDICATES, *PRIORITIES)
    for registry in (*REGISTRIES.values(), custom):
        try:
            check_registry(registry, settings=options, seed=seed)
        except RegistryBrokenError as error:
            yield str(error)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=20, help="how many seeds (default: 20)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="situations a rule and seed")
    options = parser.parse_args(arguments)
    found = 0
    for seed in range(options.first, options.first + options.seeds):
        start = perf_counter()
        told = [*alarms(seed, options.examples)]
        found += len(told)
        line = f"seed {seed}: {len(told)} alarms, {perf_counter() - start:.0f} s"
        sys.stdout.write("\n".join([line, *told, ""]))
        sys.stdout.flush()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
