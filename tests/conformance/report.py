"""What a replay found, in words."""

from collections.abc import Iterator

from kubesched.testing.differential import Comparison
from tests.conformance.tally import Count, Tally


def report(tally: Tally, show: int) -> Iterator[str]:
    """Say line by line what agrees, what was left out and what differs.

    Args:
        tally: what was found.
        show: how many of the differences to show.
    """
    yield from _families(tally)
    yield from _table("predicate", _of_rules(tally, "each"))
    yield from _table("priority", _of_rules(tally, "scores"))
    yield from _table("answer", _other_answers(tally))
    yield from _left_out(tally)
    yield from _differences(tally, show)
    yield f"{tally.scenarios} scenarios agree, {tally.parts} parts agree"


def _families(tally: Tally) -> Iterator[str]:
    yield _row("family", "scenarios", "parts", "left out")
    for name, family in sorted(tally.families.items()):
        yield _row(name, family.scenarios, family.parts, f"{family.left_out} parts")
    yield ""


def _row(name: str, *columns: object) -> str:
    return name.ljust(36) + "".join(str(column).rjust(18) for column in columns)


def _of_rules(tally: Tally, what: str) -> dict[str, Count]:
    """Pick the counts of rules that were run by themselves."""
    return {rule: count for (each, rule), count in tally.answers.items() if each == what}


def _other_answers(tally: Tally) -> dict[str, Count]:
    return {what: count for (what, rule), count in tally.answers.items() if not rule}


def _table(title: str, counts: dict[str, Count]) -> Iterator[str]:
    if not counts:
        return
    yield _row(title, "parts")
    for name, count in sorted(counts.items()):
        yield _row(name, count)
    yield ""


def _left_out(tally: Tally) -> Iterator[str]:
    for why, count in sorted(tally.left_out.items()):
        yield f"left out: {count} parts, {why}"
    if tally.left_out:
        yield ""


def _differences(tally: Tally, show: int) -> Iterator[str]:
    shown = tally.differences[:show]
    for part in shown:
        yield _title(part)
        expected, got = part.told()
        yield f"    expected {expected}"
        yield f"    got      {got}"
    if len(tally.differences) > len(shown):
        yield f"{len(tally.differences) - len(shown)} more differences"
    if tally.differences:
        yield ""


def _title(part: Comparison) -> str:
    """Name a part as one would find it in the recording."""
    pod = [f"pod {part.pod}"] if part.pod else []
    return ", ".join([part.scenario, *pod, part.path])
