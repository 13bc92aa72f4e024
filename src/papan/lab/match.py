"""Matches between two agents: pairs of games from the same opening, with the seats swapped."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from papan.core import (
    UNLIMITED,
    Agent,
    Game,
    InvalidSpecError,
    Limit,
    PapanError,
    Position,
    Record,
)
from papan.core.agent import reseeded
from papan.core.drawing import HtmlRepr
from papan.core.interrupts import Interrupted, interruptible
from papan.core.message import Message, text_of
from papan.core.numbers import MINUS
from papan.core.parts import Setup
from papan.core.record import BLAMED, End, reason_in
from papan.core.thinking import Cancelled, never
from papan.lab.referee import GameCancelled, referee_game
from papan.lab.statistics.elo import ScoreTally, elo_difference, superiority, tally_facts
from papan.lab.statistics.intervals import Interval

PER_MOVE = Limit(nodes=10_000)
"""Limit of a move if none is given: counted in nodes, so that a seed gives the same games on every
machine.
"""
MOST_AT_A_TIME = 1024
"""Largest number of games that may be played at the same time."""
MOST_UNITS = 1_000_000
"""Number of units (pairs, boards, rounds) of a run whose seeds no other run shares."""
SEEDS = 2**50
"""The seed of a run's first unit is below this, so that specs can contain it; 10^9 runs fit in."""


def unit_seed(seed: int, number: int) -> int:
    """Return the seed of unit *number* (from 0) of a run: seed * `MOST_UNITS` % `SEEDS` + number.

    A unit is what shares an opening: a pair of games, a board of one seat, or a round. Runs whose
    seeds differ by less than `SEEDS` // `MOST_UNITS`, over 10^9, share no seed of a unit, if none
    has more than `MOST_UNITS` units.
    """
    return seed * MOST_UNITS % SEEDS + number


SeatEffort: TypeAlias = tuple[tuple[int, float, float], ...]
"""For each move of a seat: nodes, wall-clock seconds and processor seconds."""


@dataclass(frozen=True)
class Match:
    """A match to play: two agents, a game, the number of pairs, a seed and a limit for each move.

    Raises InvalidSpecError if *pairs* is below 1 or *opening* below 0, CannotPlayError if an agent
    does not play the game.
    """

    agents: tuple[Agent, Agent]
    """The agents; the first one has seat 0 in the first game of each pair."""
    game: Game
    """The game, of one or two seats."""
    pairs: int = 1
    """Pairs of games from the same opening, with the seats swapped."""
    seed: int = 0
    """Decides the openings, and is part of the agents' seeds."""
    limit: Limit = UNLIMITED
    """Limit of each move."""
    opening: int = 2
    """Random plies before the agents take over: without them two deterministic agents would repeat
    one game. There are none in games of one seat.
    """
    first_pair: int = 0
    """Number of the first pair (from 0), if others play the pairs before it."""

    def __post_init__(self) -> None:
        if self.pairs < 1 or self.opening < 0:
            raise InvalidSpecError("match.bad_numbers", pairs=self.pairs, opening=self.opening)
        for agent in self.agents:
            agent.check_plays(self.game)

    def play(self, cancelled: Cancelled = never) -> Iterator[MatchGame]:
        """Yield each game when it is over; stop, even amid a game, when *cancelled* returns True.

        A game that was stopped is not yielded. The two games of a pair follow each other. What an
        agent does wrong is a forfeit in the record.
        """
        with suppress(GameCancelled):
            for pair in range(self.first_pair, self.first_pair + self.pairs):
                yield from self._pair(unit_seed(self.seed, pair), cancelled)

    def _pair(self, seed: int, cancelled: Cancelled) -> Iterator[MatchGame]:
        """Yield the two games of the pair whose opening is drawn by *seed*, each when it is over.

        In a game of one seat each agent plays the board alone. Raise GameCancelled when *cancelled*
        returns True.
        """
        start = opening(self.game, self.opening, seed)
        first_agent_seed = 2 * seed  # agents with equal seeds would mirror each other
        first, second = (
            reseeded(agent, first_agent_seed + place) for place, agent in enumerate(self.agents)
        )
        if self.game.seats == 1:
            yield MatchGame((0,), referee_game(start, [first], self.limit, cancelled))
            yield MatchGame((1,), referee_game(start, [second], self.limit, cancelled))
        else:
            yield MatchGame((0, 1), referee_game(start, [first, second], self.limit, cancelled))
            yield MatchGame((1, 0), referee_game(start, [second, first], self.limit, cancelled))


@dataclass(frozen=True)
class MatchGame:
    """A game of a match or a tournament: its record, and the agent on each seat."""

    seating: tuple[int, ...]
    """For each seat the agent, as its index in the match or in the plan of a tournament."""
    record: Record
    effort: tuple[SeatEffort, ...] = field(default=(), compare=False)
    """Effort of each seat; empty if not measured. Not compared, as it differs between runs."""
    memory: tuple[int, ...] = field(default=(), compare=False)
    """Bytes of memory that the bot on each seat has had at most; empty or 0 if not measured."""

    def json(self) -> dict[str, Any]:
        """Return the game as JSON data: ``seating``, a list, and ``record``, as `Record.json`
        returns it.

        Effort and memory are left out.
        """
        return {"seating": list(self.seating), "record": self.record.json()}

    def message(self) -> Message:
        """Return the game as one line for people: agents, scores, and how it ended.

        If an agent forfeited or resigned, the line also says which one, and why.
        """
        record = self.record
        values: dict[str, object] = {
            "agents": " - ".join(record.agents),
            "scores": "-".join(f"{score:g}" for score in record.scores),
            "end": Message(f"end.{record.end}"),
        }
        if record.blame is None:
            return Message("match.game_over", values)
        blamed = {"agent": record.agents[record.blame - 1], "reason": _Reason(record)}
        return Message("match.game_forfeited", values | blamed)

    def outcome(self, agent: int) -> int:
        """Return 1, 0 or -1 if *agent* won, drew or lost a game of two seats.

        *agent* is an index as in `seating`.
        """
        winner = self.record.winner
        return 0 if winner is None else 1 if self.seating[winner] == agent else -1

    def against(self, other: MatchGame) -> int:
        """Return 1, 0 or -1: this game of one seat has more, as many or fewer points than *other*.

        A game that was forfeited or resigned counts as -1 point.
        """
        return _sign(self._points - other._points)

    @property
    def _points(self) -> float:
        """The score of a single player in points; -1 if it forfeited or resigned."""
        return -1 if self.record.end in BLAMED else self.record.scores[0]

    @property
    def culprit(self) -> int | None:
        """The agent, as its index in `seating`, that forfeited or resigned; None if none did."""
        blame = self.record.blame if self.record.end in BLAMED else None
        return None if blame is None else self.seating[blame - 1]


@dataclass(frozen=True)
class _Reason:
    """Reason of the forfeit in *record*, as a value of a message, written in its language."""

    record: Record

    def text(self, language: str) -> str:
        """Return the reason as a sentence in *language*."""
        return self.record.reason_in(language)


@dataclass(frozen=True)
class Forfeits:
    """A number of games that one agent forfeited for the same reason."""

    kind: End
    """How these games ended: ``illegal``, ``crash`` or ``timeout``, or ``resigned``."""
    reason: str
    """The reason in the first of them, an English sentence."""
    games: int
    """Number of these games."""
    output: str
    """What the agent printed at its first forfeit, with its traceback; may be empty."""
    cause: Mapping[str, str]
    """The reason as data: ``key`` of its text in the catalogues, and the values of the text."""


def forfeits_of(games: Iterable[MatchGame], agent: int) -> list[Forfeits]:
    """Return the forfeits of *agent* in *games*, grouped by reason, the most frequent first.

    Games are in one group if they have the same kind of end and the same fault, up to details such
    as the move (see `INCIDENTAL`). *agent* is an index as in `MatchGame.seating`. A resignation
    counts as a forfeit. Empty if there are none.
    """
    alike: dict[tuple[End, str], list[Record]] = {}
    for game in games:
        if game.culprit == agent:
            alike.setdefault((game.record.end, _fault(game.record)), []).append(game.record)
    found = [
        Forfeits(end, first.reason, len(same), first.output, first.cause)
        for (end, _), same in alike.items()
        for first in same[:1]
    ]
    return sorted(found, key=lambda each: -each.games)


INCIDENTAL = {"agent", "legal", "move", "position", "waited"}
"""Values of a reason that differ between games although the fault is the same."""


def _fault(record: Record) -> str:
    """Return a text that is equal for forfeits of one agent with the same fault, else different.

    It is the cause without its `INCIDENTAL` values, or, if there is no cause, the reason without
    the spec of the agent. It is no text for people.
    """
    if record.cause:
        return repr(sorted((k, v) for k, v in record.cause.items() if k not in INCIDENTAL))
    return record.reason.replace(record.agents[(record.blame or 1) - 1], "")  # seeds differ


def distinct_pairs(games: Sequence[MatchGame]) -> int:
    """Return how many pairs of *games* there are if equal ones count once.

    The two games of a pair are adjacent; half a pair at the end does not count. Pairs are equal if
    both their games have the same starts, moves and kinds of end.
    """
    played = [(game.record.start, game.record.moves, game.record.end) for game in games]
    return len(set(zip(played[::2], played[1::2])))


@dataclass(frozen=True)
class MatchResult(HtmlRepr):
    """The games of a match and their statistics, from the first agent's point of view."""

    agents: tuple[str, str]
    """The specs of both agents."""
    games: tuple[MatchGame, ...]
    """The games in the order of play, the two of a pair adjacent."""
    game: str = ""
    """The spec of the game."""

    @property
    def outcomes(self) -> tuple[int, ...]:
        """1 (won), 0 or -1 for the first agent in each game; in games of one seat, for each pair.

        There both agents play the same board alone, and the one with more points wins it. They are
        in the order of play. A game without its second one counts, but not a board of one seat that
        only one agent has played.
        """
        if self.games and len(self.games[0].seating) == 1:
            alone = zip(self.games[::2], self.games[1::2])
            return tuple(mine.against(theirs) for mine, theirs in alone)
        return tuple(game.outcome(0) for game in self.games)

    @property
    def wins(self) -> int:
        """Number of `outcomes` that are 1: the first agent has won."""
        return self.outcomes.count(1)

    @property
    def draws(self) -> int:
        """Number of `outcomes` that are 0."""
        return self.outcomes.count(0)

    @property
    def losses(self) -> int:
        """Number of `outcomes` that are -1: the first agent has lost."""
        return self.outcomes.count(-1)

    @property
    def tally(self) -> ScoreTally:
        """Counts of pairs of games, half a pair left out; in games of one seat, of boards.

        Raises PapanError if there is no pair.
        """
        if not self.pairs:
            raise PapanError("match.no_games")
        if not self.paired:
            return ScoreTally.of_games(self.outcomes)
        return ScoreTally.of_pairs(self.outcomes[: 2 * self.pairs])

    @property
    def elo(self) -> Interval:
        """Elo of the first agent minus that of the second, with its 95 % interval.

        Raises PapanError if there is no pair of games.
        """
        return elo_difference(self.tally)

    @property
    def superiority(self) -> float:
        """Probability that the first agent is the stronger one (LOS), 0 to 1.

        Raises PapanError if there is no pair of games.
        """
        return superiority(self.tally)

    @property
    def pairs(self) -> int:
        """Number of whole pairs of games; in games of one seat, of boards."""
        return len(self.games) // 2

    @property
    def distinct(self) -> int:
        """Number of different pairs; the others repeat one of them move by move."""
        return distinct_pairs(self.games)

    def json(self) -> dict[str, Any]:
        """Return the result as JSON data: specs, counts, statistics, and the records of all games.

        It has ``game`` and ``agents`` (specs), ``wins``, ``draws`` and ``losses`` of the first
        agent, ``forfeits`` and ``faults`` (lists of what the methods of these names return for each
        agent, a fault as an object), ``pentanomial`` (numbers of pairs in which the first got 0,
        1/2, 1, 3/2 and 2 points; None for one seat or without a pair), ``distinct`` pairs, the
        fields of `TallyFacts` (without a pair only ``games``, which is 0), and all ``records``.
        """
        counts = {"wins": self.wins, "draws": self.draws, "losses": self.losses}
        return {
            "game": self.game,
            "agents": list(self.agents),
            **counts,
            "forfeits": [self.forfeits(agent) for agent in (0, 1)],
            "faults": [[asdict(each) for each in self.faults(agent)] for agent in (0, 1)],
            "pentanomial": list(self.tally.counts) if self.paired and self.pairs else None,
            "distinct": self.distinct,
            **(asdict(tally_facts(self.tally)) if self.pairs else {"games": 0}),
            "records": [game.record.json() for game in self.games],
        }

    @property
    def paired(self) -> bool:
        """True if the two games of a pair have swapped seats; False for games of one seat, and
        without games.
        """
        return bool(self.games) and len(self.games[0].seating) == 2

    def __str__(self) -> str:
        """Return the score, and a line for each reason for which an agent forfeited games."""
        first, second = self.agents
        names = ", ".join(filter(None, (f"{first} - {second}", self.game)))
        score = f"{names}: +{self.wins} ={self.draws} {MINUS}{self.losses}"
        faults = (
            forfeit_line(self.agents[agent], each, "en")
            for agent in (0, 1)
            for each in self.faults(agent)
        )
        return "\n".join((score, *faults))

    def __repr__(self) -> str:
        forfeits = sum(game.culprit is not None for game in self.games)
        score = str(self).partition("\n")[0]
        return f"<MatchResult {score}" + (f", forfeits: {forfeits}>" if forfeits else ">")

    def faults(self, agent: int) -> list[Forfeits]:
        """Return the forfeits of *agent* (0 or 1), grouped by reason, the most frequent first."""
        return forfeits_of(self.games, agent)

    def forfeits(self, agent: int) -> dict[str, int]:
        """Return the number of forfeits of *agent* (0 or 1) by kind of end, such as ``crash``.

        Empty if there are none; a resignation counts.
        """
        return dict(Counter(game.record.end for game in self.games if game.culprit == agent))


def forfeit_line(agent: str, lost: Forfeits, language: str) -> str:
    """Return a line in *language* that says how many games an agent forfeited, how and why.

    *agent* is its name, *lost* are these games.
    """
    kind = text_of(f"end.{lost.kind}", language)
    reason = reason_in(language, lost.cause, lost.reason)
    facts = {"agent": agent, "games": lost.games, "kind": kind, "reason": reason}
    return text_of("match.forfeited", language, **facts)


def play_match(
    match: Match,
    cancelled: Cancelled = never,
    on_game: Callable[[MatchGame], object] | None = None,
) -> MatchResult:
    """Play *match* and return its result; when *cancelled* returns True, the result so far.

    A game whose pair is not complete is then left out. *on_game* is called with each game when it
    is over. After Ctrl-C raise `Interrupted`, whose ``result`` is that of all games that are over,
    also of one whose pair is not complete.
    """
    first, second = match.agents
    games = list[MatchGame]()

    def result(count: int) -> MatchResult:
        return MatchResult((first.spec, second.spec), tuple(games[:count]), match.game.spec)

    with interruptible:
        try:
            for game in match.play(cancelled):
                games.append(game)
                if on_game is not None:
                    on_game(game)
        except KeyboardInterrupt:
            raise Interrupted(result(len(games))) from None
    return result(len(games) // 2 * 2)


def opening(game: Game, plies: int, seed: int) -> Position:
    """Return a position after *plies* random moves, drawn by *seed*, none of which ends the game.

    *seed* also draws the board of a game that is dealt. There are fewer moves if every move would
    end the game, and none in a game of one seat: then the start is returned.
    """
    return opening_positions(game, plies if game.seats == 2 else 0, seed)[-1]


def check_opening(game: Game, plies: int) -> None:
    """Raise InvalidSpecError if openings of *plies* random plies are too long for a game for two.

    They are if the opening that the seed 0 draws has fewer, as every further move would end the
    game. Games for one are not checked.
    """
    if game.seats == 2 and (played := _opening_plies(game, plies)) < plies:
        raise InvalidSpecError("match.long_opening", opening=plies, game=game.spec, played=played)


@lru_cache(1_000)
def _opening_plies(game: Game, plies: int) -> int:
    """Return how many of *plies* random plies one opening has, drawn by the seed 0; cached."""
    return len(opening_positions(game, plies, 0)) - 1


def opening_positions(game: Game, plies: int, seed: int) -> list[Position]:
    """Return the start and the position after each of *plies* random moves, drawn by *seed*.

    *seed* also draws the board of a game that is dealt. No move ends the game: there are fewer
    positions if at one of them every move would.
    """
    rng = random.Random(seed)
    positions = [Setup.of(game).deal(seed).start()]
    while len(positions) <= plies:
        children = [positions[-1].child(move) for move in positions[-1].moves()]
        lively = [child for child in children if not child.is_over]
        if not lively:
            break
        positions.append(rng.choice(lively))
    return positions


def _sign(number: float) -> int:
    """Return 1, 0 or -1 if *number* is above 0, 0 or below."""
    return (number > 0) - (number < 0)
