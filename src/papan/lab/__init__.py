"""Matches, tournaments and measurements of agents. Knows only `core`: callers pass games and agents
in.
"""
