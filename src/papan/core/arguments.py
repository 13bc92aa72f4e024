"""Checks of what callers pass: numbers, switches, functions and paths."""

from __future__ import annotations

from math import isnan
from numbers import Real
from operator import index
from os import PathLike
from pathlib import Path

from papan.core.errors import WrongTypeError


def whole(given: object) -> int | None:
    """Return *given* as an int if it is of a whole-number type, also one of NumPy's.

    None for anything else, among them 2.0, True and False.
    """
    if isinstance(given, bool):
        return None
    try:
        return index(given)  # type: ignore[arg-type]
    except TypeError:  # also of an array, which has __index__
        return None


def check_path(given: object) -> Path:
    """Return *given* (text or path-like) as a Path; that a file is there is not checked.

    Raise WrongTypeError for anything else, for empty text, and for text with a null character.
    """
    if isinstance(given, str | PathLike) and given != "" and "\0" not in str(given):  # no system's
        return Path(given)
    raise WrongTypeError("error.takes_path", given=repr(given)[:80])


def check_whole(**amounts: object) -> list[int]:
    """Return the named *amounts* as ints, in the order in which they are given.

    Raise WrongTypeError, with its name, for the first that is no whole number: see `whole`.
    """
    numbers = list[int]()
    for name, amount in amounts.items():
        number = whole(amount)
        if number is None:
            raise WrongTypeError("error.takes_whole", name=name, given=repr(amount)[:80])
        numbers.append(number)
    return numbers


def is_number(given: object) -> bool:
    """Return whether *given* is a real number, also one of NumPy's; it may be infinite.

    False for NaN, for True and False, and for what is no `numbers.Real`, such as a Decimal.
    """
    if type(given) is int:
        return True
    return isinstance(given, Real) and not isinstance(given, bool) and not isnan(given)


def check_numbers(**amounts: object) -> None:
    """Raise WrongTypeError, with its name, for the first of *amounts* that is no real number.

    True, False and NaN are none; infinite ones pass: see `is_number`.
    """
    for name, amount in amounts.items():
        if not is_number(amount):
            raise WrongTypeError("error.takes_number", name=name, given=repr(amount)[:80])


def check_switches(**switches: object) -> None:
    """Raise WrongTypeError, with its name, for the first of *switches* that is no bool."""
    for name, given in switches.items():
        if not isinstance(given, bool):
            raise WrongTypeError("error.takes_switch", name=name, given=repr(given)[:80])


def check_functions(**functions: object) -> None:
    """Raise WrongTypeError, with its name, for the first of *functions* that is not callable."""
    for name, given in functions.items():
        if not callable(given):
            raise WrongTypeError("error.takes_function", name=name, given=repr(given)[:80])
