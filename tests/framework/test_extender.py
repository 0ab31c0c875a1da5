"""Extenders as values: what they are made of, and which pods concern them."""

from typing import Any

import pytest

from kubesched.builders import container, pod
from kubesched.errors import OptionError, SpecError
from kubesched.framework import Extender, ExtenderFilterResult, Victims
from kubesched.model import Pod

GPU = "example.com/gpu"


@pytest.mark.parametrize(
    ("arguments", "kind", "said"),
    [
        pytest.param({"name": 7}, SpecError, "the name of an extender is 7", id="a number as name"),
        pytest.param(
            {"filter": "x"},
            SpecError,
            "filter of extender 'odd' is 'x', expected filter(pod, nodes) -> ExtenderFilterResult",
            id="a filter that cannot be called",
        ),
        pytest.param(
            {"bind": 1}, SpecError, "bind of extender 'odd' is 1", id="a binder that is a number"
        ),
        pytest.param(
            {"weight": 0}, OptionError, "is 0, expected an integer above 0", id="weight 0"
        ),
        pytest.param(
            {"weight": True}, OptionError, "is True, expected an integer", id="weight True"
        ),
    ],
)
def test_what_breaks_the_contract_is_refused(
    arguments: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind) as caught:
        Extender(**{"name": "odd", **arguments})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("concerned", "interested"),
    [
        pytest.param(pod("a", requests={GPU: 1}), True, id="a request"),
        pytest.param(pod("a", requests={GPU: 0}), True, id="a request of nothing"),
        pytest.param(pod("a", limits={GPU: 1}), True, id="a limit"),
        pytest.param(
            pod("a", init_containers=[container(limits={GPU: 1})]), True, id="an init container"
        ),
        pytest.param(pod("a", cpu=1, requests={"example.com/axe": 1}), False, id="others only"),
        pytest.param(pod("a", containers=[]), False, id="no container"),
    ],
)
def test_an_extender_is_interested_in_pods_that_name_what_it_manages(
    concerned: Pod, *, interested: bool
) -> None:
    extender = Extender("gpus", managed_resources=["example.com/fpga", GPU])
    assert extender.is_interested_in(concerned) is interested


def test_an_extender_that_manages_nothing_is_interested_in_every_pod() -> None:
    assert Extender("any").is_interested_in(pod("a", containers=[]))


def test_what_an_extender_says_cannot_be_changed_afterwards() -> None:
    kept, failed, pods = ["a"], {"b": "no"}, [pod("p")]
    result, victims = ExtenderFilterResult(kept, failed), Victims(pods)
    kept.clear()
    failed.clear()
    pods.clear()
    assert (result.kept, result.failed) == (("a",), {"b": "no"})
    assert victims == Victims((pod("p"),), 0)
