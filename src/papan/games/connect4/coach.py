"""Explain moves of Connect 4 in words: reasons, refusals, and the lessons about mistakes."""

from collections.abc import Iterator

from papan.core import Analysis, IllegalMoveError, Message, Move
from papan.core.lines import cell_names, each_bit, side_to_move
from papan.core.marks import LineCoach
from papan.core.reasons import Clause
from papan.games.connect4.rules import Connect4, Connect4Position

SHORT = 5
"""Most plies of a win that is explained as a play of threats; a longer one may be by parity."""


class Connect4Coach(LineCoach, game=Connect4):
    """Gives reasons for moves by the open lines, and adds proved wins by zugzwang.

    It names a move by the cell where the stone lands.
    """

    position: Connect4Position
    lesson_steps = {
        "review.missed_win": "lesson.connect4_win_task",
        "review.not_blocked": "lesson.connect4_block_task",
        "review.allowed_win": "lesson.connect4_threats",
        "review.missed_double": "lesson.connect4_double_task",
        "review.allowed_double": "lesson.connect4_double_task",
    }

    ideas = {
        **LineCoach.ideas,
        "connect4.reason_parity": "connect4.idea_parity",
        "connect4.reason_parity_new": "connect4.idea_parity",
    }

    def proved(self, move: Move, analysis: Analysis) -> Iterator[Clause]:
        """Yield one reason why *move* wins, if a proved win comes about by zugzwang; else nothing.

        *analysis* is the solver's, of the position before *move*. The reason is given if it proves
        a win by a line that begins with *move*, has more than `SHORT` plies, and ends on a hole of
        the mover that is there after *move*; before the rival's last move that cell cannot be
        marked yet, and every move of the rival lets the mover win at once. Other defences may end
        elsewhere. The text says whether the hole was there before *move*.
        """
        line, played = analysis.line, [self.position]
        if not analysis.exact or analysis.proved.low <= 0 or line[0] != move or len(line) <= SHORT:
            return
        for each in line[:-1]:
            played.append(played[-1].child(each))
        last, stuck = played[-1].landing_bit(line[-1]), played[-2]
        before = side_to_move(self.position)
        after = before.marked(self.position.landing_bit(move))
        waits = last in after.holes and not last & side_to_move(stuck).free
        if not (waits and played[-1].child(line[-1]).is_over and _in_zugzwang(stuck)):
            return
        (place,) = cell_names(self.position.game, [last])
        facts = {"move": self.position.game.move_name(move), "place": place, "plies": len(line)}
        cells = cell_names(self.position.game, each_bit(after.holes[last]))
        key = "connect4.reason_parity" if last in before.holes else "connect4.reason_parity_new"
        yield Clause("then", Message(key, facts), cells, line, decides=True)

    def place_of(self, move: Move) -> str:
        """Return the name, such as ``d3``, of the cell where a stone in the column *move* lands.

        Raise ValueError if the column is full.
        """
        return self.position.game.grid.names[self.position.landing_cell(move)]

    def area(self, move: Move) -> tuple[str, ...]:
        """Return the names, such as ``4``, of the open columns among *move* and those beside it.

        They are in order from the left.
        """
        near = (each for each in self.position.moves() if abs(each - move) <= 1)
        return tuple(map(self.position.game.move_name, near))

    def why_illegal(self, move: Move) -> IllegalMoveError:
        column = self.position.game.move_name(move)
        return IllegalMoveError("connect4.column_full", column=column)


def _in_zugzwang(position: Connect4Position) -> bool:
    """Return whether every move of the seat to move lets the other one win at once.

    True also if there is no move. That none of the moves wins itself is not checked.
    """
    return all(side_to_move(position.child(move)).wins for move in position.moves())
