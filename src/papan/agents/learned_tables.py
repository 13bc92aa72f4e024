"""Value tables that learn from self-play, and the file of a trained player.

First the groups of strips (rows or columns of cells) that a board is cut into: each group has a
table with a number for every way to fill it. Then the player: its tables, how it learns, and how it
is written to a file and read again.
"""

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
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from papan.core import (
    CannotPlayError,
    Game,
    InvalidRecordError,
    Position,
    Strips,
    native_form,
)
from papan.core.files import read_arrays
from papan.core.parts import Support

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from papan.engine.learning import Tables

MOST_NUMBERS = 2**23
"""Most numbers in the tables of a player, 4 bytes each: 32 megabytes."""
LARGEST_PLAYER_FILE = 4 * MOST_NUMBERS + 1_000_000
"""Most bytes of a player's file with its story; as many unpacked."""
CHUNK = 500
"""Games that are played with the same rate; a training that is cut there gives the same player."""
HALVING_GAMES = 300_000
"""After this many games the learning rate is half the first one."""
RANDOM_GAMES, DISCOUNT = 0.5, 0.99
"""See `papan.engine.learning.Practice`."""


@dataclass(frozen=True)
class TrainingPlan:
    """The settings of a training: together with the number of games they determine the player."""

    exploration: float = 0.15
    """Probability, 0 to 1, that a move of self-play is random."""
    rate: float = 1.0
    """Learning rate at first: the part of its error by which a value is corrected."""
    seed: int = 0
    """Decides all random moves."""


def groups_of(strips: Strips | None) -> list[list[tuple[int, ...]]]:
    """Return the groups of strips (rows or columns, see `Strips`) that have a table each.

    A group is a list of one or two images, which share its table: tuples of the numbers of strips,
    from 0. Where marks fall, every three strips (all, if there are fewer) are a group of two
    images, these strips and their mirror image: larger groups know more and learn far slower.
    Elsewhere all strips are one group of one image, with a number for each position. Empty for
    None, and for boards whose tables would have more than `MOST_NUMBERS`.
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
    """Return the binary logarithm of the length of a table for groups of *size* strips.

    A table has room for a number for each way to fill these strips (rows or columns of cells) with
    marks, and for either seat to move.
    """
    return 1 + size * (strips.cells + 1 if strips.falls else 2 * strips.cells)


def can_learn(game: Game) -> bool:
    """Return whether tables can learn *game*: strips, compiled rules, and not too large a board."""
    return bool(groups_of(Support.of(game).strips)) and native_form(game.start()) is not None


def cannot_learn(game: Game, agent: str) -> CannotPlayError:
    """Return the error that says why *agent*, its spec, cannot learn *game*: see `can_learn`.

    That is the size of the board if the game has strips and compiled rules, else the game itself.
    """
    strips = Support.of(game).strips
    fits = strips is not None and native_form(game.start()) is not None
    key = "learned.too_large" if fits else "learned.cannot"
    return CannotPlayError(key, agent=agent, game=game.spec)


class LearnedPlayer:
    """A player of one board, *game*: its value tables, and facts about its training.

    `numbers` are the tables, one row for each of `groups`, which `groups_of` makes of the `strips`
    of the board; `story` is JSON data on the training: its plan, and the results on the way.
    """

    def __init__(self, game: Game, numbers: NDArray[np.float32] | None = None) -> None:
        """Begin with the tables *numbers*, or with zeros.

        They are float32, a row of 2 ** `bits` numbers for each group. Raise CannotPlayError if the
        board cannot be learned, ValueError if the tables do not fit it.
        """
        import numpy as np

        if not can_learn(game):
            raise cannot_learn(game, "learned")
        strips, self.game = Support.of(game).strips, game
        assert strips is not None
        self.strips, self.groups = strips, groups_of(strips)
        shape = len(self.groups), 1 << bits(strips, len(self.groups[0][0]))
        self.numbers = np.zeros(shape, np.float32) if numbers is None else numbers
        if self.numbers.shape != shape or self.numbers.dtype != np.float32:
            raise ValueError("its tables do not fit the board")
        self.story: dict[str, Any] = {}
        """Facts of the training as JSON data: its plan, and the results on the way."""
        self.loss = 0.0
        """Mean squared error of its values in the last chunk."""

    @property
    def tables(self) -> Tables:
        """The tables as kernels take them; they share the memory of `numbers`."""
        import numpy as np

        from papan.engine.learning import Tables

        groups = np.array(self.groups, np.uint64)
        return Tables(groups, self.numbers, self.strips.cells, self.strips.falls)

    def expected(self, position: Position) -> float:
        """Return the value of a position for its seat to move, from -1 (loss) to 1 (win).

        It is the plain twin of `papan.engine.learning.expected`. The position must be one of the
        board that was learned; not checked.
        """
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

    def learn(self, plan: TrainingPlan, chunk: int) -> tuple[float, int]:
        """Play the `CHUNK` games of a chunk and learn from them; return the error and a count.

        They are the sum of the squared errors, of values from -1 to 1, and the number of positions
        that were corrected. The tables and `loss` are changed. *chunk* is the number of the chunk,
        from 0: with the seed it decides the random moves, and how far the rate of *plan* has fallen
        by then (see `HALVING_GAMES`).
        """
        import numpy as np

        from papan.engine.board import for_kernels
        from papan.engine.learning import Practice, practise

        form = native_form(self.game.start())
        assert form is not None
        state = np.array([random.Random(f"{plan.seed} {chunk}").getrandbits(64)], np.uint64)
        lookups = len(self.groups) * len(self.groups[0])
        step = plan.rate / lookups / (1 + chunk * CHUNK / HALVING_GAMES)
        practice = Practice(step, plan.exploration, RANDOM_GAMES, DISCOUNT)
        rules = for_kernels(form.rules)
        errors, positions = practise(rules, form.board, self.tables, practice, state, CHUNK)
        self.loss = errors / positions
        return errors, positions

    def bytes(self) -> bytes:
        """Return the content of its file, an NPZ archive of two arrays.

        They are ``numbers``, and ``about``: the bytes of a JSON object with ``game``, the spec, and
        ``story``.
        """
        import numpy as np

        file, about = io.BytesIO(), {"game": self.game.spec, "story": self.story}
        text = np.frombuffer(json.dumps(about).encode(), np.uint8)
        np.savez_compressed(file, about=text, numbers=self.numbers)
        return file.getvalue()

    @classmethod
    def read(cls, path: Path, game: Game) -> LearnedPlayer | None:
        """Return the player in the file *path*; None if it learned another board than *game*.

        Nothing in the file is run. Raise InvalidRecordError if the file is missing, cannot be read
        or is not a player, CannotPlayError if it names *game* and that cannot be learned.
        """
        import numpy as np

        try:
            file = read_arrays(path, LARGEST_PLAYER_FILE, InvalidRecordError)
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
def novice(game: Game, plan: TrainingPlan, games: int) -> LearnedPlayer:
    """Return a player that has learned from so many *games*, rounded up to whole chunks of `CHUNK`.

    *plan* has the settings of its training. It is cached, and no file is written: do not let it
    learn more. Raise CannotPlayError if the board cannot be learned.
    """
    player = LearnedPlayer(game)
    for chunk in range(-(-games // CHUNK)):
        player.learn(plan, chunk)
    return player


def player_file(game: Game, player: str = "") -> Path:
    """Return the path where the player named *player* is kept; it may not exist.

    Without a name, it is named after the board, as ``tictactoe-3-3-3.npz``. The name is not
    checked.
    """
    name = player or re.sub(r"[^A-Za-z0-9]+", "-", game.spec)
    return user_data_path("papan", appauthor=False) / "players" / f"{name}.npz"


def stored_player(path: Path, game: Game) -> LearnedPlayer | None:
    """Return the player in a file, as the file is now; None if it learned another board.

    Players are cached and shared: do not let them learn more. Raise OSError if there is no file,
    InvalidRecordError and CannotPlayError as `LearnedPlayer.read` does.
    """
    return _read_player(path, path.stat().st_mtime_ns, game)


@lru_cache(maxsize=4)
def _read_player(path: Path, changed: int, game: Game) -> LearnedPlayer | None:
    """Return the player in a file; None if it learned another board.

    Cached by path, board and *changed*, the file's time of change in ns. Raise what
    `LearnedPlayer.read` raises.
    """
    return LearnedPlayer.read(path, game)
