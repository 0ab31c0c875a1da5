"""Property tests for rules of one's own: strategies, laws, state machines.

There is nothing here yet.
"""
