"""The command line: every command is a module, and `app` joins them."""

from __future__ import annotations

import sys


def main() -> None:
    """Run papan with the arguments it was called with."""
    from papan.cli.app import run
    from papan.terminal.output import open_streams

    open_streams()
    sys.exit(run(sys.argv[1:]))
