"""The engine: primitives, vector type, controls and transposition table of compiled searches.

Importing any kernel imports Numba; `cache` stores compiled code on disk. Numba's modules import
each other in circles: a thread that imported a part of it while another is importing the whole
would find it half loaded. So every module here imports `numba` itself before any part.
"""
