"""Dots and Boxes on boards of any number of rows and columns."""

from papan.games.dots.rules import Dots as Dots
