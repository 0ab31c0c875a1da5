"""What a label selector can see of a pod."""

from collections.abc import Mapping

from attrs import frozen

from kubesched.model import Pod


@frozen(cache_hash=True)
class LabelGroup:
    """What pods that are alike to selectors have in common.

    Attributes:
        namespace: their namespace.
        labels: their labels, all of them.
        is_terminating: whether they are being deleted.
    """

    namespace: str
    labels: Mapping[str, str]
    is_terminating: bool = False

    @classmethod
    def of(cls, pod: Pod) -> "LabelGroup":
        """Return the group to which a pod belongs.

        >>> from kubesched.builders import pod
        >>> LabelGroup.of(pod("shop/web-1")) == LabelGroup.of(pod("shop/web-2"))
        True
        """
        return cls(pod.namespace, pod.metadata.labels, pod.is_terminating)
