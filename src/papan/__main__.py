"""``python -m papan`` is the same as ``papan``."""

from papan.cli import main

main()
