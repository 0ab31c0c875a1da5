"""The kube-scheduler's algorithm as a library that needs no cluster.

>>> import kubesched as ks
>>> cluster = ks.Cluster.of([ks.node("worker-1", cpu=2), ks.pod("web-1", cpu=1)])
>>> for placement in ks.simulate(cluster):
...     print(placement.pod, placement.node or placement.message)
default/web-1 worker-1
"""

from kubesched.builders import container, node, pod, taint, toleration
from kubesched.config import FeatureGates, Profile, stock_registry
from kubesched.engine import (
    ClaimError,
    Decision,
    EvaluationError,
    FirstByName,
    FitError,
    GenericScheduler,
    HostSelector,
    NoNodesAvailable,
    Random,
    RoundRobin,
    Workers,
)
from kubesched.errors import (
    ClusterError,
    DuplicateNameError,
    KubeschedError,
    MissingExtraError,
    OptionError,
    QuantityError,
    SchedulingError,
    SelectorError,
    SpecError,
    UnknownNameError,
)
from kubesched.framework import (
    FITS,
    Fit,
    FitPredicate,
    Options,
    PredicateSpec,
    PriorityMap,
    PriorityReduce,
    PrioritySpec,
    Reason,
    Registry,
    RuleSet,
    all_of,
    normalize,
    predicate,
    priority,
)
from kubesched.manifests import ManifestError, Manifests, dump, load_objects
from kubesched.model import Binding, Node, Pod
from kubesched.quantity import Quantity
from kubesched.simulate import Placement, simulate
from kubesched.state import Cluster, Facet, NodeInfo, Snapshot
from kubesched.state.loading import load

__all__ = [
    "FITS",
    "Binding",
    "ClaimError",
    "Cluster",
    "ClusterError",
    "Decision",
    "DuplicateNameError",
    "EvaluationError",
    "Facet",
    "FeatureGates",
    "FirstByName",
    "Fit",
    "FitError",
    "FitPredicate",
    "GenericScheduler",
    "HostSelector",
    "KubeschedError",
    "ManifestError",
    "Manifests",
    "MissingExtraError",
    "NoNodesAvailable",
    "Node",
    "NodeInfo",
    "OptionError",
    "Options",
    "Placement",
    "Pod",
    "PredicateSpec",
    "PriorityMap",
    "PriorityReduce",
    "PrioritySpec",
    "Profile",
    "Quantity",
    "QuantityError",
    "Random",
    "Reason",
    "Registry",
    "RoundRobin",
    "RuleSet",
    "SchedulingError",
    "SelectorError",
    "Snapshot",
    "SpecError",
    "UnknownNameError",
    "Workers",
    "all_of",
    "container",
    "dump",
    "load",
    "load_objects",
    "node",
    "normalize",
    "pod",
    "predicate",
    "priority",
    "simulate",
    "stock_registry",
    "taint",
    "toleration",
]
