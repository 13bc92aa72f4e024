"""What travels between a page and the server: every field has a type and a bound."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from papan.core.record import End
from papan.web.settings import Rank

PositionText = Annotated[str, Field(min_length=1, max_length=6_000)]
MovesText = Annotated[str, Field(max_length=8_000)]
SpecText = Annotated[str, Field(min_length=1, max_length=200)]
Language = Literal["en", "id"]
Seed = Annotated[int, Field(ge=0, lt=10**9)]


class Strict(BaseModel):
    """A request: nothing that it does not know, and nothing that only looks like a number."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class Line(Strict):
    """A game so far: where it began, and the moves since."""

    start: PositionText
    """A game such as ``connect4``, or a position."""
    moves: MovesText = ""


class Effort(Line):
    """What to think about, and for how long."""

    seconds: Annotated[float, Field(gt=0, le=600)] = 2
    nodes: Annotated[int, Field(ge=1, le=10**12)] | None = None
    purpose: Rank = "analysis"
    """A move of a person's game comes first."""


class Thought(Effort):
    """What to think about, and who thinks."""

    agent: SpecText = "level:5"
    all_moves: bool = False
    """Solvers: prove the value of every move, not only which ones are best."""


class Turn(Effort):
    """A move, and who is to answer it."""

    move: Annotated[str, Field(max_length=20)] = ""
    """The move of a person; nothing where an agent is to move already."""
    agents: Annotated[list[SpecText], Field(max_length=2)]
    """Who plays on each seat: ``human``, or an agent."""


class Deal(Strict):
    """A game to begin."""

    game: SpecText
    seed: Seed


class Shuffle(Line):
    """A board whose pieces are to be put in another order."""

    seed: Seed


class Saved(Strict):
    """The record of a game, as one line of JSON."""

    record: Annotated[str, Field(min_length=2, max_length=14_000)]


class Choice(BaseModel):
    """A legal move: its name, where its value stands, and how the picture points it out."""

    m: str
    at: tuple[float, float] | None
    svg: str
    gains: list[float]
    """What the move adds at once to the score of each seat."""


class Seen(BaseModel):
    """Something that experts see: a text of the catalogue, and its drawing."""

    key: str
    values: dict[str, Any]
    svg: str


class Board(BaseModel):
    """A position as a page shows it."""

    game: str
    name: str
    seats: int
    start: str
    position: str
    moves: list[str]
    turns: list[int]
    """The seat that made each move."""
    places: list[tuple[float, float] | None]
    """Where in the picture each move went."""
    turn: int
    scores: list[float]
    most: float | None
    end: End
    winner: int | None
    svg: str
    spots: dict[str, str]
    """What can be pointed at: its name, and what the board in characters shows there."""
    legal: list[Choice]
    features: list[Seen]
    spots_in_a_move: int
    solver: bool
    shuffles: bool


class Setting(BaseModel):
    """An option of a game or an agent."""

    name: str
    kind: str
    """integer, number, switch, choice or text."""
    default: Any
    choices: list[str]
    optional: bool


class GameFacts(BaseModel):
    """A game to choose."""

    name: str
    about: str
    """What the game says of itself, in English: for those that the catalogue does not know."""
    spec: str
    seats: int
    presets: list[str]
    sample: str
    """A spec and a few moves, which show what the game is about."""
    options: list[Setting]


class AgentFacts(BaseModel):
    """An agent to choose; its text is in the catalogue under ``agent.NAME``."""

    name: str
    about: str
    """What the agent says of itself, for those that the catalogue does not know."""
    settings: list[Setting]
    names: list[str]
    """What to ask for: its name, or each of its levels."""


class Start(BaseModel):
    """Where a game begins."""

    start: str


class Reopened(Line):
    """A saved game, ready to go on."""

    agents: list[str]
    end: End
    blame: int | None
    reason: str


class Health(BaseModel):
    """How the server is."""

    status: str
    """``ok``, or ``starting`` while none is alive."""
    version: str
    searches: int
    """How many run or wait."""
    workers: int
    """How many are alive."""
    compiling: Annotated[tuple[int, ...], Field(min_length=2, max_length=2)] | None = None
    """How many searches are compiled, of how many; null where nothing has to be."""


class Complaint(BaseModel):
    """What is wrong: in English, and as a key of the catalogue with its values."""

    key: str
    values: dict[str, Any]
    message: str
