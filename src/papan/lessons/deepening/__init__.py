"""Iterative deepening: one ply more in each round, the best move of the last round first."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import Lesson, Scene, StepTable, Story, Text, TextValue

START = "adjacency:4,4,4 x.oo/.ooo/xo../xx.x o"
WIDE = "connect4"
DEPTH = 4
"""How deep the comparison goes."""


class Round(NamedTuple):
    """What one round has found, and what it looked at."""

    depth: int
    best: Move
    value: float
    nodes: int


class Search:
    """Alpha-beta to a depth; if it *remembers*, the best move of the last look comes first."""

    def __init__(self, root: Position, *, remembers: bool) -> None:
        self.root, self.remembers = root, remembers
        self.best: dict[Position, Move] = {}
        self.nodes = 0

    def round(self, depth: int) -> Round:
        """One look at the root."""
        self.nodes = 0
        value = self.value(self.root, depth, -inf, inf)
        return Round(depth, self.best[self.root], value, self.nodes)

    def moves(self, position: Position) -> list[Move]:
        """In the order in which they are tried."""
        first = self.best.get(position) if self.remembers else None
        return sorted(position.moves(), key=lambda move: move != first)

    def value(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """What a position is worth to the seat at the root, as far as *depth* plies can tell."""
        self.nodes += 1
        seat = self.root.turn
        if not position.moves():
            return margin(position, seat)
        if depth == 0:
            return position.game.evaluate(position, seat)
        own = position.turn == seat
        best = -inf if own else inf
        for move in self.moves(position):
            found = self.value(position.child(move), depth - 1, alpha, beta)
            if found > best if own else found < best:
                best, self.best[position] = found, move
            alpha, beta = (max(alpha, best), beta) if own else (alpha, min(beta, best))
            if alpha >= beta:
                break
        return best


def rounds(root: Position, depth: int) -> list[Round]:
    """All rounds to a *depth*."""
    search = Search(root, remembers=True)
    return [search.round(each) for each in range(1, depth + 1)]


def deepen(story: Story) -> list[Round]:
    """The whole lesson; the rounds on its first board."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step("lesson.deepening_start", line="function")
    found = rounds(root, len(root.moves()))
    _go_round(story, root, found)
    wide = catalog.position(WIDE)
    story.scene = Scene(wide)
    _cost(story, len(wide.moves()))
    _order(story, wide)
    return found


HEADS = ("lesson.head_depth", "lesson.head_best", "lesson.head_value_found", "lesson.head_nodes")


def _go_round(story: Story, root: Position, found: list[Round]) -> None:
    """The rounds one by one: what is tried first, what is kept, what is played when time is up."""
    name = root.game.move_name
    moves = list(map(name, root.moves()))
    rows = tuple((each.depth, name(each.best), each.value, each.nodes) for each in found)
    for place, each in enumerate(found):
        last = place == len(found) - 1
        before = name(found[place - 1].best) if place else ""
        facts: dict[str, TextValue] = {
            "depth": each.depth,
            "move": name(each.best),
            "value": each.value,
            "nodes": each.nodes,
            "before": before,
        }
        new = bool(before) and before != facts["move"]
        key = "end" if last else "changed" if new else "round"
        story.scene = Scene(root, marks=(each.best,))
        table = StepTable(HEADS, rows[: place + 1], marked=place)
        variables: dict[str, TextValue] = {
            "depth": each.depth,
            "move": name(each.best),
            "value": each.value,
        }
        story.add_step(
            f"lesson.deepening_{key}", facts, line="keep", variables=variables, table=table
        )
        if place < 2:
            _ask(story, *(("first", "look"), ("stop", "time"))[place], moves, name(each.best))


def _ask(story: Story, key: str, line: str, moves: list[str], best: str) -> None:
    """Which move is looked at first, and which one is played where the time is over?"""
    why: dict[TextValue, Text] = {
        each: Text(f"lesson.deepening_why_{key}", {"move": each}) for each in moves
    }
    story.ask_choice("move", best, moves, f"lesson.deepening_ask_{key}", why=why)
    facts: dict[str, TextValue] = {"move": best}
    story.add_step(f"lesson.deepening_{key}", facts, line=line, variables=facts)


def _cost(story: Story, moves: int) -> None:
    """What the rounds before the last one cost where nothing is pruned."""
    ends = {depth: moves**depth for depth in range(1, DEPTH + 1)}
    *early, last = ends.values()
    table = StepTable(("lesson.head_depth", "lesson.head_lines"), tuple(ends.items()))
    facts: dict[str, TextValue] = {"moves": moves, "early": sum(early), "last": last}
    story.add_step("lesson.deepening_cost", facts, line="round", table=table)
    share = round(100 * sum(early) / last)
    story.ask_number(
        "share",
        share,
        "lesson.deepening_ask_share",
        why="lesson.deepening_why_share",
        slips={
            "lesson.deepening_slip_double": 100,
            "lesson.deepening_slip_three": 100 * (DEPTH - 1),
        },
        **facts,
    )
    found: dict[str, TextValue] = {"share": share, **facts}
    story.add_step("lesson.deepening_share", found, line="round", variables={"share": share})


FEWER, MORE = "lesson.deepening_fewer", "lesson.deepening_more"


def _order(story: Story, root: Position) -> None:
    """With pruning the rounds pay for themselves: they order the moves of the last one."""
    found = rounds(root, DEPTH)
    total = sum(each.nodes for each in found)
    direct = [Search(root, remembers=False).round(each.depth).nodes for each in found]
    story.add_step("lesson.deepening_order", {"depth": DEPTH}, line="look")
    answer = FEWER if total < direct[-1] else MORE
    facts: dict[str, TextValue] = {"depth": DEPTH, "total": total, "direct": direct[-1]}
    why: dict[TextValue, Text] = {
        each: Text("lesson.deepening_why_total", facts) for each in (FEWER, MORE)
    }
    ask = "lesson.deepening_ask_total"
    story.ask_choice("nodes", answer, (FEWER, MORE), ask, why=why, depth=DEPTH)
    rows = tuple((each.depth, each.nodes, other) for each, other in zip(found, direct))
    heads = ("lesson.head_depth", "lesson.head_remembers", "lesson.head_forgets")
    table = StepTable(heads, rows)
    story.scene = Scene(root, marks=(found[-1].best,))
    story.add_step(
        "lesson.deepening_total", facts, line="look", variables={"nodes": answer}, table=table
    )
    story.add_step("lesson.deepening_last", line="function")


LESSON = Lesson(
    "deepening",
    "adjacency",
    deepen,
    ("function", "round", "look", "time", "keep", "return"),
    agent="alphabeta",
    variants=("alphabeta:depth=6", "alphabeta:depth=6,ordering=false"),
    place=6,
)
