"""The same input gives the same answer, whoever works and however texts are hashed."""

import os
import re
import subprocess
import sys
from functools import cache

import pytest

from kubesched.engine import FirstByName, Random, RoundRobin
from tests import decisions

HASH_SEEDS = ["0", "1", "4242"]


@cache
def alone() -> str:
    """Return the decisions of one worker, which is the calling thread."""
    return decisions.decisions(workers=1, blocks=False, select=RoundRobin())


def printed(hash_seed: str) -> bytes:
    """Return what the decisions look like in a process of their own."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, decisions.__file__]
    return subprocess.run(command, env=environment, check=True, capture_output=True).stdout  # noqa: S603 - it is our own


def test_the_sequence_has_something_of_everything() -> None:
    told = alone()
    for words in ("goes to", "refused", "scores", "fails: 0/", "fails: [", "not found"):
        assert words in told
    looked_at = {int(each) for each in re.findall(r"looked at (\d+) nodes", told)}
    assert min(looked_at) < max(looked_at) == decisions.NODES


@pytest.mark.parametrize("blocks", [False, True], ids=["plain rules", "rules that block"])
@pytest.mark.parametrize("workers", range(1, 17))
def test_any_number_of_workers_gives_the_same_decisions(*, workers: int, blocks: bool) -> None:
    assert decisions.decisions(workers=workers, blocks=blocks, select=RoundRobin()) == alone()


def test_any_hash_seed_gives_the_same_decisions() -> None:
    first, *others = map(printed, HASH_SEEDS)
    assert first.startswith(alone().encode())
    assert all(other == first for other in others)


def test_the_same_seed_gives_the_same_decisions_and_another_one_others() -> None:
    one, same, other = (
        decisions.decisions(workers=2, blocks=False, select=Random(seed)) for seed in (7, 7, 8)
    )
    assert one == same != other


def test_selectors_differ() -> None:
    by_name = decisions.decisions(workers=1, blocks=False, select=FirstByName())
    assert by_name != alone()
