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


def priority(name: str = "EqualPriority", **fields: Any) -> dict[str, Any]:
    return {"policy": {"priorities": [{"name": name, "weight": 1, **fields}]}}


def predicate(name: str, **fields: Any) -> dict[str, Any]:
    return {"policy": {"predicates": [{"name": name, **fields}]}}


LABELS = {"labelsPresence": {"labels": ["rack"], "presence": True}}
LONG = "Longest" * 20
MISFIT = (
    "v1.Policy.ExtenderConfigs: []v1.ExtenderConfig: unmarshalerDecoder: json: cannot unmarshal "
    "string into Go struct field ExtenderConfig.httpTimeout of type time.Duration, error found in "
    '#10 byte of ...|out": "1s"}]}|..., bigger context ...|Timeout": "1s"}]}|...'
)
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
            shaped((0, 0), (100, 11)),
            f"{SHAPE}score valuses not be greater than 10. Score[1]==11",
            id="a score, as it was misspelt",
        ),
        pytest.param(
            priority("two words", weight=0),
            "Priority two words should have a positive weight applied to it or it has overflown",
            id="the weight of a name with a blank",
        ),
        pytest.param(
            priority("", weight=0),
            "Priority  should have a positive weight applied to it or it has overflown",
            id="the weight of no name",
        ),
        pytest.param(
            extender(urlPrefix="", prioritizeVerb="p"),
            "Priority for extender  should have a positive weight applied to it",
            id="the weight of an extender without an address",
        ),
        pytest.param(
            predicate(""),
            "Invalid configuration: Predicate type not found for ",
            id="a predicate without a name",
        ),
        pytest.param(
            predicate("", argument=LABELS),
            'Algorithm name  does not match the name validation regexp "^[a-zA-Z0-9]".',
            id="a predicate of one's own without a name",
        ),
        pytest.param(
            priority("", argument={}),
            "Exactly 1 priority argument is required, numArgs: 0, Priority: ",
            id="no argument and no name",
        ),
        pytest.param(
            predicate(f"It's {LONG}"),
            f"Invalid configuration: Predicate type not found for It's {LONG}",
            id="a long name with a quotation mark",
        ),
        pytest.param(
            {"provider": 'Fast"Provider\n'},
            r'plugin "Fast\"Provider\n" has not been registered',
            id="a provider in Go's quotation marks",
        ),
        pytest.param(
            managing("", ""),
            "[name part must be non-empty, name part must be non-empty, "
            "Duplicate extender managed resource name ]",
            id="resources without names",
        ),
        pytest.param(
            extender(tlsConfig={"caFile": "/nowhere/ca.pem"}),
            "open /nowhere/ca.pem: no such file or directory",
            id="a file that is not there",
        ),
        pytest.param(
            extender(tlsConfig={"caData": "AAAA", "insecure": True}),
            "specifying a root certificates file with the insecure flag is not allowed",
            id="an authority that does not matter",
        ),
        pytest.param(extender(httpTimeout="1s"), MISFIT, id="a field of an extender"),
        pytest.param(
            priority(weight=1.5),
            "v1.Policy.Priorities: []v1.PriorityPolicy: v1.PriorityPolicy.Weight: readUint64: "
            "unexpected character: ., error found in #10 byte of ...",
            id="a field of a priority",
        ),
        pytest.param(
            {"policy": {"extenders": {}}},
            "v1.Policy.ExtenderConfigs: decode slice: expect [ or n, but found {, error found in "
            "#10 byte of ...",
            id="a field that Go calls otherwise",
        ),
        pytest.param(
            predicate("HostNam"),
            "couldn't create the scheduler: Invalid configuration: Predicate type not found for "
            "HostNam",
            id="a text in another one",
        ),
        pytest.param(
            predicate("HostNam"),
            "no predicate HostNam is to be found",
            id="an unfamiliar text that has a name",
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
        pytest.param(
            {"policy": {"predicates": [{"name": "HostName"}, {"name": "HostNam"}]}},
            "there is something about HostName",
            id="an unfamiliar text that has another name",
        ),
        pytest.param(
            {"policy": {"predicates": [{"name": "HostNam"}, {"name": "HostName"}]}},
            "[Invalid configuration: Predicate type not found for HostNam, odd: HostName]",
            id="an unfamiliar text beside a familiar one",
        ),
        pytest.param(
            priority(weight="1"),
            "v1.PriorityPolicy.Name: ReadString: expects a string, error found in #10 byte of ...",
            id="another field",
        ),
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
