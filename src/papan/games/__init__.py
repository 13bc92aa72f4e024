"""The games: each is a package of its own, and none knows another."""
