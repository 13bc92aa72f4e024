"""Many players at once, while searches run: nobody's game is lost. How fast is for benchmarks."""

import asyncio

import pytest

from benchmarks.web import SEARCHES, Crowd

pytestmark = pytest.mark.thorough


def test_many_players_and_two_searches_lose_no_game(server: str) -> None:
    crowd = Crowd(server, seconds=1, pace=0.1, games=1)
    asyncio.run(crowd.play(20, rooms=2))
    assert crowd.lost == []
    assert crowd.searched == SEARCHES
    assert len(crowd.waits) > crowd.begun
