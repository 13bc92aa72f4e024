"""What positions can do before any game adds to it."""

import pytest

import papan
from papan.core import Position


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "a1 is not possible here."), ("id", "a1 tidak bisa dimainkan di sini.")],
)
def test_a_game_that_gives_no_reason_still_says_that_a_move_is_not_possible(
    language: str, text: str
) -> None:
    position = papan.position("tictactoe x../.../... o")
    assert Position.why_illegal(position, 0).text(language) == text
