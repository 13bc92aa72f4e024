"""The widget in a real browser: its one script, with Python behind a model like anywidget's."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

import papan
from papan.notebook.widgets import Widget
from tests.waiting import LONGEST_WAIT
from tests.web.browser.access import FAULTS
from tests.web.browser.game_screen import moves, spot, status, until, wait_for_moves

pytestmark = pytest.mark.browser

NOTEBOOK = """<!doctype html><html lang="en"><title>Notebook</title>
<body data-jp-theme-light="{light}" style="background: {ground}; color: {ink}">
<main><h1>Notebook</h1>
<button>Other</button><div id="cell"></div></main></body></html>"""
MODEL = """async ({script, style, facts}) => {
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.append(sheet);
  const listeners = new Set();
  window.push = (state) => { facts.state = state; for (const each of listeners) each(); };
  window.pressed = 0;
  document.addEventListener("keydown", () => { window.pressed += 1; });
  const model = {
    get: (name) => facts[name],
    on: (event, act) => listeners.add(act),
    off: (event, act) => listeners.delete(act),
    send: (message) => window.heard(message).then(window.push),
  };
  const place = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: widget } = await import(place);
  widget.render({ model, el: document.getElementById("cell") });
}"""


@pytest.fixture(scope="module")
def notebooks(browser: Browser) -> Iterator[BrowserContext]:
    """A browser with a page that stays open: the process of the others stays with it."""
    context = browser.new_context(viewport={"width": 700, "height": 1000}, locale="en-US")
    context.set_default_timeout(LONGEST_WAIT * 1000)
    context.new_page()
    yield context
    context.close()


@contextmanager
def cell(notebooks: BrowserContext, widget: Widget, light: bool = True) -> Iterator[Page]:
    """A cell of a notebook that shows *widget*: nothing can be reached, nothing may go wrong."""
    troubles: list[str] = []
    page = notebooks.new_page()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda message: troubles.append(message.text))
    page.on(
        "request",
        lambda asked: None if asked.url.startswith("blob:") else troubles.append(asked.url),
    )
    ground, ink = ("#fff", "#111") if light else ("#111", "#fff")
    page.set_content(NOTEBOOK.format(light=str(light).lower(), ground=ground, ink=ink))

    def heard(message: dict[str, Any]) -> dict[str, Any]:
        widget._handle_custom_msg(message, [])
        state: dict[str, Any] = widget.state
        return state

    page.expose_function("heard", heard)
    facts = {"state": widget.state, "texts": widget.texts, "language": widget.language}
    page.evaluate(MODEL, {"script": widget._esm, "style": widget._css, "facts": facts})
    try:
        yield page
        assert troubles == []
    finally:
        page.close()


def push(page: Page, widget: Widget) -> None:
    """Send the state of Python to the page, as the kernel does by itself."""
    page.evaluate("(state) => window.push(state)", json.loads(json.dumps(widget.state)))


def first(position: papan.Position) -> int:
    return position.moves()[0]


def test_a_move_is_played_and_answered_inline(notebooks: BrowserContext) -> None:
    widget = papan.widget("tictactoe", vs=first)
    with cell(notebooks, widget) as page:
        expect(status(page)).to_have_text("Your turn, player 1.")
        spot(page, "b2").click()
        until(page, lambda: len(widget.state["line"]) == 2)
        push(page, widget)
        assert moves(page) == ["b2", "a1"]
        assert page.locator(".board svg path.first, .board svg circle.second").count() == 2
        page.get_by_role("button", name="Undo").click()
        until(page, lambda: moves(page) == [])


def test_a_whole_game_by_keyboard_alone(notebooks: BrowserContext) -> None:
    widget = papan.widget("connect4:4,4", vs="human")
    with cell(notebooks, widget) as page:
        page.locator(".spot[tabindex='0']").focus()
        for count, key in enumerate("1212121", 1):
            page.keyboard.press(key)
            wait_for_moves(page, count)
        expect(status(page)).to_contain_text("Player 1 (A person) wins")
        assert page.evaluate("window.pressed") == 0  # no key of a board reaches the notebook


def test_the_focus_stays_where_it_was(notebooks: BrowserContext) -> None:
    widget = papan.widget("tictactoe", vs="human")
    with cell(notebooks, widget) as page:
        page.get_by_role("button", name="Hint").press("Enter")
        expect(page.get_by_role("button", name="Hint")).to_be_focused()
        page.get_by_label("player 2").focus()
        page.get_by_label("player 2").select_option("level:1")
        expect(page.get_by_label("player 2")).to_be_focused()
        until(page, lambda: widget.state["seats"] == ["human", "level:1"])


def test_what_is_refused_is_said_on_the_page(notebooks: BrowserContext) -> None:
    widget = papan.widget("tictactoe o../.x./... x", vs="human")
    with cell(notebooks, widget) as page:
        spot(page, "b2").click()
        expect(page.locator(".problem")).to_have_text("b2 is taken already; choose an empty cell.")


def test_a_stepper_moves_by_buttons_slider_and_list(notebooks: BrowserContext) -> None:
    record = papan.match("random", "level:1", "dots:2,2", opening=0).games[0].record
    assert record.end in ("win", "draw"), record.output
    names = record.moves.split()
    with cell(notebooks, papan.stepper(record)) as page:
        page.get_by_role("button", name="Forward").click()
        until(page, lambda: moves(page) == names[:1])
        page.get_by_label("Moves played").press("ArrowRight")
        until(page, lambda: moves(page) == names[:2])
        page.locator(".ply").nth(3).click()
        until(page, lambda: moves(page) == names[:4])
        page.get_by_role("button", name="Last").click()
        expect(status(page)).to_contain_text(re.compile("wins|Game over"))


@pytest.mark.parametrize("light", [True, False], ids=["light", "dark"])
def test_j04_the_widget_is_legible_in_both_themes(notebooks: BrowserContext, light: bool) -> None:
    with cell(notebooks, papan.widget("adjacency", vs="human"), light) as page:
        assert page.locator(".papan").get_attribute("data-theme") == ("light" if light else "dark")
        found = Axe().run(page, options=FAULTS).response["violations"]
        assert [each["id"] for each in found] == []


def test_the_styles_change_nothing_else_in_the_notebook(notebooks: BrowserContext) -> None:
    look = "each => [getComputedStyle(each).minHeight, getComputedStyle(document.body).margin]"
    with cell(notebooks, papan.widget("tictactoe", vs="human")) as page:
        assert page.get_by_role("button", name="Other").evaluate(look) == ["0px", "8px"]
        inside = page.get_by_role("button", name="New").evaluate(look)
        assert inside == ["44px", "8px"]
