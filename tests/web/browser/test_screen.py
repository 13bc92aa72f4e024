"""What strangers met on the screens, line by line, by the numbers of the list of findings."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import CDPSession, FloatRect, Page, ViewportSize, expect

from tests.web.browser.access import inside, overflow, sizes
from tests.web.browser.conftest import Visitor
from tests.web.browser.game_screen import (
    moves,
    pass_time_until,
    pick,
    show,
    spot,
    status,
    tool,
    until_quiet,
    wait_for_moves,
)

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
AGAINST = "seats=human|level:1,seed=1"
CHAIN = "/play/dots:1,4?pos=dots:1,4 1111111100000 1 0-0&seats=human|level:5,seed=1"
"""A chain of four boxes: the person opens it, and the agent takes all of them, one by one."""


PROJECTORS: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 720},
    {"width": 1920, "height": 1080},
)


DATES = "all => all.map((each) => each.dateTime)"


def tap_at(page: Page, name: str) -> None:
    """Touch the middle of a spot."""
    box = spot(page, name).bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_p3_the_second_tap_of_a_double_one_is_no_move(visitor: Visitor) -> None:
    with visitor.stopped_page(f"/play/connect4?{AGAINST}", **PHONE) as page:
        tap_at(page, "4")
        pass_time_until(page, ".ply >> nth=1")  # mine, and the reply
        tap_at(page, "4")  # meant for the move before it
        page.clock.run_for(100)
        assert len(moves(page)) == 2
        page.clock.run_for(300)
        tap_at(page, "4")
        pass_time_until(page, ".ply >> nth=3")


def test_p2_p_presents_with_and_without_shift_and_help_lists_the_keys_of_a_lesson(
    visitor: Visitor,
) -> None:
    with visitor.page("/learn/minimax?step=3", viewport=PROJECTORS[0]) as page:
        for key in ("p", "P"):
            page.keyboard.press(key)
            expect(page.locator("html")).to_have_attribute("data-presenting", re.compile("Esc"))
            assert_chapter_is_whole(page)  # P1
            page.keyboard.press("Escape")
            expect(page.locator("html")).not_to_have_attribute("data-presenting", re.compile("."))
        page.keyboard.press("?")
        keys = page.locator("dialog .keys kbd")
        for key in ("←", "→", "Home", "End", "Space", "p", "Esc"):
            expect(keys.filter(has_text=re.compile(f"^{key}$"))).to_have_count(1)


@pytest.mark.parametrize(
    ("locale", "lesson"),
    [
        ("id-ID", "alphabeta"),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("id-ID", "minimax"),
                ("id-ID", "mcts"),
                ("en-US", "alphabeta"),
                ("en-US", "mcts"),
            )
        ),
    ],
)
def test_p1_the_name_of_a_chapter_is_whole_on_a_projector(
    visitor: Visitor, locale: str, lesson: str
) -> None:
    path = f"/learn/{lesson}?step=3"
    with visitor.page(path, viewport=PROJECTORS[0], locale=locale) as page:
        page.keyboard.press("p")
        expect(page.locator("html")).to_have_attribute("data-presenting", re.compile("Esc"))
        assert_chapter_is_whole(page)


def assert_chapter_is_whole(page: Page) -> None:
    chapters = page.locator(".lesson-controls .chapters")
    box = chapters.bounding_box()
    assert box is not None and box["width"] >= chapters.evaluate(WIDTH_OF_WHOLE)
    assert inside(page, ".lesson-controls :is(.chapters, .count)")


WIDTH_OF_WHOLE = """(select) => {
  const copy = select.cloneNode(true);
  Object.assign(copy.style, { position: "absolute", maxWidth: "none" });
  select.parentNode.append(copy);
  const { width } = copy.getBoundingClientRect();
  copy.remove();
  return Math.floor(width);
}"""
"""The width that a choice has where it may be as wide as its longest option."""


def test_e15_captures_of_a_chain_are_apart_until_a_tap_on_the_board_skips_them(
    visitor: Visitor,
) -> None:
    with visitor.stopped_page(CHAIN) as page:
        spot(page, "a1a2").click()  # opens the chain: nothing is captured before time stands still
        for captures in (1, 2):
            pass_time_until(page, f".plies .ply >> nth={captures}")
            until_quiet(page)  # the next capture is known, and waits
            page.clock.run_for(300)
            assert len(moves(page)) == 1 + captures
        pass_time_until(page, ".plies .ply >> nth=3")  # the next would be 350 ms later
        spot(page, "d1d2").click()  # says: go on
        pass_time_until(page, ".end-card")


def test_w08_e18_an_illegal_move_is_explained_without_an_error_on_the_console(
    visitor: Visitor,
) -> None:
    with visitor.page("/play/tictactoe?seats=human|human&moves=b2") as page:
        failed: list[str] = []
        page.on("requestfinished", lambda each: _note(failed, each.response()))
        spot(page, "b2").click()
        expect(page.locator(".problem")).to_contain_text("b2 is taken already")
        assert moves(page) == ["b2"]
        page.locator("#typed").fill("A1")  # a person may write it so
        page.keyboard.press("Enter")
        wait_for_moves(page, 2)
        assert failed == []


def _note(failed: list[str], response: object) -> None:
    status_of = getattr(response, "status", 200)
    if status_of >= 400:
        failed.append(str(status_of))


def test_e18_the_reason_of_the_last_move_is_still_there_after_a_reload(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|level:5,seed=1") as page:
        spot(page, "b2").click()
        wait_for_moves(page, 2)
        expect(page.locator(".because")).not_to_be_empty()
        said = page.locator(".because").inner_text()
        page.reload()
        expect(page.locator(".because")).to_have_text(said)


def test_e18_a_game_that_goes_on_in_another_tab_is_not_overwritten(visitor: Visitor) -> None:
    with visitor.page("/play/tictactoe?seats=human|human") as one:
        other = one.context.new_page()
        pick(one, "b2")
        show(other, one.url)
        pick(other, "a1")
        expect(status(one)).to_contain_text("another tab")
        pick(one, "c3")
        saved = one.evaluate(
            """() => Object.keys(localStorage).filter((each) => each.startsWith('papan.game.'))
              .map((each) => JSON.parse(JSON.parse(localStorage[each]).record).moves).sort()"""
        )
        assert saved == ["b2 a1", "b2 c3"]


def test_e18_games_keep_their_dates_and_their_order_in_a_file(
    visitor: Visitor, tmp_path: Path
) -> None:
    with visitor.page("/play/tictactoe?seats=human|human") as page:
        pick(page, "b2")
        page.goto("/play/connect4?seats=human|human")
        page.wait_for_selector(".board")
        pick(page, "4")
        page.goto("/games")
        times = page.locator(".my-games time")
        expect(times).to_have_count(2)
        shown = times.evaluate_all(DATES)
        with page.expect_download() as download:
            page.locator('[data-tool="mine.export"]').click()
        file = tmp_path / "games.jsonl"
        download.value.save_as(file)
        assert [json.loads(each)["date"] for each in file.read_text().splitlines()] == shown
        page.evaluate("localStorage.clear()")
        page.reload()
        with page.expect_file_chooser() as chooser:
            page.locator('[data-tool="mine.import"]').click()
        chooser.value.set_files(file)
        expect(times).to_have_count(2)
        assert times.evaluate_all(DATES) == shown


def test_e20_who_can_come_is_said_before_a_room_is_made(visitor: Visitor) -> None:
    with visitor.page("/room") as page:
        expect(page.locator(".only-here")).to_contain_text("Only this computer")
        expect(page.locator(".only-here code").first).to_contain_text("./papan serve --host ")
        said, form = (
            page.locator(".only-here").bounding_box(),
            page.locator("form").first.bounding_box(),
        )
        assert said is not None and form is not None and said["y"] < form["y"]


def test_p5_a_first_visit_needs_few_requests_and_bytes(visitor: Visitor) -> None:
    """On a slow line a request costs two seconds: `benchmarks/first_visit.py` measures that."""
    with visitor.context(**PHONE) as context:
        page = context.new_page()
        sizes: list[int] = []
        _count_bytes(context.new_cdp_session(page), sizes)
        page.goto("/play/onet", wait_until="commit")
        page.wait_for_selector(".board.live .spot")
        # Five bring the board; a few that nothing waits for may have come meanwhile. Before: 46.
        assert len(sizes) <= 12
        assert sum(sizes[:5]) < 150_000


def _count_bytes(line: CDPSession, sizes: list[int]) -> None:
    line.on("Network.loadingFinished", lambda each: sizes.append(int(each["encodedDataLength"])))
    line.send("Network.enable")


SEEN = """(least) => [...document.querySelectorAll("main *")].flatMap((each) => {
  const own = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const box = each.getBoundingClientRect();
  if (!own || !box.width || !each.checkVisibility() || each.closest(".unseen")) return [];
  const scale = each.ownerSVGElement ? each.getScreenCTM().a : 1;
  const size = scale * parseFloat(getComputedStyle(each).fontSize);
  return size < least ? [`${each.textContent.trim().slice(0, 30)}: ${size.toFixed(1)}`] : [];
})"""
"""The texts that are seen and smaller than so many pixels."""
STRIP = 48
"""Pixels at the bottom of a projector that only say how to leave it."""


@pytest.mark.parametrize(
    "size",
    [PROJECTORS[0], pytest.param(PROJECTORS[1], marks=pytest.mark.slow)],
    ids=["1280", "1920"],
)
def test_p1_a_lesson_on_a_projector_is_read_from_the_last_row(
    visitor: Visitor, size: ViewportSize
) -> None:
    with visitor.page("/learn/alphabeta?step=20", viewport=size) as page:
        page.keyboard.press("p")
        assert page.evaluate(SEEN, 28) == []
        board, tree = (_box(page, each) for each in (".lesson .board", ".branches"))
        assert board["height"] > 0.55 * size["height"]
        assert tree["width"] > 0.45 * size["width"]
        assert page.locator(".branches .window").count() >= 4  # alpha and beta, at the nodes
        for selector in (".board", ".branches", ".variables", ".sentence"):
            box = _box(page, selector)
            assert box["y"] >= 0, selector
            assert box["y"] + box["height"] <= size["height"] - STRIP, selector
        page.goto("/learn/priority?step=6")
        page.wait_for_selector(".lesson table")
        page.keyboard.press("p")
        table = _box(page, ".lesson table")
        assert table["x"] + table["width"] <= size["width"]
        assert table["y"] + table["height"] <= size["height"] - STRIP
        assert page.evaluate(SEEN, 28) == []


def test_p1_a_game_on_a_projector_fills_the_screen(visitor: Visitor) -> None:
    with visitor.page("/play/connect4?seats=human|human", viewport=PROJECTORS[0]) as page:
        page.keyboard.press("p")
        assert _box(page, ".board")["height"] > 0.6 * PROJECTORS[0]["height"]
        status_box = _box(page, ".status")
        assert status_box["y"] + status_box["height"] <= PROJECTORS[0]["height"] - STRIP


def _box(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box


@pytest.mark.parametrize(
    ("path", "least"),
    [
        ("/play/connect4?seats=human|human", 44),
        ("/play/onet", 44),
        ("/play/adjacency?seats=human|human", 44),
        ("/learn/connect4?step=3", 42),  # of a column that is 250 high
        ("/learn/onet?step=3", 44),
        pytest.param("/learn/adjacency?step=3", 44, marks=pytest.mark.slow),  # cells, as Onet
    ],
)
def test_p4_a_finger_hits_every_spot(visitor: Visitor, path: str, least: float) -> None:
    with visitor.page(path, **PHONE) as page:
        page.wait_for_selector(".spot")
        found = [min(width, height) for _, width, height in sizes(page, ".spot")]
        assert min(found) >= least
        assert overflow(page) <= 0


def test_p4_a_phone_held_sideways_shows_the_whole_board(visitor: Visitor) -> None:
    low = {"viewport": {"width": 740, "height": 360}, "has_touch": True}
    with visitor.page("/play/connect4", **low) as page:
        assert inside(page, ".game-screen .board")
        assert _box(page, ".player.seat-1")["height"] < 60  # a name, not a tower of words
        page.goto("/learn/minimax?step=5")
        page.wait_for_selector(".lesson .board")
        board, bar = _box(page, ".lesson .board"), _box(page, ".lesson-controls")
        assert board["y"] + board["height"] <= bar["y"]


def test_p4_labels_are_not_drawn_on_tiles_of_an_enlarged_board(visitor: Visitor) -> None:
    with visitor.page("/play/onet:10,16?seats=human", **PHONE) as page:
        tool(page, "zoom_in").click()
        expect(page.locator(".zoom.larger")).to_be_visible()
        names = page.locator(".board :is(.column-name, .row-name)")
        assert names.count() > 0
        expect(names.first).to_be_hidden()


def test_p4_boxes_to_tick_are_large(visitor: Visitor) -> None:
    with visitor.page("/arena", **PHONE) as page:
        for _, width, height in sizes(page, "main input[type=checkbox]"):
            assert min(width, height) >= 24
        for _, _, height in sizes(page, "main label.check"):
            assert height >= 44


def test_e19_games_are_on_the_first_screen_with_what_is_worth_doing_today(
    visitor: Visitor,
) -> None:
    with visitor.page("/", viewport={"width": 1366, "height": 768}) as page:
        page.wait_for_selector(".today small:has-text('min')")
        assert inside(page, ".cards .primary, .today a")
        expect(page.locator(".today li")).to_have_count(4)
        expect(page.locator(".today")).to_contain_text("Beat Kukang")
        page.set_viewport_size(PHONE["viewport"])  # type: ignore[arg-type]
        for card in page.locator(".cards > .card").all():
            box = card.bounding_box()
            assert box is not None and box["y"] < 800
        page.locator(".today button").click()
        expect(page.locator(".player.seat-1")).to_contain_text("Kukang")


WINDOWS: tuple[ViewportSize, ...] = ({"width": 1366, "height": 768}, {"width": 390, "height": 844})
CUT = """() => {
  const says = ({ nodeType, textContent }) => nodeType === 3 && textContent.trim();
  const written = (each) => [...each.childNodes].some(says);
  return [...document.querySelectorAll("main *")]
    .filter((each) => each.checkVisibility() && getComputedStyle(each).clipPath === "none")
    .filter((each) => getComputedStyle(each).display !== "inline" && written(each))
    .filter((each) => each.scrollWidth > each.clientWidth + 2)
    .map((each) => each.textContent);
}"""
"""The texts that are wider than their place: cut off, or over what stands beside them."""


def test_no_label_is_cut_off_on_home_and_in_an_analysis(visitor: Visitor) -> None:
    with visitor.page("/", viewport=WINDOWS[-1], locale="id-ID") as page:
        page.wait_for_selector(".today small:has-text('menit')")
        for window in WINDOWS:
            page.set_viewport_size(window)
            assert page.evaluate(CUT) == [], window
        show(page, "/analyse/connect4?moves=4+4+4+3+3+5+5+6+2")
        page.wait_for_selector(".value-list .effort:has-text('kalah dalam')")
        lines = re.compile("[1-7 ]+")  # of moves, which are played when they are clicked
        for window in reversed(WINDOWS):
            page.set_viewport_size(window)
            assert [each for each in page.evaluate(CUT) if not lines.fullmatch(each)] == [], window
            for each in page.locator(".engine select:visible").all():
                box = each.bounding_box()
                assert box is not None and box["width"] >= each.evaluate(WIDTH_OF_CHOSEN)


WIDTH_OF_CHOSEN = """(select) => {
  const copy = select.cloneNode(true);
  for (const each of [...copy.options]) if (each.value !== select.value) each.remove();
  Object.assign(copy.style, { position: "absolute", width: "auto", maxWidth: "none" });
  select.parentNode.append(copy);
  const { width } = copy.getBoundingClientRect();
  copy.remove();
  return Math.floor(width);
}"""
"""The width that a choice needs to show what is chosen."""


def test_e15_the_panel_beside_the_board_keeps_its_height(visitor: Visitor) -> None:
    with visitor.page(f"/play/connect4?{AGAINST}", viewport={"width": 1366, "height": 768}) as page:
        panel = ".side .panel:first-of-type"
        before = _box(page, panel)["height"]
        spot(page, "4").click()
        wait_for_moves(page, 2)
        expect(page.locator(".because")).not_to_be_empty()
        assert _box(page, panel)["height"] == before
