"""The loop has volumes kept, bound and given back."""

from kubesched.config import Profile
from kubesched.runtime import (
    InMemoryVolumeBinder,
    Result,
    VolumeBindingError,
)
from kubesched.state import Cluster
from tests.plugins.volume_binding.objects import claim, using, volume, waiting_class
from tests.runtime.schedulers import (
    N1,
    WEB,
    NoBinder,
    doing,
    one,
    profile,
    scheduler_over,
    volumes_that,
)


def test_a_pod_that_fails_forgets_its_volumes_once_they_are_assumed() -> None:
    volumes = volumes_that("assume", "bind", "forget")
    scheduler = scheduler_over(Cluster.of([N1, WEB]), volume_binder=volumes, binder=NoBinder())
    one(scheduler)
    assert volumes.done == ["assume web", "bind web", "forget web"]


def test_rules_that_do_not_look_at_volumes_leave_them_alone() -> None:
    volumes = volumes_that()
    rules = Profile.default().without("CheckVolumeBinding")
    scheduler = scheduler_over(Cluster.of([N1, WEB]), rules, volume_binder=volumes)
    assert one(scheduler).result is Result.BOUND
    assert volumes.done == []


def test_a_claim_that_waits_is_bound_with_its_pod() -> None:
    web = using("data", name="web")
    cluster = Cluster.of([N1, waiting_class(), claim(), volume(), web])
    scheduler = scheduler_over(cluster)
    assert one(scheduler).result is Result.BOUND
    assert InMemoryVolumeBinder(cluster).assume_pod_volumes(web, "n1")


def test_volumes_that_are_gone_when_they_are_to_be_assumed_are_an_error() -> None:
    web = using("data", name="web")
    cluster = Cluster.of([N1, waiting_class(), claim(), volume(), web])
    rules = profile(None, doing(lambda: cluster.remove(volume())))
    outcome = one(scheduler_over(cluster, rules))
    assert outcome.result is Result.SCHEDULER_ERROR
    assert isinstance(outcome.error, VolumeBindingError)
