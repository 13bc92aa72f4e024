"""What notebooks show: boards, analyses, games and results, without scripts and without a network.

The numbers J01 to J05 are those of the acceptance list for notebooks.
"""

import base64
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from IPython.core.formatters import DisplayFormatter

import papan
from papan import catalog
from papan.core import Proved, Record
from papan.core.parts import Drawing
from papan.notebook.pages import MOST, film_strip, sampled

pytestmark = pytest.mark.thorough

SVG = "{http://www.w3.org/2000/svg}"
POSITION = papan.position("connect4").after("4453")


@pytest.fixture
def record() -> Record:
    return papan.match("random", "level:1", "tictactoe", seed=1).games[0].record


def pictures(page: str) -> list[ElementTree.Element]:
    """The drawings inside a page."""
    found = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', page)
    return [ElementTree.fromstring(base64.b64decode(each)) for each in found]


def shown(thing: object) -> dict[str, str]:
    """What a notebook keeps of the value of a cell, by kind."""
    formatter: Any = DisplayFormatter()
    bundle: dict[str, str] = formatter.format(thing)[0]
    return bundle


@pytest.mark.parametrize("game", catalog.GAMES)
def test_a_position_is_a_drawing_that_describes_itself_in_characters(game: str) -> None:
    position = papan.position(game)
    bundle = shown(position)
    drawing = ElementTree.fromstring(bundle["image/svg+xml"])
    assert drawing.findtext(f"{SVG}desc") == Drawing.of(position).picture()
    assert bundle["text/plain"] == Drawing.of(position).picture()
    assert eval(repr(position), {"papan": papan}) == position


def test_an_analysis_is_a_board_beside_a_table_of_all_moves() -> None:
    page = shown(papan.solve(POSITION, all_moves=True))["text/html"]
    (board,) = pictures(page)
    assert board.findtext(f"{SVG}desc") == Drawing.of(POSITION).picture()
    names = re.findall(r'<th scope="row"[^>]*>(.)</th>', page)
    assert sorted(names) == list("1234567")
    assert page.count("= \u22121") >= 7
    assert "Player 1 loses with perfect play (proved)." in page


def test_an_analysis_of_bounds_shows_them() -> None:
    page = papan.Analysis((0,), proved=Proved(-1, 1), position=POSITION)._repr_html_()
    assert page is not None
    assert "\u22121 \u2026 +1" in page


def test_an_analysis_without_a_position_has_no_picture() -> None:
    analysis = papan.Analysis((3,), proved=Proved(1, 1))
    assert shown(analysis) == {"text/plain": "3 (= +1)"}


def test_the_moves_of_an_analysis_are_known_by_name() -> None:
    analysis = papan.solve("tictactoe xx./oo./... x", all_moves=True)
    assert next(iter(analysis.moves)) == "c1"
    assert str(analysis.moves["c1"]) == "= +1"
    assert str(analysis).startswith("c1 (= +1)")


def test_a_record_is_a_film_strip(record: Record) -> None:
    page = shown(record)["text/html"]
    (strip,) = pictures(page)
    assert len(strip.findall(f"{SVG}svg")) == len(record.moves.split()) + 1
    assert record.moves in str(strip.findtext(f"{SVG}desc"))
    assert "random" in page


def test_names_in_a_record_cannot_bring_markup_of_their_own(record: Record) -> None:
    page = shown(replace(record, agents=('"><b title="', "<i>")))["text/html"]
    assert "&quot;&gt;&lt;b title=&quot;" in page
    assert "<b" not in page
    assert "<i>" not in page


def test_a_long_film_keeps_both_ends_and_few_boards_between() -> None:
    assert sampled(1) == [0]
    assert sampled(5) == [0, 1, 2, 3, 4]
    assert len(sampled(43)) == MOST
    assert (sampled(43)[0], sampled(43)[-1]) == (0, 42)


def test_a_film_of_a_start_alone_is_one_board() -> None:
    drawn = ElementTree.fromstring(film_strip([POSITION], [], "start"))
    assert len(drawn.findall(f"{SVG}svg")) == 1


def test_a_match_is_a_table() -> None:
    result = papan.match("level:5", "random", "tictactoe", pairs=2)
    cells = re.findall(r'<t[dh](?: scope="row")? style[^>]*>([^<]*)<', shown(result)["text/html"])
    counts = [str(each) for each in (result.wins, result.draws, result.losses)]
    assert counts != counts[::-1]
    assert cells == ["level:5", *counts, "0", "random", *counts[::-1], "0"]


def test_a_puzzle_has_no_winner_and_its_match_is_a_table_too() -> None:
    result = papan.match("openings", "random", "onet:4,6,5,3")
    assert "<table>" in shown(result)["text/html"]
    assert "wins" not in shown(result.games[0].record)["text/html"]


def test_a_tournament_is_a_table_with_a_plot(tmp_path: Path) -> None:
    agents = ["random", "level:1", "level:2"]
    standings = papan.tournament(agents, "tictactoe", tmp_path / "cup", pairs=2)
    page = shown(standings)["text/html"]
    assert all(agent in page for agent in agents)
    assert "12 games" in page
    plot = standings.plot(tmp_path / "elo.svg")
    assert (tmp_path / "elo.svg").read_text().startswith("<svg")
    assert ElementTree.fromstring(shown(plot)["image/svg+xml"]).tag == f"{SVG}svg"
    assert "background" in shown(plot)["image/svg+xml"]  # J04: dark ink needs light paper
    with pytest.raises(papan.PapanError, match=r"end in \.svg"):
        standings.plot("elo.docx")


def everything(record: Record) -> list[str]:
    things: list[object] = [POSITION, papan.solve(POSITION, all_moves=True), record]
    things.append(papan.match("level:2", "random", "tictactoe"))
    return [text for thing in things for kind, text in shown(thing).items() if kind != "text/plain"]


def test_j01_and_j05_no_page_needs_a_script_or_a_network(record: Record) -> None:
    for page in everything(record):
        drawings = [ElementTree.tostring(each, "unicode") for each in pictures(page)]
        for text in (page, *drawings):
            assert "<script" not in text
            assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_j04_boards_bring_their_paper_and_tables_take_the_colours_of_the_notebook(
    record: Record,
) -> None:
    for page in everything(record):
        if "<svg" in page:
            assert 'class="paper"' in page
        else:
            assert "color" not in page
            assert all(each.find(f"{SVG}rect") is not None for each in pictures(page))


def test_pages_speak_indonesian_where_the_machine_does(
    monkeypatch: pytest.MonkeyPatch, record: Record
) -> None:
    monkeypatch.setenv("PAPAN_LANG", "id")
    assert "langkah" in shown(papan.solve(POSITION))["text/html"]


def test_show_prints_the_board_where_there_is_no_notebook(
    capsys: pytest.CaptureFixture[str],
) -> None:
    POSITION.show()
    assert capsys.readouterr().out == Drawing.of(POSITION).picture() + "\n"


def test_j02_show_draws_where_it_is_called(monkeypatch: pytest.MonkeyPatch, record: Record) -> None:
    seen: list[object] = []
    monkeypatch.setattr("IPython.get_ipython", object)
    monkeypatch.setattr("IPython.display.display", seen.append)
    POSITION.show()
    record.show()
    assert seen == [POSITION, record]


def test_c06_a_notebook_shows_forfeits_and_what_was_printed() -> None:
    def broken(position: papan.Position) -> int:
        return {"y": 0}["<x>"]

    page = shown(papan.match(broken, "random", "tictactoe"))["text/html"]
    assert "function:broken forfeited 2 (crash): KeyError: &#x27;&lt;x&gt;&#x27;" in page
    assert "<pre>Traceback (most recent call last):" in page and "in broken" in page
    assert "forfeits" in page


def test_y7_each_board_of_a_film_marks_the_move_that_led_to_it(record: Record) -> None:
    (strip,) = pictures(shown(record)["text/html"])
    empty = catalog.position("tictactoe")
    names = {empty.game.move_name(move): place for place, move in enumerate(empty.moves())}
    marked = []
    for board in strip.findall(f"{SVG}svg"):
        cells = [each for each in board.iter(f"{SVG}rect") if "cell" in each.get("class", "")]
        marked.append([n for n, cell in enumerate(cells) if "last" in cell.get("class", "")])
    assert marked == [[], *([names[name]] for name in record.moves.split())]
