"""Take the screenshots of the web app for the README and the docs: docs/images/web-*.png.

python tools/make_screenshots.py [scene ...]      all of them, or those that are named
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests know how to find a browser and to start a server

from papan.web.app import SCREENS  # noqa: E402
from tests.web.browser.chromium import browsing  # noqa: E402
from tests.web.server import Address  # noqa: E402

WIDE = (1200, 780)
PHONE = (390, 780)
PROJECTOR = (1280, 720)
COLOURS = 256
LONGEST_WAIT = 120_000
"""Milliseconds; the solvers may have to be compiled first."""


@dataclass(frozen=True)
class Scene:
    """A page to show: its address, the actions on it, and how it is viewed."""

    address: str
    act: Callable[[Page], None] = lambda page: None
    theme: str = "light"
    size: tuple[int, int] = WIDE
    locale: str = "en-US"

    @property
    def exists(self) -> bool:
        """True if the app has this screen."""
        section = self.address.partition("?")[0].split("/")[1]
        return section in {screen.split("/")[1] for screen in SCREENS}


def drop_a_disc(page: Page) -> None:
    """Make one move, and wait until the agent has answered and shows the rules that fired."""
    page.click('[data-spot="5"]')
    expect(page.locator(".ply")).to_have_count(6, timeout=LONGEST_WAIT)
    page.mouse.move(0, 0)


def show_the_refutation(page: Page) -> None:
    """Play on the board the refutation of the move that decided the game, to its end."""
    page.locator("[data-tool='web.review_why']").click(timeout=LONGEST_WAIT)
    expect(page.locator("[data-tool='line.forward']")).to_be_disabled(timeout=LONGEST_WAIT)
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(0, 0)


def wait_for_the_proof(page: Page) -> None:
    """Wait until the exact value of every move is known."""
    expect(page.locator("[data-proof=exact]")).to_be_visible(timeout=LONGEST_WAIT)


def search(page: Page) -> None:
    """Wait until the engine, which starts by itself, shows a result."""
    expect(page.locator(".verdict strong")).to_be_visible(timeout=LONGEST_WAIT)


def hold_a_tournament(page: Page) -> None:
    """Play a small tournament to its end, and show its page."""
    order = {
        "game": "connect4",
        "agents": ["alphabeta", "mcts", "level:1"],
        "nodes": 300,
        "pairs": 4,
    }
    held = page.request.post("/api/v1/tournaments", data=order).json()
    page.goto(f"/arena/{held['id']}")
    expect(page.locator('article[data-state="done"]')).to_be_visible(timeout=LONGEST_WAIT)


def step_into_the_lesson(page: Page) -> None:
    """Go six steps into a lesson, so that there is something to see."""
    page.wait_for_selector(".lesson-controls")
    for _ in range(6):
        page.keyboard.press("ArrowRight")


def win(page: Page) -> None:
    """Make the last move of a game, and wait for the card with the turning point."""
    page.click(".board.live [data-spot='4']")
    expect(page.locator(".end-card .turning")).to_be_visible(timeout=LONGEST_WAIT)
    expect(page.locator(".end-card")).not_to_contain_text("…", timeout=LONGEST_WAIT)


def present(page: Page) -> None:
    """Show the page as on a projector."""
    page.keyboard.press("p")


def solve_the_puzzle(page: Page) -> None:
    """Make the right move of a puzzle, and wait until its solution was played."""
    expect(page.locator(".board.live")).to_be_visible(timeout=LONGEST_WAIT)
    asked = f"/api/v1/puzzles/answer?whole={page.url.rpartition('/')[2]}"
    answer = page.request.get(asked).json()["answer"]
    page.click(f".board.live [data-spot='{answer['right'][0]}']")
    expect(page.locator(".puzzle-why [data-why=wrong]")).to_be_visible(timeout=LONGEST_WAIT)
    page.wait_for_timeout(1000 * len(answer["line"]))


def watch_three_moves(page: Page) -> None:
    """Make three moves of the agents, one by one."""
    made = page.locator(".ply").count()
    for number in range(made + 1, made + 4):
        page.click('[data-tool="web.step"]')
        page.wait_for_selector(f".plies > li:nth-child({number})", timeout=LONGEST_WAIT)


def invite(page: Page) -> None:
    """Open a room that waits for a guest, with its link."""
    page.locator("form button.primary").click()
    expect(page.locator(".qr")).to_be_visible(timeout=LONGEST_WAIT)


DOTS = "a1b1+a2b2+a3b3+b2b3+c1c2+c3c4+d1d2+a4b4"
REVIEWED = (
    "a1b1+b1c1+c1d1+a2b2+b2c2+d3d4+a4b4+b4c4+c4d4+a1a2+d1d2+a3a4+a2a3+b2b3+c2c3+b3c3+c3d3+b1b2"
)
FORK = "6a1cec944e"  # a puzzle that papan ships: two threats at once
SCENES = {
    "home": Scene("/"),
    "play": Scene("/play/connect4?moves=4+4+5+3&seats=human|priority-fixed&seconds=2", drop_a_disc),
    "end": Scene("/play/connect4?moves=4+1+4+1+4+2&seats=human|level:1", win, size=PHONE),
    "onet": Scene("/play/onet?pos=onet:10,7,seed=7", size=PHONE, locale="id-ID"),
    "watch": Scene(
        "/watch/connect4?moves=4+4+5+3&seats=alphabeta:depth=4|level:2,seed=2",
        watch_three_moves,
        size=(1366, 780),
    ),
    "puzzle": Scene(f"/puzzles/{FORK}", solve_the_puzzle),
    "solve": Scene(f"/solve/dots?moves={DOTS}&seconds=20", wait_for_the_proof, "dark"),
    "analyse": Scene("/analyse/connect4?moves=4+4+4+4+3+5+5&seconds=3", search),
    "review": Scene(f"/analyse/dots?moves={REVIEWED}&review=human|human", show_the_refutation),
    "arena": Scene("/arena", hold_a_tournament),
    "lab": Scene("/lab/001"),
    "learn": Scene("/learn/minimax", step_into_the_lesson, locale="id-ID"),
    "projector": Scene("/learn/alphabeta?step=20", present, size=PROJECTOR),
    "room": Scene("/room?game=connect4", invite, theme="dark", size=PHONE),
}
"""To add one: its name, its address and, where something has to happen first, what."""


def shoot(browser: Browser, server: Address, name: str, scene: Scene) -> None:
    """Write the screenshot of one scene to docs/images."""
    width, height = scene.size
    page = browser.new_page(
        base_url=server,
        viewport={"width": width, "height": height},
        color_scheme="dark" if scene.theme == "dark" else "light",
        locale=scene.locale,
    )
    page.context.add_cookies([server.cookie])  # type: ignore[list-item]
    page.goto(scene.address)
    page.wait_for_selector("main > *")
    scene.act(page)
    page.wait_for_load_state("networkidle", timeout=LONGEST_WAIT)
    file = ROOT / "docs" / "images" / f"web-{name}.png"
    page.screenshot(path=file)
    with Image.open(file) as picture:  # few colours, a small file
        picture.convert("RGB").quantize(COLOURS).save(file, optimize=True)
    page.close()


def main() -> None:
    """Write the screenshots of the scenes that are named, or of all, of those that the app has.

    Exit with a message for an unknown name.
    """
    wanted = sys.argv[1:] or list(SCENES)
    if unknown := set(wanted) - set(SCENES):
        sys.exit(f"There is no scene {', '.join(sorted(unknown))}; there are {', '.join(SCENES)}.")
    with browsing() as (server, browser):
        for name in wanted:
            if SCENES[name].exists:
                shoot(browser, server, name, SCENES[name])


if __name__ == "__main__":
    main()
