"""Binders with one mistake each, as somebody makes it who writes a binder."""

from contextlib import suppress
from time import sleep

from attrs import define, evolve

from kubesched.errors import ClusterError
from kubesched.model import Binding, ObjectMeta
from kubesched.runtime import InMemoryBinder


@define(eq=False)
class BindsTwice(InMemoryBinder):
    """A pod that is on a node already is made anew on another."""

    def bind(self, binding: Binding, /) -> None:
        there = self.cluster.latest(binding.metadata)
        if there is None or there.is_terminating or self.cluster.is_assumed(there):
            super().bind(binding)
        else:
            self.cluster.remove_pod(there)
            self.cluster.add_pod(there.bound_to(binding.target.name))


@define(eq=False)
class SwallowsErrors(InMemoryBinder):
    """What cannot be bound is passed over in silence."""

    def bind(self, binding: Binding, /) -> None:
        with suppress(ClusterError):
            super().bind(binding)


@define(eq=False)
class BindsToAnotherNode(InMemoryBinder):
    """The names of nodes are mixed up."""

    def bind(self, binding: Binding, /) -> None:
        name = {"n1": "n2"}.get(binding.target.name, binding.target.name)
        super().bind(evolve(binding, target=evolve(binding.target, name=name)))


@define(eq=False)
class BindsBySheerName(InMemoryBinder):
    """A pod that is new gets the node of the one of its name that was before."""

    def bind(self, binding: Binding, /) -> None:
        bare = ObjectMeta(name=binding.metadata.name, namespace=binding.metadata.namespace)
        super().bind(evolve(binding, metadata=bare))


@define(eq=False)
class BindsWhatIsGoing(InMemoryBinder):
    """It is not looked at whether a pod is being deleted."""

    def bind(self, binding: Binding, /) -> None:
        there = self.cluster.latest(binding.metadata)
        if there is not None and there.is_terminating:
            self.cluster.update_pod(there.bound_to(binding.target.name))
        else:
            super().bind(binding)


@define(eq=False)
class ForgetsLabels(InMemoryBinder):
    """A pod loses its labels when it is bound."""

    def bind(self, binding: Binding, /) -> None:
        super().bind(binding)
        self.cluster.change_pod(
            binding.metadata, lambda pod: evolve(pod, metadata=evolve(pod.metadata, labels={}))
        )


@define(eq=False)
class EvictsNeighbours(InMemoryBinder):
    """Whoever is on the node has to leave."""

    def bind(self, binding: Binding, /) -> None:
        super().bind(binding)
        for pod in [*self.cluster.pods.values()]:
            is_there = pod.node_name == binding.target.name and pod.uid != binding.uid
            if is_there and not self.cluster.is_assumed(pod):
                self.cluster.remove_pod(pod)


@define(eq=False)
class RaisesAfterwards(InMemoryBinder):
    """What is done is said to have failed."""

    def bind(self, binding: Binding, /) -> None:
        super().bind(binding)
        raise TimeoutError(f"no answer about {binding.key}")


@define(eq=False)
class DoesNothing(InMemoryBinder):
    """Nothing is bound, and nobody is told."""

    def bind(self, binding: Binding, /) -> None:
        pass


@define(eq=False)
class LooksBeforeItLeaps(InMemoryBinder):
    """Between looking and binding somebody else may have bound the pod."""

    def bind(self, binding: Binding, /) -> None:
        there = self.cluster.latest(binding.metadata)
        if there is None or there.is_terminating:
            raise ClusterError(binding.key, "the pod is gone")
        if there.node_name and not self.cluster.is_assumed(there):
            raise ClusterError(binding.key, "the pod is bound")
        sleep(0.001)
        with suppress(ClusterError):  # "but that cannot be: I have just looked"
            super().bind(binding)
