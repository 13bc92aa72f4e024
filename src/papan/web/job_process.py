"""The process of one background job: ``python -m papan.web.job_process KIND FOLDER``.

It stops when it is interrupted (exit code 130), or when its standard input closes, as it does when
the server ends. A lock keeps other processes out of the folder meanwhile. If the job fails, it
prints the reason as one line of JSON: on a full disk no file could hold it.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from time import sleep
from typing import Any

from papan import catalog
from papan.core import PapanError
from papan.core.errors import in_one_line
from papan.core.files import check_folder, check_regular, open_regular, read_regular
from papan.core.progress import Progress
from papan.lab.bots import BOT_SUFFIXES, compile_bot
from papan.lab.files import LONGEST_RECORD, write_whole
from papan.lab.machine import cores
from papan.process.host import kill_group, lock, lower_priority
from papan.process.lines import emitter, failure, on_input_end, private_streams
from papan.web.bot_runs import compiled_name, confined_spec
from papan.web.settings import NICENESS

JOB_FILE = "job.json"
JOB_STOP_SECONDS = 4.0
"""Seconds in which a job must stop after an interrupt, before it is killed."""
INTERRUPTED_CODE = 130
"""Exit code after an interrupt."""
DISK_ERRORS = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EROFS,
    errno.EACCES,
    errno.EPERM,
    errno.EFBIG,
    errno.EIO,
)
"""Error numbers of a disk that cannot be written."""
SQLITE_DISK_ERRORS = (
    "disk is full",
    "disk I/O error",
    "readonly database",
    "unable to open database file",
)
"""Messages of SQLite for a disk that cannot be written."""
BOT_DEADLINE = 10.0
"""Seconds for a move of a bot, unless the tournament allows fewer."""
AGENT_SOURCE = "papan"
"""Name of the module with which referee processes build games and agents."""

JobHandler = Callable[[Path, dict[str, Any]], None]
"""Does the work of an order (JSON data) in a folder; raises PapanError if it cannot."""


BOTS_FOLDER = "bots"
"""Folder of a tournament with copies of its bots, which are not edited."""


def confined_bot(name: str) -> str:
    """Return the spec of a tournament's bot, which plays in the sandbox, by its file's *name*.

    The file is in the tournament's folder of bots; neither that nor the name is checked. The bot
    has `BOT_DEADLINE` seconds for a move. Raise KeyError if the suffix is not one of
    `BOT_SUFFIXES`.
    """
    return confined_spec(Path(name), BOT_DEADLINE)


def keep_bots(folder: Path, sources: dict[str, str]) -> None:
    """Write the bots *sources* (text by file name) into the folder of a tournament, over older
    ones.

    Do nothing if there are none. Raise OSError if a file cannot be written.
    """
    for name, source in sources.items():
        (folder / BOTS_FOLDER).mkdir(exist_ok=True)
        write_whole(folder / BOTS_FOLDER / name, source)


def enter_bots(folder: Path) -> set[str]:
    """Change the current folder to that of the bots of the tournament in *folder*, compile those in
    C, and return the specs of all.

    One that was compiled before is not compiled again. Without such a folder nothing changes, and
    the set is empty. Raise PapanError if a bot cannot be compiled, if the folder is a symbolic
    link, or if a bot is no regular file.
    """
    place = folder / BOTS_FOLDER
    check_folder(place)
    if not place.is_dir():
        return set()
    os.chdir(place)
    files = [each for each in place.resolve().iterdir() if each.suffix in BOT_SUFFIXES]
    for file in files:
        check_regular(file)
        built = file.with_name(compiled_name(file.name))
        if file.suffix == ".c" and not built.exists():
            compile_bot(file, built)
    return {confined_bot(file.name) for file in files}


def resume_tournament(folder: Path, order: dict[str, Any]) -> None:
    """Play the missing games of the tournament in *folder*; it changes the current folder of this
    process.

    At most ``order["concurrency"]`` games are played at the same time, and no more than there are
    cores. Raise PapanError if there is no tournament, it is damaged, or its plan names an agent
    that is neither papan's nor a bot of its own, and what `enter_bots`, `probed` and
    `run_tournament` raise.
    """
    from papan.lab.tournament.folder import reopen
    from papan.lab.tournament.run import RefereePool, probed, run_tournament, this_machine

    tournament = reopen(folder.resolve())
    own = enter_bots(folder)
    for spec in tournament.plan.agents:
        if spec not in own:
            catalog.agent(spec)  # raises for files and programs
    with closing(RefereePool()) as pool:
        probed(pool, tournament.plan, AGENT_SOURCE)
        with this_machine(pool, min(order["concurrency"], cores())) as executor:
            run_tournament(tournament, executor, AGENT_SOURCE)


def resume_paper_run(folder: Path, order: dict[str, Any]) -> None:
    """Measure what is missing of a run of a paper, then move its file to the folder of finished
    runs.

    *order* has the fields of `papan.web.jobs.LabTerms`. *folder* is that of the job, with the file
    of what was measured; finished runs are in the folder above, where a file of the same run is
    replaced. Raise PapanError if the paper is unknown, and what `run_all` raises.
    """
    from papan.lab.work import run_all
    from papan.papers import chosen_papers
    from papan.papers.paper import Run

    (paper,) = chosen_papers([order["paper"]])
    run = Run(paper, order["size"], order["seed"], folder)
    run_all([run.job()], cores())
    run.path.replace(folder.parent / run.path.name)


def resume_contest(folder: Path, order: dict[str, Any]) -> None:
    """Check and play what is missing of a contest, then judge it and write its report.

    The contest is in the folder ``order["folder"]``, or in *folder* if that is empty. If
    submissions or other files change meanwhile, it begins again with them once the games that are
    being played have ended. Without a bot of a student, or with only one and no house bot, it only
    checks. Raise PapanError if a file of the contest is invalid, or if there is something to check
    or play and no sandbox.
    """
    from papan.contest.folder import Contest, contest_state
    from papan.contest.pages import write_report
    from papan.contest.run import run_contest
    from papan.contest.truth import find_truth

    class Overtaken(Exception):  # noqa: N818 - no fault
        """Raised while the contest is judged if its files have changed, so that judging begins
        again.

        Answers of players and reviews of games found before that are stored and not computed again.
        """

    place, state = Path(order["folder"] or folder), None

    def changed() -> bool:
        return contest_state(place) != state

    def go_on(progress: Progress) -> None:
        if changed():
            raise Overtaken

    while changed():
        state = contest_state(place)
        contest = Contest.open(place)
        contest.check(lambda check: None)
        if not contest.players or len(contest.players) + bool(contest.plan.house.agents) < 2:
            continue
        run_contest(contest, enough=changed)
        with suppress(Overtaken):
            write_report(contest, find_truth(contest, go_on))


JOB_HANDLERS: dict[str, JobHandler] = {
    "tournament": resume_tournament,
    "lab": resume_paper_run,
    "class": resume_contest,
}


def main() -> int:
    """Carry out the job that the arguments (KIND FOLDER) name; write a failure as a line of JSON.

    Return the exit code: 0 done, 1 failed, 130 interrupted.
    """
    kind, folder = sys.argv[1], Path(sys.argv[2])
    requests, out = private_streams()
    if kind != "class":  # its bots have a clock that runs
        lower_priority(os.getpid(), NICENESS["job"])  # games and analyses go first
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # even if a shell had it ignored
    try:
        on_input_end(requests, _stop)
        with open_regular(folder / "lock", "ab") as held:
            lock(held, wait=True)  # an earlier process of the job may still be ending
            order = json.loads(read_regular(folder / JOB_FILE, LONGEST_RECORD))["order"]
            JOB_HANDLERS[kind](folder, order)
    except KeyboardInterrupt:
        return INTERRUPTED_CODE
    except Exception as error:
        emitter(out)(failure(failure_reason(error)))
        return 1
    return 0


def failure_reason(error: Exception) -> PapanError:
    """Return *error* as a PapanError with a sentence for people: a disk that cannot be written, or
    a crash.

    A PapanError is returned unchanged, unless its text has one of `SQLITE_DISK_ERRORS`.
    """
    for words in SQLITE_DISK_ERRORS:
        if words in str(error):
            return PapanError("jobs.no_disk", why=words)
    if isinstance(error, PapanError):
        return error
    if isinstance(error, OSError) and error.errno in DISK_ERRORS:
        return PapanError("jobs.no_disk", why=error.strerror)
    return PapanError("jobs.crashed", why=in_one_line(error)[:200])


def _stop() -> None:
    """Interrupt this process as Ctrl-C does, wait `JOB_STOP_SECONDS`, then kill it and its
    group.
    """
    os.kill(os.getpid(), signal.SIGINT)
    sleep(JOB_STOP_SECONDS)
    kill_group(os.getpid())


if __name__ == "__main__":
    code = main()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)
