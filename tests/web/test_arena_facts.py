"""What pages show of a tournament: games by page and player, reports, files; and its plan."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.core import Limit, PapanError
from papan.core.record import Record
from papan.lab.match import MatchGame
from papan.lab.tournament.folder import JOURNAL_FILE, create, journal_line
from papan.lab.tournament.plan import TournamentPlan
from papan.web import arena
from papan.web.arena import (
    DEFAULT_NODES,
    DEPTH_NODES,
    LAST_GAMES,
    PAGE_GAMES,
    FollowedTournament,
    SprtOrder,
    TournamentFacts,
    TournamentOrder,
    is_chosen,
    plan_of,
)
from papan.web.settings import ServerSettings
from tests.lab.tournament.games import made_up_game
from tests.web.asking import QUIET, ask

PLAN = TournamentPlan("tictactoe:3,3,3", ("random", "minimax", "random"), pairs=20)
"""120 games between any two of three agents, one of which comes twice."""
START = "tictactoe:3,3,3 .../.../... x"
JOB: dict[str, Any] = {
    "id": "goodgoodgood",
    "state": "running",
    "why": None,
    "made": "2026-01-02T03:04:05.000+00:00",
    "title": "Cup",
    "game": "tictactoe:3,3,3",
    "agents": ["random", "minimax", "random #2"],
    "games": 0,
    "planned": 120,
    "yours": True,
}


def played(folder: Path, *numbers: int, plan: TournamentPlan = PLAN) -> None:
    """Add games to the journal of a tournament."""
    with (folder / JOURNAL_FILE).open("a") as file:
        for number in numbers:
            file.write(journal_line(number, made_up_game(plan, number)) + "\n")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """The folder of a tournament without a game."""
    create(tmp_path / "cup", PLAN)
    return tmp_path / "cup"


@pytest.mark.parametrize(
    ("players", "chosen", "listed"),
    [
        ("ab", "", True),
        ("ab", "a", True),
        ("ab", "b", True),
        ("ab", "c", False),
        ("ab", "ab", True),
        ("ba", "ab", True),
        ("ac", "ab", False),
        ("aa", "ab", True),
        ("ab", "aa", False),
        ("a", "ab", True),
        ("a", "b", False),
    ],
)
def test_games_of_one_are_all_of_theirs_and_games_of_two_are_among_them(
    players: str, chosen: str, listed: bool
) -> None:
    assert is_chosen([*players], [*chosen]) is listed


def test_games_come_by_number_a_page_at_a_time(cup: Path) -> None:
    played(cup, *range(PAGE_GAMES, -1, -1))  # one more than fit, the last first
    found = FollowedTournament(cup)

    def page(after: int, *chosen: str) -> tuple[int, list[int]]:
        games = found.games(chosen, after)
        return games.total, [each.number for each in games.games]

    assert page(0) == (51, [*range(50)])
    assert page(1) == (51, [*range(1, 51)])
    assert page(50) == (51, [50])
    assert page(51) == (51, [])
    seatings = [PLAN.seating(number) for number in range(51)]
    assert page(0, "minimax") == (34, [n for n in range(51) if 1 in seatings[n]])
    both = [n for n in range(51) if set(seatings[n]) == {0, 2}]
    assert page(2, "random #2", "random") == (len(both), both[2:])


def test_a_game_is_listed_with_its_agents_by_seat(cup: Path) -> None:
    played(cup, 3)
    (game,) = FollowedTournament(cup).games((), 0).games
    record = made_up_game(PLAN, 3).record
    assert game.model_dump() == {
        "number": 3,
        "agents": [PLAN.names[agent] for agent in PLAN.seating(3)],
        "start": record.start,
        "moves": "",
        "end": record.end,
        "winner": record.winner,
        "scores": [*record.scores],
    }


def test_a_report_shows_the_last_games_the_newest_first(cup: Path) -> None:
    facts = TournamentFacts(**JOB)
    played(cup, 5, 0, 3, 1, 2, 4)
    report = FollowedTournament(cup).report(facts)
    assert [each.number for each in report.last] == [4, 2, 1, 3] and LAST_GAMES == 4
    assert (report.seen, report.contest.games, report.contest.planned) == (6, 6, 120)
    assert json.loads(report.model_dump_json())["order"] == json.loads(json.dumps(PLAN.json()))
    assert {name: getattr(report, name) for name in JOB} == JOB
    assert report.command.startswith("papan tournament run cup random minimax random ")
    assert [each.agent for each in report.efforts] == [*PLAN.names] and report.pace is None


def test_a_report_of_a_running_tournament_is_computed_once_a_second_and_as_rarely_as_it_costs(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr(arena, "monotonic", lambda: clock[0])
    found, running = FollowedTournament(cup), TournamentFacts(**JOB)

    def seen(at: float, facts: TournamentFacts = running) -> int:
        clock[0] = at
        return found.report(facts).seen

    assert seen(100) == 0
    played(cup, 0)
    assert [seen(100.9), seen(101)] == [0, 1]
    played(cup, 1)
    assert seen(101.5) == 1
    assert seen(101.5, running.model_copy(update={"state": "done"})) == 2
    slow = found._compute_report

    def computed(facts: TournamentFacts) -> Any:
        clock[0] += 0.5
        return slow(facts)

    monkeypatch.setattr(found, "_compute_report", computed)
    played(cup, 2)
    assert seen(103) == 3  # until 103.5: the next one 5 seconds later
    played(cup, 3)
    assert [seen(108.4), seen(108.5)] == [3, 4]
    assert found.report(running.model_copy(update={"games": 77})).games == 77  # always of now


def test_a_picture_has_all_moves_and_there_is_none_of_a_game_against_the_rules() -> None:
    def picture(moves: str) -> str:
        record = Record("tictactoe", START, ("a", "b"), moves, (0, 0), "open")
        return arena._picture(MatchGame((0, 1), record))

    assert picture("b2 a1").startswith("<svg")
    shown = [
        [each for each in ("b2", "a1") if f'data-at="{each}"' in picture(moves)]
        for moves in ("", "b2", "b2 a1")
    ]
    assert shown == [[], ["b2"], ["b2", "a1"]]
    assert picture("b2 b2") == ""


# Files.


@pytest.fixture
def served(tmp_path: Path) -> ServerSettings:
    """A server with a tournament that is done."""
    folder = tmp_path / "tournament" / "goodgoodgood"
    create(folder, PLAN)
    order = {"concurrency": 1, "title": "Cup"}
    facts = {"kind": "tournament", "id": folder.name, "order": order, "made": "2026"}
    (folder / "job.json").write_text(json.dumps(facts | {"state": "done"}))
    return replace(QUIET, data=tmp_path)


ADDRESS = "/api/v1/tournaments/goodgoodgood"


def test_before_the_first_game_files_are_there_and_games_are_none(served: ServerSettings) -> None:
    games = ask("GET", f"{ADDRESS}/files/games.jsonl", served)
    assert (games.status_code, games.content) == (200, b"")
    assert games.headers["content-type"] == "application/jsonl"
    name = games.headers["content-disposition"]
    assert name == 'attachment; filename="papan-goodgoodgood-games.jsonl"'
    (listed,) = ask("GET", "/api/v1/tournaments", served).json()
    assert listed == JOB | {"state": "done", "made": "2026"}
    assert ask("GET", f"{ADDRESS}/games", served).json() == {"total": 0, "games": []}


def test_a_game_that_is_being_written_is_in_no_file_and_no_count(served: ServerSettings) -> None:
    folder = served.data / "tournament" / "goodgoodgood"
    played(folder, 0, 1)
    whole = (folder / JOURNAL_FILE).read_bytes()
    (folder / JOURNAL_FILE).write_bytes(whole + b'{"number": 2')
    assert ask("GET", f"{ADDRESS}/files/games.jsonl", served).content == whole
    assert [each["games"] for each in ask("GET", "/api/v1/tournaments", served).json()] == [2]
    report = ask("GET", f"{ADDRESS}/files/report.json", served).json()
    assert (report["games"], report["planned"]) == (2, 120)
    for language, word in (("en", "games"), ("id", "permainan")):
        path = f"{ADDRESS}/files/table.md?language={language}"
        assert f"2 {word}" in ask("GET", path, served).text
    header = ask("GET", f"{ADDRESS}/files/table.csv", served).text.splitlines()[0]
    assert header.startswith("agent,")


def test_a_page_that_knows_all_results_gets_none_unless_another_asks(
    served: ServerSettings,
) -> None:
    played(served.data / "tournament" / "goodgoodgood", 0)
    first = ask("GET", ADDRESS, served)
    assert first.headers["etag"] == '"1-done-True"'
    assert first.headers["cache-control"] == "no-cache"
    for mark, status in (('"1-done-True"', 304), ('"1-done-False"', 200), ('"0-done-True"', 200)):
        again = ask("GET", ADDRESS, served, headers={"if-none-match": mark})
        assert (again.status_code, again.headers["etag"]) == (status, '"1-done-True"')


# Plans.


def order(**changes: Any) -> TournamentOrder:
    return TournamentOrder(**{"game": "tictactoe", "agents": ["random", "minimax"]} | changes)


@pytest.mark.parametrize(
    ("change", "limit"),
    [
        ({}, Limit(nodes=DEFAULT_NODES)),
        ({"nodes": 7}, Limit(nodes=7)),
        ({"seconds": 0.5}, Limit(seconds=0.5)),
        ({"agents": ["minimax", "alphabeta"], "depth": 3}, Limit(nodes=DEPTH_NODES)),
    ],
)
def test_a_move_has_the_limit_that_was_asked_for_or_ten_thousand_nodes(
    change: dict[str, Any], limit: Limit
) -> None:
    assert plan_of(order(**change), 512).limit == limit
    assert (DEFAULT_NODES, DEPTH_NODES) == (10_000, 10**9)


def test_a_plan_has_all_that_was_ordered() -> None:
    wanted = order(
        agents=["minimax", "alphabeta"],
        depth=3,
        pairs=9,
        opening=4,
        seed=5,
        gauntlet=True,
        sprt=SprtOrder(elo0=1, elo1=7, alpha=0.1, beta=0.2),
        error=30.0,
    )
    plan = plan_of(wanted, 512)
    assert (plan.game, plan.agents, plan.seats) == (
        "tictactoe:3,3,3",
        ("minimax:depth=3", "alphabeta:depth=3"),
        2,
    )
    assert (plan.pairs, plan.opening, plan.seed, plan.gauntlet) == (9, 4, 5, True)
    test, error = plan.stopping.sprt, plan.stopping.error
    assert test is not None and error == 30
    assert (test.elo0, test.elo1, test.alpha, test.beta) == (1, 7, 0.1, 0.2)
    usual = plan_of(order(), 512)
    assert (usual.pairs, usual.opening, usual.seed, usual.gauntlet) == (10, 2, 0, False)
    assert (usual.stopping.sprt, usual.stopping.error) == (None, None)
    assert plan_of(order(game="onet:2,4,2,2", agents=["random"] * 2), 512).seats == 1


def test_a_bot_of_the_owner_plays_from_its_file_in_the_sandbox_and_at_no_depth() -> None:
    bots = ["bot:mine.py", "bot:mine.js"]
    assert plan_of(order(agents=bots), 512).agents == (
        "bot:mine.py,deadline=10,memory=1024,confined=file",
        "program:node --max-old-space-size=768 mine.js,deadline=10,memory=1024,confined=file",
    )
    with pytest.raises(PapanError) as refused:
        plan_of(order(agents=bots, depth=3), 512)
    assert (refused.value.key, refused.value.values["agent"]) == ("arena.no_depth", "mine.py")


@pytest.mark.parametrize(("pairs", "fits"), [(10_000, True), (3334, False), (3333, True)])
def test_a_tournament_of_the_arena_has_twenty_thousand_games_at_most(
    pairs: int, fits: bool
) -> None:
    agents = ["random"] * (2 if pairs == 10_000 else 3)
    wanted = order(agents=agents, pairs=pairs)
    if fits:
        assert plan_of(wanted, 512).games == pairs * 2 * (1 if len(agents) == 2 else 3)
        return
    with pytest.raises(PapanError) as refused:
        plan_of(wanted, 512)
    assert refused.value.key == "tournament.too_many"
    assert refused.value.values == {"games": 20_004, "most": 20_000}


@pytest.mark.parametrize(
    ("memory", "fits"), [(512, True), (513, False)], ids=["as much as is allowed", "more"]
)
def test_an_agent_may_need_as_much_memory_as_the_server_gives(memory: int, fits: bool) -> None:
    wanted = order(agents=[f"solver:memory={memory}", "random"])
    if fits:
        assert plan_of(wanted, 512).agents[0] == f"solver:memory={memory}"
        return
    with pytest.raises(PapanError) as refused:
        plan_of(wanted, 512)
    assert refused.value.values.items() >= {"setting": "memory", "least": 1, "most": 512}.items()


@pytest.mark.parametrize(
    ("asked", "cores", "width"),
    [(None, 4, 3), (None, 1, 1), (1, 4, 1), (4, 4, 4), (64, 4, 4)],
)
def test_as_many_games_are_played_at_once_as_there_are_cores_at_most(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: int | None, cores: int, width: int
) -> None:
    monkeypatch.setattr(arena, "cores", lambda: cores)
    settings = replace(QUIET, data=tmp_path, jobs=0)
    body = {"game": "tictactoe", "agents": ["random", "random"], "title": " Cup "}
    answer = ask("POST", "/api/v1/tournaments", settings, json=body | {"concurrency": asked})
    assert answer.status_code == 201
    facts = json.loads((tmp_path / "tournament" / answer.json()["id"] / "job.json").read_text())
    assert facts["order"] == {"concurrency": width, "title": "Cup"}
