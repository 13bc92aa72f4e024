"""Tournaments that can be trusted: planned, played in processes apart, kept at once, resumed.

A *plan* says which games there are; a *contest* is its course. The *hall* has *tables*, processes
that referee one game at a time; at a table every agent has a *seat*, a process of its own. What is
over goes into the *journal*, and from there into the store.
"""
