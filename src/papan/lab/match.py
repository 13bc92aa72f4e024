"""Two agents against each other: pairs of games from the same opening, with the seats swapped."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
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
from papan.core.agent import Cancelled, never, reseeded
from papan.core.drawing import HtmlRepr
from papan.core.interrupts import Interrupted, interruptible
from papan.core.message import Message, say
from papan.core.numbers import MINUS
from papan.core.parts import Setup
from papan.core.record import BLAMED, End, reason_in
from papan.lab.referee import GameCancelled, play_game
from papan.lab.statistics.elo import ScoreTally, elo_difference, superiority, tally_facts
from papan.lab.statistics.intervals import Interval

PER_MOVE = Limit(nodes=10_000)
"""What a move is granted where nobody says it: counted in nodes, so that the same seed gives the
same games on every machine."""
MOST_AT_A_TIME = 1024
"""How many games may be played at the same time."""
MOST_UNITS = 1_000_000
"""How many units of a run (pairs, boards, rounds) have a seed that no other run has."""
SEEDS = 2**50
"""Bounds the seeds of units, so that specs can hold them; more than 10^9 runs fit in."""


def unit_seed(seed: int, number: int) -> int:
    """The seed of unit *number* of a run: runs of neighbouring seeds have no unit in common."""
    return seed * MOST_UNITS % SEEDS + number


SeatEffort: TypeAlias = tuple[tuple[int, float, float], ...]
"""The nodes, the seconds and the seconds of processor time that each move of a seat took."""


@dataclass(frozen=True)
class Match:
    """What is played: two agents, a game, how many pairs, from which seed, within which limit."""

    agents: tuple[Agent, Agent]
    game: Game
    pairs: int = 1
    seed: int = 0
    limit: Limit = UNLIMITED
    opening: int = 2
    """Random plies before the agents take over: without them, two agents that leave nothing to
    chance would play one and the same game over and over."""
    first_pair: int = 0
    """The number of the first pair, where others play the pairs before."""

    def __post_init__(self) -> None:
        if self.pairs < 1 or self.opening < 0:
            raise InvalidSpecError("match.bad_numbers", pairs=self.pairs, opening=self.opening)
        for agent in self.agents:
            agent.check_plays(self.game)

    def play(self, cancelled: Cancelled = never) -> Iterator[MatchGame]:
        """Every game, as soon as it is over, until *cancelled* says so."""
        with suppress(GameCancelled):
            for pair in range(self.first_pair, self.first_pair + self.pairs):
                yield from self._pair(unit_seed(self.seed, pair), cancelled)

    def _pair(self, seed: int, cancelled: Cancelled) -> Iterator[MatchGame]:
        start = opening(self.game, self.opening, seed)
        luck = 2 * seed  # each agent its own: twins would mirror each other
        first, second = (reseeded(agent, luck + place) for place, agent in enumerate(self.agents))
        if self.game.seats == 1:
            yield MatchGame((0,), play_game(start, [first], self.limit, cancelled))
            yield MatchGame((1,), play_game(start, [second], self.limit, cancelled))
        else:
            yield MatchGame((0, 1), play_game(start, [first, second], self.limit, cancelled))
            yield MatchGame((1, 0), play_game(start, [second, first], self.limit, cancelled))


@dataclass(frozen=True)
class MatchGame:
    """One game of a match: which of the two agents sat on each seat, and the record."""

    seating: tuple[int, ...]
    record: Record
    effort: tuple[SeatEffort, ...] = field(default=(), compare=False)
    """What each seat spent, where that was measured: no two runs take equally long."""

    def json(self) -> dict[str, Any]:
        """The game as data: who sat where, and the record."""
        return {"seating": list(self.seating), "record": self.record.json()}

    def message(self) -> Message:
        """Return the game in one line for people: agents, scores, how it ended, whose fault."""
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
        """1, 0 or -1 for *agent*, which sat on one of two seats."""
        winner = self.record.winner
        return 0 if winner is None else 1 if self.seating[winner] == agent else -1

    def against(self, other: MatchGame) -> int:
        """1, 0 or -1 for whoever played alone here, against the one who did so in *other*."""
        return _sign(self._points - other._points)

    @property
    def _points(self) -> float:
        """What a seat that plays alone has reached; nothing if it forfeited."""
        return -1 if self.record.end in BLAMED else self.record.scores[0]

    @property
    def culprit(self) -> int | None:
        """The agent that lost by its own fault, where one did."""
        blame = self.record.blame if self.record.end in BLAMED else None
        return None if blame is None else self.seating[blame - 1]


@dataclass(frozen=True)
class _Reason:
    """Why a game was forfeited, in the language of the message that it is a value of."""

    record: Record

    def text(self, language: str) -> str:
        return self.record.reason_in(language)


@dataclass(frozen=True)
class Forfeits:
    """Games that an agent lost by the same fault of its own."""

    kind: End
    reason: str
    games: int
    output: str
    """What it had printed the first time, its traceback among it."""
    cause: Mapping[str, str]
    """The reason as data: ``key``, a key of the catalogues, and the values that its text names."""


def forfeits_of(games: Iterable[MatchGame], agent: int) -> list[Forfeits]:
    """What an agent lost by its own fault, the most frequent fault first."""
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
"""Values of a reason that differ from game to game though the fault is the same."""


def _fault(record: Record) -> str:
    """What went wrong, the same text for the same fault in different games."""
    if record.cause:
        return repr(sorted((k, v) for k, v in record.cause.items() if k not in INCIDENTAL))
    return record.reason.replace(record.agents[(record.blame or 1) - 1], "")  # seeds differ


def distinct_pairs(games: Sequence[MatchGame]) -> int:
    """How many pairs differ from each other; the two *games* of a pair come together."""
    played = [(game.record.start, game.record.moves, game.record.end) for game in games]
    return len(set(zip(played[::2], played[1::2])))


@dataclass(frozen=True)
class MatchResult(HtmlRepr):
    """The games of a match and what they add up to, seen by the first agent."""

    agents: tuple[str, str]
    games: tuple[MatchGame, ...]
    game: str = ""
    """What was played."""

    @property
    def outcomes(self) -> tuple[int, ...]:
        """1, 0 or -1 for the first agent, by game; a puzzle that both solved counts once."""
        if self.games and len(self.games[0].seating) == 1:
            alone = zip(self.games[::2], self.games[1::2])
            return tuple(mine.against(theirs) for mine, theirs in alone)
        return tuple(game.outcome(0) for game in self.games)

    @property
    def wins(self) -> int:
        return self.outcomes.count(1)

    @property
    def draws(self) -> int:
        return self.outcomes.count(0)

    @property
    def losses(self) -> int:
        return self.outcomes.count(-1)

    @property
    def tally(self) -> ScoreTally:
        """What statistics need to know of whole pairs; raises where there are none."""
        if not self.pairs:
            raise PapanError("match.no_games")
        if not self.paired:
            return ScoreTally.of_games(self.outcomes)
        return ScoreTally.of_pairs(self.outcomes[: 2 * self.pairs])

    @property
    def elo(self) -> Interval:
        """By how much the first agent is the stronger one: ``value``, and ``low`` to ``high``.

        Raises PapanError where no pair of games was played.
        """
        return elo_difference(self.tally)

    @property
    def superiority(self) -> float:
        """The likelihood that the first agent is the stronger one (LOS)."""
        return superiority(self.tally)

    @property
    def pairs(self) -> int:
        return len(self.games) // 2

    @property
    def distinct(self) -> int:
        """How many of the pairs differ from each other: the others repeat them move by move."""
        return distinct_pairs(self.games)

    def json(self) -> dict[str, Any]:
        """The result as data, with the records of all games; ``papan match --json`` prints both."""
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
        """Do two games make a pair? Of puzzles, which are played alone, they do not."""
        return bool(self.games) and len(self.games[0].seating) == 2

    def __str__(self) -> str:
        """The score, and a line for whatever an agent lost by its own fault."""
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
        """What *agent* (0 or 1) lost by its own fault, and why."""
        return forfeits_of(self.games, agent)

    def forfeits(self, agent: int) -> dict[str, int]:
        """How often *agent* (0 or 1) lost by its own fault, by kind."""
        return dict(Counter(game.record.end for game in self.games if game.culprit == agent))


def forfeit_line(agent: str, lost: Forfeits, language: str) -> str:
    """What an agent lost by its own fault, in one line for people."""
    kind = say(f"end.{lost.kind}", language)
    reason = reason_in(language, lost.cause, lost.reason)
    facts = {"agent": agent, "games": lost.games, "kind": kind, "reason": reason}
    return say("match.forfeited", language, **facts)


def play_match(
    match: Match,
    cancelled: Cancelled = never,
    on_game: Callable[[MatchGame], object] | None = None,
) -> MatchResult:
    """Play the *match*; return the pairs that were over when *cancelled* first returned True.

    *on_game* is called with each game when it is over. After Ctrl-C it raises `Interrupted` with
    all games that are over, half a pair among them.
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
    """A position *plies* random moves into the game, with something left to play for."""
    rng = random.Random(seed)
    position = Setup.of(game).deal(seed).start()
    for _ in range(plies if game.seats == 2 else 0):
        lively = [move for move in position.moves() if position.child(move).moves()]
        if not lively:
            break
        position = position.child(rng.choice(lively))
    return position


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)
