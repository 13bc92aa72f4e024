"""The parts of a game: found by their file, inherited, with defaults; moved members are refused."""

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

import papan
from papan.core import (
    Card,
    Coach,
    Drawing,
    InvalidRulesError,
    Setup,
    Support,
    learned_patterns,
    native_form,
)
from papan.core.marks import MarkGame
from papan.games.tictactoe import TicTacToe


@dataclass(frozen=True)
class Derived(TicTacToe):
    """Tic Tac Toe whose rules might differ."""


def test_a_derived_game_has_the_parts_but_for_what_depends_on_the_exact_rules() -> None:
    game = Derived()
    assert Card.of(game).presets == Card.of(TicTacToe()).presets
    assert type(Drawing.of(game.start())) is type(Drawing.of(TicTacToe().start()))
    assert native_form(game.start()) is None
    assert learned_patterns(Derived(15, 15, 5)) is None


@pytest.mark.parametrize(("base", "member", "part"), [
    ("Game", "presets", "Card"),
    ("Game", "evaluate", "Support"),
    ("Game", "draft", "Setup"),
    ("Position", "svg", "Drawing"),
    ("Position", "in_characters", "Drawing"),
    ("Position", "fault", "Coach"),
])  # fmt: skip
def test_a_member_that_has_moved_is_refused_with_its_new_part(
    base: str, member: str, part: str
) -> None:
    said = f"Old must not define {member}, which has moved: write it in a class {part} of its own"
    with pytest.raises(InvalidRulesError, match=said):
        type("Old", (getattr(papan, base),), {member: None})


@pytest.mark.parametrize(("base", "member"), [
    (papan.Position, "winner"),
    (papan.Position, "is_over"),
    (papan.Game, "spec"),
    (MarkGame, "grid"),
])  # fmt: skip
def test_a_method_where_papan_has_a_property_is_refused(base: type, member: str) -> None:
    said = rf"Own\.{member} would be called without brackets.*write @property above it"
    with pytest.raises(InvalidRulesError, match=said):
        type("Own", (base,), {member: lambda self: None})
    type("Own", (base,), {member: property(lambda self: None)})


def test_a_file_of_a_part_must_name_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "forgetful"
    folder.mkdir()
    (folder / "__init__.py").touch()
    rules = "from papan.games.tictactoe import TicTacToe\nclass Own(TicTacToe): ...\n"
    (folder / "rules.py").write_text(rules)
    (folder / "coach.py").write_text("from papan.core import Coach\nclass Mine(Coach): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    game = import_module("forgetful.rules").Own()
    with pytest.raises(InvalidRulesError, match=r"forgetful\.coach has no part for Own"):
        Coach.of(game.start())
    assert Support.of(game).has_solver and Setup.of(game).deal(1) == game
    del sys.modules["forgetful.rules"]


@pytest.mark.parametrize(
    ("board", "areas"),
    [
        ("xox/.../... o", "a2b2c2 a2b2c2 b2c2a3 c2a3b3 a3b3c3 a3b3c3"),
        ("xox/xo./o.. x", "c2b3 c2b3 b3c3"),
        ("xox/xox/o.. o", "b3c3 b3c3"),
        ("xox/xoo/ox. x", "c3"),
    ],
)
def test_without_a_coach_one_looks_among_three_moves_or_fewer(board: str, areas: str) -> None:
    position = papan.position(f"tictactoe {board}")
    found = ["".join(Coach(position).area(move)) for move in position.moves()]
    assert found == areas.split()


def test_a_part_that_says_nothing_has_the_defaults_of_all_games() -> None:
    game = TicTacToe()
    start = game.start()
    support, drawing, coach, setup = Support(game), Drawing(start), Coach(start), Setup(game)
    assert support.evaluate(start, 0) == 0 and support.slip_rates == (0.6, 0.4, 0.25, 0.1)
    assert (support.proof_nodes(start), support.nodes_a_second) == (2_000_000, 1_000_000)
    assert not support.has_solver and support.solver() is None
    assert not support.is_remote(start, 0) and support.databases() == {}
    assert drawing.picture() == str(start) and drawing.spots() == {}
    assert (drawing.highlight(0), drawing.pointed_out(["a1"]), drawing.label_point(0)) == (
        *("", ""),
        None,
    )
    assert drawing.graph().name == drawing.graph("moves").name == "moves"
    assert coach.place_of(4) == "b2" and coach.idea(4).key == "idea.look"
    assert setup.deal(3) is game and setup.shuffled(start, 1) is start and not setup.shuffles
    assert Card(game).levels == (1, 2, 3, 4, 5)


def test_rows_of_a_file_are_the_text_of_a_position() -> None:
    rows = [["x.."], ["..."], ["...", "o"]]
    assert Setup(TicTacToe()).read_rows(rows) == papan.position("tictactoe x../.../... o")


def test_a_part_that_is_written_later_takes_the_place_of_what_was_inherited() -> None:
    class Late(TicTacToe):
        """A game whose card comes later."""

    assert Card.of(Late()).order == Card.of(TicTacToe()).order != 7
    assert Card.own_class(Late) is None
    try:

        class LateCard(Card, game=Late):
            order = 7

        assert type(Card.of(Late())) is Card.own_class(Late) is LateCard
        assert Card.of(Late()).order == 7 != Card.of(TicTacToe()).order
    finally:
        del Card.owners[Late]
        Card.nearest.clear()
