"""Whether the host ports that a pod wants are free."""

import pytest
from hypothesis import given, strategies as st

from kubesched.builders import container, node, pod
from kubesched.framework import Reason
from kubesched.model import Container, ContainerPort
from kubesched.plugins.ports import POD_FITS_HOST_PORTS, PORTS_TAKEN
from tests.plugins.asking import fits, reasons
from tests.strategies import containers

PLAIN = ContainerPort(container_port=80)

CASES = [
    pytest.param([], ["80"], True, id="none is taken"),
    pytest.param(["80"], [], True, id="none is wanted"),
    pytest.param(["80"], ["81"], True, id="another port"),
    pytest.param(["80"], ["80"], False, id="the same port"),
    pytest.param(["80/TCP"], ["80/UDP"], True, id="the same port of another protocol"),
    pytest.param(["80/UDP"], ["80/UDP"], False, id="the same port of the same protocol"),
    pytest.param(["10.0.0.1:80"], ["10.0.0.1:80"], False, id="the same address"),
    pytest.param(["10.0.0.1:80"], ["10.0.0.2:80"], True, id="another address"),
    pytest.param(["80"], ["10.0.0.1:80"], False, id="all addresses and one of them"),
    pytest.param(["10.0.0.1:80"], ["80"], False, id="one address and all of them"),
    pytest.param(["10.0.0.1:80"], ["0.0.0.0:80"], False, id="0.0.0.0 is all addresses"),
    pytest.param(["0.0.0.0:80"], ["10.0.0.1:80"], False, id="and so it is where it is taken"),
    pytest.param(["80"], ["81", "80"], False, id="the second of two"),
    pytest.param(["10.0.0.1:80", "81"], ["10.0.0.2:80", "82"], True, id="two that are both free"),
]


@pytest.mark.parametrize(("taken", "wanted", "expected"), CASES)
def test_a_pod_fits_where_its_ports_are_free(
    *, taken: list[str], wanted: list[str], expected: bool
) -> None:
    placed = pod("placed", host_ports=taken, node_name="n1")
    asked = pod("asked", host_ports=wanted)
    assert fits(POD_FITS_HOST_PORTS, asked, node("n1"), placed) is expected


ODD = [
    pytest.param(
        [ContainerPort(host_port=80)],
        [ContainerPort(host_port=80, protocol="TCP")],
        False,
        id="no protocol is TCP",
    ),
    pytest.param(
        [ContainerPort(host_port=80)],
        [ContainerPort(host_port=80, protocol="UDP")],
        True,
        id="and not UDP",
    ),
    pytest.param([PLAIN], [PLAIN], True, id="a port of the container alone"),
    pytest.param([ContainerPort(host_port=0)], [ContainerPort(host_port=0)], True, id="port 0"),
]


@pytest.mark.parametrize(("taken", "wanted", "expected"), ODD)
def test_a_port_that_is_not_fully_written_down(
    *, taken: list[ContainerPort], wanted: list[ContainerPort], expected: bool
) -> None:
    placed = pod("placed", containers=[Container(ports=taken)], node_name="n1")
    asked = pod("asked", containers=[Container(ports=wanted)])
    assert fits(POD_FITS_HOST_PORTS, asked, node("n1"), placed) is expected


def test_init_containers_take_and_want_no_ports() -> None:
    greedy = pod("greedy", host_ports=["80"], node_name="n1")
    over = pod("over", init_containers=[container(host_ports=["80"])], node_name="n1")
    asked = pod("asked", host_ports=["80"])
    starting = pod("starting", init_containers=[container(host_ports=["80"])])
    assert fits(POD_FITS_HOST_PORTS, asked, node("n1"), over)
    assert fits(POD_FITS_HOST_PORTS, starting, node("n1"), greedy)


def test_containers_of_one_pod_do_not_clash() -> None:
    twice = pod("twice", containers=[container(host_ports=["80"])] * 2)
    assert fits(POD_FITS_HOST_PORTS, twice, node("n1"))


def test_it_says_so_once_and_eviction_could_cure_it() -> None:
    placed = pod("placed", host_ports=["80", "81"], node_name="n1")
    asked = pod("asked", host_ports=["80", "81"])
    assert reasons(POD_FITS_HOST_PORTS, asked, node("n1"), placed) == [PORTS_TAKEN.text]
    expected = Reason("node(s) didn't have free ports for the requested pod ports")
    assert expected == PORTS_TAKEN


some = st.lists(containers(), max_size=2)


@given(some, some)
def test_two_pods_keep_each_other_away_or_neither_does(
    one: list[Container], other: list[Container]
) -> None:
    assert fits(
        POD_FITS_HOST_PORTS,
        pod("asked", containers=one),
        node("n1"),
        pod("placed", containers=other, node_name="n1"),
    ) == fits(
        POD_FITS_HOST_PORTS,
        pod("asked", containers=other),
        node("n1"),
        pod("placed", containers=one, node_name="n1"),
    )


@given(st.lists(some, max_size=3), some)
def test_a_pod_fits_if_it_fits_beside_each_pod_alone(
    others: list[list[Container]], mine: list[Container]
) -> None:
    asked = pod("asked", containers=mine)
    placed = [
        pod(f"placed-{index}", containers=each, node_name="n1") for index, each in enumerate(others)
    ]
    assert fits(POD_FITS_HOST_PORTS, asked, node("n1"), *placed) == all(
        fits(POD_FITS_HOST_PORTS, asked, node("n1"), each) for each in placed
    )
