"""The workshop of bots: kept, checked, watched, measured and entered by the owner alone."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI

import papan
from papan.core import PapanError
from papan.lab.bots import fault_line, template
from papan.process.sandbox import BUBBLEWRAP
from papan.web import bot_folder
from papan.web.bot_folder import LARGEST_BOT, MOST_BOTS, MOST_PLAYED, BotFolder, said_games
from papan.web.owner import FolderInUse, FolderLock, Owner
from papan.web.settings import ServerSettings
from papan.web.wire import Refused, add_refusals
from papan.web.worker_protocol import Task
from papan.web.workshop import BotOrder, Workshop, add_workshop
from tests.bubblewrap import sandbox_or_skip
from tests.waiting import LONGEST_WAIT
from tests.waiting import until as wait_until
from tests.web.asking import QUIET, alive, ask, client
from tests.web.server import Address, serving

GOOD = template(".py", "en")
BOTS = "/api/v1/workshop/bots"
RUNS = "/api/v1/workshop/runs"


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    return replace(QUIET, data=tmp_path)


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> ServerSettings:
    """Those of a server whose folder stays empty, whatever it is asked: to make one costs more."""
    return replace(QUIET, data=tmp_path_factory.mktemp("refusing"))


def keep(settings: ServerSettings, name: str, source: str = GOOD, over: str = "") -> Any:
    return ask("PUT", f"{BOTS}/{name}", settings, json={"source": source, "over": over})


# The folder.


def test_a_bot_is_kept_listed_read_and_deleted(settings: ServerSettings) -> None:
    made = keep(settings, "mybot.py")
    assert made.status_code == 200 and made.json()["games"] is None
    listed = ask("GET", "/api/v1/workshop", settings).json()
    assert listed["yours"] and listed["bots"] == [made.json()]
    assert ask("GET", f"{BOTS}/mybot.py", settings).json()["source"] == GOOD
    assert ask("DELETE", f"{BOTS}/mybot.py", settings).status_code == 204
    assert ask("GET", f"{BOTS}/mybot.py", settings).json()["key"] == "workshop.none"
    assert [each.name for each in (settings.data / "bots").iterdir()] == []


@pytest.mark.parametrize(
    "name",
    [
        "mybot",
        "mybot.txt",
        ".py",
        "-.py",
        "a b.py",
        "b\u00f6t.py",
        f"{'a' * 41}.py",
        "x.py.py",
        "..%5Cx.py",
    ],
)
def test_a_bad_name_is_refused_in_one_sentence(refusing: ServerSettings, name: str) -> None:
    answer = keep(refusing, name)
    assert (answer.status_code, answer.json()["key"]) == (422, "workshop.bad_name")
    assert not (refusing.data / "bots").exists()


@pytest.mark.parametrize("name", ["../x.py", "a/x.py", "%2e%2e%2fx.py", "/etc/x.py"])
def test_no_name_leads_out_of_the_folder(refusing: ServerSettings, name: str) -> None:
    assert keep(refusing, name).status_code in (404, 405)
    assert [*refusing.data.rglob("*.py")] == []


def test_a_bot_that_is_too_large_or_no_text_is_refused(settings: ServerSettings) -> None:
    wide = "#" + "\u00e9" * (LARGEST_BOT - 1)  # as many letters as are allowed, and more bytes
    assert keep(settings, "mybot.py", wide).json()["key"] == "workshop.too_large"
    assert keep(settings, "mybot.py", wide + "#").json()["key"] == "web.bad_request"
    huge = keep(settings, "mybot.py", "#" * 2_000_000)
    assert (huge.status_code, huge.json()["key"]) == (413, "web.too_large")
    half = ask("PUT", f"{BOTS}/mybot.py", settings, content=b'{"source": "\\ud800"}')
    assert half.status_code == 422


def test_other_routes_take_no_larger_requests_than_before(settings: ServerSettings) -> None:
    answer = ask("POST", "/api/v1/board", settings, json={"start": "x" * 20_000})
    assert (answer.status_code, answer.json()["key"]) == (413, "web.too_large")


def test_no_more_bots_are_kept_than_allowed(settings: ServerSettings) -> None:
    folder = settings.data / "bots"
    folder.mkdir()
    for number in range(MOST_BOTS):
        (folder / f"bot{number}.py").write_text(GOOD)
    answer = keep(settings, "onemore.py")
    assert (answer.status_code, answer.json()["key"]) == (503, "workshop.too_many")
    same = keep(settings, "bot3.py")
    assert same.status_code == 200


def test_what_was_changed_elsewhere_is_not_written_over(settings: ServerSettings) -> None:
    first = keep(settings, "mybot.py").json()["digest"]
    assert keep(settings, "mybot.py", GOOD + "#", over=first).status_code == 200
    answer = keep(settings, "mybot.py", GOOD + "##", over=first)
    assert (answer.status_code, answer.json()["key"]) == (409, "workshop.changed")
    assert (settings.data / "bots" / "mybot.py").read_text() == GOOD + "#"


def test_links_and_strange_files_in_the_folder_are_no_bots(settings: ServerSettings) -> None:
    folder = settings.data / "bots"
    folder.mkdir()
    (settings.data / "secret.py").write_text("SECRET = 1")
    (folder / "link.py").symlink_to(settings.data / "secret.py")
    (folder / "notes.txt").write_text("no bot")
    (folder / "large.py").write_text("#" * (LARGEST_BOT + 1))
    os.mkfifo(folder / "pipe.py")
    assert ask("GET", "/api/v1/workshop", settings).json()["bots"] == []
    for name in ("link.py", "large.py", "pipe.py"):
        assert 400 <= ask("GET", f"{BOTS}/{name}", settings).status_code < 500
        assert 400 <= keep(settings, name, over="0").status_code < 500
    assert (settings.data / "secret.py").read_text() == "SECRET = 1"


def test_a_linked_folder_is_not_written_to(settings: ServerSettings, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "bots").symlink_to(tmp_path / "elsewhere")
    assert 400 <= keep(settings, "mybot.py").status_code < 500
    assert [*(tmp_path / "elsewhere").iterdir()] == []


@pytest.mark.parametrize(
    ("source", "games"),
    [
        ("GAMES = ['dots']", ["dots"]),
        ("GAMES = ('dots', 'connect4')", ["dots", "connect4"]),
        ("GAMES: list[str] = ['dots']", ["dots"]),
        ("GAMES = NAMES\nGAMES = ['dots']\nGAMES = ['onet']", ["dots"]),
        ("MORE, GAMES_TOO = 1, 2\nOTHER = GAMES = ['dots']", ["dots"]),
        ("GAMES: list[str]", None),
        ("def choose(position):\n    GAMES = ['dots']", None),
        ("GAMES = sorted(all_games)", None),
        ("GAMES = 1", None),
        ("def choose(position): pass", None),
        ("def (", None),
        ("\0", None),
    ],
)
def test_a_bot_says_what_it_plays(source: str, games: list[str] | None) -> None:
    assert said_games(source) == games


def test_only_bots_that_play_a_game_are_offered_for_it(tmp_path: Path) -> None:
    settings = replace(QUIET, data=tmp_path)
    folder = BotFolder(settings, FolderLock(tmp_path))
    folder.write("one.py", "GAMES = ['dots']", "")
    folder.write("two.c", "int main;", "")
    folder.write("three.py", "GAMES = []", "")  # names none, as one without a list
    assert sorted(folder.playing("dots")) == ["bot:one.py", "bot:three.py", "bot:two.c"]
    assert sorted(folder.playing("connect4")) == ["bot:three.py", "bot:two.c"]


# Copies that are run, and disks and locks that are in the way.


@pytest.fixture
def folder(settings: ServerSettings, monkeypatch: pytest.MonkeyPatch) -> BotFolder:
    """The folder of a server on a machine that can run bots."""
    monkeypatch.setattr(bot_folder, "find_sandbox", lambda: None)
    return BotFolder(settings, FolderLock(settings.data))


def test_a_bot_is_played_from_a_copy_that_stays_until_it_is_edited(folder: BotFolder) -> None:
    first = folder.write("mybot.py", "# 1", "").digest
    copy = folder.to_play("bot:mybot.py")
    assert copy == folder.runs / f"played-{first}" / "mybot.py" and copy.read_text() == "# 1"
    copy.write_text("# not written anew")
    assert folder.to_play("bot:mybot.py").read_text() == "# not written anew"
    folder.write("mybot.py", "# 2", first)
    assert folder.to_play("bot:mybot.py") != copy and copy.exists()
    bot_folder.remove_run(copy)
    assert not copy.parent.exists() and folder.to_play("bot:mybot.py").read_text() == "# 2"
    folder.clear()
    assert not folder.runs.exists()
    bot_folder.remove_run(copy)  # nothing is there any more


def test_the_copies_that_were_made_first_are_deleted_when_there_are_many(folder: BotFolder) -> None:
    folder.write("mybot.py", "#", "")
    others = folder.lay_out("mybot.py", b"# of a run")
    for number in range(MOST_PLAYED + 2):
        old = folder.lay_out("mybot.py", b"#", f"played-{number}").parent
        os.utime(old, (1000 - number, 1000 - number))  # the last is the oldest
    copy = folder.to_play("bot:mybot.py")
    left = {each.name for each in folder.runs.iterdir()}
    assert left == {
        others.parent.name,
        copy.parent.name,
        *(f"played-{number}" for number in range(MOST_PLAYED)),
    }


def test_a_copy_that_is_asked_for_again_is_not_among_the_oldest(folder: BotFolder) -> None:
    digest = folder.write("mybot.py", "#", "").digest
    copy = folder.to_play("bot:mybot.py")
    os.utime(copy.parent, (0, 0))
    for number in range(MOST_PLAYED):
        os.utime(folder.lay_out("mybot.py", b"#", f"played-{number}").parent, (1000, 1000 + number))
    assert folder.to_play("bot:mybot.py") == copy
    folder.write("mybot.py", "# edited", digest)
    folder.to_play("bot:mybot.py")
    assert copy.exists() and not (folder.runs / "played-0").exists()


def test_each_run_has_a_folder_of_its_own(folder: BotFolder) -> None:
    one, other = folder.lay_out("a.py", b"1"), folder.lay_out("a.py", b"2")
    assert one.parent != other.parent and [one.read_bytes(), other.read_bytes()] == [b"1", b"2"]
    assert one.parent.parent == other.parent.parent == folder.runs


def test_bots_compete_by_their_texts(folder: BotFolder) -> None:
    folder.write("a.py", "# a", "")
    folder.write("b.js", "// b", "")
    assert folder.to_compete(["b.js", "a.py"]) == {"b.js": "// b", "a.py": "# a"}
    assert folder.to_compete([]) == {}


def broken(*_: Any, **__: Any) -> Any:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("fails", "act", "expected"),
    [
        ("", lambda it: it.to_play("random"), (422, "workshop.bad_name")),
        ("", lambda it: it.to_play("bot"), (422, "workshop.bad_name")),
        ("", lambda it: it.to_play("bot:none.py"), (404, "workshop.none")),
        ("", lambda it: it.read("no_text.py"), (422, "workshop.no_text")),
        ("", lambda it: it.facts("none.py"), (404, "workshop.none")),
        ("", lambda it: it.facts("no_text.py"), (422, "workshop.no_text")),
        ("", lambda it: it.delete("none.py"), (404, "workshop.none")),
        ("", lambda it: it.write("a.py", "\ud800", ""), (422, "workshop.no_text")),
        ("", lambda it: it.write("new.py", "#", "0"), (409, "workshop.changed")),
        ("", lambda it: it.write("a.py", "# other", ""), (409, "workshop.changed")),
        ("read_regular", lambda it: it.read("a.py"), (404, "error.cannot_read")),
        ("write_whole", lambda it: it.write("new.py", "#", ""), (503, "error.cannot_write")),
        ("write_whole", lambda it: it.lay_out("new.py", b"#"), (503, "error.cannot_write")),
        ("Path.unlink", lambda it: it.delete("a.py"), (503, "error.cannot_write")),
    ],
)
def test_what_cannot_be_done_with_a_bot_has_a_status_and_a_sentence(
    folder: BotFolder,
    monkeypatch: pytest.MonkeyPatch,
    fails: str,
    act: Callable[[BotFolder], object],
    expected: tuple[int, str],
) -> None:
    folder.write("a.py", "# a", "")
    (folder.path / "no_text.py").write_bytes(b"\xff")
    if fails:
        monkeypatch.setattr(f"papan.web.bot_folder.{fails}", broken)
    with pytest.raises(Refused) as refused:
        act(folder)
    assert (refused.value.status, refused.value.key) == expected
    if fails:
        values = refused.value.values
        assert values["why"] == "No space left on device" and values["path"] in ("a.py", "new.py")
    assert not folder.runs.exists() or [*folder.runs.iterdir()] == []


def test_a_bot_may_be_as_large_as_is_said_and_is_read_no_larger(folder: BotFolder) -> None:
    largest = "#" * LARGEST_BOT
    digest = folder.write("a.py", largest, "").digest
    assert (folder.read("a.py"), len(digest)) == (largest, 16)
    with pytest.raises(Refused) as refused:
        folder.write("a.py", largest + "#", digest)
    assert (refused.value.status, refused.value.values) == (413, {"most": 64})
    (folder.path / "a.py").write_text(largest + "#")
    with pytest.raises(PapanError) as large:
        folder.read("a.py")
    assert large.value.key == "error.large_file" and folder.all() == []


@pytest.mark.parametrize(
    "act",
    [
        lambda it: it.write("a.py", "#", ""),
        lambda it: it.delete("a.py"),
        lambda it: it.lay_out("a.py", b"#"),
    ],
)
def test_a_folder_of_another_server_is_not_written_to(
    settings: ServerSettings, folder: BotFolder, act: Callable[[BotFolder], object]
) -> None:
    folder.path.mkdir()
    (folder.path / "a.py").write_text("# kept")
    other = FolderLock(settings.data)
    other.take()
    other.announce("http://localhost:1/", "token")
    with pytest.raises(FolderInUse):
        act(folder)
    assert (folder.path / "a.py").read_text() == "# kept" and not folder.runs.exists()
    other.close()


def test_bots_are_listed_by_their_last_change_then_by_name(folder: BotFolder) -> None:
    for name, changed in (("b.py", 100), ("c.py", 200), ("a.py", 100)):
        folder.write(name, f"# {name}", "")
        os.utime(folder.path / name, (changed, changed))
    (folder.path / "letters.py").write_bytes(b"GAMES = ['dots']  # \xff")
    os.utime(folder.path / "letters.py", (50, 50))
    assert [(each.name, each.changed, each.games) for each in folder.all()] == [
        ("c.py", 200, None),
        ("a.py", 100, None),
        ("b.py", 100, None),
        ("letters.py", 50, ["dots"]),
    ]


# Tasks for the workers that run bots.


@pytest.fixture
def workshop(settings: ServerSettings, folder: BotFolder) -> Workshop:
    return Workshop(settings, FolderLock(settings.data), Owner(settings))


@pytest.mark.parametrize(("asked", "given"), [(2.5, 2.5), (60, 60), (61, 60)])
def test_a_stored_bot_is_asked_for_a_move_in_the_time_of_the_server(
    workshop: Workshop, asked: float, given: float
) -> None:
    workshop.folder.write("mybot.py", "# bot", "")
    task = workshop.play_task(papan.position("tictactoe b2"), "bot:mybot.py", asked, 900)
    assert task == Task(
        "think",
        {
            "position": "tictactoe:3,3,3 .../.x./... o",
            "agent": "bot:mybot.py",
            "file": str(workshop.folder.to_play("bot:mybot.py")),
            "deadline": given,
            "nodes": 900,
            "all_moves": False,
            "hint": False,
        },
        given,
        rank="game",
    )


def test_a_stored_bot_is_asked_for_no_move_where_there_is_none(workshop: Workshop) -> None:
    over = papan.position("tictactoe a1 a2 b1 b2 c1")
    with pytest.raises(PapanError) as refused:
        workshop.play_task(over, "bot:mybot.py", 1, None)
    assert refused.value.key == "error.nothing_to_play"


def test_a_run_has_its_order_and_the_path_of_a_file_of_its_own(workshop: Workshop) -> None:
    order = BotOrder(run="rate", name="mybot.py", source="# bot", game="dots")
    task, file = workshop.run_task(order)
    assert file.read_text() == "# bot" and file.parent.parent == workshop.folder.runs
    assert task == Task(
        "bot",
        {
            "run": "rate",
            "game": "dots",
            "rival": "level:2",
            "second": False,
            "seconds": 1,
            "positions": 100,
            "seed": 0,
            "file": str(file),
        },
        600.0,
    )


def test_a_run_that_is_not_admitted_leaves_no_file(
    settings: ServerSettings, workshop: Workshop
) -> None:
    def full(task: Task, client: str) -> Any:
        raise Refused(503, "web.busy", seconds=2)

    workshop.queue.admit = full  # type: ignore[method-assign]
    api = FastAPI()
    add_workshop(api, workshop)
    add_refusals(api)

    async def asked() -> httpx2.Response:
        order = {"run": "check", "name": "mybot.py", "source": GOOD}
        async with client(api, token=settings.token) as owner:
            return await owner.post("/v1/workshop/runs", json=order)

    answer = asyncio.run(asked())
    assert (answer.status_code, answer.json()["key"]) == (503, "web.busy")
    assert [*workshop.folder.runs.iterdir()] == []


def test_runs_have_limits_of_their_own(workshop: Workshop) -> None:
    limits = workshop.queue.settings
    assert (limits.workers, limits.spare, limits.queue, limits.searches) == (2, 0, 4, 6)
    assert (limits.at_once, limits.silence, limits.quota, limits.warm) == (2, 600, 0, False)


def test_files_of_runs_that_were_killed_are_deleted_by_the_server_of_the_folder(
    workshop: Workshop,
) -> None:
    left = workshop.folder.lay_out("mybot.py", b"#")
    workshop.lock.lacking = Refused(503, "serve.cannot_keep", why="x")
    workshop.queue.stopping = True
    asyncio.run(workshop.start())
    assert left.exists() and not workshop.queue.stopping
    workshop.lock.lacking = None
    asyncio.run(workshop.start())
    assert not left.exists()
    again = workshop.folder.lay_out("mybot.py", b"#")
    asyncio.run(workshop.close())
    assert not again.exists()


# Who may, and where.


def test_others_see_templates_and_nothing_else(settings: ServerSettings) -> None:
    (settings.data / "bots").mkdir()
    (settings.data / "bots" / "mybot.py").write_text(GOOD)

    async def asked() -> None:
        async with alive(settings) as app, client(app, "10.1.2.3") as guest:
            seen = (await guest.get("/api/v1/workshop?language=id")).json()
            assert (seen["yours"], seen["bots"], seen["problem"]) == (False, [], None)
            assert {each["suffix"] for each in seen["templates"]} == {".py", ".c", ".js", ".java"}
            order = {"run": "check", "name": "mybot.py", "source": GOOD}
            path = "/api/v1/workshop/agents?game=tictactoe"
            assert (await guest.get(path)).json() == []
            turn = {"start": "tictactoe", "agents": ["bot:mybot.py", "human"]}
            cup = {"game": "tictactoe", "agents": ["bot:mybot.py", "random"]}
            for method, path, body in (
                ("GET", f"{BOTS}/mybot.py", None),
                ("PUT", f"{BOTS}/mybot.py", {"source": ""}),
                ("DELETE", f"{BOTS}/mybot.py", None),
                ("POST", RUNS, order),
                ("POST", "/api/v1/turn", turn),
                ("POST", "/api/v1/tournaments", cup),
            ):
                answer = await guest.request(method, path, json=body)
                assert (answer.status_code, answer.json()["key"]) == (403, "jobs.not_owner"), path

    asyncio.run(asked())
    assert (settings.data / "bots" / "mybot.py").read_text() == GOOD
    assert not (settings.data / "bot-runs").exists()


def test_without_a_sandbox_nothing_runs_and_a_sentence_says_what_helps(
    settings: ServerSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(settings, "mybot.py")
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv(BUBBLEWRAP, raising=False)
    seen = ask("GET", "/api/v1/workshop", settings).json()
    assert "sudo apt install bubblewrap" in seen["problem"]["message"]
    order = {"run": "check", "name": "mybot.py", "source": GOOD}
    answer = ask("POST", RUNS, settings, json=order)
    assert (answer.status_code, answer.json()["key"]) == (422, "sandbox.none")
    cup = {"game": "tictactoe", "agents": ["bot:mybot.py", "random"]}
    answer = ask("POST", "/api/v1/tournaments", settings, json=cup)
    assert (answer.status_code, answer.json()["key"]) == (422, "sandbox.none")
    assert not (settings.data / "bot-runs").exists()


@pytest.mark.parametrize(
    "change",
    [
        {"run": "format"},
        {"name": "mybot.exe"},
        {"source": 3},
        {"positions": 100_000},
        {"seconds": 60},
        {"seed": -1},
        {"game": "chess"},
        {"run": "watch", "game": ""},
        {"run": "watch", "game": "tictactoe", "rival": "bot:/etc/passwd"},
        {"run": "watch", "game": "tictactoe", "rival": "program:sh"},
        {"run": "rate", "game": "nothing"},
        {"folder": "/"},
    ],
)
def test_a_bad_order_is_refused_in_one_sentence(
    refusing: ServerSettings, change: dict[str, Any]
) -> None:
    order = {"run": "check", "name": "mybot.py", "source": GOOD} | change
    answer = ask("POST", RUNS, refusing, json=order)
    assert answer.status_code in (404, 422) and answer.json()["message"]
    assert not [*refusing.data.rglob("mybot*")]


# Runs, in the sandbox.


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Address, Path]]:
    """A server with a folder of its own, where there is a sandbox."""
    sandbox_or_skip()
    folder = tmp_path_factory.mktemp("shop")
    with serving(folder) as (address, _):
        yield address, folder


def events(address: Address, **order: Any) -> list[dict[str, Any]]:
    """All events of a run of a bot."""
    whole = {"run": "check", "name": "mybot.py", "source": GOOD, "game": "tictactoe"} | order
    path = f"{address}{RUNS}"
    with httpx2.stream(
        "POST", path, json=whole, headers=address.owner, timeout=LONGEST_WAIT
    ) as answer:
        assert answer.status_code == 200
        return [json.loads(line) for line in answer.iter_lines() if line]


@pytest.mark.thorough
def test_a_good_bot_passes_its_check(shop: tuple[Address, Path]) -> None:
    *_, last = events(shop[0], positions=10, game="")
    assert last["fine"] and last["problems"] == [] and "dots" in last["games"]
    assert (last["positions"], last["repeated"], last["changed"]) == (10, 2, [])


@pytest.mark.thorough
def test_a_traceback_is_beside_its_line_with_what_was_printed(shop: tuple[Address, Path]) -> None:
    source = "def choose(position):\n    print('so far')\n    return 1 // 0\n"
    problem = events(shop[0], positions=5, source=source)[-1]["problems"][0]
    assert (problem["kind"], problem["line"]) == ("crash", 3)
    assert "ZeroDivisionError" in problem["output"] and problem["output"].startswith("so far\n")
    assert problem["position"].startswith("tictactoe")
    assert str(shop[1]) not in json.dumps(problem), "the folders of the server stay its own"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "source", "line"),
    [
        ("mybot.py", "import papan\n\ndef choose(position:\n", 3),
        ("mybot.c", "#include <stdio.h>\nint main( {", 2),
        ("mybot.js", "let a = 1;\nlet b = ;", 2),
    ],
)
def test_a_file_that_cannot_start_is_one_problem(
    shop: tuple[Address, Path], name: str, source: str, line: int
) -> None:
    *_, last = events(shop[0], name=name, source=source)
    (problem,) = last["problems"]
    assert (problem["line"], problem["position"]) == (line, "") and problem["output"]


@pytest.mark.parametrize(
    ("name", "said", "line"),
    [
        ("mybot.py", 'File "mybot.py", line 3, in choose\n  File "mybot.py", line 7, in best', 7),
        ("mybot.c", "mybot.c:4:5: error: no such name\nmybot.c:2:1: note: declared here", 4),
        ("mybot.js", "mybot.js:12\n  at best (mybot.js:12:9)\n  at choose (mybot.js:20:3)", 12),
        ("mybot.java", "mybot.java:5: error: ';' expected\nmybot.java:9: error: not found", 5),
        ("mybot.js", "other.js:3", None),
    ],
)
def test_the_line_is_the_innermost_of_python_and_the_first_that_others_name(
    name: str, said: str, line: int | None
) -> None:
    assert fault_line(said, Path(name)) == line


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", [".c", ".js"])
def test_templates_in_other_languages_pass_their_check(
    shop: tuple[Address, Path], suffix: str
) -> None:
    *_, last = events(shop[0], name=f"a{suffix}", source=template(suffix, "id"), positions=5)
    assert last["fine"]


@pytest.mark.thorough
def test_a_game_is_watched_move_by_move_with_what_the_bot_prints(
    shop: tuple[Address, Path],
) -> None:
    source = "def choose(position):\n    print('I see', position)\n    return position.moves()[0]\n"
    found = events(shop[0], run="watch", source=source, second=True, seed=4)
    moves = [each for each in found if each["t"] == "move"]
    assert [each["move"] for each in moves] == found[-1]["moves"].split()
    assert all(each["svg"].startswith("<svg") for each in moves)
    own = [each["output"] for each in moves if each["seat"] == 1]
    assert own and all(each.startswith("I see tictactoe") for each in own)


@pytest.mark.thorough
def test_a_game_that_the_bot_breaks_off_shows_the_position(shop: tuple[Address, Path]) -> None:
    source = "def choose(position):\n    return 'z9'\n"
    *_, last = events(shop[0], run="watch", source=source)
    (problem,) = last["problems"]
    assert (last["end"], last["winner"], problem["kind"]) == ("illegal", 1, "illegal")
    assert problem["why"]["values"]["agent"] == "mybot.py"
    assert problem["position"] == "tictactoe:3,3,3 .../.../... x"


@pytest.mark.thorough
def test_thirty_games_give_an_elo_with_error_bars(shop: tuple[Address, Path]) -> None:
    *games, last = events(shop[0], run="rate")
    played = [each for each in games if each["t"] == "game"]
    strength = last["strength"]
    assert len(played) == strength["games"] == 30 and not last["stopped"]
    assert [each["rival"] for each in strength["scores"]] == ["level:1", "level:2", "level:3"]
    assert strength["elo"]["low"] < strength["elo"]["value"] < strength["elo"]["high"]
    for each in strength["scores"]:
        assert each["wins"] + each["draws"] + each["losses"] == 10


@pytest.mark.thorough
def test_the_bot_sees_neither_files_nor_the_network(shop: tuple[Address, Path]) -> None:
    source = (
        "import os, socket\n"
        "def choose(position):\n"
        f"    print(os.path.exists({str(shop[1] / 'owner.json')!r}))\n"
        "    try:\n"
        "        socket.create_connection(('127.0.0.1', 80), 1)\n"
        "    except OSError as error:\n"
        "        print(type(error).__name__)\n"
        "    raise ValueError\n"
    )
    problem = events(shop[0], positions=5, source=source)[-1]["problems"][0]
    assert problem["output"].splitlines()[0] == "False"
    assert "Error" in problem["output"].splitlines()[1]


@pytest.mark.thorough
def test_one_plays_against_a_kept_bot(shop: tuple[Address, Path]) -> None:
    address, _ = shop
    path = f"{address}{BOTS}/first.py"
    httpx2.put(path, json={"source": GOOD}, headers=address.owner).raise_for_status()
    turn = {"start": "tictactoe", "move": "b2", "agents": ["human", "bot:first.py"]}
    answer = httpx2.post(
        f"{address}/api/v1/turn", json=turn, headers=address.owner, timeout=LONGEST_WAIT
    )
    *_, last = (json.loads(line) for line in answer.text.splitlines() if line)
    assert last["t"] == "board" and len(last["board"]["moves"]) == 2


@pytest.mark.thorough
def test_a_kept_bot_plays_in_the_arena_as_it_was_when_it_entered(
    shop: tuple[Address, Path],
) -> None:
    address, folder = shop
    for name, source in (("arena.py", GOOD), ("arena.c", template(".c", "en"))):
        path = f"{address}{BOTS}/{name}"
        httpx2.put(path, json={"source": source}, headers=address.owner).raise_for_status()
    cup = {"game": "tictactoe", "agents": ["bot:arena.py", "bot:arena.c"], "pairs": 1}
    made = httpx2.post(f"{address}/api/v1/tournaments", json=cup, headers=address.owner)
    place = f"{address}/api/v1/tournaments/{made.json()['id']}"
    wait_until(lambda: httpx2.get(place).json()["state"] in ("done", "failed"))
    report = httpx2.get(place).json()
    assert (report["state"], report["games"]) == ("done", 2), report["why"]
    assert [each["forfeits"] for each in report["contest"]["agents"]] == [{}, {}]
    assert str(folder) not in json.dumps(report)
    httpx2.delete(place, headers=address.owner).raise_for_status()


@pytest.mark.thorough
def test_runs_leave_nothing_behind(shop: tuple[Address, Path]) -> None:
    events(shop[0], positions=5)
    runs = shop[1] / "bot-runs"
    wait_until(lambda: all(each.name.startswith("played-") for each in runs.iterdir()))
