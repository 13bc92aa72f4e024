"""Explain moves of Tic Tac Toe in words: open lines, and lesson steps about mistakes."""

from papan.core.marks import LineCoach
from papan.games.tictactoe.rules import TicTacToe


class TicTacToeCoach(LineCoach, game=TicTacToe):
    """Gives reasons for moves by open lines.

    `lesson_steps` has, for four reasons why a review calls a move a mistake, the text key of the
    step in the guided tour where one learns better.
    """

    lesson_steps = {
        "review.missed_win": "lesson.tictactoe_win_task",
        "review.not_blocked": "lesson.tictactoe_block_task",
        "review.missed_double": "lesson.tictactoe_fork_task",
        "review.allowed_double": "lesson.tictactoe_defend_task",
    }
