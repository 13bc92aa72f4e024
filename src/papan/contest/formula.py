"""Formulas of a plan: arithmetic and comparisons of named measures, and nothing else."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping
from math import isfinite
from typing import Any

from papan.core import InvalidSpecError

OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a / b if b else 0.0,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
MOST_DIGITS = 15
"""Most digits after the point that a formula may round to.

With more of them Python would compute as large a power of 10, which takes long.
"""
LONGEST = 1000
UNREADABLE = (SyntaxError, ValueError, RecursionError, MemoryError)


def _rounded(number: float, digits: float = 0) -> float:
    """Return *number* rounded to *digits* after the point; an infinite one or nan as it is."""
    return round(number, int(digits)) if isfinite(number) else number


def _arguments(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of *call*; of ``round`` only the first, not the number of digits.

    Arguments by keyword are not looked at. Raise ValueError for a function other than min, max and
    round, for fewer than two arguments of min or max, for none or more than two of round, and if
    its second argument, the digits, is not a whole number from 0 to `MOST_DIGITS`.
    """
    match call:
        case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _, *_]):
            return call.args
        case ast.Call(func=ast.Name(id="round"), args=[number]):
            return [number]
        case ast.Call(
            func=ast.Name(id="round"), args=[number, ast.Constant(value=int() as digits)]
        ) if 0 <= digits <= MOST_DIGITS:
            return [number]
    raise ValueError(ast.unparse(call)[:60])


FUNCTIONS: dict[str, Callable[..., Any]] = {"min": min, "max": max, "round": _rounded}


class Formula:
    """A formula over named numbers, such as ``60 * house + 40 * accuracy``."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        """Parse *text*, which stays in the attribute ``text``; *names* are what it may use.

        Raise InvalidSpecError if it has anything but *names*, finite numbers, ``True`` and
        ``False``, the operators + - * /, comparisons, ``and``, ``or``, ``not``, min, max and round;
        if it is longer than `LONGEST` characters; or if it cannot be computed with 0.5 for each
        name. Blanks before and after it are ignored, but count as characters.
        """
        self.text = text
        try:
            if len(text) > LONGEST:
                raise ValueError(f"{len(text)} > {LONGEST}")
            self._tree = ast.parse(text.strip(), mode="eval").body
            self._check(self._tree, names)
            self.value(dict.fromkeys(names, 0.5))  # a wrong call shows now, not after the games
        except (*UNREADABLE, TypeError, OverflowError) as error:
            why = error.msg if isinstance(error, SyntaxError) else error
            known = ", ".join(names)
            raise InvalidSpecError("contest.bad_formula", text=text, why=why, known=known) from None

    def _check(self, node: ast.AST, names: Collection[str]) -> None:
        """Raise ValueError if the expression *node* has anything that formulas may not have.

        They may have finite numbers, True and False, *names*, `OPERATORS`, ``and``, ``or``, and the
        functions min, max and round, called as `_arguments` allows. Raise OverflowError for a whole
        number that is too large for a float.
        """
        match node:
            case ast.Constant(value=bool() | int() | float() as number) if isfinite(number):
                return
            case ast.Name(id=name) if name in names:
                return
            case ast.BinOp(left=a, op=sign, right=b) if type(sign) in OPERATORS:
                parts = [a, b]
            case ast.UnaryOp(op=sign, operand=a) if type(sign) in OPERATORS:
                parts = [a]
            case ast.Compare(left=a, ops=signs, comparators=others) if all(
                type(each) in OPERATORS for each in signs
            ):
                parts = [a, *others]
            case ast.BoolOp(values=parts):
                pass
            case ast.Call(keywords=[]):
                parts = _arguments(node)
            case _:
                raise ValueError(ast.unparse(node)[:60])
        for part in parts:
            self._check(part, names)

    def value(self, measures: Mapping[str, float]) -> float:
        """Return the formula's value for *measures*, numbers by name; a missing one counts as 0.

        A comparison, ``and``, ``or`` and ``not`` are 1 if they hold, else 0; a division by zero
        gives 0. A value that is too large is infinite, and nan may follow from it.
        """
        return float(self._value(self._tree, measures))

    def _value(self, node: ast.AST, known: Mapping[str, float]) -> Any:
        """Return the value, a number or bool, of the expression *node*, which `_check` must allow.

        *known* has the measures by name; one that it lacks counts as 0. Raise AssertionError for a
        node of an unknown kind.
        """
        match node:
            case ast.Constant(value=int() | float() as number):
                return float(number)  # a product of whole numbers could be too large for one
            case ast.Name(id=name):
                return known.get(name, 0.0)
            case ast.BinOp(left=a, op=sign, right=b):
                return OPERATORS[type(sign)](self._value(a, known), self._value(b, known))
            case ast.UnaryOp(op=sign, operand=a):
                return OPERATORS[type(sign)](self._value(a, known))
            case ast.Compare(left=a, ops=signs, comparators=others):
                sides = [self._value(each, known) for each in (a, *others)]
                steps = zip(signs, sides, sides[1:])
                return all(OPERATORS[type(sign)](a, b) for sign, a, b in steps)
            case ast.BoolOp(op=ast.And(), values=parts):
                return all(self._value(each, known) for each in parts)
            case ast.BoolOp(values=parts):
                return any(self._value(each, known) for each in parts)
            case ast.Call(func=ast.Name(id=name), args=parts):
                return FUNCTIONS[name](*(self._value(each, known) for each in parts))
        raise AssertionError(node)
