from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, strategies as st

from kubesched.builders import container, host_port, node, pod, taint, toleration
from kubesched.errors import KubeschedError, OptionError, QuantityError
from kubesched.model import (
    Affinity,
    Container,
    ContainerImage,
    ContainerPort,
    Node,
    NodeCondition,
    NodeSpec,
    NodeStatus,
    ObjectMeta,
    OwnerReference,
    Pod,
    PodSpec,
    PodStatus,
    ResourceRequirements,
    Taint,
    Toleration,
    Volume,
)
from kubesched.tolerations import tolerates
from tests.strategies import EFFECTS, keys, values


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("gpu=yes:NoSchedule", Taint(key="gpu", value="yes", effect="NoSchedule")),
        ("gpu:NoExecute", Taint(key="gpu", effect="NoExecute")),
        ("example.com/gpu=:NoSchedule", Taint(key="example.com/gpu", effect="NoSchedule")),
        ("a=b=c:NoSchedule", Taint(key="a", value="b=c", effect="NoSchedule")),
        ("a=b:c:NoSchedule", Taint(key="a", value="b:c", effect="NoSchedule")),
    ],
)
def test_a_taint_is_read_as_kubectl_writes_it(text: str, made: Taint) -> None:
    assert taint(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("*", Toleration(operator="Exists")),
        ("gpu", Toleration(key="gpu", operator="Exists")),
        ("gpu=yes", Toleration(key="gpu", operator="Equal", value="yes")),
        ("gpu=", Toleration(key="gpu", operator="Equal")),
        ("gpu:NoExecute", Toleration(key="gpu", operator="Exists", effect="NoExecute")),
        (
            "gpu=yes:NoSchedule",
            Toleration(key="gpu", operator="Equal", value="yes", effect="NoSchedule"),
        ),
    ],
)
def test_a_toleration_is_written_like_its_taint(text: str, made: Toleration) -> None:
    assert toleration(text) == made


@given(keys, values, st.sampled_from(EFFECTS))
def test_a_toleration_tolerates_the_taint_that_it_is_written_like(
    key: str, value: str, effect: str
) -> None:
    text = f"{key}={value}:{effect}"
    for part in (text, f"{key}={value}", f"{key}:{effect}", key, "*"):
        assert tolerates(toleration(part), taint(text))


@pytest.mark.parametrize(
    ("text", "address", "port", "protocol"),
    [
        pytest.param(9100, "", 9100, "TCP", id="a number"),
        ("9100", "", 9100, "TCP"),
        ("53/UDP", "", 53, "UDP"),
        ("10.0.0.1:53/UDP", "10.0.0.1", 53, "UDP"),
        ("10.0.0.1:9100", "10.0.0.1", 9100, "TCP"),
    ],
)
def test_a_host_port_is_read(text: str | int, address: str, port: int, protocol: str) -> None:
    assert host_port(text) == ContainerPort(
        container_port=port, host_port=port, host_ip=address, protocol=protocol
    )


@pytest.mark.parametrize(
    ("build", "text"),
    [
        pytest.param(
            lambda: taint("gpu"),
            "'gpu' is not a taint (expected something like 'gpu:NoSchedule')",
            id="a taint without effect",
        ),
        pytest.param(
            lambda: node("n", taints=["gpu=yes"]),
            "'gpu=yes' is not a taint (expected something like 'gpu:NoSchedule')",
            id="a node's taint without effect",
        ),
        pytest.param(
            lambda: host_port("http"),
            "'http' is not a host port (expected something like '53/UDP')",
            id="a port by its name",
        ),
        pytest.param(
            lambda: pod("p", host_ports=["10.0.0.1"]),
            "'10.0.0.1' is not a host port (expected something like '53/UDP')",
            id="an address without a port",
        ),
        pytest.param(
            lambda: host_port(-1),
            "-1 is not a host port (expected something like '53/UDP')",
            id="a port below 0",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(build: Any, text: str) -> None:
    with pytest.raises(OptionError) as caught:
        build()
    assert str(caught.value) == text


def test_an_amount_that_is_no_quantity_is_refused() -> None:
    with pytest.raises(KubeschedError) as caught:
        pod("web", cpu="half")
    assert type(caught.value) is QuantityError


def test_a_container_requests_its_amounts() -> None:
    made = container(
        "web", image="web:1", cpu=1, memory="1Gi", requests={"x/y": 2}, limits={"cpu": 2}
    )
    assert made == Container(
        name="web",
        image="web:1",
        resources=ResourceRequirements(
            requests={"cpu": 1, "memory": "1Gi", "x/y": 2}, limits={"cpu": 2}
        ),
    )


def test_a_container_that_says_nothing_requests_nothing() -> None:
    assert container() == Container(name="main")


def test_an_amount_of_zero_is_written_down() -> None:
    assert container(cpu=0).resources.requests.keys() == {"cpu"}


def test_a_pod_has_one_container_made_of_what_it_says() -> None:
    made = pod("web", cpu="1", memory="1Gi", image="web:1", host_ports=[80], limits={"cpu": 2})
    assert made.spec.containers == (
        container(cpu="1", memory="1Gi", image="web:1", host_ports=[80], limits={"cpu": 2}),
    )


@pytest.mark.parametrize(
    ("name", "key"), [("web", "default/web"), ("shop/web", "shop/web"), ("/web", "default/web")]
)
def test_a_pod_is_in_the_default_namespace_unless_it_says_so(name: str, key: str) -> None:
    assert pod(name).key == key


def test_a_pod_is_what_its_keywords_say() -> None:
    owner = OwnerReference(name="rs", controller=True)
    created = datetime(2018, 9, 1, tzinfo=UTC)
    made = pod(
        "shop/web",
        containers=[container("a"), container("b")],
        init_containers=[container("c")],
        labels={"app": "web"},
        annotations={"note": "x"},
        owner=owner,
        node_name="n1",
        node_selector={"disk": "ssd"},
        affinity=Affinity(),
        tolerations=["spot", Toleration(key="gpu")],
        volumes=[Volume(name="v")],
        priority=5,
        scheduler_name="mine",
        phase="Running",
        created=created,
    )
    assert made == Pod(
        metadata=ObjectMeta(
            name="web",
            namespace="shop",
            labels={"app": "web"},
            annotations={"note": "x"},
            owner_references=[owner],
            creation_timestamp=created,
        ),
        spec=PodSpec(
            containers=[container("a"), container("b")],
            init_containers=[container("c")],
            node_name="n1",
            node_selector={"disk": "ssd"},
            affinity=Affinity(),
            tolerations=[toleration("spot"), Toleration(key="gpu")],
            volumes=[Volume(name="v")],
            priority=5,
            scheduler_name="mine",
        ),
        status=PodStatus(phase="Running"),
    )


def test_a_pod_may_have_no_container() -> None:
    assert pod("web", containers=[]).spec.containers == ()


def test_a_node_is_what_its_keywords_say() -> None:
    amounts: dict[str, str | int] = {"cpu": 8, "memory": "32Gi", "pods": 10, "x/y": 1}
    made = node(
        "n1",
        cpu=8,
        memory="32Gi",
        pods=10,
        allocatable={"x/y": 1},
        labels={"disk": "ssd"},
        annotations={"note": "x"},
        taints=["gpu:NoSchedule", Taint(key="spot")],
        unschedulable=True,
        conditions={"Ready": "True", "OutOfDisk": "False"},
        images={"web:1": 10},
    )
    assert made == Node(
        metadata=ObjectMeta(
            name="n1",
            labels={"kubernetes.io/hostname": "n1", "disk": "ssd"},
            annotations={"note": "x"},
        ),
        spec=NodeSpec(unschedulable=True, taints=[taint("gpu:NoSchedule"), Taint(key="spot")]),
        status=NodeStatus(
            capacity=amounts,
            allocatable=amounts,
            conditions=[
                NodeCondition(type="Ready", status="True"),
                NodeCondition(type="OutOfDisk", status="False"),
            ],
            images=[ContainerImage(names=["web:1"], size_bytes=10)],
        ),
    )


def test_a_node_has_room_for_a_few_pods_unless_it_says_otherwise() -> None:
    assert (
        node("n1").status.allocatable == node("n1", cpu=4, memory="16Gi", pods=110).status.capacity
    )


@pytest.mark.parametrize("domain", ["failure-domain.beta.kubernetes.io", "topology.kubernetes.io"])
def test_a_node_has_its_zone_and_region_under_old_and_new_labels(domain: str) -> None:
    labels = node("n1", zone="eu-1a", region="eu-1").labels
    assert (labels[f"{domain}/zone"], labels[f"{domain}/region"]) == ("eu-1a", "eu-1")


def test_a_node_without_a_zone_has_no_label_for_it() -> None:
    assert node("n1").labels.keys() == {"kubernetes.io/hostname"}


def test_labels_have_the_last_word() -> None:
    made = node("n1", zone="a", labels={"topology.kubernetes.io/zone": "b"})
    assert made.labels["topology.kubernetes.io/zone"] == "b"


def test_what_has_no_keyword_is_set_with_evolve() -> None:
    made = pod("web")
    assert evolve(made, spec=evolve(made.spec, host_network=True)).spec.host_network
