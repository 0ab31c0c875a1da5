"""What may happen to a situation."""

from kubesched import node, pod
from kubesched.testing import Situation
from kubesched.testing.laws.changing import changes, new_pods
from tests.testing.laws.trying import identified


def test_pods_that_come_have_names_and_uids_of_their_own() -> None:
    there = identified(pod("db", node_name="n1"), "u1")
    here = Situation(identified(pod("web"), "u2"), [node("n1"), there])
    other = Situation(identified(pod("db"), "u2"), [identified(pod("cache"), "u1"), pod("web")])
    new = [*new_pods(here, other, here.nodes[0])]
    assert [it.name for it in new] == ["db-new", "cache", "web-new"]
    assert [it.uid for it in new] == ["u2-new", "u1-new", ""]
    assert {it.node_name for it in new} == {"n1"}


def test_a_pod_comes_to_a_node_that_there_is_not() -> None:
    here = Situation(pod("web"), [node("n1")])
    after = changes(here, Situation(pod("db")), here.nodes[0], [("app", "a")])
    assert any(it.pods and it.pods[0].node_name not in {"", "n1"} for it in after)
