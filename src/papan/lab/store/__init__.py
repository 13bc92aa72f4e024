"""Where results are collected and queried: SQLite in a file, or PostgreSQL by its address."""

from papan.lab.store.store import Store, Stored, StoreError

__all__ = ["Store", "StoreError", "Stored"]
