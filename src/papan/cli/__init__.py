"""The command line: every command is a module, and `app` joins them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

from papan.core import interrupts
from papan.core.extras import MissingExtraError, extra_libraries
from papan.core.message import locale_language


def main() -> None:
    """Run papan with the arguments of this process, and end it with the exit code.

    Never return: SystemExit is raised.
    """
    sys.exit(run_command(sys.argv[1:], signal.default_int_handler, lambda: False))


def run_command(
    arguments: list[str], early: Callable[..., object], was_pressed: Callable[[], bool]
) -> int:
    """Run one command in this process and return its exit code (see `papan.cli.app`).

    *arguments* are the words after ``papan``; *early* is the handler of Ctrl-C so far, which
    papan's own replaces; *was_pressed* returns whether *early* was called. If a library is missing,
    print which, and return 2. Else the standard streams and the handling of Ctrl-C stay changed.
    With PAPAN_DEBUG set, raise unexpected errors.
    """
    try:
        with extra_libraries():
            from papan.cli.app import run_arguments
            from papan.terminal.output import open_streams
    except MissingExtraError as error:  # only the library is installed
        print(f"papan: {error.text(locale_language())}", file=sys.stderr)
        return 2
    interrupts.REPLACED.append(early)
    open_streams()
    code = run_arguments(arguments, was_pressed)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # all is done: Ctrl-C may now end the process
    return code
