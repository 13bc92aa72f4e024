"""Progress: how much of a piece of work is done, for bars, pages and notebooks alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from papan.core.message import Message


@dataclass(frozen=True)
class Progress:
    """*done* of *total* units of work, and what was finished last.

    Units are the caller's (games, moves, estimated seconds); a *total* of 0 is unknown.
    """

    done: float
    total: float
    label: Message | str = ""
    """Text for people: the step finished last or under way; empty if there is none."""

    @property
    def share(self) -> float:
        """The share that is done, 0 to 1; 0 while the total is unknown."""
        return min(max(self.done / self.total, 0.0), 1.0) if self.total > 0 else 0.0

    def text(self, language: str = "en") -> str:
        """Return the label in *language*, ``en`` or ``id``; a plain string as it is."""
        return self.label.text(language) if isinstance(self.label, Message) else self.label

    def json(self) -> dict[str, Any]:
        """Return the progress as JSON data with the keys ``done``, ``total`` and ``label``.

        The label is `Message.json` or a string.
        """
        label = self.label.json() if isinstance(self.label, Message) else self.label
        return {"done": self.done, "total": self.total, "label": label}


OnProgress: TypeAlias = Callable[[Progress], object]
"""Called after each finished piece of work; its result is ignored."""


def ignore_progress(progress: Progress) -> None:
    """Do nothing: the default of every parameter of type `OnProgress`."""
