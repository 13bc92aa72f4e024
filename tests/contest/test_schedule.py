"""Which game is next, how long a run takes, what counts, and what is read from the disk again."""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from papan.contest import run as running
from papan.contest.checks import Check
from papan.contest.folder import Contest, ContestGame, GamesJournal, contest_state, new_contest
from papan.contest.plan import (
    BotBudget,
    ContestPlan,
    HousePlan,
    LadderPlan,
    MarksPlan,
    TruthPlan,
    read_plan,
)
from papan.contest.run import GameTask, Schedule, _plies, _with_names, assignment, estimate_run
from papan.contest.standings import forfeited, standing_rows, standings_of
from papan.contest.submissions import keep_version
from papan.contest.truth import _terms as truth_terms
from papan.contest.truth import hidden_positions, kept_truth, truth_state
from papan.core import Limit, PapanError, Record
from papan.core.printable import to_json
from tests.contest.test_marks import FIRST, WIN, contest, game

BOTH = ("1 v1", "2 v1")


def planned(made: Contest, **changes: object) -> Contest:
    made.plan = replace(made.plan, **changes)  # type: ignore[arg-type]
    return made


def test_y7_standings_count_points_games_forfeits_time_and_memory(tmp_path: Path) -> None:
    first, second = standings_of(contest(tmp_path))
    assert (first.rank, first.student, first.name, first.player) == (1, "1", "Ani", "1 v1")
    assert (first.points, first.games, first.score) == (3, 4, 0.75)
    assert (second.points, second.games, second.score) == (1, 4, 0.25)
    assert (first.forfeits, second.forfeits) == (Counter(), Counter(crash=1))
    assert first.processor == second.processor == 0.015  # of 0.01, 0.01, 0.02 and 0.02
    assert first.memory == second.memory == 25 << 19
    assert (first.told, second.told) == (False, True)  # a few games tell nothing; nobody follows


def test_the_strongest_is_first_whatever_its_name(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = [game(*BOTH[::-1], WIN, 0), game(*BOTH, "a1 b1", 0, blame=1)]
    assert [(each.rank, each.player) for each in standings_of(made)] == [(1, "2 v1"), (2, "1 v1")]
    assert [row[:2] for row in standing_rows(made, "en")] == [["1", "2"], ["2", "1"]]


def test_y7_memory_is_that_of_the_seat_on_which_a_bot_sat(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = [
        replace(game(*BOTH, WIN, 0), memory=(1 << 20, 3 << 20), processor=((0.1,), (0.3,))),
        replace(game(*BOTH[::-1], WIN, 0), memory=(2 << 20, 0), processor=((0.5,), ())),
    ]
    first, second = sorted(standings_of(made), key=lambda each: each.student)
    assert (first.memory, second.memory) == (1 << 20, 3 << 20)
    assert (first.processor, second.processor) == (0.1, 0.4)


def test_y7_a_place_is_told_once_its_lead_is_nearly_certain(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = [
        game(*(BOTH if place == 0 else BOTH[::-1]), WIN if place == 0 else "a1", pair, blame)
        for pair in range(20)
        for place, blame in ((0, None), (1, 1))
    ]
    assert [each.told for each in standings_of(made)] == [True, True]


def test_y7_before_the_first_game_places_are_in_the_order_of_names(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = []
    made.students = made.students[::-1]
    places = standings_of(made)
    assert [(each.player, each.rating, each.points, each.games) for each in places] == [
        ("1 v1", None, 0, 0),
        ("2 v1", None, 0, 0),
    ]
    assert [(each.score, each.processor, each.memory, each.told) for each in places] == [
        (0, 0, 0, False),
        (0, 0, 0, True),
    ]


def test_y7_the_rows_of_the_standings_are_in_the_language_of_the_page(tmp_path: Path) -> None:
    made = contest(tmp_path)
    english, indonesian = (standing_rows(made, language) for language in ("en", "id"))
    assert english[0][:3] == ["1", "1", "Ani"] and english[0][4:] == ["3/4", "0", "0.0150", "12"]
    assert english[1][4:6] == ["1/4", "crash 1"]
    assert indonesian[0][6:] == ["0,0150", "12"]
    assert "±" in english[0][3] or "[" in english[0][3]


def test_y7_whoever_is_not_to_blame_has_forfeited_nothing() -> None:
    crashed = game("1 v1", "2 v1", "a1", 0, blame=2)
    assert [forfeited(crashed, each) for each in (*BOTH, "3 v1")] == [False, True, False]
    assert not any(forfeited(game("1 v1", "2 v1", WIN, 0), each) for each in BOTH)


def test_y7_an_outcome_is_seen_from_the_player() -> None:
    drawn = game("1 v1", "2 v1", "a1 b1 c1 a2 b2 a3 c2 c3 b3", 0)
    won, lost = game("1 v1", "2 v1", WIN, 0), game("2 v1", "1 v1", WIN, 0)
    assert [each.outcome("1 v1") for each in (won, drawn, lost)] == [1, 0, -1]
    assert [each.outcome("2 v1") for each in (won, drawn, lost)] == [-1, 0, 1]


def test_y7_half_a_pair_is_ended_with_the_seats_exchanged(tmp_path: Path) -> None:
    schedule = Schedule(contest(tmp_path))
    assert schedule.following([]) == (3, 1, BOTH)
    made = contest(tmp_path / "other")
    made.games[-1] = game("2 v1", "1 v1", WIN, 3)
    assert Schedule(made).following([]) == (3, 0, BOTH)


@pytest.mark.parametrize("winner", BOTH)
def test_y7_both_halves_of_a_pair_count_for_whoever_won_them(tmp_path: Path, winner: str) -> None:
    made = contest(tmp_path)
    loser = BOTH[1 - BOTH.index(winner)]
    made.games = [game(winner, loser, WIN, 3)]  # the one to move first wins
    schedule = Schedule(made)
    assert schedule._ladder.score(winner, loser) == (0, 0, 0)
    schedule.add(game(loser, winner, WIN, 3))
    assert schedule._ladder.score(winner, loser) == (1, 0, 1)
    schedule = Schedule(made)
    schedule.add(game(loser, winner, "a1", 3, blame=1))
    assert schedule._ladder.score(winner, loser) == (2, 0, 0)


def test_half_a_pair_with_a_house_bot_is_one_of_those_that_it_plays(tmp_path: Path) -> None:
    made = planned(contest(tmp_path), house=HousePlan(("random",), 2))
    made.games[-1] = game("random", "1 v1", WIN, 3)  # the second pair of 1 v1, begun
    schedule, tasks = Schedule(made), list[GameTask]()
    for _ in range(3):
        task = schedule.following(tasks)
        assert task is not None
        tasks.append(task)
    assert tasks[0] == (3, 0, ("1 v1", "random"))
    assert [task[2] for task in tasks[1:]] == [("2 v1", "random")] * 2


def test_y7_half_a_pair_of_another_game_stays_half(tmp_path: Path) -> None:
    made = contest(tmp_path)
    other = replace(made.games[-1].record, game="tictactoe:4,4,3")
    made.games[-1] = replace(made.games[-1], record=other)
    found = Schedule(made).following([])
    assert found is not None and found[0] == 4


@pytest.mark.parametrize("stranger", ["1 v2", "nobody"])
def test_y7_half_a_pair_of_a_player_that_is_gone_stays_half(tmp_path: Path, stranger: str) -> None:
    made = contest(tmp_path)
    made.games[-1] = game("1 v1", stranger, WIN, 3)
    found = Schedule(made).following([])
    assert found is not None and found[0] == 4  # the number of a new pair


def test_y7_every_bot_meets_every_house_bot_as_often_as_the_plan_says(tmp_path: Path) -> None:
    made = planned(contest(tmp_path), house=HousePlan(("random", "level:1"), 2))
    del made.games[-1]
    schedule = Schedule(made)
    tasks = list[GameTask]()
    for _ in range(12):  # once against the random player, twice against the level: of each bot
        task = schedule.following(tasks)
        assert task is not None
        tasks.append(task)
    assert [task[:2] for task in tasks] == [
        (pair, place) for pair in range(3, 9) for place in (0, 1)
    ]
    met = Counter(task[2] for task in tasks)
    once, twice = (
        {("1 v1", "random"), ("2 v1", "random")},
        {("1 v1", "level:1"), ("2 v1", "level:1")},
    )
    assert met == Counter(dict.fromkeys(once, 2) | dict.fromkeys(twice, 4))
    assert [task[2] for task in tasks[:4:2]] == [("1 v1", "level:1"), ("2 v1", "level:1")]


def test_y7_a_game_that_is_over_counts_for_the_choice_of_the_next(tmp_path: Path) -> None:
    made = contest(tmp_path)
    made.games = []
    made = planned(made, house=HousePlan((), 0), marks=MarksPlan("1"))
    schedule = Schedule(made)
    first, second = schedule.following([]), schedule.following([])
    assert (first, second) == ((0, 0, BOTH), (0, 1, BOTH))
    for _ in range(24):
        schedule.add(game(*BOTH, WIN, 0))
        schedule.add(game(*BOTH[::-1], WIN, 0))
    assert schedule.following([]) is None  # as many pairs as are played at most


@pytest.mark.parametrize("place", [0, 1])
def test_y7_a_referee_is_told_who_plays_by_which_limits(tmp_path: Path, place: int) -> None:
    budget, ladder = BotBudget(2.5, 4000), LadderPlan(opening=2, seed=7)
    made = planned(contest(tmp_path), limits=budget, ladder=ladder)
    order = assignment(made, (3, place, ("1 v1", "random")), unconfined=True)
    bot = made.players["1 v1"].spec(made.plan, unconfined=True)
    assert (order.number, order.plan.agents) == (place, (bot, "random"))
    seats = [bot, "random"] if place == 0 else ["random", bot]
    assert [each.agent for each in order.orders()] == seats
    assert (order.plan.game, order.plan.opening, order.plan.pairs) == ("tictactoe", 2, 1)
    assert order.plan.seats == 2 and order.catalog == "papan"
    assert order.plan.limit == Limit(seconds=2.5)
    assert (order.plan.guard.deadline, order.plan.guard.memory) == (7.5, 4000)
    other = assignment(made, (4, place, ("1 v1", "random")), unconfined=True)
    numbers = [sha256(f"7 game {each}".encode()).digest()[:4] for each in (3, 4)]
    seeds = [
        order.plan.seed,
        other.plan.seed,
    ]  # no sum of the plan's: who had that, had its secrets
    assert seeds == [int.from_bytes(each, "big") // 2 for each in numbers]
    small = assignment(contest(tmp_path / "small"), (3, place, ("1 v1", "random")))
    assert small.plan.guard.memory == 2048  # what papan's own agents need
    assert "confined=folder" in small.plan.agents[0]


def test_z25_the_seed_of_a_new_plan_is_found_by_no_trying(tmp_path: Path) -> None:
    seeds = set()
    for name in ("one", "other"):
        new_contest(tmp_path / name, "tictactoe", "en")
        seeds.add(read_plan(tmp_path / name / "plan.toml").ladder.seed)
    assert len(seeds) == 2 and min(seeds) > 2**32  # a smaller one comes once in 2**30


def test_y7_the_time_that_is_left_is_shared_by_the_games_at_a_time(tmp_path: Path) -> None:
    made = planned(contest(tmp_path), ladder=LadderPlan(minutes=30, at_a_time=2))
    assert made.seconds_left() == 30 * 60 - 7 / 2  # seven games of a second each
    assert planned(made, ladder=LadderPlan(minutes=0.05, at_a_time=2)).seconds_left() == 0
    assert made.width == 2


def test_y7_an_estimate_takes_the_mean_of_the_games_so_far(tmp_path: Path) -> None:
    made = planned(contest(tmp_path), ladder=LadderPlan(minutes=30, at_a_time=2))
    made.games[0] = replace(made.games[0], seconds=8.0)
    found = estimate_run(made)  # 14 seconds in 7 games
    assert found.game_seconds == 2
    assert found.minutes == pytest.approx((1800 - 14 / 2) / 60)
    assert found.games == 1793  # of two seconds each, two at a time
    assert found.round_robin_hours == pytest.approx(20 * 2 * 1 * 2 / 2 / 3600)
    made.games = [replace(game, seconds=0.0) for game in made.games]
    assert estimate_run(made).games == 1800 * 2 * 1000  # a game takes a millisecond at least


@pytest.mark.parametrize(("seconds", "move"), [(0.05, 0.05), (5.0, 0.1)])
def test_y7_before_the_first_game_an_estimate_is_made_of_the_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seconds: float, move: float
) -> None:
    monkeypatch.setattr(running, "_plies", lambda plan: 10)
    made = contest(tmp_path)
    made.games = []
    made.checks = {key: replace(each, seconds=seconds) for key, each in made.checks.items()}
    assert estimate_run(made).game_seconds == pytest.approx(2 * 0.4 + 10 * move)
    made.newest = {}  # without bots a move takes what is granted
    nobody = estimate_run(made)
    assert nobody.game_seconds == pytest.approx(2 * 0.4 + 10 * 0.1)
    assert nobody.round_robin_hours == 0


def test_a_round_robin_of_three_has_three_pairings(tmp_path: Path) -> None:
    made = planned(contest(tmp_path), ladder=LadderPlan(minutes=30, at_a_time=1))
    del made.refused["3"]
    made.newest["3"] = keep_version(tmp_path, "3", {"main.py": FIRST})
    made.checks["3", 1] = Check("3", 1)
    assert estimate_run(made).round_robin_hours == pytest.approx(3 * 20 * 2 * 1 / 3600)


def test_y7_random_games_are_as_long_as_they_are_without_the_opening() -> None:
    seven = ContestPlan("Cup", "dots:1,2", ladder=LadderPlan(opening=4))  # seven edges
    assert _plies(seven) == 3
    assert _plies(replace(seven, ladder=LadderPlan(opening=0))) == 7


def line(of: ContestGame) -> bytes:
    return f"{to_json(of.json())}\n".encode()


def test_y7_a_journal_is_read_again_from_where_it_was_read(tmp_path: Path) -> None:
    made = contest(tmp_path)
    path = tmp_path / "work" / "games.jsonl"
    journal = GamesJournal(tmp_path)
    assert journal.look() == []
    path.write_bytes(line(made.games[0]) + line(made.games[2]) + line(made.games[1])[:-9])
    assert journal.look() == [made.games[0], made.games[2]]  # what is half written is not read
    path.write_bytes(line(made.games[0]) + line(made.games[2]) + line(made.games[1]))
    assert journal.look() is journal.games
    assert journal.games == [made.games[0], made.games[2], made.games[1]]


def test_y7_a_damaged_line_is_named_by_its_number(tmp_path: Path) -> None:
    made = contest(tmp_path)
    (tmp_path / "work" / "games.jsonl").write_bytes(line(made.games[0]) + b"{}\n")
    with pytest.raises(PapanError) as caught:
        GamesJournal(tmp_path).look()
    assert caught.value.values["line"] == 2


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("processor", [[-1.0], []]),
        ("processor", [[float("inf")], []]),
        ("processor", 3),
        ("memory", [-1, 0]),
        ("seconds", -0.5),
        ("seconds", float("nan")),
        ("pair", None),
        ("players", ["1 v1"]),
        ("moves", "a1 a1"),
        ("scores", [0, 1]),
    ],
)
def test_y7_a_forged_game_is_not_read(tmp_path: Path, key: str, value: object) -> None:
    made = contest(tmp_path)
    text = f"{to_json(made.games[0].json() | {key: value})}\n"
    (tmp_path / "work" / "games.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(PapanError, match=r"games\.jsonl"):
        GamesJournal(tmp_path).look()


def test_a_journal_that_is_no_text_is_not_read(tmp_path: Path) -> None:
    contest(tmp_path)
    (tmp_path / "work" / "games.jsonl").write_bytes(b'{"\xff": 1}\n')
    with pytest.raises(PapanError, match=r"games\.jsonl"):
        GamesJournal(tmp_path).look()


def test_y7_a_contest_has_changed_if_its_plan_its_list_or_a_submission_has(tmp_path: Path) -> None:
    def changes(act: Callable[[], object]) -> bool:
        before = contest_state(tmp_path)
        act()
        return contest_state(tmp_path) != before

    place = tmp_path / "submissions"
    assert changes(lambda: (tmp_path / "plan.toml").write_text("a"))
    assert changes(lambda: (tmp_path / "students.csv").write_text("a"))
    place.mkdir()
    assert changes(lambda: (place / "1.py").write_text("a"))
    assert changes(lambda: (place / "1.py").write_text("ab"))
    assert changes(lambda: os.utime(place / "1.py", (5, 5)))
    assert changes((place / "1.py").unlink)
    assert not changes(lambda: (tmp_path / "report").mkdir())


CHANGES: dict[str, object] = {
    "game": "tictactoe:4,4,3",
    "seconds": BotBudget(seconds=0.2),
    "memory": BotBudget(memory=600),
    "searches": BotBudget(searches=True),
    "seed": LadderPlan(seed=5),
}


@pytest.mark.parametrize("key", CHANGES)
def test_y7_another_game_limit_or_seed_makes_checks_and_answers_stale(
    tmp_path: Path, key: str
) -> None:
    made = contest(tmp_path)
    before = (made._terms(), truth_terms(made))
    name = {"game": "game", "seed": "ladder"}.get(key, "limits")
    planned(made, **{name: CHANGES[key]})
    assert made._terms() != before[0] and truth_terms(made) != before[1]


def test_y7_another_title_or_formula_makes_nothing_stale(tmp_path: Path) -> None:
    made = contest(tmp_path)
    before = (made._terms(), truth_terms(made))
    planned(made, title="Another", deadline="2030-01-01", ladder=LadderPlan(minutes=1))
    assert (made._terms(), truth_terms(made)) == before
    planned(made, truth=TruthPlan(positions=5))
    assert made._terms() == before[0] and truth_terms(made) != before[1]


def test_y7_hidden_positions_are_drawn_once_for_a_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = contest(tmp_path)
    states = [truth_state(made)]
    assert kept_truth(made) is None and states[0] == (0, 0, 0)
    found = hidden_positions(made)
    assert len(found) == 4
    monkeypatch.setattr("papan.contest.truth.draw_hidden", lambda *which: [])
    assert hidden_positions(made) == found
    kept = kept_truth(made)
    assert kept is not None and kept.hidden == found
    assert truth_state(made) != states[0] and truth_state(made)[1:] == (0, 0)
    planned(made, ladder=LadderPlan(seed=8))
    assert kept_truth(made) is None and hidden_positions(made) == []


def test_y7_what_a_bot_printed_does_not_tell_where_it_lies(tmp_path: Path) -> None:
    made = contest(tmp_path)
    bot = made.players["1 v1"]
    home = bot.folder.resolve()
    record = Record(
        "tictactoe:3,3,3",
        "tictactoe:3,3,3 .../.../... x",
        ("bot:x", "random"),
        "",
        (0, 0),
        "crash",
        1,
        f"bot:x died in {home}/main.py",
        {"agent": "bot:x", "why": f"in {home}/main.py"},
        f"File {home}/main.py, line 3",
    )
    shown = _with_names(made, record, ("1 v1", "random"), {"bot:x": "1 v1", "random": "random"})
    assert shown.agents == ("1 v1", "random")
    assert shown.reason == "1 v1 died in main.py"
    assert shown.cause == {"agent": "1 v1", "why": "in main.py"}
    assert shown.output == "File main.py, line 3"
    other = _with_names(made, replace(record, blame=2), ("1 v1", "random"), {})
    assert other.cause["agent"] == "random"


def test_y7_who_may_play_is_the_newest_legal_version(tmp_path: Path) -> None:
    made = contest(tmp_path)
    assert (made.playing("1"), made.fault("1"), made.verdict("1")) == (made.newest["1"], None, None)
    broken = PapanError("contest.empty")
    made.checks["1", 1] = Check("1", 1, broken)
    assert (made.playing("1"), made.fault("1"), made.verdict("1")) == (None, broken, broken)
    del made.checks["1", 1]
    assert [each.player for each in made.unchecked()] == ["1 v1"]
    fault = made.fault("1")
    assert fault is not None and fault.key == "contest.unchecked"
    made = planned(contest(tmp_path), disqualified={"2": "a copy"})
    fault = made.verdict("2")
    assert fault is not None and (fault.key, fault.values["why"]) == (
        "contest.disqualified",
        "a copy",
    )
    assert list(made.players) == ["1 v1"]
