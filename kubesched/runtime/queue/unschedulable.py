"""Pods that found no place, and which pods they wait for."""

from collections.abc import Iterator

from attrs import define, field

from kubesched.model import Pod
from kubesched.plugins.pod_affinity.terms import PodTerms, terms_of
from kubesched.runtime.queue.waiting import Line, Waiting


@define(eq=False)
class Unschedulable(Line):
    """A line that knows what its pods want to be near to.

    Pods of one template have the same terms, and these are asked only once for all of them.
    """

    _by_terms: dict[PodTerms, dict[str, Waiting]] = field(factory=dict, init=False)
    # A pod made twice need not get the same terms again, so those that it stands under are kept.
    _terms: dict[str, PodTerms] = field(factory=dict, init=False)

    def put(self, waiting: Waiting) -> None:
        """Let a pod stand where it belongs; O(log n)."""
        super().put(waiting)
        terms = terms_of(waiting.pod)
        if terms.required.terms:
            self._terms[waiting.pod.key] = terms
            self._by_terms.setdefault(terms, {})[waiting.pod.key] = waiting

    def take(self, waiting: Waiting) -> None:
        """Let a pod go; O(log n)."""
        super().take(waiting)
        terms = self._terms.pop(waiting.pod.key, None)
        if terms is not None:
            alike = self._by_terms[terms]
            del alike[waiting.pod.key]
            if not alike:
                del self._by_terms[terms]

    def near(self, pod: Pod) -> tuple[Waiting, ...]:
        """Return those with a required affinity term that is about a pod; O(they and all terms).

        Source: kubernetes v1.13.0, pkg/scheduler/internal/queue/scheduling_queue.go,
        getUnschedulablePodsWithMatchingAffinityTerm.
        """
        return tuple(self._near(pod))

    def _near(self, pod: Pod) -> Iterator[Waiting]:
        for terms, alike in self._by_terms.items():
            if any(term.selects(pod) for term in terms.required.terms):
                yield from alike.values()

    def _check(self) -> None:
        """Assert that exactly those with terms stand under them."""
        super()._check()
        wanting = {it.pod.key: it for it in self if terms_of(it.pod).required.terms}
        by_terms = {
            key: (terms, it) for terms, alike in self._by_terms.items() for key, it in alike.items()
        }
        assert all(self._by_terms.values())
        assert {key: it for key, (_, it) in by_terms.items()} == wanting
        assert {key: terms for key, (terms, _) in by_terms.items()} == self._terms
