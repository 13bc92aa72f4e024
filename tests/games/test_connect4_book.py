"""The opening book of Connect 4: small, exact, and asked only what it can know."""

import importlib.util
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from papan.games.connect4 import Connect4, stones
from papan.games.connect4.ribbon import Ribbon
from papan.games.connect4.rules import Connect4Position
from papan.games.connect4.solver import Connect4Solver
from papan.games.connect4.stones import (
    Book,
    Layout,
    Stones,
    book_key,
    comes_up,
    forced_line,
)

from .connect4_truth import score

SCRIPT = Path(__file__).parents[2] / "tools" / "make_connect4_book.py"
LAYOUT = Layout.for_board(4, 4, 2**20)


def stones_of(position: Connect4Position) -> Stones:
    return Stones(*position.sides)


def early_positions(most: int) -> list[Connect4Position]:
    """Every position of 4x4 with at most so many stones that is not over."""
    layer = {Connect4(4, 4).start()}
    found = list(layer)
    for _ in range(most):
        after = {position.child(move) for position in layer for move in position.moves()}
        layer = {position for position in after if position.moves()}
        found += sorted(layer, key=str)
    return found


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("make_connect4_book", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def path(script: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A book of 4x4 up to 5 stones."""
    folder: Path = tmp_path_factory.mktemp("book")
    script.main(4, 4, 5, folder / "parts", folder / "book_4x4.bin")
    return folder / "book_4x4.bin"


@pytest.fixture
def small_book(path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Solvers find this book, and after the test no other one finds it."""
    monkeypatch.setattr(stones, "FOLDER", path.parent)
    stones.book_for.cache_clear()
    yield
    stones.book_for.cache_clear()


def test_a_ribbon_gives_back_every_number(script: Any) -> None:
    rng = random.Random(1)
    numbers = {rng.getrandbits(49): rng.getrandbits(5) for _ in range(10_000)}
    data = script.ribbon_of(numbers, 5)
    ribbon = Ribbon(data)
    assert all(ribbon[key] == number for key, number in numbers.items())
    assert len(data) < 1.2 * len(numbers) * 5 / 8


def test_a_ribbon_of_few_numbers(script: Any) -> None:
    for numbers in ({}, {7: 3}, {0: 1, 1: 0}):
        ribbon = Ribbon(script.ribbon_of(numbers, 2))
        assert {key: ribbon[key] for key in numbers} == numbers


@pytest.mark.thorough
def test_every_quiet_position_is_in_the_book(path: Path) -> None:
    found = Book(path.read_bytes())
    assert found.plies == 5
    quiet = 0
    for position in early_positions(5):
        stones = stones_of(position)
        if not forced_line(LAYOUT, stones)[0]:
            assert found.score(LAYOUT, stones) == score(position), str(position)
            quiet += 1
    assert quiet > 400


def test_a_position_with_more_stones_is_not(path: Path) -> None:
    position = Connect4(4, 4).start().after("121334")
    assert Book(path.read_bytes()).score(LAYOUT, stones_of(position)) is None


def test_mirror_images_have_one_key() -> None:
    one, other = (Connect4(4, 4).start().after(moves) for moves in ("1124", "4431"))
    third = Connect4(4, 4).start().after("1123")
    assert book_key(LAYOUT, stones_of(one)) == book_key(LAYOUT, stones_of(other))
    assert book_key(LAYOUT, stones_of(one)) != book_key(LAYOUT, stones_of(third))


def test_whether_a_position_comes_up_in_play() -> None:
    game = Connect4(4, 4)
    assert all(comes_up(LAYOUT, stones_of(position)) for position in early_positions(3))
    strange = game.read(("..../..../xx../oo..", "x"))  # whose was the first stone?
    assert not comes_up(LAYOUT, stones_of(strange))


@pytest.mark.usefixtures("small_book")
def test_the_solver_says_the_same_with_a_book() -> None:
    game = Connect4(4, 4)
    positions = [*early_positions(6)[::9], game.read(("..../..../xx../oo..", "x"))]
    for position in positions:
        with_book = Connect4Solver(all_moves=True).analyse(position)
        without = Connect4Solver(book=False, all_moves=True).analyse(position)
        assert with_book.facts["scores"] == without.facts["scores"]
        assert sorted(with_book.best) == sorted(without.best)
        assert len(with_book.line) == with_book.distance == without.distance
    start = Connect4Solver().analyse(game.start())
    assert start.nodes < Connect4Solver(book=False).analyse(game.start()).nodes


def test_solving_goes_on_where_it_stopped(script: Any, tmp_path: Path) -> None:
    keys = script.layers(LAYOUT, 3)[-1]
    script.solve_parts(LAYOUT, keys, tmp_path)
    part = tmp_path / "00000000.scores"
    scores = script.read_parts(keys, tmp_path)
    part.write_bytes(bytes([script.OFFSET] * len(keys)))  # as if solved before: it is kept
    script.solve_parts(LAYOUT, keys, tmp_path)
    assert set(script.read_parts(keys, tmp_path).values()) == {0}
    part.unlink()
    script.solve_parts(LAYOUT, keys, tmp_path)
    assert script.read_parts(keys, tmp_path) == scores


def test_another_process_is_not_disturbed(script: Any, tmp_path: Path) -> None:
    (tmp_path / "00000000.busy").touch()
    script.main(4, 4, 2, tmp_path, tmp_path / "book")
    assert not (tmp_path / "book").exists()
    assert not list(tmp_path.glob("*.scores"))
