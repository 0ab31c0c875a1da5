"""From documents to single manifests: what is in a List, in a PodList, in an array."""

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from kubesched.manifests.errors import Place
from kubesched.manifests.flaws import RepeatedKeys, flaws
from kubesched.manifests.kinds import BY_KIND
from kubesched.manifests.sources import Report


@frozen
class Manifest:
    """A manifest that stands for one object; nothing in it has been looked at yet but its kind.

    The items of a list such as a PodList need not say their kind and version, for the list does.
    """

    place: Place
    wire: Mapping[str, Any]
    kind: object
    version: object


_NOBODY = Manifest(Place(), {}, None, None)


def manifests_in(
    place: Place, document: object, report: Report, listed_as: Manifest = _NOBODY
) -> Iterator[Manifest]:
    """Take lists apart, in the order of their items and however deep they are nested."""
    match document:
        case Mapping():
            kind = document.get("kind")
            version = document.get("apiVersion")
            manifest = Manifest(
                place,
                document,
                listed_as.kind if kind is None else kind,
                listed_as.version if version is None else version,
            )
            yield from _items_of(manifest, report) if _is_list(manifest) else [manifest]
        case list() | tuple():
            yield from _each(place, document, report, _NOBODY)
        case _:
            what = "is no manifest (expected a mapping with apiVersion, kind and metadata)"
            report(place.problem(what, value=document))


def _is_list(manifest: Manifest) -> bool:
    kind = manifest.kind
    if not isinstance(kind, str) or not kind.endswith("List"):
        return False
    return "items" in manifest.wire or kind == "List" or _item_kind(kind) in BY_KIND


def _item_kind(kind: str) -> str:
    return kind.removesuffix("List")


def _items_of(manifest: Manifest, report: Report) -> Iterator[Manifest]:
    place = evolve(manifest.place, object=str(manifest.kind))
    _report_shell(place, manifest.wire, report)
    items = manifest.wire.get("items") or ()
    if isinstance(items, (list, tuple)):
        kind = _item_kind(str(manifest.kind)) or None
        version = manifest.version if kind else None
        yield from _each(manifest.place, items, report, evolve(_NOBODY, kind=kind, version=version))
    else:
        report(place.problem("is not a list", "items", items))


def _each(
    place: Place, items: "list[object] | tuple[object, ...]", report: Report, listed_as: Manifest
) -> Iterator[Manifest]:
    for number, item in enumerate(items, 1):
        inner = evolve(place, item=(*place.item, number))
        yield from manifests_in(inner, item, report, listed_as)


def _report_shell(place: Place, wire: Mapping[str, Any], report: Report) -> None:
    """Report what the parser noted in a list outside of its items."""
    shell = {key: part for key, part in wire.items() if key != "items"}
    repeated = wire.repeated if isinstance(wire, RepeatedKeys) else ()
    for key in repeated:
        report(place.problem("occurs more than once", key))
    for fault in flaws(shell):
        report(place.problem(fault.why, fault.path, fault.value))
