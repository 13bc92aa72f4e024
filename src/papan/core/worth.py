"""Values as people write them: with their sign, and with how sure they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from papan.core.agent import Value


def number(amount: float) -> str:
    """A number with its sign, as people write it: a real minus, no needless decimals."""
    text = f"{abs(amount):.2f}".rstrip("0").rstrip(".")
    return ("\u2212" if amount < 0 and text != "0" else "+" if amount > 0 else "") + text


SIGNS = {"exact": "=", "lower": "\u2265", "upper": "\u2264", "estimate": "~", "visits": "%"}
"""How sure a value is, in one character."""


def worth(value: Value) -> str:
    """A value with its kind: ``= +1``, ``~ +0.3``, or the share of visits."""
    if value.kind == "visits":
        return f"{value.margin:.0%}"
    return f"{SIGNS[value.kind]} {number(value.margin)}"
