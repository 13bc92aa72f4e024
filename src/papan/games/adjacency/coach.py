"""Adjacency in words: how many marks a move turns, and why it is a mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from papan.core import Message, Move, margin
from papan.core.marks import MarkCoach
from papan.core.reasons import Clause, ClauseKind, Mistake
from papan.games.adjacency.rules import MARKS_AT_START, Adjacency, AdjacencyPosition

NO_FACTS: Mapping[str, object] = {}
FEWEST_STOPPED = 2
"""Fewest marks that the rival could turn on a cell, for which taking it is a reason."""


class AdjacencyCoach(MarkCoach, game=Adjacency):
    """Gives reasons for moves in `position`, by marks turned, and says why one is a mistake."""

    position: AdjacencyPosition
    lesson_steps = {
        "adjacency.gave_frontier": "lesson.adjacency_patience_task",
        "adjacency.gave_frontier_nothing": "lesson.adjacency_patience_task",
        "adjacency.too_greedy": "lesson.adjacency_patience_task",
        "adjacency.too_greedy_nothing": "lesson.adjacency_patience_task",
        "adjacency.greedy_exposed": "lesson.adjacency_patience_task",
        "adjacency.greedy_exposed_nothing": "lesson.adjacency_patience_task",
        "adjacency.greedy_ends": "lesson.adjacency_patience_task",
        "adjacency.turned_fewer": "lesson.adjacency_flips",
        "adjacency.turned_fewer_nothing": "lesson.adjacency_flips",
    }

    ideas = {
        "adjacency.reason_ends": "adjacency.idea_last",
        "adjacency.reason_ends_draw": "adjacency.idea_last",
        "adjacency.reason_last_wins": "adjacency.idea_last",
        "adjacency.reason_last_draws": "adjacency.idea_last",
        "adjacency.reason_last_loses": "adjacency.idea_last",
        "adjacency.reason_last_wins_nothing": "adjacency.idea_last",
        "adjacency.reason_last_draws_nothing": "adjacency.idea_last",
        "adjacency.reason_last_loses_nothing": "adjacency.idea_last",
        "adjacency.reason_turns_all_for_good": "adjacency.idea_for_good",
        "adjacency.reason_turns_for_good": "adjacency.idea_for_good",
        "adjacency.reason_safe": "adjacency.idea_for_good",
        "adjacency.reason_takes_away": "adjacency.idea_takes_away",
        "adjacency.reason_turns": "adjacency.idea_turns",
        "adjacency.reason_greedy": "adjacency.idea_patience",
        "adjacency.reason_greedy_nothing": "adjacency.idea_patience",
        "adjacency.reason_turns_none": "adjacency.idea_quiet",
        "adjacency.reason_turns_none_at_all": "adjacency.idea_quiet",
        "adjacency.reason_fewest_exposed": "adjacency.idea_exposed",
        "adjacency.reason_fewest_exposed_nothing": "adjacency.idea_exposed",
    }

    def deeds(self, move: Move) -> Iterator[Clause]:
        """Yield the reasons of a legal move, at least one: what it turns, keeps, or takes away.

        If at most one ply is left after it, the first reason says how the game ends.
        """
        before, after = self.position, self.position.child(move)
        if after.plies_left <= 1:
            yield self._last(move, after)
        turned = before.flips(move)
        kept = [cell for cell in (move, *turned) if not self._beside_empty(after, cell)]
        for_good = [cell for cell in kept if cell != move]
        facts = {"marks": len(turned), "kept": len(for_good)}
        if turned:
            key = "turns_all_for_good" if turned == for_good else "turns_for_good"
            yield self._clause(key if for_good else "turns", move, facts, turned)
        if not after.plies_left:
            return
        if move in kept:
            yield self._clause("safe", move)
        yield from self._prevented(move, after)
        if fewest := self._fewest_exposed(move, after):
            yield fewest
        if not turned:
            most, reply = after.most_turned()
            key = "turns_none" if most else "turns_none_at_all"
            yield self._clause(key, move, {"marks": most, "reply": reply})

    def _clause(
        self,
        key: str,
        move: Move,
        facts: Mapping[str, object] = NO_FACTS,
        cells: Iterable[int] = (),
        kind: ClauseKind = "does",
    ) -> Clause:
        """Return a clause about *move* that points out its cell and *cells*, numbers of the grid.

        *key* is the end of its text's key (``adjacency.reason_KEY``), *facts* are the values of the
        text besides the move's name; *kind* is the kind of the clause, such as "does" or
        "prevents".
        """
        names = self.position.game.grid.names
        message = Message(f"adjacency.reason_{key}", {"move": names[move], **facts})
        return Clause(kind, message, (names[move], *(names[cell] for cell in cells)), (move,))

    def _last(self, move: Move, after: AdjacencyPosition) -> Clause:
        """Return a clause, marked as decisive, on how the game ends after *move*.

        *after* is the position then, with at most one ply left: not checked. If one is left, the
        rival is taken to answer with the move that turns most.
        """
        seat = self.position.turn
        if not after.plies_left:
            own, rival = (int(after.scores()[each]) for each in (seat, 1 - seat))
            ended = {"own": own, "rival_marks": rival}
            key = "ends" if own != rival else "ends_draw"
            return replace(self._clause(key, move, ended), decides=True)
        most, reply = after.most_turned()
        ahead = int(margin(after, seat)) - 1 - 2 * most  # a mark placed, and each turned one twice
        key = "last_wins" if ahead > 0 else "last_loses" if ahead < 0 else "last_draws"
        facts = {"reply": reply, "marks": most, "ahead": abs(ahead)}
        return replace(self._clause(_or_nothing(key, most), move, facts), decides=True)

    def _beside_empty(self, after: AdjacencyPosition, cell: int) -> bool:
        """Return whether *cell*, a number of the grid, has an empty cell beside it in *after*.

        Only then can its mark be turned.
        """
        return bool(self.position.game.beside[cell] & after.empty)

    def _prevented(self, move: Move, after: AdjacencyPosition) -> Iterator[Clause]:
        """Yield up to two clauses: what *move* denies the rival, and what a greedier one costs.

        The first says how many own marks the rival can no longer turn by taking the cell of *move*:
        those beside it, if they are `FEWEST_STOPPED` or more. The second says how many marks the
        rival could turn after the move that turns most; it comes only if that move turns more than
        *move*, and the rival could turn more after it than after *move*. *after* is the position
        after *move*.
        """
        before, game = self.position, self.position.game
        own = before.marks[before.turn]
        lost = [cell for cell in game.grid.neighbours[move] if own >> cell & 1]
        if len(lost) >= FEWEST_STOPPED:
            yield self._clause("takes_away", move, {"marks": len(lost)}, lost, "prevents")
        greedy = max(before.moves(), key=before.turned_by)
        more, now = before.turned_by(greedy), before.turned_by(move)
        if more <= now:
            return
        (given, reply), (left, _) = before.child(greedy).most_turned(), after.most_turned()
        if given > left:
            facts = {"greedy": game.move_name(greedy), "more": more, "reply": reply, "back": given}
            key = _or_nothing("greedy", left)
            yield self._clause(key, move, facts | {"left": left}, (greedy,), "instead")

    def _fewest_exposed(self, move: Move, after: AdjacencyPosition) -> Clause | None:
        """Return a clause that *move* leaves the fewest own marks beside empty cells.

        None if another move leaves as few or fewer. *after* is the position after *move*, which
        must be legal: not checked. Only marks beside empty cells can be turned.
        """
        before, seat = self.position, self.position.turn
        exposed = after.exposed(seat)
        others = (each for each in before.moves() if each != move)
        if any(before.child(each).exposed(seat) <= exposed for each in others):
            return None
        facts = {"marks": exposed, "rival_marks": after.exposed(1 - seat)}
        return self._clause(_or_nothing("fewest_exposed", exposed), move, facts)

    def area(self, move: Move) -> tuple[str, ...]:
        """Return the names of the empty cells, that of *move* too, in the 5x5 square around it."""
        grid = self.position.game.grid
        row, column = divmod(move, grid.columns)
        return tuple(
            grid.names[cell]
            for cell in self.position.moves()
            if abs(cell // grid.columns - row) <= 2 and abs(cell % grid.columns - column) <= 2
        )

    def fault(self, mistake: Mistake) -> Message | None:
        """Return a sentence on what the mistake allows, turned or exposed, or how the game ends.

        The mistake is compared with the better move; the first of these cases decides. After it
        the rival can turn more marks; it turns fewer marks; it leaves more own marks beside empty
        cells; the final margins of both are proved: how many marks the mover ends with after each;
        it turns more marks. In the last three cases a mistake that turns more marks than the better
        move is called greedy. None if no case applies.
        """
        before = self.position
        after, other = before.child(mistake.move), before.child(mistake.better)
        (given, reply), (left, _) = after.most_turned(), other.most_turned()
        if given > left:
            facts = {"reply": reply, "marks": given, "fewer": left}
            return _fault(mistake, "gave_frontier", facts, left)
        now, instead = len(before.flips(mistake.move)), len(before.flips(mistake.better))
        turned = {"marks": now, "instead": instead}
        if now < instead:
            return _fault(mistake, "turned_fewer", turned, now)
        exposed, fewer = after.exposed(before.turn), other.exposed(before.turn)
        if exposed > fewer:
            key = "greedy_exposed" if now > instead else "exposed_more"
            return _fault(mistake, key, turned | {"exposed": exposed, "fewer": fewer}, fewer)
        if mistake.now.exact and mistake.instead.exact:
            marks = MARKS_AT_START + 2 * before.game.rounds
            ended, best = (int(marks + each.low) // 2 for each in (mistake.now, mistake.instead))
            key = "greedy_ends" if now > instead else "ends_with"
            return _fault(mistake, key, turned | {"ended": ended, "best": best})
        return _fault(mistake, "too_greedy", turned, instead) if now > instead else None


def _or_nothing(key: str, number: int) -> str:
    """Return *key*, or if *number* is 0 *key* with ``_nothing`` at its end."""
    return key if number else f"{key}_nothing"


def _fault(mistake: Mistake, key: str, facts: Mapping[str, object], number: int = 1) -> Message:
    """Return the sentence ``adjacency.KEY`` about *mistake*, with *facts* and `mistake.names`.

    If *number* is 0, it is ``adjacency.KEY_nothing``, which says "none" in words.
    """
    said = f"adjacency.{key}" if number else f"adjacency.{key}_nothing"
    return Message(said, {**mistake.names, **facts})
