"""What is wrong with a Policy: all of it at once, each with its place and its name."""

import pickle
from collections.abc import Mapping
from typing import Any

import pytest

from kubesched.config import ConfigurationError, FeatureGates, PolicyError, Profile
from kubesched.errors import KubeschedError
from kubesched.framework import WEIGHT_LIMIT, Registry

LIMIT = f"(expected above 0 and below {WEIGHT_LIMIT})"
HTTP = {"urlPrefix": "http://gpus", "filterVerb": "filter"}


def told(policy: Mapping[str, Any], gates: FeatureGates | None = None) -> list[str]:
    """Return what is wrong, less where the Policy stands."""
    with pytest.raises(PolicyError) as caught:
        Profile.from_policy(policy, gates=gates)
    return [str(error).removeprefix("Policy").lstrip(":, ") for error in caught.value.errors]


def predicate(name: str, **argument: Any) -> dict[str, Any]:
    entry = {"name": name, "argument": argument} if argument else {"name": name}
    return {"predicates": [entry]}


def priority(name: str = "Mine", weight: Any = 1, **argument: Any) -> dict[str, Any]:
    entry = {"name": name, "weight": weight, "argument": argument}
    return {"priorities": [entry if argument else {"name": name, "weight": weight}]}


def shape(*points: tuple[int, int]) -> dict[str, Any]:
    written = [{"utilization": utilization, "score": score} for utilization, score in points]
    return priority(requestedToCapacityRatioArguments={"shape": written})


SHAPE = "priority Mine: priorities[0].argument.requestedToCapacityRatioArguments.shape"
EXTENDER = "extender http://gpus: extenders[0]"

NAMES = [
    pytest.param(
        predicate("HostNam"),
        "predicate HostNam: predicates[0].name: 'HostNam' is not registered; "
        "did you mean 'HostName'?",
        id="an unknown predicate",
    ),
    pytest.param(
        priority("EqualPriorty"),
        "priority EqualPriorty: priorities[0].name: 'EqualPriorty' is not registered; "
        "did you mean 'EqualPriority'?",
        id="an unknown priority",
    ),
    pytest.param(
        predicate("PodToleratesNodeNoExecuteTaints"),
        "predicate PodToleratesNodeNoExecuteTaints: predicates[0].name: "
        "'PodToleratesNodeNoExecuteTaints' is not registered; "
        "did you mean 'PodToleratesNodeTaints'?",
        id="a predicate that is registered under no name",
    ),
    pytest.param(
        predicate("CheckNodeLabelPresence"),
        "predicate CheckNodeLabelPresence: predicates[0].name: 'CheckNodeLabelPresence' is not "
        "registered; it needs the argument labelsPresence",
        id="a predicate without its argument",
    ),
    pytest.param(
        predicate("CheckNodeMemoryPressure"),
        "predicate CheckNodeMemoryPressure: predicates[0].name: 'CheckNodeMemoryPressure' is not "
        "registered; it is where TaintNodesByCondition is off",
        id="a predicate of another gate",
    ),
    pytest.param(
        priority("ResourceLimitsPriority"),
        "priority ResourceLimitsPriority: priorities[0].name: 'ResourceLimitsPriority' is not "
        "registered; it is where ResourceLimitsPriorityFunction is on",
        id="a priority of another gate",
    ),
    pytest.param({"predicates": [{}]}, "predicate: predicates[0].name is missing", id="no name"),
    pytest.param(
        predicate("two words", labelsPresence={}),
        "predicate two words: predicates[0].name: 'two words' is no name for a rule "
        "(expected two or more letters or digits, '-' in between)",
        id="a name with a blank",
    ),
    pytest.param(
        priority("x", labelPreference={}),
        "priority x: priorities[0].name: 'x' is no name for a rule "
        "(expected two or more letters or digits, '-' in between)",
        id="a name of one letter",
    ),
]

ARGUMENTS = [
    pytest.param(
        predicate("HostName", labelsPresence={}, serviceAffinity={}),
        "predicate HostName: predicates[0].argument has 2 arguments "
        "(expected exactly one of labelsPresence, serviceAffinity)",
        id="two arguments of a predicate",
    ),
    pytest.param(
        predicate("HostName", labelsPresence=None),
        "predicate HostName: predicates[0].argument has no arguments "
        "(expected exactly one of labelsPresence, serviceAffinity)",
        id="no argument of a predicate",
    ),
    pytest.param(
        priority(labelPreference={}, serviceAntiAffinity={}),
        "priority Mine: priorities[0].argument has 2 arguments (expected exactly one of "
        "serviceAntiAffinity, labelPreference, requestedToCapacityRatioArguments)",
        id="two arguments of a priority",
    ),
    pytest.param(shape(), f"{SHAPE} is empty (expected at least one point)", id="no points"),
    pytest.param(
        shape((-1, 0), (100, 0)),
        f"{SHAPE}[0].utilization: -1 is out of range (expected 0 to 100)",
        id="a utilization below 0",
    ),
    pytest.param(
        shape((0, 11)),
        f"{SHAPE}[0].score: 11 is out of range (expected 0 to 10)",
        id="a score above 10",
    ),
    pytest.param(
        shape((50, 5), (50, 6)),
        f"{SHAPE}[1].utilization: 50 is not sorted (expected more than the 50 before it)",
        id="points that are not sorted",
    ),
]

WEIGHTS = [
    pytest.param(
        priority("EqualPriority", 0),
        f"priority EqualPriority: priorities[0].weight: 0 is out of range {LIMIT}",
        id="a weight of 0",
    ),
    pytest.param(
        priority("EqualPriority", WEIGHT_LIMIT),
        f"priority EqualPriority: priorities[0].weight: {WEIGHT_LIMIT} is out of range {LIMIT}",
        id="a weight that overflows",
    ),
    pytest.param(
        {"priorities": [{"name": "EqualPriority"}]},
        f"priority EqualPriority: priorities[0].weight is missing {LIMIT}",
        id="no weight",
    ),
    pytest.param(
        {
            "priorities": [
                {"name": "EqualPriority", "weight": WEIGHT_LIMIT // 2 + 1},
                {"name": "ImageLocalityPriority", "weight": WEIGHT_LIMIT // 2 + 1},
            ]
        },
        f"priorities have too large a sum of weights (expected at most {WEIGHT_LIMIT}): "
        "EqualPriority, ImageLocalityPriority",
        id="weights whose sum overflows",
    ),
    pytest.param(
        {"hardPodAffinitySymmetricWeight": 101},
        "hardPodAffinitySymmetricWeight: 101 is out of range (expected 1 to 100)",
        id="too high a weight of required affinity",
    ),
    pytest.param(
        {"hardPodAffinitySymmetricWeight": -1},
        "hardPodAffinitySymmetricWeight: -1 is out of range (expected 1 to 100)",
        id="a negative weight of required affinity",
    ),
]

EXTENDERS = [
    pytest.param(
        {"extenders": [{**HTTP, "prioritizeVerb": "score"}]},
        f"{EXTENDER}.weight: 0 is out of range (expected above 0 where there is a prioritizeVerb)",
        id="scores without a weight",
    ),
    pytest.param(
        {"extenders": [{**HTTP, "managedResources": [{"name": "kubernetes.io/gpu"}]}]},
        f"{EXTENDER}.managedResources[0].name: 'kubernetes.io/gpu' is not the name of an extended "
        "resource (expected one like 'example.com/gpu')",
        id="a resource that is not extended",
    ),
    pytest.param(
        {"extenders": [{**HTTP, "managedResources": [{"name": "a.b/c"}, {"name": "a.b/c"}]}]},
        f"{EXTENDER}.managedResources[1].name: 'a.b/c' is managed more than once",
        id="a resource twice",
    ),
    pytest.param(
        {"extenders": [{**HTTP, "httpTimeout": "1s"}]},
        f"{EXTENDER}.httpTimeout: '1s' is not an integer",
        id="a time limit as text",
    ),
    pytest.param(
        {"extenders": [{**HTTP, "TLSCONFIG": {"Insecure": "no"}}]},
        f"{EXTENDER}.tlsConfig.insecure: 'no' is not a boolean (expected true or false)",
        id="a field in another case",
    ),
]

TYPES = [
    pytest.param({"predicates": {}}, "predicates: a mapping is not a list", id="no list"),
    pytest.param(
        {"predicates": ["HostName"]},
        "predicate: predicates[0]: 'HostName' is not a mapping",
        id="a name for an entry",
    ),
    pytest.param(
        {"priorities": [{"name": "EqualPriority", "weight": "1"}]},
        "priority EqualPriority: priorities[0].weight: '1' is not an integer",
        id="a weight as text",
    ),
    pytest.param(
        predicate("HostName", labelsPresence={"labels": ["a", 1]}),
        "predicate HostName: predicates[0].argument.labelsPresence.labels[1]: 1 is not a string "
        "(put it in quotes)",
        id="a label as a number",
    ),
    pytest.param(
        {"alwaysCheckAllPredicates": "yes"},
        "alwaysCheckAllPredicates: 'yes' is not a boolean (expected true or false)",
        id="a choice as text",
    ),
    pytest.param({"kind": "Pod"}, "kind: 'Pod' is not 'Policy'", id="another kind"),
    pytest.param({"apiVersion": "v2"}, "apiVersion: 'v2' is not 'v1'", id="another version"),
]


@pytest.mark.parametrize(("policy", "text"), [*NAMES, *ARGUMENTS, *WEIGHTS, *EXTENDERS, *TYPES])
def test_what_is_wrong_is_told_with_its_place_and_name(
    policy: Mapping[str, Any], text: str
) -> None:
    assert told(policy) == [text]


def test_a_gate_decides_what_is_wrong() -> None:
    off = FeatureGates(taint_nodes_by_condition=False)
    Profile.from_policy(predicate("CheckNodeMemoryPressure"), gates=off)
    [text] = told(predicate("CheckNodeUnschedulable"), off)
    assert text.endswith("it is where TaintNodesByCondition is on")


def test_two_extenders_that_bind_are_both_named() -> None:
    binds = [{"urlPrefix": f"http://{name}", "bindVerb": "bind"} for name in "ab"]
    assert told({"extenders": [*binds, HTTP]}) == [
        f"extender http://{name}: extenders[{index}].bindVerb: 'bind' is one of 2 "
        "(expected at most one extender that binds)"
        for index, name in enumerate("ab")
    ]


def test_weights_of_the_same_priority_are_not_summed() -> None:
    half = WEIGHT_LIMIT // 2 + 1
    twice = [{"name": "EqualPriority", "weight": half}] * 2
    assert Profile.from_policy({"priorities": twice}).priorities[0].weight == half


def test_all_errors_are_told_together_in_the_order_of_the_fields() -> None:
    policy = {
        "hardPodAffinitySymmetricWeight": 1000,
        "extenders": [{**HTTP, "prioritizeVerb": "score", "tlsConfig": {"caFile": "/nowhere"}}],
        "priorities": [
            {"name": "Equal", "weight": 0},
            {"name": "EqualPriority", "weight": "one"},
            {"name": "Line", "weight": 1, "argument": shape()["priorities"][0]["argument"]},
        ],
        "predicates": [{"name": "HostNam"}, {"name": 7}, {"name": "HostName", "argument": {}}],
        "kind": "Pod",
    }
    with pytest.raises(PolicyError) as caught:
        Profile.from_policy(policy)
    error = caught.value
    assert [each.path for each in error.errors] == [
        "predicates[0].name",
        "predicates[1].name",
        "predicates[2].argument",
        "priorities[0].weight",
        "priorities[0].name",
        "priorities[1].weight",
        "priorities[2].argument.requestedToCapacityRatioArguments.shape",
        "extenders[0].weight",
        "extenders[0].tlsConfig",
        "kind",
        "hardPodAffinitySymmetricWeight",
    ]
    lines = str(error).splitlines()
    assert lines[0] == "11 errors:"
    assert lines[1:] == [f"  {each}" for each in error.errors]


def test_what_does_not_fit_its_field_is_told_once() -> None:
    assert told({"priorities": [{"name": "Mine", "weight": {}, "argument": 5}]}) == [
        "priority Mine: priorities[0].weight: a mapping is not an integer",
        "priority Mine: priorities[0].argument: 5 is not a mapping",
    ]


def test_it_is_one_of_our_errors_and_a_value_error() -> None:
    with pytest.raises(PolicyError) as caught:
        Profile.from_policy({"predicates": 1})
    assert isinstance(caught.value, KubeschedError | ConfigurationError)
    assert isinstance(caught.value, ValueError)
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - what was just written
    assert (str(copy), copy.errors) == (str(caught.value), caught.value.errors)


@pytest.mark.parametrize("weight", [0, -1, 101])
def test_the_weight_that_is_said_outside_is_checked(weight: int) -> None:
    text = f"hardPodAffinitySymmetricWeight: {weight} is out of range"
    with pytest.raises(PolicyError, match=text):
        Profile.from_policy({}, hard_pod_affinity_symmetric_weight=weight)
    with pytest.raises(PolicyError, match=text):
        Profile.from_provider("DefaultProvider", hard_pod_affinity_symmetric_weight=weight)


def test_lists_of_names_have_their_errors_told_together() -> None:
    with pytest.raises(PolicyError) as caught:
        Profile.from_names(["HostNam", "HostName"], {"EqualPriority": 0, "Equal": 1})
    assert [each.path for each in caught.value.errors] == [
        "predicates[0].name",
        "priorities[0].weight",
        "priorities[1].name",
    ]


def test_a_registry_that_lacks_the_default_providers_rules_is_told_of() -> None:
    with pytest.raises(PolicyError, match="'GeneralPredicates' is not registered"):
        Profile.from_policy({"priorities": []}, registry=Registry())
