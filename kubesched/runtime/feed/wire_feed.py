"""Feeding a cluster with an API server's lists and watches, as plain data."""

from collections.abc import Mapping
from typing import Any

from attrs import define

from kubesched.manifests import ManifestError, read_wire
from kubesched.model import KubeObject, ObjectMeta
from kubesched.runtime.feed.cluster_feed import ClusterFeed, FeedProblem


@define(eq=False)
class WireFeed:
    """Reads what an API server sends, in its own form, and takes it into a cluster.

    What cannot be read is reported, and the cluster keeps what it had; it can still be deleted.

    >>> from kubesched.model import Node
    >>> from kubesched.state import Cluster
    >>> cluster = Cluster()
    >>> wire = WireFeed(ClusterFeed(cluster))
    >>> worker = {"metadata": {"name": "worker-1", "resourceVersion": "7"}}
    >>> wire.relist(Node, {"metadata": {"resourceVersion": "9"}, "items": [worker]})
    '9'
    >>> gone = {"metadata": {"name": "worker-1", "resourceVersion": "12"}}
    >>> wire.event(Node, {"type": "DELETED", "object": gone})
    '12'
    >>> list(cluster.nodes)
    []

    Attributes:
        feed: takes in what has been read.
    """

    feed: ClusterFeed

    def relist(self, kind: type[KubeObject], wire: Mapping[str, Any]) -> str:
        """Take in a list of all objects of a kind.

        Returns:
            The resource version from which to watch on; empty if it cannot be told.
        """
        items = wire.get("items")
        if not isinstance(items, list):
            self._report(kind, wire, "is no list; it is left out")
            return ""
        version = _metadata(wire).resource_version
        read = [(_metadata(each).key, self._read(kind, each)) for each in items]
        self.feed.relist(
            kind,
            [it for _, it in read if it is not None],
            resource_version=version,
            spared={key for key, it in read if it is None},
        )
        return version

    def event(self, kind: type[KubeObject], wire: Mapping[str, Any]) -> str:
        """Take in an event of a watch; bookmarks change nothing.

        Returns:
            The resource version from which to watch on; empty if only a list can tell.
        """
        told = wire.get("object")
        match wire.get("type"):
            case "ADDED" | "MODIFIED":
                self._seen(kind, told)
            case "DELETED":
                self.feed.delete(kind(metadata=_metadata(told)))
            case "BOOKMARK":
                pass
            case unknown:
                self._report(kind, told, f"the watch says {unknown!r}: {told!r}")
                return ""
        return _metadata(told).resource_version

    def _seen(self, kind: type[KubeObject], told: object) -> None:
        it = self._read(kind, told)
        if it is not None:
            self.feed.update(it)

    def _read(self, kind: type[KubeObject], told: Any) -> KubeObject | None:
        try:
            return read_wire(kind, told)
        except ManifestError as error:
            self._report(kind, told, f"{error}; it is left out")
            return None

    def _report(self, kind: type[KubeObject], told: object, why: str) -> None:
        self.feed.report(FeedProblem(kind.kind, _metadata(told).key, why))


def _metadata(told: object) -> ObjectMeta:
    """Return what can be read of an object's identity, whatever the rest of it is."""
    stated = told.get("metadata") if isinstance(told, Mapping) else None
    known = stated if isinstance(stated, Mapping) else {}
    parts = {
        name: value
        for name in ("name", "namespace", "uid", "resourceVersion")
        if isinstance(value := known.get(name), str)
    }
    return read_wire(ObjectMeta, parts)
