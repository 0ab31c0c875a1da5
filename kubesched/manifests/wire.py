"""One object from and to its wire form: plain data as in JSON."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from kubesched.manifests.errors import ManifestError, Place
from kubesched.manifests.fault import Fault
from kubesched.manifests.kinds import api_version
from kubesched.manifests.structuring import structured, unstructured
from kubesched.model import KubeObject

T = TypeVar("T")


def read_wire(model: type[T], wire: Mapping[str, Any], source: str = "") -> T:
    """Read one object, or any part of one, from its wire form.

        >>> from kubesched.model import Pod, Toleration
        >>> read_wire(Pod, {"metadata": {"name": "cart"}}).name
        'cart'
        >>> read_wire(Toleration, {"tolerationSeconds": "300"})
        Traceback (most recent call last):
            ...
        kubesched.manifests.errors.ManifestError: tolerationSeconds: '300' is not an integer

    Args:
        model: any class of `kubesched.model`.
        wire: a mapping in wire names; its kind and API version need not be there.
        source: what to call it in errors.

    Raises:
        ManifestError: with all that does not fit.
    """
    found: list[Fault] = []
    if issubclass(model, KubeObject):
        found.extend(_wrong_kind(model, wire))
    result = structured(model, wire, found)
    if result is None or found:
        place = Place(source=source)
        raise ManifestError(place.problem(why, path, value) for path, value, why in found)
    return result


def _wrong_kind(model: type[KubeObject], wire: object) -> Iterator[Fault]:
    stated = wire.get("kind") if isinstance(wire, Mapping) else None
    if stated is not None and stated != model.kind:
        yield Fault("kind", stated, f"is not {model.kind!r}")


def to_wire(it: Any) -> dict[str, Any]:
    """Write an object, or any part of one, in its wire form, with nothing in it but plain data.

    What is empty and means nothing is left out, as Kubernetes does. The API version is the newest
    of those that the model can read.

        >>> from kubesched.model import Namespace, ObjectMeta
        >>> to_wire(Namespace(metadata=ObjectMeta(name="shop")))
        {'apiVersion': 'v1', 'kind': 'Namespace', 'metadata': {'name': 'shop'}}
    """
    wire = unstructured(it)
    if not isinstance(it, KubeObject):
        return wire
    head = {"apiVersion": api_version(type(it)), "kind": it.kind}
    return head | {"metadata": wire.pop("metadata", {})} | wire
