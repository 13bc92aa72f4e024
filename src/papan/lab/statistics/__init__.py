"""What results prove: `intervals`, `elo` for two players, `ranking` for many (it loads NumPy)."""
