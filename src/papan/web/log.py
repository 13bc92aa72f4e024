"""What a server writes down: one JSON object a line, and nothing that tells who asked.

No address, no position, no name of a room or a search: only what kind of question it was.
"""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from time import perf_counter
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOGGER = logging.getLogger("papan.web")
CONFIGURATION: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "papan.web.log.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "loggers": {
        "papan.web": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}


class JsonLines(logging.Formatter):
    """Each record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        facts = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            facts["error"] = self.formatException(record.exc_info)
        return json.dumps(facts, ensure_ascii=False)


class Logged:
    """Wraps the app: a line for each answer, when it is complete."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = perf_counter(), 0

        async def sent(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            facts = {"method": scope["method"], "kind": kind(scope["path"]), "status": status}
            facts["ms"] = round((perf_counter() - began) * 1000)
            LOGGER.info("answer", extra={"facts": facts})


def kind(path: str) -> str:
    """What a path asks for: the screen, or the question of the API, without what it is about."""
    words = path.split("/")
    if words[0] or len(words) < 2:  # no path at all
        return ""
    return "/".join(words[:4] if words[1] == "api" else words[:2])
