"""Programs for developers of papan: training, books, puzzles, pictures; none is in the wheel."""
