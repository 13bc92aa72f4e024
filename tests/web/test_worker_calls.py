"""What a worker answers to tasks, called as functions: drawings, texts, files; and its events."""

import asyncio
import json
import re
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from papan import catalog
from papan.core import Agent, Analysis, PapanError, Position, Thinking
from papan.lessons import steps
from papan.web import worker
from papan.web.boards import GraphView, graph_page
from papan.web.worker import EventThinner, lesson_address
from papan.web.worker_protocol import LOADING_SECONDS, WorkerEvent, event_line, event_writer


def never() -> bool:
    return False


def test_a_board_and_a_position_are_those_after_the_moves() -> None:
    board = json.loads(worker.draw_board(never, "tictactoe", "b2 a1"))
    assert (board["moves"], board["turns"]) == (["b2", "a1"], [0, 1])
    text = worker.reach_position(never, "tictactoe", "b2 a1")
    assert text == board["position"] == "tictactoe:3,3,3 o../.x./... x"


# Graphs: the four boxes of a board around which nothing is drawn, and the ground beside them.

BOXES = ["a1", "b1", "a2", "b2", "ground"]
NEIGHBOURS = (
    "a1: b1 a2 ground\nb1: a1 b2 ground\na2: a1 b2 ground\nb2: b1 a2 ground\nground: a1 b1 a2 b2"
)


def graph(**view: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(worker.draw_graph(never, "dots:2,2", "", **view))
    return found


def test_a_graph_is_drawn_with_its_facts_and_its_text() -> None:
    found = graph(name="boxes", form="list")
    assert found["name"] == "boxes" and found["vertices"] == BOXES
    assert found["names"] == ["lines", "board", "boxes", "moves"]
    assert found["svg"].startswith("<svg") and found["text"] == NEIGHBOURS
    size = {"key": "graph.size", "values": {"vertices": 5, "edges": 12}}
    assert size in found["facts"] and found["visited"] == 0
    assert not [each for each in found["facts"] if each["key"] == "graph.level"]
    assert graph()["name"] == "lines"
    heads, *rows = graph(name="boxes", form="matrix")["text"].splitlines()
    assert heads.split() == BOXES and len(rows) == 5


def test_a_walk_is_told_whole_and_drawn_as_far_as_it_has_come() -> None:
    walks = {
        count: graph(name="boxes", origin="a1", order="breadth", steps=count)
        for count in (1, 2, 5, None)
    }
    levels = [each["values"] for each in walks[1]["facts"] if each["key"] == "graph.level"]
    assert levels == [
        {"level": 0, "names": "a1"},
        {"level": 1, "names": "b1 a2 ground"},
        {"level": 2, "names": "b2"},
    ]
    assert {each["visited"] for each in walks.values()} == {5}
    assert walks[5]["svg"] == walks[None]["svg"]
    assert len({each["svg"] for each in walks.values()}) == 3
    deep = graph(name="boxes", origin="a1", order="depth")
    assert deep["facts"] != walks[None]["facts"] and deep["visited"] == 5
    assert graph(name="boxes", degrees=True)["svg"] != graph(name="boxes")["svg"]


@pytest.mark.parametrize("view", [GraphView(name="nothing"), GraphView(origin="z9")])
def test_there_is_no_graph_and_no_vertex_of_another_name(view: GraphView) -> None:
    with pytest.raises(PapanError):
        graph_page(catalog.position("dots:2,2"), view)


# Films.


def test_a_film_has_a_picture_of_each_position_the_first_one_included() -> None:
    film = worker.draw_film(never, "tictactoe", "b2 a1", 0.5)
    assert "<desc>b2 a1</desc>" in film and "animation:r0 1.5s step-end" in film
    assert [film.count(f'data-at="{each}"') for each in ("b2", "a1", "c3")] == [1, 1, 0]
    start = worker.draw_film(never, "tictactoe", "", 2)
    assert "<desc>tictactoe:3,3,3 .../.../... x</desc>" in start


def test_a_film_has_as_many_moves_as_are_allowed_and_ends_when_it_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker, "MOST_FILM_PLIES", 3)
    worker.draw_film(never, "tictactoe", "b2 a1 c3", 1)
    for most, spots in ((3, 200_000), (2, 18), (1, 17)):
        monkeypatch.setattr(worker, "MOST_FILM_SPOTS", spots)
        with pytest.raises(PapanError) as long:
            worker.draw_film(never, "tictactoe", "b2 a1 c3 b3", 1)
        assert (long.value.key, long.value.values) == ("web.film_long", {"moves": 4, "most": most})
    monkeypatch.undo()
    with pytest.raises(PapanError) as stopped:
        worker.draw_film(lambda: True, "tictactoe", "", 1)
    assert stopped.value.key == "web.stopping"


# Files and texts.


def test_what_a_report_does_not_have_is_none() -> None:
    assert worker.paper_file(never, "/nowhere", ("002", None), "nothing.csv", "en") is None
    assert worker.paper_file(never, "/nowhere", ("002", "full-7"), "report.md", "en") is None
    ours = worker.paper_file(never, "/nowhere", ("002", "reference"), "report.md", "id")
    assert isinstance(ours, str) and ours.startswith("# ")


def test_a_puzzle_that_is_not_there_is_told() -> None:
    with pytest.raises(PapanError) as none:
        worker.answer_puzzle(never, "0000000000", "")
    assert (none.value.key, none.value.values) == ("web.no_puzzle", {"name": "0000000000"})


def test_a_sheet_of_links_has_a_cell_for_each_student_with_all_names_escaped() -> None:
    lines = [("1", "Ani & co", "https://x/hand-in#a"), ("2", "<b>", "https://x/hand-in#b")]
    page = worker.render_links(never, "Cup <1>", lines, "id")
    assert page.startswith('<!DOCTYPE html>\n<html lang="id">')
    assert page.count("<li>") == page.count("</svg>") == page.count("<p>Cup &lt;1&gt;</p>") == 2
    assert re.findall("<h2>(.*?)</h2>", page) == ["1 Ani &amp; co", "2 &lt;b&gt;"]
    assert re.findall("<code>(.*?)</code>", page) == [each[2] for each in lines]
    assert "<title>Cup &lt;1&gt;</title>" in page and "<b>" not in page
    assert worker.render_links(never, "Cup", [], "en").count("<li>") == 0


def test_an_archive_is_written_to_its_file(tmp_path: Path) -> None:
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "plan.toml").write_text("title = 1")
    assert worker.archive_contest(never, str(tmp_path / "cup"), str(tmp_path / "all.zip")) == ""
    assert (tmp_path / "all.zip").read_bytes().startswith(b"PK")


@pytest.mark.parametrize(
    ("game", "place", "address"),
    [("dots", 0, "?step=1"), ("dots", 2, "?step=3"), ("dots", None, ""), ("nim", 0, None)],
)
def test_the_step_of_a_lesson_has_an_address(
    game: str, place: int | None, address: str | None
) -> None:
    key = "lesson.of_no_step" if place is None else steps("dots")[place].text.key
    expected = "" if address is None else f"/learn/{game}{address}"
    assert lesson_address(game, key) == expected


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        ("é", {"text": "é"}),
        (None, {"text": None}),
        (b"\xff\x00", {"base64": b64encode(b"\xff\x00").decode()}),
    ],
)
def test_an_answer_is_text_or_bytes_after_the_start(
    monkeypatch: pytest.MonkeyPatch, found: Any, answer: dict[str, Any]
) -> None:
    limits: list[float] = []
    monkeypatch.setattr(worker, "limit_processor", limits.append)
    monkeypatch.setattr(worker, "cores", lambda: 4)
    monkeypatch.setitem(worker.CALLS, "echo", lambda cancelled, **given: found)
    events: list[Any] = []
    task = {"call": "echo", "arguments": {"a": 1}, "seconds": 7}
    assert worker._call(task, never, events.append) == {"t": "answer", **answer}
    assert events == [{"t": "start"}] and limits == [7 * 4 + 30]


THOUGHT: dict[str, Any] = {
    "position": "tictactoe",
    "agent": "random",
    "nodes": None,
    "all_moves": False,
    "hint": False,
}


@pytest.mark.parametrize(
    ("call", "arguments", "before"),
    [
        ("_bot", {"file": "bot.py"}, []),
        ("_review", {"start": "tictactoe", "moves": "b2"}, [LOADING_SECONDS]),
        ("_think", THOUGHT, [LOADING_SECONDS]),
    ],
)
def test_y7_a_task_may_compute_on_every_core_as_long_as_it_may_take(
    monkeypatch: pytest.MonkeyPatch, call: str, arguments: dict[str, Any], before: list[float]
) -> None:
    limits: list[float] = []
    monkeypatch.setattr(worker, "limit_processor", limits.append)
    monkeypatch.setattr(worker, "cores", lambda: 4)
    done = SimpleNamespace(answer=lambda: {"t": "answer"}, verdicts=lambda: iter(()))
    monkeypatch.setattr("papan.web.bot_runs.BotRun", lambda *given: done)
    monkeypatch.setattr("papan.api.reviewer", lambda *given: done)
    task = {"call": call, "arguments": arguments, "seconds": 7}
    found = getattr(worker, call)(task, never, lambda event: None)
    assert found["t"] == ("analysis" if call == "_think" else "answer")
    assert limits == [*before, 7 * 4 + 30]


@pytest.mark.thorough
def test_a_review_tells_the_last_move_first_and_where_to_learn_about_a_mistake() -> None:
    events: list[Any] = []
    arguments = {"start": "tictactoe", "moves": "b2 b1 a1 c3 c1"}
    task = {"call": "review", "arguments": arguments, "seconds": 60}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "limit_processor", lambda seconds: None)
        answer = worker._review(task, never, events.append)
    start, *verdicts = (each for each in events if each["t"] != "compiling")
    assert start == {"t": "start"} and [each["t"] for each in verdicts] == ["verdict"] * 5
    assert [each["ply"] for each in verdicts] == [4, 3, 2, 1, 0]
    assert answer.keys() == {"t", "counts", "moment", "story"} and len(answer["counts"]) == 2
    lessons = {each["ply"]: each["lesson"] for each in verdicts}
    assert lessons[1].startswith("/learn/tictactoe")  # b1 loses: a corner was needed
    assert lessons[0] == lessons[2] == ""


# Searches.


def thought(agent: str, **asked: Any) -> dict[str, Any]:
    """The answer of a search of a position in which only an edge holds the draw."""
    arguments = {
        "position": "tictactoe:3,3,3 x../.o./..x o",
        "agent": agent,
        "nodes": None,
        "all_moves": False,
        "hint": False,
    }
    task = {"call": "think", "arguments": arguments | asked, "seconds": 20}
    events: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "limit_processor", lambda seconds: None)
        return {"events": events, **worker._think(task, never, events.append)}


def test_a_solver_proves_every_move_only_where_that_is_asked() -> None:
    every, best = thought("solver", all_moves=True), thought("solver")
    assert every["facts"]["distances"].keys() == {"b1", "c1", "a2", "c2", "a3", "b3"}
    assert best["facts"]["distances"] == {}
    assert {*every["best"]} == {*best["best"]} == {"b1", "a2", "c2", "b3"}  # corners lose
    own = thought("minimax", all_moves=True)
    assert own["value"] == 0 and "table" not in own["facts"]  # it stays the agent that it is


def test_a_hint_comes_with_an_analysis_where_one_is_asked_for() -> None:
    assert thought("solver")["hint"] is None
    hint = thought("solver", hint=True)["hint"]
    assert hint.keys() == {"move", "idea", "area", "outcome"} and hint["move"] in hint["area"]


def test_a_stored_bot_that_fails_is_named_without_its_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []

    @dataclass
    class Failing(Agent):
        name: ClassVar[str] = "failing"

        def decide(self, position: Position, thinking: Thinking) -> Analysis:
            spec = "bot:/data/bots/mybot.py"
            raise PapanError("program.refused", agent=spec, why="/data/bots/mybot.py is broken")

    def own(file: Path, seconds: float) -> Any:
        asked.append((file, seconds))
        return Failing()

    monkeypatch.setattr("papan.web.bot_runs.own_agent", own)
    with pytest.raises(PapanError) as failed:
        thought("bot:mybot.py", file="/data/bots/mybot.py", deadline=7.5)
    assert asked == [(Path("/data/bots/mybot.py"), 7.5)]
    assert "/data/bots" not in str(failed.value) and "mybot.py" in str(failed.value)


# Events.


def sent(most: int, *kinds: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(worker, "MOST_EVENTS", most)
    said: list[Any] = []
    thinner = EventThinner(said.append)
    for kind in kinds:
        thinner.receive({"t": kind, "add": [1], "depth": 0})
    return [each["t"] for each in said]


def test_only_the_first_events_of_other_kinds_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ("line", "line", "line", "progress", "tree", "done", "progress")
    assert sent(2, *kinds, monkeypatch=monkeypatch) == ["line", "line", "progress", "progress"]
    assert sent(4, *kinds, monkeypatch=monkeypatch) == [
        *("line", "line", "line", "progress", "tree", "done", "progress"),
    ]


def test_the_last_root_of_each_depth_is_sent_up_to_a_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(worker, "monotonic", lambda: clock[0])
    monkeypatch.setattr(worker, "MOST_DEPTHS", 3)
    said: list[Any] = []
    thinner = EventThinner(said.append)
    for number, depth in enumerate((0, 0, 1, 1, 2, 2, 3, 3, 4, 5)):
        thinner.receive({"t": "root", "depth": depth, "number": number})
    assert [each["number"] for each in said] == [0, 1, 3, 5]  # the first at once: none was sent
    clock[0] += worker.ROOT_SECONDS
    thinner.receive({"t": "root", "number": 10})
    assert [each["number"] for each in said] == [0, 1, 3, 5, 10]
    thinner.flush()
    assert len(said) == 5
    thinner.receive({"t": "root", "number": 11})
    thinner.flush()
    thinner.flush()
    assert [each["number"] for each in said] == [0, 1, 3, 5, 10, 11]


def test_an_event_is_a_kind_and_json_without_numbers_that_json_lacks(tmp_path: Path) -> None:
    path = tmp_path / "events"
    with path.open("w", encoding="utf-8") as out:
        write = event_writer(out)
        write({"t": "root", "é": [float("inf"), (float("nan"), 1.5)], "b": {"c": -float("inf")}})
        with pytest.raises(PapanError) as large:
            write({"t": "tree", "text": "x" * (2**24 - 30)})
        write({"t": "tree", "text": "x" * (2**24 - 31)})
    assert (large.value.key, large.value.values) == ("web.event_too_large", {"most": 16})
    first, second = path.read_bytes().splitlines(keepends=True)
    event = WorkerEvent.read(first)
    assert event is not None and event.kind == "root"
    assert event.json == '{"t": "root", "é": [null, [null, 1.5]], "b": {"c": null}}\n'.encode()
    assert len(second) == 2**24 and second.startswith(b"tree {")
    assert WorkerEvent.read(first[:-1]) is WorkerEvent.read(b"") is None
    assert event_line({"t": "a", "b": "é"}) == b'{"t": "a", "b": "\\u00e9"}\n'


def test_a_worker_says_who_it_is_and_answers_until_its_input_ends() -> None:
    async def talk() -> list[Any]:
        return await asyncio.to_thread(talked)

    ready, *rest = asyncio.run(talk())
    assert (ready["t"], ready["warm"]) == ("ready", True) and ready["pid"] > 0
    assert [each["t"] for each in rest] == ["start", "answer", "start", "error"]
    assert rest[1]["text"] == "tictactoe:3,3,3 .../.x./... o"
    assert rest[3]["key"].startswith("error.unknown_game")


def talked() -> list[Any]:
    """Return what a worker in a thread says to two tasks."""
    import io

    tasks = [
        {"call": "position", "arguments": {"start": start, "moves": "b2"}, "seconds": 30}
        for start in ("tictactoe", "chess")
    ]
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "limit_processor", lambda seconds: None)
        worker.work(io.StringIO("".join(f"{json.dumps(each)}\n" for each in tasks)), out, 0, True)
    return [json.loads(line.partition(" ")[2]) for line in out.getvalue().splitlines()]
