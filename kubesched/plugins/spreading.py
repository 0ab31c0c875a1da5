"""Pods of one service or controller spread over nodes and zones, or kept together.

There is nothing here yet.
"""
