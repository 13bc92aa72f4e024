"""What follows, in words: it is what the verdicts of the run say, and not what another one said."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from papan.core import InvalidRecordError
from papan.core.message import LANGUAGES, Message, catalogue
from papan.lab.log import TimeTaken
from papan.lab.results import (
    Conclusions,
    Finding,
    FindingVerdict,
    Measure,
    cell_text,
    with_verdicts,
)
from papan.lab.work import WorkItem
from papan.papers import PAPERS, chosen_papers, dots, onet, tictactoe
from papan.papers.experiment import Pairing, match_items, share
from papan.papers.paper import (
    EXPECTED,
    Found,
    Paper,
    Part,
    Run,
    Says,
    Size,
    as_pairs,
    batches,
    finished_report,
    joint,
    reference,
    reports,
    saved_runs,
)

each_paper = pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)


def kept(paper: Paper) -> tuple[Finding, ...]:
    return reference(paper, Path()).conclusions.findings


def parts(paper: Paper, findings: tuple[Finding, ...]) -> dict[str, list[str]]:
    """The names of the sentences under each heading."""
    return {
        heading.key.removeprefix("lab.says_"): [each.key.partition("_")[2] for each in sentences]
        for heading, sentences in paper.conclusion(findings)
    }


def turned(
    findings: tuple[Finding, ...], verdicts: dict[FindingVerdict, FindingVerdict]
) -> tuple[Finding, ...]:
    return tuple(replace(each, agrees=verdicts.get(each.agrees, each.agrees)) for each in findings)


@each_paper
def test_t06_our_own_run_bears_out_what_its_conclusion_says(paper: Paper) -> None:
    found = parts(paper, kept(paper))
    assert "contrary" not in found
    assert {each.part for each in paper.says} <= {*found, "fails", "holds"}
    assert {"holds", "unknown", "today"} <= set(found)
    judged_lines = {each.what.key for each in kept(paper) if each.agrees in ("yes", "no", "open")}
    for each in paper.says:
        assert {f"paper{paper.number}.{line}" for line in each.lines} <= judged_lines, each.name
        for language in LANGUAGES:
            assert f"says.{paper.number}_{each.name}" in catalogue(language)


@each_paper
def test_t06_a_run_that_says_otherwise_has_another_conclusion(paper: Paper) -> None:
    certain = {each.name for each in paper.says if not each.lines}
    small = parts(paper, turned(kept(paper), {"yes": "open", "no": "open"}))
    assert {*small.get("holds", []), *small.get("fails", [])} <= certain
    assert {*small["open"]} == {each.name for each in paper.says if each.lines}
    for part, verdict in EXPECTED.items():
        other: FindingVerdict = "no" if verdict == "yes" else "yes"
        against = parts(paper, turned(kept(paper), {verdict: other, "open": other}))
        rested = {each.name for each in paper.says if each.lines and each.part == part}
        assert rested <= {*against.get("contrary", [])}


def test_t06_one_board_more_is_no_better_choice() -> None:
    """29 boards of 30 cleared against 28: nobody can say by that who clears more."""
    boards = [[[True, 1]] * 5] * 28
    boards += [[[True, 1], [True, 1], [False, 1], [True, 1], [True, 1]]]
    boards += [[[False, 1]] * 5]
    findings = with_verdicts(onet.clearing({"6,12": boards, "8,14": boards}))
    assert parts(onet.PAPER, findings)["open"].count("choice") == 2
    (undecided,) = [
        " ".join(cell_text(each, "en") for each in sentences)
        for heading, sentences in onet.PAPER.conclusion(findings)
        if cell_text(heading, "en") == "Undecided in this run"
    ]
    assert "clears more boards of 6x12" in undecided


# Y7: verdicts together, the parts of a run, and which run is shown


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        (["yes", "yes"], "yes"),
        (["yes", "no", "open"], "no"),
        (["yes", "open"], "open"),
        (["yes", "quoted", "none", "incomparable"], "yes"),
        (["quoted"], "open"),
        ([], "open"),
    ],
)
def test_y7_several_lines_have_one_verdict(
    verdicts: list[FindingVerdict], together: FindingVerdict
) -> None:
    assert joint(verdicts) == together


@pytest.mark.parametrize(
    ("part", "verdict", "heading"),
    [
        ("holds", "yes", "holds"),
        ("holds", "no", "contrary"),
        ("holds", "open", "open"),
        ("fails", "no", "fails"),
        ("fails", "yes", "contrary"),
        ("fails", "open", "open"),
    ],
)
def test_y7_a_sentence_stands_where_its_lines_put_it(
    part: Part, verdict: FindingVerdict, heading: str
) -> None:
    says = Says(part, "x", ("line", "other"), {"size": "6x12"})
    key = "paper002.line"
    findings = [
        Finding(Message(key, {"size": "6x12", "more": 1}), None, agrees=verdict),
        Finding(Message(key, {"size": "8x14"}), None, agrees="no" if verdict == "yes" else "yes"),
        Finding(Message("paper003.line", {"size": "6x12"}), None, agrees="open"),
    ]
    assert says.heading("002", findings) == heading
    assert Says("today", "x").heading("002", findings) == "today"


def test_y7_work_is_cut_into_batches_that_share_no_seed() -> None:
    piece = WorkItem("games", print, ("a",), 0.5)
    found = [
        (each.name, each.arguments, each.weight) for each in batches(piece, 100, total=7, largest=3)
    ]
    assert found == [
        ("games/1", ("a", 100, 3), 1.5),
        ("games/2", ("a", 103, 3), 1.5),
        ("games/3", ("a", 106, 1), 0.5),
    ]
    weights = {heavy: max(match_sizes(heavy)) for heavy in (0.1, 1.0, 2.0, 2.6, 9.0)}
    assert weights == {0.1: 5, 1.0: 5, 2.0: 2, 2.6: 1, 9.0: 1}


def match_sizes(weight: float) -> list[int]:
    items = match_items("m", Pairing("a", "b", "tictactoe"), 11, 0, weight)
    sizes = [int(item.arguments[-1]) for item in items]
    assert sum(sizes) == 11
    return sizes


def test_y7_results_are_joined_by_their_number_and_not_as_text() -> None:
    found = Found({"a/10": [4], "a/2": [2, 3], "a/1": [1], "ab/1": [9], "a": [8]})
    assert found.joined("a") == [1, 2, 3, 4]
    assert [*found.under("ab")] == [[9]]
    assert found.joined("b") == []


def test_y7_cells_are_printed_as_the_papers_print_them() -> None:
    assert as_pairs("a1b2") == "(0, 0) (1, 1)"
    assert as_pairs("c10l4") == "(9, 2) (3, 11)"


def test_y7_papers_are_chosen_once_in_the_order_of_the_words() -> None:
    numbers = [paper.number for paper in chosen_papers(["003", "onet", "003", "all"])]
    assert numbers[:2] == ["003", "002"]
    assert sorted(numbers) == sorted(paper.number for paper in PAPERS)
    assert chosen_papers([]) == []


TINY = replace(
    PAPERS[0],
    amounts={"quick": 3, "full": 5},
    plan=lambda amount, seed: batches(WorkItem("part", pow, (2,), 2.0), seed, amount, 1),
    conclude=lambda found: Conclusions(()),
)
"""A paper whose run has three items of two seconds; nobody carries them out."""


def begin(folder: Path, size: Size, seed: int, parts: int) -> Run:
    run = Run(TINY, size, seed, folder)
    log = run.job().log
    for number in range(1, parts + 1):
        log.keep(f"part/{number}", number, TimeTaken(1.0, 0.5))
    return run


def test_y7_a_run_knows_how_much_of_it_is_done_and_how_it_is_repeated(tmp_path: Path) -> None:
    run = begin(tmp_path, "quick", -4, 2)
    number = TINY.number
    assert (run.name, run.path.name) == ("quick--4", f"{number}-quick--4.jsonl")
    assert run.command == f"papan lab run {number} --quick --seed -4"
    assert Run(TINY, "full", 7, tmp_path).command == f"papan lab run {number} --seed 7"
    assert run.done() == pytest.approx(2 / 3)
    assert run.seconds_left() == pytest.approx(2)
    assert run.seconds_left(afresh=True) == 6
    for other in (replace(run, seed=4), replace(run, size="full")):
        assert (other.done(), other.seconds_left()) == (0, 2 * TINY.amounts[other.size])
    assert dict(run.job().log.found) == {"part/1": 1, "part/2": 2}
    assert run.job(afresh=True).log.found == {} and run.done() == 0


def test_y7_the_newest_finished_run_is_shown_and_any_by_its_name(tmp_path: Path) -> None:
    older, newer = begin(tmp_path, "quick", 1, 3), begin(tmp_path, "full", 2, 5)
    half, none = begin(tmp_path, "quick", 3, 2), begin(tmp_path, "quick", 4, 0)
    for age, run in enumerate((none, half, newer, older)):
        os.utime(run.path, (1000 - age, 1000 - age))
    (tmp_path / f"{TINY.number}-quick-x.jsonl").write_text("{}")
    assert [run.name for run in saved_runs(tmp_path, TINY)] == ["quick-3", "full-2", "quick-1"]
    names = {
        name: report.name
        for name in (None, "quick-1", "full-2", "quick-3", "quick-9", "reference")
        if (report := finished_report(TINY, tmp_path, name))
    }
    assert names == {
        None: "full-2",
        "quick-1": "quick-1",
        "full-2": "full-2",
        "reference": "reference",
    }
    assert [report.name for report in reports(tmp_path, [TINY])] == ["full-2"]
    report = finished_report(TINY, tmp_path)
    assert report is not None and (report.log.seconds, report.log.cpu) == (5, 2.5)


@pytest.mark.parametrize(
    "error", [ZeroDivisionError, AttributeError, KeyError, IndexError, TypeError, ValueError]
)
def test_a_run_whose_results_have_another_form_is_one_sentence_with_its_file(
    tmp_path: Path, error: type[Exception]
) -> None:
    def conclude(found: Found) -> Conclusions:
        raise error("odd")

    run = begin(tmp_path, "quick", 1, 3)
    assert run.report().conclusions == Conclusions(())
    odd = replace(run, paper=replace(TINY, conclude=conclude))
    with pytest.raises(InvalidRecordError) as caught:
        odd.report()
    assert caught.value.key == "lab.bad_run" and caught.value.values["path"] == run.path
    assert caught.value.values["why"].startswith(error.__name__)
    head, *lines = run.path.read_text(encoding="utf-8").splitlines()
    run.path.write_text("\n".join([head.replace('"cores"', '"more"'), *lines, ""]))
    with pytest.raises(InvalidRecordError, match="does not say where it was measured"):
        run.report()


def test_y7_the_seeds_of_two_runs_are_apart() -> None:
    first, second = (TINY.items("quick", seed) for seed in (0, 1))
    seeds = [item.arguments[1] for item in (*first, *second)]
    assert seeds == [0, 1, 2, 10**6, 10**6 + 1, 10**6 + 2]


# Y7: what follows from results that nobody has measured


def value_of(cell: object, name: str) -> object:
    assert isinstance(cell, Message)
    return cell.values[name]


def test_y7_random_boards_of_onet_are_counted_by_who_clears_them() -> None:
    yes, no, unknown = [True, 0.1], [False, 0.1], [None, 0.1]
    rows = {  # as `PLAYERS`: the paper's agent by its rule, by Onet's, the first pair; two proofs
        "both": [yes, yes, yes, yes, yes],
        "alone": [yes, yes, no, yes, yes],
        "unlucky": [no, no, yes, yes, yes],
        "rule": [no, yes, no, yes, no],
        "nobody": [no, no, no, no, no],
        "unknown": [no, no, no, unknown, unknown],
    }
    boards = [rows["both"], *[rows["alone"]] * 3, rows["unlucky"], *[rows["rule"]] * 2]
    boards += [rows["nobody"], rows["unknown"]]
    better, clears, failures = onet.clearing({"6,12": boards})
    assert value_of(better.what, "size") == "6x12"
    assert value_of(better.ours, "share") == share(5, 6) and value_of(better.ours, "all") == 6
    assert better.evidence is not None and better.evidence.observations == 6
    assert clears.ours == share(4, 5)
    assert isinstance(failures.ours, Message)
    assert failures.ours.values == {"rule": 2, "choice": 1, "nobody": 1}


def test_y7_breadth_first_is_compared_where_it_differs() -> None:
    links = [[4, 2, 6, 3], [5, 3, 5, 3], [9, 2, 3, 5], [2, 4, 8, 3]]  # visited, line; depth first
    shorter, quicker = onet.breadth_or_depth(links)
    assert value_of(shorter.ours, "share") == share(2, 3)
    assert value_of(quicker.ours, "share") == share(2, 3)
    assert shorter.evidence is not None and quicker.evidence is None


@pytest.mark.parametrize(
    ("matrix", "lists", "verdicts"),
    [
        (16, 10, ["yes", "yes"]),
        (15, 10, ["no", "yes"]),
        (16, 9, ["yes", "no"]),
        (16, 14, ["yes", "no"]),
    ],
)
def test_y7_the_entries_of_a_graph_are_those_of_the_textbook(
    matrix: int, lists: int, verdicts: list[str]
) -> None:
    """With four vertices and five edges: V^2 and, as each edge is read from both ends, 2E."""
    found = list(onet.representations([["2,2", 4, 5, matrix, lists]]))
    assert [each.agrees for each in found] == verdicts
    assert [each.ours for each in found] == [matrix, lists]


def test_y7_moves_are_right_as_often_as_all_parts_say() -> None:
    found = Found({"right/a/1": [3, 5, 1.5], "right/a/2": [4, 4, 0.0], "right/b/1": [0, 9, 9.0]})
    assert tictactoe.chosen_by(found, "a") == (7, 9, 1.5)


def test_y7_numbers_are_grouped_by_the_empty_cells() -> None:
    plies = [[8, 1, 0.5], [9, 2, None], [8, 5, 0.1], [9, 4, 0.2], [8, 3, 0.4]]
    assert list(tictactoe.by_empty(plies, 1).items()) == [(9, [2, 4]), (8, [1, 5, 3])]
    assert tictactoe.by_empty(plies, 2) == {9: [0.2], 8: [0.5, 0.1, 0.4]}
    assert tictactoe.medians(plies, 1) == {9: 3, 8: 3}
    assert tictactoe.tictactoe_spread([3, 1, 2])[0::2] == (1, 3)


def test_y7_times_fall_from_ply_to_ply_of_one_game() -> None:
    plies = [(9, 8.0), (8, 2.0), (7, None), (9, 6.0), (8, 3.0), (7, 1.0)]
    assert tictactoe.falls(plies) == {9: [4.0, 2.0], 8: [3.0]}
    rows = [[9, 0, 0, 10, 2.0, 0, 0.5], [8, 0, 0, None, None, 0, 0.5], [7, 0, 0, 4, 1.0, 0, 1.0]]
    assert list(tictactoe.searching(rows)) == [(9, 1.5), (8, None), (7, 0.01)]
    assert tictactoe.calls_of_minimax(rows) == {9: 9, 7: 3}


@pytest.mark.parametrize(
    ("wishes", "verdict"), [([True] * 40, "yes"), ([False] * 40, "no"), ([True, False], "open")]
)
def test_y7_whether_a_rule_forces_is_told_by_its_wishes_and_not_by_its_wins(
    wishes: list[bool], verdict: str
) -> None:
    games = [[number % 2, 0, 1, 1, wish] for number, wish in enumerate(wishes)]
    forced, points = with_verdicts(dots.forcing(Found({"chain-value/1": games})))
    assert (forced.agrees, points.what.key) == (verdict, "paper000.forces")
    assert isinstance(points.ours, Measure) and points.ours.value == 0.5


@pytest.mark.parametrize(("lost", "verdict"), [(0, "open"), (1, "no")])
def test_y7_one_game_that_is_not_won_refutes_perfect_play(lost: int, verdict: str) -> None:
    games = {}
    for unit, seat in (("chains", 1), (dots.SMALLER, 0), (dots.LARGER, 0)):
        games[f"{unit}/perfect/1"] = [[seat, 1, 6, 3]] * 4 + [[seat, 0, 4, 4]] * lost
    lines = [
        line
        for line in dots.dots_strength(Found(games))
        if line.what.values["rival"] == "perfect" and line.rule is not None
    ]
    assert lines and all(
        line.agrees == verdict
        for line in lines
        if isinstance(line.ours, Measure) and line.ours.value
    )
