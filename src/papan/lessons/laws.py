"""Lessons on growth and measurement: work by board and ply, and the certainty of matches."""

from __future__ import annotations

import random
from math import factorial, log10, sqrt
from typing import NamedTuple

from papan import catalog
from papan.core import Move, Position, margin
from papan.core.reasons import wins
from papan.lessons import Lesson, Scene, StepTable, Story, TextValue, columns, reply

# Growth: work that grows with a power of the board, and work that each ply multiplies.

SIDES = (3, 6, 12)
PLIES = 4
FASTER = 100
"""Speed of the lesson's faster machine, as a multiple of this one's."""


def looks(side: int) -> int:
    """Return how many cells are examined to find the empty ones of *side* x *side*: all."""
    position = catalog.position(f"tictactoe:{side},{side},{side}")
    return len(position.write()[0].replace("/", ""))


def lines(position: Position, plies: int) -> int:
    """Return the number of sequences of *plies* legal moves from *position*, counted one by one.

    Games that end earlier count for nothing.
    """
    if plies == 0:
        return 1
    return sum(lines(position.child(move), plies - 1) for move in position.moves())


def least_leaves(moves: int, plies: int) -> int:
    """Return the fewest leaves of alpha-beta, where the best move always comes first.

    b^floor(m/2) + b^ceil(m/2) - 1, with b *moves* in each position and m *plies*.
    """
    return int(moves ** (plies // 2) + moves ** ((plies + 1) // 2)) - 1


def teach_growth(story: Story) -> dict[int, int]:
    """Add the steps of the lesson on growth; return the number of lines of play by their plies."""
    small = catalog.position("tictactoe")
    story.scene = Scene(small)
    story.add_step("growth_start", line="scan")
    _squares(story)
    found = _lines(story, small)
    _bound(story, found)
    wide = catalog.position("connect4")
    story.scene = Scene(wide)
    _factor(story, wide)
    _prune(story, len(wide.moves()))
    return found


def _squares(story: Story) -> None:
    """Add steps on n²: the number of cells of a board."""
    rows = tuple((side, looks(side)) for side in SIDES)
    story.add_step("growth_scan", line="look", table=columns("n looks", rows[:-1]))
    (_, before), (side, answer) = rows[-2:]
    slips = {"growth_slip_twice": 2 * before, "growth_slip_add": 2 * side}
    story.ask_number("looks", answer, "growth_looks", slips, side=side, before=before)
    table = columns("n looks", rows, marked=len(rows) - 1)
    facts = {"looks": answer, "before": before}
    story.add_step("growth_square", facts, line="column", variables="looks before", table=table)
    five = {"factor": looks(15) // looks(3), "looks": looks(15)}
    slips = {"growth_slip_rows": 5, "growth_slip_sum": 10}
    story.ask_number("factor", five["factor"], "growth_five", slips)
    story.add_step("growth_five", five, line="column", variables="factor looks")


def _lines(story: Story, root: Position) -> dict[int, int]:
    """Add steps on lines of play, which every ply multiplies; return their number by plies.

    Lines from *root* have 1 to `PLIES` plies.
    """
    found = {plies: lines(root, plies) for plies in range(1, PLIES + 1)}
    rows = tuple(found.items())
    moves = len(root.moves())
    facts = {"first": moves, "left": moves - 1, "lines": found[2]}
    table = columns("plies lines", rows[:2])
    story.add_step("growth_lines", facts, line="each", table=table)
    left = moves - 2
    slips = {"growth_slip_added": found[2] + left, "growth_slip_nine": found[2] * moves}
    story.ask_number("lines", found[3], "growth_lines", slips, lines=found[2], left=left)
    facts = {"lines": found[3], "before": found[2], "left": left, "next": found[PLIES]}
    table = columns("plies lines", rows, marked=2)
    story.add_step("growth_multiplied", facts, line="deeper", variables="lines", table=table)
    return found


ABOVE, EXACT, BELOW = "lesson.growth_above", "lesson.growth_exact", "lesson.growth_below"


def _bound(story: Story, found: dict[int, int]) -> None:
    """Add steps that show b^m as a bound if moves are used up: the paper's 9^9.

    *found* is what `_lines` returns.
    """
    moves = found[1]
    story.add_step("growth_power", {"moves": moves}, line="play")
    true = EXACT if found[PLIES] == moves**PLIES else ABOVE
    why = {
        EXACT: reply("growth_why_exact", moves=moves),
        BELOW: reply("growth_why_below", moves=moves),
    }
    story.ask_choice("power", true, (EXACT, ABOVE, BELOW), "growth_bound", why, moves=moves)
    rows = ((plies, count, moves**plies) for plies, count in found.items())
    table = columns("plies lines power", rows)
    facts: dict[str, TextValue] = {"all": moves**moves, "orders": factorial(moves), "power": true}
    story.add_step("growth_bound", facts, line="play", variables="power", table=table)


def _factor(story: Story, root: Position) -> None:
    """Add steps on the constant factor of a ply if no move is used up, and on a faster machine."""
    found = {plies: lines(root, plies) for plies in (1, 2, 3)}
    moves = len(root.moves())
    table = columns("plies lines", found.items())
    story.add_step("growth_columns", {"moves": moves}, line="each", table=table)
    slips = {"growth_slip_one": 1, "growth_slip_double": 2}
    story.ask_number("factor", moves, "growth_factor", slips, moves=moves)
    story.add_step("growth_factor", {"factor": moves}, line="deeper", variables="factor")
    more = next(plies for plies in range(99) if moves ** (plies + 1) > FASTER)
    slips = {"growth_slip_divided": FASTER // moves, "growth_slip_all": FASTER}
    story.ask_number("more", more, "growth_faster", slips, faster=FASTER, moves=moves)
    enough = {"enough": moves**more, "far": moves ** (more + 1)}
    facts = {"faster": FASTER, "moves": moves, "more": more, **enough}
    story.add_step("growth_faster", facts, line="deeper", variables="more")


def _prune(story: Story, moves: int) -> None:
    """Add steps that show both laws in one chart, and the effect of pruning on the second.

    *moves* is the number of moves in each position.
    """
    sizes = range(1, 9)
    curves = {
        "square": tuple(float(each**2) for each in sizes),
        "power": tuple(float(2**each) for each in sizes),
    }
    story.add_step("growth_beside", line="play", curves=curves)
    overtakes = next(n for n in range(2, 99) if all(2**m > m**2 for m in range(n, n + 9)))
    slips = {"growth_slip_equal": overtakes - 1}
    story.ask_number("overtakes", overtakes, "growth_overtakes", slips)
    facts = {"overtakes": overtakes}
    story.add_step("growth_overtakes", facts, line="play", variables="overtakes", curves=curves)
    rows = tuple((plies, moves**plies, least_leaves(moves, plies)) for plies in (2, 4, 6, 8))
    facts = {"moves": moves, "all": rows[-1][1], "least": rows[-1][2]}
    story.add_step("growth_prune", facts, line="play", table=columns("plies minimax least", rows))


GROWTH = Lesson(
    "growth",
    "tictactoe",
    teach_growth,
    ("scan", "row", "column", "look", "play", "stop", "each", "deeper"),
    agent="minimax",
    variants=("minimax:depth=3", "minimax:depth=4"),
    place=4,
)


# Elo and its error: how much stronger a player is, and how sure a match can make us of it.

MATCH_GAMES = (8, 32, 128)
SEED = 1
SURE = 1.96
"""Standard errors on each side of a 95 % interval."""


def expected(difference: float) -> float:
    """Return the expected score (0 to 1) of the player who is *difference* Elo ahead.

    1 / (1 + 10 ** (-difference / 400)).
    """
    return float(1 / (1 + 10 ** (-difference / 400)))


def _elo(score: float) -> float:
    """Return the Elo difference of a score: 400 * log10(score / (1 - score)).

    Raise ValueError or ZeroDivisionError unless *score* is between 0 and 1.
    """
    return 400 * log10(score / (1 - score))


class Measured(NamedTuple):
    """The result of a match for its first player."""

    games: int
    """Number of games."""
    score: float
    """Mean score, 0 to 1."""
    error: float
    """Half the width of the 95 % interval, on the scale of the score."""

    @property
    def ends(self) -> tuple[float, float]:
        """The lower and the upper end of the 95 % interval, as differences in Elo.

        Raise ValueError or ZeroDivisionError if an end is not between 0 and 1.
        """
        return _elo(self.score - self.error), _elo(self.score + self.error)


def measure(scores: list[float]) -> Measured:
    """Return number, mean and error of *scores*: 1 for a win, 0.5 for a draw, 0 for a loss.

    Raise ZeroDivisionError if there is none.
    """
    games = len(scores)
    mean = sum(scores) / games
    spread = sqrt(sum((each - mean) ** 2 for each in scores) / games)
    return Measured(games, mean, SURE * spread / sqrt(games))


def attentive(position: Position, rng: random.Random) -> Move:
    """Return the first move that wins at once; if there is none, a random one drawn by *rng*.

    Raise IndexError if the game is over.
    """
    won = wins(position)
    return won[0] if won else rng.choice(position.moves())


class AttentiveMatch:
    """A match of the attentive player against a random one from *root*; they begin alternately.

    `scores` has 1, 0.5 or 0 for the attentive player in each game; `last` is the final scene of the
    last game, with its moves (at first, *root*).
    """

    def __init__(self, root: Position) -> None:
        self.root, self.rng = root, random.Random(SEED)
        self.scores: list[float] = []
        self.last = Scene(root)

    def play(self, games: int) -> Measured:
        """Play until there are *games* games in all; return the attentive player's result of all.

        If there are as many or more already, none is played. Raise ZeroDivisionError if that is no
        game at all.
        """
        while len(self.scores) < games:
            seat, scene = len(self.scores) % 2, Scene(self.root)
            while moves := scene.position.moves():
                own = scene.position.turn == seat
                move = attentive(scene.position, self.rng) if own else self.rng.choice(moves)
                scene = scene.after(move)
            self.last = scene
            self.scores.append((margin(scene.position, seat) + 1) / 2)
        return measure(self.scores)


def rate(story: Story) -> list[Measured]:
    """Add the steps of the lesson on Elo; return the match's result after each `MATCH_GAMES`."""
    root = catalog.position("tictactoe")
    story.scene = Scene(root)
    story.add_step("elo_start", line="function")
    _expect(story)
    match = AttentiveMatch(root)
    found = [match.play(MATCH_GAMES[0])]
    story.scene = match.last
    _few_games(story, match.scores, found[0])
    found.append(match.play(MATCH_GAMES[1]))
    story.scene = match.last
    _halve(story, found)
    found.append(match.play(MATCH_GAMES[2]))
    story.scene = match.last
    _finish(story, found)
    return found


def _expect(story: Story) -> None:
    """Add steps that show how a difference in Elo gives an expected score."""
    slips = {"elo_slip_nothing": 0, "elo_slip_everything": 100}
    story.ask_number("score", 50, "elo_equal", slips)
    rows = tuple((each, round(100 * expected(each))) for each in (0, 100, 200, 400))
    table = columns("difference score", rows[:-1])
    story.add_step("elo_expected", {"score": 50}, line="elo", variables="score", table=table)
    far = rows[-1][1]
    why = {100: reply("elo_why_all"), 75: reply("elo_why_three", elo=round(_elo(0.75)))}
    story.ask_choice("score", far, (75, far, 100), "elo_far", why)
    table = columns("difference score", rows, marked=len(rows) - 1)
    story.add_step("elo_far", {"score": far}, line="elo", variables="score", table=table)


def _few_games(story: Story, scores: list[float], found: Measured) -> None:
    """Add steps on a few games: a score, an Elo difference, and what they do not prove.

    *scores* are those of the games (1, 0.5 or 0), *found* is their result.
    """
    wins, draws, losses = map(scores.count, (1, 0.5, 0))
    facts = {"games": found.games, "wins": wins, "draws": draws, "losses": losses}
    story.add_step("elo_few", facts, line="play", variables="games wins draws losses")
    percent = 100 * found.score
    slips = {"elo_slip_wins": 100 * wins / found.games, "elo_slip_points": wins + draws / 2}
    story.ask_number("score", percent, "elo_score", slips, **facts)
    story.add_step("elo_score", {"score": percent}, line="score", variables="score")
    difference = round(_elo(found.score))
    story.add_step("elo_elo", {"score": percent, "elo": difference}, line="elo", variables="elo")
    low, high = map(round, found.ends)
    yes, no = "lesson.elo_yes", "lesson.elo_no"
    proved = yes if low > 0 else no
    why = {
        yes: reply("elo_proved_why", elo=difference),
        no: reply("elo_why_not_proved", low=low),
    }
    story.ask_choice("proved", proved, (yes, no), "elo_proved", why)
    ends: dict[str, TextValue] = {"proved": proved, "low": low, "high": high}
    story.add_step("elo_ends", ends, line="ends", variables="proved low high")


def _table(found: list[Measured], marked: int | None = None) -> StepTable:
    """Return a table of the match with a row for each of *found*, its result after some games.

    Its columns are games, score (percent), Elo difference and both ends of its interval. *marked*
    is the index of the highlighted row, or None.
    """
    rows = (
        (each.games, round(100 * each.score, 1), round(_elo(each.score)), *map(round, each.ends))
        for each in found
    )
    return columns("games score elo lowest highest", rows, marked)


def _halve(story: Story, found: list[Measured]) -> None:
    """Add steps that show how the error shrinks with the square root of the number of games.

    *found* has the result of the match after each stage so far, two or more.
    """
    table = _table(found)
    story.add_step("elo_more", {"games": found[-1].games}, line="play", table=table)
    story.ask_number("times", 4, "elo_times", {"elo_slip_twice": 2})
    before, after = (round(100 * each.error) for each in found[-2:])
    few, many = (each.games for each in found[-2:])
    facts = {"times": 4, "before": before, "after": after, "few": few, "many": many}
    story.add_step("elo_root", facts, line="error", variables="times", table=table)


def _finish(story: Story, found: list[Measured]) -> None:
    """Add steps on the longest match, and on how many games would halve its error.

    *found* has the result of the match after each stage; the last one is the longest.
    """
    table = _table(found, marked=len(found) - 1)
    stages = {
        "lowest": [round(each.ends[0]) for each in found],
        "elo": [round(_elo(each.score)) for each in found],
        "highest": [round(each.ends[1]) for each in found],
    }
    curves = {name: tuple(points) for name, points in stages.items()}
    games, (low, high) = found[-1].games, map(round, found[-1].ends)
    facts = {"games": games, "low": low, "high": high}
    story.add_step("elo_long", facts, line="ends", table=table, curves=curves)
    slips = {"elo_slip_double": 2 * games, "elo_slip_three": 3 * games}
    story.ask_number("games", 4 * games, "elo_games", slips, games=games)
    more = {"games": 4 * games}
    story.add_step("elo_games", more, line="error", variables="games", curves=curves)
    story.add_step("elo_end", line="function")


ELO = Lesson(
    "elo",
    "tictactoe",
    rate,
    ("function", "play", "score", "elo", "error", "ends"),
    agent="level:2",
    place=12,
)
