"""An API server, a watch that is not to be relied on, and a cluster that hears of it all.

A world tells all that happens in it as lines of text.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, TypeVar

from attrs import define, evolve, field

from kubesched.model import KubeObject, Node, Pod
from kubesched.runtime import ClusterFeed, FeedProblem, ManualClock
from kubesched.state import Change, Cluster
from kubesched.testing.machines.loop.api import Api
from kubesched.testing.machines.loop.api_model import Listed, Told

T = TypeVar("T")

KINDS: Final[tuple[type[KubeObject], ...]] = (Node, Pod)
"""What the watch tells of."""

OVERTAKEN: Final = 6
"""How many pieces of news may be overtaken by one."""


@define(eq=False)
class World:
    """What goes on around schedulers, and what they know of it.

    Attributes:
        clock: the time.
        counts: how often what has happened.
        lines: the last lines that were told.
        problems: what was odd about the news, as the feed reports it.
        lists: lists of objects as they once were.
        delivered: what schedulers have heard.
        api: the API server.
        cluster: what the schedulers know.
        feed: tells the cluster what the watch says.
    """

    clock: ManualClock = field(factory=ManualClock, init=False)
    counts: Counter[str] = field(factory=Counter, init=False)
    lines: deque[str] = field(factory=lambda: deque(maxlen=300), init=False)
    problems: list[FeedProblem] = field(factory=list, init=False)
    lists: deque[Listed] = field(factory=lambda: deque(maxlen=8), init=False)
    delivered: deque[Told] = field(factory=lambda: deque(maxlen=8), init=False)
    api: Api = field(init=False)
    cluster: Cluster = field(init=False)
    feed: ClusterFeed = field(init=False)
    _digest: Any = field(factory=sha256, init=False)

    def __attrs_post_init__(self) -> None:
        self.api = Api(self.tell)
        self.know_nothing()

    def know_nothing(self) -> None:
        """Begin with a cluster that has heard of nothing."""
        self.cluster = Cluster()
        self.cluster.subscribe(self._note)
        self.feed = ClusterFeed(self.cluster, report=self.problems.append)

    def _note(self, change: Change) -> None:
        self.counts[f"pods {change.action}"] += isinstance(change.before or change.after, Pod)

    # -- what is told --------------------------------------------------------------------------

    def tell(self, line: str) -> None:
        """Note what happens, for whoever compares two runs."""
        self.lines.append(line)
        self._digest.update(line.encode() + b"\n")

    @property
    def digest(self) -> str:
        """A number for all that has been told."""
        return str(self._digest.hexdigest())

    # -- the cluster ---------------------------------------------------------------------------

    def put_pod(self, pod: Pod) -> None:
        """Create a pod, unless there is one of its name.

        What it labels `volumes` has volumes that have to be bound; what asks for `example.com/gpu`
        is bound by an extender.
        """
        if (Pod, pod.key) not in self.api.model.objects:
            self.api.put(pod)

    def change_pod(self, at: int, label: int) -> None:
        """Change the labels of a pod."""
        for pod in self._pick(self.api.pods(), at):
            labels = {**pod.labels, "label": str(label)}
            self.api.put(evolve(pod, metadata=evolve(pod.metadata, labels=labels)))

    def delete_pod(self, at: int, *, at_once: bool) -> None:
        """Delete a pod; if it takes time, this begins or ends it."""
        for pod in self._pick(self.api.pods(), at):
            if at_once or pod.is_terminating:
                self.api.remove(pod, tells_first_state=at_once)
            else:
                self.api.begin_deletion(pod.metadata)

    def end_pod(self, at: int) -> None:
        """Let a pod that is on a node end."""
        running = [pod for pod in self.api.pods() if pod.node_name]
        for pod in self._pick(running, at):
            self.api.put(evolve(pod, status=evolve(pod.status, phase="Succeeded")))

    def put_node(self, node: Node) -> None:
        """Create or change a node; its label `mood` is one of `MOODS`, or there is none."""
        self.api.put(node)

    def node_names(self) -> list[str]:
        """Return the names of the nodes that there are."""
        return [node.name for node in self.api.model.of(Node)]

    def relabel_node(self, name: str, labels: Mapping[str, str]) -> None:
        """Change the labels of a node, if it is there."""
        node = self.api.model.objects.get((Node, name))
        if node is not None:
            self.api.put(evolve(node, metadata=evolve(node.metadata, labels=labels)))

    def remove_node(self, name: str) -> None:
        """Take a node away, and the pods on it."""
        node = self.api.model.objects.get((Node, name))
        if node is not None:
            self.api.remove(node, tells_first_state=True)
            for pod in self.api.pods():
                if pod.node_name == name:
                    self.api.remove(pod, tells_first_state=True)

    # -- the watch -----------------------------------------------------------------------------

    def deliver(self, at: int) -> None:
        """Let the schedulers hear a piece of news."""
        for told in self._take_news(at):
            self.delivered.append(told)
            self._hear(told)

    def deliver_all(self, _at: int) -> None:
        """Let them hear all news."""
        self.hear_all()

    def deliver_again(self, at: int) -> None:
        """Let them hear once more what they have heard."""
        for told in self._pick(list(self.delivered), at):
            self._hear(told)

    def lose(self, at: int) -> None:
        """Let a piece of news be lost; nobody knows until the next list."""
        for _ in self._take_news(at):
            pass

    def relist(self, kind: int) -> None:
        """List all objects of a kind."""
        listed = self.api.list_all(KINDS[kind])
        self.lists.append(listed)
        self.feed.relist(listed.kind, listed.objects, resource_version=listed.version)

    def relist_late(self, at: int) -> None:
        """Let an old list arrive again."""
        for listed in self._pick(list(self.lists), at):
            self.feed.relist(listed.kind, listed.objects, resource_version=listed.version)

    def hear_all(self) -> None:
        """Let all news arrive, in order."""
        while self.api.under_way:
            self.deliver(0)

    def _hear(self, told: Told) -> None:
        hear: dict[str, Callable[[KubeObject], bool]] = {
            "ADDED": self.feed.add,
            "MODIFIED": self.feed.update,
            "DELETED": self.feed.delete,
        }
        hear[told.type](told.it)

    def _take_news(self, at: int) -> Iterator[Told]:
        news = self.api.under_way
        if news:
            yield news.pop(at % min(len(news), OVERTAKEN))

    def _pick(self, some: list[T], at: int) -> Iterator[T]:
        if some:
            yield some[at % len(some)]
