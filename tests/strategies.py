"""What the tests draw from: a small world, in which things often meet.

There are few names, keys and values, so that two draws are often about the same thing. All bounds
are keywords. What may be wrong on purpose says so in its name.
"""

from collections.abc import Iterable

from hypothesis import strategies as st

from kubesched import builders
from kubesched.model import (
    Affinity,
    AWSElasticBlockStoreVolumeSource,
    AzureDiskVolumeSource,
    Container,
    ContainerImage,
    ContainerPort,
    GCEPersistentDiskVolumeSource,
    ISCSIVolumeSource,
    LabelSelector,
    LabelSelectorRequirement,
    Node,
    NodeAffinity,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    ObjectMeta,
    PersistentVolumeClaimVolumeSource,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
    PreferredSchedulingTerm,
    RBDVolumeSource,
    Service,
    ServiceSpec,
    Taint,
    Toleration,
    Volume,
    WeightedPodAffinityTerm,
)

NODE_NAMES = ("n1", "n2", "n3", "n4")
POD_KEYS = ("shop/p1", "shop/p2", "shop/p3", "shop/p4", "batch/p1", "batch/p2")
KEYS = ("app", "tier", "example.com/cores")
VALUES = ("", "a", "b", "7", "12")
ZONES = ("", "east", "west")
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
POD_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
NODE_OPERATORS = (*POD_OPERATORS, "Gt", "Lt")
RESOURCES = ("cpu", "memory", "ephemeral-storage", "example.com/gpu", "hugepages-2Mi", "widgets")

# What is no label, and what looks like a number to some.
ODD_KEYS = ("", "/", "a/b/c", "-app", "example.com/", "Example.com/app", "k" * 64)
ODD_VALUES = ("-1", "+1", "a b", "é", "a\n", "v" * 64, "1.5", "007", "9" * 19, "0" * 5000)

keys = st.sampled_from(KEYS)
values = st.sampled_from(VALUES)
node_names = st.sampled_from(NODE_NAMES)
pod_keys = st.sampled_from(POD_KEYS)
zones = st.sampled_from(ZONES)
nothing = st.just("")


def odd_or(usual: st.SearchStrategy[str], odd: Iterable[str]) -> st.SearchStrategy[str]:
    """Draw what is usual, and one time in six something odd."""
    return st.one_of([usual] * 5 + [st.sampled_from([*odd])])


# -- labels and selectors --------------------------------------------------------------------------


def labels(*, max_size: int = 3) -> st.SearchStrategy[dict[str, str]]:
    return st.dictionaries(keys, values, max_size=max_size)


def requirements_maybe_odd(*, max_values: int = 3) -> st.SearchStrategy[LabelSelectorRequirement]:
    return st.builds(
        LabelSelectorRequirement,
        key=odd_or(keys, ODD_KEYS),
        operator=odd_or(st.sampled_from(POD_OPERATORS), ["Gt", "in", ""]),
        values=st.lists(odd_or(values, ODD_VALUES), max_size=max_values),
    )


def label_selectors_maybe_odd(*, max_size: int = 2) -> st.SearchStrategy[LabelSelector]:
    return st.builds(
        LabelSelector,
        match_labels=st.dictionaries(
            odd_or(keys, ODD_KEYS), odd_or(values, ODD_VALUES), max_size=max_size
        ),
        match_expressions=st.lists(requirements_maybe_odd(), max_size=max_size),
    )


@st.composite
def requirements(draw: st.DrawFn, *, max_values: int = 3) -> LabelSelectorRequirement:
    operator = draw(st.sampled_from(POD_OPERATORS))
    held = st.lists(values, min_size=1, max_size=max_values) if "In" in operator else st.just([])
    return LabelSelectorRequirement(key=draw(keys), operator=operator, values=draw(held))


def label_selectors(*, max_size: int = 2) -> st.SearchStrategy[LabelSelector]:
    return st.builds(
        LabelSelector,
        match_labels=labels(max_size=max_size),
        match_expressions=st.lists(requirements(), max_size=max_size),
    )


def node_requirements_maybe_odd(
    *, max_values: int = 2
) -> st.SearchStrategy[NodeSelectorRequirement]:
    return st.builds(
        NodeSelectorRequirement,
        key=odd_or(keys, ODD_KEYS),
        operator=odd_or(st.sampled_from(NODE_OPERATORS), ["gt", ""]),
        values=st.lists(odd_or(values, ODD_VALUES), max_size=max_values),
    )


def field_requirements_maybe_odd(
    *, max_values: int = 2
) -> st.SearchStrategy[NodeSelectorRequirement]:
    return st.builds(
        NodeSelectorRequirement,
        key=odd_or(st.just("metadata.name"), ["metadata.uid", ""]),
        operator=odd_or(st.sampled_from(["In", "NotIn"]), NODE_OPERATORS),
        values=st.lists(odd_or(node_names, [""]), max_size=max_values),
    )


def node_terms_maybe_odd(*, max_size: int = 2) -> st.SearchStrategy[NodeSelectorTerm]:
    return st.builds(
        NodeSelectorTerm,
        match_expressions=st.lists(node_requirements_maybe_odd(), max_size=max_size),
        match_fields=st.lists(field_requirements_maybe_odd(), max_size=max_size),
    )


def node_selectors_maybe_odd(*, max_terms: int = 3) -> st.SearchStrategy[NodeSelector]:
    return st.builds(
        NodeSelector, node_selector_terms=st.lists(node_terms_maybe_odd(), max_size=max_terms)
    )


def node_affinities() -> st.SearchStrategy[NodeAffinity]:
    preferred = st.builds(
        PreferredSchedulingTerm, weight=st.integers(1, 100), preference=node_terms_maybe_odd()
    )
    return st.builds(
        NodeAffinity,
        required=st.none() | node_selectors_maybe_odd(),
        preferred=st.lists(preferred, max_size=2),
    )


def pod_affinity_terms() -> st.SearchStrategy[PodAffinityTerm]:
    return st.builds(
        PodAffinityTerm, label_selector=st.none() | label_selectors(), topology_key=keys
    )


def pod_affinities(*, max_terms: int = 2) -> st.SearchStrategy[Affinity]:
    """Draw what pods must have near them and far from them, and would like to."""
    required = st.lists(pod_affinity_terms(), max_size=max_terms)
    preferred = st.lists(
        st.builds(
            WeightedPodAffinityTerm,
            weight=st.integers(1, 100),
            pod_affinity_term=pod_affinity_terms(),
        ),
        max_size=1,
    )
    return st.builds(
        Affinity,
        pod_affinity=st.none() | st.builds(PodAffinity, required=required, preferred=preferred),
        pod_anti_affinity=st.none()
        | st.builds(PodAntiAffinity, required=required, preferred=preferred),
    )


def affinities() -> st.SearchStrategy[Affinity]:
    terms = st.lists(pod_affinity_terms(), max_size=2)
    return st.builds(
        Affinity,
        node_affinity=st.none() | node_affinities(),
        pod_affinity=st.none() | st.builds(PodAffinity, required=terms),
        pod_anti_affinity=st.none() | st.builds(PodAntiAffinity, required=terms),
    )


# -- taints and tolerations ------------------------------------------------------------------------


def taints() -> st.SearchStrategy[Taint]:
    return st.builds(Taint, key=keys, value=values, effect=st.sampled_from(EFFECTS))


def tolerations_maybe_odd() -> st.SearchStrategy[Toleration]:
    return st.builds(
        Toleration,
        key=odd_or(keys, [""]),
        operator=odd_or(st.sampled_from(["Exists", "Equal"]), ["", "exists"]),
        value=values,
        effect=odd_or(st.sampled_from(EFFECTS), [""]),
    )


# -- pods and nodes --------------------------------------------------------------------------------


def amounts(*, max_value: int = 8) -> st.SearchStrategy[str]:
    """Draw amounts, some of which are not whole."""
    return st.builds("{}{}".format, st.integers(0, max_value), st.sampled_from(["", "00m", "k"]))


def resource_lists(*, max_size: int = 3) -> st.SearchStrategy[dict[str, str]]:
    return st.dictionaries(st.sampled_from(RESOURCES), amounts(), max_size=max_size)


def container_ports() -> st.SearchStrategy[ContainerPort]:
    """Draw ports, some of which are not the host's."""
    return st.builds(
        ContainerPort,
        container_port=st.just(80),
        host_port=st.sampled_from([0, 80, 90]),
        host_ip=st.sampled_from(["", "0.0.0.0", "10.0.0.1", "10.0.0.2"]),  # noqa: S104
        protocol=st.sampled_from(["", "TCP", "UDP"]),
    )


def containers(*, max_ports: int = 2) -> st.SearchStrategy[Container]:
    return st.builds(
        lambda requests, ports: Container(
            name="main", ports=ports, resources=builders.container(requests=requests).resources
        ),
        resource_lists(),
        st.lists(container_ports(), max_size=max_ports),
    )


def volumes() -> st.SearchStrategy[Volume]:
    """Draw volumes of every kind that is counted, and one that is not looked at."""
    names, read_only = st.sampled_from(["d1", "d2"]), st.booleans()
    return st.one_of(
        st.just(Volume(name="secret")),
        st.builds(
            lambda name: Volume(
                persistent_volume_claim=PersistentVolumeClaimVolumeSource(claim_name=name)
            ),
            names,
        ),
        st.builds(
            lambda name, read_only: Volume(
                gce_persistent_disk=GCEPersistentDiskVolumeSource(pd_name=name, read_only=read_only)
            ),
            names,
            read_only,
        ),
        st.sampled_from(
            [
                Volume(aws_elastic_block_store=AWSElasticBlockStoreVolumeSource(volume_id="v")),
                Volume(iscsi=ISCSIVolumeSource(iqn="i")),
                Volume(rbd=RBDVolumeSource(monitors=("m1", "m2"), image="i", pool="p")),
                Volume(azure_disk=AzureDiskVolumeSource(disk_name="z")),
            ]
        ),
    )


def pods(
    *,
    keys: st.SearchStrategy[str] = pod_keys,
    node_names: st.SearchStrategy[str] = nothing,
    phases: st.SearchStrategy[str] = nothing,
    max_containers: int = 2,
    max_volumes: int = 2,
) -> st.SearchStrategy[Pod]:
    """Draw pods that wait, unless told otherwise."""
    return st.builds(
        builders.pod,
        keys,
        containers=st.lists(containers(), max_size=max_containers),
        init_containers=st.lists(containers(max_ports=1), max_size=1),
        labels=labels(),
        node_name=node_names,
        affinity=st.none() | affinities(),
        tolerations=st.lists(tolerations_maybe_odd(), max_size=1),
        volumes=st.lists(volumes(), max_size=max_volumes),
        priority=st.none() | st.integers(-1, 2),
        phase=phases,
    )


CONTAINERS = (
    builders.container("nothing"),
    builders.container(cpu=1, memory="1500m"),
    builders.container(cpu="1n", requests={"example.com/gpu": 0, "hugepages-2Mi": 3}),
    builders.container(memory=0, requests={"ephemeral-storage": 5, "example.com/gpu": 1}),
    builders.container(host_ports=["80"]),
    builders.container(host_ports=["10.0.0.1:80", "53/UDP"], requests={"widgets": 1}),
)
VOLUMES = (
    Volume(name="secret"),
    Volume(persistent_volume_claim=PersistentVolumeClaimVolumeSource(claim_name="c1")),
    Volume(iscsi=ISCSIVolumeSource(iqn="i")),
    Volume(iscsi=ISCSIVolumeSource(iqn="i", read_only=True)),
)
AFFINITIES = (
    None,
    Affinity(node_affinity=NodeAffinity()),
    Affinity(pod_affinity=PodAffinity()),
    Affinity(pod_anti_affinity=PodAntiAffinity()),
)


def counted_pods(
    *,
    keys: st.SearchStrategy[str] = pod_keys,
    node_names: st.SearchStrategy[str] = nothing,
    phases: st.SearchStrategy[str] = nothing,
) -> st.SearchStrategy[Pod]:
    """Draw pods that differ in what a node counts, from ready-made parts: quick, for long tests."""
    return st.builds(
        builders.pod,
        keys,
        containers=st.lists(st.sampled_from(CONTAINERS), max_size=2),
        volumes=st.lists(st.sampled_from(VOLUMES), max_size=2),
        affinity=st.sampled_from(AFFINITIES),
        node_name=node_names,
        phase=phases,
    )


image_names = st.sampled_from(["web:1", "web:2", "db:1"])
image_sizes = st.sampled_from([10, 20])


def images(*, max_size: int = 2) -> st.SearchStrategy[list[ContainerImage]]:
    """Draw images under one or two names, of sizes that nodes may not agree on."""
    names = st.lists(image_names, min_size=1, max_size=2)
    return st.lists(
        st.builds(ContainerImage, names=names, size_bytes=image_sizes), max_size=max_size
    )


def nodes(*, names: st.SearchStrategy[str] = node_names) -> st.SearchStrategy[Node]:
    return st.builds(
        builders.node,
        names,
        cpu=st.sampled_from(["0", "1500m", "4"]),
        allocatable=resource_lists(max_size=1),
        labels=labels(max_size=2),
        annotations=labels(max_size=1),
        zone=zones,
        taints=st.lists(taints(), max_size=2),
        unschedulable=st.booleans(),
        conditions=st.dictionaries(
            st.sampled_from(["Ready", "OutOfDisk"]), st.sampled_from(["True", "False", "Unknown"])
        ),
        images=st.dictionaries(image_names, image_sizes, max_size=2),
    )


def counted_nodes(*, names: st.SearchStrategy[str] = node_names) -> st.SearchStrategy[Node]:
    """Draw nodes that differ in a few ways, most of them in one: quick, for long tests."""
    return st.builds(
        builders.node,
        names,
        cpu=st.sampled_from([1, 4]),
        zone=zones,
        taints=st.sampled_from([(), ("app:NoSchedule",)]),
        images=st.sampled_from([{}, {"web:1": 10}, {"web:1": 20, "db:1": 10}]),
    )


def services() -> st.SearchStrategy[Service]:
    return st.builds(
        lambda name, selector: Service(
            metadata=ObjectMeta(name=name, namespace="shop"), spec=ServiceSpec(selector=selector)
        ),
        st.sampled_from(["s1", "s2", "s3"]),
        st.none() | labels(max_size=1),
    )
