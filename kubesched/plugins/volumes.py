"""Disks that cannot be shared, limits on their number, and the zones that they are in.

There is nothing here yet.
"""
