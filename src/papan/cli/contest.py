"""``papan class``: run a contest of students' bots, from an empty folder to marks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from papan import catalog
from papan.cli.arguments import GameOption, JsonOption, argument
from papan.contest.plan import PLAN, STUDENTS, SUBMISSIONS
from papan.core import InvalidSpecError
from papan.core.interrupts import Interrupted, stopped_by_signal
from papan.core.numbers import megabytes
from papan.process.sandbox import find_sandbox
from papan.terminal.output import (
    INTERRUPTED,
    Bar,
    figure,
    language,
    print_json,
    print_table,
    print_tail,
    program,
    progress,
    say,
)

if TYPE_CHECKING:
    from papan.contest.checks import Check
    from papan.contest.folder import Contest
    from papan.contest.truth import ExactJudgement

ContestFolder = Annotated[str, argument("DIR")]
Trust = Annotated[bool, typer.Option("--trust-submissions")]
LIVE_SECONDS = 10.0
"""Seconds between two versions of the page for the projector."""


def new(folder: ContestFolder, game: GameOption = "") -> None:
    """Make the folder of a contest with a plan to edit; *game* is a spec, the first game if empty.

    Print what to edit and do next. Raise PapanError if *folder* is blank, has a plan already or
    cannot be written, or if the game is unknown or not for two.
    """
    from papan.contest.folder import new_contest

    path = _path(folder)
    new_contest(path, catalog.game(game or catalog.first_game()).spec, language())
    places = {"plan": path / PLAN, "students": path / STUDENTS, "submissions": path / SUBMISSIONS}
    print(say("contest.made", folder=path, command=_command("check", path), **places))


def check(
    folder: ContestFolder, trust_submissions: Trust = False, json: JsonOption = False
) -> None:
    """Check every new submission in a sandbox, and print a line for each student.

    The reasons why bots are set aside follow. *trust_submissions* checks without a sandbox; *json*
    prints a list of what `_facts` returns instead. Raise PapanError if the folder is no contest or
    cannot be written, or if there is something new to check, but no sandbox and no
    *trust_submissions*.
    """
    contest = _open(folder)
    _check(contest, trust_submissions)
    if json:
        print_json([_facts(contest, each.number) for each in contest.students])
        return
    _print_checks(contest)
    if contest.players:
        progress(say("contest.then", command=_command("run", contest.folder)))


def run(folder: ContestFolder, trust_submissions: Trust = False) -> None:
    """Check what is new, then play games until the order is clear or the time of the plan is over.

    It is clear when `papan.contest.ladder` finds every two neighbours distinguished. At the end
    print the standings. *trust_submissions* runs bots without a sandbox. Raise PapanError if the
    folder is no contest, is in use or cannot be written, if there is no sandbox (unless
    *trust_submissions*), or if there are not two players: all house bots together count as one. An
    interrupt prints the standings so far and exits with 130.
    """
    from papan.contest.run import estimate_run, run_contest

    contest = _open(folder)
    _check(contest, trust_submissions)
    aside = [each.number for each in contest.students if contest.verdict(each.number)]
    if aside:
        progress(say("contest.aside", count=len(aside), command=_command("check", contest.folder)))
    if len(contest.players) + bool(contest.plan.house.agents) < 2:
        raise InvalidSpecError("contest.too_few")
    guess = estimate_run(contest)
    hours = figure(guess.round_robin_hours, ".1f")
    minutes, seconds = figure(guess.minutes, ".1f"), figure(guess.game_seconds, ".1f")
    facts = {"games": guess.games, "width": contest.width, "hours": hours}
    progress(say("contest.estimate", minutes=minutes, seconds=seconds, **facts))
    decided = False
    try:
        with stopped_by_signal(), Bar(contest.plan.title) as bar:
            decided = run_contest(contest, bar.update, _Live(), trust_submissions)
    except Interrupted:
        _print_standings(contest)
        progress(say("tournament.go_on", command=_command("run", contest.folder)))
        raise typer.Exit(INTERRUPTED) from None
    _print_standings(contest)
    print(say("contest.told" if decided else "contest.time_over"))
    progress(say("contest.then", command=_command("report", contest.folder)))


def report(
    folder: ContestFolder,
    trust_submissions: Trust = False,
    csv: Annotated[bool, typer.Option("--csv")] = False,
) -> None:
    """Judge bots by exact values, write pages with standings and marks, and print both.

    *trust_submissions* runs bots without a sandbox; *csv* prints only the marks, as CSV. Raise
    PapanError if the folder is no contest or cannot be written, if there are players, but no
    sandbox (unless *trust_submissions*), or if a formula of the plan is invalid.
    """
    from papan.contest.marks import marks_csv
    from papan.contest.pages import write_report
    from papan.contest.truth import find_truth

    contest = _open(folder)
    if not trust_submissions and contest.players:
        find_sandbox()
    with stopped_by_signal(), Bar(contest.plan.title) as bar:
        truth = find_truth(contest, bar.update, trust_submissions)
    index = write_report(contest, truth)
    if csv:
        print(marks_csv(contest, truth, contest.plan.language), end="")
        return
    _print_standings(contest)
    _print_marks(contest, truth)
    print(say("contest.report", index=index, folder=index.parent))


def _print_marks(contest: Contest, truth: ExactJudgement) -> None:
    """Print a table of the marks, a row for each student.

    It has the results against house bots, accuracy, regret, points and grade, or the reason why
    the student has none.
    """
    from papan.contest.marks import marks_of

    rows = []
    for mark in marks_of(contest, truth, language()):
        if mark.place is None:
            rows.append([mark.student, mark.name, "", "", "", "", "", mark.remark])
        else:
            found = [figure(mark.measures[key], ".2f") for key in ("house", "accuracy", "regret")]
            points = figure(mark.measures["points"], ".1f")
            rows.append([mark.student, mark.name, *found, points, mark.grade, ""])
    keys = ("number", "name", "house", "accuracy", "regret", "mark", "grade", "why")
    print()
    print_table([say(f"contest.column_{key}") for key in keys], rows)


def _command(name: str, folder: Path) -> str:
    """Return the command ``papan class`` *name* for *folder*, quoted for a shell."""
    return f"{program()} class {name} {quote(str(folder))}"


def _path(folder: str) -> Path:
    """Return *folder* as a path.

    Raise InvalidSpecError if it is blank, as that would mean the current folder.
    """
    if not folder.strip():
        raise InvalidSpecError("tournament.no_folder")
    return Path(folder)


def _open(folder: str) -> Contest:
    """Return the contest in *folder*; its new submissions are stored.

    Raise PapanError if *folder* is blank or no contest.
    """
    from papan.contest.folder import Contest

    return Contest.open(_path(folder))


def _check(contest: Contest, unconfined: bool) -> None:
    """Check the new submissions of *contest*, and print a line for each on standard error.

    *unconfined* runs them without a sandbox, and says so first. Raise PapanError if there are any,
    but no sandbox, unless *unconfined*, and if the results cannot be written.
    """
    total = len(contest.unchecked())
    if unconfined and total:
        progress(say("contest.unconfined"))

    def show(found: Check) -> None:
        key = "contest.fine" if found.fine else "contest.not_fine"
        progress(say(key, student=found.student, version=found.version))

    contest.check(show, unconfined)


def _facts(contest: Contest, student: str) -> dict[str, object]:
    """Return the newest submission of *student*, a number such as ``1234``, as JSON data.

    The keys are student, name, version (from 1), language, fine (True if it may play), plays (the
    version that plays, perhaps an older one), reason, position and output of a fault, seconds for a
    move, and memory in bytes. Where there is no submission, check or fault, position and output are
    empty texts, and other values None. Raise KeyError for an unknown student.
    """
    version, error = contest.newest.get(student), contest.fault(student)
    playing = contest.playing(student)
    found = contest.checks.get((student, version.number)) if version else None
    return {
        "student": student,
        "name": contest.names()[student],
        "version": version.number if version else None,
        "language": version.language if version else None,
        "fine": error is None,
        "plays": playing.number if playing else None,
        "reason": None if error is None else error.text(language()),
        "position": found.position if found else "",
        "output": found.output if found else "",
        "seconds": found.seconds if found else None,
        "memory": found.memory if found else None,
    }


def _print_checks(contest: Contest) -> None:
    """Print a row for each student, then the reasons why submissions are set aside.

    Files that are nobody's and the numbers of submissions that play and that do not follow.
    """
    checks = [_facts(contest, each.number) for each in contest.students]
    keys = ("number", "name", "version", "state", "seconds", "memory")
    print_table([say(f"contest.column_{key}") for key in keys], list(map(_check_row, checks)))
    aside = [facts for facts in checks if not facts["fine"]]
    for facts in aside:
        print(f"{facts['student']}: {facts['reason']}")
        if facts["position"]:
            print(say("contest.at", position=facts["position"]))
        print_tail(str(facts["output"]))
    for name in contest.strange:
        print(say("contest.strange", name=name, file=STUDENTS))
    print(say("contest.summary", fine=len(contest.players), aside=len(aside)))


def _check_row(facts: Mapping[str, object]) -> list[str]:
    """Return a student's row of the table of checks, given what `_facts` returns.

    It has number, name, version, state, seconds and memory as texts; unknown ones are empty, and so
    are the seconds of a submission that is set aside.
    """
    state = say("contest.plays" if facts["fine"] else "contest.set_aside")
    if facts["plays"] and not facts["fine"]:
        state = f"{state}; {say('contest.plays_on', version=facts['plays'])}"
    seconds, memory = facts["seconds"], facts["memory"]
    taken = figure(seconds, ".4f") if isinstance(seconds, float) and facts["fine"] else ""
    version = f"v{facts['version']} {facts['language']}" if facts["version"] else ""
    used = megabytes(memory, language()) if isinstance(memory, int) else ""
    return [str(facts["student"]), str(facts["name"]), version, state, taken, used]


def _print_standings(contest: Contest) -> None:
    """Print a table of the standings of *contest*; nothing if they have no rows."""
    from papan.contest.standings import standing_rows

    rows = standing_rows(contest, language())
    if rows:
        keys = ("rank", "number", "name", "elo", "points", "forfeits", "processor", "memory")
        print_table([say(f"contest.column_{key}") for key in keys], rows)


class _Live:
    """A function, called with a contest after each game, that writes the page for the projector.

    It does so, by `write_live`, the first time, and then if at least `LIVE_SECONDS` have passed
    since the last. Raise PapanError if the page cannot be written.
    """

    def __init__(self) -> None:
        self._last = -inf

    def __call__(self, contest: Contest) -> None:
        from papan.contest.pages import write_live

        if monotonic() - self._last >= LIVE_SECONDS:
            self._last = monotonic()
            write_live(contest)


COMMANDS: dict[str, Callable[..., None]] = {
    "new": new,
    "check": check,
    "run": run,
    "report": report,
}
