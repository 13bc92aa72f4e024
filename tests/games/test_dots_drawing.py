"""Drawings of Dots and Boxes: where each thing is, and how it is marked."""

from xml.etree import ElementTree

import pytest

import papan
from papan.core.parts import Drawing
from papan.games.dots.rules import DotsPosition
from tests.games.test_dots import drawing, game_so_far

TWO_SINGLES = """
    +---+---+
    |   |
    +   +---+
    """
MANY = """
    +---+---+---+---+
    |           |   |
    +---+---+---+---+
        |   |       |
    +---+---+---+---+

    +---+---+---+---+
    |       |       |
    +   +   +   +   +
    |       |       |
    +---+---+---+---+
    """
"""A closed chain of three, a chain of one beside two taken boxes, a long chain, and two loops."""


def elements(svg: str) -> list[dict[str, str]]:
    """The shapes of a piece of SVG in order, each with its tag, attributes and text."""
    return [
        {"tag": each.tag, "text": each.text or "", **each.attrib}
        for each in ElementTree.fromstring(f"<all>{svg}</all>").iter()
        if each.tag != "all"
    ]


def lines_in(svg: str, word: str) -> list[str]:
    """The ends of the lines with *word* among their classes, in units of dots from the top left."""
    return [
        " ".join(f"{(float(each[key]) - 45) / 60:g}" for key in ("x1", "y1", "x2", "y2"))
        for each in elements(svg)
        if each["tag"] == "line" and word in each.get("class", "").split()
    ]


def test_each_line_has_its_characters_in_the_picture() -> None:
    assert Drawing.of(papan.position("dots:1,2")).spots() == {
        "a1b1": [(1, 3), (1, 4), (1, 5)],
        "b1c1": [(1, 7), (1, 8), (1, 9)],
        "a2b2": [(3, 3), (3, 4), (3, 5)],
        "b2c2": [(3, 7), (3, 8), (3, 9)],
        "a1a2": [(2, 2)],
        "b1b2": [(2, 6)],
        "c1c2": [(2, 10)],
    }
    tall = Drawing.of(
        papan.position("dots:9,1")
    ).spots()  # the number of the last row has two digits
    assert (tall["a1b1"], tall["b9b10"]) == ([(1, 4), (1, 5), (1, 6)], [(18, 7)])


def test_a_full_board_has_a_stroke_at_each_of_these_characters() -> None:
    full = papan.position(f"dots:9,2 {'1' * 47} 1 18-0")
    rows = Drawing.of(full).picture().split("\n")
    for name, places in Drawing.of(full).spots().items():
        strokes = "".join(rows[row][column] for row, column in places)
        assert strokes == ("---" if len(places) == 3 else "|"), name
    assert rows[:4] == ["   a   b   c", " 1 +---+---+", "   | * | * |", " 2 +---+---+"]
    assert rows[-1] == "10 +---+---+"


def test_what_is_said_of_a_move_is_written_in_the_middle_of_its_line() -> None:
    game = papan.game("dots:1,2")
    drawn = Drawing.of(game.start())
    points = {name: drawn.label_point(game.parse_move(name)) for name in ("b1c1", "a2b2", "c1c2")}
    assert points == {"b1c1": (135, 45), "a2b2": (75, 105), "c1c2": (165, 75)}


def test_lines_and_boxes_that_a_sentence_names_glow() -> None:
    svg = Drawing.of(drawing(TWO_SINGLES)).pointed_out(["a1b1", "b1", "zz", "c1c2", "c1"])
    boxes = [(each["x"], each["y"]) for each in elements(svg) if each["class"] == "glow"]
    assert boxes == [("107", "47")]
    assert lines_in(svg, "glow-line") == ["0 0 1 0", "2 0 2 1"]
    assert Drawing.of(drawing(TWO_SINGLES)).pointed_out([]) == ""


def test_a_highlighted_line_is_dashed() -> None:
    position = drawing(TWO_SINGLES)
    svg = Drawing.of(position).highlight(position.legal_move("c1c2"))
    assert lines_in(svg, "highlight") == ["2 0 2 1"]
    assert "stroke-dasharray" in svg


@pytest.mark.parametrize(
    ("moves", "ways"),
    [
        ("a1b1 b1c1 a2b2 b2c2 a1a2 b1b2 c1c2", ["second from-right", "second from-right"]),
        ("a1b1 b1c1 a2b2 b2c2 a1a2 c1c2 b1b2", ["first from-right", "first from-left"]),
        ("a1b1 a1a2 b1b2 a2b2", ["second from-bottom"]),
        ("a2b2 a1a2 b1b2 a1b1", ["second from-top"]),
    ],
)
def test_a_box_is_filled_from_the_line_that_completes_it(moves: str, ways: list[str]) -> None:
    position, view = game_so_far(moves)
    every = [*ElementTree.fromstring(Drawing.of(position).svg(view)).iter()]
    found = []
    for each in every:
        way = [word for word in each.get("class", "").split() if word.startswith("from-")]
        if way:
            (box,) = (part for part in each.iter() if "box" in part.get("class", "").split())
            found.append(f"{box.get('class', '').removeprefix('box ')} {way[0]}")
    assert found == ways


# Chains


def seen(position: DotsPosition) -> list[str]:
    """What experts see: the key and the values of each feature, in order."""
    features = Drawing.of(position).features()
    return [" ".join((each.key[5:], *map(str, each.values.values()))) for each in features]


def test_chains_loops_and_who_they_favour_are_told_in_order() -> None:
    position = drawing(MANY, owned="2-0")
    assert seen(position) == [
        "long_chain 3",
        "short_chain 1",
        "short_chain 2",
        "long_chain 4",
        "loop 4",
        "loop 4",
        "safe_lines 0",
        "chain_rule 30 2 1",  # dots and long chains are even: the first player's
    ]


def test_a_thread_leads_through_the_boxes_of_a_chain_and_around_a_loop() -> None:
    features = Drawing.of(drawing(MANY, owned="2-0")).features()
    shapes = [elements(each.svg) for each in features if each.key.endswith(("chain", "loop"))]
    threads = [[each["points"] for each in shape if "points" in each] for shape in shapes]
    assert threads == [
        ["75,75 135,75 195,75"],
        ["75,135"],
        ["195,135 255,135"],
        ["75,195 135,195 195,195 255,195"],
        ["75,255 75,315 135,315 135,255 75,255"],
        ["195,255 195,315 255,315 255,255 195,255"],
    ]
    knots = [[each for each in shape if each["tag"] == "circle"] for shape in shapes]
    places = [f"{knot['cx']},{knot['cy']}" for (knot,) in knots]
    assert places == [thread.split()[0] for (thread,) in threads]
    assert [[each["text"] for each in shape if each["text"]] for shape in shapes] == [
        [length] for length in "312444"
    ]


@pytest.mark.parametrize(
    ("picture", "owned", "name", "expected"),
    [
        (
            """
            +---+---+---+
            |   |
            +---+---+---+
            """,
            "1-0",
            "double_cross d1d2",
            {"offer": ["3 0 3 1"]},
        ),
        (
            """
            +---+---+---+---+
            |               |
            +---+---+---+---+
            """,
            "0-0",
            "double_cross c1c2",
            {"offer": ["2 0 2 1"]},
        ),
        (
            """
            +---+   +---+
                    |   |
            +---+---+---+
            """,
            "1-0",
            "hard_hearted b1b2",
            {"hard": ["1 0 1 1"], "half": ["0 0 0 1", "1 0 2 0"]},
        ),
        (
            """
            +---+   +

            +---+   +
            """,
            "0-0",
            "safe_lines 3",
            {"safe": ["1 0 2 0", "1 1 2 1", "2 0 2 1"]},
        ),
    ],
    ids=["chain", "loop", "handout", "safe"],
)
def test_lines_that_experts_know_are_dashed_each_kind_in_its_own_way(
    picture: str, owned: str, name: str, expected: dict[str, list[str]]
) -> None:
    position = drawing(picture, owned=owned)
    svg = "".join(each.svg for each in Drawing.of(position).features())
    assert name in seen(position)
    dashes = {"safe": "1 9", "half": "10 6", "hard": "3 5", "offer": "16 4"}
    assert {kind: found for kind in dashes if (found := lines_in(svg, kind))} == expected
    lines = [each for each in elements(svg) if "expert" in each.get("class", "")]
    assert all(each["stroke-dasharray"] == dashes[each["class"].split()[1]] for each in lines)
    colours = {each["class"].split()[1]: each["stroke"] for each in lines}
    assert all((kind in ("safe", "offer")) == (colours[kind] == GREEN) for kind in colours)


GREEN = "#1b7045"


# Graphs


def edges(position: DotsPosition, name: str) -> dict[str, tuple[str, str]]:
    """The edges of a graph: by its name the ends of each, and its mark."""
    graph = Drawing.of(position).graph(name)
    return {each.name: (" ".join(each.ends), each.mark) for each in graph.edges}


def test_boxes_are_joined_by_undrawn_lines_which_a_chain_marks_as_its_own() -> None:
    position = drawing(
        """
        +---+   +---+
        |           |
        +---+   +---+
        """
    )
    assert edges(position, "boxes") == {
        "b1c1": ("b1 ground", ""),
        "b2c2": ("b1 ground", ""),
        "b1b2": ("a1 b1", ""),
        "c1c2": ("b1 c1", ""),
    }
    chain = position.after("b1c1 b2c2")
    assert edges(chain, "boxes") == {"b1b2": ("a1 b1", "chain"), "c1c2": ("b1 c1", "chain")}
    marks = {each.name: each.mark for each in Drawing.of(position).graph("boxes").vertices}
    assert marks == {"a1": "chain", "b1": "", "c1": "chain", "ground": "ground"}


def test_a_line_at_the_rim_leads_out_of_the_board_to_the_ground_below_it() -> None:
    graph = Drawing.of(drawing(TWO_SINGLES)).graph("boxes")
    assert {each.name: each.path for each in graph.edges} == {
        "a2b2": ((75, 75), (75, 135)),
        "c1c2": ((135, 75), (195, 75)),
    }
    assert {each.name: each.at for each in graph.vertices} == {
        "a1": (75, 75),
        "b1": (135, 75),
        "ground": (105, 165),
    }
    assert graph.notes[0].values == {"long": 0, "short": 2, "loops": 0}
    loops = Drawing.of(drawing(MANY, owned="2-0")).graph("boxes")
    assert loops.notes[0].values == {"long": 2, "short": 2, "loops": 2}
    assert {each.mark for each in loops.edges} == {"chain", "loop"}


def test_each_line_knows_the_boxes_beside_it() -> None:
    whole = Drawing.of(drawing(TWO_SINGLES)).graph("board")
    assert {each.name: each.data["boxes"] for each in whole.edges} == {
        "a1b1": "a1",
        "b1c1": "b1",
        "a2b2": "a1",
        "b2c2": "b1",
        "a1a2": "a1",
        "b1b2": "a1 b1",
        "c1c2": "b1",
    }
    assert [each.name for each in whole.edges if each.mark == "undrawn"] == ["a2b2", "c1c2"]
    assert {each.name: each.at for each in whole.vertices}["b2"] == (105, 105)
    full = Drawing.of(papan.position("dots:1,2 1111111 1 1-1")).graph("lines")
    assert full.cycles == (("a1", "b1", "b2", "a2"), ("b1", "c1", "c2", "b2"))
