"""Learned players by hand: how far they look, what they prove, and how boards are cut."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import papan
from papan.agents import learned_tables
from papan.agents.learned import Learned, LookAhead, learned_analysis
from papan.agents.learned_tables import (
    CHUNK,
    LearnedPlayer,
    TrainingPlan,
    bits,
    can_learn,
    groups_of,
    novice,
    player_file,
)
from papan.core import (
    Analysis,
    Event,
    Guess,
    InvalidRecordError,
    Limit,
    Position,
    Proved,
    Strips,
    Thinking,
)
from tests.agents.definition import Pebbles

START = papan.position("tictactoe")
PLY = 1 - 1e-4
"""What is left of a value a ply earlier."""


class Table(LearnedPlayer):
    """A player that expects what it is told of positions, 0.5 of all others."""

    def __init__(self, known: Mapping[str, float] = {}) -> None:
        self.known, self.asked = known, list[str]()

    def expected(self, position: Position) -> float:
        self.asked.append(str(position).split(maxsplit=1)[1])
        return self.known.get(self.asked[-1], 0.5)


def test_a_look_ends_with_the_game_or_with_what_the_tables_expect() -> None:
    position = papan.position("tictactoe xox/oxx/o.. o")  # b3 lets x win, c3 ends in a draw
    look = LookAhead(Table({"xox/oxx/oo. x": -1.0, "xox/oxx/o.o x": 0.25}), Thinking(Limit()))
    assert look.after(position, 7, 0) == pytest.approx((0.99 * PLY, False))
    assert look.after(position, 8, 0) == pytest.approx((-0.25 * 0.99 * PLY, False))
    assert look.after(position, 7, 1) == pytest.approx((-PLY * PLY, True))
    assert look.after(position, 8, 1) == (0, True)
    assert look.value(position, 0) == (0.99 * 0.5, False)
    assert look.value(position, 2) == (0, True)
    assert look.thinking.nodes == 1 + 1 + 2 + 2 + 4


def test_a_sure_win_is_proved_beside_guesses_and_a_loss_only_by_all_moves() -> None:
    won = papan.position("tictactoe xx./oo./... x")
    look = LookAhead(Table(), Thinking(Limit()))
    assert look.value(won, 1) == pytest.approx((PLY, True))
    lost = papan.position("tictactoe x.x/.o./x.o o")  # two lines of x, of which o can block one
    assert look.value(lost, 1) == pytest.approx((-0.99 * 0.5 * PLY, False))
    assert look.value(lost, 2) == pytest.approx((-PLY * PLY, True))


def test_the_turn_may_stay() -> None:
    """Two pebbles give another turn: what is expected of it keeps its sign."""
    heap = Pebbles(8).start()
    look = LookAhead(Table(), Thinking(Limit()))
    assert look.after(heap, 2, 0) == pytest.approx((0.99 * 0.5 * PLY, False))
    assert look.after(heap, 1, 0) == pytest.approx((-0.99 * 0.5 * PLY, False))


VALUES: list[tuple[dict[int, tuple[float, bool]], Analysis]] = [
    ({}, Analysis((1,))),
    (
        {1: (0.25, False), 2: (0.5, False)},
        Analysis((2,), 0.5, values={1: Guess(0.25), 2: Guess(0.5)}, why="depth"),
    ),
    (
        {1: (0.5, False), 2: (0.5, False), 5: (-PLY, True)},
        Analysis((1,), 0.5, values={1: Guess(0.5), 2: Guess(0.5), 5: Proved(-1, -1)}, why="depth"),
    ),
    (
        {1: (PLY, True), 2: (0.5, False)},
        Analysis((1,), None, Proved(1, 1), {1: Proved(1, 1), 2: Guess(0.5)}, why="exact"),
    ),
    (
        {1: (0.99, True), 2: (0.5, False)},  # no more than the largest guess
        Analysis((1,), 0.99, values={1: Proved(1, 1), 2: Guess(0.5)}, why="depth"),
    ),
    (
        {1: (0.0, True), 2: (-PLY, True), 5: (-PLY, True), 7: (-PLY, True)},
        Analysis(
            (1,),
            None,
            Proved(0, 0),
            {1: Proved(0, 0), **{each: Proved(-1, -1) for each in (2, 5, 7)}},
            why="exact",
        ),
    ),
    (
        {1: (0.0, True), 2: (-PLY, True), 5: (-PLY, True)},  # one move was not looked at
        Analysis(
            (1,),
            0.0,
            values={1: Proved(0, 0), 2: Proved(-1, -1), 5: Proved(-1, -1)},
            why="depth",
        ),
    ),
    (
        {1: (0.0, True), 2: (-PLY, True), 5: (-0.5, False), 7: (-PLY, True)},
        Analysis(
            (1,),
            0.0,
            values={1: Proved(0, 0), 2: Proved(-1, -1), 5: Guess(-0.5), 7: Proved(-1, -1)},
            why="depth",
        ),
    ),
]
"""Values of the moves b1, c1, c2 and b3, which are legal; and the analysis of them."""


@pytest.mark.parametrize(("values", "analysis"), VALUES)
def test_the_highest_value_is_chosen_and_proved_if_it_is(
    values: dict[int, tuple[float, bool]], analysis: Analysis
) -> None:
    position = papan.position("tictactoe x../ox./x.o o")
    assert position.moves() == [1, 2, 5, 7]
    assert learned_analysis(position, values) == analysis


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    yield tmp_path


def test_each_depth_is_told_and_half_of_the_first_is_better_than_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table({"xx./oo./o.. x": -0.5, "xx./ooo/... x": 1.0})
    monkeypatch.setattr(Learned, "_player", lambda self, game: table)
    monkeypatch.setattr(Learned, "plays", lambda self, game: True)
    position = papan.position("tictactoe xx./oo./... x")
    events: list[Event] = []
    analysis = Learned(depth=2).analyse(position, listener=events.append)
    roots = [event for event in events if event["t"] == "root"]
    assert [(event["depth"], event["best"], len(event["moves"])) for event in roots] == [
        (1, "c1", 5),
        (2, "c1", 5),
    ]
    assert (analysis.move, analysis.value, analysis.why, analysis.nodes) == (2, 1, "exact", 5 + 21)
    half = Learned().analyse(papan.position("tictactoe x../.o./... x"), Limit(nodes=3))
    assert (len(half.values), half.why) == (3, "nodes")
    whole = Learned().analyse(papan.position("tictactoe x../.o./... x"), Limit(nodes=9))
    assert (len(whole.values), whole.why) == (7, "nodes"), "the second round was not finished"


def test_a_board_is_cut_into_strips_of_which_three_share_a_table() -> None:
    assert groups_of(None) == []
    assert groups_of(Strips(3, 3, False)) == [[(0, 1, 2)]]
    assert groups_of(Strips(2, 4, True)) == [[(0, 1), (1, 0)]]
    assert groups_of(Strips(4, 4, True)) == [
        [(0, 1, 2), (3, 2, 1)],
        [(0, 1, 3), (3, 2, 0)],
    ]
    five = groups_of(Strips(5, 4, True))
    assert len(five) == 6 and five[0] == [(0, 1, 2), (4, 3, 2)] and [(1, 2, 3), (3, 2, 1)] in five


def test_a_table_has_room_for_every_way_to_fill_its_strips() -> None:
    assert bits(Strips(3, 3, False), 3) == 1 + 3 * 6
    assert bits(Strips(5, 4, True), 3) == 1 + 3 * 5
    assert bits(Strips(5, 4, True), 2) == 1 + 2 * 5


def test_tables_of_just_as_many_numbers_as_may_be_are_learned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strips = Strips(3, 3, False)
    monkeypatch.setattr(learned_tables, "MOST_NUMBERS", 1 << 19)
    assert groups_of(strips)
    monkeypatch.setattr(learned_tables, "MOST_NUMBERS", (1 << 19) - 1)
    assert groups_of(strips) == []
    assert not can_learn(START.game) and can_learn(papan.game("tictactoe:2,3,3"))


def test_a_player_is_named_after_its_board(folder: Path) -> None:
    place = folder / "papan" / "players"
    assert player_file(papan.game("connect4:4,5")) == place / "connect4-4-5.npz"
    assert player_file(START.game, "my_one") == place / "my_one.npz"


@pytest.mark.parametrize(("name", "fine"), [("a" * 60, True), ("a" * 61, False), ("A-z_09", True)])
def test_names_of_players_have_sixty_letters_at_most(name: str, fine: bool) -> None:
    if fine:
        assert Learned(player=name).spec == f"learned:player={name}"
    else:
        with pytest.raises(papan.InvalidSpecError):
            Learned(player=name)


def test_who_plays_which_board(folder: Path) -> None:
    four = papan.game("connect4:4,4")
    assert Learned(games=1).plays(START.game)
    assert not Learned(games=1).plays(four), "it would take too long"
    assert not Learned(games=1).plays(papan.game("dots"))
    assert not Learned().plays(START.game)
    path = player_file(START.game, "one")
    path.parent.mkdir(parents=True)
    path.write_bytes(LearnedPlayer(START.game).bytes())
    assert Learned(player="one").plays(START.game) and not Learned(player="one").plays(four)
    path.rename(player_file(START.game))
    assert Learned().plays(START.game)


def test_a_player_comes_back_from_its_file_with_its_story(folder: Path) -> None:
    player = LearnedPlayer(START.game)
    player.numbers[0, 5] = 0.25
    player.story = {"plan": {"seed": 3}}
    path = folder / "player.npz"
    path.write_bytes(player.bytes())
    again = LearnedPlayer.read(path, START.game)
    assert again is not None and again.story == player.story
    assert (again.numbers == player.numbers).all() and again.loss == 0
    assert LearnedPlayer.read(path, papan.game("tictactoe:4,4,4")) is None
    with pytest.raises(InvalidRecordError, match="cannot be read"):
        LearnedPlayer.read(folder / "none.npz", START.game)


def test_numbers_of_another_shape_are_no_tables_of_the_board() -> None:
    fits = np.zeros((1, 1 << 19), np.float32)
    assert LearnedPlayer(START.game, fits).numbers is fits
    others: list[Any] = [fits[:, 1:], fits.astype(np.float64), fits.reshape(2, -1)]
    for wrong in others:
        with pytest.raises(ValueError, match="do not fit"):
            LearnedPlayer(START.game, wrong)


def test_the_rate_falls_and_the_loss_is_that_of_the_last_chunk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[object, ...]] = []

    def practise(*given: object) -> tuple[float, int]:
        seen.append(given)
        return 6.0, 24

    monkeypatch.setattr("papan.engine.learning.practise", practise)
    player = LearnedPlayer(papan.game("connect4:4,4"))  # two groups of two images
    assert player.learn(TrainingPlan(exploration=0.25, rate=0.5), 0) == (6, 24)
    assert player.loss == 0.25
    player.learn(TrainingPlan(exploration=0.25, rate=0.5), 600)
    assert [given[3] for given in seen] == [
        (0.5 / 4, 0.25, 0.5, 0.99),
        (0.5 / 4 / 2, 0.25, 0.5, 0.99),
    ]
    states = [given[4] for given in seen]
    assert isinstance(states[0], np.ndarray) and states[0].shape == (1,)
    assert states[0] != states[1] and seen[0][5] == CHUNK == 500


def test_no_games_make_a_player_that_expects_nothing() -> None:
    player = novice(START.game, TrainingPlan(seed=11), 0)
    assert not player.numbers.any() and player.expected(START) == 0
