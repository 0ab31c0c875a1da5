"""What the tests draw from: the library's strategies, and what may be wrong on purpose.

There are few names, keys and values, so that two draws are often about the same thing. All bounds
are keywords. What may be wrong says so in its name.
"""

from collections.abc import Iterable

from attrs import evolve
from hypothesis import strategies as st

from kubesched import builders, testing
from kubesched.model import (
    Affinity,
    Container,
    ContainerImage,
    ISCSIVolumeSource,
    LabelSelector,
    LabelSelectorRequirement,
    Node,
    NodeAffinity,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PersistentVolumeClaimVolumeSource,
    Pod,
    PodAffinity,
    PodAffinityTerm,
    PodAntiAffinity,
    PreferredSchedulingTerm,
    Service,
    Taint,
    Toleration,
    Volume,
    WeightedPodAffinityTerm,
)
from kubesched.quantity import Quantity
from kubesched.testing import Words

NODE_NAMES = ("n1", "n2", "n3", "n4")
POD_KEYS = ("shop/p1", "shop/p2", "shop/p3", "shop/p4", "batch/p1", "batch/p2")
KEYS = ("app", "tier", "example.com/cores")
VALUES = ("", "a", "b", "7", "12")
ZONES = ("", "east", "west")
EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
POD_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
NODE_OPERATORS = (*POD_OPERATORS, "Gt", "Lt")
RESOURCES = ("cpu", "memory", "ephemeral-storage", "example.com/gpu", "hugepages-2Mi", "widgets")

WORDS = Words(
    node_names=NODE_NAMES,
    namespaces=["shop", "batch"],
    keys=KEYS,
    values=VALUES,
    resources=RESOURCES,
    service_names=["s1", "s2", "s3"],
    claim_names=["d1", "d2"],
    volume_names=["d1", "d2"],
)

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
    return testing.labels(max_size=max_size, words=WORDS)


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


def requirements(*, max_values: int = 3) -> st.SearchStrategy[LabelSelectorRequirement]:
    return testing.label_selector_requirements(max_values=max_values, words=WORDS)


def label_selectors(*, max_size: int = 2) -> st.SearchStrategy[LabelSelector]:
    return testing.label_selectors(max_size=max_size, words=WORDS)


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


# -- taints and tolerations ------------------------------------------------------------------------


def taints() -> st.SearchStrategy[Taint]:
    return testing.taints(words=WORDS)


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


def resource_lists(*, max_size: int = 3) -> st.SearchStrategy[dict[str, Quantity]]:
    return testing.resource_lists(amounts=amounts(), max_size=max_size, words=WORDS)


def containers(*, max_ports: int = 2) -> st.SearchStrategy[Container]:
    """Draw containers that request this and that, and ports, some of which are the host's."""
    ports = st.lists(testing.container_ports(words=WORDS), max_size=max_ports)
    return st.builds(
        lambda requests, ports: evolve(builders.container(requests=requests), ports=ports),
        resource_lists(),
        ports,
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
    return testing.pods(
        name=keys,
        containers=st.lists(containers(), max_size=max_containers),
        init_containers=st.lists(containers(max_ports=1), max_size=1),
        labels=labels(),
        node_name=node_names,
        tolerations=st.lists(tolerations_maybe_odd(), max_size=1),
        volumes=st.lists(testing.volumes(words=WORDS), max_size=max_volumes),
        phase=phases,
        words=WORDS,
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
    return testing.nodes(name=names, words=WORDS)


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
    return testing.services(namespace="shop", words=WORDS)
