"""Notebooks: what boards, analyses, games and tournaments look like there, and playing inline."""
