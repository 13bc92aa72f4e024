"""The five papers, each as a recipe that can be run again."""

from papan.lab.papers.adjacency import PAPER as ADJACENCY
from papan.lab.papers.connect4 import PAPER as CONNECT4
from papan.lab.papers.dots import PAPER as DOTS
from papan.lab.papers.onet import PAPER as ONET
from papan.lab.papers.tictactoe import PAPER as TICTACTOE

PAPERS = (DOTS, ADJACENCY, ONET, TICTACTOE, CONNECT4)

__all__ = ["PAPERS"]
