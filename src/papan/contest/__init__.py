"""A contest of students' bots: from a folder with a plan to standings, marks and a page for each.

`plan` is what the lecturer decides, `submissions` takes and checks what students hand in, `ladder`
says who meets whom, `run` plays, `truth` judges moves by exact values, `marks` and `pages` report.
"""
