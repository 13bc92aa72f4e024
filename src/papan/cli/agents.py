"""``papan games``, ``agents``, ``bot`` and ``train``: list what there is, make and test players."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from shlex import quote
from statistics import median
from textwrap import indent
from time import sleep
from typing import TYPE_CHECKING, Annotated

import typer

from papan import catalog
from papan.agents.external import ExternalAgent
from papan.agents.learned import Learned
from papan.agents.learned_tables import TrainingPlan
from papan.cli.arguments import (
    USUAL,
    Confined,
    FileArgument,
    GameArgument,
    GameOption,
    JsonOption,
    PositionArgument,
    Seconds,
    Seed,
    argument,
    limit_of,
    position_of,
)
from papan.core import Agent, Game, InvalidSpecError, PapanError, Progress
from papan.core.interrupts import Interrupted
from papan.core.numbers import megabytes
from papan.core.parts import Card, Drawing, Support
from papan.core.record import End
from papan.lab.bots import BOT_SUFFIXES, template
from papan.lab.referee import BotTrial, TrialPlan, try_out
from papan.lab.statistics.elo import ScoreTally, elo_difference
from papan.lab.statistics.intervals import with_ends
from papan.terminal.output import (
    about,
    figure,
    in_local_figures,
    language,
    print_json,
    print_table,
    print_tail,
    program,
    progress,
    say,
    source,
)

if TYPE_CHECKING:
    from papan.training import TrainingStage


def games(json: JsonOption = False) -> None:
    """Print all games with their titles and sizes, in the order of menus, as a table or as JSON.

    JSON is a list of what `_game_facts` returns.
    """
    kinds = catalog.GAMES.values()
    if json:
        print_json([_game_facts(kind) for kind in kinds])
        return
    print_table(
        [say("list.name"), say("list.title"), say("list.sizes")],
        [
            [kind.name, about(kind), " ".join([kind().spec, *Card.of(kind()).presets])]
            for kind in kinds
        ],
    )


def _game_facts(kind: type[Game]) -> dict[str, object]:
    """Return a game as JSON data: name, title, spec (of its usual size), presets (specs), seats.

    *title* is in the run's language, *seats* their number, 1 or 2.
    """
    facts = {"name": kind.name, "title": about(kind), "spec": kind().spec}
    return facts | {"presets": list(Card.of(kind()).presets), "seats": kind.seats}


def agents(
    game: GameOption = "",
    json: JsonOption = False,
) -> None:
    """Print all agents with their settings, or those that can play *game*, as a table or JSON.

    *game* is a spec, empty for any game; raise PapanError if it is unknown. JSON is a list of what
    `_agent_facts` returns. Only the table has rows for the bots and programs of users, which come
    last whatever the *game*, and with a *game* one row for each level.
    """
    rules = catalog.game(game) if game else None
    kinds = [kind for kind in catalog.AGENTS.values() if rules is None or kind().plays(rules)]
    if json:
        print_json([_agent_facts(kind) for kind in kinds])
        return
    names = catalog.agent_names(rules) if rules else catalog.AGENTS  # a game's levels one by one
    known = {name: catalog.AGENTS[name.partition(":")[0]] for name in names}
    print_table(
        [say("list.name"), say("list.about"), say("list.source"), say("list.settings")],
        [
            [name, about(kind), source(kind), _settings(kind)]
            for name, kind in (*known.items(), *catalog.EXTERNAL.items())
        ],
    )


def _agent_facts(kind: type[Agent]) -> dict[str, object]:
    """Return an agent as JSON data: name, about, source, settings, and games that it plays.

    *about* and *source* (empty if it is from no paper) are in the run's language; *settings* has
    the default of each setting by its name; *games* has the names of the games whose usual size it
    plays.
    """
    plays = [name for name, game in catalog.GAMES.items() if kind().plays(game())]
    settings = {field.name: field.default for field in fields(kind)}
    facts = {"name": kind.name, "about": about(kind), "source": source(kind)}
    return facts | {"settings": settings, "games": plays}


def _settings(kind: type[Agent]) -> str:
    return ",".join(f"{field.name}={field.default}" for field in fields(kind))


FAILED = 1
KINDS: tuple[End, ...] = ("illegal", "crash", "timeout")


PROGRAMS = {
    ".c": ("gcc -O2 -o {program} {file}", "program:{program}"),
    ".js": ("", "program:node {file}"),
    ".java": ("", "program:java {file},memory=4096"),
}
"""Build command (if needed) and agent spec of a bot, by the suffix of its file."""


def new(file: FileArgument) -> None:
    """Write a new bot to *file* from a template, and print how to build it and play against it.

    The suffix (.py, .c, .js, .java) chooses the language. Raise InvalidSpecError if the suffix is
    another one, or if *file* exists or cannot be written.
    """
    if file.suffix not in BOT_SUFFIXES:
        raise InvalidSpecError("bot.no_template", file=file, known=", ".join(BOT_SUFFIXES))
    text = template(file.suffix, language())
    try:
        with file.open("x", encoding="utf-8") as made:
            made.write(text)
    except FileExistsError:
        raise InvalidSpecError("error.file_exists", path=file) from None
    except (OSError, ValueError) as error:
        raise InvalidSpecError("error.cannot_write", path=file, why=error) from None
    commands = PROGRAMS.get(file.suffix)
    build, agent = (_filled(text, file) for text in commands) if commands else ("", str(file))
    if build:
        print(say("bot.build", command=build))
    print(say("bot.made", file=file, agent=_in_shell(agent), command=program()))


def _filled(text: str, file: Path) -> str:
    """Return *text*, a pattern of `PROGRAMS`, with the paths of *file* and its program, quoted.

    The program has the name of *file* without its suffix; a bare name gets ``./`` in front.
    """
    program = file.with_suffix("")
    here = f"./{program}" if program == Path(program.name) else program
    return text.format(file=quote(str(file)), program=quote(str(here)))


def _in_shell(spec: str) -> str:
    """Return an agent's spec quoted for a shell, such as ``"program:node my.js"``.

    It stays as it is if it needs no quotes; single quotes are used if double ones are not safe.
    """
    if quote(spec) == spec:
        return spec
    return quote(spec) if set(spec) & set('"$`\\!') else f'"{spec}"'


def check(
    bot: Annotated[str, argument("BOT")],
    game: GameOption = "",
    positions: Annotated[int, typer.Option(metavar="N")] = 1000,
    seconds: Seconds = None,
    seed: Seed = 0,
    show: Annotated[bool, typer.Option("--show")] = False,
    confined: Confined = False,
    json: JsonOption = False,
) -> None:
    """Ask a bot for a move in *positions* random positions, and print its faults and times.

    It ends early after `MOST_FAULTS` faults. *bot* is a spec or a file, *game* a spec (empty: all
    games that it plays); *seconds* limit each move (None: 1 second); *seed* draws the positions;
    *confined* runs it in the sandbox. The result is a table, then the faults with what the bot
    wrote: with *show* its whole `BotFault.output` at every fault, else the last `TAIL` lines at the
    first one. With *json* the result is the dict of `_trial_facts` instead, whatever *show* is.
    Exit with 1 if a move was faulty, or was another one when the bot was asked again; raise
    PapanError if the bot, the game or an option is invalid, or if it is to be confined and there is
    no sandbox here. After Ctrl-C, print the table of the result so far, also with *json*, and raise
    Interrupted.
    """
    limit = limit_of(seconds, None, USUAL["cli.bot.check"])
    agent = _tried(bot, confined)
    plan = TrialPlan(_games(agent, game), positions, seed=seed, limit=limit)
    try:
        trial = try_out(agent, plan, agent.close, _show_progress)
    except Interrupted as stop:
        asked = len(stop.result.seconds) + len(stop.result.faults)
        progress(say("cli.so_far", done=asked, total=positions))
        _print_trial(agent, plan, stop.result)
        raise
    if json:
        print_json(_trial_facts(agent, plan, trial))
    else:
        _print_trial(agent, plan, trial)
        _print_faults(bot, trial, show)
    if not trial.fine:
        raise typer.Exit(FAILED)


def replay(
    bot: Annotated[str, argument("BOT")],
    position: PositionArgument,
) -> None:
    """Show a position, and print the move of *bot* there and everything that it prints.

    *bot* is a spec or a file, *position* a spec or a text. A Python bot runs without a deadline and
    without a sandbox, for a debugger; exit with 1 if it fails. A program has its own deadline.
    Raise PapanError if the bot or the position is invalid, or if a bot that is a program fails.
    """
    agent, place = _external(bot), position_of(position, "")
    print(Drawing.of(place).picture(), flush=True)
    if agent.name == "bot":  # where a debugger has the terminal, without a deadline
        if subprocess.run((*agent.command, str(place), str(agent.seed)), check=False).returncode:
            raise typer.Exit(FAILED)
        return
    agent.aloud = True
    print(f"move {agent.choose(place)}")


WATCH_SECONDS = 0.2
"""Seconds between two checks whether a file has been saved."""


def check_saves(
    file: FileArgument,
    game: GameOption = "",
    positions: Annotated[int, typer.Option(metavar="N")] = 100,
    seconds: Seconds = None,
    seed: Seed = 0,
    confined: Confined = False,
) -> None:
    """Check the bot in *file* now and each time that it is saved, until Ctrl-C.

    Ctrl-C ends it without an error. A check ends after `MOST_FAULTS` faults, which are printed, the
    first with the last lines of the bot's output; an invalid bot, game or number of positions, and
    a missing sandbox, are reported each time. *game* is a spec (empty: all games that it plays),
    *positions* the number of positions, *seconds* limit each move (None: 1 second), *seed* draws
    the positions, *confined* runs it in the sandbox. Raise PapanError if there is no such file, its
    suffix is unknown, or *seconds* is out of range.
    """
    limit = limit_of(seconds, None, USUAL["cli.bot.watch"])
    spec = str(file) if file.suffix == ".py" else _filled(_command_of(file), file)
    with suppress(KeyboardInterrupt):
        for _ in _saved(file):
            try:
                agent = _tried(spec, confined)
                games = _games(agent, game)
                trial = try_out(
                    agent, TrialPlan(games, positions, seed=seed, limit=limit), agent.close
                )
            except PapanError as error:
                print(error.text(language()))
                print(*getattr(error, "__notes__", ()), sep="\n", flush=True)
            else:
                _print_trial(agent, TrialPlan(games, positions), trial)
                _print_faults(spec, trial, show=False)
            print(say("bot.watching", file=file), flush=True)


def _command_of(file: Path) -> str:
    """Return the pattern of a bot's spec, such as ``program:node {file}``, by the suffix of *file*.

    Raise InvalidSpecError if `PROGRAMS` lacks the suffix, as it lacks ``.py``.
    """
    if file.suffix not in PROGRAMS:
        known = ", ".join(BOT_SUFFIXES)
        raise InvalidSpecError("bot.no_template", file=file, known=known)
    return PROGRAMS[file.suffix][1]


def _saved(file: Path) -> Iterator[int]:
    """Yield the time of the last change of *file* in nanoseconds, now and after each change.

    It never ends, and looks every `WATCH_SECONDS`. An editor may delete the file for a moment.
    Raise InvalidSpecError if it does not exist at first.
    """
    if not file.is_file():
        raise InvalidSpecError("bot.no_file", file=file)
    seen = 0
    while True:
        with suppress(OSError):
            now = file.stat().st_mtime_ns
            if now != seen:
                seen = now
                yield now
        sleep(WATCH_SECONDS)


COMMANDS: dict[str, Callable[..., None]] = {
    "new": new,
    "check": check,
    "watch": check_saves,
    "replay": replay,
}


def _tried(bot: str, confined: bool) -> ExternalAgent:
    """Return the agent that *bot* (a spec or a file) names, in the sandbox if *confined*.

    There it sees its own file alone; a spec with ``confined=folder`` keeps that. Without *confined*
    the spec decides. Raise PapanError if *bot* is invalid, or if there is no sandbox here.
    """
    agent = _external(bot)
    return replace(agent, confined="file") if confined and agent.confined == "no" else agent


def _external(bot: str) -> ExternalAgent:
    """Return the bot that *bot* names: a spec such as ``program:./x``, or the name of a file.

    Raise PapanError if it is invalid, or names an agent of papan.
    """
    known = ":" in bot or bot.partition(",")[0].endswith(".py")
    if known and not catalog.external_place(bot):
        raise InvalidSpecError("bot.no_bot", bot=bot)
    return catalog.external_agent(bot if known else f"bot:{bot}")


def _games(agent: Agent, spec: str) -> list[Game]:
    """Return the game *spec* in a list, or if it is empty all games that the bot *agent* plays.

    Raise CannotPlayError if the bot plays none of them, PapanError if *spec* is unknown.
    """
    asked = [catalog.game(spec)] if spec else [kind() for kind in catalog.GAMES.values()]
    games = [game for game in asked if agent.plays(game)]
    if not games:
        raise agent.refusal(asked[0])
    return games


def _show_progress(made: Progress) -> None:
    """Print a line of progress on standard error at each tenth of the work, and at its end.

    *made* counts positions that the bot was asked about. A tenth is rounded down to whole
    positions, but is at least one.
    """
    done, total = int(made.done), int(made.total)
    if done == total or done % max(1, total // 10) == 0:
        progress(say("bot.progress", done=done, total=total))


def _trial_facts(agent: Agent, plan: TrialPlan, trial: BotTrial) -> dict[str, object]:
    """Return the result of a check of a bot as JSON data.

    Its keys: *agent* and *games* (specs), *positions* (number asked), *illegal*, *crash* and
    *timeout* (numbers of such faults), *repeated* (number asked twice), *changed* (positions as
    text in which the second answer differs), *median_seconds* and *longest_seconds* of a legal
    answer (None: there is none), *memory* (as by `Agent.peak_memory`), *faults* (as by
    `BotFault.json`) and *fine* (True: no fault, no changed answer).
    """
    kinds = Counter(fault.kind for fault in trial.faults)
    return {
        "agent": agent.spec,
        "games": [game.spec for game in plan.games],
        "positions": len(trial.seconds) + len(trial.faults),
        **{kind: kinds[kind] for kind in KINDS},
        "repeated": trial.repeated,
        "changed": list(trial.changed),
        "median_seconds": round(median(trial.seconds), 6) if trial.seconds else None,
        "longest_seconds": round(max(trial.seconds), 6) if trial.seconds else None,
        "memory": agent.peak_memory(),
        "faults": [fault.json() for fault in trial.faults],
        "fine": trial.fine,
    }


def _print_trial(agent: Agent, plan: TrialPlan, trial: BotTrial) -> None:
    """Print the result of the check of *agent* by *plan* as a table: counts, times and memory.

    Times are in seconds. The rows of repeated questions, times and memory are left out if there is
    nothing to tell.
    """
    kinds = Counter(fault.kind for fault in trial.faults)
    rows = [
        [say("bot.row_games"), " ".join(game.name for game in plan.games)],
        [say("bot.row_positions"), str(len(trial.seconds) + len(trial.faults))],
        *([say(f"end.{kind}"), str(kinds[kind])] for kind in KINDS),
    ]
    if trial.repeated:
        same = trial.repeated - len(trial.changed)
        text = say("bot.same", same=same, total=trial.repeated)
        rows.append([say("bot.row_same"), text])
    if trial.seconds:
        times = {"median": median(trial.seconds), "longest": max(trial.seconds)}
        text = say("bot.times", **{name: figure(time, ".4f") for name, time in times.items()})
        rows.append([say("bot.row_times"), text])
    if memory := agent.peak_memory():
        rows.append([say("bot.row_memory"), megabytes(memory, language())])
    print_table([say("bot.column_trial"), agent.spec], rows)


def _print_faults(bot: str, trial: BotTrial, show: bool) -> None:
    """Print each fault with its position and error, how to see more, and the verdict on the bot.

    The first three positions in which its answer changed come before the verdict. *bot* is its
    spec. *show* prints all that the bot wrote at each fault; without it only the last lines are
    printed, and only for the first fault.
    """
    for number, fault in enumerate(trial.faults):
        print(say("bot.fault", position=fault.position, kind=say(f"end.{fault.kind}")))
        print(f"  {fault.error.text(language())}")
        if show:
            print(indent(fault.output or say("bot.silent"), "    | "))
        elif number == 0:
            print_tail(fault.output)
    if trial.faults:
        key = "bot.see_more" if show else "bot.see_output"
        facts = {"bot": _in_shell(bot), "position": trial.faults[0].position}
        print(say(key, command=f"{program()} bot", **facts))
    for position in trial.changed[:3]:
        print(say("bot.change", position=position))
    print(say("bot.fine" if trial.fine else "bot.not_fine"))


# Training: a player that learns a small board by itself, on this machine.

MOST_GAMES = 10**9
USUAL_GAMES = {9: 50_000, 64: 400_000}
"""Number of games of about a minute of training, by the largest number of cells of a board."""
STAGES = 20
"""Number of times that one training is measured and saved."""
WIDE = 20
"""Width of the curve, in characters."""


def train(
    game: GameArgument,
    games: Annotated[int | None, typer.Option(metavar="N")] = None,
    seed: Seed = TrainingPlan.seed,
    exploration: Annotated[float, typer.Option(metavar="X")] = TrainingPlan.exploration,
    rate: Annotated[float, typer.Option(metavar="X")] = TrainingPlan.rate,
    player: Annotated[str, typer.Option(metavar="NAME")] = "",
    anew: Annotated[bool, typer.Option("--anew")] = False,
) -> None:
    """Train a player of a small board by self-play, print its progress, and save it as an agent.

    *games* is the number of games in all (None: about a minute's worth); *exploration* the share of
    random moves, 0 to 1; *rate* the learning rate at first; *seed* draws all chance; *player* is
    the name to save it by (empty: that of its board); *anew* forgets what it learned before.
    Without *anew* a player that was trained with the same settings learns on. Raise PapanError if
    the board is unknown or cannot be learned, a setting is invalid, or the player's file is
    damaged, OSError if the player cannot be saved. After Ctrl-C print the command that continues,
    if a stage is done, and raise KeyboardInterrupt.
    """
    agent = Learned(player=player, exploration=exploration, rate=rate)  # raises where one is wrong
    if games is not None and not 0 < games <= MOST_GAMES:
        raise InvalidSpecError("train.bad_games", games=games, most=MOST_GAMES)
    from papan.training import TRAINING_ANCHORS, Training  # brings Numba

    board = catalog.game(game)
    training = Training(board, TrainingPlan(agent.exploration, agent.rate, seed), player, anew)
    wanted = games or usual_games(board)
    progress(say("train.begin", game=board.spec, games=wanted))
    print(say("train.heads", anchors=", ".join(TRAINING_ANCHORS)))
    for stage in training.stages:
        show_stage(stage)
    try:
        training.run(wanted, max(1, wanted // STAGES), show_stage)
    except KeyboardInterrupt:
        if training.stages:
            words = shlex.join([program(), *sys.argv[1:]])
            progress(say("lab.resume", command=words.replace(" --anew", "")))
        raise
    spec = Learned(player=player).spec
    print(say("train.done", agent=spec, game=board.spec, path=training.path))


def usual_games(game: Game) -> int:
    """Return the usual number of training games for *game*, by the number of cells to learn.

    Raise AssertionError if nothing can be learned of *game*, StopIteration if `USUAL_GAMES` has no
    number for so many cells.
    """
    strips = Support.of(game).strips
    assert strips is not None  # a player has been made of it
    return next(
        games for cells, games in USUAL_GAMES.items() if strips.total * strips.cells <= cells
    )


def show_stage(stage: TrainingStage) -> None:
    """Print a line about one stage of a training.

    It has the number of games, the loss (mean squared error), the share of test positions in which
    the player's move is wrong, as a bar of `WIDE` characters and in percent, the mean points that
    its moves give away, and the results against each anchor (an agent of fixed strength), as by
    `score_and_elo`.
    """
    full = round(WIDE * stage.errors)
    bar = "#" * full + "." * (WIDE - full)
    facts = f"{stage.games:>10,}  {stage.loss:.4f}  {bar}  {stage.errors:>6.1%}  {stage.regret:.3f}"
    print(
        in_local_figures(facts), *(f"  {score_and_elo(each)}" for each in stage.results), flush=True
    )


def score_and_elo(result: ScoreTally) -> str:
    """Return the score of *result* in percent and the Elo lead over the other agent, as text.

    The lead, negative for the weaker one, has its 95 % interval.
    """
    return in_local_figures(f"{result.score:>4.0%} {with_ends(elo_difference(result)):>26}")
