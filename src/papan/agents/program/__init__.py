"""Agents that live outside papan: a file of the user's, or any program; see docs/protocol.md."""

from papan.agents.program.agent import Bot, Program

__all__ = ["Bot", "Program"]
