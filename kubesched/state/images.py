"""Which nodes hold which container images, as each node was last told.

Source: kubernetes v1.12.2, pkg/scheduler/cache/cache.go (addNodeImageStates,
removeNodeImageStates).
"""

from collections.abc import Mapping

from attrs import define, field, frozen

from kubesched.model import Node


@frozen
class ImageState:
    """An image's size in bytes, and how many nodes held it when this was noted."""

    size: int
    num_nodes: int


@define(eq=False)
class _Image:
    size: int
    nodes: set[str] = field(factory=set)


@define(eq=False)
class Images:
    """All images in the cluster; the size of one is what the first node reported.

    A node gets its counts when it is added or updated and keeps them until its next update, even if
    other nodes pull the image in between; so does the original.
    """

    _images: dict[str, _Image] = field(factory=dict)

    def add(self, node: Node) -> Mapping[str, ImageState]:
        """Note what a node holds and return the state of each of its images; O(its images)."""
        held: dict[str, _Image] = {}
        for reported in node.status.images:
            for name in reported.names:
                held[name] = self._images.setdefault(name, _Image(reported.size_bytes))
                held[name].nodes.add(node.name)
        return {name: ImageState(image.size, len(image.nodes)) for name, image in held.items()}

    def remove(self, node: Node) -> None:
        """Forget what a node holds; an image that no node holds is forgotten with its size."""
        for reported in node.status.images:
            for name in reported.names:
                image = self._images.get(name)
                if image is None:
                    continue
                image.nodes.discard(node.name)
                if not image.nodes:
                    del self._images[name]

    def copy(self) -> "Images":
        """Return images of their own."""
        return Images(
            {name: _Image(image.size, image.nodes.copy()) for name, image in self._images.items()}
        )

    def holders(self) -> dict[str, set[str]]:
        """Return the nodes that hold each image; O(images x nodes)."""
        return {name: image.nodes.copy() for name, image in self._images.items()}
