"""The board on the screen: it shows any picture and lets people point at its spots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from papan.core import PLAIN, InvalidMoveError, Position, View
from papan.core.game import Move
from papan.terminal.drawing import Drawing, Place, Scale, Spots, draw, fitting_scale

MARKS = {"x": "first", "o": "second"}
"""The marks of the seats in pictures."""
LINES = {"-": "\u2501", "|": "\u2503"}
"""Lines between dots, drawn without gaps."""
NAMES = (
    *("spot", "odd", "first", "second", "last", "preview", "hint", "picked"),
    *("lit", "first-lit", "second-lit"),
)
"""All that a character can be."""

Cell = tuple[str, tuple[str, ...]]
"""A character and what it is, the most important last."""


@dataclass(frozen=True)
class Look:
    """A drawing, and what is to be seen on it; spots by their names."""

    drawing: Drawing
    odd: Collection[str] = ()
    """Spots in another shade, where cells touch each other."""
    last: Collection[Place] = ()
    """What the last move changed."""
    preview: Mapping[Place, str] = field(default_factory=dict)
    """What the move under the pointer would change."""
    hint: tuple[str, ...] = ()
    picked: tuple[str, ...] = ()
    lit: str | None = None
    """The spot under the pointer."""

    def cells(self, row: int) -> list[Cell]:
        """The characters of a row."""
        text, owners = self.drawing.lines[row]
        brackets = self._brackets(row)
        cells = []
        for column, (mark, owner) in enumerate(zip(text, owners)):
            place = (row, column)
            mark = brackets.get(column, self.preview.get(place, mark))
            shown = LINES.get(mark, mark) if owner is not None else mark
            cells.append((shown, tuple(self._names(place, mark, owner))))
        return cells

    def _names(self, place: Place, mark: str, owner: str | None) -> list[str]:
        names = [] if owner is None else ["odd" if owner in self.odd else "spot"]
        seat = MARKS.get(mark) if place in self.drawing.coloured else None
        names += [seat] if seat else []
        names += ["last"] * (place in self.last) + ["preview"] * (place in self.preview)
        names += ["hint"] * (owner in self.hint) + ["picked"] * (owner in self.picked)
        if owner is not None and owner == self.lit:
            names += ["lit", f"{seat}-lit"] if seat else ["lit"]
        return names

    def _brackets(self, row: int) -> dict[int, str]:
        """Marks beside the hint and the picked spots, for those who see no colours."""
        marks = {}
        for names, (left, right) in ((self.hint, "[]"), (self.picked, "><")):
            for name in names:
                columns = self._columns(name, row)
                if columns:
                    outside = len(columns) < 3
                    marks[columns[0] - outside] = left
                    marks[columns[-1] + outside] = right
        text = self.drawing.lines[row].text
        return {column: mark for column, mark in marks.items() if text[column : column + 1] == " "}

    def _columns(self, spot: str, row: int) -> list[int]:
        """The columns of *spot* in *row*, if that is where its first characters are."""
        places = self.drawing.places.get(spot, [(-1, 0)])
        first = places[0][0] + self.drawing.scale.half
        return [column for line, column in places if line == row == first]


def spot_towards(spots: Spots, spot: str, down: int, right: int) -> str:
    """The next spot in a direction; the same one where there is none."""
    row, column = _middle(spots[spot])

    def detour(name: str) -> tuple[float, float]:
        there = _middle(spots[name])
        far = (there[0] - row) * down + (there[1] - column) * right
        aside = abs((there[0] - row) * right) + abs((there[1] - column) * down)
        return (far + 2 * aside, far) if far > 0 else (float("inf"), 0)

    best = min(spots, key=detour)
    return spot if detour(best)[0] == float("inf") else best


def central_spot(spots: Spots) -> str:
    """The spot nearest to the middle of all."""
    row, column = _middle([place for places in spots.values() for place in places])

    def far(name: str) -> float:
        there = _middle(spots[name])
        return abs(there[0] - row) + abs(there[1] - column)

    return min(spots, key=far)


def spots_of(spots: Spots, name: str) -> tuple[str, ...]:
    """The spots that the name of a move is made of; none where the picture does not show them."""
    if name in spots:
        return (name,)
    pairs = ((first, name.removeprefix(first)) for first in spots if name.startswith(first))
    return next((pair for pair in pairs if pair[1] in spots), ())


def odd_spots(spots: Spots) -> set[str]:
    """Every other spot, as on a chess board: for cells that touch each other."""
    corners = {name: places[0] for name, places in spots.items()}
    rows, columns = (sorted({corner[axis] for corner in corners.values()}) for axis in (0, 1))
    colours = {
        name: (rows.index(row) + columns.index(column)) % 2
        for name, (row, column) in corners.items()
    }
    return {name for name, colour in colours.items() if colour != next(iter(colours.values()))}


def _middle(places: Sequence[Place]) -> tuple[float, float]:
    """The middle of some places; a character is twice as high as it is wide."""
    count = len(places)
    return 2 * sum(row for row, _ in places) / count, sum(column for _, column in places) / count


class Board(ScrollView, can_focus=True, inherit_bindings=False):
    """A position with its last move, the hint, the spots picked so far, and the cursor."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{name}" for name in NAMES}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "steer(-1, 0)", show=False),
        Binding("down", "steer(1, 0)", show=False),
        Binding("left", "steer(0, -1)", show=False),
        Binding("right", "steer(0, 1)", show=False),
        Binding("enter,space", "pick", show=False),
    ]

    class Picked(Message):
        """Someone picked a spot."""

        def __init__(self, spot: str) -> None:
            super().__init__()
            self.spot = spot

    def __init__(self, position: Position, steered: bool = True) -> None:
        super().__init__()
        self.position = position
        self.view = PLAIN
        self.can_focus = steered
        self.active = False
        """May a person move? Only then the board shows what a move would change."""
        self.spots = position.spots()
        self.cursor = central_spot(self.spots) if self.spots and steered else None
        self.hover: str | None = None
        self.hint: tuple[str, ...] = ()
        self.picked: tuple[str, ...] = ()
        self._styles: dict[tuple[str, ...], Style] = {}
        self._look = Look(self._draw(position, PLAIN, Scale(1, 1)))

    def show(self, position: Position, view: View, active: bool) -> None:
        """Show *position* with what was played before; *active* while a person may move."""
        self.position, self.view, self.active = position, view, active
        self.redraw()

    def redraw(self) -> None:
        """Draw the board anew, as large as there is room for."""
        self.spots = self.position.spots()
        picture = self.position.picture(self.view)
        scale = fitting_scale(picture, self.spots, self.size.width, self.size.height)
        drawing = draw(picture, self.spots, scale)
        odd = odd_spots(self.spots) if scale.down == 1 else ()
        self._look = Look(drawing, odd, self._changed_by_last_move(drawing))
        self.virtual_size = Size(drawing.width, drawing.height)
        self.point()

    def point(self) -> None:
        """Show the cursor, the hint and what the move under the pointer would change."""
        spot = self.hover or (self.cursor if self.has_focus else None)
        self._look = replace(
            self._look,
            preview=self._changed_by(spot),
            hint=self.hint,
            picked=self.picked,
            lit=spot,
        )
        self.refresh()

    def on_resize(self) -> None:
        self.redraw()
        self._keep_cursor_visible()

    def on_focus(self) -> None:
        self.point()

    def on_blur(self) -> None:
        self.point()

    def action_steer(self, down: int, right: int) -> None:
        """Move the cursor."""
        if self.cursor is not None:
            self.cursor = spot_towards(self.spots, self.cursor, down, right)
            self.hover = None
            self.point()
            self._keep_cursor_visible()

    def action_pick(self) -> None:
        """Pick the spot under the cursor."""
        if self.cursor is not None:
            self.post_message(self.Picked(self.cursor))

    def on_key(self, event: events.Key) -> None:
        """Digits that name a spot pick it, where moves are numbers."""
        if event.character is None or not event.character.isdigit():
            return
        try:
            name = self.position.game.move_name(self.position.game.parse_move(event.character))
        except InvalidMoveError:
            return
        if name in self.spots:
            event.stop()
            self.cursor = name
            self.action_pick()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        spot = self._spot_under(event)
        if spot != self.hover and self.can_focus:
            self.hover = spot
            self.point()

    def on_leave(self) -> None:
        self.hover = None
        self.point()

    def on_click(self, event: events.Click) -> None:
        spot = self._spot_under(event)
        if spot is not None and self.can_focus:
            self.cursor = spot
            self.action_pick()

    def render_line(self, y: int) -> Strip:
        left, top = self._margins()
        row = y + self.scroll_offset.y - top
        if not 0 <= row < self._look.drawing.height:
            return Strip.blank(self.size.width, self._style(()))
        segments = [
            Segment("".join(mark for mark, _ in run), self._style(names))
            for names, run in groupby(self._look.cells(row), key=lambda cell: cell[1])
        ]
        line = Strip([Segment(" " * left, self._style(())), *segments])
        first = self.scroll_offset.x
        return line.crop_extend(first, first + self.size.width, self._style(()))

    def _style(self, names: tuple[str, ...]) -> Style:
        """The style of a character; found once and kept, because Textual takes long to find it."""
        if names not in self._styles:
            style = self.rich_style
            for name in names:
                style += self.get_component_rich_style(f"board--{name}", partial=True)
            self._styles[names] = style
        return self._styles[names]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()

    def _draw(self, position: Position, view: View, scale: Scale) -> Drawing:
        return draw(position.picture(view), position.spots(), scale)

    def _changed_by_last_move(self, drawing: Drawing) -> Collection[Place]:
        if not self.view.played:
            return ()
        before, _ = self.view.played[-1]
        return self._draw(before, View(self.view.played[:-1]), drawing.scale).changes(drawing)

    def _changed_by(self, spot: str | None) -> dict[Place, str]:
        """What the move that *spot* completes would change; nothing if it is not legal."""
        move = self.move_by(spot) if spot and self.active else None
        if move is None or move not in self.position.moves():
            return {}
        played = View((*self.view.played, (self.position, move)))
        drawing = self._look.drawing
        return drawing.changes(self._draw(self.position.child(move), played, drawing.scale))

    def move_by(self, spot: str) -> Move | None:
        """The move that *spot* completes; None while another spot is to be picked."""
        names = (*self.picked, spot)
        game = self.position.game
        return game.parse_move("".join(names)) if len(names) == game.spots_in_a_move else None

    def region_of(self, spot: str) -> Region:
        """Where *spot* is shown, counted from the corner of the whole board."""
        places = self._look.drawing.places[spot]
        (top, left), (bottom, right) = places[0], places[-1]
        region = Region(left, top, right - left + 1, bottom - top + 1)
        return region.translate(self._margins())

    def _spot_under(self, event: events.MouseEvent) -> str | None:
        left, top = self._margins()
        at = event.get_content_offset(self)
        if at is None:
            return None
        row, column = at.y + self.scroll_offset.y - top, at.x + self.scroll_offset.x - left
        return self._look.drawing.spot_near(row, column)

    def _margins(self) -> tuple[int, int]:
        """The room left of and above a board that is smaller than its place."""
        return (
            max(0, (self.size.width - self._look.drawing.width) // 2),
            max(0, (self.size.height - self._look.drawing.height) // 2),
        )

    def _keep_cursor_visible(self) -> None:
        if self.cursor is not None:
            self.scroll_to_region(self.region_of(self.cursor), animate=False, force=True)
