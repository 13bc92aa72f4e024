"""Messages are one line, whatever they speak of."""

from papan.core import PapanError


def test_c12_a_newline_in_a_message_is_a_space() -> None:
    text = str(PapanError("error.cannot_write", path="a\nb\tc", why="x\x1b[31m"))
    assert "a b c" in text
    assert "x\ufffd[31m" in text
