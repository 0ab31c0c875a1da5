"""Claims that are bound only once it is known where their pod goes.

There is nothing here yet.
"""
