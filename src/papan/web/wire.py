"""What travels between a page and the server: bounds of fields, refusals in one form, files."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from fastapi import FastAPI, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from papan.core import PapanError
from papan.core.message import Message

PositionText = Annotated[str, Field(min_length=1, max_length=6_000)]
MovesText = Annotated[str, Field(max_length=8_000)]
SpecText = Annotated[str, Field(min_length=1, max_length=200)]
Language = Literal["en", "id"]
Seed = Annotated[int, Field(ge=0, lt=10**9)]


class Strict(BaseModel):
    """A request: nothing that it does not know, and nothing that only looks like a number."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class Facts(BaseModel):
    """An answer about something that has facts of the same names."""

    @classmethod
    def of(cls, source: object, **others: Any) -> Self:
        """What *source* says under the names of our fields, and *others*."""
        names = cls.model_fields.keys() - others.keys()
        return cls(**{name: getattr(source, name) for name in names}, **others)


class Line(Strict):
    """A game so far: where it began, and the moves since."""

    start: PositionText
    """A game such as ``connect4``, or a position."""
    moves: MovesText = ""


class Complaint(BaseModel):
    """What is wrong: in English, and as a key of the catalogue with its values."""

    key: str
    values: dict[str, Any]
    message: str


def complaint(message: Message) -> dict[str, object]:
    """What is wrong: in English for programs, and as a key for pages in any language."""
    return message.json() | {"message": message.text("en")}


RETRY_SECONDS = 2
"""When to ask again, where nobody knows better."""
LATER = (429, 503)
"""The statuses of what may be granted another time."""


class Refused(PapanError):  # noqa: N818 - an answer, not a fault
    """Why something is refused; *status* is that of the answer."""

    def __init__(self, status: int, key: str, /, **values: object) -> None:
        super().__init__(key, **values)
        self.status = status


def refusal(status: int, message: Message) -> JSONResponse:
    """The answer of a *status* that says what is wrong, and where that helps when to ask again."""
    again = (
        {"retry-after": str(message.values.get("seconds", RETRY_SECONDS))}
        if status in LATER
        else {}
    )
    return JSONResponse(complaint(message), status, again)


Answers = dict[int | str, dict[str, Any]]
"""The answers of a route by their status, as its description has them."""

REASONS = {
    400: "The body is not JSON.",
    403: "The question comes from a foreign page, or from where nobody may do this.",
    404: "There is no such thing.",
    413: "The body is too large.",
    421: "The server has no such name.",
    422: "Something in the question makes no sense.",
    429: "Too many questions; Retry-After says when.",
    503: "There is no room for it now; Retry-After says when.",
}


COMPLAINT = {"application/json": {"schema": {"$ref": "#/components/schemas/Complaint"}}}
"""One form for all: as a model, FastAPI would build it anew for each status of each route."""


DOOR = (403, 413, 421, 429, 503)
"""What any question may be answered, before anybody has read it."""


def add_refusals(api: FastAPI) -> None:
    """Let *api* refuse everything in one form, and describe which refusals a route may answer."""
    for kind in (Exception, HTTPException, PapanError, RequestValidationError):
        api.add_exception_handler(kind, refused)
    for route in api.routes:
        if isinstance(route, APIRoute):
            body = (400,) if route.body_field else ()
            read = (404, 422) if body or get_flat_params(route.dependant) else ()
            refusals: Answers = {
                status: {"content": COMPLAINT, "description": REASONS[status]}
                for status in (*DOOR, *body, *read)
            }
            route.responses = refusals | route.responses


async def refused(request: Request, error: Exception) -> JSONResponse:
    """What is answered instead of what was asked for."""
    if isinstance(error, PapanError):
        return refusal(getattr(error, "status", 422), error.shown)
    if isinstance(error, RequestValidationError):
        return _misread(request, error)
    if not isinstance(error, HTTPException):
        return refusal(500, Message("web.failed"))
    key = {404: "web.no_address", 405: "web.no_method"}.get(error.status_code, "web.refused")
    answer = refusal(error.status_code, Message(key, {"status": error.status_code}))
    answer.headers.update(error.headers or {})
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(sorted(_methods(request)))
    return answer


def _misread(request: Request, error: RequestValidationError) -> JSONResponse:
    """The answer to a question that does not have the form which its route asks for."""
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        why = {"problem": first["ctx"]["error"], "place": first["loc"][-1]}
        return refusal(400, Message("web.not_json", why))
    if first["loc"] == ("body",) and "json" not in request.headers.get("content-type", ""):
        return refusal(422, Message("web.no_content_type"))
    field = ".".join(str(part) for part in first["loc"][1:]) or "body"
    if first["type"] in ("missing", "string_too_short"):
        return refusal(422, Message("web.missing", {"field": field}))
    return refusal(422, Message("web.bad_request", {"field": field, "problem": first["msg"][:200]}))


def _methods(request: Request) -> set[str]:
    """What may be done at an address: one that can be read and written is several routes."""
    routes = [each for each in request.app.routes if isinstance(each, Route)]
    found = [each for each in routes if each.matches(request.scope)[0] != Match.NONE]
    return {method for each in found for method in each.methods or ()}


TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "tex": "application/x-tex",
}
"""What files are, by how their names end."""


def download(content: str | bytes | memoryview, name: str) -> Response:
    """A file that a browser saves under *name*."""
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, 200, headers, TYPES[_ending(name)])


def as_file(*names: str) -> Answers:
    """What the description of a route says of the files that it answers with."""
    kinds = [TYPES[_ending(each)] for each in names]
    return {200: {"description": "The file.", "content": {kind: {} for kind in kinds}}}


def _ending(name: str) -> str:
    return name.rpartition(".")[2]
