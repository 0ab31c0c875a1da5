"""Events: their texts, counting those that repeat, telling similar ones as one."""

from collections.abc import Iterable
from threading import Thread
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import node, pod
from kubesched.errors import OptionError
from kubesched.model import ObjectReference
from kubesched.runtime import Event, InMemoryEventRecorder, RecordedEvent
from kubesched.runtime.clock import ManualClock

WEB, BATCH = pod("shop/web"), pod("shop/batch")


def failed(message: str = "no nodes available") -> Event:
    return Event.failed_scheduling(WEB, message)


def recorder_of(events: Iterable[Event], *, every: float = 1.0) -> InMemoryEventRecorder:
    """Record events, the first at time 0."""
    clock = ManualClock()
    recorder = InMemoryEventRecorder(clock)
    for event in events:
        recorder.record(event)
        clock.advance(every)
    return recorder


def told(recorder: InMemoryEventRecorder) -> list[tuple[str, int]]:
    return [(each.event.message, each.count) for each in recorder.events]


@pytest.mark.parametrize(
    ("event", "about", "said"),
    [
        pytest.param(
            Event.scheduled(WEB, "n1"),
            "web",
            ("Normal", "Scheduled", "Successfully assigned shop/web to n1"),
            id="scheduled",
        ),
        pytest.param(
            failed("0/3 nodes are available"),
            "web",
            ("Warning", "FailedScheduling", "0/3 nodes are available"),
            id="not scheduled",
        ),
        pytest.param(
            Event.preempted(BATCH, WEB, "n1"),
            "batch",
            ("Normal", "Preempted", "by shop/web on node n1"),
            id="preempted",
        ),
    ],
)
def test_the_texts_are_the_original_s(event: Event, about: str, said: tuple[str, ...]) -> None:
    assert event.object == ObjectReference(kind="Pod", namespace="shop", name=about)
    assert (event.type, event.reason, event.message) == said


def test_an_event_may_be_about_anything() -> None:
    assert Event.warning(node("n1"), "Odd", "odd").object == ObjectReference(kind="Node", name="n1")


def test_an_event_knows_which_of_several_of_one_name_it_is_about() -> None:
    new = evolve(WEB, metadata=evolve(WEB.metadata, uid="new"))
    assert Event.scheduled(new, "n1").object.uid == "new"
    assert recorder_of([Event.scheduled(new, "n1")]).about(WEB) == ()


def test_an_event_that_repeats_is_counted() -> None:
    recorder = recorder_of([failed(), failed(), failed()])
    assert recorder.events == (RecordedEvent(failed(), 3, 0.0, 2.0),)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(failed("too few cpus"), id="message"),
        pytest.param(evolve(failed(), reason="Other"), id="reason"),
        pytest.param(evolve(failed(), type="Normal"), id="type"),
        pytest.param(Event.failed_scheduling(BATCH, failed().message), id="object"),
        pytest.param(evolve(failed(), object=evolve(failed().object, uid="new")), id="uid"),
    ],
)
def test_events_that_differ_in_anything_are_counted_apart(other: Event) -> None:
    recorder = recorder_of([failed(), other, failed()])
    assert recorder.events == (
        RecordedEvent(other, 1, 1.0, 1.0),
        RecordedEvent(failed(), 2, 0.0, 2.0),
    )


def test_from_the_tenth_message_on_similar_events_are_told_as_one() -> None:
    recorder = recorder_of(failed(f"attempt {number}") for number in range(12))
    assert told(recorder) == [
        *((f"attempt {number}", 1) for number in range(9)),
        ("(combined from similar events): attempt 11", 3),
    ]
    last = recorder.events[-1]
    assert (last.first_seen, last.last_seen) == (9.0, 11.0)


def test_only_events_that_differ_in_nothing_but_the_message_are_similar() -> None:
    others = [evolve(failed(f"attempt {number}"), reason=f"R{number}") for number in range(12)]
    assert {each.count for each in recorder_of(others).events} == {1}


def test_one_message_again_and_again_is_never_combined() -> None:
    assert told(recorder_of([failed()] * 30)) == [("no nodes available", 30)]


@pytest.mark.parametrize(
    ("pause", "last"),
    [
        pytest.param(600.0, "(combined from similar events): more", id="ten minutes"),
        pytest.param(600.5, "more", id="longer"),
    ],
)
def test_after_more_than_ten_minutes_without_any_they_are_told_apart_again(
    pause: float, last: str
) -> None:
    clock = ManualClock()
    recorder = InMemoryEventRecorder(clock)
    for number in range(9):
        recorder.record(failed(f"attempt {number}"))
    clock.advance(pause)
    recorder.record(failed("more"))
    assert recorder.events[-1].event.message == last


def test_the_ten_minutes_begin_anew_with_each_similar_event() -> None:
    recorder = recorder_of((failed(f"attempt {number}") for number in range(10)), every=300)
    assert recorder.events[-1].event.message.startswith("(combined from similar events): ")


def test_what_is_about_one_object() -> None:
    recorder = recorder_of([failed(), Event.scheduled(BATCH, "n1"), Event.scheduled(WEB, "n1")])
    assert [each.event.reason for each in recorder.about(WEB)] == ["FailedScheduling", "Scheduled"]


def test_the_event_not_seen_for_longest_goes_first() -> None:
    recorder = InMemoryEventRecorder(ManualClock(), max_events=2)
    for message in ("a", "b", "a", "c"):
        recorder.record(failed(message))
    assert told(recorder) == [("a", 2), ("c", 1)]
    assert len(recorder._messages) == 1


def test_as_little_is_known_of_similar_events_as_of_events() -> None:
    recorder = InMemoryEventRecorder(ManualClock(), max_events=2)
    for number in range(5):
        recorder.record(Event.scheduled(pod(f"web-{number}"), "n1"))
    assert len(recorder._messages) == len(recorder.events) == 2


@pytest.mark.parametrize("wrong", [0, -1, True, 1.5, "many"])
def test_how_many_are_kept_is_a_number_of_one_or_more(wrong: Any) -> None:
    with pytest.raises(OptionError, match="max_events is"):
        InMemoryEventRecorder(ManualClock(), max_events=wrong)


@given(st.lists(st.integers(0, 15).map(str)))
def test_no_event_is_lost(messages: list[str]) -> None:
    recorder = recorder_of(map(failed, messages))
    assert sum(each.count for each in recorder.events) == len(messages)
    assert all(each.first_seen <= each.last_seen for each in recorder.events)
    seen = [each.last_seen for each in recorder.events]
    assert seen == sorted(seen)


def test_none_is_lost_however_many_record_at_once() -> None:
    recorder = InMemoryEventRecorder(ManualClock())
    threads = [Thread(target=lambda: [*map(recorder.record, [failed()] * 200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told(recorder) == [("no nodes available", 800)]
