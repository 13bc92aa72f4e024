"""What travels between a page and the server about papers."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from papan.lab.results import Verdict
from papan.papers.paper import Size
from papan.web.jobs import State
from papan.web.models import Seed, Strict


class PaperOrder(Strict):
    """A run to be carried out."""

    size: Size = "quick"
    seed: Seed = 0


class SavedRun(BaseModel):
    """What is kept of a run, wherever it was started; *done* goes from 0 to 1."""

    name: str
    size: Size
    seed: int
    done: float


class PaperJob(SavedRun):
    """A run that this server carries out."""

    id: str
    state: State
    why: dict[str, Any] | None
    """Why it failed: a key of the catalogue and its values."""


class PaperFacts(BaseModel):
    """A paper to choose."""

    number: str
    game: str
    title: str
    authors: str
    year: int
    runs: list[SavedRun]
    jobs: list[PaperJob]


class Claim(BaseModel):
    """The paper in its own words, and translated."""

    original: str
    english: str


class Amount(BaseModel):
    """How thoroughly a paper can be run, and about how many seconds that takes here."""

    size: Size
    seconds: float


class Compared(BaseModel):
    """One line of the comparison; *ours* is null before a run."""

    what: str
    paper: str
    ours: str | None
    agrees: Verdict


class Sheet(BaseModel):
    """A table in words; *numbers* says which columns are set to the right."""

    name: str
    title: str
    headings: list[str]
    rows: list[list[str]]
    numbers: list[bool]


class Points(BaseModel):
    """One series of a figure, as text."""

    label: str
    text: str


class Plot(BaseModel):
    """A figure: the file NAME.svg draws it."""

    name: str
    title: str
    series: list[Points]


class Found(BaseModel):
    """What a finished run led to, and everything needed to do the same again."""

    name: str
    size: Size
    seed: int
    began: str
    seconds: float
    machine: dict[str, str]
    command: str
    tables: list[Sheet]
    plots: list[Plot]
    files: list[str]


class PaperPage(PaperFacts):
    """A paper, and the run that was asked for or else the newest that is finished."""

    claims: list[Claim]
    recipe: str
    remarks: list[str]
    amounts: list[Amount]
    comparison: list[Compared]
    found: Found | None
    yours: bool = False
    """Whether whoever asks may start a run."""
