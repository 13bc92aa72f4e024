"""The engine: primitives, vector type, controls and transposition table of compiled searches.

Importing any kernel imports Numba; `cache` keeps what it compiles.
"""
