"""Which volumes waiting claims get."""

from hypothesis import given

from kubesched.model import KubeObject
from kubesched.plugins.volume_binding import Choice, choose, volumes_of
from tests.plugins.asking import snapshot_of
from tests.plugins.volume_binding import oracle
from tests.plugins.volume_binding.objects import claim, term, using, volume, waiting_class
from tests.plugins.volume_binding.strategies import World, uses, worlds


def chosen(used: list[str], objects: list[KubeObject], labels: dict[str, str]) -> Choice | None:
    return choose(volumes_of(using(*used), snapshot_of(objects)).wishes, labels)


def pairs(choice: Choice | None) -> list[tuple[str, str]]:
    assert choice is not None
    return [(wanted.name, it.name) for wanted, it in choice.matches]


def test_the_smallest_volume_that_is_large_enough_is_taken() -> None:
    sizes = {"v1": "9Gi", "v2": "3Gi", "v3": "4096Mi", "v4": "1Gi"}
    volumes = [volume(name, size=size) for name, size in sizes.items()]
    objects = [waiting_class(), claim(asks="2Gi"), *volumes]
    assert pairs(chosen(["data"], objects, {})) == [("data", "v2")]


def test_of_volumes_of_one_size_the_first_by_name_is_taken() -> None:
    volumes = [volume(name, size=size) for name, size in {"b": "1Gi", "a": "1024Mi"}.items()]
    objects = [waiting_class(), claim(), *volumes]
    assert pairs(chosen(["data"], objects, {})) == [("data", "a")]


def test_a_volume_of_the_node_is_found_among_those_of_many() -> None:
    volumes = [volume(f"v{n}", within={"host": [f"n{n}"]}) for n in range(20)]
    objects = [waiting_class(), claim(), *volumes, volume("w", size="1Gi")]
    assert pairs(chosen(["data"], objects, {"host": "n7"})) == [("data", "v7")]
    assert pairs(chosen(["data"], objects, {"host": "n99"})) == [("data", "w")]
    assert pairs(chosen(["data"], objects, {})) == [("data", "w")]


def test_a_volume_with_two_terms_is_found_by_either() -> None:
    either = volume(affinity=[term({"host": ["n1"]}), term({"rack": ["r1"]})])
    objects = [waiting_class(), claim(), either]
    for labels in ({"host": "n1"}, {"rack": "r1"}, {"host": "n2", "rack": "r1"}):
        assert pairs(chosen(["data"], objects, labels)) == [("data", "pv")]
    assert chosen(["data"], objects, {"host": "n2"}) is None


def test_a_kept_volume_goes_before_a_smaller_one() -> None:
    volumes = [volume("small"), volume("kept", size="9Gi", kept_for="data")]
    objects = [waiting_class(), claim(), *volumes]
    assert pairs(chosen(["data"], objects, {})) == [("data", "kept")]


def test_what_has_no_volume_is_provisioned() -> None:
    claims = [claim("large", asks="2Gi"), claim("small", asks="1Gi")]
    made = waiting_class(provisioner="csi.example.com")
    choice = chosen(["large", "small"], [made, *claims, volume("v1", size="1Gi")], {})
    assert pairs(choice) == [("small", "v1")]
    assert choice is not None
    assert [each.name for each in choice.provisioned] == ["large"]


@given(worlds(only_waiting=True), uses)
def test_claims_get_what_the_rule_told_at_length_gives_them(world: World, used: list[str]) -> None:
    by_name = {each.name: each for each in world.claims}
    waiting = [by_name[name] for name in used]
    for node in world.nodes:
        told = oracle.allotted(world, waiting, node)
        choice = chosen(used, world.objects, dict(node.labels))
        if told is None:
            assert choice is None
            continue
        assert choice is not None
        got = [*pairs(choice), *((each.name, None) for each in choice.provisioned)]
        assert sorted(got, key=str) == sorted(
            ((waiting[place].name, name) for place, name in told.items()), key=str
        )


@given(worlds(only_waiting=True), uses)
def test_no_volume_is_given_twice(world: World, used: list[str]) -> None:
    for node in world.nodes:
        choice = chosen(used, world.objects, dict(node.labels))
        if choice is not None:
            names = [it.name for _, it in choice.matches]
            assert len(set(names)) == len(names)
            assert len(names) + len(choice.provisioned) == len(used)
