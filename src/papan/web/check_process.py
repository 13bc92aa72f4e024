"""The process of one check: ``python -m papan.web.check_process FOLDER STUDENT``.

It builds and tries what a student handed in, in the sandbox, and adds the result to the contest in
the folder. It is killed when its standard input closes, as it does when the server ends. Where it
cannot check, it prints the reason as one line of JSON.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path

from papan.contest.folder import Contest
from papan.process.host import kill_group, lower_priority
from papan.process.lines import emitter, failure, on_input_end, private_streams
from papan.web.job_process import failure_reason
from papan.web.settings import NICENESS


def main() -> int:
    """Check the unchecked versions of a student that may play; FOLDER and STUDENT are arguments.

    STUDENT is the number in the list. Return the exit code: 0 also if there was nothing to check or
    the bot failed its check; 1 if it could not be checked, for which a line of JSON says why.
    """
    folder, student = Path(sys.argv[1]), sys.argv[2]
    requests, out = private_streams()
    lower_priority(os.getpid(), NICENESS["analysis"])
    on_input_end(requests, partial(kill_group, os.getpid()))
    try:
        Contest.without_games(folder).check(lambda check: None, only=(student,))
    except Exception as error:
        emitter(out)(failure(failure_reason(error)))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
