"""Adjacency: every mark turns the rival marks beside it."""

from papan.games.adjacency.rules import Adjacency as Adjacency
