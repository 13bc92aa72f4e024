"""The check of each sentence, and positions and games by chance to check them on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from papan import api, catalog
from papan.core import Coach, Game, Move, Position
from papan.core.message import LANGUAGES, text_of
from papan.core.reasons import Reason
from papan.core.reviewer import Verdict
from tests.sentences import boxes, lines, marks, pairs
from tests.sentences.boards import Lines, threatened
from tests.sentences.said import Said, best_for, best_play


def changed(said: Said) -> bool:
    """What became of the result."""
    before, _, after = said.key.removeprefix("review.").rpartition("_to_")
    signs = {"win": 1, "draw": 0, "loss": -1}
    found = [(value > 0) - (value < 0) for value in said.values_of_both()]
    return found == [signs[before], signs[after]]


def same_result(said: Said) -> bool:
    instead, now = said.values_of_both()
    sign = 1 if said.key == "review.wins_less" else -1
    return instead * sign > 0 and now * sign > 0 and instead - now == said.values["lost"]


TRUE: dict[str, Callable[[Said], Any]] = {
    **lines.TRUE,
    **boxes.TRUE,
    **marks.TRUE,
    **pairs.TRUE,
    **dict.fromkeys(("review.win_to_draw", "review.win_to_loss", "review.draw_to_loss"), changed),
    **dict.fromkeys(("review.wins_less", "review.loses_more"), same_result),
}
"""The check of each sentence, by its key."""
OUTCOMES = {
    *("review.win_to_draw", "review.win_to_loss", "review.draw_to_loss"),
    *("review.wins_less", "review.loses_more", "review.uncleared"),
    *("review.could_win_in", "review.loses_in", "review.at_least"),
    *("review.guessed", "review.guessed_better"),
}
"""What became of the game: not why."""


def demand(said: Said) -> None:
    """That a sentence is true, and can be said in every language."""
    text = text_of(said.key, "en", player="X", rival="O", **said.values)
    sentence = f"{said.position}, {said.name}: {text}"
    for language in LANGUAGES:
        assert "{" not in text_of(said.key, language, player="X", rival="O", **said.values), (
            sentence
        )
    assert TRUE[said.key](said), sentence


def demand_verdict(verdict: Verdict) -> None:
    for each in verdict.said:
        demand(Said(each.key, each.values, verdict.position, verdict.move, verdict))


def demand_reason(found: Reason) -> Iterator[str]:  # noqa: C901
    """That each sentence of a reason is true; yields the keys of what follows and of contrasts."""
    position, move = found.position, found.move
    for clause in found.clauses:
        key, values = clause.message.key, clause.message.values
        before = position
        for each in clause.line:
            assert before.allows(each)
            before = before.child(each)
        match key:
            case "reason.then":
                reply, later = clause.line[1:]
                assert values["reply"] == position.game.move_name(reply)
                before = position.child(move).child(reply)
                said = Said(values["deed"].key, values["deed"].values, before, later)
            case "reason.instead":
                deed = values["deed"]
                other = position.legal_move(deed.values["move"])
                assert other != move
                said = Said(deed.key, deed.values, position, other)
            case "reason.instead_reply":
                before = position.child(position.legal_move(values["other"]))
                theirs, reply = values["theirs"], before.legal_move(values["reply"])
                said = Said(theirs.key, theirs.values, before, reply)
            case "reason.instead_draws" | "reason.instead_loses" | "reason.instead_worse":
                after = position.child(position.legal_move(values["other"]))
                worse, best = best_for(after, position.turn), best_play(position)[0]
                assert worse < best, (str(position), values)
                assert key != "reason.instead_draws" or worse == 0
                assert key != "reason.instead_loses" or worse < 0
                assert "points" not in values or values["points"].amount == best - worse
                yield key
                continue
            case "connect4.reason_parity" | "connect4.reason_parity_new":
                lines.demand_parity(position, clause.line, values)
                there = threatened(Lines(position), values["place"])
                assert there == (key == "connect4.reason_parity")
                continue
            case "reason.only_move":
                assert [*position.moves()] == [move]
                continue
            case "reason.puts_off":
                (value, plies), answer = best_play(position), best_play(position.child(move))
                assert plies is not None and plies > 2, str(position)
                assert value < 0 and answer == (1, plies - 1), str(position)
                continue
            case "reason.quiet":
                continue
            case _:
                said = Said(key, values, position, move)
        demand(said)
        if clause.kind in ("then", "instead"):
            yield key


def game_by_chance(game: Game, rng: Random) -> tuple[list[Position], list[Move]]:
    positions, moves = [game.start()], list[Move]()
    while not positions[-1].is_over:
        moves.append(rng.choice(positions[-1].moves()))
        positions.append(positions[-1].child(moves[-1]))
    return positions, moves


def positions_by_chance(spec: str, count: int) -> Iterator[tuple[Position, Move]]:
    """Moves of games by chance, from every part of a game."""
    rng = Random(f"sentences {spec}")
    while count > 0:
        positions, moves = game_by_chance(catalog.game(spec), rng)
        for ply in rng.sample(range(len(moves)), min(len(moves), 8, count)):
            yield positions[ply], moves[ply]
            count -= 1


def verdicts(positions: Sequence[Position], moves: Sequence[Move]) -> Iterator[Verdict]:
    return api.reviewer(positions, moves, seconds=60).verdicts()


def keys_of_deeds(position: Position, move: Move) -> list[str]:
    """The keys of the reasons that the board gives for a move, such as ``gives``."""
    deeds = Coach.of(position).deeds(move)
    return [each.message.key.partition("reason_")[2] for each in deeds]
