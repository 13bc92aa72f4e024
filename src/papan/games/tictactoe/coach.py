"""Tic Tac Toe in words: the lessons about its mistakes."""

from papan.core.marks import LineCoach
from papan.games.tictactoe.rules import TicTacToe


class TicTacToeCoach(LineCoach, game=TicTacToe):
    """Gives reasons for moves by open lines, and names the step of the lesson for four mistakes."""

    lesson_steps = {
        "review.missed_win": "lesson.tictactoe_win_task",
        "review.not_blocked": "lesson.tictactoe_block_task",
        "review.missed_double": "lesson.tictactoe_fork_task",
        "review.allowed_double": "lesson.tictactoe_defend_task",
    }
