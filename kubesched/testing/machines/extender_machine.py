"""An extender that is asked about all kinds of pods and nodes, in a cluster that goes on living."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import ClassVar, Final, TypeAlias

from attrs import evolve, frozen
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from kubesched.errors import ExtenderError
from kubesched.framework import Extender, ExtenderFilterResult, Victims
from kubesched.model import Container, FrozenMap, Node, Pod
from kubesched.quantity import Quantity
from kubesched.state import Cluster, NodeInfo
from kubesched.testing.laws.crowding import more_like
from kubesched.testing.laws.easing import asking_for
from kubesched.testing.laws.picture import difference, picture
from kubesched.testing.machines.drawing import DrawsFromMethods, from_method
from kubesched.testing.machines.extender_answers import (
    KNOWN,
    SHAPE,
    VERDICTS,
    Complaint,
    wrong_with_filter,
    wrong_with_scores,
    wrong_with_victims,
)
from kubesched.testing.machines.promises import Promise, PromiseMachine
from kubesched.testing.strategies import ClusterChange, cluster_changes, nodes, pods
from kubesched.testing.words import WORDS, Words

ANSWERS: Final = Promise("answers", "It answers every question, or raises an ExtenderError.")
AGAIN: Final = Promise(
    "again", "Asked the same again it says the same, whatever the order of the nodes."
)
PURITY: Final = Promise("purity", "It changes nothing that it is given.")

FAILED: Final = "an ExtenderError"
"""What stands for an answer where there is none."""

Wrong: TypeAlias = Callable[[object, Sequence[NodeInfo]], Iterable[Complaint]]
"""Tells what is wrong with an answer about nodes."""

_pods: Final = from_method("pods")
_left_out: Final = st.sets(st.integers(0, 2), max_size=2)


class ExtenderMachine(DrawsFromMethods, PromiseMachine):
    """Ask an extender about pods while nodes and other pods come, change and go.

    Override `make_extender`, and add rules for what your extender depends on beside.

    >>> from kubesched.framework import Extender, ExtenderFilterResult
    >>> class MyExtenderMachine(ExtenderMachine):
    ...     def make_extender(self, cluster):
    ...         keep_all = lambda pod, nodes: ExtenderFilterResult(node.name for node in nodes)
    ...         return Extender("all", filter=keep_all)
    >>> TestMyExtender = MyExtenderMachine.TestCase

    What an extender binds is not looked at here: `check_extender` does so, too.

    Attributes:
        words: what everything is drawn from, beside what the extender itself speaks of.
        cluster: the cluster.
        extender: the extender.
    """

    promises: ClassVar[tuple[Promise, ...]] = (SHAPE, KNOWN, VERDICTS, ANSWERS, AGAIN, PURITY)
    draws: ClassVar[tuple[str, ...]] = ("nodes", "pods", "changes")
    words: Words = WORDS

    def __init__(self) -> None:
        """Make the extender."""
        super().__init__()
        self.cluster = Cluster()
        self.extender = self.make_extender(self.cluster)
        self.whose = f"extender {self.extender.name!r}"
        self.words = self.words.with_those_of(self.extender)
        self.get_ready_to_draw()

    # -- what to override ----------------------------------------------------------------------

    def make_extender(self, cluster: Cluster) -> Extender:
        """Return a new extender; the cluster is the one that it is asked about."""
        raise NotImplementedError("override make_extender, and return an Extender")

    def nodes(self) -> st.SearchStrategy[Node]:
        """Return what to draw nodes from."""
        return nodes(words=self.words)

    def pods(self) -> st.SearchStrategy[Pod]:
        """Return what to draw the pods from that it is asked about."""
        return pods(words=self.words)

    def changes(self) -> st.SearchStrategy[ClusterChange]:
        """Return what to draw from that may happen to the cluster."""
        return cluster_changes(words=self.words)

    # -- the cluster ---------------------------------------------------------------------------

    @initialize(nodes=st.lists(from_method("nodes"), max_size=3))
    def begin(self, nodes: Sequence[Node]) -> None:
        """Begin with a few nodes."""
        for node in nodes:
            self.put_node(node)

    @rule(node=from_method("nodes"))
    def put_node(self, node: Node) -> None:
        """A node comes or changes."""
        is_there = node.name in self.cluster.nodes
        (self.cluster.update_node if is_there else self.cluster.add_node)(node)

    @rule(change=from_method("changes"))
    def change_cluster(self, change: ClusterChange) -> None:
        """Anything happens to the cluster."""
        change.apply(self.cluster)

    @rule(pod=_pods, at=st.integers(0, 2))
    def place_pod(self, pod: Pod, at: int) -> None:
        """A pod is on a node, unless there is one of its name."""
        names = [*self.cluster.nodes]
        if names and self.cluster.latest(pod.metadata) is None:
            self.cluster.add_pod(pod.bound_to(names[at % len(names)]))

    @rule(which=st.integers(0, 3), at=st.integers(0, 2))
    def place_another(self, which: int, at: int) -> None:
        """One more pod like one that is there is on a node, perhaps another one."""
        names, there = [*self.cluster.nodes], [*self.cluster.pods.values()]
        if names and there:
            like = more_like(there[which % len(there)])
            pod = next(it for it in like if self.cluster.latest(it.metadata) is None)
            self.cluster.add_pod(pod.bound_to(names[at % len(names)]))

    # -- questions -----------------------------------------------------------------------------

    @precondition(lambda self: self.extender.filter)
    @rule(pod=_pods, left_out=_left_out)
    def filter(self, pod: Pod, left_out: set[int]) -> None:
        """Ask which nodes it keeps for a pod; some have been left out by others."""
        keep, asked, given = self.extender.filter, self._interesting(pod), self._nodes(left_out)
        if keep is not None and given:
            question = Question("filter", asked, lambda nodes: keep(asked, tuple(nodes)))
            self._ask(question, given, wrong_with_filter)

    @precondition(lambda self: self.extender.prioritize)
    @rule(pod=_pods, left_out=_left_out)
    def prioritize(self, pod: Pod, left_out: set[int]) -> None:
        """Ask how it scores nodes for a pod."""
        score, asked, given = (
            self.extender.prioritize,
            self._interesting(pod),
            self._nodes(left_out),
        )
        if score is not None and given:
            question = Question("prioritize", asked, lambda nodes: score(asked, tuple(nodes)))
            self._ask(question, given, wrong_with_scores)

    @precondition(lambda self: self.extender.preempt)
    @rule(pod=_pods, left_out=_left_out)
    def preempt(self, pod: Pod, left_out: set[int]) -> None:
        """Ask who is to be evicted for a pod, where all pods of some nodes might be."""
        choose = self.extender.preempt
        given = [info for info in self._nodes(left_out) if info.pods]
        asked = _more_important(self._interesting(pod), given)
        if choose is not None and given:
            known = self.cluster.snapshot().node_infos

            def ask(nodes: Sequence[NodeInfo]) -> object:
                victims = {info.name: Victims(info.pods.values()) for info in nodes}
                return choose(asked, FrozenMap(victims), known)

            question = Question("preempt", asked, ask)
            self._ask(question, given, lambda answer, _: wrong_with_victims(answer, known))

    def _nodes(self, left_out: Collection[int] = ()) -> list[NodeInfo]:
        """Return the nodes that an extender is asked about; about none it never is."""
        snapshot = self.cluster.snapshot()
        infos = snapshot.node_infos.select(snapshot.order.round)
        return [info for at, info in enumerate(infos) if at not in left_out]

    def _interesting(self, pod: Pod) -> Pod:
        """Return a pod such as the extender is asked about."""
        if self.extender.is_interested_in(pod):
            return pod
        wanted = min(self.extender.managed_resources)
        first, *others = pod.spec.containers or (Container(name="main"),)
        first = asking_for(first, {**first.resources.requests, wanted: Quantity(1)})
        return evolve(pod, spec=evolve(pod.spec, containers=(first, *others)))

    def _ask(self, question: "Question", nodes: Sequence[NodeInfo], wrong: Wrong) -> None:
        """Ask and look at the answer, ask again, and ask about the nodes in another order."""
        watched = self._nodes()
        before = {info.name: picture(info) for info in watched}
        first = self._answer(question, nodes)
        if first is not FAILED:
            for promise, seen in wrong(first, nodes):
                self.complain(promise, f"for pod {question.pod.key} {seen}")
        for again in (nodes, nodes[::-1]):
            self._compare_answers(
                question, first, self._answer(question, again), in_order=again is nodes
            )
        for info in watched:
            changed = difference(before[info.name], picture(info), f"node {info.name}")
            if changed:
                self.complain(PURITY, f"{question}: {changed}")

    def _answer(self, question: "Question", nodes: Sequence[NodeInfo]) -> object:
        try:
            return question.ask(nodes)
        except ExtenderError:
            return FAILED
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            names = ", ".join(info.name for info in nodes)
            self.complain(ANSWERS, f"{question} about {names} raised {error!r}")
            return FAILED

    def _compare_answers(
        self, question: "Question", first: object, second: object, *, in_order: bool
    ) -> None:
        if _regardless_of_order(first) != _regardless_of_order(second):
            how = "again" if in_order else "about the nodes in another order"
            self.complain(AGAIN, f"{question} gave {first!r}, and asked {how} {second!r}")


@frozen
class Question:
    """What an extender is asked about a pod.

    Attributes:
        verb: what it is to do.
        pod: the pod.
        ask: asks it about nodes.
    """

    verb: str
    pod: Pod
    ask: Callable[[Sequence[NodeInfo]], object]

    def __str__(self) -> str:
        """Tell the verb and the pod."""
        return f"{self.verb} for pod {self.pod.key}"


def _more_important(pod: Pod, nodes: Iterable[NodeInfo]) -> Pod:
    """Return a pod for which all pods of the nodes may have to leave."""
    least = max((placed.priority + 1 for info in nodes for placed in info.pods.values()), default=0)
    if pod.priority >= least:
        return pod
    return evolve(pod, spec=evolve(pod.spec, priority=least))


def _regardless_of_order(answer: object) -> object:
    if isinstance(answer, ExtenderFilterResult):
        return sorted(map(str, answer.kept)), dict(answer.failed)
    return dict(answer) if isinstance(answer, Mapping) else answer
