"""Objects in the JSON that Go writes."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given

from kubesched.builders import node, pod
from kubesched.manifests import read_wire
from kubesched.model import (
    Affinity,
    Container,
    ContainerImage,
    ContainerStatus,
    Node,
    NodeAffinity,
    NodeCondition,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    NodeStatus,
    ObjectMeta,
    OwnerReference,
    Pod,
    PodCondition,
    PodSpec,
    Taint,
)
from kubesched.plugins.http_extender.objects import go_json, plain
from tests.manifests.strategies import objects_of


@pytest.mark.parametrize(
    ("part", "written"),
    [
        pytest.param(
            Pod(metadata=ObjectMeta(name="bare")),
            '{"metadata":{"name":"bare","creationTimestamp":null},'
            '"spec":{"containers":null},"status":{}}',
            id="a pod of nothing",
        ),
        pytest.param(Container(name="c"), '{"name":"c","resources":{}}', id="a container"),
        pytest.param(PodSpec(priority=0), '{"containers":null,"priority":0}', id="a 0 that is set"),
        pytest.param(
            ObjectMeta(creation_timestamp=datetime(2019, 1, 2, 3, 4, 5, 999, UTC)),
            '{"creationTimestamp":"2019-01-02T03:04:05Z"}',
            id="a time, to the second",
        ),
        pytest.param(
            OwnerReference(controller=False),
            '{"apiVersion":"","kind":"","name":"","uid":"","controller":false}',
            id="an owner",
        ),
        pytest.param(
            ObjectMeta(labels={"z": "1", "a": "2"}),
            '{"creationTimestamp":null,"labels":{"a":"2","z":"1"}}',
            id="a map, sorted",
        ),
        pytest.param(
            PodCondition(type="Ready", reason="x"),
            '{"type":"Ready","status":"","lastProbeTime":null,"lastTransitionTime":null,'
            '"reason":"x"}',
            id="a pod's condition",
        ),
        pytest.param(
            NodeCondition(),
            '{"type":"","status":"","lastHeartbeatTime":null,"lastTransitionTime":null}',
            id="a node's condition",
        ),
        pytest.param(
            ContainerStatus(name="c", image="i"),
            '{"name":"c","state":{},"lastState":{},"ready":false,"restartCount":0,'
            '"image":"i","imageID":""}',
            id="a container's status",
        ),
        pytest.param(ContainerImage(), '{"names":null}', id="an image without names"),
        pytest.param(Taint(key="k"), '{"key":"k","effect":""}', id="a taint"),
        pytest.param(
            Affinity(
                node_affinity=NodeAffinity(
                    required=NodeSelector(
                        node_selector_terms=[
                            NodeSelectorTerm(match_expressions=[NodeSelectorRequirement()])
                        ]
                    )
                )
            ),
            '{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":'
            '{"nodeSelectorTerms":[{"matchExpressions":[{"key":"","operator":""}]}]}}}',
            id="an empty requirement",
        ),
        pytest.param(NodeSelector(), '{"nodeSelectorTerms":null}', id="no terms"),
        pytest.param(
            'a\b\f\n\x01"\\\\b\x7f', r'"a\u0008\u000c\n\u0001\"\\\\b' + '\x7f"', id="controls"
        ),
        pytest.param("<b>&\u2028é🌳", r'"\u003cb\u003e\u0026\u2028' + 'é🌳"', id="signs of HTML"),
        pytest.param("half \ud83d", '"half \ufffd"', id="half a character"),
    ],
)
def test_a_part_is_written_as_go_writes_it(part: Any, written: str) -> None:
    assert go_json(plain(part)).decode() == written


def test_a_node_has_what_go_adds_behind_its_conditions() -> None:
    status = plain(NodeStatus(phase="Running", images=[ContainerImage(names=["i"])]))
    assert [*status] == ["phase", "daemonEndpoints", "nodeInfo", "images"]
    assert status["daemonEndpoints"] == {"kubeletEndpoint": {"Port": 0}}
    assert set(status["nodeInfo"].values()) == {""}


def test_quantities_are_canonical() -> None:
    asked = plain(pod("p", cpu="0.5", memory="1024Mi"))["spec"]["containers"][0]["resources"]
    assert asked == {"requests": {"cpu": "500m", "memory": "1Gi"}}
    assert plain(node("n", cpu=2))["status"]["allocatable"]["cpu"] == "2"


def seconds(it: Any) -> Any:
    """Return what an object is once its times are cut to seconds, as text."""
    return json.loads(go_json(plain(it)))


@given(objects_of(Pod))
def test_a_pod_that_is_written_can_be_read_again(it: Pod) -> None:
    assert seconds(read_wire(Pod, seconds(it))) == seconds(it)


@given(objects_of(Node))
def test_a_node_that_is_written_can_be_read_again(it: Node) -> None:
    assert seconds(read_wire(Node, seconds(it))) == seconds(it)
