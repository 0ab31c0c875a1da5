"""Pods that want to be near other pods, or far from them: MatchInterPodAffinity and its priority.

There is nothing here yet.
"""
