"""Objects that belong together, as they were loaded."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from kubesched.manifests.defaulting import defaulted
from kubesched.manifests.errors import ManifestError, Place
from kubesched.manifests.expanding import expanded
from kubesched.manifests.identity import identity_of, label_of
from kubesched.model import KubeObject
from kubesched.model.frozen import frozen_map, frozen_tuple

K = TypeVar("K", bound=KubeObject)


def _no_twins(_bundle: Any, _field: Any, objects: Sequence[KubeObject]) -> None:
    times = Counter(map(identity_of, objects))
    if len(times) == len(objects):
        return
    twins = {identity_of(it): it for it in objects if times[identity_of(it)] > 1}
    raise ManifestError(
        Place(object=label_of(it)).problem("is there more than once") for it in twins.values()
    )


@frozen
class Manifests:
    """Objects, no two of which have the same kind, namespace and name.

        >>> from kubesched.model import Namespace, ObjectMeta, Pod
        >>> both = Manifests([Pod(metadata=ObjectMeta(name="cart"))]) + Manifests([Namespace()])
        >>> len(both), [pod.name for pod in both.of(Pod)]
        (2, ['cart'])

    Attributes:
        objects: the objects, in the order in which they came.
        skipped: how many manifests there were of each kind that there is no model for.

    Raises:
        ManifestError: if two objects are the same one; no namespace counts as `default`.
    """

    objects: tuple[KubeObject, ...] = field(default=(), converter=frozen_tuple, validator=_no_twins)
    skipped: Mapping[str, int] = field(factory=dict, converter=frozen_map)

    def __iter__(self) -> Iterator[KubeObject]:
        return iter(self.objects)

    def __len__(self) -> int:
        return len(self.objects)

    def __add__(self, other: "Manifests") -> "Manifests":
        """Put two bundles together, the objects of the left one first."""
        if not isinstance(other, Manifests):
            return NotImplemented
        skipped = Counter(self.skipped) + Counter(other.skipped)
        return Manifests(self.objects + other.objects, skipped)

    def overlaid_with(self, other: "Manifests") -> "Manifests":
        """Put two bundles together, where objects of the other one replace the same ones here.

        >>> from kubesched.model import Namespace, ObjectMeta
        >>> shop = Manifests([Namespace(metadata=ObjectMeta(name="shop"))])
        >>> len(shop.overlaid_with(shop))
        1
        """
        replaced = {identity_of(it) for it in other}
        kept = (it for it in self if identity_of(it) not in replaced)
        return Manifests(kept, self.skipped) + other

    def of(self, model: type[K]) -> tuple[K, ...]:
        """Return the objects of one kind, in their order; O(all objects)."""
        return tuple(it for it in self.objects if isinstance(it, model))

    def with_defaults(self) -> "Manifests":
        """Fill in what the API server would, such as requests from limits; doing it again is free.

        A separate step, because answers about a cluster should rest on what it says of itself.

        Raises:
            ManifestError: pods name priority classes that do not exist.
        """
        return evolve(self, objects=defaulted(self.objects))

    def expanded(self) -> "Manifests":
        """Add the pods that workloads would make, where there are none yet; see `pods_of`.

        Raises:
            ManifestError: a workload asks for an absurd number of them.
        """
        return evolve(self, objects=expanded(self.objects))
