"""From manifests to a cluster in one step."""

from kubesched.manifests import Source, load_objects
from kubesched.state.cluster import Cluster


def load(*sources: Source) -> Cluster:
    """Return the cluster that the sources describe together.

    Objects are taken as they stand; `Cluster.of(load_objects(...).with_defaults())` fills in what
    the API server would, for manifests that were written by hand.

    Args:
        sources: files, folders, `-` for standard input, open streams, plain dicts, model objects.

    Raises:
        ManifestError: something could not be read; it lists all that is wrong.

    >>> node = {"kind": "Node", "metadata": {"name": "worker-1"}}
    >>> list(load(node).nodes)
    ['worker-1']
    """
    return Cluster.of(load_objects(*sources))
