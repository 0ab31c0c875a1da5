"""Nodes that hold a pod's images already.

Source: kubernetes v1.12.2, pkg/scheduler/algorithm/priorities/image_locality.go.
"""

from typing import Final

from attrs import frozen

from kubesched.framework import MAX_SCORE, PrioritySpec
from kubesched.model import Pod
from kubesched.state import Facet, ImageState, NodeInfo, Snapshot

MEBIBYTE: Final = 1024 * 1024
MIN_THRESHOLD: Final = 23 * MEBIBYTE
"""Bytes of images that a node must hold more than to score at all."""
MAX_THRESHOLD: Final = 1000 * MEBIBYTE
"""Bytes of images from which on a node scores 10."""


@frozen
class WantedImages:
    """The images of a pod, each as often as it is used, and how many nodes there are."""

    names: tuple[str, ...]
    num_nodes: int


def normalized_image_name(name: str) -> str:
    """Return the name with the tag `latest` if it has no tag; a digest is not understood.

    >>> normalized_image_name("nginx"), normalized_image_name("registry:5000/nginx")
    ('nginx:latest', 'registry:5000/nginx:latest')
    """
    return name if name.rfind(":") > name.rfind("/") else f"{name}:latest"


def prepare_images(pod: Pod, snapshot: Snapshot, /) -> WantedImages:
    """Collect the images of the pod's containers; those of init containers do not count."""
    names = tuple(normalized_image_name(container.image) for container in pod.spec.containers)
    return WantedImages(names, len(snapshot.node_infos))


def image_locality(_pod: Pod, wanted: WantedImages, node: NodeInfo, /) -> int:
    """Score the bytes of the pod's images that the node holds: 0 up to 23 MiB, 10 from 1000 MiB on.

    Each image counts in proportion to how many nodes hold it.
    """
    held, total = node.images, 0
    for name in wanted.names:
        if name in held:
            total += _scaled_size(held[name], wanted.num_nodes)
    if total <= MIN_THRESHOLD:
        return 0
    above = min(total, MAX_THRESHOLD) - MIN_THRESHOLD
    return MAX_SCORE * above // (MAX_THRESHOLD - MIN_THRESHOLD)


def _scaled_size(image: ImageState, num_nodes: int) -> int:
    """Scale a size by the part of the nodes that hold the image, lest they draw all its pods."""
    return int(float(image.size) * (float(image.num_nodes) / float(num_nodes)))


IMAGE_LOCALITY: Final = PrioritySpec(
    "ImageLocalityPriority",
    image_locality,
    prepare=prepare_images,
    reads={Facet.IMAGES, Facet.CLUSTER_NODES},
)
