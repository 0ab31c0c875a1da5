"""Two situations come together in one."""

from random import Random

from attrs import evolve
from hypothesis import given, strategies as st

from kubesched import node, pod
from kubesched.model import Node, ObjectMeta, Service, ServiceSpec, Toleration
from kubesched.testing import Situation, situations
from kubesched.testing.laws.crossing import crossed

WEB = Situation(
    pod("web", labels={"app": "web"}, tolerations=["gpu"]),
    [node("n1", labels={"disk": "ssd"}), node("n2"), pod("db", node_name="n1")],
)
CHANCES = st.randoms(use_true_random=False)


@given(situations(), CHANCES)
def test_a_situation_and_itself_are_the_same(situation: Situation, chance: Random) -> None:
    assert crossed(situation, situation, chance) == situation


@given(situations(), situations(), CHANCES)
def test_names_are_those_of_the_first_one(one: Situation, other: Situation, chance: Random) -> None:
    both = crossed(one, other, chance)
    assert both.pod.key == one.pod.key
    assert [it.key for it in both.nodes] == [it.key for it in one.nodes]
    assert both.pods == one.pods


@given(CHANCES)
def test_a_node_keeps_its_own_host_name(chance: Random) -> None:
    one, other = Situation(WEB.pod, [node("n1")]), Situation(WEB.pod, [node("n2")])
    bare = Situation(WEB.pod, [Node(metadata=ObjectMeta(name="n1"))])
    assert crossed(one, other, chance) == one
    assert crossed(bare, other, chance).nodes[0].labels == {}
    assert crossed(one, bare, chance) == one


@given(situations(), situations(), CHANCES)
def test_every_label_is_one_of_both(one: Situation, other: Situation, chance: Random) -> None:
    labels = {*one.pod.labels.items(), *other.pod.labels.items()}
    both = crossed(one, other, chance).pod.labels
    assert both.items() <= labels
    assert both.keys() == {key for key, _ in labels}


def test_what_only_one_has_is_there() -> None:
    spec = evolve(WEB.pod.spec, tolerations=(), priority=7)
    other = Situation(
        evolve(WEB.pod, spec=spec),
        [node("a", taints=["spot:NoSchedule"]), Service(spec=ServiceSpec(selector={"a": "b"}))],
    )
    both = crossed(WEB, other, Random(0))  # noqa: S311 - not for secrets
    assert both.pod.spec.priority == 7
    assert [it.key for it in both.pod.spec.tolerations] == ["gpu"]
    assert [it.key for it in both.nodes[0].spec.taints] == ["spot"]
    assert both.nodes[0].labels["disk"] == "ssd"
    assert [it.kind for it in both.objects] == ["Node", "Node", "Pod", "Service"]


def test_where_both_have_something_either_may_be_taken() -> None:
    spot = evolve(WEB.pod.spec, tolerations=[Toleration(key="spot")])
    other = Situation(evolve(WEB.pod, spec=spot), WEB.objects)
    chance = Random(0)  # noqa: S311 - not for secrets
    found = {crossed(WEB, other, chance).pod.spec.tolerations[0].key for _ in range(20)}
    assert found == {"gpu", "spot"}
