"""Numbers that were decided: who changes one of them changes it here, too, and knows it."""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel

from papan.web.learn import SheetOrder
from papan.web.wire import Strict
from tests.web.asking import QUIET, made

LIMITS = """
app             MOST_SEEDS 999_999
arena           MOST_FOLLOWED 6  REPORT_SECONDS 1  REPORT_SHARE 0.1  LAST_GAMES 4  PAGE_GAMES 50
arena           DEFAULT_NODES 10_000  DEPTH_NODES 1_000_000_000  MOST_ARENA_GAMES 20_000
boards          MOST_CACHED 2_000  MOST_CACHED_TEXT 20_000_000  LARGE_TEXT 300
bot_folder      LARGEST_BOT 65_536  MOST_BOTS 100  MOST_PLAYED 20
bot_runs        RATED_GAMES 30  MOST_PROBLEMS 5  AGAIN_SHARE 5  LEAST_DEADLINE 10  BOT_MEMORY 1024
catalogue       OFFLINE_SECONDS 120
compression     COMPRESSION 6
contest_facts   NO_TIME 3  SHOWN_GAMES 20
contest_routes  PAGE_GAMES 50  PIECE 65_536
contests        STANDINGS_SECONDS 1  STANDINGS_SHARE 0.1  CHECK_AGAIN_SECONDS 20
games           LONG_RECORD 2_000
guard           MOST_ADDRESSES 10_000
hand_in         HAND_IN_RATE 0.1  MOST_AT_ONCE 5
job_process     JOB_STOP_SECONDS 4  INTERRUPTED_CODE 130  BOT_DEADLINE 10
jobs            ID_LENGTH 12
links           LARGEST_LINKS 1_000_000
offline         DEALS 6  LEVEL_DEALS 1  MOST_SEEDS 999_999  PUZZLES 3  MOST_TURNS 24  DAYS 3
owner           CODE_BYTES 10  TOKEN_BYTES 16  CODE_SECONDS 600  MOST_CODES 20  CODE_TIMEOUT 10
owner           ANNOUNCE_SECONDS 10
room_game       FREE_MOVES 2
room_routes     MOST_UNREAD 20  SHORT_LENGTH 7  GUESSES 1  MOST_GUESSES 20
room_routes     COOKIE_SECONDS 34_560_000
rooms           CLOCK_MARGIN 0.02
search_queue    MOST_STARTS 2  CHECK_SECONDS 0.5  STOP_SECONDS 2  THREADS 2  MOVE_SECONDS 2
search_queue    LEAST_MOVE_SECONDS 0.5  LEAST_COST 0.01  LEAST_PROGRESS 0.1  ASSUMED_SHARE 0.1
searches        MOST_REVIEW_SECONDS 30
serving         KEEP_ALIVE 5  DRAIN_SECONDS 5  BUSY_CONNECTIONS 100
settings        DAY 86_400  MESSAGES 20  MESSAGE_SECONDS 10
wire            RETRY_SECONDS 2
worker          MOST_FILM_PLIES 400  PUZZLE_SECONDS 15  MOST_FILM_SPOTS 200_000  ROOT_SECONDS 0.05
worker          MOST_DEPTHS 64  MOST_EVENTS 5_000  CPU_RESERVE 30
worker_pool     READY_SECONDS 300  KILL_SECONDS 10  FIRST_PAUSE 0.1  LONGEST_PAUSE 5
worker_pool     LOADED_SECONDS 10  CHECK_SECONDS 1
worker_protocol MOST_EVENT_BYTES 16_777_216  LOADING_SECONDS 600  NOT_COMPILED 3
workshop        RUN_SECONDS 600  RESERVED_MEMORY 1_048_576  BOT_WORKERS 2  WAITING_RUNS 4
"""
"""The limits of each module of `papan.web`."""

FORMS = """
BoardRequest.start: from 1 characters; to 6000 characters
BoardRequest.moves: ''; to 8000 characters
BoardRequest.agents: []; to 2 items; from 1 characters; to 200 characters
BotOrder.run: of check, watch, rate
BotOrder.name: to 60 characters
BotOrder.source: to 65536 characters
BotOrder.game: ''; to 200 characters
BotOrder.rival: 'level:2'; from 1 characters; to 200 characters
BotOrder.second: False
BotOrder.seconds: 1; >=0.01; <=10
BotOrder.positions: 100; >=5; <=500
BotOrder.seed: 0; >=0; <1000000000
BotSource.source: to 65536 characters
BotSource.over: ''; to 16 characters
ContestTerms.folder: anything
ContestTerms.seal: None
DealRequest.game: from 1 characters; to 200 characters
DealRequest.seed: >=0; <1000000000
Declared.t: of resign, decline
Disqualification.number: from 1 characters; to 40 characters
Disqualification.why: ''; to 200 characters
EditRequest.position: from 1 characters; to 6000 characters
EditRequest.spot: None; from 1 characters; to 20 characters
EditRequest.content: '.'; from 1 characters; to 20 characters
EditRequest.turn: None; >=0; <=1
EditRequest.dial: None; from 1 characters; to 20 characters
EditRequest.value: 0; >=0; <=10000
EditRequest.clear: False
FilmRequest.start: from 1 characters; to 6000 characters
FilmRequest.moves: ''; to 8000 characters
FilmRequest.seconds: 1; >=0.1; <=10
GameLine.start: from 1 characters; to 6000 characters
GameLine.moves: ''; to 8000 characters
GraphRequest.start: from 1 characters; to 6000 characters
GraphRequest.moves: ''; to 8000 characters
GraphRequest.name: ''; to 20 characters
GraphRequest.origin: ''; to 200 characters
GraphRequest.order: 'breadth'; of breadth, depth
GraphRequest.steps: None; >=1; <=1000000
GraphRequest.degrees: False
GraphRequest.form: 'list'; of list, matrix, incidence, graphml, json, svg
LabTerms.paper: anything
LabTerms.size: of quick, full
LabTerms.seed: anything
LearningRequest.game: 'tictactoe'; from 1 characters; to 200 characters
LearningRequest.games: >=1; <=50000
LearningRequest.rate: 1; >0; <=10
LearningRequest.exploration: 0.15; >=0; <=1
LimitedRequest.start: from 1 characters; to 6000 characters
LimitedRequest.moves: ''; to 8000 characters
LimitedRequest.seconds: 2; >0; <=600
LimitedRequest.nodes: None; >=1; <=1000000000000
LinkOrder.number: from 1 characters; to 40 characters
MoveMade.t: only 'move'
MoveMade.move: from 1 characters; to 20 characters
MoveMade.ply: >=0; <100000
NewContest.game: from 1 characters; to 200 characters
NewContest.title: from 1 characters; to 80 characters
NewContest.language: 'en'; of en, id
NewPuzzle.game: from 1 characters; to 200 characters
NewPuzzle.theme: ''; to 20 characters
NewPuzzle.seed: >=0; <1000000000
NewRoom.start: from 1 characters; to 6000 characters
NewRoom.seat: 'any'; of first, second, any
NewRoom.clock: None
NewRoom.name: ''; to 200 characters
PaperOrder.size: 'quick'; of quick, full
PaperOrder.seed: 0; >=0; <1000000000
Ping.t: only 'ping'
RecordRequest.record: from 2 characters; to 14000 characters
SearchRequest.start: from 1 characters; to 6000 characters
SearchRequest.moves: ''; to 8000 characters
SearchRequest.seconds: 2; >0; <=600
SearchRequest.nodes: None; >=1; <=1000000000000
SearchRequest.agent: 'level:5'; from 1 characters; to 200 characters
SearchRequest.all_moves: False
SearchRequest.hint: False
SheetOrder.game: ''; to 40 characters
SheetOrder.theme: ''; to 20 characters
SheetOrder.difficulty: ''; of easy, medium, hard; only ''
SheetOrder.count: 6; >=1; <=60
SheetOrder.seed: 0; >=0; <1000000000
SheetOrder.language: 'en'; of en, id
ShuffleRequest.start: from 1 characters; to 6000 characters
ShuffleRequest.moves: ''; to 8000 characters
ShuffleRequest.seed: >=0; <1000000000
Sitting.name: ''; to 200 characters
SprtOrder.elo0: 0; >=-1000; <=1000
SprtOrder.elo1: 10; >=-1000; <=1000
SprtOrder.alpha: 0.05; >0; <0.5
SprtOrder.beta: 0.05; >0; <0.5
Timing.minutes: >0; <=180
Timing.increment: 0; >=0; <=180
TournamentOrder.game: from 1 characters; to 200 characters
TournamentOrder.agents: from 2 items; to 12 items; from 1 characters; to 200 characters
TournamentOrder.seconds: None; >0; <=60
TournamentOrder.nodes: None; >=1; <=1000000000
TournamentOrder.depth: None; >=1; <=100
TournamentOrder.pairs: 10; >=1; <=10000
TournamentOrder.opening: 2; >=0; <=40
TournamentOrder.seed: 0; >=0; <1000000000
TournamentOrder.gauntlet: False
TournamentOrder.sprt: None
TournamentOrder.error: None; >0; <=1000
TournamentOrder.concurrency: None; >=1; <=64
TournamentOrder.title: ''; to 80 characters
TournamentTerms.concurrency: >=1
TournamentTerms.title: ''
TraceRequest.start: from 1 characters; to 6000 characters
TraceRequest.moves: ''; to 8000 characters
TraceRequest.move: from 1 characters; to 20 characters
TurnRequest.start: from 1 characters; to 6000 characters
TurnRequest.moves: ''; to 8000 characters
TurnRequest.seconds: 2; >0; <=600
TurnRequest.nodes: None; >=1; <=1000000000000
TurnRequest.move: ''; to 20 characters
TurnRequest.agents: to 2 items; from 1 characters; to 200 characters
Wished.t: of ask, agree
Wished.what: of takeback, rematch
"""
"""The fields of each request: a default, unless it is needed, and the bounds of its values."""

QUERIES = """
DELETE /v1/papers/{number}/jobs/{name} number: to 20 characters
GET /v1/agents game: from 1 characters; to 200 characters
GET /v1/bots language: 'en'; of en, id
GET /v1/class/{name}/files/marks.csv language: 'en'; of en, id
GET /v1/class/{name}/games after: 0; >=0; <=10000000
GET /v1/class/{name}/games one: ''; to 1000 characters
GET /v1/class/{name}/games other: ''; to 1000 characters
GET /v1/class/{name}/marks language: 'en'; of en, id
GET /v1/class/{name}/sheet.html language: 'en'; of en, id
GET /v1/class/{name}/sheet.html origin: to 200 characters
GET /v1/help language: 'en'; of en, id
GET /v1/lessons/{name} name: to 80 characters
GET /v1/papers/{number} language: 'en'; of en, id
GET /v1/papers/{number} number: to 20 characters
GET /v1/papers/{number} run: None; like ^(reference|(quick|full)-(0|-?[1-9][0-9]{0,17}))$
GET /v1/papers/{number}/files/{name} language: 'en'; of en, id
GET /v1/papers/{number}/files/{name} name: like ^[a-z0-9_]{1,40}\\.(csv|md|json|html|svg)$
GET /v1/papers/{number}/files/{name} number: to 20 characters
GET /v1/papers/{number}/files/{name} run: None; like ^(reference|(quick|full)-(0|-?[1-9][0-9]{0,17}))$
GET /v1/papers/{number}/jobs number: to 20 characters
GET /v1/puzzles/answer moves: ''; to 2000 characters
GET /v1/puzzles/answer whole: to 2000 characters
GET /v1/puzzles/made whole: to 2000 characters
GET /v1/puzzles/next game: ''; to 40 characters
GET /v1/puzzles/next rating: 600.0; >=0; <=4000
GET /v1/puzzles/next seed: 0; >=0; <1000000000
GET /v1/puzzles/next seen: ''; to 2000 characters
GET /v1/puzzles/next theme: ''; to 20 characters
GET /v1/puzzles/sheet.html count: 6; >=1; <=60
GET /v1/puzzles/sheet.html difficulty: ''; of easy, medium, hard; only ''
GET /v1/puzzles/sheet.html game: ''; to 40 characters
GET /v1/puzzles/sheet.html language: 'en'; of en, id
GET /v1/puzzles/sheet.html seed: 0; >=0; <1000000000
GET /v1/puzzles/sheet.html theme: ''; to 20 characters
GET /v1/puzzles/{name} name: like ^[0-9a-f]{10}$
GET /v1/tournaments/{name}/files/{form} form: of games.jsonl, table.csv, table.md, report.json
GET /v1/tournaments/{name}/files/{form} language: 'en'; of en, id
GET /v1/tournaments/{name}/games after: 0; >=0; <=20000
GET /v1/tournaments/{name}/games one: ''; to 1000 characters
GET /v1/tournaments/{name}/games other: ''; to 1000 characters
GET /v1/workshop language: 'en'; of en, id
GET /v1/workshop/agents game: from 1 characters; to 200 characters
POST /v1/papers/{number}/jobs number: to 20 characters
POST /v1/papers/{number}/jobs/{name}/go-on number: to 20 characters
POST /v1/papers/{number}/jobs/{name}/pause number: to 20 characters
POST /v1/think/{number}/stop number: like ^[A-Za-z0-9_-]{1,64}$
PUT /v1/hand-in name: from 1 characters; to 200 characters
"""  # noqa: E501
"""The bounds of the parameters of routes, of those that have some, as in `FORMS`."""

BOUNDS = {
    "minimum": ">={}",
    "exclusiveMinimum": ">{}",
    "maximum": "<={}",
    "exclusiveMaximum": "<{}",
    "minLength": "from {} characters",
    "maxLength": "to {} characters",
    "minItems": "from {} items",
    "maxItems": "to {} items",
    "pattern": "like {}",
    "enum": "of {}",
    "const": "only {!r}",
}


@pytest.mark.parametrize("line", LIMITS.strip().splitlines())
def test_a_limit_is_as_it_was_decided(line: str) -> None:
    name, *words = line.split()
    module = import_module(f"papan.web.{name}")
    decided = dict(zip(words[::2], map(float, words[1::2])))
    assert {each: getattr(module, each) for each in decided} == decided


def described(facts: dict[str, Any], needed: bool) -> str:
    """Return a field of a JSON schema in words."""
    parts = [facts, *facts.get("anyOf", ()), facts.get("items", {})]
    bounds = [
        text.format(", ".join(map(str, each[key])) if key == "enum" else each[key])
        for each in parts
        for key, text in BOUNDS.items()
        if key in each
    ]
    default = [] if needed else [f"{facts.get('default')!r}"]
    return "; ".join([*default, *bounds]) or "anything"


def kinds_below(kind: type[Strict]) -> Iterator[type[Strict]]:
    for each in kind.__subclasses__():
        yield each
        yield from kinds_below(each)


def test_every_field_of_a_request_has_the_bounds_that_were_decided() -> None:
    found = []
    below = {each for each in kinds_below(Strict) if each.__module__.startswith("papan.web.")}
    kinds: list[type[BaseModel]] = [*below, SheetOrder]
    for kind in sorted(kinds, key=lambda each: each.__name__):
        schema = kind.model_json_schema()
        needed = schema.get("required", ())
        for name, facts in schema["properties"].items():
            found.append(f"{kind.__name__}.{name}: {described(facts, name in needed)}")
    assert found == FORMS.strip().splitlines()


@cache
def schema() -> dict[str, Any]:
    _, api = made(QUIET)
    found: dict[str, Any] = api.openapi()
    return found


def test_every_parameter_of_a_route_has_the_bounds_that_were_decided() -> None:
    found = [
        f"{method.upper()} {path} {each['name']}: {described(each['schema'], each['required'])}"
        for path, methods in schema()["paths"].items()
        for method, route in methods.items()
        for each in route.get("parameters", ())
    ]
    bounded = sorted(each for each in found if not each.endswith(": anything"))
    assert bounded == QUERIES.strip().splitlines()


def test_every_route_answers_with_the_status_that_was_decided() -> None:
    """All others answer with 200."""
    found = {
        f"{method.upper()} {path}": status
        for path, methods in schema()["paths"].items()
        for method, route in methods.items()
        for status in route["responses"]
        if status.startswith("2") and status != "200"
    }
    assert found == {
        "POST /v1/rooms": "201",
        "POST /v1/tournaments": "201",
        "DELETE /v1/tournaments/{name}": "204",
        "POST /v1/papers/{number}/jobs": "201",
        "POST /v1/papers/{number}/jobs/{name}/pause": "204",
        "POST /v1/papers/{number}/jobs/{name}/go-on": "204",
        "DELETE /v1/papers/{number}/jobs/{name}": "204",
        "POST /v1/class": "201",
        "DELETE /v1/class/{name}": "204",
        "PUT /v1/hand-in": "201",
        "POST /v1/owner/codes": "201",
        "DELETE /v1/workshop/bots/{name}": "204",
        "POST /v1/think/{number}/stop": "204",
    }
