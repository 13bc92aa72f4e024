"""Marks: what was measured of each student, put into the formulas of the plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.contest.formula import Formula
from papan.contest.plan import MEASURES, measure_of
from papan.contest.standings import StudentPlace, standings_of
from papan.lab.files import csv_text
from papan.process.supervisor import MEBIBYTE

if TYPE_CHECKING:
    from papan.contest.folder import Contest
    from papan.contest.truth import ExactJudgement


@dataclass(frozen=True)
class Mark:
    """The mark of one student: its grade, and the measures by name from which formulas make it."""

    student: str
    """The number of the student in the list."""
    name: str
    """The name of the student."""
    place: StudentPlace | None
    """The student's line of the standings; None if the student's bot does not take part."""
    measures: dict[str, float]
    """The value of each measure of `papan.contest.plan.MEASURES`, and of `measure_of` each house
    bot, by its name; empty if the bot does not take part.
    """
    grade: str
    """The grade as text, such as B; empty if the bot does not take part, or if no grade of the plan
    applies.
    """
    remark: str
    """Why the student's bot does not take part, for people; empty if it does."""


def marks_of(contest: Contest, truth: ExactJudgement, language: str) -> list[Mark]:
    """Return the marks of all students, in the order of the list.

    A student whose bot does not take part has no place and no grade; the remark is the reason in
    *language* (en or id). Raise InvalidSpecError for a formula of the plan that cannot be read.
    """
    places = {each.student: each for each in standings_of(contest)}
    found = []
    for student in contest.students:
        place, error = places.get(student.number), contest.verdict(student.number)
        if place is None:
            remark = error.text(language) if error else ""
            found.append(Mark(student.number, student.name, None, {}, "", remark))
            continue
        measures = _measures(contest, truth, place, len(places))
        found.append(
            Mark(student.number, student.name, place, measures, _grade(contest, measures), "")
        )
    return found


def _measures(
    contest: Contest, truth: ExactJudgement, place: StudentPlace, students: int
) -> dict[str, float]:
    """Return the value of each of `MEASURES`, and of `measure_of` each house bot, by its name.

    They are those of one student: *place* is the student's line of the standings, *students* how
    many take part. Shares are 0 without games, accuracy and regret without hidden positions. Raise
    InvalidSpecError if the formula of the points cannot be read.
    """
    plan, player = contest.plan, place.player
    shares, points, games = dict[str, float](), 0.0, 0
    ladder = contest.ladder()
    for agent in plan.house.agents:
        wins, draws, losses = ladder.score(player, agent)
        met = wins + draws + losses
        shares[measure_of(agent)] = (wins + draws / 2) / met if met else 0.0
        points, games = points + wins + draws / 2, games + met
    losses_there = truth.losses(player)
    found = {
        "rank": float(place.rank),
        "students": float(students),
        "score": place.score,
        "house": points / games if games else 0.0,
        "accuracy": truth.accuracy(player),
        "hidden": float(len(losses_there)),
        "regret": sum(losses_there) / len(losses_there) if losses_there else 0.0,
        "forfeits": float(sum(place.forfeits.values())),
        **shares,
    }
    return found | {"points": Formula(plan.marks.points, found).value(found)}


def _grade(contest: Contest, measures: dict[str, float]) -> str:
    """Return the first grade of the plan whose formula is not 0 for *measures*, numbers by name.

    "" if there is none. Raise InvalidSpecError for a formula that cannot be read.
    """
    for each in contest.plan.marks.grades:
        if Formula(each.when, measures).value(measures):
            return each.grade
    return ""


def marks_csv(contest: Contest, truth: ExactJudgement, language: str) -> str:
    """Return the marks as the text of a CSV file, one line for each student of the list.

    After a line of headings, in English: number, name, version, Elo with the ends of its interval,
    games, processor seconds of a move (0 if not measured), megabytes of memory at most, the
    measures, moves in reviewed games (all, judged, best), grade and remark. What is unknown is
    empty; of a student whose bot does not take part there are only number, name and remark.
    *language* (en or id) is that of the remarks. Raise InvalidSpecError for a formula of the plan
    that cannot be read.
    """
    names = [*MEASURES, *map(measure_of, contest.plan.house.agents)]
    more = ("own_moves", "own_judged", "own_best")
    head = ["number", "name", "version", "elo", "elo_low", "elo_high", "games", "cpu_seconds"]
    head.append("memory_mb")
    rows: list[list[object]] = [[*head, *names, *more, "grade", "remark"]]
    for mark in marks_of(contest, truth, language):
        place = mark.place
        if place is None:
            empty = [None] * (len(head) - 2 + len(names) + len(more) + 1)
            rows.append([mark.student, mark.name, *empty, mark.remark])
            continue
        rating = place.rating
        ends = (rating.value, rating.low, rating.high) if rating else ()
        elo: list[object] = [round(each, 1) for each in ends] or [None, None, None]
        version = contest.players[place.player].number
        rows.append(
            [
                *(mark.student, mark.name, version, *elo, place.games, round(place.processor, 5)),
                round(place.memory / MEBIBYTE, 1) if place.memory else None,
                *(round(mark.measures[name], 4) for name in names),
                *truth.own_games(place.player),
                *(mark.grade, ""),
            ]
        )
    return csv_text(rows)
