"""What type checkers and Python itself say of calls: misspelt keywords are refused by both.

Every line with ``type: ignore`` is one that mypy must complain of: `warn_unused_ignores`, a part of
its strict mode, complains where it does not.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import papan

RANDOM, START = papan.agent("random"), papan.position("tictactoe")
RECORD = papan.session("tictactoe").record()


async def misspelt_match() -> object:
    return await papan.match_async("random", "random", "tictactoe", piars=2)  # type: ignore[call-arg]


async def misspelt_solve() -> object:
    return await papan.solve_async("tictactoe", nodse=3)  # type: ignore[call-arg]


async def misspelt_analyse() -> object:
    return await RANDOM.analyse_async(START, secnds=1)  # type: ignore[call-arg]


def misspelt_tournament() -> object:
    return papan.tournament(["random", "random"], "dots", "cup", oppening=1)  # type: ignore[call-arg]


MISSPELT: list[Callable[[], object]] = [
    lambda: papan.solve("tictactoe", depht=3),  # type: ignore[call-arg]
    lambda: papan.match("random", "random", "tictactoe", nods=3),  # type: ignore[call-arg]
    misspelt_tournament,
    lambda: papan.review(RECORD, secnds=3),  # type: ignore[call-arg]
    lambda: papan.prove("tictactoe", "3x3.proof", wokers=3),  # type: ignore[call-arg]
    lambda: papan.widget("tictactoe", oponent="random"),  # type: ignore[call-arg]
    lambda: papan.stepper(RECORD, speed=3),  # type: ignore[call-arg]
    lambda: papan.session("tictactoe", players=3),  # type: ignore[call-arg]
    lambda: papan.position("tictactoe", move="b2"),  # type: ignore[call-arg]
    lambda: papan.load("game.json", strict=True),  # type: ignore[call-arg]
    lambda: papan.save(RECORD, "game.json", mode="w"),  # type: ignore[call-arg]
    lambda: papan.replay(RECORD, form=3),  # type: ignore[call-arg]
    lambda: papan.margin(START, sea=1),  # type: ignore[call-arg]
    lambda: papan.Limit(second=3),  # type: ignore[call-arg]
    lambda: RANDOM.analyse(START, node=3),  # type: ignore[call-arg]
    lambda: RANDOM.choose(START, node=3),  # type: ignore[call-arg]
    lambda: RANDOM.think(START, node=3),  # type: ignore[call-arg]
    lambda: asyncio.run(misspelt_match()),
    lambda: asyncio.run(misspelt_solve()),
    lambda: asyncio.run(misspelt_analyse()),
]


@pytest.mark.parametrize("call", MISSPELT)
def test_d3_a_misspelt_keyword_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        call()


@pytest.mark.parametrize(
    "call", [lambda: papan.agent("alphabeta", depht=3), lambda: papan.game("connect4", row=3)]
)
def test_d3_a_setting_that_an_agent_or_a_game_does_not_have_is_refused(
    call: Callable[[], object],
) -> None:
    with pytest.raises(papan.InvalidSpecError, match=r"(depht|row).*(depth|rows)"):
        call()


def test_d3_every_function_of_the_library_has_typed_keywords() -> None:
    for name in papan.__all__:
        offered = getattr(papan, name)
        if callable(offered) and not isinstance(offered, type):
            taken = offered.__annotations__
            assert taken and "Any" not in "".join(map(str, taken.values())), name
            assert ("settings" in taken or "options" in taken) == (
                name in ("agent", "agent_from_user", "game")
            ), name


def wrong_types(path: Path) -> None:
    """What mypy must not let pass; never run."""
    papan.solve(5)  # type: ignore[arg-type]
    papan.match("random", START, "tictactoe")  # type: ignore[arg-type]
    papan.match("random", "random", START)  # type: ignore[arg-type]
    papan.tournament([START], "tictactoe", path)  # type: ignore[list-item]
    START.after(5)  # type: ignore[arg-type]
    papan.review(START)  # type: ignore[arg-type]
    text: str = papan.match("random", "random", "tictactoe").json()  # type: ignore[assignment]
    print(text, papan.solve(START).valeu)  # type: ignore[attr-defined]


# A program as somebody writes it who knows python-chess; mypy --strict checks it with the tests.


def annotate(moves: str) -> list[str]:
    """A line for each move of a game: what was played, and what it was worth."""
    position, lines = papan.position("connect4:5,5"), []
    with papan.agent("alphabeta", depth=4) as engine:
        for number, move in enumerate(position.game.split_moves(moves), 1):
            info = engine.analyse(position, papan.Limit(nodes=2_000))
            best = position.game.move_name(info.move)
            value: float | None = info.value
            lines.append(f"{number}. {move} (best {best}, {value})")
            position = position.play(move)
    return lines


def play_out(white: papan.Agent, black: papan.Agent, limit: papan.Limit) -> papan.Record:
    """A whole game between two agents."""
    session: papan.Session = papan.session("tictactoe", white, black)
    seats = [white, black]
    while not session.position.is_over:
        session.play(seats[session.position.turn].choose(session.position, limit))
    return session.record()


def by_numpy(position: papan.Position) -> np.intp:
    """A bot that chooses with NumPy, and answers with its number."""
    values = np.array([papan.margin(position.play(move), 0) for move in position.moves()])
    return np.intp(np.array(position.moves())[values.argmax()])


def worst_move(record: papan.Record) -> papan.Verdict | None:
    """The mistake that cost most, if there is one."""
    review: papan.Review = papan.review(record, seconds=1)
    return max(review.mistakes, key=lambda mistake: mistake.lost, default=None)


def perft(position: papan.Position, depth: int) -> int:
    """How many lines of play there are."""
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


async def several(texts: list[str]) -> dict[str, papan.Analysis]:
    """What solvers say of many positions, as fast as they come."""
    found = await asyncio.gather(*(papan.solve_async(text, nodes=50_000) for text in texts))
    return dict(zip(texts, found))


def test_d7_a_program_of_a_python_chess_user_runs(tmp_path: Path) -> None:
    lines = annotate("3 3 2")
    assert [line.split()[1] for line in lines] == ["3", "3", "2"]
    assert perft(papan.position("tictactoe"), 3) == 9 * 8 * 7
    record = play_out(papan.agent("random", seed=1), papan.agent("level:3"), papan.Limit(nodes=99))
    assert record.end != "open" and papan.replay(record)[-1].is_over
    papan.save(record, tmp_path / "game.json")
    verdict = worst_move(papan.load(tmp_path / "game.json"))
    assert verdict is None or verdict.text()
    result: papan.MatchResult = papan.match("minimax", "random", "tictactoe", pairs=2, nodes=50)
    games: tuple[papan.MatchGame, ...] = result.games
    assert len(games) == 4 == result.wins + result.draws + result.losses
    assert not papan.match(by_numpy, "random", "tictactoe").forfeits(0)
    session = papan.session("tictactoe", by_numpy)
    session.play(np.int64(4))
    assert session.position == papan.position("tictactoe").play(np.uint8(4))
    positions = ["tictactoe b2", "connect4:4,4", "tictactoe b2 a1"]
    values = {text: info.value for text, info in asyncio.run(several(positions)).items()}
    assert values == {"tictactoe b2": 0, "connect4:4,4": 0, "tictactoe b2 a1": 0}
    try:
        papan.position("tictactoe b2").play("b2")
    except papan.IllegalMoveError as error:
        assert "b2 is not legal" in str(error)
