"""The lesson of Adjacency: what a move turns, why the most is not the best, and the last word."""

from __future__ import annotations

from typing import cast

from papan import catalog
from papan.core import board
from papan.games.adjacency.rules import AdjacencyPosition
from papan.lessons import Guide, Lesson, Scene, Story


def adjacency(story: Story) -> Guide:
    """Return the guided tour of Adjacency: what a move turns, why most is not best, the last move.

    Its tasks and questions are added to *story* as steps.
    """
    guide = Guide(story)
    guide.show("adjacency_rules", catalog.position("adjacency:4,4,4"))
    position = catalog.position("adjacency:4,4,4 x.oo/.ooo/xo../xx.x o")
    grid = cast("AdjacencyPosition", position).game.grid
    ring = board.ring(grid, position.legal_move("a2"))
    story.scene = Scene(position, drawing=ring)  # not what it turns: that is asked for
    story.add_step("adjacency_flips")
    before, after = (place.scores()[position.turn] for place in (position, position.after("a2")))
    turned = after - before - 1
    slips = {"adjacency_slip_new": turned + 1, "adjacency_slip_own": 0}
    story.ask_number("turned", turned, "adjacency_turned", slips, move="a2")
    scene = Scene(position).after(position.legal_move("a2"))
    story.scene = scene
    facts = {"turned": turned, "more": turned + 1}
    story.add_step("adjacency_turned", facts, variables="turned")
    guide.task("adjacency_patience", position)
    guide.task("adjacency_end", catalog.position("adjacency:4,5,6 xxxoo/.ooxo/xox../xxx.o x"))
    guide.show("adjacency_last", catalog.position("adjacency"))
    return guide


GAME = Lesson("adjacency", "adjacency", adjacency, place=4)
