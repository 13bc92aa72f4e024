"""Ways to choose a move that work for many games. None of them knows any game."""
