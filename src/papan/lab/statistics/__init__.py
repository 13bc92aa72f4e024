"""Statistics of results: `intervals`, `elo` for two players, `ranking` for many (loads NumPy)."""
