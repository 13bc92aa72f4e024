"""Schemathesis asks the API everything that its description allows, and much that it forbids."""

import re
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance

from papan.web import worker
from papan.web.app import build_app
from papan.web.offline import OfflineKit
from papan.web.search_queue import SearchQueue
from papan.web.settings import ServerSettings
from tests.waiting import LONGEST_WAIT
from tests.web.asking import InThisProcess

pytestmark = pytest.mark.thorough

data = TemporaryDirectory()  # goes when the process ends
granted = ServerSettings(hosts=("testserver",), warm=False, spare=0, rate=0, body=10**6, jobs=0)


SEARCHES = "/(think|review|learning)$"
"""These take long: their workers are processes, which can be ended."""


@cache
def whole(processes: bool) -> Any:
    """The app; its workers are *processes*, or in this one."""
    settings = replace(granted, data=Path(data.name), waiting_jobs=10**6, kept_jobs=10**6)
    start = None if processes else InThisProcess.start
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("papan.web.app.SearchQueue", partial(SearchQueue, start=start))
        return build_app(settings)


async def app(scope: Any, receive: Any, send: Any) -> None:
    """The app as it is for its owner, who may do everything."""
    if scope["type"] == "http":
        proof = (b"authorization", f"Bearer {granted.token}".encode())
        scope = scope | {"headers": [*scope["headers"], proof]}
    await whole(bool(re.search(SEARCHES, scope.get("path", ""))))(scope, receive, send)


@cache
def description() -> Any:
    """What the API says of itself; of the methods that a path does not have one is tried."""
    found = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    found.config.phases.coverage.unexpected_methods = {"patch"}
    return found


@pytest.fixture
def described(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    request.node._nodeid = request.node.nodeid  # where schemathesis looks for it
    monkeypatch.setattr("requests.sessions.get_environ_proxies", lambda *_, **__: {})  # slow
    monkeypatch.setitem(worker.CALLS, "offline", lambda *_, **__: NO_KIT.model_dump_json())  # slow
    return description()


schema = schemathesis.pytest.from_fixture("described")  # not at once: all processes would ask
NO_KIT = OfflineKit(games={}, puzzles=[], days={})
quick, searches = schema.exclude(path_regex=SEARCHES), schema.include(path_regex=SEARCHES)
derandomized = settings(derandomize=True, suppress_health_check=list(HealthCheck))


def check(case: Case) -> None:
    answer = case.call(timeout=LONGEST_WAIT)
    if answer.status_code == 431:  # no route has seen it: its address was too long
        assert answer.json()["key"] == "web.head_too_large"
        return
    # A text that has the right form may still name no game: 422 says so.
    case.validate_response(answer, excluded_checks=[positive_data_acceptance])


@quick.parametrize()  # type: ignore[untyped-decorator]
@settings(derandomized, max_examples=1)
def test_the_api_does_what_it_says(case: Case) -> None:
    check(case)


@pytest.mark.slow
@quick.parametrize()  # type: ignore[untyped-decorator]
@settings(derandomized, max_examples=20)
def test_the_api_does_what_it_says_however_it_is_asked(case: Case) -> None:
    check(case)


@pytest.mark.slow
@searches.parametrize()  # type: ignore[untyped-decorator]
@settings(derandomized, max_examples=20)
def test_searches_do_what_they_say_however_they_are_asked(case: Case) -> None:
    check(case)


def test_the_description_names_every_refusal_of_a_search(described: Any) -> None:
    answers = described.raw_schema["paths"]["/v1/think"]["post"]["responses"]
    assert {"200", "403", "413", "421", "422", "429", "503"} <= set(answers)
