"""The workshop in a browser: a bot is typed, checked, watched, measured, played and entered."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.bubblewrap import sandbox_or_skip
from tests.web.browser.access import complaints, overflow
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import show

pytestmark = pytest.mark.browser

LAPTOP: ViewportSize = {"width": 1366, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 800}


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    sandbox_or_skip()


@contextmanager
def workshop(visitor: Visitor, **options: object) -> Iterator[Page]:
    """The workshop of an owner whose browser has no drafts yet."""
    with visitor.page("/bots", **({"viewport": LAPTOP} | options)) as page:
        page.wait_for_selector(".pce-textarea")
        yield page


def write(page: Page, *lines: str) -> None:
    """Type a bot in the place of what is there; the editor indents what follows a colon."""
    page.locator(".pce-textarea").focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    for line in lines:
        page.keyboard.type(line)
        page.keyboard.press("Enter")


def act(page: Page, what: str) -> None:
    page.locator(f"[data-tool='workshop.{what}']").click()


def done(page: Page, run: str) -> None:
    expect(page.locator(f"[data-run={run}][data-done=true]")).to_be_visible()


def test_a_traceback_is_beside_its_line_and_the_position_on_the_board(visitor: Visitor) -> None:
    with workshop(visitor) as page:
        write(page, "def choose(position):", "print('so far')", "return 1 // 0")
        act(page, "check")
        done(page, "check")
        note = page.locator(".faulty .line-problem")
        expect(note).to_have_text("ZeroDivisionError: integer division or modulo by zero")
        assert page.locator(".pce-line").nth(2).evaluate("e => e.matches('.faulty')")
        problem = page.locator(".bot-problems > li").first
        expect(problem.locator("pre")).to_contain_text("so far\nTraceback")
        expect(problem.locator(".failing svg")).to_be_visible()
        problem.get_by_role("button", name="Line 3").click()
        place = page.evaluate("document.activeElement.selectionStart")
        assert place == len("def choose(position):\n    print('so far')\n")
        for viewport in (LAPTOP, PHONE):
            page.set_viewport_size(viewport)
            expect(note).to_be_visible()
            expect(problem.locator(".failing svg")).to_be_visible()
            assert overflow(page) == 0, viewport
        assert complaints(page) == ""
        page.keyboard.type("#")
        expect(note).to_have_count(0)  # it belonged to another text


def test_the_keyboard_writes_leaves_the_editor_and_checks(visitor: Visitor) -> None:
    with workshop(visitor) as page:
        write(page, "def choose(position):", "return position.moves()[0]")
        text = page.locator(".pce-textarea")
        assert text.input_value().startswith("def choose(position):\n    return position")
        page.keyboard.press("Escape")
        expect(text).not_to_be_focused()
        page.locator("[data-tool='workshop.check']").focus()
        page.keyboard.press("Enter")
        done(page, "check")
        expect(page.locator("[data-run=check]")).to_contain_text("All checks passed.")


def test_markup_in_code_and_in_what_a_bot_prints_is_text(visitor: Visitor) -> None:
    markup = "<img src=x onerror='document.title=1'><b class=\"evil\">&lt;b&gt;</b>"
    draft = f"# {markup}\n'{markup}'\n// {markup}\n/* {markup}"
    names = ["markup.py", "markup.c", "markup.js", "markup.java"]
    drafts = {name: {"source": draft, "over": ""} for name in names}
    with workshop(visitor) as page:
        page.evaluate("each => localStorage.setItem('papan.drafts', JSON.stringify(each))", drafts)
        for name in names:
            chosen = f'{{"name": "{name}"}}'
            page.evaluate("each => localStorage.setItem('papan.workshop', each)", chosen)
            page.reload()
            expect(page.locator(".bot-files select")).to_have_value(name)
            expect(page.locator(".pce-textarea")).to_have_value(draft)
            act(page, "check")
            done(page, "check")
            expect(page.locator(".bot-problems > li").first).to_be_visible()
            assert page.locator("#main img, .evil").count() == 0, name
            coloured = page.locator(".pce-line").all_text_contents()
            assert "".join(coloured).rstrip("\n").count(markup) == 4, name
            assert page.title() == "Bots \u00b7 papan", name


def test_a_draft_stays_in_the_browser_and_is_saved_to_the_folder(visitor: Visitor) -> None:
    address = f"{visitor.server}/api/v1/workshop/bots/kept.py"
    with workshop(visitor) as page:
        act(page, "new")
        page.get_by_label("Name", exact=True).fill("no name!")
        page.get_by_role("button", name="Begin").click()
        expect(page.locator("dialog [role=alert]")).to_contain_text("is no name for a bot")
        page.get_by_label("Name", exact=True).fill("kept")
        page.get_by_role("button", name="Begin").click()
        write(page, "# mine")
        page.reload()
        expect(page.locator(".pce-textarea")).to_have_value("# mine\n")
        expect(page.locator(".bot-files")).to_contain_text("A draft in this browser")
        act(page, "save")
        expect(page.locator(".bot-files")).to_contain_text("Saved in the bots folder")
        kept = httpx2.get(address, headers=visitor.server.owner).json()
        assert kept["source"] == "# mine\n"
        elsewhere = {"source": "# other", "over": kept["bot"]["digest"]}
        httpx2.put(address, json=elsewhere, headers=visitor.server.owner).raise_for_status()
        write(page, "# mine again")
        act(page, "save")
        expect(page.get_by_role("dialog")).to_contain_text("was changed elsewhere")
        page.locator("[data-answer=yes]").click()
        expect(page.locator(".bot-files")).to_contain_text("Saved in the bots folder")
        assert httpx2.get(address, headers=visitor.server.owner).json()["source"] != "# other"
        act(page, "delete")
        page.locator("[data-answer=yes]").click()
        expect(page.locator(".bot-files select")).not_to_have_value("kept.py")
    assert httpx2.get(address, headers=visitor.server.owner).status_code == 404


def test_a_bot_is_watched_measured_played_and_entered(visitor: Visitor) -> None:
    with workshop(visitor) as page:
        write(
            page,
            "def choose(position):",
            "print('here', position.turn)",
            "return position.moves()[0]",
        )
        page.get_by_label("Game", exact=True).select_option("tictactoe")
        act(page, "watch_against")
        done(page, "watch")
        game = page.locator("[data-run=watch]")
        expect(game.locator(".board svg")).to_be_visible()
        expect(game.locator("pre")).to_contain_text(re.compile(r"1\. [abc][123]: here 0"))
        expect(game.locator("[role=status]")).to_contain_text(re.compile("won|lost"))
        act(page, "rate")
        done(page, "rate")
        rated = page.locator("[data-run=rate]")
        expect(rated).to_contain_text("Played 30 games.")
        expect(rated.locator(".elo-above")).to_contain_text(re.compile(r"[±\[≤≥]"))
        expect(rated.locator(".elo-bars .error-bar").first).to_be_attached()
        expect(rated.locator("tbody tr")).to_have_count(3)
        assert complaints(page) == ""
        act(page, "play")
        page.wait_for_url("**/play/tictactoe**")
        page.locator("[data-spot=b2]").click()
        expect(page.locator("#main")).to_contain_text("Your turn.")
        page.go_back()
        page.wait_for_selector(".pce-textarea")
        act(page, "to_arena")
        page.wait_for_url("**/arena?**")
        expect(page.locator(".agents select").first).to_have_value("bot:mybot.py")
        rivals = page.locator(".agents > li")
        rivals.last.get_by_role("button").click()
        expect(rivals).to_have_count(2)
        rivals.last.locator("select").first.select_option("random")
        page.get_by_label("Pairs of games per pairing").fill("1")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.locator(".report[data-state=done]")).to_be_visible()
        expect(page.locator("[data-sheet=ranking]")).to_contain_text("mybot.py")
    owner = visitor.server.owner
    httpx2.delete(f"{visitor.server}/api/v1/workshop/bots/mybot.py", headers=owner)


def test_others_read_and_are_told_who_writes(visitor: Visitor) -> None:
    with visitor.context(viewport=PHONE) as context:
        context.clear_cookies()
        page = context.new_page()
        scripts: list[str] = []
        page.on("request", lambda request: scripts.append(request.url))
        show(page, "/bots")
        expect(page.locator("[role=note]")).to_contain_text("Only the owner of this server")
        expect(page.locator(".listing").first).to_be_visible()
        assert page.locator(".pce-textarea, [data-tool^='workshop.']").count() == 0
        assert not [url for url in scripts if "/code." in url], "the editor is not loaded"
        assert complaints(page) == "" and overflow(page) == 0
