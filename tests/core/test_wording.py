"""Words of the Indonesian texts that were awkward or had two names (P7), and stay away."""

import re

import pytest

from papan.core.message import catalogue

AVOIDED = (
    r"obyektif",  # objektif
    r"khayalan",  # hasil semu
    r"\brentetan",  # kemenangan beruntun
    r"[Ss]elamatkan seri",  # pertahankan seri
    r"hanya tombol",  # dikendalikan dengan papan ketik
    r"\b[Pp]engaturan",  # setelan
    r"permainan undian",  # undian is a lottery: permainan acak
    r"langkah seluruhnya",  # langkah lagi (kedua pihak)
    r"Titik, garis, derajat",  # simpul, sisi, derajat
    r"menyelamatkan seri",  # mempertahankan seri
    r"berupa bilangan dari",  # angka; bilangan bulat stays
)
SAID = {
    "web.redo": "Ulangi",
    "screen.keys": "Pintasan papan ketik",
    "web.help": "Pintasan papan ketik",
    "arena.amount": "Jumlah",
    "variants.title": "Bandingkan dua varian",
    "puzzle.theme_draw": "Pertahankan seri",
}


@pytest.mark.parametrize("words", AVOIDED)
def test_p7_awkward_words_are_gone(words: str) -> None:
    found = [key for key, text in catalogue("id").items() if re.search(words, text)]
    assert found == []


@pytest.mark.parametrize("game", ["adjacency", "connect4", "tictactoe"])
def test_p7_a_cell_of_the_board_has_one_name(game: str) -> None:
    texts = catalogue("id")
    asked = {key: text for key, text in texts.items() if key.startswith(("puzzle.", f"{game}."))}
    assert [key for key, text in asked.items() if re.search(r"\bsel\b", text)] == []


def test_p7_whoever_plays_against_you_is_called_the_opponent() -> None:
    families = ("puzzle.", "hint.", "because.", "review.", "adjacency.", "dots.", "lines.")
    found = [
        key
        for key, text in catalogue("en").items()
        if key.startswith(families) and re.search(r"\brival\b", re.sub(r"\{.*?\}", "", text))
    ]
    assert found == []


def test_p7_what_the_screens_say_instead() -> None:
    texts = catalogue("id")
    assert {key: texts[key] for key in SAID} == SAID
