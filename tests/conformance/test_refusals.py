"""The comparison of refused configurations sees what the recorded ones have no example of."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.conformance.refusals import refusal

URL = "http://127.0.0.1:9/sched"


def extender(**fields: Any) -> dict[str, Any]:
    return {"policy": {"extenders": [{"urlPrefix": URL, **fields}]}}


def managing(*names: str) -> dict[str, Any]:
    return extender(managedResources=[{"name": name} for name in names])


def shaped(*points: tuple[int, int]) -> dict[str, Any]:
    shape = [{"utilization": utilization, "score": score} for utilization, score in points]
    argument = {"requestedToCapacityRatioArguments": {"shape": shape}}
    entry = {"name": "BinPack", "weight": 1, "argument": argument}
    return {"policy": {"priorities": [entry]}}


WEIGHTLESS = {"policy": {"priorities": [{"name": "EqualPriority", "weight": 0}]}}
SHAPE = "invalid RequestedToCapacityRatioPriority arguments: "


@pytest.mark.parametrize(
    ("config", "recorded"),
    [
        pytest.param(
            extender(prioritizeVerb="p"),
            f"Priority for extender {URL} should have a positive weight applied to it",
            id="an extender's weight",
        ),
        pytest.param(
            {"policy": {"extenders": [{"urlPrefix": URL, "bindVerb": "b"}] * 3}},
            "Only one extender can implement bind, found 3",
            id="binders",
        ),
        pytest.param(
            managing("foo", "foo"),
            "[foo is an invalid extended resource name, foo is an invalid extended resource name, "
            "Duplicate extender managed resource name foo]",
            id="several errors of one resource",
        ),
        pytest.param(
            managing("a b/c d"),
            "[name part must consist of alphanumeric characters, '-', '_' or '.', and must start "
            "and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', "
            "regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), prefix part "
            "a DNS-1123 subdomain must consist of lower case alphanumeric characters]",
            id="a name that is none",
        ),
        pytest.param(
            shaped((0, 11)),
            f"{SHAPE}score values must not be greater than 10. Score[0]==11",
            id="a score",
        ),
        pytest.param(
            shaped((0, -1)),
            f"{SHAPE}score values must not be less than 0. Score[0]==-1",
            id="a negative score",
        ),
        pytest.param(
            {"policy": {"hardPodAffinitySymmetricWeight": 101}},
            "invalid hardPodAffinitySymmetricWeight: 101, must be in the range 1-100",
            id="the hard weight",
        ),
        pytest.param(
            {"hardPodAffinitySymmetricWeight": 0},
            "invalid hardPodAffinitySymmetricWeight: 0, must be in the range 1-100",
            id="the hard weight outside of a policy",
        ),
    ],
)
def test_what_both_say_agrees(config: Mapping[str, Any], recorded: str) -> None:
    part = refusal("invalid/1", config, recorded)
    assert part.agrees, (part.expected, part.got)
    assert part.expected


@pytest.mark.parametrize(
    ("config", "recorded"),
    [
        pytest.param(
            WEIGHTLESS,
            "Priority ImageLocalityPriority should have a positive weight applied to it or it has "
            "overflown",
            id="another name",
        ),
        pytest.param(
            WEIGHTLESS,
            "Invalid configuration: Priority type not found for EqualPriority",
            id="another meaning",
        ),
        pytest.param(WEIGHTLESS, "I/O timeout", id="a text that nobody understands"),
        pytest.param({}, 'plugin "DefaultProvider" has not been registered', id="no error of ours"),
        pytest.param(
            shaped((0, 11)),
            f"{SHAPE}score values must not be greater than 10. Score[1]==11",
            id="another point",
        ),
    ],
)
def test_what_we_do_not_say_is_a_difference(config: Mapping[str, Any], recorded: str) -> None:
    assert not refusal("invalid/1", config, recorded).agrees
