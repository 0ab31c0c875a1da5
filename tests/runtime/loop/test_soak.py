"""A short soak, and that chance has its seed alone to go by."""

import os
import subprocess
import sys
from functools import cache

import pytest

from tests import soak as script
from tests.soak import Soak, soak

STEPS, SEED = 2000, 4


@cache
def alone() -> Soak:
    """Return the run of one worker."""
    return soak(STEPS, SEED)


def printed(hash_seed: str, workers: int) -> str:
    """Return what the script prints in a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    options = [f"--steps={STEPS}", f"--seed={SEED}", f"--workers={workers}"]
    command = [sys.executable, script.__file__, *options]
    run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)  # noqa: S603 - it is our own
    return run.stdout.splitlines()[-1]


def test_the_run_has_something_of_everything() -> None:
    counts = alone().counts
    few = {
        what: counts[what]
        for what in (
            "Binding",
            "BindingRejected",
            "Bound",
            "SchedulerError",
            "Skipped",
            "Unschedulable",
            "VolumeBindingFailed",
            "evicted",
            "pods expired",
            "hangs",
            "killed",
            "stopped",
            "succeeded late",
        )
        if counts[what] < 1
    }
    assert few == {}


@pytest.mark.parametrize("workers", [2, 16])
def test_any_number_of_workers_gives_the_same_trace(workers: int) -> None:
    assert soak(STEPS, SEED, workers=workers).digest == alone().digest


def test_remembering_verdicts_gives_the_same_trace() -> None:
    assert soak(STEPS, SEED, remembers=True).digest == alone().digest


@pytest.mark.parametrize(("hash_seed", "workers"), [("0", 1), ("1", 16), ("4242", 3)])
def test_any_hash_seed_gives_the_same_trace(hash_seed: str, workers: int) -> None:
    assert printed(hash_seed, workers) == alone().digest


def test_another_seed_gives_another_trace() -> None:
    assert soak(200, SEED).digest != soak(200, SEED + 1).digest
