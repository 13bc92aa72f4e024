"""Proofs in parts: a position is split after some plies, and its parts are solved, best first.

The order is that of proof-number search whose leaves are jobs (Wu and others, 2010). The question
is whether the position is worth a goal or more. Each part is asked for no more than that, with few
nodes at first, so that an easy answer elsewhere comes before the work on a hard part. Every answer
is in a file before the next question is asked, and `ProofChecker` recomputes a proof from its file.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from importlib import import_module
from itertools import count
from math import inf, isfinite
from pathlib import Path
from statistics import fmean, median_low
from time import monotonic
from typing import Any, NamedTuple

from papan.core import PapanError, PapanWarning, Position, margin
from papan.core.analysis import finite
from papan.core.files import open_regular
from papan.core.parts import Support
from papan.lab.log import Json, ResumableLog, RunLog, TimeTaken, read_log
from papan.lab.machine import machine
from papan.lab.statistics.intervals import Interval, bootstrap
from papan.lab.work import Executor, WorkItem, completed
from papan.process.host import lock
from papan.process.lines import ProcessEndedError

FIRST_NODES, GROWTH = 1_000_000, 8
"""Nodes of the first question to a part, and the factor for each question after it."""
USUAL_PLIES, USUAL_PARTS = 4, 1_000
"""Plies after which a position is split by default; fewer if there would be more parts."""
MOST_PARTS = 100_000
MOST_SPLIT_PLIES = 100
"""Upper bound of the plies that the file of a proof may name."""
BUSY = 1_000
"""Factor on the cost of a part while another process works on it."""
DRAWN = 400
"""Bootstrap samples for the uncertainty of the estimated time."""
ATTEMPTS = 3
"""Number of processes in a row that may end without an answer."""
RESULT = "result"
"""Name of the line with the value of the position."""


class MarginBounds(NamedTuple):
    """Proved bounds of a final margin."""

    low: float = -inf
    high: float = inf

    def turned(self, turns: bool) -> MarginBounds:
        """Return the bounds for the other seat if *turns*, else the same."""
        return MarginBounds(-self.high, -self.low) if turns else self

    def within(self, other: MarginBounds) -> MarginBounds:
        """Return the intersection of two bounds."""
        return MarginBounds(max(self.low, other.low), min(self.high, other.high))

    def open(self, goal: float) -> bool:
        """Return whether it is still unknown that the margin is *goal* or more."""
        return self.low < goal <= self.high

    def json(self) -> dict[str, Json]:
        """Return the bounds as a file has them; infinite ones are null."""
        return {"low": finite(self.low), "high": finite(self.high)}

    @classmethod
    def read(cls, found: Mapping[str, Json]) -> MarginBounds:
        """Return the bounds that `json` wrote."""
        low, high = found["low"], found["high"]
        return cls(-inf if low is None else low, inf if high is None else high)


@dataclass(eq=False)
class ProofNode:
    """A position of the tree; a *part* is one without children whose game is not over."""

    position: Position
    mine: bool
    """True if the seat to move is the one that moves at the root."""
    bounds: MarginBounds
    """Bounds of the final margin of the root's seat, here and everywhere in the tree."""
    children: list[ProofNode] = field(default_factory=list)
    """The likely best move first."""
    level: int = 0
    """Number of questions whose nodes did not suffice."""
    nodes: int = 0
    seconds: float = 0.0
    """Seconds spent on it so far; *nodes* likewise."""
    proof: float = 0.0
    disproof: float = 0.0
    """Least cost that could prove, or disprove, that the goal is reached from here."""


class ProofTree:
    """The positions down to a number of plies; symmetric ones are one node."""

    def __init__(self, root: Position) -> None:
        self.seat = root.turn
        most = root.game.largest_margin
        self.root = ProofNode(root, True, MarginBounds(-most, most))
        self.nodes = [self.root]
        """Nodes from the root down: in reverse, children come before their parents."""
        self.plies = 0
        self.parts: dict[str, ProofNode] = {str(root): self.root}

    def grow(self, most: int) -> bool:
        """Split all parts by one more ply; return False, unchanged, beyond *most* positions."""
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
        most = self.root.position.game.largest_margin
        ahead = margin(position, self.seat) if position.is_over else None
        bounds = MarginBounds(-most, most) if ahead is None else MarginBounds(ahead, ahead)
        return ProofNode(position, position.turn == self.seat, bounds)

    @property
    def settled(self) -> bool:
        """True if the value of the root is known."""
        return self.root.bounds.low == self.root.bounds.high

    @property
    def goal(self) -> float:
        """The margin to ask the root for: a win first, then one step beyond what is proved."""
        low, high = self.root.bounds
        return min(max(1.0, low + 1), high)

    def fold(self) -> None:
        """Propagate the bounds of the parts to the root by minimax."""
        for node in reversed(self.nodes):
            if node.children:
                best = max if node.mine else min
                low = best(child.bounds.low for child in node.children)
                high = best(child.bounds.high for child in node.children)
                node.bounds = node.bounds.within(MarginBounds(low, high))

    def count(self, cost: Callable[[ProofNode], float]) -> None:
        """Compute proof and disproof numbers, given the *cost* of each part."""
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
        """Return the parts on which the answer may still depend."""
        goal, found, todo = self.goal, dict[ProofNode, None](), [self.root]
        while todo:
            node = todo.pop()
            if node not in found and node.bounds.open(goal):
                found[node] = None
                todo += node.children
        return [node for node in found if not node.children]

    def promising(self, busy: Collection[ProofNode] = ()) -> ProofNode | None:
        """Return the part where least work may decide; None if all that matter are *busy*."""
        levels = [part.level for part in self.parts.values() if part.nodes]
        usual = median_low(levels) if levels else 0

        def cost(part: ProofNode) -> int:
            """Return the nodes of the next question; an unasked part counts like most others."""
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
    """Return the positions after each move, best evaluation first."""
    game, seat = position.game, position.turn
    after = [position.child(move) for move in position.moves()]
    evaluate = Support.of(game).evaluate
    return sorted(after, key=lambda child: -evaluate(child, seat))


def granted(level: int) -> int:
    """Return the nodes of a question: `FIRST_NODES` * `GROWTH` ** *level*."""
    return FIRST_NODES * int(GROWTH**level)


def split(root: Position, plies: int | None) -> ProofTree:
    """Return the tree of a proof; raises PapanError if there is nothing to prove, or too much."""
    if root.game.seats != 2:
        raise PapanError("prove.not_for_two", game=root.game.spec)
    if root.is_over:
        raise PapanError("prove.over", position=str(root))
    if plies is not None and plies < 1:
        raise PapanError("prove.bad_plies", plies=plies)
    tree = ProofTree(root)
    while tree.plies < (plies or USUAL_PLIES) and tree.parts:
        if not tree.grow(MOST_PARTS if plies else USUAL_PARTS):
            if plies:
                raise PapanError("prove.too_many", plies=plies, most=MOST_PARTS, fewer=tree.plies)
            break
    return tree


@dataclass(frozen=True)
class RemainingWork:
    """Estimate of the work that is left until the present question is answered."""

    goal: float
    """Margin that is to be reached or refuted; another one may follow."""
    least_parts: int
    """Parts in the best case; one that several lines share is counted for each of them."""
    most_parts: int
    """Parts in the worst case."""
    each: Interval | None
    """Mean seconds of a part, all of its questions together; None before the first."""
    least_seconds: float
    most_seconds: float
    """Work in seconds in the best and in the worst case."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock the file of a proof; raises PapanError if another run has it. No file, no lock."""
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
    """A tree and the file that has all results about its parts."""

    def __init__(
        self, path: Path, root: Position, plies: int | None = None, trust: bool = False
    ) -> None:
        """Continue the proof in the file *path*, or begin it.

        Results that this user has not sealed are ignored with a PapanWarning; *trust* believes
        them. Raises PapanError if the file is of another proof, or in use.
        """
        earlier = _read_proof(path)
        if earlier is not None and earlier.header["proof"] == str(root):
            plies = earlier.header["plies"] if plies is None else plies
        self.tree = split(root, plies)
        identity = {"proof": str(root), "plies": plies or self.tree.plies}
        if earlier is not None and any(earlier.header[key] != identity[key] for key in identity):
            facts = {key: earlier.header[key] for key in identity}
            raise PapanError("prove.other", path=path, **facts)
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
        part.bounds = part.bounds.within(MarginBounds.read(found).turned(not part.mine))
        part.level, part.nodes, part.seconds = found["level"], found["nodes"], found["seconds"]

    def run(
        self, executor: Executor, catalog: str, memory: int = 256, seconds: float = inf
    ) -> Iterator[ProofNode]:
        """Ask parts until the value is known or *seconds* are over; yield each that answers."""
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
            if tree.settled:
                result = tree.root.bounds.json()
                if self.log.found.get(RESULT) != result:
                    self.log.keep(RESULT, result, TimeTaken(0, 0))

    def _question(
        self, catalog: str, memory: int, asked: Collection[tuple[ProofNode, float]]
    ) -> tuple[tuple[ProofNode, float], WorkItem] | None:
        """Return the next part with its goal, and the work item; None if all are being asked."""
        part = self.tree.promising({busy for busy, _ in asked})
        if part is None:
            return None
        goal = self.tree.goal if part.mine else 1 - self.tree.goal  # if they do, we do not
        arguments = (catalog, str(part.position), goal, granted(part.level), memory)
        return (part, goal), WorkItem("part", solve_part, arguments)

    def _keep(self, part: ProofNode, goal: float, answer: Json, took: TimeTaken) -> None:
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
        """The parts that have been asked at least once."""
        return [part for name, part in self.tree.parts.items() if name in self.log.found]

    def left(self) -> RemainingWork:
        """Estimate what is left, as if the parts to come were like those that are done."""
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
    """Test whether *text* is worth *goal*, without a book; return bounds, nodes, seconds."""
    settings = {"goal": goal, "memory": memory, "book": False}
    analysis = import_module(catalog).solve(text, nodes=nodes, **settings)
    work = {"nodes": analysis.nodes, "seconds": analysis.seconds}  # without time to compile
    return {**MarginBounds(*analysis.bounds or ()).json(), **work}


def _read_proof(path: Path) -> RunLog | None:
    """Return the proof in a file; None without one. Raises PapanError if it is something else."""
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return None
    log = read_log(path)
    if log is None or not _is_proof(log):
        raise PapanError("prove.no_proof", path=path)
    return log


def _is_proof(log: RunLog) -> bool:
    """Return whether a log has the form of a proof; whether it is true is another question."""
    root, plies = log.header.get("proof"), log.header.get("plies")
    named = isinstance(root, str) and type(plies) is int and 1 <= plies <= MOST_SPLIT_PLIES
    return named and all(_is_answer(found, name == RESULT) for name, found in log.found.items())


def _is_answer(found: Json, whole: bool) -> bool:
    """Return whether *found* has bounds and, unless it is of the *whole* proof, their cost."""
    if not isinstance(found, dict):
        return False
    bounds = [found.get(key, "") for key in ("low", "high")]
    work = [] if whole else [found.get(key) for key in ("level", "nodes", "seconds")]
    numbers = [bound for bound in bounds if bound is not None] + work
    return all(type(number) in (int, float) and isfinite(number) for number in numbers)


# The check: it shares neither the tree nor the order with the proof, only the rules.


@dataclass(frozen=True)
class ProofClaim:
    """The claim that *seat* gets *least* or more from a position."""

    position: Position
    seat: int
    least: float


@dataclass
class ProofCheck:
    """The result of a check so far."""

    position: Position
    bounds: MarginBounds
    """Bounds that follow from the parts in the file, for the seat to move."""
    claimed: MarginBounds
    """Bounds that the file claims."""
    parts: int
    """Number of parts with an answer in the file."""
    strangers: list[str]
    """Names in the file that are not parts of this tree."""
    whole: int = 0
    """Claims that the other search has proved at once."""
    lines: int = 0
    """Claims that it has proved at the end of a line of play that preserves them."""
    unreached: int = 0
    """Claims that could not be decided in time."""
    wrong: list[ProofClaim] = field(default_factory=list)
    """Claims that are false."""

    @property
    def looked(self) -> int:
        """The number of claims that were examined."""
        return self.whole + self.lines + self.unreached + len(self.wrong)

    @property
    def sound(self) -> bool:
        """True if the file proves what it claims, as far as this has looked."""
        return self.bounds == self.claimed and not self.wrong and not self.strangers


@dataclass(frozen=True)
class ProofChecker:
    """Recomputes a proof, and lets another search examine a sample of its claims."""

    catalog: str
    samples: int = 20
    seed: int = 0
    nodes: int = FIRST_NODES
    """Nodes of the other search for a position."""
    seconds: float = 60.0
    """Seconds for each claim before it is given up."""

    def check(self, path: Path) -> Iterator[ProofCheck]:
        """Check the proof in a file; yield the result at once and after each claim."""
        log = _read_proof(path)
        if log is None:
            raise PapanError("prove.no_proof", path=path)
        library: Any = import_module(self.catalog)
        root: Position = library.position(log.header["proof"])
        found = {
            name: MarginBounds.read(each) for name, each in log.found.items() if name != RESULT
        }
        bounds, names = _recomputed(root, log.header["plies"], found)
        claimed = MarginBounds.read(log.found[RESULT]) if RESULT in log.found else bounds
        result = ProofCheck(root, bounds, claimed, len(found), sorted(found.keys() - names))
        yield result
        rng = random.Random(self.seed)
        known = [(library.position(name), found[name]) for name in sorted(found.keys() & names)]
        claims = [claim for part, bounds in known for claim in _claims(part, bounds)]
        for claim in rng.sample(claims, min(self.samples, len(claims))):
            self._look(result, claim, library, rng)
            yield result

    def _look(
        self, result: ProofCheck, claim: ProofClaim, library: Any, rng: random.Random
    ) -> None:
        """Let another search judge a claim: at once, or after a line of play that preserves it.

        That search is the alpha-beta of all games, which shares no code with the games' solvers.
        Where a part is too hard for it, the claim's seat plays what the solver of the game says,
        and the other one at random, until the end is near enough.
        """
        position, seat, least = claim.position, claim.seat, claim.least
        other, end = library.agent("alphabeta"), monotonic() + self.seconds
        for plies in count():
            known = _over(position, seat)
            if known is None:
                known = _of(other.analyse(position, nodes=self.nodes), position, seat)
            if not known.open(least):
                right = known.low >= least
                result.whole += right and not plies
                result.lines += right and plies > 0
                result.wrong += [] if right else [claim]
                return
            if position.turn != seat:
                position = position.child(rng.choice(position.moves()))
                continue
            after = _preserving(position, claim, library, end)
            if after is None:
                in_time = monotonic() < end
                result.wrong += [claim] if in_time else []
                result.unreached += not in_time
                return
            position = after


def _recomputed(
    root: Position, plies: int, found: Mapping[str, MarginBounds]
) -> tuple[MarginBounds, set[str]]:
    """Return the bounds of *root* by plain minimax over the rules, and the names of all parts."""
    names: set[str] = set()
    most = root.game.largest_margin

    @cache
    def value(position: Position, plies: int) -> MarginBounds:
        if (ended := _over(position, position.turn)) is not None:
            return ended
        if not plies:
            name = str(position.image())
            names.add(name)
            if len(names) > MOST_PARTS:
                raise PapanError("prove.too_large", most=MOST_PARTS)
            return found.get(name, MarginBounds()).within(MarginBounds(-most, most))
        after = [position.child(move) for move in position.moves()]
        each = [value(child, plies - 1).turned(child.turn != position.turn) for child in after]
        return MarginBounds(max(low for low, _ in each), max(high for _, high in each))

    return value(root, plies), names


def _claims(part: Position, bounds: MarginBounds) -> Iterator[ProofClaim]:
    """Yield what the bounds of a part claim beyond the rules."""
    most = part.game.largest_margin
    if bounds.low > -most:
        yield ProofClaim(part, part.turn, bounds.low)
    if bounds.high < most:
        yield ProofClaim(part, 1 - part.turn, -bounds.high)


def _over(position: Position, seat: int) -> MarginBounds | None:
    """Return the margin of *seat* in a game that is over, as bounds; None if it is not over."""
    if not position.is_over:
        return None
    ahead = margin(position, seat)
    return MarginBounds(ahead, ahead)


def _of(analysis: Any, position: Position, seat: int) -> MarginBounds:
    """Return the bounds that an analysis proves for *seat*."""
    return MarginBounds(*analysis.bounds or ()).turned(position.turn != seat)


def _preserving(position: Position, claim: ProofClaim, library: Any, end: float) -> Position | None:
    """Return a position after a move that preserves the claim, by the game's solver; or None."""
    seat, least = claim.seat, claim.least
    for child in _ordered(position):
        known = _over(child, seat)
        if known is None:
            goal = least if child.turn == seat else 1 - least
            left = max(end - monotonic(), 0.001)
            analysis = library.solve(child, seconds=left, goal=goal, book=False)
            known = _of(analysis, child, seat)
        if known.low >= least:
            return child
    return None
