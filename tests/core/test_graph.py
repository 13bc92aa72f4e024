"""Graphs of positions: what they are made of, matrices, walks, files, drawings."""

import json
import sys
from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

import papan
from papan.core import Graph, InvalidSpecError, PapanError, Position
from papan.core.graph import FORMS, Edge, Vertex, game_graph
from papan.core.message import LANGUAGES, text_of
from papan.core.parts import Drawing
from tests.cli.conftest import Papan
from tests.cli.conftest import papan as command  # noqa: F401 - a fixture
from tests.test_games import plays
from tests.web.asking import ask

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def every_graph(position: Position) -> list[Graph]:
    return [*Drawing.of(position).graphs(), Drawing.of(position).graph("moves")]


def of(names: str, *edges: str, directed: bool = False) -> Graph:
    """A graph of letters: ``of("abc", "ab", "bc")``."""
    vertices = tuple(Vertex(name, (60.0 * place, 0)) for place, name in enumerate(names))
    return Graph("letters", vertices, tuple(Edge(tuple(ends)) for ends in edges), directed)


@settings(max_examples=25)
@given(plays())
def test_n01_every_position_is_a_graph_whose_degrees_shake_hands(positions: list[Position]) -> None:
    for graph in every_graph(positions[len(positions) // 2]):
        assert sum(graph.degrees.values()) == sum(len(edge.ends) for edge in graph.edges)
        if not graph.directed:
            rows = graph.adjacency()
            assert rows == [list(column) for column in zip(*rows)]
        columns = list(zip(*graph.incidence()))
        assert all(
            sum(map(abs, column)) == len(edge.ends) for edge, column in zip(graph.edges, columns)
        )
        ElementTree.fromstring(graph._repr_svg_())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_said_of_graphs_is_said_in_both_languages(language: str) -> None:
    for spec in papan.GAMES:
        for graph in every_graph(papan.position(spec)):
            assert text_of(f"graph.title_{graph.name}", language) != f"graph.title_{graph.name}"
            walks = [graph.walk(graph.vertices[0].name, order) for order in ("breadth", "depth")]
            for fact in graph.summary() + graph.walked(walks[0]) + graph.walked(walks[1]):
                assert text_of(fact.key, language, **fact.values) != fact.key


def test_matrices_and_lists_are_those_of_the_textbook() -> None:
    graph = of("abcd", "ab", "bc", "ca")
    assert graph.adjacency() == [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert graph.incidence() == [[1, 0, 1], [1, 1, 0], [0, 1, 1], [0, 0, 0]]
    assert graph.text("list") == "a: b c\nb: a c\nc: a b\nd:"
    assert graph.text("matrix").splitlines()[1] == "a  0  1  1  0"
    assert (graph.parts, graph.kind) == (2, "simple")
    arrows = of("abc", "ab", "bc", directed=True)
    assert arrows.adjacency() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert arrows.incidence() == [[-1, 0], [1, -1], [0, 1]]
    assert of("ab", "ab", "ab").adjacency() == [[0, 2], [2, 0]]
    assert of("ab", "ab", "ab").kind == "multigraph"


def test_breadth_first_finds_the_nearest_and_depth_first_goes_far() -> None:
    graph = of("abcdef", "ab", "ac", "bd", "de", "ec", "ef")
    broad, deep = graph.walk("a"), graph.walk("a", "depth")
    assert broad.visited == tuple("abcdef")
    assert broad.path("c") == ("a", "c")
    assert deep.visited == tuple("abdecf")
    assert deep.path("c") == tuple("abdec")
    assert deep.levels["c"] == 4
    assert graph.walk("f").levels == {"f": 0, "e": 1, "d": 2, "c": 2, "b": 3, "a": 3}


@pytest.mark.parametrize("order", ["breadth", "depth"])
def test_m12_lists_cost_v_plus_e_and_a_matrix_v_squared(order: Any) -> None:
    graph = Drawing.of(papan.position("dots:3,3")).graph("board")
    looks = graph.walk("a1", order).looks
    assert looks == {"lists": 2 * len(graph.edges), "matrix": len(graph.vertices) ** 2}


def test_boxes_are_cycles_of_four_edges_and_lines_know_their_boxes() -> None:
    position = papan.position("dots:2,2").after("a1b1 a1a2 b1b2 a2b2")
    graph = Drawing.of(position).graph("lines")
    assert graph.cycles == (("a1", "b1", "b2", "a2"),)
    edges = {frozenset(edge.ends) for edge in graph.edges}
    assert all(frozenset(pair) in edges for pair in pairwise((*graph.cycles[0], "a1")))
    boxes = {edge.name: edge.data["boxes"] for edge in Drawing.of(position).graph("board").edges}
    assert (boxes["a1b1"], boxes["a2b2"]) == ("a1", "a1 a2")


def test_the_dual_graph_shows_chains_and_loops() -> None:
    position: Any = papan.position("dots:3,3 011100110011010111011010 2 0-1")
    graph = Drawing.of(position).graph("boxes")
    missing = {
        name: sum(not position.drawn >> line & 1 for line in sides)
        for name, sides in zip(("a1", "b1", "c1"), position.game.sides)
    }
    assert {name: graph.degrees[name] for name in missing} == missing
    assert {vertex.mark for vertex in graph.vertices} >= {"chain", "ground"}
    loop = Drawing.of(papan.position("dots:2,2 110011101101 1 0-0")).graph("boxes")
    assert [vertex.mark for vertex in loop.vertices] == ["loop"] * 4 + ["ground"]


def test_a_walk_breadth_first_counts_the_turns_of_onet() -> None:
    position: Any = papan.position("onet:4,5 0,4,0,1,5/3,6,0,0,0/3,0,0,4,2/5,0,6,1,2")
    walk = Drawing.of(position).graph("runs").walk("b1")
    for move in position.moves():
        first, second = (position.game.grid.names[cell] for cell in position.game.cells(move))
        turns = len(position.path(move)) - 2
        assert Drawing.of(position).graph("runs").walk(first).levels[second] == turns + 1
    assert walk.levels["d3"] - 1 == 2
    tiles = {edge.ends: edge.data["turns"] for edge in Drawing.of(position).graph("links").edges}
    assert tiles["b1", "d3"] == 2


def test_lines_that_win_are_edges_of_a_hypergraph() -> None:
    graph = Drawing.of(papan.position("tictactoe").after("b2 a1")).graph("wins")
    assert graph.degrees["b2"] == 4
    assert graph.degrees["a2"] == 2
    assert [edge.mark for edge in graph.edges].count("dead") == 1
    assert graph.adjacency()[0][4] == 1
    assert len(Drawing.of(papan.position("connect4")).graph("wins").edges) == 69
    parts = graph.pairwise()
    assert len(parts.vertices) == 9 + 8
    assert len(parts.edges) == 24


def test_positions_that_two_orders_of_moves_lead_to_are_one_vertex() -> None:
    graph = Drawing.of(papan.position("onet:2,6 1,2,3,4,5,1/6,0,0,0,0,6")).graph("moves")
    assert (len(graph.vertices), len(graph.edges)) == (4, 4)
    assert graph.directed
    assert graph.notes[0].values["merged"] == 1
    wide = Drawing.of(papan.position("tictactoe:15,15,5")).graph("moves")
    assert (len(wide.vertices), len(wide.edges)) == (226, 225)


@pytest.mark.parametrize("spec", ["dots:2,2", "tictactoe", "onet:3,4,kinds=3,seed=2"])
def test_graphml_and_node_link_say_the_same_graph(spec: str) -> None:
    for graph in every_graph(papan.position(spec)):
        root = ElementTree.fromstring(graph.text("graphml").encode())
        (body,) = root.findall(f"{GRAPHML}graph")
        data = json.loads(graph.text("json"))
        nodes = [node.get("id") for node in body.findall(f"{GRAPHML}node")]
        edges = [
            (edge.get("source"), edge.get("target")) for edge in body.findall(f"{GRAPHML}edge")
        ]
        assert nodes == [node["id"] for node in data["nodes"]]
        assert edges == [(edge["source"], edge["target"]) for edge in data["edges"]]
        assert {*nodes} >= {end for ends in edges for end in ends}
        assert body.get("edgedefault") == ("directed" if data["directed"] else "undirected")
        keys = {key.get("id") for key in root.findall(f"{GRAPHML}key")}
        assert keys >= {each.get("key") for each in root.iter(f"{GRAPHML}data")}


def test_without_networkx_one_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(PapanError, match="pip install networkx"):
        Drawing.of(papan.position("dots")).graph().to_networkx()


def test_what_is_not_there_is_refused_in_one_sentence() -> None:
    with pytest.raises(InvalidSpecError, match="there are: lines board boxes moves"):
        Drawing.of(papan.position("dots")).graph("faces")
    with pytest.raises(PapanError, match="'z9' is not a vertex"):
        Drawing.of(papan.position("dots")).graph().walk("z9")
    with pytest.raises(PapanError, match="too large to read"):
        Drawing.of(papan.position("onet:16,30")).graph("runs").text("incidence")
    assert "<svg" in Drawing.of(papan.position("onet:16,30")).graph("runs").svg()


@pytest.mark.thorough
def test_a_matrix_of_few_vertices_and_many_edges_is_too_large_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("papan.core.graph.MOST_CELLS", 1000)
    many = of("ab", *["ab"] * 501)
    assert many.text("matrix").split()[-1] == "0"
    with pytest.raises(PapanError, match="A matrix of 1002 numbers is too large"):
        many.text("incidence")


def test_the_terminal_shows_a_graph_and_a_walk(command: Papan) -> None:  # noqa: F811
    ran = command("graph", "dots:1,1", "--moves", "a1b1", "--from", "a1", "--graph", "lines")
    assert ran.code == 0
    assert "The degrees add up to 2 = 2 · 1" in ran.out
    assert "Level 1: b1" in ran.out
    assert ran.out.endswith("a1b1: a1 b1  boxes=a1\n")
    for form in FORMS:
        assert command("graph", "dots:1,1", "--form", form).code == 0
    bad = command("graph", "dots:1,1", "--form", "picture")
    assert (bad.code, bad.err.count("\n")) == (2, 1)


def test_the_browser_gets_drawing_facts_and_text() -> None:
    order = {"start": "dots:2,2", "moves": "a1b1", "name": "boxes", "origin": "a1"}
    page = ask("POST", "/api/v1/graph", json=order | {"form": "matrix"}).json()
    assert page["names"] == ["lines", "board", "boxes", "moves"]
    assert page["vertices"][-1] == "ground"
    assert {"graph.handshake", "graph.level", "dots.graph_dual"} <= {
        fact["key"] for fact in page["facts"]
    }
    assert page["text"].startswith("       a1 b1")
    assert page["visited"] == 5
    begun = ask("POST", "/api/v1/graph", json=order | {"steps": 2}).json()["svg"]
    assert begun.count("vertex unseen") == 3
    assert ask("POST", "/api/v1/graph", json=order | {"origin": "q"}).status_code == 422


def elements(svg: str, kind: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(
        f"<g>{svg}</g>".replace(' xmlns="http://www.w3.org/2000/svg"', "")
    )
    return [*root.iter(kind)]


def test_y7_a_walk_begins_and_ends_at_a_vertex_that_stops_but_does_not_pass_it() -> None:
    letters = [Vertex(name, (0, 0), stops=name in "bd") for name in "abcde"]
    pairs = ("ab", "bc", "ad", "de", "ea")
    graph = Graph("letters", tuple(letters), tuple(Edge(tuple(pair)) for pair in pairs))
    for order in ("breadth", "depth"):
        walk = graph.walk("a", order)
        assert {*walk.visited} == {*"abde"}
        assert walk.path("c") == ()
        assert walk.looks == {"lists": 3 + 2, "matrix": 2 * 5}  # of a and e
    assert graph.walk("a").parents == {"b": "a", "d": "a", "e": "a"}
    assert graph.walk("b").visited == ("b", "a", "c", "d", "e")
    assert graph.parts == 1


def test_y7_a_walk_in_a_directed_graph_keeps_to_the_arrows() -> None:
    graph = of("abcd", "ab", "cb", "bd", directed=True)
    assert graph.walk("a").levels == {"a": 0, "b": 1, "d": 2}
    assert graph.walk("d").visited == ("d",)
    assert (graph.parts, graph.kind) == (1, "directed")
    assert graph.degrees == {"a": 1, "b": 3, "c": 1, "d": 1}
    assert of("ab", "ab", "ba", directed=True).is_simple
    assert not of("ab", "ab", "ab", directed=True).is_simple
    assert not of("ab", "aa").is_simple and of("ab", "aa").degrees == {"a": 2, "b": 0}
    assert of("ab", "ab", "ba").kind == "multigraph"


def test_y7_a_begun_walk_is_the_first_part_of_the_whole() -> None:
    walk = of("abcd", "ab", "bc", "cd").walk("a")
    begun = walk.begun(2)
    assert (begun.visited, begun.levels, begun.parents) == (
        ("a", "b"),
        {"a": 0, "b": 1},
        {"b": "a"},
    )
    assert (begun.origin, begun.order, begun.looks) == (walk.origin, walk.order, walk.looks)
    assert walk.begun(9) == walk
    assert (walk.path("d"), walk.path("a")) == (tuple("abcd"), ("a",))


def test_y7_what_a_walk_has_visited_is_told_level_by_level_or_in_its_order() -> None:
    graph = of("abcd", "ab", "ac", "bd")
    facts = [(each.key, dict(each.values)) for each in graph.walked(graph.walk("a"))]
    looks = {"lists": 6, "matrix": 16, "vertices": 4, "edges": 3}
    assert facts == [
        ("graph.level", {"level": 0, "names": "a"}),
        ("graph.level", {"level": 1, "names": "b c"}),
        ("graph.level", {"level": 2, "names": "d"}),
        ("graph.looks", looks),
    ]
    deep = [(each.key, dict(each.values)) for each in graph.walked(graph.walk("a", "depth"))]
    assert deep == [("graph.visited", {"names": "a b d c"}), ("graph.looks", looks)]
    many = [chr(0x4E00 + place) for place in range(42)]
    star = of("".join(many), *(f"{many[0]}{each}" for each in many[1:]))
    steps = [each.values["names"] for each in star.walked(star.walk(many[0]))[:2]]
    assert steps == [many[0], " ".join(many[1:41]) + " \u2026"]


def test_y7_a_drawn_graph_shows_its_places_degrees_and_walks() -> None:
    graph = of("abcd", "ab", "bc")  # at 0, 60, 120 and 180
    svg = graph.svg()
    assert 'viewBox="0 0 240 60"' in svg
    assert 'transform="translate(30 30)"' in svg
    drawn = graph.drawn()
    assert [each.get("points") for each in elements(drawn, "polyline")] == [
        "0,0 60,0",
        "60,0 120,0",
    ]
    circles = elements(drawn, "circle")
    assert [(each.get("cx"), each.get("cy"), each.get("r")) for each in circles] == [
        (at, "0", "15") for at in ("0", "60", "120", "180")
    ]
    assert [each.text for each in elements(drawn, "text")] == [*"abcd"]
    assert [each.text for each in elements(drawn, "title")] == [
        "a, deg=1", "b, deg=2", "c, deg=1", "d, deg=0"
    ]  # fmt: skip
    assert [each.text for each in elements(graph.drawn(degrees=True), "text")] == [*"1210"]
    walked = graph.drawn(graph.walk("b"))
    assert [each.text for each in elements(walked, "text")] == ["2", "1", "3", None]
    looks = [each.get("class") for each in elements(walked, "circle")]
    assert looks == ["vertex level-1", "vertex level-0", "vertex level-1", "vertex unseen"]
    begun = graph.walk("a").begun(2)
    taken = [each.get("class") for each in elements(graph.drawn(begun), "polyline")]
    assert taken == ["edge taken", "edge"]
    alone = graph.drawn(begun, rest=False, radius=9)
    assert [each.get("data-vertex") for each in elements(alone, "g") if len(each.attrib)] == [
        "a",
        "b",
    ]
    assert len(elements(alone, "polyline")) == 1
    assert {each.get("r") for each in elements(alone, "circle")} == {"9"}
    assert len(elements(graph.drawn(rest=False), "circle")) == 4


def test_y7_lists_name_the_data_of_edges_and_hypergraphs_all_their_ends() -> None:
    vertices = tuple(Vertex(name, (0, 0), data={"n": 1}) for name in "abc")
    graph = Graph("g", vertices, (Edge(("a", "b"), data={"w": 2, "v": "x"}),))
    assert graph.text("list") == "a: b\nb: a\nc:\n\na-b: a b  w=2  v=x"
    arrow = Graph("g", vertices, (Edge(("a", "b"), data={"w": 2}),), True)
    assert arrow.text("list") == "a: b\nb:\nc:\n\na\u2192b: a b  w=2"
    wide = Graph("g", vertices, (Edge(("a", "b", "c"), "all", "first", data={"w": 2}),))
    assert wide.text("list") == "a: b c\nb: a c\nc: a b\n\nall: a b c  w=2"
    parts = wide.pairwise()
    assert [(each.name, dict(each.data), each.mark) for each in parts.vertices] == [
        *((name, {"n": 1, "part": 0}, "") for name in "abc"),
        ("all", {"w": 2, "part": 1}, "first"),
    ]
    assert [each.ends for each in parts.edges] == [(name, "all") for name in "abc"]
    assert graph.pairwise() is graph
    data = graph.node_link()
    assert data["nodes"][0] == {"id": "a", "x": 0.0, "y": 0.0, "n": 1}
    assert data["edges"] == [{"source": "a", "target": "b", "w": 2, "v": "x"}]
    assert (data["directed"], data["multigraph"], data["graph"]) == (False, False, {"name": "g"})
    twice = of("ab", "ab", "ab").node_link()
    assert (twice["directed"], twice["multigraph"]) == (False, True)


def test_y7_the_moves_of_a_game_are_drawn_ply_by_ply_around_its_position() -> None:
    graph = Drawing.of(papan.position("tictactoe xox/xo./ox. o")).graph("moves")
    assert (graph.name, graph.directed) == ("moves", True)
    assert [(vertex.name, vertex.mark) for vertex in graph.vertices] == [
        ("0", "second"), ("c2", "first"), ("c3", "first"), ("c2/c3", "over"), ("c3/c2", "over"),
    ]  # fmt: skip
    assert [(edge.ends, edge.name) for edge in graph.edges] == [
        (("0", "c2"), "c2"), (("0", "c3"), "c3"),
        (("c2", "c2/c3"), "c3"), (("c3", "c3/c2"), "c2"),
    ]  # fmt: skip
    assert graph.vertices[1].data == {"position": "tictactoe:3,3,3 xox/xoo/ox. x"}
    reach = [round((x**2 + y**2) ** 0.5) for x, y in (vertex.at for vertex in graph.vertices)]
    assert reach == [0, 96, 96, 192, 192]
    assert graph.vertices[1].at == (96, 0) and graph.vertices[2].at == (-96, 0)
    assert graph.notes[0].values == {"plies": 2, "merged": 0}
    plies = {"tictactoe": 2, "tictactoe xo./.../... x": 2, "dots:1,1": 3, "tictactoe:15,15,5": 1}
    for text, most in plies.items():  # whole plies up to 100 positions, and three at most
        assert game_graph(papan.position(text)).notes[0].values["plies"] == most, text


def test_a_loop_counts_twice_unless_it_has_a_direction() -> None:
    assert of("ab", "aa", "ab").adjacency() == [[2, 1], [1, 0]]
    assert of("ab", "aa", "ab").incidence() == [[2, 1], [0, 1]]
    arrows = of("ab", "aa", "ab", directed=True)
    assert arrows.adjacency() == [[1, 1], [0, 0]]
    assert arrows.incidence() == [[-1, -1], [0, 1]]
    assert arrows.neighbours == {"a": ("a", "b"), "b": ()}


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (of("abcd", "ab", "bc", "ca"), [
            "kind_simple", "size 4 3", "handshake 6 3", "degrees 0 2", "parts 2 1",
        ]),
        (of("abc", "ab", "bc", "ca"), [
            "kind_simple", "size 3 3", "handshake 6 3", "regular 2", "parts 1 1",
        ]),
        (of("ab", "ab", "ab"), [
            "kind_multigraph", "size 2 2", "handshake 4 2", "regular 2", "parts 1 1",
        ]),
        (of("abc", "ab", "bc", directed=True), [
            "kind_directed", "size 3 2", "handshake 4 2", "degrees 1 2",
        ]),
        (of("abcd", "abc"), ["kind_hypergraph", "size 4 1", "meetings 3 1", "degrees 0 1"]),
        (of(""), ["kind_simple", "size 0 0", "handshake 0 0", "regular 0", "parts 0 0"]),
    ],
    ids=repr,
)  # fmt: skip
def test_a_graph_is_summed_up_by_its_kind(graph: Graph, expected: list[str]) -> None:
    """The messages without ``graph.``, each with its values in order."""
    found = [" ".join(map(str, (each.key, *each.values.values()))) for each in graph.summary()]
    assert found == [f"graph.{each}" for each in expected]


@pytest.mark.parametrize(("most", "drawn"), [(2, 2), (1, 0)])
def test_a_graph_is_drawn_and_written_up_to_its_limits(
    most: int, drawn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = of("abc", "ab", "bc")
    monkeypatch.setattr("papan.core.graph.MOST_DRAWN", most)
    assert graph.drawn().count("<polyline") == drawn
    monkeypatch.setattr("papan.core.graph.MOST_CELLS", 9)
    assert graph.text("matrix") and graph.text("incidence")
    monkeypatch.setattr("papan.core.graph.MOST_CELLS", 8)
    assert graph.text("incidence")
    with pytest.raises(PapanError, match="A matrix of 9 numbers is too large"):
        graph.text("matrix")


@pytest.mark.parametrize(("most", "plies"), [(15, 3), (14, 2), (11, 2), (10, 1), (2, 1)])
def test_the_moves_of_a_game_are_shown_up_to_the_last_position_that_fits(
    most: int, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are 1 + 4 + 6 + 4 before the last ply."""
    monkeypatch.setattr("papan.core.graph.MOST_NEAR", most)
    graph = game_graph(papan.position("dots:1,1"))
    assert graph.notes[0].values == {"plies": plies, "merged": {1: 0, 2: 6, 3: 14}[plies]}
    assert len(graph.vertices) == {1: 5, 2: 11, 3: 15}[plies]


def test_a_table_has_its_names_in_front_and_its_columns_aligned() -> None:
    graph = Graph("g", tuple(Vertex(name, (0, 0)) for name in ("a", "long")), (
        Edge(("a", "long"), "e"), Edge(("long", "long")),
    ))  # fmt: skip
    assert graph.text("matrix") == "      a long\na     0    1\nlong  1    2"
    assert graph.text("incidence") == "      e long-long\na     1         0\nlong  1         2"


def test_an_unknown_vertex_is_refused_with_thirty_that_are_known() -> None:
    names = [chr(0x4E00 + place) for place in range(31)]
    with pytest.raises(PapanError) as refused:
        of("".join(names)).walk("z")
    assert refused.value.values == {"name": "z", "known": " ".join(names[:30])}


class Made:
    """A graph of a library that is not installed: it writes down what it is made of."""

    def __init__(self, kind: str, name: str) -> None:
        self.kind, self.name = kind, name
        self.nodes: list[Any] = []
        self.edges: list[Any] = []

    def add_nodes_from(self, nodes: Any) -> None:
        self.nodes += nodes

    def add_edges_from(self, edges: Any) -> None:
        self.edges += edges


@pytest.mark.parametrize(
    ("edges", "directed", "kind"),
    [
        (("ab",), False, "Graph"),
        (("ab", "ab"), False, "MultiGraph"),
        (("ab", "ba"), True, "DiGraph"),
        (("ab", "ab"), True, "MultiDiGraph"),
    ],
)
def test_networkx_gets_the_class_that_fits_with_all_data(
    edges: tuple[str, ...], directed: bool, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = {each: partial(Made, each) for each in ("Graph", "DiGraph", "MultiGraph")}
    kinds["MultiDiGraph"] = partial(Made, "MultiDiGraph")
    monkeypatch.setitem(sys.modules, "networkx", SimpleNamespace(**kinds))
    found = of("ab", *edges, directed=directed).to_networkx()
    assert (found.kind, found.name) == (kind, "letters")
    assert found.nodes == [("a", {"x": 0.0, "y": 0.0}), ("b", {"x": 60.0, "y": 0.0})]
    assert found.edges == [(*each, {}) for each in edges]


def test_cycles_and_edges_are_drawn_in_the_colours_of_what_they_mean() -> None:
    letters = of("abc").vertices
    some = (Edge(("a", "b"), "e<", "first"), Edge(("b", "c"), path=((60, 0), (90, 9.5))))
    graph = Graph("g", letters, (*some, Edge(("a", "b", "c"), mark="odd")), cycles=(tuple("abc"),))
    drawn = graph.drawn(graph.walk("a").begun(2)).partition("<g ")[0]
    end = 'stroke-linecap="round"'
    assert drawn == (
        '<polygon points="0,0 60,0 120,0" fill="#fbe3a6" fill-opacity="0.4" class="cycle"/>'
        '<polyline points="0,0 60,0" fill="none" stroke="#1b7045" stroke-width="5" '
        f'stroke-opacity="1" {end} class="edge taken"><title>e&lt;</title></polyline>'
        '<polyline points="60,0 90,9.5" fill="none" stroke="#585e6c" stroke-width="3" '
        f'stroke-opacity="1" {end} class="edge"/>'
        '<polyline points="0,0 60,0 120,0" fill="none" stroke="#585e6c" stroke-width="10" '
        f'stroke-opacity="0.35" {end} class="edge odd"/>'
    )
    assert 'stroke="#2446a8" stroke-width="3"' in graph.drawn()


def test_many_positions_of_a_ply_lie_on_a_larger_circle() -> None:
    vertices = game_graph(papan.position("tictactoe:15,15,5")).vertices[1:]
    reach = {round((x**2 + y**2) ** 0.5) for x, y in (vertex.at for vertex in vertices)}
    assert len(vertices) == 225 and reach == {1332}  # 225 * 0.62 * 60 / 2 pi
