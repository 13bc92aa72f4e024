"""A trial of a bot: does it answer legally, in time, and twice the same, whatever is asked?"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

from papan.core import UNLIMITED, Agent, Game, InvalidSpecError, Limit, Move, Position
from papan.core.record import End
from papan.lab.referee import Forfeit, ask

MOST_POSITIONS = 1_000_000
MOST_FAULTS = 5
"""After so many a trial is over: the verdict will not change."""
FROM_ONE_GAME = 5
"""How many positions are taken from one random game."""


@dataclass(frozen=True)
class Fault:
    """A question that the bot failed to answer."""

    kind: End
    position: str
    reason: str
    output: str = ""
    """What the bot had printed, its traceback among it."""


@dataclass(frozen=True)
class Trial:
    """How a bot did."""

    faults: tuple[Fault, ...]
    seconds: tuple[float, ...]
    """How long each answer took."""
    repeated: int
    """How many questions were put a second time."""
    changed: tuple[str, ...]
    """The positions in which the second answer was another one."""

    @property
    def fine(self) -> bool:
        return not (self.faults or self.changed)


@dataclass(frozen=True)
class Plan:
    """What a bot is asked: positions of these games, from a seed, within a limit."""

    games: Sequence[Game]
    positions: int = 1000
    again: int = 100
    """How many of them are put a second time, in the opposite order, to the bot started anew."""
    seed: int = 0
    limit: Limit = UNLIMITED

    def __post_init__(self) -> None:
        if not 1 <= self.positions <= MOST_POSITIONS:
            raise InvalidSpecError(
                "bot.bad_positions", positions=self.positions, most=MOST_POSITIONS
            )


def try_out(
    agent: Agent, plan: Plan, restart: Callable[[], None], on_progress: Callable[[int], None]
) -> Trial:
    """Put *agent* on trial; *told* hears how many questions have been put."""
    faults: list[Fault] = []
    seconds: list[float] = []
    answers: list[tuple[Position, Move]] = []
    for count, position in enumerate(sample(plan.games, plan.positions, plan.seed), 1):
        began = perf_counter()
        try:
            answers.append((position, ask(agent, position, plan.limit)))
            seconds.append(perf_counter() - began)
        except Forfeit as forfeit:
            faults.append(Fault(forfeit.end, str(position), forfeit.reason, forfeit.output))
            if len(faults) == MOST_FAULTS:
                break
        on_progress(count)
    restart()
    repeated = answers[: plan.again][::-1] if not faults else []
    changed = [str(place) for place, move in repeated if _again(agent, place, plan.limit) != move]
    return Trial(tuple(faults), tuple(seconds), len(repeated), tuple(changed))


def _again(agent: Agent, position: Position, limit: Limit) -> Move | None:
    try:
        return ask(agent, position, limit)
    except Forfeit:
        return None


def sample(games: Sequence[Game], count: int, seed: int) -> Iterator[Position]:
    """Positions from random games, one game after another in turn."""
    rng = random.Random(seed)
    given = 0
    while True:
        for game in games:
            for position in _moments(game.deal(rng.randrange(1000)), rng):
                if given == count:
                    return
                given += 1
                yield position


def _moments(game: Game, rng: random.Random) -> list[Position]:
    """Some positions of a random game in which there is a move to make."""
    moments, position = [], game.start()
    while moves := position.moves():
        moments.append(position)
        position = position.child(rng.choice(moves))
    return rng.sample(moments, min(FROM_ONE_GAME, len(moments)))
