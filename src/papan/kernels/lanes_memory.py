"""Lanes in memory: masks that a kernel reads, frames in which it keeps the moves of a position."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"

from __future__ import annotations

from numba import types

from papan.kernels.lanes import (
    EIGHT,
    POINTERS,
    SIXTEEN,
    WIDE,
    WORD_BITS,
    joined,
    limbs_of,
    spread_word,
)
from papan.kernels.native import WORDS, primitive


def _pointer(kind):
    def typed(context, address):
        def generate(context, builder, sig, arguments):
            return builder.inttoptr(arguments[0], context.get_value_type(POINTERS[kind]))

        return POINTERS[kind](address), generate

    return primitive(typed)


eight_at, sixteen_at, wide_at = _pointer(EIGHT), _pointer(SIXTEEN), _pointer(WIDE)
"""A pointer to lanes of a kind: ``eight_at(array.ctypes.data)``."""


@primitive
def lanes_at(context, pointer, index):
    """The lanes at *index* of a pointer to lanes."""
    kind = pointer.dtype

    def generate(context, builder, sig, arguments):
        words = builder.bitcast(arguments[0], WORD_BITS.as_pointer())
        start = builder.mul(arguments[1], arguments[1].type(kind.words))
        return _load(builder, kind, words, start)

    return kind(pointer, index), generate


@primitive
def lane_words(context, pointer):
    """How many words one value of the pointer's kind of lanes takes in memory."""

    def generate(context, builder, sig, arguments):
        return WORD_BITS(pointer.dtype.words)

    return types.int64(pointer), generate


@primitive
def limbs(context, pointer):
    """How many limbs the boards of a pointer to lanes have."""

    def generate(context, builder, sig, arguments):
        return WORD_BITS(pointer.dtype.limbs)

    return types.int64(pointer), generate


@primitive
def store_lanes(context, words, index, lanes):
    """Write lanes to memory from *index* on."""

    def generate(context, builder, sig, arguments):
        words, index, value = arguments
        for number, limb in enumerate(limbs_of(builder, lanes, value)):
            builder.store(limb, _place(builder, lanes, words, (index, number)), align=8)
        return context.get_dummy_value()

    return types.void(WORDS, index, lanes), generate


@primitive
def spread_lane(context, words, index, alike):
    """One board in every lane: the lane in memory at *index*, of the kind that *alike* is."""

    def generate(context, builder, sig, arguments):
        words, index = arguments[:2]
        places = [builder.add(index, index.type(limb * alike.count)) for limb in range(alike.limbs)]
        limbs = [builder.load(builder.gep(words, [place])) for place in places]
        return joined(builder, alike, [spread_word(builder, alike, limb) for limb in limbs])

    return alike(WORDS, index, alike), generate


@primitive
def spread(context, number, alike):
    """One number in every lane, as many as *alike* has."""

    def generate(context, builder, sig, arguments):
        return spread_word(builder, alike, arguments[0])

    return alike.numbers(number, alike), generate


def _place(builder, kind, words, limb):
    """Where a limb lies of the lanes at an index."""
    index, number = limb
    start = builder.add(index, index.type(number * kind.count))
    return builder.bitcast(builder.gep(words, [start]), kind.vector.as_pointer())


def _load(builder, kind, words, index):
    places = [_place(builder, kind, words, (index, number)) for number in range(kind.limbs)]
    return joined(builder, kind, [builder.load(place, align=8) for place in places])
