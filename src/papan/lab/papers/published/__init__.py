"""What the five papers published: their games, tables and numbers, as data."""
