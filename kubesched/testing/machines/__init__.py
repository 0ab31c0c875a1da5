"""State machines to subclass, and checks of somebody's own parts that run them."""

from kubesched.testing.machines.binder_machine import BinderMachine
from kubesched.testing.machines.check_binder import MakeBinder, check_binder
from kubesched.testing.machines.check_extender import MakeExtender, check_extender
from kubesched.testing.machines.check_queue import check_queue
from kubesched.testing.machines.checked_cache import CheckedCache, StaleVerdict
from kubesched.testing.machines.cluster_machine import ClusterMachine
from kubesched.testing.machines.extender_machine import ExtenderMachine
from kubesched.testing.machines.loop import Fault, Loop, LoopMachine
from kubesched.testing.machines.naive_queue import NaiveFIFO, NaiveQueue, QueueEntry
from kubesched.testing.machines.promises import Promise, PromiseBrokenError, PromiseMachine
from kubesched.testing.machines.queue_machine import QueueMachine
from kubesched.testing.machines.queue_threads import MakeQueue

__all__ = [
    "BinderMachine",
    "CheckedCache",
    "ClusterMachine",
    "ExtenderMachine",
    "Fault",
    "Loop",
    "LoopMachine",
    "MakeBinder",
    "MakeExtender",
    "MakeQueue",
    "NaiveFIFO",
    "NaiveQueue",
    "Promise",
    "PromiseBrokenError",
    "PromiseMachine",
    "QueueEntry",
    "QueueMachine",
    "StaleVerdict",
    "check_binder",
    "check_extender",
    "check_queue",
]
