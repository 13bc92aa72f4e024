"""Notebooks: pictures of boards, analyses, games and tournaments, and games to play inline.

The entry points are here; they are light to import.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from papan import api, catalog
from papan.api import Played
from papan.catalog import Player
from papan.core import InvalidSpecError, Limit, PapanError, Place
from papan.core.parts import Card
from papan.core.session import PERSON, SeatAgent, Session, resumed

if TYPE_CHECKING:  # only some users have it
    from papan.notebook.widgets import Widget

ADVISER = "level:5"


def paint(thing: object) -> str | None:
    """Return *thing* as HTML for a notebook; None if there is no picture of it.

    There is one of an `Analysis` of a known position, a `Reason`, a `Record`, a `MatchResult` and
    `Standings`. Raise PapanError for a record that cannot be replayed, and for the result of a
    match without a whole pair of games.
    """
    from papan.notebook.pages import page

    return page(thing)


def widget(game: Place, vs: Player = "level:3", seat: int = 1, seconds: float = 1.0) -> Widget:
    """Return a game to play inside a notebook, you on *seat* (1 or 2) and *vs* on the other one.

    *game* is a position, a game or its text; *vs* an agent, its spec, or a function that chooses
    moves; ``vs="human"`` seats two people at one screen. *seconds* limit each move of an agent.
    Raise PapanError if *game* or *vs* cannot be used, *seat* is neither 1 nor 2, *seconds* is out
    of range, or a package is missing. A game for one has only seat 1, which is not checked: with 2
    the agent plays it.
    """
    start = catalog.position(game)
    if seat not in (1, 2):
        raise InvalidSpecError("play.bad_seat", seat=seat)
    rival: SeatAgent = None if vs == PERSON else catalog.player(vs)
    if rival:
        rival.check_plays(start.game)
    agents = [None, rival] if seat == 1 else [rival, None]
    levels = (catalog.agent(f"level:{number}") for number in Card.of(start.game).levels)
    opponents: dict[str, SeatAgent] = {PERSON: None, **{level.spec: level for level in levels}}
    if rival:
        opponents[rival.spec] = rival
    limit, session = Limit(seconds=seconds), Session(start, agents[: start.game.seats])
    shown: Widget = _widgets().PlayWidget(session, opponents, catalog.agent(ADVISER), limit)
    return shown


def stepper(played: Played) -> Widget:
    """Return a played game to step through in a notebook, from its record, session or file.

    It begins at the start. Raise PapanError if the game is invalid or a package is missing.
    """
    record = api.record_of(played)
    game = catalog.game(record.game)
    session = resumed(record, game, [None] * game.seats)
    session.go(0)
    shown: Widget = _widgets().Stepper(session, record.agents)
    return shown


def _widgets() -> ModuleType:
    """Return the module `papan.notebook.widgets`.

    Raise PapanError if the package that it needs is missing.
    """
    try:
        return import_module("papan.notebook.widgets")
    except ImportError:
        raise PapanError("notebook.needs_extra") from None
