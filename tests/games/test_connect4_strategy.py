"""Proofs that papan ships: read as the rules read them, and never left by whoever plays by them."""

import json
import random
import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.core import Analysis, Guess, Message, Proved
from papan.core.certificate import (
    LEAF_ENTRY,
    CertificateError,
    ClaimProof,
    ProofCertificate,
    ProofClaim,
)
from papan.games.connect4 import strategy
from papan.games.connect4.rules import Connect4, Connect4Position
from papan.games.connect4.strategy import (
    FOLDER,
    Strategy,
    known_analysis,
    last_check,
    shipped_proof,
    strategies,
    walk_layers,
    with_known,
)

BOARDS = sorted(path.stem for path in FOLDER.glob("*.proof"))


def game_of(board: str) -> Connect4:
    rows, columns = map(int, board.split("x"))
    return Connect4(rows, columns)


def certificate(board: str) -> ProofCertificate:
    return ProofCertificate.read(FOLDER / f"{board}.proof")


@cache
def small_proofs(rows: int, columns: int) -> dict[ProofClaim, ClaimProof]:
    """Proofs of small boards whose leaves lie deep, made from what the solver says."""
    game, found = Connect4(rows, columns), {}
    value = papan.solve(game.start()).value
    assert value is not None
    for claim in (ProofClaim(0, value), ProofClaim(1, -value)):
        if claim.least > -1:
            found[claim] = ClaimProof.written(game.start(), claim, lambda at: entry(at, claim))  # noqa: B023
    return found


def entry(position: Any, claim: ProofClaim) -> int:
    """What a proof does: it follows what keeps the claim, until ten cells are left."""
    if position.game.grid.size - position.taken.bit_count() <= 10:
        return LEAF_ENTRY
    if position.turn != claim.seat:
        return 1
    for place, move in enumerate(position.moves(), 1):
        child = position.child(move)
        if child.is_over:
            continue
        found = papan.solve(child, goal=claim.goal(child), book=False)
        if claim.decided(child, *found.bounds or (-1, 1)):
            return place
    raise AssertionError(f"{position} is not as claimed")


def test_small_enough_to_ship() -> None:
    sizes = [path.stat().st_size for path in FOLDER.glob("*.proof")]
    assert len(sizes) >= 8
    assert max(sizes) < 1_000_000
    assert sum(sizes) < 3_000_000


@pytest.mark.parametrize("board", BOARDS)
def test_a_shipped_proof_is_of_the_empty_board_and_was_checked(board: str) -> None:
    game, found = game_of(board), certificate(board)
    assert found.position == str(game.start())
    checks = json.loads((FOLDER / "checks.json").read_text("utf-8"))
    digest = sha256((FOLDER / f"{board}.proof").read_bytes()).hexdigest()
    assert checks[board]["sha256"] == digest, "another file was checked"
    assert checks[board]["leaves"] == found.leaves


@pytest.mark.thorough
@pytest.mark.parametrize("board", ["7x7", pytest.param("5x9", marks=pytest.mark.slow)])
def test_all_positions_of_a_ply_at_once_are_those_of_the_rules(board: str) -> None:
    game = game_of(board)
    for proof in certificate(board).proofs:
        at_once = [
            (int(first), int(second), int(entry))
            for layer, entries in walk_layers(game, proof)
            for first, second, entry in zip(*layer, entries)
        ]
        by_the_rules = [
            (stones(position, "x"), stones(position, "o"), entry)
            for position, entry in proof.walk(game.start())
        ]
        assert at_once == by_the_rules


def stones(position: Any, mark: str) -> int:
    return int("".join(str(int(cell == mark)) for cell in position.cells()), 2)


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (5, 4)])
def test_small_proofs_are_read_alike_too(rows: int, columns: int) -> None:
    game = Connect4(rows, columns)
    for proof in small_proofs(rows, columns).values():
        known = Strategy.of(game, proof)
        assert len(known) == proof.positions
        for position, entry in proof.walk(game.start()):
            assert isinstance(position, Connect4Position)
            found = known.look_up(position)
            assert found is not None
            mine = position.turn == proof.claim.seat and entry != LEAF_ENTRY
            assert found.move == (position.moves()[entry - 1] if mine else None)


def test_what_is_forged_is_not_read_either() -> None:
    game = Connect4(4, 4)
    claim, proof = next(iter(small_proofs(4, 4).items()))
    size = len(proof.packed)
    for packed in (proof.packed[:-1], proof.packed + b"\0", b"\x09" * size, b"\2" * size):
        with pytest.raises(CertificateError):
            walk_layers(game, ClaimProof(claim, size, 0, packed))


@pytest.fixture
def shipped(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, int], Connect4]:
    """Play as if proofs of a small board were shipped, down to the last cell."""

    def ship(rows: int, columns: int) -> Connect4:
        game = Connect4(rows, columns)
        known = tuple(Strategy.of(game, proof) for proof in small_proofs(rows, columns).values())
        facts = {"positions": 1, "leaves": 1, "checked": None}
        monkeypatch.setattr(strategy, "strategies", lambda _: known)
        monkeypatch.setattr(strategy, "SEARCHED_CELLS", 0)
        monkeypatch.setattr(strategy, "_proof_facts", lambda _: facts)
        return game

    return ship


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (5, 4)])
def test_whoever_plays_by_a_proof_never_leaves_its_result(
    rows: int, columns: int, shipped: Callable[[int, int], Connect4]
) -> None:
    """Against random and against perfect play, from any side, with the solver for the leaves."""
    game, rng = shipped(rows, columns), random.Random(rows * columns)
    for claim in small_proofs(rows, columns):
        for careless in (True, False, True):
            position: Any = game.start()
            while not position.is_over:
                if position.turn == claim.seat or not careless:
                    move = papan.solve(position).move
                else:
                    move = rng.choice(position.moves())
                position = position.child(move)
            assert claim.reached(position)


@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (5, 4)])
def test_what_a_proof_says_is_what_the_solver_finds(
    rows: int, columns: int, shipped: Callable[[int, int], Connect4]
) -> None:
    game, rng, said = shipped(rows, columns), random.Random(3), 0
    for _ in range(20):
        position: Any = game.start()
        while not position.is_over:
            found = known_analysis(position)
            if found is not None:
                truth = papan.solve(position, book=False, all_moves=True)
                said += found.exact
                assert truth.value is not None
                assert found.proved.low <= truth.value <= found.proved.high
                if truth.value == found.proved.low:
                    assert set(found.best) <= set(truth.best)
                    assert found.move in truth.best
            position = position.child(rng.choice(position.moves()))
    assert said > 10


def test_a_proof_of_a_draw_or_more_is_told_and_played_where_the_search_is_cut_off() -> None:
    """That of 7x7 was left aside, because it does not give the value."""
    start = Connect4(7, 7).start()
    (proof,) = strategies(start.game)
    for position in (start, start.after("4 4")):
        known = proof.look_up(position)
        assert known is not None
        for found in (
            papan.solve(position, nodes=1_000),
            papan.agent("level:5").analyse(position, nodes=1_000),
        ):
            assert (found.move, found.bounds) == (known.move, (0, 1))
            assert found.facts["proof"]["positions"] == len(proof)
    assert known_analysis(start.after("4")) is None, "the other seat has no move from it"
    assert papan.solve(start, nodes=1_000, book=False).bounds == (-1, 1)


@pytest.mark.thorough
@pytest.mark.parametrize("board", ["5x9", pytest.param("8x7", marks=pytest.mark.slow)])
def test_signs_of_shipped_proofs_agree_with_the_solver(board: str) -> None:
    """A few leaves; ``papan prove --check`` does so with all of them."""
    game, rng = game_of(board), random.Random(1)
    (proof,) = certificate(board).proofs
    leaves = [position for position, entry in proof.walk(game.start()) if entry == LEAF_ENTRY]
    claim, decided = proof.claim, 0
    for position in rng.sample(leaves, 20):
        found = papan.solve(position, goal=claim.goal(position), book=False, nodes=100_000)
        right = claim.decided(position, *found.bounds or (-1, 1))
        assert right is not False
        decided += right is True
    assert decided > 15


@pytest.mark.parametrize(
    ("board", "value", "moves"),
    [
        ("7x8", 1, "4 5"),
        ("7x9", 1, "5"),
        ("6x9", -1, ""),
        ("5x10", 1, "5 6"),
        ("6x8", -1, ""),
    ],
)
def test_large_boards_are_exact_at_once(board: str, value: int, moves: str) -> None:
    game = board.replace("x", ",")
    found = papan.solve(f"connect4:{game}")
    assert (found.value, found.exact, found.nodes, found.why) == (value, True, 0, "exact")
    assert (found.moves.keys() <= set(moves.split())) or value < 0
    assert found.facts["proof"]["positions"] == certificate(board).positions
    note = f"Proved: {certificate(board).positions:,} positions, all checked."
    assert found.notes[0].text("en") == note
    assert found.facts["proof"]["checked"] is not None


def test_a_position_with_the_wrong_seat_to_move_is_not_in_a_proof() -> None:
    (known,) = strategies(game_of("5x9"))
    start = game_of("5x9").start()
    assert known.look_up(start) is not None
    assert known.look_up(Connect4Position(start.game, start.marks, 1)) is None


def test_a_proof_is_left_aside_without_the_book() -> None:
    assert not papan.solve("connect4:7,9", nodes=1000, book=False).exact


def test_all_moves_are_searched_beside_the_proof() -> None:
    found = papan.solve("connect4:7,9", nodes=1000, all_moves=True)
    assert (found.exact, found.value, found.move) == (True, 1, 4)
    assert not found.best_complete


def test_a_mirrored_position_is_answered_with_the_mirrored_move() -> None:
    left, right = papan.position("connect4:7,9 5 3"), papan.position("connect4:7,9 5 7")
    one, other = papan.solve(left), papan.solve(right)
    assert one.exact
    assert other.exact
    assert one.move == 8 - other.move


def test_level_5_plays_by_the_proof_from_the_empty_board_on() -> None:
    rng, agent = random.Random(5), papan.agent("level:5")
    position: Any = papan.position("connect4:5,9")
    while not position.is_over:
        if position.turn == 0:
            found = agent.analyse(position)
            assert (found.value, found.exact) == (1, True)
            move = found.move
        else:
            move = rng.choice(position.moves())
        position = position.child(move)
    assert position.scores() == (1, 0)


def test_where_every_move_loses_level_5_thinks_for_itself() -> None:
    found = papan.agent("level:5").analyse(papan.position("connect4:7,9 5"))
    assert (found.exact, found.value) == (True, -1)
    assert found.nodes > 0


DOCS = Path(__file__).parents[2] / "docs"
WORDS = {"draw": 0, "first": 1, "second": -1, "seri": 0, "pertama": 1, "kedua": -1, "?": None}


def values_in(page: Path) -> dict[tuple[int, int], int | None]:
    """Who wins on each board, by the table of a page."""
    rows = re.findall(r"^\| \*\*(\d)\*\* \| (.*) \|$", page.read_text("utf-8"), re.M)
    return {
        (int(row), column): WORDS[cell]
        for row, cells in rows
        for column, cell in enumerate(cells.split(" | "), 4)
    }


@pytest.mark.parametrize("page", ["games/connect4.md", "id/games/connect4.md"])
def test_the_map_of_all_boards_is_what_is_proved(page: str) -> None:
    values = values_in(DOCS / page)
    assert values.keys() == {(rows, columns) for rows in range(4, 9) for columns in range(4, 11)}
    assert [board for board, value in values.items() if value is None] == [(7, 10), (8, 9), (8, 10)]
    for rows, columns in ((4, 4), (4, 5), (5, 4), (4, 6), (5, 5), (6, 4)):
        assert papan.solve(f"connect4:{rows},{columns}").value == values[rows, columns]
    for board in BOARDS:
        game = game_of(board)
        low, high = certificate(board).bounds(0, 1)
        value = values[game.rows, game.columns]
        assert value is not None
        assert low <= value <= high


def test_where_every_move_loses_all_are_listed_and_the_most_central_safe_one_comes_first() -> None:
    position = papan.position("connect4:7,9 5")
    found = known_analysis(position)  # type: ignore[arg-type]
    assert found is not None
    assert (found.line, found.proved, found.why) == ((4,), Proved(-1, -1), "exact")
    assert found.values == dict.fromkeys(range(9), Proved(-1, -1))


def test_a_proof_says_whether_all_its_leaves_were_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    start = Connect4(7, 9).start()
    (proof,) = strategies(start.game)
    leaves = int((proof.entries == LEAF_ENTRY).sum())
    for checked, note in (
        (last_check(start.game), f"Proved: {len(proof):,} positions, all checked."),
        (None, f"Proved: a file of {len(proof):,} positions, {leaves:,} of them leaves for a "),
    ):
        monkeypatch.setattr(strategy, "last_check", lambda _, known=checked: known)
        found = known_analysis(start)
        assert found is not None
        assert found.notes[0].text("en").startswith(note)
        facts = {"positions": len(proof), "leaves": leaves, "checked": checked}
        assert found.facts == {"proof": facts}
    assert shipped_proof(Connect4(4, 4)) is None
    assert (strategies(Connect4(4, 4)), last_check(Connect4(4, 4))) == ((), None)


def test_with_30_empty_cells_or_fewer_a_search_says_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("5x9")
    (proof,) = strategies(game)
    for first, second, entry in zip(*proof.stones, proof.entries):
        marks = [f"{int(each):045b}" for each in (first, second)]
        if entry != LEAF_ENTRY and "".join(marks).count("1") == 14:
            break
    cells = "".join("x" if x == "1" else "o" if o == "1" else "." for x, o in zip(*marks))
    position = game.read((game.grid.board(cells), "x"))
    known = known_analysis(position)
    assert known is not None and known.proved == Proved(1, 1), "31 cells are empty"
    after = position.child(known.move)
    assert known_analysis(after) is None
    monkeypatch.setattr(strategy, "SEARCHED_CELLS", 29)
    lost = known_analysis(after)
    assert lost is not None and lost.proved == Proved(-1, -1)


KNOWN = Analysis(
    (3, 2), proved=Proved(0, 1), values={3: Proved(0, 1)}, facts={"proof": 1}, notes=(Message("a"),)
)


@pytest.mark.parametrize(
    ("found", "both"),
    [
        ((-1, 1), (0, 1)),
        ((0, 1), (0, 1)),
        ((-1, 0), (0, 0)),
        ((1, 1), None),  # exact
        ((0, 0), None),
        ((-1, -1), None),
    ],
)
def test_a_proof_leads_unless_the_search_knows_more(
    found: tuple[float, float], both: tuple[float, float] | None
) -> None:
    searched = Analysis(
        (1,),
        0.5,
        Proved(*found),
        {1: Guess(0.5), 3: Guess(0.1)},
        facts={"table": 2, "proof": 0},
        why="nodes",
    )
    known = with_known(searched, KNOWN)
    if both is None:
        assert known is searched
    else:
        assert (known.line, known.proved, known.notes) == (KNOWN.line, Proved(*both), KNOWN.notes)
        assert known.values == {1: Guess(0.5), 3: Proved(0, 1)}
        assert (known.facts, known.why, known.guess) == ({"table": 2, "proof": 1}, "nodes", 0.5)
    better = Analysis((1,), proved=Proved(0, 1))
    least = Analysis((3,), proved=Proved(-1, 1))
    assert with_known(better, least) is better
