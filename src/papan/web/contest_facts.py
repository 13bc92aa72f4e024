"""What pages show of a contest: everything to its owner, to a student only their own bot and the
standings.
"""

from __future__ import annotations

from functools import lru_cache
from time import time
from typing import Literal

from pydantic import BaseModel

from papan import catalog
from papan.contest.alike import likenesses
from papan.contest.checks import Check
from papan.contest.folder import Contest, ContestGame
from papan.contest.marks import marks_of
from papan.contest.pages import MOST_ALIKE
from papan.contest.standings import StudentPlace, forfeited
from papan.contest.submissions import ARCHIVE, left_today, versions_of
from papan.contest.truth import ExactJudgement
from papan.core import PapanError, View
from papan.core.message import Message
from papan.core.parts import Drawing
from papan.core.record import End
from papan.lab.bots import BOT_SUFFIXES
from papan.lab.statistics.elo import IntervalFacts, interval_facts
from papan.web.contests import CheckQueue, FollowedContest, HandedIn
from papan.web.jobs import BackgroundJob, JobState
from papan.web.settings import ServerSettings
from papan.web.wire import Facts, Language

SubmissionState = Literal["nothing", "checking", "plays", "aside"]
NO_TIME = 3.0
"""Seconds of games: with fewer left no game ends, so the contest counts as over."""
NO_CHECK = Check("", 0, PapanError("contest.nothing"))
"""What a check that was not made has found: nothing."""
SHOWN_GAMES = 20
"""Number of newest games on the page of a student."""


class VersionFacts(Facts):
    """A version of a student's bot, with its points and games so far."""

    number: int
    """Its number among the student's versions, from 1."""
    language: str
    """Suffix of the file that is run, such as ``py``."""
    stored: float
    """Unix time in seconds at which it was handed in."""
    points: float
    """1 for each game won, 1/2 for each draw."""
    games: int
    """Number of its games."""


class SubmissionFacts(BaseModel):
    """The state of a student's newest version: whether it plays, and if not, why."""

    state: SubmissionState
    """``nothing`` was handed in; it is ``checking``, ``plays``, or is set ``aside``."""
    version: int | None
    """Its number, from 1; null if there is none."""
    language: str
    """Suffix of the file that is run; empty if there is none."""
    why: Message | None
    """Why it is set aside, or could not be checked; null in any other state."""
    position: str
    """The position in which it failed; empty if it failed in none."""
    board: str
    """That position as SVG; empty if there is none."""
    output: str
    """What it printed in the check, with its traceback; empty if it was not checked or printed
    nothing.
    """
    seconds: float | None
    """Median seconds of its answers in the check; null if it did not pass."""
    memory: int
    """Bytes of memory that it had at most in the check; 0 if it was not measured."""
    plays_on: int | None
    """The number of the earlier version that plays instead of it; null if none does, or it plays
    itself.
    """


class LadderPlace(Facts):
    """A line of the standings: rank, Elo, points and forfeits of a student's bot."""

    rank: int
    """Place in the standings, from 1."""
    student: str
    """The number of the student."""
    name: str
    player: str
    """The name of the bot in games: ``NUMBER vVERSION``."""
    elo: IntervalFacts | None
    """Elo relative to the mean of all; null before the first game."""
    points: float
    """1 for each game won, 1/2 for each draw."""
    games: int
    """Number of its games that count."""
    forfeits: dict[str, int]
    """Number of games forfeited, by kind (crash, timeout, illegal)."""
    processor: float
    """Median processor seconds of a move; 0 if none was measured."""
    memory: int
    """Bytes of memory that it had at most in its games; 0 if it was not measured."""
    told: bool
    """True if the games prove that it is stronger than the next one; True for the last one."""


class ContestFacts(BaseModel):
    """A contest in a list; the fields after *folder* are empty if one of its files is invalid."""

    id: str
    """The id of its job, part of its address."""
    state: JobState
    """State of its games: ``waiting``, ``running``, ``paused``, ``done`` or ``failed``."""
    why: Message | None
    """Why its games stopped, or which of its files is invalid; null if neither."""
    made: str
    """Time at which it was made: ISO 8601 in UTC."""
    folder: str
    """Path of its folder on the server."""
    title: str = ""
    """The title in the plan."""
    game: str = ""
    """The spec of the game."""
    deadline: str = ""
    """The deadline as in the plan, such as ``2026-12-01 23:59``; empty for none."""
    students: int = 0
    """Number of students in the list."""
    playing: int = 0
    """Number of students whose bot plays."""
    games: int = 0
    """Number of games played."""
    minutes_left: float = 0.0
    """Minutes of games that the plan still allows."""
    time_over: bool = False
    """True if the contest is at rest because the minutes of games in its plan are used up."""


class StudentFacts(BaseModel):
    """A student of a contest as its owner sees them: submission and versions."""

    number: str
    """The number of the student in the list."""
    name: str
    disqualified: str
    """Reason why they were disqualified; empty if they were not."""
    submission: SubmissionFacts
    """The state of the newest version."""
    versions: list[VersionFacts]
    """All versions, the newest first."""


class ContestPage(ContestFacts):
    """All about a contest except games and marks, for its owner."""

    sandbox: Message | None
    """Why the code of others cannot run here; null if it can."""
    people: list[StudentFacts] = []
    """The students, in the order of the list."""
    strange: list[str] = []
    """Names of files that were handed in but belong to no student, at most 100."""
    standings: list[LadderPlace] = []
    """The strongest first; empty before a bot is legal."""
    house: list[str] = []
    """Specs of the house bots."""
    cross: list[list[tuple[int, int, int] | None]] = []
    """For each line of the standings, its wins, draws and losses against each line, then against
    each house bot; null if they have not met.
    """
    judged: bool = False
    """True if there are marks to show."""


class LadderPage(ContestFacts):
    """A contest with its standings, for the projector."""

    standings: list[LadderPlace] = []
    """The strongest first; empty before a bot is legal, or if a file of the contest is invalid."""


class ContestGameFacts(Facts):
    """A finished game of a contest: who played it, its moves and its result."""

    number: int
    """Its number in the contest, from 0."""
    players: list[str]
    """Names of students or house bots, by seat, with the version."""
    start: str
    """The position, as text, at which the bots took over."""
    moves: str
    """Names of the moves from *start* on, separated by spaces."""
    end: End
    """How it ended, such as ``win``, ``draw`` or ``timeout``."""
    winner: int | None
    """The seat (0 or 1) that won; null for a draw."""
    spec: str
    """The game that was played, with its size."""


class ContestGames(BaseModel):
    """One page: at most `PAGE_GAMES` games of a contest."""

    total: int
    """Number of games on all pages together."""
    games: list[ContestGameFacts]
    """The games of this page, in the order in which they ended."""


class MarkFacts(BaseModel):
    """The mark of a student, and what it is computed from."""

    number: str
    """The number of the student."""
    name: str
    rank: int | None
    """Place in the standings, from 1; null if their bot does not take part."""
    points: float | None
    """The points by the formula of the plan; null if their bot does not take part."""
    grade: str
    """The grade, as the plan names it; empty if none of the plan applies."""
    measures: dict[str, float]
    """Value of each measure by name, as the formulas of the plan know them (docs/contest.md)."""
    remark: str
    """Why their bot does not take part, in the language that was asked for; empty if it does."""


class AlikeFacts(Facts):
    """Two bots that look alike, for the owner to judge."""

    first: str
    """Name of the first player: ``NUMBER vVERSION``."""
    second: str
    """Name of the other player."""
    shared_source: float
    """Share of the source that both have, names and comments left out; 0 to 1."""
    shared_answers: float
    """Share of the hidden positions in which both gave the same answer; 0 to 1."""
    asked: int
    """Number of hidden positions that both were asked."""
    mistakes: int
    """Number of hidden positions to which both gave the same wrong answer."""
    sources: tuple[str, str]
    """The source texts of the first and of the other bot."""


class MarksPage(BaseModel):
    """Marks and look-alikes of a contest; both lists are empty unless *judged*."""

    judged: bool
    """True if a run was judged, at least in part: only then are there marks."""
    marks: list[MarkFacts]
    """The mark of each student, in the order of the list."""
    alike: list[AlikeFacts]
    """The pairs that look alike, the most alike first."""


class MomentFacts(Facts):
    """A costly mistake in a lost game of a student, with the better move."""

    position: str
    """The position before it, as text."""
    board: str
    """That position as SVG, with both moves marked."""
    move: str
    """The name of the move that was played."""
    better: str
    """The name of a better move; empty if none is known."""
    line: list[str]
    """Names of the moves after it that show why it is wrong, at most 12."""
    proved: bool
    """True if a value behind the verdict is proved; False if its loss is an estimate."""
    text: dict[str, str]
    """The reason for people, by language (en and id)."""
    lesson: str
    """The key of the step of a lesson about such mistakes; empty if there is none."""


class OwnGame(ContestGameFacts):
    """A finished game of a student's bot, and in addition its seat, its result and its failure."""

    seat: int
    """The seat of the student's bot, 0 or 1."""
    result: Literal[-1, 0, 1]
    """1 if the student's bot won, 0 for a draw, -1 if it lost."""
    why: Message | None
    """Why the student's bot forfeited it; null if it did not."""
    output: str
    """What the student's bot had printed when it failed; empty if it did not."""


class HandInPage(BaseModel):
    """What a student sees of a contest: their own bot, and of others only names, places and
    moves.
    """

    title: str
    """The title of the contest."""
    game: str
    """The spec of the game."""
    number: str
    """The number of the student."""
    name: str
    """The name of the student."""
    running: JobState
    """The state of the contest's games."""
    time_over: bool
    """True if the minutes of games in the plan are used up."""
    deadline: str
    """As in the plan, such as ``2026-12-01 23:59``, local time of the server; empty for none."""
    over: bool
    """True if the deadline is over."""
    left_today: int
    """Number of versions that they may still hand in today."""
    most_bytes: int
    """Bytes of a file at most."""
    suffixes: list[str]
    """Suffixes of the files that may be handed in, such as ``.py``."""
    disqualified: str
    """The reason why they are disqualified; empty if they are not."""
    seconds: float
    """Seconds for a move, both by the clock and of processor time."""
    memory: int
    """Megabytes of memory that a bot may use."""
    submission: SubmissionFacts
    """The state of their newest version."""
    versions: list[VersionFacts]
    """All of their versions, the newest first."""
    place: LadderPlace | None
    """Their line of the standings; null if their bot does not play."""
    students: int
    """Number of students whose bot plays."""
    games: list[OwnGame]
    """The newest `SHOWN_GAMES` games of the version that plays, the newest first."""
    moments: list[MomentFacts]
    """Their costliest mistakes in lost games; empty before they are judged."""


def contest_facts(job: BackgroundJob, followed: FollowedContest) -> ContestFacts:
    """Return the entry of the contest of *job* in a list.

    If a file of it is invalid or cannot be read, *why* says so and the fields after *folder* are
    empty; otherwise *why* is that of *job*.
    """
    plain = ContestFacts(
        id=job.id, state=job.state, why=job.why, made=job.made, folder=str(followed.folder)
    )
    try:
        contest = followed.look()
    except PapanError as error:
        return plain.model_copy(update={"why": error.shown})
    return plain.model_copy(
        update={
            "title": contest.plan.title,
            "game": contest.plan.rules.spec,
            "deadline": contest.plan.deadline,
            "students": len(contest.students),
            "playing": len(contest.players),
            "games": len(contest.games),
            "minutes_left": contest.seconds_left() / 60,
            "time_over": time_over(job, contest),
        }
    )


def time_over(job: BackgroundJob, contest: Contest) -> bool:
    """Return whether a contest is done because the minutes of games in its plan are used up.

    They are if fewer than `NO_TIME` seconds are left.
    """
    return job.state == "done" and contest.seconds_left() < NO_TIME


def contest_page(
    job: BackgroundJob, followed: FollowedContest, checks: CheckQueue, sandbox: Message | None
) -> ContestPage:
    """Return all about a contest except its games and marks, for its owner.

    *checks* has the checks that run; *sandbox* is the reason why the code of others cannot run
    here; None: it can. If a file of the contest is invalid, *why* of the page says so and all lists
    are empty.
    """
    facts = contest_facts(job, followed)
    page = ContestPage(**facts.model_dump(exclude={"why"}), why=facts.why, sandbox=sandbox)
    if not facts.game:  # a file is invalid; a title may be empty
        return page
    contest, standings = followed.look(), followed.standings()
    page.people = [_student(contest, each.number, each.name, checks) for each in contest.students]
    page.strange, page.house = contest.strange[:100], list(contest.plan.house.agents)
    page.standings = list(map(place_facts, standings))
    everyone = [*(each.player for each in standings), *page.house]
    ladder = contest.ladder()
    page.cross = [
        [_score(ladder.score(each.player, other)) for other in everyone] for each in standings
    ]
    truth = followed.truth()
    page.judged = truth is not None and any(each.player in truth.answers for each in standings)
    return page


def ladder_page(job: BackgroundJob, followed: FollowedContest) -> LadderPage:
    """Return a contest with its standings, for the projector.

    If a file of it is invalid, *why* says so and the standings are empty.
    """
    facts = contest_facts(job, followed)
    standings = followed.standings() if facts.game else []
    return LadderPage(
        **facts.model_dump(exclude={"why"}),
        why=facts.why,
        standings=list(map(place_facts, standings)),
    )


def _score(score: tuple[int, int, int]) -> tuple[int, int, int] | None:
    return score if any(score) else None


def _student(contest: Contest, number: str, name: str, checks: CheckQueue) -> StudentFacts:
    """Return the student *number*, called *name*, with submission and versions; *checks* has the
    checks that run.
    """
    return StudentFacts(
        number=number,
        name=name,
        disqualified=contest.plan.disqualified.get(number, ""),
        submission=submission_facts(contest, number, checks),
        versions=version_facts(contest, number),
    )


def submission_facts(contest: Contest, number: str, checks: CheckQueue) -> SubmissionFacts:
    """Return the state of the newest version of student *number*: nothing, checking, plays or set
    aside.

    *checks* has the checks that run or could not be made.
    """
    version, playing = contest.newest.get(number), contest.playing(number)
    made = contest.checks.get((number, version.number)) if version else None
    check = made or NO_CHECK
    state, why = _submission_state(contest, number, checks)
    return SubmissionFacts(
        state=state,
        version=version.number if version else None,
        language=version.language if version else "",
        why=why,
        position=check.position,
        board=board_of(check.position) if check.position else "",
        output=check.output,
        seconds=check.seconds if check.fine else None,
        memory=check.memory,
        plays_on=playing.number if playing and playing != version else None,
    )


def _submission_state(
    contest: Contest, number: str, checks: CheckQueue
) -> tuple[SubmissionState, Message | None]:
    """Return the state of the newest version of student *number*, and why it is set aside (else
    None).

    The state is ``nothing``, ``checking`` (also before its check has begun), ``plays`` or
    ``aside``. A version whose check could not be made is set aside, too; *checks* knows why.
    """
    error, version = contest.fault(number), contest.newest.get(number)
    if error is None:
        return "plays", None
    if error.key == "contest.nothing":
        return "nothing", None
    if version is None or number in contest.refused or (number, version.number) in contest.checks:
        return "aside", error.shown
    failure = checks.failure(contest.folder, version)
    if failure is None or checks.running(contest.folder, number):
        return "checking", None
    return "aside", failure


def version_facts(contest: Contest, number: str) -> list[VersionFacts]:
    """Return the versions of student *number*, the newest first; empty if they cannot be read."""
    try:
        versions = versions_of(contest.folder, number)
    except PapanError:  # somebody has put a link there
        return []
    points, games = dict[str, float](), dict[str, int]()
    for game in contest.games:
        for player in game.players:
            if player.startswith(f"{number} v"):
                points[player] = points.get(player, 0.0) + (game.outcome(player) + 1) / 2
                games[player] = games.get(player, 0) + 1
    return [
        VersionFacts.of(each, points=points.get(each.player, 0.0), games=games.get(each.player, 0))
        for each in reversed(versions)
    ]


def place_facts(place: StudentPlace) -> LadderPlace:
    """Return a line of the standings as pages get it: with Elo and its 95 % interval (None: no game
    yet).
    """
    elo = None if place.rating is None else interval_facts(place.rating)
    return LadderPlace.of(place, elo=elo, forfeits=dict(place.forfeits))


@lru_cache(2_000)
def board_of(position: str, move: str = "", better: str = "") -> str:
    """Return *position* (as text) as SVG, with ``?`` on the move that was played and ``!`` on a
    better one.

    *move* and *better* are names (empty: none). Empty if the position cannot be drawn, or a move is
    not legal.
    """
    try:
        place = catalog.position(position)
        moves = {name: place.legal_move(name) for name in (move, better) if name}
    except PapanError:
        return ""
    labels = {number: "?" if name == move else "!" for name, number in moves.items()}
    best = tuple(number for name, number in moves.items() if name == better)
    return Drawing.of(place).svg(View(highlights=best, labels=labels))


def game_facts(contest: Contest, number: int, game: ContestGame) -> ContestGameFacts:
    """Return the game *number* (from 0) of a contest in the form in which pages list it."""
    return ContestGameFacts.of(
        game.record, number=number, players=_names(contest, game), spec=game.record.game
    )


def _names(contest: Contest, game: ContestGame) -> list[str]:
    """Return the players of a game by seat, for people: ``NAME vVERSION``, or the spec of a house
    bot.

    A student who is not in the list any more is called by the number.
    """
    names = contest.names()

    def name(player: str) -> str:
        student, _, version = player.rpartition(" ")
        return f"{names[student]} {version}" if student in names else player

    return list(map(name, game.players))


def marks_page(followed: FollowedContest, language: Language) -> MarksPage:
    """Return marks and look-alikes, remarks in *language*; both empty before a run begins to judge.

    While it judges they are by what it has found so far. They are empty again once the plan has
    changed so that everything must be judged anew. Raise PapanError if a file of the contest is
    invalid, PapanError or OSError if the source of a bot cannot be read.
    """
    contest, truth = followed.look(), followed.truth()
    if truth is None:
        return MarksPage(judged=False, marks=[], alike=[])
    marks = [
        MarkFacts(
            number=each.student,
            name=each.name,
            rank=each.place.rank if each.place else None,
            points=each.measures.get("points"),
            grade=each.grade,
            measures=each.measures,
            remark=each.remark,
        )
        for each in marks_of(contest, truth, language)
    ]
    return MarksPage(judged=True, marks=marks, alike=_alike(contest, truth))


def _alike(contest: Contest, truth: ExactJudgement) -> list[AlikeFacts]:
    """Return at most `MOST_ALIKE` pairs of bots that look alike, with their source texts.

    *truth* has their answers; the pair most alike is first. Raise PapanError or OSError if a source
    cannot be read.
    """
    players = contest.players
    return [
        AlikeFacts.of(
            each,
            shared_source=each.source,
            shared_answers=each.moves,
            sources=(players[each.first].source(), players[each.second].source()),
        )
        for each in likenesses(players, truth)[:MOST_ALIKE]
    ]


def hand_in_page(link: HandedIn, checks: CheckQueue, settings: ServerSettings) -> HandInPage:
    """Return what the student of the secret link *link* sees: their own bot, its games and place.

    *checks* has the checks that run, *settings* the size that a file may have. Raise PapanError if
    a file of the contest is invalid, KeyError if the student is not in its list any more.
    """
    contest, number = link.followed.look(), link.student
    places = link.followed.standings()
    place = next((each for each in places if each.student == number), None)
    plan, submission = contest.plan, submission_facts(contest, number, checks)
    return HandInPage(
        title=plan.title,
        game=plan.rules.spec,
        number=number,
        name=contest.names()[number],
        running=link.job.state,
        time_over=time_over(link.job, contest),
        deadline=plan.deadline,
        over=is_over(contest),
        left_today=left_today(plan, versions_of(contest.folder, number)),
        most_bytes=settings.upload,
        suffixes=[*BOT_SUFFIXES, ARCHIVE],
        disqualified=plan.disqualified.get(number, ""),
        seconds=plan.limits.seconds,
        memory=plan.limits.memory,
        submission=submission,
        versions=version_facts(contest, number),
        place=place_facts(place) if place else None,
        students=len(places),
        games=_own_games(contest, number),
        moments=_moments(link.followed, number),
    )


def is_over(contest: Contest) -> bool:
    """Return whether the deadline of a contest has passed; False if its plan has none."""
    return time() > contest.plan.last_moment()


def _own_games(contest: Contest, number: str) -> list[OwnGame]:
    """Return the newest `SHOWN_GAMES` games of the version that plays for student *number*, newest
    first.

    Empty if none plays. What a bot printed when it failed is only in its own student's games.
    """
    version = contest.playing(number)
    player = version.player if version else ""
    own = [(n, game) for n, game in enumerate(contest.games) if player in game.players]
    found = []
    for count, game in own[: -SHOWN_GAMES - 1 : -1]:
        mine = forfeited(game, player)
        found.append(
            OwnGame(
                **game_facts(contest, count, game).model_dump(),
                seat=game.players.index(player),
                result=_result(game.outcome(player)),
                why=_reason(game) if mine else None,
                output=game.record.output if mine else "",
            )
        )
    return found


def _result(outcome: int) -> Literal[-1, 0, 1]:
    return 1 if outcome > 0 else -1 if outcome < 0 else 0


def _reason(game: ContestGame) -> Message:
    """Return why *game*, which must have been forfeited, was: a text key with its values.

    An older journal has no key: its English sentence is the key then.
    """
    values = dict(game.record.cause)
    return Message(values.pop("key", game.record.reason), values)


def _moments(followed: FollowedContest, number: str) -> list[MomentFacts]:
    """Return the costliest mistakes in lost games of the version that plays for student *number*.

    They are in the order of `ExactJudgement.moments`. Empty before they are judged, or if no
    version plays.
    """
    version, truth = followed.look().playing(number), followed.truth()
    if version is None or truth is None:
        return []
    return [
        MomentFacts.of(
            each,
            board=board_of(each.position, each.move, each.better),
            line=list(each.line),
            text=dict(each.text),
        )
        for each in truth.moments(version.player)
    ]
