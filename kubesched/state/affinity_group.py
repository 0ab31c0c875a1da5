"""What a pod says about other pods."""

from typing import Optional

from attrs import frozen

from kubesched.model import Pod, PodAffinity, PodAntiAffinity


@frozen(cache_hash=True)
class AffinityGroup:
    """What pods that say the same about other pods have in common.

    Attributes:
        namespace: their namespace, which is meant where a term names none.
        pod_affinity: the pods that they want near.
        pod_anti_affinity: the pods that they want far.
    """

    namespace: str
    pod_affinity: PodAffinity | None
    pod_anti_affinity: PodAntiAffinity | None

    @classmethod
    def of(cls, pod: Pod) -> Optional["AffinityGroup"]:
        """Return the group to which a pod belongs; None if it says nothing about other pods.

        >>> from kubesched.builders import pod
        >>> from kubesched.model import Affinity
        >>> AffinityGroup.of(pod("web-1")) is None
        True
        >>> near = Affinity(pod_affinity=PodAffinity())
        >>> first, second = (pod(name, affinity=near) for name in ("shop/web-1", "shop/web-2"))
        >>> AffinityGroup.of(first) == AffinityGroup.of(second)
        True
        """
        affinity = pod.spec.affinity
        if affinity is None:
            return None
        near, far = affinity.pod_affinity, affinity.pod_anti_affinity
        return None if near is None and far is None else cls(pod.namespace, near, far)
