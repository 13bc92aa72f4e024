"""Evaluation: what a search says of positions whose end it cannot see, and how far to trust it."""

from __future__ import annotations

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import Lesson, Scene, StepTable, Story, Text, TextValue, Truth

START = "tictactoe:3,3,3 .x./.ox/..o x"
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
WON = 10
"""A game that is won is worth more than any guess."""


def open_lines(position: Position, seat: int) -> int:
    """The lines without a mark of the rival: those that *seat* could still fill."""
    cells, rival = position.write()[0].replace("/", ""), "ox"[seat]
    return sum(all(cells[int(cell)] != rival for cell in line) for line in LINES)


def evaluate(position: Position, seat: int) -> int:
    """The guess of this lesson: own open lines less the rival's."""
    return open_lines(position, seat) - open_lines(position, 1 - seat)


def look(position: Position, seat: int, depth: int) -> float:
    """Minimax to a *depth*, with the guess at its horizon."""
    if not position.moves():
        return WON * margin(position, seat)
    if depth == 0:
        return evaluate(position, seat)
    values = [look(position.child(move), seat, depth - 1) for move in position.moves()]
    return max(values) if position.turn == seat else min(values)


def judge(story: Story) -> dict[int, dict[Move, float]]:
    """The whole lesson; what each move is worth by the guess alone, and with a look at replies."""
    root = catalog.position(START)
    story.scene = Scene(root)
    story.add_step("lesson.evaluation_start", line="horizon")
    _count(story, root)
    found = {
        depth: {move: look(root.child(move), root.turn, depth) for move in root.moves()}
        for depth in (0, 1)
    }
    _trust(story, root, found[0])
    _look(story, root, found)
    _weigh(story, root)
    return found


def _count(story: Story, root: Position) -> None:
    """The lines open to each side, and their difference."""
    seat = root.turn
    own, rival = open_lines(root, seat), open_lines(root, 1 - seat)
    total = len(LINES)
    story.add_step("lesson.evaluation_lines", {"total": total}, line="own")
    for key, count, other in (("own", own, rival), ("rival", rival, own)):
        story.ask_number(
            key,
            count,
            f"lesson.evaluation_ask_{key}",
            why=f"lesson.evaluation_why_{key}",
            slips={
                "lesson.evaluation_slip_total": total,
                f"lesson.evaluation_slip_{key}": other,
            },
            total=total,
        )
        facts: dict[str, TextValue] = {key: count}
        story.add_step(f"lesson.evaluation_{key}", facts, line=key, variables=facts)
    story.ask_number(
        "value",
        own - rival,
        "lesson.evaluation_ask_value",
        why="lesson.evaluation_why_value",
        slips={
            "lesson.evaluation_slip_sign": rival - own,
            "lesson.evaluation_slip_sum": own + rival,
        },
        own=own,
        rival=rival,
    )
    value: dict[str, TextValue] = {"value": own - rival}
    story.add_step("lesson.evaluation_value", value, line="guess", variables=value)


def _reasons(root: Position, values: dict[Move, float], key: str) -> dict[TextValue, Text]:
    """Why a move is not the one: what it is worth, and that another is worth more."""
    name, best = root.game.move_name, max(values.values())
    return {
        name(move): Text(key, {"move": name(move), "value": value, "best": best})
        for move, value in values.items()
    }


def _trust(story: Story, root: Position, values: dict[Move, float]) -> None:
    """The move that looks best, and what comes of it."""
    name, seat = root.game.move_name, root.turn
    best = max(values, key=lambda move: values[move])
    moves = list(map(name, values))
    rows = tuple(
        (name(move), open_lines(child, seat), open_lines(child, 1 - seat), values[move])
        for move in values
        for child in (root.child(move),)
    )
    heads = (
        "lesson.head_move",
        "lesson.head_own_lines",
        "lesson.head_rival_lines",
        "lesson.head_value",
    )
    table = StepTable(heads, tuple((*row[:3], "") for row in rows))
    story.add_step("lesson.evaluation_moves", line="guess", table=table)
    why = _reasons(root, values, "lesson.evaluation_why_guess")
    story.ask_choice("move", name(best), moves, "lesson.evaluation_ask_move", why=why)
    story.scene = Scene(root, values=values, best=best)
    facts: dict[str, TextValue] = {"move": name(best), "value": values[best]}
    table = StepTable(heads, rows, marked=moves.index(name(best)))
    story.add_step("lesson.evaluation_best", facts, line="guess", variables=facts, table=table)
    scene = Scene(root).after(best)
    reply = next(
        move
        for move in scene.position.moves()
        if margin(scene.position.child(move), scene.position.turn) > 0
    )
    story.scene = scene.after(reply)
    values_: dict[str, TextValue] = {"move": name(best), "reply": name(reply)}
    story.add_step("lesson.evaluation_fault", values_, line="guess")


def _look(story: Story, root: Position, found: dict[int, dict[Move, float]]) -> None:
    """One ply more: what every reply does is seen before it is guessed."""
    name, values = root.game.move_name, found[1]
    best = max(values, key=lambda move: values[move])
    story.scene = Scene(root)
    story.add_step("lesson.evaluation_deeper", {"won": WON}, line="search")
    moves = list(map(name, values))
    why = _reasons(root, values, "lesson.evaluation_why_reply")
    story.ask_choice("move", name(best), moves, "lesson.evaluation_ask_deeper", why=why)
    story.scene = Scene(root, values=values, best=best)
    facts: dict[str, TextValue] = {"move": name(best), "value": values[best]}
    rows = tuple((name(move), found[0][move], values[move]) for move in values)
    heads = ("lesson.head_move", "lesson.head_guess", "lesson.head_reply")
    table = StepTable(heads, rows, marked=moves.index(name(best)))
    story.add_step("lesson.evaluation_seen", facts, line="best", variables=facts, table=table)
    truth = Truth()
    story.scene = Scene(root, values=truth.moves(root), proved=True, best=best)
    exact: dict[str, TextValue] = {"guess": values[best], "value": truth.value(root)}
    story.add_step("lesson.evaluation_truth", exact, line="over", variables=exact)


def _weigh(story: Story, root: Position) -> None:
    """papan's own guess counts long lines more, and finds the move at once."""
    name, seat = root.game.move_name, root.turn
    values = {move: round(root.game.evaluate(root.child(move), seat), 2) for move in root.moves()}
    best = max(values, key=lambda move: values[move])
    story.scene = Scene(root, values=values, best=best)
    facts: dict[str, TextValue] = {"move": name(best), "value": values[best]}
    story.add_step("lesson.evaluation_weighed", facts, line="guess", variables=facts)
    story.scene = Scene(root)
    story.add_step("lesson.evaluation_end", line="horizon")


LESSON = Lesson(
    "evaluation",
    "tictactoe",
    judge,
    ("evaluate", "own", "rival", "guess", "search", "over", "horizon", "best"),
    agent="minimax:depth=2",
    variants=("minimax:depth=1", "minimax:depth=3"),
    place=5,
)
