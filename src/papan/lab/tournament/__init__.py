"""Tournaments: planned, played in separate processes, recorded at once, resumable.

A *plan* determines the games; the *tournament state* says which of them are over. An *executor*
plays games in a *referee pool* here or on a cluster. A *referee process* plays one game at a time;
each agent answers in an *agent process* of its own. Games that are over go into the *journal*, and
from there into the store.
"""
