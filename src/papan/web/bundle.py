"""Scripts and style sheets joined into few files: on a slow line every request costs seconds.

The scripts are plain modules, and are served as such for whoever looks at one. Browsers get them as
``first.js``, with what a first visit needs, and ``rest.js``, loaded with the first other screen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from posixpath import dirname, join, normpath

ENTRY = "main.js"
FIRST = (ENTRY, "screens/home.js", "screens/play.js", "pickers.js")
"""Modules that a first visit needs, with all that they import."""
NOT_JOINED = ("boot.js", "print.js", "service_worker.js", "widget.js")
"""Scripts that are loaded by themselves, or never by a page of the app."""
STYLES = ("base", "board", "screens", "arena", "reading", "learn", "analyse", "sizes")
"""Style sheets in their order: a later one wins."""

COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/[ \t]*)\n", re.M | re.S)
"""Comments that have lines of their own."""
IMPORT = re.compile(r'^import\s+(\{[^}]*\})\s+from\s+"(\.[^"]+)";$', re.M)
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
export const load = async (name) => {
  if (!makers.has(name)) await import("./rest.js");
  return use(name);
};
"""
SHARED = 'import { define, load, use } from "./first.js";\n'


KEY = re.compile(r'"([a-z_0-9]+\.[a-z_0-9]+)"')
KEY_BEGINNING = re.compile(r"`([a-z_0-9]+\.[a-z_0-9]*)\$\{")
"""What a template begins with that makes the key of a text."""


LATER = {"lesson.", "option."}
"""Beginnings of keys that many texts have, which a first visit can wait for."""


class Bundle:
    """The modules of a folder, joined; each is made when it is used first, as modules are."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = (path.relative_to(folder).as_posix() for path in folder.rglob("*.*js"))
        self.names = sorted(name for name in names if name not in NOT_JOINED)
        self.first = sorted(set(self._needed(FIRST)))

    def _needed(self, names: Iterable[str]) -> Iterator[str]:
        """Yield *names* and all modules that they import, some more than once."""
        for name in names:
            yield name
            yield from self._needed(_near(name, each[2]) for each in IMPORT.finditer(self[name]))

    def __getitem__(self, name: str) -> str:
        """Return the source of a module without comments."""
        return without_comments((self.folder / name).read_text(encoding="utf-8"))

    def first_script(self) -> str:
        """Return the script of a first visit, which starts the app."""
        return f'{RUNTIME}{self._joined(self.first)}use("{ENTRY}");\n'

    def other_script(self) -> str:
        """Return the script with all other modules."""
        return SHARED + self._joined(name for name in self.names if name not in self.first)

    def spoken(self, texts: Mapping[str, str], areas: tuple[str, ...]) -> dict[str, str]:
        """Return those of *texts* that a first visit may say, and all of some *areas*."""
        sources = [self[name] for name in self.first]
        keys = {key for source in sources for key in KEY.findall(source)}
        begun = {each for source in sources for each in KEY_BEGINNING.findall(source)}
        beginnings = (*(begun - LATER), *(f"{area}." for area in areas))
        return {
            key: text for key, text in texts.items() if key in keys or key.startswith(beginnings)
        }

    def _joined(self, names: Iterable[str]) -> str:
        return "".join(_defined(name, self[name]) for name in names)


def without_comments(source: str) -> str:
    """Return a script or style sheet without the comments that have lines of their own."""
    return COMMENT.sub("", source)


def joined_styles(folder: Path) -> str:
    """Return all style sheets of the app as one."""
    sheets = ((folder / f"{name}.css").read_text(encoding="utf-8") for name in STYLES)
    return without_comments("\n".join(sheets))


def _near(name: str, relative: str) -> str:
    """Return the name of the module that *name* calls *relative*."""
    return normpath(join(dirname(name), relative))


def _defined(name: str, source: str) -> str:
    """Return the statement that defines a module: a function that returns what it exports."""
    exported = EXPORT.findall(source)
    for names in EXPORTED.findall(source):
        exported += [_renamed(each, ": ", swap=True) for each in names.split(",")]
    body = EXPORTED.sub("", EXPORT.sub("", source))
    body = IMPORT.sub(lambda each: _used(name, each), body)
    body = DYNAMIC.sub(lambda each: f'load("{_near(name, each[1])}")', body)
    return f'define("{name}", () => {{\n{body}return {{ {", ".join(exported)} }};\n}});\n'


def _used(name: str, found: re.Match[str]) -> str:
    names = [each for each in found[1].strip("{} \n").split(",") if each.strip()]
    taken = ", ".join(_renamed(each, ": ") for each in names)
    return f'const {{ {taken} }} = use("{_near(name, found[2])}");'


def _renamed(text: str, sign: str, swap: bool = False) -> str:
    """Return ``a as b`` as a property that is renamed; any other name as it is."""
    own, _, other = text.strip().partition(" as ")
    parts = [other, own] if swap else [own, other]
    return sign.join(parts) if other else own
