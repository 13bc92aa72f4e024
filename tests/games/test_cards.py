"""The games in menus: sizes, levels, samples, and how their pictures are used."""

import pytest

import papan
from papan.core.parts import Card


@pytest.mark.parametrize(
    ("game", "order", "presets", "sample", "own"),
    [
        (
            "tictactoe",
            1,
            "tictactoe:4,4,4 tictactoe:5,5,5 tictactoe:5,5,4 tictactoe:15,15,5",
            "tictactoe:3,3,3 o../xx./o.x o",
            {},
        ),
        (
            "connect4",
            2,
            "connect4:7,8 connect4:7,9 connect4:7,10",
            "connect4:6,7 ......./......./......./..ox.../..xo.../.ooxxx. o",
            {"featured": True, "upright": True},
        ),
        (
            "onet",
            5,
            "onet:8,14 onet:9,16 onet:10,7",
            "onet:4,5,kinds=9,seed=3",
            {
                "levels": (1, 3, 5),
                "spots_in_a_move": 2,
                "upright": True,
                "counters": ("onet.left",),
                "level_option": "gravity",
            },
        ),
    ],
)
def test_a_game_is_offered_with_its_sizes_and_a_picture(
    game: str, order: int, presets: str, sample: str, own: dict[str, object]
) -> None:
    card = Card.of(papan.game(game))
    usual: dict[str, object] = {
        "levels": (1, 2, 3, 4, 5),
        "spots_in_a_move": 1,
        "featured": False,
        "upright": False,
        "counters": (),
        "level_option": "",
    }
    assert {name: getattr(card, name) for name in usual} == usual | own
    assert (card.order, " ".join(card.presets)) == (order, presets)
    assert str(papan.position(card.sample)).startswith(sample)
