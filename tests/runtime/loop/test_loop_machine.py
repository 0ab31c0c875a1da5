"""Our own loop keeps what it promises, whatever comes in whatever order, and whatever fails."""

from hypothesis import settings

from kubesched.testing.machines.loop.loop_machine import LoopMachine


class LoopInSmallWorld(LoopMachine):
    """Our rules, our queue and the world's own binder."""


LoopInSmallWorld.TestCase.settings = settings(
    LoopInSmallWorld.TestCase.settings, max_examples=80, stateful_step_count=80
)
TestLoopInSmallWorld = LoopInSmallWorld.TestCase
