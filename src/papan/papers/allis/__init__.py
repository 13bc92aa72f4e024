"""Paper 005, Allis on Connect 4: an example of a paper that is a folder of its own."""
