"""What Adjacency tells searches, nets, puzzles and people: by hand, each at its limits."""

from math import tanh

import numpy as np
import pytest

from papan.core import Analysis, Coach, Drawing, Proved
from papan.core.parts import Support
from papan.core.reasons import Clause
from papan.games.adjacency.puzzles import AdjacencyThemes
from papan.games.adjacency.rules import Adjacency
from papan.games.adjacency.support import utility
from tests.games.adjacency_positions import at
from tests.games.test_dots_coach import grouped
from tests.games.test_dots_drawing import elements

# Nets and levels


def planes_of(text: str) -> tuple[list[list[str]], list[float], tuple[int, ...], float]:
    """The first three planes as rows of digits, the value of each other, the places, the lead."""
    position = at(text)
    planes = Support.of(position.game).planes(position)
    assert planes is not None
    assert planes.image.shape == (position.game.rows, position.game.columns, 6)
    boards = [
        ["".join(str(int(cell)) for cell in row) for row in planes.image[..., number]]
        for number in range(3)
    ]
    clocks = [np.unique(planes.image[..., number]).tolist() for number in range(3, 6)]
    assert all(len(each) == 1 for each in clocks)
    return boards, [value for (value,) in clocks], planes.places, planes.ahead


def test_a_net_sees_own_marks_rival_marks_and_the_clock() -> None:
    boards, clocks, places, ahead = planes_of("adjacency:4,4,4 x.oo/.ooo/xo../xx.x x")
    assert boards == [
        ["1000", "0000", "1000", "1101"],
        ["0011", "0111", "0100", "0000"],
        ["1111"] * 4,
    ]
    assert clocks == pytest.approx([5 / 56, 5 / 8, 1])
    assert places == (1, 4, 10, 11, 14)
    assert ahead == 0.0
    rival, own, *_ = planes_of("adjacency:4,4,4 x.oo/.ooo/xo../xx.x o")[0]
    assert [own, rival] == boards[:2]


@pytest.mark.parametrize(
    ("text", "clocks"),
    [
        (
            "adjacency ......oo/......oo/......../......../......../......../xx....../xx...... x",
            (56, 8, 0),
        ),
        ("adjacency:4,5,6 ...oo/...oo/x..../xx..x o", (12, 8, 0)),
        ("adjacency:4,5,6 ..xoo/...oo/x..../xx..x o", (11, 8, 1)),
        ("adjacency:4,5,6 xxxoo/...oo/x..../xx.xx o", (8, 8, 0)),
        ("adjacency:4,5,6 xxxoo/x..oo/x..../xx.xx o", (7, 7, 1)),
    ],
)
def test_the_last_eight_plies_are_counted_apart(text: str, clocks: tuple[int, int, int]) -> None:
    left, last, odd = clocks
    assert planes_of(text)[1] == pytest.approx([left / 56, last / 8, odd])


def test_a_net_is_told_the_result_only_at_the_end() -> None:
    over = "adjacency:4,4,2 ..oo/..oo/xxoo/xxoo"
    assert [planes_of(f"{over} {turn}")[3] for turn in "xo"] == pytest.approx(
        [-0.5 - tanh(4 / 16) / 2, 0.5 + tanh(4 / 16) / 2]
    )
    assert planes_of(f"{over} x")[2] == ()
    leads = np.array([-64, -1, 0, 16])
    assert utility(leads) == pytest.approx(
        [-0.5 - tanh(4) / 2, -0.5 - tanh(1 / 16) / 2, 0, 0.5 + tanh(1) / 2]
    )


def test_levels_slip_as_often_as_games_among_them_have_shown() -> None:
    rates = {rounds: Support.of(Adjacency(rounds=rounds)).slip_rates for rounds in (8, 16, 17)}
    assert rates == {
        8: (0.6, 0.43, 0.3, 0.02),
        16: (0.68, 0.5, 0.53, 0.36),
        17: (0.84, 0.7, 1.0, 0.9),
    }


@pytest.mark.parametrize(
    ("text", "estimate"),
    [
        ("adjacency:4,4,4 x.oo/.ooo/xo../xx.x x", 5 - 6 + 0.5 * (1 - 1)),
        ("adjacency:4,4,4 xxoo/x.oo/xx.o/xx.. x", 7 - 5 + 0.5 * (3 - 3)),
        ("adjacency:4,4,4 xxoo/xooo/xx.o/xx.. x", 7 - 6 + 0.5 * (5 - 4)),
        ("adjacency:4,4,4 .ooo/xxoo/xxxo/xxxo x", 8 - 7 + 0.5 * (7 - 6)),
        ("adjacency:4,4,4 xxxx/xxxx/xooo/oooo x", 9 - 7),
    ],
)
def test_a_safe_mark_is_worth_half_a_mark_more_until_the_end(text: str, estimate: float) -> None:
    position = at(text)
    support = Support.of(position.game)
    assert [support.evaluate(position, seat) for seat in (0, 1)] == [estimate, -estimate]


# Puzzles


@pytest.mark.parametrize(
    ("text", "best", "themes"),
    [
        # b1 turns 2 marks, a2 1, c3 2, d3 1, c4 none
        ("adjacency:4,4,4 x.oo/.ooo/xo../xx.x x", "b1", set()),  # five plies are too many
        ("adjacency:4,4,3 x.oo/.ooo/xo../xx.x x", "b1", {"only"}),  # three
        ("adjacency:4,4,3 x.oo/.ooo/xo../xx.x x", "a2", {"only", "trap"}),
        ("adjacency:4,4,3 x.oo/.ooo/xo../xx.x x", "c3", {"only"}),
        ("adjacency:4,4,3 x.oo/.ooo/xo../xx.x x", "b1 c3", set()),
        ("adjacency:4,4,4 xxoo/x.oo/xx.o/xx.. o", "b2", {"only"}),  # four
        ("adjacency:4,4,3 xxoo/x.oo/xx.o/xx.. o", "b2", {"only", "last"}),  # two
        ("adjacency:4,4,3 xxoo/x.oo/xx.o/xx.. o", "d4", {"only", "last", "trap"}),
        ("adjacency:4,4,2 x.oo/.ooo/xo../xx.x x", "c4", set()),  # the last move wins at once
    ],
)
def test_which_themes_a_position_has(text: str, best: str, themes: set[str]) -> None:
    position = at(text)
    moves = [position.legal_move(name) for name in best.split()]
    values = {move: Proved.exactly(2 if move in moves else 0) for move in position.moves()}
    found = Analysis((moves[0],), 2.0, Proved.exactly(2), values, position.plies_left)
    claims = AdjacencyThemes.claims
    assert {name for name in claims if claims[name](position, found)} == themes


def test_a_puzzle_comes_from_the_last_four_plies() -> None:
    rounds = {4: "xxoo/x.oo/xx.o/xx.. o", 5: "x.oo/.ooo/xo../xx.x x"}
    looks = [
        AdjacencyThemes(position.game).looks_played(position)
        for position in (at(f"adjacency:4,4,4 {cells}") for cells in rounds.values())
    ]
    assert looks == [True, False]


# Reasons


def in_words(clause: Clause) -> str:
    """The kind and key of a clause, its values but for the move's, and the other cells it shows."""
    values = clause.message.values
    facts = " ".join(f"{key}={values[key]}" for key in sorted(values) if key != "move")
    key = clause.message.key.removeprefix("adjacency.reason_")
    return f"{clause.kind} {key} {facts} [{' '.join(clause.cells[1:])}]{'!' * clause.decides}"


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (
            "adjacency:4,4,4 x.oo/.ooo/xo../xx.x x",
            "b1",
            ["does turns_for_good kept=1 marks=2 [c1 b2]", "does safe  []"],
        ),
        (
            "adjacency:4,4,4 x.oo/.ooo/xo../xx.x x",
            "a2",
            [
                "does turns kept=0 marks=1 [b2]",
                "does safe  []",
                "prevents takes_away marks=2 [a1 a3]",
                "instead greedy back=3 greedy=b1 left=2 more=2 reply=a2 [b1]",
            ],
        ),
        (
            "adjacency:4,4,4 x.oo/.ooo/xo../xx.x x",
            "d3",
            [
                "does turns_all_for_good kept=1 marks=1 [d2]",
                "instead greedy back=3 greedy=b1 left=2 more=2 reply=a2 [b1]",
            ],
        ),
        (
            "adjacency:4,4,4 x.oo/.ooo/xo../xx.x x",
            "c4",
            [
                "prevents takes_away marks=2 [b4 d4]",
                "instead greedy back=3 greedy=b1 left=2 more=2 reply=a2 [b1]",
                "does turns_none marks=2 reply=a2 []",
            ],
        ),
        (
            "adjacency:4,5,6 ...oo/.x.oo/xo.../xx.o. x",
            "a2",
            [
                "prevents takes_away marks=2 [b2 a3]",
                "instead greedy back=2 greedy=d3 left=1 more=2 reply=a2 [d3]",
                "does fewest_exposed marks=3 rival_marks=5 []",
                "does turns_none marks=1 reply=a1 []",
            ],
        ),
        (  # then o turns b4 and d4: 8 to 8
            "adjacency:4,4,4 .ooo/ooxx/oxox/xx.x x",
            "a1",
            [
                "does last_draws ahead=0 marks=2 reply=c4 []!",
                "does turns_all_for_good kept=2 marks=2 [b1 a2]",
                "does safe  []",
            ],
        ),
        (  # then o turns nothing: 9 to 7
            "adjacency:4,4,4 .ooo/ooxx/oxox/xx.x x",
            "c4",
            [
                "does last_wins_nothing ahead=2 marks=0 reply=a1 []!",
                "does turns_all_for_good kept=1 marks=1 [c3]",
                "does safe  []",
                "prevents takes_away marks=2 [b4 d4]",
                "instead greedy_nothing back=2 greedy=a1 left=0 more=2 reply=c4 [a1]",
                "does fewest_exposed_nothing marks=0 rival_marks=2 []",
            ],
        ),
        (  # then x turns c3: 7 to 9
            "adjacency:4,4,4 .xoo/xoxx/oxox/xx.x o",
            "a1",
            [
                "does last_loses ahead=2 marks=1 reply=c4 []!",
                "does turns_all_for_good kept=2 marks=2 [b1 a2]",
                "does safe  []",
            ],
        ),
        (
            "adjacency:4,4,4 .ooo/ooxx/oxox/xxxx x",
            "a1",
            [
                "does ends own=11 rival_marks=5 []!",
                "does turns_all_for_good kept=2 marks=2 [b1 a2]",
            ],
        ),
        (
            "adjacency:4,4,4 .ooo/ooxo/oooo/xxxx x",
            "a1",
            [
                "does ends_draw own=8 rival_marks=8 []!",
                "does turns_all_for_good kept=2 marks=2 [b1 a2]",
            ],
        ),
    ],
)
def test_each_clause_of_a_reason_has_its_numbers(text: str, name: str, expected: list[str]) -> None:
    position = at(text)
    clauses = [*Coach.of(position).deeds(position.legal_move(name))]
    assert [in_words(each) for each in clauses] == expected
    assert {each.cells[0] for each in clauses} == {name}


def test_each_reason_has_its_idea_and_each_mistake_its_lesson() -> None:
    coach = Coach.of(at("adjacency:4,4,4 .ooo/ooxx/oxox/xx.x x"))
    plain = {key: idea for key, idea in coach.ideas.items() if not key.endswith("_nothing")}
    assert grouped(plain, "reason_") == {
        "idea_last": "ends ends_draw last_wins last_draws last_loses",
        "idea_for_good": "turns_all_for_good turns_for_good safe",
        "idea_takes_away": "takes_away",
        "idea_turns": "turns",
        "idea_patience": "greedy",
        "idea_quiet": "turns_none turns_none_at_all",
        "idea_exposed": "fewest_exposed",
    }
    assert all(coach.ideas[f"{key}_nothing"] == plain[key] for key in plain if "last_" in key)
    assert grouped(coach.lesson_steps, "") == {
        "adjacency_patience_task": (
            "gave_frontier gave_frontier_nothing too_greedy too_greedy_nothing "
            "greedy_exposed greedy_exposed_nothing greedy_ends"
        ),
        "adjacency_flips": "turned_fewer turned_fewer_nothing",
    }


# The drawing


def frames(svg: str, word: str) -> list[str]:
    """Where the frames with *word* among their classes are: columns and rows from the top left."""
    return [
        f"{float(each['x']) // 60:g} {float(each['y']) // 60:g}"
        for each in elements(svg)
        if each["tag"] == "rect" and word in each.get("class", "").split()
    ]


def test_a_move_is_framed_with_what_it_would_turn() -> None:
    position = at("adjacency:4,4,4 .o../x.../xxo./xxx. o")
    svg = Drawing.of(position).highlight(position.legal_move("b2"))
    assert (frames(svg, "highlight"), frames(svg, "turns")) == (["1 1"], ["0 1", "1 2"])
    assert frames(Drawing.of(position).highlight(position.legal_move("d1")), "turns") == []
