"""How trees grow: what a way to search looks at, counted on positions of more and more moves."""

from __future__ import annotations

from collections.abc import Callable

from papan import catalog
from papan.core import Position
from papan.lessons.lesson import StepTable

POSITIONS = (
    "tictactoe:3,3,3 xxo/.ox/... o",
    "tictactoe:3,3,3 x.o/.o./x.. x",
    "tictactoe:3,3,3 x.o/.../x.. o",
    "tictactoe:3,3,3 x../.o./... x",
)


def everything(position: Position) -> int:
    """How many positions plain minimax looks at."""
    return 1 + sum(everything(position.child(move)) for move in position.moves())


def comparison(key: str, count: Callable[[Position], int]) -> StepTable:
    """What *count* finds beside what minimax needs, with as many empty cells in each row."""
    rows = []
    for text in POSITIONS:
        position = catalog.position(text)
        rows.append((len(position.moves()), everything(position), count(position)))
    return StepTable(("lesson.head_empty", "lesson.head_minimax", key), tuple(rows))
