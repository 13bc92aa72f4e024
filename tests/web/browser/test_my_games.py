"""My games: what this browser has kept, to go on with, to see again and to take along."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from papan.core.record import parse_record
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import moves, pick, status, tool, wait_for_moves

pytestmark = pytest.mark.browser

TWO = "seats=human|human"
WON = {
    "game": "tictactoe:3,3,3",
    "start": "tictactoe:3,3,3 .../.../... x",
    "agents": ["human", "level:2,seed=7"],
    "moves": "b2 a1 c3",
    "scores": [0, 0],
    "end": "resigned",
    "blame": 2,
    "reason": "",
}


def test_u10_unfinished_games_are_kept_and_a_new_one_begins_in_place(visitor: Visitor) -> None:
    with visitor.page(f"/play/tictactoe?{TWO}") as page:
        pick(page, "b2")
        tool(page, "new").click()
        wait_for_moves(page, 0)
        expect(page).to_have_url(re.compile(r"/play/tictactoe.*human%7Chuman"))
        pick(page, "a1", "a2")
        page.reload()  # goes on with the same game, and makes no second one of it
        wait_for_moves(page, 2)
        pick(page, "c3")
        page.locator(".brand").click()
        left = page.locator(".continue a[href='/games']")
        expect(left).to_have_text("2 unfinished games")
        left.click()
        rows = page.locator(".my-games li")
        expect(rows).to_have_count(2)
        rows.last.get_by_role("link", name="Continue").click()
        wait_for_moves(page, 1)
        assert moves(page) == ["b2"]
        pick(page, "a3", "c1", "c3", "a1", "b3")  # a row of three
        page.goto("/games")
        expect(page.locator(".my-games li[data-end=open]")).to_have_count(1)
        expect(page.locator(".my-games li")).to_have_count(2)


def test_u10_games_are_brought_searched_scored_replayed_and_deleted(
    visitor: Visitor, tmp_path: Path
) -> None:
    lines = [WON, {**WON, "blame": 1}, {**WON, "end": "open", "blame": None}]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    with visitor.page("/games") as page:
        expect(page.locator("main")).to_contain_text("No games yet")
        with page.expect_file_chooser() as chooser:
            page.locator("[data-tool='mine.import']").click()
        chooser.value.set_files(file)
        rows = page.locator(".my-games li")
        expect(rows).to_have_count(3)
        expect(page.locator("[data-sheet=scores] td.number")).to_have_text(["1", "0", "1"])
        page.locator("#wanted").fill("you won")
        expect(rows).to_have_count(1)
        with page.expect_download() as saved:
            page.locator("[data-tool='mine.export']").click()
        taken = saved.value.path().read_text(encoding="utf-8").splitlines()
        assert sorted(parse_record(line).end for line in taken) == ["open", "resigned", "resigned"]
        review = rows.first.get_by_role("link", name="Review the game")
        expect(review).to_have_attribute("href", re.compile("review=human"))
        rows.first.get_by_role("link", name="Replay").click()
        expect(status(page)).to_contain_text("Paused")
        page.goto("/games")
        rows.first.locator("[data-tool='mine.delete']").click()
        expect(rows).to_have_count(2)


def test_u10_home_remembers_who_was_played_last(visitor: Visitor) -> None:
    with visitor.page("/") as page:
        card = page.locator('.card[data-game="tictactoe"]')
        card.locator("button:not(.primary)").click()
        page.locator("dialog .picker.agent select").last.select_option("random")
        page.locator("dialog button[type=submit]").click()
        page.wait_for_url("**/play/**")
        page.locator(".brand").click()
        card.locator("button.primary").click()
        expect(page).to_have_url(re.compile(r"seats=human%7Crandom"))
