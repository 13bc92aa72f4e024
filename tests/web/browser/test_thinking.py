"""The browser acceptance list, third part: what is seen of thinking, analysis and solutions."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

import papan
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import (
    more,
    moves,
    solved,
    spot,
    status,
    tool,
    until,
    wait_for_moves,
)

pytestmark = pytest.mark.browser


LOOKS = "badge => [getComputedStyle(badge).borderTopStyle, getComputedStyle(badge).fontStyle]"


def test_w14_u06_every_legal_move_has_its_value_and_what_is_proved_looks_so(
    visitor: Visitor,
) -> None:
    with visitor.page("/solve/tictactoe?moves=b2+a1&seconds=30") as page:
        solved(page)
        truth = papan.solve(papan.position("tictactoe").after("b2 a1"), all_moves=True)
        rows = page.locator(".value-list li")
        expect(rows).to_have_count(7)
        shown = [float(each.get_attribute("data-value") or 0) for each in rows.all()]
        assert shown == sorted((value.number for value in truth.values.values()), reverse=True)
        game = papan.game("tictactoe")
        reported = {game.move_name(move): value.number for move, value in truth.values.items()}
        names = [each.locator("b").first.inner_text().split()[0] for each in rows.all()]
        assert dict(zip(names, shown, strict=True)) == reported
        assert all("=" in each.inner_text() for each in rows.all())
        assert {each.get_attribute("data-kind") for each in rows.all()} == {"exact"}
        expect(page.locator(".board .move-value")).to_have_count(7)
        expect(page.locator(".values .quiet").first).to_contain_text("player 1")
        proved = page.locator(".value-list .badge").first
        assert proved.evaluate(LOOKS) == ["solid", "normal"]
        expect(proved).to_contain_text("(exact)")
        expect(page.locator(".board .move-value.proved")).to_have_count(7)
        expect(page.locator(".eval.proved")).to_have_count(1)


def test_u06_a_guess_never_looks_as_if_it_were_proved(visitor: Visitor) -> None:
    with visitor.page("/play/connect4?seats=human|alphabeta:depth=2") as page:
        spot(page, "4").click()
        wait_for_moves(page, 2)
        guess = page.locator(".value-list li[data-kind=estimate] .badge").first
        pruned = page.locator(".value-list li[data-kind=pruned] .badge").first
        for badge, sign, words in ((guess, "\u2248", "estimate"), (pruned, "\u2272", "pruned")):
            assert badge.evaluate(LOOKS) == ["dashed", "italic"]
            expect(badge).to_contain_text(sign)
            expect(badge.locator(".unseen")).to_contain_text(words)
        expect(page.locator(".value-list .proved")).to_have_count(0)
        expect(page.locator(".legend")).to_contain_text("\u2248 estimate")


def test_w15_the_bar_has_a_number_and_is_never_out_of_date(visitor: Visitor) -> None:
    with visitor.page("/solve/tictactoe?moves=a1+b1&seconds=30") as page:
        expect(page.locator(".eval-number")).to_have_text("= W3")
        tool(page, "engine_on").click()
        tool(page, "back").click()
        expect(page.locator(".eval-number")).to_have_text("…")
        tool(page, "forward").click()
        expect(page.locator(".eval-number")).to_have_text("= W3")
        more(page, "flip").click()
        expect(page.locator(".eval-number")).to_have_text("= L3")


def test_u07_board_list_and_bar_say_who_wins_and_how_soon(visitor: Visitor) -> None:
    position = "connect4:4,5 o..../o.x../xxoxo/xooxx o"
    with visitor.page(f"/solve/connect4:4,5?pos={quote(position)}&seconds=30") as page:
        solved(page)
        labels = page.locator(".board .move-value")
        expect(labels).to_have_count(len(papan.position(position).moves()))
        on_board = {
            each.get_attribute("data-move"): f"= {each.text_content()}" for each in labels.all()
        }
        listed = {
            each.get_attribute("data-move"): (each.locator(".badge").text_content() or "").split(
                " ("
            )[0]
            for each in page.locator(".value-list li").all()
        }
        assert on_board == listed
        assert listed["4"] == "= L1"
        assert [*listed.values()][-1] == "= L1", "the soonest loss comes last"
        expect(page.locator(".eval-number")).to_have_text("= D")


def test_w23_minimax_and_alpha_beta_agree_and_one_looks_at_less(visitor: Visitor) -> None:
    with visitor.page("/analyse/tictactoe:4,4,4") as page:
        tool(page, "compare").click()
        expect(page.locator("dialog input[value=alphabeta]")).to_be_checked()
        page.locator("dialog .primary").click()
        expect(page.locator("dialog [role=status]")).to_contain_text("Counted")
        rows = [page.locator(f"dialog tr[data-agent^={name}]") for name in ("minimax", "alphabeta")]
        facts = [
            (each.get_attribute("data-value"), int(each.get_attribute("data-nodes") or 0))
            for each in rows
        ]
        assert facts[0][0] == facts[1][0]
        assert 0 < facts[1][1] <= facts[0][1]


@pytest.mark.parametrize(
    ("size", "cells"),
    [
        ("3,5,4", 15),
        *(
            pytest.param(*each, marks=pytest.mark.slow)  # other tests open these two
            for each in (("3,3,3", 9), ("5,5,5", 25))
        ),
    ],
)
def test_w23_boards_of_three_to_five_are_there(visitor: Visitor, size: str, cells: int) -> None:
    with visitor.page(f"/play/tictactoe:{size}?seats=human|human") as page:
        expect(page.locator(".spot")).to_have_count(cells)


def test_w23_no_line_is_longer_than_the_board(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe:3,4,5?seats=human|human") as page:
        expect(page.get_by_role("alert").first).to_be_visible()


def test_w24_the_panel_counts_up_and_shows_what_was_pruned(visitor: Visitor) -> None:
    with visitor.page("/play/connect4?seats=human|alphabeta:depth=8&seconds=50") as page:
        page.evaluate(
            """() => {
              window.counts = [];
              const look = () => {
                const nodes = document.querySelector('.nodes');
                if (nodes) window.counts.push(Number(nodes.dataset.nodes));
                requestAnimationFrame(look);
              };
              look();
            }"""
        )
        spot(page, "4").click()
        wait_for_moves(page, 2)
        counts = page.evaluate("window.counts")
        assert counts == sorted(counts)
        assert int(page.locator(".pruned").get_attribute("data-pruned") or 0) > 0
        expect(page.locator(".work")).to_contain_text("Depth")
        points = page.locator(".growth .point").all()
        depths = [int(each.get_attribute("data-depth") or 0) for each in points]
        looked = [int(each.get_attribute("data-nodes") or 0) for each in points]
        assert depths == list(range(1, len(depths) + 1))
        assert len(depths) > 3
        assert looked == sorted(looked)
        expect(page.locator(".growth")).to_contain_text("multiplies the nodes by")
        line = page.locator(".expected").inner_text().removeprefix("Best line:").split()
        assert papan.position("connect4").after("4").after(" ".join(line))


def test_what_is_open_or_being_written_stays_while_a_search_goes_on(visitor: Visitor) -> None:
    with visitor.page("/solve/connect4:7,10?seconds=50") as page:
        page.locator("details.more > summary").click()
        seconds = page.locator(".engine .field input").last
        seconds.press_sequentially("7")
        nodes = page.locator(".nodes").get_attribute("data-nodes") or ""
        expect(page.locator(".nodes")).not_to_have_attribute("data-nodes", nodes)
        expect(seconds).to_have_value("507")
        expect(seconds).to_be_focused()
        expect(tool(page, "editor")).to_be_visible()
        seconds.press("Control+a")
        seconds.press_sequentially("40")
        seconds.press("Enter")
        expect(page).to_have_url(re.compile("seconds=40"))
        expect(seconds).to_be_focused()


def test_w25_the_generations_are_a_curve_with_a_slider(visitor: Visitor) -> None:
    with visitor.page("/play/dots:2,2?seats=human|genetic:generations=7") as page:
        spot(page, "a1b1").click()
        wait_for_moves(page, 2)
        expect(page.locator(".chart .point.best")).to_have_count(8)
        slider = page.locator(".why input[type=range]")
        expect(page.locator(".generation p").first).to_contain_text("Generation 7")
        slider.fill("2")
        expect(page.locator(".generation p").first).to_contain_text("Generation 2")


def test_w26_the_visits_add_up_to_the_iterations(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|mcts:iterations=300&seconds=30") as page:
        spot(page, "b2").click()
        wait_for_moves(page, 2)
        rows = page.locator(".value-list li[data-nodes]")
        visits = "all => all.reduce((sum, each) => sum + Number(each.dataset.nodes), 0)"
        until(page, lambda: rows.evaluate_all(visits) == 300)
        expect(page.locator(".value-list meter").first).to_be_visible()


def test_w27_the_tree_opens_branch_by_branch_and_says_why_it_was_cut(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|alphabeta:depth=3,table=false") as page:
        spot(page, "b2").click()
        wait_for_moves(page, 2)
        page.locator(".tree-box > summary").click()
        children = page.locator(".tree > ul > li > ul > li")
        expect(children).to_have_count(8)
        assert page.locator(".tree li").count() == 9
        for twig in page.locator(".tree > ul > li > ul > li > .twig").all():
            twig.click()
        assert page.locator(".tree li").count() <= 2000
        expect(page.locator(".tree .cut .why").first).to_contain_text("pruned")


def test_w28_the_keys_are_those_of_lichess(visitor: Visitor) -> None:
    with visitor.page("/analyse/tictactoe?moves=b2+a1+c1&seconds=30") as page:
        status(page).click()
        keys = page.keyboard
        keys.press("ArrowLeft")
        expect(page.locator(".ply[aria-current]")).to_contain_text("2.")
        keys.press("ArrowRight")
        expect(page.locator(".ply[aria-current]")).to_contain_text("3.")
        keys.press("ArrowUp")
        expect(page.locator(".ply[aria-current]")).to_have_count(0)
        keys.press("ArrowDown")
        expect(page.locator(".ply[aria-current]")).to_contain_text("3.")
        solved(page)
        for running in ("false", "true"):
            keys.press("l")
            expect(tool(page, "engine_on")).to_have_attribute("aria-pressed", running)
        expect(page.locator(".layer.hint")).to_have_count(1)
        keys.press("a")
        expect(page.locator(".layer.hint")).to_have_count(0)
        keys.press("f")
        expect(page.locator("#live")).to_contain_text("player 2")
        keys.press("x")
        expect(page.locator(".board.ghost")).to_have_count(1)
        keys.press("x")
        expect(page.locator(".board.ghost")).to_have_count(0)
        keys.press("Space")
        wait_for_moves(page, 4)
        assert moves(page)[3] == "a3"
        keys.press("?")
        dialog = page.locator("dialog[open]")
        expect(dialog).to_contain_text("Keys")
        for _ in range(3):
            keys.press("Tab")
            inside = "document.activeElement.matches('body, dialog *')"
            assert page.evaluate(inside)
        keys.press("Escape")
        expect(dialog).to_have_count(0)


def test_w29_a_review_lists_the_moves_that_changed_the_result(visitor: Visitor) -> None:
    with visitor.page("/analyse/tictactoe?moves=b2+b1+a1+c3") as page:
        tool(page, "review").click()
        changed = page.locator(".verdicts .changed")
        expect(changed).to_have_count(1)
        expect(changed.first).to_contain_text("b1 ?")
        changed.first.locator("button").click()
        expect(page.locator(".ply[aria-current]")).to_contain_text("1.")


def test_a_line_that_is_looked_at_shows_where_it_leads(visitor: Visitor) -> None:
    with visitor.page("/analyse/tictactoe?moves=b2+a1&seconds=30") as page:
        solved(page)
        page.locator("button.line").first.focus()
        expect(page.locator(".board.ghost")).to_have_count(1)
        page.keyboard.press("Tab")
        expect(status(page)).not_to_have_text("")
        assert page.evaluate("document.activeElement.matches('.line, a, select, input, button')")
        status(page).click()
        expect(page.locator(".board.ghost")).to_have_count(0)
        assert moves(page) == ["b2", "a1"]


def test_solve_is_honest_where_the_time_is_too_short(visitor: Visitor) -> None:
    with visitor.page("/solve/connect4:7,10?seconds=0.3") as page:
        solved(page)
        expect(page.locator(".verdict")).to_contain_text("Nothing is proved yet")
        expect(page.locator("[data-proof=none]")).to_have_count(1)


def test_the_rules_that_fired_are_told_for_every_column(visitor: Visitor) -> None:
    with visitor.page("/play/connect4?moves=1+2+1+2+1&seats=human|priority-fixed") as page:
        wait_for_moves(page, 6)
        expect(page.locator(".player.seat-1")).to_contain_text("Greedy priorities (corrected)")
        expect(page.locator(".reasons .best")).to_contain_text(
            "keeps the opponent from four in a row"
        )
        expect(page.locator(".because")).to_contain_text(
            "1 is forced: it blocks the column a1-a4, which you"
        )
        expect(page.locator(".voice")).to_contain_text("its rules: keeps the opponent from four")
        assert moves(page)[-1] == "1"


def test_a_position_is_pasted_as_text_or_as_moves(visitor: Visitor) -> None:
    with visitor.page("/analyse/connect4") as page:
        page.fill("#pos", "4453")
        page.locator(".paste button").press("Enter")
        wait_for_moves(page, 4)
        expect(page).to_have_url(re.compile("connect4"))
        page.fill("#pos", "tictactoe:3,3,3 o../.x./... x")
        page.locator(".paste button").press("Enter")
        expect(page.locator(".spot")).to_have_count(9)
        page.fill("#pos", "nonsense here")
        page.locator(".paste button").press("Enter")
        expect(page.locator(".problem")).to_be_visible()
        expect(status(page)).to_contain_text("Player 1 to move")
