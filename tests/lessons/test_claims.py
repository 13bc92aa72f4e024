"""What lessons claim in a sentence, proved by trying all of it."""

from collections.abc import Callable, Sequence
from functools import cache

import pytest

from papan import catalog
from papan.core.text import say
from papan.lessons import learning
from papan.lessons.lesson import Story

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]
CENTRE, CORNERS = [4], [0, 2, 6, 8]


def won(board: str, mark: str) -> bool:
    return any(all(board[int(cell)] == mark for cell in line) for line in LINES)


def placed(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def empty(board: str) -> list[int]:
    return [cell for cell in range(9) if board[cell] == "."]


def other(mark: str) -> str:
    return "o" if mark == "x" else "x"


def wins(board: str, mark: str) -> list[int]:
    return [cell for cell in empty(board) if won(placed(board, cell, mark), mark)]


def blocks(board: str, mark: str) -> list[int]:
    return wins(board, other(mark))


def forks(board: str, mark: str) -> list[int]:
    return [cell for cell in empty(board) if len(wins(placed(board, cell, mark), mark)) > 1]


def fork_stops(board: str, mark: str) -> list[int]:
    """Where a fork of the other side is to be feared: the moves after which it cannot make one."""
    if not forks(board, other(mark)):
        return []
    return [cell for cell in empty(board) if not forked(placed(board, cell, mark), mark)]


def forked(board: str, mark: str) -> bool:
    """Whether the other side can fork now; while *mark* threatens, only by the block itself."""
    made = forks(board, other(mark))
    threats = wins(board, mark)
    return bool([cell for cell in made if cell in threats] if threats else made)


def centre(board: str, mark: str) -> list[int]:
    return [cell for cell in CENTRE if board[cell] == "."]


def corners(board: str, mark: str) -> list[int]:
    return [cell for cell in CORNERS if board[cell] == "."]


Rule = Callable[[str, str], list[int]]
RULES: dict[str, Rule] = {
    "win": wins,
    "block": blocks,
    "fork": forks,
    "stop a fork": fork_stops,
    "centre": centre,
    "corner": corners,
}


def endings(rules: Sequence[str]) -> set[str]:
    """How games end where both follow *rules* in this order, whichever equal move they choose."""

    @cache
    def after(board: str, mark: str) -> frozenset[str]:
        if won(board, other(mark)):
            return frozenset(other(mark))
        if not empty(board):
            return frozenset(["draw"])
        chosen = next(filter(None, (RULES[name](board, mark) for name in rules)), empty(board))
        return frozenset().union(
            *(after(placed(board, cell, mark), other(mark)) for cell in chosen)
        )

    return set(after("." * 9, "x"))


def test_u17_the_order_of_tic_tac_toe_is_a_draw_for_both() -> None:
    order = say("lesson.tictactoe_end").removeprefix("In this order: ").split(".")[0].split(", ")
    assert order == list(RULES)
    assert endings(order) == {"draw"}


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_u17_less_than_the_whole_order_is_not_enough(count: int) -> None:
    assert endings(list(RULES)[:count]) == {"x", "o", "draw"}


def test_what_the_lesson_of_machine_learning_claims_is_proved() -> None:
    root = catalog.position(learning.START)
    truth = catalog.solve(root, all_moves=True)
    edges = {root.legal_move(name) for name in ("b1", "a2", "c2", "b3")}
    assert set(truth.best) == edges and truth.value == 0, "an edge holds the draw"
    corner = root.child(root.legal_move("c1"))
    assert catalog.solve(corner).value == 1, "a corner loses"
    assert len(wins("x.o.o.x.x", "x")) == 2, "X answers it with two threats at once"
    learners = learning.teach(Story())
    assert set(learners["explores"].policy(root)) == edges
    exam = learning.Exam(root)
    assert exam.errors(learners["explores"]) == 0
    off = {name: exam.distance(each) for name, each in learners.items()}
    assert off["explores"] < off["greedy"] and off["explores"] < off["slow"]
    assert len(learners["greedy"].value) < 0.6 * len(learners["explores"].value)
