"""From wire form to a model, or to all that does not fit: the way into cattrs.

cattrs is imported when something is first read: `import kubesched` need not wait for it.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from kubesched.manifests.fault import Fault

T = TypeVar("T")


def structured(model: type[T], wire: Mapping[str, Any], found: list[Fault]) -> T | None:
    """Make an instance of a model, or add all that does not fit to what was found."""
    from kubesched.manifests.converter import CONVERTER  # noqa: PLC0415 - see above
    from kubesched.manifests.faults import UNREADABLE, faults  # noqa: PLC0415 - see above

    try:
        return CONVERTER.structure(wire, model)
    except UNREADABLE as error:
        found.extend(faults(error))
        return None


def unstructured(it: object) -> dict[str, Any]:
    """Write an instance of a model in its wire form."""
    from kubesched.manifests.converter import CONVERTER  # noqa: PLC0415 - see above

    wire: dict[str, Any] = CONVERTER.unstructure(it)
    return wire
