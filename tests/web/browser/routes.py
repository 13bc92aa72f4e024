"""Every screen with the addresses to look at: the one list for tests that look at all of them."""

from papan.web.app import SCREENS

EXAMPLES = {
    "/play/{game}": ("/play/connect4", "/play/dots", "/play/onet"),
    "/watch": (),  # these three open the featured game
    "/analyse": (),
    "/solve": (),
    "/watch/{game}": ("/watch/connect4?seats=random|random",),
    "/analyse/{game}": ("/analyse/dots:2,2",),
    "/solve/{game}": ("/solve/tictactoe",),
    "/help": (),  # another test walks through it
}
"""Addresses worth a look; a screen that is not here is looked at with a word for each blank."""
WORDS = {"help": "analyse", "lab": "001", "learn": "minimax", "puzzles": "today"}
"""The word that fills the blank of a screen."""


def addresses(screen: str) -> tuple[str, ...]:
    """Where a *screen* is looked at."""
    section = screen.split("/")[1]
    word = WORDS.get(section, "nobody")
    filled = "/".join(word if part.startswith("{") else part for part in screen.split("/"))
    return EXAMPLES.get(screen, (filled,))


ROUTES = [*(address for screen in SCREENS for address in addresses(screen)), "/nowhere"]
