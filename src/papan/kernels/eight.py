"""A SIMD vector of eight 64-bit words, with the operations that kernels need.

Each operation has a plain twin in `tests/kernels/test_eight.py`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc, attr-defined"

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import PrimitiveModel
from numba.extending import overload, register_model

from papan.kernels.native import WORD, WORDS, primitive

LANES = 8
BIT = ir.IntType(1)
LANE = ir.IntType(64)
VECTOR = ir.VectorType(LANE, LANES)


class Eight(types.Type):
    """The type of eight words."""

    def __init__(self) -> None:
        super().__init__(name="Eight")


EIGHT = Eight()


@register_model(Eight)
class _EightModel(PrimitiveModel):
    def __init__(self, manager, kind) -> None:
        super().__init__(manager, kind, VECTOR)


def _at(builder, words, index):
    return builder.bitcast(builder.gep(words, [index]), VECTOR.as_pointer())


def _order(lanes):
    """A choice of lanes, for shuffling."""
    return ir.Constant(ir.VectorType(ir.IntType(32), LANES), lanes)


def _spread(builder, word):
    none = ir.Constant(VECTOR, ir.Undefined)
    single = builder.insert_element(none, word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(single, none, _order([0] * LANES))


def _reduce(builder, kind, vector, result=LANE):
    """One value from all lanes of *vector*."""
    name = f"llvm.vector.reduce.{kind}.v{LANES}i{vector.type.element.width}"
    function = ir.FunctionType(result, [vector.type])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), [vector])


@primitive
def load_8(context, words, index):
    """The eight words from *index* on."""

    def generate(context, builder, signature, arguments):
        return builder.load(_at(builder, *arguments), align=8)

    return EIGHT(WORDS, index), generate


@primitive
def store_8(context, words, index, eight):
    """Write eight words from *index* on."""

    def generate(context, builder, signature, arguments):
        words, index, eight = arguments
        builder.store(eight, _at(builder, words, index), align=8)
        return context.get_dummy_value()

    return types.void(WORDS, index, EIGHT), generate


@primitive
def spread_8(context, word):
    """The same word eight times."""

    def generate(context, builder, signature, arguments):
        return _spread(builder, arguments[0])

    return EIGHT(WORD), generate


@primitive
def least_8(context, eight):
    """The least of eight words."""

    def generate(context, builder, signature, arguments):
        return _reduce(builder, "umin", arguments[0])

    return WORD(EIGHT), generate


@primitive
def sum_8(context, eight):
    """The sum of eight words."""

    def generate(context, builder, signature, arguments):
        return _reduce(builder, "add", arguments[0])

    return WORD(EIGHT), generate


@primitive
def lane_of_8(context, eight, word, free):
    """The first of eight words that equals *word* outside of the bits *free*: 8 if none does."""

    def generate(context, builder, signature, arguments):
        eight, word, free = arguments
        held = _spread(builder, builder.not_(free))
        one, other = builder.and_(eight, held), builder.and_(_spread(builder, word), held)
        equal = builder.bitcast(builder.icmp_unsigned("==", one, other), ir.IntType(LANES))
        none = ir.Constant(LANE, 1 << LANES)
        return builder.cttz(builder.or_(builder.zext(equal, LANE), none), ir.Constant(BIT, 1))

    return WORD(EIGHT, WORD, WORD), generate


@primitive
def some_alike_8(context, eight):
    """Are two of eight words the same?"""

    def generate(context, builder, signature, arguments):
        (eight,) = arguments
        alike = ir.Constant(ir.VectorType(BIT, LANES), [0] * LANES)
        for turn in range(1, LANES // 2 + 1):  # each pair of lanes meets in one of these
            lanes = [(lane + turn) % LANES for lane in range(LANES)]
            turned = builder.shuffle_vector(eight, eight, _order(lanes))
            alike = builder.or_(alike, builder.icmp_unsigned("==", eight, turned))
        return _reduce(builder, "or", alike, BIT)

    return types.boolean(EIGHT), generate


def _lane_by_lane(method):
    """What an operator does to two eights; a single word goes with every lane."""

    @primitive
    def both(context, one, other):
        def generate(context, builder, signature, arguments):
            return getattr(builder, method)(*arguments)

        return EIGHT(EIGHT, EIGHT), generate

    def choose(one, other):
        if one is EIGHT and other is EIGHT:
            return lambda one, other: both(one, other)
        if one is EIGHT and other is WORD:
            return lambda one, other: both(one, spread_8(other))
        return None

    return choose


for _operator, _method in (
    (operator.add, "add"),
    (operator.mul, "mul"),
    (operator.and_, "and_"),
    (operator.xor, "xor"),
    (operator.rshift, "lshr"),
):
    overload(_operator)(_lane_by_lane(_method))
