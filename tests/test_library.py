"""What Python users find in papan; docs/library.md has it line by line."""

import importlib
import json
import pickle
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import papan
from papan import api
from papan.core import (
    CannotPlayError,
    InvalidPositionError,
    InvalidRecordError,
    InvalidSpecError,
    Proved,
)
from papan.core.parts import Drawing, Support
from papan.lab.tournament.folder import create
from papan.lab.tournament.plan import TournamentPlan
from papan.lab.tournament.standings import Standings


def test_c08_games_and_agents_are_listed_by_name_and_their_packages_stay_packages() -> None:
    listings: tuple[Mapping[str, Any], ...] = papan.GAMES, papan.AGENTS
    for listing, name in zip(listings, ("connect4", "mcts")):
        assert listing[name].name == name
        assert len(listing) == len({*listing.values()})
    module = importlib.import_module("papan.games.connect4")
    import papan.games.connect4 as same

    assert same is module and papan.GAMES["connect4"] is module.Connect4


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
    assert papan.content_at("tictactoe x../.o./... x", "b2") == "o"
    assert papan.content_at("onet:2,2 1,2/1,2", "b1") == "2"
    lines = papan.position("dots:1,1 1000 2 0-0")
    assert papan.content_at(lines, "a1b1") != "." == papan.content_at(lines, "a2b2")
    with pytest.raises(InvalidPositionError, match="There is no spot z9 here; choose one of a1 b1"):
        papan.content_at("tictactoe", "z9")


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


def test_the_seconds_of_a_solution_are_those_of_all_its_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = count()
    monkeypatch.setattr(api, "perf_counter", clock.__next__)
    monkeypatch.setattr(api, "solver_for", lambda *_, **__: None)
    solved = api.solve("tictactoe xx./oo./... x", all_moves=True)
    assert all(each.exact for each in solved.values.values() if isinstance(each, Proved))
    assert solved.seconds == next(clock) - 1, "from the first look at the clock to the last"


def test_t37_solve_takes_the_solver_as_its_game_has_made_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = papan.position("tictactoe")
    own = Remembering({str(position): 4})
    monkeypatch.setattr(Support.class_for(type(position.game)), "solver", lambda *_, **__: own)
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
    assert (
        repr(Drawing.of(papan.position("dots:2,2")).graph()) == "<Graph lines: 9 vertices, 0 edges>"
    )
    plan = TournamentPlan("tictactoe:3,3,3", ("random", "level:1"), 2, pairs=1)
    assert repr(Standings.of(plan, {}, 0)).startswith("<Standings of 0 games: random: ")
    assert {*papan.__all__} <= {*dir(papan)}
    assert not {"Mapping", "TYPE_CHECKING", "version"} & {*dir(papan)}


def test_what_papan_does_not_offer_is_an_attribute_error_as_usual() -> None:
    for name in ("no_such_name", "__no_such_name__", "Mapping_"):
        with pytest.raises(AttributeError, match=f"module 'papan' has no attribute '{name}'"):
            getattr(papan, name)
        assert not hasattr(papan, name)


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
        (lambda: anything.position("connect4").after(3), "3 is not a list of moves"),
        (lambda: anything.position(None), "None is not a position"),
        (lambda: anything.solve(5), "5 is not a position"),
        (lambda: anything.session(5), "5 is not a position"),
        (lambda: anything.agent("random").choose(5), "5 is not a position"),
        (lambda: anything.review("x.json"), "x.json cannot be read"),
        (lambda: anything.replay(5), "5 is not the record of a game"),
        (lambda: anything.match("random", "random", "dots", pairs="3"), "pairs must be a whole n"),
        (lambda: anything.match("random", "random", "dots", pairs=True), "pairs must .* not True"),
        (lambda: anything.match("random", "random", "dots", seed="x"), "seed must be a whole numb"),
        (
            lambda: anything.match("random", "random", "dots", opening=1.5),
            "opening must .* not 1.5",
        ),
        (
            lambda: anything.match("random", "random", "dots", nodes="many"),
            "nodes must be a number",
        ),
        (lambda: anything.Limit(seconds=None), "seconds must be a number, not None"),
        (
            lambda: anything.agent("random").analyse("dots", 1),
            r"1 is not a limit: .*Limit\(seconds=1",
        ),
        (lambda: anything.agent("random").choose("dots", "x"), "'x' is not a limit"),
        (lambda: anything.session("dots", None, None, None), "dots:3,3 has 2 seats, not 3"),
        (lambda: anything.tournament("random", "dots", "cup"), "'random' is a single agent"),
        (lambda: anything.tournament(["random"] * 2, "dots", "cup", 0), "Between 1 and 1024 games"),
        (lambda: anything.position("connect4").play(True), "True is not a move"),
        (
            lambda: anything.save(anything.session("dots").record(), "/none/x"),
            "/none/x cannot be wr",
        ),
        (lambda: anything.save(anything.session("dots"), None), "None is not a path"),
        (lambda: anything.load(anything.session("dots").record()), "is not a path"),
        (lambda: anything.load("none.json"), "^none.json cannot be read: No such file"),
        (lambda: anything.tournament(["random"] * 2, "dots", None), "None is not a path"),
        (lambda: anything.prove("dots", None), "None is not a path"),
        (lambda: anything.prove("dots", "x", workers=-1), "workers must be from 0 to"),
        (lambda: anything.prove("dots", "x", memory=0), "memory must be from 1 to"),
        (lambda: anything.prove("dots", "x", plies="x"), "plies must be a whole number"),
        (lambda: anything.prove("dots", "x", seconds=-1), "seconds must be more than 0"),
        (lambda: anything.match("random", "random", "dots", limit=5), "5 is not a limit"),
        (
            lambda: anything.match("random", "random", "dots", on_game=5),
            "on_game must be",
        ),
        (lambda: anything.match("random", "random", "dots", cancelled=True), "cancelled must be"),
        (lambda: anything.solve("dots", goal="x"), "goal must be a number"),
        (lambda: anything.solve("dots", goal=float("nan")), "goal must be a number, not nan"),
        (lambda: anything.solve("dots", memory="x"), "memory must be a whole number"),
        (lambda: anything.solve("dots", all_moves="x"), "all_moves must be True or False"),
        (lambda: anything.solve("dots", cancelled=5), "cancelled must be a function"),
        (lambda: anything.solve("dots", listener=5), "listener must be a function"),
        (lambda: anything.review(anything.session("dots"), "x"), "seconds must be a number"),
        (lambda: anything.review(anything.session("dots"), -1), "seconds must be more than 0"),
        (
            lambda: anything.review(anything.session("dots"), on_verdict=5),
            "on_verdict must be",
        ),
        (lambda: anything.agent(None), 'None is not an agent: .* or its text, such as "alpha'),
        (lambda: anything.margin(anything.position("dots"), 2), "no seat 2: .* from 0 to 1"),
        (lambda: anything.margin(anything.position("dots"), -1), "no seat -1"),
        (lambda: anything.Analysis((1,)).json(), "This analysis is of no position"),
        (lambda: anything.position("connect4 49"), "neither .* nor moves: '9' is not a column"),
        (lambda: anything.content_at("connect4", "z9"), "There is no spot z9 .* b2 …"),
    ],
)
def test_t11_what_cannot_be_used_is_refused_in_a_sentence(
    asked: Callable[[], object], said: str
) -> None:
    with pytest.raises(papan.PapanError, match=said):
        asked()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sprt": 5}, "5 is not a test"),
        ({"sprt": ""}, "'' is not a test"),
        ({"gauntlet": "x"}, "gauntlet must be True or False"),
        ({"limit": 5}, "5 is not a limit"),
        ({"adjudicate": "x"}, "adjudicate must be a whole number"),
        ({"deadline": "x"}, "deadline must be a number"),
        ({"until_error": "x"}, "until_error must be a number"),
        ({"memory": 1.5}, "memory must be a whole number"),
    ],
)
def test_a_tournament_that_cannot_be_planned_leaves_no_folder(
    options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(papan.PapanError, match=said):
        papan.tournament(["random", "random"], "tictactoe", tmp_path / "cup", **options)
    assert not (tmp_path / "cup").exists()


def test_another_tournament_in_a_folder_says_what_differs(tmp_path: Path) -> None:
    create(
        tmp_path / "cup", TournamentPlan("tictactoe:3,3,3", ("random", "random"), pairs=2, seed=3)
    )
    with pytest.raises(papan.PapanError, match="with another: pairs, limit"):
        papan.tournament(["random", "random"], "tictactoe", tmp_path / "cup", pairs=1, seed=3)


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    two, few = np.int64(2), np.float32(50)
    result = anything.match("random", "random", "tictactoe", two, seed=two, nodes=few)
    assert result == papan.match("random", "random", "tictactoe", 2, seed=2, nodes=50)
    assert json.dumps(anything.Limit(nodes=two).json()) == '{"nodes": 2}'
    assert papan.solve("tictactoe", seconds=anything.Limit(few).seconds).exact


def test_a_match_without_games_says_that_it_knows_no_elo() -> None:
    nothing = papan.match("random", "random", "tictactoe", cancelled=lambda: True)
    for asked in (lambda: nothing.elo, lambda: nothing.superiority):
        with pytest.raises(papan.PapanError, match="No pair of games was played to its end"):
            asked()


def test_an_agent_stands_for_itself_as_games_and_positions_do(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position): return position.moves()[0]", encoding="utf-8")
    agent, own = papan.agent("alphabeta", depth=2), papan.agent_from_user(str(bot))
    assert papan.agent(agent) is agent and papan.agent_from_user(own) is own
    assert papan.agent(agent, depth=3) == papan.agent("alphabeta:depth=3")
    assert papan.agent_from_user(own, deadline=2).spec == f"bot:{bot},deadline=2"
    with pytest.raises(InvalidSpecError, match=r"^bot: there is no option 'depth'"):
        papan.agent_from_user(str(bot), depth=3)


# The same texts and the same objects everywhere.


def test_d5_a_text_means_the_same_wherever_it_is_taken() -> None:
    after = papan.position("connect4").after("4 4 5 3")
    text, spaced = "connect4 4453", "connect4:6,7 4 4 5 3"
    assert papan.position(text) == papan.position(spaced) == after == papan.position(after)
    assert papan.position(papan.game("connect4")) == papan.position("connect4")
    bot = papan.agent("random")
    assert bot.choose(text) == bot.choose(after) == bot.choose(spaced)
    assert bot.analyse(text).position == after == papan.session(text).position
    assert papan.solve("tictactoe b2 a1").json()["position"] == "tictactoe:3,3,3 o../.x./... x"
    assert next(iter(bot.think(text)))["pos"] == str(after)
    with pytest.raises(papan.IllegalMoveError, match="4 is not legal in"):
        papan.position("connect4 4444444")
    with pytest.raises(papan.InvalidPositionError, match="9453"):
        papan.position("connect4 9453")


def test_d5_moves_are_a_text_numbers_or_names() -> None:
    start = papan.position("connect4")
    four = start.play(3).play(3).play(4).play(2)
    for moves in ("4453", "4 4 5 3", [3, 3, 4, 2], ["4", "4", "5", "3"], (3, "4", 4, "3")):
        assert start.after(moves) == four
    assert start.after(iter([3, 3, 4, 2])) == four
    assert start.after([]) == start.after("") == start
    with pytest.raises(papan.InvalidMoveError, match="8 is not the number of a move"):
        start.after([3, 8])
    with pytest.raises(papan.IllegalMoveError):
        start.after([3] * 7)


@pytest.mark.thorough
def test_d4_a_match_and_a_tournament_take_the_same_agents_and_games(tmp_path: Path) -> None:
    game, first = papan.game("tictactoe"), papan.agent("alphabeta", depth=2)
    standings = papan.tournament([first, "random"], game, tmp_path / "cup", pairs=1, nodes=50)
    assert standings.names == (first.spec, "random") == papan.match(first, "random", game).agents
    assert len(standings.games) == 2


def first_move(position: papan.Position) -> int:
    return position.moves()[0]


class Unknown(papan.Agent):
    """An agent that no text names."""

    name = "unknown"

    def decide(self, position: papan.Position, thinking: papan.Thinking) -> papan.Analysis:
        return papan.Analysis((position.moves()[0],))


@pytest.mark.parametrize("given", [first_move, Unknown()])
def test_d4_who_has_no_text_cannot_take_part_in_a_tournament(given: Any, tmp_path: Path) -> None:
    assert papan.match(given, "random", "tictactoe").forfeits(0) == {}
    with pytest.raises(TypeError, match=r"cannot take part .* or the file of a bot"):
        papan.tournament([given, "random"], "tictactoe", tmp_path / "cup")


@pytest.mark.parametrize("given", [papan.position("tictactoe"), Unknown, papan.Game, 5, None, []])
def test_d4_what_is_no_agent_is_a_type_error(given: object, tmp_path: Path) -> None:
    said = r"is not an agent: what is taken is an agent, .*its text, such as"
    calls: tuple[Callable[[], object], ...] = (
        lambda: anything.match(given, "random", "tictactoe"),
        lambda: anything.match("random", given, "tictactoe"),
        lambda: anything.tournament([given, "random"], "tictactoe", tmp_path / "cup"),
        lambda: anything.agent(given),
        lambda: anything.agent_from_user(given),
        lambda: anything.widget("tictactoe", vs=given),
    )
    for asked in calls:
        with pytest.raises(TypeError, match=said) as caught:
            asked()
        assert isinstance(caught.value, papan.PapanError)
    with pytest.raises(TypeError, match=r"is not a game: what is taken is a game, .* or its text"):
        anything.match("random", "random", given)


# Data, errors and names.


def made_of(kind: type) -> object:
    """One thing of every class whose things are data."""
    session = papan.session("tictactoe")
    for move in ("b2", "a1", "c1", "b1", "a3"):
        session.play(move)
    record = session.record()
    result = papan.match("random", "random", "tictactoe")
    review = papan.review(record)
    plan = TournamentPlan("tictactoe:3,3,3", ("random", "level:1"), 2, pairs=1)
    known: list[object] = [
        papan.solve("tictactoe xx./oo./... x"), record, result, result.games[0], review,
        review.verdicts[0], papan.Limit(nodes=5), papan.Proved.exactly(1), papan.Guess(0.5),
        papan.Share(0.25), papan.why("tictactoe", "b2"),
        Standings.of(plan, {0: result.games[0], 1: result.games[1]}, 1),
    ]  # fmt: skip
    return next(each for each in known if type(each) is kind)


TEXTS = (papan.Agent, papan.Game, papan.Position)
"""In data they are the text that names them, which papan reads back."""
NO_DATA = (papan.Session, papan.Thinking, papan.Value)
"""What goes on (a session has a record), and what only its kinds can be."""


def exported_classes() -> list[type]:
    found = [getattr(papan, name) for name in papan.__all__]
    return [each for each in found if isinstance(each, type)]


@pytest.mark.parametrize(
    "kind",
    [
        each
        for each in (*exported_classes(), Standings)
        if each not in (*TEXTS, *NO_DATA) and not issubclass(each, BaseException)
    ],
)
def test_d7_json_is_plain_data_that_json_writes_and_reads_back(kind: type) -> None:
    thing: Any = made_of(kind)
    data = thing.json()
    assert isinstance(data, dict) and data
    assert json.loads(json.dumps(data, allow_nan=False)) == data


def test_d7_nothing_proved_and_nothing_played_are_data_as_well() -> None:
    assert papan.Proved().json() == {"v": None, "k": "upper"}
    nothing = papan.match("random", "random", "tictactoe", cancelled=lambda: True)
    assert nothing.games == () and json.dumps(nothing.json(), allow_nan=False)
    assert papan.Proved(-1, 1).json() == {"v": -1, "k": "between", "to": 1}


def test_d7_every_error_of_papans_is_exported_and_reads_as_a_sentence() -> None:
    errors = {
        each
        for name, each in vars(papan.core).items()
        if isinstance(each, type) and issubclass(each, (papan.PapanError, papan.PapanWarning))
    }
    assert len(errors) > 8
    assert {each.__name__ for each in errors} <= {*papan.__all__}
    with pytest.raises(papan.IllegalMoveError) as caught:
        papan.position("tictactoe b2").play("b2")
    said = "b2 is not legal in 'tictactoe:3,3,3 .../.x./... o'; legal: a1 b1 c1 a2 c2 a3 b3 c3"
    assert str(caught.value) == f"{said}. b2 is taken already; choose an empty cell."
    assert repr(caught.value) == f"IllegalMoveError({str(caught.value)!r})"
    again = pickle.loads(pickle.dumps(caught.value))
    assert repr(again) == repr(caught.value)


def test_d7_games_and_agents_are_offered_by_name() -> None:
    assert {"GAMES", "AGENTS"} <= {*papan.__all__}
    for name in papan.__all__:
        assert getattr(papan, name) is not None


def test_d7_a_game_against_the_rules_is_not_loaded(tmp_path: Path) -> None:
    session = papan.session("tictactoe")
    for move in ("b2", "a1", "c1"):
        session.play(move)
    file = tmp_path / "game.json"
    papan.save(session, file)
    assert papan.load(file) == session.record() == papan.Record(**vars(session.record()))
    assert papan.review(file).record == papan.review(str(file)).record == session.record()
    assert papan.replay(session) == papan.replay(file)
    whole = file.read_text()
    file.write_text(whole.replace("b2 a1 c1", "b2 a1 b2"))
    with pytest.raises(
        papan.InvalidRecordError, match=r"Move 3 of the record, b2, cannot be pl"
    ) as no:
        papan.load(file)
    assert "'tictactoe:3,3,3 o../.x./... x'" in str(no.value)
    file.write_text(whole.replace("b2 a1 c1", "b2 z9 c1"))
    with pytest.raises(
        papan.InvalidRecordError, match="Move 2 of the record, z9, cannot be played"
    ):
        papan.load(file)


class Nameless(papan.Agent):
    """An agent whose author has forgotten its name."""

    def decide(self, position: papan.Position, thinking: papan.Thinking) -> papan.Analysis:
        return papan.Analysis((position.moves()[0],))


class Undecided(papan.Agent):
    """An agent that answers with a move, or with nothing, in place of an analysis."""

    name = "undecided"

    def __init__(self, answer: Any) -> None:  # a class of its own making, not a dataclass
        self.answer = answer

    def decide(self, position: papan.Position, thinking: papan.Thinking) -> papan.Analysis:
        answer: papan.Analysis = self.answer
        return answer


def test_agents_that_are_not_finished_are_told_what_is_missing() -> None:
    with pytest.raises(InvalidSpecError, match="The agent Nameless has no name"):
        papan.match(Nameless(), "random", "tictactoe")
    for answer in (None, 4):
        with pytest.raises(CannotPlayError, match=f"undecided decided on {answer}, which is not"):
            Undecided(answer).choose("tictactoe")
    assert papan.match(Undecided(None), "random", "tictactoe").forfeits(0) == {"crash": 2}


@pytest.mark.parametrize(
    ("field", "given"),
    [
        ("line", 4),
        ("line", "b2"),
        ("line", (4, "a1")),
        ("line", (4, 0.5)),
        ("guess", "0.5"),
        ("guess", float("nan")),
        ("guess", True),
        ("proved", 1),
        ("values", [4]),
        ("values", {4: 0.5}),
        ("values", {9: papan.Guess(0.5)}),
        ("values", {4: papan.Guess(float("nan"))}),
    ],
)
def test_d16_an_analysis_that_cannot_be_used_is_refused_with_the_field_at_fault(
    field: str, given: Any
) -> None:
    answer = papan.Analysis(**{"line": (4,), field: given})
    with pytest.raises(CannotPlayError, match=f"undecided decided on an analysis with {field}="):
        Undecided(answer).analyse("tictactoe")


def test_d16_numbers_of_numpy_in_an_analysis_are_written_as_json() -> None:
    half: Any = np.float32(0.5)
    four: Any = np.int64(4)
    for proved in (papan.Proved(), anything.Proved(np.int64(-1), np.int32(1))):
        values: Any = {four: papan.Guess(half, nodes=four, line=(four,)), 5: papan.Share(half)}
        answer = anything.Analysis((four, np.int8(0)), half, proved, values)
        facts = json.loads(json.dumps(Undecided(answer).analyse("tictactoe").json()))
        assert facts["move"] == "b2" and facts["line"] == ["b2", "a1"] and facts["value"] == 0.5
        assert [each["v"] for each in facts["moves"]] == [0.5, 0.5]
        assert facts["moves"][0]["n"] == 4
    for value in (anything.Proved(four, four), anything.Proved(four, np.float64(5))):
        assert json.loads(json.dumps(value.json())) == value.json()


def test_d16_an_agent_that_does_not_end_in_time_is_told_what_it_lacks() -> None:
    class Endless(Undecided):
        def decide(self, position: papan.Position, thinking: papan.Thinking) -> papan.Analysis:
            while True:
                thinking.tick()

    with pytest.raises(CannotPlayError, match=r"^undecided let OutOfBudget leave decide .*until_"):
        Endless(None).analyse("tictactoe", nodes=5)


def test_files_with_a_game_on_each_line_are_read_by_load_all(tmp_path: Path) -> None:
    records = [game.record for game in papan.match("random", "random", "tictactoe", 2).games]
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(map(str, records)) + "\n\n", encoding="utf-8")
    assert list(map(str, papan.load_all(path))) == list(map(str, papan.load_all(str(path))))
    assert [record.moves for record in papan.load_all(path)] == [each.moves for each in records]
    with pytest.raises(InvalidRecordError, match=r"holds 4 games, one on each line.*load_all"):
        papan.load(path)
    papan.save(records[0], path)
    assert papan.load_all(path) == [papan.load(path)]
    path.write_text(f"{records[0]}\n{{}}\n", encoding="utf-8")
    with pytest.raises(InvalidRecordError, match=r"^Line 2: '\{\}' is not the record of a game"):
        papan.load_all(path)
    path.write_text('{\n"game":\n"dots"\n}\n', encoding="utf-8")
    with pytest.raises(InvalidRecordError, match="is not the record of a game"):
        papan.load(path)
    path.write_text(str(records[0]).replace('"moves": "', '"moves": "z9 '), encoding="utf-8")
    with pytest.raises(InvalidRecordError, match=r"^Line 1: Move 1 of the record, z9, cannot be"):
        papan.load_all(path)
    path.write_text(f"\n{records[0]}\n".replace('"win"', '"draw"'), encoding="utf-8")
    with pytest.raises(InvalidRecordError, match=r"^Line 2: .*'draw'") as caught:
        papan.load_all(path)
    assert caught.value.text("id").startswith("Baris 2: ")
    path.write_text(f"{records[0]}\n" + str(records[1]).replace("tictactoe:", "chess:"))
    with pytest.raises(InvalidSpecError, match=r"^Line 2: .*chess") as unknown:
        papan.load_all(path)
    assert unknown.value.text("id").startswith("Baris 2: ")
    path.write_text(f"{records[0]}\n" + str(records[1]).replace("/...", "/....", 1))
    with pytest.raises(InvalidPositionError, match=r"^Line 2: "):
        papan.load_all(path)


def test_d7_every_agent_can_be_used_in_a_with_statement() -> None:
    closed = []

    class Closing(Unknown):
        def close(self) -> None:
            closed.append(self.name)

    with Closing() as bot, papan.agent("random") as other:
        assert bot.choose("tictactoe") == "a1" and other.choose("tictactoe")
        assert not closed
    assert closed == ["unknown"]
    with pytest.raises(ZeroDivisionError), Closing():
        raise ZeroDivisionError
    assert len(closed) == 2


@pytest.mark.parametrize("spec", papan.GAMES)
def test_the_estimate_of_a_seat_that_is_not_there_is_refused(spec: str) -> None:
    seats = papan.game(spec).seats
    for seat in (-1, seats):
        with pytest.raises(InvalidSpecError, match=f"There is no seat {seat}: the seats go from 0"):
            papan.evaluate(spec, seat)
    assert isinstance(papan.evaluate(spec, seats - 1), int | float)


def test_d11_an_analysis_of_another_position_is_no_reason() -> None:
    """Its certainty and its line were told of a board that it had never seen."""
    position = papan.position("tictactoe b2")
    assert papan.why(position, "a1", papan.solve(position)).certainty.kind == "proved"
    for other in ("tictactoe", "connect4:4,4"):
        with pytest.raises(InvalidPositionError, match="is of another position"):
            papan.why(position, "a1", papan.solve(other))
    wrong: Any = 3
    with pytest.raises(papan.WrongTypeError, match="is not an analysis"):
        papan.why(position, "a1", wrong)


@pytest.mark.parametrize("call", [papan.load, papan.load_all, papan.replay, papan.review])
def test_d12_a_path_that_no_system_takes_is_told(call: Callable[[str], object]) -> None:
    with pytest.raises(papan.WrongTypeError, match="is not a path"):
        call("game\0.json")


def test_d13_a_reason_is_printed_in_words_and_each_clause_has_its_sentence() -> None:
    """The sentence of a clause alone asked for the name of the player."""
    position = papan.position("tictactoe b2 a1 c1")
    reason = papan.why(position, "a3", papan.solve(position))
    assert len(reason.clauses) == len(reason.sentences()) == 2
    assert str(reason) == reason.text() == " ".join(reason.sentences())
    assert reason.sentences("id", ["Ani", "Budi"]) != reason.sentences("id")
    assert not any("{" in each for each in reason.sentences())


def test_d14_a_misspelt_setting_of_a_bot_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file with its settings was taken for the name of an agent."""
    monkeypatch.chdir(tmp_path)
    Path("mybot.py").write_text("def choose(position): return position.moves()[0]")
    for text in ("mybot.py,deadlin=5", "bot:mybot.py,seed=1,memry=64", "mybot.py,x=1,seed=2"):
        with pytest.raises(InvalidSpecError, match="there is no option"):
            papan.agent_from_user(text)
    with pytest.raises(InvalidSpecError, match="a file or a program of the user's"):
        papan.agent("mybot.py,deadlin=5")
    Path("a,b=c.py").write_text(Path("mybot.py").read_text())
    assert papan.agent_from_user("a,b=c.py,seed=3").choose("tictactoe") == "a1"


# What NumPy brings, and what has the wrong type.


def test_settings_of_agents_may_be_numbers_of_numpy() -> None:
    for exploration in np.linspace(0.5, 2.0, 3):
        assert papan.agent("mcts", exploration=exploration) == papan.agent(
            "mcts", exploration=float(exploration)
        )
    assert papan.agent("alphabeta", depth=np.int64(3)).spec == "alphabeta:depth=3"
    assert anything.solve("tictactoe b2", memory=np.int64(8), threads=np.int8(1)).exact
    with pytest.raises(InvalidSpecError, match="depth"):
        papan.agent("alphabeta", depth=np.float64(2.5))


@pytest.mark.parametrize("nodes", [1.5, 2.5, np.float64(0.5), Fraction(5, 2)])
def test_d16_nodes_that_are_not_whole_are_refused_before_anything_is_searched(nodes: Any) -> None:
    agent = papan.agent("alphabeta")
    for call in (
        lambda: papan.Limit(nodes=nodes),
        lambda: agent.analyse("connect4", nodes=nodes),
        lambda: papan.solve("connect4", nodes=nodes),
        lambda: papan.match("random", agent, "tictactoe", nodes=nodes),
        lambda: list(agent.think("connect4", nodes=nodes)),
    ):
        with pytest.raises(papan.WrongTypeError, match="nodes must be a whole number, not "):
            call()


def test_d16_the_bounds_of_a_limit_are_numbers_of_pythons() -> None:
    for hundred in list[Any]((100, 1e2, np.int64(100), np.float64(100), Fraction(100))):
        limit = papan.Limit(nodes=hundred, seconds=hundred)
        assert limit == papan.Limit(100, 100)
        assert type(limit.nodes) is int and type(limit.seconds) in (int, float)
        assert json.dumps(limit.json()) in (
            '{"seconds": 100, "nodes": 100}',
            '{"seconds": 100.0, "nodes": 100}',
        )
    assert papan.agent("mcts").analyse("tictactoe", nodes=1e2).nodes == 100
    assert papan.Limit(nodes=np.float64(np.inf)) == papan.Limit()
    for call in (
        lambda: papan.Limit(nodes=True),
        lambda: papan.Limit(seconds=True),
        lambda: anything.solve("tictactoe", goal=True),
        lambda: anything.tournament(["random", "minimax"], "dots", "cup", deadline=True),
    ):
        with pytest.raises(TypeError, match="must be a number, not True"):
            call()


def test_d16_a_match_is_for_agents_as_in_the_terminal() -> None:
    for first, second in (("human", "random"), ("random", papan.agent("human"))):
        with pytest.raises(InvalidSpecError, match="are for agents; play yourself with 'papan p"):
            papan.match(first, second, "tictactoe")


def test_d16_an_opening_that_is_longer_than_the_game_is_refused(tmp_path: Path) -> None:
    """Every game was drawn by lot then, and somebody won it."""
    for call in (
        lambda: papan.match("random", "level:1", "tictactoe", opening=9),
        lambda: papan.tournament(["random", "level:1"], "tictactoe", tmp_path / "c", opening=9),
    ):
        with pytest.raises(InvalidSpecError, match="An opening of 9 plies is too long for tictac"):
            call()
    assert not (tmp_path / "c").exists()
    assert papan.match("random", "level:1", "tictactoe", opening=4).games


def test_d16_a_proof_that_is_split_deeper_than_its_log_can_name_is_refused(tmp_path: Path) -> None:
    """It was made, and then could not be read."""
    file = tmp_path / "3x3.proof"
    with pytest.raises(papan.PapanError, match="split after 1 to 100 moves, not 101"):
        papan.prove("tictactoe", file, plies=101)
    for _ in range(2):
        assert papan.prove("tictactoe", file, plies=100).low == 0


def test_d16_a_file_that_is_no_proof_is_refused_by_an_error_of_papans(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{}")
    with pytest.raises(papan.CertificateError, match="There is no proof in "):
        papan.prove("tictactoe", tmp_path / "game.json")


def test_d16_a_record_that_was_loaded_is_written_as_it_was(tmp_path: Path) -> None:
    for game in ("tictactoe", "dots:2,2", "onet:2,2"):
        record = papan.match("random", "random", game).games[0].record
        papan.save(record, tmp_path / "first.json")
        papan.save(papan.load(tmp_path / "first.json"), tmp_path / "second.json")
        assert str(papan.load(tmp_path / "second.json")) == str(record)
        assert "." not in json.dumps(papan.load(tmp_path / "second.json").json()["scores"])


def test_d16_a_seat_in_quotes_is_told_from_the_seat() -> None:
    for seat, named in (("1", "'1'"), (True, "True"), (np.int64(2), "2"), (1.0, "1.0")):
        with pytest.raises(InvalidSpecError) as caught:
            anything.margin("tictactoe", seat)
        assert str(caught.value) == f"There is no seat {named}: the seats go from 0 to 1."


@pytest.mark.parametrize("seat", [2, -1, 0.5, None, "0", [1], np.array([0, 1])])
def test_a_seat_that_is_not_there_is_refused_in_a_sentence(seat: Any) -> None:
    session = papan.session("tictactoe")
    for call in (
        lambda: papan.margin("tictactoe b2", seat),
        lambda: papan.evaluate("tictactoe b2", seat),
        lambda: session.take_back(seat),
        lambda: session.give_up("resigned", seat),
    ):
        with pytest.raises(InvalidSpecError, match=r"There is no seat .*: the seats go from 0"):
            call()


def test_d5_margin_takes_what_evaluate_takes() -> None:
    for place in ("dots:1,1 1111 1 1-0", papan.position("dots:1,1 1111 1 1-0")):
        assert papan.margin(place, 0) == papan.evaluate(place, 0) == 1
    assert papan.margin(papan.game("dots"), 1) == 0
    with pytest.raises(TypeError, match="5 is not a position"):
        anything.margin(5, 0)


@pytest.mark.parametrize("given", [0, "", [], {}, set()])
def test_what_is_no_function_is_refused_although_it_counts_as_false(given: Any) -> None:
    with pytest.raises(TypeError, match="listener must be a function, not "):
        papan.solve("tictactoe", listener=given)
    with pytest.raises(TypeError, match="listener must be a function, not "):
        papan.agent("random").analyse("tictactoe", listener=given)


def test_arguments_of_other_types_are_refused_in_a_sentence(tmp_path: Path) -> None:
    array = np.array([1, 2])
    for given in list[Any](([], {}, array)):
        with pytest.raises(InvalidPositionError, match="There is no spot"):
            anything.content_at("tictactoe", given)
    calls: tuple[Callable[[], object], ...] = (
        lambda: anything.match("random", "random", "tictactoe", array),
        lambda: anything.prove("tictactoe", tmp_path / "proof", plies=array),
        lambda: anything.session("tictactoe").go("b2"),
    )
    for call in calls:
        with pytest.raises(TypeError, match="must be a whole number, not"):
            call()
    with pytest.raises(papan.InvalidMoveError):
        anything.position("tictactoe").play(array)
    for call in (lambda: papan.prove("tictactoe", ""), lambda: papan.load("")):
        with pytest.raises(TypeError, match="'' is not a path"):
            call()


def test_d7_what_ctrl_c_left_can_be_sent_to_another_process() -> None:
    stopped = papan.Interrupted(papan.match("random", "random", "tictactoe"))
    assert pickle.loads(pickle.dumps(stopped)).result == stopped.result
