"""A tournament in Python: played to its end, and left and taken up again."""

from pathlib import Path

import pytest

import papan
from papan.core import Limit, PapanError

pytestmark = pytest.mark.thorough


def test_a_tournament_called_again_goes_on_where_it_was_left(tmp_path: Path) -> None:
    def hold(folder: str, pairs: int = 2) -> str:
        agents, limit = ["random", "hillclimb", "random"], Limit(nodes=50)
        return str(
            papan.tournament(agents, "tictactoe", tmp_path / folder, pairs=pairs, limit=limit)
        )

    table = hold("cup")
    assert "hillclimb: +" in table
    journal = tmp_path / "cup" / "games.jsonl"
    journal.write_text("".join(journal.read_text().splitlines(keepends=True)[:5]))
    assert hold("cup") == table
    with pytest.raises(PapanError, match="There is another tournament"):
        hold("cup", pairs=3)
