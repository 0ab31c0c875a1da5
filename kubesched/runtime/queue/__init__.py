"""Where pods wait for their turn."""

from kubesched.runtime.queue.backoff import Backoff
from kubesched.runtime.queue.fifo import FIFO
from kubesched.runtime.queue.news import HELPFUL_KINDS, tell_queue
from kubesched.runtime.queue.priority_queue import PriorityQueue
from kubesched.runtime.queue.scheduling_queue import Part, QueuedPod, SchedulingQueue

__all__ = [
    "FIFO",
    "HELPFUL_KINDS",
    "Backoff",
    "Part",
    "PriorityQueue",
    "QueuedPod",
    "SchedulingQueue",
    "tell_queue",
]
