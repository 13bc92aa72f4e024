"""Learning by self-play: nets on a GPU (`nets`), patterns and tables on one core."""
