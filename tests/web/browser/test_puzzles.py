"""Puzzles in a real browser: judged by the solver, refuted on the board, and kept."""

import re
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from papan import puzzles
from papan.core import Drawing
from papan.puzzles import themes
from papan.puzzles.answers import PuzzleAnswer, sentences
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import spot, status

pytestmark = pytest.mark.browser


def test_a_wrong_answer_is_played_out_and_a_right_one_leads_to_the_next(visitor: Visitor) -> None:
    wanted = puzzles.chosen_puzzles("dots", "cross")[0]
    answer = PuzzleAnswer.of(wanted)
    right = wanted.position.game.move_name(answer.move)
    wrong = next(each for each in wanted.position.move_names() if each != right)
    with visitor.page(f"/puzzles/{wanted.name}", reduced_motion="reduce") as page:
        expect(page.locator(".board.live")).to_be_visible()
        spot(page, wrong).click()
        expect(status(page)).to_contain_text(f"✗ {wrong}")
        expect(page.locator('[data-fact="missed"]')).to_have_text("1")
        expect(page.locator(".points")).to_contain_text("your rating is 5")
        page.locator('[data-tool="puzzle.again"]').click()
        expect(page.locator(".board.live")).to_be_visible()
        page.keyboard.press("h")
        expect(status(page)).to_contain_text(answer.idea.text("en"))
        expect(page.locator(".puzzle-hint")).to_have_count(0)
        page.keyboard.press("h")
        expect(page.locator(".puzzle-hint")).to_have_count(len(answer.area))
        page.keyboard.press("h")
        expect(status(page)).to_contain_text(f"Hint 3 of 3, the move: {right}. {answer.why.text()}")
        expect(page.locator(".puzzle-hint")).to_have_count(1)
        spot(page, right).click()
        expect(status(page)).to_have_text("✓ Solved.")
        works, fails = (each.text("en") for each in sentences(answer))
        expect(page.locator('[data-why="right"]')).to_have_text(works)
        expect(page.locator('[data-why="wrong"]')).to_have_text(fails)
        page.locator('[data-tool="puzzle.next"]').click()
        expect(page.locator(".board.live")).to_be_visible()
        kept = page.evaluate("JSON.parse(localStorage.getItem('papan.puzzles'))")
        assert list(kept["missed"]) == [wanted.name]
        assert kept["tried"] == 1
        assert kept["rating"] < puzzles.FIRST_RATING
        made = puzzles.Puzzle("win", 900, "tictactoe:3,3,3 xxo/.../... o")
        page.evaluate(
            "line => localStorage.setItem('papan.puzzles',"
            " JSON.stringify({ missed: { [line]: [0, '2020-01-01'] } }))",
            made.kept,
        )
        page.goto("/puzzles")  # what was made for somebody and missed comes back as well
        expect(page).to_have_url(re.compile("[?]made=win"))
        expect(page.locator("h1")).to_contain_text("rating 900")
        expect(page.locator(".question")).to_have_text(
            "You are ◯ (red). Win in three moves. 3 in a row wins."
        )


def test_a_win_is_played_to_its_end_and_home_leads_to_the_puzzle_of_the_day(
    visitor: Visitor,
) -> None:
    wanted = next(each for each in puzzles.chosen_puzzles("tictactoe", "win"))
    position = wanted.position
    with visitor.page(f"/puzzles/{wanted.name}") as page:
        while not position.is_over:
            expect(page.locator(".board.live")).to_be_visible()
            move = themes.solved(position).move
            spot(page, position.game.move_name(move)).click()
            position = position.child(move)
            if not position.is_over:  # the rival defends as well as the solver can
                reply = themes.solved(position).move
                name = position.game.move_name(reply)
                position = position.child(reply)
                expect(status(page)).to_have_text("Right. Go on.")
                expect(spot(page, name)).to_have_attribute("aria-label", re.compile(f"^{name}: "))
        expect(status(page)).to_have_text("✓ Solved.")
        expect(page.locator(".points")).to_contain_text("+")
        expect(page.locator('[data-fact="streak"]')).to_have_text("1")
        page.click(".brand")
        page.click(".today a[href='/puzzles/today']")
        expect(page.locator("h1")).to_contain_text("Puzzle of the day")


def test_e10_a_newcomer_is_told_who_he_is_sees_the_win_and_gets_points(visitor: Visitor) -> None:
    with visitor.page("/puzzles?game=connect4", reduced_motion="reduce") as page:
        expect(page.locator(".question")).to_contain_text(
            re.compile("^You are [✕◯] [(](blue|red)[)][.]")
        )
        shown = puzzles.named(page.url.rpartition("/")[2])
        assert shown is not None and shown.rating <= 500
        answer = PuzzleAnswer.of(shown)
        expect(page.locator(".board.live")).to_be_visible()
        spot(page, shown.position.game.move_name(answer.move)).click()
        expect(status(page)).to_have_text("✓ Solved.")
        expect(page.locator(".points")).to_have_text(
            re.compile(r"^\+[0-9]+ points: your rating is 6")
        )
        works, fails = (each.text("en") for each in sentences(answer))
        expect(page.locator('[data-why="right"]')).to_have_text(works)
        expect(page.locator('[data-why="wrong"]')).to_have_text(fails)
        page.locator('[data-tool="puzzle.play_wrong"]').click()
        wrong = answer.likeliest_wrong
        assert wrong is not None
        after = shown.position.child(wrong).after(answer.refutation(wrong).line)
        expect(page.locator(".board svg desc")).to_have_text(Drawing.of(after).picture())


def test_a_full_column_and_a_wrong_pair_are_refused_in_the_words_of_the_game(
    visitor: Visitor,
) -> None:
    full = next(
        each
        for each in puzzles.chosen_puzzles("connect4")
        if len(each.position.moves()) < each.position.game.move_count
    )
    names = full.position.move_names()
    column = next(each for each in "1234567" if each not in names)
    with visitor.page(f"/puzzles/{full.name}", locale="id-ID") as page:
        expect(page.locator(".board.live")).to_be_visible()
        spot(page, column).click()
        said = f"Kolom {column} sudah penuh; pilih kolom lain."
        expect(page.locator(".problem")).to_have_text(said)
        expect(page.locator("[data-fact='missed']")).to_have_text("0")  # it is no answer
    pairs = puzzles.chosen_puzzles("onet")[0]
    position: Any = pairs.position
    grid, tiles = position.game.grid.names, position.tiles
    one = next(cell for cell, tile in enumerate(tiles) if tile)
    other = next(cell for cell, tile in enumerate(tiles) if tile not in (0, tiles[one]))
    with visitor.page(f"/puzzles/{pairs.name}") as page:
        expect(page.locator(".board.live")).to_be_visible()
        spot(page, grid[one]).click()
        spot(page, grid[other]).click()
        expect(page.locator(".problem")).to_have_text(
            "These tiles don't match; pick two equal ones."
        )


def test_a_long_hint_does_not_move_the_board_of_a_phone(visitor: Visitor) -> None:
    wanted = puzzles.chosen_puzzles("adjacency", "last")[0]
    phone: ViewportSize = {"width": 390, "height": 844}
    with visitor.page(f"/puzzles/{wanted.name}", viewport=phone, locale="id-ID") as page:
        expect(page.locator(".board.live")).to_be_visible()
        before = page.locator(".board").bounding_box()
        for step in range(1, 4):
            page.keyboard.press("h")
            expect(status(page)).to_contain_text(f"Petunjuk {step} dari 3")
            assert page.locator(".board").bounding_box() == before


def test_a_teacher_prints_a_sheet(visitor: Visitor) -> None:
    wanted = puzzles.chosen_puzzles("tictactoe", "draw")[0]
    with visitor.page(f"/puzzles/{wanted.name}") as page:
        expect(page.locator(".board.live")).to_be_visible()
        page.locator('[data-tool="puzzle.print_sheet"]').click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Game").select_option("tictactoe")
        dialog.get_by_label("Difficulty").select_option("easy")
        with page.expect_popup() as opened:
            dialog.get_by_role("link", name="Open to print").click()
        sheet = opened.value
        expect(sheet.locator(".sheet svg")).to_have_count(6)
        expect(sheet.locator("section li")).to_have_count(6)
        sheet.emulate_media(media="print")
        expect(sheet.get_by_role("button")).to_be_hidden()
        expect(sheet.locator("section")).to_have_css("break-before", "page")
        sheet.close()
