"""Connect 4 in words: where stones land, why a column is full, the lessons about its mistakes."""

from papan.core import IllegalMoveError, Move
from papan.core.marks import LineCoach
from papan.games.connect4.rules import Connect4, Connect4Position


class Connect4Coach(LineCoach, game=Connect4):
    """Reasons by open lines; a move is named by the cell where its stone lands."""

    position: Connect4Position
    lesson_steps = {
        "review.missed_win": "lesson.connect4_win_task",
        "review.not_blocked": "lesson.connect4_block_task",
        "review.allowed_win": "lesson.connect4_threats",
        "review.missed_double": "lesson.connect4_double_task",
        "review.allowed_double": "lesson.connect4_double_task",
    }

    def place_of(self, move: Move) -> str:
        """Return the cell: a column alone does not say what is completed there."""
        return self.position.game.grid.names[self.position.landing_cell(move)]

    def area(self, move: Move) -> tuple[str, ...]:
        """Return the column and the open ones beside it."""
        near = (each for each in self.position.moves() if abs(each - move) <= 1)
        return tuple(map(self.position.game.move_name, near))

    def why_illegal(self, move: Move) -> IllegalMoveError:
        column = self.position.game.move_name(move)
        return IllegalMoveError("connect4.column_full", column=column)
