"""The standings of a contest: place, rating with its error, points, forfeits and time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from papan.core.message import text_of
from papan.core.numbers import in_figures, megabytes
from papan.core.record import BLAMED
from papan.lab.statistics.intervals import Interval, with_ends

if TYPE_CHECKING:
    from papan.contest.folder import Contest, ContestGame
    from papan.contest.ladder import Ladder


@dataclass(frozen=True)
class StudentPlace:
    """One line of the standings: a student's rank, Elo, points, forfeits and what its bot uses."""

    rank: int
    """Place in the standings, from 1."""
    student: str
    """The number of the student in the list."""
    name: str
    """The name of the student."""
    player: str
    """The name of the bot in games: ``NUMBER vVERSION``."""
    rating: Interval | None
    """Elo relative to the mean of all, house bots among them; None if no game of it counts yet."""
    points: float
    """1 for each game won and 1/2 for each draw, house bots included."""
    games: int
    """Number of its games that count."""
    forfeits: Counter[str]
    """Number of games forfeited, by kind: ``illegal``, ``crash``, ``timeout`` or ``resigned``."""
    processor: float
    """Median of the processor seconds of its moves; 0 if none was measured."""
    memory: int
    """Bytes of memory that it had at most in any of its games; 0 if it was not measured."""
    told: bool
    """True if it is stronger than the next one with a probability of at least `SURE_ENOUGH`.

    True for the last one, False for others without games.
    """

    @property
    def score(self) -> float:
        """Share of points in all games, 0 to 1; 0 without games."""
        return self.points / self.games if self.games else 0.0


def standings_of(contest: Contest, ladder: Ladder | None = None) -> list[StudentPlace]:
    """Return the places of all students that take part, the strongest first.

    As long as no game counts they are in the order of the names of their players. *ladder* is what
    `Contest.ladder` returns, if the caller has it; None: it is computed.
    """
    from papan.contest.ladder import SURE_ENOUGH

    ladder = ladder or contest.ladder()
    games, names, players = contest.counted(), contest.names(), contest.players
    order = ladder.order() if games else sorted(players)
    found = []
    for rank, player in enumerate(order, 1):
        own, student = _OwnGames.of(player, games), players[player].student
        sure = [ladder.superiority(player, each) for each in order[rank : rank + 1] if own.games]
        found.append(
            StudentPlace(
                rank=rank,
                student=student,
                name=names[student],
                player=player,
                rating=ladder.rating(player) if own.games else None,
                points=own.points(),
                games=len(own.games),
                forfeits=own.forfeits(),
                processor=own.processor(),
                memory=own.memory(),
                told=rank == len(order) or (bool(sure) and sure[0] >= SURE_ENOUGH),
            )
        )
    return found


@dataclass(frozen=True)
class _OwnGames:
    """The games of one player that count, with its points and what its bot used in them."""

    player: str
    """The name of the player."""
    games: Sequence[ContestGame]
    """The games, in all of which it takes part."""

    @classmethod
    def of(cls, player: str, games: Iterable[ContestGame]) -> _OwnGames:
        """Return the games of *player*: those of *games* in which it takes part."""
        return cls(player, [game for game in games if player in game.players])

    def points(self) -> float:
        """Return the points: 1 for each game won, 1/2 for each draw."""
        outcomes = [game.outcome(self.player) for game in self.games]
        return outcomes.count(1) + outcomes.count(0) / 2

    def forfeits(self) -> Counter[str]:
        """Return the number of games forfeited, by the kind of their end."""
        return Counter(game.record.end for game in self.games if forfeited(game, self.player))

    def processor(self) -> float:
        """Return the median of the processor seconds of a move; 0 if none was measured."""
        costs = [cpu for game in self.games for cpu in _costs(game, self.player)]
        return median(costs) if costs else 0.0

    def memory(self) -> int:
        """Return the bytes of memory that it had at most in a game; 0 if it was not measured."""
        return max((_memory(game, self.player) for game in self.games), default=0)


def forfeited(game: ContestGame, player: str) -> bool:
    """Return whether *player* lost by its own fault.

    That is a crash, an illegal move, time or resignation. *player* need not have played.
    """
    blame = game.record.blame if game.record.end in BLAMED else None
    return blame is not None and game.players[blame - 1] == player


def _costs(game: ContestGame, player: str) -> tuple[float, ...]:
    """Return the processor seconds of each move of *player* in a game; empty if not measured.

    Raise ValueError if it did not play.
    """
    seat = game.players.index(player)
    return game.processor[seat] if seat < len(game.processor) else ()


def _memory(game: ContestGame, player: str) -> int:
    """Return the bytes of memory that *player* had at most in a game; 0 if not measured.

    Raise ValueError if it did not play.
    """
    seat = game.players.index(player)
    return game.memory[seat] if seat < len(game.memory) else 0


def standing_rows(contest: Contest, language: str) -> list[list[str]]:
    """Return the standings as rows of eight texts, in *language* (en or id), the strongest first.

    They are: rank, number, name, Elo with its interval ("" without games), ``POINTS/GAMES``,
    `forfeit_counts`, processor seconds of a move, megabytes of memory ("" if not measured).
    """
    return [
        [
            str(each.rank),
            each.student,
            each.name,
            "" if each.rating is None else in_figures(with_ends(each.rating), language),
            in_figures(f"{each.points:g}/{each.games}", language),
            forfeit_counts(each, language),
            in_figures(f"{each.processor:.4f}", language),
            megabytes(each.memory, language),
        ]
        for each in standings_of(contest)
    ]


def forfeit_counts(standing: StudentPlace, language: str) -> str:
    """Return the forfeits of *standing* as text in *language* (en or id): each kind and its number.

    It is "0" if there are none.
    """
    kinds = standing.forfeits.items()
    return ", ".join(f"{text_of(f'end.{kind}', language)} {count}" for kind, count in kinds) or "0"
