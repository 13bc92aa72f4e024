"""The command `papan`: handles Ctrl-C before papan is imported, which takes half a second.

KeyboardInterrupt in the midst of imports would be a long traceback. This module is apart from the
package, because importing any part of a package imports the package first; and it belongs to the
command alone, so it may replace the handler of Ctrl-C when it is imported.
"""

import _signal  # type: ignore[import-not-found]  # `signal` would import others first

_presses = 0


def _note(number: int, frame: object) -> None:
    """Count the first Ctrl-C in `_presses`; at the second one let the signal kill the process.

    This is a signal handler: *number* is that of the signal, *frame* is not used. The second time
    the system's own handler is restored and the signal raised again.
    """
    global _presses
    _presses += 1
    if _presses > 1:
        _signal.signal(number, _signal.SIG_DFL)
        _signal.raise_signal(number)


if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # else it is to be ignored
    _signal.signal(_signal.SIGINT, _note)
if hasattr(_signal, "pthread_sigmask"):
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, {_signal.SIGINT})  # `./papan` has blocked it


def main() -> None:
    """Run papan with the arguments of this process; raise SystemExit with the exit code."""
    import sys

    from papan.cli import run_command

    sys.exit(run_command(sys.argv[1:], _note, lambda: _presses > 0))
