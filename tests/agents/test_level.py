"""Levels: for every game, each a little stronger than the one before."""

import re
from typing import Any

import pytest

import papan
from papan.agents.alphabeta import AlphaBeta
from papan.agents.level import STRENGTHS, Level, level_nodes, slip_rate, thinker
from papan.agents.mcts import Mcts
from papan.agents.net import Net, all_weights, weights_for
from papan.agents.solver import with_proof
from papan.catalog import GAMES, agent_names
from papan.cli.app import run_arguments
from papan.core import (
    Analysis,
    CannotPlayError,
    Event,
    Game,
    Guess,
    InvalidSpecError,
    Proved,
    margin,
)
from papan.core.parts import Card, Support
from papan.web.catalogue import agent_list
from tests.agents.beginner import beginners_score


def play(game: Game, *levels: Level) -> float:
    """The margin of the first level against the second."""
    position = game.start()
    while position.moves():
        position = position.child(levels[position.turn].analyse(position).move)
    return margin(position, 0)


def result(game: Game, strong: int, weak: int, pairs: int) -> float:
    """The points of the stronger level, between -1 and 1 a game."""
    margins = []
    for seed in range(pairs):
        margins.append(play(game, Level(strong, seed), Level(weak, seed)))
        margins.append(-play(game, Level(weak, seed), Level(strong, seed)))
    return sum((each > 0) - (each < 0) for each in margins) / len(margins)


@pytest.mark.parametrize("spec", ["connect4:4,4", "dots:2,2", "tictactoe", "adjacency:4,4,4"])
def test_the_strongest_level_does_not_lose_to_the_weakest(spec: str) -> None:
    assert result(papan.game(spec), 5, 1, pairs=2) > 0


QUICK_PAIRS = [
    *[("connect4", weak, 4) for weak in (1, 2)],
    ("connect4:5,6", 3, 4),  # where the fourth level shows soon what it is worth
    *[("dots:4,4", weak, 4) for weak in (1, 2)],
    ("dots:2,4", 3, 4),
    *[("adjacency:6,6,8", weak, 8) for weak in (1, 2)],
    ("adjacency:6,6,8", 3, 6),
]
MANY_PAIRS = [
    pytest.param(spec, weak, 16, marks=pytest.mark.slow)
    for spec in ("connect4", "dots:4,4", "adjacency:6,6,8")
    for weak in (1, 2, 3)
]


@pytest.mark.thorough
@pytest.mark.parametrize(("spec", "weak", "pairs"), [*QUICK_PAIRS, *MANY_PAIRS])
def test_each_level_beats_the_one_below(spec: str, weak: int, pairs: int) -> None:
    assert result(papan.game(spec), weak + 1, weak, pairs) > 0


LEVELS = [(name, number) for name, game in GAMES.items() for number in Card.of(game()).levels]


@pytest.mark.parametrize(("name", "number"), LEVELS)
def test_every_level_plays_every_game_that_has_it(name: str, number: int) -> None:
    position = papan.position(name)
    assert Level(number).analyse(position).move in position.moves()


@pytest.mark.parametrize("name", GAMES)
def test_v07_every_game_says_which_levels_it_has(name: str) -> None:
    game = papan.game(name)
    levels = [f"level:{number}" for number in Card.of(game).levels]
    assert [each for each in agent_names(game) if each.startswith("level")] == levels
    assert [each.names for each in agent_list(game) if each.name == "level"] == [levels]
    assert set(Card.of(game).levels) <= STRENGTHS.keys()
    assert {3, 5} <= set(Card.of(game).levels), "the usual opponent, and who gives hints"


def test_v07_onet_has_the_levels_that_can_be_told_apart(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(CannotPlayError, match="There is no level:2 for onet:6,12: its levels are"):
        Level(2).analyse(papan.position("onet"))
    assert run_arguments(["agents", "--game", "onet"]) == 0
    assert re.findall(r"level:\d", capsys.readouterr().out) == ["level:1", "level:3", "level:5"]
    assert run_arguments(["analyse", "onet", "--agent", "level:4"]) == 2
    assert "level:1, level:3, level:5" in capsys.readouterr().err


def test_the_same_seed_plays_the_same_game_and_another_seed_another() -> None:
    def moves(seed: int) -> list[int]:
        position, played = papan.position("dots:2,2"), []
        while position.moves():
            played.append(Level(2, seed).analyse(position).move)
            position = position.child(played[-1])
        return played

    assert moves(1) == moves(1)
    assert moves(1) != moves(2)


def test_puzzles_for_one_seat_are_searched_by_random_games() -> None:
    assert isinstance(thinker(5, papan.position("onet"), seed=0), Mcts)
    assert isinstance(thinker(5, papan.position("connect4"), seed=0), AlphaBeta)


LEARNED = [
    match["board"] for weights in all_weights() for match in weights.manifest.get("best", [])
]


@pytest.mark.parametrize("board", LEARNED)
def test_u08_the_strongest_level_is_the_net_where_the_manifest_has_a_match_that_it_won(
    board: str,
) -> None:
    game = papan.game(board)
    weights = weights_for(game)
    assert weights is not None and game.spec == board
    for match in weights.manifest["best"]:
        wins, _, losses = match["wins_draws_losses"]
        assert wins > losses
    assert isinstance(thinker(5, game.start(), seed=0), Net)
    assert isinstance(thinker(4, game.start(), seed=0), Net)
    assert isinstance(thinker(3, game.start(), seed=0), AlphaBeta)


@pytest.mark.parametrize("board", ["connect4", "tictactoe:15,15,5", "dots:5,5", "adjacency"])
def test_u08_a_net_that_has_won_no_match_there_does_not_play_for_the_strongest_level(
    board: str,
) -> None:
    assert isinstance(thinker(5, papan.position(board), seed=0), AlphaBeta)


def test_u08_no_time_goes_to_a_hopeless_proof_and_a_guess_is_called_one() -> None:
    assert "connect4:7,10" in LEARNED
    position = papan.position("connect4:7,10")
    assert Support.of(position.game).proof_nodes(position) == 0
    analysis = Level(5).analyse(position, nodes=20)
    assert {value.kind for value in analysis.values.values()} == {"visits"}
    assert sum(value.nodes for value in analysis.values.values()) == 19, "all are the net's"
    assert analysis.best_value is not None and analysis.best_value.kind == "estimate"


def test_u08_what_can_be_proved_is_proved_on_a_large_board_too() -> None:
    position = papan.position("connect4:7,10").after("1 10 1 10 1 10")  # 1 wins at once
    late = papan.position("connect4:7,10").after(" ".join("12345678" * 3 + "9 9"))
    assert Support.of(late.game).proof_nodes(late) > 0
    for agent in (Level(5), papan.agent("solver")):
        analysis = agent.analyse(position, nodes=200)
        assert analysis.move == 0, agent.spec


def test_u08_the_solver_with_a_limit_plays_what_the_net_likes_and_keeps_what_is_proven() -> None:
    analysis = papan.agent("solver").analyse(papan.position("connect4:7,10"), nodes=50)
    assert not analysis.exact and analysis.nodes <= 50
    assert analysis.bounds == (-1, 1)
    assert analysis.best_value is not None and analysis.best_value.kind == "estimate"


def test_a_level_is_named_by_its_number() -> None:
    assert papan.agent("level:4") == Level(4)
    assert papan.agent("level") == Level(3)
    assert papan.agent("level:2,seed=9") == Level(2, 9)


@pytest.mark.parametrize("number", [0, 6, -1])
def test_there_are_five_levels(number: int) -> None:
    with pytest.raises(InvalidSpecError, match=f"number must be from 1 to 5, not {number}"):
        papan.agent(f"level:{number}")


def test_slips_are_owned_up_to_and_become_fewer() -> None:
    position = papan.position("tictactoe").after("b2 a1 c1")  # o must block

    def slips(number: int) -> int:
        events: list[Event] = []
        for seed in range(60):
            Level(number, seed).analyse(position, listener=events.append)
        return sum("slip" in event for event in events)

    counts = [slips(number) for number in sorted(STRENGTHS)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 20 > counts[3] > counts[4] == 0


def test_a_level_is_always_named_with_its_number() -> None:
    assert papan.agent("level").spec == "level:3"
    assert papan.agent("level:5,seed=7").spec == "level:5,seed=7"


@pytest.mark.parametrize("name", GAMES)
def test_every_board_says_how_often_each_level_slips(name: str) -> None:
    for spec in (name, *Card.of(papan.game(name)).presets):
        rates = [slip_rate(number, papan.game(spec)) for number in sorted(STRENGTHS)]
        assert all(0 < rate <= 1 for rate in rates[:4])
        assert rates[4] == 0, "the strongest never errs"


def test_the_levels_below_the_best_look_ahead_with_patterns_where_they_were_learned() -> None:
    boards = ("connect4", "connect4:7,10", "adjacency", "connect4:5,5", "dots")
    guesses = [thinker(3, papan.position(board), seed=0) for board in boards]
    assert [each.evaluation for each in guesses if isinstance(each, AlphaBeta)] == [
        *["patterns"] * 3,
        *["hand"] * 2,
    ]


def test_level_4_spends_a_tenth_of_what_the_strongest_does() -> None:
    position = papan.position("connect4:7,10")
    assert 10 * level_nodes(4, position) == level_nodes(5, position) == 400
    moves = " ".join("1234567" * 3)
    small = papan.position("connect4:6,7").after(moves)
    most = Support.of(small.game).proof_nodes(small)
    analyses = [Level(4, seed=seed).analyse(small) for seed in range(4)]
    assert all(each.nodes <= most // 10 or each.exact for each in analyses)


def test_a_proof_may_look_at_fewer_nodes_where_each_takes_longer() -> None:
    small, large = papan.position("dots:4,4"), papan.position("dots:6,6")
    assert Support.of(large.game).proof_nodes(large) < Support.of(small.game).proof_nodes(small)
    moves = " ".join("1234567" * 3 + "8" * 2)
    one_word, two_words = (papan.position(f"connect4:7,{each}").after(moves) for each in (8, 9))
    assert 4 * Support.of(two_words.game).proof_nodes(two_words) <= Support.of(
        one_word.game
    ).proof_nodes(one_word)
    lines = papan.position("tictactoe:15,15,5")  # two million nodes took up to 1.7 s
    assert Support.of(lines.game).proof_nodes(lines) <= 800_000


@pytest.mark.parametrize(
    ("worst", "best", "kept"),
    [
        (Proved(-5, -3), Proved(2, 2), False),
        (Proved(-5, 1), Proved(2, 9), False),
        (Proved(-5, 2), Proved(2, 2), True),  # it may be as good
        (Proved(), Proved(2, 2), True),
        (None, Proved(2, 2), True),  # nothing is proved of it
    ],
)
def test_y7_a_move_proved_worse_is_not_played(
    worst: Proved | None, best: Proved, kept: bool
) -> None:
    liked = Analysis((4, 5), 8.0, values={4: Guess(8.0), 6: Guess(1.0)})
    known = {1: best} | ({4: worst} if worst else {})
    played = with_proof(liked, Analysis((1, 2, 3), proved=best, values=known))
    assert played.line == ((4, 5) if kept else (1, 2, 3))
    assert played.proved == best and known.items() <= played.values.items()
    assert played.values[6] == Guess(1.0), "what nothing is proven of stays a guess"


def in_many_games(spec: str, games: int, *more: float) -> Any:
    """The same with more games: it takes longer."""
    return pytest.param(spec, games, *more, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("spec", "games", "most"),
    [
        ("tictactoe", 40, 0.9),
        ("tictactoe:15,15,5", 8, 0.85),
        ("connect4", 20, 0.85),
        ("dots", 24, 0.85),
        ("dots:4,4", 12, 0.85),
        ("dots:5,5", 6, 0.85),
        ("adjacency", 12, 0.85),
        in_many_games("dots", 40, 0.85),
        in_many_games("dots:4,4", 24, 0.85),
        in_many_games("dots:5,5", 12, 0.85),
        in_many_games("adjacency", 30, 0.85),
    ],
)
@pytest.mark.thorough
def test_y8_a_beginner_beats_the_first_level_in_most_games_but_not_in_all(
    spec: str, games: int, most: float
) -> None:
    assert 0.5 <= beginners_score(Level(1), papan.game(spec), games) <= most


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("spec", "games"),
    [
        ("dots", 16),
        ("dots:4,4", 8),
        ("connect4", 8),
        ("connect4:7,10", 4),
        ("adjacency", 4),
        ("tictactoe:15,15,5", 4),
        in_many_games("dots", 30),
        in_many_games("dots:4,4", 16),
        in_many_games("connect4", 16),
        in_many_games("connect4:7,10", 8),
        in_many_games("adjacency", 8),
        in_many_games("tictactoe:15,15,5", 8),
    ],
)
def test_y8_the_third_level_beats_a_beginner(spec: str, games: int) -> None:
    assert beginners_score(Level(3), papan.game(spec), games) < 0.5


def test_y8_levels_slip_less_where_a_slip_costs_more() -> None:
    large, small = papan.game("dots:5,5"), papan.game("dots")
    assert all(slip_rate(each, large) < slip_rate(each, small) for each in (1, 2, 3, 4))


def test_y7_alone_at_a_board_the_two_strongest_levels_play_it_to_its_end() -> None:
    agents = [type(thinker(level, papan.position("onet:4,6"), seed=0)) for level in STRENGTHS]
    assert [agent is Mcts for agent in agents] == [False, False, False, True, True]
