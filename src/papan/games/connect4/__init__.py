"""Connect 4 on boards of 4 to 8 rows and 4 to 10 columns."""

from papan.games.connect4.rules import Connect4 as Connect4
