"""Charts of reports: which axes they get, and where bars and lines lie on them."""

import re
from math import log
from typing import Any
from xml.etree import ElementTree

import pytest

from papan.core.message import Message
from papan.lab.figures import draw_chart, inline_chart
from papan.lab.results import Chart, Series

HEADS = Message("lab.points"), Message("lab.agent"), Message("lab.time")


def heights(picture: str) -> list[float]:
    return [float(each) for each in re.findall(r'<rect[^>]* height="([0-9.]+)"', picture)]


def texts(picture: str) -> list[str]:
    return [each.text for each in ElementTree.fromstring(picture).iter() if each.text]


def bars(*values: float, **look: Any) -> Chart:
    names = tuple("abcdef"[: len(values)])
    return Chart("n", *HEADS, (Series("one", values),), kind="bars", categories=names, **look)


def lines(*series: Series, **look: Any) -> Chart:
    return Chart("n", *HEADS, series, **look)


def test_logarithmic_bars_begin_at_half_of_the_least() -> None:
    """The axis is from 5 to 2000, and 289 high."""
    found = heights(draw_chart(bars(10, 1000, log=True), "en"))
    assert found == pytest.approx([289 * log(each) / log(400) for each in (2, 200)], abs=0.02)


def test_bars_below_zero_have_room_below_and_none_above() -> None:
    up, down = heights(draw_chart(bars(10, -30), "en"))
    assert down == pytest.approx(3 * up, abs=0.02)
    picture = draw_chart(bars(-10, -30), "en")
    tops = {*re.findall(r'<rect[^>]* y="([0-9.]+)"', picture)}
    assert tops == {"6"}, "the axis ends at 0, where the drawing begins"


def test_a_line_stands_over_whole_numbers() -> None:
    chart = lines(Series("one", (0.5, 0.75, 1.0), (1.0, 2.0, 3.0)), form="share")
    shown = texts(draw_chart(chart, "id"))
    assert shown[:3] == ["1", "2", "3"]
    assert [each for each in shown if each.endswith("%")] == [
        "0%", "20%", "40%", "60%", "80%", "100%",
    ]  # fmt: skip
    nothing = texts(draw_chart(lines(Series("one", ())), "en"))
    assert "0" in nothing and "1" in nothing


def test_one_series_needs_no_legend_and_several_stand_above_the_panel() -> None:
    one, other = Series("one", (1.0, 2.0), (1.0, 2.0)), Series("other", (2.0, 1.0), (1.0, 2.0))
    assert not {"one", "other"} & {*texts(draw_chart(lines(one), "en"))}
    assert {"one", "other"} <= {*texts(draw_chart(lines(one, other), "en"))}


def test_a_chart_in_a_page_takes_its_colour_and_has_ids_of_its_own() -> None:
    chart = Chart(
        "n", *HEADS, (Series("a", (1.0,)), Series("b", (2.0,))), kind="bars", categories=("x",)
    )
    alone, inside = draw_chart(chart, "en"), inline_chart(chart, "page-3", "en")
    assert 'color="#1f2328"' in alone and 'id="n-hatch-1"' in alone
    assert ' color="' not in inside and 'id="page-3-hatch-1"' in inside
    assert ElementTree.fromstring(alone).get("aria-label") == "points"
