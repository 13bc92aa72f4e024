"""Judges the moves of a played game: which were mistakes, of what kind and why, in a few sentences.

It goes from the last move back to the first, because a proof about a position also bounds the one
before: a seat that can still win after its move could win before it. All moves share one budget of
nodes, not of time, so that the same game has the same review on every machine. What neither the
rules nor a solver prove in it is judged by a search, and is marked as a guess.

`papan.core.reasons` and the games' coaches explain why a move is a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isinf
from typing import Any, Literal

from papan.core.agent import Agent
from papan.core.analysis import Analysis, Proved
from papan.core.game import Move, Position, margin
from papan.core.limit import Limit
from papan.core.message import Message
from papan.core.numbers import Number
from papan.core.parts import NODES_A_SECOND, Coach, Support, native_form
from papan.core.reasons import (
    PLAIN_FAULTS,
    PROVED_FAULTS,
    Mistake,
    fault,
    forced_win,
    wins,
    with_people,
)
from papan.core.session import seat_names
from papan.core.thinking import Cancelled, never

Kind = Literal["optimal", "lost", "changed", "open"]
"""Kinds of moves: without error; giving away points; giving away the result; unknown."""
Sure = Literal["exact", "lower", "half", "estimate"]
"""How sure a verdict is: its loss is exact or a lower bound; one of the two moves it compares is
proved to win or lose (half); nothing is proved."""
Result = Literal["win", "draw", "loss"]

REVIEW_SECONDS = 5.0
"""Seconds of a whole review, about, whatever the game and its size."""
PLAIN_NODES_A_SECOND = 20_000
"""Nodes that stand for a second of a search in plain Python; `Support` has those of others."""
PART = 1 / 3
"""Share of the nodes left that one proof may take while those of later positions succeed."""
LEAST, SLOW_LEAST = 2_000, 100
"""Nodes for each search, however few are left: fewer where a node costs more, down to the second.
"""
MOST_TRIED = 300
"""Legal moves of a position, at most, in which all are tried for wins at once."""
SHORT_LINE = 4
"""Plies of a line that shows too little: that of a search is shown instead."""
LINE_NODES = 50_000
"""Nodes of the search for such a line, at most."""
ENOUGH = 2.0
"""Points by which estimates must differ to count: margins differ by two at least."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on one move of a game: its kind, values before and after, and its reason."""

    ply: int
    """The number of moves before it: 0 for the first move of the game."""
    position: Position
    """The position before the move."""
    move: Move
    kind: Kind
    """*optimal*: without error; *lost*: gives away points; *changed*: gives away the result;
    *open*: unknown."""
    sure: Sure = "exact"
    """*exact*: the points lost are proved; *lower*: so many or more are; *half*: one of the two
    moves compared is proved to win or lose; *estimate*: nothing is."""
    lost: float = 0
    """Points of the final margin given away: exact, a lower bound, or an estimate."""
    obvious: bool = False
    """True if a short look ahead sees the mistake; otherwise it takes a solver."""
    better: tuple[Move, ...] = ()
    """The moves proved to be best, or the one that a search preferred; empty: no mistake."""
    plan: tuple[Move, ...] = ()
    """The first of the better moves, and the line expected after it."""
    refutation: tuple[Move, ...] = ()
    """The line that shows the mistake, after the move."""
    ends: tuple[Message, Message] | None = None
    """What is seen at the end of the refutation, and at the end of the plan; None: no mistake."""
    said: tuple[Message, ...] = ()
    """The sentences of the verdict; they name a player by his seat."""
    lesson: str = ""
    """The lesson's step about this mistake, by the key of its text; empty if there is none."""
    value: float | None = None
    """The margin in points, for the first seat, expected before the move; None if unknown."""
    proved: bool = False
    """True if that value is proved."""
    then: float | None = None
    """The margin in points, for the first seat, expected after the move; None if unknown."""
    then_proved: bool = False
    """True if the value after the move is proved."""

    @property
    def seat(self) -> int:
        """The seat that made the move, 0 or 1."""
        return self.position.turn

    @property
    def name(self) -> str:
        """The name of the move."""
        return self.position.game.move_name(self.move)

    @property
    def wrong(self) -> bool:
        """True if the move is a mistake: it gives points or the result away."""
        return self.kind in ("lost", "changed")

    def text(self, language: str = "en", names: Sequence[str] = ()) -> str:
        """Return the sentences in *language*, one after another; empty if the move is no mistake.

        *names* are those of the players, seat by seat; without them seats have their usual names.
        """
        called = names or seat_names(self.position.game, None, language)
        return " ".join(spoken(each, self.seat, called, language) for each in self.said)

    def json(self) -> dict[str, Any]:
        """Return the verdict as JSON data: its fields but `position`, and ``seat``; moves by name.

        ``ends`` is a list, empty for None.
        """
        name = self.position.game.move_name
        return {
            "ply": self.ply,
            "seat": self.seat,
            "move": self.name,
            "kind": self.kind,
            "sure": self.sure,
            "lost": self.lost,
            "obvious": self.obvious,
            "better": [name(move) for move in self.better],
            "plan": [name(move) for move in self.plan],
            "refutation": [name(move) for move in self.refutation],
            "ends": [each.json() for each in self.ends or ()],
            "said": [each.json() for each in self.said],
            "lesson": self.lesson,
            "value": self.value,
            "proved": self.proved,
            "then": self.then,
            "then_proved": self.then_proved,
        }


def spoken(message: Message, seat: int, names: Sequence[str], language: str) -> str:
    """Return the sentence *message*, in which *player* is *seat*, in *language*.

    *names* are those of the players, seat by seat; a name for each.
    """
    who = {"player": names[seat], "rival": names[-1 - seat]}
    return with_people(message, who).text(language)


def review_nodes(start: Position, seconds: float) -> float:
    """Return the number of nodes that a search makes in about *seconds* in the game of *start*.

    An estimate by fixed speeds, the same on every machine; infinite if *seconds* are.
    """
    compiled = native_form(start) is not None
    return seconds * (_nodes_a_second(start) if compiled else PLAIN_NODES_A_SECOND)


def _nodes_a_second(start: Position) -> int:
    """Return `Support.nodes_a_second` of the game of *start*."""
    return Support.of(start.game).nodes_a_second


@dataclass
class Reviewer:
    """One review in progress: the game, the agents that judge it, and the nodes left.

    To be used once: `verdicts` spends the nodes.
    """

    positions: Sequence[Position]
    """Every position of the game, first to last: one more than *moves*."""
    moves: Sequence[Move]
    solver: Agent | None
    """Proves positions; None if the game has no solver."""
    engine: Agent
    """Estimates positions for which the solver proves nothing."""
    shallow: Agent
    """Searches a few moves ahead: a mistake that it sees is obvious."""
    nodes: float = REVIEW_SECONDS * NODES_A_SECOND
    """Nodes left for the whole game, about; see `review_nodes`. It may end below 0."""
    cancelled: Cancelled = never
    """Returns whether to stop; asked before each move and during searches."""
    failed: bool = field(default=False, init=False)
    """True if the last attempt at a proof failed: earlier positions are mostly harder."""

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdict on each move, the last move first; end once *cancelled* returns True.

        Nothing for a game without moves.
        """
        after = self._look(self.positions[-1], self._share(0))
        for ply in reversed(range(len(self.moves))):
            if self.cancelled():
                return
            position, share = self.positions[ply], self._share(ply)
            before = self._known_from(ply, after) or self._look(position, share)
            self.failed |= not before.exact
            yield self._verdict(ply, before, after)
            after = before

    @cached_property
    def _least(self) -> int:
        """Nodes for each search, however few are left; `shallow` gets twice as many for each."""
        cost = NODES_A_SECOND / _nodes_a_second(self.positions[0])
        return max(SLOW_LEAST, int(LEAST / cost))

    # What positions are worth.

    def _share(self, ply: int) -> float:
        """Return the number of nodes for the position at *ply*: at least `_least`.

        Of the nodes left it is a third (`PART`); once a proof has failed it is a quarter of an even
        share, as *ply* more positions come after it. Rounded down; infinite if those left are.
        """
        share = self.nodes / (4 * (ply + 1)) if self.failed else self.nodes * PART
        return share if isinf(share) else max(self._least, int(share))

    def _known_from(self, ply: int, after: Analysis) -> Analysis | None:
        """Return what *after*, the analysis after the move at *ply*, proves before it, or None.

        It proves something if the seat that moved has the largest margin for certain. Its `why` is
        then ``followed``.
        """
        before, move = self.positions[ply], self.moves[ply]
        most = before.game.largest_margin
        if _seen(after, before.turn)[0].low < most:
            return None
        won = Proved.exactly(most)
        return Analysis(
            (move, *after.line), proved=won, values={move: won}, why="followed", position=before
        )

    def _look(self, position: Position, nodes: float) -> Analysis:
        """Return a proof of *position* by the solver or the rules, else an estimate with bounds.

        The estimate is the solver's; if it has none, or there is no solver, the engine's analysis,
        with the bounds that the solver has proved unless the engine's is exact. Each of the two
        searches gets *nodes*. In a game for one with a solver the engine is not asked. A finished
        game takes no search: its margin is proved. What an agent raises is passed on.
        """
        if position.is_over:
            final = Proved.exactly(margin(position, position.turn))
            return Analysis((), proved=final, distance=0, position=position)
        found = None if self.solver is None else self._search(self.solver, position, nodes)
        if found is None or not found.exact:
            found = proof_by_rules(position) or found
        if found is not None and (found.value is not None or position.game.seats == 1):
            return found
        guess = self._search(self.engine, position, nodes)
        return guess if found is None or guess.exact else replace(guess, proved=found.proved)

    def _search(self, agent: Agent, position: Position, nodes: float) -> Analysis:
        """Return the analysis of *position* by *agent* within *nodes*.

        The nodes that it has spent are subtracted from those left (`self.nodes`). What the agent
        raises is passed on.
        """
        found = agent.analyse(position, Limit(nodes=nodes), None, self.cancelled)
        self.nodes -= found.nodes
        return found

    # What moves are worth.

    def _verdict(self, ply: int, before: Analysis, after: Analysis) -> Verdict:
        """Return the verdict on the move at *ply*, by the analyses *before* and *after* it.

        If their bounds decide it, it is *optimal* or a mistake. Else it is judged by their
        estimates (`_guessed`), or is *open* if one of these is missing or the game is for one.
        """
        position, move = self.positions[ply], self.moves[ply]
        seat = position.turn
        (was, expected), (becomes, looks) = _seen(before, seat), _seen(after, seat)
        values = [None if each is None else -each if seat else each for each in (expected, looks)]
        verdict = Verdict(ply, position, move, "open", value=values[0], proved=before.exact)
        verdict = replace(verdict, then=values[1], then_proved=after.exact)
        if was.high <= becomes.low:
            return replace(verdict, kind="optimal")
        if (lost := was.low - becomes.high) > 0:
            sure: Sure = "exact" if lost == was.high - becomes.low else "lower"
            results = _result(position, was.low), _result(position, becomes.high)
            return self._explained(replace(verdict, sure=sure, lost=lost), before, after, results)
        if position.game.seats == 1 or expected is None or looks is None:
            return verdict
        return self._guessed(verdict, before, after)

    def _guessed(self, verdict: Verdict, before: Analysis, after: Analysis) -> Verdict:
        """Return *verdict* judged by estimates: *optimal*, or a mistake with its reason.

        *before* and *after* are the analyses of the positions around the move. It is *optimal* if
        *before* prefers it. Else the position after the preferred move is searched, too: the move
        made is a mistake if the preferred one is better for the mover by `ENOUGH` points, or by
        half of the game's largest margin if this is less. *verdict* is returned as it was if the
        position after one of the two moves has no value.
        """
        position, seat = verdict.position, verdict.seat
        guessed = replace(verdict, kind="optimal", sure="estimate")
        if verdict.move == before.move:
            return guessed
        best = self._look(position.child(before.move), self._share(verdict.ply))
        (_, hoped), (_, looks) = _seen(best, seat), _seen(after, seat)
        enough = min(ENOUGH, position.game.largest_margin / 2)
        if hoped is None or looks is None:
            return verdict
        if hoped - looks < enough:
            return guessed
        results = _result(position, hoped, enough / 2), _result(position, looks, enough / 2)
        half = _half_proved(before, after, seat)
        guessed = replace(guessed, lost=hoped - looks, sure="half" if half else "estimate")
        return self._explained(guessed, before, after, results)

    def _explained(
        self, verdict: Verdict, before: Analysis, after: Analysis, results: tuple[Result, Result]
    ) -> Verdict:
        """Return the verdict on a mistake with its kind, its lines of play and its reason.

        *before* and *after* are the analyses of the positions around the move, *results* the result
        that the mover could have had, and the one it has now. Set are `kind`, `better`, `plan`,
        `refutation`, `ends`, `obvious`, `lesson` and `said`; the other fields, such as `lost` and
        `sure`, must be those of the mistake already.
        """
        if after.why == "followed":  # a win, but not the shortest: that is worth a look
            again = self._look(self.positions[verdict.ply + 1], self._share(verdict.ply))
            after = again if again.exact else after
        position, mistake = verdict.position, _mistake(verdict, before, after)
        why = fault(mistake)
        changed = results[0] != results[1]
        nodes = min(LINE_NODES, self._share(verdict.ply))
        plan, refutation = self._whole(before, nodes), self._whole(after, nodes)
        verdict = replace(
            verdict,
            kind="changed" if changed else "lost",
            better=before.best,
            plan=plan,
            refutation=refutation,
            ends=(_end(after, refutation, verdict.seat), _end(before, plan, verdict.seat)),
            obvious=bool(why and why.key in PLAIN_FAULTS) or self._obvious(mistake, verdict),
            lesson=Coach.of(position).lesson_steps.get(why.key, "") if why else "",
        )
        outcome = _outcome(verdict, before, after, results)
        if why is None:
            return replace(verdict, said=tuple(outcome))
        left_out = {SAYS_TOO.get(why.key)}
        if why.key in PROVED_FAULTS:
            left_out |= {"review.guessed", "review.guessed_better"}
        kept = (each for each in outcome if each.key not in left_out)
        return replace(verdict, said=(why, *kept))

    def _whole(self, found: Analysis, nodes: float) -> tuple[Move, ...]:
        """Return the line of *found*, or a longer one by a search of at most *nodes*.

        The latter where *found* is not exact, its line has fewer than `SHORT_LINE` plies, and the
        game goes on after the first of them; it begins with that one.
        """
        position = found.position
        if position is None or found.exact or len(found.line) >= SHORT_LINE or position.is_over:
            return found.line
        first = found.line[:1]
        after = position.child(first[0]) if first else position
        if after.is_over:
            return first
        return first + self._search(self.engine, after, nodes).line

    def _obvious(self, mistake: Mistake, verdict: Verdict) -> bool:
        """Return whether a short search sees at least half of the points that the mistake loses.

        Those are `lost` of *verdict*. A position that it gives no value counts as 0 points. False
        in a game for one.
        """
        before = mistake.before
        if before.game.seats == 1:
            return False

        def seen(move: Move) -> float:
            """Return the value of *move* by the short search, in points for the seat that makes it.

            The final margin if the move ends the game; 0 if the search gives no value.
            """
            child = before.child(move)
            if child.is_over:
                return margin(child, before.turn)
            value = self.shallow.analyse(child, Limit(nodes=2 * self._least)).value or 0
            return value if child.turn == before.turn else -value

        return seen(mistake.better) - seen(mistake.move) >= verdict.lost / 2


SAYS_TOO = {
    "review.missed_line": "review.could_win_in",
    "review.allowed_line": "review.loses_in",
}
"""For a reason, the sentence that would repeat it."""


def proof_by_rules(position: Position) -> Analysis | None:
    """Return what playing out two moves proves: a win at once, or a rival's that nothing stops.

    None if neither is there, if the game is for one or won by points, or if there are over
    `MOST_TRIED` moves.
    """
    game, turn = position.game, position.turn
    moves = position.moves()
    if game.seats != 2 or game.largest_margin != 1 or len(moves) > MOST_TRIED:
        return None
    if won := wins(position):
        win = Proved.exactly(1)
        return Analysis(
            (won[0],), proved=win, values=dict.fromkeys(won, win), distance=1, position=position
        )
    if not forced_win(position, 1 - turn):
        return None
    answer = moves[0]
    return Analysis(
        (answer, wins(position.child(answer))[0]),
        proved=Proved.exactly(-1),
        values=dict.fromkeys(moves, Proved.exactly(-1)),
        distance=2,
        position=position,
    )


def _half_proved(before: Analysis, after: Analysis, seat: int) -> Literal["win", "loss", ""]:
    """Return ``win`` if *seat* provably could win, else ``loss`` if it provably loses, else empty.

    *before* and *after* are the analyses of the positions before and after its move.
    """
    if _seen(before, seat)[0].low > 0:
        return "win"
    return "loss" if _seen(after, seat)[0].high < 0 else ""


def _end(found: Analysis, line: Sequence[Move], seat: int) -> Message:
    """Return a message on what *line*, from the position of the analysis *found*, brings *seat*.

    The result if the line ends the game, else the value of *found*, proved or guessed. *found* must
    have its position.
    """
    last, game = found.position, found.position.game if found.position else None
    assert last is not None and game is not None
    for move in line:
        last = last.child(move)
    if last.is_over:
        return _final(last, seat)
    proved, value = _seen(found, seat)
    near = 0 if proved.exact else min(ENOUGH, game.largest_margin / 2) / 2
    outcome = _result(last, proved.low if proved.exact else value or 0, near)
    return Message(f"review.end_{'proved' if proved.exact else 'guessed'}_{outcome}")


def _final(last: Position, seat: int) -> Message:
    """Return a message on how the game that ended with *last* went for *seat*.

    Its points where they count, else win, draw or loss; cleared or stuck in a game for one.
    """
    if last.game.seats == 1:
        return Message(f"review.end_{last.result}")
    if last.game.largest_margin == 1:
        result: Result = "draw" if last.winner is None else "win" if last.winner == seat else "loss"
        return Message(f"review.end_{result}")
    own, other = last.scores()[seat], last.scores()[1 - seat]
    ended = "level" if own == other else "score_win" if own > other else "score_loss"
    return Message(f"review.end_{ended}", {"own": Number(own), "other": Number(other)})


def _mistake(verdict: Verdict, before: Analysis, after: Analysis) -> Mistake:
    """Return the move of *verdict* as a `Mistake`, by the analyses *before* and *after* it.

    It has their lines, proved bounds and, where points do not count, distances in plies of wins.
    """
    (instead, _), (now, _) = _seen(before, verdict.seat), _seen(after, verdict.seat)
    found = Mistake(verdict.position, verdict.move, before.line, after.line, instead, now)
    if verdict.position.game.largest_margin != 1:
        return found  # a game of points always takes its whole length
    return replace(
        found,
        wins_in=before.distance if before.exact and instead.low > 0 else None,
        loses_in=after.distance if after.exact and now.high < 0 else None,
    )


def _seen(analysis: Analysis, seat: int) -> tuple[Proved, float | None]:
    """Return the proved bounds of the final margin of *seat*, and its value or None, in points.

    *analysis* must have its position. In a game for one both are those of its player.
    """
    position, proved, value = analysis.position, analysis.proved, analysis.value
    assert position is not None
    if position.game.seats == 1 or position.turn == seat:
        return proved, value
    return Proved(-proved.high, -proved.low), None if value is None else -value


def _result(position: Position, value: float, near: float = 0) -> Result:
    """Return win, draw or loss for a final margin of *value* points, of the seat in question.

    A margin of no more than *near* points, either way, is a draw. A game for one is won by
    `Game.largest_margin`, else lost.
    """
    if position.game.seats == 1:
        return "win" if value >= position.game.largest_margin else "loss"
    return "win" if value > near else "loss" if value < -near else "draw"


def _outcome(
    verdict: Verdict, before: Analysis, after: Analysis, results: tuple[Result, Result]
) -> Iterator[Message]:
    """Yield messages on what the mistake did to the result, how soon, and how certain that is.

    *before* and *after* are the analyses around the move, *results* the result that the mover could
    have had, and the one it has now.
    """
    position = verdict.position
    better = position.game.move_name(before.move)
    lost = round(verdict.lost, 1)
    facts = {"better": better, "lost": int(lost) if lost == int(lost) else lost}
    quick = position.game.largest_margin == 1  # won or lost, and some day: not by points
    if verdict.sure == "half":
        half = _half_proved(before, after, verdict.seat)
        name = position.game.move_name(verdict.move)
        yield Message(f"review.half_{half}", facts | {"move": name})
    elif verdict.sure == "estimate":
        yield Message("review.guessed_better" if quick else "review.guessed", facts)
    elif position.game.seats == 1:
        yield Message("review.uncleared", facts)
    else:
        yield Message(_changed_key(verdict, results), facts)
        yield from _how_soon(before, after, results, facts) if quick else ()
        if verdict.sure == "lower" and results != ("win", "loss"):  # there is no more to be lost
            yield Message("review.at_least")


def _changed_key(verdict: Verdict, results: tuple[Result, Result]) -> str:
    """Return the key of a proved mistake: how it changed the result, or by points alone."""
    if verdict.kind == "changed":
        return f"review.{results[0]}_to_{results[1]}"
    return "review.wins_less" if results[0] == "win" else "review.loses_more"


def _how_soon(
    before: Analysis,
    after: Analysis,
    results: tuple[Result, Result],
    facts: Mapping[str, object],
) -> Iterator[Message]:
    """Yield messages on how soon the mover would have won, and on how soon the rival wins now.

    *results* are the result that the mover could have had, and the one it has now; *facts* name the
    better move. A win at the next ply is left out, and one of unknown length.
    """
    if (before.distance or 0) > 1 and results[0] == "win":
        yield Message("review.could_win_in", {**facts, **_length(before)})
    if (after.distance or 0) > 1 and results[1] == "loss":
        yield Message("review.loses_in", _length(after))


def _length(won: Analysis) -> dict[str, object]:
    """Return the values of a message on the length of the win that *won* has proved.

    They are ``moves`` (those of the winner) and ``plies``; 0 if the distance is unknown.
    """
    plies = won.distance or 0
    return {"moves": (plies + 1) // 2, "plies": plies}
