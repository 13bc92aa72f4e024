"""Proofs in parts: a position is split after some plies, and its parts are solved, the most
promising first.

The order is that of proof-number search whose leaves are jobs (Wu and others, 2010). The question
is whether the position is worth a goal or more. Each part is asked for no more than that, with few
nodes at first, so that an easy answer elsewhere comes before the work on a hard part. Every answer
is in a log before the next question is asked. The end is a `ProofCertificate`: see `check.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from math import inf, isfinite
from pathlib import Path
from statistics import fmean, median_low
from time import monotonic
from typing import NamedTuple

from papan.core import PapanError, PapanWarning, Position, margin
from papan.core.analysis import finite
from papan.core.certificate import (
    LEAF_ENTRY,
    CertificateError,
    ClaimProof,
    ProofCertificate,
    ProofClaim,
)
from papan.core.files import check_regular, open_regular
from papan.core.parts import Support
from papan.lab.files import PUBLIC, write_whole
from papan.lab.log import Json, ResumableLog, RunLog, TimeTaken, read_log
from papan.lab.machine import machine
from papan.lab.statistics.intervals import Interval, bootstrap
from papan.lab.work import Executor, WorkItem, completed
from papan.process.host import lock
from papan.process.lines import ProcessEndedError

FIRST_NODES, GROWTH = 1_000_000, 8
"""Nodes of the first question to a part, and the factor for each question after it."""
USUAL_PLIES, USUAL_PARTS = 4, 1_000
"""Plies after which a position is split by default; fewer if there would be more than so many
parts.
"""
MOST_PARTS = 100_000
MOST_SPLIT_PLIES = 100
"""Largest number of plies after which a position is split; no log of a proof names more."""
BUSY = 1_000
"""Factor on the cost of a part while another process works on it."""
DRAWN = 400
"""Number of bootstrap samples for the uncertainty of the estimated time."""
ATTEMPTS = 3
"""Number of processes in a row that may end without an answer."""


class MarginBounds(NamedTuple):
    """Proved bounds of a final margin, in points, both included; infinite if nothing is proved."""

    low: float = -inf
    high: float = inf

    def turned(self, turns: bool) -> MarginBounds:
        """Return the bounds for the other seat if *turns* is True, else these."""
        return MarginBounds(-self.high, -self.low) if turns else self

    def within(self, other: MarginBounds) -> MarginBounds:
        """Return the intersection of both bounds; if they exclude each other, low is above high."""
        return MarginBounds(max(self.low, other.low), min(self.high, other.high))

    def open(self, goal: float) -> bool:
        """Return whether it is unknown if the margin is *goal* or more: low < goal <= high."""
        return self.low < goal <= self.high

    def json(self) -> dict[str, Json]:
        """Return the bounds as JSON data, ``low`` and ``high``; infinite ones are None."""
        return {"low": finite(self.low), "high": finite(self.high)}

    @classmethod
    def read(cls, found: Mapping[str, Json]) -> MarginBounds:
        """Return the bounds that `json` wrote; raise KeyError if one is missing."""
        low, high = found["low"], found["high"]
        return cls(-inf if low is None else low, inf if high is None else high)


@dataclass(eq=False)
class ProofNode:
    """A position of the tree; a *part* is one without children whose game is not over."""

    position: Position
    """The position (its image), which stands for all that are equal to it by symmetry."""
    mine: bool
    """True if the seat to move here is the seat to move at the root."""
    bounds: MarginBounds
    """Bounds of the final margin of the root's seat, in points, at every node."""
    children: list[ProofNode] = field(default_factory=list)
    """The positions after each move, each once, the likely best first; empty for a part."""
    level: int = 0
    """Number of searches of this part whose limit of nodes was not enough."""
    nodes: int = 0
    """Nodes searched so far."""
    seconds: float = 0.0
    """Seconds spent on it so far."""
    proof: float = 0.0
    """Least cost at which it could be proved from here that the goal is reached; infinite if it is
    refuted. `ProofTree.count` sets it, in the unit of its *cost*; 0 before.
    """
    disproof: float = 0.0
    """Least cost at which that could be refuted; infinite if it is proved."""


class ProofTree:
    """The positions from a root down to a number of plies; of each ply symmetric ones are one node.

    At first the tree is the root alone, which is a part; `grow` adds a ply. The root must not be
    over: not checked.
    """

    def __init__(self, root: Position) -> None:
        self.seat = root.turn
        """The seat to move at the root: margins of the tree are its."""
        most = root.game.largest_margin
        self.root = ProofNode(root, True, MarginBounds(-most, most))
        self.nodes = [self.root]
        """All nodes, parents first: in reverse, children come before their parents."""
        self.plies = 0
        """Plies after which the root is split."""
        self.parts: dict[str, ProofNode] = {str(root): self.root}
        """The parts, by the texts of their positions."""

    def grow(self, most: int) -> bool:
        """Split all parts by one more ply and return True; return False if that would be too much.

        It is too much if the new ply has over *most* positions, games that are over included;
        positions that are equal by symmetry count once. Then nothing is changed.
        """
        layer: dict[Position, ProofNode] = {}
        children: dict[ProofNode, list[ProofNode]] = {}
        for part in self.parts.values():
            after = [each.image() for each in _ordered(part.position)]
            for each in after:
                if each not in layer:
                    layer[each] = self._node(each)
            children[part] = [layer[each] for each in dict.fromkeys(after)]
            if len(layer) > most:
                return False
        for part, found in children.items():
            part.children = found
        self.nodes += layer.values()
        self.plies += 1
        self.parts = {str(at): node for at, node in layer.items() if not at.is_over}
        return True

    def _node(self, position: Position) -> ProofNode:
        """Return a new node of *position*; of a finished game the bounds are its exact margin."""
        most = self.root.position.game.largest_margin
        ahead = margin(position, self.seat) if position.is_over else None
        bounds = MarginBounds(-most, most) if ahead is None else MarginBounds(ahead, ahead)
        return ProofNode(position, position.turn == self.seat, bounds)

    @property
    def settled(self) -> bool:
        """True if the exact value of the root is known."""
        return self.root.bounds.low == self.root.bounds.high

    @property
    def goal(self) -> float:
        """The margin in points that is to be proved or refuted for the seat to move at the root.

        It is 1 (a win) first, then one more than is proved; never above the proved upper bound.
        """
        low, high = self.root.bounds
        return min(max(1.0, low + 1), high)

    def fold(self) -> None:
        """Propagate the bounds of the parts up to the root by minimax, in place."""
        for node in reversed(self.nodes):
            if node.children:
                best = max if node.mine else min
                low = best(child.bounds.low for child in node.children)
                high = best(child.bounds.high for child in node.children)
                node.bounds = node.bounds.within(MarginBounds(low, high))

    def count(self, cost: Callable[[ProofNode], float]) -> None:
        """Compute *proof* and *disproof* of all nodes for the present goal, given the *cost* of a
        part.

        They are in the unit of *cost*, such as nodes: the least cost at which the goal could be
        proved, or refuted; a part that several lines share is counted for each. Where the goal is
        proved already, *proof* is 0 and *disproof* infinite; where it is refuted, the other way
        round.
        """
        goal = self.goal
        for node in reversed(self.nodes):
            if not node.bounds.open(goal):
                reached = node.bounds.low >= goal
                node.proof, node.disproof = (0.0, inf) if reached else (inf, 0.0)
            elif not node.children:
                node.proof = node.disproof = cost(node)
            else:
                proofs = [child.proof for child in node.children]
                disproofs = [child.disproof for child in node.children]
                node.proof = min(proofs) if node.mine else sum(proofs)
                node.disproof = sum(disproofs) if node.mine else min(disproofs)

    def open_parts(self) -> list[ProofNode]:
        """Return the parts on which it may still depend whether the goal is reached.

        Empty if the value is known.
        """
        goal, found, todo = self.goal, dict[ProofNode, None](), [self.root]
        while todo:
            node = todo.pop()
            if node not in found and node.bounds.open(goal):
                found[node] = None
                todo += node.children
        return [node for node in found if not node.children]

    def promising(self, busy: Collection[ProofNode] = ()) -> ProofNode | None:
        """Return the part to search next: where the fewest nodes may decide if the goal is reached.

        *busy* are parts that are being searched already. If the part found is one of them, return
        instead the one with the lowest level of the other parts on which the goal may depend
        (`open_parts`); None if all of these are busy. *proof* and *disproof* of all nodes are
        computed anew. The value of the root must not be known yet; not checked.
        """
        levels = [part.level for part in self.parts.values() if part.nodes]
        usual = median_low(levels) if levels else 0

        def cost(part: ProofNode) -> int:
            """Return the limit of nodes of the next search of *part*, times `BUSY` if one runs.

            Its level counts as at least the median level of the parts that were searched before.
            """
            return granted(max(part.level, usual)) * (BUSY if part in busy else 1)

        self.count(cost)
        node, goal = self.root, self.goal
        while node.children:
            choices = [child for child in node.children if child.bounds.open(goal)]
            mine = node.mine
            node = min(choices, key=lambda child: child.proof if mine else child.disproof)
        if node not in busy:
            return node
        others = (part for part in self.open_parts() if part not in busy)
        return min(others, key=lambda part: part.level, default=None)


def _ordered(position: Position) -> list[Position]:
    """Return the positions after each move, the best evaluation for the mover first.

    The evaluation is that of the game's `Support`.
    """
    game, seat = position.game, position.turn
    after = [position.child(move) for move in position.moves()]
    evaluate = Support.of(game).evaluate
    return sorted(after, key=lambda child: -evaluate(child, seat))


def granted(level: int) -> int:
    """Return the limit of nodes of a search of a part: `FIRST_NODES` * `GROWTH` ** *level*.

    *level*, from 0, is the number of its searches whose limit was not enough (`ProofNode.level`).
    """
    return FIRST_NODES * int(GROWTH**level)


def split(root: Position, plies: int | None) -> ProofTree:
    """Return the tree of a proof of *root*, split after *plies*, or earlier if all lines end.

    None: `USUAL_PLIES`, or fewer so that no ply has more than `USUAL_PARTS` positions. Raise
    PapanError if the game is not for two or is over, if *plies* is not from 1 to
    `MOST_SPLIT_PLIES`, or if a ply down to there has more than `MOST_PARTS` positions.
    """
    if root.game.seats != 2:
        raise PapanError("prove.not_for_two", game=root.game.spec)
    if root.is_over:
        raise PapanError("prove.over", position=str(root))
    if plies is not None and not 1 <= plies <= MOST_SPLIT_PLIES:
        raise PapanError("prove.bad_plies", plies=plies, most=MOST_SPLIT_PLIES)
    tree = ProofTree(root)
    while tree.plies < (plies or USUAL_PLIES) and tree.parts:
        if not tree.grow(MOST_PARTS if plies else USUAL_PARTS):
            if plies:
                raise PapanError("prove.too_many", plies=plies, most=MOST_PARTS, fewer=tree.plies)
            break
    return tree


@dataclass(frozen=True)
class RemainingWork:
    """Estimate of the work that is left until it is known whether the present goal is reached.

    Parts are positions that one search solves; seconds are those of one process, in the worst case
    infinite until enough parts have answered.
    """

    goal: float
    """Margin in points that is to be proved or refuted; another one may follow."""
    least_parts: int
    """Number of parts in the best case; one that several lines share is counted for each."""
    most_parts: int
    """Number of parts in the worst case."""
    each: Interval | None
    """Mean seconds of a part, all of its questions together; None before the first answer."""
    least_seconds: float
    most_seconds: float
    """Work in seconds in the worst case; *least_seconds* in the best."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock the log *path* within the context; raise PapanError if another run has locked it.

    If there is no file, or the system has no locks, nothing is locked. Raise PapanError, too, if
    *path* is no regular file or has several hard links, OSError if it cannot be opened to write or
    its file system has no locks.
    """
    if not path.exists():
        yield
        return
    with open_regular(path, "ab") as file:
        try:
            lock(file)
        except BlockingIOError:
            raise PapanError("prove.running", path=path) from None
        except PapanError:  # the system has no locks
            pass
        yield


class SplitProof:
    """A proof in parts: its tree, the log with all results, and the certificate that they make."""

    def __init__(
        self, path: Path, root: Position, plies: int | None = None, trust: bool = False
    ) -> None:
        """Continue the work on the proof of *root* that the file *path* is to contain, or begin it.

        Its log is beside it (`log_of`), and is created if it is missing. *plies* is that of
        `split`; None: as in the log, if there is one. Results in the log without a seal, which
        shows that this user has found them, are ignored with a PapanWarning; *trust* accepts them.

        Raise PapanError if the file *path* exists and is no certificate of a proof of *root*; if
        the log exists and cannot be read, is damaged, is of another proof or of other *plies*, or
        is in use; and as `split` does. Raise OSError if the file *path* cannot be read or the log
        not be written.
        """
        self.path, path = path, log_of(path)
        _check_free(self.path, root)
        earlier = _read_log(path)
        if earlier is not None and earlier.header["proof"] == str(root):
            plies = earlier.header["plies"] if plies is None else plies
        self.tree = split(root, plies)
        identity = {"proof": str(root), "plies": plies or self.tree.plies}
        if earlier is not None and any(earlier.header[key] != identity[key] for key in identity):
            facts = {key: earlier.header[key] for key in identity}
            raise PapanError("prove.other_log", path=path, **facts)
        facts = {"began": datetime.now(UTC).isoformat(timespec="seconds"), **machine()}
        self.log = ResumableLog(path, identity, facts, sealed=True)
        with locked(path):
            self.log.open(trust=trust)
        if self.log.ignored:
            ignored = PapanError("prove.ignored", path=path, count=self.log.ignored)
            warnings.warn(PapanWarning(ignored), stacklevel=2)
        for name, part in self.tree.parts.items():
            if name in self.log.found:
                self._learn(part, self.log.found[name])
        self.tree.fold()

    def _learn(self, part: ProofNode, found: Mapping[str, Json]) -> None:
        """Set the level, nodes and seconds of *part*, and narrow its bounds, as *found* says.

        *found* is the part's result in the log, with ``level``, ``nodes``, ``seconds``, ``low`` and
        ``high``, the last two in points for the seat to move in the part. The tree is not folded.
        """
        part.bounds = part.bounds.within(MarginBounds.read(found).turned(not part.mine))
        part.level, part.nodes, part.seconds = found["level"], found["nodes"], found["seconds"]

    def run(
        self, executor: Executor, catalog: str, memory: int = 256, seconds: float = inf
    ) -> Iterator[ProofNode]:
        """Search parts by *executor* until the value is known or *seconds* are over; yield each
        that answered.

        Each process has *memory* megabytes; *catalog* is the module in which it finds games. When
        the value is known, the certificate is written to `path`, unless that file exists. An answer
        is in the log and in the tree before its part is yielded. Raise PapanError if `ATTEMPTS`
        processes in a row end without an answer, or if another run has the log; OSError if log or
        certificate cannot be written; and what a search raises.
        """
        lost, tree = 0, self.tree
        ask, end = partial(self._question, catalog, memory), monotonic() + seconds
        with locked(self.log.path):
            for (part, goal), future in completed(executor, ask, lambda: tree.settled, end):
                try:
                    answer, took = future.result()
                except ProcessEndedError:  # the system may be out of memory: ask again
                    lost += 1
                    if lost == ATTEMPTS:
                        name = str(part.position)
                        raise PapanError("prove.lost", position=name, times=lost) from None
                    continue
                lost = 0
                self._keep(part, goal, answer, took)
                yield part
            if tree.settled and not self.path.exists():
                write_whole(self.path, self.certificate().data(), PUBLIC)

    def _question(
        self, catalog: str, memory: int, asked: Collection[tuple[ProofNode, float]]
    ) -> tuple[tuple[ProofNode, float], WorkItem] | None:
        """Return the part to search next, with its goal, and its work item; None if there is none.

        There is none if all parts on which the goal may depend are *asked*: these are the parts
        that are being searched, with their goals. A goal is in points for the seat to move in the
        part; *memory* is in megabytes, *catalog* the module in which a process finds games.
        """
        part = self.tree.promising({busy for busy, _ in asked})
        if part is None:
            return None
        goal = self.tree.goal if part.mine else 1 - self.tree.goal  # if they do, we do not
        arguments = (catalog, str(part.position), goal, granted(part.level), memory)
        return (part, goal), WorkItem("part", solve_part, arguments)

    def _keep(self, part: ProofNode, goal: float, answer: Json, took: TimeTaken) -> None:
        """Record *answer*, JSON data of `solve_part`, in the log and in the tree; *took* is its
        time.

        *goal* is that of the search, in points for the seat to move in *part*. Raise OSError if the
        log cannot be written.
        """
        bounds = MarginBounds.read(answer).within(part.bounds.turned(not part.mine))
        found = {
            **bounds.json(),
            "level": part.level + bounds.open(goal),
            "nodes": part.nodes + answer["nodes"],
            "seconds": round(part.seconds + answer["seconds"], 6),
        }
        self.log.keep(str(part.position), found, took)
        self._learn(part, found)
        self.tree.fold()

    @property
    def asked(self) -> list[ProofNode]:
        """The parts that were searched at least once, in this run or an earlier one."""
        return [part for name, part in self.tree.parts.items() if name in self.log.found]

    def certificate(self) -> ProofCertificate:
        """Return the certificate of what is proved; raise CertificateError if nothing is."""
        root, bounds = self.tree.root.position, self.tree.root.bounds
        most, seat = root.game.largest_margin, root.turn
        claims = [ProofClaim(seat, bounds.low), ProofClaim(1 - seat, -bounds.high)]
        entries = partial(_entry, {node.position.image(): node for node in self.tree.nodes})
        proofs = [
            ClaimProof.written(root, claim, partial(entries, claim))
            for claim in claims
            if claim.least > -most
        ]
        if not proofs:
            raise CertificateError("prove.nothing_yet", position=str(root))
        parts = {"parts": len(self.asked), "plies": self.tree.plies}
        made = "papan {papan}, {parts} parts after {plies} plies, began {began}"
        return ProofCertificate(str(root), made.format(**parts, **self.log.facts), tuple(proofs))

    def left(self) -> RemainingWork:
        """Return an estimate of the remaining work, as if parts to come were like those that are
        done.

        Done are parts with an answer that narrowed their bounds. No work is left if the value is
        known. `ProofNode.proof` and `disproof` of the tree are overwritten.
        """
        tree = self.tree
        still = [] if tree.settled else tree.open_parts()
        most_ahead = tree.root.position.game.largest_margin
        nothing = MarginBounds(-most_ahead, most_ahead)
        done = [part.seconds for part in self.asked if part.bounds != nothing]
        mean = fmean(done) if done else 0.0
        tree.count(lambda part: 1)
        least_parts = min(tree.root.proof, tree.root.disproof)

        def cost(part: ProofNode) -> float:
            return max(mean or 1, GROWTH * part.seconds)

        tree.count(cost)
        least = min(tree.root.proof, tree.root.disproof)
        each = bootstrap(done, rounds=DRAWN) if done else None
        low, high = (max(each.low, 0.0), each.high) if each else (0.0, inf)
        most = sum(map(cost, still)) / (mean or 1) * high if still else 0.0
        return RemainingWork(
            tree.goal, int(least_parts), len(still), each, least / (mean or 1) * low, most
        )


def solve_part(catalog: str, text: str, goal: float, nodes: int, memory: int) -> Json:
    """Search whether the seat to move in the position *text* gets *goal* points or more.

    The search has a limit of *nodes* and uses no opening book. Return JSON data: ``low`` and
    ``high``, the proved bounds of that seat's final margin in points (None where nothing is
    proved), ``nodes`` and ``seconds``. *memory* is in megabytes, *catalog* the name of the module
    whose ``solve`` searches, such as ``papan``.
    """
    settings = {"goal": goal, "memory": memory, "book": False}
    analysis = import_module(catalog).solve(text, nodes=nodes, **settings)
    work = {"nodes": analysis.nodes, "seconds": analysis.seconds}  # without time to compile
    return {**MarginBounds(*analysis.bounds or ()).json(), **work}


def _entry(nodes: Mapping[Position, ProofNode], claim: ProofClaim, position: Position) -> int:
    """Return the number that the certificate for *claim* has for *position*, the image of a node.

    `LEAF_ENTRY` says that a search decides it. Else, where the claim's seat moves, it is the number
    (from 1) of the first move that proves the claim; where the rival moves, it is 1, as all moves
    count. *nodes* has the nodes by position. Raise AssertionError if no move proves the claim.
    """
    node = nodes[position]
    if not node.children:
        return LEAF_ENTRY
    if position.turn != claim.seat:
        return 1
    for place, move in enumerate(position.moves(), 1):
        child = nodes[position.child(move).image()]
        if claim.decided(child.position, *child.bounds.turned(not child.mine)):
            return place
    raise AssertionError(f"{position} has no move that proves {claim}")


def log_of(path: Path) -> Path:
    """Return the path of the log of the proof *path*: that of ``a.proof`` is ``a.proof.jsonl``."""
    return path.with_name(f"{path.name}.jsonl")


def _check_free(path: Path, root: Position) -> None:
    """Raise PapanError unless *path* does not exist or has a proof of the position *root*.

    Raise OSError if it cannot be read.
    """
    check_regular(path)  # also a link to nothing
    if path.exists():
        found = ProofCertificate.read(path)
        if found.position != str(root):
            raise PapanError("prove.other", path=path, proof=found.position)


def _read_log(path: Path) -> RunLog | None:
    """Return the log of parts in *path*; None if there is no file, or an empty one.

    Raise PapanError if the file is no such log, if it cannot be opened, or if *path* is no regular
    file.
    """
    check_regular(path)
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return None
    log = read_log(path)
    if log is None or not _is_log(log):
        raise PapanError("prove.no_log", path=path)
    return log


def _is_log(log: RunLog) -> bool:
    """Return whether a log has the form of a proof's log; its results may still be false.

    Its header must have a text ``proof`` and ``plies``, an int from 1 to `MOST_SPLIT_PLIES`; every
    result must have the form of an answer (`_is_answer`).
    """
    root, plies = log.header.get("proof"), log.header.get("plies")
    named = isinstance(root, str) and type(plies) is int and 1 <= plies <= MOST_SPLIT_PLIES
    return named and all(map(_is_answer, log.found.values()))


def _is_answer(found: Json) -> bool:
    """Return whether *found* has the fields of an answer: bounds, level, nodes and seconds.

    All must be finite numbers; a bound may also be None.
    """
    if not isinstance(found, dict):
        return False
    bounds = [found.get(key, "") for key in ("low", "high")]
    work = [found.get(key) for key in ("level", "nodes", "seconds")]
    numbers = [bound for bound in bounds if bound is not None] + work
    return all(type(number) in (int, float) and isfinite(number) for number in numbers)
