"""The lessons of Dots and Boxes: chains, the board as a graph, and the agent of the paper."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import cast

from papan import catalog
from papan.core import Graph, Move, Position, margin
from papan.core.graph import Edge, Vertex
from papan.core.parts import Drawing
from papan.games.dots.rules import DotsPosition
from papan.lessons import (
    Guide,
    Lesson,
    Node,
    NodeRole,
    Scene,
    StepTable,
    Story,
    TextValue,
    Truth,
)


def dots(story: Story) -> Guide:
    """Add all steps of the guided tour of Dots and Boxes; return its guide.

    It shows boxes, chains, the double-cross and the long chain rule.
    """
    guide = Guide(story)
    guide.show("dots_rules", catalog.position("dots:2,2"), "a1b1 a1a2 b1b2")
    guide.task("dots_take", catalog.position("dots:2,2 010110101100 1 0-0"))
    guide.task("dots_safe", catalog.position("dots:2,2 110110011100 1 1-0"))
    chain = catalog.position("dots:3,3 011100110011010111011010 2 0-1")
    guide.features("dots_chains", chain, but="dots.double_cross")
    guide.task("dots_cross", chain)
    _cross(story, guide.truth, chain)
    board = catalog.position("dots:3,3")
    story.scene = Scene(board)
    story.add_step("dots_long")
    even, odd = "lesson.even", "lesson.odd"
    story.ask_choice("long", _wanted(16), (even, odd), "dots_long", dots=16)
    story.add_step("dots_long_16", {"long": _wanted(16)}, variables="long")
    story.scene = Scene(catalog.position("dots:2,2"))
    story.add_step("dots_small", {"dots": 9}, variables="dots")
    story.ask_choice("long", _wanted(9), (even, odd), "dots_long", dots=9)
    story.add_step("dots_long_9", {"long": _wanted(9)}, variables="long")
    return guide


def _cross(story: Story, truth: Truth, root: Position) -> None:
    """Add the steps of the double-cross to the end, and of taking both boxes instead.

    *root* is a position with seat 1 to move, in which the double-cross is the best move; *truth*
    gives exact values and best moves.
    """
    cross = truth.best(root)[0]
    _play_out(story, Scene(root).after(cross), truth)
    takes = next(move for move in root.moves() if margin(root.child(move), 1) > margin(root, 1))
    greedy = Scene(root).after(takes)
    value, best = truth.moves(root)[takes], truth.value(root)
    story.scene = Scene(root)
    story.add_step("dots_refuse", {"value": best}, variables="value")
    slips = {"dots_slip_same": best, "dots_slip_sign": -value}
    story.ask_number("value", value, "dots_refuse", slips, best=best)
    story.scene = greedy
    name = root.game.move_name
    facts: dict[str, TextValue] = {"move": name(takes), "value": value, "best": best}
    story.add_step("dots_refused", facts, variables="value")
    _play_out(story, greedy, truth)


def _play_out(story: Story, scene: Scene, truth: Truth) -> None:
    """Add a step for each turn of best play, by *truth*, from *scene* to the end.

    Its text names the moves of the turn and counts the boxes that they take.
    """
    name = scene.position.game.move_name
    line = truth.line(scene.position)
    while line:
        before, drawn = scene.position, list[str]()
        while line and scene.position.turn == before.turn:
            drawn.append(name(line[0]))
            scene, line = scene.after(line[0]), line[1:]
        first, second = scene.position.scores()
        facts: dict[str, TextValue] = {
            "player": f"seat.{before.turn + 1}",
            "moves": " ".join(drawn),
            "boxes": scene.position.scores()[before.turn] - before.scores()[before.turn],
            "first": first,
            "second": second,
        }
        story.scene = scene
        story.add_step("dots_turn" if line else "dots_last_turn", facts)


def _wanted(dots: int) -> str:
    """Return the text key of how many long chains the first player (seat 0) wants.

    It is "lesson.odd" or "lesson.even", so that dots plus chains are even; *dots* is the number of
    dots of the board.
    """
    return "lesson.odd" if dots % 2 else "lesson.even"


GAME = Lesson("dots", "dots", dots, place=3)


# The board as a graph: degrees, the handshake lemma, regular graphs, and the paper's formula.

FACTS = ("n", "e", "r", "2e", "rn", "2n", "re")
"""Columns of the table of regular graphs: n vertices, e edges, r the degree, and products of these.
"""


def count_degrees(story: Story) -> list[tuple[TextValue, ...]]:
    """Add all steps of the lesson on degrees; return the row of each regular graph in its table.

    In a regular graph all vertices have the same degree. A row has the text key of the graph's
    name, then numbers in the order of FACTS: n vertices, e edges, the degree r, 2e, rn, 2n, re.
    """
    start = catalog.position("dots:2,2")
    story.scene = Scene(start, drawing=Drawing.of(start).graph("lines").drawn())
    story.add_step("degrees_start")
    story.add_step("degrees_words")
    three, four = start.after("a1b1 a1a2 b1b2"), start.after("a1b1 a1a2 b1b2 a2b2")
    _show_degrees(story, "three", three)
    total = sum(Drawing.of(four).graph("lines").degrees.values())
    slips = {
        "degrees_slip_edges": total // 2,
        "degrees_slip_before": total - 2,
        "degrees_slip_end": total - 1,
    }
    story.ask_number("sum", total, "degrees_sum", slips, line="a2b2")
    _show_degrees(story, "cycle", four)
    _show_degrees(story, "lemma", four)
    rows = [_regular(name, graph) for name, graph in _regular_graphs().items()]
    box = catalog.position("dots:1,1").after("a1b1 a1a2 b1b2 a2b2")
    story.scene = Scene(box, drawing=Drawing.of(box).graph("lines").drawn(degrees=True))
    head = ("lesson.head_graph", *(f"lesson.head_{fact}" for fact in FACTS))
    story.add_step("degrees_regular", table=StepTable(head[:6], (rows[0][:6],)))
    twice = {"degrees_slip_twice": rows[-1][4]}
    story.ask_number("edges", rows[-1][2], "degrees_cube", twice)
    table = StepTable(head, tuple(rows))
    story.add_step("degrees_formula", {"edges": rows[-1][2]}, variables="edges", table=table)
    _show_full_board(story)
    chain = catalog.position("dots:3,3 011100110011010111011010 2 0-1")
    dual = Drawing.of(chain).graph("boxes")
    boxes = replace(dual, vertices=dual.vertices[:-1])  # the ground lies below the picture
    story.scene = Scene(chain, drawing=boxes.drawn(degrees=True))
    story.add_step("degrees_dual")
    return rows


def _show_degrees(story: Story, name: str, position: Position) -> None:
    """Add a step with the graph of the drawn lines: its degrees, their sum, the number of edges.

    *name* is the end of the text's key (``degrees_NAME``).
    """
    graph = Drawing.of(position).graph("lines")
    facts = {"edges": len(graph.edges), "sum": sum(graph.degrees.values())}
    story.scene = Scene(position, drawing=graph.drawn(degrees=True))
    story.add_step(f"degrees_{name}", facts, variables="edges sum")


def _regular_graphs() -> dict[str, Graph]:
    """Return three regular graphs: the cycle and the complete graph on four vertices, and a cube.

    Keys are the text keys of their names; the cube comes last, which `count_degrees` relies on. All
    vertices lie at (0, 0): the graphs are counted, not drawn.
    """
    ring, four = ("ab", "bc", "cd", "da"), [one + other for one, other in combinations("abcd", 2)]
    cube = [
        one + other
        for one, other in combinations("abcdefgh", 2)
        if (ord(one) - ord("a") ^ ord(other) - ord("a")).bit_count() == 1
    ]
    return {
        f"lesson.degrees_{name}": Graph(
            name,
            tuple(Vertex(each, (0, 0)) for each in sorted(set("".join(edges)))),
            tuple(Edge(tuple(ends)) for ends in edges),
        )
        for name, edges in (("ring", ring), ("all", four), ("cube", cube))
    }


def _regular(name: str, graph: Graph) -> tuple[TextValue, ...]:
    """Return the row of a regular graph in the table: its *name*, then numbers as FACTS lists them.

    *name* is a text key. The numbers are n vertices, e edges, the degree r, 2e, rn, 2n and re.
    Raise ValueError if the degrees of its vertices differ.
    """
    (degree,) = set(graph.degrees.values())
    n, e, r = len(graph.vertices), len(graph.edges), degree
    return name, n, e, r, 2 * e, r * n, 2 * n, r * e


def _show_full_board(story: Story) -> None:
    """Add the steps on a full board of 3 x 3 boxes, a graph that is not regular.

    They show that its lines are half the sum of degrees.
    """
    start = catalog.position("dots:3,3")
    full = catalog.position(f"dots:3,3 {'1' * start.game.move_count} 1 5-4")
    graph = Drawing.of(full).graph("board")
    counts = Counter(graph.degrees.values())
    table = StepTable(
        ("lesson.head_degree", "lesson.head_dots", "lesson.head_sum"),
        tuple((degree, counts[degree], degree * counts[degree]) for degree in sorted(counts)),
    )
    story.scene = Scene(full, drawing=graph.drawn(degrees=True))
    n = len(graph.vertices)
    story.add_step("degrees_full", {"dots": n}, table=table)
    edges = len(graph.edges)
    slips = {"degrees_slip_twice": 2 * edges, "degrees_slip_regular": 4 * n // 2}
    story.ask_number("edges", edges, "degrees_full", slips)
    facts = {"edges": edges, "sum": 2 * edges, "paper": 2 * n // 4}
    story.add_step("degrees_lines", facts, variables="edges sum", table=table)


DEGREES = Lesson("degrees", "dots", count_degrees, place=6)


# The agent of the Dots and Boxes paper: chain values, minimax, and the turn that it forgets.

START = "dots:2,2 101011101110 2 0-1"
ME, RIVAL = "lesson.me", "lesson.rival"

LessonFound = tuple[float, tuple[tuple[Move, NodeRole], ...]]
"""A value, and the line that leads to it: each move with the role that makes it."""


class ChainSearch:
    """Minimax to the end over the difference of boxes, in the order of the chain values.

    A line has the chain value 1 if it completes a number of boxes of the parity that the seat at
    the root wants (odd for the first player, even for the second), else 0. *by_the_rules*: the seat
    that completes a box chooses again; else, as in the paper, max and min alternate. *root* is the
    position to search; the seat to move there is max.
    """

    def __init__(self, root: DotsPosition, by_the_rules: bool) -> None:
        self.root, self.by_the_rules = root, by_the_rules

    def value(self, position: DotsPosition, role: NodeRole) -> LessonFound:
        """Return the final lead, in boxes, of the seat at the root, and the line to it.

        *role*, "max" or "min", chooses in *position*: the move of the greatest or of the least
        value, the first such one of `ordered`. The line is empty at the end of the game.
        """
        if not position.moves():
            return margin(position, self.root.turn), ()
        found = (self.after(position, move, role) for move in self.ordered(position, role))
        return (max if role == "max" else min)(found, key=lambda each: each[0])

    def after(self, position: DotsPosition, move: Move, role: NodeRole) -> LessonFound:
        """Return the final lead after *move*, in boxes of the seat at the root, and the line to it.

        *role* makes the move, which is the first of the line.
        """
        child = position.child(move)
        following: NodeRole = "min" if role == "max" else "max"
        if self.by_the_rules:  # who has completed a box draws again
            following = "max" if child.turn == self.root.turn else "min"
        value, play = self.value(child, following)
        return value, ((move, role), *play)

    def ordered(self, position: DotsPosition, role: NodeRole) -> list[Move]:
        """Return the moves by chain value: those with 1 first, or last if min chooses.

        The chain value of a line is 1 if it completes a number of boxes of the parity that the seat
        at the root wants, else 0.
        """
        sign = -1 if role == "max" else 1
        return sorted(
            position.moves(), key=lambda move: sign * chain_value(position, move, self.root.turn)
        )

    def moves(self) -> dict[Move, LessonFound]:
        """Return for each move at the root, in the order of `ordered`, its value and line.

        Values are the final lead of the seat at the root, in boxes.
        """
        return {move: self.after(self.root, move, "max") for move in self.ordered(self.root, "max")}


def chain_value(position: DotsPosition, move: Move, seat: int) -> int:
    """Return 1 if a line completes a number of boxes of the parity that *seat* wants, else 0.

    The first player (seat 0) wants it odd, the second even.
    """
    return int(boxes(position, move) % 2 != seat)


def boxes(position: DotsPosition, move: Move) -> int:
    """Return how many boxes the line *move* completes, 0 to 2."""
    return sum(position.child(move).owned) - sum(position.owned)


def teach(story: Story) -> dict[bool, dict[Move, LessonFound]]:
    """Add all steps of the lesson on the paper's agent; return each move's value and line.

    Keys are False and True: the moves as found by a `ChainSearch` as in the paper, and by one that
    plays by the rules. Values are those of `ChainSearch.moves`.
    """
    root = cast("DotsPosition", catalog.position(START))
    name = root.game.move_name
    story.scene = Scene(root)
    story.add_step("chains_start", line="function")
    values: dict[Move, float] = {}
    asked: set[int] = set()
    for move in root.moves():
        story.scene = Scene(root, marks=(move,), values=dict(values))
        facts: dict[str, TextValue] = {"move": name(move), "boxes": boxes(root, move)}
        story.add_step("chains_count", facts, line="chain", variables="move boxes")
        values[move] = chain_value(root, move, root.turn)
        if boxes(root, move) not in asked:
            asked.add(boxes(root, move))
            parity = "lesson.odd" if boxes(root, move) % 2 else "lesson.even"
            asks: dict[str, TextValue] = {**facts, "parity": parity}
            story.ask_choice("chain", values[move], (0, 1), "chains_chain", **asks)
        story.scene = Scene(root, marks=(move,), values=dict(values))
        facts["chain"] = values[move]
        story.add_step("chains_value", facts, line="chain", variables="move boxes chain")
    results = {}
    for by_the_rules in (False, True):
        results[by_the_rules] = _look_ahead(story, ChainSearch(root, by_the_rules))
    story.add_step("chains_end", line="turn")
    return results


def _look_ahead(story: Story, search: ChainSearch) -> dict[Move, LessonFound]:
    """Add the steps of one *search*; return each root move's value and line, by the move.

    First comes a step on the order of the moves, or if *search* plays by the rules a question and a
    step on the turn that a box gives; then a step for each move at the root; last one on the move
    of the highest value. Return the result of `ChainSearch.moves`. Raise StopIteration if *search*
    plays by the rules, and no move at the root completes a box.
    """
    root, name = search.root, search.root.game.move_name
    version, code = ("rules", "turn") if search.by_the_rules else ("paper", "role")
    order = ", ".join(map(name, search.ordered(root, "max")))
    story.scene = Scene(root)
    if search.by_the_rules:
        box = next(move for move in root.moves() if boxes(root, move))
        story.ask_choice("next", ME, (ME, RIVAL), "chains_turn", move=name(box))
        story.scene = Scene(root).after(box)
        story.add_step("chains_rules", {"next": ME}, line="turn", variables="next")
    else:
        story.add_step("chains_order", {"order": order}, line="order")
    found = search.moves()
    for move, (value, play) in found.items():
        story.scene = Scene(root, marks=(move,))
        line = " ".join(name(each) for each, _ in play)
        story.add_step(
            f"chains_line_{version}",
            {"move": name(move), "value": value, "line": line},
            line=code,
            variables="move value",
            at=(_branch(root, play, value), len(play)),
        )
    best = max(found, key=lambda move: found[move][0])
    story.scene = Scene(root, values={move: value for move, (value, _) in found.items()}, best=best)
    story.add_step(
        f"chains_choice_{version}",
        {"move": name(best), "value": found[best][0]},
        line="return",
        variables="move value",
    )
    return found


def _branch(
    root: DotsPosition, play: tuple[tuple[Move, NodeRole], ...], value: float
) -> tuple[Node, ...]:
    """Return the expected line as a branch of a tree: the root, and a node for each move.

    *play* are moves with the role that makes each, at least one; *value* is that of all nodes, in
    boxes for the seat at the root. A node has the role that chooses there; the last node has the
    role that made the last move.
    """
    name = root.game.move_name
    roles: list[NodeRole] = [role for _, role in play]
    nodes = [Node(0, None, "", roles[0], value, "done")]
    for number, (move, role) in enumerate(play, 1):
        following = roles[number] if number < len(roles) else role
        nodes.append(Node(number, number - 1, name(move), following, value, "done"))
    return tuple(nodes)


CHAINS = Lesson(
    "chains",
    "dots",
    teach,
    ("function", "chain", "chain", "order", "role", "turn", "return"),
    agent="chains",
    variants=("chains", "chains-fixed"),
    place=3,
)
