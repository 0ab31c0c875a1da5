"""What a Policy means, and what lists of names mean."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.config import (
    CLUSTER_AUTOSCALER_PROVIDER,
    DEFAULT_PROVIDER,
    FeatureGates,
    PolicyError,
    Profile,
    mandatory_predicates,
    provider,
    stock_registry,
)
from kubesched.config.adjusting import ignoring_resources
from kubesched.engine import Decision, FirstByName, GenericScheduler
from kubesched.errors import SchedulingError
from kubesched.framework import FITS, Fit, Options, PredicateSpec, PrioritySpec, Reason, RuleSet
from kubesched.model import (
    Affinity,
    LabelSelector,
    Node,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    WeightedPodAffinityTerm,
)
from kubesched.plugins.resources.fit import insufficient
from kubesched.plugins.volumes import attuned
from kubesched.state import Cluster, NodeInfo
from tests.strategies import counted_nodes, pods

CONDITIONS_COUNT = FeatureGates(taint_nodes_by_condition=False)
PREFERENCE = 20
CLOSED = Reason("node(s) were in a closed rack")


def rack_is_open(_pod: Pod, _meta: None, info: NodeInfo, /) -> Fit:
    return Fit(CLOSED) if "closed" in info.labels else FITS


def always_7(_pod: Pod, _meta: None, _node: NodeInfo, /) -> int:
    return 7


def predicates(*names: str) -> list[dict[str, Any]]:
    return [{"name": name} for name in names]


def priorities(**weights: int) -> list[dict[str, Any]]:
    return [{"name": name, "weight": weight} for name, weight in weights.items()]


def names_of(rules: RuleSet) -> list[str]:
    return [spec.name for spec in rules.predicates]


def weights_of(rules: RuleSet) -> dict[str, int]:
    return {spec.name: spec.weight for spec in rules.priorities}


def outcome(rules: RuleSet, nodes: Iterable[Node], asked: Pod) -> tuple[Any, ...]:
    """Return all that comes out of an attempt, in a form that can be compared."""
    cluster = Cluster.of({each.name: each for each in nodes}.values())
    try:
        decision = GenericScheduler(cluster, rules, select=FirstByName()).schedule(asked)
    except SchedulingError as error:
        return str(error), dict(getattr(error, "refusals", {}))
    return evidence(decision)


def evidence(decision: Decision) -> tuple[Any, ...]:
    scores = {name: dict(by_node) for name, by_node in decision.scores.items()}
    return decision.node, dict(decision.refusals), scores, dict(decision.totals)


# -- nothing said, and nothing wanted --------------------------------------------------------------


@pytest.mark.parametrize("gates", [FeatureGates(), CONDITIONS_COUNT], ids=["taints", "conditions"])
@pytest.mark.parametrize(
    "policy",
    [
        pytest.param({}, id="nothing at all"),
        pytest.param({"predicates": None, "priorities": None}, id="nulls"),
        pytest.param({"kind": "Policy", "apiVersion": "v1"}, id="what it is"),
    ],
)
def test_what_a_policy_says_nothing_about_is_the_default_providers(
    policy: Mapping[str, Any], gates: FeatureGates
) -> None:
    assert names_of(Profile.from_policy(policy, gates=gates)) == names_of(Profile.default(gates))
    assert weights_of(Profile.from_policy(policy, gates=gates)) == weights_of(
        Profile.default(gates)
    )


@pytest.mark.parametrize("gates", [FeatureGates(), CONDITIONS_COUNT], ids=["taints", "conditions"])
def test_an_empty_list_leaves_what_runs_in_any_case(gates: FeatureGates) -> None:
    profile = Profile.from_policy({"predicates": [], "priorities": []}, gates=gates)
    assert set(names_of(profile)) == mandatory_predicates(gates)
    assert profile.priorities == ()


def test_each_half_is_taken_by_itself() -> None:
    half = Profile.from_policy({"predicates": predicates("HostName")})
    assert weights_of(half) == weights_of(Profile.default())
    other = Profile.from_policy({"priorities": priorities(EqualPriority=2)})
    assert names_of(other) == names_of(Profile.default())


# -- names -----------------------------------------------------------------------------------------


def test_predicates_run_in_their_order_whatever_the_policys() -> None:
    named = predicates("MatchInterPodAffinity", "PodFitsResources", "HostName")
    assert names_of(Profile.from_policy({"predicates": named})) == [
        "CheckNodeUnschedulable",
        "HostName",
        "PodFitsResources",
        "PodToleratesNodeTaints",
        "MatchInterPodAffinity",
    ]


def test_of_the_same_priority_the_last_weight_holds() -> None:
    named = [*priorities(EqualPriority=2, ImageLocalityPriority=1), *priorities(EqualPriority=5)]
    profile = Profile.from_policy({"priorities": named})
    assert weights_of(profile) == {"EqualPriority": 5, "ImageLocalityPriority": 1}


def test_the_same_predicate_may_be_named_twice() -> None:
    profile = Profile.from_policy({"predicates": predicates("HostName", "HostName")})
    assert names_of(profile).count("HostName") == 1


@pytest.mark.parametrize(
    ("entry", "runs_as"),
    [
        pytest.param({"name": "PodFitsPorts"}, "PodFitsHostPorts", id="a former name"),
        pytest.param(
            {"name": "PodFitsPorts", "argument": {"labelsPresence": {"labels": ["a"]}}},
            "CheckNodeLabelPresence",
            id="an argument under a former name",
        ),
        pytest.param(
            {"name": "KeepOff", "argument": {"labelsPresence": {"labels": ["a"]}}},
            "CheckNodeLabelPresence",
            id="labels under a name of one's own",
        ),
        pytest.param(
            {"name": "SameRack", "argument": {"serviceAffinity": {"labels": ["rack"]}}},
            "CheckServiceAffinity",
            id="service affinity under a name of one's own",
        ),
    ],
)
def test_a_name_without_a_place_in_the_order_never_runs_and_the_log_says_so(
    entry: Mapping[str, Any], runs_as: str, caplog: pytest.LogCaptureFixture
) -> None:
    profile = Profile.from_policy({"predicates": [entry]})
    assert set(names_of(profile)) == mandatory_predicates()
    [record] = caplog.records
    assert (record.name, record.levelno) == ("kubesched.config", logging.WARNING)
    assert f"predicate {entry['name']!r} is accepted and never run" in record.message
    assert repr(runs_as) in record.message


def test_a_field_that_is_unknown_is_told_of(caplog: pytest.LogCaptureFixture) -> None:
    Profile.from_policy(
        {"predicate": [], "priorities": [{**priorities(EqualPriority=1)[0], "x": 1}]}
    )
    assert [record.message for record in caplog.records] == [
        "Policy: the field priorities[0].x is unknown, and is ignored",
        "Policy: the field predicate is unknown, and is ignored",
    ]


# -- rules of one's own ----------------------------------------------------------------------------


def test_somebodys_own_rules_are_named_like_the_stock_ones(
    caplog: pytest.LogCaptureFixture,
) -> None:
    registry = stock_registry().extended(
        PredicateSpec("RackIsOpen", rack_is_open), PrioritySpec("Seven", always_7)
    )
    profile = Profile.from_policy(
        {
            "predicates": predicates("RackIsOpen", "GeneralPredicates"),
            "priorities": priorities(Seven=3),
        },
        registry=registry,
    )
    assert names_of(profile)[-1] == "RackIsOpen"
    assert not caplog.records
    decided = outcome(profile, [node("a"), node("b"), node("c", labels={"closed": ""})], pod("p"))
    assert decided == ("a", {"c": (CLOSED,)}, {"Seven": {"a": 7, "b": 7}}, {"a": 21, "b": 21})


def test_an_own_predicate_has_the_place_that_it_says_itself() -> None:
    registry = stock_registry().extended(PredicateSpec("RackIsOpen", rack_is_open, order=5))
    profile = Profile.from_policy({"predicates": predicates("RackIsOpen")}, registry=registry)
    assert names_of(profile)[0] == "RackIsOpen"


def test_an_argument_takes_an_own_predicates_place() -> None:
    registry = stock_registry().extended(PredicateSpec("RackIsOpen", rack_is_open, order=5))
    argument = {"labelsPresence": {"labels": ["rack"], "presence": True}}
    policy = {"predicates": [{"name": "RackIsOpen", "argument": argument}]}
    first = Profile.from_policy(policy, registry=registry).predicates[0]
    assert first.name == "RackIsOpen"
    assert first.order == 5
    assert first.check is not rack_is_open


def test_a_registry_without_a_mandatory_predicate_does_without_it() -> None:
    stock = stock_registry()
    small = type(stock)().extended(stock.predicate("HostName"))
    profile = Profile.from_policy({"predicates": [], "priorities": []}, registry=small)
    assert profile.predicates == ()


# -- arguments -------------------------------------------------------------------------------------


def test_labels_that_must_be_there_or_must_not() -> None:
    def policy(*, presence: bool) -> dict[str, Any]:
        argument = {"labelsPresence": {"labels": ["ssd"], "presence": presence}}
        return {"predicates": [{"name": "CheckNodeLabelPresence", "argument": argument}]}

    nodes = [node("a", labels={"ssd": ""}), node("b")]
    assert outcome(Profile.from_policy(policy(presence=True)), nodes, pod("p"))[0] == "a"
    assert outcome(Profile.from_policy(policy(presence=False)), nodes, pod("p"))[0] == "b"


@pytest.mark.parametrize(
    "name", ["HostName", "CheckNodeCondition", "PodToleratesNodeNoExecuteTaints"]
)
def test_an_argument_on_a_stock_name_replaces_the_check_and_keeps_its_place(name: str) -> None:
    argument = {"labelsPresence": {"labels": ["ssd"], "presence": True}}
    profile = Profile.from_policy({"predicates": [{"name": name, "argument": argument}]})
    replaced = next(spec for spec in profile.predicates if spec.name == name)
    assert not replaced.check(pod("p", node_name="a"), None, NodeInfo.of(node("a")))
    assert replaced.check(pod("p"), None, NodeInfo.of(node("a", labels={"ssd": ""})))
    orders = [spec.order for spec in profile.predicates]
    assert orders == sorted(set(orders))


def test_an_argument_on_a_mandatory_name_replaces_it() -> None:
    argument = {"labelsPresence": {"labels": [], "presence": True}}
    entry = {"name": "PodToleratesNodeTaints", "argument": argument}
    profile = Profile.from_policy({"predicates": [entry], "priorities": []})
    tainted = node("a", taints=["spot:NoSchedule"])
    assert outcome(profile, [tainted], pod("p"))[0] == "a"


def test_a_rule_that_was_made_is_known_to_what_follows() -> None:
    argument = {"labelsPresence": {"labels": ["a"]}}
    first = {"name": "CheckNodeLabelPresence", "argument": argument}
    preferred = {"labelPreference": {"label": "ssd", "presence": True}}
    profile = Profile.from_policy(
        {
            "predicates": [first, *predicates("CheckNodeLabelPresence")],
            "priorities": [
                {"name": "PreferSsd", "weight": 1, "argument": preferred},
                *priorities(PreferSsd=4),
            ],
        }
    )
    assert names_of(profile).count("CheckNodeLabelPresence") == 1
    assert weights_of(profile) == {"PreferSsd": 4}


@pytest.mark.parametrize(
    ("argument", "best"),
    [
        pytest.param({"labelPreference": {"label": "rack", "presence": True}}, "a", id="a label"),
        pytest.param({"labelPreference": {"label": "rack"}}, "c", id="no label"),
        pytest.param({"serviceAntiAffinity": {"label": "rack"}}, "a", id="services apart"),
        pytest.param(
            {
                "requestedToCapacityRatioArguments": {
                    "shape": [{"utilization": 0}, {"utilization": 100, "score": 10}]
                }
            },
            "b",
            id="the fullest first",
        ),
    ],
)
def test_priorities_are_made_of_arguments(argument: Mapping[str, Any], best: str) -> None:
    policy = {
        "predicates": [],
        "priorities": [{"name": "Mine", "weight": 2, "argument": argument}],
    }
    nodes = [
        node("a", labels={"rack": "r1"}),
        node("b", labels={"rack": "r2"}, cpu=1, memory="1Gi"),
        node("c"),
    ]
    small = pod("p", cpu="500m", memory="512Mi")
    assert outcome(Profile.from_policy(policy), nodes, small)[0] == best


# -- settings --------------------------------------------------------------------------------------


def test_all_predicates_are_checked_if_a_policy_says_so() -> None:
    assert Profile.from_policy({"alwaysCheckAllPredicates": True}).options == Options(
        always_check_all_predicates=True
    )


def test_the_gate_of_priorities_is_an_option() -> None:
    off = FeatureGates(pod_priority=False)
    assert not Profile.from_policy({}, gates=off).options.pod_priority
    assert not Profile.default(off).options.pod_priority


@pytest.mark.parametrize(
    ("inside", "outside", "same_as"),
    [
        pytest.param({}, 1, 1, id="nothing said"),
        pytest.param({}, 50, 50, id="said outside"),
        pytest.param({"hardPodAffinitySymmetricWeight": 7}, 50, 7, id="the policy's holds"),
        pytest.param({"hardPodAffinitySymmetricWeight": 0}, 50, 50, id="0 is as good as nothing"),
    ],
)
def test_the_weight_of_required_affinity(
    inside: Mapping[str, Any], outside: int, same_as: int
) -> None:
    profile = Profile.from_policy(inside, hard_pod_affinity_symmetric_weight=outside)
    wanted = Profile.from_provider(DEFAULT_PROVIDER, hard_pod_affinity_symmetric_weight=same_as)
    assert near_friends(profile) == near_friends(wanted)
    assert near_friends(wanted) == ("required" if same_as > PREFERENCE else "preferred")


def near_friends(rules: RuleSet) -> str:
    """Tell to which node a pod is drawn, to the one that requires it or the one that prefers it."""
    term = PodAffinityTerm(
        label_selector=LabelSelector(match_labels={"app": "web"}), topology_key="name"
    )
    required = PodAffinity(required=(term,))
    preferred = PodAffinity(
        preferred=(WeightedPodAffinityTerm(weight=PREFERENCE, pod_affinity_term=term),)
    )
    friends = {"required": required, "preferred": preferred}
    cluster = Cluster.of(
        [
            *(node(name, labels={"name": name}) for name in friends),
            *(
                pod(f"{name}-friend", node_name=name, affinity=Affinity(pod_affinity=affinity))
                for name, affinity in friends.items()
            ),
        ]
    )
    web = pod("web", labels={"app": "web"})
    scores = GenericScheduler(cluster, rules).schedule(web).scores["InterPodAffinityPriority"]
    return max(friends, key=lambda name: scores[name])


def test_somebodys_own_interpretation_of_a_stock_name_is_left_alone() -> None:
    stock = stock_registry()
    own = PrioritySpec("InterPodAffinityPriority", always_7)
    registry = type(stock)(stock.predicates, {**stock.priorities, own.name: own})
    profile = Profile.from_policy({"hardPodAffinitySymmetricWeight": 9}, registry=registry)
    assert own in profile.priorities


@pytest.mark.parametrize("name", ["PodFitsResources", "GeneralPredicates"])
def test_resources_that_an_extender_sees_to_may_be_ignored(name: str) -> None:
    gpu = "example.com/gpu"
    registry = ignoring_resources(stock_registry(), [gpu])
    profile = Profile.from_policy({"predicates": predicates(name)}, registry=registry)
    asked = pod("p", requests={gpu: 1, "cpu": 1})
    assert outcome(profile, [node("a")], asked)[0] == "a"
    assert outcome(profile, [node("a", cpu=0)], asked)[1] == {
        "a": (insufficient("cpu", 1000, 0, 0),)
    }


def test_an_extender_of_a_policy_comes_along_and_sees_to_its_resources() -> None:
    pytest.importorskip("httpx")
    gpu = "example.com/gpu"
    extenders = [
        {
            "urlPrefix": "http://127.0.0.1:9/gpus",
            "FilterVerb": "filter",
            "managedResources": [{"name": gpu, "ignoredByScheduler": True}],
        },
        {"urlPrefix": "http://127.0.0.1:9/all", "prioritizeVerb": "score", "weight": 4},
    ]
    profile = Profile.from_policy({"extenders": extenders})
    gpus, everybody = profile.extenders
    assert (gpus.name, [*gpus.managed_resources]) == ("http://127.0.0.1:9/gpus", [gpu])
    assert (everybody.weight, everybody.filter) == (4, None)
    without = evolve(profile, extenders=())
    assert outcome(without, [node("a")], pod("p", requests={gpu: 1}))[0] == "a"


def test_an_extender_that_cannot_be_made_is_told_of() -> None:
    tls = {"caFile": "/nowhere/ca.pem"}
    entry = {"urlPrefix": "https://gpus", "filterVerb": "filter", "tlsConfig": tls}
    with pytest.raises(PolicyError, match=r"gpus: extenders\[0\]\.tlsConfig cannot be used: "):
        Profile.from_policy({"extenders": [entry]})


@pytest.mark.parametrize("named", [[], ["MaxEBSVolumeCount"], None])
def test_volumes_are_balanced_by_the_policys_own_limits(named: list[str] | None) -> None:
    gates = FeatureGates(balance_attached_node_volumes=True)
    policy = {} if named is None else {"predicates": predicates(*named)}
    profile = Profile.from_policy(policy, gates=gates)
    assert profile == attuned(profile)


def test_only_the_stock_predicates_ignore_resources() -> None:
    own = PredicateSpec("PodFitsResources", rack_is_open)
    stock = stock_registry()
    registry = type(stock)({**stock.predicates, own.name: own}, stock.priorities)
    ignoring = ignoring_resources(registry, ["example.com/gpu"])
    assert ignoring.predicate("PodFitsResources") is own
    assert ignoring.predicate("GeneralPredicates") != stock.predicate("GeneralPredicates")


# -- the default provider's names ------------------------------------------------------------------


@given(st.data(), st.lists(counted_nodes(), min_size=1, max_size=4), pods())
def test_a_policy_with_the_default_providers_names_decides_as_the_default_provider(
    data: st.DataObject, nodes: list[Node], asked: Pod
) -> None:
    stock = provider(DEFAULT_PROVIDER)
    named = data.draw(st.permutations(sorted(stock.predicates)))
    weighted = data.draw(st.permutations(sorted(stock.priorities.items())))
    policy = {"predicates": predicates(*named), "priorities": priorities(**dict(weighted))}
    rules = Profile.from_policy(policy)
    assert outcome(rules, nodes, asked) == outcome(Profile.default(), nodes, asked)


# -- lists of names --------------------------------------------------------------------------------


def test_names_bring_what_runs_in_any_case() -> None:
    profile = Profile.from_names(["HostName"], ["EqualPriority", "NodePreferAvoidPodsPriority"])
    assert set(names_of(profile)) == {"HostName", *mandatory_predicates()}
    assert weights_of(profile) == {"EqualPriority": 1, "NodePreferAvoidPodsPriority": 10000}


def test_names_may_have_weights() -> None:
    assert weights_of(Profile.from_names([], {"EqualPriority": 3})) == {"EqualPriority": 3}


@pytest.mark.parametrize("name", [DEFAULT_PROVIDER, CLUSTER_AUTOSCALER_PROVIDER])
def test_a_providers_names_are_the_provider(name: str) -> None:
    named = provider(name)
    profile = Profile.from_names(named.predicates, named.priorities)
    assert names_of(profile) == names_of(Profile.from_provider(name))
    assert weights_of(profile) == weights_of(Profile.from_provider(name))


def test_a_providers_rules_come_from_the_registry_that_is_given() -> None:
    stock = stock_registry()
    own = PredicateSpec("GeneralPredicates", rack_is_open, order=30)
    registry = type(stock)({**stock.predicates, own.name: own}, stock.priorities)
    assert own in Profile.from_provider(DEFAULT_PROVIDER, registry=registry).predicates
