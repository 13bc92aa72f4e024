"""What students hand in: nothing is unconfined, and what is broken stops nobody else."""

import errno
import json
import os
import shutil
import stat
from dataclasses import replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from time import time
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from papan.contest import submissions
from papan.contest.checks import Check, check_of
from papan.contest.plan import BotBudget, ContestPlan
from papan.contest.students import MOST_STUDENTS, Student, parse_students, read_students
from papan.contest.submissions import (
    MOST_BYTES,
    MOST_FILES,
    Contents,
    SubmissionError,
    hand_in,
    handed_in,
    keep_version,
    leads_inside,
    left_today,
    main_file,
    read_submission,
    take_submission,
    versions_of,
)
from papan.core import PapanError
from papan.lab.referee import LONGEST_OUTPUT

CHOOSE = b"def choose(position): return position.moves()[0]\n"
PLAN = ContestPlan("Cup", "tictactoe")


LONG_LINE = "2," + "a" * 200_000


def archive(
    path: Path, members: dict[str, bytes], kind: int = 0, packed: int = ZIP_DEFLATED
) -> Path:
    with ZipFile(path, "w", packed) as file:
        for name, data in members.items():
            member = ZipInfo(name)
            member.compress_type = packed
            member.external_attr = kind << 16
            file.writestr(member, data)
    return path


def test_a_list_of_students_may_come_from_any_spreadsheet(tmp_path: Path) -> None:
    for text in (
        "number,name\n101,Ani\n\n102, Budi \n",
        "\ufeffNIM;Nama\n101;Ani\n102;Budi;3\n",
        "101,Ani\r\n102,Budi\r\n",
        "NIM\tNama\n101\tAni\n102\tBudi\tA\n",
        "number,name\n101\tAni\n102\tBudi\n",
    ):
        (tmp_path / "students.csv").write_text(text, encoding="utf-8")
        found = [(each.number, each.name) for each in read_students(tmp_path)]
        assert found == [("101", "Ani"), ("102", "Budi")]


def test_a_contest_without_a_list_says_where_it_belongs(tmp_path: Path) -> None:
    with pytest.raises(PapanError) as caught:
        read_students(tmp_path)
    assert "students.csv" in str(caught.value) and "No such file" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["1,a\n1,b", "1,a\n../2,b", "1,a\na/b,c", "1,a\n.1,x", "1,a\n2 3,x", "1,a\n2", "1,a\n2, "],
)
def test_a_line_without_a_name_or_a_number_for_one_file_is_refused(
    tmp_path: Path, text: str
) -> None:
    (tmp_path / "students.csv").write_text(text, encoding="utf-8")
    with pytest.raises(PapanError, match="Line 2"):
        read_students(tmp_path)


def test_a_file_an_archive_and_a_folder_are_read_alike(tmp_path: Path) -> None:
    (tmp_path / "1.py").write_bytes(CHOOSE)
    assert read_submission(tmp_path / "1.py") == {"1.py": CHOOSE}
    files = {"top/main.py": CHOOSE, "top/lib/x.py": b"", "top/__pycache__/y.pyc": b"z"}
    found = {"main.py": CHOOSE, "lib/x.py": b""}
    assert read_submission(archive(tmp_path / "1.zip", files)) == found
    (tmp_path / "2" / "lib").mkdir(parents=True)
    (tmp_path / "2" / "main.py").write_bytes(CHOOSE)
    (tmp_path / "2" / "lib" / "x.py").write_bytes(b"")
    assert read_submission(tmp_path / "2") == found


@pytest.mark.parametrize(
    ("members", "kind", "why"),
    [
        ({"../main.py": CHOOSE}, 0, "no plain file"),
        ({"/main.py": CHOOSE}, 0, "no plain file"),
        ({"a/../../main.py": CHOOSE}, 0, "no plain file"),
        ({"a\\main.py": CHOOSE}, 0, "no plain file"),
        ({".": CHOOSE}, 0, "no plain file"),
        ({"main.py": b"/etc/passwd"}, stat.S_IFLNK, "no plain file"),
        ({"main.py": b""}, stat.S_IFIFO, "no plain file"),
        ({"main.py": bytes(MOST_BYTES + 1)}, 0, "larger than 8 MB"),
        ({f"{n}.py": bytes(MOST_BYTES // 4) for n in range(5)}, 0, "larger than 8 MB"),
        ({f"{n}.py": b"" for n in range(MOST_FILES + 1)}, 0, "more than 200 files"),
        ({}, 0, "empty"),
    ],
)
def test_hostile_archives_are_refused_before_anything_is_written(
    tmp_path: Path, members: dict[str, bytes], kind: int, why: str
) -> None:
    path = archive(tmp_path / "1.zip", members, kind)
    with pytest.raises(SubmissionError, match=why):
        take_submission(tmp_path, PLAN, "1", path)
    assert not (tmp_path / "work").exists()


def test_a_doubled_slash_in_an_archive_leads_nowhere_else(tmp_path: Path) -> None:
    """Without its top folder, ``top//x`` was the path ``/x`` of the whole disk."""
    victim = tmp_path / "victim"
    members = {"top/main.py": CHOOSE, f"top/{victim}": b"overwritten"}
    version = keep_version(tmp_path, "1", read_submission(archive(tmp_path / "1.zip", members)))
    assert not victim.exists()
    assert (version.folder / victim.relative_to("/")).read_bytes() == b"overwritten"
    with pytest.raises(SubmissionError, match="no plain file"):
        keep_version(tmp_path, "2", {"main.py": CHOOSE, str(victim): b""})
    assert not victim.exists()


def test_k6_what_is_wrong_in_a_pasted_list_is_said_without_a_file() -> None:
    with pytest.raises(PapanError) as caught:
        parse_students(b"1\tAni\n2\n")
    assert str(caught.value).startswith("Line 2 of the list cannot be used (2): each line is")
    assert "',', ';' or a tab" in str(caught.value)


@pytest.mark.parametrize("line", [LONG_LINE, '2,"b'])
def test_a_list_of_students_that_is_no_table_is_refused_with_its_line(
    tmp_path: Path, line: str
) -> None:
    """A name of 200,000 letters was a traceback; an open quotation mark hid all later students."""
    (tmp_path / "students.csv").write_text(f"1,a\n{line}", encoding="utf-8")
    with pytest.raises(PapanError, match="Line 2"):
        read_students(tmp_path)


def test_folders_in_folders_without_end_refuse_one_submission_only(tmp_path: Path) -> None:
    deep = "a/" * 1500 + "b"
    path = archive(tmp_path / "1.zip", {"main.py": CHOOSE, deep: b""})
    with pytest.raises(SubmissionError, match="no plain file"):
        take_submission(tmp_path, PLAN, "1", path)
    with pytest.raises(SubmissionError, match="no plain file"):
        keep_version(tmp_path, "1", {"main.py": CHOOSE, deep: b""})
    assert versions_of(tmp_path, "1") == []


def test_nobody_hands_in_the_program_that_papan_compiles(tmp_path: Path) -> None:
    """It was run in the place of the source, which is what a lecturer reads and compares."""
    for name in ("compiled", "compiled/x"):
        with pytest.raises(SubmissionError, match="no plain file"):
            keep_version(tmp_path, "1", {"main.c": b"", name: b""})
    path = archive(tmp_path / "2.zip", {"compiled/main.c": b"", "compiled/a.h": b""})
    assert take_submission(tmp_path, PLAN, "2", path).main == "main.c"


@pytest.mark.parametrize("place", ["link.py", "lib/link.py", "lib", "pipe"])
def test_a_link_or_a_pipe_inside_a_kept_version_is_refused(tmp_path: Path, place: str) -> None:
    elsewhere, contest = tmp_path / "elsewhere", tmp_path / "contest"
    elsewhere.mkdir()
    (elsewhere / "secret.py").write_bytes(b"password")
    version = keep_version(contest, "1", {"main.py": CHOOSE})
    path = version.folder / place
    path.parent.mkdir(exist_ok=True)
    if place == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(elsewhere if place == "lib" else elsewhere / "secret.py")
    with pytest.raises(PapanError, match=path.name):
        versions_of(contest, "1")
    with pytest.raises(PapanError, match=path.name):
        keep_version(contest, "1", {"main.py": CHOOSE})
    if path.suffix:
        with pytest.raises(PapanError, match=path.name):
            version.source()


@pytest.mark.parametrize("place", ["work", "work/versions", "work/versions/1"])
def test_versions_are_never_kept_through_a_link(tmp_path: Path, place: str) -> None:
    elsewhere, contest = tmp_path / "elsewhere", tmp_path / "contest"
    elsewhere.mkdir()
    (contest / place).parent.mkdir(parents=True)
    (contest / place).symlink_to(elsewhere)
    with pytest.raises(PapanError, match="link"):
        keep_version(contest, "1", {"main.py": CHOOSE})
    assert not list(elsewhere.iterdir())


def test_a_bomb_in_an_archive_costs_no_more_than_the_limit(tmp_path: Path) -> None:
    """The directory lies: it says one byte where sixty-seven million are packed."""
    path = archive(tmp_path / "1.zip", {"main.py": bytes(64 << 20)})
    data = path.read_bytes()
    place = data.index(b"PK\x01\x02")
    lied = data[: place + 24] + (1).to_bytes(4, "little") + data[place + 28 :]
    for content in (data, lied):
        path.write_bytes(content)
        with pytest.raises(SubmissionError):
            read_submission(path)


def test_an_archive_that_is_none_or_is_packed_otherwise_is_refused(tmp_path: Path) -> None:
    (tmp_path / "1.zip").write_bytes(b"PK\x03\x04 no")
    with pytest.raises(SubmissionError, match="ordinary ZIP"):
        read_submission(tmp_path / "1.zip")
    with pytest.raises(SubmissionError, match="ordinary ZIP"):
        read_submission(archive(tmp_path / "2.zip", {"main.py": CHOOSE}, packed=ZIP_BZIP2))


def test_a_member_without_a_name_refuses_one_submission_only(tmp_path: Path) -> None:
    """Python's reader, before 3.14, fails with an IndexError, which ended a whole contest."""
    path = archive(tmp_path / "1.zip", {"main.py": CHOOSE, "x": b""})
    data = bytearray(path.read_bytes())
    listed = data.rindex(b"PK\x01\x02")  # the name has one byte: now it is the extra field
    data[listed + 28 : listed + 32] = bytes((0, 0, 1, 0))
    path.write_bytes(data)
    with pytest.raises(SubmissionError, match=r"ordinary ZIP|no plain file"):
        take_submission(tmp_path, PLAN, "1", path)


def test_links_and_pipes_in_the_place_of_submissions_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(CHOOSE)
    (tmp_path / "1.py").symlink_to(secret)
    (tmp_path / "2").mkdir()
    (tmp_path / "2" / "main.py").symlink_to(secret)
    os.mkfifo(tmp_path / "3.py")
    for name in ("1.py", "2", "3.py"):
        with pytest.raises(SubmissionError):
            read_submission(tmp_path / name)


@pytest.mark.parametrize(
    ("names", "main"),
    [
        (["main.py", "other.py"], "main.py"),
        (["Main.java", "Board.java"], "Main.java"),
        (["bot.c", "bot.h"], "bot.c"),
        (["lib/main.py", "only.js"], "only.js"),
    ],
)
def test_the_file_that_is_run_is_main_or_the_only_one(names: list[str], main: str) -> None:
    assert main_file(dict.fromkeys(names, b"")) == main
    with pytest.raises(SubmissionError, match=r"main\.py, main\.c"):
        main_file({"a.py": b"", "b.py": b"", "lib/main.py": b""})


def test_versions_are_kept_and_the_same_files_are_no_new_one(tmp_path: Path) -> None:
    first = keep_version(tmp_path, "1", {"main.py": CHOOSE})
    assert keep_version(tmp_path, "1", {"main.py": CHOOSE}) == first
    second = keep_version(tmp_path, "1", {"main.py": CHOOSE + b"#"})
    assert (first.player, second.player) == ("1 v1", "1 v2")
    assert versions_of(tmp_path, "1") == [first, second]
    assert second.source() == CHOOSE.decode() + "#"


def test_only_what_has_changed_is_unpacked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever hands in has the server look at all of the class, whose archives may be bombs."""
    reads, walks = list[str](), list[str]()

    def read(path: Path) -> Contents:
        reads.append(path.name)
        return read_submission(path)

    def main(place: Path, state: object) -> str:
        walks.append(place.parent.name)
        return walk(place, state)

    walk = submissions._main_in.__wrapped__
    monkeypatch.setattr(submissions, "read_submission", read)
    monkeypatch.setattr(submissions, "_main_in", lru_cache(main))
    good, bad = archive(tmp_path / "1.zip", {"main.py": CHOOSE}), tmp_path / "2.zip"
    bad.write_bytes(b"no archive")
    for _ in range(4):
        version = take_submission(tmp_path, PLAN, "1", good)
        with pytest.raises(SubmissionError, match="ordinary ZIP"):
            take_submission(tmp_path, PLAN, "2", bad)
    assert reads == ["1.zip", "2.zip", "1.zip"]  # again once its versions are there
    assert walks == ["1"]
    shutil.rmtree(version.folder)
    assert take_submission(tmp_path, PLAN, "1", good).folder.exists()
    archive(good, {"main.py": CHOOSE + b"#"})
    assert take_submission(tmp_path, PLAN, "1", good).number == 2


def test_late_and_disqualified_submissions_are_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "1.py"
    path.write_bytes(CHOOSE)
    with pytest.raises(SubmissionError, match="after the deadline"):
        take_submission(
            tmp_path, ContestPlan("Cup", "tictactoe", deadline="2001-01-01 12:00"), "1", path
        )
    with pytest.raises(SubmissionError, match="Disqualified: a copy"):
        take_submission(
            tmp_path, ContestPlan("Cup", "tictactoe", disqualified={"1": "a copy"}), "1", path
        )


def test_the_newest_file_of_a_student_counts_and_strangers_are_named(tmp_path: Path) -> None:
    place = tmp_path / "submissions"
    place.mkdir()
    for name, moment in (("1.py", 100), ("1.zip", 200), ("9.py", 1), (".hidden", 1)):
        (place / name).write_bytes(CHOOSE)
        os.utime(place / name, (moment, moment))
    latest, strange = handed_in(tmp_path, [Student("1", "Ani")])
    assert latest == {"1": place / "1.zip"}
    assert strange == ["9.py"]
    assert handed_in(tmp_path / "nowhere", []) == ({}, [])


def test_the_agent_of_a_version_is_confined_unless_it_is_trusted(tmp_path: Path) -> None:
    version = keep_version(tmp_path, "1", {"main.py": CHOOSE})
    assert version.spec(PLAN).endswith(",confined=folder,unaided=true")
    assert "confined" not in version.spec(PLAN, unconfined=True)
    other = keep_version(tmp_path, "2", {"Main.java": b""})
    assert "memory=512" in other.spec(PLAN) and "-Xmx384m" in other.spec(PLAN)


def test_y7_two_hundred_files_are_taken_and_one_more_is_not(tmp_path: Path) -> None:
    names = [f"{n:03}.h" for n in range(MOST_FILES - 1)]
    files = {"main.c": CHOOSE, **dict.fromkeys(names, b"")}
    (tmp_path / "2").mkdir()
    for name, data in files.items():
        (tmp_path / "2" / name).write_bytes(data)
    assert len(read_submission(archive(tmp_path / "1.zip", files))) == MOST_FILES
    assert len(read_submission(tmp_path / "2")) == MOST_FILES
    (tmp_path / "2" / "more.h").touch()
    for path in (tmp_path / "2", archive(tmp_path / "1.zip", files | {"more.h": b""})):
        with pytest.raises(SubmissionError, match="more than 200 files"):
            read_submission(path)


def test_what_systems_add_by_themselves_does_not_count_as_files(tmp_path: Path) -> None:
    """A Mac's archive has a twin of every file: with 150 of them it was refused."""
    names = [f"top/{n:03}.h" for n in range(MOST_FILES - 1)]
    files = {"top/main.c": CHOOSE, **dict.fromkeys(names, b"")}
    twins = {f"__MACOSX/{name}": b"x" for name in files} | {"top/.git/objects/aa": b"x"}
    folders = {f"top/{n}/": b"" for n in range(9)}
    read = read_submission(archive(tmp_path / "1.zip", twins | folders | files))
    assert len(read) == MOST_FILES
    for name, data in (twins | files).items():
        path = tmp_path / "2" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert read_submission(tmp_path / "2") == read


def test_what_is_not_counted_is_bounded_too(tmp_path: Path) -> None:
    ignored = {f"__MACOSX/{n}": b"" for n in range(20 * MOST_FILES)}
    with pytest.raises(SubmissionError, match="more than 200 files"):
        read_submission(archive(tmp_path / "1.zip", ignored | {"main.py": CHOOSE}))


def test_y7_a_folder_may_be_as_large_as_an_archive_unpacked(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "main.py").write_bytes(bytes(MOST_BYTES - 1))
    (tmp_path / "1" / "x").write_bytes(b"x")
    assert sum(map(len, read_submission(tmp_path / "1").values())) == MOST_BYTES
    (tmp_path / "1" / "y").write_bytes(b"y")
    with pytest.raises(SubmissionError, match="larger than 8 MB"):
        read_submission(tmp_path / "1")


def test_y7_a_class_has_two_thousand_students_and_no_more() -> None:
    text = "".join(f"{n},x\n" for n in range(MOST_STUDENTS))
    assert len(parse_students(text.encode())) == MOST_STUDENTS
    with pytest.raises(PapanError, match=f"Line {MOST_STUDENTS + 1} "):
        parse_students(f"{text}last,x".encode())
    assert len(parse_students(b"\n" * 9_999 + b"1,Ani")) == 1
    with pytest.raises(PapanError, match="Line 10001 "):
        parse_students(b"\n" * 10_000 + b"1,Ani")


def test_y7_headings_are_the_first_line_alone_and_names_are_cut() -> None:
    students = parse_students(f"nim,nama\n1,{'a' * 81}\nx,Budi \t B\n".encode())
    assert [(each.number, each.name) for each in students] == [("1", "a" * 80), ("x", "Budi B")]
    assert [each.number for each in parse_students(b"x1,Ani\n")] == ["x1"]  # has a digit
    numbers = ("a" * 40, "a" * 41)
    assert parse_students(f"1,a\n{numbers[0]},x".encode())[1].number == numbers[0]
    with pytest.raises(PapanError, match="Line 2"):
        parse_students(f"1,a\n{numbers[1]},x".encode())


def test_y7_a_path_leads_inside_if_it_is_relative_and_not_too_deep() -> None:
    inside = ("a", "a/b", "a/" * 19 + "b")
    outside = ("", "/a", "..", "a/../b", "a/" * 20 + "b")
    assert all(leads_inside(PurePosixPath(each)) for each in inside)
    assert not any(leads_inside(PurePosixPath(each)) for each in outside)


def test_y7_a_check_is_read_as_it_was_written() -> None:
    error = SubmissionError("contest.late", deadline="x")
    failed = Check("1", 2, error, "tictactoe", "o" * (LONGEST_OUTPUT + 5) + "end", 0.25, 1 << 20)
    again = check_of(json.loads(json.dumps(failed.json())))
    assert str(again.error) == str(error) and not again.fine
    assert again.output == failed.output[-LONGEST_OUTPUT:]
    assert replace(again, error=None, output="") == replace(failed, error=None, output="")
    fine = Check("1", 2, seconds=0.1234564, memory=5)
    assert check_of(fine.json()) == replace(fine, seconds=0.123456) and fine.fine


def test_y7_versions_of_today_count_against_the_daily_number(tmp_path: Path) -> None:
    versions = [keep_version(tmp_path, "1", {"main.py": CHOOSE + bytes(n)}) for n in range(3)]
    plan = ContestPlan("Cup", "tictactoe", submissions_a_day=4)
    assert left_today(plan, versions) == 1
    day = 24 * 3600
    for version, moment in zip(versions, (time() - day, time() + day)):
        os.utime(version.folder / version.main, (moment, moment))
    assert left_today(plan, versions) == 3
    assert left_today(ContestPlan("Cup", "tictactoe", submissions_a_day=1), versions[2:] * 3) == 0


@pytest.mark.parametrize(("late", "taken"), [(0, True), (1, False)])
def test_y7_a_file_of_the_last_moment_is_in_time(tmp_path: Path, late: int, taken: bool) -> None:
    plan = ContestPlan("Cup", "tictactoe", deadline="2020-01-01 12:00")
    path = tmp_path / "1.py"
    path.write_bytes(CHOOSE)
    moment = plan.last_moment() + late
    os.utime(path, (moment, moment))
    if taken:
        assert take_submission(tmp_path, plan, "1", path).number == 1
    else:
        with pytest.raises(SubmissionError, match="after the deadline"):
            take_submission(tmp_path, plan, "1", path)


def test_z25_of_a_file_that_finds_no_room_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The version was stored, but the disk was full for the file: the student was told of that."""
    hand_in(tmp_path, PLAN, "1", "a.py", CHOOSE)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def write(path: Path, *arguments: object) -> None:
        raise full

    why = "The server cannot store the submission: No space left on device; nothing was changed"
    with monkeypatch.context() as patch, pytest.raises(SubmissionError, match=why):
        patch.setattr(submissions, "write_whole", write)
        hand_in(tmp_path, PLAN, "1", "a.py", CHOOSE + b"#")
    with monkeypatch.context() as patch, pytest.raises(SubmissionError, match="No space left"):
        patch.setattr(submissions, "write_whole", write)
        hand_in(tmp_path, PLAN, "1", "a.py", CHOOSE)
    assert [each.number for each in versions_of(tmp_path, "1")] == [1]
    assert hand_in(tmp_path, PLAN, "1", "a.py", CHOOSE + b"#").number == 2


def test_y7_what_is_sent_replaces_the_last_file_of_the_student_whatever_its_kind(
    tmp_path: Path,
) -> None:
    place = tmp_path / "submissions"
    first = hand_in(tmp_path, PLAN, "1", "Bot.PY", CHOOSE)
    assert [path.name for path in place.iterdir()] == ["1.py"]
    second = hand_in(tmp_path, PLAN, "1", "x.java", b"class Main {}")
    assert [path.name for path in place.iterdir()] == ["1.java"]
    assert (first.number, second.number, second.language) == (1, 2, "java")
    again = hand_in(tmp_path, PLAN, "1", "y.py", CHOOSE)
    assert again.number == 1 and [path.name for path in place.iterdir()] == ["1.py"]


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("x.exe", CHOOSE, "contest.unknown_suffix"),
        ("py", CHOOSE, "contest.unknown_suffix"),
        ("x.py", b"", "contest.empty"),
        ("x.py", bytes(MOST_BYTES + 1), "contest.too_large"),
        ("x.zip", CHOOSE, "contest.bad_archive"),
    ],
)
def test_y7_what_cannot_be_used_leaves_everything_as_it_was(
    tmp_path: Path, name: str, data: bytes, why: str
) -> None:
    with pytest.raises(SubmissionError) as caught:
        hand_in(tmp_path, PLAN, "1", name, data)
    assert caught.value.key == why
    assert not (tmp_path / "submissions").exists() and versions_of(tmp_path, "1") == []


def test_y7_one_version_too_many_today_is_refused_but_an_old_one_may_come_again(
    tmp_path: Path,
) -> None:
    plan = ContestPlan("Cup", "tictactoe", submissions_a_day=1)
    hand_in(tmp_path, plan, "1", "a.py", CHOOSE)
    with pytest.raises(SubmissionError, match="1"):
        hand_in(tmp_path, plan, "1", "a.py", CHOOSE + b"#")
    assert hand_in(tmp_path, plan, "1", "a.py", CHOOSE).number == 1
    assert hand_in(tmp_path, plan, "2", "a.py", CHOOSE).student == "2"


def test_y7_versions_are_found_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    kept = [keep_version(tmp_path, "1", {"main.py": CHOOSE + bytes(n)}) for n in range(11)]
    assert [each.number for each in versions_of(tmp_path, "1")] == list(range(1, 12))
    assert versions_of(tmp_path, "1") == kept
    assert {each.folder.stat().st_mode & 0o777 for each in kept} == {0o700}
    (tmp_path / "work" / "versions" / "1" / ".draft-x").mkdir()
    assert len(versions_of(tmp_path, "1")) == 11
    assert versions_of(tmp_path, "2") == []


def test_what_students_hand_in_belongs_to_the_owner_of_the_contest(tmp_path: Path) -> None:
    files = {"top/main.py": CHOOSE, "top/lib/x.py": b""}
    data = archive(tmp_path / "1.zip", files).read_bytes()
    hand_in(tmp_path / "cup", PLAN, "1", "1.zip", data)
    found = {each.name: each for each in (tmp_path / "cup").rglob("*")}
    private = ["work", "versions", "1", "submissions", "1.zip", "main.py", "x.py"]
    assert [name for name in private if found[name].stat().st_mode & 0o077] == []


def test_y7_the_same_bytes_under_another_name_are_another_version(tmp_path: Path) -> None:
    first = keep_version(tmp_path, "1", {"main.py": CHOOSE, "a.txt": b"x"})
    second = keep_version(tmp_path, "1", {"main.py": CHOOSE, "b.txt": b"x"})
    assert (first.number, second.number) == (1, 2)
    assert keep_version(tmp_path, "1", {"a.txt": b"x", "main.py": CHOOSE}) == first


@pytest.mark.parametrize(("late", "taken"), [(0, True), (0.5, False)])
def test_what_is_sent_at_the_last_moment_is_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: float, taken: bool
) -> None:
    plan = ContestPlan("Cup", "tictactoe", deadline="2020-01-01 12:00")
    monkeypatch.setattr(submissions, "time", lambda: plan.last_moment() + late)
    if taken:
        assert hand_in(tmp_path, plan, "1", "a.py", CHOOSE).number == 1
    else:
        with pytest.raises(SubmissionError, match=r"after the deadline \(2020-01-01 12:00\)"):
            hand_in(tmp_path, plan, "1", "a.py", CHOOSE)
        assert versions_of(tmp_path, "1") == []


def test_whoever_is_disqualified_hands_nothing_in(tmp_path: Path) -> None:
    plan = ContestPlan("Cup", "tictactoe", disqualified={"1": "a copy"})
    with pytest.raises(SubmissionError, match="Disqualified: a copy"):
        hand_in(tmp_path, plan, "1", "a.py", CHOOSE)
    assert hand_in(tmp_path, plan, "11", "a.py", CHOOSE).number == 1


def test_a_folder_without_files_is_empty(tmp_path: Path) -> None:
    (tmp_path / "1" / "__pycache__").mkdir(parents=True)
    (tmp_path / "1" / "__pycache__" / "x.pyc").write_bytes(b"x")
    with pytest.raises(SubmissionError) as caught:
        read_submission(tmp_path / "1")
    assert caught.value.key == "contest.empty"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (PermissionError(13, "Permission denied"), "Permission denied"),
        (RecursionError("deep"), "deep"),
    ],
)
def test_a_submission_that_cannot_be_read_is_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, why: str
) -> None:
    def read(path: Path) -> Contents:
        raise error

    (tmp_path / "1.py").write_bytes(CHOOSE)
    monkeypatch.setattr(submissions, "read_submission", read)
    with pytest.raises(SubmissionError) as caught:
        take_submission(tmp_path, PLAN, "1", tmp_path / "1.py")
    assert caught.value.key == "contest.unreadable" and str(caught.value.values["why"]) == why


def test_the_newest_of_two_files_counts_and_the_first_of_equally_old_ones(tmp_path: Path) -> None:
    place = tmp_path / "submissions"
    (place / "3").mkdir(parents=True)
    moments = {
        "1.js": 5,
        "1.py": 5,
        "2.py": 9,
        "2.zip": 8,
        "3.py": 1,
        "3": 2,
        "4.tar.gz": 1,
        "py": 1,
    }
    for name, moment in moments.items():
        if name != "3":
            (place / name).write_bytes(CHOOSE)
        os.utime(place / name, (moment, moment))
    students = [Student(number, "x") for number in ("1", "2", "3", "4")]
    latest, strange = handed_in(tmp_path, students)
    assert {number: path.name for number, path in latest.items()} == {
        "1": "1.js",
        "2": "2.py",
        "3": "3",
    }
    assert strange == ["4.tar.gz", "py"]


def test_the_source_of_a_version_is_all_of_its_programs_in_order(tmp_path: Path) -> None:
    files = {"main.py": b"m", "b/x.py": b"x", "a.js": b"a", "notes.txt": b"n", "b/y.c": b"\xff"}
    version = keep_version(tmp_path, "1", files)
    assert version.source() == "a\nx\n\N{REPLACEMENT CHARACTER}\nm"
    assert (version.player, version.language) == ("1 v1", "py")
    assert version.built == version.folder / "compiled"
    assert version.stored == (version.folder / "main.py").stat().st_mtime
    home = version.folder.resolve()
    assert version.without_folder(f"{home}/a {home}b {home}/c/d") == f"a {home}b c/d"


@pytest.mark.parametrize(
    ("limits", "options"),
    [
        (BotBudget(0.5, 100), "deadline=10,memory=100,confined=folder,unaided=true"),
        (BotBudget(10.5, 100), "deadline=10.5,memory=100,confined=folder,unaided=true"),
        (BotBudget(0.5, 100, searches=True), "deadline=10,memory=100,confined=folder"),
    ],
)
def test_a_bot_is_started_with_the_limits_of_the_plan(
    tmp_path: Path, limits: BotBudget, options: str
) -> None:
    plan = ContestPlan("Cup", "tictactoe", limits=limits)
    version = keep_version(tmp_path, "1", {"main.py": CHOOSE})
    main = (version.folder / "main.py").resolve()
    assert version.spec(plan) == f"bot:{main},{options}"
    trusted = options.partition(",confined")[0]
    assert version.spec(plan, unconfined=True) == f"bot:{main},{trusted}"
    other = keep_version(tmp_path, "2", {"main.js": CHOOSE})
    assert other.spec(plan).endswith(f",{options.removesuffix(',unaided=true')}")
    assert "--max-old-space-size=75 " in other.spec(plan)


def test_as_many_entries_are_taken_as_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(submissions, "MOST_MEMBERS", 5)
    ignored = {f"__MACOSX/{n}": b"" for n in range(4)}
    for more, taken in (({}, True), ({"__MACOSX/x": b""}, False)):
        members = ignored | more | {"main.py": CHOOSE}
        path = archive(tmp_path / "1.zip", members)
        folder = tmp_path / f"folder{len(members)}"
        for number in range(len(members) - 1):
            (folder / f"empty{number}").mkdir(parents=True)
        (folder / "main.py").write_bytes(CHOOSE)
        for place in (path, folder):
            if taken:
                assert read_submission(place) == {"main.py": CHOOSE}
            else:
                with pytest.raises(SubmissionError) as caught:
                    read_submission(place)
                assert caught.value.key == "contest.too_many_files"
    with pytest.raises(SubmissionError) as caught:
        read_submission(archive(tmp_path / "2.zip", {"__MACOSX/x": b""}))
    assert caught.value.key == "contest.empty"
