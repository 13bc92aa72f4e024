"""Watching a tournament: what another process writes is seen, once, and told as data."""

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import InvalidRecordError, Limit
from papan.lab.results import table_markdown
from papan.lab.statistics.elo import Sprt
from papan.lab.tournament.folder import (
    Efforts,
    Journal,
    Spread,
    TournamentWatch,
    create,
    effort_line,
    journal_line,
    parse_line,
    read_games,
    reopen,
)
from papan.lab.tournament.plan import Stopping, TournamentPlan, command
from papan.lab.tournament.report import (
    tournament_csv,
    tournament_facts,
    tournament_table,
)
from papan.lab.tournament.standings import TournamentState

from .games import made_up_game, made_up_games

PLAN = TournamentPlan("tictactoe", ("a", "b", "c"), pairs=4)


def test_what_is_written_is_seen_once(tmp_path: Path) -> None:
    folder = create(tmp_path, PLAN)
    watch = TournamentWatch(folder)
    assert not watch.look()
    with Journal(folder.journal, PLAN) as journal:
        for number in (1, 0, 2):
            journal.write(number, made_up_game(PLAN, number))
        assert watch.look()
        assert not watch.look()
        journal.write(5, made_up_game(PLAN, 5))
    assert watch.look()
    assert watch.latest == [1, 0, 2, 5]
    assert watch.state.games == {number: made_up_game(PLAN, number) for number in (0, 1, 2, 5)}


@pytest.mark.parametrize("rubbish", [b'{"number": 3, "pl', b"\0\0\0\n"])
def test_what_a_power_cut_left_is_seen_when_it_is_written_anew(
    tmp_path: Path, rubbish: bytes
) -> None:
    folder = create(tmp_path, PLAN)
    watch = TournamentWatch(folder)
    with Journal(folder.journal, PLAN) as journal:
        journal.write(0, made_up_game(PLAN, 0))
    folder.journal.write_bytes(folder.journal.read_bytes() + rubbish)
    assert watch.look()
    assert not watch.look()
    with Journal(folder.journal, PLAN) as journal:
        for number in (1, 2, 3):
            journal.write(number, made_up_game(PLAN, number))
    assert watch.look()
    assert watch.latest == [0, 1, 2, 3]


def test_the_report_adds_up() -> None:
    facts = asdict(tournament_facts(TournamentState(PLAN, made_up_games(PLAN))))
    agents = facts["agents"]
    assert isinstance(agents, list)
    assert sorted(agent["agent"] for agent in agents) == ["a", "b", "c"]
    for agent in agents:
        seats = [sum(seat.values()) for seat in agent["seats"]]
        assert seats == [8, 8]
        assert sum(seat["wins"] for seat in agent["seats"]) == agent["wins"]
    chances = facts["superiority"]
    assert isinstance(chances, list)
    for first in range(3):
        for second in range(3):
            if first == second:
                assert chances[first][second] is None
            else:
                assert chances[first][second] + chances[second][first] == pytest.approx(1)


def test_c06_a_report_says_why_games_were_forfeited() -> None:
    games = made_up_games(PLAN)
    for number in (0, 1):
        fault: dict[str, Any] = {
            "end": "crash",
            "blame": 1,
            "reason": "KeyError: 'x'",
            "output": f"Trace {number}",
        }
        games[number] = replace(games[number], record=replace(games[number].record, **fault))
    agents = tournament_facts(TournamentState(PLAN, games)).agents
    reported = {agent.agent: agent.faults for agent in agents}
    guilty = [PLAN.names[games[number].seating[0]] for number in (0, 1)]
    for number, name in enumerate(guilty):
        (fault_facts,) = reported.pop(name)
        assert asdict(fault_facts) == {
            "kind": "crash", "reason": "KeyError: 'x'", "games": 1, "output": f"Trace {number}",
            "cause": {},
        }  # fmt: skip
    assert [*reported.values()] == [[]]


def test_a_table_for_people_and_one_for_programs_say_the_same() -> None:
    state = TournamentState(PLAN, made_up_games(PLAN))
    table = table_markdown(tournament_table(state), "en")
    assert table.startswith("**tictactoe, 24 games: Elo (Bradley-Terry) with 95% intervals.**")
    rows = tournament_csv(state).splitlines()
    assert len(rows) == 4
    assert all(f"| {row.split(',')[0]} | " in table for row in rows[1:])


def test_what_moves_cost_is_kept_beside_the_journal(tmp_path: Path) -> None:
    papan.tournament(["hillclimb", "random"], "tictactoe", tmp_path, pairs=2, limit=Limit(nodes=50))
    watch = TournamentWatch(reopen(tmp_path))
    watch.look()
    spent = {each.agent: each for each in watch.efforts.facts()}
    assert spent["random"].nodes == Spread(9, 9)
    assert spent["random"].milliseconds
    assert watch.efforts.pace is not None


def test_a_damaged_line_of_costs_says_nothing(tmp_path: Path) -> None:
    efforts, folder = Efforts(PLAN), create(tmp_path, PLAN)
    for line in (b"", b"{", b"[]", b'{"number": 0}', b'{"number": 0, "at": 1, "seats": [[1]]}'):
        efforts.add(line)
    endless = b'{"number": 0, "at": 1, "seats": [[[1e999, 1]]]}'
    huge = b'{"number": 0, "at": 1%s, "seats": []}' % (b"0" * 400)
    for line in (b"[" * 99_999, endless, huge, b'{"number": 1e300, "at": 1, "seats": []}'):
        efforts.add(line)
    assert (efforts.facts()[0].nodes, efforts.pace) == (None, None)
    game = replace(
        made_up_game(PLAN, 0), effort=(((3, 0.5, 0.4), (5, 1.5, 1.0)), ((1, 0.25, 0.2),))
    )
    efforts.add(effort_line(folder, 0, game).encode())
    first, second, *_ = efforts.facts()
    assert (first.nodes, second.milliseconds) == (Spread(4, 4.9), Spread(250, 250))


def test_the_command_names_whatever_decides_the_games() -> None:
    plan = TournamentPlan(
        "connect4:6,7", ("random", "level:1"), pairs=3, seed=5, opening=4, limit=Limit(seconds=0.5)
    )
    words = "papan tournament run cup random level:1 --game connect4:6,7"
    words += " --pairs 3 --seed 5 --opening 4 --seconds 0.5"
    assert command(plan) == words
    stopping = Stopping(Sprt(-5, 5), error=12.5)
    reported = command(replace(plan, gauntlet=True, stopping=stopping))
    test = "elo0=-5,elo1=5,alpha=0.05,beta=0.05,model=normalised"
    assert reported == f"{words} --gauntlet --sprt {test} --until-error 12.5"


def at(number: int, end: float, *seats: list[list[float]]) -> bytes:
    """A line of costs of a game that ended at a time."""
    return json.dumps({"number": number, "at": end, "seats": seats}).encode()


def test_y7_the_pace_is_that_of_the_last_fifty_games() -> None:
    efforts = Efforts(PLAN)
    efforts.add(at(0, 100.0))
    assert efforts.pace is None
    efforts.add(at(1, 100.0))
    assert efforts.pace is None, "both at once"
    efforts.add(at(2, 104.0))
    assert efforts.pace == 0.5
    for number in range(50):
        efforts.add(at(3, 200.0 + number / 7))
    assert efforts.pace == pytest.approx(7)


def test_y7_what_a_move_costs_is_told_in_milliseconds_of_the_clock() -> None:
    efforts = Efforts(PLAN)
    moves = [[number, number / 64, 9.0] for number in range(101)]
    efforts.add(at(3, 1.0, moves, [[7, 0.5, 0.1]]))  # c has the first seat, a the second
    facts = {each.agent: (each.nodes, each.milliseconds) for each in efforts.facts()}
    assert facts == {
        "a": (Spread(7, 7), Spread(500, 500)),
        "b": (None, None),
        "c": (Spread(50, 95), Spread(781.25, 1484.375)),
    }


def test_y7_half_a_point_is_kept_in_the_journal() -> None:
    game = replace(
        made_up_game(PLAN, 3), record=replace(made_up_game(PLAN, 3).record, scores=(1, 0.5))
    )
    line = journal_line(3, game).encode() + b"\n"
    number, read = parse_line(line, PLAN)
    assert (number, read) == (3, game)
    assert [type(score) for score in read.record.scores] == [int, float]


@pytest.mark.parametrize(
    "change",
    [
        {"number": PLAN.games},
        {"number": -1},
        {"number": 3.0},
        {"number": True},
        {"players": [0, 2]},
        {"number": 4},
        {"agents": ["a"]},
    ],
)
def test_y7_a_line_that_does_not_fit_its_plan_is_no_game(change: dict[str, Any]) -> None:
    facts = json.loads(journal_line(3, made_up_game(PLAN, 3)))
    assert parse_line(json.dumps(facts).encode() + b"\n", PLAN)[0] == 3
    for damaged in (json.dumps(facts | change).encode() + b"\n", json.dumps(facts).encode()):
        with pytest.raises(InvalidRecordError) as refused:
            parse_line(damaged, PLAN)
        assert refused.value.key == "error.not_a_record"


def test_y7_a_game_that_is_written_twice_is_seen_once(tmp_path: Path) -> None:
    folder = create(tmp_path, PLAN)
    watch = TournamentWatch(folder)
    line = journal_line(0, made_up_game(PLAN, 0)).encode() + b"\n"
    folder.journal.write_bytes(line)
    assert watch.look()
    folder.journal.write_bytes(line + line)
    assert not watch.look()
    assert watch.latest == [0]
    with pytest.raises(InvalidRecordError):
        read_games(folder)
