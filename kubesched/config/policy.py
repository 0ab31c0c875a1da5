"""Rules named in a Policy: from a dict, a file or a config map.

There is nothing here yet.
"""
