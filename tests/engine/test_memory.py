"""Records are the same bytes for Python and for kernels, whatever their fields are."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import pytest

from papan.engine.memory import Row, copy, kind, layout, new, records_at
from papan.engine.native import ONE, WORD, Word, kinds, native


class Bounds:
    """A record in a record."""

    low: np.int64
    high: np.int64


class Workspace:
    """Numbers, arrays, records and arrays of records."""

    nodes: Word
    others: Word
    """Where other bounds are."""
    score: np.float64
    images: Annotated[Row[Word], 8, 64]
    root: Bounds
    moves: Annotated[Row[Bounds], 4]


bounds_at = records_at(Bounds)


@native(kinds.void(kind(Bounds), kinds.int64))
def widen(bounds: Bounds, by: int) -> None:
    bounds.low -= np.int64(by)
    bounds.high += np.int64(by)


@native(kinds.void(WORD, kind(Workspace)))
def change(number: Word, workspace: Workspace) -> None:
    workspace.nodes += ONE
    workspace.score = np.float64(0.5)
    workspace.images[number, ONE] = number
    widen(workspace.root, 1)
    widen(workspace.moves[number], 2)
    widen(bounds_at(workspace.others, number), 3)


def test_a_kernel_writes_into_the_fields_that_python_reads() -> None:
    workspace, others = new(Workspace), np.zeros(4, layout(Bounds))
    workspace.others = np.uint64(others.ctypes.data)
    workspace.root.high = np.int64(10)
    change(np.uint64(3), workspace)
    assert [workspace.nodes, workspace.score, workspace.images[3, 1]] == [1, 0.5, 3]
    assert [workspace.root.low, workspace.root.high] == [-1, 11]
    assert [workspace.moves[3].low, workspace.moves[2].low] == [-2, 0]
    assert others.tolist() == [(0, 0), (0, 0), (0, 0), (-3, 3)]


def test_a_copy_is_its_own_memory() -> None:
    workspace, others = new(Workspace), np.zeros(4, layout(Bounds))
    workspace.others = np.uint64(others.ctypes.data)
    twin = copy(workspace)
    assert twin == workspace
    change(np.uint64(0), twin)
    assert [twin.nodes, workspace.nodes] == [1, 0]


def test_fields_are_where_the_machine_reads_them_in_one_piece() -> None:
    class Mixed:
        """A short number before a long one."""

        short: np.int16
        long: np.int64

    memory = layout(Mixed)
    assert memory.isalignedstruct
    assert memory.fields is not None
    assert memory.fields["long"][1] == 8


def test_a_field_cannot_have_the_name_of_a_method_of_numpy() -> None:
    class Bad:
        """`all` of a record is a method."""

        all: Word

    with pytest.raises(AssertionError):
        layout(Bad)


class Frame:
    """A record in two sizes."""

    moves: Annotated[Row[Bounds], "lanes"]
    keys: Annotated[Row[Word], 2, "lanes"]


@native()
def lane_count(frame: Frame) -> int:
    frame.moves[ONE].low = np.int64(7)
    return frame.keys.shape[1]


def test_a_size_may_be_named_and_told_later() -> None:
    for lanes in (8, 16):
        frames = np.zeros(1, layout(Frame, lanes=lanes))
        assert frames.itemsize == lanes * 32
        assert lane_count(frames[0]) == lanes
        assert frames["moves"]["low"][0, :2].tolist() == [0, 7]
