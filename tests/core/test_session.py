"""A game in progress: undo, redo, resigning, saving and loading."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import InvalidRecordError, Message
from papan.core.record import End
from papan.core.session import (
    Session,
    agent_called,
    agent_message,
    picked_move,
    rematch,
    result_text,
    resumed,
    seat_names,
)
from papan.lab.files import load_record, save_record

START = papan.position("tictactoe")


def played(session: Session, names: str) -> Session:
    for name in names.split():
        session.play(session.position.legal_move(name))
    return session


def test_undo_against_an_agent_takes_back_both_plies() -> None:
    session = played(Session(START, [None, papan.agent("random")]), "a1 b2 c3 a2")
    assert session.undo() == 2
    assert session.record().moves == "a1 b2"
    assert session.undo() == 2
    assert session.undo() == 0
    assert session.position == START


def test_undo_when_the_agent_began_goes_back_to_its_first_move() -> None:
    session = played(Session(START, [papan.agent("random"), None]), "a1 b2 c3")
    assert session.undo() == 2
    assert session.record().moves == "a1"


def test_undo_between_two_people_takes_back_one_ply() -> None:
    session = played(Session(START, [None, None]), "a1 b2 c3")
    assert session.undo() == 1
    assert session.record().moves == "a1 b2"


def test_redo_brings_back_what_undo_took_and_a_new_move_forgets_it() -> None:
    session = played(Session(START, [None, papan.agent("random")]), "a1 b2 c3 a2")
    session.undo()
    assert session.redo() == 2
    assert session.record().moves == "a1 b2 c3 a2"
    session.undo()
    played(session, "c1")
    assert session.redo() == 0


def test_whoever_resigns_loses_and_undo_takes_it_back() -> None:
    session = played(Session(START, [None, None]), "a1")
    session.give_up("resigned", seat=1)
    assert (session.end, session.record().winner) == ("resigned", 0)
    session.undo()
    assert session.end == "open"


def test_the_view_knows_what_was_played() -> None:
    session = played(Session(START, [None, None]), "a1 b2")
    assert session.view.last == session.game.parse_move("b2")
    assert session.view.played[0] == (START, 0)


def test_a_saved_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    session = played(Session(START, [None, papan.agent("random:seed=9")]), "a1 b2 c3 a2")
    path = tmp_path / "game.json"
    save_record(session.record(), path)
    record = load_record(path)
    again = resumed(record, papan.game(record.game), [None, papan.agent(record.agents[1])])
    assert again.record() == session.record()
    assert again.position == session.position
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"hello", b"{}\n{}\n"])
def test_a_file_that_is_no_game_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(InvalidRecordError):
        load_record(path)


@pytest.mark.parametrize("content", ["\ufeff{}\n", "{}\r\n\r\n"])
def test_a_file_that_an_editor_has_saved_is_still_a_game(tmp_path: Path, content: str) -> None:
    record = Session(START, [None, None]).record()
    path = tmp_path / "game.json"
    path.write_text(content.format(record), encoding="utf-8")
    assert load_record(path) == record


def test_a_game_whose_scores_were_changed_is_refused() -> None:
    record = replace(Session(START, [None, None]).record(), scores=(5, 0))
    with pytest.raises(InvalidRecordError, match="but it says"):
        resumed(record, START.game, [None, None])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRecordError, match=r"nowhere\.json cannot be read"):
        load_record(tmp_path / "nowhere.json")


def test_a_rematch_swaps_the_seats_and_deals_anew() -> None:
    again = rematch(Session(papan.position("tictactoe"), [None, papan.agent("random")]), seed=5)
    assert again.record().agents == ("random:seed=1", "human")
    people = Session(START, [None, None])
    people.names = ("Ani", "Budi")
    assert rematch(people, seed=5).names == ("Budi", "Ani"), "a name goes with its player"
    puzzle = Session(papan.position("onet:4,6"), [None])
    dealt = rematch(puzzle, seed=5)
    assert dealt.start == papan.position("onet:4,6,seed=5")
    assert rematch(dealt, seed=6).start == papan.position("onet:4,6,seed=6"), "and once more"


def test_a_rematch_from_a_given_position_begins_there_again() -> None:
    start = papan.position("tictactoe x../.../... o")
    assert rematch(Session(start, [None, None]), seed=5).start == start


def test_a_stuck_board_can_be_shuffled_and_the_shuffle_undone() -> None:
    start = papan.position("onet:2,3 1,2,2/1,3,3")
    session = Session(start, [None])
    session.play(session.position.moves()[0])
    before = session.position
    assert session.can_shuffle
    session.shuffle()
    assert session.record().moves == ""
    assert session.start != start
    assert session.undo() == 1
    assert (session.start, session.position) == (start, before)
    assert session.undo() == 1
    assert session.position == start


def test_y7_a_stuck_board_that_a_shuffle_can_rescue_is_unsaved_until_it_is_saved() -> None:
    board = "onet:4,4,kinds=3,seed=973 0,3,0,0/0,1,0,3/3,2,0,0/2,3,1,0"
    session = played(Session(papan.position(board), [None]), "b1d2")
    while session.end == "open":
        session.play(session.position.moves()[0])
    assert session.end == "stuck" and session.has_unsaved_changes
    session.saved = session.record()
    assert not session.has_unsaved_changes


def test_only_a_game_with_loose_pieces_is_shuffled() -> None:
    assert not Session(START, [None, None]).can_shuffle


def test_a_session_goes_to_any_ply_and_back() -> None:
    session = Session(papan.position("tictactoe"), [None, None])
    for name in ["b2", "a1", "c3"]:
        session.play(session.position.legal_move(name))
    end = session.position
    session.go(1)
    assert (len(session.plies), len(session.undone)) == (1, 2)
    assert str(session.position) == str(papan.position("tictactoe").after("b2"))
    session.go(99)
    assert session.position == end
    session.go(-1)
    assert session.position == session.start


def test_a_seat_takes_back_its_last_move_and_all_that_came_after() -> None:
    session = played(Session(START, [None, None]), "a1 b2 c3")
    assert session.take_back(1)
    assert session.moves == ("a1",)
    assert not session.take_back(1)
    assert session.take_back(0)
    assert session.position == START


@pytest.mark.parametrize("seat", [0, 1])
def test_z22_taking_a_move_back_reopens_a_game_that_was_resigned(seat: int) -> None:
    session = played(Session(START, [None, None]), "a1 b2 c3")
    session.give_up("resigned", 1, "tired")
    assert session.take_back(seat)
    record = session.record()
    assert (record.end, record.blame, record.reason) == ("open", None, "")


def test_z22_a_resignation_stays_where_nothing_can_be_taken_back() -> None:
    session = Session(START, [None, None])
    session.give_up("resigned", 1)
    assert not session.take_back(1)
    assert session.end == "resigned"


def test_a_game_that_was_given_up_takes_no_move_until_that_is_undone() -> None:
    """A record of it had moves after the resignation."""
    session = played(Session(START, [None, None]), "a1 b2")
    session.give_up("resigned", 1)
    with pytest.raises(papan.IllegalMoveError, match="a player resigned"):
        session.play("c3")
    assert session.moves == ("a1", "b2")
    assert session.undo() == 1
    session.play("c3")
    assert session.moves == ("a1", "c3")


def test_the_last_move_of_a_turn_with_a_box_is_taken_back_alone() -> None:
    start = papan.position("dots:1,2")
    session = played(Session(start, [None, None]), "a1b1 a1a2 b1b2 a2b2 b1c1")
    assert [before.turn for before, _ in session.plies] == [0, 1, 0, 1, 1]
    assert session.take_back(1)
    assert session.moves == ("a1b1", "a1a2", "b1b2", "a2b2")


def test_a_session_goes_on_from_plies_that_were_made_before() -> None:
    before = played(Session(START, [None, None]), "a1 b2")
    session = Session(START, [None, None], before.plies)
    assert session.record() == before.record()
    session.undo()
    assert (session.moves, before.moves) == (("a1",), ("a1", "b2"))


def test_a_session_knows_whether_it_waits_for_a_person() -> None:
    session = Session(START, [None, papan.agent("random")])
    assert session.person_to_move
    session.play("a1")
    assert not session.person_to_move
    session.undo()
    session.give_up("resigned", 0)
    assert not session.person_to_move


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Player 2 (B) wins by resignation."),
        ("id", "Pemain 2 (B) menang karena lawan menyerah."),
    ],
)
def test_the_result_is_one_sentence_in_each_language(language: str, text: str) -> None:
    session = Session(START, [None, None])
    session.give_up("resigned", 0)
    assert result_text(START.game, session.record(), ["A", "B"], language) == text


def test_d10_a_game_without_loose_pieces_refuses_to_be_shuffled() -> None:
    """It began anew, without its moves and without a word."""
    session = played(Session(START, [None, None]), "a1 b2")
    with pytest.raises(papan.PapanError, match="has nothing to shuffle"):
        session.shuffle()
    assert session.moves == ("a1", "b2")


@pytest.mark.parametrize(
    ("end", "seat"), [("bored", 0), ("win", 1), ("resigned", 2), ("timeout", -1)]
)
def test_d10_a_game_is_given_up_by_a_seat_that_is_there(end: Any, seat: int) -> None:
    session = played(Session(START, [None, None]), "a1 b2")
    with pytest.raises(papan.InvalidSpecError):
        session.give_up(end, seat)
    assert session.end == "open"


def test_y7_a_loaded_game_goes_on_counting_its_hints() -> None:
    session = played(Session(START, [None, papan.agent("random")]), "a1 b2")
    session.hints = [2, 0]
    again = resumed(session.record(), START.game, session.agents)
    again.hints[0] += 1
    assert again.record().hints == (3, 0)


PUZZLE = papan.game("onet:2,3")


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("level:3", Message("web.opponent_3")),
        ("level:1,seed=7", Message("web.opponent_1")),
        ("mcts:seed=3", Message("agent_name.mcts")),
        ("bot:a.py", Message("agent_name.bot")),
        ("my-bot:seed=3", "My bot"),
        ("my_own_bot", "My own bot"),
        ("level:9", "Level"),
    ],
)
def test_an_agent_is_called_by_its_kind_or_its_own_name(spec: str, name: Message | str) -> None:
    assert agent_message(spec) == name
    assert agent_called(spec, "id") == (name if isinstance(name, str) else name.text("id"))


@pytest.mark.parametrize(
    ("agents", "given", "names"),
    [
        (("human", "random"), (), ("you", "Random")),
        (("random", "human"), (), ("Random", "you")),
        (("human", "random"), ("", "Bo"), ("you", "Bo")),
        (("human", "human"), (), ("player 1", "player 2")),
        (("human", "human"), ("Ana", ""), ("Ana", "player 2")),
        (("human", "human"), ("Ana", "Ana"), ("player 1", "player 2")),
        (("random", "random:seed=2"), (), ("player 1", "player 2")),
        (("level:1", "level:2"), (), ("Kukang", "Bekantan")),
    ],
)
def test_players_have_names_that_tell_them_apart(
    agents: tuple[str, ...], given: tuple[str, ...], names: tuple[str, ...]
) -> None:
    record = replace(Session(START, [None, None]).record(), agents=agents, names=given)
    assert seat_names(START.game, record, "en") == names


def test_without_a_record_seats_have_their_own_names() -> None:
    assert seat_names(START.game, None, "en") == ("player 1", "player 2")
    assert seat_names(PUZZLE, None, "en") == ("you",)
    assert seat_names(PUZZLE, Session(PUZZLE.start(), [None]).record(), "id") == ("Anda",)


@pytest.mark.parametrize(
    ("end", "blame", "scores", "text"),
    [
        ("win", None, (1, 0), "Player 1 (A) wins."),
        ("win", None, (0, 1), "Player 2 (B) wins."),
        ("draw", None, (0, 0), "Game over: draw."),
        ("resigned", 1, (0, 0), "Player 2 (B) wins by resignation."),
        ("timeout", 2, (0, 0), "Player 1 (A) wins on time."),
        ("crash", 1, (0, 0), "Player 2 (B) wins: the other side's program failed."),
        ("illegal", 2, (0, 0), "Player 1 (A) wins: the other side made an illegal move."),
    ],
)
def test_a_result_names_who_won_and_how(
    end: Any, blame: int | None, scores: tuple[float, ...], text: str
) -> None:
    record = replace(Session(START, [None, None]).record(), end=end, blame=blame, scores=scores)
    assert result_text(START.game, record, ["A", "B"], "en") == text


def test_the_result_of_a_puzzle_names_nobody() -> None:
    record = Session(PUZZLE.start(), [None]).record()
    ends: list[tuple[End, int | None]] = [("cleared", None), ("stuck", None), ("resigned", 1)]
    assert [
        result_text(PUZZLE, replace(record, end=end, blame=blame), ["A"], "en")
        for end, blame in ends
    ] == ["Game over: board cleared.", "Game over: no moves left.", "Game over: resigned."]


def test_only_a_game_that_goes_on_can_have_unsaved_changes() -> None:
    session = Session(START, [None, None])
    unsaved = [session.has_unsaved_changes]
    for name in ["a1", "a2", "b1", "b2"]:
        session.play(name)
        unsaved.append(session.has_unsaved_changes)
    session.saved = session.record()
    unsaved.append(session.has_unsaved_changes)
    session.undo()
    unsaved.append(session.has_unsaved_changes)
    session.play("b2")
    session.play("c1")
    assert session.end == "win"
    assert [*unsaved, session.has_unsaved_changes] == [False, *[True] * 4, False, True, False]
    shuffled = Session(papan.position("onet:2,3 1,2,2/1,3,3"), [None])
    shuffled.shuffle()
    assert shuffled.has_unsaved_changes and shuffled.moves == ()


def test_going_to_half_a_ply_is_refused() -> None:
    with pytest.raises(papan.WrongTypeError):
        played(Session(START, [None, None]), "a1").go(0.5)  # type: ignore[arg-type]


def test_redo_against_an_agent_stops_where_the_person_chooses_again() -> None:
    session = played(Session(START, [None, papan.agent("random")]), "a1 b2 c3 a2 b1")
    session.go(0)
    assert [session.redo(), session.redo(), session.redo(), session.redo()] == [2, 2, 1, 0]
    agents = played(Session(START, [papan.agent("random")] * 2), "a1 b2")
    assert [agents.undo(), agents.undo(), agents.undo()] == [1, 1, 0]
    assert [agents.redo(), agents.redo(), agents.redo()] == [1, 1, 0]


@pytest.mark.parametrize(
    ("text", "name", "key"),
    [
        ("tictactoe x../.../... o", "a1", "error.cell_taken"),
        ("tictactoe xxx/oo./... o", "c2", "error.game_over"),
        ("onet:2,2 1,2/2,1", "a1b1", "onet.different_tiles"),
    ],
)
def test_a_move_that_a_person_cannot_make_is_refused_with_its_reason(
    text: str, name: str, key: str
) -> None:
    with pytest.raises(papan.IllegalMoveError) as refused:
        picked_move(papan.position(text), name)
    assert refused.value.key == key
    assert picked_move(papan.position("tictactoe"), "b2") == 4


def test_a_loaded_game_that_was_resigned_stays_so() -> None:
    session = played(Session(START, [None, None]), "a1 b2")
    session.names = ("Ana", "Budi")
    session.give_up("timeout", 1, "late")
    record = session.record()
    again = resumed(record, START.game, [None, None])
    assert (record.blame, again.end, again.record()) == (2, "timeout", record)
    assert again.saved == record and again.names == ("Ana", "Budi")
    again.undo()
    assert (again.moves, again.end) == (("a1",), "open")
