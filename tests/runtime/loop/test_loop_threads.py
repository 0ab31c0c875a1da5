"""The loop while eight threads change the cluster."""

import faulthandler
from collections.abc import Iterator

import pytest

from kubesched.runtime import Result
from tests.runtime.loop import loop_threads


@pytest.fixture(autouse=True)
def watchdog() -> Iterator[None]:
    """Show where every thread is if there is no end."""
    loop_threads.watch()
    yield
    faulthandler.cancel_dump_traceback_later()


def test_what_the_loop_knows_in_the_end_is_what_the_log_says() -> None:
    it = loop_threads.run(pods=400, nodes=50)
    loop_threads.check(it)
    assert it.results[Result.BOUND] >= len(it.cluster.pods) > 300
