"""Proofs in parts: a position is split after some plies, and its parts are solved, best first.

The order is that of proof-number search whose leaves are jobs (Wu and others, 2010). The question
is whether the position is worth a goal or more; each part is asked for no more than that, with few
nodes at first, so that an easy answer elsewhere is found before a hard part is worked on. Every
answer is in a file before the next question is asked, and `check` recomputes a proof from its file.
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
"""What a part is granted at first, and how many times as much whenever that was too little."""
USUAL_PLIES, USUAL_PARTS = 4, 1_000
"""A position is split after so many plies where nobody says it, or fewer if the parts are more."""
MOST_PARTS = 100_000
MOST_SPLIT_PLIES = 100
"""No game that is split after more has so few parts."""
BUSY = 1_000
"""How many times its cost a part seems to take while another process is at work on it."""
DRAWN = 400
"""How often the times so far are drawn anew, for the uncertainty of an estimate."""
ATTEMPTS = 3
"""How many processes may end before their answer, one after the other."""
RESULT = "result"
"""The name under which the file of a proof tells what the position is worth."""


class MarginBounds(NamedTuple):
    """What is proved of a margin."""

    low: float = -inf
    high: float = inf

    def turned(self, turns: bool) -> MarginBounds:
        """The same for the other seat, if it *turns*."""
        return MarginBounds(-self.high, -self.low) if turns else self

    def within(self, other: MarginBounds) -> MarginBounds:
        """What both say."""
        return MarginBounds(max(self.low, other.low), min(self.high, other.high))

    def open(self, goal: float) -> bool:
        """Is it unknown whether *goal* is reached?"""
        return self.low < goal <= self.high

    def json(self) -> dict[str, Json]:
        """As a file has it."""
        return {"low": finite(self.low), "high": finite(self.high)}

    @classmethod
    def read(cls, found: Mapping[str, Json]) -> MarginBounds:
        """What `json` wrote."""
        low, high = found["low"], found["high"]
        return cls(-inf if low is None else low, inf if high is None else high)


@dataclass(eq=False)
class ProofNode:
    """A position of the tree; one without children whose game goes on is a part."""

    position: Position
    mine: bool
    """Is it the turn of the seat that moves at the root?"""
    bounds: MarginBounds
    """Of the final margin of that seat, here and everywhere in the tree."""
    children: list[ProofNode] = field(default_factory=list)
    """The likely best move first."""
    level: int = 0
    """How often the nodes it was granted did not suffice."""
    nodes: int = 0
    seconds: float = 0.0
    """The work on it so far."""
    proof: float = 0.0
    disproof: float = 0.0
    """The least work that could prove, or disprove, that the goal is reached from here."""


class ProofTree:
    """The positions after so many plies and before, images of each other once."""

    def __init__(self, root: Position) -> None:
        self.seat = root.turn
        most = root.game.largest_margin
        self.root = ProofNode(root, True, MarginBounds(-most, most))
        self.nodes = [self.root]
        """From the root down, so that whoever goes backwards meets children first."""
        self.plies = 0
        self.parts: dict[str, ProofNode] = {str(root): self.root}

    def grow(self, most: int) -> bool:
        """Split all parts by one more ply; not where more than *most* would come of it."""
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
        """Is the value of the root known?"""
        return self.root.bounds.low == self.root.bounds.high

    @property
    def goal(self) -> float:
        """What to ask of the root: who wins, and then for each step further from there."""
        low, high = self.root.bounds
        return min(max(1.0, low + 1), high)

    def fold(self) -> None:
        """Carry what is known of the parts to the root."""
        for node in reversed(self.nodes):
            if node.children:
                best = max if node.mine else min
                low = best(child.bounds.low for child in node.children)
                high = best(child.bounds.high for child in node.children)
                node.bounds = node.bounds.within(MarginBounds(low, high))

    def count(self, cost: Callable[[ProofNode], float]) -> None:
        """Work out proof and disproof numbers, given what each part will *cost*."""
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
        """The parts on which the answer may still depend."""
        goal, found, todo = self.goal, dict[ProofNode, None](), [self.root]
        while todo:
            node = todo.pop()
            if node not in found and node.bounds.open(goal):
                found[node] = None
                todo += node.children
        return [node for node in found if not node.children]

    def promising(self, busy: Collection[ProofNode] = ()) -> ProofNode | None:
        """The part to ask next: where the least work may decide; None if all are being asked."""
        levels = [part.level for part in self.parts.values() if part.nodes]
        usual = median_low(levels) if levels else 0

        def cost(part: ProofNode) -> int:
            """What it may take: of a part that nothing was asked of, as much as of most others."""
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
    """The positions after each move, the likely best first."""
    game, seat = position.game, position.turn
    after = [position.child(move) for move in position.moves()]
    evaluate = Support.of(game).evaluate
    return sorted(after, key=lambda child: -evaluate(child, seat))


def granted(level: int) -> int:
    """The nodes for a question to a part to which so many grants were too small."""
    return FIRST_NODES * int(GROWTH**level)


def split(root: Position, plies: int | None) -> ProofTree:
    """The tree of a proof; raises where there is nothing to prove, or too much."""
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
    """What is left of a proof until its present question is answered, by what is done."""

    goal: float
    """The question: is the position worth so much or more? Another one may follow."""
    least_parts: int
    """If everything goes as hoped; parts that several lines share are counted for each of them."""
    most_parts: int
    """If all that may matter does."""
    each: Interval | None
    """Seconds that a part took on average, all of its questions together; None before the first."""
    least_seconds: float
    most_seconds: float
    """The work for these parts, at the ends of that interval."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep the file of a proof from other runs; where there is none yet, or no locks, all goes."""
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
    """A tree and the file in which all that was found out about its parts is kept."""

    def __init__(
        self, path: Path, root: Position, plies: int | None = None, trust: bool = False
    ) -> None:
        """Go on with the proof in a file, or begin it.

        What another user, or nobody, has sealed is ignored with a warning; *trust* believes it.
        """
        kept = _kept(path)
        if kept is not None and kept.header["proof"] == str(root):
            plies = kept.header["plies"] if plies is None else plies
        self.tree = split(root, plies)
        identity = {"proof": str(root), "plies": plies or self.tree.plies}
        if kept is not None and any(kept.header[key] != identity[key] for key in identity):
            facts = {key: kept.header[key] for key in identity}
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
        """Ask parts until the value is known, or the time over; tells of each that has answered."""
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
        """What to ask next: a part and the goal for whoever moves there, while others are asked."""
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
        """The parts of which anything was asked."""
        return [part for name, part in self.tree.parts.items() if name in self.log.found]

    def left(self) -> RemainingWork:
        """What is left, if the parts to come are like those that are done."""
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
    """What a solver finds out, without a book, about whether a position is worth *goal* or more."""
    settings = {"goal": goal, "memory": memory, "book": False}
    analysis = import_module(catalog).solve(text, nodes=nodes, **settings)
    work = {"nodes": analysis.nodes, "seconds": analysis.seconds}  # without time to compile
    return {**MarginBounds(*analysis.bounds or ()).json(), **work}


def _kept(path: Path) -> RunLog | None:
    """The proof in a file, if there is one; raises where the file is something else."""
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return None
    log = read_log(path)
    if log is None or not _is_proof(log):
        raise PapanError("prove.no_proof", path=path)
    return log


def _is_proof(log: RunLog) -> bool:
    """Is it in the form of a proof? Whether it is true is another question."""
    root, plies = log.header.get("proof"), log.header.get("plies")
    named = isinstance(root, str) and type(plies) is int and 1 <= plies <= MOST_SPLIT_PLIES
    return named and all(_is_answer(found, name == RESULT) for name, found in log.found.items())


def _is_answer(found: Json, whole: bool) -> bool:
    """Has it bounds, and unless it is of the *whole* proof the work that they took?"""
    if not isinstance(found, dict):
        return False
    bounds = [found.get(key, "") for key in ("low", "high")]
    work = [] if whole else [found.get(key) for key in ("level", "nodes", "seconds")]
    numbers = [bound for bound in bounds if bound is not None] + work
    return all(type(number) in (int, float) and isfinite(number) for number in numbers)


# The check: it shares neither the tree nor the order with the proof, only the rules.


@dataclass(frozen=True)
class ProofClaim:
    """That a seat gets so much or more from a position."""

    position: Position
    seat: int
    least: float


@dataclass
class ProofCheck:
    """What became of a check."""

    position: Position
    bounds: MarginBounds
    """What follows from the parts in the file, for the seat to move."""
    claimed: MarginBounds
    """What the file says of the position."""
    parts: int
    """How many parts the file has answers of."""
    strangers: list[str]
    """Names in the file that are no part of this tree."""
    whole: int = 0
    """How many claims the other search has proved by itself."""
    lines: int = 0
    """How many it has proved at the end of a line of play, which kept the claim up to there."""
    unreached: int = 0
    """How many could not be told in the time."""
    wrong: list[ProofClaim] = field(default_factory=list)
    """Those that are false."""

    @property
    def looked(self) -> int:
        """How many claims were looked at."""
        return self.whole + self.lines + self.unreached + len(self.wrong)

    @property
    def sound(self) -> bool:
        """Does the file prove what it says, as far as this has looked?"""
        return self.bounds == self.claimed and not self.wrong and not self.strangers


@dataclass(frozen=True)
class ProofChecker:
    """Recomputes proofs, and lets another search look at some of their parts."""

    catalog: str
    samples: int = 20
    seed: int = 0
    nodes: int = FIRST_NODES
    """What the other search is granted for a position."""
    seconds: float = 60.0
    """For each claim, before it is given up."""

    def check(self, path: Path) -> Iterator[ProofCheck]:
        """What becomes of the proof in a file, told again after each claim."""
        log = _kept(path)
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
        """Let another search judge a claim: at once, or after a line of play that keeps it.

        That search is the alpha-beta of all games, which shares no code with the games' solvers.
        Where a part is too hard for it, the seat that is said to get so much plays what the solver
        of the game says, and the other one at random, until the end is near enough.
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
            kept = _keeping(position, claim, library, end)
            if kept is None:
                in_time = monotonic() < end
                result.wrong += [claim] if in_time else []
                result.unreached += not in_time
                return
            position = kept


def _recomputed(
    root: Position, plies: int, found: Mapping[str, MarginBounds]
) -> tuple[MarginBounds, set[str]]:
    """What follows for *root*, by plain minimax over the rules; and the names of all parts."""
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
    """What the bounds of a part say beyond the rules."""
    most = part.game.largest_margin
    if bounds.low > -most:
        yield ProofClaim(part, part.turn, bounds.low)
    if bounds.high < most:
        yield ProofClaim(part, 1 - part.turn, -bounds.high)


def _over(position: Position, seat: int) -> MarginBounds | None:
    """How a game that is over ended for a seat."""
    if not position.is_over:
        return None
    ahead = margin(position, seat)
    return MarginBounds(ahead, ahead)


def _of(analysis: Any, position: Position, seat: int) -> MarginBounds:
    """What an analysis of a position proves for a seat."""
    return MarginBounds(*analysis.bounds or ()).turned(position.turn != seat)


def _keeping(position: Position, claim: ProofClaim, library: Any, end: float) -> Position | None:
    """A position after one move that keeps a claim, by the solver of the game; None without one."""
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
