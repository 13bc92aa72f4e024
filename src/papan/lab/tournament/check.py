"""Verification of a journal: only games that this user has sealed, or that replay, are accepted.

Anyone who can write a file can write a journal. Games of this user's tournaments are sealed in
``effort.jsonl``; every other game is replayed. That finds what contradicts the rules or the plan,
but not an invented forfeit or other legal moves.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from importlib import import_module

from papan.core import InvalidRecordError, Position
from papan.core.files import open_regular
from papan.core.record import BLAMED, replayed
from papan.lab.files import is_genuine, whole_lines
from papan.lab.match import MatchGame, opening
from papan.lab.referee import KILLS, STARVES
from papan.lab.tournament.folder import TournamentFolder, sealed_game
from papan.lab.tournament.plan import Assignment

SEED = re.compile(r"seed=-?\d+")


class GameCheck:
    """Checks each line of a journal against seals, rules and plan.

    An object is called like a function with a game's number, its line and the game (see
    `BelieveGame`), and raises InvalidRecordError unless the game is to be accepted.
    """

    def __init__(self, folder: TournamentFolder, catalog: str) -> None:
        """Read the seals of the tournament in *folder*; *catalog* is the module that finds games
        and agents.

        A seal that is missing or damaged is no error here. Raise PapanError if the file of the
        seals is no regular one.
        """
        self.folder, self.catalog = folder, catalog
        self._seals = _seals(folder)
        self._opening = lru_cache(maxsize=2)(self._opening_of)  # games of a round come together

    def __call__(self, number: int, line: bytes, game: MatchGame) -> None:
        """Raise InvalidRecordError if *line*, which holds *game*, is neither sealed nor consistent.

        *number* is that of the game; *line* may have its end. Raise InvalidSpecError if the plan's
        game is unknown.
        """
        text = line.decode("utf-8", errors="replace").rstrip("\n")
        if not is_genuine(sealed_game(self.folder, text), self._seals.get(number)):
            self._replay(number, game)

    def _replay(self, number: int, game: MatchGame) -> None:
        """Raise InvalidRecordError if *game*, *number* of the tournament, contradicts the rules or
        the plan.

        It does if its start, agents or moves are not those that the rules and the plan allow, if it
        is not over, or if a seat is to blame that cannot have forfeited. The seeds of agents are
        not compared. Raise InvalidSpecError if the plan's game is unknown.
        """
        record, plan = game.record, self.folder.plan
        task = Assignment(plan, number, self.catalog)
        start = self._opening(task.seed)
        if (record.game, record.start) != (start.game.spec, str(start)):
            raise InvalidRecordError("tournament.other_start", start=start)
        names = [plan.agents[place] for place in game.seating]
        if list(map(_settings, record.agents)) != list(map(_settings, names)):
            raise InvalidRecordError("tournament.other_agents", agents=", ".join(names))
        positions = replayed(record, start.game)
        last = positions[-1]
        own_turn = record.cause.get("key") not in (KILLS, STARVES)
        out_of_turn = record.blame != last.turn + 1 and own_turn
        if record.end in BLAMED and (last.is_over or out_of_turn):
            raise InvalidRecordError("tournament.other_blame", seat=last.turn + 1)
        if record.end == "open" or (record.adjudicated or 0) >= len(positions):
            raise InvalidRecordError("tournament.not_over")

    def _opening_of(self, seed: int) -> Position:
        """Return the position after the random opening of the plan's length that *seed* draws.

        Raise InvalidSpecError if the plan's game is unknown.
        """
        plan = self.folder.plan
        return opening(import_module(self.catalog).game(plan.game), plan.opening, seed)


def _seals(folder: TournamentFolder) -> dict[int, object]:
    """Return the seals in the effort file by game number; empty if there is no file.

    Damaged lines are skipped. A seal may be anything: `is_genuine` judges it. Empty, too, if the
    file cannot be opened. Raise PapanError if it is no regular file.
    """
    try:
        file = open_regular(folder.efforts)
    except OSError:
        return {}
    found: dict[int, object] = {}
    with file:
        for line in whole_lines(file):
            try:
                facts = json.loads(line)
                if facts["number"] in range(folder.plan.games):
                    found[facts["number"]] = facts["seal"]
            except (ValueError, KeyError, TypeError, RecursionError):
                continue
    return found


def _settings(spec: str) -> tuple[str, frozenset[str]]:
    """Return the name of an agent and the set of its settings, such as ``nodes=9``, from its spec.

    The seed is left out, as it differs from game to game.
    """
    name, _, options = spec.partition(":")
    words = (word for word in options.split(",") if word and not SEED.fullmatch(word))
    return name, frozenset(words)
