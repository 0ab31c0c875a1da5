"""Which pods would have to go so that one of higher priority fits.

There is nothing here yet.
"""
