"""The lessons on algorithms, step by step as they are shown: boards, trees, tables, questions."""

import pytest

from papan.lessons import LESSONS, steps

from .outlines import ALGORITHM_STEPS, outline, parts

STEPS = parts(ALGORITHM_STEPS)


@pytest.mark.parametrize(("name", "lines"), STEPS.items(), ids=STEPS)
def test_every_step_of_a_lesson_is_as_written_down(name: str, lines: list[str]) -> None:
    assert outline(steps(name)) == lines


def test_every_lesson_on_an_algorithm_is_written_down() -> None:
    modules = {name: each.run.__module__ for name, each in LESSONS.items()}
    assert [name for name in modules if modules[name].startswith("papan.lessons.")] == [*STEPS]
    facts = {
        name: (each.game, each.kind, each.place, each.agent, len(each.variants), len(each.lines))
        for name, each in LESSONS.items()
        if name in STEPS
    }
    assert facts == {
        "random": ("tictactoe", "algorithm", 1, "random", 2, 4),
        "growth": ("tictactoe", "algorithm", 4, "minimax", 2, 8),
        "minimax": ("tictactoe", "algorithm", 4, "minimax", 2, 6),
        "alphabeta": ("tictactoe", "algorithm", 5, "alphabeta", 2, 8),
        "evaluation": ("tictactoe", "algorithm", 5, "minimax:depth=2", 2, 8),
        "deepening": ("adjacency", "algorithm", 6, "alphabeta", 2, 6),
        "table": ("tictactoe", "algorithm", 6, "alphabeta", 2, 7),
        "proof": ("connect4", "algorithm", 7, "solver", 2, 4),
        "hillclimb": ("adjacency", "algorithm", 8, "hillclimb", 2, 5),
        "genetic": ("adjacency", "algorithm", 9, "genetic", 2, 6),
        "mcts": ("connect4", "algorithm", 10, "mcts", 2, 6),
        "learning": ("tictactoe", "algorithm", 11, "learned:games=30000", 0, 7),
        "elo": ("tictactoe", "algorithm", 12, "level:2", 0, 6),
    }
