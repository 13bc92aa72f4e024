"""The ratings of a tournament as bars with their errors: in a notebook, or as a file."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from papan.core import InvalidSpecError
from papan.core.drawing import COLOURS, RichRepr
from papan.core.text import locale_language
from papan.lab.figures import draw
from papan.lab.files import PUBLIC, write_whole
from papan.lab.results import Chart, Series, Text
from papan.lab.tournament.standings import Standings

KINDS = ("svg", "png", "pdf")


@dataclass(frozen=True)
class Plot(RichRepr):
    """A chart that shows itself; its paper keeps it legible on any ground."""

    svg: str
    words: str

    def in_characters(self) -> str:
        return self.words

    def _repr_svg_(self) -> str:
        return self.svg


def plot(standings: Standings, path: Path | None) -> Plot:
    """The ratings; also written to *path*, whose ending names the format."""
    language, chart = locale_language(), ratings(standings)
    if path is not None:
        kind = path.suffix[1:]
        if kind not in KINDS:
            known = ", ".join(f".{each}" for each in KINDS)
            raise InvalidSpecError("complexity.bad_chart", path=path, known=known)
        write_whole(path, draw(chart, language, kind), PUBLIC)
    picture = draw(chart, language, "svg").decode()
    picture = picture[picture.index("<svg") :]
    paper = f'<svg role="img" style="background:{COLOURS["paper"]}"'
    return Plot(picture.replace("<svg", paper, 1), str(standings))


def ratings(standings: Standings) -> Chart:
    """One bar for each agent that has played, the strongest first."""
    order = [agent for agent in standings.order() if standings.total(agent).games]
    found = [standings.rating(agent) for agent in order]
    elo = tuple(each.value for each in found)
    bars = Series(
        label=Text("tournament.column_rating"),
        y=elo,
        low=tuple(each.low if isfinite(each.low) else each.value for each in found),
        high=tuple(each.high if isfinite(each.high) else each.value for each in found),
    )
    return Chart(
        name="ratings",
        title=Text("tournament.column_rating"),
        x=Text("tournament.column_agent"),
        y=Text("tournament.column_rating"),
        series=(bars,),
        kind="bars",
        categories=tuple(standings.names[agent] for agent in order),
    )
