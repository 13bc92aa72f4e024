"""The tables and charts of each paper's report."""
