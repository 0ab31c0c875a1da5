"""The whole loop, whatever comes in whatever order, and whatever fails."""

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from tests.runtime.loop.loop import LATER, MOODS, Loop
from tests.runtime.loop.loop_checks import check, fall_quiet
from tests.runtime.loop.loop_outside import STEPS, Fault

anywhere = st.integers(0, 11)
numbers = st.integers(0, 5)
nodes = st.integers(0, 2)


class LoopInSmallWorld(RuleBasedStateMachine):
    """Command the world; it checks itself after each step, and that it can fall quiet at last."""

    loop: Loop

    @initialize(remembers=st.booleans(), elsewhere=st.booleans(), nodes=st.integers(0, 3))
    def begin(self, *, remembers: bool, elsewhere: bool, nodes: int) -> None:
        self.loop = Loop(remembers=remembers, elsewhere=elsewhere)
        for number in range(nodes):
            self.loop.put_node(number, 4, 0)
        self.loop.deliver_all(0)

    # -- the cluster ---------------------------------------------------------------------------

    @rule(
        number=numbers,
        cpu=st.integers(1, 3),
        priority=st.sampled_from([0, 5, 10]),
        kind=st.integers(0, 7),
    )
    def put_pod(self, number: int, cpu: int, priority: int, kind: int) -> None:
        self.loop.put_pod(number, cpu, priority, kind)

    @rule(at=numbers, label=st.integers(0, 1))
    def change_pod(self, at: int, label: int) -> None:
        self.loop.change_pod(at, label)

    @rule(at=numbers, at_once=st.booleans())
    def delete_pod(self, at: int, *, at_once: bool) -> None:
        self.loop.delete_pod(at, at_once=at_once)

    @rule(at=numbers)
    def end_pod(self, at: int) -> None:
        self.loop.end_pod(at)

    @rule(number=nodes, cpu=st.integers(2, 4), mood=st.integers(0, len(MOODS) - 1))
    def put_node(self, number: int, cpu: int, mood: int) -> None:
        self.loop.put_node(number, cpu, mood)

    @rule(number=nodes)
    def remove_node(self, number: int) -> None:
        self.loop.remove_node(number)

    # -- the watch -----------------------------------------------------------------------------

    @rule(at=anywhere, how=st.sampled_from(["deliver", "deliver_all", "deliver_all", "lose"]))
    def hear(self, at: int, how: str) -> None:
        getattr(self.loop, how)(at)

    @rule(at=anywhere, how=st.sampled_from(["deliver_again", "relist_late"]))
    def hear_again(self, at: int, how: str) -> None:
        getattr(self.loop, how)(at)

    @rule(kind=st.integers(0, 1))
    def relist(self, kind: int) -> None:
        self.loop.relist(kind)

    # -- the schedulers ------------------------------------------------------------------------

    @rule(at=st.integers(0, 1))
    def schedule_one(self, at: int) -> None:
        self.loop.schedule_one(at)

    @rule(at=st.integers(0, 1))
    def hear_all_and_schedule_all(self, at: int) -> None:
        self.loop.deliver_all(0)
        self.loop.schedule_all(at)

    @rule(at=anywhere)
    def bind_one(self, at: int) -> None:
        self.loop.bind_one(at)

    @rule(seconds=st.sampled_from([0.5, 1, 10, 31, 61, LATER]), at=st.integers(0, 1))
    def let_time_pass(self, seconds: float, at: int) -> None:
        self.loop.let_time_pass(seconds)
        self.loop.keep_time(at)

    @rule(step=st.sampled_from(STEPS), fault=st.sampled_from(Fault))
    def plan_a_fault(self, step: str, fault: Fault) -> None:
        self.loop.plan(step, fault)

    @rule(fault=st.sampled_from(Fault), at=st.integers(0, 1))
    def fail_while_a_pod_is_bound(self, fault: Fault, at: int) -> None:
        """Have happen what matters most."""
        self.loop.plan("bind", fault)
        self.loop.schedule_one(at)
        self.loop.bind_one(at)

    # -- stopping and starting -----------------------------------------------------------------

    @rule(how=st.sampled_from(["kill", "stop"]), elsewhere=st.booleans())
    def start_anew(self, how: str, *, elsewhere: bool) -> None:
        getattr(self.loop, how)(elsewhere=elsewhere)

    @rule(at=anywhere)
    def bind_late(self, at: int) -> None:
        self.loop.bind_late(at)

    # -- what must be so -----------------------------------------------------------------------

    @rule()
    def fall_quiet(self) -> None:
        fall_quiet(self.loop)

    @invariant()
    def all_is_in_its_place(self) -> None:
        check(self.loop)

    def teardown(self) -> None:
        if hasattr(self, "loop"):
            fall_quiet(self.loop)


LoopInSmallWorld.TestCase.settings = settings(max_examples=80, stateful_step_count=80)
TestLoopInSmallWorld = LoopInSmallWorld.TestCase
