"""The game in a room: who may do what, the clocks, and what is kept of it; without any network."""

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from papan.core import PapanError
from papan.web.boards import PositionCache
from papan.web.owner import same_key, token_hash
from papan.web.room_game import (
    MESSAGE_FORM,
    Clocks,
    Ping,
    RoomGame,
    new_room_game,
)

LINES = PositionCache()
ANN, BEN = token_hash("ann"), token_hash("ben")


@dataclass
class Play:
    """Two people at a table, with a clock that goes when told."""

    game: str = "tictactoe"
    clocks: Clocks | None = None
    now: float = 100
    room_game: RoomGame = field(init=False)

    def __post_init__(self) -> None:
        self.room_game = new_room_game(self.game, self.clocks, LINES).seated(ANN).seated(BEN)

    def do(self, seat: int, t: str, **more: Any) -> "Play":
        order = MESSAGE_FORM.validate_python({"t": t, **more})
        assert not isinstance(order, Ping)
        self.room_game = self.room_game.with_timeout_applied(self.now).after(
            order, seat, LINES, self.now
        )
        return self

    def move(self, seat: int, *names: str) -> "Play":
        for name in names:
            self.do(seat, "move", move=name, ply=len(self.room_game.moves))
        return self

    def refused(self, key: str, seat: int, t: str, **more: Any) -> None:
        before = self.room_game
        with pytest.raises(PapanError) as refusal:
            self.do(seat, t, **more)
        assert refusal.value.key == key
        assert self.room_game is before

    @property
    def end(self) -> str:
        return self.room_game.session(LINES).end


def won_by_the_first() -> Play:
    play = Play()
    for seat, name in enumerate(["a1", "b1", "a2", "b2", "a3"]):
        play.move(seat % 2, name)
    return play


def test_two_people_play_a_whole_game() -> None:
    play = won_by_the_first()
    assert play.end == "win"
    assert play.room_game.moves == ("a1", "b1", "a2", "b2", "a3")


def test_a_move_out_of_turn_or_against_the_rules_changes_nothing() -> None:
    play = Play().move(0, "b2")
    play.refused("room.not_your_turn", 0, "move", move="a1", ply=1)
    play.refused("error.not_a_cell", 1, "move", move="z9", ply=1)
    play.refused("error.not_a_cell", 1, "move", move="a1 a2", ply=1)
    with pytest.raises(PapanError, match="b2"):
        play.move(1, "b2")
    assert play.room_game.moves == ("b2",)


def test_a_move_for_a_position_that_has_changed_is_not_made() -> None:
    Play().move(0, "b2").refused("room.stale", 1, "move", move="a1", ply=0)


def test_a_box_gives_its_owner_another_turn() -> None:
    play = Play("dots:1,2").move(0, "a1b1").move(1, "a2b2").move(0, "a1a2").move(1, "b1b2")
    play.refused("room.not_your_turn", 0, "move", move="b1c1", ply=4)
    play.move(1, "b1c1")


def test_nobody_plays_before_both_seats_are_taken() -> None:
    play = Play()
    play.room_game = replace(play.room_game, keys=(ANN, None))
    play.refused("room.alone", 0, "move", move="b2", ply=0)
    play.refused("room.alone", 0, "resign")


def test_the_first_guest_takes_the_free_seat_and_later_ones_watch() -> None:
    room_game = new_room_game("tictactoe", None, LINES).seated(ANN, 1).seated(BEN)
    assert (room_game.seat_of(ANN), room_game.seat_of(BEN)) == (1, 0)
    assert room_game.seated(ANN) is room_game
    assert room_game.seat_of(token_hash("eve")) is None
    assert room_game.seat_of(None) is None
    with pytest.raises(PapanError) as refusal:
        room_game.seated(token_hash("eve"))
    assert refusal.value.key == "room.taken"


def test_a_seat_that_nobody_holds_belongs_to_nobody() -> None:
    assert not same_key(None, None)
    assert not same_key("", "")
    assert new_room_game("tictactoe", None, LINES).seat_of(None) is None


def test_who_resigns_gives_the_other_one_the_game() -> None:
    play = Play().move(0, "b2").do(0, "resign")
    assert play.room_game.given_up == ("resigned", 0)
    assert play.end == "resigned"
    play.refused("room.over", 1, "move", move="a1", ply=1)
    play.refused("room.over", 1, "resign")


def test_a_move_is_taken_back_where_the_other_one_agrees() -> None:
    play = Play().move(0, "b2").move(1, "a1").do(0, "ask", what="takeback")
    assert play.room_game.asks == ("takeback", 0)
    play.refused("room.not_asked", 0, "agree", what="takeback")
    play.do(1, "agree", what="takeback")
    assert play.room_game.moves == ()
    play.refused("room.no_move_yet", 1, "ask", what="takeback")


def test_a_question_ends_with_a_no_or_with_a_move() -> None:
    play = Play().move(0, "b2").do(0, "ask", what="takeback").do(1, "decline")
    assert play.room_game.asks is None
    assert play.do(1, "decline").room_game.asks is None
    play.do(0, "ask", what="takeback").move(1, "a1")
    play.refused("room.not_asked", 1, "agree", what="takeback")


def test_an_open_question_is_answered_before_the_next_one() -> None:
    play = Play().move(0, "b2").move(1, "a1").do(0, "ask", what="takeback")
    play.refused("room.not_over", 1, "ask", what="rematch")
    assert play.do(1, "ask", what="takeback").room_game.moves == ()  # to ask the same is to agree
    play = won_by_the_first().do(0, "ask", what="rematch")
    play.refused("room.over", 1, "ask", what="takeback")


def test_a_request_ends_with_the_game_and_a_new_one_takes_its_place() -> None:
    play = Play().move(0, "b2").do(0, "ask", what="takeback")
    assert play.do(1, "resign").room_game.asks is None
    play.do(1, "ask", what="rematch")
    assert play.room_game.asks == ("rematch", 1)
    play.room_game = replace(play.room_game, asks=("takeback", 0))
    play.refused("room.answer_first", 1, "ask", what="rematch")
    assert play.do(0, "ask", what="rematch").room_game.asks == ("rematch", 0)
    late = timed().move(0, "4").move(1, "4").do(1, "ask", what="takeback")
    late.now += 60
    assert late.room_game.with_timeout_applied(late.now).asks is None


def test_a_move_is_read_without_the_blanks_around_it() -> None:
    assert Play().move(0, " b2 ").room_game.moves == ("b2",)


def test_a_wanted_seat_is_given_if_it_is_free_with_the_name_of_its_holder() -> None:
    empty = new_room_game("tictactoe", None, LINES)
    second = empty.seated(ANN, 1, "Ann")
    assert (second.keys, second.names) == ((None, ANN), ("", "Ann"))
    both = second.seated(BEN, 1, "Ben")
    assert (both.keys, both.names) == ((BEN, ANN), ("Ben", "Ann"))
    assert empty.seated(ANN).keys == empty.seated(ANN, 0).keys == (ANN, None)


def test_a_rematch_swaps_the_seats() -> None:
    play = won_by_the_first().do(1, "ask", what="rematch").do(0, "ask", what="rematch")
    assert play.room_game.keys == (BEN, ANN)
    assert (play.room_game.moves, play.room_game.games, play.end) == ((), 2, "open")
    play.refused("room.not_over", 0, "ask", what="rematch")


def test_y7_in_a_rematch_each_name_goes_with_its_player() -> None:
    play = won_by_the_first()
    play.room_game = replace(play.room_game, names=("Ann", "Ben"))
    play.do(1, "ask", what="rematch").do(0, "agree", what="rematch")
    assert dict(zip(play.room_game.keys, play.room_game.names)) == {ANN: "Ann", BEN: "Ben"}


def test_a_rematch_from_a_position_begins_there_again() -> None:
    start = "tictactoe:3,3,3 xo./xo./... x"
    play = Play(start).move(0, "a3").do(0, "ask", what="rematch").do(1, "agree", what="rematch")
    assert play.room_game.start == start


@pytest.mark.parametrize(
    ("start", "key"),
    [
        ("onet", "room.for_two"),
        ("tictactoe:3,3,3 xxx/oo./... o", "error.nothing_to_play"),
    ],
)
def test_a_room_is_for_two_people_and_a_game_that_can_be_played(start: str, key: str) -> None:
    with pytest.raises(PapanError) as refusal:
        new_room_game(start, None, LINES)
    assert refusal.value.key == key


def timed(seconds: float = 60, increment: float = 2) -> Play:
    return Play("connect4", Clocks.fresh(seconds, increment))


def left(play: Play) -> tuple[float, float]:
    assert play.room_game.clocks is not None
    return play.room_game.clocks.at(play.now)


def test_time_runs_only_after_the_second_move() -> None:
    play = timed()
    play.now += 1000
    play.move(0, "4")
    play.now += 1000
    play.move(1, "4")
    assert left(play) == (60, 60)
    play.now += 10
    assert left(play) == (50, 60)
    play.move(0, "4")
    assert left(play) == (52, 60)


def test_an_extra_turn_gains_nothing() -> None:
    play = Play("dots:1,2", Clocks.fresh(60, 5)).move(0, "a1b1").move(1, "a2b2")
    play.move(0, "a1a2")
    assert left(play) == (65, 60)
    play.now += 1
    play.move(1, "b1b2")
    assert left(play) == (65, 59)
    play.now += 1
    assert left(play) == (65, 58)


def test_who_has_no_time_left_loses() -> None:
    play = timed().move(0, "4").move(1, "4")
    play.now += 59
    assert play.room_game.with_timeout_applied(play.now) is play.room_game
    play.now += 1
    play.refused("room.over", 0, "move", move="4", ply=2)
    play.room_game = play.room_game.with_timeout_applied(play.now)
    assert (play.end, play.room_game.given_up) == ("timeout", ("timeout", 0))
    play.now += 100
    assert left(play) == (0, 60)
    assert play.room_game.with_timeout_applied(play.now) is play.room_game


def test_a_game_that_is_over_stops_the_clocks() -> None:
    play = timed().move(0, "4").move(1, "4")
    play.now += 5
    play.do(1, "resign")
    play.now += 500
    assert left(play) == (55, 60)
    play.do(0, "ask", what="rematch").do(1, "agree", what="rematch")
    assert left(play) == (60, 60)


def test_a_move_that_is_taken_back_gives_no_time_back() -> None:
    play = timed().move(0, "4").move(1, "4")
    play.now += 5
    play.move(0, "3")
    play.now += 7
    play.do(0, "ask", what="takeback").do(1, "agree", what="takeback")
    play.now += 1
    assert left(play) == (56, 53)


def test_a_takeback_to_the_first_moves_stops_the_clocks() -> None:
    play = timed().move(0, "4").move(1, "4")
    play.now += 5
    play.do(1, "ask", what="takeback").do(0, "agree", what="takeback")
    play.now += 1000
    assert left(play) == (55, 60)
    assert play.room_game.clocks is not None and play.room_game.clocks.running is None


def test_y7_a_clock_that_is_asked_about_the_past_gains_nothing() -> None:
    clocks = replace(Clocks.fresh(60, 5), running=0, since=100.0)
    assert clocks.at(90) == (60, 60)
    assert clocks.at(110) == (50, 60)
