"""Processes that papan starts: one way to start, limit, watch and end them, and one line protocol.

`host` is what the system offers, `lines` the protocol of papan's own processes, with a pool of some
that wait for their next question, `program` a program of the user's with its supervisor.
"""
