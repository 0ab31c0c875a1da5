"""Manifests that do not fit their models: each kind of fault in each sort of field."""

from io import StringIO

import pytest

from kubesched.manifests import ManifestError, load_objects

NODE = "kind: Node\nmetadata: {name: a1}\n"
POD = "kind: Pod\nmetadata: {name: cart, namespace: shop}\n"

FAULTS: list[tuple[str, str, str]] = [
    (
        "text for a document",
        "kind",
        ": 'kind' is no manifest (expected a mapping with apiVersion, kind and metadata)",
    ),
    (
        "a number for a document",
        "12",
        ": 12 is no manifest (expected a mapping with apiVersion, kind and metadata)",
    ),
    (
        "a number in an array",
        '[{"kind": "Namespace", "metadata": {"name": "x"}}, 5]',
        ", item 2: 5 is no manifest (expected a mapping with apiVersion, kind and metadata)",
    ),
    (
        "null in an array",
        "[null]",
        ", item 1: null is no manifest (expected a mapping with apiVersion, kind and metadata)",
    ),
    (
        "no kind",
        "metadata: {name: cart}",
        ", cart: kind is missing",
    ),
    (
        "an empty kind",
        'kind: ""',
        ": kind is missing",
    ),
    (
        "a number for a kind",
        "kind: 5",
        ": kind: 5 is not a string",
    ),
    (
        "a number for an API version",
        "apiVersion: 1\nkind: Node\nmetadata: {name: a1}\n",
        ", Node a1: apiVersion: 1 is not a string",
    ),
    (
        "text for the items of a list",
        "kind: PodList\nitems: none",
        ", PodList: items: 'none' is not a list",
    ),
    (
        "null among the items of a list",
        "kind: PodList\nitems: [~]",
        ", item 1: null is no manifest (expected a mapping with apiVersion, kind and metadata)",
    ),
    (
        "an item without a kind",
        "kind: List\nitems: [{metadata: {name: cart}}]",
        ", item 1, cart: kind is missing",
    ),
    (
        "no name",
        "kind: Node",
        ", Node: metadata.name is missing",
    ),
    (
        "a name that is yet to be generated",
        "kind: Pod\nmetadata: {namespace: shop, generateName: cart-}",
        ", Pod: metadata.name is missing (only an API server makes one of generateName)",
    ),
    (
        "a name that is a number",
        "kind: Node\nmetadata: {name: 5}",
        ", Node: metadata.name: 5 is not a string (put it in quotes)",
    ),
    (
        "text for the metadata",
        "kind: Node\nmetadata: a1",
        ", Node: metadata: 'a1' is not a mapping",
    ),
    (
        "a list for the spec",
        POD + "spec: []",
        ", Pod shop/cart: spec: a list is not a mapping",
    ),
    (
        "a mapping for a list",
        POD + "spec: {containers: {name: main}}",
        ", Pod shop/cart: spec.containers: a mapping is not a list",
    ),
    (
        "text in a list of mappings",
        POD + "spec: {containers: [main]}",
        ", Pod shop/cart: spec.containers[0]: 'main' is not a mapping",
    ),
    (
        "null in a list of mappings",
        POD + "spec: {containers: [~]}",
        ", Pod shop/cart: spec.containers[0]: null is not a mapping",
    ),
    (
        "null in a list of text",
        NODE + "status: {volumesInUse: [a, ~]}",
        ", Node a1: status.volumesInUse[1]: null is not a string",
    ),
    (
        "a list for a mapping",
        POD + "spec: {nodeSelector: [disk]}",
        ", Pod shop/cart: spec.nodeSelector: a list is not a mapping",
    ),
    (
        "a number for text",
        POD + "spec: {nodeName: 5}",
        ", Pod shop/cart: spec.nodeName: 5 is not a string (put it in quotes)",
    ),
    (
        "a version without quotes in a label",
        "kind: Pod\nmetadata: {name: cart, labels: {app.kubernetes.io/version: 1.10}}",
        ", Pod cart: metadata.labels['app.kubernetes.io/version']: 1.10 is not a string "
        "(put it in quotes)",
    ),
    (
        "a boolean in a label",
        "kind: Pod\nmetadata: {name: cart, labels: {canary: yes}}",
        ", Pod cart: metadata.labels.canary: true is not a string (put it in quotes)",
    ),
    (
        "a mapping for text",
        POD + "spec: {schedulerName: {}}",
        ", Pod shop/cart: spec.schedulerName: a mapping is not a string",
    ),
    (
        "text for an integer",
        POD + 'spec: {containers: [{name: a}, {ports: [{}, {hostPort: "80"}]}]}',
        ", Pod shop/cart: spec.containers[1].ports[1].hostPort: '80' is not an integer",
    ),
    (
        "a fraction for an integer",
        '{"kind": "Pod", "metadata": {"name": "cart", "namespace": "shop"}, "spec": '
        '{"priority": 1.0}}',
        ", Pod shop/cart: spec.priority: 1.0 is not an integer",
    ),
    (
        "a boolean for an integer",
        '{"kind": "Pod", "metadata": {"name": "cart", "namespace": "shop"}, "spec": '
        '{"priority": true}}',
        ", Pod shop/cart: spec.priority: true is not an integer",
    ),
    (
        "an integer too large",
        '{"kind": "Pod", "metadata": {"name": "cart", "namespace": "shop"}, "spec": '
        '{"priority": 9223372036854775808}}',
        ", Pod shop/cart: spec.priority: 9223372036854775808 is not an integer of 64 bits",
    ),
    (
        "text for a boolean",
        NODE + "spec: {unschedulable: 'yes'}",
        ", Node a1: spec.unschedulable: 'yes' is not a boolean (expected true or false)",
    ),
    (
        "a number for a boolean",
        NODE + "spec: {unschedulable: 1}",
        ", Node a1: spec.unschedulable: 1 is not a boolean (expected true or false)",
    ),
    (
        "a boolean for a number or a percentage",
        "kind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: true}",
        ", PodDisruptionBudget a: spec.maxUnavailable: true is neither an integer nor a string",
    ),
    (
        "a fraction for a number or a percentage",
        "kind: PodDisruptionBudget\nmetadata: {name: a}\nspec: {maxUnavailable: 0.5}",
        ", PodDisruptionBudget a: spec.maxUnavailable: 0.5 is neither an integer nor a string",
    ),
    (
        "a unit that no quantity has",
        NODE + "status: {allocatable: {memory: 16 GB}}",
        ", Node a1: status.allocatable.memory: '16 GB' is not a quantity (expected "
        "something like '16Gi' or '16G')",
    ),
    (
        "a quantity of an extended resource",
        NODE + "status: {allocatable: {nvidia.com/gpu: two}}",
        ", Node a1: status.allocatable['nvidia.com/gpu']: 'two' is not a quantity "
        "(expected something like '16Gi' or '16G')",
    ),
    (
        "a quantity that is true",
        NODE + "status: {allocatable: {cpu: on}}",
        ", Node a1: status.allocatable.cpu: true is not a quantity (expected something "
        "like '16Gi' or '16G')",
    ),
    (
        "a list for a quantity",
        NODE + "status: {capacity: {cpu: [1]}}",
        ", Node a1: status.capacity.cpu: a list is not a quantity (expected something like "
        "'16Gi' or '16G')",
    ),
    (
        "a quantity too large",
        NODE + "status: {capacity: {cpu: 1e200}}",
        ", Node a1: status.capacity.cpu: 1E+200 is not a quantity (expected less than 10^100)",
    ),
    (
        "a quantity in a claim",
        "kind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {resources: {requests: "
        "{storage: 10GiB}}}",
        ", PersistentVolumeClaim a: spec.resources.requests.storage: '10GiB' is not a "
        "quantity (expected something like '16Gi' or '16G')",
    ),
    (
        "a day for a time",
        "kind: Pod\nmetadata: {name: cart, creationTimestamp: 2018-11-29}",
        ", Pod cart: metadata.creationTimestamp: '2018-11-29' is not a time (expected "
        "something like '2018-11-29T13:00:00Z')",
    ),
    (
        "a time without an offset",
        NODE + "spec: {taints: [{timeAdded: 2018-11-29T13:00:00}]}",
        ", Node a1: spec.taints[0].timeAdded: '2018-11-29T13:00:00' is not a time "
        "(expected something like '2018-11-29T13:00:00Z')",
    ),
    (
        "a day that no month has",
        "kind: Pod\nmetadata: {name: cart, creationTimestamp: 2018-02-30T00:00:00Z}",
        ", Pod cart: metadata.creationTimestamp: '2018-02-30T00:00:00Z' is not a time "
        "(expected something like '2018-11-29T13:00:00Z')",
    ),
    (
        "a number for a time",
        "kind: Pod\nmetadata: {name: cart, deletionTimestamp: 1543496400}",
        ", Pod cart: metadata.deletionTimestamp: 1543496400 is not a time (expected "
        "something like '2018-11-29T13:00:00Z')",
    ),
    (
        "a time before all others",
        "kind: Pod\nmetadata: {name: cart, deletionTimestamp: '0001-01-01T00:00:00+14:00'}",
        ", Pod cart: metadata.deletionTimestamp: '0001-01-01T00:00:00+14:00' is not a time "
        "(expected something like '2018-11-29T13:00:00Z')",
    ),
    (
        "a time in a mapping",
        "kind: PodDisruptionBudget\nmetadata: {name: a}\nstatus: {disruptedPods: {cart: soon}}",
        ", PodDisruptionBudget a: status.disruptedPods.cart: 'soon' is not a time "
        "(expected something like '2018-11-29T13:00:00Z')",
    ),
    (
        "a long value",
        NODE + f"status: {{capacity: {{cpu: {'x' * 1000}}}}}",
        ", Node a1: status.capacity.cpu: "
        "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…' is not a quantity "
        "(expected something like '16Gi' or '16G')",
    ),
]


@pytest.mark.parametrize(
    ("content", "expected"),
    [fault[1:] for fault in FAULTS],
    ids=[fault[0] for fault in FAULTS],
)
def test_a_manifest_that_is_refused(content: str, expected: str) -> None:
    with pytest.raises(ManifestError) as caught:
        load_objects(StringIO(content))
    assert str(caught.value) == f"argument 1, document 1{expected}"
