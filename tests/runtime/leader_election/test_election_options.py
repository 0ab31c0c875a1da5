"""Options of an election, and its errors."""

from typing import Any

import pytest

from kubesched.errors import KubeschedError, OptionError
from kubesched.runtime import (
    DeposedError,
    ElectionTiming,
    LeaseConflictError,
    LeaseOverdueError,
    ManualClock,
    Term,
)
from tests.copies import pickled
from tests.runtime.leader_election.elections import FaultyLock, elector

# -- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "says"),
    [
        pytest.param({"lease_duration": 10.0}, "must be above renew_deadline", id="no margin"),
        pytest.param({"renew_deadline": 15.0}, "must be above renew_deadline", id="none either"),
        pytest.param({"renew_deadline": 2.4}, "above 1.2 times retry_period", id="no second try"),
        pytest.param({"retry_period": 0.0}, "retry_period must be above 0 s", id="no pause"),
        pytest.param({"retry_period": -1.0}, "retry_period must be above 0 s", id="a negative one"),
        pytest.param({"renew_deadline": float("nan")}, "finite", id="no deadline"),
        pytest.param({"lease_duration": float("inf")}, "finite", id="for ever"),
    ],
)
def test_times_that_do_not_go_together_are_refused(times: dict[str, Any], says: str) -> None:
    with pytest.raises(OptionError, match=says):
        ElectionTiming(**times)


def test_a_candidate_needs_a_name(lock: FaultyLock, clock: ManualClock) -> None:
    with pytest.raises(OptionError, match="identity"):
        elector(lock, clock, "")


# -- errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(LeaseConflictError("here", "it was written meanwhile"), id="a conflict"),
        pytest.param(DeposedError(Term("a", 3), "b"), id="a term that is over"),
        pytest.param(LeaseOverdueError("a", 20.5), id="a lease that is overdue"),
    ],
)
def test_an_error_survives_pickling(error: KubeschedError) -> None:
    back = pickled(error)
    assert (type(back), str(back), vars(back)) == (type(error), str(error), vars(error))
