"""What decides a theme: results, losses, how early, and which lines are hard to see."""

import pytest

from papan import catalog
from papan.core import Analysis, Position, Proved
from papan.puzzles import themes
from papan.puzzles.answers import PuzzleAnswer
from papan.puzzles.themes import PuzzleThemes

LINES = "tictactoe:3,3,3 xo./.../... x"
BOXES = "dots:1,2 1000000 2 0-0"
TILES = "onet:2,4 1,1,2,2/3,3,0,0"


def at(text: str) -> Position:
    return catalog.position(text)


@pytest.mark.parametrize(
    ("text", "before", "after", "lost"),
    [
        (LINES, 1, 0, "win"),
        (LINES, 1, -1, "game"),
        (LINES, 0, -1, "game"),
        (BOXES, 2, 1, "margin"),
        (BOXES, 2, 0, "win"),
        (BOXES, 0, -2, "game"),
        (BOXES, -1, -2, "margin"),
        (TILES, 8, 4, "board"),
    ],
)
def test_a_wrong_move_loses_the_win_the_game_points_or_the_board(
    text: str, before: float, after: float, lost: str
) -> None:
    found = Analysis((0,), proved=Proved.exactly(before))
    assert themes.loss(at(text), found, Proved.exactly(after)) == lost


@pytest.mark.parametrize(
    ("text", "low", "high", "result"),
    [
        (LINES, 1, 1, 1),
        (LINES, 0, 0, 0),
        (LINES, -1, -1, -1),
        (BOXES, 0.5, 2, 1),
        (BOXES, -2, -0.5, -1),
        (TILES, 8, 8, 1),
        (TILES, 6, 8, 0),
        (TILES, 0, 7, 0),
    ],
)
def test_a_result_is_won_drawn_or_lost_and_alone_cleared_or_not(
    text: str, low: float, high: float, result: int
) -> None:
    assert themes.result_of(at(text), Proved(low, high)) == result


def test_a_win_in_so_many_plies_takes_half_of_them_rounded_up() -> None:
    plies = {None: 0, 1: 1, 2: 1, 3: 2, 4: 2, 9: 5}
    assert {each: themes.moves_to_win(Analysis((), distance=each)) for each in plies} == plies


@pytest.mark.parametrize(
    ("text", "points", "distance", "played"),
    [
        (LINES, 1, 9, 20),
        (LINES, 1, None, 20),
        (LINES, 1, 10, 1),  # too late to be announced
        (LINES, 0, 3, 1),
        (LINES, -1, 3, 1),
        (BOXES, -2, 30, 20),
    ],
)
def test_of_a_line_sixteen_moves_are_played_at_most(
    text: str, points: float, distance: int | None, played: int
) -> None:
    line = tuple(range(20))
    found = Analysis(line, proved=Proved.exactly(points), distance=distance)
    assert PuzzleAnswer("win", at(text), found).line == line[: min(played, 16)]


@pytest.mark.parametrize(
    ("text", "theme", "possible"),
    [
        ("tictactoe:3,3,3 x../.o./..x o", "", True),
        ("tictactoe:3,3,3 x../.o./... x", "", False),  # a third of the marks are wanted
        ("tictactoe:4,4,3 xx../oo../xo../.... x", "win", True),
        ("tictactoe:4,4,3 xx../oo../x.../.... o", "win", False),
        ("tictactoe:3,3,3 xox/oxo/... x", "", True),
        ("tictactoe:3,3,3 xox/oxx/.o. o", "", False),  # and three moves to choose from
        ("onet:1,4 1,1,1,1", "", True),
        ("onet:1,4 1,1,2,2", "", True),
        ("onet:1,5 1,1,2,0,3", "", False),  # alone, two
        ("connect4:6,7 o..o.oo/xx.x.xx/oo.o.oo/xx.x.xx/xo.o.xx/oxoxoox o", "zugzwang", True),
        ("connect4:6,7 ......./......./......./.oox.../.xxoo../xoxoxxo x", "zugzwang", False),
        ("connect4:6,7 ......./......./......./.oox.../.xxoo../xoxoxxo x", "win", True),
        ("connect4:6,7 ......./......./......./.oox.../.xxoo../xoxoxx. o", "win", False),
    ],
)
def test_a_position_may_have_a_theme_once_it_looks_played_and_leaves_a_choice(
    text: str, theme: str, possible: bool
) -> None:
    assert themes.possible(theme, at(text)) == possible


@pytest.mark.parametrize(
    ("text", "line", "best", "hard"),
    [
        ("tictactoe:3,3,3 x.o/.xo/... x", "c3", 1, True),  # the own diagonal
        ("tictactoe:3,3,3 xx./oo./... x", "c1", 1, False),
        ("tictactoe:3,3,3 xox/oxo/... x", "a3", 1, True),
        ("tictactoe:3,3,3 xx./.xo/o.o x", "c1", 1, False),
        ("tictactoe:3,3,3 xox/o.o/xox x", "b2", 1, True),  # both
        ("tictactoe:3,3,3 .xx/oxo/oox x", "a1", 1, False),  # a row as well as a diagonal
        ("tictactoe:3,3,3 o../oxx/x.. o", "c1", 0, True),  # the rival's, if it is not stopped
        ("tictactoe:3,3,3 oo./x../x.. x", "c1", 0, False),
        ("tictactoe:3,3,3 x../.o./..x o", "b1", 0, False),  # nobody is about to win
    ],
)
def test_diagonals_are_hard_to_see_whoever_completes_them(
    text: str, line: str, best: float, hard: bool
) -> None:
    position = at(text)
    moves = [position.game.parse_move(name) for name in line.split()]
    values = {moves[0]: Proved.exactly(best)}
    found = Analysis((moves[0],), proved=Proved.exactly(best), values=values)
    assert PuzzleThemes.of(position.game).hard_to_see(position, found) == hard


FIVE_MOVES = "tictactoe:3,3,3 xx./oo./... x"
CHAIN = "dots:1,3 1111111000 1 0-0"
PAIRS = "onet:1,6 1,1,2,2,3,3"


@pytest.mark.parametrize(
    ("text", "values", "distance", "held"),
    [
        (FIVE_MOVES, (1, 0, -1, -1, -1), 1, "one"),
        (FIVE_MOVES, (1, 0, -1, -1, -1), 2, "only"),
        (FIVE_MOVES, (1, 0, -1, -1, -1), 3, "win only"),
        (FIVE_MOVES, (1, -1, -1, -1, -1), 9, "win only"),
        (FIVE_MOVES, (1, -1, -1, -1, -1), 10, "only"),
        (FIVE_MOVES, (1, -1, -1, -1, -1), None, "only"),
        (FIVE_MOVES, (1, 1, -1, -1, -1), 3, ""),
        (FIVE_MOVES, (0, -1, -1, -1, -1), 5, "draw"),
        (FIVE_MOVES, (0, 0, -1, -1, -1), 5, ""),
        (FIVE_MOVES, (-1, -1, -1, -1, -1), 4, ""),
        (FIVE_MOVES, (1, 0, -1), 3, "win only"),
        (FIVE_MOVES, (1, 0), 3, ""),  # three moves to choose from
        (CHAIN, (3, -3, -3), 3, "only"),
        (CHAIN, (3, 1, -3), 3, ""),
        (CHAIN, (0, -1, -3), 3, "draw"),
        (CHAIN, (3, -3, -3), 1, ""),
        (PAIRS, (6, 4), None, "pair clear"),
        (PAIRS, (6, 6, 4), None, "clear"),
        (PAIRS, (6, 6, 6), None, ""),
        (PAIRS, (4, 4), None, ""),
        (PAIRS, (6,), None, ""),
    ],
)
def test_a_theme_holds_where_one_move_alone_leads_to_the_best_result(
    text: str, values: tuple[float, ...], distance: int | None, held: str
) -> None:
    position = at(text)
    proved = dict(zip(position.moves(), map(Proved.exactly, values)))
    (best, most) = max(proved.items(), key=lambda each: each[1].low)
    found = Analysis((best,), proved=most, values=proved, distance=distance)
    by_values = ("one", "win", "draw", "only", "pair", "clear")
    claims = {name: themes.GENERAL[name](position, found) for name in by_values}
    assert [name for name in by_values if claims[name]] == held.split()
    kept = distance == 1 or bool({*held.split()} & {"win", "draw", "only"})
    assert themes.keeps(position, found) == kept


@pytest.mark.parametrize(
    ("text", "seat", "gains"),
    [
        (FIVE_MOVES, 0, True),
        (FIVE_MOVES, 1, False),  # it is not its turn
        ("tictactoe:3,3,3 x../.o./... x", 0, False),
        (CHAIN, 0, True),
        ("dots:1,3 1111110000 1 0-0", 0, False),
    ],
)
def test_who_scores_at_once_must_be_to_move(text: str, seat: int, gains: bool) -> None:
    assert themes.gains(at(text), seat) == gains


def test_no_other_theme_than_these_is_asked_for_the_special_ones_first() -> None:
    own = {
        "tictactoe": "zugzwang one block fork stack win draw",
        "connect4": "zugzwang one block fork stack win draw",
        "onet": "pair clear",
    }
    found = {name: PuzzleThemes.of(catalog.game(name)).claims for name in own}
    assert {name: " ".join(each) for name, each in found.items()} == own
    assert [name for name in themes.GENERAL if themes.lasting(name)] == ["clear", "win"]
