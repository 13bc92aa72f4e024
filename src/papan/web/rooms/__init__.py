"""Rooms: two people play over a link, others watch."""
