"""What strangers write into links and files is shown as text, and never becomes part of a page."""

import json
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Dialog, expect

from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import more, until, wait_for_moves
from tests.web.server import Address

pytestmark = pytest.mark.browser

IMAGE = "<img src=x onerror=alert(1)>"
EVIL = [
    f'"></title>{IMAGE}<svg onload=alert(1)><script>alert(1)</script><b id=evil>',
    pytest.param("javascript:alert(1)", marks=pytest.mark.slow),
]
PLACES = (
    "/play/{}",
    "/play/connect4?pos={}",
    "/play/connect4?moves={}",
    "/play/connect4?seats={}|human",
    "/analyse/connect4?pos={}",
    "/solve/connect4:{}",
    "/learn/{}",
    "/lab/{}",
    "/arena/{}",
    "/room/{}",
    "/{}",
)
INTRUDERS = (
    "img[src=x], [onload], [onerror], #evil, script:not([src], [type$=json]), "
    "a[href^='javascript:']"
)


@pytest.mark.parametrize("evil", EVIL, ids=["markup", "script"])
def test_s11_a_link_cannot_bring_markup_along(visitor: Visitor, evil: str) -> None:
    with visitor.page("/nowhere") as page:
        opened: list[Dialog] = []
        page.on("dialog", lambda dialog: opened.append(dialog))
        for place in PLACES:
            page.goto(place.format(quote(evil, safe="")))
            page.wait_for_selector("main > *")
            expect(page.locator(INTRUDERS)).to_have_count(0)
        assert opened == []


def test_s11_a_saved_game_cannot_bring_markup_along(visitor: Visitor) -> None:
    record = {
        "game": "tictactoe:3,3,3",
        "start": "tictactoe:3,3,3 .../.../... x",
        "agents": [IMAGE, IMAGE],
        "moves": "b2",
        "scores": [0, 0],
        "end": "crash",
        "blame": 1,
        "reason": IMAGE,
    }
    with visitor.page("/play/tictactoe?seats=human|human") as page:
        button = more(page, "load")
        with page.expect_file_chooser() as chooser:
            button.click()
        body = json.dumps(record).encode()
        name, kind = f"{IMAGE}.json", "application/json"
        chooser.value.set_files({"name": name, "mimeType": kind, "buffer": body})
        wait_for_moves(page, 1)
        expect(page.locator(INTRUDERS)).to_have_count(0)


def test_w01_a_page_that_asked_somebody_else_would_be_found_out(
    browser: Browser, server: Address
) -> None:
    someone = Visitor(browser, server)
    with someone.page("/nowhere", bypass_csp=True) as page:
        page.evaluate("fetch('http://papan.example/').catch(() => 0)")
        until(page, lambda: any("papan.example" in each for each in someone.troubles))
