"""The board on the screen: it shows any picture and lets people point at its spots."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
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

from papan.cli.screen.drawing import Drawing, Place, Scale, draw, fitting_scale
from papan.cli.screen.look import NAMES, Look
from papan.cli.screen.steering import central_spot, odd_spots, spot_towards
from papan.core import PLAIN, InvalidMoveError, Position, View
from papan.core.game import Move


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
