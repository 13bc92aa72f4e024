"""Someone at the terminal screen who does what a script says, and agents to play against."""

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from math import inf
from typing import Any, ClassVar

from textual.geometry import Offset
from textual.pilot import Pilot

from papan import catalog
from papan.core import UNLIMITED, Agent, Analysis, Move, OutOfBudget, Position, Thinking
from papan.core.session import SeatAgent, Session
from papan.terminal.app import HomeScreen, PapanApp, PlayScreen, WatchScreen
from papan.terminal.board import Board, spot_towards, spots_of
from papan.terminal.game_screen import GameScreen, KeyBar, ScreenContext, SidePanel
from papan.terminal.games import Clock
from papan.terminal.output import use_language

WIDE, NARROW = (80, 24), (40, 20)
ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
RANDOM = catalog.agent("random")


@dataclass
class Ponder(Agent):
    """Thinks until it is stopped, then makes its first move."""

    name: ClassVar[str] = "ponder"

    def __post_init__(self) -> None:
        self.stopped = threading.Event()

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        try:
            while True:
                thinking.tick()
                thinking.emit_root(thinking.nodes, "a1", [])
                time.sleep(0.001)  # leaves the processor to the screen
        except OutOfBudget as stop:
            self.stopped.set()
            return Analysis((position.moves()[0],), why=str(stop))


@dataclass
class Broken(Agent):
    """Fails, or makes a move that does not exist."""

    crashes: bool = True
    name: ClassVar[str] = "broken"

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        if self.crashes:
            raise ZeroDivisionError("I cannot play")
        return Analysis((10**6,))


def over(text: str) -> bool:
    """Whether *text* tells how a game ended."""
    return " wins" in text or "Game over" in text


class Robot:
    """A player at the screen."""

    def __init__(self, app: PapanApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def screen(self) -> Any:
        return self.app.screen

    @property
    def context(self) -> GameScreen:
        """The screen with the board, also while a dialog is over it."""
        return next(each for each in self.app.screen_stack if isinstance(each, GameScreen))

    @property
    def session(self) -> Session:
        return self.context.session

    @property
    def board(self) -> Board:
        return self.context.board

    @property
    def status(self) -> str:
        return self.shown("status")

    def has_played(self, plies: int) -> bool:
        return len(self.session.plies) == plies

    def shown(self, panel: str) -> str:
        return str(self.context.query_one(f"#{panel}", SidePanel).shown)

    @property
    def keys(self) -> str:
        """What the bar says about the keys."""
        return str(self.context.query_one(KeyBar).render())

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition():
                await self.pilot.pause(0.01)

    async def my_turn(self) -> None:
        """Wait for the agents."""
        await self.until(lambda: self.session.end != "open" or self.session.agent is None)
        await self.pilot.pause()

    async def steer(self, spot: str) -> None:
        """Move the cursor to *spot* with the arrow keys."""
        await self.press(*routes(self.board.spots, str(self.board.cursor))[spot])
        assert self.board.cursor == spot

    async def click(self, spot: str) -> None:
        """Click in the middle of *spot*."""
        await self.pilot.click(Board, offset=self.middle_of(spot))
        await self.pilot.pause()

    def middle_of(self, spot: str) -> Offset:
        region = self.board.region_of(spot)
        middle = Offset(region.x + region.width // 2, region.y + region.height // 2)
        return middle - self.board.scroll_offset

    def rows(self) -> list[str]:
        """The rows of the board as they are shown, without the room above and below."""
        rows = (self.board.render_line(y).text for y in range(self.board.size.height))
        return [row for row in rows if row.strip()]

    def nearest_move(self) -> tuple[str, ...]:
        """The spots of a legal move, near the cursor to spare keys."""
        ways = routes(self.board.spots, str(self.board.cursor))
        moves = map(self.spots_of, self.session.position.moves())
        return min(moves, key=lambda spots: sum(len(ways[spot]) for spot in spots))

    def spots_of(self, move: Move) -> tuple[str, ...]:
        return spots_of(self.board.spots, self.session.game.move_name(move))


Script = Callable[[Robot], Awaitable[None]]


def routes(spots: Any, start: str) -> dict[str, list[str]]:
    """The shortest way from *start* to every spot with the arrow keys."""
    ways: dict[str, list[str]] = {start: []}
    for spot in (queue := [start]):
        for key, direction in ARROWS.items():
            to = spot_towards(spots, spot, *direction)
            if to not in ways:
                ways[to] = [*ways[spot], key]
                queue.append(to)
    return ways


def at_home(
    script: Script,
    opening: Callable[[ScreenContext], Any] = HomeScreen,
    size: tuple[int, int] = WIDE,
    language: str = "en",
) -> ScreenContext:
    """Run *script* on the first screen."""
    context = ScreenContext(lambda agent: UNLIMITED, RANDOM)

    async def run() -> None:
        use_language(language)
        app = PapanApp(lambda: opening(context))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(Robot(app, pilot))

    asyncio.run(run())
    return context


def at_the_board(
    script: Script, start: str = "tictactoe", *seats: SeatAgent, clock: float = inf, **options: Any
) -> Session:
    """Run *script* in a game from *start*; without *seats*, a person against chance."""
    position = catalog.position(start)
    usual: list[SeatAgent] = [None, RANDOM]
    session = Session(position, (seats or usual)[: position.game.seats])
    at_home(script, lambda context: PlayScreen(session, context, Clock(clock)), **options)
    return session


def watching(script: Script, *agents: Agent, speed: float = 0.25, **options: Any) -> Session:
    """Run *script* where two agents play."""
    session = Session(catalog.position("tictactoe"), agents or (RANDOM, RANDOM))
    at_home(script, lambda context: WatchScreen(session, context, speed), **options)
    return session
