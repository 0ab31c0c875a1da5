"""Verdicts remembered for pods that are alike, until what they depend on has changed.

There is nothing here yet.
"""
