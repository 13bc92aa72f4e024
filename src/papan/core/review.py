"""The review of a game: which moves were mistakes, of what kind and why, each in a few sentences.

It goes from the last move back to the first, because a proof about a position also bounds the one
before: a seat that can still win after its move could win before it. All moves share one budget.
What a solver cannot prove in it is judged by a search, and is marked as a guess.

`papan.core.reasons` and the games' coaches explain why a move is a mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Literal

from papan.core.agent import Agent, Cancelled, never
from papan.core.analysis import Analysis, Proved
from papan.core.game import Move, Position, margin
from papan.core.limit import Limit
from papan.core.message import Message, text_of
from papan.core.parts import Coach
from papan.core.reasons import PLAIN_FAULTS, PROVED_FAULTS, Mistake, fault
from papan.core.record import Record
from papan.core.session import seat_names

Kind = Literal["optimal", "lost", "changed", "open"]
"""Kinds of moves: without error; giving away points; giving away the result; unknown."""
Sure = Literal["exact", "lower", "estimate"]
Result = Literal["win", "draw", "loss"]

REVIEW_SECONDS = 5.0
"""Seconds of a whole review, about, whatever the game and its size."""
PART = 1 / 3
"""Share of the time left that one proof may take while those of later positions succeed."""
LEAST = 0.01
"""Seconds for each search, however little time is left."""
SHALLOW = Limit(nodes=4_000)
"""Limit of a short look, in nodes: its result does not depend on the load of the machine."""
ENOUGH = 2.0
"""Points by which estimates must differ to count: margins differ by two at least."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on one move of a game."""

    ply: int
    position: Position
    move: Move
    kind: Kind
    sure: Sure = "exact"
    lost: float = 0
    """Points given away: exact, a lower bound, or an estimate."""
    obvious: bool = False
    """True if a short look ahead sees the mistake; otherwise it takes a solver."""
    better: tuple[Move, ...] = ()
    plan: tuple[Move, ...] = ()
    """The first of the better moves, and the line expected after it."""
    refutation: tuple[Move, ...] = ()
    said: tuple[Message, ...] = ()
    """The sentences of the verdict; they name a player by his seat."""
    lesson: str = ""
    """The lesson's step about this mistake, by the key of its text; empty if there is none."""
    value: float | None = None
    """The value of the position before the move for the first seat; None if unknown."""
    proved: bool = False
    """True if that value is proved."""

    @property
    def seat(self) -> int:
        return self.position.turn

    @property
    def name(self) -> str:
        return self.position.game.move_name(self.move)

    @property
    def wrong(self) -> bool:
        return self.kind in ("lost", "changed")

    def text(self, language: str = "en", names: Sequence[str] = ()) -> str:
        """Return the sentences in *language*; *names* are those of the players, seat by seat."""
        called = names or seat_names(self.position.game, None, language)
        who = {"player": called[self.seat], "rival": called[-1 - self.seat]}
        return " ".join(text_of(each.key, language, **who, **each.values) for each in self.said)

    def json(self) -> dict[str, Any]:
        """Return the verdict as JSON data, moves by name."""
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
            "said": [each.json() for each in self.said],
            "lesson": self.lesson,
            "value": self.value,
            "proved": self.proved,
        }


@dataclass
class Reviewer:
    """One review in progress: what is known of each position so far, and the time left."""

    positions: Sequence[Position]
    moves: Sequence[Move]
    solver: Agent | None
    engine: Agent
    """Estimates positions for which the solver proves nothing."""
    shallow: Agent
    """Searches a few moves ahead: a mistake that it sees is obvious."""
    seconds: float = REVIEW_SECONDS
    cancelled: Cancelled = never
    failed: bool = field(default=False, init=False)
    """True if the last attempt at a proof failed: earlier positions are mostly harder."""

    def __post_init__(self) -> None:
        self.end = perf_counter() + self.seconds

    def verdicts(self) -> Iterator[Verdict]:
        """Yield the verdict on each move, the last move first."""
        after = self._look(self.positions[-1], self._share(0))
        for ply in reversed(range(len(self.moves))):
            if self.cancelled():
                return
            position, share = self.positions[ply], self._share(ply)
            before = self._known_from(ply, after) or self._look(position, share)
            self.failed |= not before.exact
            yield self._verdict(ply, before, after)
            after = before

    # What positions are worth.

    def _share(self, ply: int) -> float:
        """Return the seconds for the position at *ply*: *ply* more follow it."""
        left = self.end - perf_counter()
        return max(LEAST, left / (4 * (ply + 1)) if self.failed else left * PART)

    def _known_from(self, ply: int, after: Analysis) -> Analysis | None:
        """Return what is proved of the position at *ply* by the move that was made there."""
        before, move = self.positions[ply], self.moves[ply]
        most = before.game.largest_margin
        if _seen(after, before.turn)[0].low < most:
            return None
        won = Proved.exactly(most)
        return Analysis(
            (move, *after.line), proved=won, values={move: won}, why="followed", position=before
        )

    def _look(self, position: Position, seconds: float) -> Analysis:
        """Return a proof of a position, else an estimate; neither if the time is over."""
        if perf_counter() >= self.end + self.seconds:  # large boards: some looks overrun their time
            return Analysis((), position=position)
        if position.is_over:
            final = Proved.exactly(margin(position, position.turn))
            return Analysis((), proved=final, distance=0, position=position)
        solver, limit = self.solver, Limit(seconds)
        found = None if solver is None else solver.analyse(position, limit, None, self.cancelled)
        if found is not None and (found.value is not None or position.game.seats == 1):
            return found
        guess = self.engine.analyse(position, limit, None, self.cancelled)
        return guess if found is None or guess.exact else replace(guess, proved=found.proved)

    # What moves are worth.

    def _verdict(self, ply: int, before: Analysis, after: Analysis) -> Verdict:
        position, move = self.positions[ply], self.moves[ply]
        seat = position.turn
        (was, expected), (becomes, looks) = _seen(before, seat), _seen(after, seat)
        value = None if expected is None else -expected if seat else expected
        verdict = Verdict(ply, position, move, "open", value=value, proved=before.exact)
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
        """Return the verdict of a search that proves nothing: both moves get the same time."""
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
        return self._explained(replace(guessed, lost=hoped - looks), before, after, results)

    def _explained(
        self, verdict: Verdict, before: Analysis, after: Analysis, results: tuple[Result, Result]
    ) -> Verdict:
        """Return the verdict on a mistake, with its reason."""
        if after.why == "followed":  # a win, but not the shortest: that is worth a look
            again = self._look(self.positions[verdict.ply + 1], self._share(verdict.ply))
            after = again if again.exact else after
        position, mistake = verdict.position, _mistake(verdict, before, after)
        reason = fault(mistake)
        changed = results[0] != results[1]
        verdict = replace(
            verdict,
            kind="changed" if changed else "lost",
            better=before.best,
            plan=before.line,
            refutation=after.line,
            obvious=bool(reason and reason.key in PLAIN_FAULTS) or self._obvious(mistake, verdict),
            lesson=Coach.of(position).lesson_steps.get(reason.key, "") if reason else "",
        )
        outcome = _outcome(verdict, before, after, results)
        if reason is None:
            return replace(verdict, said=tuple(outcome))
        left_out = {SAYS_TOO.get(reason.key)}
        if reason.key in PROVED_FAULTS:
            left_out |= {"review.guessed", "review.guessed_better"}
        kept = (each for each in outcome if each.key not in left_out)
        return replace(verdict, said=(reason, *kept))

    def _obvious(self, mistake: Mistake, verdict: Verdict) -> bool:
        """Return whether a short look sees at least half of the loss."""
        before = mistake.before
        if before.game.seats == 1:
            return False

        def seen(move: Move) -> float:
            child = before.child(move)
            if child.is_over:
                return margin(child, before.turn)
            value = self.shallow.analyse(child, SHALLOW).value or 0
            return value if child.turn == before.turn else -value

        return seen(mistake.better) - seen(mistake.move) >= verdict.lost / 2


SAYS_TOO = {
    "review.missed_line": "review.could_win_in",
    "review.allowed_line": "review.loses_in",
}
"""For a reason, the sentence that would repeat it."""


def _mistake(verdict: Verdict, before: Analysis, after: Analysis) -> Mistake:
    """Return what is known of a mistake: lines, bounds, and the distance of a win."""
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
    """Return the proved bounds and the expected line for *seat*."""
    position, proved, value = analysis.position, analysis.proved, analysis.value
    assert position is not None
    if position.game.seats == 1 or position.turn == seat:
        return proved, value
    return Proved(-proved.high, -proved.low), None if value is None else -value


def _result(position: Position, value: float, near: float = 0) -> Result:
    """Return win, draw or loss for a final margin; a puzzle is won if it is cleared."""
    if position.game.seats == 1:
        return "win" if value >= position.game.largest_margin else "loss"
    return "win" if value > near else "loss" if value < -near else "draw"


def _outcome(
    verdict: Verdict, before: Analysis, after: Analysis, results: tuple[Result, Result]
) -> Iterator[Message]:
    """Yield what the mistake did to the result, how soon, and how sure that is."""
    position = verdict.position
    better = position.game.move_name(before.move)
    lost = round(verdict.lost, 1)
    facts = {"better": better, "lost": int(lost) if lost == int(lost) else lost}
    quick = position.game.largest_margin == 1  # won or lost, and some day: not by points
    if verdict.sure == "estimate":
        yield Message("review.guessed_better" if quick else "review.guessed", facts)
        return
    if position.game.seats == 1:
        yield Message("review.uncleared", facts)
        return
    if verdict.kind == "changed":
        yield Message(f"review.{results[0]}_to_{results[1]}", facts)
    else:
        yield Message("review.wins_less" if results[0] == "win" else "review.loses_more", facts)
    if quick and (before.distance or 0) > 1 and results[0] == "win":
        yield Message(
            "review.could_win_in", facts | {"moves": _moves_to(before), "plies": before.distance}
        )
    if quick and (after.distance or 0) > 1 and results[1] == "loss":
        yield Message("review.loses_in", {"moves": _moves_to(after), "plies": after.distance})
    if verdict.sure == "lower":
        yield Message("review.at_least")


def _moves_to(won: Analysis) -> int:
    """Return how many moves of its own the seat to move needs to win."""
    return ((won.distance or 0) + 1) // 2


@dataclass(frozen=True)
class Review:
    """The verdicts on a game, first move first."""

    verdicts: tuple[Verdict, ...]
    record: Record | None = None
    """The record of the game, if its players are known."""

    @property
    def mistakes(self) -> tuple[Verdict, ...]:
        return tuple(each for each in self.verdicts if each.wrong)

    def counts(self, seat: int) -> dict[str, int]:
        """Return how many moves of *seat* have each kind of verdict."""
        mine = [each for each in self.verdicts if each.seat == seat]
        judged = [each for each in mine if each.kind != "open"]
        return {
            "moves": len(mine),
            "judged": len(judged),
            "best": sum(not each.wrong for each in judged),
            "blunders": sum(each.wrong and each.obvious for each in judged),
            "slips": sum(each.wrong and not each.obvious for each in judged),
            "guessed": sum(each.sure == "estimate" for each in judged),
        }

    def json(self) -> dict[str, Any]:
        """Return the review as JSON data: record, verdicts, and the counts of each seat."""
        seats = range(self.verdicts[0].position.game.seats if self.verdicts else 0)
        return {
            "record": None if self.record is None else self.record.json(),
            "verdicts": [each.json() for each in self.verdicts],
            "seats": [self.counts(seat) for seat in seats],
        }

    def names(self, language: str = "en") -> tuple[str, ...]:
        """Return the names of the players in *language*, seat by seat; none without a verdict."""
        first = self.verdicts[:1]
        return seat_names(first[0].position.game, self.record, language) if first else ()

    def lines(self, language: str = "en") -> Iterator[str]:
        """Yield the review in words: a line for each mistake, then one for each player."""
        names = self.names(language)
        for each in self.mistakes:
            kind = text_of(f"review.{'blunder' if each.obvious else 'slip'}", language)
            mark = "??" if each.obvious else "?"
            yield f"{each.ply + 1}. {each.name} {mark} {kind}. {each.text(language, names)}"
            if each.refutation:
                name = each.position.game.move_name
                line = " ".join(map(name, each.refutation[:12]))
                yield f"    {text_of('review.line', language, line=line)}"
        for seat, who in enumerate(names):
            counts = self.counts(seat)
            words = [text_of("review.summary", language, player=who, **counts)]
            if counts["guessed"]:
                words.append(text_of("review.some_guessed", language, **counts))
            if opened := counts["moves"] - counts["judged"]:
                words.append(text_of("review.some_open", language, open=opened))
            yield " ".join(words)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Review of {len(self.verdicts)} plies, mistakes: {len(self.mistakes)}>"
