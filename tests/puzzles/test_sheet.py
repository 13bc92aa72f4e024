"""A sheet of puzzles for class, word for word."""

import re
from importlib.resources import files

import pytest

from papan import puzzles
from papan.core import Drawing
from papan.puzzles import Puzzle, sheet
from papan.puzzles.answers import PuzzleAnswer
from tests.puzzles.claims import WIN

ONE = Puzzle("one", 450, "tictactoe:3,3,3 xx./oo./... x")

SERVED = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Puzzles</title>
<link rel="stylesheet" href="/static/css/sheet.css">
<script src="/static/js/print.js" defer></script>
</head>
<body>
<main>
<button type="button">Print</button>
<h1>Puzzles</h1>
<div class="fields"><p class="line">Name:</p>\
<p class="line">Class:</p><p class="line">Date:</p></div>
<ol class="sheet">
<li><h2>1. Tic Tac Toe (rating 450)</h2>\
<p>You are ✕ (blue). Win at once. 3 in a row wins.</p>BOARD<p class="line">Answer:</p></li>
<li><h2>2. Tic Tac Toe (rating 900)</h2>\
<p>You are ◯ (red). Win in three moves. 3 in a row wins.</p>BOARD<p class="line">Answer:</p></li>
</ol>
<section><h1>Answers</h1><ol>\
<li>c1 (Win at once). c1 wins: the row a1-c1. \
Why not c2? c2 gives the win away: it is only a draw. The opponent answers c1.</li>\
<li>c3 c2 a3 b2 b3 (A win that is forced). \
c3 wins in 3 moves, whatever the opponent does; for instance c3, a3, b3. \
Why not b2? b2 gives the win away: it is only a draw. The opponent answers a3.</li>\
</ol></section>
</main>
</body>
</html>
"""
ALONE = """\
<!DOCTYPE html>
<html lang="id">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Teka-teki</title>
STYLE
</head>
<body>
<main>
<h1>Teka-teki</h1>
<div class="fields"><p class="line">Nama:</p>\
<p class="line">Kelas:</p><p class="line">Tanggal:</p></div>
<ol class="sheet">
<li><h2>1. Tic Tac Toe (rating 450)</h2>\
<p>Anda adalah ✕ (biru). Menangkan sekarang juga. 3 sebaris berarti menang.</p>BOARD\
<p class="line">Jawaban:</p></li>
</ol>
<section><h1>Kunci jawaban</h1><ol>\
<li>c1 (Menang sekarang juga). c1 menang: baris a1-c1. \
Mengapa bukan c2? c2 melepas kemenangan: hasilnya hanya seri. Lawan menjawab c1.</li>\
</ol></section>
</main>
</body>
</html>
"""


@pytest.mark.parametrize(
    ("asked", "language", "served", "page"),
    [([ONE, WIN], "en", True, SERVED), ([ONE], "id", False, ALONE)],
    ids=["served", "alone"],
)
def test_a_sheet_has_boards_to_fill_in_and_all_answers_behind_them(
    asked: list[Puzzle], language: str, served: bool, page: str
) -> None:
    html = sheet.sheet_html(asked, language, served)
    boards = re.findall("<svg.*?</svg>", html, re.DOTALL)
    assert boards == [Drawing.of(each.position).svg() for each in asked]
    css = files("papan").joinpath("web/static/css/sheet.css").read_text(encoding="utf-8")
    text = re.sub("<svg.*?</svg>", "BOARD", html, flags=re.DOTALL)
    assert text.replace(f"<style>{css}</style>", "STYLE") == page


def test_a_puzzle_alone_at_a_board_is_asked_without_saying_who_one_is() -> None:
    board = "1,2,1/3,2,3/0,0,0"
    puzzle = Puzzle("clear", 800, f"onet:3,3,gravity=left {board}")
    answer = PuzzleAnswer.of(puzzle)
    asked = puzzles.question(puzzle, answer.found)
    assert puzzles.in_words(asked, "en") == (
        "Clear the board. Not every pair leaves a way to do it. "
        "After each pair the tiles move left."
    )
