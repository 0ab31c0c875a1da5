"""What becomes of the neighbours when pods come and go."""

import pytest
from hypothesis import assume, given, strategies as st

from kubesched.builders import node, pod
from kubesched.framework import FITS, FollowsPods, Reason
from kubesched.model import Affinity, KubeObject, Pod
from kubesched.plugins.pod_affinity.node_by_node import NodeByNode
from kubesched.plugins.pod_affinity.reasons import KEPT_OFF, TOO_FAR, TOO_NEAR
from kubesched.plugins.pod_affinity.required import Neighbours, prepare_neighbours
from kubesched.state import NodeInfo
from tests.plugins.asking import nodes_of, snapshot_of
from tests.plugins.pod_affinity import naive
from tests.plugins.pod_affinity.saying import ODD, saying, term
from tests.plugins.pod_affinity.worlds import asked_pods, pods, usual_terms, worlds

A1, A2 = (node(name, labels={"zone": "a"}) for name in ("a1", "a2"))
FAR_FROM_WEB = saying(far=[term("web")])


def web(affinity: Affinity | None = None) -> Pod:
    return pod("web", labels={"app": "web"}, affinity=affinity)


def db(affinity: Affinity | None = None, node_name: str = "a1") -> Pod:
    return pod("db", labels={"app": "db"}, affinity=affinity, node_name=node_name)


def neighbours(asked: Pod, *objects: KubeObject) -> Neighbours:
    meta = prepare_neighbours(asked, snapshot_of([A1, A2, *objects]))
    assert isinstance(meta, Neighbours)
    return meta


ON_A1, ON_A2 = NodeInfo.of(A1), NodeInfo.of(A2)


@pytest.mark.parametrize(
    ("asked", "other", "with_it", "without_it"),
    [
        pytest.param(web(), db(FAR_FROM_WEB), KEPT_OFF.reasons, (), id="who minds"),
        pytest.param(
            web(saying(far=[term("db")])), db(), TOO_NEAR.reasons, (), id="who is not wanted"
        ),
        pytest.param(web(saying(near=[term("db")])), db(), (), TOO_FAR.reasons, id="who is wanted"),
        pytest.param(web(), db(), (), (), id="who does not matter"),
    ],
)
def test_a_pod_that_comes_or_goes_makes_a_difference_for_its_whole_zone(
    asked: Pod, other: Pod, with_it: tuple[Reason, ...], without_it: tuple[Reason, ...]
) -> None:
    before, after = neighbours(asked), neighbours(asked, other)
    assert before.add_pod(other, ON_A1) == after
    assert after.remove_pod(other, ON_A1) == before
    for info in (ON_A1, ON_A2):
        assert before.verdict(info).reasons == without_it
        assert after.verdict(info).reasons == with_it


@pytest.mark.parametrize(
    ("asked", "other", "expected"),
    [
        pytest.param(web(), db(FAR_FROM_WEB, ""), KEPT_OFF.reasons, id="it may mind"),
        pytest.param(web(saying(far=[term("db")])), db(node_name=""), (), id="nobody minds it"),
        pytest.param(
            web(saying(near=[term("db")])), db(node_name=""), TOO_FAR.reasons, id="nor wants it"
        ),
    ],
)
def test_a_nominated_pod_counts_for_what_it_says_itself(
    asked: Pod, other: Pod, expected: tuple[Reason, ...]
) -> None:
    assert neighbours(asked).add_pod(other, ON_A1).verdict(ON_A1).reasons == expected


def test_a_nominated_pod_that_cannot_be_understood_is_not_seen() -> None:
    before = neighbours(web())
    odd = db(saying(far=[term("web"), term(ODD)]), "")
    assert before.add_pod(odd, ON_A1) == before


def test_a_pod_that_is_put_back_is_unwanted_by_the_terms_about_it() -> None:
    asked = web(saying(far=[term("db", "row"), term("cache")]))
    whole = neighbours(asked, db())
    again = whole.remove_pod(db(), ON_A1).add_pod(db(), ON_A1)
    assert again == whole
    assert again.verdict(ON_A1).reasons == ()


def test_what_if_leaves_what_is_as_it_is() -> None:
    before = neighbours(web(), db(FAR_FROM_WEB))
    before.remove_pod(db(FAR_FROM_WEB), ON_A1).add_pod(db(FAR_FROM_WEB), ON_A2)
    assert before == neighbours(web(), db(FAR_FROM_WEB))


# -- laws --------------------------------------------------------------------------------------


@given(worlds(), asked_pods, st.data())
def test_one_pod_less_is_as_if_it_had_never_been_there(
    objects: list[KubeObject], asked: Pod, data: st.DataObject
) -> None:
    placed = [each for each in objects if isinstance(each, Pod)]
    assume(placed)
    gone = data.draw(st.sampled_from(placed))
    whole, rest = snapshot_of(objects), snapshot_of(it for it in objects if it is not gone)
    before, after = prepare_neighbours(asked, whole), prepare_neighbours(asked, rest)
    info = rest.node_infos[gone.node_name]
    assert before.remove_pod(gone, info) == after
    assert after.add_pod(gone, whole.node_infos[gone.node_name]) == before


@given(worlds(), asked_pods, st.data())
def test_one_pod_less_never_brings_up_anti_affinity(
    objects: list[KubeObject], asked: Pod, data: st.DataObject
) -> None:
    snapshot = snapshot_of(objects)
    placed = [each for each in objects if isinstance(each, Pod)]
    assume(placed)
    gone = data.draw(st.sampled_from(placed))
    before = prepare_neighbours(asked, snapshot)
    after = before.remove_pod(gone, snapshot.node_infos[gone.node_name])
    for info in nodes_of(snapshot):
        was, is_now = before.verdict(info), after.verdict(info)
        assert was == KEPT_OFF or is_now != KEPT_OFF
        assert was != FITS or is_now != TOO_NEAR


nominated_pods = pods(["q1", "q2"], usual_terms)


@given(worlds(), asked_pods, st.lists(nominated_pods, max_size=3, unique_by=lambda it: it.key))
def test_nominated_pods_count_as_if_they_were_asked_like_all_others(
    objects: list[KubeObject], asked: Pod, nominated: list[Pod]
) -> None:
    snapshot = snapshot_of(objects)
    for info in nodes_of(snapshot):
        meta, crowded = prepare_neighbours(asked, snapshot), info.clone()
        for each in nominated:
            crowded.add_pod(each)
            meta = meta.add_pod(each, crowded)
        others = (it for it in snapshot.node_infos.values() if it is not info)
        placed = naive.placed_in([*others, crowded])
        expected = naive.reasons_with_overview(asked, placed, crowded)
        assert meta.verdict(crowded).reasons == expected


@pytest.mark.parametrize("kind", [Neighbours, NodeByNode])
def test_the_engine_sees_that_it_follows_pods(kind: type) -> None:
    assert issubclass(kind, FollowsPods)
