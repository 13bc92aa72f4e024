"""The server as a whole: what it answers, and how it stops."""

import json
import re
import shutil
import signal
import socket
from pathlib import Path

import httpx2
import pytest

from papan import catalog
from papan.core.message import LANGUAGES, catalogue
from papan.core.parts import Drawing
from papan.games.tictactoe import drawing
from papan.web import app as web_app
from papan.web.app import CACHED
from papan.web.network import host_names
from tests.cli.conftest import Papan
from tests.waiting import LONGEST_WAIT, until
from tests.web.asking import ask
from tests.web.server import serving

pytestmark = pytest.mark.thorough


def test_r02_health_tells_the_searches_and_the_workers_that_are_alive(server: str) -> None:
    def health() -> dict[str, object]:
        answer: dict[str, object] = httpx2.get(
            f"{server}/api/v1/health", timeout=LONGEST_WAIT
        ).json()
        assert (answer["status"] == "ok") == bool(answer["workers"])
        return answer

    until(lambda: health()["workers"])
    assert health()["searches"] == 0


def test_every_game_is_offered_with_its_options() -> None:
    games = ask("GET", "/api/v1/games").json()
    assert [game["name"] for game in games] == list(catalog.GAMES)
    assert [option["name"] for option in games[0]["options"]] == ["rows", "columns", "connect"]


def test_only_agents_that_can_play_a_game_are_offered() -> None:
    names = {agent["name"] for agent in ask("GET", "/api/v1/agents?game=connect4").json()}
    assert "priority" in names
    assert not names & {"human", "chains"}


def test_the_settings_of_agents_have_the_bounds_that_the_agents_demand() -> None:
    agents = ask("GET", "/api/v1/agents?game=dots").json()
    bounds = {
        (agent["name"], each["name"]): (each["least"], each["most"])
        for agent in agents
        for each in agent["settings"]
    }
    assert bounds["genetic", "swap"] == (0, 1)
    assert bounds["alphabeta", "depth"][0] == 0
    assert bounds["alphabeta", "ordering"] == (None, None)
    for (agent, setting), (least, _) in bounds.items():
        assert catalog.agent(agent if least is None else f"{agent}:{setting}={least:g}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_are_those_of_the_catalogue(language: str) -> None:
    assert ask("GET", f"/api/v1/texts/{language}").json() == catalogue(language)


@pytest.mark.parametrize("taken", ["gzip", "identity"])
def test_a_page_that_has_all_texts_gets_none_again(taken: str) -> None:
    first = ask("GET", "/api/v1/texts/id", headers={"accept-encoding": taken})
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["vary"] == "Accept-Encoding"
    assert ("content-encoding" in first.headers) == (taken == "gzip")
    mark = first.headers["etag"]
    for language, status in (("id", 304), ("en", 200)):
        again = ask("GET", f"/api/v1/texts/{language}", headers={"if-none-match": mark})
        assert (again.status_code, bool(again.content)) == (status, status == 200)


def test_there_is_no_third_language() -> None:
    assert ask("GET", "/api/v1/texts/../en").status_code == 404


@pytest.mark.parametrize("name", catalog.GAMES)
def test_a_board_has_a_picture_and_all_its_moves(name: str) -> None:
    board = ask("POST", "/api/v1/board", json={"start": name}).json()
    start = catalog.position(name)
    assert board["svg"].startswith("<svg")
    assert [choice["m"] for choice in board["legal"]] == [
        start.game.move_name(move) for move in start.moves()
    ]
    if type(Drawing.of(start)).highlight is not Drawing.highlight:
        assert all(choice["svg"] and choice["at"] for choice in board["legal"])
    assert set(board["spots"]) == set(Drawing.of(start).spots())


def test_a_board_knows_who_made_each_move_and_who_won() -> None:
    body = {"start": "dots:1,1", "moves": "a1b1 a1a2 a2b2 b1b2"}
    board = ask("POST", "/api/v1/board", json=body).json()
    assert board["turns"] == [0, 1, 0, 1]
    assert (board["scores"], board["end"], board["winner"]) == ([0, 1], "win", 1)
    assert 'class="box second"' in board["svg"]


def test_an_illegal_move_is_told_in_the_words_of_the_game() -> None:
    body = {"start": "connect4", "moves": "1111111"}
    assert ask("POST", "/api/v1/board", json=body).json()["key"] == "connect4.column_full"


def test_a_crash_in_the_code_of_a_game_names_its_file_and_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = Path(drawing.__file__).read_text(encoding="utf-8").splitlines()
    number = next(n for n, text in enumerate(source, 1) if 'COLOURS["gold-edge"]' in text)
    monkeypatch.setattr(drawing, "COLOURS", {})
    won = {"start": "tictactoe:4,3,3", "moves": "a1 a2 b1 b2 c1"}
    answer = ask("POST", "/api/v1/board", json=won)
    assert answer.status_code == 500
    assert answer.json()["message"] == f"tictactoe/drawing.py, line {number}: KeyError: 'gold-edge'"


def test_the_same_seed_deals_the_same_board() -> None:
    order = {"game": "onet", "seed": 7}
    dealt = ask("POST", "/api/v1/deal", json=order).json()
    assert dealt["start"] == "onet:6,12,seed=7"
    assert dealt["board"]["position"] == str(catalog.position("onet:6,12,seed=7"))


def test_a_shuffled_board_has_the_same_tiles_and_a_move() -> None:
    order = {"start": "onet:4,4,seed=3", "seed": 5}
    start = ask("POST", "/api/v1/shuffle", json=order).json()["start"]
    before, after = catalog.position("onet:4,4,seed=3"), catalog.position(start)
    assert sorted(str(before).replace("/", ",").split(",")) != []
    assert after.moves()
    assert ask("POST", "/api/v1/shuffle", json={"start": "dots", "seed": 1}).status_code == 422


def test_a_saved_game_is_replayed() -> None:
    record = {
        "game": "tictactoe:3,3,3",
        "start": "tictactoe:3,3,3 .../.../... x",
        "agents": ["human", "level:3"],
        "moves": "b2 a1",
        "scores": [0, 0],
        "end": "open",
    }
    found = ask("POST", "/api/v1/record", json={"record": json.dumps(record)}).json()
    assert (found["moves"], found["agents"]) == ("b2 a1", ["human", "level:3"])


def test_openapi_describes_every_route_and_no_page_loads_it_from_elsewhere() -> None:
    schema = ask("GET", "/api/openapi.json").json()
    assert "/v1/think" in schema["paths"]
    assert "503" in schema["paths"]["/v1/think"]["post"]["responses"]
    assert ask("GET", "/api/docs").status_code == 404


@pytest.mark.parametrize(
    ("path", "kind", "where"),
    [
        ("tournaments/nobody", "no tournament 'nobody'", "/arena"),
        ("puzzles/0123456789", "no puzzle '0123456789'", "/puzzles"),
        ("rooms/aaaa-aaaa-aaaa-aaaa", "such room", "deleted"),
        ("texts/xx", "no language 'xx'", "en, id"),
        ("nothing", "nothing at this address", "/api/openapi.json"),
    ],
)
def test_what_is_not_there_is_named_with_its_kind_and_where_to_look(
    path: str, kind: str, where: str
) -> None:
    answer = ask("GET", f"/api/v1/{path}")
    assert answer.status_code == 404
    assert kind in answer.json()["message"]
    assert where in answer.json()["message"]


def test_a_wrong_method_is_told_which_ones_are_right() -> None:
    answer = ask("GET", "/api/v1/board")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_an_unknown_page_is_404_and_a_page_all_the_same() -> None:
    answer = ask("GET", "/nowhere")
    assert answer.status_code == 404
    assert "<main" in answer.text


def test_files_outside_the_pages_are_out_of_reach() -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py"):
        assert "import" not in ask("GET", path).text


def test_a_browser_keeps_the_files_of_one_version_and_asks_for_those_of_another() -> None:
    named = re.findall(r'"(/static/[^"]+)"', ask("GET", "/").text)
    assert len(named) > 3
    for path in named:
        _, _, version, rest = path.split("/", 3)
        kept = ask("GET", path)
        assert (kept.status_code, kept.headers["cache-control"]) == (200, CACHED["cache-control"])
        fresh = ask("GET", f"/static/{rest}")
        assert (fresh.text, fresh.headers["cache-control"]) == (kept.text, "no-cache")
        assert ask("GET", f"/static/x{version}/{rest}").status_code == 404


def test_the_version_changes_with_any_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "static"
    shutil.copytree(web_app.STATIC, copy)
    before = web_app.files_version()
    monkeypatch.setattr(web_app, "STATIC", copy)
    assert web_app.files_version() == before
    script = copy / "js" / "language.js"
    script.write_text(script.read_text(encoding="utf-8") + "//", encoding="utf-8")
    assert web_app.files_version() != before


def test_thinking_is_a_stream_of_json_lines(server: str) -> None:
    body = {"start": "tictactoe", "moves": "b2", "agent": "alphabeta", "seconds": 20}
    with httpx2.stream("POST", f"{server}/api/v1/think", json=body) as answer:
        assert answer.headers["content-type"].startswith("application/jsonl")
        kinds = [json.loads(line)["t"] for line in answer.iter_lines()]
    assert kinds[0] == "search"
    assert kinds[-1] == "analysis"


def test_s18_a_server_that_is_told_to_stop_ends_its_searches_and_itself_and_its_log_names_nobody(
    tmp_path: Path,
) -> None:
    said = tmp_path / "errors.txt"
    with (
        said.open("w") as errors,
        serving(tmp_path, warm=True, errors=errors, options=("--log",)) as (address, process),
    ):
        board = {"start": "connect4", "moves": "4 4"}
        httpx2.post(f"{address}/api/v1/board", json=board).raise_for_status()
        httpx2.get(f"{address}/play/connect4?moves=123").raise_for_status()
        body = {"start": "connect4:7,10", "agent": "alphabeta", "seconds": 50}
        with httpx2.stream("POST", f"{address}/api/v1/think", json=body) as answer:
            events = answer.iter_lines()
            next(events)
            process.send_signal(signal.SIGTERM)
            assert json.loads([*events][-1])["t"] in ("analysis", "error")
            assert process.wait(LONGEST_WAIT) in (0, -signal.SIGTERM)
    written = said.read_text()
    assert "Traceback" not in written  # T09
    lines = [line for line in written.splitlines() if line.startswith("{")]
    answers = [json.loads(line) for line in lines]
    assert [(each["kind"], each["status"]) for each in answers] == [
        ("/api/v1/board", 200),
        ("/play", 200),
        ("/api/v1/think", 200),
    ]
    assert not any(secret in line for line in lines for secret in ("127.0.0.1", "connect4", "123"))


def test_a_port_that_is_taken_is_one_clear_line(papan: Papan) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = papan("serve", "--no-browser", "--port", str(port))
    assert done.code == 2
    assert done.err == f"Port {port} on 127.0.0.1 is taken; choose another one with --port.\n"


@pytest.mark.parametrize("body", [{"start": ""}, {}])
def test_u15_what_is_missing_is_said_in_our_own_words(body: dict[str, str]) -> None:
    answer = ask("POST", "/api/v1/board", json=body)
    assert (answer.status_code, answer.json()["message"]) == (422, "start is missing.")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"start": "garbage"}, "There is no game 'garbage'. A game or a position begins with one "),
        ({"start": "conect4"}, "There is no game 'conect4'; did you mean 'connect4'? Games: adj"),
        ({"start": "dots", "agents": ["nobody"]}, "There is no agent 'nobody'. Agents: alphabeta,"),
        ({"start": "dots", "agents": ["openings"]}, "The agent openings cannot play dots"),
    ],
)
def test_u15_what_is_not_there_is_named_with_what_is(body: dict[str, str], message: str) -> None:
    answer = ask("POST", "/api/v1/board", json=body)
    assert answer.status_code == 422
    assert answer.json()["message"].startswith(message)


@pytest.mark.parametrize(
    ("kind", "body", "status", "message"),
    [
        ("application/json", '{"start": x}', 400, "The body is not JSON: Expecting value (at ch"),
        ("text/plain", '{"start": "dots"}', 422, "Send the body as JSON, with the header Conte"),
        ("application/json", '"dots"', 422, "Invalid body: "),
    ],
)
def test_t18_a_body_that_cannot_be_read_is_told_why(
    kind: str, body: str, status: int, message: str
) -> None:
    answer = ask("POST", "/api/v1/board", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert answer.json()["message"].startswith(message)


def test_a_game_that_a_bot_has_played_can_be_looked_at() -> None:
    played = {"start": "tictactoe", "moves": "b2", "agents": ["bot:mybot.py", "random"]}
    assert ask("POST", "/api/v1/board", json=played).status_code == 200


def test_a_server_for_the_network_answers_under_the_names_of_its_machine() -> None:
    known = host_names("0.0.0.0")
    assert {"localhost", "0.0.0.0", socket.gethostname().lower()} <= set(known)


@pytest.mark.parametrize(
    "order",
    [
        {"agent": "mcts:iterations=999999999999999999"},
        {"agent": "alphabeta:depth=999999999999999999"},
        {"agent": "solver:threads=100000"},
        {"agent": "solver:memory=99999999999"},
        {"nodes": 99999999999999999999999},
        {"seconds": 1e300},
        {"seconds": -1},
    ],
    ids=str,
)
def test_c09_numbers_out_of_bounds_are_refused(order: dict[str, object]) -> None:
    answer = ask("POST", "/api/v1/think", json={"start": "tictactoe", **order})
    assert 400 <= answer.status_code < 500
    assert " must be " in answer.json()["message"] or " should be " in answer.json()["message"]
    assert "/" not in answer.json()["message"], "no path of the machine"
