"""Analysis in a real browser: the editor, comparisons, reviews, exports, what agents show."""

import json
import re
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import papan
from papan.core.parts import Drawing
from papan.core.record import parse_record
from tests.web.browser.access import complaints, inside
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import moves, solved, spot, status, tool, until, wait_for_moves

pytestmark = pytest.mark.browser


def draft(page: Page) -> str:
    """The text of the board that is being set up."""
    return page.locator("#pos").input_value()


@pytest.mark.parametrize(
    ("game", "name", "text"),
    [
        pytest.param("tictactoe", "b2", "tictactoe:3,3,3 .../.x./... o", marks=pytest.mark.slow),
        ("connect4:4,4", "b1", "connect4:4,4 ..../..../..../.x.. o"),
        ("dots:1,1", "a1b1", "dots:1,1 1000 1 0-0"),
        pytest.param(
            "adjacency:4,4,2",
            "a1",
            "adjacency:4,4,2 x.oo/..oo/xx../xx.. x",
            marks=pytest.mark.slow,
        ),
        ("onet:1,4 2,1,1,2", "a1", "onet:1,4 1,1,1,2"),
    ],
)
def test_a_board_is_set_up_by_clicking_and_becomes_a_link(
    visitor: Visitor, game: str, name: str, text: str
) -> None:
    spec, _, board = game.partition(" ")
    with visitor.page(f"/analyse/{spec}" + (f"?pos={game}" if board else "")) as page:
        status(page).click()
        page.keyboard.press("b")
        expect(page.locator(".editor .pieces button").first).to_be_visible()
        spot(page, name).click()
        expect(page.locator("#pos")).to_have_value(text)
        expect(page).to_have_url(re.compile("edit="))
        tool(page, "editor_done").click()
        expect(page.locator(".editor")).to_have_count(0)
        expect(page.locator("#pos")).to_have_value(text)
        page.goto(page.url)
        expect(page.locator("#pos")).to_have_value(text)


def test_the_editor_tells_at_once_what_no_game_can_come_to(visitor: Visitor) -> None:
    with visitor.page("/analyse") as page:  # the usual game, where none is named
        tool(page, "editor").click()
        sentence = page.locator(".editor .status")
        expect(sentence).to_contain_text("is legal")  # the board is the editor's by now
        expect(page.locator(".eval, .value-list, .plies")).to_have_count(0)  # E17: nothing stale
        spot(page, "a6").click()
        expect(sentence).to_contain_text("Floating: a6")  # E17: what is wrong on the board
        expect(tool(page, "editor_done")).to_be_disabled()
        spot(page, "a6").click()
        expect(sentence).to_contain_text("Floating: a6")
        spot(page, "a6").click()
        expect(sentence).to_contain_text("is legal")
        spot(page, "a1").click()
        expect(sentence).to_contain_text("is legal")  # the turn follows
        page.locator("[data-field=turn]").select_option("0")
        expect(sentence).to_contain_text("not to move")
        page.locator("[data-field=turn]").select_option("1")
        expect(sentence).to_contain_text("is legal")
        spot(page, "b1").click()
        expect(sentence).to_contain_text("x has 2 and o has 0")
        tool(page, "undo").click()
        expect(sentence).to_contain_text("is legal")
        tool(page, "clear").click()
        expect(page.locator("[data-field=turn]")).to_have_value("0")  # x begins: the turn follows
        expect(sentence).to_contain_text("is legal")
        page.reload()
        expect(page.locator(".editor .status")).to_contain_text("is legal")
        tool(page, "cancel").click()
        expect(page.locator(".editor")).to_have_count(0)


def test_the_editor_has_a_palette_numbers_and_works_by_keyboard(visitor: Visitor) -> None:
    with visitor.page("/analyse/adjacency:4,4,2") as page:
        tool(page, "editor").click()
        page.locator("[data-field=rounds]").fill("3")
        page.locator("[data-field=rounds]").press("Enter")
        expect(page.locator("#pos")).to_have_value(re.compile("^adjacency:4,4,3 "))
        spot(page, "a1").focus()
        page.keyboard.press("2")
        expect(page.locator("[data-piece=o]")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("Enter")
        expect(page.locator("#pos")).to_have_value(re.compile(r" o\.oo/"))
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.locator("#pos")).to_have_value(re.compile(" oooo/"))
        assert complaints(page) == ""
        page.keyboard.press("Escape")
        expect(status(page)).to_contain_text("Player 1 to move")


def test_algorithms_are_compared_on_the_same_position(visitor: Visitor) -> None:
    with visitor.page("/analyse/adjacency:4,4,2") as page:
        tool(page, "compare").click()
        page.locator("dialog input[value=neighbours]").check()
        page.locator("dialog .primary").click()
        rows = page.locator("dialog tbody tr")
        expect(rows).to_have_count(5)
        legal = set(Drawing.of(papan.position("adjacency:4,4,2")).spots())
        for row in rows.all():
            assert row.get_attribute("data-move") in legal
            assert int(row.get_attribute("data-nodes") or 0) > 0
        page.keyboard.press("Escape")
        tool(page, "compare").click()
        expect(page.locator("dialog input[value=neighbours]")).to_be_checked()


def test_two_variants_are_tried_on_ones_own_position_with_sliders(visitor: Visitor) -> None:
    found = '[data-row="analyse.column_move"] td'
    with visitor.page("/learn/alphabeta?step=2", viewport={"width": 390, "height": 844}) as page:
        page.click("[data-own]")  # minimax, without and with pruning
        said = page.locator(".differences")
        expect(said).to_contain_text("Both come to the same value")
        expect(said).to_contain_text("A looked at")
        slider = page.locator('[data-variant="B"] [data-name="depth"]')
        slider.focus()
        page.keyboard.press("ArrowLeft")
        expect(said).to_contain_text("depth (4 / 3)")
        expect(page).to_have_url(re.compile("depth%3D3"))
        expect(page.locator(found)).to_have_count(2)
        assert complaints(page) == ""


def test_u03_a_review_says_why_shows_it_and_offers_another_try(visitor: Visitor) -> None:
    with visitor.page("/analyse/tictactoe?moves=b2+b1+a1+a2+c3") as page:
        tool(page, "review").click()
        card = page.locator(".review-card")
        expect(card).to_contain_text("player 2 would have held the draw")
        summaries = page.locator(".reviewed .summary")
        facts = [
            [each.get_attribute(f"data-{name}") for name in ("best", "blunders", "hidden")]
            for each in summaries.all()
        ]
        assert facts[0] == ["3", "0", "0"]
        assert sum(int(number or 0) for number in facts[1]) == 2
        expect(page.locator(".ply[aria-current]")).to_contain_text("1.")
        expect(page.locator(".eval-number")).to_have_text("= D")  # without a search
        chosen = page.locator(".verdicts [aria-pressed=true]")
        expect(chosen).not_to_contain_text("would have held")  # the card has its words
        page.set_viewport_size({"width": 1366, "height": 768})
        assert inside(page, ".review-card button")
        assert not complaints(page)
        page.locator("select.mine").select_option("0")
        expect(card).to_contain_text("Player 1 made no mistake")
        expect(page.locator(".verdicts li")).to_have_count(0)
        page.locator("select.mine").select_option("both")
        tool(page, "review_again").click()
        expect(page).to_have_url(re.compile("/play/tictactoe.*moves=b2&seats=level%3A3%7Chuman"))


def test_e7_a_refutation_is_played_to_the_end_that_is_seen(visitor: Visitor) -> None:
    game = "moves=b2+a1+c1+b1+a3&review=human%7Clevel:1"
    with visitor.page(f"/analyse/tictactoe?{game}") as page:
        card, player = page.locator(".review-card"), page.locator(".line-player")
        expect(card).to_contain_text("Move 4 changed the result: b1, by Kukang.")
        expect(card).to_contain_text("Kukang did not block a3.")  # E6: both players are judged
        expect(page.locator(".layer.mistake, .layer.better")).to_have_count(2)
        tool(page, "review_why").click()
        expect(player.locator("[data-at]")).to_have_text("2 / 2")
        expect(player).to_contain_text("You: a3. You win here.")
        expect(status(page)).to_have_text("You: a3. You win here.")
        expect(page.locator(".eval-number")).to_have_text("= W")
        expect(page.locator(".line-mark.mistake")).to_have_count(1)
        page.keyboard.press("ArrowLeft")
        expect(player).to_contain_text("Kukang: b1.")
        page.keyboard.press("ArrowLeft")
        expect(player).to_contain_text("Before the move.")
        page.locator("[data-tool='line.forward']").click()
        expect(player.locator("[data-at]")).to_have_text("1 / 2")
        tool(page, "review_better").click()
        expect(player).to_contain_text("It ends in a draw.")
        expect(page.locator(".line-mark.better")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(player).to_have_count(0)
        expect(page.locator(".board.ghost")).to_have_count(0)
        expect(page.locator(".ply[aria-current]")).to_contain_text("3.")


def test_e7_a_finger_steps_through_a_line(visitor: Visitor) -> None:
    game = "moves=b2+a1+c1+b1+a3&review=human%7Clevel:1"
    phone = {"width": 390, "height": 844}
    with visitor.page(f"/analyse/tictactoe?{game}", viewport=phone, has_touch=True) as page:
        tool(page, "review_why").tap()
        at = page.locator(".line-player [data-at]")
        expect(at).to_have_text("2 / 2")
        seen = [page.locator(each).bounding_box() for each in (".board", ".line-player", ".tools")]
        board, player, tools = (box or {"y": -1, "height": 0} for box in seen)
        assert 0 <= board["y"] < player["y"]  # the button was below both
        assert player["y"] + player["height"] <= tools["y"]
        swipe(page, ".zoom", 120)
        expect(at).to_have_text("1 / 2")
        swipe(page, ".zoom", -120)
        expect(at).to_have_text("2 / 2")


def swipe(page: Page, place: str, right: int) -> None:
    """Draw a finger over a part of the page, so many pixels to the right."""
    page.eval_on_selector(
        place,
        """(place, right) => {
          const { left, top, width, height } = place.getBoundingClientRect();
          const [x, y] = [left + width / 2, top + height / 2];
          const touch = (clientX) =>
            new Touch({ identifier: 1, target: place, clientX, clientY: y });
          const say = (name, touches, changedTouches) =>
            place.dispatchEvent(new TouchEvent(name, { bubbles: true, touches, changedTouches }));
          say("touchstart", [touch(x)], [touch(x)]);
          say("touchend", [], [touch(x + right)]);
        }""",
        right,
    )


def test_e17_solve_says_first_what_is_proved_and_plays_it(visitor: Visitor) -> None:
    with visitor.page("/solve/tictactoe?moves=b2+b1") as page:
        card = page.locator(".solve-card")
        expect(card.locator("h2[data-solved=true]")).to_contain_text("wins")
        expect(card).to_contain_text("Every other move is proved to be worse.")
        expect(page.get_by_label("Engine")).to_have_count(0)  # that is what Analyse is for
        card.locator("[data-tool='solve.play']").click()
        expect(page.locator(".line-player [data-at]")).to_have_text("5 / 5")
        expect(page.locator(".eval-number")).to_have_text("= W")
    with visitor.page("/analyse/tictactoe?moves=b2+b1") as page:
        solved(page)
        expect(page.locator(".solve-card")).to_have_count(0)
        expect(page.get_by_label("Engine")).to_have_count(1)


def test_p4_the_kind_of_a_mistake_is_whole_on_a_phone(visitor: Visitor) -> None:
    phone: ViewportSize = {"width": 360, "height": 740}
    path = "/analyse/tictactoe?moves=b2+b1+a1&review=human|human"
    with visitor.page(path, viewport=phone, has_touch=True, locale="id-ID") as page:
        kind = page.locator(".review-head .badge")
        expect(kind).to_have_text("Kekeliruan tersembunyi")
        assert kind.evaluate("(badge) => badge.scrollWidth <= badge.clientWidth")


def test_u02_a_finished_game_opens_its_review_in_sight_on_a_phone(visitor: Visitor) -> None:
    over = "/play/tictactoe?moves=b2+a1+c1+b1+a3&seats=human|level:1&seconds=1"
    phone = {"width": 390, "height": 844}
    with visitor.page(over, viewport=phone, has_touch=True, locale="id-ID") as page:
        tool(page, "review").tap()
        expect(page.locator(".review-card")).to_contain_text("Kukang tidak menutup a3.")
        expect(page.locator(".review-card")).to_be_in_viewport()
    theirs = over.replace("human|level:1", "level:1|human")
    with visitor.page(theirs, viewport=phone, has_touch=True, locale="id-ID") as page:
        tool(page, "review").tap()
        card = page.locator(".review-card .words")
        expect(card).to_contain_text("Anda tidak menutup a3. Dengan a3, Anda masih bisa seri")
        expect(card).to_contain_text("sekarang Kukang menang")
        expect(card).to_be_in_viewport()
        page.get_by_role("link", name="Pelajaran terkait").tap()
        expect(page).to_have_url(re.compile(r"/learn/tictactoe\?step=4"))
        page.go_back()
        expect(card).to_contain_text("Anda tidak menutup a3.")


@pytest.mark.parametrize(
    "game", ["connect4:7,10", pytest.param("dots:5,5", marks=pytest.mark.slow)]
)
def test_solve_says_what_it_has_not_proved(visitor: Visitor, game: str) -> None:
    with visitor.page(f"/solve/{game}?seconds=0.3") as page:
        reported = page.locator("[data-proof=none]")
        expect(reported).to_contain_text(re.compile("Not solved|Nothing is proved yet"))
        expect(page.locator(".verdict")).not_to_contain_text("exact")


def test_everything_can_be_taken_away(visitor: Visitor) -> None:
    with visitor.page("/analyse/connect4?moves=4+4+5&seconds=0.1") as page:
        tool(page, "export").click()

        def saved(key: str) -> bytes:
            with page.expect_download() as download:
                page.locator(f"[data-export='web.{key}']").click()
            return download.value.path().read_bytes()

        assert saved("export_png").startswith(b"\x89PNG\r\n\x1a\n")
        for key in ("export_svg", "export_film"):
            root = ElementTree.fromstring(saved(key))
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert root.find("{http://www.w3.org/2000/svg}title") is not None
            assert root.find("{http://www.w3.org/2000/svg}desc") is not None
        record = parse_record(saved("export_record").decode())
        assert (record.moves, record.end) == ("4 4 5", "open")
        assert saved("export_moves").decode() == "4 4 5\n"
        page.locator("[data-export='web.copy_position']").click()
        expect(page.locator("dialog [role=status]")).to_have_text(re.compile("Copied|connect4:6,7"))


def test_the_expected_line_is_numbered_on_the_board(visitor: Visitor) -> None:
    with visitor.page("/analyse/connect4?moves=4+4+3+3+5&seconds=30") as page:
        solved(page)
        page.locator(".status").click()
        page.keyboard.press("v")
        expect(page.locator(".numbers .ahead")).to_have_count(2)
        page.keyboard.press("v")
        expect(page.locator(".numbers .ahead")).to_have_count(0)


def test_the_wheel_over_the_board_steps_through_the_moves(visitor: Visitor) -> None:
    with visitor.page("/analyse/tictactoe?moves=b2+a1") as page:
        page.locator(".board").hover()
        page.mouse.wheel(0, -100)
        expect(page.locator(".ply[aria-current]")).to_contain_text("1.")

        def turned() -> bool:
            page.mouse.wheel(0, 100)  # too soon after the last turn, it does nothing
            return moves(page) == ["b2", "a1"]

        until(page, turned)


def test_visits_are_shades_on_the_board_with_their_terms(visitor: Visitor) -> None:
    games = "mcts:iterations=8000"  # enough to prove some moves, one with most of the visits
    with visitor.page(f"/analyse/tictactoe?moves=b2&seats={games}&seconds=30") as page:
        solved(page)
        expect(page.locator(".heat .shade")).to_have_count(8)
        expect(page.locator(".terms").first).to_contain_text("UCB")
        expect(page.locator(".why-more")).to_contain_text("last playout")


def test_a_climb_is_a_curve_and_says_whether_it_ended_on_a_plateau(visitor: Visitor) -> None:
    with visitor.page("/analyse/adjacency:4,4,2?seats=hillclimb") as page:
        solved(page)
        expect(page.locator(".why-more .chart .point")).not_to_have_count(0)
        expect(page.locator(".why-more")).to_contain_text("No restarts")
        expect(page.locator(".verdict")).not_to_contain_text("proved")


def test_the_rules_of_a_greedy_agent_are_listed_in_their_order(visitor: Visitor) -> None:
    with visitor.page("/analyse/connect4?moves=1+2+1+2+1&seats=priority-fixed") as page:
        solved(page)
        rules = page.locator(".rules li")
        expect(rules.first).to_contain_text("+1000")
        expect(page.locator(".rules .best").first).to_contain_text("fired")


def test_the_nodes_that_pruning_saves_are_counted(visitor: Visitor) -> None:
    with visitor.page("/analyse/tictactoe?moves=b2+a1&seats=alphabeta&seconds=30") as page:
        solved(page)
        nodes = int(page.locator(".nodes").get_attribute("data-nodes") or 0)
        page.locator(".measured button").click()
        counted = page.locator("[data-minimax]")
        expect(counted).to_be_visible()
        assert int(counted.get_attribute("data-minimax") or 0) > nodes
        page.locator(".tree-box > summary").click()
        expect(page.locator(".tree > ul > li > ul > .chosen")).to_have_count(1)
        expect(page.locator(".tree .window").first).to_contain_text("searched")


def test_the_line_between_tiles_is_traced_only_when_asked_for(visitor: Visitor) -> None:
    with visitor.page("/analyse/onet:2,3?pos=onet:2,3 1,2,1/2,3,3&seats=openings") as page:
        solved(page)
        expect(page.locator(".board .frontier")).to_have_count(0)
        page.locator(".trace button").click()
        page.locator("[data-step='2']").click()
        expect(page.locator(".board .frontier").first).to_be_visible()
        expect(page.locator(".trace [role=status]")).to_contain_text("visited so far")


def test_the_page_of_keys_names_every_key(visitor: Visitor) -> None:
    with visitor.page("/analyse/dots:2,2") as page:
        status(page).click()
        page.keyboard.press("?")
        expect(page.locator("dialog kbd").first).to_be_visible()
        shown = page.locator("dialog kbd").all_inner_texts()
        for key in ("←", "k", "Space", "l", "a", "x", "v", "e", "b", "c", "f", "z", "?"):
            assert key in shown
        page.keyboard.press("Escape")
        page.keyboard.press("e")
        kept = json.loads(page.evaluate("localStorage.getItem('papan.settings')"))
        assert kept["features"] is True
        wait_for_moves(page, 0)


def test_who_thinks_is_in_the_link_with_all_settings(visitor: Visitor) -> None:
    late = "moves=b2+a1+c1+a3+a2"  # nothing is left to think about
    with visitor.page(f"/analyse/tictactoe?{late}&seats=alphabeta:table=false") as page:
        table = page.locator('.engine [data-name="table"]')
        expect(table).to_have_value("false")
        page.locator('.engine [data-name="depth"]').fill("4")
        page.locator('.engine [data-name="depth"]').blur()
        expect(page).to_have_url(re.compile(r"seats=alphabeta%3Adepth%3D4%2Ctable%3Dfalse"))
        page.reload()
        expect(table).to_have_value("false")
        expect(page.locator('.engine [data-name="depth"]')).to_have_value("4")


def test_n01_a_position_is_seen_as_a_graph_and_walked_through(visitor: Visitor) -> None:
    with visitor.page("/analyse/dots:2,2") as page:
        spot(page, "a1b1").click()
        wait_for_moves(page, 1)
        solved(page)  # what a search tells moves what stands below it
        page.locator("#graph-shown").check()
        expect(page.locator(".graph[data-graph=lines] .edge")).to_have_count(1)
        page.locator("[data-field=graph]").select_option("boxes")
        expect(page.locator(".graph[data-graph=boxes] .vertex")).to_have_count(5)
        page.locator(".graph [data-vertex=a1]").click()
        page.locator("[data-field=order]").select_option("depth")
        expect(page.locator("[data-key='graph.visited']")).to_contain_text("a1 b1 b2 a2 ground")
        page.locator("[data-field=steps]").fill("2")
        expect(page.locator(".graph .vertex.unseen")).to_have_count(3)
        page.locator("[data-field=form]").select_option("incidence")
        expect(page.locator(".graph-panel pre")).to_contain_text("b1c1")
        assert not complaints(page)
        spot(page, "b1c1").click()
        expect(page.locator(".graph-panel pre")).not_to_contain_text("b1c1")
