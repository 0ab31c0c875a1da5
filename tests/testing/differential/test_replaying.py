"""Recorded decisions are decided again, and what has changed is told."""

import io
import pickle
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given, settings

from kubesched.builders import node, pod
from kubesched.config import PolicyError, Profile, stock_registry
from kubesched.engine import GenericScheduler
from kubesched.errors import OptionError, UnknownNameError
from kubesched.framework import Fit, PredicateSpec, PrioritySpec, Reason, RuleSet
from kubesched.state import Cluster
from kubesched.testing import clusters
from kubesched.testing.differential import (
    Answer,
    DecisionsDifferError,
    RecordedAnswers,
    Recording,
    ReplayReport,
    ScenarioConfig,
    as_configured,
    assert_as_recorded,
    record,
    replay,
    write_recordings,
)
from tests.testing.differential.worlds import (
    BASE,
    OTHER_RACK,
    OTHER_SCORE,
    PROFILE,
    closed_racks,
    prefer_rack,
    racks,
)

few = settings(max_examples=40)
PINNED = record(PROFILE, racks())
AUTOSCALER = Profile.from_provider("ClusterAutoscalerProvider")


def told(report: ReplayReport) -> list[tuple[str, list[str]]]:
    return [(each.pod, [part.path for part in each.parts]) for each in report.differences]


def with_answers(recording: Recording, *answers: Answer) -> Recording:
    return evolve(recording, expected=evolve(recording.expected, results=answers))


# -- laws ------------------------------------------------------------------------------------------


def scoring(score: int) -> RuleSet:
    return BASE.with_priority(PrioritySpec("Same", lambda _pod, _meta, _info: score))


@few
@given(clusters(min_pending=1, max_pending=3))
def test_a_changed_score_is_found_for_every_pod_that_is_scored(cluster: Cluster) -> None:
    pinned = record(scoring(3), cluster)
    assert [each.pod for each in replay(pinned, scoring(4)).differences] == [
        answer.pod for answer in pinned.expected.results if answer.scores
    ]


def refusing(text: str) -> RuleSet:
    refused = Fit(Reason(text))
    return BASE.with_predicate(PredicateSpec("Never", lambda _pod, _meta, _info: refused))


@few
@given(clusters(min_pending=1, max_pending=3))
def test_a_changed_reason_is_found_for_every_pod_that_is_told_it(cluster: Cluster) -> None:
    pinned = record(refusing("never"), cluster)
    assert [each.pod for each in replay(pinned, refusing("not today")).differences] == [
        answer.pod for answer in pinned.expected.results
    ]


# -- what is told ----------------------------------------------------------------------------------


def test_where_nothing_has_changed_nothing_differs() -> None:
    report = replay(PINNED, PROFILE)
    assert report.agrees
    assert (report.scenarios, report.decisions, report.left_out) == (1, 3, {})
    assert report.answers > 3 * 12
    assert_as_recorded(PINNED, PROFILE)


def test_a_changed_score_is_told_with_the_total() -> None:
    report = replay(PINNED, OTHER_SCORE)
    assert not report.agrees
    parts = ["scores[PreferRack][n2]", "totals[n2]"]
    assert told(report) == [("default/web-1", parts), ("default/web-2", parts)]
    score = report.differences[0].parts[0]
    assert (score.scenario, score.expected, score.got) == ("recorded/1", 3, 4)


def test_a_changed_verdict_is_told_even_if_the_pod_goes_to_the_same_node() -> None:
    assert told(replay(PINNED, OTHER_RACK)) == [
        ("default/web-1", ["filter[n7]", "each[n7][RackIsOpen]"]),
        ("default/web-2", ["top", "filter[n7]", "each[n7][RackIsOpen]"]),
        ("default/huge", ["each[n7][RackIsOpen]"]),
    ]


def test_a_node_that_is_none_any_more_is_told_with_the_reason() -> None:
    pinned = record(BASE, racks(), [pod("picky", node_selector={"rack": "r7"})])
    difference = replay(pinned, BASE.with_predicate(closed_racks("r7"))).differences[0]
    assert [str(part) for part in difference.parts] == [
        'node: expected "n7", got nothing',
        "message: expected nothing, got "
        '"0/3 nodes are available: 1 node(s) were in a rack under maintenance, '
        "2 node(s) didn't match node selector.\"",
        'top: expected ["n7"], got []',
        "filter[n7]: expected fits, got does not fit: node(s) were in a rack under maintenance",
    ]


def test_who_would_make_room_is_told_as_far_as_it_differs() -> None:
    room = [node("n1", cpu=2), pod("low", cpu=2, node_name="n1"), pod("high", cpu=1, priority=9)]
    pinned = record(BASE, Cluster.of(room))
    answer = pinned.expected.results[0]
    assert answer.preemption is not None
    other = evolve(answer, preemption=evolve(answer.preemption, victims=["lower"]))
    (difference,) = replay(with_answers(pinned, other), BASE).differences
    assert [str(part) for part in difference.parts] == [
        'preemption: expected {"victims": ["lower"]}, got {"victims": ["low"]}'
    ]


def test_a_node_that_was_not_looked_at_before_is_told() -> None:
    first, *others = PINNED.expected.results
    assert first.filter is not None
    fewer = evolve(first, filter={"n2": first.filter["n2"], "n7": first.filter["n7"]})
    (difference,) = replay(with_answers(PINNED, fewer, *others), PROFILE).differences
    assert [str(part) for part in difference.parts] == ["filter[n1]: expected nothing, got fits"]


def test_a_pod_goes_where_the_recording_says() -> None:
    cluster = Cluster.of([node("n1", cpu=4), node("n2", cpu=4, labels={"rack": "r2"})])
    pods = [pod("first", cpu=1), pod("second", cpu=4)]
    pinned = record(BASE.with_priority(prefer_rack("r2", 9)), cluster, pods)
    assert [answer.node for answer in pinned.expected.results] == ["n2", "n1"]
    (first,) = replay(pinned, BASE.with_priority(prefer_rack("r1", 9))).differences
    assert (first.pod, str(first.parts[0])) == ("default/first", 'node: expected "n2", got "n1"')


def test_the_situation_is_the_one_in_which_the_pod_came() -> None:
    second = replay(PINNED, OTHER_SCORE).differences[1]
    assert second.pod == "default/web-2"
    placed = {each.key: each.node_name for each in second.situation.pods}
    assert placed == {"default/db": "n1", "default/web-1": "n2", "default/huge": ""}
    assert "name: web-2" in second.manifest().partition("---")[0]


def test_the_error_has_the_report_and_the_first_situation() -> None:
    with pytest.raises(DecisionsDifferError) as raised:
        assert_as_recorded(PINNED, OTHER_SCORE)
    error = raised.value
    assert str(error) == str(error.report)
    assert error.situation == error.report.differences[0].situation
    assert isinstance(error, AssertionError)
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - we have just made it
    assert (str(again), again.situation) == (str(error), error.situation)


# -- what is not compared --------------------------------------------------------------------------


def test_a_predicate_that_is_gone_is_left_out_as_long_as_nobody_was_refused_by_it() -> None:
    pinned = record(BASE.with_predicate(closed_racks("r9")), racks())
    report = replay(pinned, BASE)
    assert report.agrees
    assert report.left_out == {"a predicate that was asked by itself is not among the rules": 9}


def test_only_what_was_recorded_is_compared() -> None:
    bare = [Answer(pod=each.pod, node=each.node) for each in PINNED.expected.results]
    report = replay(with_answers(PINNED, *bare), OTHER_SCORE)
    assert (report.answers, told(report)) == (4, [("default/huge", ["preemption"])])


def test_of_who_would_make_room_no_more_is_compared_than_was_recorded() -> None:
    room = [node(f"n{number}", cpu=2) for number in (1, 2)]
    low = [pod(f"low-{number}", cpu=2, node_name=f"n{number}") for number in (1, 2)]
    pinned = record(BASE, Cluster.of([*room, *low, pod("high", cpu=2, priority=9)]))
    answer = pinned.expected.results[0]
    assert answer.preemption is not None
    assert answer.preemption.tied == ("n1", "n2")
    bare = evolve(answer, preemption=evolve(answer.preemption, candidates=None, tied=None))
    assert replay(with_answers(pinned, bare), BASE).agrees


def test_a_configuration_that_was_refused_is_left_out() -> None:
    refused = evolve(PINNED, expected=RecordedAnswers(error="no such predicate", fatal=True))
    report = replay(refused, PROFILE)
    assert report.left_out == {"the configuration was refused": 1}
    assert str(report).startswith("nothing was compared")


@pytest.mark.parametrize("source", [[], io.StringIO("\n\n")], ids=["nothing", "blank lines"])
def test_that_nothing_was_recorded_is_no_success(source: object) -> None:
    with pytest.raises(DecisionsDifferError, match="nothing was compared") as raised:
        assert_as_recorded(source, PROFILE)  # type: ignore[arg-type] # mypy knows too little here
    assert raised.value.situation is None


# -- who decides -----------------------------------------------------------------------------------


def test_the_recording_itself_says_who_decides() -> None:
    config = ScenarioConfig(provider="ClusterAutoscalerProvider")
    assert replay(record(AUTOSCALER, racks(), config=config)).agrees
    assert not replay(record(AUTOSCALER, racks(), config=ScenarioConfig())).agrees


def test_its_names_may_be_looked_up_in_a_registry_of_ones_own() -> None:
    registry = stock_registry().extended(closed_racks("r7"), prefer_rack("r2"))
    assert replay(PINNED, partial(as_configured, registry=registry)).agrees


def test_names_that_nobody_knows_are_an_error_with_the_scenario() -> None:
    with pytest.raises(PolicyError, match="'RackIsOpen' is not registered") as raised:
        replay(PINNED)
    assert raised.value.__notes__ == [
        "It is the config of the scenario recorded/1; tell who is to decide instead."
    ]


@pytest.mark.parametrize(
    ("config", "error", "said"),
    [
        pytest.param(
            ScenarioConfig(provider="Nobody"), UnknownNameError, "'Nobody'", id="a provider"
        ),
        pytest.param(
            ScenarioConfig(feature_gates={"Nothing": True}),
            UnknownNameError,
            "feature gate 'Nothing'",
            id="a gate",
        ),
        pytest.param(
            ScenarioConfig(profile={"plugins": {}}), OptionError, "later kube-scheduler", id="later"
        ),
    ],
)
def test_a_config_that_cannot_be_used_is_an_error(
    config: ScenarioConfig, error: type[Exception], said: str
) -> None:
    recording = evolve(PINNED, scenario=evolve(PINNED.scenario, config=config))
    with pytest.raises(error, match=said):
        replay(recording)


def test_what_cannot_decide_is_an_error() -> None:
    with pytest.raises(OptionError, match="'me' decides nothing"):
        replay(PINNED, "me")  # type: ignore[arg-type]


def test_a_scheduler_is_left_as_it_is() -> None:
    elsewhere = Cluster()
    scheduler = GenericScheduler(elsewhere, PROFILE)
    pinned = record(scheduler, racks())
    assert replay([pinned, pinned], scheduler).agrees
    assert scheduler.select.index == 0  # type: ignore[attr-defined]
    assert scheduler.cluster is elsewhere


# -- from where ------------------------------------------------------------------------------------


def test_a_folder_is_replayed_file_by_file(tmp_path: Path) -> None:
    write_recordings([PINNED, PINNED], tmp_path / "b.jsonl")
    write_recordings(PINNED, tmp_path / "a.jsonl.gz")
    (tmp_path / "README.md").write_text("not this one")
    report = replay(tmp_path, PROFILE)
    assert (report.agrees, report.scenarios, report.decisions) == (True, 3, 9)


def test_a_recorded_real_scheduler_is_replayed_by_its_own_configuration() -> None:
    legacy = Path(__file__).parents[2] / "conformance/data/legacy"
    report = replay(legacy / "preemption-choice.jsonl.gz")
    assert report.agrees
    assert report.decisions > 10


def test_a_recorded_real_scheduler_is_compared_with_rules_of_ones_own() -> None:
    legacy = Path(__file__).parents[2] / "conformance/data/legacy"
    packing = Profile.from_names(["GeneralPredicates"], ["MostRequestedPriority"])
    report = replay(legacy / "least-requested.jsonl.gz", packing)
    assert not report.agrees
    assert "scores[LeastRequestedPriority]" in str(report)
