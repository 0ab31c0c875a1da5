"""Recordings of single functions: the order of nodes, sampling, the choice among tied nodes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import define, field

from kubesched.engine import RoundRobin, num_feasible_nodes_to_find, select_host
from kubesched.errors import ClusterError
from kubesched.state import NodeCursor, NodeTree
from kubesched.testing.differential import Comparison
from tests.conformance.recordings import Recording

LARGEST_INT32: Final = 2**31 - 1
WRAPS: Final = "numbers of nodes beyond 2^31 do not wrap"
AN_ERROR: Final = "an error"


def replay_node_tree(recording: Recording) -> Iterator[Comparison]:
    """Compare the names that come, and how many nodes there are after each operation."""
    walk = Walk()
    operations = zip(recording.data["ops"], recording.data["results"], strict=True)
    for number, (operation, result) in enumerate(operations, 1):
        yield Comparison(
            scenario=recording.name,
            part=operation["op"],
            where=f"operation {number}",
            expected=result,
            got=walk.after(operation),
        )


@define(eq=False)
class Walk:
    """A tree of nodes and a place in it, the tree empty at first."""

    tree: NodeTree = field(factory=NodeTree)
    cursor: NodeCursor = field(factory=NodeCursor)

    def after(self, operation: Mapping[str, Any]) -> Mapping[str, Any]:
        """Carry out an operation and return what it gives."""
        answer: dict[str, Any] = {}
        try:
            match operation:
                case {"op": "add", "name": name, "labels": labels}:
                    self.tree.add(name, labels)
                case {"op": "remove", "name": name, "labels": labels}:
                    self.tree.remove(name, labels)
                case {"op": "update", "name": name, "old": old, "labels": new}:
                    self.tree.update(name, old, new)
                case {"op": "next", "times": times}:
                    answer["names"] = self.cursor.take(self.tree.order(), times)
        except ClusterError as error:
            answer["error"] = str(error).removeprefix(f"{error.key}: ")
        return {**answer, "numNodes": len(self.tree)}


def replay_feasible_nodes(recording: Recording) -> Iterator[Comparison]:
    """Compare how many feasible nodes end the search."""
    data = recording.data
    nodes, percentage = data["numAllNodes"], data["percentageOfNodesToScore"]
    overflows = nodes * percentage > LARGEST_INT32 and percentage < 100
    yield Comparison(
        scenario=recording.name,
        part="number of nodes",
        expected=data["numFeasibleNodesToFind"],
        got=num_feasible_nodes_to_find(nodes, percentage),
        left_out=WRAPS if overflows else "",
    )


def replay_select_host(recording: Recording) -> Iterator[Comparison]:
    """Compare the choices from one list of scores after the other."""
    choose = RoundRobin(recording.data["startIndex"])
    answers = zip(recording.data["calls"], recording.data["chosen"], strict=True)
    for number, (scores, chosen) in enumerate(answers, 1):
        yield Comparison(
            scenario=recording.name,
            part="choice",
            where=f"call {number}",
            expected=chosen if isinstance(chosen, str) else AN_ERROR,
            got=_choice(scores, choose),
        )


def _choice(scores: Sequence[tuple[str, int]], choose: RoundRobin) -> str:
    """Return the host that is chosen; that there is none is an error, in whatever words."""
    names, totals = [name for name, _ in scores], [score for _, score in scores]
    try:
        return select_host(names, totals, choose)
    except ValueError:
        return AN_ERROR
