"""Training of what papan ships: the nets of the agent `net`, the patterns of alpha-beta."""
