"""A contest on the web: what its owner, a student and a stranger may ask, and what is refused."""

import asyncio
import io
import json
import re
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi.routing import APIRoute

from papan.contest.archive import write_archive
from papan.contest.folder import new_contest
from papan.web.hand_in import MOST_AT_ONCE
from tests.bubblewrap import sandbox_or_skip
from tests.waiting import until
from tests.web.asking import QUIET, TOKEN, alive, ask, bearing, client, made
from tests.web.server import Address, serving

pytestmark = pytest.mark.thorough

FIRST = b"def choose(position): return position.moves()[0]\n"
LAST = b"def choose(position): return position.moves()[-1]\n"
CAREFUL = b"""
def choose(position):
    def wins(place): return [each for each in place.moves() if place.child(each).result == "win"]
    safe = [each for each in position.moves() if not wins(position.child(each))]
    return (wins(position) or safe or position.moves())[0]
"""
MEEK = b"""
def choose(position):
    return min(position.moves(), key=lambda each: (position.child(each).result == "win", -each))
"""
"""Loses to the one above, so that a few games tell them apart."""
ILLEGAL = b"def choose(position): print('<b>hm</b>', flush=True); return 99\n"
NAME = "<script>alert(1)</script>"
STUDENTS = f'number,name\n1,Ani\n2,Budi\n3,"{NAME}"\n'


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Address]:
    """A server that may run the code of others."""
    sandbox_or_skip()
    with serving(data) as (address, _):
        yield address


@dataclass
class Cup:
    """A contest of a server, as its owner and its students ask for it."""

    server: Address
    id: str

    @property
    def address(self) -> str:
        return f"{self.server}/api/v1/class/{self.id}"

    def owner(self, method: str, path: str = "", **more: Any) -> httpx2.Response:
        return httpx2.request(method, self.address + path, headers=self.server.owner, **more)

    def page(self) -> dict[str, Any]:
        answer = self.owner("GET")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def code(self, number: str) -> str:
        links = self.owner("GET", "/links").json()
        return next(str(each["address"]) for each in links if each["number"] == number)[9:]

    def change(self, *changes: tuple[str, str]) -> httpx2.Response:
        """Change the text of the plan."""
        text = self.owner("GET", "/plan").json()["text"]
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        return self.owner("PUT", "/plan", content=text)

    def send(self, number: str, name: str, content: bytes) -> httpx2.Response:
        address = f"{self.server}/api/v1/hand-in"
        code = bearing(self.code(number))
        return httpx2.put(address, params={"name": name}, content=content, headers=code)

    def look(self, number: str) -> dict[str, Any]:
        address = f"{self.server}/api/v1/hand-in"
        found: dict[str, Any] = httpx2.get(address, headers=bearing(self.code(number))).json()
        return found

    def checked(self, number: str) -> dict[str, Any]:
        """What a student sees once their newest version is checked."""
        until(lambda: self.look(number)["submission"]["state"] != "checking")
        return self.look(number)


def new_cup(server: Address) -> Cup:
    """A contest of three students on a small board."""
    wanted = {"game": "tictactoe", "title": "Cup & <b>co</b>", "language": "en"}
    answer = httpx2.post(f"{server}/api/v1/class", json=wanted, headers=server.owner)
    assert answer.status_code == 201, answer.text
    found = Cup(server, answer.json()["id"])
    assert found.owner("PUT", "/students", content=STUDENTS).status_code == 200
    quick = (("opening = 4", "opening = 1"), ("pairs = 2", "pairs = 1"))
    fewer = (("positions = 30", "positions = 3"), ("\ngames = 3", "\ngames = 1"))
    fair = "seconds = 0.1", "seconds = 2"
    small = '["random", "level:1", "level:2", "level:3"]', '["random"]'
    grades = "vs_level_3 > 0.5", "score > 1"
    changes = (('vs_level_2 > 0.5"\n', 'score > 1"\n'), *quick, *fewer, fair, small, grades)
    assert found.change(*changes).status_code == 200
    return found


@pytest.fixture
def cup(server: Address) -> Iterator[Cup]:
    found = new_cup(server)
    yield found
    assert found.owner("DELETE").status_code == 204


def archive_of(files: dict[str, bytes]) -> bytes:
    """A ZIP file with these members, by name."""
    page = io.BytesIO()
    with zipfile.ZipFile(page, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return page.getvalue()


def test_k6_all_of_a_contest_but_the_students_page_is_its_owners_alone() -> None:
    routes = [route for route in made(QUIET)[1].routes if isinstance(route, APIRoute)]
    ours = [route for route in routes if route.path.startswith("/v1/class")]
    assert len(ours) > 10
    for route in ours:
        for method in route.methods or ():
            path = route.path.replace("{name}", "nobody")
            answer = ask(method, f"/api{path}", headers=bearing("stranger"))
            assert answer.status_code == 403, (method, path)
            assert answer.json()["key"] == "jobs.not_owner"


def test_k6_a_put_asks_who_sends_before_it_reads() -> None:
    """Its body may be large, so no route of a class lets FastAPI read it first."""
    routes = [route for route in made(QUIET)[1].routes if isinstance(route, APIRoute)]
    ours = ("/v1/class", "/v1/hand-in")
    putting = [
        each for each in routes if "PUT" in (each.methods or ()) and each.path.startswith(ours)
    ]
    assert len(putting) == 3
    assert not any(route.body_field for route in putting)


@pytest.mark.parametrize(
    "code", ["", "aaaa-bbbb-cccc-dddd", "\xe9", "x" * 5000, "../../links.json"]
)
def test_k6_a_wrong_link_gets_one_sentence(code: str) -> None:
    headers = [("authorization", f"Bearer {code}".encode("latin-1"))]
    for method in ("GET", "PUT"):
        answer = ask(method, "/api/v1/hand-in?name=a.py", headers=headers)
        assert (answer.status_code, answer.json()["key"]) == (404, "class.no_link")


def test_k6_the_first_ladder_on_the_web_from_the_plan_to_the_marks(cup: Cup, data: Path) -> None:
    assert cup.page()["state"] == "paused"
    assert cup.page()["title"] == "Cup & <b>co</b>"
    assert [each["submission"]["state"] for each in cup.page()["people"]] == ["nothing"] * 3
    assert cup.send("1", "Mein Bot.PY", CAREFUL).status_code == 201
    assert cup.send("2", "bot.zip", archive_of({"top/main.py": MEEK})).status_code == 201
    broken = b"# password-of-3\n" + ILLEGAL.replace(b"hm", b"output-of-3")
    assert cup.send("3", "b.py", broken).status_code == 201
    assert cup.checked("1")["submission"]["state"] == "plays"
    assert cup.checked("2")["submission"]["state"] == "plays"
    failed = cup.checked("3")["submission"]
    assert failed["state"] == "aside"
    assert failed["why"]["key"] == "match.not_legal" or "99" in json.dumps(failed["why"])
    assert failed["board"].startswith("<svg") and failed["position"].startswith("tictactoe")
    assert "<b>output-of-3</b>" in failed["output"]
    folder = data / "class" / cup.id
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700  # no other user's, yet its bots can play
    sent = sorted(each.name for each in (folder / "submissions").iterdir())
    assert sent == ["1.py", "2.zip", "3.py"]
    assert stat.S_IMODE((folder / "work" / "links.json").stat().st_mode) == 0o600
    assert cup.owner("GET", "/marks").json() == {"judged": False, "marks": [], "alike": []}
    assert cup.owner("GET", "/files/marks.csv").status_code == 404
    assert cup.owner("POST", "/go-on").status_code == 200
    until(lambda: cup.page()["state"] == "done")
    page = cup.page()
    assert {each["student"] for each in page["standings"]} == {"1", "2"}
    assert page["games"] >= 4
    assert page["judged"]
    games = cup.owner("GET", "/games").json()
    assert games["total"] == page["games"]
    assert {"Ani v1", "Budi v1"} <= {name for game in games["games"] for name in game["players"]}
    both = cup.owner("GET", "/games", params={"one": "1 v1", "other": "2 v1"}).json()
    assert both["total"] > 0
    marks = cup.owner("GET", "/marks").json()["marks"]
    assert [each["grade"] != "" for each in marks] == [True, True, False]
    rows = cup.owner("GET", "/files/marks.csv").text.splitlines()
    assert len(rows) == 4 and rows[1].startswith("1,Ani,1,")
    seen = cup.look("1")
    assert seen["place"]["rank"] in (1, 2)
    assert seen["games"] and {game["result"] for game in seen["games"]} <= {-1, 0, 1}
    # Of another a student sees but name, place and moves.
    own, seen_by_2 = json.dumps(cup.look("3")), json.dumps(cup.look("2"))
    assert "output-of-3" in own and "of-3" not in seen_by_2
    assert not any(cup.code(number) in seen_by_2 for number in "13")
    for word in ("grade", "accuracy", "house", "remark", "measures", "seed"):
        assert f'"{word}"' not in seen_by_2
    # A new version of one who was set aside: the contest goes on by itself.
    assert cup.send("3", "b.py", FIRST + b"# mine\n").status_code == 201
    until(lambda: len(cup.page()["standings"]) == 3)
    until(lambda: cup.page()["games"] > page["games"])
    assert cup.change(("minutes = 30", "minutes = 0.01")).status_code == 200  # that is enough
    until(lambda: cup.page()["state"] == "done")
    assert [each["number"] for each in cup.look("3")["versions"]] == [2, 1]
    export = zipfile.ZipFile(io.BytesIO(cup.owner("GET", "/files/everything.zip").content))
    names = set(export.namelist())
    assert {"plan.toml", "students.csv", "work/games.jsonl", "report/lecturer/marks.csv"} <= names
    assert "submissions/3.py" in names and "work/links.json" not in names


def test_k6_a_traceback_does_not_tell_where_the_server_keeps_its_data(cup: Cup, data: Path) -> None:
    cup.send("1", "a.py", b"def choose(position): return 1 / 0\n")
    seen = cup.checked("1")["submission"]
    assert "ZeroDivisionError" in seen["output"] and "1 / 0" in seen["output"]
    assert str(data) not in json.dumps(seen)


def test_k6_a_page_says_which_version_plays_on_while_the_newest_is_broken(cup: Cup) -> None:
    cup.send("1", "a.py", FIRST)
    assert cup.checked("1")["submission"]["plays_on"] is None
    cup.send("1", "a.c", b"int main(")
    seen = cup.checked("1")
    assert (seen["submission"]["state"], seen["submission"]["version"]) == ("aside", 2)
    assert seen["submission"]["plays_on"] == 1 and seen["place"]["player"] == "1 v1"
    left = seen["left_today"]
    cup.send("1", "a.py", FIRST)  # the same files as before
    seen = cup.checked("1")
    assert (seen["submission"]["state"], seen["submission"]["version"]) == ("plays", 1)
    assert seen["left_today"] == left and len(seen["versions"]) == 2


def test_k6_more_minutes_wake_a_contest_whose_minutes_were_over(cup: Cup) -> None:
    cup.send("1", "a.py", FIRST)
    cup.change(("pairs = 1", "pairs = 1000"), ("minutes = 30", "minutes = 0.01"))
    cup.owner("POST", "/go-on")
    until(lambda: cup.page()["state"] == "done")
    rest = cup.page()
    assert rest["time_over"]
    refused = cup.owner("POST", "/go-on")
    assert (refused.status_code, refused.json()["key"]) == (422, "class.state_over")
    assert cup.change(("minutes = 0.01", "minutes = 0.02")).json()["time_over"]  # too few
    assert cup.change(("minutes = 0.02", "minutes = 1")).json()["state"] != "done"
    until(lambda: cup.page()["games"] > rest["games"])
    cup.owner("POST", "/pause")


def test_k6_a_link_is_secret_and_can_be_replaced(cup: Cup) -> None:
    codes = {number: cup.code(number) for number in "123"}
    assert len(set(codes.values())) == 3
    assert all(re.fullmatch("[a-z2-7]{4}(-[a-z2-7]{4}){3}", code) for code in codes.values())
    renewed = cup.owner("POST", "/links", json={"number": "1"}).json()["address"]
    assert renewed == f"/hand-in#{cup.code('1')}" != f"/hand-in#{codes['1']}"
    hand_in = f"{cup.server}/api/v1/hand-in"
    assert httpx2.get(hand_in, headers=bearing(codes["1"])).status_code == 404
    assert httpx2.get(hand_in, headers=bearing(codes["2"])).json()["number"] == "2"
    assert cup.owner("POST", "/links", json={"number": "9"}).status_code == 404
    cup.owner("PUT", "/students", content="number,name\n2,Budi\n")  # 3 has left the course
    assert httpx2.get(hand_in, headers=bearing(codes["3"])).status_code == 404


def test_k6_the_sheet_has_every_link_and_escapes_every_name(cup: Cup) -> None:
    sheet = cup.owner("GET", "/sheet.html", params={"origin": "http://10.0.0.7:8321"})
    assert sheet.status_code == 200
    assert sheet.text.count("<svg") == 3
    for number in "123":
        assert f"http://10.0.0.7:8321/hand-in#{cup.code(number)}" in sheet.text
    assert NAME not in sheet.text and "&lt;script&gt;alert(1)" in sheet.text
    assert "Cup &amp; &lt;b&gt;co" in sheet.text
    for origin in ("javascript:alert(1)", "http://a/b", 'http://a"', "http://a b", ""):
        assert cup.owner("GET", "/sheet.html", params={"origin": origin}).status_code == 422


def test_k6_a_deadline_and_a_daily_number_are_kept(cup: Cup) -> None:
    cup.change(("submissions_a_day = 20", "submissions_a_day = 2"))
    assert cup.send("1", "a.py", FIRST).json()["left_today"] == 1
    assert cup.send("1", "a.py", FIRST).json()["left_today"] == 1  # the same again is free
    assert cup.send("1", "a.py", LAST).json()["left_today"] == 0
    third = cup.send("1", "a.py", FIRST + b"#")
    assert (third.status_code, third.json()["key"]) == (429, "contest.too_many_today")
    cup.change(('deadline = ""', 'deadline = "2020-01-01 12:00"'))
    late = cup.send("2", "a.py", FIRST)
    assert (late.status_code, late.json()["values"]["deadline"]) == (403, "2020-01-01 12:00")
    assert cup.look("2")["over"] and cup.look("2")["submission"]["state"] == "nothing"


def test_k6_a_student_is_taken_out_with_a_reason_and_back_in(cup: Cup) -> None:
    cup.send("1", "a.py", FIRST)
    cup.checked("1")
    why = 'the "same" file\nas 2'
    assert cup.owner("POST", "/disqualify", json={"number": "1", "why": why}).status_code == 200
    person = cup.page()["people"][0]
    assert person["disqualified"] == 'the "same" file as 2'
    assert person["submission"]["why"]["key"] == "contest.disqualified"
    refused = cup.send("1", "a.py", LAST)
    assert (refused.status_code, refused.json()["key"]) == (403, "contest.disqualified")
    assert cup.look("1")["disqualified"] == 'the "same" file as 2'
    text = cup.owner("GET", "/plan").json()["text"]
    assert text.count("# 13520001") == 1  # comments stay
    assert cup.owner("POST", "/disqualify", json={"number": "1"}).status_code == 200
    assert cup.page()["people"][0]["disqualified"] == ""
    assert cup.send("1", "a.py", LAST).status_code == 201
    assert cup.owner("POST", "/disqualify", json={"number": "9", "why": "x"}).status_code == 404


BOMB = archive_of({"main.py": b"0" * (9 << 20)})
MANY = archive_of({f"{n}.txt": b"" for n in range(300)})
Sent = tuple[str, bytes, int, str]
REFUSED: list[Sent] = [
    ("a.exe", FIRST, 422, "contest.unknown_suffix"),
    ("py", FIRST, 422, "contest.unknown_suffix"),
    ("a.py", b"", 422, "contest.empty"),
    ("a.zip", FIRST, 422, "contest.bad_archive"),
    ("a.zip", archive_of({"a.txt": b"x"}), 422, "contest.no_main"),
    ("a.zip", archive_of({"../../evil.py": FIRST}), 422, "contest.bad_member"),
    ("a.zip", archive_of({"/etc/evil.py": FIRST}), 422, "contest.bad_member"),
    ("a.zip", BOMB, 413, "contest.too_large"),
    ("a.zip", MANY, 422, "contest.too_many_files"),
    ("a.py", b"#" * ((1 << 20) + 1), 413, "web.too_large"),
]


def test_k6_what_cannot_be_used_is_refused_in_one_sentence(cup: Cup, data: Path) -> None:
    folder = data / "class" / cup.id
    answers = list[tuple[int, str]]()
    for place, (name, content, _, _) in enumerate(REFUSED):
        number = "123"[place % 3]  # nobody sends too many at once
        answer = cup.send(number, name, content)
        answers.append((answer.status_code, answer.json()["key"]))
        assert "\n" not in answer.json()["message"]
        assert str(data) not in answer.text
    assert answers == [(status, key) for _, _, status, key in REFUSED]
    assert not list((folder / "submissions").iterdir())
    assert not (folder / "work" / "versions").exists()
    assert not list(data.rglob("evil*"))


def test_k6_a_name_is_never_a_path_and_only_its_suffix_counts(cup: Cup, data: Path) -> None:
    folder = data / "class" / cup.id
    for name in ("../../../evil.py", "/etc/passwd.py", "a\x00b.py", f"{NAME}.py"):
        assert cup.send("1", name, FIRST).status_code == 201
    assert [each.name for each in (folder / "submissions").iterdir()] == ["1.py"]
    assert not list(data.rglob("evil*"))
    assert cup.send("1", "other.c", b"int main(void){return 0;}").status_code in (201, 429)


def test_k6_who_sends_too_many_at_once_waits(cup: Cup) -> None:
    statuses = [cup.send("1", "a.py", FIRST).status_code for _ in range(MOST_AT_ONCE + 1)]
    assert statuses == [201] * MOST_AT_ONCE + [429]
    assert cup.send("2", "a.py", FIRST).status_code == 201  # others are not held up


@pytest.mark.parametrize(
    ("path", "content", "key"),
    [
        ("/plan", "title = 3\ngame = 4", "contest.bad_key"),
        ("/plan", "not toml", "contest.bad_plan"),
        ("/plan", b"\xff", "contest.bad_plan"),
        ("/plan", 'title = "a"\ngame = "onet"', "contest.one_seat"),
        ("/plan", 'title = "a"\ngame = "dots"\nhouse.agents = ["bot:/etc/passwd"]', ""),
        ("/students", "1,a\n1,b\n", "contest.bad_list"),
        ("/students", "../x1,a\n", "contest.bad_list"),
        ("/students", "1\n", "contest.bad_list"),
        ("/students", b"\xff", "contest.bad_list"),
    ],
)
def test_k6_a_wrong_plan_or_list_is_refused_and_the_old_one_stays(
    cup: Cup, path: str, content: str | bytes, key: str
) -> None:
    before = cup.owner("GET", path).json()
    answer = cup.owner("PUT", path, content=content)
    assert answer.status_code == 422
    assert answer.json()["key"] == key or not key
    assert cup.owner("GET", path).json() == before


def test_k6_a_plan_that_was_broken_by_hand_is_named_and_can_be_mended(cup: Cup, data: Path) -> None:
    plan = data / "class" / cup.id / "plan.toml"
    whole = plan.read_text(encoding="utf-8")
    plan.write_text("title = ", encoding="utf-8")
    assert cup.page()["why"]["key"] == "contest.bad_plan"
    assert cup.owner("GET", "/plan").json()["text"] == "title = "
    assert cup.owner("PUT", "/plan", content=whole).status_code == 200
    assert cup.page()["why"] is None


def test_k6_a_folder_of_the_terminal_is_shown_and_only_what_is_papans_is_deleted(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "my cup"
    new_contest(folder, "tictactoe", "en")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    settings = replace(QUIET, data=tmp_path / "data", contests=(folder,))

    async def story() -> None:
        async with alive(settings) as app, client(app, token=TOKEN) as owner:
            for _ in range(2):  # shown once
                (found,) = (await owner.get("/api/v1/class")).json()
            assert (found["title"], found["folder"]) == ("my cup", str(folder))
            assert (await owner.delete(f"/api/v1/class/{found['id']}")).status_code == 204
            assert (await owner.get("/api/v1/class")).json() == []

    asyncio.run(story())
    assert [each.name for each in folder.iterdir()] == ["notes.txt"]


def test_k6_a_killed_server_goes_on_with_the_contest(tmp_path: Path) -> None:
    sandbox_or_skip()
    with serving(tmp_path) as (server, process):
        cup = new_cup(server)
        cup.send("1", "a.py", FIRST)
        cup.change(("pairs = 1", "pairs = 1000"))  # enough games
        code = cup.code("1")
        cup.owner("POST", "/go-on")
        until(lambda: cup.page()["games"] >= 3)
        process.kill()
        process.wait()
    journal = tmp_path / "class" / cup.id / "work" / "games.jsonl"
    kept = journal.read_bytes().count(b"\n")
    with serving(tmp_path) as (server, _):
        cup = Cup(server, cup.id)
        until(lambda: cup.page()["games"] > kept)
        assert cup.code("1") == code  # printed links stay valid
        assert cup.owner("POST", "/pause").json()["state"] == "paused"
        until(lambda: cup.page()["state"] == "paused")


def test_z24_no_link_of_a_contest_leads_into_its_archive(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key").write_text("precious")
    cup = tmp_path / "cup"
    (cup / "submissions").mkdir(parents=True)
    (cup / "submissions" / "mine.py").write_text("")
    (cup / "submissions" / "theirs.py").symlink_to(secret / "key")
    (cup / "submissions" / "more").symlink_to(secret)
    (cup / "report").symlink_to(secret)
    write_archive(cup, tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as archive:
        assert archive.namelist() == ["submissions/mine.py"]
