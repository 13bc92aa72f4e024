"""A contest of students' bots."""
