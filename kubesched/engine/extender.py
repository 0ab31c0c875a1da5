"""Somebody else who filters, scores, preempts or binds, in-process or over HTTP.

There is nothing here yet.
"""
