"""Makes clusters and pods to measure on: plain Kubernetes objects, the same for the same seed.

    python tests/bench/workloads.py FOLDER [--kinds A,B,C,D,E] [--nodes 100,1000] [--seed TEXT]

Each workload is a folder `KIND-NODES` with nodes.jsonl, pods.jsonl and services.jsonl, an object a
line, the pods in the order in which they are to be placed. README.md says what each kind is for.
"""

import json
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias
from uuid import UUID

Manifest: TypeAlias = dict[str, Any]

MOST_PODS: Final = 10_000
MEBIBYTE: Final = 1024 * 1024
HOSTNAME: Final = "kubernetes.io/hostname"
ZONE: Final = "failure-domain.beta.kubernetes.io/zone"
REGION: Final = "failure-domain.beta.kubernetes.io/region"
POOL: Final = "example.com/pool"
ZONES: Final = ("north-a", "north-b", "north-c")

# Cores and GiB, in the nodes' turn.
UNIFORM: Final = ((32, 256),)
FOUR_SHAPES: Final = ((4, 16), (8, 32), (16, 64), (36, 72))
EIGHT_SHAPES: Final = (*FOUR_SHAPES, (8, 16), (8, 64), (48, 192), (64, 512))
POOL_SHAPES: Final = ((16, 64), (16, 128))
POOLS: Final = (*["general"] * 6, *["spot"] * 2, "gpu", "batch")
TAINTS: Final[Mapping[str, list[Manifest]]] = {
    "spot": [{"key": "example.com/spot", "value": "true", "effect": "PreferNoSchedule"}],
    "gpu": [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}],
    "batch": [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}],
}
DEFAULT_TOLERATIONS: Final = tuple(
    {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
)


class Workload(NamedTuple):
    """The objects of one workload, of which each kind goes to a file of its own."""

    nodes: Sequence[Manifest]
    pods: Sequence[Manifest]
    services: Sequence[Manifest] = ()


class Dice:
    """Chance that falls alike on every Python: only `Random.random` is promised to."""

    def __init__(self, seed: str) -> None:
        self._roll = Random(seed).random  # noqa: S311 - nothing here is secret

    def below(self, bound: int) -> int:
        return int(self._roll() * bound)

    def text(self, length: int, alphabet: str) -> str:
        return "".join(alphabet[self.below(len(alphabet))] for _ in range(length))

    def uid(self) -> str:
        return str(UUID(self.text(32, "0123456789abcdef")))


# -- nodes -----------------------------------------------------------------------------------------


def nodes_of(
    dice: Dice,
    count: int,
    shapes: Sequence[tuple[int, int]],
    *,
    apps: int = 0,
    pooled: bool = False,
) -> list[Manifest]:
    """Return nodes that take their shapes and pools in turn; some hold images of the apps."""
    return [
        node(
            dice,
            index,
            shapes[index % len(shapes)],
            apps=apps,
            pool=POOLS[index % len(POOLS)] if pooled else "",
        )
        for index in range(count)
    ]


def node(dice: Dice, index: int, shape: tuple[int, int], *, apps: int, pool: str) -> Manifest:
    """Return a node that is ready, in the zone whose turn it is."""
    name, (cores, gibibytes) = f"node-{index:05}", shape
    labels = {HOSTNAME: name, "beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "amd64"}
    labels |= {REGION: "north", ZONE: ZONES[index % len(ZONES)]}
    if pool:
        disk = "ssd" if index % 4 else "hdd"
        labels |= {POOL: pool, "disktype": disk, "generation": str(3 + index % 3)}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": dice.uid(), "labels": labels},
        "spec": {"taints": TAINTS[pool]} if pool in TAINTS else {},
        "status": {
            "capacity": room(cores * 1000, gibibytes * 1024),
            "allocatable": room(cores * 1000 - 80, gibibytes * 1000),
            "conditions": [{"type": "Ready", "status": "True"}],
            "images": images(dice, apps),
        },
    }


def room(milli_cpu: int, mebibytes: int) -> Manifest:
    """Return resources, with room for 110 pods."""
    amounts = {"cpu": f"{milli_cpu}m", "memory": f"{mebibytes}Mi"}
    return {**amounts, "ephemeral-storage": "100Gi", "pods": "110"}


def images(dice: Dice, apps: int) -> list[Manifest]:
    """Return the images that a node holds: a common one, and on 4 of 10 nodes up to 8 apps'."""
    held = [{"names": ["registry.example.com/proxy:1.12"], "sizeBytes": 92 * MEBIBYTE}]
    if apps and dice.below(10) < 4:
        for app in sorted({dice.below(apps) for _ in range(1 + dice.below(8))}):
            size = (25 + 37 * (7 * app % 29)) * MEBIBYTE
            held.append({"names": [image(app)], "sizeBytes": size})
    return held


# -- pods and services -----------------------------------------------------------------------------


def template(dice: Dice, app: int, namespace: str = "shop", **spec: Any) -> Manifest:
    """Return what all pods of an app share: its requests follow from its number."""
    name = f"app-{app:02}"
    owner = f"{name}-{dice.text(9, 'bcdfghjklmnpqrstvwxz2456789')}"
    reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": owner, "uid": dice.uid()}
    requests = {"cpu": f"{100 + 50 * (3 * app % 10)}m", "memory": f"{200 + 64 * (7 * app % 11)}Mi"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "generateName": f"{owner}-",
            "namespace": namespace,
            "labels": {"app": name, "tier": f"tier-{app % 3}"},
            "ownerReferences": [{**reference, "controller": True}],
        },
        "spec": {
            "containers": [container(app, requests)],
            "volumes": [{"name": "token", "secret": {"secretName": f"{name}-token"}}],
            **spec,
            "tolerations": [*spec.get("tolerations", ()), *DEFAULT_TOLERATIONS],
        },
        "status": {"phase": "Pending"},
    }


def container(app: int, requests: Manifest) -> Manifest:
    """Return the one container of an app's pods."""
    ports = [{"containerPort": 8080, "protocol": "TCP"}]
    resources = {"requests": requests}
    return {"name": "main", "image": image(app), "ports": ports, "resources": resources}


def image(app: int) -> str:
    return f"registry.example.com/app-{app:02}:1.{app % 5}"


def pods_of(dice: Dice, templates: Sequence[Manifest], nodes: int) -> list[Manifest]:
    """Return pods that take their templates in turn: two for each node, but not too many."""
    return [
        pod(dice, index, templates[index % len(templates)])
        for index in range(min(2 * nodes, MOST_PODS))
    ]


def pod(dice: Dice, index: int, made_from: Manifest) -> Manifest:
    """Return a pod that waits for a node."""
    shared = made_from["metadata"]
    own = {"name": f"{shared['generateName']}{index:05}", "uid": dice.uid()}
    return {**made_from, "metadata": {**shared, **own}}


def service(dice: Dice, made_from: Manifest) -> Manifest:
    """Return the service in front of a template's pods."""
    shared = made_from["metadata"]
    app = shared["labels"]["app"]
    metadata = {"name": app, "namespace": shared["namespace"], "uid": dice.uid()}
    spec = {"selector": {"app": app}, "ports": [{"port": 80, "targetPort": 8080}]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


# -- workloads -------------------------------------------------------------------------------------


def uniform(dice: Dice, nodes: int) -> Workload:
    """Return one template on one shape."""
    only = template(dice, 0)
    return Workload(nodes_of(dice, nodes, UNIFORM), pods_of(dice, [only], nodes))


def mixed(dice: Dice, nodes: int) -> Workload:
    """Return 50 templates on four shapes, every second template behind a service."""
    templates = [template(dice, app, ("shop", "ops", "data")[app % 3]) for app in range(50)]
    return Workload(
        nodes_of(dice, nodes, FOUR_SHAPES, apps=50),
        pods_of(dice, templates, nodes),
        [service(dice, each) for each in templates[::2]],
    )


def all_different(dice: Dice, nodes: int) -> Workload:
    """Return pods of which no two request the same, on eight shapes."""
    pods = pods_of(dice, [template(dice, app) for app in range(20)], nodes)
    for index, each in enumerate(pods):
        own = container(index % 20, own_requests(dice, index))
        each["spec"] = {**each["spec"], "containers": [own]}
    return Workload(nodes_of(dice, nodes, EIGHT_SHAPES, apps=20), pods)


def own_requests(dice: Dice, index: int) -> Manifest:
    """Return 50m to 6.4 cores, few more often than many, and memory that ends in the index."""
    scale = 50 << dice.below(7)
    milli_cpu = scale + dice.below(scale)
    memory = milli_cpu * (1 + dice.below(6)) * MEBIBYTE + index
    return {"cpu": f"{milli_cpu}m", "memory": str(memory)}


def anti_affinity(dice: Dice, nodes: int) -> Workload:
    """Return 20 apps that must not meet themselves on a host, each behind a service."""
    when = "requiredDuringSchedulingIgnoredDuringExecution"
    templates = [
        template(dice, app, affinity={"podAntiAffinity": {when: [pods_like(app, HOSTNAME)]}})
        for app in range(20)
    ]
    return Workload(
        nodes_of(dice, nodes, FOUR_SHAPES, apps=20),
        pods_of(dice, templates, nodes),
        [service(dice, each) for each in templates],
    )


def preferences(dice: Dice, nodes: int) -> Workload:
    """Return 30 apps that prefer some nodes and other apps, on pools of which some are tainted."""
    templates = [
        template(dice, app, affinity=liking(app, apps=30), **pool_of(app)) for app in range(30)
    ]
    return Workload(
        nodes_of(dice, nodes, POOL_SHAPES, apps=30, pooled=True),
        pods_of(dice, templates, nodes),
        [service(dice, each) for each in templates[::2]],
    )


def liking(app: int, *, apps: int) -> Manifest:
    """Return preferences: fast disks, a zone or newer nodes, near the next app, often not alike."""
    fast = {"key": "disktype", "operator": "In", "values": ["ssd"]}
    zone = {"key": ZONE, "operator": "In", "values": [ZONES[app % 3]]}
    newer = {"key": "generation", "operator": "Gt", "values": ["3"]}
    near = {"weight": 10 + 10 * (app % 5), "podAffinityTerm": pods_like((app + 1) % apps, ZONE)}
    apart = {"weight": 100, "podAffinityTerm": pods_like(app, HOSTNAME)}
    return {
        "nodeAffinity": preferred(
            {"weight": 60, "preference": {"matchExpressions": [fast]}},
            {"weight": 20, "preference": {"matchExpressions": [zone if app % 2 else newer]}},
        ),
        "podAffinity": preferred(near),
        **({"podAntiAffinity": preferred(apart)} if app % 3 else {}),
    }


def preferred(*terms: Manifest) -> Manifest:
    return {"preferredDuringSchedulingIgnoredDuringExecution": list(terms)}


def pods_like(app: int, topology_key: str) -> Manifest:
    """Return the term that selects an app's pods."""
    selector = {"matchLabels": {"app": f"app-{app:02}"}}
    return {"labelSelector": selector, "topologyKey": topology_key}


def pool_of(app: int) -> Manifest:
    """Return a node selector or toleration: for a closed pool, for an open one, or none."""
    dedicated = [{"key": "dedicated", "operator": "Exists"}]
    choices: dict[int, Manifest] = {
        2: {"nodeSelector": {POOL: "gpu"}, "tolerations": dedicated},
        3: {"nodeSelector": {POOL: "general"}},
        4: {"nodeSelector": {POOL: "batch"}, "tolerations": dedicated},
        5: {"tolerations": [{"key": "example.com/spot", "operator": "Exists"}]},
    }
    return choices.get(app % 6, {})


KINDS: Final[Mapping[str, Callable[[Dice, int], Workload]]] = {
    "A": uniform,
    "B": mixed,
    "C": all_different,
    "D": anti_affinity,
    "E": preferences,
}


def make_workload(kind: str, nodes: int, seed: str = "0") -> Workload:
    """Return a workload of a kind."""
    return KINDS[kind](Dice(f"{seed}/{kind}/{nodes}"), nodes)


def write_workload(made: Workload, folder: Path) -> None:
    """Write a workload to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, manifests in made._asdict().items():
        lines = [json.dumps(each, separators=(",", ":")) + "\n" for each in manifests]
        (folder / f"{name}.jsonl").write_text("".join(lines), "utf-8", newline="\n")


# -- the command -----------------------------------------------------------------------------------


def kinds(text: str) -> list[str]:
    """Read letters with commas between them."""
    letters = text.upper().split(",")
    if not KINDS.keys() >= set(letters):
        raise ArgumentTypeError(f"{text!r} has a kind that is none of {', '.join(KINDS)}")
    return letters


def counts(text: str) -> list[int]:
    """Read numbers with commas between them."""
    numbers = text.split(",")
    if not all(each.isdecimal() and int(each) for each in numbers):
        raise ArgumentTypeError(f"{text!r} is not a list of numbers above 0")
    return [int(each) for each in numbers]


def main() -> None:
    """Write what the command line asks for."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--kinds", type=kinds, default="A,B,C,D,E", metavar="A,B,…")
    parser.add_argument("--nodes", type=counts, default="100,1000", metavar="N,M,…")
    parser.add_argument("--seed", default="0", metavar="TEXT")
    options = parser.parse_args()
    for kind in options.kinds:
        for nodes in options.nodes:
            folder = options.folder / f"{kind}-{nodes}"
            write_workload(make_workload(kind, nodes, options.seed), folder)
            print(folder)  # noqa: T201 - it talks to whoever runs it


if __name__ == "__main__":
    main()
