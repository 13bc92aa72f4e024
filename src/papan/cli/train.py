"""``papan train``: a player that learns a small board by itself, on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Optional

import typer

from papan import catalog
from papan.agents.learned import Learned, Plan
from papan.cli.arguments import GameArgument, Seed
from papan.core import Game, InvalidSpecError
from papan.lab.statistics import Tally, elo_difference, with_ends
from papan.terminal.output import progress, say

if TYPE_CHECKING:
    from papan.train.tables import Stage

MOST_GAMES = 10**9
USUAL_GAMES = {9: 50_000, 64: 400_000}
"""By the most cells of a board: what takes a minute or so."""
STAGES = 20
"""How often a training is measured and kept."""
WIDE = 20
"""Characters of the curve."""


def train(
    game: GameArgument,
    games: Annotated[Optional[int], typer.Option(metavar="N")] = None,  # noqa: UP045
    seed: Seed = Plan.seed,
    exploration: Annotated[float, typer.Option(metavar="X")] = Plan.exploration,
    rate: Annotated[float, typer.Option(metavar="X")] = Plan.rate,
    player: Annotated[str, typer.Option(metavar="NAME")] = "",
    anew: Annotated[bool, typer.Option("--anew")] = False,
) -> None:
    """Let a player learn a small board by games against itself; then it is an agent."""
    agent = Learned(player=player, exploration=exploration, rate=rate)  # raises where one is wrong
    if games is not None and not 0 < games <= MOST_GAMES:
        raise InvalidSpecError("train.bad_games", games=games, most=MOST_GAMES)
    from papan.train.tables import ANCHORS, Training  # brings Numba

    board = catalog.game(game)
    training = Training(board, Plan(agent.exploration, agent.rate, seed), player, anew)
    wanted = games or usual_games(board)
    progress(say("train.begin", game=board.spec, games=wanted))
    print(say("train.heads", anchors=", ".join(ANCHORS)))
    for stage in training.stages:
        show(stage)
    training.run(wanted, wanted // STAGES, show)
    spec = Learned(player=player).spec
    print(say("train.done", agent=spec, game=board.spec, path=training.path))


def usual_games(game: Game) -> int:
    """How many games a board needs."""
    strips = game.strips
    assert strips is not None  # a player has been made of it
    return next(
        games for cells, games in USUAL_GAMES.items() if strips.total * strips.cells <= cells
    )


def show(stage: Stage) -> None:
    """One line of the curve; the bar is how often it errs."""
    full = round(WIDE * stage.errors)
    bar = "#" * full + "." * (WIDE - full)
    facts = f"{stage.games:>10,}  {stage.loss:.4f}  {bar}  {stage.errors:>6.1%}  {stage.regret:.3f}"
    print(facts, *(f"  {score_and_elo(each)}" for each in stage.results), flush=True)


def score_and_elo(result: Tally) -> str:
    """What it got of an anchor's points, and how much stronger that makes it."""
    return f"{result.score:>4.0%} {with_ends(elo_difference(result)):>26}"
