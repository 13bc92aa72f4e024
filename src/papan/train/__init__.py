"""Learning: nets by self-play on a GPU (`nets`)."""
