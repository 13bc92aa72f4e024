"""How boards, analyses and results represent themselves: HTML in a notebook, text in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

Painter: TypeAlias = Callable[[Any], str | None]
"""Makes HTML of something; None where it knows no picture of it."""

_painters: list[Painter] = []


def use_html_painter(painter: Painter) -> None:
    """Let *painter* draw whatever is `HtmlRepr`: core itself knows no pages."""
    _painters[:] = [painter]


class RichRepr:
    """Something with a picture: a notebook draws it, a terminal gets it in characters."""

    __slots__ = ()

    def show(self) -> None:
        """Show it now, also where it is not the last line of a cell."""
        if "IPython" in sys.modules and sys.modules["IPython"].get_ipython():
            import_module("IPython.display").display(self)
        else:
            print(self.in_characters())

    def in_characters(self) -> str:
        """The picture for a terminal."""
        return str(self)

    def __init_subclass__(cls) -> None:
        """Say it in every class: IPython prefers a class's own ``__repr__`` to what it inherits."""
        super().__init_subclass__()
        if "_repr_pretty_" not in vars(cls):
            cls._repr_pretty_ = RichRepr._repr_pretty_  # type: ignore[method-assign]

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.in_characters())


class HtmlRepr(RichRepr):
    """Something whose picture is a piece of HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return next((painter(self) for painter in _painters), None)
