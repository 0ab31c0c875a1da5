import pytest
from hypothesis import given, strategies as st

from kubesched.builders import container, pod as make_pod
from kubesched.model import Container, ContainerPort, Pod
from kubesched.state import HostPort, UsedPorts, host_ports
from kubesched.state.host_ports import ALL_ADDRESSES
from tests.strategies import pods

ports = st.builds(
    HostPort,
    protocol=st.sampled_from(["TCP", "UDP"]),
    port=st.sampled_from([80, 90]),
    address=st.sampled_from([ALL_ADDRESSES, "10.0.0.1", "10.0.0.2"]),
)


def port(text: str) -> HostPort:
    (made,) = host_ports(make_pod("web", host_ports=[text]))
    return made


@pytest.mark.parametrize(
    ("taken", "wanted", "clash"),
    [
        pytest.param("80", "80", True, id="the same port"),
        pytest.param("80", "81", False, id="another port"),
        pytest.param("80/TCP", "80/UDP", False, id="another protocol"),
        pytest.param("0.0.0.0:80", "80", True, id="no address is all addresses"),
        pytest.param("10.0.0.1:80", "80", True, id="all addresses are one too many"),
        pytest.param("80", "10.0.0.1:80", True, id="one address of all that are taken"),
        pytest.param("10.0.0.1:80", "10.0.0.1:80", True, id="the same address"),
        pytest.param("10.0.0.1:80", "10.0.0.2:80", False, id="another address"),
        pytest.param("127.0.0.1:80", "0.0.0.0:80", True, id="no address is special"),
    ],
)
def test_a_port_is_taken_or_free(*, taken: str, wanted: str, clash: bool) -> None:
    used = UsedPorts()
    used.add([port(taken)])
    assert used.conflicts_with(port(wanted)) is clash


def test_on_a_node_without_pods_every_port_is_free() -> None:
    assert not UsedPorts().conflicts_with(port("80"))


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        pytest.param(ContainerPort(container_port=80), (), id="a port of the pod alone"),
        pytest.param(ContainerPort(host_port=0), (), id="0 is no port"),
        pytest.param(
            ContainerPort(host_port=80),
            (HostPort("TCP", 80, "0.0.0.0"),),  # noqa: S104
            id="TCP on all addresses unless it says otherwise",
        ),
        pytest.param(
            ContainerPort(host_port=53, protocol="UDP", host_ip="10.0.0.1"),
            (HostPort("UDP", 53, "10.0.0.1"),),
            id="as it says",
        ),
    ],
)
def test_a_pod_takes_the_host_ports_of_its_containers(
    given: ContainerPort, taken: tuple[HostPort, ...]
) -> None:
    assert host_ports(make_pod("web", containers=[Container(ports=[given])])) == taken


def test_ports_of_init_containers_do_not_count() -> None:
    assert host_ports(make_pod("web", init_containers=[container(host_ports=["80"])])) == ()


def clash(one: HostPort, other: HostPort) -> bool:
    return (one.protocol, one.port) == (other.protocol, other.port) and (
        one.address == other.address or ALL_ADDRESSES in {one.address, other.address}
    )


@given(st.lists(ports), st.data(), ports)
def test_used_ports_are_those_added_of_which_none_was_removed(
    added: list[HostPort], data: st.DataObject, wanted: HostPort
) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(added), max_size=len(added)))
    used = UsedPorts()
    used.add(added)
    gone = {each for each, stays in zip(added, keep, strict=True) if not stays}
    used.remove(gone)
    left = set(added) - gone
    assert sorted(map(str, used)) == sorted(map(str, left))
    assert used.conflicts_with(wanted) is any(clash(each, wanted) for each in left)
    assert used._taken.keys() == {(each.protocol, each.port) for each in left}


@given(ports, ports)
def test_whether_two_ports_clash_does_not_depend_on_who_came_first(
    one: HostPort, other: HostPort
) -> None:
    first, second = UsedPorts(), UsedPorts()
    first.add([one])
    second.add([other])
    assert first.conflicts_with(other) is second.conflicts_with(one)


@given(st.lists(ports, min_size=1), st.lists(ports))
def test_a_copy_has_ports_of_its_own(there: list[HostPort], more: list[HostPort]) -> None:
    used = UsedPorts()
    used.add(there)
    copy = used.copy()
    copy.add(more)
    copy.remove(there)
    assert set(used) == set(there)
    assert set(copy) == set(more) - set(there)


@given(pods())
def test_a_pod_clashes_with_itself_if_it_takes_any_port(pod: Pod) -> None:
    used, taken = UsedPorts(), host_ports(pod)
    used.add(taken)
    assert all(used.conflicts_with(each) for each in taken)
    assert list(used) or not taken
