"""A cluster as plain dicts, in which every question is answered by looking through all of them."""

from collections.abc import Iterable, Iterator

from attrs import define, evolve, field

from kubesched.model import KubeObject, Node, Pod
from kubesched.state import ASSUME_TTL, zone_key
from kubesched.testing.machines.naive_node_tree import NaiveNodeTree


@define
class Assumption:
    """A pod on a node that nobody has seen bound yet.

    Attributes:
        pod: the pod on its node.
        waiting: the pod as it waited, if anybody has seen it.
        deadline: when its time is over, if its binding has finished.
    """

    pod: Pod
    waiting: Pod | None
    deadline: float | None = None


@define
class NaiveCluster:
    """Does what it is told if that is allowed, and says whether it was.

    Attributes:
        nodes: by name, in the order in which they came.
        others: services, claims and so on, by kind and key.
        pending: pods that wait, by key.
        assumed: pods that have been given a node, by key.
        bound: pods seen on a node, by key.
        ended: pods that have succeeded or failed, by key.
        tree: the nodes by zone.
        images: how many nodes had each image of a node when that was last seen, by node.
    """

    nodes: dict[str, Node] = field(factory=dict)
    others: dict[tuple[type[KubeObject], str], KubeObject] = field(factory=dict)
    pending: dict[str, Pod] = field(factory=dict)
    assumed: dict[str, Assumption] = field(factory=dict)
    bound: dict[str, Pod] = field(factory=dict)
    ended: dict[str, Pod] = field(factory=dict)
    tree: NaiveNodeTree = field(factory=NaiveNodeTree)
    images: dict[str, dict[str, int]] = field(factory=dict)

    # -- questions ---------------------------------------------------------------------------------

    def placed(self) -> Iterator[Pod]:
        """Go over the pods that are on a node, assumed or bound."""
        yield from (each.pod for each in self.assumed.values())
        yield from self.bound.values()

    def pods_by_node(self) -> dict[str, dict[str, Pod]]:
        """Return the pods on each node, also where no node of the name is known."""
        names = {*self.nodes, *(pod.node_name for pod in self.placed())}
        return {
            name: {pod.key: pod for pod in self.placed() if pod.node_name == name} for name in names
        }

    def known(self, key: str) -> Pod | None:
        """Return what is known of a pod."""
        if key in self.assumed:
            return self.assumed[key].pod
        return self.pending.get(key) or self.bound.get(key) or self.ended.get(key)

    @property
    def keys(self) -> list[str]:
        """The keys of all pods that are known."""
        return [*self.pending, *self.assumed, *self.bound, *self.ended]

    def zones(self) -> list[tuple[str, ...]]:
        """Return the names of the nodes, zone by zone."""
        return [tuple(zone.names) for zone in self.tree.zones.values()]

    def copy(self) -> "NaiveCluster":
        """Return another one that goes its own way."""
        return NaiveCluster(
            nodes=self.nodes.copy(),
            others=self.others.copy(),
            pending=self.pending.copy(),
            assumed={key: evolve(each) for key, each in self.assumed.items()},
            bound=self.bound.copy(),
            ended=self.ended.copy(),
            tree=NaiveNodeTree(
                {key: evolve(zone, names=[*zone.names]) for key, zone in self.tree.zones.items()}
            ),
            images=self.images.copy(),
        )

    # -- nodes -------------------------------------------------------------------------------------

    def add_node(self, node: Node) -> bool:
        """Add a node, unless one of its name is there."""
        if node.name in self.nodes:
            return False
        self.tree.add(node.name, zone_key(node.labels))
        self._set_node(node)
        return True

    def update_node(self, node: Node) -> bool:
        """Change a node that is there."""
        if node.name not in self.nodes:
            return False
        before = self.nodes[node.name]
        self.tree.update(node.name, zone_key(before.labels), zone_key(node.labels))
        self._set_node(node)
        return True

    def remove_node(self, name: str) -> bool:
        """Take a node away; pods on it stay."""
        if name not in self.nodes:
            return False
        self.tree.remove(name, zone_key(self.nodes.pop(name).labels))
        del self.images[name]
        return True

    # -- everything else -----------------------------------------------------------------------

    def of(self, kind: type[KubeObject]) -> dict[str, KubeObject]:
        """Return the objects of a kind by key."""
        return {key: it for (of_kind, key), it in self.others.items() if of_kind is kind}

    def add(self, it: KubeObject) -> bool:
        """Add an object, unless one of its key is there."""
        is_new = (type(it), it.key) not in self.others
        self.others.setdefault((type(it), it.key), it)
        return is_new

    def update(self, it: KubeObject) -> bool:
        """Change an object that is there."""
        is_there = (type(it), it.key) in self.others
        if is_there:
            self.others[type(it), it.key] = it
        return is_there

    def remove(self, it: KubeObject) -> bool:
        """Take an object away."""
        return self.others.pop((type(it), it.key), None) is not None

    def _set_node(self, node: Node) -> None:
        self.nodes[node.name] = node
        self.images[node.name] = {
            name: sum(name in names_of(each) for each in self.nodes.values())
            for name in names_of(node)
        }

    # -- pods --------------------------------------------------------------------------------------

    def add_pod(self, pod: Pod) -> bool:
        """Add a pod, or see one bound that is assumed."""
        confirms = pod.key in self.assumed and bool(pod.node_name)
        if self.known(pod.key) is not None and not confirms:
            return False
        self._put(pod)
        return True

    def update_pod(self, pod: Pod) -> bool:
        """Change a pod that is there."""
        if self.known(pod.key) is None:
            return False
        if pod.key in self.bound and pod.node_name != self.bound[pod.key].node_name:
            return False
        if pod.key in self.assumed and not pod.node_name:
            self.assumed[pod.key].waiting = pod
        else:
            self._put(pod)
        return True

    def remove_pod(self, key: str) -> bool:
        """Take a pod away, unless it is assumed."""
        if self.known(key) is None or key in self.assumed:
            return False
        self._take(key)
        return True

    def assume(self, pod: Pod, node_name: str) -> bool:
        """Take a pod for being on a node."""
        if pod.is_terminated or not node_name or self.known(pod.key) != self.pending.get(pod.key):
            return False
        waiting = self.pending.pop(pod.key, None)
        self.assumed[pod.key] = Assumption(pod.bound_to(node_name), waiting)
        return True

    def finish_binding(self, key: str, now: float) -> None:
        """Let the time of an assumed pod begin."""
        if key in self.assumed:
            self.assumed[key].deadline = now + ASSUME_TTL

    def forget(self, pod: Pod) -> bool:
        """Let an assumed pod wait again."""
        if pod.key not in self.assumed:
            return False
        if pod.node_name and pod.node_name != self.assumed[pod.key].pod.node_name:
            return False
        waiting = self.assumed.pop(pod.key).waiting
        if waiting is not None:
            self._put(waiting)
        return True

    def expire(self, now: float) -> list[Pod]:
        """Forget the pods whose time is over, and return them."""
        late = [
            each.pod
            for each in self.assumed.values()
            if each.deadline is not None and each.deadline < now
        ]
        for pod in late:
            self.forget(pod)
        return late

    def _put(self, pod: Pod) -> None:
        stays = pod.key in self.pending and not pod.node_name and not pod.is_terminated
        if not stays:
            self._take(pod.key)
        if pod.is_terminated:
            self.ended[pod.key] = pod
        elif pod.node_name:
            self.bound[pod.key] = pod
        else:
            self.pending[pod.key] = pod

    def _take(self, key: str) -> None:
        for pods in (self.pending, self.bound, self.ended):
            pods.pop(key, None)
        self.assumed.pop(key, None)


def names_of(node: Node) -> Iterable[str]:
    """Return the names of a node's images."""
    return {name for image in node.status.images for name in image.names}
