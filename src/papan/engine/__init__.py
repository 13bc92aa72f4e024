"""The engine: primitives, vector type, controls and transposition table of compiled searches.

Importing any kernel imports Numba; `cache` keeps what it compiles. Numba's modules import each
other in circles, so a thread that began with a part of it, while another is loading the whole,
would find half of it: every module here imports `numba` itself before any part.
"""
