"""Join scripts and style sheets into few files: on a slow line every request costs seconds.

The scripts are plain modules, and are also served as such, to be read. Browsers get them as
``first.js``, with what a first visit needs, ``rest.js``, loaded with the first other screen, and
``code.js``, loaded where code is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from posixpath import dirname, join, normpath

ENTRY = "main.js"
FIRST = (ENTRY, "screens/home.js", "screens/play.js", "pickers.js")
"""Modules that a first visit needs; those that they import are added."""
CODE, CODE_SCRIPT = "code_editor.js", "code.js"
"""The module of the code editor, and the script that joins it with the modules that only it
needs.
"""
NOT_JOINED = ("boot.js", "print.js", "service_worker.js", "widget.js")
"""Scripts that pages load separately, or that no page of the app loads."""
STYLES = ("base", "board", "screens", "arena", "reading", "learn", "analyse", "sizes")
"""Style sheets in their order: a later one overrides earlier ones."""
CODE_STYLES = ("js/vendor/prism-code-editor/layout.css", "css/workshop.css")
"""Style sheets of the code editor; the second is papan's own."""

COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.M | re.S)
"""Pattern of comments that have lines of their own."""
IMPORT = re.compile(r'^import\s+(\{[^}]*\})\s+from\s+"(\.[^"]+)";$', re.M)
FOR_EFFECT = re.compile(r'^import\s+"(\.[^"]+)";$', re.M)
DYNAMIC = re.compile(r'\bimport\("(\.[^"]+)"\)')
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.M)
EXPORTED = re.compile(r"\bexport\s*\{([^}]*)\};?")

RUNTIME = """\
const makers = new Map();
const made = new Map();
export const define = (name, make) => makers.set(name, make);
export const use = (name) => {
  if (!made.has(name)) made.set(name, makers.get(name)());
  return made.get(name);
};
export const load = async (name, script = "./rest.js") => {
  if (!makers.has(name)) await import(script);
  return use(name);
};
"""
SHARED = 'import { define, load, use } from "./first.js";\n'


KEY = re.compile(r'"([a-z_0-9]+\.[a-z_0-9]+)"')
KEY_BEGINNING = re.compile(r"`([a-z_0-9]+\.[a-z_0-9]*)\$\{")
"""Pattern of the constant beginning of a template that makes the key of a text."""


LATER = {"lesson.", "option."}
"""Beginnings of keys with many texts that a first visit does not need."""


class Bundle:
    """Joins the script modules below *folder* into three scripts; each module runs when it is first
    used.

    Modules are named by their path below *folder*, such as ``screens/home.js``. *games* are folders
    of games that have a script `GAME_SCRIPT`, by name of the game (None: no games). Raises OSError
    if such a script is missing, or a module that another imports.
    """

    def __init__(self, folder: Path, games: Mapping[str, Path] | None = None) -> None:
        self.folder = folder
        self.of_games = game_modules(games or {})
        names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.*js")}
        self.names = sorted((names | self.of_games.keys()) - {*NOT_JOINED})
        self._sources = dict[str, str]()
        self.first = sorted(self._needed(FIRST))
        code = self._needed([CODE]) if CODE in self.names else set[str]()
        self.code = sorted(code.difference(self.first))

    def _needed(self, names: Iterable[str]) -> set[str]:
        """Return the module names *names* and those of all modules that they import, directly or
        not.

        Raise OSError if one is missing.
        """
        needed, waiting = set[str](), list(names)
        while waiting:
            name = waiting.pop()
            if name not in needed:
                needed.add(name)
                waiting += _imported(name, self[name])
        return needed

    def __getitem__(self, name: str) -> str:
        """Return the source of the module *name* without comments, read once.

        Raise OSError if there is none.
        """
        if name not in self._sources:
            source = self.of_games.get(name) or (self.folder / name).read_text(encoding="utf-8")
            self._sources[name] = without_comments(f"{source.rstrip()}\n")
        return self._sources[name]

    def first_script(self) -> str:
        """Return the JavaScript of a first visit: the modules that it needs, and a call that starts
        the app.
        """
        return f'{RUNTIME}{self._joined(self.first)}use("{ENTRY}");\n'

    def other_script(self) -> str:
        """Return the JavaScript with all modules that are in neither of the other two scripts."""
        others = (name for name in self.names if name not in (*self.first, *self.code))
        return SHARED + self._joined(others)

    def code_script(self) -> str:
        """Return the JavaScript of the code editor, which only one screen needs."""
        return SHARED + self._joined(self.code)

    def spoken(self, texts: Mapping[str, str], areas: tuple[str, ...]) -> dict[str, str]:
        """Return those of *texts* (by key such as ``web.lead``) that a first visit may show.

        These are the texts whose keys occur in the first script, or begin like a key that it puts
        together (but for `LATER`), or with one of *areas*: the part of a key before its dot.
        """
        sources = [self[name] for name in self.first]
        keys = {key for source in sources for key in KEY.findall(source)}
        begun = {each for source in sources for each in KEY_BEGINNING.findall(source)}
        beginnings = (*(begun - LATER), *(f"{area}." for area in areas))
        return {
            key: text for key, text in texts.items() if key in keys or key.startswith(beginnings)
        }

    def _joined(self, names: Iterable[str]) -> str:
        """Return the JavaScript that defines the modules *names*, one after the other."""
        return "".join(_defined(name, self[name]) for name in names)


GAME_SCRIPT = "offline.js"
"""Script in the folder of a game: its rules and its drawing for when the server is gone."""


def game_modules(folders: Mapping[str, Path]) -> dict[str, str]:
    """Return the source of the script of each game, by name such as ``games/nim.js``, and
    ``games/all.js``, which exports all of them as ``GAMES``.

    *folders* are those of the games, by name; OSError is raised if one has no script. ``GAMES`` has
    by the name of a game its functions ``begin`` and ``read``, and the SVG files beside the script
    by file name. Addresses of the pages' scripts in imports are rewritten, as the module is served
    elsewhere.
    """
    modules, imports, exports = dict[str, str](), list[str](), list[str]()
    for number, (name, folder) in enumerate(folders.items()):
        source = (folder / GAME_SCRIPT).read_text(encoding="utf-8")
        modules[f"games/{name}.js"] = source.replace('"../../web/static/js/', '"../')
        drawings = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.svg"))}
        own = ", ".join(f"{each} as {each}{number}" for each in ("begin", "read"))
        imports.append(f'import {{ {own} }} from "./{name}.js";')
        facts = f"begin: begin{number}, read: read{number}, drawings: {json.dumps(drawings)}"
        exports.append(f"  {json.dumps(name)}: {{ {facts} }},")
    listed = [*imports, "export const GAMES = {", *exports, "};", ""]
    return modules | {"games/all.js": "\n".join(listed)}


def without_comments(source: str) -> str:
    """Return the script or style sheet *source* without comments on lines of their own; others
    stay.
    """
    return COMMENT.sub("", source)


def joined_styles(folder: Path) -> str:
    """Return all style sheets of the app, from *folder*, as one text without comments.

    Raise OSError if one is missing.
    """
    return _joined_sheets(folder / f"{name}.css" for name in STYLES)


def code_styles(static: Path) -> str:
    """Return the style sheets of the code editor as one text without comments.

    *static* is the folder of all static files. Raise OSError if one is missing.
    """
    return _joined_sheets(static / name for name in CODE_STYLES)


def _joined_sheets(paths: Iterable[Path]) -> str:
    return without_comments("\n".join(path.read_text(encoding="utf-8") for path in paths))


def _imported(name: str, source: str) -> list[str]:
    """Return the names of the modules that the module *name*, whose text is *source*, imports.

    Only the statements ``import {…} from "…"`` and ``import "…"`` count, not modules that it loads
    on demand.
    """
    found = [each[2] for each in IMPORT.finditer(source)]
    found += [each[1] for each in FOR_EFFECT.finditer(source)]
    return [_near(name, relative) for relative in found]


def _near(name: str, relative: str) -> str:
    """Return the name of the module that the module *name* imports as *relative*, such as
    ``../board.js``.
    """
    return normpath(join(dirname(name), relative))


def _defined(name: str, source: str) -> str:
    """Return the JavaScript that defines the module *name*: a function that runs *source* and
    returns its exports.
    """
    exported = EXPORT.findall(source)
    for names in EXPORTED.findall(source):
        exported += [_renamed(each, ": ", swap=True) for each in names.split(",")]
    body = EXPORTED.sub("", EXPORT.sub("", source))
    body = IMPORT.sub(lambda each: _used(name, each), body)
    body = FOR_EFFECT.sub(lambda each: f'use("{_near(name, each[1])}");', body)
    body = DYNAMIC.sub(lambda each: _loaded(_near(name, each[1])), body)
    return f'define("{name}", () => {{\n{body}return {{ {", ".join(exported)} }};\n}});\n'


def _loaded(name: str) -> str:
    """Return the JavaScript expression that loads the module *name* on demand: a promise of its
    exports.
    """
    return f'load("{name}", "./{CODE_SCRIPT}")' if name == CODE else f'load("{name}")'


def _used(name: str, found: re.Match[str]) -> str:
    """Return the JavaScript that takes the place of an import of the module *name*; *found* matches
    `IMPORT`.
    """
    names = [each for each in found[1].strip("{} \n").split(",") if each.strip()]
    taken = ", ".join(_renamed(each, ": ") for each in names)
    return f'const {{ {taken} }} = use("{_near(name, found[2])}");'


def _renamed(text: str, sign: str, swap: bool = False) -> str:
    """Return ``a as b`` with *sign* in place of ``as``, such as ``a: b``; with *swap* ``b: a``.

    Any other name is returned without the blanks around it.
    """
    own, _, other = text.strip().partition(" as ")
    parts = [other, own] if swap else [own, other]
    return sign.join(parts) if other else own
