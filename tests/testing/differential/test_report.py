"""A report tells what differs, and no more than can be read."""

import pytest

from kubesched.builders import node, pod
from kubesched.testing.differential import Comparison, Difference, ReplayReport, Verdict
from kubesched.testing.situation import Situation


def comparison(number: int = 1) -> Comparison:
    return Comparison(scenario="racks/1", part="totals", where=f"n{number}", expected=1, got=2)


def difference(*, parts: int = 1, objects: int = 1) -> Difference:
    nodes = [node(f"n{number}") for number in range(objects)]
    return Difference(
        scenario="racks/1",
        situation=Situation(pod("web"), nodes),
        parts=map(comparison, range(parts)),
    )


def report(*differences: Difference) -> str:
    return str(ReplayReport(scenarios=1, decisions=9, answers=99, differences=differences))


def test_what_agrees_is_one_line() -> None:
    assert report() == "9 of 9 decisions agree"


def test_what_was_left_out_is_counted() -> None:
    assert str(ReplayReport(left_out={"it was refused": 2})) == (
        "nothing was compared\nleft out: 2 times, it was refused"
    )


def test_a_difference_is_told_with_the_scenario_the_pod_and_both_answers() -> None:
    text, _, manifest = report(difference()).partition("\n\nThe situation of the first one:\n\n")
    assert text == (
        "8 of 9 decisions agree\n"
        "\n"
        "racks/1, pod default/web\n"
        "  totals[n0]\n"
        "    expected 1\n"
        "    got      2"
    )
    assert manifest.startswith("# The pod that is asked about:\n")


def test_only_so_many_decisions_and_parts_are_shown() -> None:
    text = report(*[difference(parts=13)] * 7)
    assert text.count("racks/1, pod") == 5
    assert text.count("    expected") == 50
    assert text.count("  and 3 more answers") == 5
    assert "\nand 2 more decisions\n" in text


def test_a_large_manifest_is_not_shown() -> None:
    assert report(difference(objects=50)).count("kind: Node") == 50
    text = report(difference(objects=51))
    assert "kind: Node" not in text
    assert text.endswith("The manifest of the first one has 51 objects; its manifest() writes it.")


@pytest.mark.parametrize(
    ("part", "expected", "got", "told"),
    [
        pytest.param("node", "n1", None, 'node: expected "n1", got nothing', id="a name"),
        pytest.param(
            "filter",
            Verdict(fits=True),
            Verdict(fits=False, error="boom"),
            "filter[n1][Rule]: expected fits, got error: boom",
            id="verdicts",
        ),
        pytest.param(
            "victims",
            {"a": 1, "b": 2},
            {"a": 1, "c": 3},
            'victims: expected {"b": 2, "c": null}, got {"b": null, "c": 3}',
            id="of mappings what differs",
        ),
    ],
)
def test_two_answers_are_put_into_words(
    part: str, expected: object, got: object, told: str
) -> None:
    about = {"where": "Rule", "rule": "n1"} if part == "filter" else {}
    assert str(Comparison(scenario="a", part=part, expected=expected, got=got, **about)) == told


@pytest.mark.parametrize(
    ("left_out", "got", "agrees"),
    [
        pytest.param("", 1, True, id="the same"),
        pytest.param("", 2, False, id="another one"),
        pytest.param("nobody knows", 1, False, id="left out"),
    ],
)
def test_what_is_left_out_does_not_agree(left_out: str, got: int, *, agrees: bool) -> None:
    compared = Comparison(scenario="a", part="top", expected=1, got=got, left_out=left_out)
    assert compared.agrees is agrees
    assert compared.is_compared is not bool(left_out)
