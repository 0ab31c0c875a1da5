"""Pods and nodes that differ in all that the stock rules look at, from few ready-made parts."""

import json

from hypothesis import strategies as st

from kubesched import builders
from kubesched.model import (
    Affinity,
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    GCEPersistentDiskVolumeSource,
    KubeObject,
    Node,
    NodeAffinity,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    OwnerReference,
    Pod,
    PreferredSchedulingTerm,
    Volume,
)
from kubesched.plugins.avoid_pods import PREFER_AVOID_PODS
from tests.strategies import (
    NODE_NAMES,
    node_affinities,
    pod_affinities,
    taints,
    tolerations_maybe_odd,
)

CONDITIONS = (
    "Ready",
    "OutOfDisk",
    "NetworkUnavailable",
    "MemoryPressure",
    "DiskPressure",
    "PIDPressure",
)
AVOIDED = OwnerReference(kind="ReplicaSet", uid="42", controller=True)
AVOIDS = {
    PREFER_AVOID_PODS: json.dumps(
        {
            "preferAvoidPods": [
                {"podSignature": {"podController": {"kind": "ReplicaSet", "uid": "42"}}}
            ]
        }
    )
}
DISKS = (
    Volume(aws_elastic_block_store=AWSElasticBlockStoreVolumeSource(volume_id="v")),
    Volume(gce_persistent_disk=GCEPersistentDiskVolumeSource(pd_name="d", read_only=True)),
    Volume(azure_disk=AzureDiskVolumeSource(disk_name="z")),
)
PREFERENCE = PreferredSchedulingTerm(
    weight=1,
    preference=NodeSelectorTerm(
        match_expressions=[NodeSelectorRequirement(key="app", operator="Exists")]
    ),
)
PREFERRING = Affinity(node_affinity=NodeAffinity(preferred=[PREFERENCE]))

labels = st.dictionaries(st.just("app"), st.sampled_from("ab"))
amounts = st.dictionaries(
    st.sampled_from(["cpu", "memory", "example.com/gpu"]), st.sampled_from([0, 1, 2, 4])
)
affinities = (
    st.sampled_from([None, PREFERRING])
    | st.builds(Affinity, node_affinity=node_affinities())
    | pod_affinities()
)


def nodes(*, names: st.SearchStrategy[str]) -> st.SearchStrategy[Node]:
    return st.builds(
        builders.node,
        names,
        cpu=st.sampled_from([0, 2, 4]),
        memory=st.sampled_from([0, 2, 4]),
        pods=st.sampled_from([1, 110]),
        allocatable=amounts,
        labels=labels,
        annotations=st.sampled_from([{}, AVOIDS]),
        taints=st.lists(taints(), max_size=2),
        unschedulable=st.booleans(),
        conditions=st.dictionaries(
            st.sampled_from(CONDITIONS), st.sampled_from(["True", "False", "Unknown"]), max_size=2
        ),
        images=st.dictionaries(st.just("web:1"), st.sampled_from([1, 700 * 2**20, 2**40])),
    )


def pods(
    *, names: st.SearchStrategy[str], node_names: st.SearchStrategy[str]
) -> st.SearchStrategy[Pod]:
    return st.builds(
        builders.pod,
        names,
        requests=amounts,
        limits=amounts,
        image=st.sampled_from(["web:1", "db:1"]),
        host_ports=st.sampled_from([(), (80,), ("10.0.0.1:80",)]),
        labels=labels,
        owner=st.sampled_from([None, AVOIDED]),
        node_name=node_names,
        node_selector=labels,
        affinity=affinities,
        tolerations=st.lists(tolerations_maybe_odd(), max_size=1),
        volumes=st.lists(st.sampled_from(DISKS), max_size=2),
    )


node_names = st.sampled_from(NODE_NAMES)
asked_pods = pods(names=st.just("asked"), node_names=st.sampled_from(["", "n1"]))


@st.composite
def clusters(draw: st.DrawFn) -> list[KubeObject]:
    """Draw one node or a few, and pods on them."""
    made: list[KubeObject] = []
    made += draw(
        st.lists(nodes(names=node_names), min_size=1, max_size=3, unique_by=lambda each: each.name)
    )
    made += draw(pods_on(node_names))
    return made


def pods_on(names: st.SearchStrategy[str]) -> st.SearchStrategy[list[Pod]]:
    """Draw a few pods on nodes of these names."""
    placed = pods(names=st.sampled_from(["p1", "p2", "p3"]), node_names=names)
    return st.lists(placed, max_size=2, unique_by=lambda each: each.key)
