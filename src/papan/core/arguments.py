"""Checks of what callers pass: numbers, switches, functions and paths."""

from __future__ import annotations

from math import isnan
from numbers import Real
from operator import index
from os import PathLike
from pathlib import Path

from papan.core.errors import WrongTypeError


def whole(given: object) -> int | None:
    """Return *given* as an int if it is a whole number, also one of NumPy.

    None for anything else.
    """
    if isinstance(given, bool):
        return None
    try:
        return index(given)  # type: ignore[arg-type]
    except TypeError:  # also of an array, which has __index__
        return None


def check_path(given: object) -> Path:
    """Return *given* (text or path-like) as a Path; raise WrongTypeError for anything else."""
    if isinstance(given, str | PathLike) and given != "" and "\0" not in str(given):  # no system's
        return Path(given)
    raise WrongTypeError("error.takes_path", given=repr(given)[:80])


def check_whole(**amounts: object) -> list[int]:
    """Return the named *amounts* as ints, in order.

    Raise WrongTypeError for one that is not whole.
    """
    numbers = list[int]()
    for name, amount in amounts.items():
        number = whole(amount)
        if number is None:
            raise WrongTypeError("error.takes_whole", name=name, given=repr(amount)[:80])
        numbers.append(number)
    return numbers


def check_numbers(**amounts: object) -> None:
    """Raise WrongTypeError for the first of the named *amounts* that is not a number."""
    for name, amount in amounts.items():
        if not isinstance(amount, Real) or isnan(amount):
            raise WrongTypeError("error.takes_number", name=name, given=repr(amount)[:80])


def check_switches(**switches: object) -> None:
    """Raise WrongTypeError for the first of the *switches* that is neither True nor False."""
    for name, given in switches.items():
        if not isinstance(given, bool):
            raise WrongTypeError("error.takes_switch", name=name, given=repr(given)[:80])


def check_functions(**functions: object) -> None:
    """Raise WrongTypeError for the first of the *functions* that cannot be called."""
    for name, given in functions.items():
        if not callable(given):
            raise WrongTypeError("error.takes_function", name=name, given=repr(given)[:80])
