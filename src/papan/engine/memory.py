"""Records: memory with named, documented fields, which kernels get by one pointer.

A class with annotations alone describes the fields, for readers and for the type checker:

    class Frame:
        own: np.uint64
        killers: Annotated[Row[np.uint64], 2]

`layout(Frame)` is its memory as a NumPy dtype, `kind(Frame)` its type in the signature of a kernel,
and `new(Frame)` one that Python fills and hands to kernels: all work on the same bytes. A size may
be a name, `Annotated[Row[np.uint64], "lanes"]`; then say `layout(Frame, lanes=8)`.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Protocol, TypeVar, get_args, get_origin, get_type_hints

import numpy as np
from llvmlite import ir
from numba import from_dtype, types

from papan.engine.native import primitive

Item = TypeVar("Item")
Shape = TypeVar("Shape")


class Row(Protocol[Item]):
    """An array inside of a record: ``Annotated[Row[np.uint64], 8, 64]`` is indexed by two."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, index: Any) -> Item: ...
    def __setitem__(self, index: Any, value: Item) -> None: ...


def layout(shape: type, **sizes: int) -> np.dtype[Any]:
    """The memory of a record: its fields in their order, aligned as the machine likes them."""
    hints = get_type_hints(shape, include_extras=True)
    assert not any(hasattr(np.record, name) for name in hints), "NumPy has a method of that name"
    return np.dtype([_field(name, hint, sizes) for name, hint in hints.items()], align=True)


def _field(name: str, hint: Any, sizes: dict[str, int]) -> tuple[str, Any, tuple[int, ...]]:
    axes: tuple[int, ...] = ()
    if get_origin(hint) is Annotated:
        row, *rest = get_args(hint)
        hint, axes = get_args(row)[0], tuple(sizes.get(size, size) for size in rest)
    return name, hint if issubclass(hint, np.generic) else layout(hint, **sizes), axes


def kind(shape: type, **sizes: int) -> Any:
    """The type of a record in the signatures of kernels."""
    return from_dtype(layout(shape, **sizes))


def new(shape: type[Shape]) -> Shape:
    """A record of zeros, with its fields as attributes."""
    record: Shape = np.zeros(1, np.dtype((np.record, layout(shape))))[0]
    return record


def copy(record: Shape) -> Shape:
    """Another record with the same content."""
    source: Any = record
    memory = np.empty(1, source.dtype)
    memory[0] = source
    twin: Shape = memory[0]
    return twin


def records_at(shape: type[Shape], **sizes: int) -> Callable[[np.uint64, np.uint64], Shape]:
    """A primitive: the record at an *index* of an array that begins at an *address*."""
    record = kind(shape, **sizes)

    def typed(context, address, index):
        def generate(context, builder, signature, arguments):
            address, index = arguments
            place = builder.add(address, builder.mul(index, ir.IntType(64)(record.size)))
            return builder.inttoptr(place, context.get_value_type(record))

        return record(types.uint64, types.uint64), generate

    found: Callable[[np.uint64, np.uint64], Shape] = primitive(typed)
    return found
