import pytest
from hypothesis import given, strategies as st

from kubesched.model import Taint, Toleration
from kubesched.tolerations import any_tolerates, tolerates
from tests.strategies import EFFECTS, taints, tolerations_maybe_odd

GPU = Taint(key="dedicated", value="gpu", effect="NoSchedule")


CASES = [
    pytest.param(
        Toleration(key="dedicated", operator="Equal", value="gpu", effect="NoSchedule"),
        True,
        id="all the same",
    ),
    pytest.param(Toleration(key="dedicated", value="gpu"), True, id="no operator is Equal"),
    pytest.param(
        Toleration(key="dedicated", operator="Equal", value="web"), False, id="another value"
    ),
    pytest.param(
        Toleration(key="dedicated", operator="Equal"), False, id="no value is an empty value"
    ),
    pytest.param(Toleration(key="dedicated", operator="Exists"), True, id="Exists takes any value"),
    pytest.param(
        Toleration(key="dedicated", operator="Exists", value="web"),
        True,
        id="Exists looks at no value, even if it has one",
    ),
    pytest.param(Toleration(key="spot", operator="Exists"), False, id="another key"),
    pytest.param(
        Toleration(key="dedicated", operator="Exists", effect="NoExecute"),
        False,
        id="another effect",
    ),
    pytest.param(Toleration(operator="Exists"), True, id="no key with Exists takes every taint"),
    pytest.param(
        Toleration(operator="Equal", value="gpu"), True, id="no key with Equal takes every key"
    ),
    pytest.param(
        Toleration(operator="Equal"), False, id="no key with Equal still compares the value"
    ),
    pytest.param(Toleration(), False, id="an empty toleration compares the value"),
    pytest.param(
        Toleration(key="dedicated", operator="In"), False, id="an unknown operator covers nothing"
    ),
    pytest.param(Toleration(operator="exists"), False, id="operators are spelt with a capital"),
    pytest.param(
        Toleration(operator="Exists", toleration_seconds=0),
        True,
        id="how long it is put up with does not matter",
    ),
]


@pytest.mark.parametrize(("toleration", "covers"), CASES)
def test_a_toleration_covers_a_taint_or_not(*, toleration: Toleration, covers: bool) -> None:
    assert tolerates(toleration, GPU) is covers


def test_an_empty_toleration_covers_a_taint_without_a_value() -> None:
    assert tolerates(Toleration(), Taint(key="dedicated", effect="NoSchedule"))


def covers(toleration: Toleration, taint: Taint) -> bool:
    """Compare field by field, as the documents say."""
    return (
        toleration.effect in {"", taint.effect}
        and toleration.key in {"", taint.key}
        and (
            toleration.operator == "Exists"
            or (toleration.operator in {"", "Equal"} and toleration.value == taint.value)
        )
    )


@given(tolerations_maybe_odd(), taints())
def test_a_toleration_covers_what_the_documents_say(toleration: Toleration, taint: Taint) -> None:
    assert tolerates(toleration, taint) is covers(toleration, taint)


@given(st.lists(tolerations_maybe_odd()), tolerations_maybe_odd(), taints())
def test_one_more_toleration_never_hurts(
    tolerations: list[Toleration], more: Toleration, taint: Taint
) -> None:
    assert any_tolerates([*tolerations, more], taint) >= any_tolerates(tolerations, taint)


@given(st.lists(tolerations_maybe_odd()), taints())
def test_the_order_of_tolerations_does_not_matter(
    tolerations: list[Toleration], taint: Taint
) -> None:
    assert any_tolerates(tolerations, taint) is any_tolerates(reversed(tolerations), taint)


@given(taints())
def test_without_tolerations_no_taint_is_covered(taint: Taint) -> None:
    assert not any_tolerates([], taint)


@given(taints(), st.sampled_from(["", *EFFECTS]))
def test_exists_without_a_key_covers_every_taint_of_its_effect(taint: Taint, effect: str) -> None:
    everything = Toleration(operator="Exists", effect=effect)
    assert tolerates(everything, taint) is (effect in {"", taint.effect})
