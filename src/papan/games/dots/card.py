"""Dots and Boxes in menus."""

from papan.core import Card
from papan.games.dots.rules import Dots


class DotsCard(Card, game=Dots):
    """The entry of Dots and Boxes in menus: specs of sizes to choose from, and a sample game."""

    presets = ("dots:2,2", "dots:4,4", "dots:5,5", "dots:6,6")
    sample = "dots a1b1 a2b2 a1a2 b1b2 c1d1 d1d2 c2d2 b3c3 a3a4 d3d4"
    order = 3
