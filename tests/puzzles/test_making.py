"""Making puzzles: from played games, some moves apart, no two alike."""

import random
from contextlib import nullcontext
from dataclasses import replace
from itertools import cycle, islice, pairwise
from math import inf
from typing import Any

import pytest

from papan import api, catalog, puzzles
from papan.agents.level import Level
from papan.core import Agent, Analysis, Game, InvalidSpecError, Position, Proved, Thinking
from papan.puzzles import making, themes
from tests.puzzles.claims import check

ELEVEN_WIN = (
    "adjacency:8,8,28 oxoxxxxo/xxxoxoox/....xxox/.....oxx/oox..oox/oxx.oooo/oox..xxx/xox...ox o"
)


@pytest.mark.parametrize("nodes", [20_000, themes.PROOF_NODES, inf])
def test_y1_what_is_only_bounded_is_no_truth(nodes: float) -> None:
    """It was shipped as *just one move wins*: the others were bounded, and read as lost."""
    position = catalog.position(ELEVEN_WIN)
    found = themes.truth(position, nodes)
    assert (found is None) == (nodes < inf)
    if found is not None:
        assert all(isinstance(each, Proved) and each.exact for each in found.values.values())
        assert themes.theme_of(position, found) is None
        assert sum(each.number > 0 for each in found.values.values()) == 11


def test_boards_that_turn_into_each_other_or_differ_in_the_score_look_alike() -> None:
    boards = ("xo./.../... x", "..x/..o/... x"), ("xo./.../... x", "x../.o./... x")
    first, second = ([f"tictactoe:3,3,3 {each}" for each in pair] for pair in boards)
    dots = [f"dots:1,2 1000000 {rest}" for rest in ("2 0-0", "1 0-0")]
    tiles = [f"onet:2,4 {each}" for each in ("1,1,2,0/2,3,3,0", "0,3,1,1/0,2,2,3")]
    for pair, alike in ((first, True), (second, False), (dots, True), (tiles, True)):
        one, other = (making.puzzle_look(catalog.position(each)) for each in pair)
        assert (one == other) == alike, pair


@pytest.mark.thorough
def test_the_same_seed_makes_the_same_puzzles() -> None:
    game = catalog.game("dots:2,2")
    made = [list(islice(making.make(game, seed), 2)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    for each in made[0]:
        check(each)


@pytest.mark.parametrize("seed", range(5))
def test_puzzles_of_one_theme_are_some_moves_apart(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    game = catalog.game("dots:3,3")
    whole = [game.start().after(range(count)) for count in range(20)]
    played = [(position, None) for position in whole]
    monkeypatch.setattr(making, "played_positions", lambda *given: played)
    monkeypatch.setattr(making, "truth", lambda position: Analysis(()))
    monkeypatch.setattr(making, "theme_of", lambda position, known: "only")
    found = making.found_in_a_game(game, random.Random(seed))
    plies = sorted(whole.index(each.position) for each in found)
    assert len(plies) > 2
    assert all(later - sooner >= 4 for sooner, later in pairwise(plies)), plies


def test_y7_making_stops_at_what_cannot_be_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier positions of a game take even longer."""
    game = catalog.game("dots:3,3")
    played = [(game.start().after(range(count)), None) for count in range(12)]
    tried: list[str] = []
    monkeypatch.setattr(making, "played_positions", lambda *given: played)
    monkeypatch.setattr(making, "truth", lambda position: tried.append(str(position)))
    assert list(making.found_in_a_game(game, random.Random(1))) == []
    assert tried == [str(played[-1][0])]


@pytest.mark.parametrize(("plies", "visible"), [(8, True), (9, False)])
def test_y7_a_wrong_move_must_soon_be_seen_to_lose(
    monkeypatch: pytest.MonkeyPatch, plies: int, visible: bool
) -> None:
    position = catalog.position("tictactoe:3,3,3 x../.o./..x o")
    found = themes.solved(position)
    monkeypatch.setattr(api, "solve", lambda _: replace(found, distance=plies))
    assert making.is_visible(position, found, "draw") == visible
    assert making.is_visible(position, found, "only")


@pytest.mark.parametrize(
    ("game", "theme", "difficulty", "possible"),
    [
        ("onet", "", "", True),
        ("onet", "", "medium", True),
        ("onet", "win", "", False),
        ("onet", "", "mad", False),
        ("onet", "clear", "easy", True),
    ],
)
def test_y7_it_is_known_before_whether_a_game_can_have_such_puzzles(
    game: str, theme: str, difficulty: str, possible: bool
) -> None:
    chosen = [
        each
        for each in puzzles.shipped()
        if each.game == game and theme in ("", each.theme) and difficulty in ("", each.difficulty)
    ]
    assert bool(chosen) == possible
    with nullcontext() if possible else pytest.raises(InvalidSpecError):
        puzzles.check_can_make(catalog.game(game), theme, difficulty)


def test_y7_puzzles_of_one_theme_may_be_just_four_moves_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Latest(random.Random):
        def choice(self, seq: Any) -> Any:
            return seq[0]

    game = catalog.game("dots:3,3")
    whole = [game.start().after(range(count)) for count in range(18)]
    played = [(position, None) for position in whole]
    monkeypatch.setattr(making, "played_positions", lambda *given: played)
    monkeypatch.setattr(making, "truth", lambda position: Analysis(()))
    monkeypatch.setattr(making, "theme_of", lambda position, known: "only")
    found = making.found_in_a_game(game, Latest())
    assert [whole.index(each.position) for each in found] == [17, 13, 9, 5, 1]
    assert list(making.found_in_a_game(game, Latest(), "draw")) == []


def test_y7_every_game_of_a_seed_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[float] = []

    def find(game: Game, rng: random.Random, *_: object) -> list[making.Candidate]:
        drawn.append(rng.random())
        return []

    monkeypatch.setattr(making, "found_in_a_game", find)
    after_four = cycle([False] * 4 + [True]).__next__
    for spec, seed in (("dots:2,2", 1), ("dots:2,2", 2), ("dots:2,3", 1), ("dots:2,2", 1)):
        assert list(making.make(catalog.game(spec), seed, "", after_four)) == []
    assert len(set(drawn)) == 12 and drawn[:4] == drawn[12:]


def test_a_draw_is_seen_at_once_where_points_are_counted_or_the_loss_has_no_distance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = catalog.position("tictactoe:3,3,3 x../.o./..x o")
    found = themes.solved(position)
    monkeypatch.setattr(api, "solve", lambda _: replace(found, distance=None))
    assert making.is_visible(position, found, "draw")
    monkeypatch.delattr(api, "solve")  # nothing is solved where points are counted
    assert making.is_visible(catalog.position("dots:1,2 1000000 2 0-0"), found, "draw")


class First(Agent):
    """Makes the first legal move."""

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        return Analysis((position.moves()[0],))


def test_a_game_for_puzzles_has_every_position_but_the_last_with_the_move_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(making, "players", lambda game, rng: [First()] * game.seats)
    game = catalog.game("tictactoe")
    played = making.played_positions(game, random.Random(1))
    assert [str(position).split()[1] for position, _ in played] == [
        *(".../.../...", "x../.../...", "xo./.../...", "xox/.../..."),
        *("xox/o../...", "xox/ox./...", "xox/oxo/..."),  # and a3 wins
    ]
    assert [last for _, last in played] == [
        *(None, (75, 75), (135, 75), (195, 75), (75, 135), (135, 135), (195, 135)),
    ]
    assert making.played_positions(game, random.Random(1), lambda: True) == []
    dealt = {
        str(making.played_positions(catalog.game("onet:2,4,kinds=4"), rng)[0][0])
        for rng in map(random.Random, range(4))
    }
    assert len(dealt) == 4 and not any("seed" in each for each in dealt)


@pytest.mark.parametrize(
    ("game", "levels", "seats"),
    [("connect4", {2, 3, 4}, 2), ("onet:2,4", {3}, 1)],
)
def test_games_for_puzzles_are_played_by_middling_levels_that_the_game_has(
    game: str, levels: set[int], seats: int
) -> None:
    found = [making.players(catalog.game(game), random.Random(seed)) for seed in range(20)]
    agents = [agent for each in found for agent in each]
    assert {len(each) for each in found} == {seats}
    assert all(isinstance(agent, Level) for agent in agents)
    assert {agent.number for agent in agents if isinstance(agent, Level)} == levels
    assert len({agent.seed for agent in agents if isinstance(agent, Level)}) > 15 * seats


def test_what_is_found_is_rated_by_its_theme_and_the_move_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = catalog.position("tictactoe:3,3,3 xx./oo./... x")
    asked: list[Any] = []

    def rate(*given: Any) -> int:
        asked.append(given)
        return 432

    def find(game: Game, rng: random.Random, theme: str, *_: object) -> list[making.Candidate]:
        return [making.Candidate(theme, position, (75.0, 135.0))]

    monkeypatch.setattr(making, "rating", rate)
    monkeypatch.setattr(making, "found_in_a_game", find)
    (made,) = islice(making.make(position.game, 1, "one"), 1)
    assert made == puzzles.Puzzle("one", 432, str(position))
    assert asked == [(position, "one", (75.0, 135.0))]
