"""The `papan` command: its options, its help in two languages, and its exit codes.

They are 0 for done, 1 for failed, 2 for bad input (one clear line says what, and nothing is lost)
and 130 for interrupted. People's games that a signal ends exit with 128 and its number, such as 143
for SIGTERM.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from errno import EDQUOT, EFBIG, ENAMETOOLONG, ENOSPC, EROFS
from functools import partial
from importlib import metadata
from typing import Annotated, Any

import typer
from typer.main import get_command

from papan.cli import (
    agents,
    contest,
    doctor,
    lab,
    match,
    play,
    prove,
    puzzle,
    review,
    serve,
    solve,
    tournament,
)
from papan.cli.arguments import (
    OWN_LIMITS,
    USUAL,
    check_command,
    check_no_dash,
    complaint,
    limit_text,
    plain_warnings,
)
from papan.core import PapanError
from papan.core.compiling import notifying
from papan.core.errors import in_one_line
from papan.core.extras import extra_libraries
from papan.core.interrupts import interruptible
from papan.core.message import locale_language
from papan.core.thinking import Cancelled, never
from papan.terminal.output import (
    INTERRUPTED,
    CompilerCounter,
    console,
    language,
    print_table,
    progress,
    say,
    take_language,
    use_language,
)


def show_help(
    page: Annotated[str | None, typer.Argument(metavar="PAGE")] = None,
) -> None:
    """Print the help page *page* in the language of this run, or a list of all pages (None).

    On a terminal it is formatted, without its pictures; in a pipe it is plain Markdown. Raise
    PapanError if there is no such page.
    """
    from rich.markdown import Markdown  # slow to load, and no other command needs these

    from papan.web.help import PAGES, chapters, page_text
    from papan.web.wire import Language

    spoken: Language = "id" if language() == "id" else "en"
    if page is None:
        found = [each for chapter in chapters(spoken) for each in chapter.pages]
        print_table(
            [say("help.page"), say("help.column_title")],
            [[each.name, each.title] for each in found],
        )
        return
    if page not in PAGES:
        raise PapanError("help.unknown", page=page, pages=", ".join(PAGES))
    text = page_text(page, spoken)[0]
    if sys.stdout.isatty():
        text = re.sub(r"^!\[.*\n", "", text, flags=re.M)  # pictures
        console().print(Markdown(text, hyperlinks=False), soft_wrap=False)
    else:
        print(text, end="")


HELP: dict[str, Any] = {"help_option_names": ["-h", "--help"]}

Commands = dict[str, Callable[..., None]]
Entries = dict[str, Callable[..., None] | Commands]

COMMANDS: Entries = {
    "serve": serve.serve,
    "play": play.play,
    "watch": play.watch,
    "mine": play.MINE,
    "puzzle": puzzle.puzzle,
    "analyse": solve.analyse,
    "solve": solve.solve,
    "prove": prove.prove,
    "review": review.review,
    "graph": solve.graph,
    "match": match.match,
    "tournament": tournament.COMMANDS,
    "class": contest.COMMANDS,
    "elo": lab.elo,
    "strength": lab.strength,
    "lab": lab.COMMANDS,
    "complexity": lab.complexity,
    "train": agents.train,
    "bot": agents.COMMANDS,
    "games": agents.games,
    "agents": agents.agents,
    "help": show_help,
    "doctor": doctor.doctor,
    "warm": doctor.warm,
}


FULL = (ENOSPC, EDQUOT, EFBIG, EROFS)
"""Error numbers of a disk that is full or refuses to write, which is not papan's fault."""


def run_arguments(arguments: list[str], was_pressed: Cancelled = never) -> int:
    """Run one command and return its exit code, one of those of this module.

    *arguments* are the words after ``papan``. *was_pressed* returns whether Ctrl-C was pressed
    before; then the command is not run, and the code is 130. With PAPAN_DEBUG set, raise unexpected
    errors.
    """
    use_language(locale_language())
    try:
        with interruptible:
            if was_pressed():
                signal.raise_signal(signal.SIGINT)
            code = _run(arguments)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        progress(say("cli.interrupted"))
    return code


def _run(arguments: list[str]) -> int:
    """Run one command and return its exit code (see the module); print one sentence for an error.

    *arguments* are the words after ``papan``; the language that they or the locale name becomes
    that of the run. A reader that has closed the pipe is no error: the rest of the output is
    discarded, and the code is 0. If PAPAN_DEBUG is set, an unexpected error is raised instead;
    KeyboardInterrupt always is.
    """
    try:
        spoken, arguments = take_language(arguments, os.environ)
        use_language(spoken)
        check_command(arguments, COMMANDS)
        check_no_dash(arguments)
        with plain_warnings(), notifying(CompilerCounter().update), extra_libraries():
            command = build(needed(arguments))
            code = command.main(args=arguments, prog_name="papan", standalone_mode=False)
        sys.stdout.flush()  # the reader may be gone by now
    except (PapanError, typer.TyperException) as error:
        progress(complaint(error))
        return 2
    except typer.Abort:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe
        _discard_output()
        return 0
    except SystemExit as leaving:  # typer's word for the same
        return 0 if isinstance(leaving.__context__, BrokenPipeError) else _number(leaving.code)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in FULL:
            if error.filename is not None:
                facts = {"path": error.filename, "why": error.strerror}
                progress(complaint(PapanError("error.cannot_write", **facts)))
                return 1
            _discard_output()
            progress(say("cli.full", why=error.strerror))
            return 1
        if isinstance(error, OSError) and error.errno == ENAMETOOLONG:
            progress(
                say("error.cannot_read", path=f"{str(error.filename)[:60]}…", why=error.strerror)
            )
            return 2
        if os.environ.get("PAPAN_DEBUG"):
            raise
        progress(_crash(error))
        return 1
    return _number(code)


def _crash(error: Exception) -> str:
    """Return the sentence on an unexpected *error*; it names the line of a game or agent to blame.

    If there is none, the fault is papan's own, and it has the type and the text of the error.
    """
    from papan.catalog import fault_of_addition  # slow to load, but loaded where a game was

    return say("cli.failed", error=fault_of_addition(error) or in_one_line(error))


def _discard_output() -> None:
    """Discard the output that is not written yet, and all that follows.

    Otherwise Python would try to write it at exit, and fail.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _number(code: object) -> int:
    """Return *code* if it is a whole number, an exit code, and else 0: after success it is None."""
    return code if isinstance(code, int) else 0


def needed(arguments: list[str]) -> Entries:
    """Return the part of `COMMANDS` that *arguments* need, a dict of commands by their first word.

    That is the one entry that the first argument names, or all of `COMMANDS` if it names none.
    Building commands takes time, so only those needed are built.
    """
    first = arguments[0] if arguments else ""
    return {first: COMMANDS[first]} if first in COMMANDS else COMMANDS


def build(entries: Entries) -> Any:
    """Return the typer command ``papan`` with the commands of *entries*, by their first word.

    Its help is in the language of the run.
    """
    app = typer.Typer(rich_markup_mode="rich")
    app.callback(invoke_without_command=True, context_settings=HELP)(home)
    for name, entry in entries.items():
        if isinstance(entry, dict):
            app.add_typer(_group(entry), name=name)
        else:
            app.command(name)(entry)
    command: Any = get_command(app)
    command.commands = {name: command.commands[name] for name in entries}  # typer's: groups last
    _set_help(command)
    return command


def _group(commands: Commands) -> typer.Typer:
    """Return a typer group of commands that share their first word, such as ``tournament run``.

    *commands* has their functions by their second word, such as ``run``.
    """
    group = typer.Typer()
    group.callback(invoke_without_command=True)(_group_help)
    for name, function in commands.items():
        group.command(name)(function)
    return group


def _group_help(context: typer.Context) -> None:
    """Print the help of a group if it is called without a command, as ``papan tournament``.

    Else do nothing: typer calls the command itself.
    """
    if context.invoked_subcommand is None:
        context.get_help()  # prints it


def home(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version")] = False,
) -> None:
    """Serve the web app, and open it in the browser, if ``papan`` is called without a command.

    It does and raises then what ``papan serve`` does; with a command, nothing. With *version*,
    print the version instead, and raise typer.Exit, which ends papan with code 0.
    """
    if version:
        print(f"papan {metadata.version('papan')}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        serve.serve()


def _set_help(command: Any) -> None:
    """Set the help texts of the command ``papan`` and of all its subcommands and options.

    They are in the language of the run.
    """
    command.help = say("cli.papan")
    _set_help_of(command, "cli")


def _set_help_of(command: Any, key: str) -> None:
    """Set the help texts of a command's options and subcommands, and add the option ``--lang``.

    *key* is the key of the command's own text, such as ``cli.tournament``, which is set before; a
    subcommand has a longer one, such as ``cli.tournament.run``.
    """
    command.options_metavar = say("cli.usage_options")
    command.get_usage = partial(_usage, command.get_usage)
    command.format_help = partial(_help, command.format_help)
    command.params.append(_language_option())
    for parameter in command.get_params(command.context_class(command, **HELP)):
        parameter.help = say(f"option.{parameter.name}")
        usual = USUAL.get(key)
        if usual is not None and parameter.name == "seconds":
            text = "option.usual_limit" + ("_of_agent" if key in OWN_LIMITS else "")
            parameter.help += " " + say(text, limit=limit_text(usual))
        if parameter.type_descriptor.annotation is bool:
            parameter.metavar = " "  # a switch takes no value: show none
        if parameter.param_type_name == "argument":
            parameter.display_type_rich = _no_type
    if hasattr(command, "commands"):
        command.subcommand_metavar = say("cli.usage_command")
        for name, part in command.commands.items():
            part.help = say(f"{key}.{name}")
            _set_help_of(part, f"{key}.{name}")


def _usage(usage: Callable[[Any], str], context: Any) -> str:
    """Return the usage line that *usage*, typer's own function, makes of *context*, translated.

    Typer's own word *Usage:* is always English.
    """
    return usage(context).replace("Usage:", say("cli.usage_word"), 1)


def _help(help_of: Callable[[Any, Any], None], context: Any, formatter: Any) -> None:
    """Print the help of a command by *help_of*, typer's own function, with our headings.

    *context* and *formatter* are typer's, for *help_of*. The headings stay changed in its renderer,
    which is imported late, as that is slow.
    """
    from typer import rich_utils

    rich_utils.ARGUMENTS_PANEL_TITLE = say("cli.arguments")
    rich_utils.OPTIONS_PANEL_TITLE = say("cli.options")
    rich_utils.COMMANDS_PANEL_TITLE = say("cli.commands")
    rich_utils.DEFAULT_STRING = say("cli.default", value="{}")
    rich_utils.REQUIRED_LONG_STRING = say("cli.required")
    help_of(context, formatter)


def _no_type(ctx: Any) -> None:
    """Return None, so that typer shows no type beside a positional argument."""


def _language_option() -> Any:
    """Return typer's option ``--lang``, which is only shown in the help.

    It never gets a value: `take_language` has removed it from the arguments.
    """
    probe = typer.Typer(add_completion=False)

    @probe.command()
    def probed(lang: str = typer.Option(None, metavar="id|en")) -> None: ...

    option: Any = get_command(probe).params[0]
    option.expose_value = False
    return option
