"""The browser acceptance list: a paper is run again, and the comparison fills by itself."""

import csv
import io
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from papan.lab.log import Json, TimeTaken
from papan.papers import PAPERS
from papan.papers.onet import clear, searches
from papan.papers.paper import Run, reports
from tests.web.browser.access import complaints
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import solved, until
from tests.web.server import Address, serving

pytestmark = pytest.mark.browser


def percent(page: Page) -> float:
    """How far the run is, from 0 to 1."""
    done: float = page.locator(".jobs progress").evaluate("each => each.value")
    return done


@pytest.fixture
def nearly_done(server: Address) -> Iterator[Path]:
    """A quick run of paper 002 that lacks one small board; all random ones look like the first."""
    (paper,) = (each for each in PAPERS if each.number == "002")
    run = Run(paper, "quick", 0, server.data / "lab")
    log, items = run.job()
    for item in items:
        if item.name == "run/right_column/onet":
            continue
        if item.work in (searches, clear):  # so many boards, from a seed on
            *what, _, count = item.arguments
            found = boards(item.work, *what) * count
        else:
            found = item.work(*item.arguments)
        log.keep(item.name, found, TimeTaken(0.1, 0.1))
    yield server.data / "lab"
    log.path.unlink()


@cache
def boards(work: Callable[..., Json], *what: Json) -> Json:
    return work(*what, 0, 1)


def test_w32_a_quick_run_fills_ours_and_can_be_taken_along(
    visitor: Visitor, nearly_done: Path
) -> None:
    with visitor.page("/lab/002") as page:
        expect(page.locator(".reference")).to_contain_text("papan's own results")  # U18
        expect(page.locator("td.quiet")).to_have_count(0)
        page.get_by_role("button", name="Run", exact=True).click()
        expect(page.locator("td.quiet").first).to_be_visible()  # our own results, beside the new
        ours = page.locator("td.ours").all_inner_texts()
        assert all(ours)
        verdicts = {each.get_attribute("data-agrees") for each in page.locator("td.agrees").all()}
        assert {"yes", "quoted"} <= verdicts <= {"yes", "no", "open", "none", "quoted"}
        expect(page.locator(".jobs li")).to_have_count(0)
        expect(page.locator(".plot svg")).to_have_count(1)
        with page.expect_download() as saved:
            page.get_by_role("link", name="002-claims.csv").click()
        heads, *rows = csv.reader(io.StringIO(saved.value.path().read_text(encoding="utf-8")))
        assert heads[1] == "paper"
        assert len(rows) == len(ours)
        page.locator("summary").first.click()
        assert complaints(page) == ""
        page.goto("/lab")
        expect(page.locator('[data-paper="002"] .kept')).to_contain_text("quick, seed 0: 100%")
    (report,) = reports(nearly_done, PAPERS)  # as the terminal finds it
    assert report.run.name == "quick-0"


@pytest.mark.slow  # as a tournament does, in every run of the tests
def test_w32_a_run_is_paused_and_goes_on_after_the_server_has_restarted(
    browser: Browser, tmp_path: Path
) -> None:
    with serving(tmp_path) as (address, _), Visitor(browser, address).page("/lab/003") as page:
        page.get_by_label("Precision").select_option("full")
        page.get_by_label("Seed", exact=True).fill("7")
        page.get_by_role("button", name="Run", exact=True).click()
        until(page, lambda: percent(page) > 0)
        before = percent(page)
    with serving(tmp_path) as (address, _), Visitor(browser, address).page("/lab/003") as page:
        expect(page.locator('.jobs [data-state="running"]')).to_contain_text("full, seed 7")
        assert percent(page) >= before
        page.get_by_role("button", name="Pause").click()
        expect(page.locator('.jobs [data-state="paused"]')).to_contain_text("paused at")
        page.get_by_role("button", name="Delete").click()
        expect(page.locator(".jobs li")).to_have_count(0)


def test_every_choice_of_a_run_has_its_command(visitor: Visitor) -> None:
    with visitor.page("/lab/004") as page:
        shown = page.locator(".rerun .command code")
        expect(shown).to_have_text("papan lab run 004 --quick --seed 0")
        page.get_by_label("Precision").select_option("full")
        page.get_by_label("Seed", exact=True).fill("5")
        page.get_by_label("Seed", exact=True).press("Tab")
        expect(shown).to_have_text("papan lab run 004 --seed 5")
        page.reload()  # what was chosen stays
        expect(shown).to_have_text("papan lab run 004 --seed 5")


def test_a_claim_is_quoted_in_both_languages(visitor: Visitor) -> None:
    with visitor.page("/lab/001", locale="id-ID") as page:
        quote = page.locator("blockquote").first
        expect(quote.locator('[lang="id"]')).to_contain_text("berpeluang tinggi untuk menang")
        expect(quote.locator('[lang="en"]')).to_contain_text("very likely to win")
        expect(page.locator("h1")).to_have_text("001 Adjacency")


def test_n02_step_7_of_table_6_opens_the_board_with_the_agent_and_its_reasons(
    visitor: Visitor,
) -> None:
    with visitor.page("/lab/004") as page:
        page.locator('[data-exhibit="game2"] summary').click()
        page.locator('[data-exhibit="game2"] tbody tr').nth(6).locator("a").first.click()
        best = page.locator(".value-list li.best")
        expect(best).to_contain_text("+2 +3 +3 = +8")
        solved(page)  # what a search tells moves what stands below it
        expect(page.locator(".why .source a").first).to_have_attribute("href", "/lab/004")
        expect(page.locator('.why .source a[href="/learn/priority"]')).to_be_visible()
        page.locator('.why .source a[href="/learn/priority"]').click()
        expect(page.locator("blockquote a")).to_have_attribute("href", "/lab/004")
