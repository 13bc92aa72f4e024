"""Tournaments that can be trusted: planned, played in processes apart, kept at once, resumed.

plan ──► contest ──► hall ──► table ──► seat
         journal     processes that   a process of its own
         store       referee games    for each agent
"""
