"""The tables of the commands, whole, made of numbers that are known."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Literal

import pytest

from papan import api, catalog
from papan.cli.agents import MOST_GAMES, score_and_elo, show_stage, usual_games
from papan.cli.lab import check_chart_file, print_survey, split_agents
from papan.cli.tournament import at_a_time, print_standings, sprt_lines, tally_lines
from papan.core import (
    Agent,
    InvalidSpecError,
    Limit,
    PapanError,
    Position,
    Progress,
    Record,
    Thinking,
)
from papan.core.analysis import Analysis
from papan.core.interrupts import Interrupted
from papan.lab.complexity import (
    BoardSurvey,
    GameTree,
    PlyCounts,
    SearchRun,
    Survey,
    Sweep,
    WalkCosts,
)
from papan.lab.match import MOST_AT_A_TIME, MatchGame
from papan.lab.referee import BotFault, BotTrial
from papan.lab.statistics.elo import ScoreTally, Sprt
from papan.lab.statistics.intervals import Interval
from papan.lab.strength import AgentStrength, Regret
from papan.lab.tournament.folder import create
from papan.lab.tournament.plan import Stopping, TournamentPlan
from papan.lab.tournament.standings import TournamentState
from papan.terminal.output import use_language
from papan.training import TrainingStage

from .conftest import Papan


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("COLUMNS", raising=False)
    use_language("en")
    yield
    use_language("en")


@dataclass
class Stub(Agent):
    """A bot without a process."""

    name: ClassVar[str] = "bot"
    used: ClassVar[int] = 0

    def decide(self, position: Position, thinking: Thinking) -> Analysis:
        return Analysis((position.moves()[0],))

    def close(self) -> None:
        """There is nothing to end."""

    def peak_memory(self) -> int:
        return self.used


Tried = Callable[[BotTrial], None]
FAULT = PapanError("bot.no_bot", bot="x")
FAULTY = BotTrial(
    (
        BotFault("illegal", "tictactoe x", FAULT, "one\ntwo"),
        BotFault("crash", "tictactoe o", FAULT, "three"),
        BotFault("illegal", "tictactoe z", FAULT),
    ),
    (0.5, 0.25, 2.0),
    0,
    (),
)


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> Tried:
    """Let the check of any bot find a certain result."""

    def find(found: BotTrial) -> None:
        def try_out(agent: Agent, plan: object, restart: object, shown: object = None) -> BotTrial:
            return found

        monkeypatch.setattr(catalog, "external_agent", lambda spec: Stub())
        monkeypatch.setattr("papan.cli.agents.try_out", try_out)

    return find


def test_a_check_of_a_bot_is_a_table_with_its_faults(papan: Papan, tried: Tried) -> None:
    tried(FAULTY)
    ran = papan("bot", "check", "my bot.py", "--game", "dots")
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.splitlines() == [
        "check of        bot",
        "games           dots",
        "positions       6",
        "illegal move    2",
        "crash           1",
        "out of time     0",
        "seconds a move  median 0.5000, longest 2.0000",
        "illegal move in 'tictactoe x':",
        f"  {FAULT}",
        "    | one",
        "    | two",
        "crash in 'tictactoe o':",
        f"  {FAULT}",
        "illegal move in 'tictactoe z':",
        f"  {FAULT}",
        'What it printed, with its traceback: papan bot check "my bot.py" --show',
        'One position once more: papan bot replay "my bot.py" "tictactoe x"',
        "Some checks failed.",
    ]
    shown = papan("bot", "check", "my bot.py", "--game", "dots", "--show").out.splitlines()
    assert shown[9:] == [
        "    | one",
        "    | two",
        "crash in 'tictactoe o':",
        f"  {FAULT}",
        "    | three",
        "illegal move in 'tictactoe z':",
        f"  {FAULT}",
        "    | (it printed nothing)",
        "One position once more, with all that it prints: papan bot replay "
        '"my bot.py" "tictactoe x"',
        "Some checks failed.",
    ]


def test_a_check_of_a_bot_as_data(
    papan: Papan, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried(FAULTY)
    monkeypatch.setattr(Stub, "used", 5 * 2**20)
    facts = json.loads(papan("bot", "check", "x.py", "--game", "dots", "--json").out)
    assert facts == {
        "agent": "bot", "games": ["dots:3,3"], "positions": 6, "illegal": 2, "crash": 1,
        "timeout": 0, "repeated": 0, "changed": [], "median_seconds": 0.5, "longest_seconds": 2.0,
        "memory": 5 * 2**20, "faults": [fault.json() for fault in FAULTY.faults], "fine": False,
    }  # fmt: skip


def test_a_bot_that_changes_its_mind_fails_and_three_positions_tell(
    papan: Papan, tried: Tried, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried(BotTrial((), (1.0,) * 9, 9, ("p1", "p2", "p3", "p4")))
    monkeypatch.setattr(Stub, "used", 5 * 2**20)
    ran = papan("bot", "check", "x.py", "--game", "dots")
    assert ran.code == 1
    assert ran.out.splitlines()[6:] == [
        "asked twice     5 of 9 answered alike",
        "seconds a move  median 1.0000, longest 1.0000",
        "memory (MB)     5",
        *(
            f"Different answer when asked again in 'p{n}': use the given seed for all randomness."
            for n in (1, 2, 3)
        ),
        "Some checks failed.",
    ]
    tried(BotTrial((), (), 0, ()))
    facts = json.loads(papan("bot", "check", "x.py", "--game", "dots", "--json").out)
    assert (facts["fine"], facts["median_seconds"], facts["longest_seconds"]) == (True, None, None)


def test_an_interrupted_check_shows_what_it_has_found(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(agent: Agent, plan: object, restart: object, shown: object) -> BotTrial:
        raise Interrupted(FAULTY)

    monkeypatch.setattr(catalog, "external_agent", lambda spec: Stub())
    monkeypatch.setattr("papan.cli.agents.try_out", stopped)
    ran = papan("bot", "check", "x.py", "--game", "dots", "--positions", "70")
    assert (ran.code, ran.out.splitlines()[2]) == (130, "positions       6")
    assert ran.err == "Done so far: 6 of 70.\nInterrupted.\n"


@pytest.mark.parametrize(
    ("total", "expected"),
    [(40, [4, 8, 12, 16, 20, 24, 28, 32, 36, 40]), (3, [1, 2, 3]), (21, None)],
)
def test_a_check_of_a_bot_tells_every_tenth_position(
    papan: Papan, monkeypatch: pytest.MonkeyPatch, total: int, expected: list[int] | None
) -> None:
    def try_out(
        agent: Agent, plan: object, restart: object, shown: Callable[[Progress], object]
    ) -> BotTrial:
        for count in range(1, total + 1):
            shown(Progress(count, total))
        return FAULTY

    monkeypatch.setattr(catalog, "external_agent", lambda spec: Stub())
    monkeypatch.setattr("papan.cli.agents.try_out", try_out)
    lines = papan("bot", "check", "x.py", "--game", "dots").err.splitlines()
    counts = expected or [*range(2, 21, 2), 21]
    assert lines == [f"{count}/{total} positions" for count in counts]


def test_a_stage_of_a_training_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    results = (ScoreTally((0, 0, 20)), ScoreTally((10, 0, 10)))
    show_stage(TrainingStage(12_500, 0.12345, 0.2501, 0.5, results))
    assert capsys.readouterr().out == (
        "    12,500  0.1235  #####...............   25.0%  0.500 "
        "  100%                     \u2265 +277    50%                    0 \u00b1 171\n"
    )
    assert score_and_elo(results[1]).startswith(" 50% ")


def test_how_many_games_are_a_minute_of_training(papan: Papan) -> None:
    games = {"tictactoe": 50_000, "connect4:4,4": 400_000}
    assert {spec: usual_games(catalog.game(spec)) for spec in games} == games
    for wrong in ("0", str(MOST_GAMES + 1)):
        assert papan("train", "tictactoe", "--games", wrong).code == 2


def run(depth: int | None, nodes: int, seconds: float, memory: int = 2048) -> SearchRun:
    return SearchRun(depth, nodes, Interval(seconds, seconds / 2, 2 * seconds), memory)


End = Literal["depth", "nodes", "game", "once"]


def board(spec: str, side: int, ends: tuple[End, End]) -> BoardSurvey:
    """A board of two plies, with a search that doubles from ply to ply and one without a depth."""
    tree = GameTree((PlyCounts(0, 1, 1, 4, 0), PlyCounts(1, 3, 4, 6, 1)), complete=side == 1)
    sweeps = (
        Sweep("minimax", tuple(run(n, 2**n * side**2, n * 0.25) for n in (1, 2, 3)), ends[0]),
        Sweep("hillclimb", (run(None, 7 * side, 0.5, 3000),), ends[1]),
    )
    walk = WalkCosts("dots", 4 * side, 4, 12 * side, 16 * side**2)
    return BoardSurvey(spec, side, 4, tree, sweeps, True, (walk,))


SURVEY = """\
dots:2,2: more than 4 positions can be reached; these are the first plies.
ply  positions  lines (perft)  games over  leaves  nodes of the tree  branching  b^m  nPr
0    1          1              0           1       1                  4.00       1    1
1    3          4              1           4       5                  1.50       4    4

minimax on dots:2,2, 4 moves at the start:
depth  nodes  seconds  middle half  memory (KiB)  b^m  nPr  nPr/2  b^(m/2)
1      8      0.25     0.125 - 0.5  2             4    4    2      4
2      16     0.5      0.25 - 1     2             16   12   6      7
3      32     0.75     0.375 - 1.5  2             64   24   12     19
Looking further takes more nodes than allowed.
Nodes grow like 4 · b^depth with an effective branching factor b = 2 ± 0 (95%).

hillclimb on dots:2,2, 4 moves at the start:
depth  nodes  seconds  middle half  memory (KiB)  n^2
-      14     0.5      0.25 - 1     3             4
This agent has no depth.

Breadth first through the graphs of the start (paper 002: O(V+E) with lists, O(V²) with a matrix):
graph  V  E  looks with lists  looks with a matrix  V+2E  V^2
dots   8  4  24                64                   16    64
"""
LAWS = """\
Over the sizes, n = side of the board, all agents at depth 3 (95%):
agent      depth  nodes    seconds
minimax    3      8 · n^2  0.75 · n^0
hillclimb  -      7 · n^1  0.5 · n^0
Looks of a breadth-first walk over the sizes, V = vertices (95%):
graph  looks with lists  looks with a matrix
dots   3 · V^1           1 · V^2
"""


def test_a_survey_is_printed_board_by_board_and_then_its_laws(
    capsys: pytest.CaptureFixture[str],
) -> None:
    small, large = board("dots:1,1", 1, ("game", "once")), board("dots:2,2", 2, ("nodes", "once"))
    print_survey(Survey((small, large)))
    out = capsys.readouterr().out
    assert out.startswith("dots:1,1: 4 positions can be reached.\nply  positions  ")
    assert "\nThe game is searched through.\n" in out
    assert SURVEY in out.replace("\u2013", "-")
    assert out.endswith(LAWS)
    print_survey(Survey((replace(large, shrinks=False, walks=()),)))
    alone = capsys.readouterr().out
    assert "nPr" not in alone and "graph" not in alone and "Over the sizes" not in alone


@pytest.mark.parametrize("name", ["chart.pdf", "none/chart.svg", "folder.svg"])
def test_a_chart_needs_a_name_and_a_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.svg").mkdir()
    check_chart_file(tmp_path / "chart.svg")
    with pytest.raises(InvalidSpecError):
        check_chart_file(tmp_path / name)


def test_agents_in_a_list_may_have_settings() -> None:
    assert split_agents("a=1,b=2") == ["a=1,b=2"]
    assert split_agents(",mcts:seed=1,c=2,,random,") == ["mcts:seed=1,c=2", "random"]
    assert split_agents("random,level:3,seed=2") == ["random", "level:3,seed=2"]
    for wrong in ("", ",", "random,human", "human:x=1"):
        with pytest.raises(InvalidSpecError):
            split_agents(wrong)


STRENGTHS = [
    AgentStrength("level:5", 40, Interval(512.4, 400.6, inf), Regret(20, 19, 0.26)),
    AgentStrength("random", 80, Interval(0.0, -10.5, 10.5), None),
]


@pytest.mark.parametrize("interrupted", [False, True])
def test_strengths_are_a_table(
    papan: Papan, monkeypatch: pytest.MonkeyPatch, interrupted: bool
) -> None:
    asked: list[tuple[Any, Any]] = []

    def measured(*given: object, **effort: object) -> list[AgentStrength]:
        asked.append((given, effort))
        if interrupted:
            raise Interrupted(STRENGTHS)
        return STRENGTHS

    monkeypatch.setattr(api, "strength", measured)
    words = ("strength", "dots", "--agents", "level:5,random", "--games", "6", "--positions", "9")
    ran = papan(*words, "--seed", "4", "--nodes", "100")
    assert (ran.code, ran.err) == ((130, "Interrupted.\n") if interrupted else (0, ""))
    assert ran.out.splitlines()[:4] == [
        "dots:3,3, 100 nodes per move; random has Elo 0:",
        "agent    Elo  95%        games  right  regret",
        "level:5  512  401 .. +∞  40     19/20  0.26",
        "random   0    \u221210 .. 10  80     -      -",
    ]
    assert ran.out.splitlines()[4].startswith("Elo is a guess from these games")
    (given, effort), *_ = asked
    rules, agents, limit, _ = given
    assert (rules.spec, [each.spec for each in agents]) == ("dots:3,3", ["level:5", "random"])
    assert (limit, effort) == (Limit(nodes=100), {"games": 6, "positions": 9, "seed": 4})
    facts = json.loads(papan("strength", "dots", "--json").out)
    assert [each["agent"] for each in facts] == ["level:5", "random"]
    assert asked[1][0][1:3] == (None, Limit(seconds=0.05))


def test_a_match_of_two_is_told_in_both_directions(capsys: pytest.CaptureFixture[str]) -> None:
    tally = ScoreTally((0, 1, 1, 0, 2))
    assert tally_lines(tally)[0] == "Games: 8, score 68.8%"
    assert len(tally_lines(tally)) == 5
    ratio, verdict = sprt_lines(Sprt(0, 5), ScoreTally((0, 0, 1, 0, 0)))
    assert "5 to 0 Elo" in ratio and "\u22122.944 and 2.944" in ratio
    assert verdict == "The test is undecided: play on."


def test_games_at_a_time_are_one_for_each_core_or_as_many_as_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("papan.cli.tournament.cores", lambda: 3)
    assert [at_a_time(asked) for asked in (None, 1, MOST_AT_A_TIME)] == [3, 1, MOST_AT_A_TIME]
    for wrong in (0, MOST_AT_A_TIME + 1):
        with pytest.raises(InvalidSpecError, match="Between 1 and 1024"):
            at_a_time(wrong)


def played(first: str, second: str, moves: str, scores: tuple[int, int], **facts: Any) -> Record:
    start = "tictactoe:3,3,3 .../.../... x"
    end = facts.pop("end", "win")
    return Record("tictactoe:3,3,3", start, (first, second), moves, scores, end, **facts)


WON = "a1 b1 a2 b2 a3"
FORFEIT: dict[str, Any] = {"end": "crash", "blame": 1, "reason": "broken", "output": "one\ntwo"}
PLAN = TournamentPlan(
    "tictactoe:3,3,3", ("ann", "bob"), pairs=2, seed=7, opening=0, stopping=Stopping(Sprt(0, 5))
)
GAMES = {
    0: MatchGame((0, 1), played("ann", "bob", WON, (1, 0))),
    1: MatchGame((1, 0), played("bob", "ann", WON, (1, 0))),
    2: MatchGame((0, 1), played("ann", "bob", WON, (1, 0))),
    3: MatchGame((1, 0), played("bob", "ann", "a1", (0, 0), **FORFEIT)),
}
END = """\
bob forfeited 1 (crash): broken
    | one
    | two
"""
TEST = """\
Log-likelihood ratio of 5 to 0 Elo: 0.028 (bounds -2.944 and 2.944)
The test is undecided: play on.
"""


def test_standings_are_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(TournamentState(PLAN, GAMES))
    lines = capsys.readouterr().out.replace("\u2212", "-").splitlines(keepends=True)
    assert [line.rstrip() for line in lines[:7]] == [
        "#  agent  Elo               points  won  drawn  lost  forfeits",
        "1  ann    +95 [-180, +440]  3/4     3    0      1     0",
        "2  bob    -95 [-440, +180]  1/4     1    0      3     crash 1",
        "",
        "encounter  Elo difference     normalised Elo      LOS    pairs 0 \u00bd 1 1\u00bd 2",
        "ann - bob  +191 [-360, +879]  +246 [-368, +2177]  75.0%  0 0 1 0 1",
        "",
    ]
    assert lines[8] == "Games ended: win 3, crash 1.\n"
    assert "".join(lines[9:]) == END + TEST


def test_half_a_pair_proves_nothing_yet(capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(TournamentState(PLAN, {0: GAMES[0]}))
    assert capsys.readouterr().out.splitlines() == [
        "#  agent  Elo  points  won  drawn  lost  forfeits",
        "1  ann         0/0     0    0      0     0",
        "2  bob         0/0     0    0      0     0",
        "",
        "Games ended: -.",
    ]


def test_repeated_and_adjudicated_games_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    games = {
        number: MatchGame(game.seating, replace(GAMES[number % 2].record, adjudicated=3))
        for number, game in GAMES.items()
    }
    print_standings(TournamentState(PLAN, games))
    out = capsys.readouterr().out
    assert "Games ended: win 4, adjudicated 4.\n" in out
    assert "1/2" in out.partition("Games ended")[2].splitlines()[1]


@pytest.mark.parametrize("count", [4, 2, 0])
def test_a_match_is_a_table_for_the_first_agent(
    papan: Papan, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    state = TournamentState(PLAN, {number: GAMES[number] for number in range(count)})
    monkeypatch.setattr("papan.cli.match.CAN_FORK", True)
    monkeypatch.setattr("papan.cli.match._play_in_processes", lambda *_: state)
    ran = papan("match", "random", "random", "--opening", "0")
    assert ran.err == (
        "" if count == 4 else f"{count} of 4 games were played; the table counts whole pairs.\n"
    )
    lines = ran.out.replace("\u2212", "-").splitlines(keepends=True)
    if count == 4:
        assert "".join(lines[:4]) == (
            "tictactoe:3,3,3: 4 games, seed 7\n"
            "agent  won  drawn  lost  forfeits\n"
            "ann    3    0      1     0\n"
            "bob    1    0      3     crash 1\n"
        )
        assert "".join(lines[4:7]) == END
        assert lines[7] == "Games: 4, score 75.0%\n"
        assert "".join(lines[12:]) == TEST
        facts = json.loads(papan("match", "random", "random", "--opening", "0", "--json").out)
        assert (facts["wins"], facts["losses"], facts["pentanomial"]) == (3, 1, [0, 0, 1, 0, 1])
        assert facts["sprt"]["verdict"] == "continue"
        assert "records" not in facts
    else:
        assert (lines == []) == (count == 0)


def test_a_report_of_a_tournament_that_is_not_over_says_how_it_goes_on(
    papan: Papan, tmp_path: Path
) -> None:
    cup = tmp_path / "my cup"
    create(cup, TournamentPlan("tictactoe", ("random", "bot:x.py"), pairs=2, seed=5))
    ran = papan("tournament", "report", str(cup))
    assert ran.out.splitlines()[:2] == [
        "tictactoe, 2 agents, 0 of 4 games, seed 5: not over yet.",
        "",
    ]
    assert ran.err.endswith(f"go on with: papan tournament resume '{cup}'\n")
    plan = cup / "plan.json"
    plan.write_text(plan.read_text(encoding="utf-8").replace('"seed": 5', '"seed": 6'))
    ran = papan("tournament", "report", str(cup))
    assert ran.err.endswith(f"papan tournament resume '{cup}' --trust\n")
    refused = papan("tournament", "resume", str(cup))
    assert (refused.code, refused.out) == (2, "")
    assert "bot:x.py" in refused.err
    assert papan("tournament", "report", str(cup), "--csv", "--markdown").out.startswith("agent,")
    assert papan("tournament", "report", str(cup), "--markdown", "--json").err == ""


@pytest.mark.parametrize(
    ("rival", "store", "trust"),
    [
        ("bot:x.py", None, True),
        ("program:./evil --fast", None, True),
        ("evil.py", None, True),
        ("hillclimb", None, False),
        ("hillclimb", "postgresql://somewhere/else", True),
    ],
)
def test_y7_what_a_plan_from_elsewhere_would_run_is_trusted_first(
    papan: Papan, tmp_path: Path, rival: str, store: str | None, trust: bool
) -> None:
    cup = tmp_path / "cup"
    create(cup, TournamentPlan("tictactoe", ("random", rival), pairs=1, seed=5), store)
    assert not papan("tournament", "report", str(cup)).err.endswith("--trust\n")
    plan = cup / "plan.json"
    plan.write_text(plan.read_text(encoding="utf-8").replace('"seed": 5', '"seed": 6'))
    assert papan("tournament", "report", str(cup)).err.endswith("--trust\n") == trust
    if trust:
        refused = papan("tournament", "resume", str(cup))
        assert (refused.code, refused.out) == (2, "")
        assert (store or f"would run {rival}; if you trust them, add --trust") in refused.err
