"""What holds whatever is assumed, bound and forgotten, in whatever order."""

from hypothesis import settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from kubesched.errors import SchedulingError
from kubesched.model import PersistentVolume, Pod
from kubesched.plugins.volume_binding import is_bound, is_reserved_for
from kubesched.runtime import InMemoryVolumeBinder, VolumeBindingError
from kubesched.state import Cluster
from tests.plugins.volume_binding.objects import using
from tests.plugins.volume_binding.strategies import CLAIMS, World, uses, worlds
from tests.runtime.volumes.binding import claim_in, picture, reasons

PODS = ("p1", "p2", "p3")
NODE_NAMES = ("n1", "n2", "n3")


class LifeOfVolumes(RuleBasedStateMachine):
    """Pods come and go, and no volume ever goes to two claims."""

    @initialize(world=worlds(only_waiting=True))
    def begin(self, world: World) -> None:
        self.binder = InMemoryVolumeBinder(Cluster.of(world.objects))
        self.assumed: dict[str, tuple[Pod, str]] = {}
        self.at_first = picture(self.binder.cluster)
        self.has_bound = False

    @rule(name=st.sampled_from(PODS), used=uses, node_name=st.sampled_from(NODE_NAMES))
    def assume(self, name: str, used: list[str], node_name: str) -> None:
        asked, before = using(*used, name=name), picture(self.binder.cluster)
        says_no = bool(reasons(self.binder, asked, node_name)) or name in self.assumed
        try:
            if not self.binder.assume_pod_volumes(asked, node_name):
                self.assumed[name] = (asked, node_name)
        except SchedulingError:
            assert says_no
            assert picture(self.binder.cluster) == before

    @precondition(lambda self: self.assumed)
    @rule(data=st.data())
    def bind(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.assumed)))
        asked, node_name = self.assumed[name]
        before = picture(self.binder.cluster)
        try:
            self.binder.bind_pod_volumes(asked, node_name)
        except VolumeBindingError:
            assert picture(self.binder.cluster) == before
        else:
            del self.assumed[name]
            self.has_bound = True

    @precondition(lambda self: self.assumed)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.assumed)))
        self.binder.forget_pod_volumes(self.assumed.pop(name)[0])

    @invariant()
    def each_bound_claim_has_its_own_volume(self) -> None:
        bound = [it for name in CLAIMS if is_bound(it := claim_in(self.binder, name))]
        names = [it.spec.volume_name for it in bound]
        assert len(set(names)) == len(names)
        volumes = self.binder.cluster.of_kind(PersistentVolume)
        assert all(is_reserved_for(volumes[it.spec.volume_name], it) for it in bound)

    @invariant()
    def nothing_is_left_of_what_was_forgotten(self) -> None:
        if not self.assumed and not self.has_bound:
            assert picture(self.binder.cluster) == self.at_first


LifeOfVolumes.TestCase.settings = settings(max_examples=50, stateful_step_count=15, deadline=None)
TestLifeOfVolumes = LifeOfVolumes.TestCase
