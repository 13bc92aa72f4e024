"""Records: memory with named, documented fields, passed to kernels by one pointer.

A class with annotations alone describes the fields, for readers and for the type checker:

    class Frame:
        own: np.uint64
        alpha: int
        killers: Annotated[Row[np.uint64], 2]

An `int` or `float` takes 64 bits, a `bool` one byte. `layout(Frame)` is its memory as a NumPy
dtype, `kind(Frame)` its type in the signature of a kernel, and `new(Frame)` a record that Python
fills and passes to kernels: all work on the same bytes. A size may be a name,
`Annotated[Row[np.uint64], "lanes"]`; then write `layout(Frame, lanes=8)`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Protocol, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic
from numpy.typing import NDArray

Item = TypeVar("Item")
Shape = TypeVar("Shape")
LINE_WORDS = 8
"""Words in a line of the processor's cache."""


class Row(Protocol[Item]):
    """An array inside a record: ``Annotated[Row[np.uint64], 8, 64]`` has two indices."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, index: Any) -> Item: ...
    def __setitem__(self, index: Any, value: Item) -> None: ...


@cache
def layout(shape: type, **sizes: int) -> np.dtype[Any]:
    """Return the NumPy dtype of the record that the class *shape* describes: fields in order.

    They are aligned; *sizes* are the values of its named array sizes, all of which must be given:
    else NumPy raises TypeError. Cached by class and sizes. Raise AssertionError for a field that is
    also the name of a method of NumPy's records.
    """
    hints = get_type_hints(shape, include_extras=True)
    assert not any(hasattr(np.record, name) for name in hints), "NumPy has a method of that name"
    return np.dtype([_field(name, hint, sizes) for name, hint in hints.items()], align=True)


def _field(name: str, hint: Any, sizes: dict[str, int]) -> tuple[str, Any, tuple[int, ...]]:
    """Return one field of a dtype as (name, dtype, array shape), from its name and annotation.

    The shape is empty for a single value. *sizes* has, by name, the number for each array size that
    the annotation *hint* gives by name; a class of fields becomes a dtype by `layout`.
    """
    axes: tuple[int, ...] = ()
    if get_origin(hint) is Annotated:
        row, *rest = get_args(hint)
        hint, axes = get_args(row)[0], tuple(sizes.get(size, size) for size in rest)
    plain = issubclass(hint, (np.generic, int, float))
    return name, np.dtype(hint) if plain else layout(hint, **sizes), axes


def kind(shape: type, **sizes: int) -> Any:
    """Return the Numba type of the record that the class *shape* describes.

    It is for the signatures of kernels; *sizes* are the values of its named array sizes.
    """
    return from_dtype(layout(shape, **sizes))


def new(shape: type[Shape], **fields: object) -> Shape:
    """Return a new record of the class *shape* with these *fields*, and zeros elsewhere.

    Its fields are attributes. Raise ValueError for a field that it does not have, and what NumPy
    raises for a value that does not fit.
    """
    described: type = shape
    record: Shape = np.zeros(1, _with_attributes(described))[0]
    fill(record, **fields)
    return record


def fill(record: object, **fields: object) -> None:
    """Write several *fields* of a record by name: ten times as fast as to set attributes.

    Raise ValueError for a field that it does not have, and what NumPy raises for a value that does
    not fit; fields before that one are written then.
    """
    memory: Any = record
    for name, value in fields.items():
        memory[name] = value


@cache
def _with_attributes(shape: type) -> np.dtype[Any]:
    """Return the dtype of a record whose fields Python reads and writes as attributes; cached."""
    return np.dtype((np.record, layout(shape)))


def address_of(memory: object) -> np.uint64:
    """Return the address, in bytes, at which the memory of an array or a record begins.

    It is valid only as long as the caller keeps the array or record.
    """
    return np.uint64(np.asarray(memory).ctypes.data)


def copy(record: Shape) -> Shape:
    """Return a new record with the same content, in memory of its own."""
    source: Any = record
    memory = np.empty(1, source.dtype)
    memory[0] = source
    twin: Shape = memory[0]
    return twin


def aligned(words: int) -> NDArray[np.uint64]:
    """Return an array of *words* zeros (8 bytes each) that begins where a cache line does."""
    room = np.zeros(words + LINE_WORDS, np.uint64)
    start = -(room.ctypes.data // 8) % LINE_WORDS
    return room[start : start + words]


def entries_in(megabytes: int, size: int) -> int:
    """Return how many entries of *size* bytes fit into *megabytes*, rounded down to a power of 2.

    A megabyte is 2**20 bytes; *size* is above 0. Raise ValueError if not even one fits.
    """
    return 1 << (megabytes * 2**20 // size).bit_length() - 1


def records_at(shape: type[Shape], **sizes: int) -> Callable[[np.uint64, Any], Shape]:
    """Return a primitive (address, index) -> record, for an array of records at an address.

    It is for kernels. The records are of the class *shape*; *sizes* are the values of its named
    array sizes. What it returns is the memory itself, not a copy; no bounds are checked.
    """
    record = kind(shape, **sizes)

    def typed(context: Any, address: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            address, index = arguments
            place = builder.add(address, builder.mul(index, ir.IntType(64)(record.size)))
            return builder.inttoptr(place, context.get_value_type(record))

        return record(types.uint64, types.uint64), generate

    found: Callable[[np.uint64, Any], Shape] = intrinsic(typed)
    return found
