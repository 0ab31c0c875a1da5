"""How placements are printed: as a table for people, as JSON or YAML for programs."""

import json
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any, Final

from attrs import frozen
from rich.console import Console
from rich.table import Table
from rich.text import Text

from kubesched.manifests.yaml_writer import to_yaml
from kubesched.simulate import Placement

_WIDE_ENOUGH: Final = 10_000
_NOTHING: Final = "\N{EN DASH}"


@frozen
class Report:
    """What became of the pods, and how many objects of each unknown kind were skipped."""

    placements: Sequence[Placement]
    skipped: Mapping[str, int]

    @property
    def placed(self) -> int:
        """How many pods found a node."""
        return sum(placement.node is not None for placement in self.placements)


def as_table(report: Report) -> str:
    """Print a line for each pod: the node and its score, or why there is none."""
    rows = [_row(placement) for placement in report.placements]
    return _table(("POD", "NODE", "SCORE", "WHY"), rows) + _summary(report)


def as_wide_table(report: Report) -> str:
    """Print the same with priority, feasible nodes, tied nodes and each priority's score."""
    header = ("POD", "NODE", "SCORE", "PRIORITY", "FIT", "TIED", "SCORES", "WHY")
    rows = [
        (*_row(placement)[:3], *_evidence(placement), _why(placement))
        for placement in report.placements
    ]
    return _table(header, rows) + _summary(report)


def as_json(report: Report) -> str:
    """Print everything as one JSON object."""
    return json.dumps(_data(report), indent=2, ensure_ascii=False) + "\n"


def as_yaml(report: Report) -> str:
    """Print everything as one YAML document."""
    return to_yaml(_data(report))


FORMATS: Final[Mapping[str, Callable[[Report], str]]] = {
    "table": as_table,
    "wide": as_wide_table,
    "json": as_json,
    "yaml": as_yaml,
}
"""What `--output` can be."""


def _row(placement: Placement) -> tuple[str, ...]:
    score = "" if placement.score is None else str(placement.score)
    return placement.pod.key, placement.node or _NOTHING, score, _why(placement)


def _why(placement: Placement) -> str:
    """Return why a pod found no node, or who would have to leave for it."""
    if not placement.evicted:
        return placement.message
    leaving = f"would evict {', '.join(pod.key for pod in placement.evicted)}"
    return f"{placement.message} ({leaving})" if placement.message else leaving


def _evidence(placement: Placement) -> tuple[str, ...]:
    decision, priority = placement.decision, str(placement.pod.priority)
    if decision is None:
        return priority, "", "", ""
    scores = (f"{name}={by_node[decision.node]}" for name, by_node in decision.scores.items())
    tied = str(len(decision.top)) if decision.top else ""
    return priority, str(len(decision.feasible)), tied, " ".join(scores)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in header:
        table.add_column(title, justify="right" if title in _NUMBERS else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    text = StringIO()
    Console(file=text, width=_WIDE_ENOUGH, color_system=None).print(table)
    return "".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines())


_NUMBERS: Final = frozenset({"SCORE", "PRIORITY", "FIT", "TIED"})


def _summary(report: Report) -> str:
    lines = [f"{report.placed} of {len(report.placements)} pods placed."]
    if report.skipped:
        kinds = (f"{count} {kind}" for kind, count in sorted(report.skipped.items()))
        lines.append(f"Skipped: {', '.join(kinds)}.")
    return "".join(f"{line}\n" for line in lines)


def _data(report: Report) -> dict[str, Any]:
    return {
        "placed": report.placed,
        "total": len(report.placements),
        "skipped": dict(report.skipped),
        "placements": [_placement_data(placement) for placement in report.placements],
    }


def _placement_data(placement: Placement) -> dict[str, Any]:
    decision = placement.decision
    refusals = (
        decision.refusals if decision is not None else getattr(placement.error, "refusals", {})
    )
    return {
        "pod": placement.pod.key,
        "node": placement.node,
        "score": placement.score,
        "message": placement.message,
        "evicted": [pod.key for pod in placement.evicted],
        "feasible": [] if decision is None else list(decision.feasible),
        "refusals": {
            node: [reason.text for reason in reasons] for node, reasons in refusals.items()
        },
        "scores": {}
        if decision is None
        else {name: dict(by_node) for name, by_node in decision.scores.items()},
        "totals": {} if decision is None else dict(decision.totals),
    }
