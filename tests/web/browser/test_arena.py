"""The browser acceptance list, tournaments: started, watched, found again, taken home."""

import csv
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from papan.web.owner import link_page
from tests.web.browser.access import complaints, overflow, sizes
from tests.web.browser.conftest import Visitor
from tests.web.browser.contexts import Contexts
from tests.web.browser.game_screen import until
from tests.web.server import Address, serving

pytestmark = pytest.mark.browser


def choose(page: Page, *agents: str) -> None:
    """Fill in the form for a tournament between two agents."""
    page.wait_for_selector(".agents > li")
    while page.locator(".agents > li").count() > 2:
        page.locator(".agents > li").last.get_by_role("button").click()
    for place, agent in enumerate(agents):
        page.locator(".agents > li").nth(place).locator("select").first.select_option(agent)
    page.get_by_label("Amount").fill("50")


def games(page: Page) -> int:
    """How many games are over."""
    text = page.locator(".standing").inner_text()
    return int(text.split(" of ")[0].split()[-1].replace(",", "")) if " of " in text else 0


def wait_until_done(page: Page) -> None:
    expect(page.locator(".report[data-state=done]")).to_be_visible()


def row(page: Page, sheet: str, place: int) -> list[str]:
    cells: list[str] = page.locator(
        f"[data-sheet={sheet}] tbody tr:nth-child({place}) > *"
    ).all_inner_texts()
    return cells


@pytest.fixture(scope="module")
def finished(browser: Browser, server: Address, contexts: Contexts) -> str:
    """The path of a tournament of twenty games that is over, or soon will be."""
    someone = Visitor(browser, server, contexts)
    with someone.page("/arena") as page:
        choose(page, "hillclimb", "random")
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_url(re.compile("/arena/[a-z0-9]{12}$"))
        path: str = page.evaluate("location.pathname")
    assert someone.troubles == []
    return path


def test_w31_a_run_of_twenty_games_finishes_and_its_table_adds_up(
    visitor: Visitor, finished: str
) -> None:
    with visitor.page(finished) as page:  # it goes on without the page, and is found again
        wait_until_done(page)
        expect(page.locator(".standing")).to_contain_text("20 of 20 games")
        tables = [row(page, "ranking", place) for place in (1, 2)]
        points = [float(each[3].partition("/")[0]) for each in tables]
        assert sum(points) == 20
        assert all(sum(map(int, each[4:7])) == 20 for each in tables)
        expect(page.locator(".elo-bars svg .error-bar").first).to_be_attached()
        expect(page.locator(".elo-bars .number").first).to_contain_text(re.compile(r"[±≥≤\[]"))
        expect(page.locator(".last-games svg")).to_have_count(4)


def test_z4_the_page_on_the_disk_makes_the_owner_and_leaves_no_code(
    visitor: Visitor, finished: str, tmp_path: Path
) -> None:
    with visitor.context() as context:
        context.clear_cookies()
        page = context.new_page()
        page.goto(finished)
        page.wait_for_selector(".report")
        delete = page.get_by_role("button", name="Delete")
        expect(delete).to_have_count(0)
        page.goto(link_page(tmp_path, f"{visitor.server}/?code={visitor.server.new_code()}"))
        page.wait_for_url(f"{visitor.server}/")
        page.wait_for_selector("main > *")
        assert page.evaluate("document.cookie") == ""
        page.goto(finished)
        expect(delete).to_be_visible()


def test_w31_a_tournament_is_paused_and_goes_on_after_the_server_has_started_again(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path) as (address, process):
        with Visitor(browser, address).page("/arena") as page:
            choose(page, "hillclimb", "random")
            page.get_by_label("Pairs of games").fill("5000")  # not over when it is paused
            page.get_by_role("button", name="Start", exact=True).click()
            expect(page.locator(".last-games svg").first).to_be_visible()
            page.get_by_role("button", name="Pause").click()
            expect(page.locator(".standing")).to_contain_text("Paused")
            page.get_by_role("button", name="Go on").click()
            expect(page.locator(".standing")).to_contain_text("Running")
            path = page.evaluate("location.pathname")
            before = games(page)
        process.kill()
        process.wait()
    with serving(tmp_path) as (address, _), Visitor(browser, address).page(path) as page:
        until(page, lambda: games(page) > before)
        page.get_by_role("button", name="Delete").click()
        page.locator("dialog").get_by_role("button", name="Delete").click()
        expect(page.locator(".tournaments")).to_have_text("There is no tournament yet.")


def test_w31_the_tables_and_the_command_can_be_taken_home(visitor: Visitor, finished: str) -> None:
    with visitor.page(finished) as page:
        wait_until_done(page)
        links = page.locator(".all-games a")
        expect(links).to_have_count(20)  # what stands below them moves when they come
        with page.expect_download() as waiting:
            page.get_by_role("link", name="Table (CSV)").click()
        with Path(waiting.value.path()).open(encoding="utf-8") as file:
            assert sum(float(line["points"]) for line in csv.DictReader(file)) == 20
        expect(page.locator("pre")).to_contain_text("papan tournament run cup hillclimb random")
        page.locator("[data-sheet=cross_table] td button").first.click()  # U19: its games
        expect(page.get_by_label("Games of", exact=True)).not_to_have_value("")
        expect(links).to_have_count(20)
        links.last.click()
        page.wait_for_url(re.compile("/analyse/"))
        expect(page.get_by_label("Engine")).to_have_value("solver")


def test_what_was_chosen_last_is_remembered_with_its_settings(visitor: Visitor) -> None:
    with visitor.page("/arena") as page:
        choose(page, "alphabeta", "random")
        expect(page.locator(".sum")).to_have_text("20 games at most.")
        first = page.locator(".agents > li").first
        expect(first.locator('[data-name="depth"]')).to_be_hidden()
        first.get_by_text("Settings").click()
        first.locator('[data-name="depth"]').fill("3")
        page.get_by_label("Equalise by").select_option("depth")
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text("random has no depth")
        page.reload()
        expect(first.locator("select").first).to_have_value("alphabeta")
        expect(first.locator('[data-name="depth"]')).to_be_visible()
        expect(first.locator('[data-name="depth"]')).to_have_value("3")
        expect(page.get_by_label("Equalise by")).to_have_value("depth")


def test_w04_w36_axe_finds_nothing_in_a_report_and_it_prints_its_tables_and_no_buttons(
    visitor: Visitor, finished: str
) -> None:
    with visitor.page(finished) as page:
        wait_until_done(page)
        assert complaints(page) == ""
        page.emulate_media(media="print", color_scheme="dark")
        expect(page.locator("[data-sheet=ranking] table")).to_be_visible()
        expect(page.locator(".steering")).to_be_hidden()
        ink = page.evaluate("getComputedStyle(document.body).color")
        assert ink == "rgb(0, 0, 0)"


def test_w05_a_report_fits_a_phone(visitor: Visitor, finished: str) -> None:
    small = {"width": 360, "height": 640}
    with visitor.page(finished, viewport=small, locale="id-ID") as page:
        wait_until_done(page)
        assert overflow(page) <= 0
        for text, width, height in sizes(page, "button, a:not(.skip), summary"):
            assert min(width, height) >= 44, text
