"""Onet: link and remove pairs of equal tiles."""

from papan.games.onet.rules import Onet as Onet
