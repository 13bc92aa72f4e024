"""Ways to choose a move that work for many games. Each module is one agent; none knows any game."""
