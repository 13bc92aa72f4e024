"""The lessons of Onet: lines and pairs that must wait, and how a line is found."""

from __future__ import annotations

from typing import cast

from papan import catalog
from papan.core import Graph, Position
from papan.core.board import corner
from papan.core.drawing import UNIT, label, tag
from papan.core.graph import STORES, Walk, WalkOrder
from papan.core.parts import Drawing
from papan.games.onet.drawing import place
from papan.games.onet.links import MOST_LINK_TURNS, LinkPoint, OnetLinks
from papan.games.onet.rules import OnetPosition
from papan.lessons import Guide, Lesson, Scene, Story, TextValue, columns


def onet(story: Story) -> Guide:
    """Add all steps of the guided tour of Onet; return its guide.

    It shows lines, also around the board, and pairs that must wait.
    """
    guide = Guide(story)
    board = catalog.position("onet:3,4 1,4,3,2/1,2,1,2/1,3,2,4")
    guide.show("onet_rules", board, mark="a1a2")
    guide.show("onet_outside", board, mark="a1a3")
    small = catalog.position("onet:2,4 1,3,1,2/1,2,3,1")
    guide.task("onet_small", small)
    guide.task("onet_order", board)
    guide.show("onet_end", board)
    return guide


GAME = Lesson("onet", "onet", onet, place=5)


# Onet's links: a search in waves, one for each number of turns.

BOARD = "onet:4,5 0,4,0,1,5/3,6,0,0,0/3,0,0,4,2/5,0,6,1,2"
LINKED, FAR = ("b1", "d3"), ("d1", "d4")


class Waves:
    """The search for a line from tile *first* to tile *second*, given by name such as ``b1``.

    Each wave is a step of the lesson: all cells that lines with so many turns reach.
    """

    def __init__(self, story: Story, position: OnetPosition, first: str, second: str) -> None:
        self.story, self.position = story, position
        grid = position.game.grid
        self.cells = grid.names.index(first), grid.names.index(second)
        self.names = {"first": first, "second": second}
        self.turns: dict[LinkPoint, int] = {}
        """The fewest turns to each empty cell."""
        self.found: int | None = None
        """The turns of the line to the second tile."""

    def run(self) -> None:
        """Add a step for each wave, until one touches the second tile or two turns are spent.

        If no wave touches it, a last step says so. `found` and `turns` are set.
        """
        links = OnetLinks(self.position.game.grid, self.position.tiles)
        fewest = links.spread(self.cells[0])
        if links.joins(*self.cells):
            self.found = len(links.path(*self.cells)) - 2
        for turns in range(1 + (MOST_LINK_TURNS if self.found is None else self.found)):
            new = {point for point in fewest if fewest[point] == turns}
            self._ask(turns, new)
            self.turns |= dict.fromkeys(new, turns)
            self.add_step(f"links_wave_{turns}", "run", turns=turns, cells=len(new))
        if self.found is None:
            self.add_step("links_far", "far", **self.names)

    def _ask(self, turns: int, cells: set[LinkPoint]) -> None:
        """Ask how many cells the first wave reaches; nothing for later waves.

        *turns* is the number of turns of the wave, *cells* are the points (row, column) that it
        reaches.
        """
        if turns == 0:
            slips = {"links_slip_inside": sum(map(self._inside, cells))}
            self.story.ask_number("cells", len(cells), "links_cells", slips, **self.names)

    def add_step(self, key: str, line: str, **values: TextValue) -> None:
        """Add a step with the board as the search has left it, and the text of *key*.

        *key* is without ``lesson.``; *line* is the name of the line of pseudo-code to highlight,
        *values* are further values of the text.
        """
        self.story.scene = Scene(self.position, drawing=self.drawing())
        values["reached"] = len(self.turns)
        self.story.add_step(key, values, line=line, variables="turns cells reached")

    def drawing(self) -> str:
        """Return the SVG of the turns to each cell reached, and of frames around both tiles."""
        numbers = (
            label(
                *place(self.position, point, outside=6),
                str(turns),
                15 if self._inside(point) else 12,
                class_=f"wave turns-{turns}",
            )
            for point, turns in sorted(self.turns.items())
        )
        size = {"width": UNIT - 6, "height": UNIT - 6, "rx": 10, "fill": "none"}
        corners = (corner(self.position.game.grid, cell) for cell in self.cells)
        frames = (
            tag("rect", x=x + 3, y=y + 3, **size, stroke_width=4, class_="highlight")
            for x, y in corners
        )
        return "".join((*numbers, *frames))

    def _inside(self, point: LinkPoint) -> bool:
        """Return whether a point, which may lie beside the board, is on it."""
        game = self.position.game
        return 0 <= point[0] < game.rows and 0 <= point[1] < game.columns


def _spread(story: Story) -> list[Waves]:
    """Add all steps of the lesson on links; return its two searches.

    The first is between two tiles that a line links, the second between two that none does.
    """
    position = cast("OnetPosition", catalog.position(BOARD))
    game = position.game
    story.scene = Scene(position)
    story.add_step("links_start", line="function")
    linked = Waves(story, position, *LINKED)
    linked.add_step("links_from", "start", **linked.names)
    linked.run()
    move = game.parse_move("".join(LINKED))
    turns = len(position.path(move)) - 2
    story.scene = Scene(position, marks=(move,))
    story.add_step(
        "links_found",
        {"turns": turns, "reached": len(linked.turns), **linked.names},
        line="found",
        variables="turns reached",
    )
    far = Waves(story, position, *FAR)
    far.add_step("links_other", "start", **far.names)
    far.run()
    story.add_step("links_end", line="function")
    return [linked, far]


LINKS = Lesson(
    "links", "onet", _spread, ("function", "start", "wave", "run", "run", "found", "far"), place=11
)


# Breadth first against depth first: the same graph, the same work, another order.

ORDERS: tuple[WalkOrder, ...] = ("breadth", "depth")
RADIUS = 10  # so that tiles are seen behind their vertices
SHOWN = 6
"""Vertices of a depth-first walk that are shown one by one."""


def compare_walks(story: Story) -> dict[WalkOrder, Walk]:
    """Add all steps of the lesson on walks; return the walks breadth first and depth first.

    Keys are "breadth" and "depth".
    """
    position = catalog.position(BOARD)
    graph = Drawing.of(position).graph("runs")
    origin, goal = LINKED
    walks = {order: graph.walk(origin, order) for order in ORDERS}
    story.scene = Scene(position)
    names: dict[str, TextValue] = {"first": origin, "second": goal}
    story.add_step("walks_start", names, line="function")
    story.scene = Scene(position, drawing=graph.drawn(radius=RADIUS))
    sizes = {"vertices": len(graph.vertices), "edges": len(graph.edges)}
    story.add_step("walks_graph", sizes, line="start", variables="vertices edges")
    _show_levels(story, position, graph, walks["breadth"])
    for count in range(1, SHOWN + 1):
        part = walks["depth"].begun(count)
        story.scene = Scene(position, drawing=graph.drawn(part, radius=RADIUS, rest=False))
        here: dict[str, TextValue] = {"vertex": part.visited[-1], "level": count - 1}
        key = "walks_deep" if count > 1 else "walks_depth"
        story.add_step(key, here | names, line="take", variables="vertex level")
    story.scene = Scene(position, drawing=graph.drawn(walks["depth"], radius=RADIUS, rest=False))
    edges = {order: len(walk.path(goal)) - 1 for order, walk in walks.items()}
    shortest = f"lesson.walks_name_{min(ORDERS, key=lambda order: edges[order])}"
    both = [f"lesson.walks_name_{order}" for order in ORDERS]
    far: dict[str, TextValue] = {str(order): count for order, count in edges.items()}
    story.ask_choice("order", shortest, both, "walks_order", **names, **far)
    deep: dict[str, TextValue] = {"edges": edges["depth"], "order": shortest, **names}
    story.add_step("walks_far", deep, line="take", variables="order")
    _count_looks(story, graph, origin, edges)
    story.add_step("walks_end", line="function")
    return walks


def _show_levels(story: Story, position: Position, graph: Graph, walk: Walk) -> None:
    """Add steps of the search breadth first, level by level, until the second tile is found.

    It is the second of LINKED, the tiles of the lesson. A level has the cells at the same distance
    from the first one, in edges. *walk* is the whole walk through *graph*, breadth first.
    """
    goal = walk.levels[LINKED[1]]
    for level in range(goal + 1):
        count = sum(each <= level for each in walk.levels.values())
        story.scene = Scene(
            position, drawing=graph.drawn(walk.begun(count), radius=RADIUS, rest=False)
        )
        fresh = sum(each == level for each in walk.levels.values())
        facts: dict[str, TextValue] = {"level": level, "vertices": fresh, "turns": level - 1}
        key = "origin" if level == 0 else "found" if level == goal else "level"
        if level == 1:
            story.ask_number("vertices", fresh, "walks_level", first=LINKED[0])
        story.add_step(
            f"walks_{key}",
            facts | {"first": LINKED[0], "second": LINKED[1]},
            line="wait",
            variables="level vertices",
        )


def _count_looks(story: Story, graph: Graph, origin: str, edges: dict[WalkOrder, int]) -> None:
    """Add a step with a table of how many edges each walk through *graph* looks up.

    It has a row for the walk breadth first and one for that depth first, with numbers for adjacency
    lists, O(V + E), and for a matrix, O(V²). *edges* is the length of the path that each order
    finds, in edges; *origin* the name of the vertex where walks begin.
    """
    looks = {order: graph.walk(origin, order).looks for order in ORDERS}
    rows: tuple[tuple[TextValue, ...], ...] = tuple(
        (f"lesson.walks_name_{order}", edges[order], *looks[order].values()) for order in ORDERS
    )
    table = columns(f"order path {' '.join(STORES)}", rows)
    work: dict[str, TextValue] = {store: looks["breadth"][store] for store in STORES}
    sizes: dict[str, TextValue] = {"vertices": len(graph.vertices), "edges": len(graph.edges)}
    shown = " ".join(STORES)
    story.add_step("walks_looks", sizes | work, line="look", variables=shown, table=table)


WALKS = Lesson(
    "walks",
    "onet",
    compare_walks,
    ("function", "start", "while", "take", "look", "wait"),
    place=12,
)
