"""What goes wrong on the command line, in one clear line, in the user's language."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from papan.cli.language import language, say
from papan.cli.output import progress
from papan.core import PapanError, PapanWarning
from papan.core.text import nearest

NEAR = 0.6
"""How much alike two names must be for one to be meant by the other."""
ALIKE = 0.85
"""The same for the names of arguments, which are not to be typed at all."""

EXAMPLES = {int: "3", float: "0.5", list[int]: "30 20 10"}
"""What a value of each type looks like."""


def complaint(error: Exception) -> str:
    """One sentence that says what is wrong and what would be right."""
    if isinstance(error, PapanError):
        return error.text(language())
    facts: Any = error  # typer's own complaints, told apart by the name of their class
    command = facts.ctx.command_path if getattr(facts, "ctx", None) else "papan"
    parameter = getattr(facts, "param", None)
    match type(error).__name__:
        case "NoSuchOption":
            return _no_such_option(facts.option_name, facts.ctx.command.params, command)
        case "MissingParameter":
            return say("cli.missing", name=_name(parameter), command=command)
        case "BadOptionUsage":
            return say("cli.option_needs_value", name=facts.option_name, command=command)
        case "BadParameter" if parameter is not None:
            hint = parameter.metavar or ""
            example = EXAMPLES.get(parameter.type_descriptor.annotation, hint)
            example = hint if "|" in hint else example
            return say("cli.bad_value", name=_name(parameter), example=example, command=command)
        case "UsageError" if found := re.search(r"extra argument\S* \((.*)\)", str(error)):
            return say("cli.too_many", words=found[1], command=command)
    return say("cli.usage", message=str(error).rstrip("."), command=command)


def _no_such_option(name: str, parameters: list[Any], command: str) -> str:
    """An option that is not there: a place that needs no name, one that is near, or neither."""
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
    """What the user calls it: an option by its dashes, an argument by its place holder."""
    option: str = parameter.opts[0]
    return option if option.startswith("-") else parameter.metavar or option


def check_command(arguments: list[str], commands: Mapping[str, object]) -> None:
    """Raise if the first word is not a command, or the second none of the group it names."""
    words = [word for word in arguments if not word.startswith("-")]
    known = sorted(commands)
    if words and words[0] not in known and not arguments[0].startswith("-"):
        close = nearest(words[0], known, cutoff=NEAR)
        key = "cli.no_such_command" if close else "cli.no_such_command_far"
        raise PapanError(key, name=words[0], nearest=close, known=", ".join(known))
    group = commands.get(words[0]) if words else None
    if isinstance(group, dict):
        check_command(arguments[1:], group)


@contextmanager
def plain_warnings() -> Iterator[None]:
    """Within it, what papan warns of is one clear line, too."""
    usual = warnings.showwarning

    def show(message: Warning | str, *where: Any, **more: Any) -> None:
        if isinstance(message, PapanWarning):
            progress(complaint(message.error))
        else:
            usual(message, *where, **more)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield
