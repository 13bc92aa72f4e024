"""Matches and the games being played. Knows only core: games and agents are handed in."""
