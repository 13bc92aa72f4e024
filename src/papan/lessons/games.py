"""One lesson for each game: how it is played, and what experts see."""

from __future__ import annotations

from papan import catalog
from papan.core import Position
from papan.lessons.lesson import Lesson, Scene
from papan.lessons.story import Story
from papan.lessons.tasks import Guide


def tictactoe(story: Story) -> Guide:
    """Win, block, fork, and stop a fork."""
    guide = Guide(story)
    start = catalog.position("tictactoe")
    guide.show("lesson.tictactoe_rules", start, "b2 a1 c3")
    guide.task("tictactoe_win", catalog.position("tictactoe:3,3,3 xx./oo./... x"))
    guide.task("tictactoe_block", catalog.position("tictactoe:3,3,3 o../.x./o.x x"))
    guide.task("tictactoe_fork", catalog.position("tictactoe:3,3,3 xo./o../x.. x"))
    guide.task("tictactoe_defend", catalog.position("tictactoe:3,3,3 x../.o./..x o"))
    guide.show("lesson.tictactoe_end", start)
    return guide


def connect4(story: Story) -> Guide:
    """Win, block, two threats at once, and zugzwang."""
    guide = Guide(story)
    start = catalog.position("connect4")
    guide.show("lesson.connect4_rules", start, "4 4 3 5")
    guide.task("connect4_win", _late("xoo..x./oxxo.x./xoox.x./oxoo.o./xxoxxo./oxxooxo x"))
    guide.task("connect4_block", _late("..ox.xo/..ox.oo/..xoxxx/.oxxooo/.oxxoxo/xooxoxx x"))
    guide.task("connect4_double", _late("oo...oo/xx...xo/ox.x.ox/oxoo.xo/xoxx.oo/xxxoxxo x"))
    zugzwang = _late("o.o.xox/o.o.oxx/x.x.xxo/ooo.oox/xoo.xxo/xxooxxx x")
    guide.features("lesson.connect4_threats", zugzwang)
    guide.task("connect4_zugzwang", zugzwang)
    guide.show("lesson.connect4_end", start)
    return guide


def _late(text: str) -> Position:
    """A position near the end of a game on the usual board."""
    return catalog.position(f"connect4:6,7 {text}")


def dots(story: Story) -> Guide:
    """Boxes, safe lines, chains, the double-cross, and the long chain rule."""
    guide = Guide(story)
    guide.show("lesson.dots_rules", catalog.position("dots:2,2"), "a1b1 a1a2 b1b2")
    guide.task("dots_take", catalog.position("dots:2,2 010110101100 1 0-0"))
    guide.task("dots_safe", catalog.position("dots:2,2 110110011100 1 1-0"))
    chain = catalog.position("dots:3,3 011100110011010111011010 2 0-1")
    guide.features("lesson.dots_chains", chain)
    guide.task("dots_cross", chain)
    board = catalog.position("dots:3,3")
    story.scene = Scene(board)
    story.add_step("lesson.dots_long")
    even, odd = "lesson.even", "lesson.odd"
    story.ask_choice("long", _wanted(16), (even, odd), "lesson.dots_ask_long", dots=16)
    story.add_step("lesson.dots_long_16", variables={"long": _wanted(16)})
    story.scene = Scene(catalog.position("dots:2,2"))
    story.add_step("lesson.dots_small", variables={"dots": 9})
    story.ask_choice("long", _wanted(9), (even, odd), "lesson.dots_ask_long", dots=9)
    story.add_step("lesson.dots_long_9", variables={"long": _wanted(9)})
    return guide


def _wanted(dots: int) -> str:
    """The long chain rule: player 1 wants dots and long chains together to be even."""
    return "lesson.odd" if dots % 2 else "lesson.even"


def adjacency(story: Story) -> Guide:
    """What a move turns, why the most is not the best, and the last word."""
    guide = Guide(story)
    guide.show("lesson.adjacency_rules", catalog.position("adjacency:4,4,4"))
    position = catalog.position("adjacency:4,4,4 x.oo/.ooo/xo../xx.x o")
    guide.show("lesson.adjacency_flips", position, mark="a2")
    before, after = (place.scores()[position.turn] for place in (position, position.after("a2")))
    turned = after - before - 1
    story.ask_number("turned", turned, "lesson.adjacency_ask", move="a2")
    scene = Scene(position).after(position.legal_move("a2"))
    story.scene = scene
    facts = {"turned": turned, "more": turned + 1}
    story.add_step("lesson.adjacency_turned", facts, variables={"turned": turned})
    guide.task("adjacency_patience", position)
    guide.task("adjacency_end", catalog.position("adjacency:4,5,6 xxxoo/.ooxo/xox../xxx.o x"))
    guide.show("lesson.adjacency_last", catalog.position("adjacency"))
    return guide


def onet(story: Story) -> Guide:
    """Lines with two turns, also around the board, and pairs that must wait."""
    guide = Guide(story)
    board = catalog.position("onet:3,4 1,4,3,2/1,2,1,2/1,3,2,4")
    guide.show("lesson.onet_rules", board, mark="a1a2")
    guide.show("lesson.onet_outside", board, mark="a1a3")
    small = catalog.position("onet:2,4 1,3,1,2/1,2,3,1")
    guide.task("onet_small", small)
    guide.task("onet_order", board)
    guide.show("lesson.onet_end", board)
    return guide


LESSONS = (
    Lesson("tictactoe", "tictactoe", tictactoe),
    Lesson("connect4", "connect4", connect4),
    Lesson("dots", "dots", dots),
    Lesson("adjacency", "adjacency", adjacency),
    Lesson("onet", "onet", onet),
)
