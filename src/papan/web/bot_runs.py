"""Runs of a bot of the workshop in a worker: check it, watch it in a game, measure it.

A worker of the workshop runs in a process of its own, as all do; the bot runs in the sandbox, as a
process of that process.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

from papan import catalog
from papan.core import Agent, Game, Limit, PapanError, Progress, View
from papan.core.agent import reseeded
from papan.core.parts import Drawing, Setup
from papan.core.record import BLAMED
from papan.core.thinking import Cancelled
from papan.lab.bots import (
    BotProblem,
    BotStrength,
    StrengthPlan,
    WatchedMove,
    bot_spec,
    compile_bot,
    forfeit_problem,
    measured_strength,
    watched_game,
)
from papan.lab.match import MatchGame
from papan.lab.referee import GameCancelled, TrialPlan, try_out
from papan.lab.statistics.elo import interval_facts
from papan.process.lines import Emit, WireMessage

RIVALS = ("level:1", "level:2", "level:3")
"""Specs of papan's own agents against which a bot is measured."""
RATED_GAMES = 30
MOST_PROBLEMS = 5
"""Number of problems of one run that are shown, at most."""
AGAIN_SHARE = 5
"""One of this many questions is asked a second time."""
LEAST_DEADLINE = 10.0
"""Seconds for an answer that a bot has at least, as its machine may be busy."""
BOT_MEMORY = 1024
"""Megabytes that a bot of the workshop and of the arena may use."""


def compiled_name(name: str) -> str:
    """Return the name of the program that a bot in C becomes, beside its file: *name* and
    ``.compiled``.
    """
    return f"{name}.compiled"


def confined_spec(file: Path, seconds: float) -> str:
    """Return the spec of the agent that runs the bot in *file* in the sandbox.

    It may use `BOT_MEMORY` megabytes, and has *seconds* for each answer, at most. Raise KeyError if
    the suffix of *file* is not one of `BOT_SUFFIXES`.
    """
    options = f"deadline={seconds:g},memory={BOT_MEMORY},confined=file"
    built = file.with_name(compiled_name(file.name))
    return bot_spec(file, built, BOT_MEMORY, options)


class BotRun:
    """One run of the bot in *file*: to check it, to watch it in a game, or to rate it.

    *asked* has the fields of `papan.web.workshop.BotOrder` but name and source, as JSON data;
    *emit* gets each event, a dict with its kind as ``t``; the run stops once *cancelled* returns
    True.
    """

    def __init__(self, file: Path, asked: dict[str, Any], emit: Emit, cancelled: Cancelled) -> None:
        self.file, self.asked, self.emit, self.cancelled = file, asked, emit, cancelled
        self.limit = Limit(seconds=asked["seconds"])

    def answer(self) -> WireMessage:
        """Carry out the run that was asked for and return its last event, of the kind ``answer``.

        It has what `check`, `watch` or `rate` returns; faults of the bot are in the list
        *problems*. If a check or a game to watch is stopped, it has only *stopped* (True) and empty
        *problems*; if anything raises PapanError, only *problems* with that one. The event
        ``start`` is emitted first. Never raises PapanError.
        """
        runs: dict[str, Callable[[Agent], WireMessage]] = {
            "check": self.check,
            "watch": self.watch,
            "rate": self.rate,
        }
        self.emit({"t": "start"})
        try:
            with own_agent(self.file, self.limit.seconds) as bot:
                return {"t": "answer", **runs[self.asked["run"]](bot)}
        except GameCancelled:
            return {"t": "answer", "stopped": True, "problems": []}
        except PapanError as error:
            return {"t": "answer", "problems": [problem_facts(BotProblem.of(error, self.file))]}

    def check(self, bot: Agent) -> WireMessage:
        """Ask *bot* for moves in many positions and return the result as JSON data.

        Its keys: *fine* (True: no fault, no changed answer), *games* (names), *positions* (number
        asked), *repeated* (number asked twice), *changed* (positions as text in which the second
        answer differs), *median* and *longest* (seconds of a legal answer; None: there is none),
        *memory* (bytes at most; 0: not measured) and *problems* (as by `problem_facts`). Of changed
        answers and of problems there are the first `MOST_PROBLEMS`. Without a fault, one in
        `AGAIN_SHARE` positions is asked twice; some faults end the run early. The event
        ``progress`` is emitted after each position that is asked the first time. Raise PapanError
        if the bot does not play the game, or none of papan's, GameCancelled if the run is stopped.
        """
        count = self.asked["positions"]
        plan = TrialPlan(
            self._games(bot), count, count // AGAIN_SHARE, self.asked["seed"], self.limit
        )
        trial = try_out(bot, plan, bot.close, self._progress)
        found = [BotProblem.of_fault(each, self.file) for each in trial.faults[:MOST_PROBLEMS]]
        return {
            "fine": trial.fine,
            "games": [game.name for game in plan.games],
            "positions": len(trial.seconds) + len(trial.faults),
            "repeated": trial.repeated,
            "changed": list(trial.changed[:MOST_PROBLEMS]),
            "median": median(trial.seconds) if trial.seconds else None,
            "longest": max(trial.seconds, default=None),
            "memory": bot.peak_memory(),
            "problems": [problem_facts(each) for each in found],
        }

    def watch(self, bot: Agent) -> WireMessage:
        """Play one game of *bot*, against a rival in games for two; return the result as JSON data.

        Its keys: *start* (the first position as text), *moves* (names), *end*, *winner* and
        *scores* as in a `Record`, *seat* (the bot's, 0 or 1) and *problems* (at most one, as by
        `problem_facts`). The event ``board`` is emitted first, then ``move`` after each move. Raise
        PapanError if there is no such game or rival, or one of the two cannot play the game,
        GameCancelled if the run is stopped.
        """
        game = Setup.of(self._game(bot)).deal(self.asked["seed"])
        start, seat = game.start(), int(self.asked["second"] and game.seats == 2)
        rival = reseeded(catalog.agent(self.asked["rival"]), self.asked["seed"])
        bot = reseeded(bot, self.asked["seed"])
        if game.seats == 2:
            rival.check_plays(game)
        agents = [rival] * game.seats
        agents[seat] = bot
        played: list[tuple[Any, int]] = []

        def show(made: WatchedMove) -> None:
            played.append((made.before, made.choice))
            svg = Drawing.of(made.position).svg(View(played=tuple(played)))
            output = getattr(bot, "printed", "") if made.seat == seat else ""
            facts = {"number": made.number, "seat": made.seat, "move": made.move}
            self.emit({"t": "move", **facts, "svg": svg, "output": output})

        self.emit({"t": "board", "svg": Drawing.of(start).svg(), "seat": seat})
        record = watched_game(start, agents, self.limit, show, self.cancelled)
        own_fault = record.end in BLAMED and record.blame == seat + 1
        problem = [forfeit_problem(record, game, self.file)] if own_fault else []
        facts = {name: getattr(record, name) for name in ("start", "moves", "end", "winner")}
        return {
            **facts,
            "scores": list(record.scores),
            "seat": seat,
            "problems": [problem_facts(each) for each in problem],
        }

    def rate(self, bot: Agent) -> WireMessage:
        """Play `RATED_GAMES` games against `RIVALS` and return the strength of *bot* as JSON data.

        Its keys: *strength* (as by `strength_facts`; None if nothing is known), *stopped* (True if
        games are missing), *forfeits* (the number of games that the bot forfeited) and *problems*
        (of the first `MOST_PROBLEMS` of these, as by `problem_facts`). The event ``game`` is
        emitted after each game. Raise PapanError if the bot does not play the game; a run that is
        stopped ends with what was played.
        """
        game = self._game(bot)
        rivals = tuple(catalog.agent(each) for each in RIVALS)
        pairs = RATED_GAMES // (2 * len(rivals))
        plan = StrengthPlan(game, rivals, pairs, self.limit, self.asked["seed"])
        problems, done = list[BotProblem](), 0

        def count(rival: str, played: MatchGame) -> None:
            nonlocal done
            done += 1
            if played.culprit == 0:
                problems.append(forfeit_problem(played.record, game, self.file))
            outcome = played.outcome(0) if game.seats == 2 else None
            facts = {"number": done, "total": RATED_GAMES, "rival": rival, "outcome": outcome}
            self.emit({"t": "game", **facts})

        found = measured_strength(bot, plan, count, self.cancelled)
        return {
            "strength": None if found is None else strength_facts(found),
            "stopped": done < RATED_GAMES,
            "forfeits": len(problems),
            "problems": [problem_facts(each) for each in problems[:MOST_PROBLEMS]],
        }

    def _progress(self, made: Progress) -> None:
        if self.cancelled():
            raise GameCancelled
        self.emit({"t": "progress", "done": int(made.done), "total": int(made.total)})

    def _games(self, bot: Agent) -> list[Game]:
        """Return the game that is asked for in a list; without one all games that *bot* plays, in
        usual sizes.

        Raise PapanError if it does not play the game that is asked for, or plays none.
        """
        if self.asked["game"]:
            return [self._game(bot)]
        games = [kind() for kind in catalog.GAMES.values()]
        played = [game for game in games if bot.plays(game)]
        if not played:
            raise bot.refusal(games[0])
        return played

    def _game(self, bot: Agent) -> Game:
        game = catalog.game(self.asked["game"])
        bot.check_plays(game)
        return game


def own_agent(file: Path, seconds: float) -> Agent:
    """Return the agent that runs the bot in *file* in the sandbox; a bot in C is compiled unless it
    was.

    *seconds* are its time for a move, raised to `LEAST_DEADLINE`. Raise PapanError, with the
    compiler's output as a note, if it cannot be used, OSError if the compiled program cannot be
    written.
    """
    built = file.with_name(compiled_name(file.name))
    if file.suffix == ".c" and not built.exists():
        compile_bot(file, built)
    return catalog.external_agent(confined_spec(file, max(seconds, LEAST_DEADLINE)))


def problem_facts(problem: BotProblem) -> dict[str, Any]:
    """Return *problem* as JSON data: its kind, output, line, position, and why.

    *kind* is ``illegal``, ``crash`` or ``timeout``; *output* is what the bot printed; *line* that
    of its file which failed, from 1, or None; *position* a text, empty before the first question;
    *why* the key and values of a sentence.
    """
    facts = {name: getattr(problem, name) for name in ("kind", "output", "line", "position")}
    return facts | {"why": problem.error.shown.json()}


def strength_facts(strength: BotStrength) -> dict[str, Any]:
    """Return a strength as JSON data: games (their number), elo and scores.

    *elo* is above the mean of the rivals: value, low and high of its 95 % interval (None:
    infinite). *scores* has for each rival (a spec) wins, draws and losses of the bot, and its elo
    above that rival.
    """
    scores = [
        {
            "rival": each.rival,
            "wins": each.wins,
            "draws": each.draws,
            "losses": each.losses,
            "elo": asdict(interval_facts(each.elo)),
        }
        for each in strength.scores
    ]
    return {"games": strength.games, "elo": asdict(interval_facts(strength.elo)), "scores": scores}
