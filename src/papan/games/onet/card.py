"""Onet in menus."""

from papan.core import Card
from papan.games.onet.rules import Onet


class OnetCard(Card, game=Onet):
    """The entry of Onet in menus: sizes to choose from, and a small board for its picture.

    A move is a pair of tiles.
    """

    presets = ("onet:8,14", "onet:9,16", "onet:10,7")
    sample = "onet:4,5,kinds=9,seed=3"
    order = 5
    levels = (1, 3, 5)  # see `benchmarks/levels.py`
    spots_in_a_move = 2
    upright = True
    counters = ("onet.left",)
    level_option = "gravity"
