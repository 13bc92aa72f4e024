"""SIMD lanes: boards of all moves side by side, worked on by one instruction.

A search looks at all moves of a position at once: each lane holds the board after one of them. A
board of up to 64 bits is one limb; a larger one has a second limb for the bits above. Each
operation has a plain twin in `tests/kernels/test_lanes.py`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, register_model

from papan.kernels.native import WORD, primitive

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


EIGHT, SIXTEEN, WIDE = Lanes(1, 8), Lanes(1, 16), Lanes(2, 16)
POINTERS = {kind: types.CPointer(kind) for kind in (EIGHT, SIXTEEN, WIDE)}
"""A pointer to lanes, for each kind: what a kernel is compiled for."""


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
    """What an operator does that treats every bit alone."""

    def generate(context, builder, sig, arguments):
        kind = sig.return_type
        pairs = zip(*(limbs_of(builder, kind, each) for each in arguments))
        return joined(builder, kind, [getattr(builder, method)(*pair) for pair in pairs])

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


_declare(operator.and_, _Alike, _bitwise("and_"), Lanes)
_declare(operator.or_, _Alike, _bitwise("or_"), Lanes)
_declare(operator.xor, _Alike, _bitwise("xor"), Lanes)
_declare(operator.mul, _Alike, _bitwise("mul"), Lanes)
_declare(operator.add, _Alike, _carried("add"), Lanes)
_declare(operator.sub, _Alike, _carried("sub"), Lanes)
_declare(operator.lshift, _Shift, _shifted(up=True), types.Integer)
_declare(operator.rshift, _Shift, _shifted(up=False), types.Integer)
_declare(operator.invert, _Single, _inverted)


def _limb(place):
    def typed(context, lanes):
        def generate(context, builder, sig, arguments):
            return limbs_of(builder, lanes, arguments[0])[place]

        return lanes.numbers(lanes), generate

    return primitive(typed)


first_limb, last_limb = _limb(0), _limb(-1)
"""One limb of every lane: the same for boards that have a single one."""


@primitive
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


@primitive
def choose(context, mask, one, other):
    """The lanes of *one* that *mask* names, the rest from *other*."""

    def generate(context, builder, sig, arguments):
        bits = _bits(builder, one, arguments[0])
        pairs = zip(*(limbs_of(builder, one, each) for each in arguments[1:]))
        return joined(builder, one, [builder.select(bits, *pair) for pair in pairs])

    return one(WORD, one, one), generate


def _elementwise(name):
    def typed(context, one, other):
        def generate(context, builder, sig, arguments):
            return _call(builder, f"llvm.{name}.v{one.count}i64", one.vector, *arguments)

        return one(one, one), generate

    return primitive(typed)


larger, smaller = _elementwise("smax"), _elementwise("smin")
"""The larger and the smaller of two signed numbers, lane by lane."""


@primitive
def greatest(context, numbers):
    """The greatest of all lanes, as a signed number."""

    def generate(context, builder, sig, arguments):
        name = f"llvm.vector.reduce.smax.v{numbers.count}i64"
        return _call(builder, name, WORD_BITS, arguments[0])

    return types.int64(numbers), generate
