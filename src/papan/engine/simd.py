"""The SIMD vector type: several words or boards side by side, worked on by one instruction.

A search evaluates all moves of a position in parallel: each lane holds the board after one of them.
A board of up to 64 bits is one limb; a larger one has a second limb for the bits above. A lane may
also be one of eight hash table entries, or of eight images of a board. Each operation has a plain
twin in `tests/engine/test_simd.py`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_model
from numba.np.arrayobj import make_array

from papan.engine.native import (
    BIT,
    INDEX,
    WORD,
    WORD_BITS,
    Declare,
    Word,
    giving_word,
    primitive,
)


class Lanes(types.Type):  # type: ignore[misc]
    """The Numba type of *count* lanes, each a board of 64 * *limbs* bits; *limbs* is 1 or 2."""

    def __init__(self, limbs: int, count: int) -> None:
        super().__init__(name=f"Lanes({limbs}, {count})")
        self.limbs, self.count = limbs, count

    @property
    def vector(self) -> Any:
        """The LLVM type of one limb of every lane: a vector of *count* words."""
        return ir.VectorType(WORD_BITS, self.count)

    @property
    def numbers(self) -> Lanes:
        """The type of one 64-bit number per lane, with as many lanes."""
        return Lanes(1, self.count)

    @property
    def words(self) -> int:
        """Number of words that it takes in memory: all first limbs, then all second ones."""
        return self.limbs * self.count


class Vector(Protocol):
    """The type of lanes for the type checker: the operators that kernels may use on them.

    If the other operand is a word, the lanes must have one limb, and it is used for every lane.
    Lanes of two limbs are added and subtracted with a carry; a product is taken of each limb alone.
    A shift is by 1 to 63 bits, the same for all lanes: not checked.
    """

    def __and__(self, other: Vector | Word) -> Vector: ...
    def __or__(self, other: Vector | Word) -> Vector: ...
    def __xor__(self, other: Vector | Word) -> Vector: ...
    def __mul__(self, other: Vector | Word) -> Vector: ...
    def __add__(self, other: Vector) -> Vector: ...
    def __sub__(self, other: Vector) -> Vector: ...
    def __lshift__(self, bits: Word) -> Vector: ...
    def __rshift__(self, bits: Word) -> Vector: ...
    def __invert__(self) -> Vector: ...


giving_lanes: Declare[Vector] = primitive
giving_number: Declare[int] = primitive
giving_truth: Declare[bool] = primitive


@register_model(Lanes)
class _LanesModel(PrimitiveModel):  # type: ignore[misc]
    """The LLVM form of lanes: a vector, or a pair of vectors for two limbs."""

    def __init__(self, manager: Any, kind: Lanes) -> None:
        one = kind.vector
        super().__init__(
            manager, kind, one if kind.limbs == 1 else ir.LiteralStructType([one, one])
        )


# What all operations are made of. Lanes in LLVM are a vector, or a pair of them: two limbs.


def limbs_of(builder: Any, lanes: Any) -> list[Any]:
    """Return the limbs of *lanes*, an LLVM value: one or two LLVM vectors, the lowest first."""
    if isinstance(lanes.type, ir.VectorType):
        return [lanes]
    return [builder.extract_value(lanes, limb) for limb in (0, 1)]


def joined(builder: Any, limbs: Sequence[Any]) -> Any:
    """Return the LLVM value of lanes with these *limbs*, one or two vectors, the lowest first."""
    if len(limbs) == 1:
        return limbs[0]
    value = ir.Constant(ir.LiteralStructType([limb.type for limb in limbs]), ir.Undefined)
    for number, limb in enumerate(limbs):
        value = builder.insert_value(value, limb, number)
    return value


def spread_word(builder: Any, vector: Any, word: Any) -> Any:
    """Return an LLVM vector of the type *vector* with *word*, an LLVM value, in every lane."""
    none = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(none, word, INDEX(0))
    order = ir.Constant(ir.VectorType(INDEX, vector.count), None)
    return builder.shuffle_vector(single, none, order)


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    """Return the result of a call of the LLVM function *name*, of the LLVM type *result*."""
    function = ir.FunctionType(result, [each.type for each in arguments])
    callee = cgutils.get_or_insert_function(builder.module, function, name)
    return builder.call(callee, arguments)


def _mask(builder: Any, bits: Any) -> Any:
    """Return *bits*, an LLVM vector of truth values, as one word: bit n is that of lane n."""
    return builder.zext(builder.bitcast(bits, ir.IntType(bits.type.count)), WORD_BITS)


# The operators.


def _bitwise(method: str) -> Callable[..., Any]:
    """Return the code generator of an operator that treats every limb alone: the LLVM *method*."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        pairs = zip(*(limbs_of(builder, each) for each in arguments))
        return joined(builder, [getattr(builder, method)(*pair) for pair in pairs])

    return generate


def _with_word(method: str) -> Callable[..., Any]:
    """Return the code generator of an operator of lanes and one word, the same for every lane.

    *method* is that of the LLVM builder. The lanes have one limb.
    """

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        lanes, word = arguments
        return getattr(builder, method)(lanes, spread_word(builder, lanes.type, word))

    return generate


def _carried(method: str) -> Callable[..., Any]:
    """Return the code generator of *method*, "add" or "sub", with a carry between two limbs."""

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        one, other = (limbs_of(builder, each) for each in arguments)
        result = [getattr(builder, method)(*pair) for pair in zip(one, other)]
        if len(result) == 2:
            wrapped = (result[0], one[0]) if method == "add" else (one[0], other[0])
            carry = builder.zext(builder.icmp_unsigned("<", *wrapped), one[0].type)
            result[1] = getattr(builder, method)(result[1], carry)
        return joined(builder, result)

    return generate


def _shifted(up: bool) -> Callable[..., Any]:
    """Return the code generator of a shift of every lane by the same 1 to 63 bits.

    *up*: to the left, towards higher bits. Bits go over from one limb to the other.
    """

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        limbs, bits = limbs_of(builder, arguments[0]), arguments[1]
        by = spread_word(builder, limbs[0].type, bits)
        result = [(builder.shl if up else builder.lshr)(limb, by) for limb in limbs]
        if len(result) == 2:
            rest = spread_word(builder, limbs[0].type, builder.sub(WORD_BITS(64), bits))
            moved = builder.lshr(limbs[0], rest) if up else builder.shl(limbs[1], rest)
            result[int(up)] = builder.or_(result[int(up)], moved)
        return joined(builder, result)

    return generate


def _inverted(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
    """Return the LLVM value of lanes with every bit inverted."""
    return joined(builder, [builder.not_(limb) for limb in limbs_of(builder, arguments[0])])


class _Alike(AbstractTemplate):  # type: ignore[misc]
    """Typing of an operator on two values of the same type of lanes, which its result has, too."""

    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], Lanes) and args[0] == args[1]
        return signature(args[0], *args) if fits else None


class _AlikeOrWord(_Alike):
    """Typing of an operator on two values of the same type of lanes, or on lanes and a word.

    A word can only be the second operand, and its lanes have one limb. The result has the type of
    the first operand.
    """

    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 2 and isinstance(args[0], Lanes) and args[0].limbs == 1
        return signature(args[0], *args) if fits and args[1] == WORD else super().generic(args, kws)


class _Shift(AbstractTemplate):  # type: ignore[misc]
    """Typing of a shift: lanes and a word; the result is lanes of the same type."""

    def generic(self, args: Any, kws: Any) -> Any:
        fits = isinstance(args[0], Lanes) and args[1] == WORD
        return signature(args[0], *args) if fits else None


class _Single(AbstractTemplate):  # type: ignore[misc]
    """Typing of an operator on one value of lanes."""

    def generic(self, args: Any, kws: Any) -> Any:
        fits = len(args) == 1 and isinstance(args[0], Lanes)
        return signature(args[0], *args) if fits else None


def _declare(symbol: Any, template: type, generate: Callable[..., Any], *others: Any) -> None:
    """Give lanes the Python operator *symbol*, such as ``operator.add``.

    *template* is its typing, *generate* writes its LLVM code, and *others* are the types of the
    operands after the first, for which it does so.
    """
    infer_global(symbol)(type(f"_{symbol.__name__}", (template,), {}))
    lower_builtin(symbol, Lanes, *others)(generate)


for _symbol, _method in (
    (operator.and_, "and_"),
    (operator.or_, "or_"),
    (operator.xor, "xor"),
    (operator.mul, "mul"),
):
    _declare(_symbol, _AlikeOrWord, _bitwise(_method), Lanes)
    lower_builtin(_symbol, Lanes, types.Integer)(_with_word(_method))
_declare(operator.add, _Alike, _carried("add"), Lanes)
_declare(operator.sub, _Alike, _carried("sub"), Lanes)
_declare(operator.lshift, _Shift, _shifted(up=True), types.Integer)
_declare(operator.rshift, _Shift, _shifted(up=False), types.Integer)
_declare(operator.invert, _Single, _inverted)


# The other operations.


@giving_lanes(lambda lanes: lanes.numbers(lanes))
def first_limb(builder: Any, lanes: Any) -> Any:
    """Return the first limb (lowest 64 bits) of every lane, as lanes of one limb."""
    return limbs_of(builder, lanes)[0]


@giving_lanes(lambda lanes: lanes.numbers(lanes))
def last_limb(builder: Any, lanes: Any) -> Any:
    """Return the last limb of every lane, as lanes of one limb: the second, or the only one."""
    return limbs_of(builder, lanes)[-1]


@giving_lanes(lambda lanes: lanes.numbers(lanes))
def counts(builder: Any, lanes: Any) -> Any:
    """Return the number of set bits of each lane, as lanes of one limb."""
    limbs = limbs_of(builder, lanes)
    name = f"llvm.ctpop.v{limbs[0].type.count}i64"
    sums = [_call(builder, name, each.type, each) for each in limbs]
    return sums[0] if len(sums) == 1 else builder.add(*sums)


@giving_word(lambda lanes: WORD(lanes))
def which(builder: Any, lanes: Any) -> Any:
    """Return a mask of the lanes that are not 0, a word: bit n is that of lane n."""
    limbs = limbs_of(builder, lanes)
    either = limbs[0] if len(limbs) == 1 else builder.or_(*limbs)
    none = ir.Constant(either.type, [0] * either.type.count)
    return _mask(builder, builder.icmp_unsigned("!=", either, none))


@giving_word(lambda one, other: WORD(one, one))
def at_least(builder: Any, one: Any, other: Any) -> Any:
    """Return a mask, bit n for lane n, of the lanes in which *one* >= *other*, as signed numbers.

    Both have one limb.
    """
    return _mask(builder, builder.icmp_signed(">=", one, other))


@giving_word(lambda one, other: WORD(one, one))
def below(builder: Any, one: Any, other: Any) -> Any:
    """Return a mask, bit n for lane n, of the lanes in which *one* < *other*, as unsigned numbers.

    Both have one limb.
    """
    return _mask(builder, builder.icmp_unsigned("<", one, other))


@giving_lanes(lambda mask, one, other: one(WORD, one, one))
def choose(builder: Any, mask: Any, one: Any, other: Any) -> Any:
    """Return lanes chosen by *mask*, a word: lane n of *one* if its bit n is set, else of *other*.

    Both have the same type of lanes.
    """
    pairs = list(zip(limbs_of(builder, one), limbs_of(builder, other)))
    count = pairs[0][0].type.count
    narrow = builder.trunc(mask, ir.IntType(count))
    bits = builder.bitcast(narrow, ir.VectorType(BIT, count))
    return joined(builder, [builder.select(bits, *pair) for pair in pairs])


@giving_lanes(lambda one, other: one(one, one))
def larger(builder: Any, one: Any, other: Any) -> Any:
    """Return for each lane the larger of *one* and *other*, signed numbers; lanes of one limb."""
    return _call(builder, f"llvm.smax.v{one.type.count}i64", one.type, one, other)


@giving_lanes(lambda one, other: one(one, one))
def smaller(builder: Any, one: Any, other: Any) -> Any:
    """Return for each lane the smaller of *one* and *other*, signed numbers; lanes of one limb."""
    return _call(builder, f"llvm.smin.v{one.type.count}i64", one.type, one, other)


def _reduced(builder: Any, name: str, numbers: Any) -> Any:
    """Return the word that the LLVM reduction *name*, such as umin, computes from all lanes.

    *numbers* is an LLVM vector.
    """
    name = f"llvm.vector.reduce.{name}.v{numbers.type.count}i64"
    return _call(builder, name, WORD_BITS, numbers)


@giving_number(lambda numbers: types.int64(numbers))
def greatest(builder: Any, numbers: Any) -> Any:
    """Return the largest number of all lanes, as signed numbers; lanes of one limb."""
    return _reduced(builder, "smax", numbers)


@giving_word(lambda numbers: WORD(numbers))
def least(builder: Any, numbers: Any) -> Any:
    """Return the smallest number of all lanes, as unsigned 64-bit numbers; lanes of one limb."""
    return _reduced(builder, "umin", numbers)


@giving_word(lambda numbers: WORD(numbers))
def sum_of(builder: Any, numbers: Any) -> Any:
    """Return the sum of the numbers of all lanes, modulo 2**64; lanes of one limb."""
    return _reduced(builder, "add", numbers)


@giving_word(lambda lanes, word, free: WORD(lanes, WORD, WORD))
def lane_of(builder: Any, lanes: Any, word: Any, free: Any) -> Any:
    """Return the index of the first lane that equals *word* outside of the bits *free*, a word.

    Return the number of lanes if there is none. The lanes have one limb.
    """
    held = spread_word(builder, lanes.type, builder.not_(free))
    one = builder.and_(lanes, held)
    other = builder.and_(spread_word(builder, lanes.type, word), held)
    equal = _mask(builder, builder.icmp_unsigned("==", one, other))
    return builder.cttz(builder.or_(equal, WORD_BITS(1 << lanes.type.count)), BIT(1))


@giving_truth(lambda lanes: types.boolean(lanes))
def some_alike(builder: Any, lanes: Any) -> Any:
    """Return whether two of the lanes, of one limb, are equal."""
    count = lanes.type.count
    bits, order = ir.VectorType(BIT, count), ir.VectorType(INDEX, count)
    alike = ir.Constant(bits, [0] * count)
    for turn in range(1, count // 2 + 1):  # each pair of lanes meets in one of these
        places = [(lane + turn) % count for lane in range(count)]
        turned = builder.shuffle_vector(lanes, lanes, ir.Constant(order, places))
        alike = builder.or_(alike, builder.icmp_unsigned("==", lanes, turned))
    return _call(builder, f"llvm.vector.reduce.or.v{count}i1", BIT, alike)


@giving_lanes(lambda number, alike: alike.numbers(number, alike))
def spread(builder: Any, number: Any, alike: Any) -> Any:
    """Return lanes of one limb with the word *number* in each, as many as *alike* has."""
    return spread_word(builder, limbs_of(builder, alike)[0].type, number)


# Lanes in arrays of records: only Numba's context can say where those lie in memory.


def _kind_of(row: Any) -> Lanes:
    """Return the type of the lanes in an array of a record, from *row*, its Numba type.

    The last axis counts lanes, the one before it limbs; with one axis only, they have one limb.
    """
    return Lanes(row.shape[-2] if row.ndim > 1 else 1, row.shape[-1])


def _words_of(context: Any, builder: Any, row: Any, value: Any) -> Any:
    """Return an LLVM pointer to the first word of an array of a record.

    *row* is the array's Numba type, *value* its LLVM value; *context* and *builder* are Numba's.
    """
    data = make_array(row)(context, builder, value).data
    return builder.bitcast(data, WORD_BITS.as_pointer())


reading_arrays: Callable[[Any], Callable[..., Vector]] = intrinsic
writing_arrays: Callable[[Any], Callable[..., None]] = intrinsic
"""Primitives that read and write lanes in an array, for the type checker."""


@reading_arrays
def vector(context: Any, row: Any) -> Any:
    """Return the lanes that an array of a record holds: axes (lanes) or (limbs, lanes).

    Kernels call ``vector(row)``, here and below without *context*, which is Numba's.
    """
    kind = _kind_of(row)

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        return _load(builder, kind, _words_of(context, builder, row, arguments[0]), WORD_BITS(0))

    return kind(row), generate


@reading_arrays
def vector_at(context: Any, rows: Any, index: Any) -> Any:
    """Return the lanes at *index* of *rows*, an array of a record that holds several.

    Its last two axes are limbs and lanes; no bounds are checked. Kernels call ``vector_at(rows,
    index)``.
    """
    kind = _kind_of(rows)

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        start = builder.mul(arguments[1], WORD_BITS(kind.words))
        return _load(builder, kind, _words_of(context, builder, rows, arguments[0]), start)

    return kind(rows, WORD), generate


@reading_arrays
def spread_lane(context: Any, row: Any, lane: Any) -> Any:
    """Return lanes that all have the content of one *lane* of *row*, an array of a record.

    *lane* is its index, not checked; *row* has the axes of `vector`. Kernels call
    ``spread_lane(row, lane)``.
    """
    kind = _kind_of(row)

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        words = _words_of(context, builder, row, arguments[0])
        starts = [builder.add(arguments[1], WORD_BITS(n * kind.count)) for n in range(kind.limbs)]
        limbs = [builder.load(builder.gep(words, [start])) for start in starts]
        return joined(builder, [spread_word(builder, kind.vector, limb) for limb in limbs])

    return kind(row, WORD), generate


@writing_arrays
def write_lanes(context: Any, row: Any, lanes: Any) -> Any:
    """Write *lanes* to the beginning of *row*, an array of a record; return nothing.

    The array must have room for them; not checked. Kernels call ``write_lanes(row, lanes)``.
    """

    def generate(context: Any, builder: Any, sig: Any, arguments: Any) -> Any:
        words = _words_of(context, builder, row, arguments[0])
        for number, limb in enumerate(limbs_of(builder, arguments[1])):
            place = _place(builder, lanes, words, WORD_BITS(0), number)
            builder.store(limb, place, align=8)
        return context.get_dummy_value()

    return types.void(row, lanes), generate


def _place(builder: Any, kind: Lanes, words: Any, index: Any, limb: int) -> Any:
    """Return an LLVM pointer to a *limb* (0 or 1) of lanes of type *kind* in memory.

    They begin at the word number *index*, an LLVM value, behind the LLVM pointer *words*.
    """
    start = builder.add(index, index.type(limb * kind.count))
    return builder.bitcast(builder.gep(words, [start]), kind.vector.as_pointer())


def _load(builder: Any, kind: Lanes, words: Any, index: Any) -> Any:
    """Return the lanes of type *kind* that begin at word number *index* behind *words*.

    Both are LLVM values, a word and a pointer; so is what is returned.
    """
    places = [_place(builder, kind, words, index, limb) for limb in range(kind.limbs)]
    return joined(builder, [builder.load(place, align=8) for place in places])
