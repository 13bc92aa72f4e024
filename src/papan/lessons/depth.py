"""Lessons on depth: evaluation at the horizon, and iterative deepening."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from papan import catalog
from papan.core import Move, Position, margin
from papan.core.parts import Support
from papan.core.reasons import wins
from papan.lessons import Lesson, Pruning, Scene, Story, TextValue, Truth, columns, reply

# Evaluation: a guess at the horizon, and how far to trust it.

GUESSED = "tictactoe:3,3,3 .x./.ox/..o x"
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
WON = 10
"""Value of a won game: more than any estimate."""


def lines_open_to(position: Position, seat: int) -> int:
    """Return the number of lines on 3x3 (0 to 8) without a mark of *seat*'s rival.

    These *seat* could still fill.
    """
    cells, rival = position.write()[0].replace("/", ""), "ox"[seat]
    return sum(all(cells[int(cell)] != rival for cell in line) for line in LINES)


def evaluate_lines(position: Position, seat: int) -> int:
    """Return the estimate of this lesson for *seat*: its open lines minus the rival's, -8 to 8."""
    return lines_open_to(position, seat) - lines_open_to(position, 1 - seat)


def _look(position: Position, seat: int, depth: int) -> float:
    """Return the minimax value of *position* for *seat*, *depth* plies deep.

    At the horizon `evaluate_lines` counts. A finished game counts `WON` times the margin of *seat*
    (1, 0 or -1).
    """
    if not position.moves():
        return WON * margin(position, seat)
    if depth == 0:
        return evaluate_lines(position, seat)
    values = [_look(position.child(move), seat, depth - 1) for move in position.moves()]
    return max(values) if position.turn == seat else min(values)


def judge(story: Story) -> dict[int, dict[Move, float]]:
    """Add the steps of the lesson on evaluation.

    Return by depth, 0 (the estimate of the position after a move alone) and 1 (one ply deeper), the
    value of each move for the seat that makes it, in the unit of `evaluate_lines`.
    """
    root = catalog.position(GUESSED)
    story.scene = Scene(root)
    story.add_step("evaluation_start", line="horizon")
    _count(story, root)
    found = {
        depth: {move: _look(root.child(move), root.turn, depth) for move in root.moves()}
        for depth in (0, 1)
    }
    _trust(story, root, found[0])
    _compare(story, root, found)
    _weigh(story, root)
    return found


def _count(story: Story, root: Position) -> None:
    """Add steps that show the lines open to each side, and their difference."""
    own, rival = lines_open_to(root, root.turn), lines_open_to(root, 1 - root.turn)
    total = len(LINES)
    story.add_step("evaluation_lines", {"total": total}, line="own")
    sides = (("own", "evaluation_own", own, rival), ("rival", "evaluation_rival", rival, own))
    for side, key, count, other in sides:
        slips = {"evaluation_slip_total": total, f"evaluation_slip_{side}": other}
        story.ask_number(side, count, key, slips, total=total)
        story.add_step(key, {side: count}, line=side, variables=side)
    slips = {"evaluation_slip_sign": rival - own, "evaluation_slip_sum": own + rival}
    story.ask_number("value", own - rival, "evaluation_value", slips, own=own, rival=rival)
    story.add_step("evaluation_value", {"value": own - rival}, line="guess", variables="value")


def _best(values: Mapping[Move, float]) -> Move:
    """Return the move with the largest of *values*, the first one of equals."""
    return max(values, key=lambda move: values[move])


def _ask_best(story: Story, root: Position, values: dict[Move, float], key: str, why: str) -> None:
    """Ask for the best move by *values*; the reply to any other one tells its value.

    *values* are estimates by move in *root*, for the seat to move; the question is
    ``lesson.KEY_ask``, the reply ``lesson.WHY`` with the name of the move, its value and the best
    value (see `Story.ask_choice`).
    """
    name, best = root.game.move_name, max(values.values())
    replies = {
        name(move): reply(why, move=name(move), value=value, best=best)
        for move, value in values.items()
    }
    story.ask_choice("move", name(_best(values)), list(replies), key, replies)


def _point_out(story: Story, root: Position, values: dict[Move, float]) -> dict[str, TextValue]:
    """Show *values* on the board, by move, and highlight the best move.

    Return the values for texts: its name as ``move`` and its ``value``.
    """
    best = _best(values)
    story.scene = Scene(root, values=values, best=best)
    return {"move": root.game.move_name(best), "value": values[best]}


def _trust(story: Story, root: Position, values: dict[Move, float]) -> None:
    """Add steps that play the move that looks best, and the reply that wins.

    *values* are the estimates of the moves in *root*. Raise IndexError if no reply wins.
    """
    name, seat = root.game.move_name, root.turn
    rows = tuple(
        (name(move), lines_open_to(child, seat), lines_open_to(child, 1 - seat), values[move])
        for move in values
        for child in (root.child(move),)
    )
    names = "move own_lines rival_lines value"
    table = columns(names, ((*row[:3], "") for row in rows))
    story.add_step("evaluation_moves", line="guess", table=table)
    _ask_best(story, root, values, "evaluation_move", "evaluation_why_guess")
    facts = _point_out(story, root, values)
    table = columns(names, rows, marked=list(values).index(_best(values)))
    story.add_step("evaluation_best", facts, line="guess", variables="move value", table=table)
    scene = Scene(root).after(_best(values))
    answer = wins(scene.position)[0]
    story.scene = scene.after(answer)
    story.add_step("evaluation_fault", {**facts, "reply": name(answer)}, line="guess")


def _compare(story: Story, root: Position, found: dict[int, dict[Move, float]]) -> None:
    """Add steps that search one ply more: every reply is played before the estimate.

    *found* is what `judge` returns.
    """
    name, values = root.game.move_name, found[1]
    story.scene = Scene(root)
    story.add_step("evaluation_deeper", {"won": WON}, line="search")
    _ask_best(story, root, values, "evaluation_deeper", "evaluation_why_reply")
    rows = ((name(move), found[0][move], values[move]) for move in values)
    facts, best = _point_out(story, root, values), _best(values)
    table = columns("move guess reply", rows, marked=list(values).index(best))
    story.add_step("evaluation_seen", facts, line="best", variables="move value", table=table)
    truth = Truth()
    story.scene = Scene(root, values=truth.moves(root), proved=True, best=best)
    exact = {"guess": values[best], "value": truth.value(root)}
    story.add_step("evaluation_truth", exact, line="over", variables="guess value")


def _weigh(story: Story, root: Position) -> None:
    """Add steps on papan's own estimate, which counts long lines more.

    It finds the best move of *root* at once.
    """
    guess = Support.of(root.game).evaluate
    values = {move: round(guess(root.child(move), root.turn), 2) for move in root.moves()}
    facts = _point_out(story, root, values)
    story.add_step("evaluation_weighed", facts, line="guess", variables="move value")
    story.scene = Scene(root)
    story.add_step("evaluation_end", line="horizon")


EVALUATION = Lesson(
    "evaluation",
    "tictactoe",
    judge,
    ("evaluate", "own", "rival", "guess", "search", "over", "horizon", "best"),
    agent="minimax:depth=2",
    variants=("minimax:depth=1", "minimax:depth=3"),
    place=5,
)


# Iterative deepening: one ply more in each round, the best move of the last round first.

DEEPENED = "adjacency:4,4,4 x.oo/.ooo/xo../xx.x o"
WIDE = "connect4"
DEPTH = 4
"""Depth of the comparison, in plies."""


class Round(NamedTuple):
    """The result of one round of deepening."""

    depth: int
    """In plies."""
    best: Move
    value: float
    """Of the best move, in points for the seat to move."""
    nodes: int
    """Nodes of this round alone."""


def rounds(root: Position, depth: int) -> list[Round]:
    """Return the rounds from 1 to *depth* plies, with alpha-beta.

    In each position a round first searches the move that the rounds before found best there.
    """
    search = Pruning(root)
    search.order = lambda position: sorted(
        position.moves(), key=lambda move: move != search.best.get(position)
    )
    return [look_at_root(search, each) for each in range(1, depth + 1)]


def look_at_root(search: Pruning, depth: int) -> Round:
    """Search the root of *search* *depth* plies deep (1 or more), and return the result.

    Its nodes are those of this search alone; those that *search* has counted before are forgotten.
    Raise KeyError if the game is over at the root.
    """
    search.nodes = 0
    value = search.value(search.root, depth)
    return Round(depth, search.best[search.root], value, search.nodes)


def deepen(story: Story) -> list[Round]:
    """Add the steps of the lesson on iterative deepening; return the rounds on its first board."""
    root = catalog.position(DEEPENED)
    story.scene = Scene(root)
    story.add_step("deepening_start", line="function")
    found = rounds(root, len(root.moves()))
    _go_round(story, root, found)
    wide = catalog.position(WIDE)
    story.scene = Scene(wide)
    _cost(story, len(wide.moves()))
    _order(story, wide)
    return found


def _go_round(story: Story, root: Position, found: list[Round]) -> None:
    """Add a step for each of the rounds *found*: its best move, that move's value and its nodes.

    After the first round also ask which move the second round looks at first; after the second,
    which move is played if there is no time for a third. *root* is the position of all rounds.
    """
    name = root.game.move_name
    rows = tuple((each.depth, name(each.best), each.value, each.nodes) for each in found)
    before = ""
    for place, (depth, move, value, nodes) in enumerate(rows):
        key = "changed" if before not in ("", move) else "round"
        key = "end" if depth == len(rows) else key
        story.scene = Scene(root, marks=(found[place].best,))
        story.add_step(
            f"deepening_{key}",
            {"depth": depth, "move": move, "value": value, "nodes": nodes, "before": before},
            line="keep",
            variables="depth move value",
            table=columns("depth best value_found nodes", rows[:depth], marked=place),
        )
        if place < 2:  # which move is looked at first, and which one is played if time is up?
            key, line = (("deepening_first", "look"), ("deepening_stop", "time"))[place]
            names = list(map(name, root.moves()))
            why = {each: reply(f"{key}_why", move=each) for each in names}
            story.ask_choice("move", move, names, key, why)
            story.add_step(key, {"move": move}, line=line, variables="move")
        before = move


def _cost(story: Story, moves: int) -> None:
    """Add steps on the cost of the rounds before the last, without pruning.

    *moves* is the number of moves in each position.
    """
    ends = {depth: moves**depth for depth in range(1, DEPTH + 1)}
    *early, last = ends.values()
    table = columns("depth lines", ends.items())
    facts: dict[str, TextValue] = {"moves": moves, "early": sum(early), "last": last}
    story.add_step("deepening_cost", facts, line="round", table=table)
    share = round(100 * sum(early) / last)
    slips = {"deepening_slip_double": 100, "deepening_slip_three": 100 * (DEPTH - 1)}
    story.ask_number("share", share, "deepening_share", slips, **facts)
    story.add_step("deepening_share", {"share": share, **facts}, line="round", variables="share")


FEWER, MORE = "lesson.deepening_fewer", "lesson.deepening_more"


def _order(story: Story, root: Position) -> None:
    """Add steps that show how rounds pay off with pruning: they order the moves of the last one."""
    found = rounds(root, DEPTH)
    total = sum(each.nodes for each in found)
    direct = [look_at_root(Pruning(root), each.depth).nodes for each in found]
    story.add_step("deepening_order", {"depth": DEPTH}, line="look")
    answer = FEWER if total < direct[-1] else MORE
    facts: dict[str, TextValue] = {"depth": DEPTH, "total": total, "direct": direct[-1]}
    story.ask_choice("nodes", answer, (FEWER, MORE), "deepening_total", **facts)
    rows = ((each.depth, each.nodes, other) for each, other in zip(found, direct))
    table = columns("depth remembers forgets", rows)
    story.scene = Scene(root, marks=(found[-1].best,))
    facts["nodes"] = answer
    story.add_step("deepening_total", facts, line="look", variables="nodes", table=table)
    story.add_step("deepening_last", line="function")


DEEPENING = Lesson(
    "deepening",
    "adjacency",
    deepen,
    ("function", "round", "look", "time", "keep", "return"),
    agent="alphabeta",
    variants=("alphabeta:depth=6", "alphabeta:depth=6,ordering=false"),
    place=6,
)
