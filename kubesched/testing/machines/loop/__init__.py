"""The whole loop in a small world that fails on command."""

from kubesched.testing.machines.loop.faults import Fault
from kubesched.testing.machines.loop.loop import Loop
from kubesched.testing.machines.loop.loop_machine import LoopMachine

__all__ = ["Fault", "Loop", "LoopMachine"]
