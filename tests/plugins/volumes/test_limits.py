"""How many volumes of a kind a node takes."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from kubesched.config import FeatureGates, stock_registry
from kubesched.errors import OptionError
from kubesched.framework import SKIP, PredicateSpec
from kubesched.model import DiskSource, KubeObject
from kubesched.plugins.volumes import (
    KUBE_MAX_PD_VOLS,
    MAX_AZURE_DISK_VOLUME_COUNT,
    MAX_EBS_VOLUME_COUNT,
    MAX_GCE_PD_VOLUME_COUNT,
    UnusableClaimError,
    max_azure_disk_volume_count,
    max_ebs_volume_count,
    max_gce_pd_volume_count,
)
from kubesched.plugins.volumes.kinds import INSTANCE_TYPE_LABEL, ebs_limit
from kubesched.plugins.volumes.limits import TOO_MANY_VOLUMES
from kubesched.state import Facet
from tests.plugins.asking import fits, ready, reasons, snapshot_of
from tests.plugins.volumes.making import (
    asking,
    azure,
    claim,
    csi,
    ebs,
    gce,
    iscsi,
    many,
    node,
    placed,
    volume,
)


class Kind(NamedTuple):
    """A kind of volumes: its predicate, a disk of it, how many a node takes, and another kind."""

    spec: PredicateSpec[Any]
    made: Callable[..., PredicateSpec[Any]]
    disk: Callable[[str], DiskSource]
    resource: str
    usual: int
    other: DiskSource


KINDS = [
    Kind(
        MAX_EBS_VOLUME_COUNT,
        max_ebs_volume_count,
        ebs,
        "attachable-volumes-aws-ebs",
        39,
        gce("a"),
    ),
    Kind(
        MAX_GCE_PD_VOLUME_COUNT,
        max_gce_pd_volume_count,
        gce,
        "attachable-volumes-gce-pd",
        16,
        azure("a"),
    ),
    Kind(
        MAX_AZURE_DISK_VOLUME_COUNT,
        max_azure_disk_volume_count,
        azure,
        "attachable-volumes-azure-disk",
        16,
        ebs("a"),
    ),
]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.spec.name)

FULL = ["node(s) exceed max volume count"]


def some(kind: Kind, count: int) -> list[DiskSource]:
    return [kind.disk(f"v{number}") for number in range(count)]


@each_kind
def test_a_node_takes_as_many_as_usual(kind: Kind) -> None:
    asked = asking(kind.disk("mine"))
    assert fits(kind.spec, asked, node(), *many(some(kind, kind.usual - 1)))
    assert reasons(kind.spec, asked, node(), *many(some(kind, kind.usual))) == FULL


@each_kind
@pytest.mark.parametrize("limit", [0, 1, 3, 50])
def test_a_node_takes_as_many_as_it_says(kind: Kind, limit: int) -> None:
    there = node({kind.resource: limit})
    assert fits(kind.spec, asking(*some(kind, limit)), there)
    assert reasons(kind.spec, asking(*some(kind, limit + 1)), there) == FULL


@each_kind
def test_or_as_many_as_it_is_told_to(kind: Kind) -> None:
    five = kind.made(5)
    assert fits(five, asking(*some(kind, 5)), node())
    assert not fits(five, asking(*some(kind, 6)), node())
    assert fits(five, asking(*some(kind, 6)), node({kind.resource: 6}))
    with pytest.raises(OptionError, match=f"max_volumes of '{kind.spec.name}' is 0, expected"):
        kind.made(0)


@each_kind
def test_what_a_node_says_may_be_left_out_of_account(kind: Kind) -> None:
    usual = kind.made(node_limits=False)
    assert fits(usual, asking(*some(kind, 2)), node({kind.resource: 1}))
    assert not fits(usual, asking(*some(kind, kind.usual + 1)), node({kind.resource: 99}))


class Case(NamedTuple):
    """A node that takes two: what is there, what the pod mounts, and whether that is too much."""

    says: str
    there: list[list[str]]
    mounts: list[str]
    refused: bool


CASES = [
    Case("a disk mounted twice is one", [["a"], ["a"]], ["b"], refused=False),
    Case("a disk that is there already is not new", [["a"], ["b"]], ["a"], refused=False),
    Case("the pod's own disk twice is one", [["a"]], ["b", "b"], refused=False),
    Case("one too many", [["a"], ["b"]], ["c"], refused=True),
    Case("two new ones of which one is too many", [["a"]], ["b", "c"], refused=True),
    Case("no new one, but too many are there", [["a", "b", "c"]], ["a"], refused=True),
    Case("a claim on a disk of that kind", [["a"], ["@d"]], ["b"], refused=True),
    Case("a claim on a disk that is there already", [["d"], ["b"]], ["@d"], refused=False),
    Case("a claim on a disk of another kind", [["a"], ["b"]], ["@other"], refused=False),
    Case("a claim on another kind beside a new one", [["a"], ["@other"]], ["b"], refused=False),
    Case("a missing claim counts", [["a"], ["@gone"]], ["b"], refused=True),
    Case("so does one that is not bound", [["a"], ["@unbound"]], ["b"], refused=True),
    Case("so does one whose volume is missing", [["a"], ["@lost"]], ["b"], refused=True),
    Case("the same of the pod itself", [["a"], ["b"]], ["@gone"], refused=True),
    Case("two of them count as two", [["@gone"]], ["@unbound", "@lost"], refused=True),
    Case("the same one twice as one", [["@gone"], ["@gone"]], ["a"], refused=False),
    Case("and as there already", [["a"], ["@gone"]], ["@gone"], refused=False),
    Case("two claims on one disk are one", [["@d"], ["@again"]], ["b"], refused=False),
    Case("a secret is nothing", [["a", "b", "c"]], [], refused=False),
]


@each_kind
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.says)
def test_volumes_are_counted_once_each(kind: Kind, case: Case) -> None:
    def mounted(names: list[str]) -> list[DiskSource | str]:
        return [name[1:] if name[0] == "@" else kind.disk(name) for name in names]

    objects: list[KubeObject] = [
        claim("d", "pv"),
        claim("again", "pv"),
        volume("pv", kind.disk("d")),
        claim("other", "pv-other"),
        volume("pv-other", kind.other),
        claim("unbound"),
        claim("lost", "pv-lost"),
        *(placed(f"q{index}", *mounted(names)) for index, names in enumerate(case.there)),
    ]
    got = reasons(kind.spec, asking(*mounted(case.mounts)), node({kind.resource: 2}), *objects)
    assert got == (FULL if case.refused else [])


@each_kind
@pytest.mark.parametrize(
    "mounted",
    [
        pytest.param((), id="nothing"),
        pytest.param((iscsi("i"),), id="a disk that nobody counts"),
        pytest.param(("c",), id="a claim on a CSI volume"),
    ],
)
def test_a_pod_without_such_volumes_asks_no_node(kind: Kind, mounted: tuple[Any, ...]) -> None:
    snapshot = snapshot_of([node(), claim("c", "pv"), volume("pv", csi("h"))])
    assert ready(kind.spec, asking(*mounted), snapshot) is SKIP
    assert ready(kind.spec, asking(kind.other), snapshot) is SKIP


@each_kind
def test_a_claim_of_another_namespace_is_another_claim(kind: Kind) -> None:
    there = [node({kind.resource: 1}), claim("c", "pv"), volume("pv", kind.disk("d"))]
    assert fits(kind.spec, asking("c"), *there, placed("q", "c"))
    assert not fits(kind.spec, asking("c", name="shop/p"), *there, placed("q", "c"))


@each_kind
def test_a_claim_without_a_name_is_an_error(kind: Kind) -> None:
    with pytest.raises(UnusableClaimError, match=r"^PersistentVolumeClaim had no name$") as caught:
        fits(kind.spec, asking(""), node())
    assert caught.value.claim == "default/"
    with pytest.raises(UnusableClaimError):
        fits(kind.spec, asking(kind.disk("d")), node(), placed("q", ""))
    assert fits(kind.spec, asking(), node(), placed("q", ""))


def test_eviction_could_cure_it() -> None:
    assert TOO_MANY_VOLUMES.resolvable


# -- EBS and instance types ------------------------------------------------------------------------

INSTANCES = [
    *(
        (name, 25)
        for name in ("c5.large", "m5d.xlarge", "r5", "t3.nano", "z1d.large", "not3", "xz1d")
    ),
    *((name, 39) for name in ("", "t2.micro", "m4.large", "am5.large", "x1", "C5.large")),
]


@pytest.mark.parametrize(("instance", "limit"), INSTANCES)
def test_a_node_of_a_newer_generation_takes_less(instance: str, limit: int) -> None:
    labels = {INSTANCE_TYPE_LABEL: instance}
    assert ebs_limit(labels) == limit
    disks = [ebs(f"v{number}") for number in range(limit)]
    assert fits(MAX_EBS_VOLUME_COUNT, asking(*disks), node(labels=labels))
    assert not fits(MAX_EBS_VOLUME_COUNT, asking(ebs("one more"), *disks), node(labels=labels))


def test_what_is_said_counts_before_the_instance_type() -> None:
    labels, disks = {INSTANCE_TYPE_LABEL: "m5"}, [ebs(f"v{number}") for number in range(26)]
    assert fits(max_ebs_volume_count(26), asking(*disks), node(labels=labels))
    assert fits(
        MAX_EBS_VOLUME_COUNT,
        asking(*disks),
        node({"attachable-volumes-aws-ebs": 26}, labels=labels),
    )


# -- what is read, and how they are registered -----------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "reads"),
    [
        (max_ebs_volume_count(), {Facet.ALLOCATABLE, Facet.LABELS}),
        (max_ebs_volume_count(5), {Facet.ALLOCATABLE}),
        (max_ebs_volume_count(5, node_limits=False), set()),
        (max_gce_pd_volume_count(), {Facet.ALLOCATABLE}),
        (max_azure_disk_volume_count(node_limits=False), set()),
    ],
)
def test_labels_and_allocatable_are_read_only_where_they_matter(
    spec: PredicateSpec[Any], reads: set[Facet]
) -> None:
    always = {Facet.DISKS, Facet.PERSISTENT_VOLUMES, Facet.PERSISTENT_VOLUME_CLAIMS}
    assert spec.reads == always | reads


@each_kind
def test_the_registry_hands_on_the_environment_and_the_gate(kind: Kind) -> None:
    name = kind.spec.name
    off = FeatureGates(attach_volume_limit=False)
    environ = {KUBE_MAX_PD_VOLS: "3"}
    assert stock_registry().predicate(name) == kind.spec
    assert stock_registry(None, environ).predicate(name) == kind.made(3)
    assert stock_registry(off).predicate(name) == kind.made(node_limits=False)
    assert stock_registry(off, environ).predicate(name) == kind.made(3, node_limits=False)
