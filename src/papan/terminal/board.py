"""The board on the screen: any picture, drawn as large as there is room, and spots to point at."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby, pairwise
from math import inf
from typing import ClassVar, NamedTuple, TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from papan.core import PLAIN, InvalidMoveError, Position, View
from papan.core.board import SEATS
from papan.core.game import Move
from papan.core.parts import Card, Drawing

CharacterPlace: TypeAlias = tuple[int, int]
"""Row and column of a character, counted from 0."""
Spots: TypeAlias = Mapping[str, Sequence[CharacterPlace]]


class Scale(NamedTuple):
    """Factors of width and height of a drawing, each 1, 2 or 4."""

    across: int
    """Factor of the width."""
    down: int
    """Factor of the height."""

    @property
    def half(self) -> int:
        """Number of rows, 0 or 1, that a cell gains above its character, and as many below."""
        return (self.down - 1) // 2


SCALES = {Scale(4, 4): 2, Scale(2, 2): 1, Scale(1, 2): 3, Scale(2, 1): 2, Scale(1, 1): 0}
"""Scales, the largest first, each with the least distance of columns of spots at which it is used:
lines must stay thinner than the boxes they make, and cells no narrower than high.
"""


REACH = 3
"""Columns from a spot within which a click still picks it."""


class Line(NamedTuple):
    """One line of a drawing."""

    text: str
    """Its characters."""
    owners: tuple[str | None, ...]
    """For each of its characters the name of the spot that it belongs to, or None."""


@dataclass(frozen=True)
class ScaledPicture:
    """A picture of a board drawn larger, with the spot under each character.

    A spot is a cell or line that can be picked, with a name such as ``b2``. A place is the row and
    column of a character, from 0.
    """

    lines: tuple[Line, ...]
    """Its lines from the top, all of the same width; at least one."""
    scale: Scale
    """How much larger it is drawn."""
    coloured: frozenset[CharacterPlace]
    """Places of characters that are marks of seats; elsewhere they are letters of coordinates."""

    @property
    def height(self) -> int:
        return len(self.lines)

    @property
    def width(self) -> int:
        return len(self.lines[0].text)

    @cached_property
    def owners(self) -> dict[CharacterPlace, str]:
        """The name of the spot at each place that has one, row by row."""
        return {
            (row, column): owner
            for row, line in enumerate(self.lines)
            for column, owner in enumerate(line.owners)
            if owner is not None
        }

    @cached_property
    def places(self) -> dict[str, list[CharacterPlace]]:
        """The places of each spot, by its name, row by row; one that is not drawn has no entry."""
        places: dict[str, list[CharacterPlace]] = {}
        for place, owner in self.owners.items():
            places.setdefault(owner, []).append(place)
        return places

    def spot_near(self, row: int, column: int) -> str | None:
        """Return the name of the spot at a place, or of the nearest within `REACH`; None for none.

        A row counts as two columns; of equally near places the upper counts, then the left one. A
        place outside the drawing is allowed.
        """
        near = [
            (2 * abs(down) + abs(right), spot)  # a character is twice as high as it is wide
            for down in range(-(REACH // 2), REACH // 2 + 1)
            for right in range(-REACH, REACH + 1)
            if (spot := self.owners.get((row + down, column + right)))
        ]
        far, spot = min(near, key=lambda each: each[0], default=(inf, None))
        return spot if far <= REACH else None

    def changes(self, other: ScaledPicture) -> dict[CharacterPlace, str]:
        """Return the characters of *other* that differ from this picture's, by their place.

        Empty if the sizes (height and width in characters) differ.
        """
        if (self.height, self.width) != (other.height, other.width):
            return {}
        return {
            (row, column): new
            for row, (mine, theirs) in enumerate(zip(self.lines, other.lines))
            for column, (old, new) in enumerate(zip(mine.text, theirs.text))
            if old != new
        }


def fitting_scale(picture: str, spots: Spots, width: int, height: int) -> Scale:
    """Return the largest of `SCALES` whose drawing fits in *width* x *height* characters.

    Scales for which columns of spots are too close to each other, as `SCALES` says, are passed
    over. The smallest scale if none fits. *picture* is the board as lines of characters, *spots*
    has the places of each spot in it. Raise ValueError for an empty picture.
    """
    columns = sorted({column for places in spots.values() for _, column in places[:1]})
    pitch = min((right - left for left, right in pairwise(columns)), default=1)
    for scale, least in SCALES.items():
        drawing = draw_scaled(picture, spots, scale)
        if pitch >= least and drawing.width <= width and drawing.height <= height:
            break
    return scale


def draw_scaled(picture: str, spots: Spots, scale: Scale) -> ScaledPicture:
    """Return *picture* (lines of characters) drawn *scale* times as large, with its *spots*.

    *spots* has the places of each spot in *picture*; in the drawing a spot also has the characters
    that are added beside these (see `_stretched` and `_between`). Raise ValueError for an empty
    picture.
    """
    texts = picture.splitlines()
    width = max(map(len, texts))
    owners = {place: name for name, places in spots.items() for place in places}
    wide = {name for name, places in spots.items() if _is_wide(places)}
    columns = _columns(width, owners, scale.across - 1)
    room = range(width + 1)  # with a blank beyond the edges
    lines = [
        _stretched(text.ljust(width + 1), [owners.get((row, each)) for each in room], columns, wide)
        for row, text in enumerate(texts)
    ]
    used_rows, used_columns = ({place[axis] for place in owners} for axis in (0, 1))
    stacked, marks = _stacked(lines, used_rows, wide, scale)
    coloured = frozenset(
        (row, at)
        for row in marks
        for at, (column, beside) in enumerate(columns)
        if column == beside and column in used_columns
    )
    return ScaledPicture(tuple(stacked), scale, coloured)


def _is_wide(places: Sequence[CharacterPlace]) -> bool:
    """Return whether *places*, those of a spot, have more than twice as many columns as rows.

    Such a spot is a horizontal line, which grows along its length only.
    """
    rows, columns = ({place[axis] for place in places} for axis in (0, 1))
    return len(columns) > 2 * len(rows)


def _columns(width: int, owners: Mapping[CharacterPlace, str], pad: int) -> list[CharacterPlace]:
    """Return for each column of a drawing two columns (from 0) of the picture, from left to right.

    The first is the column that it belongs to. The second is the same for the *width* columns of
    the picture itself; each column with spots gets *pad* further ones left and right of it, whose
    second is the neighbour on that side: -1 or *width* beyond the edges. There are none between two
    columns if a spot has characters beside each other in both. *owners* has the spot at each place
    of the picture.
    """
    joined = {
        column for (row, column), owner in owners.items() if owners.get((row, column + 1)) == owner
    }
    padded = {column for _, column in owners}
    found = list[CharacterPlace]()
    for column in range(width):
        left, right = column in padded and column - 1 not in joined, column in padded - joined
        found += [(column, column - 1)] * pad * left
        found += [(column, column), *[(column, column + 1)] * pad * right]
    return found


def _stretched(
    text: str, owners: Sequence[str | None], columns: Sequence[CharacterPlace], wide: set[str]
) -> Line:
    """Return the line *text* of the picture with the *columns* of `_columns`.

    *owners* has the spot of each character of *text* (None: none); both end with a blank beyond the
    right edge, which stands for the left one, too. New columns belong to the spot of the first of
    their two, or else to that of the second if it is in *wide* (names of horizontal lines). A ``-``
    in one of the two goes on through them; they are blank otherwise.
    """
    marks = (
        text[here] if here == beside else _line("-", text[here], text[beside])
        for here, beside in columns
    )
    grown = (
        owners[here] or (owners[beside] if owners[beside] in wide else None)
        for here, beside in columns
    )
    return Line("".join(marks), tuple(grown))


def _stacked(
    lines: Sequence[Line], used: set[int], wide: set[str], scale: Scale
) -> tuple[list[Line], list[int]]:
    """Return *lines* with gaps between them, and the indexes of the *used* ones in the result.

    *used* are the indexes of the lines with spots, which alone get gaps beside them: of
    ``scale.down - 1`` lines between two of them, else of ``scale.half``, also at the edges. *wide*
    are the names of the spots that do not grow into gaps.
    """
    blank = Line(" " * len(lines[0].text), (None,) * len(lines[0].text))
    stacked, landed = list[Line](), list[int]()
    for row in range(len(lines) + 1):
        gap = (0, scale.half, scale.down - 1)[(row - 1 in used) + (row in used)]
        above, below = (lines[each] if each in used else blank for each in (row - 1, row))
        stacked += [_between(above, below, place, gap, wide) for place in range(gap)]
        landed += [len(stacked)] * (row in used)
        stacked += lines[row : row + 1]
    return stacked, landed


def _between(above: Line, below: Line, place: int, gap: int, wide: set[str]) -> Line:
    """Return line *place* (from 0) of a gap of *gap* lines between the lines *above* and *below*.

    Spots grow into it, as `_gap_owner` says, except those in *wide* (names). A ``|`` above or below
    goes on through it; all else is blank.
    """
    marks = "".join(_line("|", *pair) for pair in zip(above.text, below.text))
    owners = (
        _gap_owner(None if upper in wide else upper, None if lower in wide else lower, place, gap)
        for upper, lower in zip(above.owners, below.owners)
    )
    return Line(marks, tuple(owners))


def _gap_owner(upper: str | None, lower: str | None, place: int, gap: int) -> str | None:
    """Return the spot that owns line *place* (from 0) of a gap of *gap* lines between two lines.

    *upper* and *lower* are the spots above and below (None: none). If both are the same, or only
    one is a spot, the whole gap is its own. Else each owns the lines next to it, and the middle one
    or two lines belong to neither: None.
    """
    if not upper or not lower or upper == lower:
        return upper or lower
    half = (gap - 1) // 2
    return upper if place < half else lower if place >= gap - half else None


def _line(mark: str, *neighbours: str) -> str:
    """Return *mark* if it is one of *neighbours*, to draw lines on through gaps; else a blank."""
    return mark if mark in neighbours else " "


LINES = {"-": "\u2501", "|": "\u2503"}
"""Characters of lines between dots, drawn without gaps."""
NAMES = (
    *("spot", "odd", "first", "second", "last", "preview", "hint", "picked"),
    *("lit", "first-lit", "second-lit"),
)
"""Roles of a character, each with a style of its own: of a spot (``odd``: every other one), a mark
of the first or second seat, changed by the last move, changed by the move under the pointer,
hinted, picked, under the pointer (``lit``).
"""

StyledCharacter = tuple[str, tuple[str, ...]]
"""A character and its roles, the most important last."""


@dataclass(frozen=True)
class BoardLook:
    """A drawing, and what is highlighted on it."""

    drawing: ScaledPicture
    odd: Collection[str] = ()
    """Names of spots in a second shade, where cells touch each other."""
    last: Collection[CharacterPlace] = ()
    """Places that the last move changed."""
    preview: Mapping[CharacterPlace, str] = field(default_factory=dict)
    """Characters that the move under the pointer would change, by place."""
    hint: tuple[str, ...] = ()
    """Names of the spots of the moves that a hint shows."""
    picked: tuple[str, ...] = ()
    """Names of the spots of a move that is not complete yet."""
    lit: str | None = None
    """Name of the spot under the pointer or the cursor; None if there is none."""

    def cells(self, row: int) -> list[StyledCharacter]:
        """Return the characters of a row (from 0), each with its roles (of `NAMES`).

        A line of a spot is drawn with the characters of `LINES`; brackets stand beside hinted and
        picked spots. Raise IndexError for a row below the drawing.
        """
        cells = []
        for column, (mark, owner) in enumerate(zip(*self.drawing.lines[row])):
            place = (row, column)
            mark = self._brackets.get(place, self.preview.get(place, mark))
            shown = LINES.get(mark, mark) if owner is not None else mark
            cells.append((shown, tuple(self._names(place, mark, owner))))
        return cells

    def _names(self, place: CharacterPlace, mark: str, owner: str | None) -> list[str]:
        """Return the roles (of `NAMES`) of the character *mark* at *place*, the strongest last.

        *owner* is the name of its spot, None for none. Empty for a character without any role.
        """
        names = [] if owner is None else ["odd" if owner in self.odd else "spot"]
        seat = SEATS.get(mark) if place in self.drawing.coloured else None
        names += [seat] if seat else []
        names += ["last"] * (place in self.last) + ["preview"] * (place in self.preview)
        names += ["hint"] * (owner in self.hint) + ["picked"] * (owner in self.picked)
        if owner is not None and owner == self.lit:
            names += ["lit", f"{seat}-lit"] if seat else ["lit"]
        return names

    @cached_property
    def _brackets(self) -> dict[CharacterPlace, str]:
        """Brackets beside the spots of the hint ([]) and the picked ones (><), by place.

        They are for people who see no colours, and stand only where the drawing is blank.
        """
        marks: dict[CharacterPlace, str] = {}
        for spots, (left, right) in ((self.hint, "[]"), (self.picked, "><")):
            for places in filter(None, map(self.drawing.places.get, spots)):  # one may be hidden
                row = places[0][0] + self.drawing.scale.half
                if columns := [column for line, column in places if line == row]:
                    outside = len(columns) < 3
                    marks[row, columns[0] - outside] = left
                    marks[row, columns[-1] + outside] = right
        lines = self.drawing.lines
        return {
            (row, column): mark
            for (row, column), mark in marks.items()
            if lines[row].text[column : column + 1] == " "
        }


def spot_towards(spots: Spots, spot: str, down: int, right: int) -> str:
    """Return the name of the nearest spot from *spot* in a direction.

    *down* and *right* are -1, 0 or 1; what lies aside of the direction counts twice as far, and of
    equally far spots the first of *spots* is taken. *spot* itself if there is none in that
    direction. Raise KeyError if *spots* has no such *spot*.
    """
    row, column = _middle(spots[spot])

    def detour(name: str) -> tuple[float, float]:
        there = _middle(spots[name])
        far = (there[0] - row) * down + (there[1] - column) * right
        aside = abs((there[0] - row) * right) + abs((there[1] - column) * down)
        return (far + 2 * aside, far) if far > 0 else (inf, 0)

    best = min(spots, key=detour)
    return spot if detour(best)[0] == inf else best


def central_spot(spots: Spots) -> str:
    """Return the name of the spot nearest to the middle of all *spots*.

    Raise ZeroDivisionError if there are none.
    """
    row, column = _middle([place for places in spots.values() for place in places])

    def far(name: str) -> float:
        there = _middle(spots[name])
        return abs(there[0] - row) + abs(there[1] - column)

    return min(spots, key=far)


def spots_of(spots: Spots, name: str) -> tuple[str, ...]:
    """Return the names of the one or two spots in the name of a move: a1 and b2 in ``a1b2``.

    Empty if *spots*, those of the picture, has no such spots.
    """
    if name in spots:
        return (name,)
    pairs = ((first, name.removeprefix(first)) for first in spots if name.startswith(first))
    return next((pair for pair in pairs if pair[1] in spots), ())


def odd_spots(spots: Spots) -> set[str]:
    """Return the names of every other spot, as on a chess board: the first spot is not among them.

    Rows and columns are counted by the first places of spots. Empty if there are no spots.
    """
    corners = {name: places[0] for name, places in spots.items()}
    rows, columns = (sorted({corner[axis] for corner in corners.values()}) for axis in (0, 1))
    colours = {
        name: (rows.index(row) + columns.index(column)) % 2
        for name, (row, column) in corners.items()
    }
    return {name for name, colour in colours.items() if colour != next(iter(colours.values()))}


def _middle(places: Sequence[CharacterPlace]) -> tuple[float, float]:
    """Return how far down and right the middle of *places* is, in widths of a character.

    A character is twice as high as wide. Raise ZeroDivisionError without places.
    """
    count = len(places)
    return 2 * sum(row for row, _ in places) / count, sum(column for _, column in places) / count


class Board(ScrollView, can_focus=True, inherit_bindings=False):
    """The widget of a board: a position with its last move, hint, picked spots and cursor.

    *steered*: a person plays, so that the board has a cursor and takes keys and clicks. It posts
    `Picked`, and makes no moves itself. Until `show` is called there is no last move.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"board--{name}" for name in NAMES}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "steer(-1, 0)", show=False),
        Binding("down", "steer(1, 0)", show=False),
        Binding("left", "steer(0, -1)", show=False),
        Binding("right", "steer(0, 1)", show=False),
        Binding("enter,space", "pick", show=False),
    ]

    @dataclass
    class Picked(Message):
        """Message to the screen: the person picked a spot, by key or click."""

        spot: str
        """Its name."""

    def __init__(self, position: Position, steered: bool = True) -> None:
        super().__init__()
        self.position = position
        self.view = PLAIN
        self.can_focus = steered
        self.active = False
        """True if a person may move: only then the board shows what a move would change."""
        self.spots = Drawing.of(position).spots()
        self.cursor = central_spot(self.spots) if self.spots and steered else None
        self.hover: str | None = None
        self.hint: tuple[str, ...] = ()
        self.picked: tuple[str, ...] = ()
        self._styles: dict[tuple[str, ...], Style] = {}
        self._look = BoardLook(draw_scaled(Drawing.of(position).picture(), self.spots, Scale(1, 1)))

    def show(self, position: Position, view: View, active: bool) -> None:
        """Show *position*; *view* has the moves that led to it.

        *active* says whether a person may move: only then the board shows what a move would change.
        """
        self.position, self.view, self.active = position, view, active
        self.redraw()

    def redraw(self) -> None:
        """Draw the present position again, as large as there is room for."""
        self.spots = Drawing.of(self.position).spots()
        picture = Drawing.of(self.position).picture(self.view)
        scale = fitting_scale(picture, self.spots, self.size.width, self.size.height)
        drawing = draw_scaled(picture, self.spots, scale)
        odd = odd_spots(self.spots) if scale.down == 1 else ()
        self._look = BoardLook(drawing, odd, self._changed_by_last_move(drawing))
        self.virtual_size = Size(drawing.width, drawing.height)
        self.point()

    @on(events.Focus)
    @on(events.Blur)
    def point(self) -> None:
        """Show cursor, hint, picked spots and what a move would change on the same drawing.

        The spot under the pointer counts, or else the cursor while the board has the focus. Call it
        after a change of `hint` or `picked`.
        """
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

    def action_steer(self, down: int, right: int) -> None:
        """Move the cursor to the next spot in a direction, if there is a cursor and such a spot.

        *down* and *right* are -1, 0 or 1: see `spot_towards`.
        """
        if self.cursor is not None:
            self.cursor = spot_towards(self.spots, self.cursor, down, right)
            self.hover = None
            self.point()
            self._keep_cursor_visible()

    def action_pick(self) -> None:
        """Post `Picked` with the spot under the cursor; do nothing without a cursor."""
        if self.cursor is not None:
            self.post_message(self.Picked(self.cursor))

    def on_key(self, event: events.Key) -> None:
        """Pick a spot by typing its digit, in games whose moves are numbers; else leave the key."""
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
        """Return the style of a character with the roles *names* (of `NAMES`): later ones win.

        It is cached until the theme changes, because Textual takes long to compute it.
        """
        if names not in self._styles:
            style = self.rich_style
            for name in names:
                style += self.get_component_rich_style(f"board--{name}", partial=True)
            self._styles[names] = style
        return self._styles[names]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()

    def _changed_by_last_move(self, drawing: ScaledPicture) -> Collection[CharacterPlace]:
        """Return the places of *drawing* that the last move changed; empty before the first.

        Empty, too, if the drawing before it had another size.
        """
        if not self.view.played:
            return ()
        before, _ = self.view.played[-1]
        picture = Drawing.of(before).picture(View(self.view.played[:-1]))
        return draw_scaled(picture, Drawing.of(before).spots(), drawing.scale).changes(drawing)

    def _changed_by(self, spot: str | None) -> dict[CharacterPlace, str]:
        """Return the new characters, by place, where the move completed by *spot* would change any.

        Empty if it completes none, the move is not legal, *spot* is None, or no person may move.
        Raise InvalidMoveError if the names of the spots are no move.
        """
        move = self.move_by(spot) if spot and self.active else None
        if move is None or move not in self.position.moves():
            return {}
        drawing, after = self._look.drawing, self.position.child(move)
        picture = Drawing.of(after).picture(View((*self.view.played, (self.position, move))))
        return drawing.changes(draw_scaled(picture, Drawing.of(after).spots(), drawing.scale))

    def move_by(self, spot: str) -> Move | None:
        """Return the move that *spot* completes, with the spots picked before it, legal or not.

        None while another spot must be picked. Raise InvalidMoveError if the names are no move.
        """
        names = (*self.picked, spot)
        game = self.position.game
        return (
            game.parse_move("".join(names)) if len(names) == Card.of(game).spots_in_a_move else None
        )

    def region_of(self, spot: str) -> Region:
        """Return the region of *spot* in characters, from where the widget's corner is unscrolled.

        The margins around a drawing that is smaller than the widget count. Raise KeyError if the
        drawing has no such spot.
        """
        places = self._look.drawing.places[spot]
        (top, left), (bottom, right) = places[0], places[-1]
        region = Region(left, top, right - left + 1, bottom - top + 1)
        return region.translate(self._margins())

    def _spot_under(self, event: events.MouseEvent) -> str | None:
        """Return the name of the spot at or near the pointer of *event*; None if there is none."""
        left, top = self._margins()
        at = event.get_content_offset(self)
        if at is None:
            return None
        row, column = at.y + self.scroll_offset.y - top, at.x + self.scroll_offset.x - left
        return self._look.drawing.spot_near(row, column)

    def _margins(self) -> tuple[int, int]:
        """Return the numbers of blank columns left of the drawing, and of blank rows above it.

        Each is 0 where it does not fit the widget.
        """
        return (
            max(0, (self.size.width - self._look.drawing.width) // 2),
            max(0, (self.size.height - self._look.drawing.height) // 2),
        )

    def _keep_cursor_visible(self) -> None:
        if self.cursor is not None:
            self.scroll_to_region(self.region_of(self.cursor), animate=False, force=True)
