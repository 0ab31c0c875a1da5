"""Manifests: Kubernetes objects as JSON, YAML and plain data, read and written.

load_objects("cluster.yaml", "more/").with_defaults()
"""

from kubesched.manifests.bundle import Manifests
from kubesched.manifests.dumping import dump
from kubesched.manifests.errors import ManifestError, Place, Problem
from kubesched.manifests.expanding import pods_of
from kubesched.manifests.loading import load_objects
from kubesched.manifests.sources import Source
from kubesched.manifests.wire import read_wire, to_wire

__all__ = [
    "ManifestError",
    "Manifests",
    "Place",
    "Problem",
    "Source",
    "dump",
    "load_objects",
    "pods_of",
    "read_wire",
    "to_wire",
]
