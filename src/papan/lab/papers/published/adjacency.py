"""Paper 001: the twelve matches of its section F, one game each."""

from typing import NamedTuple


class Published(NamedTuple):
    """One match: who played x and o, over how many rounds, the score and the final board."""

    x: str
    o: str
    rounds: int
    scores: tuple[int, int]
    board: str


MATCHES = (
    Published(
        "minimax",
        "human",
        8,
        (13, 11),
        "xxooxxxo/oxoxoxoo/xoo.o.../......../......../......../xx....../xx......",
    ),
    Published(
        "minimax",
        "human",
        16,
        (24, 16),
        "xxoxooxo/oxoxoxox/xxooxxox/xxoxxoxo/.....xox/......o./xx....../xx......",
    ),
    Published(
        "minimax",
        "human",
        28,
        (31, 33),
        "oxxxxxxo/xoxoxoxo/xoxoxoox/xoxoxoox/xoxoxooo/oxxooooo/xxoxooox/xoooxxxo",
    ),
    Published(
        "human",
        "local",
        8,
        (14, 10),
        "xooxoxxo/xoxoxxxo/oxoo..../......../......../......../xx....../xx......",
    ),
    Published(
        "human",
        "local",
        16,
        (19, 21),
        "xooxoxxo/xooxoxox/xooxooxo/oxxooxx./.oxoo.../.o....../xo....../xx......",
    ),
    Published(
        "human",
        "local",
        28,
        (34, 30),
        "xoxxxooo/oxooxoxx/oxoxxoox/xxoxooxx/xoxoooxo/oxxoxoxo/oxxxxxxo/xoxxoxoo",
    ),
    Published(
        "minimax",
        "genetic",
        8,
        (19, 5),
        "oxxx.xxo/xox...xx/......xx/.....xxx/o...xo../......../xx....../xx......",
    ),
    Published(
        "minimax",
        "genetic",
        16,
        (23, 17),
        ".xxxoxxo/.x..xoxo/..xxoxoo/x.xxooox/x...ooxx/..x....x/xoo....x/xoo.o...",
    ),
    Published(
        "minimax",
        "genetic",
        28,
        (34, 30),
        "xooxoxxo/oxxoxoox/xxxxooxx/oxxoooox/ooxooxoo/oxxxxoxo/oxxxxoxx/xoxxooox",
    ),
    Published(
        "local",
        "genetic",
        8,
        (19, 5),
        "...xxoxo/x..x.xxx/oxxxx..x/....x.../....x.o./......../xx....../xx....o.",
    ),
    Published(
        "local",
        "genetic",
        16,
        (32, 8),
        "xx..xxxo/x.xxxxxx/x.xoxx.x/x..xoxx./x...xxx./.x....xx/xxo.o.oo/xx.....o",
    ),
    Published(
        "local",
        "genetic",
        28,
        (37, 27),
        "xxxxoxxo/xoxoxoxx/ooxoxxxo/oxoxooox/xxxxooox/xoxxooxx/oxxxooxx/xxxoooox",
    ),
)
