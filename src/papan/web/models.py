"""What travels between a page and the server: every field has a type and a bound."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

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


class Complaint(BaseModel):
    """What is wrong: in English, and as a key of the catalogue with its values."""

    key: str
    values: dict[str, Any]
    message: str
