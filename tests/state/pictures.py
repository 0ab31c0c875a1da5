"""What can be seen of clusters, as values that stay when these change."""

from typing import Any

from kubesched.state import Cluster
from kubesched.testing.machines.pictures import picture_of_snapshot


def picture_of_cluster(cluster: Cluster) -> dict[str, Any]:
    return {
        **picture_of_snapshot(cluster.snapshot()),
        "pods": dict(cluster.pods),
        "assumed": {key: (it.waiting, it.deadline) for key, it in cluster._pods.assumed.items()},
        "ended": dict(cluster._pods.ended),
        "holders": cluster._nodes._images.holders(),
    }
