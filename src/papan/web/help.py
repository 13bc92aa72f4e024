"""Routes of the help: the pages of docs/ as HTML, and facts about this installation."""

from __future__ import annotations

import inspect
import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pydantic import BaseModel

from papan import catalog
from papan.core.message import catalogue, first_line, game_title, text_of
from papan.web.owner import Owner
from papan.web.settings import ServerSettings
from papan.web.wire import Language

CHAPTERS = {
    "start": ("play", "analyse", "puzzles", "lessons"),
    "games": tuple(f"games/{name}" for name in catalog.GAMES),
    "results": ("run-a-tournament", "statistics", "reproduce-a-paper", "prove"),
    "own": ("write-a-bot", "protocol", "train", "notation"),
    "class": ("lecturers", "contest"),
    "more": (
        "limits",
        "library",
        "notebook",
        "web",
        "events",
        "graphs",
        "measure-complexity",
        "how-cost-grows",
        "add-an-agent",
        "add-a-game",
        "add-a-paper",
        "learn",
    ),
}
"""Chapters in order, each with its pages as paths below docs/; the last is only in English."""
PAGES = {posixpath.basename(path): path for chapter in CHAPTERS.values() for path in chapter}
SCREEN = re.compile(
    r"/(play|watch|analyse|solve|room|arena|lab|bots|learn|puzzles|games|about)(/[a-z0-9:,-]+)?"
)
"""Pattern of the address of a screen; such a text becomes a link."""


class HelpPage(BaseModel):
    """One page of the help as HTML."""

    name: str
    """Its name in addresses: ``/help/NAME``."""
    title: str
    language: Language
    """The language of the text: that asked for, or English."""
    html: str
    """Its content as HTML, to be put into a page."""


class Chapter(BaseModel):
    """A chapter of the help; its title has the key ``help.chapter_NAME``."""

    name: str
    """Its name in that key, such as ``start``."""
    pages: list[HelpPage]
    """Its pages in order."""


class Library(BaseModel):
    """An installed library that papan uses, with its version and licence."""

    name: str
    version: str
    licence: str
    """Licence as the library names it; empty if it names none."""


class About(BaseModel):
    """Facts about this installation of papan."""

    version: str
    libraries: list[Library]
    data: str | None
    """The data folder of the server; null for everyone but its owner."""


def add_help(api: FastAPI, settings: ServerSettings, owner: Owner) -> None:
    """Add the routes ``help`` and ``about`` to *api*; *owner* alone learns the data folder of
    *settings*.
    """

    @api.get("/v1/help", tags=["help"])
    def book(language: Language = "en") -> list[Chapter]:
        """Return all pages in a language, so that they can be read and searched offline.

        A page that does not exist in that language is in English.
        """
        return chapters(language)

    @api.get("/v1/about", tags=["help"])
    def about(request: Request) -> About:
        """Return the version, the libraries, and for the owner the data folder."""
        data = str(settings.data) if owner.asks(request) else None
        return About(version=metadata.version("papan"), libraries=libraries(), data=data)


@cache
def libraries() -> list[Library]:
    """Return the installed libraries that papan itself requires, those of extras included, by name.

    Libraries that only these require, and required ones that are not installed, are left out. The
    result is cached and must not be changed.
    """
    wanted = [re.match(r"[\w.-]+", each) for each in metadata.requires("papan") or []]
    names = sorted({each[0] for each in wanted if each} - {"papan"})
    installed = {each.name.lower() for each in metadata.distributions()}
    return [
        Library(
            name=name, version=metadata.version(name), licence=_licence(metadata.metadata(name))
        )
        for name in names
        if name in installed
    ]


def _licence(facts: metadata.PackageMetadata) -> str:
    """Return the licence of a package by its metadata, such as ``MIT``; empty if it names none."""
    classes = [each for each in facts.get_all("Classifier", []) if each.startswith("License ::")]
    for field in ("License-Expression", "License"):
        if field in facts:
            return facts[field].partition("\n")[0]
    return classes[0].rpartition(":: ")[2] if classes else ""


@cache
def chapters(language: Language) -> list[Chapter]:
    """Return all chapters in the order of the help; a page that does not exist in *language* is in
    English.

    The result is cached and must not be changed.
    """
    return [
        Chapter(name=name, pages=[help_page(posixpath.basename(path), language) for path in paths])
        for name, paths in CHAPTERS.items()
    ]


def docs_folder() -> Path:
    """Return the folder ``docs``: inside the package if it is there, else beside the source; it may
    not exist.
    """
    package = Path(str(files("papan")))
    inside = package / "docs"
    return inside if inside.is_dir() else package.parents[1] / "docs"


def page_text(name: str, language: Language) -> tuple[str, Language]:
    """Return the Markdown of the page *name* and its language: English where *language* has none.

    *name* is the last part of its path, such as ``play`` or ``dots``. The page of a game is in the
    docs, or ``page.en.md`` and ``page.id.md`` in its folder; a game without one has a page made of
    its title and its description. Raise KeyError if there is no such page.
    """
    for path, spoken in _files(name):
        if (spoken == "en" or language == "id") and path.exists():
            return path.read_text(encoding="utf-8"), spoken
    return _made_page(name, language), language


def _files(name: str) -> Iterator[tuple[Path, Language]]:
    """Yield the paths at which a page may be, each with its language: those of the docs, then of
    the game.

    Each pair is Indonesian, then English; a path may not exist. Raise KeyError if there is no page
    *name*.
    """
    places = [docs_folder() / "id" / f"{PAGES[name]}.md", docs_folder() / f"{PAGES[name]}.md"]
    yield from zip(places, ("id", "en"))
    if name in catalog.GAMES:
        own = Path(inspect.getfile(catalog.GAMES[name])).parent
        yield from ((own / "page.id.md", "id"), (own / "page.en.md", "en"))


def _made_page(name: str, language: Language) -> str:
    """Return Markdown about the game *name*, which has no page: its title and description."""
    texts, kind = catalogue(language), catalog.GAMES[name]
    title = game_title(name, language)
    about = texts.get(f"web.about_{name}", first_line(kind))
    return text_of("help.game_page", language, title=title, about=about, name=name)


def help_page(name: str, language: Language) -> HelpPage:
    """Return the page *name* as HTML, in English where *language* has none.

    Anchors of headings are the English ones in all languages. Raise KeyError if there is no such
    page.
    """
    text, spoken = page_text(name, language)
    tokens = MARKDOWN.parse(text)
    for token, anchor in zip(_headings(tokens), anchors(name, "en")):  # the same in all languages
        token.attrSet("id", anchor)
    _label(tokens)
    for token in tokens:
        if token.children:
            token.children = list(_linked(token.children, name, spoken))
    title = _plain(tokens[1])
    html = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return HelpPage(name=name, title=title, language=spoken, html=html)


@cache
def anchors(name: str, language: Language) -> list[str]:
    """Return the anchor of each heading of the page *name*, in order, formed as code hosts form
    them.

    ``How it works`` becomes ``how-it-works``. Raise KeyError if there is no such page.
    """
    tokens = MARKDOWN.parse(page_text(name, language)[0])
    texts = [_plain(tokens[tokens.index(each) + 1]) for each in _headings(tokens)]
    return [re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in texts]


def _headings(tokens: Sequence[Token]) -> list[Token]:
    return [token for token in tokens if token.type == "heading_open"]


def _plain(inline: Token) -> str:
    return "".join(each.content for each in inline.children or [])


def _label(tokens: list[Token]) -> None:
    """Store the text of the last heading before it as ``meta["label"]`` of each table and code
    block of *tokens*.

    The label is empty before the first heading. *tokens* are changed in place: heads of tables
    without text are dropped, cells of other heads get the HTML attribute ``scope``.
    """
    label = ""
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            label = _plain(tokens[place + 1])
        elif token.type in ("table_open", "fence", "code_block"):
            token.meta["label"] = label
        elif token.type == "th_open":
            token.attrSet("scope", "col")
    starts = [place for place, token in enumerate(tokens) if token.type == "thead_open"]
    for start in reversed(starts):
        end = next(at for at in range(start, len(tokens)) if tokens[at].type == "thead_close")
        if not any(each.content for each in tokens[start:end]):
            del tokens[start : end + 1]


def _linked(tokens: Sequence[Token], name: str, language: Language) -> Iterator[Token]:
    """Yield *tokens*, changed in place, with the addresses of the app in links and images.

    Links to nowhere in the app become plain text, code such as ``/room`` becomes a link. *name* and
    *language* are those of the page that contains them.
    """
    target: str | None = ""
    for token in tokens:
        if token.type == "link_open":
            target = link_target(str(token.attrs["href"]), name, language)
            if target is None:
                continue
            token.attrSet("href", target)
            if target.startswith("/"):
                token.attrSet("data-link", "")
        elif token.type == "link_close" and target is None:
            continue
        elif token.type == "image":
            token.attrSet("src", f"/docs/images/{posixpath.basename(str(token.attrs['src']))}")
        elif token.type == "code_inline" and SCREEN.fullmatch(token.content):
            yield Token("link_open", "a", 1, attrs={"href": token.content, "data-link": ""})
            yield token
            token = Token("link_close", "a", -1)
        yield token


def link_target(href: str, name: str, language: Language) -> str | None:
    """Return the address in the app for the link *href* on page *name*: ``/help/PAGE`` or
    ``/help/PAGE#ANCHOR``.

    *href* is a path of docs, an anchor of the page itself, or both; anchors are those of
    *language*, and an unknown one is dropped. Addresses with http or https are unchanged. None if
    the app has no such page.
    """
    if re.match(r"https?:", href):
        return href
    file, _, anchor = href.partition("#")
    page = posixpath.basename(file).removesuffix(".md") or name
    if page not in PAGES:
        return None
    here = anchors(page, language)
    if anchor and anchor in here:
        return f"/help/{page}#{anchors(page, 'en')[here.index(anchor)]}"
    return f"/help/{page}"


def _table(renderer: Any, tokens: Sequence[Token], place: int, *_: object) -> str:
    """Return the HTML that begins the table of ``tokens[place]``, within an element that scrolls.

    A rule of markdown-it for the token ``table_open``; `_label` must have labelled the token.
    """
    return f'<div class="scroll" {_named(tokens[place])}><table class="ledger">\n'


def _end_of_table(renderer: Any, tokens: Sequence[Token], place: int, *_: object) -> str:
    return "</table></div>\n"


def _code(renderer: Any, tokens: Sequence[Token], place: int, *_: object) -> str:
    """Return the HTML of the code block ``tokens[place]``, which scrolls where it is too wide.

    A rule of markdown-it for the tokens of code blocks; `_label` must have labelled the token.
    """
    return f"<pre {_named(tokens[place])}><code>{escape(tokens[place].content)}</code></pre>\n"


def _named(token: Token) -> str:
    """Return the HTML attributes that make a table or code block scrollable by keyboard, with its
    label.

    `_label` must have labelled *token*.
    """
    return f'role="group" tabindex="0" aria-label="{escape(token.meta["label"])}"'


MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
MARKDOWN.add_render_rule("table_open", _table)
MARKDOWN.add_render_rule("table_close", _end_of_table)
MARKDOWN.add_render_rule("fence", _code)
MARKDOWN.add_render_rule("code_block", _code)
