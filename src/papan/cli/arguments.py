"""Arguments that several commands share, their completion, and the sentences about their errors."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from papan import catalog
from papan.core import (
    UNLIMITED,
    InvalidSpecError,
    Limit,
    PapanError,
    PapanWarning,
    Position,
)
from papan.core.agent import Agent
from papan.core.game import Game
from papan.core.parts import Card
from papan.core.reviewer import REVIEW_SECONDS
from papan.core.spec import nearest
from papan.lab.machine import cores
from papan.lab.match import PER_MOVE
from papan.terminal.output import figure, language, progress, say


def completion(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a function for typer that returns the *names* that begin with the text of a word.

    The text, its argument, is what has been typed of the word so far. It calls *names* each time,
    and keeps their order.
    """

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


def _games_and_sizes() -> list[str]:
    presets = (spec for kind in catalog.GAMES.values() for spec in Card.of(kind()).presets)
    return [*catalog.GAMES, *presets]


complete_game = completion(_games_and_sizes)


def complete_agent(incomplete: str) -> list[str]:
    """Return the names of agents that begin with *incomplete*, for typer's completion.

    If *incomplete* is not empty, the Python files of the current folder that begin so follow, by
    name, as they may be bots.
    """
    bots = sorted(path.name for path in Path().glob("*.py")) if incomplete else []
    return [name for name in (*catalog.agent_names(), *bots) if name.startswith(incomplete)]


def nodes_of(text: str) -> float:
    """Return the limit of nodes in *text*: a whole number, or infinity for ``inf``.

    Raise ValueError for any other text. The range is not checked.
    """
    return inf if text == "inf" else int(text)


def argument(metavar: str, complete: Callable[[str], list[str]] | None = None) -> Any:
    """Return typer's declaration of a positional argument, shown as *metavar* in the help.

    *complete* gets the beginning of a word and returns its completions; None: there are none.
    """
    return typer.Argument(metavar=metavar, autocompletion=complete, show_default=False)


GameArgument = Annotated[str, argument("GAME", complete_game)]
PositionArgument = Annotated[str, argument("GAME|POSITION", complete_game)]
PositionOrNone = Annotated[str | None, argument("GAME|POSITION", complete_game)]
AgentArgument = Annotated[str, argument("AGENT", complete_agent)]
FileArgument = Annotated[Path, argument("FILE")]
DEFAULT_GAME = catalog.first_game()
GameOption = Annotated[str, typer.Option(metavar="GAME", autocompletion=complete_game)]
AgentOption = Annotated[str, typer.Option(metavar="AGENT", autocompletion=complete_agent)]
Seconds = Annotated[float | None, typer.Option(metavar="S")]
Nodes = Annotated[float | None, typer.Option(metavar="N|inf", parser=nodes_of)]
Moves = Annotated[str, typer.Option(metavar='"…"')]
Memory = Annotated[int, typer.Option(metavar="MB")]
Workers = Annotated[int | None, typer.Option(metavar="N", show_default=False)]
Cluster = Annotated[str | None, typer.Option(metavar="ADDRESS")]
Agents = Annotated[str, typer.Option("--agents", metavar="AGENT,\u2026")]
JsonOption = Annotated[bool, typer.Option("--json")]
Watch = Annotated[bool, typer.Option("--progress")]


def check_form(json: bool, csv: bool) -> None:
    """Raise InvalidSpecError if both *json* and *csv* are True: two forms of the same data."""
    if json and csv:
        raise InvalidSpecError("cli.two_forms")


def worker_count(workers: int | None) -> int:
    """Return the number of processes, 1 or more: *workers*, or one per core if it is None.

    Raise PapanError if *workers* is below 1.
    """
    count = cores() if workers is None else workers
    if count < 1:
        raise PapanError("lab.bad_workers", workers=count)
    return count


MOST_DIGITS = 18


def check_seed(seed: int | None) -> int | None:
    """Return *seed* unchanged (None: not given); a callback of typer.

    Raise InvalidSpecError if it has more than `MOST_DIGITS` digits, as no spec can hold it then.
    """
    if seed is not None and abs(seed) >= 10**MOST_DIGITS:
        raise InvalidSpecError("error.bad_seed", digits=MOST_DIGITS)
    return seed


Seed = Annotated[int, typer.Option(metavar="S", callback=check_seed)]


USUAL = {
    "cli.play": Limit(seconds=2),
    "cli.watch": Limit(nodes=10_000),
    "cli.analyse": Limit(seconds=5),
    "cli.solve": UNLIMITED,
    "cli.review": Limit(seconds=REVIEW_SECONDS),
    "cli.mine.review": Limit(seconds=REVIEW_SECONDS),
    "cli.match": PER_MOVE,
    "cli.tournament.run": PER_MOVE,
    "cli.strength": Limit(seconds=0.05),
    "cli.bot.check": Limit(seconds=1),
    "cli.bot.watch": Limit(seconds=1),
}
"""The usual limit of a move, or of a whole review, by the text key of the command.

It counts if neither an option nor the agent sets another one: see `limit_of`.
"""
OWN_LIMITS = ("cli.play", "cli.watch", "cli.analyse")
"""The commands in which the agent's own settings come before the usual limit.

The others grant the same to everybody, or ask no agent.
"""


def limit_of(
    seconds: float | None, nodes: float | None, usual: Limit, agent: Agent | None = None
) -> Limit:
    """Return the limit of a move: by the options, or else the *agent*'s own, or else *usual*.

    *seconds* and *nodes* are the options, None if not given. If one of them is given, the limit is
    made of them, infinite in the other one; else, if *agent* has a limit of its own, it is that.
    Raise PapanError if a given option is out of range. This is the one rule for limits:
    docs/limits.md. Tournaments give no *agent* (None), as their limit is the same for all.
    """
    if seconds is None and nodes is None:
        own = UNLIMITED if agent is None else agent.own_limit
        return usual if own == UNLIMITED else own
    bounds = {"seconds": seconds, "nodes": nodes}
    return Limit(**{name: bound for name, bound in bounds.items() if bound is not None})


def limit_text(limit: Limit) -> str:
    """Return a limit in words, such as ``2 s, 1000 nodes``, or that there is no limit."""
    seconds, nodes = limit.seconds, limit.nodes
    texts = [say("limit.seconds", amount=figure(seconds))] if seconds < inf else []
    texts += [say("limit.nodes", amount=f"{nodes:.0f}")] if nodes < inf else []
    return ", ".join(texts) or say("limit.none")


Confined = Annotated[bool, typer.Option("--confined")]


def confined_agents(agents: Sequence[str], confined: bool) -> tuple[str, ...]:
    """Return *agents* (specs); if *confined*, bots and programs get the setting ``confined=file``.

    A spec that has the setting ``confined`` already is not changed.
    """
    return tuple(
        f"{each},confined=file"
        if confined and catalog.external_place(each) and ",confined=" not in each
        else each
        for each in agents
    )


def agent_for(spec: str, game: Game) -> Agent:
    """Return the agent that *spec* names; files and programs of the user are allowed.

    Raise PapanError if it is unknown or cannot play *game*.
    """
    return catalog.agent_from_user(spec).check_plays(game)


def position_of(text: str, moves: str) -> Position:
    """Return the position that *text* describes, after *moves* have been made there.

    *text* is anything that `papan.catalog.position` reads; *moves* are names of moves, separated by
    spaces, and may be empty. Raise PapanError if either is invalid.
    """
    return catalog.position(text).after(moves)


NEAR = 0.6
"""Least similarity (0 to 1) at which another name is suggested."""
ALIKE = 0.85
"""Least similarity (0 to 1) of an unknown option to a positional argument that is suggested."""

EXAMPLES = {int: "3", float: "0.5", list[int]: "30 20 10"}
"""Example of a value, as text, by its type; for error messages."""


def complaint(error: Exception) -> str:
    """Return one sentence that says what is wrong, and what would be right, in the run's language.

    *error* is a PapanError, or an exception of typer's, which is known by the name of its class;
    any other one is quoted.
    """
    if isinstance(error, PapanError):
        return error.text(language())
    facts: Any = error  # typer's own errors, recognised by the names of their classes
    command = facts.ctx.command_path if getattr(facts, "ctx", None) else "papan"
    parameter = getattr(facts, "param", None)
    match type(error).__name__:
        case "NoSuchOption":
            return _no_such_option(facts.option_name, facts.ctx.command.params, command)
        case "MissingParameter":
            return say("cli.missing", name=_name(parameter), command=command)
        case "BadOptionUsage" if "requires" in str(error):
            return say("cli.option_needs_value", name=facts.option_name, command=command)
        case "BadParameter" if parameter and getattr(parameter, "max", None):
            bounds = {"least": parameter.min, "most": parameter.max}
            return say("cli.out_of_bounds", name=_name(parameter), command=command, **bounds)
        case "BadParameter" if parameter is not None:
            hint = parameter.metavar or ""
            example = EXAMPLES.get(parameter.type_descriptor.annotation, hint)
            example = hint if "|" in hint else example
            return say("cli.bad_value", name=_name(parameter), example=example, command=command)
        case "UsageError" if found := re.search(r"extra argument\S* \((.*)\)", str(error)):
            return say("cli.too_many", words=found[1], command=command)
    return say("cli.usage", message=str(error).rstrip("."), command=command)


def _no_such_option(name: str, parameters: list[Any], command: str) -> str:
    """Return the sentence about the unknown option *name*, such as ``--sed``.

    It suggests a similar option or argument, if there is one. A *name* such as ``-3`` is taken for
    a number, if the command has an argument that is one: it cannot be negative. *parameters* are
    typer's, those of the command whose words are *command*, such as ``papan match``.
    """
    places = {each.name: each for each in parameters if each.param_type_name == "argument"}
    for place in places.values():
        if name[1:].isdigit() and place.type_descriptor.annotation in EXAMPLES:
            example = EXAMPLES[place.type_descriptor.annotation]
            return say("cli.negative", name=_name(place), example=example, command=command)
    if place := nearest(name.lstrip("-"), places, cutoff=ALIKE):
        return say("cli.no_such_option_place", name=name, place=_name(places[place]))
    known = [option for each in parameters for option in each.opts if option.startswith("-")]
    close = nearest(name, known, cutoff=NEAR)
    key = "cli.no_such_option" if close else "cli.no_such_option_far"
    return say(key, name=name, nearest=close, command=command)


def _name(parameter: Any) -> str:
    """Return the name of typer's *parameter* for the user: ``--seed``, or ``GAME`` (argument)."""
    option: str = parameter.opts[0]
    return option if option.startswith("-") else parameter.metavar or option


def check_command(arguments: list[str], commands: Mapping[str, object]) -> None:
    """Raise PapanError if the first word is no command, or the second none of its group.

    *commands* has all commands by name; a group is a dict of its commands. A word after an option,
    which may be its value, is not checked; no words are fine.
    """
    if not arguments or arguments[0].startswith("-"):
        return
    first, *others = arguments
    if first not in commands:
        known = sorted(commands)
        close = nearest(first, known, cutoff=NEAR)
        key = "cli.no_such_command" if close else "cli.no_such_command_far"
        raise PapanError(key, name=first, nearest=close, known=", ".join(known))
    group = commands[first]
    if isinstance(group, dict):
        check_command(others, group)


def check_no_dash(arguments: list[str]) -> None:
    """Raise PapanError if a word is ``-`` or ends with ``=-``, such as ``--file=-``.

    No command takes that for standard input.
    """
    for word in arguments:
        if word == "-" or (word.startswith("--") and word.endswith("=-")):
            raise PapanError("cli.no_dash")


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Within this context, print papan's warnings as one sentence each on standard error.

    Other warnings are shown as usual. The filters of warnings are restored, too, at its end.
    """
    usual = warnings.showwarning

    def show(message: Warning | str, *where: Any, **more: Any) -> None:
        if isinstance(message, PapanWarning):
            progress(complaint(message.error))
        else:
            usual(message, *where, **more)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
