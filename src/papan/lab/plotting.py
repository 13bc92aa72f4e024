"""Draw axes, curves and bars as SVG; `papan.lab.figures` makes charts of them.

Series differ by colour, and also by marker, dash or hatching. Text stays text, so that it can be
searched and read aloud. Nothing needs a style sheet, as the policy of a page may forbid styles.
Lengths are in SVG units, about a hundredth of an inch; y grows downwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, inf, log10
from typing import NamedTuple

from papan.core.drawing import NAMESPACE, tag

CHART_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Palette of Okabe and Ito: distinct for every kind of colour vision, and in grey."""
DASHES = ("", "7 4", "8 3 2 3", "2 3", "10 2 2 2 2 2", "1 2")
HATCHES = (
    "",
    "M-2 2l4-4M0 8l8-8M6 10l4-4",
    "M2 2h.1M6 6h.1",
    "M0 8l8-8M0 0l8 8",
    "M-2 6l4 4M0 0l8 8M6-2l4 4",
    "M4 0v8M0 4h8",
)
"""Paths on a square of 8 by 8, repeated over a bar."""
MARKERS = (
    "M-3.2 0a3.2 3.2 0 1 0 6.4 0a3.2 3.2 0 1 0-6.4 0z",
    "M-2.9-2.9h5.8v5.8h-5.8z",
    "M0-3.6l3.6 6.4h-7.2z",
    "M0-4l4 4-4 4-4-4z",
    "M0 3.6l3.6-6.4h-7.2z",
    "M-1.3-3.9h2.6v2.6h2.6v2.6h-2.6v2.6h-2.6v-2.6h-2.6v-2.6h2.6z",
)
INK = "currentColor"
"""Colour of text and axes: that of the text around the drawing."""
GRID = "#8884"
FONT, SMALL = 12.0, 11.0
"""Font sizes in SVG units: names of axes and series; numbers at ticks."""
TICK, GAP = 4.0, 6.0
"""Length of a tick, and gap between things that must not touch, in SVG units."""
PADDING = 0.05
"""Share of an axis that is left free beyond the first and the last value."""
SAMPLE = 30.0
"""Width of the piece of line or bar in a legend, in SVG units."""


def hundredths(value: float) -> float:
    """Return a coordinate, in SVG units, rounded to two decimals: nobody sees the difference."""
    return round(value, 2) + 0.0  # -0.0 becomes 0.0


def text_width(text: str, size: float = FONT) -> float:
    """Return the estimated width in SVG units of *text* in sans-serif letters of *size* units."""
    narrow, wide = "iljtfrI.,:;|!'()[] ", "mwMW%@\u2212"
    shares = (0.34 if each in narrow else 0.92 if each in wide else 0.62 for each in text)
    return size * sum(shares)


@dataclass(frozen=True)
class Axis:
    """One direction of a panel: the values at its ends, and its ticks with their texts.

    *low* is at the left or at the bottom, even if it is the larger value. *ticks* are values,
    *texts* what is written at each. If *log* the axis is logarithmic: ends and ticks must then be
    above 0; not checked.
    """

    label: str
    """What is along it, for people."""
    low: float
    high: float
    ticks: tuple[float, ...]
    texts: tuple[str, ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Return where *value* lies, 0 at *low* to 1 at *high*: (value - low) / (high - low).

        If *log*, these are logarithms; then raise ValueError unless *value* is positive. *low* and
        *high* must differ.
        """
        if self.log:
            value, low, high = (log10(each) for each in (value, self.low, self.high))
        else:
            low, high = self.low, self.high
        return (value - low) / (high - low)


def value_axis(
    label: str,
    values: Sequence[float],
    form: Callable[[float], str],
    *,
    log: bool = False,
    ends: tuple[float, float] | None = None,
) -> Axis:
    """Return an axis that shows all *values*, with round numbers at its ticks; *label* is its name.

    *form* writes the number at a tick. If *log* the axis is logarithmic: values that are not above
    0 have no place on it and are ignored. Without values to show, an axis of either kind shows the
    surroundings of 1. *ends* are the values at the low and the high end, whether all *values* lie
    between them or not; None: the axis reaches a little beyond the values. Raise ValueError if
    *log* and an end is not above 0, or if the low end is not below the high one.
    """
    shown = [value for value in values if not log or value > 0] or [1.0]
    low, high = ends or _ends(min(shown), max(shown), log)
    ticks = log_ticks(low, high, 7) if log else linear_ticks(low, high, 8)
    return Axis(label, low, high, ticks, tuple(map(form, ticks)), log)


def _ends(low: float, high: float, log: bool) -> tuple[float, float]:
    """Return the ends of an axis, a little beyond the smallest value *low* and the largest *high*.

    If *log*, the axis is logarithmic; then raise ValueError unless both are above 0.
    """
    if log:
        room = max(PADDING * (log10(high) - log10(low)), 0.03)
        return 10 ** (log10(low) - room), 10 ** (log10(high) + room)
    room = PADDING * (high - low) or 1.0
    return low - room, high + room


def category_axis(label: str, names: Sequence[str], downwards: bool = False) -> Axis:
    """Return an axis with *names* at the values 0, 1, 2 …; *downwards*: the first is on top."""
    ends = -0.5, len(names) - 0.5
    low, high = reversed(ends) if downwards else ends
    return Axis(label, low, high, tuple(map(float, range(len(names)))), tuple(names))


def linear_ticks(low: float, high: float, most: int, least: float = 0.0) -> tuple[float, ...]:
    """Return round values from *low* to *high*, about *most* of them, at least *least* apart.

    They ascend, and are multiples of 1, 2 or 5 times a power of ten. Raise ValueError if *low* is
    not below *high* and *least* is 0.
    """
    rough = max((high - low) / most, least)
    power = 10.0 ** floor(log10(rough))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough * 0.999)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return tuple(round(place * step, 12) for place in range(first, last + 1))


def log_ticks(low: float, high: float, most: int) -> tuple[float, ...]:
    """Return powers of ten from *low* to *high*, *most* of them at most, ascending.

    If at most one power of ten lies there, return instead those of 1, 2 and 5 times powers of ten
    that do; empty if there are none. Raise ValueError unless both ends are above 0.
    """
    exponents = range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)
    if len(exponents) > 1:
        return tuple(10.0**each for each in exponents[:: ceil(len(exponents) / most)])
    around = range(floor(log10(low)), ceil(log10(high)) + 1)
    fine = (factor * 10.0**each for each in around for factor in (1, 2, 5))
    return tuple(each for each in fine if low <= each <= high)


class CurveLook(NamedTuple):
    """Style of a curve: indexes into CHART_COLOURS, DASHES and MARKERS, taken modulo their length.

    The colour -1 is grey; the marker None is none.
    """

    colour: int
    dash: int
    marker: int | None

    @property
    def stroke(self) -> dict[str, object]:
        """The SVG attributes of the line, as `tag` takes them: colour, width, dashes."""
        colour = CHART_COLOURS[self.colour % len(CHART_COLOURS)] if self.colour >= 0 else "#777777"
        dash = DASHES[self.dash % len(DASHES)]
        width = 1.8 if self.colour >= 0 else 1.2
        return {"stroke": colour, "stroke_width": width} | (
            {"stroke_dasharray": dash} if dash else {}
        )

    def mark(self, x: float, y: float) -> str:
        """Return the SVG of the marker at (x, y), in SVG units; empty if the curve has none."""
        if self.marker is None:
            return ""
        shape = MARKERS[self.marker % len(MARKERS)]
        move = f"translate({hundredths(x):g} {hundredths(y):g})"
        return tag("path", d=shape, transform=move, fill=self.stroke["stroke"])


@dataclass(frozen=True)
class Curve:
    """A line through points in their order; *low* and *high* are the ends of each y's interval.

    All are values on the axes, not coordinates. *x* must ascend, and be as long as *y*; *low* and
    *high*, too, unless they are empty, as there are no intervals: not checked.
    """

    label: str
    """Name in the legend; empty: none."""
    x: Sequence[float]
    y: Sequence[float]
    look: CurveLook
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    whiskers: bool = False
    """True to draw intervals as whiskers instead of a band."""
    steps: bool = False
    """True to draw steps: each value holds until the next one."""

    def sample(self, x: float, y: float) -> str:
        """Return the SVG of a piece of the line for a legend, from (x, y) to the right.

        It is `SAMPLE` SVG units wide, with the curve's marker, if it has one, in the middle.
        """
        line = tag("path", d=f"M{x:g} {y:g}h{SAMPLE:g}", fill="none", **self.look.stroke)
        return line + self.look.mark(x + SAMPLE / 2, y)


@dataclass(frozen=True)
class Bars:
    """One kind of bar: a value for each category; *low* and *high* are the ends of its interval.

    They are values on the axis; *low* and *high* are empty if there are no intervals.
    """

    label: str
    """Name in the legend."""
    values: Sequence[float]
    kind: int
    """Index into CHART_COLOURS and HATCHES, which begin again at the end."""
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    name: str = ""
    """Prefix of the ids of hatches, unique on a page that shows several drawings."""

    def rectangle(self, left: float, top: float, width: float, height: float) -> str:
        """Return the SVG of a bar with this left top corner and size, all in SVG units.

        If its kind is `hatched`, it uses the pattern `hatch_id`, which the drawing must define
        (`definitions`).
        """
        size = {"x": hundredths(left), "y": hundredths(top)}
        size |= {"width": hundredths(width), "height": hundredths(height)}
        plain = tag("rect", **size, fill=CHART_COLOURS[self.kind % len(CHART_COLOURS)])
        return plain + (tag("rect", **size, fill=f"url(#{self.hatch_id})") if self.hatched else "")

    @property
    def hatched(self) -> bool:
        """True if bars of this kind are hatched."""
        return bool(HATCHES[self.kind % len(HATCHES)])

    @property
    def hatch_id(self) -> str:
        """The id of the hatching, such as ``NAME-hatch-2``, also if there is none."""
        return f"{self.name}-hatch-{self.kind % len(HATCHES)}"

    def pattern(self) -> str:
        """Return the SVG definition of the hatching, a ``pattern`` element with the id
        `hatch_id`.
        """
        lines = tag(
            "path",
            d=HATCHES[self.kind % len(HATCHES)],
            stroke="#fff",
            stroke_width=1.1,
            stroke_linecap="round",
            fill="none",
        )
        size = {"width": 8, "height": 8, "patternUnits": "userSpaceOnUse"}
        return tag("pattern", lines, id=self.hatch_id, **size)

    def sample(self, x: float, y: float) -> str:
        """Return the SVG of a piece of bar for a legend; (x, y) is the middle of its left side.

        It is `SAMPLE` SVG units wide and 10 high.
        """
        return self.rectangle(x, y - 5, SAMPLE, 10)


@dataclass(frozen=True)
class PlotPanel:
    """Axes with curves and bars in a rectangle of a drawing."""

    x: Axis
    """The horizontal axis: of the curves' x, of the categories of bars, or of the values of bars if
    they are `lying`.
    """
    y: Axis
    """The vertical axis: of the values, or of the categories of bars that are `lying`."""
    curves: Sequence[Curve] = ()
    bars: Sequence[Bars] = ()
    lying: bool = False
    """True if bars are horizontal: they begin at the left and grow to the right."""
    level: float | None = None
    """A value to compare with, drawn as a dashed line; None: no line."""

    def draw(self, left: float, top: float, width: float, height: float) -> Iterator[str]:
        """Yield the SVG elements of the panel, all inside this rectangle, in SVG units.

        (*left*, *top*) is its upper left corner; axes, numbers and labels are in it, too.
        """
        beside = max((text_width(each, SMALL) for each in self.y.texts), default=0.0)
        below = SMALL + FONT + 3 * GAP + TICK
        beyond = max((text_width(each, SMALL) / 2 for each in self.x.texts[-1:]), default=0.0)
        box = Box(
            left + FONT + beside + TICK + 2 * GAP,
            top + GAP,
            left + width - (GAP if self.bars and not self.lying else max(GAP, beyond)),
            top + height - below,
        )
        yield from self._grid(box)
        for bars in self.bars:
            yield from self._draw_bars(box, bars)
        for curve in self.curves:
            yield from self._draw_curve(box, curve)
        yield from self._level(box)
        yield from self._frame(box)
        middle = (box.top + box.bottom) / 2
        yield chart_text((box.left + box.right) / 2, top + height - GAP, self.x.label)
        yield chart_text(
            left + FONT, middle, self.y.label, transform=f"rotate(-90 {left + FONT:g} {middle:g})"
        )

    def _grid(self, box: Box) -> Iterator[str]:
        """Yield the SVG of the grid lines in *box*, one path, at the ticks of each axis of numbers.

        An axis of categories has no grid lines. Yield nothing if there are no ticks.
        """
        lines = ""
        if not self.bars or self.lying:
            lines += "".join(
                f"M{box.x(self.x, each):g} {box.top:g}V{box.bottom:g}" for each in self.x.ticks
            )
        if not self.lying:
            lines += "".join(
                f"M{box.left:g} {box.y(self.y, each):g}H{box.right:g}" for each in self.y.ticks
            )
        if lines:
            yield tag("path", d=lines, stroke=GRID, stroke_width=0.8, fill="none")

    def _frame(self, box: Box) -> Iterator[str]:
        """Yield the SVG of both axes along *box* with their ticks and numbers."""
        lines = [f"M{box.left:g} {box.top:g}V{box.bottom:g}H{box.right:g}"]
        lines += [f"M{box.x(self.x, each):g} {box.bottom:g}v{TICK:g}" for each in self.x.ticks]
        lines += [f"M{box.left:g} {box.y(self.y, each):g}h{-TICK:g}" for each in self.y.ticks]
        yield tag("path", d="".join(lines), stroke=INK, fill="none")
        for tick, text in zip(self.x.ticks, self.x.texts):
            low = box.bottom + TICK + SMALL + 1
            yield chart_text(box.x(self.x, tick), low, text, font_size=SMALL)
        for tick, text in zip(self.y.ticks, self.y.texts):
            place = box.left - TICK - 3, box.y(self.y, tick) + SMALL / 3
            yield chart_text(*place, text, font_size=SMALL, text_anchor="end")

    def _level(self, box: Box) -> Iterator[str]:
        """Yield the SVG of the line of `level` across *box*; nothing without a level."""
        if self.level is None:
            return
        if self.lying:
            line = f"M{box.x(self.x, self.level):g} {box.top:g}V{box.bottom:g}"
        else:
            line = f"M{box.left:g} {box.y(self.y, self.level):g}H{box.right:g}"
        yield tag("path", d=line, stroke=INK, stroke_dasharray="5 4", fill="none")

    def _draw_curve(self, box: Box, curve: Curve) -> Iterator[str]:
        """Yield the SVG of *curve* in *box*: its intervals, if any, the line, and its markers."""
        points = [(box.x(self.x, x), box.y(self.y, y)) for x, y in zip(curve.x, curve.y)]
        ends = [
            (box.y(self.y, low), box.y(self.y, high)) for low, high in zip(curve.low, curve.high)
        ]
        colour = curve.look.stroke["stroke"]
        if ends and not curve.whiskers:
            upper = [f"{x:g} {high:g}" for (x, _), (_, high) in zip(points, ends)]
            lower = [f"{x:g} {low:g}" for (x, _), (low, _) in zip(points, ends)]
            band = "M" + "L".join(upper + lower[::-1]) + "z"
            yield tag("path", d=band, fill=colour, fill_opacity=0.2)
        elif ends:
            lines = "".join(
                f"M{x - 2:g} {low:g}h4M{x:g} {low:g}V{high:g}m-2 0h4"
                for (x, _), (low, high) in zip(points, ends)
            )
            yield tag("path", d=lines, stroke=colour, stroke_width=1.2, fill="none")
        yield tag("path", d=_path(points, curve.steps), fill="none", **curve.look.stroke)
        yield from (curve.look.mark(*point) for point in points)

    def _draw_bars(self, box: Box, bars: Bars) -> Iterator[str]:
        """Yield the SVG of *bars*, one of `self.bars`, in *box*: bars and their whiskers.

        In each category the bars of different kinds stand side by side. Bars begin at 0; if that is
        not on the axis, at the end of the axis that is nearest to 0; on a logarithmic axis at its
        low end. An interval of no width gets no whisker.
        """
        thick = 0.8 / len(self.bars)
        shift = (self.bars.index(bars) - (len(self.bars) - 1) / 2) * thick
        values = self.x if self.lying else self.y
        base = values.low if values.log else max(values.low, min(0.0, values.high))
        at, along = (box.x, box.y) if self.lying else (box.y, box.x)
        names = self.y if self.lying else self.x
        for place, value in enumerate(bars.values):
            sides = sorted(along(names, place + shift + side * 0.45 * thick) for side in (-1, 1))
            ends = sorted((at(values, base), at(values, value)))
            (left, right), (top, bottom) = (ends, sides) if self.lying else (sides, ends)
            yield bars.rectangle(left, top, right - left, bottom - top)
            if bars.low and bars.low[place] != bars.high[place]:
                low, high = at(values, bars.low[place]), at(values, bars.high[place])
                yield self._whisker(sum(sides) / 2, low, high)

    def _whisker(self, middle: float, low: float, high: float) -> str:
        """Return the SVG of the interval of a bar, from *low* to *high*; *middle* is the bar's
        centre line.

        All are coordinates in SVG units.
        """
        if self.lying:
            line = f"M{low:g} {middle - 3:g}v6m0-3H{high:g}m0-3v6"
        else:
            line = f"M{middle - 3:g} {low:g}h6m-3 0V{high:g}m-3 0h6"
        return tag("path", d=line, stroke=INK, stroke_width=1.1, fill="none")


class Box(NamedTuple):
    """The rectangle between the axes of a panel, in SVG units; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def x(self, axis: Axis, value: float) -> float:
        """Return the x coordinate of *value* on *axis*, in SVG units.

        That of a value beyond the ends of the axis is at most 5 % of the width outside the box.
        """
        share = min(1.05, max(-0.05, axis.share(value)))
        return hundredths(self.left + share * (self.right - self.left))

    def y(self, axis: Axis, value: float) -> float:
        """Return the y coordinate of *value* on *axis*, in SVG units.

        That of a value beyond the ends of the axis is at most 5 % of the height outside the box.
        """
        share = min(1.05, max(-0.05, axis.share(value)))
        return hundredths(self.bottom - share * (self.bottom - self.top))


def _path(points: Sequence[tuple[float, float]], steps: bool) -> str:
    """Return the SVG path data through *points* (x, y), in SVG units, as a line or as *steps*.

    There is one point at least, else *steps* raises IndexError.
    """
    if steps:
        bends = "".join(f"H{x:g}V{y:g}" for x, y in points[1:])
        return f"M{points[0][0]:g} {points[0][1]:g}{bends}"
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def chart_text(x: float, y: float, text: str, /, **attributes: object) -> str:
    """Return the SVG of *text*, centred at *x* with its base line at *y*, in SVG units.

    *attributes* are further ones of the element, as `tag` takes them.
    """
    given = {"x": hundredths(x), "y": hundredths(y), "font_size": FONT, "text_anchor": "middle"}
    return tag("text", escape(text), **given | {"fill": INK} | attributes)


LEGEND_LINE = 18.0
"""Height of a line of a legend, in SVG units."""


def legend(
    series: Sequence[Curve | Bars], left: float, top: float, width: float
) -> tuple[list[str], float]:
    """Return the SVG elements of a legend and its height: a sample and the name of each series.

    Its upper left corner is (*left*, *top*); its entries, in columns of equal width, stand in as
    many lines as *width* requires. All lengths are in SVG units. Without series the legend has no
    elements, and the height of one line.
    """
    found, x, y = list[str](), left, top + LEGEND_LINE / 2
    column = max((SAMPLE + text_width(each.label) + 4 * GAP for each in series), default=0.0)
    for each in series:
        if x > left and x + column > left + width + 4 * GAP:
            x, y = left, y + LEGEND_LINE
        found.append(each.sample(hundredths(x), hundredths(y)))
        place = x + SAMPLE + GAP, y + FONT / 3
        found.append(chart_text(*place, each.label, text_anchor="start"))
        x += column
    return found, y + LEGEND_LINE / 2 - top


def svg_chart(width: float, height: float, title: str, body: Sequence[str], color: str = "") -> str:
    """Return a whole SVG of this size, in SVG units, with the elements *body* in it.

    *title* is the text that screen readers read for it; it is not drawn. *color* is the colour of
    text and axes; empty: that of the text of the page around it.
    """
    size: dict[str, object] = {"width": f"{width:g}", "height": f"{height:g}"}
    size["viewBox"] = f"0 0 {width:g} {height:g}"
    look: dict[str, object] = {"font_family": "system-ui, sans-serif", "stroke_linejoin": "round"}
    if color:
        look["color"] = color
    named: dict[str, object] = {"role": "img", "aria_label": title}
    return tag("svg", "".join(body), xmlns=NAMESPACE, **size, **named, **look)


def definitions(bars: Sequence[Bars]) -> str:
    """Return the SVG definitions of the hatchings of *bars*, each once; empty if none is
    hatched.
    """
    found = {each.hatch_id: each.pattern() for each in bars if each.hatched}
    return tag("defs", "".join(found.values())) if found else ""


def extent(series: Sequence[Curve | Bars]) -> list[float]:
    """Return every finite y of the curves and value of the bars in *series*, in their order.

    The ends of their intervals are among them, the x of curves are not.
    """
    found = list[float]()
    for each in series:
        found += [*(each.y if isinstance(each, Curve) else each.values), *each.low, *each.high]
    return [value for value in found if -inf < value < inf]
