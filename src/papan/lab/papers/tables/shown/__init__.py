"""How the results of each paper are shown: its tables and its charts."""
