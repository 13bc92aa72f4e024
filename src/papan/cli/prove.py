"""``papan prove``: prove a position in parts that survive any interruption, or check a proof."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
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
    complaint,
    position_of,
    worker_count,
)
from papan.cli.tournament import CATALOG
from papan.core import PapanError, Position
from papan.core.analysis import finite
from papan.core.interrupts import stopped_by_signal
from papan.core.printable import short
from papan.lab.check import Leaf, ProofCheck, ProofChecker
from papan.lab.files import data_folder, writing
from papan.lab.prove import MarginBounds, RemainingWork, SplitProof
from papan.lab.work import Executor, local_executor, run_timed
from papan.terminal.output import (
    figure,
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
    no_theory: Annotated[bool, typer.Option("--no-theory")] = False,
    samples: Annotated[int, typer.Option(metavar="N")] = 20,
    seed: Seed = 0,
    json: JsonOption = False,
) -> None:
    """Prove a position in parts and write the proof to a file, or check the proof *check_file*.

    *position* (a spec or a text), after *moves*, is split after *plies* moves (None: a usual
    number); *proof_file* None: one in the data folder. Parts are solved by *workers* processes
    (None: one per core) or the dask scheduler at *cluster*, with *memory* megabytes each; *trust*
    accepts results that another user has written to the log. A check with *no_theory* also proves
    *samples* leaves, drawn by *seed*, by plain alpha-beta alone, without what papan knows of the
    game (static bounds, books, databases), and *proof_file* is the log of a check (None: ``checks``
    in the data folder). After *most_seconds* it stops, and can be resumed; *json* prints JSON.
    After Ctrl-C, print the result so far, of a proof also how to resume, and raise
    KeyboardInterrupt. Raise PapanError if an option is invalid, a file cannot be read or written,
    or another run uses it; a check exits with 1 unless everything was checked and true.
    """
    count = worker_count(workers)
    if check_file is not None:
        if samples < 0:
            raise PapanError("prove.bad_samples", samples=samples)
        log = proof_file or data_folder() / "checks"
        drawn = samples if no_theory else 0
        checker = ProofChecker(check_file, log, CATALOG, memory, drawn, seed)
        with stopped_by_signal(), _executor(cluster, count) as executor:
            _check(checker, executor, most_seconds, json)
        return
    if position is None or not position.strip():
        raise PapanError("prove.nothing")
    root = position_of(position, moves)
    path = proof_file or data_folder() / "proofs" / f"{_name(root)}.proof"
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
    """Return the file name of a position's proof, without a suffix, such as ``connect4-6-7``.

    If the position is not the start of its game, a hash of its text follows, 8 hexadecimal digits.
    """
    name = re.sub("[^a-z0-9]+", "-", root.game.spec).strip("-")
    if root == root.game.start():
        return name
    return f"{name}-{_digest(str(root))}"


def _digest(text: str) -> str:
    """Return the first 8 hexadecimal digits of the SHA-256 of *text*."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _executor(address: str | None, workers: int) -> AbstractContextManager[Executor]:
    """Return a context with the executor that solves parts.

    That is the dask cluster at *address*, or (None) *workers* processes here. Entering it raises
    PapanError if no cluster answers.
    """
    if address is None:
        return local_executor(workers)
    from papan.lab.tournament.run import cluster

    return cluster(address, run_timed)


def _run(proof: SplitProof, executor: Executor, memory: int, seconds: float) -> None:
    """Solve parts for at most *seconds*, with *memory* megabytes each; print progress.

    Whenever a part is solved, a line is printed if the last one is more than `PAUSE` seconds old or
    the bounds of the root have changed; else a line on a terminal is overwritten (`rewrite`). Raise
    PapanError if another run has the log, or processes die repeatedly.
    """
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
    """Return in words what is proved of a value: its *bounds* in points."""
    return say("prove.between", span=_span(bounds))


def _span(bounds: MarginBounds) -> str:
    """Return the range of a value in points as text; one number if both bounds are equal."""
    low, high = map(value_text, bounds)
    return say("prove.span_exact" if low == high else "prove.span", low=low, high=high)


def _left(left: RemainingWork) -> str:
    """Return the remaining work in words: number of parts, and the time (h:mm:ss) if it is known.

    Both are given for the best and the worst case, and with them the margin that is to be proved
    or refuted next.
    """
    goal = value_text(left.goal)
    counts = {"goal": goal, "least": left.least_parts, "most": left.most_parts}
    if not isfinite(left.most_seconds):
        return say("prove.left_unknown", **counts)
    soonest, latest = _time(left.least_seconds), _time(left.most_seconds)
    return say("prove.left", soonest=soonest, latest=latest, **counts)


def _time(seconds: float) -> str:
    """Return *seconds*, which must be finite, as ``h:mm:ss``, rounded down."""
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{int(seconds) % 60:02}"


def _show(proof: SplitProof, json: bool) -> None:
    """Print the proved value for the seat to move, and the work done and left, as text or JSON.

    *json* prints one line with the keys position, plies, low and high (the bounds; None for an
    infinite one), exact (True if the value is proved), left (a dict: goal, and parts and seconds,
    each a list of the best and the worst case, None for unknown seconds), file (the path of the
    proof), parts (their number), asked (the number of parts solved), nodes and seconds. A proof
    that is not complete names its log in text.
    """
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
        exact = {"exact": tree.settled, "left": to_come, "file": str(proof.path)}
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
    path = proof.path if tree.settled else proof.log.path
    print(say("prove.work", skipped=skipped, path=path, **work))


def _check(checker: ProofChecker, executor: Executor, seconds: float, json: bool) -> None:
    """Check a proof for at most *seconds* and print the result, as text or JSON.

    Exit with 1 unless everything was checked and true; raise PapanError if the file cannot be read.
    After Ctrl-C print the result so far, unless *json*, and raise KeyboardInterrupt.
    """
    result: ProofCheck | None = None
    began = monotonic()
    try:
        with _reading(checker):
            for result in checker.check(executor, seconds):
                rewrite(_checking(result, monotonic() - began))
    except KeyboardInterrupt:
        rewrite("")
        if result is not None and not json:
            print("\n".join(_check_lines(result)))
        raise
    rewrite("")
    assert result is not None  # the first result always comes
    if json:
        print_json(_check_facts(result))
    else:
        print("\n".join(_check_lines(result)))
    if not result.whole:
        raise typer.Exit(1)


@contextmanager
def _reading(checker: ProofChecker) -> Iterator[None]:
    """Turn an OSError in this context into a PapanError that names the file.

    The file is the proof or the log of *checker*. A FileNotFoundError means that there is no proof;
    it is left as it is if the proof exists.
    """
    try:
        yield
    except FileNotFoundError:
        if checker.path.exists():
            raise
        raise PapanError("prove.no_proof", path=checker.path) from None
    except OSError as error:
        path = error.filename or checker.path
        raise PapanError("error.cannot_read", path=path, why=error.strerror or error) from None


def _checking(result: ProofCheck, seconds: float) -> str:
    """Return a line of progress: positions or leaves checked, and the remaining time (h:mm:ss).

    First positions are counted, then leaves with the time, at last the leaves that are checked
    again by plain alpha-beta. *seconds* have passed since the check began; the time is ``?`` until
    a leaf has been checked in them.
    """
    done, leaves = result.found.decided, len(result.leaves)
    if not result.walked:
        whole = result.certificate.positions
        return say("prove.walking", done=result.inner + leaves, positions=whole)
    if done == leaves:
        return say("prove.checking_plainly", done=result.plain.decided, samples=len(result.sample))
    fresh = done - result.found.logged
    left = _time(seconds / fresh * (leaves - done)) if fresh > 0 else "?"
    return say("prove.checking", done=done, leaves=leaves, left=left)


def _check_lines(result: ProofCheck) -> list[str]:
    """Return sentences on what was checked and what was not, a line each.

    The last one is the verdict on the proof.
    """
    proof, found, plain = result.certificate, result.found, result.plain
    lines = [
        say(
            "prove.claim",
            position=proof.position,
            least=value_text(each.claim.least),
            player=seat_title(result.position, each.claim.seat),
        )
        for each in proof.proofs
    ]
    lines.append(say("prove.made", made=short(proof.made)))
    if result.refuted is not None:
        return [*lines, complaint(result.refuted), say("prove.unsound")]
    counts = {"inner": result.inner, "leaves": len(result.leaves)}
    if not result.walked:
        return [*lines, say("prove.not_walked", positions=proof.positions, **counts)]
    left = len(result.leaves) - found.decided
    lines.append(say("prove.inner", **counts))
    work = {"nodes": found.nodes, "seconds": figure(found.seconds, ".1f")}
    facts = {"proved": found.proved, "wrong": len(found.false), "left": left, **work}
    lines.append(say("prove.leaves", leaves=len(result.leaves), **facts))
    if result.sample:
        tried = plain.decided + len(plain.undecided)
        counts = {"proved": plain.proved, "wrong": len(plain.false)}
        counts |= {"undecided": len(plain.undecided), "left": len(result.sample) - tried}
        lines.append(say("prove.plainly", samples=len(result.sample), **counts))
    else:
        lines.append(say("prove.theory_trusted"))
    lines += [_false_line(result, leaf) for leaf in [*found.false, *plain.false]]
    unrefuted = "prove.sound" if result.whole else "prove.unfinished"
    return [*lines, say("prove.unsound" if result.refutes else unrefuted)]


def _false_line(result: ProofCheck, leaf: Leaf) -> str:
    """Return a sentence that the claim of *leaf*, a position with its least margin, is false."""
    least, player = value_text(leaf.claim.least), seat_title(result.position, leaf.claim.seat)
    return say("prove.false", position=leaf.position, least=least, player=player)


def _check_facts(result: ProofCheck) -> dict[str, Any]:
    """Return the result of a check of a proof as JSON data.

    Its keys: *position* (text), *low* and *high* (the claimed bounds in points for the seat to
    move), *made* (a text about how the proof was made), *positions* (their number in the proof),
    *inner* (positions checked that are no leaves), *leaves* and *without_theory* (dicts of numbers:
    all, proved, unchecked; *false* has the texts of wrong ones), *nodes* and
    *seconds* of the searches, *refuted* (the fault of the proof as text, or None), and *whole*
    (True if everything was checked and true). *without_theory* is on the leaves that were drawn for
    plain alpha-beta, and has the number *undecided*, which took it too long.
    """
    proof, found, plain = result.certificate, result.found, result.plain
    low, high = proof.bounds(result.position.turn, result.position.game.largest_margin)
    return {
        "position": proof.position,
        "low": low,
        "high": high,
        "made": proof.made,
        "positions": proof.positions,
        "inner": result.inner,
        "leaves": {
            "all": len(result.leaves),
            "proved": found.proved,
            "false": [leaf.position for leaf in found.false],
            "unchecked": len(result.leaves) - found.decided,
        },
        "without_theory": {
            "all": len(result.sample),
            "proved": plain.proved,
            "false": [leaf.position for leaf in plain.false],
            "undecided": len(plain.undecided),
            "unchecked": len(result.sample) - plain.decided - len(plain.undecided),
        },
        "nodes": found.nodes,
        "seconds": round(found.seconds, 3),
        "refuted": str(result.refuted) if result.refuted else None,
        "whole": result.whole,
    }
