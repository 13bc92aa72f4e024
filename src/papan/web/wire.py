"""Types of fields, error responses and files that pages and the server exchange."""

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

from papan.catalog import fault_of_addition
from papan.core import PapanError
from papan.core.message import Message

PositionText = Annotated[str, Field(min_length=1, max_length=6_000)]
MovesText = Annotated[str, Field(max_length=8_000)]
SpecText = Annotated[str, Field(min_length=1, max_length=200)]
Language = Literal["en", "id"]
SeedNumber = Annotated[int, Field(ge=0, lt=10**9)]


class Strict(BaseModel):
    """Base of requests: unknown fields, values of another type and infinite numbers get
    status 422.
    """

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class Facts(BaseModel):
    """Base of responses whose fields are attributes of another object: adds `of`."""

    @classmethod
    def of(cls, source: object, **others: Any) -> Self:
        """Return a response: the fields *others*, and for every other field the attribute of
        *source* of its name.

        Raise AttributeError if *source* lacks one, ValueError if a value has another type.
        """
        names = cls.model_fields.keys() - others.keys()
        return cls(**{name: getattr(source, name) for name in names}, **others)


class GameLine(Strict):
    """A game so far: its start and the moves since."""

    start: PositionText
    """The spec of a game such as ``connect4``, which stands for its first position, or a position
    as text.
    """
    moves: MovesText = ""
    """Names of the moves since, separated by spaces, such as ``4 4 5``; empty for none."""


class ErrorBody(BaseModel):
    """The body of every error response."""

    key: str
    """The key of the sentence in the catalogues of texts, such as ``web.too_many``."""
    values: dict[str, Any]
    """The values that the sentence is filled with, by name."""
    message: str
    """The sentence in English."""


def error_body(message: Message) -> dict[str, object]:
    """Return the fields of an `ErrorBody` with *message*, as JSON data: key, values, and message in
    English.
    """
    return message.json() | {"message": message.text("en")}


RETRY_SECONDS = 2
"""Seconds in ``Retry-After`` if the error names no time."""
RETRY_STATUSES = (429, 503)
"""Statuses of responses that name a time to try again."""


class Refused(PapanError):  # noqa: N818 - an answer, not a fault
    """A PapanError that is answered with the HTTP status *status*.

    *key* is that of its sentence in the catalogues of texts, *values* are what the sentence is
    filled with, by name.
    """

    def __init__(self, status: int, key: str, /, **values: object) -> None:
        super().__init__(key, **values)
        self.status = status


def refusal(status: int, message: Message) -> JSONResponse:
    """Return an error response with *status* and *message* (an `ErrorBody`).

    For 429 and 503, ``Retry-After`` is the value *seconds* of the message, or `RETRY_SECONDS`.
    """
    headers = {}
    if status in RETRY_STATUSES:
        headers["retry-after"] = str(message.values.get("seconds", RETRY_SECONDS))
    return JSONResponse(error_body(message), status, headers)


Answers = dict[int | str, dict[str, Any]]
"""The responses of a route by HTTP status, as OpenAPI describes them."""

EVENT_ANSWERS: Answers = {
    200: {
        "description": "Events, one JSON object a line; see docs/events.md.",
        "content": {"application/jsonl": {"schema": {"type": "string"}}},
    }
}

REASONS = {
    400: "The body is not JSON.",
    403: "The request comes from a foreign page, or only the owner may send it.",
    404: "There is no such thing.",
    409: "It has changed meanwhile.",
    413: "The body is too large.",
    421: "The server has no such name.",
    422: "A field of the request is missing or invalid.",
    429: "Too many requests; Retry-After says when.",
    503: "There is no room for it now; Retry-After says when.",
}


ERROR_CONTENT = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
"""One schema for all errors: given as a model, FastAPI would build it for each status and route."""


GUARD_STATUSES = (403, 413, 421, 429, 503)
"""Statuses with which every route may answer before the request is read."""


def add_refusals(api: FastAPI) -> None:
    """Make *api* answer all errors with an `ErrorBody`, and describe them for each of its routes.

    Call it after all routes were added.
    """
    for kind in (Exception, HTTPException, PapanError, RequestValidationError):
        api.add_exception_handler(kind, refused)
    for route in api.routes:
        if isinstance(route, APIRoute):
            body = (400,) if route.body_field else ()
            read = (404, 422) if body or get_flat_params(route.dependant) else ()
            refusals: Answers = {
                status: {"content": ERROR_CONTENT, "description": REASONS[status]}
                for status in (*GUARD_STATUSES, *body, *read)
            }
            route.responses = refusals | route.responses


async def refused(request: Request, error: Exception) -> JSONResponse:
    """Return the response to a request that raised *error*: an `ErrorBody`; used as an exception
    handler.

    The status is that of Refused or HTTPException, 400 or 422 for a request of another form, 422
    for any other PapanError, 500 for any other error. A response with 500 names the line of an
    added game or agent if that is to blame.
    """
    if isinstance(error, PapanError):
        return refusal(getattr(error, "status", 422), error.shown)
    if isinstance(error, RequestValidationError):
        return _invalid(request, error)
    if not isinstance(error, HTTPException):
        blamed = fault_of_addition(error)
        return refusal(500, Message("web.failed") if blamed is None else blamed.shown)
    key = {404: "web.no_address", 405: "web.no_method"}.get(error.status_code, "web.refused")
    answer = refusal(error.status_code, Message(key, {"status": error.status_code}))
    answer.headers.update(error.headers or {})
    if error.status_code == 405:
        answer.headers["Allow"] = ", ".join(sorted(_methods(request)))
    return answer


def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
    """Return the response to a request that does not have the form of its route: 400 if it is no
    JSON, else 422.
    """
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
    """Return the HTTP methods, such as ``GET``, of all routes that match the path of *request*; may
    be empty.
    """
    routes = [each for each in request.app.routes if isinstance(each, Route)]
    matching = [each for each in routes if each.matches(request.scope)[0] != Match.NONE]
    return {method for each in matching for method in each.methods or ()}


MEDIA_TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "md": "text/markdown",
    "svg": "image/svg+xml",
}
"""Media types by file name extension."""


def download(content: str | bytes | memoryview, name: str) -> Response:
    """Return a response with *content* (text: as UTF-8) that a browser saves as a file called
    *name*.

    Its media type is by the extension of *name*, one of `MEDIA_TYPES`, else KeyError is raised.
    """
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, 200, headers, MEDIA_TYPES[_extension(name)])


def file_answers(*names: str) -> Answers:
    """Return the description, for OpenAPI, of a route that answers with a file of one of some
    types.

    *names* are extensions such as ``csv``, or names of files. Raise KeyError for an extension that
    is not in `MEDIA_TYPES`.
    """
    kinds = [MEDIA_TYPES[_extension(each)] for each in names]
    return {200: {"description": "The file.", "content": {kind: {} for kind in kinds}}}


def _extension(name: str) -> str:
    return name.rpartition(".")[2]
