"""All names that ``import papan`` offers.

`papan` imports this module when the first of them is asked for, not before: a process that needs
only a part of papan, such as that of a bot, starts sooner without.
"""

from papan.api import (
    content_at,
    drawing,
    evaluate,
    load,
    load_all,
    margin,
    match,
    match_async,
    prove,
    replay,
    review,
    save,
    session,
    solve,
    solve_async,
    tournament,
    why,
)
from papan.catalog import AGENTS, GAMES, agent, agent_from_user, game, position
from papan.catalog import is_foreign as is_foreign
from papan.core import (
    Agent,
    Analysis,
    CannotPlayError,
    Game,
    Guess,
    IllegalMoveError,
    InvalidDatabaseError,
    InvalidMoveError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidRulesError,
    InvalidSpecError,
    Limit,
    OverdueError,
    PapanError,
    PapanWarning,
    Position,
    Proved,
    Record,
    Share,
    Thinking,
    Value,
    WrongTypeError,
)
from papan.core.certificate import CertificateError
from papan.core.extras import MissingExtraError
from papan.core.interrupts import Interrupted
from papan.core.reasons import Reason
from papan.core.review import Review
from papan.core.reviewer import Verdict
from papan.core.session import Session
from papan.lab.match import MatchGame, MatchResult
from papan.notebook import stepper, widget

__all__ = [
    "AGENTS",
    "GAMES",
    "Agent",
    "Analysis",
    "CannotPlayError",
    "CertificateError",
    "Game",
    "Guess",
    "IllegalMoveError",
    "Interrupted",
    "InvalidDatabaseError",
    "InvalidMoveError",
    "InvalidPositionError",
    "InvalidRecordError",
    "InvalidRulesError",
    "InvalidSpecError",
    "Limit",
    "MatchGame",
    "MatchResult",
    "MissingExtraError",
    "OverdueError",
    "PapanError",
    "PapanWarning",
    "Position",
    "Proved",
    "Reason",
    "Record",
    "Review",
    "Session",
    "Share",
    "Thinking",
    "Value",
    "Verdict",
    "WrongTypeError",
    "agent",
    "agent_from_user",
    "content_at",
    "drawing",
    "evaluate",
    "game",
    "load",
    "load_all",
    "margin",
    "match",
    "match_async",
    "position",
    "prove",
    "replay",
    "review",
    "save",
    "session",
    "solve",
    "solve_async",
    "stepper",
    "tournament",
    "why",
    "widget",
]
