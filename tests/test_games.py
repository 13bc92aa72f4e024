"""What every game promises, tried on every game in random play."""

import random
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import papan
from papan import catalog
from papan.core import (
    Game,
    IllegalMoveError,
    InvalidMoveError,
    InvalidPositionError,
    Position,
    View,
)
from papan.core.message import LANGUAGES, text_of
from papan.core.parts import Card, Drawing, Support

SIZES = {
    "tictactoe": ["tictactoe", "tictactoe:4,6,4", "tictactoe:2,15,3"],
    "connect4": ["connect4", "connect4:4,4", "connect4:8,10"],
    "dots": ["dots", "dots:1,1", "dots:2,4"],
    "adjacency": ["adjacency", "adjacency:5,6,7", "adjacency:8,8,8,first=o"],
    "onet": [
        "onet:4,6,5,3",
        "onet:3,5",
        "onet:4,6,5,3,paper",
        "onet:4,6,gravity=down",
        "onet:1,28,gravity=left",
        "onet:5,5,gravity=equator",
    ],
}
"""Where sizes and options matter, those to try; of every other game its usual size."""
SPECS = [spec for name in catalog.GAMES for spec in SIZES.get(name, [name])]
GAMES = [papan.game(spec) for spec in SPECS]


def draws(position: Position, what: str) -> bool:
    """Does the game draw that itself? What it need not draw, nobody can look at."""
    return getattr(type(Drawing.of(position)), what) is not getattr(Drawing, what)


@st.composite
def plays(draw: st.DrawFn) -> list[Position]:
    """A random game, from the first position to the last."""
    game = draw(st.sampled_from(GAMES))
    rng = random.Random(draw(st.integers(0, 2**32)))
    seen = [game.start()]
    while moves := seen[-1].moves():
        seen.append(seen[-1].child(rng.choice(moves)))
    return seen


@given(plays())
def test_moves_are_distinct_and_numbered_below_move_count(positions: list[Position]) -> None:
    for position in positions:
        moves = position.moves()
        assert len(set(moves)) == len(moves)
        assert all(0 <= move < position.game.move_count for move in moves)


@given(plays())
def test_exactly_the_legal_moves_are_allowed(positions: list[Position]) -> None:
    for position in (positions[0], positions[len(positions) // 2], positions[-1]):
        allowed = [move for move in range(position.game.move_count) if position.allows(move)]
        assert allowed == sorted(position.moves())


@pytest.mark.parametrize("game", GAMES, ids=SPECS)
def test_numbers_that_are_no_moves_are_not_allowed(game: Game) -> None:
    start = game.start()
    for number in (-1, -2, -game.move_count, game.move_count, 10**9):
        assert start.allows(number) is False


@given(plays())
def test_every_seat_has_a_score_and_the_turn_is_a_seat(positions: list[Position]) -> None:
    for position in positions:
        assert len(position.scores()) == position.game.seats
        assert position.turn in range(position.game.seats)


@given(plays())
def test_no_game_is_won_by_more_than_its_largest_margin(positions: list[Position]) -> None:
    if positions[-1].game.seats == 2:
        first, second = positions[-1].scores()
        assert abs(first - second) <= positions[-1].game.largest_margin


@given(plays())
def test_text_of_positions_and_moves_reads_back(positions: list[Position]) -> None:
    for position in positions:
        assert papan.position(str(position)) == position
        assert position.game.parse(str(position)) == position
        for move in position.moves():
            assert position.game.parse_move(position.game.move_name(move)) == move


@given(plays())
def test_playing_a_move_leaves_the_old_position_alone(positions: list[Position]) -> None:
    for position in positions:
        before = str(position)
        for move in position.moves():
            assert position.child(move) != position
        assert str(position) == before


@given(plays())
def test_equal_positions_have_equal_hashes(positions: list[Position]) -> None:
    for position in positions:
        assert hash(position.game.parse(str(position))) == hash(position)


@given(plays())
def test_moves_stay_legal_where_the_game_says_so(positions: list[Position]) -> None:
    if not positions[0].game.moves_stay:
        return
    for before, after in pairwise(positions):
        if after.moves():
            assert len(set(before.moves()) - set(after.moves())) == 1


@given(plays())
def test_an_estimate_is_a_margin_seen_from_both_sides(positions: list[Position]) -> None:
    for position in positions:
        game = position.game
        values = [Support.of(game).evaluate(position, seat) for seat in range(game.seats)]
        if game.seats == 2:
            assert values[0] == pytest.approx(-values[1])


@pytest.mark.thorough
@settings(max_examples=50)
@given(plays())
def test_pictures_show_every_position(positions: list[Position]) -> None:
    played = [(before, last_move(before, after)) for before, after in pairwise(positions)]
    for ply in range(0, len(positions), max(1, len(positions) // 4)):
        position = positions[ply]
        moves = position.moves()
        seen = tuple(played[:ply])
        view = View(seen, tuple(moves[:1]), dict.fromkeys(moves[1:2], "+1"))
        assert Drawing.of(position).picture(view).count("\n") >= 1 or not draws(position, "picture")
        for text in (position._repr_svg_(), Drawing.of(position).svg(view)):
            root = ElementTree.fromstring(text)
            names = [child.tag.rpartition("}")[2] for child in root]
            assert names[:2] == ["title", "desc"]
            assert root[0].text == str(position)
            assert root[1].text in (
                Drawing.of(position).picture(),
                Drawing.of(position).picture(view),
            )


def last_move(before: Position, after: Position) -> int:
    """The move that led from one position to the next."""
    return next(move for move in before.moves() if before.child(move) == after)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_the_spec_reads_back(game: Game) -> None:
    assert papan.game(game.spec) == game


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec)
def test_errors_name_the_culprit(game: Game) -> None:
    with pytest.raises(InvalidMoveError, match="'zz'"):
        game.start().after("zz")
    with pytest.raises(InvalidPositionError, match="'non sense at all' is not a position"):
        game.parse("non sense at all")
    position = game.start()
    while moves := position.moves():
        position = position.child(moves[0])
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.after(game.move_name(game.start().moves()[0]))


def test_any_space_parts_the_words_of_a_position() -> None:
    position = papan.position("tictactoe").after("a1")
    assert papan.position("\ttictactoe\nx../.../...\to ") == position


@given(st.text(max_size=40))
def test_any_text_is_either_a_position_or_a_clear_error(text: str) -> None:
    for spec in SPECS:
        try:
            position = papan.position(f"{spec} {text}")
        except papan.PapanError as error:
            assert str(error)
        else:
            assert papan.position(str(position)) == position


@pytest.mark.thorough
@settings(max_examples=50)
@given(plays())
def test_every_legal_move_can_be_pointed_at_in_the_picture(positions: list[Position]) -> None:
    for position in positions:
        if not draws(position, "spots"):
            return  # its moves are typed
        lines = Drawing.of(position).picture().splitlines()
        spots = Drawing.of(position).spots()
        for places in spots.values():
            assert all(0 <= row < len(lines) and column >= 0 for row, column in places)
        taken = [place for places in spots.values() for place in places]
        assert len(set(taken)) == len(taken)
        game = position.game
        names = (
            spots
            if Card.of(game).spots_in_a_move == 1
            else [a + b for a in spots for b in spots if a != b]
        )
        assert {game.parse_move(name) for name in names} >= set(position.moves())


@pytest.mark.thorough
@settings(max_examples=50)
@given(plays())
def test_every_move_can_be_pointed_out_and_labelled_inside_the_picture(
    positions: list[Position],
) -> None:
    for position in positions[:: max(1, len(positions) // 4)]:
        picture = ElementTree.fromstring(Drawing.of(position).svg())
        _, _, width, height = map(float, picture.get("viewBox", "").split())
        for move in position.moves()[:9] if draws(position, "highlight") else ():
            assert len(ElementTree.fromstring(f"<g>{Drawing.of(position).highlight(move)}</g>")) > 0
            point = Drawing.of(position).label_point(move)
            assert point is not None
            assert 0 < point[0] < width
            assert 0 < point[1] < height


@pytest.mark.parametrize("language", LANGUAGES)
@given(plays())
def test_what_experts_see_can_be_said_and_drawn(language: str, positions: list[Position]) -> None:
    for position in positions[:: max(1, len(positions) // 4)]:
        for feature in Drawing.of(position).features():
            assert text_of(feature.key, language, **feature.values) != feature.key
            ElementTree.fromstring(f"<g>{feature.svg}</g>")


@given(plays())
def test_y7_the_image_of_a_position_is_played_as_the_position_is(positions: list[Position]) -> None:
    for position in positions[:: max(1, len(positions) // 3)]:
        image = position.image()
        assert image.image() == image
        assert (image.turn, image.scores()) == (position.turn, position.scores())
        assert len(image.moves()) == len(position.moves())
        if len(position.moves()) < 30:
            mine, its = ([each.child(move) for move in each.moves()] for each in (position, image))
            assert {child.image() for child in mine} == {child.image() for child in its}
