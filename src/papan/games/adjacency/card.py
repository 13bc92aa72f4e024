"""Adjacency in menus."""

from papan.core import Card
from papan.games.adjacency.rules import Adjacency


class AdjacencyCard(Card, game=Adjacency):
    """The entry of Adjacency in menus: specs of shorter games to choose from, and a sample game.

    Players see the rounds that are left all the time.
    """

    presets = ("adjacency:8,8,8", "adjacency:8,8,16")
    sample = "adjacency c7 f2 c6 f3 d5 e4 d4 e5"
    order = 4
    counters = ("adjacency.rounds_left",)
