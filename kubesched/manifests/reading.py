"""From one manifest to one object, or to everything that is wrong with it."""

from collections.abc import Iterator, Mapping

from attrs import NOTHING, evolve

from kubesched.manifests.fault import Fault
from kubesched.manifests.flaws import flaws
from kubesched.manifests.identity import name_faults
from kubesched.manifests.kinds import model_of, unknown_name
from kubesched.manifests.lists import Manifest
from kubesched.manifests.sources import Report
from kubesched.manifests.structuring import structured
from kubesched.model import KubeObject


def read_manifest(
    manifest: Manifest, report: Report, *, flawed: bool = False
) -> KubeObject | str | None:
    """Make an object of a manifest.

    Args:
        manifest: what to read.
        report: what to do with each problem.
        flawed: whether the parser noted anything in the document.

    Returns:
        The object; or the name of its kind, if there is no model for it; or None after a report.
    """
    found: list[Fault] = list(flaws(manifest.wire)) if flawed else []
    result = _read(manifest, found)
    place = evolve(manifest.place, object=_label(manifest)) if found else manifest.place
    for fault in _first_of_each_path(found):
        report(place.problem(fault.why, fault.path, fault.value))
    return None if found else result


def _read(manifest: Manifest, found: list[Fault]) -> KubeObject | str | None:
    kind = _stated(manifest.kind or "", "kind", found)
    version = _stated(manifest.version or "", "apiVersion", found)
    if not manifest.kind:
        found.append(Fault("kind", NOTHING, "is missing"))
    if not kind:
        return None
    model = model_of(kind, version)
    if model is None:
        return unknown_name(kind, version)
    result = structured(model, manifest.wire, found)
    if result is not None:
        found.extend(name_faults(result))
    return result


def _stated(value: object, path: str, found: list[Fault]) -> str:
    """Return what is said, or nothing after adding what is wrong with it."""
    if isinstance(value, str):
        return value
    found.append(Fault(path, value, "is not a string"))
    return ""


def _label(manifest: Manifest) -> str:
    """Name a manifest as far as it says what it is."""
    metadata = manifest.wire.get("metadata")
    stated = metadata if isinstance(metadata, Mapping) else {}
    kind, namespace, name = (
        part if isinstance(part, str) else ""
        for part in (manifest.kind, stated.get("namespace"), stated.get("name"))
    )
    key = f"{namespace}/{name}" if namespace and name else name
    return f"{kind} {key}".strip()


def _first_of_each_path(found: list[Fault]) -> Iterator[Fault]:
    seen: set[str] = set()
    for fault in found:
        if fault.path not in seen:
            seen.add(fault.path)
            yield fault
