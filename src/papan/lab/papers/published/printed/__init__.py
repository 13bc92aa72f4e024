"""What the five papers print: their games, tables and numbers, as data."""
