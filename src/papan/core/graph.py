"""Graphs of a position: vertices, edges, degrees, matrices, walks, drawings, and files of them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from importlib import import_module
from itertools import combinations
from math import cos, inf, pi, sin
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from papan.core.drawing import COLOURS, UNIT, RichRepr, document, label, tag
from papan.core.errors import PapanError
from papan.core.message import Message
from papan.core.printable import to_json

if TYPE_CHECKING:
    from papan.core.game import Position

Fact: TypeAlias = str | int | float
Point: TypeAlias = tuple[float, float]
WalkOrder = Literal["breadth", "depth"]
"""Order of a walk: breadth first (a queue) or depth first (a stack)."""
STORES = ("lists", "matrix")
"""Representations of a graph: adjacency lists, or a matrix."""
GraphForm = Literal["list", "matrix", "incidence", "graphml", "json", "svg"]
FORMS: tuple[GraphForm, ...] = get_args(GraphForm)

MOST_CELLS = 250_000
"""Largest number of entries of a matrix that is shown."""
MOST_DRAWN = 3_000
"""Largest number of edges drawn; of larger graphs only the edges of a walk are drawn."""
MOST_NAMES = 40
RADIUS = 15


@dataclass(frozen=True)
class Vertex:
    """A vertex: its name, its place in the drawing, and its data. Names are unique in a graph."""

    name: str
    at: Point
    """Its middle (x, y), in SVG units of the board's drawing."""
    mark: str = ""
    """CSS class of the vertex in the drawing, such as ``first`` or ``chain``; empty for none."""
    stops: bool = False
    """True where a walk may begin or end, but not pass."""
    data: Mapping[str, Fact] = field(default_factory=dict)
    """Further facts by name, which files and tooltips show."""


@dataclass(frozen=True)
class Edge:
    """An edge between two vertices, or more: then the graph is a hypergraph."""

    ends: tuple[str, ...]
    """The names of its vertices; in a directed graph it leads from the first to the second."""
    name: str = ""
    mark: str = ""
    """CSS class of the edge in the drawing, such as ``front``; empty for none."""
    path: tuple[Point, ...] = ()
    """Points of the drawn edge, if it is not a straight line between its ends."""
    data: Mapping[str, Fact] = field(default_factory=dict)
    """Further facts by name, which files show."""


@dataclass(frozen=True)
class Walk:
    """A search through a graph: the vertices in the order of visit, and the edges looked up.

    Vertices are given by name; *origin* is the one where it began.
    """

    origin: str
    order: WalkOrder
    visited: tuple[str, ...]
    """Vertices in the order in which the walk went on from them."""
    levels: Mapping[str, int]
    """Distance of each vertex from the origin, in edges of the walk."""
    parents: Mapping[str, str]
    """For each vertex but the origin, the one from which the walk came to it."""
    looks: Mapping[str, int]
    """Entries looked up, by representation: ``lists`` (adjacency lists) and ``matrix``."""

    def begun(self, count: int) -> Walk:
        """Return the walk up to its first *count* vertices, all if there are fewer.

        Its `looks` are still those of the whole walk. *count* is 0 or more.
        """
        seen = set(self.visited[:count])
        return replace(
            self,
            visited=self.visited[:count],
            levels={name: level for name, level in self.levels.items() if name in seen},
            parents={name: up for name, up in self.parents.items() if name in seen},
        )

    def path(self, name: str) -> tuple[str, ...]:
        """Return the names of the vertices on the way from the origin to *name*, both included.

        Empty if the walk did not come to it.
        """
        if name not in self.levels:
            return ()
        way = [name]
        while way[-1] in self.parents:
            way.append(self.parents[way[-1]])
        return tuple(reversed(way))


@dataclass(frozen=True)
class Graph(RichRepr):
    """A graph of `vertices` joined by `edges`: immutable, and drawn in the coordinates of the
    board.

    If `directed`, an edge leads from its first vertex to its second.
    """

    name: str
    """Name by which the graph is chosen; its title is the text ``graph.title_NAME``."""
    vertices: tuple[Vertex, ...]
    edges: tuple[Edge, ...]
    directed: bool = False
    cycles: tuple[tuple[str, ...], ...] = ()
    """Cycles with a meaning in the game, such as the boxes of Dots and Boxes: names of vertices."""
    notes: tuple[Message, ...] = ()
    """Further remarks on the graph."""

    def __repr__(self) -> str:
        return f"<Graph {self.name}: {len(self.vertices)} vertices, {len(self.edges)} edges>"

    @cached_property
    def places(self) -> dict[str, int]:
        """The index of each vertex in `vertices`, by its name; cached, do not change it."""
        return {vertex.name: place for place, vertex in enumerate(self.vertices)}

    @property
    def is_hypergraph(self) -> bool:
        """True if an edge joins more than two vertices."""
        return any(len(edge.ends) > 2 for edge in self.edges)

    @cached_property
    def is_simple(self) -> bool:
        """True if there are neither loops nor two edges between the same vertices.

        In a directed graph two edges are the same only in the same direction.
        """
        ends = [edge.ends if self.directed else tuple(sorted(edge.ends)) for edge in self.edges]
        return len(set(ends)) == len(ends) and all(len(set(each)) == len(each) for each in ends)

    @cached_property
    def degrees(self) -> dict[str, int]:
        """The degree of each vertex by name: the number of its edges; a loop counts twice.

        In a directed graph edges in both directions count. Cached: do not change it.
        """
        counts = Counter(end for edge in self.edges for end in edge.ends)
        return {vertex.name: counts[vertex.name] for vertex in self.vertices}

    @cached_property
    def _ways(self) -> list[tuple[str, str]]:
        """Every edge as names (from, to), in both directions if the graph is undirected.

        An edge of more than two vertices has one for each two of them.
        """
        ways = [way for edge in self.edges for way in combinations(edge.ends, 2)]
        return ways if self.directed else ways + [way[::-1] for way in ways]

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """Adjacency lists: for each vertex, by name, the names of those that its edges lead to.

        Each once, in the order of `vertices`; empty for a vertex that no edge leaves. Cached: do
        not change it.
        """
        found: dict[str, set[str]] = {vertex.name: set() for vertex in self.vertices}
        for one, other in self._ways:
            found[one].add(other)
        order = self.places
        return {
            name: tuple(sorted(others, key=lambda each: order[each]))
            for name, others in found.items()
        }

    def adjacency(self) -> list[list[int]]:
        """Return the adjacency matrix: the number of edges from the vertex of a row to a column's.

        Rows and columns are in the order of `vertices`. A loop counts twice, unless the graph is
        directed. In a hypergraph: how many edges the two have in common.
        """
        matrix = [[0] * len(self.vertices) for _ in self.vertices]
        for one, other in self._ways:
            matrix[self.places[one]][self.places[other]] += 1
        return matrix

    def incidence(self) -> list[list[int]]:
        """Return the incidence matrix: a row per vertex, a column per edge, 1 where they meet.

        They are in the order of `vertices` and `edges`. A loop is 2; where an edge and a vertex do
        not meet there is a 0. In a directed graph it is -1 for the vertex that the edge leaves (its
        first), 1 for the one that it enters, and -1 for a loop.
        """
        matrix = [[0] * len(self.edges) for _ in self.vertices]
        for column, edge in enumerate(self.edges):
            for end in edge.ends:
                matrix[self.places[end]][column] += 1
            if self.directed:
                matrix[self.places[edge.ends[0]]][column] = -1
        return matrix

    def walk(self, origin: str, order: WalkOrder = "breadth") -> Walk:
        """Return a breadth- or depth-first search from the vertex named *origin*.

        From a vertex it goes on to its `neighbours`, in their order, but from none that
        `Vertex.stops`, except *origin*. What it cannot reach is left out. Raise PapanError if
        *origin* is unknown.
        """
        if origin not in self.places:
            known = " ".join([*self.places][:30])
            raise PapanError("graph.no_vertex", name=origin, known=known)
        stops = {vertex.name for vertex in self.vertices if vertex.stops} - {origin}
        visited, levels, parents = dict[str, None](), {origin: 0}, dict[str, str]()
        waiting = deque([origin])
        while waiting:
            here = waiting.popleft() if order == "breadth" else waiting.pop()
            if here in visited:
                continue  # a way that was seen before a deeper one led here
            visited[here] = None
            if here in stops:
                continue
            fresh = [each for each in self.neighbours[here] if each not in visited]
            for each in fresh if order == "breadth" else reversed(fresh):
                if order == "depth" or each not in levels:
                    levels[each], parents[each] = levels[here] + 1, here
                    waiting.append(each)
        passed = [self.neighbours[name] for name in visited if name not in stops]
        looks = {"lists": sum(map(len, passed)), "matrix": len(passed) * len(self.vertices)}
        return Walk(origin, order, tuple(visited), levels, parents, looks)

    @cached_property
    def parts(self) -> int:
        """The number of connected components; 0 for a graph without vertices.

        The direction of edges and `Vertex.stops` are ignored.
        """
        vertices = tuple(replace(each, stops=False) for each in self.vertices)
        joined, left, count = Graph(self.name, vertices, self.edges), set(self.places), 0
        while left:
            left -= joined.walk(left.pop()).levels.keys()
            count += 1
        return count

    def summary(self) -> list[Message]:
        """Return messages on the graph: its kind, size, degrees and parts, then its notes.

        Parts and independent cycles are told only of undirected graphs without hyperedges.
        """
        counts = sorted(self.degrees.values()) or [0]
        sizes = {"vertices": len(self.vertices), "edges": len(self.edges)}
        total = {"sum": sum(counts), "edges": len(self.edges)}
        found = [Message(f"graph.kind_{self.kind}"), Message("graph.size", sizes)]
        found += [Message("graph.meetings" if self.is_hypergraph else "graph.handshake", total)]
        if counts[0] == counts[-1] and not self.directed:
            found.append(Message("graph.regular", {"degree": counts[0]}))
        else:
            found.append(Message("graph.degrees", {"least": counts[0], "most": counts[-1]}))
        if not self.is_hypergraph and not self.directed:
            free = len(self.edges) - len(self.vertices) + self.parts
            found.append(Message("graph.parts", {"parts": self.parts, "cycles": free}))
        return [*found, *self.notes]

    def walked(self, walk: Walk) -> list[Message]:
        """Return messages on *walk*, of this graph: what it visited, and the edges it looked up.

        Breadth first there is one message for each level, depth first one for the whole order;
        long lists of names are cut to `MOST_NAMES`.
        """
        if walk.order == "breadth":
            levels: dict[int, list[str]] = {}
            for name in walk.visited:
                levels.setdefault(walk.levels[name], []).append(name)
            found = [
                Message("graph.level", {"level": level, "names": _some(names)})
                for level, names in levels.items()
            ]
        else:
            found = [Message("graph.visited", {"names": _some(walk.visited)})]
        sizes = {"vertices": len(self.vertices), "edges": len(self.edges)}
        return [*found, Message("graph.looks", {**walk.looks, **sizes})]

    @property
    def kind(self) -> Literal["hypergraph", "directed", "simple", "multigraph"]:
        """The kind of graph: the first of hypergraph, directed and simple that it is.

        Else it is a multigraph.
        """
        if self.is_hypergraph:
            return "hypergraph"
        return "directed" if self.directed else "simple" if self.is_simple else "multigraph"

    # Forms to read, to copy and to take away.

    def text(self, form: GraphForm) -> str:
        """Return the graph in *form*, one of `FORMS`, as text.

        ``list``, ``matrix`` and ``incidence`` are for people, the others the content of a file;
        ``graphml`` and ``json`` have the graph of `pairwise`. Raise PapanError if *form* is
        ``matrix`` or ``incidence`` and the matrix would have over `MOST_CELLS` entries. *form* is
        not checked: None is returned for any other.
        """
        wide = {"matrix": len(self.vertices), "incidence": len(self.edges)}.get(form, 0)
        if wide * len(self.vertices) > MOST_CELLS:
            raise PapanError("graph.too_large", cells=wide * len(self.vertices), most=MOST_CELLS)
        names = [vertex.name for vertex in self.vertices]
        match form:
            case "matrix":
                return _table(names, names, self.adjacency())
            case "incidence":
                return _table(
                    names, [self._edge_name(edge) for edge in self.edges], self.incidence()
                )
            case "list":
                return "\n".join(self._lists())
            case "graphml":
                return "\n".join(_graphml(self.pairwise()))
            case "json":
                return to_json(self.node_link())
            case "svg":
                return self.svg()

    def _edge_name(self, edge: Edge) -> str:
        """Return the name of *edge*, or without one the names of its ends, such as ``a-b``."""
        return edge.name or ("→" if self.directed else "-").join(edge.ends)

    def _lists(self) -> Iterator[str]:
        """Yield lines of text: each vertex with its neighbours, ``a: b c``.

        Then, after an empty line, all edges with their data, if any has data or over two vertices.
        """
        for name, others in self.neighbours.items():
            yield f"{name}: {' '.join(others)}".rstrip()
        if self.is_hypergraph or any(edge.data for edge in self.edges):
            yield ""
            for edge in self.edges:
                facts = "".join(f"  {key}={value}" for key, value in edge.data.items())
                yield f"{self._edge_name(edge)}: {' '.join(edge.ends)}{facts}"

    def pairwise(self) -> Graph:
        """Return a graph whose edges have two ends: in a hypergraph every edge becomes a vertex.

        Any graph but a hypergraph is returned as it is. Else the result has the vertices of this
        graph, with 0 as ``part`` in their data, and a vertex for each edge, with its name, mark and
        data and 1 as ``part``, placed at (0, 0). Its edges, undirected, join each of the latter to
        the vertices of that edge. Cycles and notes are left out.
        """
        if not self.is_hypergraph:
            return self
        vertices = [replace(each, data={**each.data, "part": 0}) for each in self.vertices]
        edges = list[Edge]()
        for edge in self.edges:
            name = self._edge_name(edge)
            vertices.append(Vertex(name, (0, 0), edge.mark, data={**edge.data, "part": 1}))
            edges += [Edge((end, name)) for end in edge.ends]
        return Graph(self.name, tuple(vertices), tuple(edges))

    def node_link(self) -> dict[str, Any]:
        """Return the graph as JSON data in the node-link form of networkx; see `pairwise`.

        Its keys are ``directed``, ``multigraph``, ``graph`` (its ``name``), ``nodes``, each with
        its name as ``id``, and ``edges``, each with the names ``source`` and ``target``. Each item
        of both also has its data by their names, ``mark`` unless it is empty, and for a node ``x``
        and ``y``, for an edge ``name`` unless it is empty.
        """
        graph = self.pairwise()
        return {
            "directed": graph.directed,
            "multigraph": not graph.is_simple,
            "graph": {"name": graph.name},
            "nodes": [{"id": each.name, **_facts(each)} for each in graph.vertices],
            "edges": [
                {"source": each.ends[0], "target": each.ends[1], **_facts(each)}
                for each in graph.edges
            ],
        }

    def to_networkx(self) -> Any:
        """Return the graph as a networkx graph of the class that fits: see `pairwise`.

        That is Graph, DiGraph, MultiGraph or MultiDiGraph. Nodes are the names of vertices; data,
        marks, places of vertices and names of edges are attributes. Raise PapanError if networkx is
        not installed.
        """
        try:
            networkx = import_module("networkx")
        except ImportError:
            raise PapanError("graph.no_networkx") from None
        graph = self.pairwise()
        kinds = {(False, True): "Graph", (True, True): "DiGraph", (False, False): "MultiGraph"}
        made = getattr(networkx, kinds.get((graph.directed, graph.is_simple), "MultiDiGraph"))(
            name=graph.name
        )
        made.add_nodes_from((each.name, _facts(each)) for each in graph.vertices)
        made.add_edges_from((*each.ends, _facts(each)) for each in graph.edges)
        return made

    # Drawings.

    def svg(self, walk: Walk | None = None, degrees: bool = False) -> str:
        """Return the graph as an SVG document of its own size; *walk* and *degrees* as in `drawn`.

        Its title is the name of the graph, its description the text of the adjacency lists.
        """
        points = [each.at for each in self.vertices] + [at for e in self.edges for at in e.path]
        columns, rows = ([point[axis] for point in points] or [0] for axis in (0, 1))
        left, top = min(columns) - UNIT / 2, min(rows) - UNIT / 2
        width, height = max(columns) - left + UNIT / 2, max(rows) - top + UNIT / 2
        body = tag(
            "g", self.drawn(walk, degrees) or tag("g"), transform=f"translate({-left:g} {-top:g})"
        )
        return document(width, height, self.name, self.text("list"), [body])

    def drawn(
        self,
        walk: Walk | None = None,
        degrees: bool = False,
        radius: int = RADIUS,
        rest: bool = True,
    ) -> str:
        """Return the SVG elements of the graph, in the coordinates of the board, as one text.

        A vertex, a circle of *radius* SVG units, shows its name or, with *degrees*, its degree;
        after a *walk*, the place (from 1) in which it was visited. If *rest* is False and there is
        a walk, only the vertices that it visited and the edges that it took are drawn. Of more than
        `MOST_DRAWN` edges, too, only those that it took, none without a walk. `cycles` are always
        drawn. Empty if nothing is to be drawn.
        """
        at = {vertex.name: vertex.at for vertex in self.vertices}
        tree = {(here, there) for there, here in walk.parents.items()} if walk else set()
        rest = rest or walk is None
        every = rest and len(self.edges) <= MOST_DRAWN
        parts = [_cycle([at[name] for name in cycle]) for cycle in self.cycles]
        for edge in self.edges:
            taken = bool(tree.intersection((edge.ends, edge.ends[::-1])))
            if taken or every:
                parts.append(_edge(edge, at, taken))
        for vertex in self.vertices:
            if rest or (walk and vertex.name in walk.levels):
                parts.append(self._vertex(vertex, walk, degrees, radius))
        return "".join(parts)

    def _vertex(self, vertex: Vertex, walk: Walk | None, degrees: bool, radius: int) -> str:
        """Return the SVG of a *vertex* with its text and a tooltip; arguments as in `drawn`.

        After a *walk* that did not reach it, it has no text. Of a name with ``/`` only the last
        part is shown.
        """
        x, y = vertex.at
        words = str(self.degrees[vertex.name]) if degrees else vertex.name.rpartition("/")[2]
        look = f"vertex {vertex.mark}".rstrip()
        if walk is not None:
            level = walk.levels.get(vertex.name)
            words = "" if level is None else str(walk.visited.index(vertex.name) + 1)
            look = "vertex unseen" if level is None else f"vertex level-{min(level, 5)}"
        colour = COLOURS.get(vertex.mark, COLOURS["quiet"])
        pen = {"fill": COLOURS["paper"], "stroke": colour, "stroke_width": 3}
        circle = tag("circle", cx=x, cy=y, r=radius, **pen, class_=look)
        name = tag("title", escape(self._tooltip(vertex)))
        size = min(radius, 12) if len(words) < 4 else 9
        drawn = name + circle + label(x, y, words, size)
        return tag("g", drawn, data_vertex=vertex.name)

    def _tooltip(self, vertex: Vertex) -> str:
        """Return the name, the degree and the data of *vertex* in one line of plain text."""
        facts = [f"{key}={value}" for key, value in vertex.data.items()]
        return ", ".join([vertex.name, f"deg={self.degrees[vertex.name]}", *facts])

    def _repr_text_(self) -> str:
        return self.text("list")

    def _repr_svg_(self) -> str:
        return self.svg()


def _some(names: Sequence[str]) -> str:
    """Return the first `MOST_NAMES` of *names* in one line, with an ellipsis if there are more."""
    return " ".join(names[:MOST_NAMES]) + (" \u2026" if len(names) > MOST_NAMES else "")


def _facts(part: Vertex | Edge) -> dict[str, Fact]:
    """Return the data of a vertex or an edge, by name, as files have it.

    Also its mark, if it has one, and the place (``x``, ``y``) of a vertex or the name of an edge.
    """
    more: dict[str, Fact] = {"mark": part.mark} if part.mark else {}
    if isinstance(part, Edge):
        return ({"name": part.name} if part.name else {}) | more | dict(part.data)
    return {"x": float(part.at[0]), "y": float(part.at[1])} | more | dict(part.data)


def _table(rows: Sequence[str], columns: Sequence[str], matrix: list[list[int]]) -> str:
    """Return a matrix as lines of text, with the names of its *rows* and *columns* in front.

    Columns are aligned.
    """
    wide, first = [max(2, len(name)) for name in columns], max(map(len, rows), default=0)
    head = " ".join([" " * first, *(f"{name:>{width}}" for name, width in zip(columns, wide))])
    lines = (
        " ".join([f"{name:<{first}}", *(f"{each:>{width}}" for each, width in zip(row, wide))])
        for name, row in zip(rows, matrix)
    )
    return "\n".join([head, *lines])


def _graphml(graph: Graph) -> Iterator[str]:
    """Yield the lines of a GraphML file, which networkx, Gephi and yEd read.

    Edges of *graph* must have two ends: see `Graph.pairwise`.
    """
    kinds = {str: "string", int: "int", float: "double"}
    parts: list[tuple[str, Vertex | Edge]] = [
        *(("node", each) for each in graph.vertices), *(("edge", each) for each in graph.edges)
    ]  # fmt: skip
    keys = dict.fromkeys(
        (of, name, kinds[type(value)]) for of, each in parts for name, value in _facts(each).items()
    )
    numbers = {(of, name): f"d{number}" for number, (of, name, _) in enumerate(keys)}
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for of, name, kind in keys:
        yield (
            f'  <key id="{numbers[of, name]}" for="{of}" attr.name="{escape(name)}" '
            f'attr.type="{kind}"/>'
        )
    yield f'  <graph id="{graph.name}" edgedefault="{"" if graph.directed else "un"}directed">'
    for of, each in parts:
        if isinstance(each, Vertex):
            opening = f'node id="{escape(each.name)}"'
        else:
            opening = f'edge source="{escape(each.ends[0])}" target="{escape(each.ends[1])}"'
        facts = "".join(
            f'<data key="{numbers[of, name]}">{escape(str(value))}</data>'
            for name, value in _facts(each).items()
        )
        yield f"    <{opening}>{facts}</{of}>"
    yield "  </graph>"
    yield "</graphml>"


def _cycle(points: Sequence[Point]) -> str:
    """Return the SVG of a filled polygon through *points* (x, y), in SVG units."""
    corners = " ".join(f"{x:g},{y:g}" for x, y in points)
    return tag("polygon", points=corners, fill=COLOURS["last"], fill_opacity=0.4, class_="cycle")


def _edge(edge: Edge, at: Mapping[str, Point], taken: bool) -> str:
    """Return an edge as SVG; one with more than two ends is a broad line through all of them.

    *at* has the middle (x, y) of each vertex by name, in SVG units; *taken* is True if a walk went
    along it.
    """
    points = edge.path or [at[end] for end in edge.ends]
    broad = len(edge.ends) > 2
    colour = COLOURS["highlight" if taken else edge.mark if edge.mark in COLOURS else "quiet"]
    title = tag("title", escape(edge.name)) if edge.name else ""
    width, opacity = (10, 0.35) if broad else (5 if taken else 3, 1)
    pen = {"fill": "none", "stroke": colour, "stroke_width": width, "stroke_opacity": opacity}
    look = f"edge {'taken' if taken else edge.mark}".rstrip()
    line = " ".join(f"{x:g},{y:g}" for x, y in points)
    return tag("polyline", title, points=line, **pen, stroke_linecap="round", class_=look)


# The graph of the game itself: positions, and the moves between them.

MOST_NEAR, MOST_PLIES = 100, 3


def game_graph(position: Position) -> Graph:
    """Return the directed graph named ``moves``: a position and those that follow, each once a ply.

    It has whole plies: the first one always, further ones up to `MOST_NEAR` vertices and
    `MOST_PLIES` plies in all. The root is called ``0``, others by the moves that first led to them,
    such as ``a1/b2``; the text of each is in its data as ``position``, whether it is over or whose
    turn it is in its mark.
    """
    layers: list[dict[Position, str]] = [{position: "0"}]
    edges = list[Edge]()
    merged = 0
    while len(layers) <= MOST_PLIES:
        layer: dict[Position, str] = {}
        ways: list[Edge] = []
        room = MOST_NEAR - sum(map(len, layers)) if len(layers) > 1 else inf
        for before, name in layers[-1].items():
            if len(layer) > room:  # a large board has millions of positions in two plies
                break
            for move in before.moves():
                after, words = before.child(move), before.game.move_name(move)
                longer = words if name == "0" else f"{name}/{words}"
                ways.append(Edge((name, layer.setdefault(after, longer)), words))
        if len(layer) > room or not layer:
            break
        merged += len(ways) - len(layer)
        edges += ways
        layers.append(layer)
    vertices = tuple(
        Vertex(name, at, _state(each), data={"position": str(each)})
        for ply, layer in enumerate(layers)
        for (each, name), at in zip(layer.items(), _ring(ply, len(layer)))
    )
    facts = {"plies": len(layers) - 1, "merged": merged}
    return Graph("moves", vertices, tuple(edges), True, notes=(Message("graph.near", facts),))


def _state(position: Position) -> str:
    """Return the mark of a position's vertex: ``over``, or ``first`` or ``second`` to move."""
    return "over" if position.is_over else ("first", "second")[position.turn]


def _ring(ply: int, count: int) -> Iterator[Point]:
    """Yield *count* points (x, y), evenly on a circle around (0, 0), where the root is.

    They are for the positions of one *ply* (0 is the root itself), in SVG units, rounded to one
    decimal. The circle grows with *ply*, and with *count* so that they do not touch.
    """
    reach = ply * max(1.6 * UNIT, 0.62 * UNIT * count / (2 * pi * max(ply, 1)))
    for number in range(count):
        angle = 2 * pi * (number + 0.5) / count - pi / 2
        yield round(reach * cos(angle), 1), round(reach * sin(angle), 1)
