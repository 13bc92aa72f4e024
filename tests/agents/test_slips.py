"""Levels err like people: what they overlook is there, and they never move into nowhere (E12)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

import papan
from papan import catalog
from papan.agents.level import STRENGTHS, Level, slip_rate
from papan.catalog import GAMES
from papan.core import Event, Limit, Message, Position, Thinking
from papan.core.explain import EventLog, explain
from papan.core.parts import Card, Support
from papan.core.slips import Slip
from tests.sentences.boards import Lines, Strings, cells_of, declines, flips, most_flipped

BOARDS = [
    spec
    for name, game in GAMES.items()
    if game.seats == 2
    for spec in (name, *Card.of(game()).presets)
]


class FoundSlip(NamedTuple):
    """A slip, where and by whom it is made."""

    position: Any
    level: int
    slip: Slip

    @property
    def move(self) -> str:
        return str(self.position.game.move_name(self.slip.move))

    @property
    def values(self) -> Any:
        return self.slip.message.values


def slips_found(spec: str, positions: int, seed: int = 1) -> Iterator[FoundSlip]:
    """Slips of every level in positions of games that are played with many of them."""
    rng, position, support = Random(seed), papan.position(spec), Support.of(papan.game(spec))
    for number in range(positions):
        if position.is_over:
            position = papan.position(spec)
        found = None
        for level in (1, 2, 3, 4):
            if found := support.slip(position, level, rng):
                yield FoundSlip(position, level, found)
        usual = Level(1 + number % 2, number).analyse(position).move
        position = position.child(found.slip.move if isinstance(found, FoundSlip) else usual)


# What each sentence claims, by rules that are read from the text of the board.


def line_is_true(slip: FoundSlip) -> bool:
    board, key, values = Lines(slip.position), slip.slip.message.key, slip.values
    marks = [board.cells[name] for name in cells_of(board, values["line"])]
    own, rival, _empty = (marks.count(each) for each in (board.mover, board.rival, "."))
    holes = [name for name in cells_of(board, values["line"]) if board.cells[name] == "."]
    better = board.lands(values["better"]) if "better" in values else ""
    after = board.put(board.lands(slip.move), board.mover)
    assert [*slip.slip.cells] != [] and {*slip.slip.cells} == {*cells_of(board, values["line"])}
    match key:
        case "slip.line_win":
            return own == board.need - 1 and holes == [better] and better in board.wins(board.mover)
        case "slip.line_block":
            return (
                rival == board.need - 1 and holes == [better] and better in after.wins(board.rival)
            )
        case "slip.line_above":
            there = values["place"] in after.wins(board.rival)
            return (
                there
                and values["place"] not in board.wins(board.rival)
                and holes == [values["place"]]
            )
        case "slip.line_stop":
            many = Message("lines.many_" + str(rival)) == values["many"]
            return many and not own and better in holes and board.lands(slip.move) not in holes
        case "slip.line_build":
            many = Message("lines.many_" + str(own)) == values["many"]
            return many and not rival and better in holes and board.lands(slip.move) not in holes
    return False


def boxes_are_true(slip: FoundSlip) -> bool:
    board, key, values = Strings(slip.position), slip.slip.message.key, slip.values
    given = board.to_take([slip.move])
    match key:
        case "dots.slip_boxes":
            takes = board.takes(slip.move), board.takes(values["better"])
            return board.to_take() == values["boxes"] and takes[0] == 0 < takes[1]
        case "dots.slip_sides":
            return bool(given == values["boxes"] > 0 == board.to_take([values["better"]]))
        case "dots.slip_chains":
            fewest = min(board.to_take([each]) for each in board.left)
            return given == values["boxes"] > values["fewest"] == fewest and not board.safe(
                board.drawn
            )
        case "dots.slip_greedy":
            rest = board.rest()
            after = [line for line in board.left if line not in rest]
            gives = [board.full(board.rest([*rest, line])) - board.full(rest) for line in after]
            return (
                min(gives) == values["least"] >= 3
                and board.takes(slip.move) > 0
                and not board.safe(rest)
            )
    return False


def turning_is_true(slip: FoundSlip) -> bool:
    position: Any = slip.position
    values: dict[str, Any] = dict(slip.values)
    better = position.game.parse_move(values["better"])
    nothing = slip.slip.message.key.endswith("_nothing")
    match slip.slip.message.key.removesuffix("_nothing"):
        case "adjacency.slip_greedy":
            assert nothing == (values["left"] == 0)
            now, instead = position.child(slip.slip.move), position.child(better)
            there = flips(now, values["reply"]) == values["lost"] == most_flipped(now)
            return bool(there and most_flipped(instead) == values["left"] < values["lost"])
        case "adjacency.slip_far" | "adjacency.slip_count":
            assert nothing == (values["marks"] == 0)
            turned = flips(position, slip.move), flips(position, values["better"])
            return turned == (values["marks"], values["instead"]) and turned[0] < turned[1]
    return False


CHECKS = {"slip": line_is_true, "dots": boxes_are_true, "adjacency": turning_is_true}


@pytest.mark.thorough
@pytest.mark.parametrize("spec", BOARDS)
def test_e12_what_a_level_says_it_overlooked_is_there(spec: str) -> None:
    found = list(slips_found(spec, 30 if "15" in spec else 45))
    assert found
    for slip in found:
        assert CHECKS[slip.slip.message.key.split(".")[0]](slip), (str(slip.position), slip)
        assert slip.slip.move in slip.position.moves()


@pytest.mark.slow
@pytest.mark.parametrize("spec", BOARDS)
def test_e12_and_so_it_is_in_many_more_games(spec: str) -> None:
    for slip in slips_found(spec, 1000, seed=2):
        assert CHECKS[slip.slip.message.key.split(".")[0]](slip), (str(slip.position), slip)


@pytest.mark.thorough
def test_e12_every_kind_of_slip_happens() -> None:
    some = ("tictactoe:5,5,4", "connect4", "dots", "dots:4,4", "adjacency:8,8,16")
    said = {slip.slip.message.key for spec in some for slip in slips_found(spec, 60)}
    found = {each.removesuffix("_nothing") for each in said}
    lines = {f"slip.line_{each}" for each in ("win", "block", "above", "stop", "build")}
    dots = {f"dots.slip_{each}" for each in ("boxes", "sides", "chains", "greedy")}
    assert found == lines | dots | {f"adjacency.slip_{each}" for each in ("greedy", "far", "count")}


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["tictactoe:15,15,5", "connect4:7,10"])
def test_e12_levels_3_and_4_overlook_no_plain_row(spec: str) -> None:
    for slip in slips_found(spec, 30):
        if slip.level >= 3 and slip.slip.message.key != "slip.line_above":
            assert slip.values["line"].key == "lines.diagonal", str(slip.position)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_e12_no_stone_goes_into_nowhere(number: int) -> None:
    position: Any = papan.position("tictactoe:15,15,5")
    for ply in range(24):
        if position.is_over:
            break
        move = Level(number, seed=ply // 8).analyse(position).move
        rows = divmod(move, 15)
        near = [divmod(cell, 15) for cell, mark in enumerate(position.cells()) if mark != "."]
        away = [max(abs(rows[0] - row), abs(rows[1] - column)) for row, column in near]
        assert not away or min(away) <= 2, f"ply {ply}: {position.game.move_name(move)} {position}"
        position = position.child(move)


def slips_of(level: Level, position: Position) -> list[Event]:
    events: list[Event] = []
    level.analyse(position, listener=events.append)
    return [each for each in events if "slip" in each]


def test_the_strongest_level_never_slips_and_the_same_seed_slips_alike() -> None:
    position = papan.position("connect4").after("4 4 3 3")
    assert slip_rate(5, position.game) == 0
    for number in sorted(STRENGTHS):
        for seed in range(6):
            found = slips_of(Level(number, seed), position)
            assert found == slips_of(Level(number, seed), position)
            assert number < 5 or not found


def test_a_slip_is_the_first_sentence_of_the_reason_with_its_cells() -> None:
    position = papan.position("connect4").after("1 4 1 4 2 4")  # x must block column 4
    for seed in range(60):
        log, agent = EventLog(), Level(1, seed)
        analysis = agent.analyse(position, listener=log)
        reason = explain(position, agent, log, analysis).reason
        assert reason is not None
        if reason.clauses[0].message.key == "slip.line_block":
            break
    assert reason is not None
    assert reason.clauses[0].kind == "slip" and reason.clauses[0].cells == ("d1", "d2", "d3", "d4")
    assert reason.text("en", ("Kukang", "you")).startswith(
        "A slip: Kukang overlooked the column d1-d4, which you are about to complete."
        " 4 would have blocked it."
    )
    assert reason.text("id", ("Kukang", "Anda")).startswith(
        "Kekeliruan: Kukang tidak melihat kolom d1-d4 yang hampir dilengkapi Anda."
    )


@pytest.mark.thorough
def test_a_level_that_looks_too_few_plies_ahead_says_what_it_prefers_otherwise() -> None:
    position, events = papan.position("connect4"), list[Event]()
    while not position.is_over:
        events += [each for seed in range(4) for each in slips_of(Level(3, seed), position)]
        position = position.child(Level(3).analyse(position).move)
    short = [each for each in events if each["rule"] == "slip.short"]
    assert short and all(each["m"] != each["slip"]["better"] for each in short)
    assert {each["slip"]["plies"] for each in short} == {1}


def test_a_puzzle_for_one_is_played_as_before() -> None:
    position = papan.position("onet:6,8,seed=2")
    events: list[Event] = []
    for seed in range(12):
        Level(1, seed).analyse(position, listener=events.append)
    careless = [each for each in events if each["t"] == "reason"]
    assert careless and {each["rule"] for each in careless} == {"level.careless"}


def test_e3_nobody_is_careless_who_has_one_move_left() -> None:
    position = papan.position("onet:2,3 1,0,0/0,0,1")
    events: list[Event] = []
    for seed in range(12):
        Level(1, seed).analyse(position, listener=events.append)
    assert "level.careless" not in {each.get("rule") for each in events}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("dots:3,3 111111001101110010110111 1 2-1", 2),
        ("dots:4,4 1111111100111111111011111101111111100001 1 5-3", 4),
    ],
    ids=["chain", "loop"],
)
def test_y7_a_greedy_slip_says_how_many_boxes_should_have_been_left(text: str, left: int) -> None:
    position = papan.position(text)
    board, support = Strings(position), Support.of(position.game)
    slips = (support.slip(position, 4, Random(seed)) for seed in range(20))
    greedy = [each.message for each in slips if each and each.message.key == "dots.slip_greedy"]
    assert declines(board, min(board.drawn)) == {left}
    assert greedy and {each.values["left"] for each in greedy} == {left}


@pytest.mark.parametrize(
    ("spec", "levels"),
    [
        ("adjacency:6,6,12", {"greedy": {1, 2, 3, 4}, "far": {1, 2, 3}, "count": {1, 2}}),
        ("dots:3,3", {"sides": {1, 2, 3}, "boxes": {1}}),
    ],
)
def test_y7_each_level_overlooks_what_its_level_overlooks(
    spec: str, levels: dict[str, set[int]]
) -> None:
    support, found = Support.of(papan.game(spec)), dict[str, set[int]]()
    for position in by_chance(spec, 60):
        for level in (1, 2, 3, 4):
            for seed in range(4):
                if slip := support.slip(position, level, Random(seed)):
                    key = slip.message.key.partition("slip_")[2]
                    found.setdefault(key, set()).add(level)
    assert {key: found[key] for key in levels} == levels


def by_chance(spec: str, count: int) -> Iterator[Position]:
    """Positions of games by chance that are not over."""
    rng, position = Random(f"slips {spec}"), papan.position(spec)
    for _ in range(count):
        yield position
        position = position.child(rng.choice(position.moves()))
        position = papan.position(spec) if position.is_over else position


def row_of_chains(*lengths: int) -> Position:
    """Chains of these lengths beside each other, each open at the upper sides of its ends."""
    top, bottom, down = "", "", "1"
    for length in lengths:
        top += f"0{'1' * (length - 2)}0" if length > 1 else "0"
        bottom += "1" * length if length > 1 else "0"
        down += "0" * (length - 1) + "1"
    return papan.position(f"dots:1,{len(top)} {top}{bottom}{down} 1 0-0")


@pytest.mark.parametrize(
    ("lengths", "given"),
    [
        ((1, 2, 3), [{2, 3}, set(), set(), set()]),
        ((2, 3, 4), [{3, 4}, {3, 4}, set(), set()]),
        ((3, 4, 5), [{4, 5}, {4, 5}, {4, 5}, set()]),
        ((4, 5), [{5}, {5}, {5}, {5}]),
    ],
)
def test_y7_a_level_counts_as_many_boxes_of_a_chain_as_its_number(
    lengths: tuple[int, ...], given: list[set[int]]
) -> None:
    position = row_of_chains(*lengths)
    board, support = Strings(position), Support.of(position.game)
    assert {board.to_take([line]) for line in board.left} == {*lengths}
    for level, boxes in enumerate(given, 1):
        slips = [support.slip(position, level, Random(seed)) for seed in range(60)]
        chains = [each for each in slips if each and each.message.key == "dots.slip_chains"]
        assert {each.message.values["boxes"] for each in chains} == boxes, level
        assert all(each.message.values["fewest"] == lengths[0] for each in chains)


@pytest.mark.parametrize(("open_boxes", "overlooked"), [(1, True), (2, True), (3, False)])
def test_y7_a_beginner_overlooks_two_boxes_at_most(open_boxes: int, overlooked: bool) -> None:
    size = open_boxes + 3
    across = "1" * open_boxes + "000"
    position = papan.position(f"dots:1,{size} {across}{across}1{'0' * size} 1 0-0")
    board, support = Strings(position), Support.of(position.game)
    assert board.to_take() == open_boxes and board.safe(board.drawn)
    keys = {
        slip.message.key for seed in range(30) if (slip := support.slip(position, 1, Random(seed)))
    }
    assert ("dots.slip_boxes" in keys) == overlooked


@pytest.mark.parametrize(("chain", "slips"), [(2, False), (3, True)])
def test_y7_to_take_all_is_a_slip_only_before_a_long_chain(chain: int, slips: bool) -> None:
    """Two boxes can be taken or left; then a chain of two or three must be opened."""
    size = 2 + chain
    down, top = f"101{'0' * (chain - 1)}1", f"100{'1' * (chain - 2)}0"
    position = papan.position(f"dots:1,{size} {top}{'1' * size}{down} 1 0-0")
    board, support = Strings(position), Support.of(position.game)
    assert board.to_take() == 2
    found = {
        slip.message.key for seed in range(30) if (slip := support.slip(position, 4, Random(seed)))
    }
    assert ("dots.slip_greedy" in found) == slips


def test_a_look_that_was_cut_off_is_not_told_as_one_of_so_many_plies() -> None:
    text = "connect4:7,10 ........../........../........../....xo..../....ox.o../"
    position = catalog.position(f"{text}...xxo.o../...xoxxo.. x")
    said = set[tuple[int, object]]()
    for nodes in (1, 3, 30, 10_000):
        level = Level(number=4, seed=1)
        found = level._short(position, 1, Thinking(Limit(nodes=nodes)))
        said.add((nodes, found and dict(found.message.values)["plies"]))
    assert said == {(1, None), (3, None), (30, None), (10_000, None)}  # two plies see the threat
