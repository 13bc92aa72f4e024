"""Everything that a paper prints opens on the board; every line of its page leads to one."""

import pytest

from papan import catalog
from papan.core.message import LANGUAGES, Message, catalogue
from papan.lab.results import Finding, ReportTable, cell_text
from papan.papers import (
    PAPERS,
    chart_place,
    connect4,
    dots,
    exhibits,
    finding_place,
    place_of,
    row_places,
)
from papan.papers.paper import Paper, PaperPosition, Report, declarations

NUMBERS = [paper.number for paper in PAPERS]


def opens(place: PaperPosition) -> None:
    """The position can be reached, the moves to come can be made, and the agents can play it."""
    position = catalog.position(place.start).after(place.moves)
    position.after(place.then)
    assert place.agents
    for spec in place.agents:
        assert catalog.agent(spec).plays(position.game)


@pytest.mark.parametrize("number", NUMBERS)
def test_n02_every_row_that_a_paper_prints_opens_on_the_board(number: str) -> None:
    assert exhibits(number)
    for exhibit in exhibits(number):
        assert len(exhibit.places) == len(exhibit.table.rows)
        for place in exhibit.places:
            opens(place)


def test_n02_step_7_of_table_6_opens_the_declined_win_with_its_reasons() -> None:
    game = exhibits("004")[2]
    assert cell_text(game.table.title, "en").startswith("Tables 5 and 6")
    assert game.table.rows[6][:3] == (7, "C3", "2")
    place = game.places[6]
    position = catalog.position(place.start).after(place.moves)
    values = catalog.agent(*place.agents).analyse(position).values
    assert [values[move].number for move in (2, 3)] == [8, 7]


@pytest.mark.parametrize("number", ["000", "002", "004"])
def test_n02_a_printed_game_is_there_with_all_steps_to_its_end(number: str) -> None:
    game = exhibits(number)[-1 if number == "004" else 0]
    place = game.places[0]
    assert catalog.position(place.start).after(place.moves).after(place.then).is_over


def test_n02_the_twelve_boards_of_001_are_final_and_have_the_printed_scores() -> None:
    boards = exhibits("001")[0]
    assert len(boards.places) == 12
    for row, place in zip(boards.table.rows, boards.places):
        position = catalog.position(place.start)
        assert position.is_over
        assert "-".join(f"{each:g}" for each in position.scores()) == row[-1]


def test_n02_rows_of_our_own_tables_lead_to_what_they_measure() -> None:
    cells = ReportTable("cells", Message("x"), (), ((2, 7, "2"),))
    assert row_places("004", cells) == [exhibits("004")[2].places[6]]
    review = ReportTable("review", Message("x"), (), ((4, "who"),))
    assert row_places("000", review) == [exhibits("000")[0].places[3]]
    for name, count in (("times", 7), ("game", 7), ("tree", 2)):
        (timed,) = row_places("003", ReportTable(name, Message("x"), (), ((count, "who"),)))
        assert (timed.start, timed.moves) == ("tictactoe", "a1 b2"), name
    matches = ReportTable("matches", Message("x"), (), (("hillclimb", "level:3", 16, 20),))
    [place] = row_places("001", matches)
    assert place == PaperPosition("adjacency:8,8,16", agents=("hillclimb", "level:3"))
    assert place_of("002", ("8x14",)).start == "onet:8,14,seed=1"
    assert place_of("003", ("4x4", 5)).start == "tictactoe:4,4,4"


@pytest.mark.parametrize("number", NUMBERS)
def test_n02_a_line_that_names_nothing_opens_the_papers_own_agent(number: str) -> None:
    place = finding_place(number, Finding(Message("anything"), None))
    own = declarations()[number]
    assert place == PaperPosition(own["start"], agents=(own["agent"],))
    opens(place)


@pytest.mark.parametrize("paper", PAPERS, ids=NUMBERS)
def test_n02_a_paper_has_an_abstract_and_its_errata_in_both_languages(paper: Paper) -> None:
    for language in LANGUAGES:
        for text in (paper.abstract, *paper.errata):
            assert cell_text(text, language) != text.key
        another = f"printed.{paper.number}_erratum_{len(paper.errata) + 1}"
        assert another not in catalogue(language)


def test_n02_every_agent_of_a_paper_names_its_paper() -> None:
    for number in NUMBERS:
        name = declarations()[number]["agent"].partition(":")[0]
        if name == "solver":  # ours, which judges what a paper without an agent says
            continue
        for language in LANGUAGES:
            assert number in catalogue(language)[f"source.{name}"]
    for key in catalogue("en"):
        if key.startswith("source."):
            assert key.removeprefix("source.") in catalog.AGENTS


@pytest.mark.thorough
def test_n02_every_row_line_and_figure_of_a_run_opens_on_the_board(reports: list[Report]) -> None:
    places = set[PaperPosition]()
    for report in reports:
        number, found = report.run.paper.number, report.conclusions
        for table in found.tables:
            assert len(row_places(number, table)) == len(table.rows)
            places |= set(row_places(number, table))
        places |= {finding_place(number, each) for each in found.findings}
        places |= {chart_place(number, each) for each in found.charts}
    assert len(places) > 40
    for place in places:
        opens(place)


def test_q13_the_board_of_figure_8_has_its_three_chains() -> None:
    figure = next(each for each in exhibits("000") if each.table.name == "figure8")
    assert [row[1] for row in figure.table.rows] == [3, 5, 1]
    position = catalog.position(figure.places[0].start).after(figure.places[0].moves)
    sides, pairs = dots.open_sides(position)
    assert {*sides.values()} <= {1, 2}, "every box is in a chain"
    left, lengths = {*sides}, []
    while left:
        chain = [left.pop()]
        for box in chain:
            beside = {end for pair in pairs if box in pair for end in pair} & left
            chain += beside
            left -= beside
        lengths.append(len(chain))
    assert sorted(lengths) == [1, 3, 5]


@pytest.mark.parametrize("paper", PAPERS, ids=NUMBERS)
def test_q6_a_slip_says_where_it_is_seen(paper: Paper) -> None:
    sources = {"printed.source_paper", "printed.source_picture", "printed.source_repository"}
    for each in paper.errata:
        source = each.values["source"]
        assert isinstance(source, Message) and source.key in sources
        assert cell_text(source, "en") in cell_text(each, "en")


def test_q6_faults_of_the_copy_are_not_told_as_the_authors() -> None:
    printed = " ".join(cell_text(each, "en") for paper in PAPERS for each in paper.errata)
    faults = ("minus sign", "printed column by column", "below the table", "indentation", "x2")
    for fault in faults:
        assert fault not in printed
    assert "typed" not in {each.name for each in declared("002").says}
    assert "copy" in catalogue("en")["paper002.choice_typed"]
    assert "indentation" not in cell_text(Message("paper000.remark_chain"), "en")


@pytest.mark.parametrize("paper", PAPERS, ids=NUMBERS)
def test_q8_every_choice_of_ours_is_told_in_both_languages(paper: Paper) -> None:
    assert paper.choices
    for each in paper.choices:
        for language in LANGUAGES:
            assert cell_text(each, language) != each.key


def test_q7_lessons_and_laboratory_say_the_same() -> None:
    for language in LANGUAGES:
        texts = catalogue(language)
        assert "{claim}" in texts["lesson.hillclimb_objective"], "it quotes the conclusion"
        assert "001" in texts["lesson.hillclimb_end"], "it judges nothing by itself"
    (one,) = [
        key
        for key, text in catalogue("en").items()
        if key[:5] == "says." and "not too good" in text
    ]
    assert one == "says.004_tricks", "one sentence of the paper is one judgement"
    assert "eleventh" in catalogue("en")["says.003_scores"]
    for lesson, conclusion, words in (
        ("priority_fixed", "fair", "not quite right"),
        ("priority_trick_done", "tricks", "not too good"),
    ):
        texts = catalogue("en")
        assert words in texts[f"lesson.{lesson}"] and words in texts[f"says.004_{conclusion}"]


def test_q6_the_paper_002_misses_links_outside_and_no_others_at_the_border() -> None:
    """Along its last row its search runs like everywhere; it is outside that it does not go."""
    inside = catalog.position("onet:2,4,rule=paper 2,3,4,5/1,0,0,1")
    assert "a2d2" in inside.move_names()
    outside = catalog.position("onet:2,4,rule=paper 2,3,4,5/1,6,7,1")
    assert "a2d2" not in outside.move_names()
    assert "outside" in catalogue("en")["says.002_borders"]
    assert "luar papan" in catalogue("id")["says.002_borders"]


def test_q6_of_the_moves_of_002_those_are_marked_that_its_figures_show() -> None:
    normal, _, border, _ = exhibits("002")
    by_figure = Message("printed.by_figure")
    assert [row[0] for row in normal.table.rows if by_figure in row] == [1, 34, 35, 36]
    assert [row[0] for row in border.table.rows if by_figure in row] == [1]


def test_q6_of_004_only_slips_that_its_own_pages_show_are_listed() -> None:
    errata = [cell_text(each, "en") for each in declared("004").errata]
    assert not any("175" in each for each in errata), "that depends on how we read its rules"
    step, values = list(connect4.red_turns(1))[2][1:]
    assert step == "F2" and values[5] == "0" and values[6] == max(values) == "2"
    assert any("step 3" in each for each in errata)


def test_q7_the_conclusion_of_004_says_by_which_values_a_move_is_the_greatest() -> None:
    """By those that are printed, step 3 of game 1 is not; by its rules step 5 of game 2 alone."""
    below = [
        (game, step)
        for game, step, _, ours, column, *_ in connect4.tables()
        if ours[column] < max(ours)
    ]
    assert below == [(2, 5)]
    texts = catalogue("en")
    assert "D1 in step 5 of game 2" in texts["says.004_greatest"]
    assert "By its own rules each of its steps" in texts["says.004_every"]


def declared(number: str) -> Paper:
    return next(paper for paper in PAPERS if paper.number == number)
