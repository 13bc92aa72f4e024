"""Write the types of the messages between server and pages: `python tools/make_wire_types.py`.

They are those of the API's description (OpenAPI), which are those of the dataclasses and models of
the server, so that each shape is declared once. A test compares the file with what this writes.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from papan.web.app import build_api
from papan.web.jobs import JobQueue
from papan.web.owner import FolderLock, Owner
from papan.web.search_queue import SearchQueue
from papan.web.settings import ServerSettings
from papan.web.workshop import Workshop

PLACE = Path(__file__).parents[1] / "src/papan/web/static/js/wire.d.ts"
HEAD = """\
// What the server sends and is sent, for the checker of types alone: no browser reads this.
// Written by tools/make_wire_types.py from the API's description; events are in events.d.ts.
"""
PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
RENAMED = {"Record": "GameRecord"}
"""Names that already have a meaning in TypeScript, and their replacements."""


def types() -> str:
    """Return the text of the whole file of TypeScript types."""
    settings = ServerSettings(warm=False)
    jobs = JobQueue(settings, FolderLock(settings.data))
    workshop = Workshop(settings, jobs.lock, Owner(settings))
    description = build_api(settings, SearchQueue(settings), jobs, workshop).openapi()
    schemas = description["components"]["schemas"]
    routes = [route for path in description["paths"].values() for route in path.values()]
    asked = _mentioned([route.get("requestBody") for route in routes], schemas)
    return HEAD + "".join(
        declaration(name, schema, name in asked) for name, schema in sorted(schemas.items())
    )


def _mentioned(part: Any, schemas: dict[str, Any]) -> set[str]:
    """Return the names of all schemas that a *part* of the description uses."""
    if isinstance(part, dict) and "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        return {name} | _mentioned(schemas[name], schemas)
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return {name for each in inner for name in _mentioned(each, schemas)}


def declaration(name: str, schema: dict[str, Any], asked: bool) -> str:
    """Return one type with its description as TypeScript.

    *asked*: it is part of a request, in which fields with defaults are optional.
    """
    words = schema.get("description", "").replace("\n", " ")
    needed = schema.get("required", ()) if asked else schema.get("properties", ())
    return f"\n/** {words} */\nexport type {RENAMED.get(name, name)} = {kind(schema, needed)};\n"


def kind(schema: dict[str, Any], needed: Collection[str] = ()) -> str:
    """Return the TypeScript type of a schema; only its fields *needed* are required."""
    if "$ref" in schema:
        name = str(schema["$ref"].rpartition("/")[2])
        return RENAMED.get(name, name)
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(kind(each) for each in schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " | ".join(f'"{each}"' for each in schema.get("enum") or [schema["const"]])
    if "prefixItems" in schema:
        return f"[{', '.join(kind(each) for each in schema['prefixItems'])}]"
    if schema.get("type") == "array":
        inner = kind(schema["items"])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if "properties" in schema:
        fields = (
            f"  {name}{'' if name in needed else '?'}: {kind(each)};\n"
            for name, each in schema["properties"].items()
        )
        return "{\n" + "".join(fields) + "}"
    if schema.get("type") == "object":
        more = schema.get("additionalProperties")
        return f"Record<string, {kind(more) if isinstance(more, dict) else 'any'}>"
    return PLAIN.get(schema.get("type", ""), "any")


if __name__ == "__main__":
    PLACE.write_text(types(), encoding="utf-8")
