"""The rule of CheckVolumeBinding told at length: every volume is looked at for every claim."""

from collections.abc import Sequence

from kubesched.model import Node, PersistentVolume, PersistentVolumeClaim, StorageClass
from kubesched.plugins.volume_binding import BIND_COMPLETED, SELECTED_NODE
from kubesched.quantity import Quantity
from kubesched.selectors import label_selector, node_selection
from tests.plugins.volume_binding.strategies import CLASS_ANNOTATION, World

NODE_CONFLICT = "node(s) had volume node affinity conflict"
BINDING_CONFLICT = "node(s) didn't find available persistent volumes to bind"
UNBOUND = "pod has unbound immediate PersistentVolumeClaims"


def verdict(world: World, used: Sequence[str], node: Node) -> list[str]:
    """Return the reasons of a node, or the text of an error alone."""
    by_name = {each.name: each for each in world.claims}
    wanted = [by_name[name] for name in used]
    bound = [each for each in wanted if is_bound(each)]
    waiting = [each for each in wanted if not is_bound(each)]
    if not all(waits(each, world) for each in waiting):
        return [UNBOUND]
    reasons = []
    for each in bound:
        found = [it for it in world.volumes if it.name == each.spec.volume_name]
        if not found:
            return [f'could not find v1.PersistentVolume "{each.spec.volume_name}"']
        if not reaches(found[0], node):
            reasons.append(NODE_CONFLICT)
            break
    if allotted(world, waiting, node) is None:
        reasons.append(BINDING_CONFLICT)
    return reasons


def is_bound(it: PersistentVolumeClaim) -> bool:
    return it.spec.volume_name != "" and BIND_COMPLETED in it.annotations


def waits(it: PersistentVolumeClaim, world: World) -> bool:
    found = class_of(it, world)
    if SELECTED_NODE in it.annotations or it.spec.volume_name or found is None:
        return False
    return found.volume_binding_mode == "WaitForFirstConsumer"


def class_of(it: PersistentVolumeClaim, world: World) -> StorageClass | None:
    name = it.annotations.get(CLASS_ANNOTATION, it.spec.storage_class_name)
    return next((each for each in world.classes if each.name == name), None)


def allotted(
    world: World, waiting: Sequence[PersistentVolumeClaim], node: Node
) -> dict[int, str | None] | None:
    """Return the volume of each claim by its place, None for a new one; None if one gets none."""
    got: dict[int, str | None] = {}
    places = sorted(range(len(waiting)), key=lambda place: asked(waiting[place]))
    for place in places:
        best = best_volume(world, waiting[place], node, got)
        if best is None and not can_be_made(world, waiting[place], node):
            return None
        got[place] = best
    return got


def best_volume(
    world: World, it: PersistentVolumeClaim, node: Node, got: dict[int, str | None]
) -> str | None:
    best: PersistentVolume | None = None
    for each in sorted(world.volumes, key=lambda each: each.name):
        listed = each.annotations.get(CLASS_ANNOTATION, each.spec.storage_class_name)
        if each.name in got.values() or listed != it.spec.storage_class_name:
            continue
        if each.metadata.deletion_timestamp is not None or held(each) < asked(it):
            continue
        if (each.spec.volume_mode or "Filesystem") != (it.spec.volume_mode or "Filesystem"):
            continue
        owner = each.spec.claim_ref
        if owner is not None and owner.name == it.name and owner.uid in ("", it.uid):
            return each.name if reaches(each, node) else None
        is_free = owner is None and each.status.phase == "Available"
        is_liked = it.spec.selector is None or label_selector(it.spec.selector).matches(each.labels)
        has_modes = all(mode in each.spec.access_modes for mode in it.spec.access_modes)
        is_of_class = listed == it.annotations.get(CLASS_ANNOTATION, it.spec.storage_class_name)
        if not (is_free and is_liked and has_modes and is_of_class and reaches(each, node)):
            continue
        if best is None or held(each) < held(best):
            best = each
    return None if best is None else best.name


def can_be_made(world: World, it: PersistentVolumeClaim, node: Node) -> bool:
    found = class_of(it, world)
    assert found is not None
    if found.provisioner in ("", "kubernetes.io/no-provisioner"):
        return False
    return not found.allowed_topologies or any(
        each.match_label_expressions
        and all(
            node.labels.get(wanted.key) in wanted.values for wanted in each.match_label_expressions
        )
        for each in found.allowed_topologies
    )


def reaches(it: PersistentVolume, node: Node) -> bool:
    affinity = it.spec.node_affinity
    if affinity is None or affinity.required is None:
        return True
    return node_selection(affinity.required).matches(node.labels, "")


def asked(it: PersistentVolumeClaim) -> Quantity:
    return it.spec.resources.requests.get("storage", Quantity(0))


def held(it: PersistentVolume) -> Quantity:
    return it.spec.capacity.get("storage", Quantity(0))
