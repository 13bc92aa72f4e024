"""Builds what students hand in, in a sandbox, and checks whether it may play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from statistics import median
from typing import Any

from papan import catalog
from papan.contest.plan import ContestPlan
from papan.contest.submissions import SubmissionError, Version
from papan.core import Message, PapanError
from papan.lab.bots import compile_bot
from papan.lab.referee import LONGEST_OUTPUT, TrialPlan, try_out

TRIAL_POSITIONS, TRIAL_AGAIN = 20, 5
"""Moves that a bot is asked for in a check, and how many of the questions are repeated."""


@dataclass(frozen=True)
class Check:
    """The result of checking a version: *error* is None if its bot may play."""

    student: str
    """The number of the student."""
    version: int
    """Number of the version, from 1; 0 if there is none."""
    error: PapanError | None = None
    """Why the bot may not play; None if it may."""
    position: str = ""
    """The position, as text, in which the bot failed; empty if it failed in none."""
    output: str = ""
    """What the bot or the compiler printed when it failed; empty if that is nothing, or if it did
    not fail.
    """
    seconds: float = 0.0
    """Median of the seconds of its answers, by the clock; 0 if it failed."""
    memory: int = 0
    """Bytes of memory that it had at most; 0 if it was not measured."""

    @property
    def fine(self) -> bool:
        """True if the bot may play."""
        return self.error is None

    def json(self) -> dict[str, Any]:
        """Return the check as JSON data, its fields by name, which `check_of` reads back.

        ``error`` is `Message.json` or None, ``seconds`` is rounded to microseconds, and ``output``
        has only the last `LONGEST_OUTPUT` characters.
        """
        return {
            "student": self.student,
            "version": self.version,
            "error": None if self.error is None else self.error.shown.json(),
            "position": self.position,
            "output": self.output[-LONGEST_OUTPUT:],
            "seconds": round(self.seconds, 6),
            "memory": self.memory,
        }


def check_of(facts: Mapping[str, Any]) -> Check:
    """Return the check that `Check.json` wrote as *facts*; an older one may lack ``memory``.

    Its error is a plain PapanError. Raise KeyError, TypeError, ValueError, AttributeError or
    OverflowError for another form. Whether its position is one is not checked.
    """
    error = None if facts["error"] is None else PapanError.of(Message.from_json(facts["error"]))
    return Check(
        str(facts["student"]),
        int(facts["version"]),
        error,
        str(facts["position"]),
        str(facts["output"]),
        float(facts["seconds"]),
        int(facts.get("memory", 0)),  # older ones lack it
    )


def check_version(plan: ContestPlan, version: Version, unconfined: bool = False) -> Check:
    """Build a version if it is in C and not built yet, ask it for some moves; return the result.

    The version fails if the bot cannot be built or started or does not play the game, or if one of
    its `TRIAL_POSITIONS` moves is illegal or late or ends in a crash: the first such fault is
    reported. Answers that differ when asked again, or fail only then, are no fault. *unconfined*
    runs the bot outside the sandbox. A check takes seconds and starts processes. A PapanError
    becomes the `Check.error` of the result; raise OSError if a program in C cannot be written.
    """
    try:
        if version.language == "c" and not version.built.exists():
            build(version, unconfined)
        agent = catalog.external_agent(version.spec(plan, unconfined))
        with agent:
            agent.check_plays(plan.rules)
            seed = plan.ladder.shown_seed("trial")
            trial = TrialPlan([plan.rules], TRIAL_POSITIONS, TRIAL_AGAIN, seed, plan.limit)
            found = try_out(agent, trial, agent.close)
    except PapanError as error:
        output = version.without_folder("\n".join(getattr(error, "__notes__", ())))
        hidden = _without_path(error, version)
        return Check(version.student, version.number, hidden, output=output)
    if found.faults:
        first = found.faults[0]
        why = _without_path(first.error, version)
        output = version.without_folder(first.output)
        place = (version.student, version.number, why, first.position, output)
        return Check(*place, memory=agent.peak_memory())
    seconds = median(found.seconds) if found.seconds else 0.0
    return Check(version.student, version.number, seconds=seconds, memory=agent.peak_memory())


def _without_path(error: PapanError, version: Version) -> PapanError:
    """Return a copy of *error*, a plain PapanError, without what students should not see.

    The path of the bot's folder is removed from its values, and the command that runs the bot is
    replaced by the name of its player. Its notes are not copied.
    """

    def hidden(name: str, value: object) -> object:
        if name == "agent":
            return version.player
        return version.without_folder(value) if isinstance(value, str) else value

    values = {name: hidden(name, value) for name, value in error.values.items()}
    return PapanError(error.key, **values)


def build(version: Version, unconfined: bool = False) -> None:
    """Compile a submission in C into `Version.built`, in the sandbox unless *unconfined*.

    That the main file is in C is not checked. Raise SubmissionError if there is no compiler, if the
    program becomes too large, or, with the compiler's output as a note, if the compiler fails or
    takes too long; PapanError if there is no sandbox, OSError if the program cannot be written.
    """
    main = (version.folder / version.main).resolve()
    compile_bot(main, version.built, not unconfined, SubmissionError)


OnCheck = Callable[[Check], object]
"""Called with each result; what it returns is ignored."""


def check_all(
    versions: Sequence[Version],
    plan: ContestPlan,
    at_a_time: int,
    on_check: OnCheck,
    unconfined: bool = False,
) -> None:
    """Check *versions*, *at_a_time* in parallel; call *on_check* with each result.

    The calls are in the order of *versions*, so a result waits for those before it. An *at_a_time*
    below 1 counts as 1. *unconfined* runs the bots outside the sandbox. Raise the first error that
    `check_version` or *on_check* raises, and KeyboardInterrupt after Ctrl-C; no other check begins
    then, but those that are running end first.
    """
    with ThreadPoolExecutor(max(1, at_a_time)) as threads:
        try:
            for found in threads.map(lambda each: check_version(plan, each, unconfined), versions):
                on_check(found)
        except BaseException:  # Ctrl-C: the rest is not wanted
            threads.shutdown(wait=False, cancel_futures=True)
            raise
