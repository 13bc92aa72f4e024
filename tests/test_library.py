"""What Python users find in papan; docs/library.md has it line by line."""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import CannotPlayError, InvalidPositionError, InvalidRecordError, InvalidSpecError
from papan.lab.tournament.plan import Plan
from papan.lab.tournament.standings import Standings


def test_c08_games_and_agents_are_mappings_and_still_packages() -> None:
    listings: tuple[Mapping[str, Any], ...] = papan.games, papan.agents
    for listing, package in zip(listings, ("connect4", "mcts")):
        assert isinstance(listing, Mapping) and package in listing
        assert dict(listing)[package].name == package == listing[package].name
        assert len(listing) == len(list(listing)) == len({*listing.values()})
    module = importlib.import_module("papan.games.connect4")
    import papan.games.connect4 as same

    assert same is module and papan.games["connect4"] is module.Connect4
    assert len({*listings, *listings}) == 2  # they are themselves, as modules are


@pytest.mark.parametrize(
    ("text", "result", "winner"),
    [
        ("tictactoe xxx/oo./... o", "win", 0),
        ("tictactoe xx./ooo/x.. x", "win", 1),
        ("tictactoe xox/xox/oxo o", "draw", None),
        ("tictactoe x../.../... o", "open", None),
        ("dots:1,1 1111 1 1-0", "win", 0),
        ("onet:2,2 0,0/0,0", "cleared", 0),
        ("onet:2,2 1,2/2,1", "stuck", None),
    ],
)
def test_c08_a_position_says_whether_it_is_over_and_who_has_won(
    text: str, result: str, winner: int | None
) -> None:
    position = papan.position(text)
    assert (position.result, position.winner) == (result, winner)
    assert position.is_over == (result != "open")


def test_c08_a_cell_a_tile_and_a_line_can_be_read() -> None:
    assert papan.position("tictactoe x../.o./... x").at("b2") == "o"
    assert papan.position("onet:2,2 1,2/1,2").at("b1") == "2"
    lines = papan.position("dots:1,1 1000 2 0-0")
    assert lines.at("a1b1") != "." == lines.at("a2b2")
    with pytest.raises(InvalidPositionError, match="There is no spot z9 here; choose one of a1 b1"):
        papan.position("tictactoe").at("z9")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("tictactoe xxx/oo./... o", -1),
        ("tictactoe xox/xox/oxo o", 0),
        ("connect4:4,4 ..../..../ooo./xxxx o", -1),
        ("dots:1,1 1111 1 1-0", 1),
        ("adjacency:4,4,1 ..oo/.xoo/xx../xx.o x", 0),
        ("onet:2,2 0,0/0,0", 4),
    ],
)
def test_c08_a_finished_game_is_solved_as_it_ended(text: str, value: float) -> None:
    position = papan.position(text)
    assert position.is_over
    analysis = papan.solve(position)
    assert analysis.exact
    assert analysis.value == value == papan.margin(position, position.turn)
    assert analysis.best == ()
    with pytest.raises(CannotPlayError, match="the game is over"):
        _ = analysis.move
    with pytest.raises(CannotPlayError, match="the game is over"):
        papan.agent("random").analyse(position)


class Remembering(papan.Agent):
    """A solver that is no dataclass: its game alone knows how to make it."""

    name = "remembering"

    def __init__(self, book: Mapping[str, int]) -> None:
        self.book = book

    def decide(self, position: papan.Position, thinking: papan.Thinking) -> papan.Analysis:
        return papan.Analysis((self.book[str(position)],), why="exact")


def test_t37_solve_takes_the_solver_as_its_game_has_made_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = papan.position("tictactoe")
    own = Remembering({str(position): 4})
    monkeypatch.setattr(type(position.game), "solver", lambda *_, **__: own)
    assert papan.solve(position).move == 4


def test_c08_bounds_are_named_alike_everywhere() -> None:
    start, agent = papan.position("connect4"), papan.agent("minimax")
    assert agent.analyse(start, nodes=20).nodes == 20
    assert agent.analyse(start, papan.Limit(nodes=10), nodes=20).nodes == 10
    assert agent.choose(start, nodes=20) in start.move_names()
    assert next(iter(agent.think(start, nodes=20)))["budget"] == {"nodes": 20}
    with pytest.raises(InvalidSpecError, match="seconds must be more than 0"):
        agent.analyse(start, seconds=0)


def test_c08_a_session_is_played_undone_saved_and_loaded(tmp_path: Path) -> None:
    session = papan.session(papan.game("tictactoe"), None, "random")
    assert session.agent is None
    session.play("a1")
    assert session.agent is not None
    session.play(4)
    assert session.undo() == 2 and session.redo() == 2
    assert "after 2 moves" in repr(session)
    papan.save(session.record(), tmp_path / "game.json")
    assert papan.load(str(tmp_path / "game.json")) == session.record()
    assert papan.replay(session.record())[-1] == session.position
    with pytest.raises(InvalidRecordError):
        papan.load(tmp_path / "none.json")
    with pytest.raises(papan.IllegalMoveError):
        session.play("a1")
    assert len(session.plies) == 2


def test_c08_what_is_typed_at_a_prompt_is_short() -> None:
    analysis = papan.agent("alphabeta").analyse(papan.position("tictactoe xx./oo./... x"))
    assert repr(analysis) == (
        f"<Analysis tictactoe:3,3,3 xx./oo./... x: c1 (= +1), exact=True nodes={analysis.nodes}>"
    )
    assert repr(papan.match("random", "random", "tictactoe")).startswith("<MatchResult random - ra")


def test_t27_reviews_graphs_and_standings_are_short_at_a_prompt() -> None:
    session = papan.session("tictactoe")
    for name in ("b2", "a1", "c1", "b1", "a3"):
        session.play(name)
    assert repr(papan.review(session.record())) == "<Review of 5 plies, mistakes: 1>"
    assert repr(papan.position("dots:2,2").graph()) == "<Graph lines: 9 vertices, 0 edges>"
    plan = Plan("tictactoe:3,3,3", ("random", "level:1"), 2, pairs=1)
    assert repr(Standings.of(plan, {}, 0)).startswith("<Standings of 0 games: random: ")
    assert {*papan.__all__, "games", "agents"} <= {*dir(papan)}
    assert not {"Mapping", "TYPE_CHECKING", "version"} & {*dir(papan)}


def test_agent_runs_no_code_of_the_user_and_agent_from_user_does(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text("def choose(position): return 'b2'\n")
    for spec in (str(bot), f"bot:{bot}", f"program:{bot}"):
        with pytest.raises(papan.PapanError, match=r"papan\.agent_from_user"):
            papan.agent(spec)
    assert papan.agent_from_user(f"bot:{bot}").spec == f"bot:{bot}"
    assert papan.agent_from_user("random") == papan.agent("random")


anything: Any = papan
"""The library to somebody who checks no types."""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: anything.position("connect4").after([3, 3]), r"\[3, 3\] is not a text of moves"),
        (lambda: anything.position(None), "None is not a position"),
        (lambda: anything.solve(5), "5 is not a position"),
        (lambda: anything.session(5), "5 is not a position"),
        (lambda: anything.agent("random").choose("tictactoe"), "'tictactoe' is not a position"),
        (lambda: anything.review("x.json"), "'x.json' is not the record of a game"),
        (lambda: anything.replay("x.json"), "papan.load reads one from a file"),
        (lambda: anything.match("random", "random", "tictactoe", pairs="3"), "1 pair .* not '3'"),
        (lambda: anything.position("connect4").play(True), "True is not a move"),
        (
            lambda: anything.save(anything.session("dots").record(), "/none/x"),
            "/none/x cannot be wr",
        ),
    ],
)
def test_t11_what_cannot_be_used_is_refused_in_a_sentence(
    asked: Callable[[], object], said: str
) -> None:
    with pytest.raises(papan.PapanError, match=said):
        asked()
