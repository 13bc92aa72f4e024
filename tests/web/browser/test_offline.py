"""The server is gone: people go on, begin games, solve puzzles, and are told what has to wait."""

import random
import re
from dataclasses import asdict
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from papan import catalog
from papan.core import Move, Position
from papan.core.message import text_of
from papan.core.parts import Card, Setup
from papan.web.boards import board_facts
from papan.web.catalogue import game_list
from papan.web.games import move_reading
from papan.web.offline import offline_facts
from tests.web.browser.access import complaints, overflow
from tests.web.browser.conftest import Visitor
from tests.web.browser.contexts import PARKED, fresh
from tests.web.browser.game_screen import hesitate, moves, show, spot, until, wait_for_moves
from tests.web.server import Address

pytestmark = pytest.mark.browser

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
BOARDS = {name: [kind().spec, *Card.of(kind()).presets] for name, kind in catalog.GAMES.items()}
"""The usual sizes of each game."""
DRAW = """async ({ lines, facts, options, texts }) => {
  const { GAMES } = await import('/static/js/games/all.js');
  const { boardFacts, reached } = await import('/static/js/offline/position.js');
  return lines.map(({ start, moves }, number) => {
    const [spec, ...fields] = start.split(' ');
    const name = spec.split(':')[0];
    const { begin, read, drawings } = GAMES[name];
    const game = { name, spec, options: options[spec], drawings };
    const { plies, position } = reached(read(game, fields), moves);
    const begun = facts[name].deals.length ? start : begin(game).text;
    const text = texts[number];
    const move = position.moveOf(text);
    const legal = position.moves().includes(move);
    const why = move && !legal && position.moves().length ? position.whyNot(move) : null;
    const board = boardFacts(plies, position, facts[name]);
    return { begun, board, legal: legal ? move : '', why };
  });
}"""


def random_line(
    spec: str, rng: random.Random
) -> tuple[tuple[tuple[Position, Move], ...], Position]:
    """A game begun at random, up to a random ply or its end."""
    level = Card.of(catalog.game(spec)).level_option
    if level and rng.random() < 0.7:
        setting = next(each for each in _options(spec) if each.name == level)
        spec = f"{spec},{level}={rng.choice(setting.choices)}"
    position = Setup.of(catalog.game(spec)).deal(rng.randint(1, 9999)).start()
    plies: list[tuple[Position, Move]] = []
    for _ in range(rng.randrange(position.game.move_count if position.game.seats == 2 else 90)):
        if not (legal := position.moves()):
            break
        move = rng.choice(legal)
        plies.append((position, move))
        position = position.child(move)
    return tuple(plies), position


def _options(spec: str) -> Any:
    name = spec.partition(":")[0]
    return next(each.options for each in game_list() if each.name == name)


def tried_move(position: Position, rng: random.Random) -> str:
    """The name of a move that somebody tries, legal or not."""
    spots = [*board_facts((), position).spots]
    return "".join(rng.sample(spots, Card.of(position.game).spots_in_a_move))


def compare(browser: Browser, server: Address, name: str, count: int) -> None:
    """Fail unless the script of a game shows boards of every size as the server does.

    There are *count* of each size.
    """
    lines, texts = [], []
    for spec in BOARDS[name]:
        rng = random.Random(f"{spec} {count}")
        some = [random_line(spec, rng) for _ in range(count)]
        lines += some
        texts += [tried_move(position, rng) for _, position in some]
    expected = [board_facts(*line).model_dump(mode="json") for line in lines]
    games = {each.name: each for each in game_list()}
    given = {
        "lines": [{"start": each["start"], "moves": each["moves"]} for each in expected],
        "facts": {name: offline_facts(catalog.GAMES[name](), 1).model_dump()},
        "options": {
            each["game"]: {
                option.name: getattr(position.game, option.name) for option in games[name].options
            }
            for each, (_, position) in zip(expected, lines)
        },
        "texts": texts,
    }
    with fresh(browser, server) as context:
        page = context.new_page()
        page.goto(PARKED)
        found = page.evaluate(DRAW, given)
    assert len(found) == count * len(BOARDS[name])
    for each, board, text, (_, position) in zip(found, expected, texts, lines):
        where = f"{board['start']} {' '.join(board['moves'])}"
        board["solver"] = each["board"]["solver"] if "=" in board["game"] else board["solver"]
        for field in board:
            assert each["board"][field] == board[field], f"{field} of {where}"
        assert each["board"].keys() == board.keys()
        assert each["begun"] == board["start"]
        reading = move_reading(position, text)
        assert each["legal"] == reading.name, f"{text} in {where}"
        if each["why"]:
            assert reading.problem is not None
            assert each["why"] == reading.problem.model_dump(include={"key", "values"})


@pytest.mark.parametrize("name", BOARDS)
def test_p6_boards_are_shown_without_the_server_as_the_server_shows_them(
    browser: Browser, server: Address, name: str
) -> None:
    compare(browser, server, name, 5)


@pytest.mark.slow
@pytest.mark.parametrize("name", BOARDS)
def test_p6_so_are_thousands_of_boards(browser: Browser, server: Address, name: str) -> None:
    compare(browser, server, name, 200)


REFUSED = (
    ("tictactoe:3,3,3", "xx./.../... o"),  # x has moved twice
    ("tictactoe:3,3,3", "xxx/oo./... x"),  # o has not moved although x has won
    ("connect4:4,4", "x.../..../..../.... o"),  # it floats
    ("dots:1,1", "1111 1 0-0"),  # whose box is it?
    ("dots:1,1", "11111 1 0-0"),
    ("adjacency:4,4,1", "x.../..../..../.... o"),  # eight marks are there from the start
    ("onet:1,2", "1,1,1"),
    ("onet:1,2,rule=paper", "1,1"),  # its links are the server's alone
)
READ = """async (given) => {
  const { GAMES } = await import('/static/js/games/all.js');
  return given.map(({ name, spec, options, fields }) => {
    try {
      return GAMES[name].read({ name, spec, options, drawings: GAMES[name].drawings }, fields).text;
    } catch { return ''; }
  });
}"""


def test_p6_what_is_no_position_is_not_shown(browser: Browser, server: Address) -> None:
    texts = [*REFUSED, ("dots:1,1", "1111 1 1-0")]
    given = [
        {
            "name": spec.partition(":")[0],
            "spec": spec,
            "options": asdict(catalog.game(spec)),
            "fields": text.split(),
        }
        for spec, text in texts
    ]
    with fresh(browser, server) as context:
        page = context.new_page()
        page.goto(PARKED)
        assert page.evaluate(READ, given) == [*[""] * len(REFUSED), "dots:1,1 1111 1 1-0"]


# Pages that are open when the server goes.


def until_kept(page: Page) -> None:
    """Until the page has what it needs without the server."""
    asked = "performance.getEntriesByType('resource').some(({ name, responseEnd }) => "
    asked += "name.endsWith('/api/v1/offline') && responseEnd > 0)"
    until(page, lambda: page.evaluate(asked))


def gone(page: Page) -> None:
    page.context.set_offline(True)


def back(page: Page) -> None:
    page.context.set_offline(False)
    expect(page.locator("#gone")).to_be_hidden()


def tap(page: Page, *names: str) -> None:
    """Tap spots of a game for two, one after the other."""
    for name in names:
        count = len(moves(page)) + 1
        hesitate(page, 320)  # a tap just after a move is meant for that move
        spot(page, name).tap()
        wait_for_moves(page, count)


@pytest.mark.parametrize("language", ["en", pytest.param("id", marks=pytest.mark.slow)])
def test_p6_two_people_play_on_and_begin_anew_and_the_server_takes_over(
    visitor: Visitor, language: str
) -> None:
    locale = {"en": "en-US", "id": "id-ID"}[language]
    with visitor.page("/play/tictactoe?seats=human|human", locale=locale, **PHONE) as page:
        until_kept(page)
        tap(page, "b2")
        gone(page)
        tap(page, "a1", "c3")
        line = page.locator("#gone")
        expect(line).to_have_text(text_of("web.gone_play", language))
        expect(page.locator(".problem")).to_be_empty()
        assert overflow(page) == 0
        assert complaints(page) == ""
        tap(page, "a3", "c1", "b1", "a2", "c2")  # o's stroke is that of the server's drawing
        assert len(moves(page)) == 8
        page.locator("#top .brand").tap()
        page.locator("[data-game=connect4] .primary").tap()
        expect(page.locator(".board.live[data-game=connect4]")).to_be_visible()
        tap(page, "4", "4", "3")
        back(page)
        tap(page, "3")
        assert moves(page) == ["4", "4", "3", "3"]
        page.reload()
        expect(page.locator(".ply")).to_have_count(4)


def test_p6_a_deal_goes_on_and_another_one_begins(visitor: Visitor) -> None:
    with visitor.page("/play/onet:8,14", **PHONE) as page:
        until_kept(page)
        board = page.locator(".board")
        before = page.locator(".board .piece").count()
        pair = page.evaluate(PAIR)
        gone(page)
        for name in pair:
            spot(page, name).tap()
        expect(page.locator(".board .drawing .piece")).to_have_count(before - 2)
        page.locator("#top .brand").tap()
        page.locator("[data-game=onet] .primary").tap()
        expect(page.locator(".board.live .piece").first).to_be_visible()
        expect(page).to_have_url(re.compile("seed"))
        assert board.get_attribute("data-game") == "onet"


PAIR = """async () => {
  const { boardOf } = await import('/static/js/api.js');
  const start = decodeURIComponent(location.pathname.split('/')[2]);
  return (await boardOf(start, [])).legal[0].m.match(/[a-z]+\\d+/g);
}"""


# Pages that are opened again: a browser keeps them where it trusts the address.


KEPT = """() => Promise.all(['/', '/api/v1/offline', '/api/v1/texts/id', '/api/v1/texts/en']
  .map((each) => caches.match(each)))
  .then((all) => all.every(Boolean) && !!navigator.serviceWorker.controller)"""
RECORDS = """() => Object.entries(localStorage)
  .filter(([key]) => key.startsWith('papan.game.'))
  .map(([, game]) => JSON.parse(JSON.parse(game).record))"""
ANSWERS = """async () => {
  const { puzzles } = await (await caches.match('/api/v1/offline')).json();
  return Object.fromEntries(puzzles.map(({ name, text, turns }) => {
    const { right, faults } = turns[text].answer;
    return [name, { right: right[0], wrong: Object.keys(faults)[0] }];
  }));
}"""


def test_p6_after_one_visit_a_phone_does_without_the_server_until_it_is_back(
    visitor: Visitor,
) -> None:
    with visitor.context(service_workers="allow", **PHONE) as context:
        page = context.new_page()
        show(page, "/play/dots:2,2?seats=human|human")
        tap(page, "a1b1", "a2b2")
        until(page, lambda: page.evaluate(KEPT))
        gone(page)
        tap(page, "a1a2")  # in the page that was open
        page.reload()
        wait_for_moves(page, 3)
        tap(page, "b1b2")  # which takes the box
        expect(page.locator(".score").nth(1)).to_have_attribute("data-score", "1")
        page.goto("/games")
        page.get_by_text("Continue", exact=True).tap()
        wait_for_moves(page, 4)
        solve_a_puzzle(page)
        read_what_waits(page)
        back(page)
        wait_for_moves(page, 2)  # the agent answers the move that was made meanwhile
        page.goto("/lab")
        expect(page.locator("main h1")).to_be_visible()
        expect(page.locator("main [role=alert]")).to_have_count(0)
        page.goto("/games")
        continued = page.locator(".my-games li", has_text="Titik").get_by_role("link")
        continued.filter(has_text="Lanjutkan").tap()
        wait_for_moves(page, 4)
        tap(page, "b1c1")
        record = next(each for each in page.evaluate(RECORDS) if each["game"] == "dots:2,2")
        assert record["moves"] == "a1b1 a2b2 a1a2 b1b2 b1c1"
        assert record["scores"] == [0, 1]


def solve_a_puzzle(page: Page) -> None:
    """Try a wrong move and then the right one; the next puzzle comes too."""
    answers = page.evaluate(ANSWERS)
    page.goto("/puzzles?game=tictactoe")
    until(page, lambda: page.url.rpartition("/")[2] in answers)
    kept = answers[page.url.rpartition("/")[2]]
    expect(page.locator(".board.live")).to_be_visible()
    spot(page, kept["wrong"]).tap()
    expect(page.locator(".status")).to_contain_text("\u2717")
    page.locator('[data-tool="puzzle.again"]').tap()
    hesitate(page, 320)
    spot(page, kept["right"]).tap()
    expect(page.locator(".status")).to_contain_text("\u2713")
    page.locator('[data-tool="puzzle.next"]').tap()
    expect(page.locator(".puzzle-screen .board.live")).to_be_visible()


def read_what_waits(page: Page) -> None:
    """Look at what needs the server, in both languages; leave a game with an agent behind."""
    page.goto("/lab")
    expect(page.locator("main [role=alert]")).to_have_text(text_of("web.needs_server"))
    assert overflow(page) == 0
    page.goto("/")
    page.locator("[data-game=adjacency] button", has_text="Options").tap()
    players = page.locator("dialog .agent select")
    expect(players).to_have_count(2)
    assert [each.input_value() for each in players.all()] == ["human", "human"]
    page.keyboard.press("Escape")
    page.goto("/play/connect4?seats=human|level:1")
    spot(page, "4").tap()
    expect(page.locator(".problem")).to_have_text(text_of("web.offline"))
    wait_for_moves(page, 1)
    page.locator("#language").tap()
    expect(page.locator("#language")).to_have_text("English")
    expect(page.locator(".problem")).to_have_text(text_of("web.offline", "id"))
