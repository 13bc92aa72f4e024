"""Connect 4 in menus."""

from papan.core import Card
from papan.games.connect4.rules import Connect4


class Connect4Card(Card, game=Connect4):
    """The entry of Connect 4 in menus: sizes to choose from, and a sample game for its picture."""

    presets = ("connect4:7,8", "connect4:7,9", "connect4:7,10")
    sample = "connect4 4 4 4 3 5 2 3 3 6"
    order = 2
    featured = True
    upright = True
