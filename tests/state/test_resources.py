from collections.abc import Mapping

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import container, pod as make_pod
from kubesched.model import Pod
from kubesched.model.frozen import resource_list
from kubesched.state import (
    NonzeroRequests,
    Resources,
    nonzero_requests,
    requests_once_placed,
    requests_to_fit,
)
from kubesched.state.resources import is_extended, is_native, is_scalar
from tests.strategies import pods, resource_lists

DEFAULT_CPU, DEFAULT_MEMORY = 100, 200 * 2**20


@pytest.mark.parametrize(
    ("name", "native", "extended", "scalar"),
    [
        ("cpu", True, False, False),
        ("widgets", True, False, False),
        ("storage", True, False, False),
        ("hugepages-2Mi", True, False, True),
        ("attachable-volumes-aws-ebs", True, False, True),
        ("kubernetes.io/x", True, False, True),
        ("node.kubernetes.io/x", True, False, True),
        ("nvidia.com/gpu", False, True, True),
        ("requests.nvidia.com/gpu", False, False, False),
        ("Nvidia.com/gpu", False, False, False),
        ("nvidia.com/", False, False, False),
        ("a/b/c", False, False, False),
        pytest.param("d" * 244 + "/x", False, True, True, id="a domain with room for a prefix"),
        pytest.param("d" * 245 + "/x", False, False, False, id="a domain without that room"),
    ],
)
def test_a_name_tells_whose_a_resource_is(
    *, name: str, native: bool, extended: bool, scalar: bool
) -> None:
    assert (is_native(name), is_extended(name), is_scalar(name)) == (native, extended, scalar)


@pytest.mark.parametrize(
    ("amounts", "resources"),
    [
        pytest.param({}, Resources(), id="nothing"),
        pytest.param({"cpu": "1"}, Resources(milli_cpu=1000), id="cpu is in thousandths"),
        pytest.param({"cpu": "1n"}, Resources(milli_cpu=1), id="cpu is rounded up"),
        pytest.param({"memory": "100m"}, Resources(memory=1), id="memory is rounded up"),
        pytest.param(
            {"ephemeral-storage": "1Ki"}, Resources(ephemeral_storage=1024), id="storage in bytes"
        ),
        pytest.param({"pods": "110"}, Resources(pods=110), id="pods"),
        pytest.param({"x/y": "500m"}, Resources(scalars={"x/y": 1}), id="scalars are rounded up"),
        pytest.param({"x/y": 0}, Resources(scalars={"x/y": 0}), id="a scalar of 0 was asked for"),
        pytest.param({"widgets": 1, "requests.x/y": 1}, Resources(), id="what does not count"),
    ],
)
def test_amounts_are_read_as_whole_numbers(
    amounts: Mapping[str, str], resources: Resources
) -> None:
    assert Resources.of(resource_list(amounts)) == resources


def read(amounts: Mapping[str, str]) -> Resources:
    return Resources.of(resource_list(amounts))


@given(resource_lists(), resource_lists())
def test_what_was_added_can_be_taken_away(there: dict[str, str], more: dict[str, str]) -> None:
    total = read(there)
    total.add(read(more))
    total.subtract(read(more))
    for name in total.scalars.keys() - read(there).scalars.keys():
        assert total.scalars.pop(name) == 0
    assert total == read(there)


@given(resource_lists(), resource_lists())
def test_adding_does_not_depend_on_the_order(one: dict[str, str], other: dict[str, str]) -> None:
    here, there = read(one), read(other)
    here.add(read(other))
    there.add(read(one))
    assert here == there


@given(resource_lists(), resource_lists())
def test_raising_gives_the_larger_of_each(one: dict[str, str], other: dict[str, str]) -> None:
    raised, low, high = read(one), read(one), read(other)
    raised.raise_to(resource_list(other))
    assert raised.milli_cpu == max(low.milli_cpu, high.milli_cpu)
    assert raised.memory == max(low.memory, high.memory)
    assert raised.ephemeral_storage == max(low.ephemeral_storage, high.ephemeral_storage)
    for name in low.scalars.keys() | high.scalars.keys():
        larger = max(low.scalars.get(name, 0), high.scalars.get(name, 0))
        assert raised.scalars.get(name, 0) == larger


def test_a_scalar_of_0_does_not_come_in_by_raising() -> None:
    raised = Resources()
    raised.raise_to(resource_list({"x/y": 0}))
    assert raised == Resources()


def test_what_is_not_named_is_not_raised() -> None:
    raised = read({"cpu": "-1", "memory": "-1Gi", "ephemeral-storage": "-1"})
    raised.raise_to(resource_list({"memory": "0"}))
    assert (raised.milli_cpu, raised.memory, raised.ephemeral_storage) == (-1000, 0, -1)


@given(resource_lists(), resource_lists())
def test_a_copy_has_amounts_of_its_own(there: dict[str, str], more: dict[str, str]) -> None:
    original = read(there)
    original.copy().add(read({**more, "x/y": "1"}))
    assert original == read(there)


def test_a_pod_to_be_placed_needs_the_sum_or_what_one_init_container_needs() -> None:
    pod = make_pod(
        "web",
        containers=[container(cpu=1, memory=10), container(cpu=1, requests={"x/y": 1})],
        init_containers=[
            container(cpu=3, memory=4),
            container(cpu=2, memory=12, requests={"x/y": 2, "x/z": 0}),
        ],
    )
    assert requests_to_fit(pod) == Resources(3000, 12, scalars={"x/y": 2})
    assert requests_once_placed(pod) == Resources(2000, 10, scalars={"x/y": 1})


def at_least(more: Resources, less: Resources) -> bool:
    return (
        more.milli_cpu >= less.milli_cpu
        and more.memory >= less.memory
        and more.ephemeral_storage >= less.ephemeral_storage
        and all(more.scalars[name] >= amount for name, amount in less.scalars.items())
    )


@given(pods())
def test_a_pod_never_needs_less_to_be_placed_than_it_takes_afterwards(pod: Pod) -> None:
    assert at_least(requests_to_fit(pod), requests_once_placed(pod))


@pytest.mark.parametrize(
    ("requests", "cpu", "memory"),
    [
        pytest.param({}, DEFAULT_CPU, DEFAULT_MEMORY, id="nothing"),
        pytest.param({"cpu": 0, "memory": 0}, 0, 0, id="a written 0 stays 0"),
        pytest.param({"cpu": "1n"}, 1, DEFAULT_MEMORY, id="cpu alone"),
        pytest.param({"memory": 1}, DEFAULT_CPU, 1, id="memory alone"),
        pytest.param({"x/y": 1}, DEFAULT_CPU, DEFAULT_MEMORY, id="something else"),
    ],
)
def test_a_container_counts_for_something_in_scores(
    requests: Mapping[str, str], cpu: int, memory: int
) -> None:
    pod = make_pod("web", requests=requests)
    assert nonzero_requests(pod) == NonzeroRequests(cpu, memory)


@given(pods())
def test_each_container_counts_for_itself_in_scores(pod: Pod) -> None:
    asked = [each.resources.requests for each in pod.spec.containers]
    total = requests_once_placed(pod)
    assert nonzero_requests(pod) == NonzeroRequests(
        total.milli_cpu + DEFAULT_CPU * sum("cpu" not in each for each in asked),
        total.memory + DEFAULT_MEMORY * sum("memory" not in each for each in asked),
    )


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_copy_of_nonzero_requests_is_its_own(cpu: int, memory: int) -> None:
    original = NonzeroRequests(cpu, memory)
    original.copy().milli_cpu += 1
    assert original == NonzeroRequests(cpu, memory)
