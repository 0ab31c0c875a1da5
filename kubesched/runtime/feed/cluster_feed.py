"""Keeping a cluster up to date by what a watch says, however it says it."""

from collections.abc import Callable, Collection, Iterable, Iterator
from logging import getLogger
from threading import RLock
from typing import Final, TypeAlias

from attrs import define, field, frozen

from kubesched.errors import ClusterError, KubeschedError
from kubesched.model import KubeObject, Node, ObjectMeta, Pod
from kubesched.runtime.feed.ledger import Ledger
from kubesched.state import FACET_OF_KIND, Cluster

_LOGGER: Final = getLogger("kubesched.runtime")

MOST_GONE: Final = 10_000
"""How many objects that are gone a feed remembers, so that late news do not bring them back."""


@frozen
class FeedProblem:
    """Something that was odd about what a feed was told.

    Attributes:
        kind: the object's kind.
        key: its key; empty if it has no name.
        why: what was wrong, and what was done about it.
    """

    kind: str
    key: str
    why: str

    def __str__(self) -> str:
        """Name the object and say what was wrong."""
        return f"{self.kind} {self.key}".rstrip() + f": {self.why}"


Report: TypeAlias = Callable[[FeedProblem], None]
"""What is to be done about something odd."""


def log_problem(problem: FeedProblem, /) -> None:
    """Log a warning."""
    _LOGGER.warning("%s", problem)


@define(eq=False)
class ClusterFeed:
    """Takes what a watch says into a cluster, and gets over repeats, disorder and gaps.

    - An older resource version never replaces a newer one. Versions are compared as numbers; what
      has none is taken as news.
    - To add what is there is to update it, to update what is not there is to add it, and to delete
      what is not there is nothing.
    - A deletion counts whatever state it tells; what comes late about a deleted object does not
      bring it back.
    - An object whose uid has changed is another one: the one before is removed first.
    - `relist` makes up for whatever was missed.

    What the cluster does not allow is put right, and what makes no sense is left out; both are
    reported, and neither raises. Assumed pods stay assumed until they are seen bound or deleted.

    Any method may be called from any thread. Each costs O(1) beside what the cluster does.

    Differs: where the original's cache finds itself contradicted it ends the process; a feed
    corrects the cluster.

    Source: kubernetes v1.12.2, pkg/scheduler/factory/factory.go (the event handlers), and
    client-go, tools/cache/delta_fifo.go and reflector.go.

    >>> from kubesched.builders import pod
    >>> cluster = Cluster()
    >>> feed = ClusterFeed(cluster)
    >>> feed.update(pod("web-1")), feed.add(pod("web-1", node_name="worker-1"))
    (True, True)
    >>> cluster.pods["default/web-1"].node_name
    'worker-1'
    >>> feed.delete(pod("web-1")), feed.delete(pod("web-1"))
    (True, False)

    Attributes:
        cluster: the cluster.
        report: what is done about something odd; it is logged if nothing else is said.
    """

    cluster: Cluster
    report: Report = field(default=log_problem, kw_only=True)
    _ledger: Ledger = field(factory=lambda: Ledger(MOST_GONE), init=False)
    _lock: RLock = field(factory=RLock, init=False)

    def __attrs_post_init__(self) -> None:
        for kind in (Node, Pod, *FACET_OF_KIND):
            self._note_what_is_there(kind)

    def add(self, seen: KubeObject) -> bool:
        """Take in that an object is there, and as it is; return whether that was news."""
        return self.update(seen)

    def update(self, seen: KubeObject) -> bool:
        """Take in what has become of an object; return whether that was news."""
        with self._lock:
            return self._is_usable(seen) and self._take_in(seen)

    def delete(self, gone: KubeObject) -> bool:
        """Take in that an object is gone; return whether that was news.

        Of the object only the kind, the name, the uid and the resource version matter.
        """
        with self._lock:
            return self._is_usable(gone) and self._take_out(gone)

    def relist(
        self,
        kind: type[KubeObject],
        objects: Iterable[KubeObject],
        *,
        resource_version: str = "",
        spared: Collection[str] = (),
    ) -> None:
        """Take in all objects of a kind that there are, and remove the others of that kind.

        What was seen after the list was made stays as it is. O(objects of the kind).

        Args:
            kind: what kind it is.
            objects: every object of that kind.
            resource_version: when the list was made; not known, it is taken to be new.
            spared: the keys of objects that are there, too, but could not be read.
        """
        with self._lock:
            if not self._keeps(kind):
                return
            listed = [each for each in objects if self._is_of(kind, each)]
            for each in listed:
                self._take_in(each)
            there = {*spared, *(each.key for each in listed)}
            self._note_what_is_there(kind)
            for key in self._ledger.keys(kind):
                if key not in there and not self._ledger.is_after(kind, key, resource_version):
                    self._take_out(_named(kind, key))
            self._ledger.note_list(kind, resource_version, there)

    # -- what can be used ----------------------------------------------------------------------

    def _is_usable(self, seen: KubeObject) -> bool:
        return self._keeps(type(seen)) and self._is_of(type(seen), seen)

    def _keeps(self, kind: type[KubeObject]) -> bool:
        is_kept = kind in {Node, Pod} or kind in FACET_OF_KIND
        if not is_kept:
            self.report(FeedProblem(kind.kind, "", "a cluster keeps no objects of this kind"))
        return is_kept

    def _is_of(self, kind: type[KubeObject], seen: KubeObject) -> bool:
        if type(seen) is not kind:
            self.report(FeedProblem(seen.kind, seen.key, f"is no {kind.kind}; it is left out"))
        elif not seen.name:
            self.report(FeedProblem(seen.kind, "", "has no name; it is left out"))
        return type(seen) is kind and bool(seen.name)

    # -- in and out ----------------------------------------------------------------------------

    def _take_in(self, seen: KubeObject) -> bool:
        if not self._ledger.is_news(seen):
            return False
        if self._ledger.knows_another(seen):
            self._remove(seen)
        if not self._put(seen):
            return False
        self._ledger.note(seen)
        return True

    def _take_out(self, gone: KubeObject) -> bool:
        if not self._ledger.is_news_that_gone(gone):
            return False
        was_there = self._remove(gone)
        self._ledger.strike_out(gone)
        return was_there

    def _put(self, seen: KubeObject) -> bool:
        """Have the cluster hold an object as it was seen, and tell whether it does."""
        steps = [self.cluster.add, self.cluster.update, self._replace]
        if self._ledger.knows(seen):
            steps = [self.cluster.update, self.cluster.add, self._replace]
        why = ""
        for step in steps:
            try:
                step(seen)
            except KubeschedError as error:
                why = why or str(error)
            else:
                if step == self._replace:
                    self.report(FeedProblem(seen.kind, seen.key, f"{why}; it was added anew"))
                return True
        self.report(FeedProblem(seen.kind, seen.key, f"{why}; it was left out"))
        return False

    def _replace(self, seen: KubeObject) -> None:
        self._remove(seen)
        self.cluster.add(seen)

    def _remove(self, gone: KubeObject) -> bool:
        """Take an object out of the cluster, and tell whether it was there."""
        if isinstance(gone, Pod):
            return self.cluster.delete_pod(gone)
        try:
            self.cluster.remove(gone)
        except ClusterError:
            return False
        return True

    def _note_what_is_there(self, kind: type[KubeObject]) -> None:
        """Note what others have put into the cluster."""
        for each in _held(self.cluster, kind):
            if not self._ledger.knows(each):
                self._ledger.note(each)


def _held(cluster: Cluster, kind: type[KubeObject]) -> Iterator[KubeObject]:
    if kind is Pod:
        yield from cluster.pods.values()
    elif kind is Node:
        yield from cluster.nodes.values()
    else:
        yield from cluster.of_kind(kind).values()


def _named(kind: type[KubeObject], key: str) -> KubeObject:
    """Return an object with nothing but a name."""
    namespace, _, name = key.rpartition("/")
    return kind(metadata=ObjectMeta(namespace=namespace, name=name))
