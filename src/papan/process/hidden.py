"""Stand-in for papan's searches in the sandbox of a confined bot, if a contest hides them.

The sandbox shows this file instead of theirs (`papan.process.sandbox`), so that the rules can still
be imported: every name is a class that cannot be used.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """Return a new class named *name*, which raises ImportError when it is called.

    Raise AttributeError for names that begin with two underscores.
    """
    if name.startswith("__"):
        raise AttributeError(name)
    return type(name, (), {"__init__": _refuse})


def _refuse(self: object, *values: object, **settings: object) -> None:
    """Raise ImportError, whatever the arguments."""
    raise ImportError("this contest hides papan's searches and solvers from its bots")
