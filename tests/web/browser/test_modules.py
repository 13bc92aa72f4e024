"""Single modules of the pages, tested inside the browser: each test of ``modules/*_test.js``."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from papan.core.message import LANGUAGES
from papan.core.numbers import NUMBER_FORMS, Number
from tests.web.browser.contexts import PARKED, Contexts, fresh
from tests.web.server import Address

pytestmark = pytest.mark.browser

MODULES = Path(__file__).parent / "modules"
RUN = "(files) => import('/modules/asserts.js').then(async ({ run }) => {"
RUN += " const all = {}; for (const each of files) all[each] = await run(each); return all; })"


def declared() -> list[tuple[str, str]]:
    """Return every test as the file and the name that it is declared with."""
    return [
        (path.name, name)
        for path in sorted(MODULES.glob("*_test.js"))
        for name in re.findall(r'^test\("([^"]+)", ', path.read_text("utf-8"), re.MULTILINE)
    ]


def send(route: Route) -> None:
    """Answer with a file of this folder, from the address of the server: its policy asks that."""
    path = MODULES / route.request.url.rpartition("/")[2]
    route.fulfill(path=path, content_type="text/javascript")


@pytest.fixture(scope="module")
def outcomes(browser: Browser, server: Address) -> dict[str, dict[str, str]]:
    """Run all of them in one page: what failed, by file and name; nothing where a test passes."""
    with fresh(browser, server) as context:
        page = context.new_page()
        page.route("**/modules/*.js", send)
        page.goto(PARKED)
        found: dict[str, dict[str, str]] = page.evaluate(
            RUN, sorted({file for file, _ in declared()})
        )
        return found


@pytest.mark.parametrize(("file", "name"), declared())
def test_module(outcomes: dict[str, dict[str, str]], file: str, name: str) -> None:
    assert outcomes[file][name] == ""


def test_every_test_has_run_once(outcomes: dict[str, dict[str, str]]) -> None:
    ran = [(file, name) for file, names in outcomes.items() for name in names]
    assert sorted(ran) == sorted(declared())
    assert len(ran) > 50


WRITE = """([numbers, language]) =>
  import('/static/js/language.js').then(({ inForm, takeTexts }) => {
  takeTexts({}, language);
  return numbers.map(({ number, form }) => inForm(number, form));
})"""
AMOUNTS = (0, 1, -1, 7, 999, 1000, 12345, 10**7, 0.5, -0.5, 0.004, 0.005, 0.125, -2.675, 99.999)


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_of_messages_are_written_as_python_writes_them(
    contexts: Contexts, language: str
) -> None:
    signed = [Number(each, form) for each in AMOUNTS for form in NUMBER_FORMS[1:]]
    numbers = [Number(each) for each in AMOUNTS if each >= 0 and each == int(each)] + signed
    with contexts.page() as page:
        page.goto(PARKED)
        written = page.evaluate(WRITE, [[each.json() for each in numbers], language])
    assert written == [each.text(language) for each in numbers]
