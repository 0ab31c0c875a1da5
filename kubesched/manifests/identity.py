"""What tells one object from another."""

from collections.abc import Iterator

from attrs import NOTHING

from kubesched.manifests.fault import Fault
from kubesched.model import KubeObject, Pod

Identity = tuple[str, str, str]


def identity_of(it: KubeObject) -> Identity:
    """Return kind, namespace and name.

    Where no namespace is said, it is `default`, for that is where the API server puts the object;
    otherwise filling in the defaults could make one object of two.

    >>> identity_of(Pod())
    ('Pod', 'default', '')
    """
    return it.kind, (it.namespace or "default") if it.namespaced else "", it.name


def label_of(it: KubeObject) -> str:
    """Name an object as errors do.

    >>> from kubesched.model import ObjectMeta
    >>> label_of(Pod(metadata=ObjectMeta(namespace="shop", name="cart-1")))
    'Pod shop/cart-1'
    """
    return f"{it.kind} {it.key}".rstrip()


def name_faults(it: KubeObject) -> Iterator[Fault]:
    """Check that an object has a name."""
    if not it.name:
        generated = isinstance(it, Pod) and it.metadata.generate_name
        hint = " (only an API server makes one of generateName)" if generated else ""
        yield Fault("metadata.name", NOTHING, f"is missing{hint}")
