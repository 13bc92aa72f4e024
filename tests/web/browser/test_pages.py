"""The browser acceptance list, first part: every page, in any language, light and size."""

import json
import re
from xml.etree import ElementTree

import httpx2
import pytest
from playwright.sync_api import Page, Route, expect

from papan.core.message import catalogue
from papan.papers import PAPERS
from tests.web.browser.access import complaints, overflow, sizes
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import more, pick, show, until
from tests.web.browser.routes import ROUTES
from tests.web.server import Address

pytestmark = pytest.mark.browser

TARGETS = (
    "button:not(.spot), a:not(.skip), select, summary, textarea, label:has(input), "
    "input:not([type=checkbox]):not([type=radio])"
)
"""What a finger aims at; a small box is switched by its label."""
NAMES = re.compile(
    r"papan|Connect 4|Onet|Adjacency|Tic Tac Toe|Minimax|^random$|^solver$"  # games, agents
    r"| \u2013 "  # the agents of a tournament that another test has held
    r"|^abc-|^/api/|, (?:19|20)\d\d$|: [XO]$"  # a code, an address, authors with their year, a mark
    r"|^\d{3}-| UTC$"  # the files of a report, and when it was begun
    r"|^rating \d+$"  # a loanword
)
"""What is called the same in both languages."""
PRINTED = ("/analyse/dots:2,2", "/learn/minimax", "/lab/001", "/bots")
"""What somebody may want on paper."""
SVG = "{http://www.w3.org/2000/svg}"


def strings(page: Page) -> set[str]:
    """All words that are seen or read aloud, but for code, notation and quotations."""
    found: list[str] = page.evaluate(
        """() => {
          const apart = 'pre, code, svg, noscript, .notation, main [lang], [translate=no]';
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const texts = [];
          while (walker.nextNode()) {
            const { data, parentElement: place } = walker.currentNode;
            if (place.checkVisibility() && !place.closest(apart)) texts.push(data);
          }
          for (const name of ['aria-label', 'title', 'placeholder'])
            for (const each of document.querySelectorAll(`[${name}]`))
              if (!each.closest(apart)) texts.push(each.getAttribute(name));
          return texts;
        }"""
    )
    return {text.strip() for text in found if re.search("[A-Za-z]{3}", text)}


def test_w01_home_shows_five_games_and_asks_nobody_else(visitor: Visitor) -> None:
    with visitor.page("/nowhere") as page:
        held: list[Route] = []
        page.route("**/api/v1/board", lambda route: held.append(route))
        show(page, "/")
        expect(page.locator(".cards .card")).to_have_count(5)
        until(page, lambda: len(held) == 5)  # a picture for each game
        place = page.locator(".cards").bounding_box()
        for each in held:
            each.continue_()
        expect(page.locator(".cards .card svg")).to_have_count(5)
        assert page.locator(".cards").bounding_box() == place  # or a click on it would be lost
        paint = "performance.getEntriesByName('first-contentful-paint').length"
        until(page, lambda: page.evaluate(paint) == 1)
        scripts = "performance.getEntriesByType('resource').filter(({ name }) => /js/.test(name))"
        assert page.evaluate(f"{scripts}.length") <= 13  # other screens are loaded when asked for


@pytest.mark.parametrize(
    "route",
    [  # the board of dots is seen in an analysis, a page to play with another board
        pytest.param(each, marks=pytest.mark.slow) if each == "/play/dots" else each
        for each in ROUTES
    ],
)
def test_w02_w04_w05_a_page_fits_a_phone_changes_its_language_and_pleases_axe(
    visitor: Visitor, route: str
) -> None:
    small = {"width": 360, "height": 640}  # and in the language with the longer words
    with visitor.page(route, viewport=small, locale="id-ID", has_touch=True) as page:
        if route.startswith("/solve"):
            page.wait_for_selector("button.line", state="attached")
        assert overflow(page) <= 0
        for text, width, height in sizes(page, TARGETS):
            assert min(width, height) >= 44, text
        page.set_viewport_size({"width": 1200, "height": 900})
        page.wait_for_load_state("networkidle")
        assert [height for _, _, height in sizes(page, "#top")] < [70]  # one row of links
        assert page.locator("script:not([src], [type$=json]), style, [onclick]").count() == 0  # W37
        before = strings(page)
        expect(page.locator("html")).to_have_attribute("lang", "id")  # W03
        page.click("#language")
        expect(page.locator("html")).to_have_attribute("lang", "en")
        english, texts = catalogue("en"), catalogue("id")
        alike = {text for key, text in texts.items() if text == english[key]}
        own = {text for text in before - alike if not NAMES.search(text)}
        until(page, lambda: not own & strings(page))
        assert complaints(page) == ""
        if route in PRINTED:  # W36: black on white, although the screen is dark
            page.emulate_media(media="print", color_scheme="dark")
            assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
            expect(page.locator("#top")).to_be_hidden()
            assert sizes(page, "button:not(.spot)") == []


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("fr-FR", "en"),
        pytest.param("id-ID", "id", marks=pytest.mark.slow),  # as in the test of all pages
        pytest.param("ja-JP", "en", marks=pytest.mark.slow),
    ],
)
def test_w03_the_first_visit_speaks_the_language_of_the_browser(
    visitor: Visitor, locale: str, language: str
) -> None:
    with visitor.page("/", locale=locale) as page:
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(page.locator("h1")).to_have_text(catalogue(language)["web.welcome"])


def test_w02_w04_the_language_and_the_theme_change_everything_and_stay(visitor: Visitor) -> None:
    def ground(page: Page) -> str:
        colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        return colour

    with visitor.page("/", color_scheme="dark") as page:
        dark = ground(page)
        page.click("#theme")
        light = ground(page)
        assert dark != light
        page.click("#language")
        expect(page.locator("html")).to_have_attribute("lang", "id")
        expect(page.locator("h1")).to_have_text(catalogue("id")["web.welcome"])
        page.reload()
        page.wait_for_selector(".card")
        expect(page.locator("h1")).to_have_text(catalogue("id")["web.welcome"])
        assert ground(page) == light
        page.emulate_media(color_scheme="light")
        page.click("#theme")
        assert ground(page) == dark


@pytest.mark.parametrize(
    "game",
    [
        "dots:6,6",
        "connect4:7,10",
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in ("adjacency", "tictactoe:5,5,5", "onet")
        ),
    ],
)
def test_w05_every_spot_of_a_board_is_large_enough_for_a_finger(
    visitor: Visitor, game: str
) -> None:
    with visitor.page(f"/play/{game}", viewport={"width": 360, "height": 640}) as page:
        assert all(min(width, height) >= 24 for _, width, height in sizes(page, ".spot"))


@pytest.mark.parametrize(
    "addresses",
    [
        (
            "/play/connect4?pos=connect4%20nonsense",
            "/analyse/tictactoe?moves=b2+b2",
            "/solve/dots?pos=dots:2,2%20110%201%200-0",
            "/learn/chess",
            "/lab/009",
            "/arena/abcdefghijkm",
        ),
        pytest.param(
            ("/play/chess", "/play/tictactoe?seats=human%7Cnobody"), marks=pytest.mark.slow
        ),
    ],
)
def test_w11_u15_an_address_that_makes_no_sense_says_so(
    visitor: Visitor, addresses: tuple[str, ...]
) -> None:
    with visitor.page("/nowhere") as page:
        for address in addresses:
            show(page, address)
            alert = page.locator('[role="alert"]:not(:empty)')
            expect(alert).to_be_visible()
            assert len(alert.inner_text()) > 15
            name = {"/learn/chess": "no lesson 'chess'", "/lab/009": "There is no paper '009'"}
            expect(alert).to_contain_text(name.get(address, ""))


def test_w34_a_busy_server_is_told_of_in_words(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|random") as page:
        line = {"start": "tictactoe", "moves": "b2"}
        board = page.request.post("/api/v1/board", data=line).json()
        busy = {"t": "error", "key": "web.busy", "values": {"seconds": 2}, "message": "busy"}
        body = f"{json.dumps({'t': 'board', 'board': board})}\n{json.dumps(busy)}\n"
        page.route("**/api/v1/turn", lambda route: route.fulfill(body=body))
        pick(page, "b2")
        expect(page.locator(".problem")).to_contain_text("busy; try again in 2 s")
        page.unroute("**/api/v1/turn")
        page.click('[data-tool="web.go_on"]')
        expect(page.locator(".ply")).to_have_count(2)
        many = '{"key": "web.too_many", "values": {"seconds": 3}, "message": "busy"}'
        page.route("**/api/v1/turn", lambda route: route.fulfill(status=429, body=many))
        page.locator('.spot[aria-label*="empty"]').first.click()
        expect(page.locator(".problem")).to_contain_text("try again in 3 s")


def test_w35_without_javascript_there_is_a_notice(visitor: Visitor) -> None:
    with visitor.context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto("/")
        notice = page.locator("noscript").inner_text()
        assert "needs JavaScript" in notice
        assert "memerlukan JavaScript" in notice


def test_w36_the_picture_is_saved_as_svg_and_png_and_print_shows_the_board_alone(
    visitor: Visitor,
) -> None:
    with visitor.page("/play/connect4?moves=4+4&seats=human|human") as page:
        button = more(page, "picture")
        with page.expect_download() as saved:
            button.click()
        text = saved.value.path().read_text(encoding="utf-8")
        drawing = ElementTree.fromstring(text)
        assert drawing.tag == f"{SVG}svg"
        assert (drawing.findtext(f"{SVG}title") or "").startswith("connect4:6,7")
        assert drawing.findtext(f"{SVG}desc")
        button = more(page, "export_png")
        with page.expect_download() as saved:
            button.click()
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        page.emulate_media(media="print")
        expect(page.locator(".board svg").first).to_be_visible()
        expect(page.locator(".side")).to_be_hidden()


def test_w37_every_page_has_a_policy(server: Address) -> None:
    with httpx2.Client(base_url=server, headers=server.owner) as asker:
        for route in ROUTES:  # whoever visits a page hears what the console says of it
            policy = asker.get(route).headers["content-security-policy"]
            assert "script-src 'self';" in policy, route
            assert "unsafe" not in policy, route


def test_l05_the_page_shows_how_far_the_compiler_is_and_a_search_that_it_waits(
    visitor: Visitor,
) -> None:
    reported = [
        '{"status": "starting", "compiling": null}',
        '{"status": "ok", "compiling": [3, 25]}',
    ]
    with visitor.page("/nowhere") as page:
        page.route(
            "**/api/v1/health",
            lambda route: route.fulfill(body=reported.pop(0) if len(reported) > 1 else reported[0]),
        )
        page.route("**/api/v1/think", lambda route: route.fulfill(body='{"t": "compiling"}\n'))
        page.goto("/solve/tictactoe")
        expect(page.locator(".why")).to_contain_text("Compiling what this search needs")
        line = page.locator("#compiling")
        expect(line).to_contain_text("3 of 25")
        assert complaints(page) == ""
        reported[:] = ['{"status": "ok", "compiling": null}']
        expect(line).to_be_hidden()


def test_u21_where_the_server_is_gone_a_page_says_so_and_comes_back(visitor: Visitor) -> None:
    with visitor.page("/", service_workers="allow") as page:
        worker = "navigator.serviceWorker.getRegistration().then((each) => !!each?.active)"
        until(page, lambda: page.evaluate(worker))
        page.goto("/about")  # which has a script with the help
        expect(page.locator(".about-page section").first.locator("li")).to_have_count(len(PAPERS))
        page.context.set_offline(True)
        page.goto("/help")
        expect(page.get_by_role("alert").last).to_contain_text("This page needs the server")
        page.context.set_offline(False)
        page.goto("/help")  # once: then it is here
        expect(page.locator(".help .chapters a").first).to_be_visible()
        kept = "caches.match('/api/v1/help', { ignoreSearch: true }).then((each) => !!each)"
        until(page, lambda: page.evaluate(kept))
        page.context.set_offline(True)
        page.goto("/help/dots")
        expect(page.locator(".help article h2").first).to_have_text("Rules")
        page.goto("/lab")
        expect(page.locator("#gone")).to_contain_text("does not answer")
        page.context.set_offline(False)
        expect(page.locator("#gone")).to_be_hidden()
        expect(page.locator("main h1")).to_contain_text("Papers")


def test_u21_help_is_on_every_page_with_a_way_to_present_and_to_learn_more(
    visitor: Visitor,
) -> None:
    with visitor.page("/") as page:
        page.keyboard.press("?")
        dialog = page.locator("dialog")
        dialog.get_by_role("button", name="Presentation").click()
        expect(dialog).to_have_count(0)
        expect(page.locator("#top")).to_be_hidden()
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "28px"
        page.keyboard.press("Escape")
        expect(page.locator("#top")).to_be_visible()
        page.locator("#help").click()
        dialog.get_by_role("link", name="Help").click()
        expect(page.locator(".help .chapters a").first).to_be_visible()
        page.context.set_offline(True)  # all pages are here by now
        page.keyboard.press("/")
        page.keyboard.type("double-cross chain")
        expect(page.locator(".found mark").first).to_be_visible()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator(".help article h1")).to_be_visible()
        page.context.set_offline(False)
        page.locator("#help").click()
        dialog.get_by_role("link", name="About papan").click()
        expect(page.locator("main")).to_contain_text("MIT licence")
        expect(page.locator(".about-page section").first.locator("li")).to_have_count(len(PAPERS))
        expect(dialog).to_have_count(0)
