"""Numbers as people read them: signs, decimals and thousands in each language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor, isfinite, isnan
from typing import Any, Literal, get_args

MINUS = "\u2212"
"""The minus sign in text for people; data for programs has a hyphen."""

UNDEFINED = "?"
"""What stands for an undefined number (nan)."""

NumberForm = Literal["count", "signed", "plain"]
NUMBER_FORMS: tuple[NumberForm, ...] = get_args(NumberForm)


@dataclass(frozen=True)
class Number:
    """A number in a sentence, written as the language of the sentence writes it.

    *form* is ``count``, with separated thousands and at most three decimals (``1,234.5``),
    ``signed``, with a sign and at most two decimals (``+0.5``), or ``plain``, the same without a
    plus. The pages write the same three forms.
    """

    amount: float
    """The number itself, before it is rounded."""
    form: NumberForm = "count"

    def text(self, language: str = "en") -> str:
        """Return the number as *language*, ``en`` or ``id``, writes it, in the form `form`."""
        if self.form == "count":
            return in_figures(_counted(self.amount), language)
        text = format_value(self.amount)
        return in_figures(text if self.form == "signed" else text.removeprefix("+"), language)

    def json(self) -> dict[str, Any]:
        """Return ``{"number": …, "form": …}``."""
        return {"number": self.amount, "form": self.form}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Number:
        """Return the number that `json` wrote; raises KeyError if *data* lacks one of its keys."""
        return cls(data["number"], data["form"])


def _counted(amount: float) -> str:
    """Return *amount* with separated thousands and at most three decimals: ``1,234.5``.

    A negative one has a hyphen. An int is written in full.
    """
    if isinstance(amount, int):
        return f"{amount:,}"
    return f"{amount:,.3f}".rstrip("0").rstrip(".")


def format_value(amount: float) -> str:
    """Return *amount* as text with its sign and at most two decimals, such as ``+0.5``.

    The minus is U+2212; 0 has no sign. Halves are rounded away from 0. An infinite amount is its
    sign and U+221E, an undefined one (nan) `UNDEFINED`.
    """
    if isnan(amount):
        return UNDEFINED
    if not isfinite(amount):
        return f"{MINUS if amount < 0 else '+'}\u221e"
    text = f"{floor(abs(amount) * 100 + 0.5) / 100:.2f}".rstrip("0").rstrip(".")
    return text if text == "0" else (MINUS if amount < 0 else "+") + text


def megabytes(size: int, language: str) -> str:
    """Return *size*, in bytes, as text in whole megabytes of 2^20 bytes, without the unit.

    The number is written as *language*, ``en`` or ``id``, writes it. Empty for 0: not measured.
    """
    return in_figures(f"{size / 2**20:,.0f}", language) if size else ""


def in_figures(text: str, language: str) -> str:
    """Return *text*, written as in English, with its numbers as *language* writes them.

    For Indonesian (``id``) points and commas between digits are exchanged, and ``, `` becomes ``;
    ``; for any other language *text* is returned as it is.
    """
    if language != "id":
        return text
    marks = {".": ",", ",": "."}
    return re.sub(r"(?<=\d)[.,](?=\d)", lambda mark: marks[mark[0]], text).replace(", ", "; ")
