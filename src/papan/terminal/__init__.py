"""Play and watch in a terminal: line by line, or on a screen made with Textual."""
