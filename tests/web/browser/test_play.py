"""The browser acceptance list, second part: whole games, by mouse, by keyboard, with every tool."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Page, Request, Route, expect

import papan
from papan.core.parts import Drawing
from tests import waiting
from tests.web.browser.access import inside
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import (
    more,
    moves,
    pick,
    scores,
    show,
    spot,
    status,
    tool,
    until,
    until_quiet,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

SMALL = [
    pytest.param("tictactoe", marks=pytest.mark.slow),
    pytest.param("connect4:4,4", marks=pytest.mark.slow),
    "dots:1,1",
    pytest.param("dots:1,2", marks=pytest.mark.slow),
    pytest.param("adjacency:4,4,2", marks=pytest.mark.slow),
    "onet:2,2,kinds=2,seed=1",
]
"""On a grid the arrows do the same everywhere; edges and pairs of tiles are apart."""


@pytest.mark.parametrize("game", SMALL)
def test_w06_a_whole_game_by_keyboard_alone(visitor: Visitor, game: str) -> None:
    seats = "human" if game.startswith("onet") else "human|human"
    with visitor.page(f"/play/{game}?pos={game}&seats={seats}") as page:
        page.locator(".spot[tabindex='0']").focus()
        position = papan.position(game)
        while position.moves():
            name = position.game.move_name(position.moves()[0])
            pair = re.fullmatch(r"([a-z]+\d+)([a-z]+\d+)", name) if "onet" in game else None
            for each in pair.groups() if pair else (name,):
                walk(page, each)
                page.keyboard.press("Enter")
            position = position.after(name)
            until(page, lambda: page.locator(".notation").text_content() == str(position))  # noqa: B023
        expect(status(page)).to_contain_text(re.compile("wins|Game over"))


def walk(page: Page, goal: str) -> None:
    """Press arrows until the focus is on a spot: the shortest way over the board's own steps."""
    for _ in range(40):
        here = page.evaluate("document.activeElement.dataset.spot")
        if here == goal:
            return
        page.keyboard.press(f"Arrow{step(page, goal)}")
    raise AssertionError(f"the arrows do not lead to {goal}")


def step(page: Page, goal: str) -> str:
    """The direction in which the goal is farthest, or the other one where that leads nowhere."""
    here, there = page.locator(".spot:focus").bounding_box(), spot(page, goal).bounding_box()
    assert here is not None
    assert there is not None
    across = there["x"] + there["width"] / 2 - here["x"] - here["width"] / 2
    down = there["y"] + there["height"] / 2 - here["y"] - here["height"] / 2
    if abs(across) >= abs(down):
        return "Right" if across > 0 else "Left"
    return "Down" if down > 0 else "Up"


COUNT_TONES = """() => {
  const Real = AudioContext;
  window.tones = 0;
  window.AudioContext = class extends Real {
    createOscillator() { window.tones += 1; return super.createOscillator(); }
  };
}"""


def test_w07_moves_are_typed_announced_and_heard_by_those_who_want_it(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|human") as page:
        page.evaluate(COUNT_TONES)
        live = page.locator("#live")
        page.fill("#typed", "b2")
        page.keyboard.press("Enter")
        wait_for_moves(page, 1)
        assert moves(page) == ["b2"]
        expect(live).to_have_text("Player 1 plays b2. Your turn, player 2.")
        assert page.evaluate("tones") == 0
        more(page, "sound").click()  # with an example
        pick(page, "a1")
        until(page, lambda: page.evaluate("tones") == 2)
        pick(page, "b1", "a2", "b3")
        expect(live).to_have_text("Player 1 plays b3. Player 1 wins.")
        assert live.get_attribute("aria-live") == "polite"


def with_other_shapes(route: Route) -> None:
    """Answer with the board, but its first cell a triangle and its second one a circle."""
    answer = route.fetch()
    facts = answer.json()
    shapes = iter(('<polygon points="45,45 105,45 45,105"', '<circle cx="135" cy="75" r="30"'))
    facts["svg"] = re.sub(r"<rect(?=[^>]*data-cell)", lambda _: next(shapes, "<rect"), facts["svg"])
    route.fulfill(response=answer, json=facts)


def test_a_cell_that_is_no_square_is_clicked_inside_its_shape(visitor: Visitor) -> None:
    with visitor.context() as context:
        page = context.new_page()
        page.route("**/api/v1/board", with_other_shapes)
        show(page, "/play/tictactoe?seats=human|human")
        box = spot(page, "a1").bounding_box()
        square = spot(page, "a2").bounding_box()
        assert box is not None and square is not None
        assert (round(box["width"]), round(box["height"])) == (
            round(square["width"]), round(square["height"]),
        )  # fmt: skip
        right, down = box["x"] + box["width"], box["y"] + box["height"]
        page.mouse.click(right - 6, down - 6)  # in its box, but not in the triangle
        page.mouse.click(box["x"] + 6, box["y"] + 6)
        wait_for_moves(page, 1)
        assert moves(page) == ["a1"]
        pick(page, "b1")


@pytest.mark.parametrize(
    ("address", "place", "reason"),
    [
        pytest.param(  # another test plays on after that
            "tictactoe?moves=b2", "b2", "b2 is taken already", marks=pytest.mark.slow
        ),
        ("connect4:4,4?moves=1+1+1+1", "1", "Column 1 is full"),
        pytest.param(
            "dots:1,1?moves=a1b1", "a1b1", "a1b1 is drawn already", marks=pytest.mark.slow
        ),
        pytest.param("adjacency?moves=", "h1", "h1 is taken already", marks=pytest.mark.slow),
    ],
)
def test_w08_an_illegal_click_changes_nothing_and_says_why(
    visitor: Visitor, address: str, place: str, reason: str
) -> None:
    with visitor.page(f"/play/{address}&seats=human|human") as page:
        before = moves(page)
        spot(page, place).click()
        expect(page.locator(".problem")).to_contain_text(reason)
        assert moves(page) == before


def test_w09_undo_takes_back_the_answer_of_the_agent_as_well(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|random") as page:
        spot(page, "b2").click()
        wait_for_moves(page, 2)
        expect(status(page)).to_contain_text("Your turn")
        tool(page, "undo").click()
        until(page, lambda: moves(page) == [])
        expect(spot(page, "b2")).to_have_attribute("aria-label", "b2, empty")
        tool(page, "redo").click()
        expect(page.locator(".ply[aria-current]")).to_contain_text("2.")


def test_w10_a_link_shows_the_same_game_to_someone_else(visitor: Visitor) -> None:
    with visitor.page("/play/connect4:7,8?seats=human|human") as page:
        pick(page, "3", "4", "4")
        address = page.url
        position = page.locator(".notation").text_content()
    with visitor.page(address) as other:
        assert other.locator(".notation").text_content() == position
        assert moves(other) == ["3", "4", "4"]
        expect(status(other)).to_contain_text("player 2")
        expect(other.locator(".who").first).to_have_text("Player 1")


def test_w09_w12_an_agent_answers_hurries_stops_and_is_cancelled_by_undo(visitor: Visitor) -> None:
    with visitor.page("/play/connect4:7,10?seats=human|alphabeta&seconds=50") as page:
        spot(page, "5").click()
        expect(tool(page, "move_now")).to_be_visible()
        tool(page, "undo").click()
        expect(status(page)).to_have_text("Your turn.")
        until_quiet(page)
        assert moves(page) == []
        spot(page, "5").click()
        expect(page.locator(".value-list li").first).to_be_visible()
        tool(page, "move_now").click()
        wait_for_moves(page, 2)
        spot(page, "6").click()
        tool(page, "stop").click()
        until_quiet(page)
        expect(status(page)).to_contain_text("Stopped")
        tool(page, "go_on").click()
        with page.expect_request("**/think/*/stop"):  # even before the search has said its name
            tool(page, "move_now").click()
        wait_for_moves(page, 4)


@pytest.mark.parametrize(
    ("game", "move", "plies", "route"),
    [("connect4", ["4"], 2, "turn"), ("onet:9,16,seed=0", ["a1", "d1"], 1, "board")],
)
def test_a_turn_is_one_request_of_less_than_20_kilobytes(
    visitor: Visitor, game: str, move: list[str], plies: int, route: str
) -> None:
    with visitor.page(f"/play/{game}?pos={game}&seats=human|random") as page:
        page.wait_for_load_state("networkidle")  # a puzzle asks for its levels
        done: list[Request] = []
        failed: list[Request] = []
        page.on("requestfinished", lambda request: done.append(request))
        page.on("requestfailed", lambda request: failed.append(request))
        for each in move:
            spot(page, each).click()
        wait_for_moves(page, plies)
        until(page, lambda: any(each.url.endswith(f"/{route}") for each in done))
        page_asks = (
            "/health",
            "/games",
            "/icon.svg",
            "/rest.js",
            "/offline",
        )  # by page and browser, whatever is played
        asked = [each for each in done if not each.url.endswith(page_asks)]
        assert [each.url.rpartition("/")[2] for each in asked] == [route]
        assert asked[0].sizes()["responseBodySize"] < 20_000
        assert failed == []  # nor is a finished search one that failed


def test_w13_closing_the_tab_ends_the_search(visitor: Visitor) -> None:
    with visitor.page("/play/connect4:7,10?seats=alphabeta|human&seconds=50") as page:
        expect(tool(page, "stop")).to_be_visible()
        waiting.until(lambda: server_searches(visitor) > 0)
        page.close()
        waiting.until(lambda: server_searches(visitor) == 0)


def server_searches(visitor: Visitor) -> int:
    """How many searches the server says it is busy with, to somebody without a page."""
    found: int = httpx2.get(f"{visitor.server}/api/v1/health").json()["searches"]
    return found


def test_e2_a_hint_comes_in_three_steps_and_is_gone_with_the_move_while_values_stay(
    visitor: Visitor,
) -> None:
    with visitor.page("/play/tictactoe?moves=a1+b1+a2+c3&seats=human|human") as page:
        card = page.locator(".hint-card")
        expect(page.locator(".eval")).to_be_hidden()
        tool(page, "hint").click()
        expect(card).to_contain_text("Hint 1 of 3")
        expect(page.locator(".layer:is(.hint, .area)")).to_have_count(0)
        card.locator("[data-tool='hint.to_area']").click()
        expect(page.locator(".layer.area")).to_have_count(1)
        card.locator("[data-tool='hint.to_move']").click()
        expect(page.locator(".layer.hint")).to_have_count(1)
        expect(card).to_contain_text("Suggestion: a3")
        expect(card).to_contain_text("a3 wins: the column a1-a3.")
        tool(page, "hint").click()  # E1: a further one changes nothing
        expect(card).to_contain_text("Suggestion: a3")
        page.locator("#values").check()  # values are shown where they are wanted
        expect(page.locator(".board .move-value")).to_have_count(5)
        expect(page.locator(".eval-number")).to_have_text("= W1")
        pick(page, "c1")  # the win is gone
        expect(card).to_have_count(0)
        expect(page.locator(".layer.hint")).to_have_count(0)
        expect(page.locator(".eval-number")).to_have_text("= D")


def test_e2_hints_leave_the_opponents_reasons_alone_and_are_counted(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?moves=b2&seats=human|level:3") as page:
        expect(page.locator(".why-head h3")).to_contain_text("played")
        said = page.locator(".why-head").inner_text()
        tool(page, "hint").click()
        expect(page.locator(".hint-card [role='status']")).not_to_have_text("Thinking …")
        for _ in range(2):
            tool(page, "hint").click()
        expect(page.locator(".hint-card h2")).to_contain_text("Suggestion")
        assert page.locator(".why-head").inner_text() == said
        tool(page, "resign").click()
        page.get_by_role("button", name="Yes").click()
        expect(page.locator(".end-card .stats")).to_contain_text("1hints")
        show(page, "/games")
        expect(page.locator(".my-games .hints")).to_have_text("1 hint")


def test_the_thoughts_behind_a_move_come_back_with_it(visitor: Visitor) -> None:
    with visitor.page("/play/connect4?seats=human|priority") as page:
        spot(page, "4").click()
        wait_for_moves(page, 2)
        reported = page.locator(".reasons").inner_text()
        expect(status(page)).to_contain_text("Your turn")
        spot(page, "4").click()
        wait_for_moves(page, 4)
        page.locator(".ply").nth(1).click()
        expect(page.locator(".reasons")).to_have_text(
            re.compile(re.escape(reported.splitlines()[0]))
        )


@pytest.mark.parametrize(
    ("address", "last", "mark"),
    [
        ("/play/connect4?moves=1+2+1+2+1+2", "1", ".board .won"),
        pytest.param(
            "/play/tictactoe?moves=a1+b1+a2+b2", "a3", ".board .won", marks=pytest.mark.slow
        ),
        *(  # W18 and W19 see these two ends
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("/play/dots:1,1?moves=a1b1+a1a2+a2b2", "b1b2", ".board .box.second"),
                ("/play/adjacency:4,4,1?moves=b2", "a1", ".player.seat-0.winner"),
            )
        ),
    ],
)
def test_w17_the_end_shows_who_won_and_a_rematch_swaps_the_seats(
    visitor: Visitor, address: str, last: str, mark: str
) -> None:
    with visitor.page(f"{address}&seats=human|human&names=Ana|Budi") as page:
        expect(page.locator(".seat-0 .names")).to_have_text("AnaPlayer 1")
        pick(page, last)
        expect(status(page)).to_contain_text(re.compile("wins|Game over"))
        expect(page.locator(mark).first).to_be_attached()
        tool(page, "rematch").click()
        expect(status(page)).to_contain_text("Your turn, Budi")
        assert moves(page) == []


def test_u24_opponents_are_somebody_and_a_game_ends_with_a_card(visitor: Visitor) -> None:
    seats = "human|level:1,seed=706719"
    with visitor.page(f"/play/tictactoe?moves=a1+b1+a2+b2&seats={seats}") as page:
        expect(page.locator(".player.seat-1")).to_contain_text("Kukang")
        expect(page.locator(".player.seat-1 .face-of circle.ground")).to_be_visible()
        assert "level:" not in page.locator("main").inner_text()
        expect(page.locator(".why")).to_contain_text("After each of Kukang's moves")
        pick(page, "a3")
        card = page.locator(".end-card")
        expect(card.locator("h2")).to_have_text("You win!")
        expect(status(page)).to_have_text("You win!")
        expect(card.locator(".turning")).to_contain_text("Turning point, move 2 (b1)")
        expect(card.locator(".stats")).to_contain_text("100%accuracy")
        expect(card.locator(".how")).to_have_text("A whole line, move 5")
        expect(card.locator('[data-tool="web.review"]')).to_be_visible()
        assert card.locator(".gold").count() == 0
        page.set_viewport_size({"width": 360, "height": 640})
        page.goto(f"/play/tictactoe?moves=a1+b1+a2+b2&seats={seats}")
        expect(page.locator(".board.live")).to_be_visible()
        spot(page, "a3").click()
        expect(card.locator(".gold")).to_have_text("2wins in a row")
        assert inside(page, ".next button, .end-card h2")  # where a thumb reaches them
        tool(page, "next_opponent").click()
        expect(page.locator(".player.seat-1")).to_contain_text("Bekantan")
        expect(card).to_have_count(0)
        page.goto("/")
        tally = ["2\u20130\u20130", "2"]  # both in a row
        expect(page.locator(".record dd")).to_have_text(tally)


def test_w17_a_rematch_gives_the_agent_the_other_seat(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?moves=a1+b1+a2+b2&seats=human|random") as page:
        pick(page, "a3")
        tool(page, "rematch").click()
        wait_for_moves(page, 1)
        expect(page.locator(".player.seat-0")).to_contain_text("Random")


def test_u24_a_move_moves_only_what_it_brings_and_rests_for_who_wants_no_motion(
    visitor: Visitor,
) -> None:
    address = "/play/connect4?moves=4+4&seats=human|human"
    with visitor.page(address, reduced_motion="no-preference") as page:
        page.evaluate("window.piece = document.querySelector('[data-at=d1]')")
        pick(page, "5")
        expect(page.locator(".piece.fresh")).to_have_attribute("data-at", "e1")
        assert page.evaluate("piece.isConnected")  # the others are still the same parts
        name = "getComputedStyle(document.querySelector('.piece.fresh')).animationName"
        assert page.evaluate(name) == "fall"
        page.emulate_media(reduced_motion="reduce")
        assert page.evaluate(name) == "none"


def test_w18_a_box_keeps_the_turn_and_two_at_once_count_two(visitor: Visitor) -> None:
    played = "a1b1 b1c1 a1a2 c1c2 a2b2 b2c2".replace(" ", "+")
    with visitor.page(f"/play/dots:1,2?moves={played}&seats=human|human") as page:
        expect(page.locator(".player.seat-0")).to_have_class(re.compile("turn"))
        page.locator("#features").check()
        chains = Drawing.of(papan.position("dots:1,2").after(played.replace("+", " "))).features()
        drawn = [each for each in chains if each.svg]
        expect(page.locator(".layer.features .chain")).to_have_count(len(drawn))
        pick(page, "b1b2")
        until(page, lambda: scores(page) == [2, 0])
        expect(status(page)).to_contain_text("Player 1 wins")


def test_w18_who_completes_a_box_moves_again(visitor: Visitor) -> None:
    with visitor.page("/play/dots:1,2?moves=a1b1+a1a2+a2b2&seats=human|human") as page:
        pick(page, "b1b2")
        expect(page.locator("#live")).to_contain_text("Player 2 plays b1b2. Moves again.")
        expect(page.locator(".board .box.second")).to_be_attached()
        expect(page.locator(".player.seat-1")).to_have_class(re.compile("turn"))


def test_w19_the_marks_that_turn_are_shown_before_and_the_rounds_run_out(visitor: Visitor) -> None:
    with visitor.page("/play/adjacency:4,4,1?seats=human|human") as page:
        spot(page, "b2").hover()
        expect(page.locator(".layer.preview .turns")).to_have_count(1)
        expect(page.locator("[data-key='adjacency.rounds_left']")).to_contain_text("1")
        pick(page, "b2")
        expect(page.locator(".board .turned")).to_have_count(1)
        pick(page, "a1")
        expect(status(page)).to_contain_text(re.compile("wins|Game over"))
        expect(page.locator(".player.seat-0.winner")).to_be_attached()


def test_w08_w20_the_line_between_two_tiles_is_drawn_or_why_there_is_none_is_told(
    visitor: Visitor,
) -> None:
    with visitor.page("/play/onet?pos=onet:2,3 1,2,1/2,3,3&seats=human") as page:
        spot(page, "a1").click()
        expect(spot(page, "a1")).to_have_attribute("aria-pressed", "true")
        spot(page, "b1").click()
        expect(page.locator(".problem")).to_contain_text("don't match")
        page.keyboard.press("Escape")
        spot(page, "a1").click()
        spot(page, "c1").click()
        wait_for_moves(page, 1)
        line = page.locator(".board polyline.path.last")
        points = [
            tuple(map(float, each.split(",")))
            for each in (line.get_attribute("points") or "").split()
        ]
        assert 2 <= len(points) <= 4
        assert (points[0], points[-1]) == ((75, 75), (195, 75))
        assert min(y for _, y in points) < 45  # it runs outside the board
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(points))


def test_w20_the_line_crosses_empty_cells_alone(visitor: Visitor) -> None:
    with visitor.page("/play/onet?pos=onet:3,4 1,2,2,4/0,0,0,0/3,3,4,1&seats=human") as page:
        spot(page, "a1").click()
        spot(page, "d3").click()
        wait_for_moves(page, 1)
        line = page.locator(".board polyline.path.last").get_attribute("points") or ""
        points = [tuple(map(float, each.split(","))) for each in line.split()]
        cells = [((x - 75) / 60, (y - 75) / 60) for x, y in points]
        assert cells == [(0, 0), (0, 1), (3, 1), (3, 2)]  # along the row that is empty


def test_w21_a_stuck_board_can_be_shuffled(visitor: Visitor) -> None:
    assert not papan.position("onet:2,2 1,2/2,1").moves()
    with visitor.page("/play/onet?pos=onet:2,2 1,2/2,1&seats=human") as page:
        expect(status(page)).to_contain_text("No pairs left")
        tool(page, "shuffle").click()
        expect(status(page)).to_contain_text("Choose a move")
        assert papan.position(page.locator(".notation").text_content() or "").moves()


def test_w21_the_clock_comes_and_goes_and_the_board_stays(visitor: Visitor) -> None:
    with visitor.stopped_page("/play/onet?pos=onet:2,3 1,2,1/2,3,3&seats=human") as page:
        clock = page.locator(".clock")
        more(page, "timed").click()
        expect(clock).to_contain_text("5:00")
        page.clock.run_for(61_000)
        expect(clock).to_contain_text("3:59")
        spot(page, "a1").click()
        spot(page, "c1").click()
        wait_for_moves(page, 1)
        more(page, "timed").click()
        expect(clock).to_be_hidden()
        assert moves(page) == ["a1c1"]
        more(page, "timed").click()
        page.clock.fast_forward(600_000)
        expect(status(page)).to_contain_text("out of time")


def test_w21_a_board_that_cannot_be_cleared_is_told_so(visitor: Visitor) -> None:
    with visitor.page("/solve/onet?pos=onet:2,3 1,1,2/3,3,1&seconds=20") as page:
        expect(page.locator(".verdict")).to_contain_text("cannot be cleared")


@pytest.mark.parametrize(
    "size",
    [pytest.param(each, marks=pytest.mark.slow) for each in ("6,7", "7,8", "7,9", "7,10")],
)
def test_w22_connect_four_is_played_in_all_its_sizes(visitor: Visitor, size: str) -> None:
    with visitor.page(f"/play/connect4:{size}?seats=human|random") as page:
        columns = int(size.split(",")[1])
        assert page.locator(".spot").count() == columns
        page.locator(".spot[tabindex='0']").focus()
        page.keyboard.press(str(columns % 10))
        wait_for_moves(page, 2)
        assert moves(page)[0] == str(columns)


def test_w30_watching_starts_pauses_steps_and_keeps_its_speed(visitor: Visitor) -> None:
    with visitor.page("/watch/tictactoe?seats=random|random", reduced_motion="reduce") as page:
        expect(status(page)).to_contain_text("Paused")
        tool(page, "step").click()
        wait_for_moves(page, 1)
        expect(status(page)).to_contain_text("Paused")
        page.locator(".speed select").select_option("8")
        tool(page, "start").click()
        expect(status(page)).to_contain_text(re.compile("wins|Game over"))
        running = page.evaluate("document.getAnimations().length")
        assert running == 0


def test_two_people_turn_the_board_round_by_a_menu_that_closes_like_any_other(
    visitor: Visitor,
) -> None:
    with visitor.page("/play/tictactoe?seats=human|human") as page:
        corner = spot(page, "a1").bounding_box()
        more(page, "flip").click()
        expect(page.locator("#live")).to_contain_text("player 2")
        turned = spot(page, "c3").bounding_box()
        assert corner is not None
        assert turned is not None
        assert abs(corner["x"] - turned["x"]) < corner["width"]
        pick(page, "c3")
        assert moves(page) == ["c3"]
        page.keyboard.press("ArrowRight")
        expect(spot(page, "b3")).to_be_focused()
        menu = page.locator("details.more .menu")
        summary = page.locator("details.more > summary")
        ways: list[Callable[[], None]] = [  # U11
            lambda: page.keyboard.press("Escape"),
            lambda: page.locator(".players").click(),
            lambda: page.keyboard.press("?"),  # a dialog
        ]
        for close in ways:
            summary.click()
            expect(menu).to_be_visible()
            close()
            expect(menu).to_be_hidden()
        expect(page.locator("dialog")).to_be_visible()
        page.goto("/play/connect4?seats=human|human")
        summary.click()
        expect(tool(page, "flip")).to_have_count(0)  # discs fall to one side alone


def test_a_game_is_saved_and_loaded_again(visitor: Visitor, tmp_path: Path) -> None:
    with visitor.page("/play/dots:1,2?moves=a1b1+b1c1&seats=human|human") as page:
        button = more(page, "save")
        with page.expect_download() as saved:
            button.click()
        file = tmp_path / "game.json"
        saved.value.save_as(file)
        page.goto("/play/tictactoe?seats=human|human")
        button = more(page, "load")
        with page.expect_file_chooser() as chooser:
            button.click()
        chooser.value.set_files(file)
        wait_for_moves(page, 2)
        assert moves(page) == ["a1b1", "b1c1"]


def test_resigning_is_asked_about_and_ends_the_game(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?moves=b2&seats=human|human") as page:
        tool(page, "resign").click()
        expect(page.locator("dialog button:focus")).to_have_text("Play on")
        expect(page.locator("dialog .primary")).to_have_text("Play on")
        page.keyboard.press("Enter")  # P6: whoever taps on does not resign
        expect(page.locator("dialog")).to_have_count(0)
        expect(status(page)).not_to_contain_text("resign")
        tool(page, "resign").click()
        page.locator("dialog [data-answer=yes]").click()
        expect(status(page)).to_contain_text("Player 1 wins by resignation")


def test_the_page_stays_where_it_is_and_the_second_of_two_clicks_is_no_move(
    visitor: Visitor,
) -> None:
    short = {"width": 1000, "height": 500}
    with visitor.page("/play/connect4?seats=human|human", viewport=short) as page:
        spot(page, "4").hover()
        page.evaluate("scrollTo(0, 20)")
        before = page.evaluate("scrollY")
        spot(page, "4").dblclick()  # P3
        wait_for_moves(page, 1)
        pick(page, "4", "4")
        assert page.evaluate("scrollY") == before


def test_home_starts_a_game_at_once_or_with_options(visitor: Visitor) -> None:
    with visitor.page("/") as page:
        page.click('.card[data-game="connect4"] .primary')
        expect(status(page)).to_have_text("Your turn.")
        page.goto("/")
        page.click('.card[data-game="tictactoe"] button:has-text("Options")')
        dialog = page.locator("dialog")
        dialog.locator("select").first.select_option("tictactoe:5,5,4")
        dialog.locator(".agent select").nth(0).select_option("random")
        dialog.locator(".agent select").nth(1).select_option("human")
        dialog.locator("button[type=submit]").click()
        wait_for_moves(page, 1)
        assert page.locator("button.spot").count() == 25


def test_u14_a_server_that_is_gone_is_told_of_and_found_again(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|random") as page:
        line = page.locator("#gone")
        page.context.set_offline(True)
        page.locator("#top a[href='/learn']").click()
        expect(line).to_be_visible()
        expect(page).to_have_url(re.compile("/play/"))
        expect(page.locator(".board")).to_be_visible()
        page.context.set_offline(False)
        expect(page).to_have_url(re.compile("/learn$"))
        expect(line).to_be_hidden()


def test_u14_a_screen_that_does_not_come_is_told_of(visitor: Visitor) -> None:
    with visitor.page("/") as page:
        page.route("**/rest.js", lambda route: route.abort())
        page.goto("/games")
        expect(page.get_by_role("alert").last).to_contain_text("A part of this page did not come")
        page.unroute("**/rest.js")
        page.reload()
        expect(page.locator("main")).to_contain_text("No games yet")


def test_u14_an_agent_goes_on_when_the_server_is_back(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|random") as page:
        # Nor has the server said yet what is needed without it, which takes it seconds.
        page.route("**/api/v1/{turn,health,offline}", lambda route: route.abort())
        spot(page, "b2").click()
        expect(page.locator(".problem")).not_to_be_empty()
        page.unroute("**/api/v1/{turn,health,offline}")
        expect(page.locator(".problem")).to_be_empty()
        spot(page, "b2").click()
        wait_for_moves(page, 2)  # the agent may have answered by the time one looks
