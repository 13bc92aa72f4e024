"""What people are called: in a room, in the record of its game, and what is no name."""

import pytest

from papan.web.boards import PositionCache, checked_record
from papan.web.room_game import MESSAGE_FORM, RoomGame, new_room_game
from tests.web.asking import ask

LINES = PositionCache()
RECORD = (
    '{"game": "tictactoe:3,3,3", "start": "tictactoe:3,3,3 .../.../... x", "agents": ["human", '
    '"random"], "moves": "a1", "scores": [0, 0], "end": "open", "names": ["Ana", ""]}'
)


def do(room_game: RoomGame, seat: int, text: str) -> RoomGame:
    order = MESSAGE_FORM.validate_json(text)
    return room_game.after(order, seat, LINES, 0)  # type: ignore[arg-type]


def test_c07_players_bring_their_names_and_keep_them_on_the_other_seat() -> None:
    room_game = (
        new_room_game("tictactoe", None, LINES).seated("ann", 1, "Ann").seated("ben", name="Ben")
    )
    assert room_game.session(LINES).record().names == ("Ben", "Ann")
    over = do(room_game, 0, '{"t": "resign"}')
    asked = do(over, 0, '{"t": "ask", "what": "rematch"}')
    assert do(asked, 1, '{"t": "agree", "what": "rematch"}').names == ("Ann", "Ben")


def test_c07_a_checked_record_game_has_its_names() -> None:
    assert checked_record(RECORD).names == ("Ana", "")


@pytest.mark.parametrize("name", ["x" * 31, "a\u0007b", 7])
def test_c07_what_is_no_name_makes_no_room(name: object) -> None:
    answer = ask("POST", "/api/v1/rooms", json={"start": "tictactoe", "name": name})
    assert answer.status_code == 422
