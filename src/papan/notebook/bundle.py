"""The scripts and styles of the web app in one piece each, for pages that have no server."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath

STYLES = ("base", "board", "widget")
IMPORT = re.compile(r'^(import [^;]*? from )"(\.[^"]+)";$', re.M | re.S)
LOADER = """\
const sources = {sources};
const places = {{}};
for (const [name, text] of sources) {{
  const whole = text.replace(/"papan:([^"]+)"/g, (_, other) => JSON.stringify(places[other]));
  places[name] = URL.createObjectURL(new Blob([whole], {{ type: "text/javascript" }}));
}}
const {{ render }} = await import(places[{entry}]);
for (const place of Object.values(places)) URL.revokeObjectURL(place);
export default {{ render }};
"""
"""A page loads the modules as they are, each from its own text; the last one is the way in."""


@cache
def script(entry: str) -> str:
    """The module *entry* and all that it imports, as one module."""
    sources: dict[str, str] = {}
    _collect(entry, sources, ())
    return LOADER.format(sources=json.dumps([*sources.items()]), entry=json.dumps(entry))


def _collect(name: str, sources: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module after everything that it imports."""
    if name in sources:
        return
    assert name not in above, f"{name} imports itself by way of {above[-1]}"
    text = _read("js", name)

    def named(found: re.Match[str]) -> str:
        other = normpath(join(dirname(name), found[2]))
        _collect(other, sources, (*above, name))
        return f'{found[1]}"papan:{other}";'

    sources[name] = IMPORT.sub(named, text)


@cache
def style() -> str:
    """The style sheets, for what is inside ``.papan`` alone: nothing else of a notebook changes."""
    sheets = "\n".join(_read("css", f"{name}.css") for name in STYLES)
    sheets = re.sub(r"^html \{", "& {", sheets.replace(":root", "&"), flags=re.M)
    return f".papan {{\n{sheets}}}\n"


def _read(folder: str, name: str) -> str:
    place = files("papan").joinpath("web", "static", folder, *name.split("/"))
    return place.read_text(encoding="utf-8")
