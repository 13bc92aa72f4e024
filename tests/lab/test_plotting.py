"""Charts, line by line: what is drawn where, in a panel of 100 by 100 between its axes."""

from collections.abc import Sequence
from math import inf, nan

import pytest

from papan.lab.plotting import (
    CHART_COLOURS,
    DASHES,
    MARKERS,
    Axis,
    Bars,
    Curve,
    CurveLook,
    PlotPanel,
    category_axis,
    definitions,
    extent,
    hundredths,
    legend,
    linear_ticks,
    log_ticks,
    svg_chart,
    text_width,
    value_axis,
)

ACROSS = Axis("across", 0, 10, (0, 5, 10), ("", "", ""))
UP = Axis("up", -100, 100, (-100, 0, 100), ("", "", ""))
LOOK = CurveLook(0, 0, None)
FRAME = "M28 6V106H128"
"""The axes: x is 28 to 128, and y 106 to 6."""


def drawn(panel: PlotPanel) -> list[str]:
    """The elements of a panel, such that there are 100 units between the ends of its axes."""
    return list(panel.draw(0, 0, 134, 151))


def paths(panel: PlotPanel) -> list[str]:
    """The data of the paths of a panel: the grid first, the frame last."""
    return [each.split('"')[1] for each in drawn(panel) if each.startswith("<path d=")]


def places(panel: PlotPanel) -> list[tuple[str, str, str, str]]:
    """Left, top, width and height of the bars of a panel."""
    words = [each.split('"') for each in drawn(panel) if each.startswith("<rect")]
    return [(word[1], word[3], word[5], word[7]) for word in words]


def test_a_panel_is_its_grid_curves_level_frame_numbers_and_names() -> None:
    across = Axis("across", 0, 10, (5,), ("5",))
    up = Axis("up", 0, 10, (10,), ("",))
    curve = Curve("a", (0, 10), (0, 10), CurveLook(1, 1, 1))
    assert drawn(PlotPanel(across, up, [curve], level=2.5)) == [
        '<path d="M78 6V106M28 6H128" stroke="#8884" stroke-width="0.8" fill="none"/>',
        '<path d="M28 106L128 6" fill="none" stroke="#D55E00" stroke-width="1.8"'
        ' stroke-dasharray="7 4"/>',
        '<path d="M-2.9-2.9h5.8v5.8h-5.8z" transform="translate(28 106)" fill="#D55E00"/>',
        '<path d="M-2.9-2.9h5.8v5.8h-5.8z" transform="translate(128 6)" fill="#D55E00"/>',
        '<path d="M28 81H128" stroke="currentColor" stroke-dasharray="5 4" fill="none"/>',
        f'<path d="{FRAME}M78 106v4M28 6h-4" stroke="currentColor" fill="none"/>',
        '<text x="78" y="122" font-size="11" text-anchor="middle" fill="currentColor">5</text>',
        '<text x="21" y="9.67" font-size="11" text-anchor="end" fill="currentColor"/>',
        '<text x="78" y="145" font-size="12" text-anchor="middle" fill="currentColor">across'
        "</text>",
        '<text x="12" y="56" font-size="12" text-anchor="middle" fill="currentColor"'
        ' transform="rotate(-90 12 56)">up</text>',
    ]


@pytest.mark.parametrize(
    ("curve", "found"),
    [
        (Curve("", (0, 5, 10), (0, 50, -50), LOOK), ["M28 56L78 31L128 81"]),
        (Curve("", (0, 5, 10), (0, 50, -50), LOOK, steps=True), ["M28 56H78V31H128V81"]),
        (
            Curve("", (0, 10), (0, 50), LOOK, (-20, 40), (20, 90)),
            ["M28 46L128 11L128 36L28 66z", "M28 56L128 31"],
        ),
        (
            Curve("", (0, 10), (0, 50), LOOK, (-20, 40), (20, 90), whiskers=True),
            ["M26 66h4M28 66V46m-2 0h4M126 36h4M128 36V11m-2 0h4", "M28 56L128 31"],
        ),
        (Curve("", (-5, 0, 15), (0, 500, -500), LOOK), ["M23 56L28 1L133 111"]),
    ],
    ids=["line", "steps", "band", "whiskers", "beyond the axes"],
)
def test_a_curve_goes_through_its_points(curve: Curve, found: list[str]) -> None:
    grid = "M28 6V106M78 6V106M128 6V106M28 106H128M28 56H128M28 6H128"
    ticks = "M28 106v4M78 106v4M128 106v4M28 106h-4M28 56h-4M28 6h-4"
    assert paths(PlotPanel(ACROSS, UP, [curve])) == [grid, *found, FRAME + ticks]


STANDING = (
    Bars("a", (50, -100), 0, (40, -100), (80, -100), "n"),
    Bars("b", (0, 25), 1, name="n"),
)


def test_bars_stand_beside_each_other_on_zero() -> None:
    """Two categories of 50, in each two bars of 40 % of it, nine tenths of which are seen."""
    panel = PlotPanel(category_axis("who", ("", "")), UP, bars=STANDING, level=10)
    assert places(panel) == [
        ("34", "31", "18", "25"),
        ("84", "56", "18", "50"),
        ("54", "56", "18", "0"),
        ("104", "43.5", "18", "12.5"),
    ]
    grid, whisker, level, frame = paths(panel)
    assert grid == "M28 106H128M28 56H128M28 6H128", "only values have a grid"
    assert whisker == "M40 36h6m-3 0V16m-3 0h6", "none where both ends are the same"
    assert (level, frame[: len(FRAME)]) == ("M28 51H128", FRAME)
    ink = 'stroke="currentColor" stroke-width="1.1" fill="none"'
    assert f'<path d="{whisker}" {ink}/>' in drawn(panel)


def test_bars_that_lie_begin_at_the_left_with_the_first_on_top() -> None:
    across, up = UP, category_axis("who", ("", ""), downwards=True)
    panel = PlotPanel(across, up, bars=STANDING, lying=True, level=10)
    assert places(panel) == [
        ("78", "12", "25", "18"),
        ("28", "62", "50", "18"),
        ("78", "32", "0", "18"),
        ("78", "82", "12.5", "18"),
    ]
    assert paths(panel)[:3] == [
        "M28 6V106M78 6V106M128 6V106",
        "M98 18v6m0-3H118m0-3v6",
        "M83 6V106",
    ]


@pytest.mark.parametrize(
    ("axis", "bottom", "height"),
    [
        (Axis("", 20, 120, (), ()), 106, 50),
        (Axis("", -120, -20, (), ()), 96, 90),
        (Axis("", 1, 10_000, (), (), log=True), 106, 46.13),
    ],
    ids=["above 0", "below 0", "logarithmic"],
)
def test_bars_begin_at_the_end_of_the_axis_that_is_nearest_to_zero(
    axis: Axis, bottom: float, height: float
) -> None:
    value = -110.0 if axis.high < 0 else 70.0
    panel = PlotPanel(category_axis("", ("",)), axis, bars=[Bars("", (value,), 0)])
    (_, top, _, high), *_ = places(panel)
    assert (float(high), float(top) + float(high)) == pytest.approx((height, bottom), abs=0.01)


def test_numbers_beside_and_below_take_their_room() -> None:
    """A letter is 0.62, a narrow one 0.34 and a wide one 0.92 times its size wide."""
    assert text_width("aI%") == pytest.approx(12 * (0.62 + 0.34 + 0.92))
    assert [text_width("aa", 10), text_width("")] == pytest.approx([12.4, 0])
    up = Axis("", 0, 1, (0, 1), ("0", "aaaaa"))
    frame = paths(PlotPanel(ACROSS, up))[-1]
    assert frame.startswith("M62.1 6V106H128M"), "28 + 5 * 0.62 * 11"
    wide = Axis("", 0, 1, (0, 1), ("aaaaaaaa", "aaaa"))
    assert paths(PlotPanel(wide, UP))[-1].startswith("M28 6V106H120.36M"), "half of the last one"
    bars = [Bars("", (1, 1), 0)]
    assert paths(PlotPanel(wide, UP, bars=bars))[-1].startswith(FRAME + "M")
    lying = PlotPanel(wide, UP, bars=[Bars("", (1,), 0)], lying=True)
    assert paths(lying)[-1].startswith("M28 6V106H120.36M")


def test_a_panel_lies_where_it_is_put() -> None:
    there = list(PlotPanel(ACROSS, UP).draw(10, 20, 134, 151))
    assert 'd="M38 26V126H138M' in there[1]
    assert 'x="88" y="165"' in there[-2] and "rotate(-90 22 76)" in there[-1]


@pytest.mark.parametrize(
    ("kind", "hatched"), [(0, False), (1, True), (5, True), (6, False), (7, True)]
)
def test_a_kind_of_bar_has_its_colour_and_hatching(kind: int, hatched: bool) -> None:
    bars = Bars("a", (1,), kind, name="chart")
    colour = CHART_COLOURS[kind % 6]
    plain = f'<rect x="1" y="2" width="3.33" height="4" fill="{colour}"/>'
    hatch = f'<rect x="1" y="2" width="3.33" height="4" fill="url(#chart-hatch-{kind % 6})"/>'
    assert bars.rectangle(1, 2, 3.333, 4.0001) == plain + hatch * hatched
    assert definitions([bars, bars]).count(f'<pattern id="chart-hatch-{kind % 6}"') == hatched


def test_hatchings_are_defined_once_and_only_where_there_are_some() -> None:
    assert definitions([Bars("", (), 0), Bars("", (), 6)]) == ""
    kinds = [Bars("", (), kind, name="n") for kind in (0, 2, 1, 8)]
    assert definitions(kinds) == (
        '<defs><pattern id="n-hatch-2" width="8" height="8" patternUnits="userSpaceOnUse">'
        '<path d="M2 2h.1M6 6h.1" stroke="#fff" stroke-width="1.1" stroke-linecap="round"'
        ' fill="none"/></pattern>'
        '<pattern id="n-hatch-1" width="8" height="8" patternUnits="userSpaceOnUse">'
        '<path d="M-2 2l4-4M0 8l8-8M6 10l4-4" stroke="#fff" stroke-width="1.1"'
        ' stroke-linecap="round" fill="none"/></pattern></defs>'
    )


def test_looks_begin_again_at_the_end_and_grey_is_thin() -> None:
    looks = [CurveLook(place, place, place) for place in (0, 5, 6)]
    strokes = [look.stroke for look in looks]
    assert strokes == [
        {"stroke": CHART_COLOURS[0], "stroke_width": 1.8},
        {"stroke": CHART_COLOURS[5], "stroke_width": 1.8, "stroke_dasharray": DASHES[5]},
        {"stroke": CHART_COLOURS[0], "stroke_width": 1.8},
    ]
    grey = CurveLook(-1, 1, None)
    assert grey.stroke == {"stroke": "#777777", "stroke_width": 1.2, "stroke_dasharray": "7 4"}
    assert grey.mark(1, 2) == ""
    assert looks[2].mark(1.234, -2.0) == (
        f'<path d="{MARKERS[0]}" transform="translate(1.23 -2)" fill="{CHART_COLOURS[0]}"/>'
    )


def test_a_legend_goes_on_below_where_the_next_name_has_no_room() -> None:
    """A column is sample, gaps and the widest name: 30 + 24 + 2 * 7.44; the last gap may hang."""
    series: Sequence[Curve | Bars] = [Curve("aa", (), (), LOOK), *(Bars("b", (), 0),) * 3]
    for width, across in ((183, [10, 78.88, 147.76, 10]), (182.6, [10, 78.88, 10, 78.88])):
        found, height = legend(series, 10, 20, width)
        starts = [float(each.split('x="')[1].split('"')[0]) for each in found[1::2]]
        assert starts == [pytest.approx(each + 36) for each in across]
        tops = [float(each.split('y="')[1].split('"')[0]) for each in found[1::2]]
        assert tops == [33 + 18 * (place >= across.index(10, 1)) for place in range(4)]
        assert height == 36
    first, name, second = legend(series, 10, 20, 183)[0][:3]
    assert first == '<path d="M10 29h30" fill="none" stroke="#0072B2" stroke-width="1.8"/>'
    assert name.endswith('y="33" font-size="12" text-anchor="start" fill="currentColor">aa</text>')
    assert second == '<rect x="78.88" y="24" width="30" height="10" fill="#0072B2"/>'
    assert legend([], 10, 20, 100) == ([], 18)
    assert "translate(25 29)" in legend([Curve("", (), (), CurveLook(0, 0, 0))], 10, 20, 9)[0][0]


def test_a_drawing_says_its_size_and_title_and_takes_the_colour_of_its_page() -> None:
    assert svg_chart(20.5, 10, 'a "b"', ["<g/>", "<i/>"]) == (
        '<svg xmlns="http://www.w3.org/2000/svg" width="20.5" height="10" viewBox="0 0 20.5 10"'
        ' role="img" aria-label="a &quot;b&quot;" font-family="system-ui, sans-serif"'
        ' stroke-linejoin="round"><g/><i/></svg>'
    )
    assert ' color="red">' in svg_chart(1, 1, "", ["<g/>"], "red")


def test_an_axis_shows_its_values_and_a_little_more() -> None:
    plain = value_axis("a", (0, 10), str)
    assert (plain.label, plain.low, plain.high, plain.log) == ("a", -0.5, 10.5, False)
    assert plain.ticks == (0, 2, 4, 6, 8, 10) and plain.texts[1] == "2.0"
    alone = value_axis("", (5, 5), str)
    assert (alone.low, alone.high) == (4, 6)
    log = value_axis("", (0, 10, -1, 1000), str, log=True)
    assert (log.low, log.high) == pytest.approx((10**0.9, 10**3.1))
    assert log.ticks == (10, 100, 1000) and log.log
    narrow = value_axis("", (10,), str, log=True)
    assert (narrow.low, narrow.high) == pytest.approx((10**0.97, 10**1.03))
    for empty in (value_axis("", (), str), value_axis("", (0, -5), str, log=True)):
        assert empty.low < 1 < empty.high
    given = value_axis("", (3,), str, ends=(0, 8))
    assert (given.low, given.high, given.ticks) == (0, 8, tuple(range(9)))


def test_values_lie_between_the_ends_in_their_share() -> None:
    assert [UP.share(value) for value in (-100, -50, 100, 300)] == [0, 0.25, 1, 2]
    assert Axis("", 10, 0, (), ()).share(2.5) == 0.75
    assert Axis("", 1, 10_000, (), (), log=True).share(10) == pytest.approx(0.25)
    with pytest.raises(ValueError):
        Axis("", 1, 10, (), (), log=True).share(0)
    assert category_axis("", ("a", "b", "c")).ticks == (0, 1, 2)
    assert [category_axis("", ("a", "b"), down).low for down in (False, True)] == [-0.5, 1.5]
    assert [category_axis("", ("a", "b"), down).high for down in (False, True)] == [1.5, -0.5]


@pytest.mark.parametrize(
    ("low", "high", "most", "least", "ticks"),
    [
        (0, 8, 8, 0, tuple(range(9))),
        (0, 8.1, 8, 0, (0, 2, 4, 6, 8)),
        (0, 40, 8, 0, (0, 5, 10, 15, 20, 25, 30, 35, 40)),
        (0.1, 0.5, 4, 0, (0.1, 0.2, 0.3, 0.4, 0.5)),
        (-7, 7, 3, 0, (-5, 0, 5)),
        (3, 3, 5, 2.0, ()),
        (4, 4, 5, 2.0, (4,)),
    ],
)
def test_ticks_are_one_two_or_five_apart(
    low: float, high: float, most: int, least: float, ticks: tuple[float, ...]
) -> None:
    assert linear_ticks(low, high, most, least) == ticks


def test_an_axis_without_length_has_no_ticks_unless_they_have_a_least_distance() -> None:
    with pytest.raises(ValueError):
        linear_ticks(3, 3, 5)
    with pytest.raises(ValueError):
        log_ticks(0, 1, 5)


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (1, 100, (1, 10, 100)),
        (1.1, 99, (2, 5, 10, 20, 50)),
        (1, 1e7, (1, 100, 1e4, 1e6)),
        (0.9, 1e6, (1, 10, 100, 1e3, 1e4, 1e5, 1e6)),
        (6, 9, ()),
    ],
)
def test_ticks_of_a_logarithmic_axis_are_powers_of_ten_if_there_are_two(
    low: float, high: float, ticks: tuple[float, ...]
) -> None:
    assert log_ticks(low, high, 7) == pytest.approx(ticks)


def test_all_finite_values_are_shown_with_their_intervals() -> None:
    curve = Curve("", (99,), (1, inf), LOOK, (2, -inf), (3, nan))
    assert extent([curve, Bars("", (4,), 0, (5,), (6,))]) == [1, 2, 3, 4, 5, 6]
    assert extent([]) == []


def test_a_coordinate_has_two_decimals_and_no_negative_zero() -> None:
    assert [str(hundredths(value)) for value in (1.005001, -0.001, 2)] == ["1.01", "0.0", "2.0"]
