"""The lesson of Tic Tac Toe: win, block, fork, and stop a fork."""

from __future__ import annotations

from papan import catalog
from papan.lessons import Guide, Lesson, Story


def tictactoe(story: Story) -> Guide:
    """Return the guided tour of Tic Tac Toe: to win, to block, to fork, and to stop a fork.

    All its steps, with their tasks and questions, are added to *story*.
    """
    guide = Guide(story)
    start = catalog.position("tictactoe")
    guide.show("tictactoe_rules", start, "b2 a1 c3")
    guide.task("tictactoe_win", catalog.position("tictactoe:3,3,3 xx./oo./... x"))
    guide.task("tictactoe_block", catalog.position("tictactoe:3,3,3 o../.x./o.x x"))
    guide.task("tictactoe_fork", catalog.position("tictactoe:3,3,3 xo./o../x.. x"))
    guide.task("tictactoe_defend", catalog.position("tictactoe:3,3,3 x../.o./..x o"))
    guide.show("tictactoe_end", start)
    return guide


GAME = Lesson("tictactoe", "tictactoe", tictactoe, place=1)
