"""Several commands in one process of their own: to start takes longer than what most of them do."""

import json
import subprocess
import sys
from collections.abc import Mapping

from tests.cli.conftest import Ran

PROGRAM = """
import json, sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from papan.cli.app import run_arguments

for command in json.loads(sys.argv[1]):
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = run_arguments(command)
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""


def run_together(environment: Mapping[str, str], *commands: tuple[str, ...]) -> list[Ran]:
    """Run commands, the words after ``papan``, one after another in a process of their own."""
    words = [sys.executable, "-P", "-c", PROGRAM, json.dumps(commands)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return [Ran(*json.loads(line)) for line in done.stdout.splitlines()]
