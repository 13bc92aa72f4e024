"""Native speed in Python: bit tricks, tables and the running of compiled searches.

Importing any kernel imports Numba; `cache` keeps what it compiles.
"""
