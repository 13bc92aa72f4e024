"""What callers pass is checked at the door: numbers, switches, functions and paths."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papan.core import WrongTypeError
from papan.core.arguments import (
    check_functions,
    check_numbers,
    check_path,
    check_switches,
    check_whole,
    is_number,
    whole,
)


@pytest.mark.parametrize(
    ("given", "number"),
    [(3, 3), (-1, -1), (0, 0), (np.int8(4), 4), (np.uint64(5), 5)],
)
def test_a_whole_number_is_one_of_any_library(given: Any, number: int) -> None:
    assert (whole(given), type(whole(given))) == (number, int)


@pytest.mark.parametrize("given", [True, False, np.True_, 2.0, "3", None, [1], np.array([1, 2])])
def test_what_only_looks_like_a_whole_number_is_none(given: Any) -> None:
    assert whole(given) is None


@pytest.mark.parametrize("given", [3, 10**400, 0.5, inf, np.float32(1), np.int8(1), Fraction(1, 3)])
def test_real_numbers_may_be_infinite(given: Any) -> None:
    assert is_number(given)


@pytest.mark.parametrize("given", [nan, np.float64(nan), True, False, "1", None, 1j, Decimal(1)])
def test_what_is_no_real_number_is_told_from_one(given: Any) -> None:
    assert not is_number(given)


def refused(check: Callable[..., object], **given: Any) -> tuple[str, Any]:
    with pytest.raises(WrongTypeError) as found:
        check(**given)
    facts = found.value.values
    assert facts["given"] == repr(given[facts["name"]])[:80]
    return found.value.key, facts["name"]


def test_the_first_argument_that_is_wrong_is_named() -> None:
    assert check_whole(games=2, seed=np.int64(3)) == [2, 3]
    assert refused(check_whole, games=2, seed=2.5, level="x" * 90) == ("error.takes_whole", "seed")
    check_numbers(seconds=inf, nodes=3)
    assert refused(check_numbers, seconds=1, nodes=nan) == ("error.takes_number", "nodes")
    check_switches(book=True, swap=False)
    for none in (1, None, np.True_):
        assert refused(check_switches, book=True, swap=none) == ("error.takes_switch", "swap")
    check_functions(listener=print, ready=len)
    assert refused(check_functions, listener=print, ready="x") == ("error.takes_function", "ready")


def test_what_was_given_is_shown_up_to_eighty_characters() -> None:
    for check in (check_whole, check_numbers, check_switches, check_functions):
        refused(check, long="x" * 100)


def test_a_path_is_text_or_path_like() -> None:
    assert check_path("a/b") == check_path(Path("a/b")) == Path("a/b")
    for wrong in ("", "a\0b", 3, None, b"a"):
        with pytest.raises(WrongTypeError) as found:
            check_path(wrong)
        assert (found.value.key, found.value.values["given"]) == ("error.takes_path", repr(wrong))
