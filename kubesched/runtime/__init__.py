"""The loop around the algorithm: queue, binding, events, metrics, leader election, clock.

There is nothing here yet.
"""
