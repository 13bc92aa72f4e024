"""Learned: a player of a small board whose tables were filled by games against itself (TD)."""

from __future__ import annotations

import io
import json
import random
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import tanh
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from platformdirs import user_data_path

from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    Guess,
    InvalidRecordError,
    InvalidSpecError,
    Move,
    Position,
    Proved,
    Strips,
    Thinking,
    Value,
    margin,
    native_form,
)
from papan.core.analysis import root_moves
from papan.core.files import read_arrays
from papan.core.parts import Support

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from papan.engine.learning import Tables

MOST_NUMBERS = 2**23
"""A player has at most so many: 32 megabytes."""
LARGEST_FILE = 4 * MOST_NUMBERS + 1_000_000
"""So many bytes has a file of a player at most, with its story; as many unpacked."""
CHUNK = 500
"""Games that are played with the same rate; where a training is cut, its player is the same."""
HALF = 300_000
"""After so many games the step is half as long as at first: what is known counts more and more."""
RANDOM_GAMES, DISCOUNT = 0.5, 0.99
MOST_AT_ONCE = 100_000
"""Games that an agent plays with itself before its first move, where it is told to: seconds."""
CERTAIN, SOON = 0.99, 1e-4
"""What a guess is at most, and how much a ply takes off a sure result: a win is better soon."""


@dataclass(frozen=True)
class Plan:
    """All that decides how a player learns."""

    exploration: float = 0.15
    rate: float = 1.0
    seed: int = 0


@dataclass
class Learned(Agent):
    """Looks some plies ahead, and asks tables that were learned what the positions there promise.

    A player is a file of `papan train` in papan's own folder, named by letters, digits, - and _: no
    other file is read, and nothing in it is run. Or it learns now, from nothing.
    """

    player: str = ""
    """Which of the players that were trained; without a name, the one of the board."""
    depth: int = 2
    """How many plies it looks ahead; 1 is its first sight."""
    games: int = 0
    """No file: it learns a board of nine cells now, from so many games against itself."""
    exploration: float = 0.15
    """How often it makes just any move in those games."""
    rate: float = 1.0
    """How fast it learns from them."""

    name: ClassVar[str] = "learned"
    ends_by_itself: ClassVar[bool] = True

    def __post_init__(self) -> None:
        self.demand("depth", 1, 20)
        self.demand("games", 0, MOST_AT_ONCE)
        self.demand("exploration", 0, 1)
        self.demand("rate", 0, 10)
        if not re.fullmatch(r"[A-Za-z0-9_-]{0,60}", self.player):
            raise InvalidSpecError("learned.bad_name", player=self.player)

    def plays(self, game: Game) -> bool:
        if self.games:
            strips = Support.of(game).strips
            return strips is not None and not strips.falls and can_learn(game)
        path = player_file(game, self.player)
        try:
            return path.exists() and (not self.player or kept(path, game) is not None)
        except InvalidRecordError:
            return True  # and whoever asks it hears what is wrong

    def refusal(self, game: Game) -> CannotPlayError:
        key = "learned.none" if can_learn(game) else "learned.cannot"
        options = f" --player {self.player}" if self.player else ""
        return CannotPlayError(key, agent=self.spec, game=game.spec, options=options)

    def load(self, position: Position) -> None:
        self._player(position.game)

    def _player(self, game: Game) -> Player:
        if self.games:
            return novice(game, Plan(self.exploration, self.rate), self.games)
        if player := kept(player_file(game, self.player), game):
            return player
        raise self.refusal(game)

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        look = Look(self._player(position.game), thinking)
        values: dict[Move, tuple[float, bool]] = {}
        with thinking.until_stopped():
            for depth in range(1, self.depth + 1):
                round_: dict[Move, tuple[float, bool]] = {}
                values = values or round_  # half of the first round is better than none
                for move in position.moves():
                    round_[move] = look.after(position, move, depth - 1)
                values = round_
                if thinking.watched:
                    emit(position, values, depth, thinking)
        return found(position, values)


def emit(
    position: Position, values: dict[Move, tuple[float, bool]], depth: int, thinking: Thinking
) -> None:
    """Tell what is expected of each move."""
    analysis, game = found(position, values), position.game
    thinking.emit_root(depth, game.move_name(analysis.move), root_moves(game, analysis.values))


def found(position: Position, values: dict[Move, tuple[float, bool]]) -> Analysis:
    """What was found of the moves: guesses, and proofs where every line came to the end."""
    if not values:
        return Analysis((position.moves()[0],))
    shown = {move: _value(*each) for move, each in values.items()}
    move = max(values, key=lambda each: values[each][0])
    best, sure = values[move]
    whole = len(values) == len(position.moves()) and all(each for _, each in values.values())
    if sure and (best > CERTAIN or whole):
        return Analysis((move,), None, Proved.exactly(round(best)), shown, why="exact")
    return Analysis((move,), best, values=shown, why="depth")


def _value(number: float, sure: bool) -> Value:
    return Proved.exactly(round(number)) if sure else Guess(number)


class Look:
    """A look ahead. Values are those of the seat to move, with whether they are sure."""

    def __init__(self, player: Player, thinking: Thinking) -> None:
        self.player, self.thinking = player, thinking

    def after(self, position: Position, move: Move, depth: int) -> tuple[float, bool]:
        """What *move* comes to, so many plies further."""
        self.thinking.tick()
        child = position.child(move)
        value, sure = self.value(child, depth)
        value *= 1 - SOON
        return (value if child.turn == position.turn else -value), sure

    def value(self, position: Position, depth: int) -> tuple[float, bool]:
        """What a position comes to."""
        if not (moves := position.moves()):
            return margin(position, position.turn), True
        if not depth:
            return CERTAIN * self.player.expected(position), False
        values = [self.after(position, move, depth - 1) for move in moves]
        best, sure = max(values)
        return best, sure and (best > CERTAIN or all(each for _, each in values))


# -- what is learned


def groups_of(strips: Strips | None) -> list[list[tuple[int, ...]]]:
    """The strips of each group, and its mirror image; none for boards that are too large.

    Where marks fall, every three strips are a group: larger ones know more and learn far slower.
    Elsewhere all strips together are one, a number for each position.
    """
    if strips is None:
        return []
    total, size = strips.total, min(3, strips.total) if strips.falls else strips.total
    images = [
        [each, tuple(total - 1 - strip for strip in each)]
        for each in combinations(range(total), size)
    ]
    groups = [[each, mirror] for each, mirror in images if each <= mirror[::-1]]
    if len(groups) << bits(strips, size) > MOST_NUMBERS:
        return []
    return groups if strips.falls else [group[:1] for group in groups]


def bits(strips: Strips, size: int) -> int:
    """The logarithm of how many numbers a group of so many strips has: for each turn."""
    return 1 + size * (strips.cells + 1 if strips.falls else 2 * strips.cells)


def can_learn(game: Game) -> bool:
    """Is there a form of this board that tables can learn?"""
    return bool(groups_of(Support.of(game).strips)) and native_form(game.start()) is not None


class Player:
    """What was learned of a board, and how it went."""

    def __init__(self, game: Game, numbers: NDArray[np.float32] | None = None) -> None:
        import numpy as np

        if not can_learn(game):
            raise CannotPlayError("learned.cannot", agent=Learned.name, game=game.spec)
        strips, self.game = Support.of(game).strips, game
        assert strips is not None
        self.strips, self.groups = strips, groups_of(strips)
        shape = len(self.groups), 1 << bits(strips, len(self.groups[0][0]))
        self.numbers = np.zeros(shape, np.float32) if numbers is None else numbers
        if self.numbers.shape != shape or self.numbers.dtype != np.float32:
            raise ValueError("its tables do not fit the board")
        self.story: dict[str, Any] = {}
        """How it was trained, and how well it did on the way."""
        self.loss = 0.0
        """How far off its expectations were when it learned last, squared, as a mean."""

    @property
    def tables(self) -> Tables:
        """The same for the kernel."""
        import numpy as np

        from papan.engine.learning import Tables

        groups = np.array(self.groups, np.uint64)
        return Tables(groups, self.numbers, self.strips.cells, self.strips.falls)

    def expected(self, position: Position) -> float:
        """What the seat to move expects, from -1 to 1: the twin of `papan.engine.learning`."""
        form = native_form(position)
        assert form is not None
        own, rival, turn = (int(word) for word in form.board[:3])
        total, cells, falls = self.strips
        codes, mask = [], (1 << cells) - 1
        for strip in range(total):
            mine, others = (marks >> strip * cells & mask for marks in (own, rival))
            codes.append(mine + (mine | others) + 1 if falls else mine << cells | others)
        width = cells + 1 if falls else 2 * cells
        found = 0.0
        for group, images in enumerate(self.groups):
            for image in images:
                index = turn
                for strip in image:
                    index = index << width | codes[strip]
                found += float(self.numbers[group, index])
        return tanh(found)

    def learn(self, plan: Plan, chunk: int) -> tuple[float, int]:
        """Play the games of a chunk and learn; the sum of errors squared, and of how many."""
        import numpy as np

        from papan.engine.learning import Practice, practise

        form = native_form(self.game.start())
        assert form is not None
        state = np.array([random.Random(f"{plan.seed} {chunk}").getrandbits(64)], np.uint64)
        lookups = len(self.groups) * len(self.groups[0])
        step = plan.rate / lookups / (1 + chunk * CHUNK / HALF)
        practice = Practice(step, plan.exploration, RANDOM_GAMES, DISCOUNT)
        errors, positions = practise(form.rules, form.board, self.tables, practice, state, CHUNK)
        self.loss = errors / positions
        return errors, positions

    def bytes(self) -> bytes:
        """All of it, as a file keeps it."""
        import numpy as np

        file, about = io.BytesIO(), {"game": self.game.spec, "story": self.story}
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        np.savez_compressed(file, about=text, numbers=self.numbers)
        return file.getvalue()

    @classmethod
    def read(cls, path: Path, game: Game) -> Player | None:
        """The player in a file; nothing in it is run. None where it learned another board."""
        import numpy as np

        try:
            file = read_arrays(path, LARGEST_FILE, InvalidRecordError)
            about = json.loads(file["about"].tobytes())
            if about["game"] != game.spec:
                return None
            player = cls(game, np.ascontiguousarray(file["numbers"]))
            if not np.isfinite(player.numbers).all():
                raise ValueError("its tables hold what is no number")
            player.story = dict(about["story"])
            return player
        except InvalidRecordError:
            raise
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise InvalidRecordError("error.cannot_read", path=path, why=error) from None


@lru_cache(maxsize=32)
def novice(game: Game, plan: Plan, games: int) -> Player:
    """A player that has learned from so many games, the last chunk of them whole."""
    player = Player(game)
    for chunk in range(-(-games // CHUNK)):
        player.learn(plan, chunk)
    return player


def player_file(game: Game, player: str = "") -> Path:
    """Where a player of *game* is kept."""
    name = player or re.sub(r"[^A-Za-z0-9]+", "-", game.spec)
    return user_data_path("papan", appauthor=False) / "players" / f"{name}.npz"


def kept(path: Path, game: Game) -> Player | None:
    """The player in a file, as it is now."""
    return _kept(path, path.stat().st_mtime_ns, game)


@lru_cache(maxsize=4)
def _kept(path: Path, changed: int, game: Game) -> Player | None:
    return Player.read(path, game)
