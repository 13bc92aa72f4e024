"""Intrinsics: the few machine instructions that Numba lacks, and memory; written in LLVM.

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

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")

Word: TypeAlias = np.uint64
kinds: Any = types
"""Numba's types, unchecked: half of them are not annotated."""
signed: Callable[[Any], int] = kinds.int64
"""A word as a signed number."""
_range: Any = range
span: Callable[..., Iterable[Word]] = _range
"""`range` for words: the checker would take them for numbers."""

ZERO, ONE, TWO = np.uint64(0), np.uint64(1), np.uint64(2)
SPLIT = np.uint64(0x9E3779B97F4A7C15)

WORD = types.uint64
WORDS = types.CPointer(types.uint64)
"""A pointer to 64-bit words: an array would be seven machine words in every call."""
BIT, WORD_BITS, INDEX = ir.IntType(1), ir.IntType(64), ir.IntType(32)
"""A truth, a word, and the number of a lane, in LLVM."""


OPTIONS = {
    "nopython": True,
    "error_model": "numpy",
    "boundscheck": False,
    "nogil": True,
    "no_cfunc_wrapper": True,  # the form for callbacks from C, which nothing here is
}
"""How Numba compiles what is compiled here."""


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function in two forms: one that Python calls, and a lighter one for other kernels.

    To compile what turns Python's objects into numbers takes a third of the time, and most kernels
    are called by others alone.
    """

    inner: Any = None
    """The lighter form: the same function without what Python needs to call it."""

    @property
    def is_compiling(self) -> Any:
        """Return whether either form is being compiled: then a call of itself is a recursion."""
        return super().is_compiling or self.inner.is_compiling

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the types of a call by another kernel, from whichever form is there."""
        return self._form(tuple(args)).get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return the compiled function that another kernel calls with arguments of these types."""
        return self._form(tuple(sig)).get_overload(sig)

    def _form(self, arguments: Any) -> Any:
        outer = not self._can_compile or arguments in self.overloads
        return super() if outer else self.inner


def native(*signature: Any, inline: bool = False) -> Callable[[Function], Function]:
    """Compile a kernel; a recursive one needs its *signature*, or its cached code may crash.

    A piece of a kernel may be written *inline*: it costs no call, however large it is.
    """

    def compiled(function: Function) -> Function:
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
        made: Function = kernel
        return made

    return compiled


Declare: TypeAlias = Callable[[Any], Callable[[Callable[..., Any]], Callable[..., Result]]]
"""How a primitive is declared that gives a *Result*, as far as the type checker is concerned."""


def primitive(signature: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Declare a primitive: its *signature*, by the types of its arguments.

    The function below it writes it in LLVM: from a builder, and the values of the arguments.
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


@primitive(lambda address: WORDS(address))
def words_at(builder: Any, address: Any) -> Any:
    """A pointer to the words of an array: ``words_at(array.ctypes.data)``."""
    return builder.inttoptr(address, WORD_BITS.as_pointer())


@primitive(lambda board: WORDS(board))
def words_of(builder: Any, board: Any) -> Any:
    """A pointer to a copy of a tuple of words, for as long as the function runs that asks.

    A word at a place that is not known when it is compiled costs a jump in a tuple, and none here.
    """
    copy = cgutils.alloca_once_value(builder, board)
    return builder.bitcast(copy, WORD_BITS.as_pointer())


@giving_word(lambda words, index: WORD(WORDS, index))
def load(builder: Any, words: Any, index: Any) -> Any:
    """The word at *index*."""
    return builder.load(builder.gep(words, [index]))


@giving_nothing(lambda words, index, value: types.void(WORDS, index, WORD))
def store(builder: Any, words: Any, index: Any, value: Any) -> None:
    """Write a word at *index*."""
    builder.store(value, builder.gep(words, [index]))


@giving_word(lambda words, index: WORD(WORDS, index))
def load_shared(builder: Any, words: Any, index: Any) -> Any:
    """The word at *index*, which another thread may be writing."""
    return builder.load_atomic(builder.gep(words, [index]), "monotonic", 8)


@giving_nothing(lambda words, index, value: types.void(WORDS, index, WORD))
def store_shared(builder: Any, words: Any, index: Any, value: Any) -> None:
    """Write a word at *index* so that another thread sees it at once."""
    builder.store_atomic(value, builder.gep(words, [index]), "monotonic", 8)


@giving_nothing(lambda words, index: types.void(WORDS, index))
def prefetch(builder: Any, words: Any, index: Any) -> None:
    """Ask for the word at *index* before it is needed."""
    address = builder.bitcast(builder.gep(words, [index]), cgutils.voidptr_t)
    kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, INDEX, INDEX, INDEX])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(function, [address, INDEX(0), INDEX(3), INDEX(1)])


@giving_word(lambda word: WORD(WORD))
def popcount(builder: Any, word: Any) -> Any:
    """How many bits are set."""
    return builder.ctpop(word)


@giving_word(lambda word: WORD(WORD))
def lowest(builder: Any, word: Any) -> Any:
    """The number of the lowest bit that is set; the word must not be 0."""
    return builder.cttz(word, BIT(1))


@giving_word(lambda word: WORD(WORD))
def highest(builder: Any, word: Any) -> Any:
    """The number of the highest bit that is set; the word must not be 0."""
    return builder.xor(builder.ctlz(word, BIT(1)), WORD_BITS(63))


@giving_word(lambda word: WORD(WORD))
def reversed_bits(builder: Any, word: Any) -> Any:
    """The bits of a word in the other order, the lowest on top."""
    return builder.bitreverse(word)


# What kernels share that is no instruction.


@native(inline=True)
def bottom_bit(word: Word) -> Word:
    """The lowest bit of a word, alone; 0 if there is none."""
    return word & (ZERO - word)


@native(inline=True)
def insert(row: Any, count: Word, item: Word) -> None:
    """Put an item into a row of so many; larger ones and equal ones stay before it."""
    while count and row[count - ONE] < item:
        row[count] = row[count - ONE]
        count -= ONE
    row[count] = item


@native(inline=True)
def xorshift(state: Word) -> Word:
    """The random state after a state, which is not 0 (xorshift64)."""
    state ^= state << np.uint64(13)
    state ^= state >> np.uint64(7)
    return state ^ state << np.uint64(17)


@native(inline=True)
def splitmix(state: Word) -> Word:
    """A random word for each state, which grows by SPLIT from one to the next (SplitMix64)."""
    state = (state ^ state >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ state >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return state ^ state >> np.uint64(31)


@native(inline=True)
def scaled(word: Word, bound: Word) -> Word:
    """A random number below *bound* from a random word."""
    return (word >> np.uint64(32)) * bound >> np.uint64(32)
