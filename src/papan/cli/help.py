"""``papan help``: the pages that the web app shows, in the terminal."""

from __future__ import annotations

import re
import sys
from typing import Annotated, Optional

import typer

from papan.core import PapanError
from papan.terminal.output import console, language, print_table, say


def show_help(
    page: Annotated[Optional[str], typer.Argument(metavar="PAGE")] = None,  # noqa: UP045
) -> None:
    """A page, or the list of all; a program that reads it gets it as it is written."""
    from rich.markdown import Markdown  # slow to load, and no other command needs these

    from papan.web.help import PAGES, chapters, written
    from papan.web.wire import Language

    spoken: Language = "id" if language() == "id" else "en"
    if page is None:
        found = [each for chapter in chapters(spoken) for each in chapter.pages]
        print_table(
            [say("help.page"), say("list.title")], [[each.name, each.title] for each in found]
        )
        return
    if page not in PAGES:
        raise PapanError("help.unknown", page=page, pages=", ".join(PAGES))
    text = written(page, spoken)[0].read_text(encoding="utf-8")
    if sys.stdout.isatty():
        text = re.sub(r"^!\[.*\n", "", text, flags=re.M)  # pictures
        console().print(Markdown(text, hyperlinks=False), soft_wrap=False)
    else:
        print(text, end="")
