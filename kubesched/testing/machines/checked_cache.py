"""A cache that remembers as usual, and is not believed."""

from collections.abc import Sequence
from typing import Any

from attrs import define, field, frozen

from kubesched.engine import EquivalenceCache
from kubesched.engine.filtering import Ask, Filter, Verdict
from kubesched.errors import SpecError
from kubesched.framework import PredicateSpec, reasons_of
from kubesched.model import Pod
from kubesched.state import NodeInfo


@frozen(eq=False)
class StaleVerdict:
    """A verdict that was remembered too long, or that nobody could rely on from the start.

    Attributes:
        pod: the pod that was asked about.
        node: the node's name.
        culprit: the predicate that says otherwise now, if it is known.
        remembered: the verdict that was remembered, in words.
        afresh: the verdict now.
    """

    pod: Pod
    node: str
    culprit: str | None
    remembered: str
    afresh: str

    def __str__(self) -> str:
        """Tell it in half a sentence."""
        return (
            f"it was remembered that pod {self.pod.key} {self.remembered} on node {self.node}, "
            f"but asked anew it {self.afresh}"
        )


@define(eq=False)
class CheckedCache(EquivalenceCache):
    """Remembers verdicts and tells them, but works each of them out anew to see if it is right.

    A scheduler that is given it decides as with any other cache, slower than with none.

    Attributes:
        stale: the verdicts that were not right.

    >>> from kubesched.builders import node, pod
    >>> from kubesched.config import Profile
    >>> from kubesched.engine import GenericScheduler
    >>> from kubesched.framework import FITS, Fit, PredicateSpec, Reason
    >>> from kubesched.state import Cluster, Facet
    >>> def is_open(pod, meta, node):
    ...     return Fit(Reason("closed")) if "closed" in node.labels else FITS
    >>> rules = Profile([PredicateSpec("IsOpen", is_open, reads={Facet.TAINTS})])
    >>> cluster, cache = Cluster.of([node("a")]), CheckedCache()
    >>> scheduler = GenericScheduler(cluster, rules, equivalence_cache=cache)
    >>> decisions = [scheduler.schedule(pod(name)) for name in ("web-1", "web-2")]
    >>> cluster.update_node(node("a", labels={"closed": ""}))
    >>> scheduler.schedule(pod("web-3")).node, cache.stale[0].culprit
    ('a', 'IsOpen')
    """

    stale: list[StaleVerdict] = field(factory=list, init=False)

    def asking(self, wanted: Filter) -> Ask:
        """Return what tells the verdicts as they are remembered, and notes those that are wrong."""
        remember = super().asking(wanted)

        def ask(nodes: Sequence[NodeInfo]) -> Sequence[Verdict]:
            told = remember(nodes)
            for node, old in zip(nodes, told, strict=True):
                new = _afresh(wanted, node)
                if not _is_same(old, new):
                    self.stale.append(_stale(wanted, node, old, new))
            return told

        return ask


def _afresh(wanted: Filter, node: NodeInfo) -> Verdict:
    try:
        return wanted.verdicts([node])[0]
    except SpecError as error:
        return error


def _is_same(old: Verdict, new: Verdict) -> bool:
    if isinstance(old, Exception) or isinstance(new, Exception):
        return type(old) is type(new)
    return old == new


def _stale(wanted: Filter, node: NodeInfo, old: Verdict, new: Verdict) -> StaleVerdict:
    prepared = wanted.prepared
    asked = zip(prepared.specs, prepared.metas, strict=True)
    refusing = (spec.name for spec, meta in asked if _refuses(spec, prepared.pod, meta, node))
    culprit = None if old else next(refusing, None)
    return StaleVerdict(prepared.pod, node.name, culprit, _in_words(old), _in_words(new))


def _refuses(spec: PredicateSpec[Any], pod: Pod, meta: Any, node: NodeInfo) -> bool:
    try:
        return bool(reasons_of(spec, spec.check(pod, meta, node)))
    except Exception:  # noqa: BLE001 - that, too, is not what was remembered
        return True


def _in_words(verdict: Verdict) -> str:
    if isinstance(verdict, Exception):
        return f"raises {verdict!r}"
    return f"is refused ({', '.join(each.text for each in verdict)})" if verdict else "fits"
