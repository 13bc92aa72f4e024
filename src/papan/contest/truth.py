"""What exact values say about bots: their answers to hidden positions, and the games they lost."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import Any, Literal

from papan import api, catalog
from papan.contest.folder import DAMAGED_FACTS, Contest, ContestGame, read_lines
from papan.contest.standings import forfeited
from papan.contest.submissions import WORK_FOLDER, Version
from papan.core import InvalidRecordError, PapanError, Progress
from papan.core.files import open_regular, read_regular
from papan.core.printable import short, to_json
from papan.core.progress import OnProgress, ignore_progress
from papan.core.review import Review
from papan.core.reviewer import Verdict
from papan.lab.files import (
    PRIVATE,
    append_line,
    make_private,
    remove_cut_line,
    write_whole,
    writing,
)
from papan.lab.referee import Forfeit, ask_move
from papan.lab.strength import known_positions, true_value

HIDDEN_FILE, ANSWERS_FILE, REVIEWS_FILE = "hidden.json", "answers.jsonl", "reviews.jsonl"
LARGEST_HIDDEN = 20_000_000
"""Bytes of the file with the hidden positions."""
TRIED = 4
"""Solved positions that are drawn, at most, for each one that is wanted: in some no move errs."""
HiddenDifficulty = Literal["easy", "medium", "hard"]
EASY, MEDIUM = 1 / 2, 1 / 4
"""Shares of the legal moves that lose nothing, from which on a position is easy, or medium."""
MOMENTS = 3
"""Most mistakes on the page of a student."""


@dataclass(frozen=True)
class HiddenPosition:
    """A position with a proved value, and the points that each legal move gives away.

    Every bot is asked for a move there. Points are those of the game's scores.
    """

    position: str
    """The position as text."""
    losses: Mapping[str, float]
    """Points that each legal move gives away, by its name: 0 for the best ones."""

    @property
    def difficulty(self) -> HiddenDifficulty:
        """easy if at least half of the moves lose nothing, medium from a quarter on, else hard."""
        share = sum(loss == 0 for loss in self.losses.values()) / len(self.losses)
        return "easy" if share >= EASY else "medium" if share >= MEDIUM else "hard"


@dataclass(frozen=True)
class Moment:
    """A mistake in a lost game: the move, a better one, the points lost, and the reason as text."""

    pair: int
    """The number, from 0, of the pair of games to which the game belongs."""
    ply: int
    """Number of moves played before it, not counting the opening."""
    position: str
    """The position before it, as text."""
    move: str
    """The name of the move that was played."""
    better: str
    """The name of a better move; empty if none is known."""
    line: tuple[str, ...]
    """Names of moves after it that show why it is wrong, at most 12; empty if none are known."""
    lost: float
    """Points of the final margin that it gave away: exact, a lower bound, or an estimate."""
    proved: bool
    """True if a value behind the verdict is proved; False if its loss is an estimate."""
    changed: bool
    """True if it gave away the result, not only points."""
    text: Mapping[str, str]
    """The reason for people, by language (en and id)."""
    lesson: str = ""
    """The key of the step of a lesson about such mistakes; empty if there is none."""


@dataclass(frozen=True)
class GameReview:
    """The review of one player's moves in a game: the mistakes, and the numbers of moves."""

    player: str
    """The player whose moves these are."""
    pair: int
    """The number, from 0, of the pair of games to which the game belongs."""
    moves: int
    """Number of that player's moves in the game."""
    judged: int
    """Number of its moves about which something is known."""
    best: int
    """Number of the judged moves that gave nothing away."""
    moments: tuple[Moment, ...] = ()
    """The mistakes among them."""
    seat: int | None = None
    """Its seat, 0 or 1, which differs in the games of a pair; None if an older papan stored it."""


@dataclass
class ExactJudgement:
    """What exact values say of all players: answers to hidden positions, reviews of lost games."""

    hidden: list[HiddenPosition] = field(default_factory=list)
    """The hidden positions, in the order in which every bot is asked."""
    answers: dict[str, list[str | None]] = field(default_factory=dict)
    """By player, the name of its move in each of `hidden`, in their order; None where it failed."""
    reviews: dict[str, list[GameReview]] = field(default_factory=dict)
    """The reviewed games of each player, by its name."""

    def losses(self, player: str) -> list[float]:
        """Return the points that a player lost on each hidden position, in their order.

        Empty if it was not asked. No answer, or an illegal one, loses as much as the worst move.
        """
        found = []
        for place, answer in zip(self.hidden, self.answers.get(player, ())):
            worst = max(place.losses.values())
            found.append(worst if answer is None else place.losses.get(answer, worst))
        return found

    def accuracy(self, player: str) -> float:
        """Return the share of hidden positions in which a player lost nothing, 0 to 1.

        0 if it was not asked.
        """
        losses = self.losses(player)
        return sum(loss == 0 for loss in losses) / len(losses) if losses else 0.0

    def by_difficulty(self, player: str) -> dict[HiddenDifficulty, tuple[int, int]]:
        """Return by difficulty (positions that a player answered with a best move, those asked).

        Both are numbers of positions. All three difficulties are there; (0, 0) where it was not
        asked.
        """
        counts: dict[HiddenDifficulty, tuple[int, int]] = {
            "easy": (0, 0),
            "medium": (0, 0),
            "hard": (0, 0),
        }
        for place, loss in zip(self.hidden, self.losses(player)):
            right, asked = counts[place.difficulty]
            counts[place.difficulty] = (right + (loss == 0), asked + 1)
        return counts

    def own_games(self, player: str) -> tuple[int, int, int]:
        """Return the numbers of a player's moves in reviewed games: all, judged, best.

        (0, 0, 0) if none was reviewed.
        """
        found = self.reviews.get(player, ())
        totals = [(each.moves, each.judged, each.best) for each in found]
        moves, judged, best = map(sum, zip(*totals)) if totals else (0, 0, 0)
        return moves, judged, best

    def moments(self, player: str) -> list[Moment]:
        """Return a player's worst `MOMENTS` mistakes: lost results first, then proved ones.

        Of equals, those that lost most points come first. Empty if it made none.
        """
        found = [moment for each in self.reviews.get(player, ()) for moment in each.moments]
        return sorted(found, key=lambda each: (not each.changed, not each.proved, -each.lost))[
            :MOMENTS
        ]


def find_truth(
    contest: Contest, on_progress: OnProgress = ignore_progress, unconfined: bool = False
) -> ExactJudgement:
    """Ask all players the hidden positions, review games they lost, and return all that is known.

    Results are stored one by one. What is stored is not computed again, except positions and
    answers if `_terms` have changed since. Of each player at most `TruthPlan.games` lost games are
    reviewed. *on_progress* is called after each player that was asked and each game that was
    reviewed, and counts these. *unconfined* runs the bots outside the sandbox. Raise PapanError if
    a bot cannot be started, a stored file is damaged or no regular one, or the folder cannot be
    written; OSError if a stored file cannot be read. Ctrl-C raises KeyboardInterrupt; what is
    stored by then stays.
    """
    truth = ExactJudgement(hidden_positions(contest))
    _read_answers(contest, truth)
    _read_reviews(contest, truth)
    new = [each for name, each in contest.players.items() if name not in truth.answers]
    lost = [task for task in _lost_games(contest) if not _has_review(truth, *task)]
    total, done = len(new) + len(lost), 0
    with ThreadPoolExecutor(contest.width) as threads:
        asked = threads.map(lambda each: _answers(contest, truth.hidden, each, unconfined), new)
        try:
            for version, answers in zip(new, asked):
                truth.answers[version.player] = answers
                facts = {"player": version.player, "terms": _terms(contest), "answers": answers}
                _keep(contest, ANSWERS_FILE, facts)
                done += 1
                on_progress(Progress(done, total, version.player))
        except BaseException:  # Ctrl-C: the rest is not wanted
            threads.shutdown(wait=False, cancel_futures=True)
            raise
    for player, game in lost:
        names = {
            language: [contest.person(each, language) for each in game.players]
            for language in ("en", "id")
        }
        found = review_game(game, player, contest.plan.truth.seconds, names)
        truth.reviews.setdefault(player, []).append(found)
        _keep(contest, REVIEWS_FILE, asdict(found))
        done += 1
        on_progress(Progress(done, total, player))
    return truth


def kept_truth(contest: Contest) -> ExactJudgement | None:
    """Return what `find_truth` has stored so far, without asking any bot; None before it began.

    None, too, if the plan has changed so that the stored positions are stale. Without a file of
    answers or of reviews there are none of these. Raise PapanError for a file that was damaged, is
    too large or no regular file; OSError if one cannot be read.
    """
    hidden = _kept_hidden(contest)
    if hidden is None:
        return None
    truth = ExactJudgement(hidden)
    _read_answers(contest, truth)
    _read_reviews(contest, truth)
    return truth


def truth_state(contest: Contest) -> tuple[object, ...]:
    """Return a value that changes if `find_truth` stores more: the sizes of its three files.

    They are in bytes, 0 for a file that is missing.
    """
    work = contest.folder / WORK_FOLDER
    paths = (work / HIDDEN_FILE, work / ANSWERS_FILE, work / REVIEWS_FILE)
    return tuple(path.stat().st_size if path.exists() else 0 for path in paths)


# Hidden positions.


def _kept_hidden(contest: Contest) -> list[HiddenPosition] | None:
    """Return the stored hidden positions; None if there are none, or they are of another plan.

    Raise InvalidRecordError for a file that was damaged; PapanError if it is too large or no
    regular file, OSError if it cannot be read.
    """
    path = contest.folder / WORK_FOLDER / HIDDEN_FILE
    if not path.exists():
        return None
    try:
        facts = json.loads(read_regular(path, LARGEST_HIDDEN))
        if facts["terms"] != _terms(contest):
            return None
        return [_hidden_in(*each) for each in facts["positions"]]
    except DAMAGED_FACTS as error:
        why = short(f"{error}")
        raise InvalidRecordError("error.cannot_read", path=path, why=why) from None


def hidden_positions(contest: Contest) -> list[HiddenPosition]:
    """Return the hidden positions of a contest; they are computed once for a plan and stored.

    That takes seconds. They are computed again if the plan has changed so that the stored ones are
    stale. Raise PapanError if the stored file is damaged, too large or no regular file, or if it
    cannot be written; OSError if it cannot be read.
    """
    kept = _kept_hidden(contest)
    if kept is not None:
        return kept
    path = contest.folder / WORK_FOLDER / HIDDEN_FILE
    plan = contest.plan
    found = draw_hidden(plan.rules.spec, plan.truth.positions, plan.ladder.seed)
    rows = [[each.position, dict(each.losses)] for each in found]
    with writing(path):
        make_private(path.parent)
        write_whole(path, to_json({"terms": _terms(contest), "positions": rows}))
    return found


def _hidden_in(position: str, losses: Mapping[str, float]) -> HiddenPosition:
    """Return the hidden position that a stored file has as *position* (text) and *losses*.

    *losses* are the points that each move, by name, gives away. Raise ValueError, TypeError,
    AttributeError or OverflowError for another form, also if there are no moves. Whether *position*
    is one, and whether the moves are legal there, is not checked.
    """
    found = {str(name): float(loss) for name, loss in losses.items()}
    if not found or not all(map(isfinite, found.values())):
        raise ValueError(position)
    return HiddenPosition(str(position), found)


def draw_hidden(game: str, count: int, seed: int) -> list[HiddenPosition]:
    """Return up to *count* solved positions of random games in which some move gives points away.

    *game* is a spec; *seed* decides the random games. The positions are in the order in which they
    are found. There may be fewer than *count*, as at most `TRIED` * *count* positions are looked
    at, whose values `known_positions` proves; one is left out if the value after one of its moves
    is not proved. If *count* is 0, return an empty list and check nothing; else raise PapanError if
    *game* is invalid, or if the solver does not play it.
    """
    solver, found = catalog.agent("solver"), list[HiddenPosition]()
    if not count:
        return found
    solver.load(catalog.position(game))
    for position, value in known_positions(catalog.game(game), solver, TRIED * count, seed):
        losses = {}
        for move in position.moves():
            after = true_value(position.child(move), position.turn, solver)
            if after is None:
                break
            losses[position.game.move_name(move)] = value - after
        else:
            if any(losses.values()):
                found.append(HiddenPosition(str(position), losses))
        if len(found) == count:
            break
    return found


def _terms(contest: Contest) -> str:
    """Return as text all that hidden positions and answers depend on; a change makes them stale.

    It has the spec of the game, the number of positions, the seed and the limits of a move.
    """
    plan = contest.plan
    return to_json([plan.game, plan.truth.positions, plan.ladder.seed, vars(plan.limits)])


def _answers(
    contest: Contest, hidden: Sequence[HiddenPosition], version: Version, unconfined: bool
) -> list[str | None]:
    """Return the name of a bot's move in each hidden position, in order; None where it forfeits.

    It forfeits where it gives no legal move in time. *unconfined* runs it outside the sandbox.
    Raise PapanError if it cannot be started, or if a text in *hidden* is no position.
    """
    found = list[str | None]()
    with catalog.external_agent(version.spec(contest.plan, unconfined)) as agent:
        for each in hidden:
            position = catalog.position(each.position)
            try:
                move = ask_move(agent, position, contest.plan.limit)
                found.append(position.game.move_name(move))
            except Forfeit:
                found.append(None)
    return found


# Lost games.


def _lost_games(contest: Contest) -> list[tuple[str, ContestGame]]:
    """Return (player, lost game) for each game to review: at most `TruthPlan.games` of each player.

    They are games that count, without the player's forfeits. Of each player, in the order of the
    students, the first game lost to each rival comes before all second ones, and so on.
    """
    chosen = []
    for player in contest.players:
        lost = [
            game
            for game in contest.counted()
            if player in game.players and game.outcome(player) < 0 and not forfeited(game, player)
        ]
        met = dict[str, int]()
        order = []
        for game in lost:
            rival = game.players[1 - game.players.index(player)]
            met[rival] = met.get(rival, 0) + 1
            order.append((met[rival], game.pair, game))
        order.sort(key=lambda each: each[:2])
        chosen += [(player, game) for _, _, game in order[: contest.plan.truth.games]]
    return chosen


def _has_review(truth: ExactJudgement, player: str, game: ContestGame) -> bool:
    """Return whether *truth* has the review of *player*'s moves in *game*.

    A review of the other game of the same pair, in which the player had the other seat, does not
    count; but one without a seat, which an older papan stored, counts for both games. Raise
    ValueError if *player* did not play.
    """
    seats = (game.players.index(player), None)
    found = truth.reviews.get(player, ())
    return any(each.pair == game.pair and each.seat in seats for each in found)


def review_game(
    game: ContestGame, player: str, seconds: float, names: Mapping[str, Sequence[str]] | None = None
) -> GameReview:
    """Review a game for one of its players, *player*, within about *seconds* for the whole game.

    *names* has the names of both players for its sentences, by language (en, id) and then by seat;
    None: as in the game. If the game cannot be reviewed, as its record is invalid, the result has 0
    moves and no mistakes. Raise ValueError if *player* did not play.
    """
    seat = game.players.index(player)
    try:
        review: Review = api.review(game.record, seconds)
    except PapanError:
        return GameReview(player, game.pair, 0, 0, 0, seat=seat)
    counts = review.counts(seat)
    wrong = [each for each in review.mistakes if each.seat == seat]
    called = names or dict.fromkeys(("en", "id"), game.players)
    moments = tuple(_moment(game.pair, each, called) for each in wrong)
    moves, judged, best = (counts[each] for each in ("moves", "judged", "best"))
    return GameReview(player, game.pair, moves, judged, best, moments, seat)


def _moment(pair: int, verdict: Verdict, names: Mapping[str, Sequence[str]]) -> Moment:
    """Return the mistake that *verdict* is about, in a game of the pair number *pair*.

    *names* has the names of both players, by language (en, id) and then by seat.
    """
    name = verdict.position.game.move_name
    return Moment(
        pair,
        verdict.ply,
        str(verdict.position),
        verdict.name,
        name(verdict.better[0]) if verdict.better else "",
        tuple(map(name, verdict.refutation[:12])),
        float(verdict.lost),
        verdict.sure != "estimate",
        verdict.kind == "changed",
        {language: verdict.text(language, called) for language, called in names.items()},
        verdict.lesson,
    )


# What is kept.


def _keep(contest: Contest, name: str, facts: dict[str, Any]) -> None:
    """Append *facts* as a line of JSON to the file *name* of the contest, and sync it to the disk.

    A line that was cut short is removed first. Raise PapanError if it cannot be written.
    """
    path = contest.folder / WORK_FOLDER / name
    with writing(path):
        make_private(path.parent)
        with open_regular(path, "a+b", PRIVATE) as file:
            remove_cut_line(file)
            append_line(file, to_json(facts))


def _read_answers(contest: Contest, truth: ExactJudgement) -> None:
    """Add to ``truth.answers`` the stored answers that were given under the present `_terms`.

    Of several lines of a player the last one counts. None are added if there is no file; a last
    line that was cut short is skipped. Raise InvalidRecordError for another line that is damaged,
    PapanError if the file is no regular one, OSError if it cannot be read.
    """
    terms = _terms(contest)

    def answers_in(line: bytes) -> tuple[str, list[str | None]] | None:
        facts = json.loads(line)
        answers = [each if each is None else str(each) for each in facts["answers"]]
        return (str(facts["player"]), answers) if facts["terms"] == terms else None

    for found in read_lines(contest.folder / WORK_FOLDER / ANSWERS_FILE, answers_in):
        if found:
            truth.answers[found[0]] = found[1]


def _read_reviews(contest: Contest, truth: ExactJudgement) -> None:
    """Add to ``truth.reviews`` all stored reviews, in the order of the file.

    None are added if there is no file; a last line that was cut short is skipped. Raise
    InvalidRecordError for another line that is damaged, PapanError if the file is no regular one,
    OSError if it cannot be read.
    """
    for found in read_lines(contest.folder / WORK_FOLDER / REVIEWS_FILE, _review_in):
        truth.reviews.setdefault(found.player, []).append(found)


def _review_in(line: bytes) -> GameReview:
    """Return the review in a line; raise PapanError or one of `DAMAGED_FACTS` for another form."""
    facts = json.loads(line)
    moments = tuple(map(_moment_in, facts["moments"]))
    found = GameReview(**facts | {"moments": moments})
    _demand_kind(found.player, str)
    for number in (found.pair, found.moves, found.judged, found.best):
        _demand_kind(number, int)
    if found.seat is not None:
        _demand_kind(found.seat, int)
    return found


def _moment_in(facts: Mapping[str, Any]) -> Moment:
    """Return a mistake of a file; raise PapanError or one of `DAMAGED_FACTS` for another form.

    PapanError is for a position or a move that is invalid: the move, and the better one if there is
    one, must be legal in the position. Whether the moves of its line are is not checked.
    """
    found = Moment(**{**facts, "line": tuple(facts["line"]), "lost": float(facts["lost"])})
    for text in (found.move, found.better, found.lesson, *found.line, *found.text.values()):
        _demand_kind(text, str)
    for number in (found.pair, found.ply):
        _demand_kind(number, int)
    for sure in (found.proved, found.changed):
        _demand_kind(sure, bool)
    place = catalog.position(found.position)
    for name in filter(None, (found.move, found.better)):
        place.legal_move(name)
    return found


def _demand_kind(found: object, kind: type) -> None:
    """Raise TypeError unless the type of *found* is exactly *kind*."""
    if type(found) is not kind:
        raise TypeError(f"{found!r}")
