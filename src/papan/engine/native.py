"""Intrinsics: the few machine instructions that Numba lacks, and memory; written in LLVM.

Everything on a board is `uint64`: mixed with a signed number it would turn signed, and shift wrong.
Each primitive has a plain twin in `tests/engine/test_native.py`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, no-any-return"

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

from papan.engine.cache import KernelCache

Function = TypeVar("Function", bound=Callable[..., Any])

primitive: Any = intrinsic
"""For the type checker a primitive is a function of anything: Numba knows its types."""

Word: TypeAlias = np.uint64
kinds: Any = types
"""Numba's types, unchecked: half of them are not annotated."""
signed: Callable[[Any], int] = kinds.int64
"""A word as a signed number."""
_range: Any = range
span: Callable[..., Iterable[Word]] = _range
"""`range` for words: the checker would take them for numbers."""

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)

WORD = types.uint64
WORDS = types.CPointer(types.uint64)
"""A pointer to 64-bit words: an array would be seven machine words in every call."""


def native(*signature: Any, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a kernel; a recursive one needs its *signature*, or its cached code may crash.

    A piece of a kernel may be written *inline*: it costs no call, however large it is.
    """

    def compiled(function: Function) -> Function:
        settings: Any = {"error_model": "numpy", "boundscheck": False, "nogil": True}
        kernel: Any = njit(**settings, forceinline=inline)(function)
        kernel._cache = KernelCache(function)
        if signature:
            with register_dispatcher(kernel):  # it may call itself
                for each in signature:
                    kernel.compile(each)
            kernel.disable_compile()
        return kernel

    return compiled


@primitive
def words_at(context, address):
    """A pointer to the words of an array: ``words_at(array.ctypes.data)``."""

    def generate(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(WORDS))

    return WORDS(address), generate


@primitive
def load(context, words, index):
    """The word at *index*."""

    def generate(context, builder, signature, arguments):
        return builder.load(builder.gep(arguments[0], [arguments[1]]))

    return WORD(WORDS, index), generate


@primitive
def store(context, words, index, value):
    """Write a word at *index*."""

    def generate(context, builder, signature, arguments):
        builder.store(arguments[2], builder.gep(arguments[0], [arguments[1]]))
        return context.get_dummy_value()

    return types.void(WORDS, index, WORD), generate


@primitive
def load_shared(context, words, index):
    """The word at *index*, which another thread may be writing."""

    def generate(context, builder, signature, arguments):
        return builder.load_atomic(builder.gep(arguments[0], [arguments[1]]), "monotonic", 8)

    return WORD(WORDS, index), generate


@primitive
def store_shared(context, words, index, value):
    """Write a word at *index* so that another thread sees it at once."""

    def generate(context, builder, signature, arguments):
        pointer = builder.gep(arguments[0], [arguments[1]])
        builder.store_atomic(arguments[2], pointer, "monotonic", 8)
        return context.get_dummy_value()

    return types.void(WORDS, index, WORD), generate


@primitive
def prefetch(context, words, index):
    """Ask for the word at *index* before it is needed."""

    def generate(context, builder, signature, arguments):
        number = ir.IntType(32)
        address = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), cgutils.voidptr_t)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [address, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(WORDS, index), generate


@primitive
def popcount(context, word):
    """How many bits are set."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return WORD(WORD), generate


@primitive
def lowest(context, word):
    """The number of the lowest bit that is set; the word must not be 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return WORD(WORD), generate


@primitive
def highest(context, word):
    """The number of the highest bit that is set; the word must not be 0."""

    def generate(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.xor(zeros, ir.Constant(ir.IntType(64), 63))

    return WORD(WORD), generate
