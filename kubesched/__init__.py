"""The kube-scheduler's algorithm as a library that needs no cluster.

>>> import kubesched as ks
>>> cluster = ks.Cluster.of([ks.node("worker-1", cpu=2), ks.pod("web-1", cpu=1)])
>>> for placement in ks.simulate(cluster):
...     print(placement.pod, placement.node or placement.message)
default/web-1 worker-1
"""

from logging import NullHandler, getLogger

from kubesched.builders import container, node, pod, taint, toleration
from kubesched.config import (
    ConfigurationError,
    FeatureGates,
    PolicyError,
    Profile,
    SchedulerConfiguration,
    read_configuration,
    stock_registry,
)
from kubesched.engine import (
    ClaimError,
    Decision,
    EquivalenceCache,
    EvaluationError,
    FirstByName,
    FitError,
    GenericScheduler,
    HostSelector,
    NoNodesAvailable,
    Preemption,
    Random,
    RoundRobin,
    Workers,
)
from kubesched.errors import (
    ClusterError,
    DuplicateNameError,
    ExtenderError,
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
    SKIP,
    Extender,
    ExtenderFilterResult,
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
    Victims,
    all_of,
    normalize,
    predicate,
    priority,
)
from kubesched.manifests import ManifestError, Manifests, dump, load_objects
from kubesched.model import Binding, Node, Pod
from kubesched.quantity import Quantity
from kubesched.runtime import Binder, ClusterFeed, ManualClock, Outcome, Result, Scheduler
from kubesched.simulate import Placement, simulate
from kubesched.state import Cluster, Facet, NodeInfo, Snapshot
from kubesched.state.loading import load

__all__ = [
    "FITS",
    "SKIP",
    "Binder",
    "Binding",
    "ClaimError",
    "Cluster",
    "ClusterError",
    "ClusterFeed",
    "ConfigurationError",
    "Decision",
    "DuplicateNameError",
    "EquivalenceCache",
    "EvaluationError",
    "Extender",
    "ExtenderError",
    "ExtenderFilterResult",
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
    "ManualClock",
    "MissingExtraError",
    "NoNodesAvailable",
    "Node",
    "NodeInfo",
    "OptionError",
    "Options",
    "Outcome",
    "Placement",
    "Pod",
    "PolicyError",
    "PredicateSpec",
    "Preemption",
    "PriorityMap",
    "PriorityReduce",
    "PrioritySpec",
    "Profile",
    "Quantity",
    "QuantityError",
    "Random",
    "Reason",
    "Registry",
    "Result",
    "RoundRobin",
    "RuleSet",
    "Scheduler",
    "SchedulerConfiguration",
    "SchedulingError",
    "SelectorError",
    "Snapshot",
    "SpecError",
    "UnknownNameError",
    "Victims",
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
    "read_configuration",
    "simulate",
    "stock_registry",
    "taint",
    "toleration",
]

# A library is silent until its user wants to hear it.
getLogger("kubesched").addHandler(NullHandler())
