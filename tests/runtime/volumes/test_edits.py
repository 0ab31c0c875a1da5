"""Changes of which all are made or none."""

import pytest

from kubesched.errors import ClusterError
from kubesched.model import PersistentVolume
from kubesched.runtime.volumes.edits import Edit, make_all
from kubesched.state import Cluster
from tests.plugins.volume_binding.objects import volume

FREE, KEPT, MORE = volume(), volume(kept_for="data"), volume("more")


def test_all_changes_are_made() -> None:
    cluster = Cluster.of([FREE])
    make_all([Edit(FREE, KEPT), Edit(None, MORE)], cluster)
    assert dict(cluster.of_kind(PersistentVolume)) == {"pv": KEPT, "more": MORE}


@pytest.mark.parametrize(
    "last",
    [
        pytest.param(Edit(None, MORE), id="there already"),
        pytest.param(Edit(volume("gone"), volume("gone", kept_for="data")), id="not there"),
        pytest.param(Edit(volume("other"), volume("other", kept_for="data")), id="changed"),
    ],
)
def test_if_one_cannot_be_made_none_is(last: Edit) -> None:
    cluster = Cluster.of([FREE, volume("other", kept_for="logs")])
    before = dict(cluster.of_kind(PersistentVolume))
    with pytest.raises(ClusterError):
        make_all([Edit(FREE, KEPT), Edit(None, MORE), last], cluster)
    assert dict(cluster.of_kind(PersistentVolume)) == before


def test_a_change_that_changes_nothing_is_none() -> None:
    cluster = Cluster.of([FREE])
    heard: list[object] = []
    cluster.subscribe(heard.append)
    make_all([Edit(FREE, volume())], cluster)
    assert heard == []
