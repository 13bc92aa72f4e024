"""Schemathesis asks the API everything that its description allows, and much that it forbids."""

import atexit
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.specs.openapi.checks import positive_data_acceptance

from papan.web.app import build
from papan.web.settings import Settings

DATA = Path(mkdtemp())
atexit.register(rmtree, DATA, ignore_errors=True)

app = build(Settings(hosts=("testserver",), warm=False, rate=0, body=10**6, data=DATA))
schema = schemathesis.openapi.from_asgi("/api/openapi.json", app)


@schema.exclude(path_regex="/think$").parametrize()
@settings(max_examples=30, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_api_does_what_it_says(case: Case[Any]) -> None:
    # A text that has the right form may still name no game: 422 says so.
    case.call_and_validate(excluded_checks=[positive_data_acceptance])


def test_the_description_names_every_refusal_of_a_search() -> None:
    answers = schema.raw_schema["paths"]["/v1/think"]["post"]["responses"]
    assert {"200", "403", "413", "421", "422", "429", "503"} <= set(answers)
