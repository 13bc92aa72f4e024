"""A contest of students' bots: from a folder with a plan to standings, marks and a page for each.

`plan` is what the lecturer decides, `students` who takes part; `submissions` takes what they hand
in, `checks` tries it, and `folder` has all of it. `ladder` says who meets whom, `run` plays,
`truth` judges moves by exact values, `marks` and `pages` report.
"""
