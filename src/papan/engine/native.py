"""Kernels and intrinsics: `@native`, and the machine instructions that Numba lacks, in LLVM.

Everything on a board is `uint64`: mixed with a signed number it would turn signed, and shift wrong.
Each primitive has a plain twin in `tests/engine/test_native.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import CPUDispatcher
from numba.core.typeinfer import register_dispatcher
from numba.extending import intrinsic

from papan.engine.cache import KernelCache

KernelFunction = TypeVar("KernelFunction", bound=Callable[..., Any])
Result = TypeVar("Result")

Word: TypeAlias = np.uint64
kinds: Any = types
"""Numba's types, without type checking: half of them are not annotated."""
signed: Callable[[Any], int] = kinds.int64
"""Convert a word to a signed 64-bit number."""
_range: Any = range
span: Callable[..., Iterable[Word]] = _range
"""`range` over words; the type checker would take them for numbers."""

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
SPLIT = np.uint64(0x9E3779B97F4A7C15)
"""What a caller of `splitmix` adds to its state each time."""

WORD = types.uint64
WORD_POINTER = types.CPointer(types.uint64)
"""The type of a pointer to words: an array would be seven machine words in every call."""
BIT, WORD_BITS, INDEX = ir.IntType(1), ir.IntType(64), ir.IntType(32)
"""LLVM types: a boolean, a word, and the index of a lane."""


OPTIONS = {
    "nopython": True,
    "error_model": "numpy",
    "boundscheck": False,
    "nogil": True,
    "no_cfunc_wrapper": True,  # the form for callbacks from C, which nothing here is
}
"""The options with which Numba compiles every kernel."""


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function in two forms: one that Python calls, and a lighter one for other kernels.

    Compiling the code that turns Python objects into numbers takes a third of the time, and most
    kernels are only called by other kernels.
    """

    inner: Any = None
    """The lighter form: the same function without what Python needs to call it."""

    @property
    def is_compiling(self) -> Any:
        """True while either form is being compiled: a call of itself is then a recursion."""
        return super().is_compiling or self.inner.is_compiling

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return Numba's typing of a call by another kernel: (template, signature, *args*, *kws*).

        *args* and *kws* are the Numba types of the arguments.
        """
        return self._form(tuple(args)).get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the compiled function that another kernel calls for the Numba signature *sig*."""
        return self._form(tuple(sig)).get_overload(sig)

    def _form(self, arguments: Any) -> Any:
        """Return the dispatcher that another kernel calls for *arguments*, a tuple of Numba types.

        It is this one if it is compiled for them or can be compiled no more, else `inner`, the
        lighter form.
        """
        outer = not self._can_compile or arguments in self.overloads
        return super() if outer else self.inner


def native(*signature: Any, inline: bool = False) -> Callable[[KernelFunction], KernelFunction]:
    """Return a decorator that compiles a function as a `Kernel`.

    Without a *signature* it is compiled at its first call, for the types of the arguments. With one
    or more, Numba signatures such as ``WORD(WORD)``, it is compiled for them at once, and a call
    with other types raises TypeError. A recursive function needs one, or must never be called with
    a literal number: else its cached code may crash. With *inline* it is inlined into its callers,
    however large it is.
    """

    def compiled(function: KernelFunction) -> KernelFunction:
        settings: Any = {**OPTIONS, "forceinline": inline}
        kernel = Kernel(function, targetoptions=settings)
        kernel._cache = KernelCache(function)
        kernel.inner = CPUDispatcher(
            function, targetoptions=settings | {"no_cpython_wrapper": True}
        )
        kernel.inner._cache = KernelCache(function, "inner")
        if signature:
            with register_dispatcher(kernel):  # it may call itself
                for each in signature:
                    kernel.compile(each)
            kernel.disable_compile()
        made: KernelFunction = kernel
        return made

    return compiled


Declare: TypeAlias = Callable[[Any], Callable[[Callable[..., Any]], Callable[..., Result]]]
"""The type of a decorator that declares a primitive which returns *Result*."""


def primitive(signature: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that makes a function which writes LLVM code callable by kernels.

    *signature* maps the Numba types of the arguments to a Numba signature. The decorated function
    gets an LLVM builder and the LLVM values of the arguments, and returns the LLVM value of the
    result, or None if there is none. Kernels call it by its name, without the builder.
    """

    def declare(write: Callable[..., Any]) -> Any:
        @wraps(write)  # Numba asks for the names of its arguments
        def typed(context: Any, *given: Any) -> tuple[Any, Callable[..., Any]]:
            def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
                written = write(builder, *values)
                return context.get_dummy_value() if written is None else written

            return signature(*given), generate

        return intrinsic(typed)

    return declare


giving_word: Declare[Word] = primitive
giving_nothing: Declare[None] = primitive


@primitive(lambda address: WORD_POINTER(address))
def words_at(builder: Any, address: Any) -> Any:
    """Return a pointer to the words at *address*, in bytes: ``words_at(array.ctypes.data)``.

    The caller keeps that memory alive.
    """
    return builder.inttoptr(address, WORD_BITS.as_pointer())


@primitive(lambda board: WORD_POINTER(board))
def words_of(builder: Any, board: Any) -> Any:
    """Return a pointer to a copy of *board*, a tuple of words.

    It is valid until the calling function returns. Reading the copy at an index that is not known
    at compile time is cheaper than indexing the tuple, which takes a jump.
    """
    copy = cgutils.alloca_once_value(builder, board)
    return builder.bitcast(copy, WORD_BITS.as_pointer())


@giving_word(lambda words, index: WORD(WORD_POINTER, index))
def load_word(builder: Any, words: Any, index: Any) -> Any:
    """Return the word at *index*, from 0, of *words*, a pointer; no bounds are checked."""
    return builder.load(builder.gep(words, [index]))


@giving_nothing(lambda words, index, value: types.void(WORD_POINTER, index, WORD))
def store(builder: Any, words: Any, index: Any, value: Any) -> None:
    """Write the word *value* at *index*, from 0, of *words*, a pointer; no bounds are checked."""
    builder.store(value, builder.gep(words, [index]))


@giving_word(lambda words, index: WORD(WORD_POINTER, index))
def load_shared(builder: Any, words: Any, index: Any) -> Any:
    """Return the word at *index*, which another thread may be writing: an atomic load.

    *words* is a pointer; no bounds are checked.
    """
    return builder.load_atomic(builder.gep(words, [index]), "monotonic", 8)


@giving_nothing(lambda words, index, value: types.void(WORD_POINTER, index, WORD))
def store_shared(builder: Any, words: Any, index: Any, value: Any) -> None:
    """Write the word *value* at *index*, which another thread may be reading: an atomic store.

    *words* is a pointer; no bounds are checked.
    """
    builder.store_atomic(value, builder.gep(words, [index]), "monotonic", 8)


@giving_nothing(lambda words, index: types.void(WORD_POINTER, index))
def prefetch(builder: Any, words: Any, index: Any) -> None:
    """Ask the processor to bring the word at *index* into its cache, before it is needed.

    *words* is a pointer; an index out of bounds does no harm.
    """
    address = builder.bitcast(builder.gep(words, [index]), cgutils.voidptr_t)
    kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, INDEX, INDEX, INDEX])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(function, [address, INDEX(0), INDEX(3), INDEX(1)])


@giving_word(lambda word: WORD(WORD))
def popcount(builder: Any, word: Any) -> Any:
    """Return the number of bits of *word* that are set, 0 to 64."""
    return builder.ctpop(word)


@giving_word(lambda word: WORD(WORD))
def lowest(builder: Any, word: Any) -> Any:
    """Return the index (0 to 63) of the lowest bit of *word* that is set; undefined for 0."""
    return builder.cttz(word, BIT(1))


@giving_word(lambda word: WORD(WORD))
def highest(builder: Any, word: Any) -> Any:
    """Return the index (0 to 63) of the highest bit of *word* that is set; undefined for 0."""
    return builder.xor(builder.ctlz(word, BIT(1)), WORD_BITS(63))


@giving_word(lambda word: WORD(WORD))
def reversed_bits(builder: Any, word: Any) -> Any:
    """Return the bits of *word* in reverse order: bit 0 becomes bit 63."""
    return builder.bitreverse(word)


# What kernels share that is no instruction.


@native(inline=True)
def bottom_bit(word: Word) -> Word:
    """Return the lowest set bit of *word* as a word, a power of two; 0 for 0."""
    return word & (ZERO - word)


@native(inline=True)
def insert(row: Any, count: Word, item: Word) -> None:
    """Insert *item* into *row*, whose first *count* items descend; it comes after equal ones.

    *row* is an array of words, changed in place; it must have room for one more (not checked).
    """
    while count and row[count - ONE] < item:
        row[count] = row[count - ONE]
        count -= ONE
    row[count] = item


@native(inline=True)
def xorshift(state: Word) -> Word:
    """Return the state that follows the random *state*, by xorshift64: 64 bits, never 0.

    The state is itself the random number. *state* must not be 0, which would stay 0; not checked.
    """
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ state << np.uint64(17)


@native(inline=True)
def splitmix(state: Word) -> Word:
    """Return the random 64-bit word that belongs to *state*, by SplitMix64.

    The state is not advanced: the caller adds `SPLIT` to it before each call.
    """
    state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return state ^ state >> np.uint64(31)


@native(inline=True)
def scaled_random(word: Word, bound: Word) -> Word:
    """Return a random number from 0 to *bound* - 1, made of a random 64-bit *word*.

    It is the upper half of *word*, times *bound*, divided by 2**32 and rounded down. *bound* is
    from 1 to 2**32; not checked.
    """
    return (word >> np.uint64(32)) * bound >> np.uint64(32)
