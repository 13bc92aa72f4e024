"""Packages of the board games, one for each game; no game imports another."""
