"""Processes that papan starts: how to start, limit, watch and end them, and their line protocol.

`host` wraps what operating systems offer, `lines` is the protocol of papan's own processes and a
pool that reuses them, `program` runs an external agent under a `supervisor`, which runs
without the rest of papan because it must start quickly.
"""
