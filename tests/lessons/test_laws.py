"""What the lessons about growth, Elo, evaluation and deepening claim, computed another way."""

from math import comb, factorial

import pytest

from papan import api, catalog
from papan.core import Move, Position
from papan.lab.statistics.elo import ScoreTally, elo_difference, elo_of, expected_score
from papan.lessons import Pruning, Story, Truth, laws
from papan.lessons import depth as searching


def _visited(spec: str, depth: int) -> int:
    """How many positions plain minimax looks at."""
    return catalog.agent("minimax", depth=depth).analyse(catalog.position(spec)).nodes


def test_the_lines_of_play_of_growth_are_what_minimax_visits() -> None:
    found = laws.teach_growth(Story())
    assert found == {plies: factorial(9) // factorial(9 - plies) for plies in range(1, 5)}
    for plies in (2, 3):
        assert _visited("tictactoe", plies) - _visited("tictactoe", plies - 1) == found[plies]
        assert _visited("connect4", plies) - _visited("connect4", plies - 1) == 7**plies


class Tree:
    """A tree whose ends are worth the same to both sides, searched with the best move first."""

    def __init__(self, moves: int) -> None:
        self.moves, self.ends = moves, 0

    def value(self, depth: int, alpha: float = -1, beta: float = 1) -> float:
        """Alpha-beta: the first move of every place is as good as any."""
        if depth == 0:
            self.ends += 1
            return 0
        for _ in range(self.moves):
            alpha = max(alpha, -self.value(depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha


@pytest.mark.parametrize(("moves", "plies"), [(7, 2), (7, 4), (3, 5)])
def test_alphabeta_at_its_best_looks_at_as_many_ends_as_growth_says(moves: int, plies: int) -> None:
    tree = Tree(moves)
    assert tree.value(plies) == 0
    assert tree.ends == laws.least_leaves(moves, plies)


def test_the_formulas_of_elo_are_those_of_the_laboratory() -> None:
    for difference in (0, 100, 400):
        assert laws.expected(difference) == pytest.approx(expected_score(difference))
    for score in (0.5, 0.625, 0.75):
        assert laws._elo(score) == pytest.approx(elo_of(score))


def test_what_the_match_of_elo_shows_the_laboratory_shows_too() -> None:
    few, *_, many = found = laws.rate(Story())
    match = laws.AttentiveMatch(catalog.position("tictactoe"))
    for each in found:
        match.play(each.games)
        counts = tuple(match.scores.count(score) for score in (0, 0.5, 1))
        interval = elo_difference(ScoreTally(counts))
        assert interval.value == pytest.approx(laws._elo(each.score))
        assert (interval.low > 0) == (each.ends[0] > 0)
        near = 1_000 / each.games  # the simple formula is rough where there are few games
        assert each.ends == pytest.approx((interval.low, interval.high), abs=near)
    assert few.ends[0] < 0 < many.ends[0]
    assert [round(100 * each.error) for each in found] == [29, 14, 7]
    equal = sum(comb(8, wins) for wins in range(5, 9)) / 2**8
    assert equal > 1 / 3  # how often equal players, too, have five points of eight


def test_the_guess_of_evaluation_fails_and_both_remedies_help() -> None:
    root = catalog.position(searching.GUESSED)
    found = searching.judge(Story())
    best = Truth().best(root)
    solved = api.solve(root, all_moves=True)
    assert best == list(solved.best)
    assert solved.value == 0
    assert _favourite(found[0]) not in best
    assert [_favourite(found[1])] == best
    for depth in (1, 2, 3):  # the real agent has the better guess
        assert catalog.agent("minimax", depth=depth).analyse(root).move in best


def _favourite(values: dict[Move, float]) -> Move:
    return max(values, key=lambda move: values[move])


def test_every_round_of_deepening_finds_what_minimax_finds() -> None:
    root = catalog.position(searching.DEEPENED)
    found = searching.deepen(Story())
    for each in found:
        analysis = catalog.agent("minimax", depth=each.depth).analyse(root)
        assert each.value == pytest.approx(analysis.value)
        assert _kept(root, each.best, each.depth) == pytest.approx(each.value)
    solved = api.solve(root)
    assert found[-1].value == solved.value
    assert found[-1].best in solved.best


def _kept(root: Position, move: Move, depth: int) -> float:
    """What minimax says of one move."""
    value = catalog.agent("minimax", depth=depth).analyse(root).values[move]
    return value.number


def test_the_rounds_of_deepening_cost_less_than_they_save() -> None:
    wide = catalog.position(searching.WIDE)
    rounds = searching.rounds(wide, searching.DEPTH)
    direct = searching.look_at_root(Pruning(wide), searching.DEPTH)
    assert rounds[-1].value == direct.value
    assert sum(each.nodes for each in rounds) < direct.nodes
    small = catalog.position(searching.DEEPENED)  # here they do not, as the lesson says
    rounds = searching.rounds(small, len(small.moves()))
    direct = searching.look_at_root(Pruning(small), len(small.moves()))
    assert sum(each.nodes for each in rounds) > direct.nodes


def test_y7_the_lesson_on_elo_counts_draws_and_losses_apart() -> None:
    """In the first games of its match there are as many of both, which hides a swap."""
    story, scores = Story(), [1.0, 1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 1.0]
    laws._few_games(story, scores, laws.measure(scores))
    counts = {"games": 8, "wins": 4, "draws": 1, "losses": 3}
    assert story.steps[0].variables == counts
