"""``papan prove``: prove a position in parts that survive any interruption, and check a proof."""

from __future__ import annotations

import hashlib
import re
import shlex
from contextlib import AbstractContextManager
from math import inf, isfinite
from pathlib import Path
from time import monotonic
from typing import Annotated, Any

import typer

from papan.cli.arguments import (
    Cluster,
    JsonOption,
    Memory,
    Moves,
    PositionOrNone,
    Seed,
    Workers,
    position_of,
    worker_count,
)
from papan.cli.tournament import CATALOG
from papan.core import PapanError, Position
from papan.core.analysis import finite
from papan.core.interrupts import stopped_by_signal
from papan.lab.files import data_folder, writing
from papan.lab.prove import MarginBounds, ProofCheck, ProofChecker, RemainingWork, SplitProof
from papan.lab.work import Executor, local_executor, run_timed
from papan.terminal.output import (
    print_json,
    program,
    progress,
    rewrite,
    say,
    seat_title,
    value_text,
)

PAUSE = 10.0
"""Seconds between two lines of progress."""

File = Annotated[Path | None, typer.Option("--file", metavar="FILE", show_default=False)]


def prove(
    position: PositionOrNone = None,
    moves: Moves = "",
    plies: Annotated[int | None, typer.Option(metavar="N", show_default=False)] = None,
    proof_file: File = None,
    workers: Workers = None,
    cluster: Cluster = None,
    memory: Memory = 256,
    most_seconds: Annotated[float, typer.Option("--seconds", metavar="S")] = inf,
    trust: Annotated[bool, typer.Option("--trust")] = False,
    check_file: Annotated[Path | None, typer.Option("--check", metavar="FILE")] = None,
    samples: Annotated[int, typer.Option(metavar="N")] = ProofChecker.samples,
    seed: Seed = 0,
    json: JsonOption = False,
) -> None:
    """Prove a position, or check a proof."""
    if check_file is not None:
        if samples < 0:
            raise PapanError("prove.bad_samples", samples=samples)
        _check(check_file, ProofChecker(CATALOG, samples, seed), json)
        return
    if position is None or not position.strip():
        raise PapanError("prove.nothing")
    count = worker_count(workers)
    root = position_of(position, moves)
    path = proof_file or data_folder() / "proofs" / f"{_name(root)}.jsonl"
    proof: SplitProof | None = None
    try:
        with writing(path):
            proof = SplitProof(path, root, plies, trust)
            with stopped_by_signal(), _executor(cluster, count) as executor:
                _run(proof, executor, memory, most_seconds)
    except KeyboardInterrupt:
        if proof is not None:
            rewrite("")
            _show(proof, json)
            command = [program(), "prove", str(root), "--file", str(path)]
            progress(say("lab.resume", command=shlex.join(command)))
        raise
    _show(proof, json)


def _name(root: Position) -> str:
    """Return the default file name of a position's proof."""
    name = re.sub("[^a-z0-9]+", "-", root.game.spec).strip("-")
    if root == root.game.start():
        return name
    return f"{name}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}"


def _executor(address: str | None, workers: int) -> AbstractContextManager[Executor]:
    """Return the executor that solves parts: the cluster at *address*, or this machine."""
    if address is None:
        return local_executor(workers)
    from papan.lab.tournament.run import cluster

    return cluster(address, run_timed)


def _run(proof: SplitProof, executor: Executor, memory: int, seconds: float) -> None:
    """Solve parts, and print progress: regularly, and at once when the root's bounds change."""
    tree = proof.tree
    facts = {"parts": len(tree.parts), "plies": tree.plies, "asked": len(proof.asked)}
    progress(say("prove.split", position=str(tree.root.position), **facts))
    last_line, bounds = monotonic(), tree.root.bounds
    for _ in proof.run(executor, CATALOG, memory, seconds):
        if monotonic() > last_line + PAUSE or tree.root.bounds != bounds:
            last_line, bounds = monotonic(), tree.root.bounds
            facts = {"asked": len(proof.asked), "parts": len(tree.parts)}
            left, proved = _left(proof.left()), _between(bounds)
            rewrite("")
            progress(say("prove.progress", proved=proved, left=left, **facts))
        else:
            rewrite(f"{len(proof.asked)}/{len(tree.parts)}  {_between(tree.root.bounds)}")
    rewrite("")


def _between(bounds: MarginBounds) -> str:
    return say("prove.between", span=_span(bounds))


def _span(bounds: MarginBounds) -> str:
    """Return the range of a value as text; one number if it is exact."""
    low, high = map(value_text, bounds)
    return say("prove.span_exact" if low == high else "prove.span", low=low, high=high)


def _left(left: RemainingWork) -> str:
    """Return the remaining work in words."""
    goal = value_text(left.goal)
    counts = {"goal": goal, "least": left.least_parts, "most": left.most_parts}
    if not isfinite(left.most_seconds):
        return say("prove.left_unknown", **counts)
    soonest, latest = _time(left.least_seconds), _time(left.most_seconds)
    return say("prove.left", soonest=soonest, latest=latest, **counts)


def _time(seconds: float) -> str:
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{int(seconds) % 60:02}"


def _show(proof: SplitProof, json: bool) -> None:
    """Print the result, its work, and the remaining work."""
    tree, asked = proof.tree, proof.asked
    root, bounds, left = tree.root.position, tree.root.bounds, proof.left()
    work: dict[str, Any] = {
        "parts": len(tree.parts),
        "asked": len(asked),
        "nodes": sum(part.nodes for part in asked),
        "seconds": round(sum(part.seconds for part in asked), 3),
    }
    if json:
        least, most = finite(left.least_seconds), finite(left.most_seconds)
        to_come = {
            "goal": left.goal,
            "parts": [left.least_parts, left.most_parts],
            "seconds": [least, most],
        }
        facts = {"position": str(root), "plies": tree.plies, **bounds.json()}
        exact = {"exact": tree.settled, "left": to_come, "file": str(proof.log.path)}
        print_json(facts | exact | work)
        return
    values = {"low": value_text(bounds.low), "high": value_text(bounds.high)}
    who = seat_title(root, root.turn)
    if tree.settled:
        print(say("solve.exact", value=values["low"], player=who))
    else:
        print(say("solve.bounds", player=who, **values))
        print(say("prove.stopped", left=_left(left)))
    skipped = len(tree.parts) - len(asked) if tree.settled else 0
    print(say("prove.work", skipped=skipped, path=proof.log.path, **work))


def _check(path: Path, checker: ProofChecker, json: bool) -> None:
    """Check a proof and print the result; the command fails if the proof is wrong."""
    result: ProofCheck | None = None
    try:
        for result in checker.check(path):
            rewrite(say("prove.checking", done=result.looked, samples=checker.samples))
        rewrite("")
    except KeyboardInterrupt:
        rewrite("")
        if result is not None and not json:
            print("\n".join(_check_lines(result, checker.samples)))
        raise
    assert result is not None  # the first result, what the file claims, always comes
    if json:
        print_json(_check_facts(result))
    else:
        print("\n".join(_check_lines(result, checker.samples)))
        print(say("prove.sound" if result.sound else "prove.unsound"))
    if not result.sound:
        raise typer.Exit(1)


def _check_lines(result: ProofCheck, samples: int) -> list[str]:
    root = result.position
    spans = {"found": _span(result.bounds), "said": _span(result.claimed)}
    who = seat_title(root, root.turn)
    counts = {"whole": result.whole, "lines": result.lines, "unreached": result.unreached}
    wrong = [
        say(
            "prove.false",
            position=str(claim.position),
            least=value_text(claim.least),
            player=seat_title(root, claim.seat),
        )
        for claim in result.wrong
    ]
    return [
        say("prove.recomputed", parts=result.parts, player=who, **spans),
        say("prove.checked", looked=result.looked, samples=samples, wrong=len(wrong), **counts),
        *(say("prove.stranger", position=name) for name in result.strangers),
        *wrong,
    ]


def _check_facts(result: ProofCheck) -> dict[str, Any]:
    return {
        "position": str(result.position),
        **result.bounds.json(),
        "claimed": result.claimed.json(),
        "parts": result.parts,
        "whole": result.whole,
        "lines": result.lines,
        "unreached": result.unreached,
        "wrong": [str(claim.position) for claim in result.wrong],
        "strangers": result.strangers,
        "sound": result.sound,
    }
