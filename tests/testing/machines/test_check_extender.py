"""Extenders with mistakes are found out, and honest ones are not accused."""

import re
from collections.abc import Callable, Mapping, Sequence

import hypothesis
import pytest

from kubesched.errors import ExtenderError, OptionError, UnknownNameError
from kubesched.framework import Extender, ExtenderFilterResult, Victims
from kubesched.model import Pod
from kubesched.runtime import InMemoryBinder
from kubesched.state import Cluster, NodeInfo
from kubesched.testing.machines.check_extender import check_extender
from kubesched.testing.machines.extender_machine import ExtenderMachine
from kubesched.testing.machines.promises import PromiseBrokenError
from kubesched.testing.machines.running import default_settings
from tests.testing.machines import broken_extenders as broken
from tests.testing.machines.broken_binders import LooksBeforeItLeaps

SURE = hypothesis.settings(default_settings(), derandomize=True)
FEW = hypothesis.settings(SURE, max_examples=5, stateful_step_count=15)
UNSHRUNK = hypothesis.settings(SURE, phases=[hypothesis.Phase.generate])

MISTAKES = {
    broken.invents_nodes: {"known"},
    broken.wrong_shape: {"shape"},
    broken.no_reason: {"verdicts"},
    broken.empty_reason: {"verdicts"},
    broken.keeps_and_drops: {"verdicts"},
    broken.keeps_twice: {"verdicts"},
    broken.first_come: {"again"},
    broken.changes_its_mind: {"again"},
    broken.scores_with_fractions: {"shape"},
    broken.scores_all_it_knows: {"known"},
    broken.reserves: {"purity"},
    broken.stumbles: {"answers"},
    broken.evicts_from_elsewhere: {"known"},
    broken.evicts_by_name: {"shape"},
    broken.evicts_at_once: {"purity"},
    broken.binds_in_silence: {"refuses", "binds"},
}
"""Mistakes, and the promises of which one is broken first."""


@pytest.mark.parametrize(
    ("make", "promises"), MISTAKES.items(), ids=lambda it: getattr(it, "__name__", "")
)
def test_an_extender_with_a_mistake_is_found_out(
    make: Callable[[Cluster], Extender], promises: set[str]
) -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_extender(make, settings=UNSHRUNK)
    assert caught.value.promise.name in promises
    assert caught.value.whose == f"extender {make(Cluster()).name!r}"


class Licences:
    """An extender that is honest in all that it does; for some pods it does not answer."""

    def keep(self, pod: Pod, nodes: Sequence[NodeInfo], /) -> ExtenderFilterResult:
        if pod.name == "p2":
            raise ExtenderError("licences", f"nobody has a licence for {pod.key}")
        kept = [node.name for node in nodes if len(node.pods) < 2]
        failed = {node.name: "no licence" for node in nodes if node.name not in kept}
        return ExtenderFilterResult(kept, failed)

    def score(self, _pod: Pod, nodes: Sequence[NodeInfo], /) -> Mapping[str, int]:
        return {node.name: -len(node.pods) for node in nodes if node.pods}

    def preempt(
        self, _pod: Pod, victims: Mapping[str, Victims], _nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        return {name: Victims(each.pods[:1]) for name, each in victims.items()}

    def of(self, cluster: Cluster) -> Extender:
        return Extender(
            "licences",
            filter=self.keep,
            prioritize=self.score,
            preempt=self.preempt,
            bind=InMemoryBinder(cluster).bind,
            managed_resources={"example.com/licence"},
        )


def test_an_honest_extender_is_not_accused() -> None:
    check_extender(Licences().of, settings=FEW)


def test_nobody_is_asked_about_nothing() -> None:
    def score(_pod: Pod, nodes: Sequence[NodeInfo], /) -> Mapping[str, int]:
        most = max(len(node.pods) for node in nodes)
        return {node.name: most - len(node.pods) for node in nodes}

    def fewest(
        _pod: Pod, victims: Mapping[str, Victims], _nodes: Mapping[str, NodeInfo], /
    ) -> Mapping[str, Victims]:
        name = min(victims, key=lambda name: (len(victims[name].pods), name))
        return {name: victims[name]}

    extender = Extender("counting", prioritize=score, preempt=fewest)
    check_extender(lambda _cluster: extender, settings=FEW)


def test_one_that_does_nothing_cannot_be_checked() -> None:
    with pytest.raises(OptionError, match="extender 'idle' does nothing"):
        check_extender(lambda _cluster: Extender("idle"))


def test_one_that_binds_is_found_out_if_two_may_ask_at_once() -> None:
    def make(cluster: Cluster) -> Extender:
        return Extender("hasty", bind=LooksBeforeItLeaps(cluster).bind)

    with pytest.raises(PromiseBrokenError) as caught:
        check_extender(make, settings=FEW)
    assert (caught.value.promise.name, caught.value.whose) == ("once", "extender 'hasty'")


def test_it_is_told_which_node_and_which_pod() -> None:
    with pytest.raises(PromiseBrokenError) as caught:
        check_extender(broken.no_reason, settings=UNSHRUNK)
    first, second = str(caught.value).splitlines()
    assert first == (
        "extender 'silent' breaks the promise 'verdicts': "
        "Each node is either kept, and once, or dropped for a reason that is told."
    )
    assert re.fullmatch(r"Here for pod \S+ filter drops node n\d without a reason\.", second)


def test_what_is_not_asked_for_may_be_broken() -> None:
    check_extender(broken.no_reason, without=["verdicts"], settings=FEW)
    check_extender(broken.binds_in_silence, without=["refuses", "once"], settings=FEW)


def test_only_promises_that_are_made_can_be_left_out() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'verdicts'"):
        check_extender(Licences().of, without=["verdict"])


def test_a_machine_that_does_not_say_which_extender_says_what_is_missing() -> None:
    with pytest.raises(NotImplementedError, match="override make_extender"):
        ExtenderMachine()
