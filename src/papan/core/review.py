"""The review of a game: which moves were mistakes, of what kind and why, each in a few sentences.

It goes from the last move back to the first, because what is proved of a position also says
something of the one before: whoever could still win after a move could win before it. All moves
share one budget. What a solver cannot prove in it is judged by a search, and is marked as a guess.

What a game itself can say of a mistake it says in `Position.fault`; without that, a game gets the
faults that the rules alone show (a win that was missed, a threat that was not stopped). The same
rules tell what any move is for (`aim`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Literal

from papan.core.agent import Agent, Cancelled, Limit, never
from papan.core.analysis import Analysis, Proved
from papan.core.drawing import Feature
from papan.core.game import Move, Position, margin
from papan.core.record import Record
from papan.core.session import seat_names
from papan.core.text import catalogue, say

Kind = Literal["optimal", "lost", "changed", "open"]
"""A move without error; one that gives away points; one that gives away the result; and one that
nothing is known of."""
Sure = Literal["exact", "lower", "estimate"]
Result = Literal["win", "draw", "loss"]

SECONDS = 5.0
"""What a whole review takes, about, whatever the game and its size."""
PART = 1 / 3
"""How much of what is left one proof may take, while those of later positions have succeeded."""
LEAST = 0.01
"""Seconds for each question, however late it is."""
SHALLOW = Limit(nodes=4_000)
"""For a short look: counted, so that a mistake is called the same however busy the machine is."""
ENOUGH = 2.0
"""How many points a guess must differ by to count: margins differ by two at least."""


@dataclass(frozen=True)
class Mistake:
    """A move that loses something, and what would have been better."""

    before: Position
    move: Move
    plan: tuple[Move, ...]
    """The better move, and the play expected after it."""
    refutation: tuple[Move, ...]
    """What shows that the move was wrong, beginning with the answer to it."""
    facts: dict[str, object]
    """What a solver says of the position after it."""

    @property
    def after(self) -> Position:
        return self.before.child(self.move)

    @property
    def better(self) -> Move:
        return self.plan[0]


@dataclass(frozen=True)
class Verdict:
    """What is found out about one move."""

    ply: int
    position: Position
    move: Move
    kind: Kind
    sure: Sure = "exact"
    lost: float = 0
    """How many points: exactly, or at least, or by an estimate."""
    obvious: bool = False
    """Does a short look ahead see it? Otherwise it takes a solver."""
    better: tuple[Move, ...] = ()
    plan: tuple[Move, ...] = ()
    """The play expected after the first of the better moves, with it."""
    refutation: tuple[Move, ...] = ()
    said: tuple[Feature, ...] = ()
    """The sentences, by their keys."""
    lesson: str = ""
    """The step of a lesson that is about it, by the key of its text."""
    value: float | None = None
    """What the position before the move was worth to the first seat."""
    proved: bool = False
    """Is that value proved?"""

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
        """The sentences in *language*; *names* are what those who played are called in it."""
        called = names or seat_names(self.position.game, None, language)
        who = {"player": called[self.seat], "rival": called[-1 - self.seat]}
        return " ".join(say(each.key, language, **who, **each.values) for each in self.said)

    def json(self) -> dict[str, Any]:
        """The verdict as data, moves by name."""
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
            "said": [{"key": each.key, "values": dict(each.values)} for each in self.said],
            "lesson": self.lesson,
            "value": self.value,
            "proved": self.proved,
        }


@dataclass
class Reviewer:
    """One review: what is known of each position of a game so far, and the time that is left."""

    positions: Sequence[Position]
    moves: Sequence[Move]
    solver: Agent | None
    engine: Agent
    """Guesses where the solver proves nothing."""
    shallow: Agent
    """Looks a few moves ahead: what it sees is obvious."""
    seconds: float = SECONDS
    cancelled: Cancelled = never
    failed: bool = field(default=False, init=False)
    """Was the last proof that was tried not finished? Earlier positions are harder, mostly."""

    def __post_init__(self) -> None:
        self.end = perf_counter() + self.seconds

    def verdicts(self) -> Iterator[Verdict]:
        """The verdict on each move, the last move first."""
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
        """The seconds for the position at *ply*: there are so many to come."""
        left = self.end - perf_counter()
        return max(LEAST, left / (4 * (ply + 1)) if self.failed else left * PART)

    def _known_from(self, ply: int, after: Analysis) -> Analysis | None:
        """What follows for the position at *ply* from the move that was made there."""
        before, move = self.positions[ply], self.moves[ply]
        most = before.game.largest_margin
        if _seen(after, before.turn)[0].low < most:
            return None
        won = Proved.exactly(most)
        return Analysis(
            (move, *after.line), proved=won, values={move: won}, why="followed", position=before
        )

    def _look(self, position: Position, seconds: float) -> Analysis:
        """What is proved of a position, else what it looks like."""
        if position.is_over:
            final = Proved.exactly(margin(position, position.turn))
            facts = self._ended(position)
            return Analysis((), proved=final, distance=0, facts=facts, position=position)
        solver, limit = self.solver, Limit(seconds)
        found = None if solver is None else solver.analyse(position, limit, None, self.cancelled)
        if found is not None and (found.value is not None or position.game.seats == 1):
            return found
        guess = self.engine.analyse(position, limit, None, self.cancelled)
        return guess if found is None or guess.exact else replace(guess, proved=found.proved)

    def _ended(self, position: Position) -> dict[str, object]:
        """What a solver says of a puzzle that is over: why it is stuck."""
        if self.solver is None or position.game.seats > 1:
            return {}
        return dict(self.solver.analyse(position).facts)

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
        """The verdict of a search that proves nothing: both moves are looked at equally long."""
        position, seat = verdict.position, verdict.seat
        guessed = replace(verdict, kind="optimal", sure="estimate")
        if verdict.move == before.move:
            return guessed
        best = self._look(position.child(before.move), self._share(verdict.ply))
        (_, hoped), (_, looks) = _seen(best, seat), _seen(after, seat)
        enough = min(ENOUGH, position.game.largest_margin / 2)
        if hoped is None or looks is None or hoped - looks < enough:
            return guessed
        results = _result(position, hoped, enough / 2), _result(position, looks, enough / 2)
        return self._explained(replace(guessed, lost=hoped - looks), before, after, results)

    def _explained(
        self, verdict: Verdict, before: Analysis, after: Analysis, results: tuple[Result, Result]
    ) -> Verdict:
        """The verdict on a mistake, with its reason."""
        if after.why == "followed":  # a win, but not the shortest: that is worth a look
            again = self._look(self.positions[verdict.ply + 1], self._share(verdict.ply))
            after = again if again.exact else after
        position = verdict.position
        mistake = Mistake(position, verdict.move, before.line, after.line, dict(after.facts))
        reason = fault(mistake)
        changed = results[0] != results[1]
        verdict = replace(
            verdict,
            kind="changed" if changed else "lost",
            better=before.best,
            plan=before.line,
            refutation=after.line,
            obvious=bool(reason and reason.key in PLAIN) or self._obvious(mistake, verdict),
            lesson=position.game.lesson_steps.get(reason.key, "") if reason else "",
        )
        said = (*filter(None, (reason,)), *_outcome(verdict, before, after, results))
        return replace(verdict, said=said)

    def _obvious(self, mistake: Mistake, verdict: Verdict) -> bool:
        """Does a short look see at least half of what is lost?"""
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


def _seen(analysis: Analysis, seat: int) -> tuple[Proved, float | None]:
    """What is proved, and what is expected, for *seat*."""
    position, proved, value = analysis.position, analysis.proved, analysis.value
    assert position is not None
    if position.game.seats == 1 or position.turn == seat:
        return proved, value
    return Proved(-proved.high, -proved.low), None if value is None else -value


def _result(position: Position, value: float, near: float = 0) -> Result:
    """What a final margin is in words; a puzzle is won when it is cleared."""
    if position.game.seats == 1:
        return "win" if value >= position.game.largest_margin else "loss"
    return "win" if value > near else "loss" if value < -near else "draw"


def _outcome(
    verdict: Verdict, before: Analysis, after: Analysis, results: tuple[Result, Result]
) -> Iterator[Feature]:
    """What the mistake has done to the result, how soon, and how sure that is."""
    position = verdict.position
    better = position.place_of(before.move)
    lost = round(verdict.lost, 1)
    facts = {"better": better, "lost": int(lost) if lost == int(lost) else lost}
    quick = position.game.largest_margin == 1  # won or lost, and some day: not by points
    if verdict.sure == "estimate":
        yield Feature("review.guessed_better" if quick else "review.guessed", facts)
        return
    if position.game.seats == 1:
        yield Feature("review.uncleared", facts)
        return
    if verdict.kind == "changed":
        yield Feature(f"review.{results[0]}_to_{results[1]}", facts)
    else:
        yield Feature("review.wins_less" if results[0] == "win" else "review.loses_more", facts)
    if quick and (before.distance or 0) > 1 and results[0] == "win":
        yield Feature("review.could_win_in", facts | {"moves": _moves_to(before)})
    if quick and (after.distance or 0) > 1 and results[1] == "loss":
        yield Feature("review.loses_in", {"moves": _moves_to(after)})
    if verdict.sure == "lower":
        yield Feature("review.at_least")


def _moves_to(won: Analysis) -> int:
    """How many moves of its own the seat to move makes until it has won."""
    return ((won.distance or 0) + 1) // 2


# What the rules alone show of a mistake, in games that can be won at once.


def fault(mistake: Mistake) -> Feature | None:
    """Why a move is a mistake, in the words of the game or by the rules alone."""
    before = mistake.before
    if before.game.seats == 1:
        return before.fault(mistake)
    return (
        _missed_win(mistake)
        or _allowed_win(mistake)
        or before.fault(mistake)
        or _missed_double_threat(mistake)
        or _allowed_double_threat(mistake)
    )


PLAIN = ("review.missed_win", "review.not_blocked", "review.allowed_win")
"""The faults that anybody sees who looks one move ahead."""
FEW = 3
"""So many other moves show whether a threat was there before, or came with the move."""


def wins(position: Position) -> list[Move]:
    """The moves by which the seat to move wins at once, though the game could go on."""
    ends = {move: position.child(move) for move in position.moves()}
    over = [move for move, child in ends.items() if child.is_over]
    if len(over) == len(ends) and position.game.largest_margin != 1:
        return []  # the last move of a game that is won by points
    return [move for move in over if ends[move].winner == position.turn]


def _wins_after(position: Position, moves: Sequence[Move]) -> Counter[str]:
    """Where whoever moves next wins at once: after how many of a few of these *moves*."""
    children = (child for child in map(position.child, moves[:FEW]) if not child.is_over)
    return Counter(child.place_of(win) for child in children for win in wins(child))


def _missed_win(mistake: Mistake) -> Feature | None:
    places = _places(mistake.before, wins(mistake.before))
    return Feature("review.missed_win", {"place": places}) if places else None


def _allowed_win(mistake: Mistake) -> Feature | None:
    """The rival wins at once: by a threat that was there already, or by what the move allows."""
    before, after = mistake.before, mistake.after
    found = [] if after.turn == before.turn else wins(after)
    if not found or wins(before.child(mistake.better)):
        return None
    others = [move for move in before.moves() if move not in (mistake.move, mistake.better)]
    threatened = _wins_after(before, others).keys() & map(after.place_of, found)
    key = "review.not_blocked" if threatened or not others else "review.allowed_win"
    move = before.place_of(mistake.move)
    return Feature(key, {"move": move, "place": _places(after, found)})


def _missed_double_threat(mistake: Mistake) -> Feature | None:
    before, better = mistake.before, mistake.better
    places = double_threat(before.child(better), before.turn)
    move = before.place_of(better)
    return Feature("review.missed_double", {"better": move, "place": places}) if places else None


def _allowed_double_threat(mistake: Mistake) -> Feature | None:
    after = mistake.after
    if not mistake.refutation or after.turn == mistake.before.turn:
        return None
    reply = mistake.refutation[0]
    places = double_threat(after.child(reply), after.turn)
    facts = {
        "move": mistake.before.place_of(mistake.move),
        "reply": after.place_of(reply),
        "place": places,
    }
    return Feature("review.allowed_double", facts) if places else None


def double_threat(position: Position, seat: int) -> str:
    """Where *seat* wins next, whatever the other one does now; nothing where that can be stopped.

    What wins after one answer mostly wins after the next: it is tried first.
    """
    if position.is_over or position.turn == seat or wins(position):
        return ""
    places: dict[str, None] = {}
    known: list[Move] = []
    for answer in position.moves():
        child = position.child(answer)
        if child.is_over or child.turn != seat:
            return ""
        found = [move for move in known if child.allows(move) and _wins_by(child, move)]
        if not found:
            known = found = wins(child)
        if not found:
            return ""
        places |= dict.fromkeys(map(child.place_of, found))
    return ", ".join(places)


def _wins_by(position: Position, move: Move) -> bool:
    child = position.child(move)
    return child.is_over and child.winner == position.turn


def _places(position: Position, moves: Sequence[Move]) -> str:
    return ", ".join(map(position.place_of, moves))


# What a move is for, as anybody sees on the board: it wins, blocks, threatens, takes something.


def aim(position: Position, move: Move) -> Feature | None:
    """What a legal *move* does at once, by the rules alone; None where that is nothing special."""
    if position.game.seats == 1:
        return None
    quick = position.game.largest_margin == 1  # won or lost, not by points
    return _of_lines(position, move) if quick else _of_points(position, move)


def _of_lines(position: Position, move: Move) -> Feature | None:
    """What a move does in a game that can be won at once."""
    after = position.child(move)
    if after.is_over:
        return Feature("aim.wins") if after.winner == position.turn else None
    place, others = position.place_of(move), [each for each in position.moves() if each != move]
    if place in _wins_after(position, others):
        return Feature("aim.blocks", {"place": place})
    if two := double_threat(after, position.turn):
        return Feature("aim.double", {"place": two})
    threats = _wins_after(after, after.moves()).items()
    places = ", ".join(place for place, count in threats if count > 1)  # one answer may allow it
    return Feature("aim.threatens", {"place": places}) if places else None


def _of_points(position: Position, move: Move) -> Feature | None:
    """What a move takes and what it leaves, in a game of points that has words for that."""
    after, seat = position.child(move), position.turn
    there, taken = _in_a_row(position), after.scores()[seat] - position.scores()[seat]
    turned = position.scores()[1 - seat] - after.scores()[1 - seat]
    left = _in_a_row(after) if after.turn != seat else 0
    if turned:
        what = "turns"
    elif taken:
        what = "takes" if taken == there else "begins_to_take"
    else:
        what = ("leaves" if there else "gives") if left else "safe"
    key = f"aim.{what}_{position.game.name}"
    points = {"taken": taken, "there": there, "turned": turned, "left": left}
    facts = {name: int(count) for name, count in points.items()}
    return Feature(key, facts) if key in catalogue("en") else None


def _in_a_row(position: Position) -> float:
    """The points that the seat to move can take while each of its moves earns another one."""
    seat, taken = position.turn, 0.0
    while not position.is_over and position.turn == seat:
        children = map(position.child, position.moves())
        gains = ((child.scores()[seat] - position.scores()[seat], child) for child in children)
        gain, best = next(((gain, child) for gain, child in gains if gain > 0), (0, position))
        if not gain or (best.turn != seat and not best.is_over):
            break
        taken, position = taken + gain, best
    return taken


@dataclass(frozen=True)
class Review:
    """Every verdict on a game, first move first."""

    verdicts: tuple[Verdict, ...]
    record: Record | None = None
    """The game, which tells who played it."""

    @property
    def mistakes(self) -> tuple[Verdict, ...]:
        return tuple(each for each in self.verdicts if each.wrong)

    def counts(self, seat: int) -> dict[str, int]:
        """What the verdicts on one seat add up to."""
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

    def names(self, language: str = "en") -> tuple[str, ...]:
        """What those who played are called."""
        first = self.verdicts[:1]
        return seat_names(first[0].position.game, self.record, language) if first else ()

    def lines(self, language: str = "en") -> Iterator[str]:
        """The review in words, a line for each mistake, then one for each player."""
        names = self.names(language)
        for each in self.mistakes:
            kind = say(f"review.{'blunder' if each.obvious else 'slip'}", language)
            mark = "??" if each.obvious else "?"
            yield f"{each.ply + 1}. {each.name} {mark} {kind}. {each.text(language, names)}"
            if each.refutation:
                name = each.position.game.move_name
                line = " ".join(map(name, each.refutation[:12]))
                yield f"    {say('review.line', language, line=line)}"
        for seat, who in enumerate(names):
            counts = self.counts(seat)
            words = [say("review.summary", language, player=who, **counts)]
            if counts["guessed"]:
                words.append(say("review.some_guessed", language, **counts))
            if opened := counts["moves"] - counts["judged"]:
                words.append(say("review.some_open", language, open=opened))
            yield " ".join(words)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Review of {len(self.verdicts)} plies, mistakes: {len(self.mistakes)}>"
