"""Themes of puzzles against brute force: one answer, hints, the cost of a wrong move, zugzwang."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from papan import catalog
from papan.core import Analysis, Position, Proved
from papan.puzzles import themes
from papan.puzzles.answers import PuzzleAnswer
from tests.brute_force import after_each, tried


def sign(value: float) -> int:
    return (value > 0) - (value < 0)


def endings(spec: str, plies: int, count: int) -> Iterator[tuple[Position, Analysis]]:
    """Positions by chance so many plies before their last move, with what the solver says."""
    rng = Random(f"themes {spec}")
    while count:
        positions = [catalog.game(spec).start()]
        while not positions[-1].is_over:
            positions.append(positions[-1].child(rng.choice(positions[-1].moves())))
        position = positions[max(0, len(positions) - 1 - plies)]
        if len(position.moves()) > 1 and (found := themes.truth(position)):
            yield position, found
            count -= 1


SOME = [("tictactoe", 4, 30), ("tictactoe", 6, 20), ("connect4:4,4", 6, 20), ("dots:2,2", 6, 20)]


@pytest.mark.parametrize(("spec", "plies", "count"), SOME)
def test_y7_one_move_alone_is_the_answer(spec: str, plies: int, count: int) -> None:
    for position, found in endings(spec, plies, count):
        results = sorted(map(sign, after_each(position).values()))
        value, distance = tried(position)
        alone = len(results) >= 3 and results[-1] > results[-2]
        wins, quick = alone and value > 0, position.game.largest_margin == 1
        claims = {
            theme: themes.GENERAL[theme](position, found) for theme in ("only", "draw", "win")
        }
        assert claims["only"] == (wins and (distance > 1 or not quick)), position
        assert claims["draw"] == (alone and results[-1] == 0), position
        assert claims["win"] == (wins and quick and 3 <= distance <= 9), position


@pytest.mark.parametrize(("spec", "plies", "count"), SOME)
def test_y7_a_hint_has_a_right_move_and_a_loss_has_its_name(
    spec: str, plies: int, count: int
) -> None:
    for position, found in endings(spec, plies, count):
        values = after_each(position)
        best = max(values.values())
        hint = [position.legal_move(name) for name in PuzzleAnswer("only", position, found).area]
        assert any(values[move] == best for move in hint), position
        for move, value in values.items():
            names = {True: "margin", False: "game" if value < 0 else "win"}
            if value < best:
                cost = themes.loss(position, found, Proved.exactly(value))
                assert cost == names[sign(value) == sign(best)], (str(position), move)


def test_y7_a_lost_win_is_no_lost_game() -> None:
    position = catalog.position("tictactoe:3,3,3 oxo/.../x.. x")
    found = themes.solved(position)
    assert tried(position)[0] == 1
    costs = [themes.loss(position, found, Proved.exactly(value)) for value in (0, -1)]
    assert costs == ["win", "game"]


def wins_at_once(position: Position) -> set[int]:
    return {move for move in position.moves() if position.child(move).winner == position.turn}


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:4,4,3"])
def test_y7_two_threats_are_no_zugzwang(spec: str) -> None:
    """The rival of a fork loses whatever it does, but not because it has to do something."""
    forks = 0
    for position, found in endings(spec, 3, 30):
        after = position.child(found.move)
        answers = {move: after.child(move) for move in after.moves()}
        if not answers or any(each.is_over for each in answers.values()):
            continue
        wins = {move: wins_at_once(each) for move, each in answers.items()}
        counts = Counter(win for each in wins.values() for win in each)
        if all(wins.values()) and max(counts.values()) > 1:
            forks += 1
            assert not themes.GENERAL["zugzwang"](position, found), position
    assert forks


def leaves_harm_alone(position: Position) -> bool:
    """Dots and Boxes: is there no box to take, and does every line give one away?"""
    boxes = sum(position.scores())
    children = [position.child(move) for move in position.moves()]

    def takes(each: Position) -> bool:
        return any(sum(each.child(move).scores()) > boxes for move in each.moves())

    quiet = all(sum(each.scores()) == boxes for each in children)
    return bool(children) and quiet and all(map(takes, children))


ZUGZWANGS = {
    "dots:2,3 11110010100001110 1 1-0": 2,
    "dots:2,3 00110111010110001 1 1-0": 2,
    "dots:2,3 11110110000111100 1 2-0": 1,
    "dots:2,3 11110011111001100 2 2-0": 1,
}
"""Positions of zugzwang, and the lines that leave the rival nothing but lines that harm."""


@pytest.mark.parametrize(("text", "lines"), ZUGZWANGS.items())
def test_y5_the_question_of_a_zugzwang_is_true(text: str, lines: int) -> None:
    """One line alone keeps the result, and it leaves the rival nothing but lines that harm.

    Another line may leave that too, so the question does not say that it is the only one.
    """
    position = catalog.position(text)
    assert themes.GENERAL["zugzwang"](position, themes.solved(position))
    values = after_each(position)
    right = [move for move in values if sign(values[move]) == sign(max(values.values()))]
    assert len(right) == 1 and leaves_harm_alone(position.child(right[0]))
    assert sum(leaves_harm_alone(position.child(move)) for move in values) == lines


@pytest.mark.parametrize(
    "text", ["dots:2,2 000101000011 2 0-1", "dots:2,2 011100110010 1 0-0", "dots:2,2"]
)
def test_y7_the_boxes_that_a_right_line_brings_are_those_at_the_end(text: str) -> None:
    position = catalog.position(text)
    answer = PuzzleAnswer("chains", position, themes.solved(position))
    assert answer.why.values["own"] == (4 + tried(position)[0]) / 2


def test_y7_who_can_win_at_once_is_not_asked_to_block() -> None:
    position = catalog.position("tictactoe:3,3,3 xx./..o/..o x")
    found = themes.solved(position)
    assert themes.GENERAL["one"](position, found)
    assert not themes.GENERAL["block"](position, found)
