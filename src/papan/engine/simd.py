"""The SIMD vector type: several words or boards side by side, worked on by one instruction.

A search looks at all moves of a position at once: each lane holds the board after one of them. A
board of up to 64 bits is one limb; a larger one has a second limb for the bits above. A lane may
also be one of eight hash table entries, or of eight images of a board. Each operation has a plain
twin in `tests/engine/test_simd.py`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, register_model
from numba.np.arrayobj import make_array

from papan.engine.native import WORD, WORDS, Word, primitive

BIT, WORD_BITS, INDEX = ir.IntType(1), ir.IntType(64), ir.IntType(32)


class Lanes(types.Type):
    """The type of *count* boards of 64 times *limbs* bits."""

    def __init__(self, limbs: int, count: int) -> None:
        super().__init__(name=f"Lanes({limbs}, {count})")
        self.limbs, self.count = limbs, count

    @property
    def vector(self):
        """One limb of every lane."""
        return ir.VectorType(WORD_BITS, self.count)

    @property
    def numbers(self):
        """The type of one number a lane."""
        return Lanes(1, self.count)

    @property
    def words(self) -> int:
        """How many words it takes in memory: all first limbs, then all second ones."""
        return self.limbs * self.count


EIGHT = Lanes(1, 8)


class Vector(Protocol):
    """Lanes, for the type checker."""

    def __and__(self, other: Vector | Word) -> Vector: ...
    def __or__(self, other: Vector | Word) -> Vector: ...
    def __xor__(self, other: Vector | Word) -> Vector: ...
    def __mul__(self, other: Vector | Word) -> Vector: ...
    def __add__(self, other: Vector) -> Vector: ...
    def __sub__(self, other: Vector) -> Vector: ...
    def __lshift__(self, bits: Word) -> Vector: ...
    def __rshift__(self, bits: Word) -> Vector: ...
    def __invert__(self) -> Vector: ...


making_lanes: Callable[[Any], Callable[..., Vector]] = primitive
"""A primitive that gives lanes, for the type checker."""


@register_model(Lanes)
class _LanesModel(PrimitiveModel):
    def __init__(self, manager, kind) -> None:
        one = kind.vector
        super().__init__(
            manager, kind, one if kind.limbs == 1 else ir.LiteralStructType([one, one])
        )


def limbs_of(builder, kind, value):
    """The limbs of lanes, the first one first."""
    return [value] if kind.limbs == 1 else [builder.extract_value(value, limb) for limb in (0, 1)]


def joined(builder, kind, limbs):
    """Lanes made of their limbs."""
    if kind.limbs == 1:
        return limbs[0]
    value = ir.Constant(ir.LiteralStructType([kind.vector] * 2), ir.Undefined)
    for number, limb in enumerate(limbs):
        value = builder.insert_value(value, limb, number)
    return value


def spread_word(builder, kind, word):
    """The same word in every lane."""
    none = ir.Constant(kind.vector, ir.Undefined)
    single = builder.insert_element(none, word, INDEX(0))
    return builder.shuffle_vector(single, none, ir.Constant(ir.VectorType(INDEX, kind.count), None))


def _all(kind, number):
    return ir.Constant(kind.vector, [number] * kind.count)


def _call(builder, name, result, *arguments):
    function = ir.FunctionType(result, [each.type for each in arguments])
    callee = cgutils.get_or_insert_function(builder.module, function, name)
    return builder.call(callee, arguments)


def _mask(builder, kind, bits):
    """One bit a lane, as a word."""
    return builder.zext(builder.bitcast(bits, ir.IntType(kind.count)), WORD_BITS)


def _bits(builder, kind, mask):
    """The lanes that a word names, as one bit a lane."""
    narrow = builder.trunc(mask, ir.IntType(kind.count))
    return builder.bitcast(narrow, ir.VectorType(BIT, kind.count))


def _bitwise(method):
    """What an operator does that treats every limb alone."""

    def generate(context, builder, sig, arguments):
        kind = sig.return_type
        pairs = zip(*(limbs_of(builder, kind, each) for each in arguments))
        return joined(builder, kind, [getattr(builder, method)(*pair) for pair in pairs])

    return generate


def _with_word(method):
    """What an operator does to every lane and the same word."""

    def generate(context, builder, sig, arguments):
        lanes, word = arguments
        return getattr(builder, method)(lanes, spread_word(builder, sig.return_type, word))

    return generate


def _carried(method):
    """Adding or subtracting: the second limb takes what the first one carries over."""

    def generate(context, builder, sig, arguments):
        kind = sig.return_type
        one, other = (limbs_of(builder, kind, each) for each in arguments)
        result = [getattr(builder, method)(*pair) for pair in zip(one, other)]
        if kind.limbs == 2:
            wrapped = (result[0], one[0]) if method == "add" else (one[0], other[0])
            carry = builder.zext(builder.icmp_unsigned("<", *wrapped), kind.vector)
            result[1] = getattr(builder, method)(result[1], carry)
        return joined(builder, kind, result)

    return generate


def _shifted(up):
    """Shifting every lane by the same number of bits, from 1 to 63."""

    def generate(context, builder, sig, arguments):
        kind = sig.return_type
        limbs, bits = limbs_of(builder, kind, arguments[0]), arguments[1]
        by = spread_word(builder, kind, bits)
        result = [(builder.shl if up else builder.lshr)(limb, by) for limb in limbs]
        if kind.limbs == 2:
            rest = spread_word(builder, kind, builder.sub(WORD_BITS(64), bits))
            moved = builder.lshr(limbs[0], rest) if up else builder.shl(limbs[1], rest)
            result[int(up)] = builder.or_(result[int(up)], moved)
        return joined(builder, kind, result)

    return generate


def _inverted(context, builder, sig, arguments):
    kind = sig.return_type
    limbs = limbs_of(builder, kind, arguments[0])
    return joined(builder, kind, [builder.not_(limb) for limb in limbs])


class _Alike(AbstractTemplate):
    def generic(self, args, kws):
        fits = len(args) == 2 and isinstance(args[0], Lanes) and args[0] == args[1]
        return signature(args[0], *args) if fits else None


class _AlikeOrWord(_Alike):
    def generic(self, args, kws):
        fits = len(args) == 2 and isinstance(args[0], Lanes) and args[0].limbs == 1
        return signature(args[0], *args) if fits and args[1] == WORD else super().generic(args, kws)


class _Shift(AbstractTemplate):
    def generic(self, args, kws):
        fits = isinstance(args[0], Lanes) and args[1] == WORD
        return signature(args[0], *args) if fits else None


class _Single(AbstractTemplate):
    def generic(self, args, kws):
        fits = len(args) == 1 and isinstance(args[0], Lanes)
        return signature(args[0], *args) if fits else None


def _declare(symbol, template, generate, *others) -> None:
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


def _limb(place) -> Callable[..., Vector]:
    def typed(context, lanes):
        def generate(context, builder, sig, arguments):
            return limbs_of(builder, lanes, arguments[0])[place]

        return lanes.numbers(lanes), generate

    return making_lanes(typed)


first_limb, last_limb = _limb(0), _limb(-1)
"""One limb of every lane: the same for boards that have a single one."""


@making_lanes
def counts(context, lanes):
    """How many bits are set in each lane."""

    def generate(context, builder, sig, arguments):
        name = f"llvm.ctpop.v{lanes.count}i64"
        limbs = limbs_of(builder, lanes, arguments[0])
        sums = [_call(builder, name, lanes.vector, each) for each in limbs]
        return sums[0] if lanes.limbs == 1 else builder.add(*sums)

    return lanes.numbers(lanes), generate


@primitive
def which(context, lanes):
    """The lanes that are not 0, one bit each."""

    def generate(context, builder, sig, arguments):
        limbs = limbs_of(builder, lanes, arguments[0])
        either = limbs[0] if lanes.limbs == 1 else builder.or_(*limbs)
        return _mask(builder, lanes, builder.icmp_unsigned("!=", either, _all(lanes, 0)))

    return WORD(lanes), generate


@primitive
def at_least(context, one, other):
    """The lanes in which the signed number *one* is not less than *other*, one bit each."""

    def generate(context, builder, sig, arguments):
        return _mask(builder, one, builder.icmp_signed(">=", *arguments))

    return WORD(one, one), generate


@primitive
def below(context, one, other):
    """The lanes in which the unsigned number *one* is less than *other*, one bit each."""

    def generate(context, builder, sig, arguments):
        return _mask(builder, one, builder.icmp_unsigned("<", *arguments))

    return WORD(one, one), generate


@making_lanes
def choose(context, mask, one, other):
    """The lanes of *one* that *mask* names, the rest from *other*."""

    def generate(context, builder, sig, arguments):
        bits = _bits(builder, one, arguments[0])
        pairs = zip(*(limbs_of(builder, one, each) for each in arguments[1:]))
        return joined(builder, one, [builder.select(bits, *pair) for pair in pairs])

    return one(WORD, one, one), generate


def _elementwise(name) -> Callable[..., Vector]:
    def typed(context, one, other):
        def generate(context, builder, sig, arguments):
            return _call(builder, f"llvm.{name}.v{one.count}i64", one.vector, *arguments)

        return one(one, one), generate

    return making_lanes(typed)


larger, smaller = _elementwise("smax"), _elementwise("smin")
"""The larger and the smaller of two signed numbers, lane by lane."""


def _reduced(name, result):
    """One number of all lanes."""

    def typed(context, numbers):
        def generate(context, builder, sig, arguments):
            name_of_kind = f"llvm.vector.reduce.{name}.v{numbers.count}i64"
            return _call(builder, name_of_kind, WORD_BITS, arguments[0])

        return result(numbers), generate

    return primitive(typed)


greatest = _reduced("smax", types.int64)
"""The greatest of all lanes, as a signed number."""
least = _reduced("umin", WORD)
"""The least of all lanes, as an unsigned number."""
sum_of = _reduced("add", WORD)
"""The sum of all lanes."""


@primitive
def lane_of(context, lanes, word, free):
    """The first lane that equals *word* outside of the bits *free*: the lanes' count if none."""

    def generate(context, builder, sig, arguments):
        value, word, free = arguments
        held = spread_word(builder, lanes, builder.not_(free))
        one = builder.and_(value, held)
        other = builder.and_(spread_word(builder, lanes, word), held)
        equal = _mask(builder, lanes, builder.icmp_unsigned("==", one, other))
        return builder.cttz(builder.or_(equal, WORD_BITS(1 << lanes.count)), BIT(1))

    return WORD(lanes, WORD, WORD), generate


@primitive
def some_alike(context, lanes):
    """Are two lanes the same?"""

    def generate(context, builder, sig, arguments):
        (value,) = arguments
        bits, order = ir.VectorType(BIT, lanes.count), ir.VectorType(INDEX, lanes.count)
        alike = ir.Constant(bits, [0] * lanes.count)
        for turn in range(1, lanes.count // 2 + 1):  # each pair of lanes meets in one of these
            places = [(lane + turn) % lanes.count for lane in range(lanes.count)]
            turned = builder.shuffle_vector(value, value, ir.Constant(order, places))
            alike = builder.or_(alike, builder.icmp_unsigned("==", value, turned))
        return _call(builder, f"llvm.vector.reduce.or.v{lanes.count}i1", BIT, alike)

    return types.boolean(lanes), generate


def _kind_of(row):
    """The lanes in an array of a record: the last axis counts them, the one before their limbs."""
    return Lanes(row.shape[-2] if row.ndim > 1 else 1, row.shape[-1])


def _words_of(context, builder, row, value):
    """A pointer to the words of an array of a record."""
    data = make_array(row)(context, builder, value).data
    return builder.bitcast(data, WORD_BITS.as_pointer())


@making_lanes
def vector(context, row):
    """The lanes in an array of a record."""
    kind = _kind_of(row)

    def generate(context, builder, sig, arguments):
        return _load(builder, kind, _words_of(context, builder, row, arguments[0]), WORD_BITS(0))

    return kind(row), generate


@making_lanes
def vector_at(context, rows, index):
    """The lanes at an *index* of an array of a record that has several."""
    kind = _kind_of(rows)

    def generate(context, builder, sig, arguments):
        start = builder.mul(arguments[1], WORD_BITS(kind.words))
        return _load(builder, kind, _words_of(context, builder, rows, arguments[0]), start)

    return kind(rows, WORD), generate


@primitive
def write(context, row, lanes):
    """Write lanes into an array of a record, from its beginning on."""

    def generate(context, builder, sig, arguments):
        words = _words_of(context, builder, row, arguments[0])
        _store(builder, lanes, words, WORD_BITS(0), arguments[1])
        return context.get_dummy_value()

    return types.void(row, lanes), generate


@making_lanes
def spread_lane(context, row, lane):
    """One lane of an array of a record, in every lane."""
    kind = _kind_of(row)

    def generate(context, builder, sig, arguments):
        words = _words_of(context, builder, row, arguments[0])
        starts = [builder.add(arguments[1], WORD_BITS(n * kind.count)) for n in range(kind.limbs)]
        limbs = [builder.load(builder.gep(words, [start])) for start in starts]
        return joined(builder, kind, [spread_word(builder, kind, limb) for limb in limbs])

    return kind(row, WORD), generate


@making_lanes
def load_eight(context, words, index):
    """The eight words from *index* on, one a lane."""

    def generate(context, builder, sig, arguments):
        return _load(builder, EIGHT, *arguments)

    return EIGHT(WORDS, index), generate


@primitive
def store_lanes(context, words, index, lanes):
    """Write lanes to memory from *index* on."""

    def generate(context, builder, sig, arguments):
        words, index, value = arguments
        _store(builder, lanes, words, index, value)
        return context.get_dummy_value()

    return types.void(WORDS, index, lanes), generate


@making_lanes
def spread(context, number, alike):
    """One number in every lane, as many as *alike* has."""

    def generate(context, builder, sig, arguments):
        return spread_word(builder, alike, arguments[0])

    return alike.numbers(number, alike), generate


@making_lanes
def spread_eight(context, word):
    """The same word in each of eight lanes."""

    def generate(context, builder, sig, arguments):
        return spread_word(builder, EIGHT, arguments[0])

    return EIGHT(WORD), generate


def _place(builder, kind, words, limb):
    """Where a limb lies of the lanes at an index."""
    index, number = limb
    start = builder.add(index, index.type(number * kind.count))
    return builder.bitcast(builder.gep(words, [start]), kind.vector.as_pointer())


def _store(builder, kind, words, index, value):
    for number, limb in enumerate(limbs_of(builder, kind, value)):
        builder.store(limb, _place(builder, kind, words, (index, number)), align=8)


def _load(builder, kind, words, index):
    places = [_place(builder, kind, words, (index, number)) for number in range(kind.limbs)]
    return joined(builder, kind, [builder.load(place, align=8) for place in places])
