"""Whatever text or file papan is given, it is data: read, or refused in one sentence; never run."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import papan
from papan import catalog
from papan.core import PapanError, Record
from papan.core.record import parse_record, replayed
from papan.games.dots import Dots
from papan.games.dots.endgame_db import EndgameDb
from papan.lab import log
from papan.lab.tournament.folder import PLAN_FILE, parse_line, reopen
from papan.lab.tournament.plan import TournamentPlan, parse_plan
from papan.web.boards import PositionCache
from tests.test_architecture import imports_of

SOURCE = Path(papan.__file__).parent
SMALL = {"dots": "dots:2,2", "adjacency": "adjacency:4,4,2", "onet": "onet:4,4"}
GAMES = [SMALL.get(name, name) for name in catalog.GAMES]
RECORD = Record(
    "tictactoe:3,3,3", "tictactoe:3,3,3 .../.../... x", ("human", "random"),
    "a1 a2 b1 b2 c1", (1, 0), "win",
).json()  # fmt: skip
LINE = RECORD | {"number": 0, "players": [0, 1]}
STATE = TournamentPlan("tictactoe", ("random", "level:1"), pairs=2)
FOLDER = {"plan": STATE.json(), "identity": "a", "began": "", "version": "", "store": None}
DEEP = "[" * 100_000

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),  # and nan, inf
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def spoilt(facts: dict[str, Any]) -> st.SearchStrategy[str]:
    """The text of *facts* with one of them changed for anything, or cut off, or anything at all."""
    changed = st.tuples(st.sampled_from(sorted(facts)), JSON).map(
        lambda change: json.dumps(facts | {change[0]: change[1]})
    )
    whole = json.dumps(facts)
    cut = st.integers(0, len(whole)).map(lambda place: whole[:place])
    return st.one_of(changed, cut, JSON.map(json.dumps), st.text(max_size=60))


def read_or_refused(load: Callable[[], object]) -> None:
    """It works, or it says what is wrong; nothing else may happen."""
    try:
        load()
    except PapanError as error:
        assert str(error)


near = st.text("abcdefgho1234567890 .,/-x:=rkgspect\x00\u00b2", max_size=40)


@given(st.sampled_from(GAMES), near | st.text(max_size=20), near | st.text(max_size=20))
def test_s7_any_words_are_a_game_or_a_clear_error(game: str, start: str, moves: str) -> None:
    lines = PositionCache()
    for text in (game, start, f"{game} {start}", f"{game}:{start}", f"{game},{start}"):
        read_or_refused(lambda text=text: lines.reach(text, moves))  # type: ignore[misc]


@given(near | st.text(max_size=20))
def test_s7_any_words_are_an_agent_or_a_clear_error(text: str) -> None:
    for spec in (text, f"alphabeta:{text}", f"level:{text}", f"solver:memory={text}"):
        read_or_refused(lambda spec=spec: papan.agent_from_user(spec))  # type: ignore[misc]


@given(spoilt(RECORD))
@example(json.dumps(RECORD | {"scores": [float("inf"), float("nan")]}))
@example(DEEP)
def test_s12_any_record_is_replayed_or_refused(text: str) -> None:
    def load() -> None:
        record = parse_record(text)
        replayed(record, papan.game(record.game))

    read_or_refused(load)


@pytest.mark.thorough
@given(spoilt(STATE.json()))
def test_s12_any_plan_of_a_tournament_is_read_or_refused(text: str) -> None:
    def load() -> None:
        try:
            facts = json.loads(text)
        except ValueError:
            return
        parse_plan(facts)

    read_or_refused(load)


@settings(max_examples=60)
@given(text=spoilt(FOLDER))
@example(text=DEEP)
def test_s12_any_folder_of_a_tournament_is_opened_or_refused(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("cup")
    (folder / PLAN_FILE).write_text(text, encoding="utf-8", errors="surrogateescape")
    read_or_refused(lambda: reopen(folder))


@given(spoilt(LINE))
@example(json.dumps(LINE | {"scores": [float("inf"), 0]}))
@example(json.dumps(LINE | {"scores": [float("nan"), 0]}))
@example(DEEP)
def test_s12_any_line_of_a_journal_is_read_or_refused(text: str) -> None:
    line = text.encode("utf-8", errors="replace") + b"\n"
    read_or_refused(lambda: parse_line(line, STATE))


@settings(max_examples=60)
@given(data=st.lists(spoilt({"unit": "a", "found": 1, "seconds": 1.0}), max_size=4))
@example(data=[DEEP])
@example(data=["{}", '{"unit": 1, "found": 2, "seconds": "long"}'])
def test_s12_any_log_of_a_run_is_read(
    data: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("run") / "run.jsonl"
    path.write_text("\n".join(data) + "\n", encoding="utf-8", errors="replace")
    read_or_refused(lambda: log.read_log(path))


@settings(max_examples=60)
@given(data=st.binary(max_size=200))
def test_s12_any_file_is_a_table_or_none(
    data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("tables") / "table"
    path.write_bytes(data)
    read_or_refused(lambda: EndgameDb(Dots(2, 2), path))


UNPICKLES = {SOURCE / "engine" / "cache.py"}
"""Compiled code is run anyhow: it is read only from a folder that nobody else can write to."""


@pytest.mark.thorough
def test_s12_nothing_unpickles_or_runs_what_it_reads() -> None:
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        names = {module for module, _ in imports_of(path)}
        unsafe = names & {"pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
        assert unsafe == ({"pickle"} if path in UNPICKLES else set()), path
        assert not re.search(r"allow_pickle=True|\beval\(|yaml\.load\(", text), path
