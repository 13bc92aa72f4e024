"""Elo and its error: how much stronger a player is, and how sure a match can make us of it."""

from __future__ import annotations

import random
from math import log10, sqrt
from typing import NamedTuple

from papan import catalog
from papan.core import Move, Position, margin
from papan.lessons.lesson import Lesson, Scene, StepTable, Story, Text, TextValue

GAMES = (8, 32, 128)
SEED = 1
SURE = 1.96
"""So many standard errors to each side hold the truth in 95 of 100 matches."""


def expected(difference: float) -> float:
    """The score that Elo expects of whoever is ahead by *difference*."""
    return float(1 / (1 + 10 ** (-difference / 400)))


def elo(score: float) -> float:
    """The difference that a score speaks for."""
    return 400 * log10(score / (1 - score))


class Measured(NamedTuple):
    """What a match says: the score, and how far it may be off."""

    games: int
    score: float
    error: float

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest difference that fit."""
        return elo(self.score - self.error), elo(self.score + self.error)


def measure(scores: list[float]) -> Measured:
    """What the *scores* of games say: 1 for a win, a half for a draw."""
    games = len(scores)
    mean = sum(scores) / games
    spread = sqrt(sum((each - mean) ** 2 for each in scores) / games)
    return Measured(games, mean, SURE * spread / sqrt(games))


def attentive(position: Position, rng: random.Random) -> Move:
    """A win where there is one, else any move."""
    moves = position.moves()
    wins = [move for move in moves if margin(position.child(move), position.turn) > 0]
    return wins[0] if wins else rng.choice(moves)


class Match:
    """The attentive player against a random one, who begins every other game."""

    def __init__(self, root: Position) -> None:
        self.root, self.rng = root, random.Random(SEED)
        self.scores: list[float] = []
        self.last = Scene(root)

    def play(self, games: int) -> Measured:
        """Go on to so many games; what all of them say."""
        while len(self.scores) < games:
            seat, scene = len(self.scores) % 2, Scene(self.root)
            while moves := scene.position.moves():
                own = scene.position.turn == seat
                move = attentive(scene.position, self.rng) if own else self.rng.choice(moves)
                scene = scene.after(move)
            self.last = scene
            self.scores.append((margin(scene.position, seat) + 1) / 2)
        return measure(self.scores)


HEADS = (
    "lesson.head_games",
    "lesson.head_score",
    "lesson.head_elo",
    "lesson.head_lowest",
    "lesson.head_highest",
)


def rate(story: Story) -> list[Measured]:
    """The whole lesson; what the match says after each of its stages."""
    root = catalog.position("tictactoe")
    story.scene = Scene(root)
    story.add_step("lesson.elo_start", line="function")
    _expect(story)
    match = Match(root)
    found = [match.play(GAMES[0])]
    story.scene = match.last
    _few_games(story, match.scores, found[0])
    found.append(match.play(GAMES[1]))
    story.scene = match.last
    _halve(story, found)
    found.append(match.play(GAMES[2]))
    story.scene = match.last
    _finish(story, found)
    return found


def _expect(story: Story) -> None:
    """From a difference to a score."""
    story.ask_number(
        "score",
        50,
        "lesson.elo_ask_equal",
        why="lesson.elo_why_equal",
        slips={"lesson.elo_slip_nothing": 0, "lesson.elo_slip_everything": 100},
    )
    rows = tuple((each, round(100 * expected(each))) for each in (0, 100, 200, 400))
    table = StepTable(("lesson.head_difference", "lesson.head_score"), rows[:-1])
    half: dict[str, TextValue] = {"score": 50}
    story.add_step("lesson.elo_expected", half, line="elo", variables=half, table=table)
    far = rows[-1][1]
    why: dict[TextValue, Text] = {
        100: Text("lesson.elo_why_all"),
        75: Text("lesson.elo_why_three", {"elo": round(elo(0.75))}),
    }
    story.ask_choice("score", far, (75, far, 100), "lesson.elo_ask_far", why=why)
    table = StepTable(table.head, rows, marked=len(rows) - 1)
    facts: dict[str, TextValue] = {"score": far}
    story.add_step("lesson.elo_far", facts, line="elo", variables=facts, table=table)


def _few_games(story: Story, scores: list[float], found: Measured) -> None:
    """A few games: a score, an Elo, and what they do not prove."""
    wins, draws = scores.count(1), scores.count(0.5)
    facts: dict[str, TextValue] = {
        "games": found.games,
        "wins": wins,
        "draws": draws,
        "losses": scores.count(0),
    }
    story.add_step("lesson.elo_few", facts, line="play", variables=facts)
    percent = 100 * found.score
    story.ask_number(
        "score",
        percent,
        "lesson.elo_ask_score",
        why="lesson.elo_why_score",
        slips={
            "lesson.elo_slip_wins": 100 * wins / found.games,
            "lesson.elo_slip_points": wins + draws / 2,
        },
        **facts,
    )
    score: dict[str, TextValue] = {"score": percent}
    story.add_step("lesson.elo_score", score, line="score", variables=score)
    difference = round(elo(found.score))
    story.add_step(
        "lesson.elo_elo",
        {"score": percent, "elo": difference},
        line="elo",
        variables={"elo": difference},
    )
    low, high = map(round, found.ends)
    yes, no = "lesson.elo_yes", "lesson.elo_no"
    proved = yes if low > 0 else no
    why: dict[TextValue, Text] = {
        yes: Text("lesson.elo_why_proved", {"elo": difference}),
        no: Text("lesson.elo_why_not_proved", {"low": low}),
    }
    story.ask_choice("proved", proved, (yes, no), "lesson.elo_ask_proved", why=why)
    ends: dict[str, TextValue] = {"low": low, "high": high}
    story.add_step("lesson.elo_ends", ends, line="ends", variables={"proved": proved, **ends})


def _rows(found: list[Measured]) -> tuple[tuple[float, ...], ...]:
    """The match, stage by stage."""
    return tuple(
        (each.games, round(100 * each.score, 1), round(elo(each.score)), *map(round, each.ends))
        for each in found
    )


def _halve(story: Story, found: list[Measured]) -> None:
    """How the error shrinks: with the root of the games."""
    table = StepTable(HEADS, _rows(found))
    story.add_step("lesson.elo_more", {"games": found[-1].games}, line="play", table=table)
    story.ask_number(
        "times",
        4,
        "lesson.elo_ask_times",
        why="lesson.elo_why_times",
        slips={"lesson.elo_slip_twice": 2},
    )
    before, after = (round(100 * each.error) for each in found[-2:])
    facts: dict[str, TextValue] = {
        "times": 4,
        "before": before,
        "after": after,
        "few": found[-2].games,
        "many": found[-1].games,
    }
    story.add_step("lesson.elo_root", facts, line="error", variables={"times": 4}, table=table)


def _finish(story: Story, found: list[Measured]) -> None:
    """The longest match, and what the next one would cost."""
    rows = _rows(found)
    curves = {
        name: tuple(row[place] for row in rows)
        for name, place in (("lowest", 3), ("elo", 2), ("highest", 4))
    }
    table = StepTable(HEADS, rows, marked=len(rows) - 1)
    low, high = rows[-1][3:]
    facts: dict[str, TextValue] = {"games": found[-1].games, "low": low, "high": high}
    story.add_step("lesson.elo_long", facts, line="ends", table=table, curves=curves)
    games = found[-1].games
    story.ask_number(
        "games",
        4 * games,
        "lesson.elo_ask_games",
        why="lesson.elo_why_games",
        slips={"lesson.elo_slip_double": 2 * games, "lesson.elo_slip_three": 3 * games},
        games=games,
    )
    more: dict[str, TextValue] = {"games": 4 * games}
    story.add_step("lesson.elo_games", more, line="error", variables=more, curves=curves)
    story.add_step("lesson.elo_end", line="function")


LESSON = Lesson(
    "elo",
    "tictactoe",
    rate,
    ("function", "play", "score", "elo", "error", "ends"),
    agent="level:2",
    place=12,
)
