"""The workshop of bots: kept, checked, watched, measured and entered by the owner alone."""

import asyncio
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import pytest

from papan.lab.bots import fault_line, template
from papan.process.sandbox import BUBBLEWRAP
from papan.web.bot_folder import LARGEST_BOT, MOST_BOTS, BotFolder, said_games
from papan.web.owner import FolderLock
from papan.web.settings import ServerSettings
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
def test_a_bad_name_is_refused_in_one_sentence(settings: ServerSettings, name: str) -> None:
    answer = keep(settings, name)
    assert (answer.status_code, answer.json()["key"]) == (422, "workshop.bad_name")
    assert not (settings.data / "bots").exists()


@pytest.mark.parametrize("name", ["../x.py", "a/x.py", "%2e%2e%2fx.py", "/etc/x.py"])
def test_no_name_leads_out_of_the_folder(settings: ServerSettings, name: str) -> None:
    assert keep(settings, name).status_code in (404, 405)
    assert [*settings.data.rglob("*.py")] == []


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
    settings: ServerSettings, change: dict[str, Any]
) -> None:
    order = {"run": "check", "name": "mybot.py", "source": GOOD} | change
    answer = ask("POST", RUNS, settings, json=order)
    assert answer.status_code in (404, 422) and answer.json()["message"]
    assert not [*settings.data.rglob("mybot*")]


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
    cup = {"game": "tictactoe", "agents": ["bot:arena.py", "bot:arena.c", "random"], "pairs": 1}
    made = httpx2.post(f"{address}/api/v1/tournaments", json=cup, headers=address.owner)
    place = f"{address}/api/v1/tournaments/{made.json()['id']}"
    wait_until(lambda: httpx2.get(place).json()["state"] in ("done", "failed"))
    report = httpx2.get(place).json()
    assert (report["state"], report["games"]) == ("done", 6), report["why"]
    assert [each["forfeits"] for each in report["contest"]["agents"]] == [{}, {}, {}]
    assert str(folder) not in json.dumps(report)
    httpx2.delete(place, headers=address.owner).raise_for_status()


@pytest.mark.thorough
def test_runs_leave_nothing_behind(shop: tuple[Address, Path]) -> None:
    events(shop[0], positions=5)
    runs = shop[1] / "bot-runs"
    wait_until(lambda: all(each.name.startswith("played-") for each in runs.iterdir()))
