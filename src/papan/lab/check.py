"""Check a certificate: inner positions by the rules alone, and every leaf by a search.

The rules of the game walk the proof (`ClaimProof.walk`); they cannot tell whether a leaf is as
claimed. Leaves are solved in parts, in processes or on a cluster, and the result of each part is
logged as soon as it arrives: a check that was interrupted continues. A sample can be proved once
more by plain alpha-beta, which all games share and which knows neither static bounds nor books nor
databases: an error in what papan knows of a game beyond its rules, which prover and solver may have
in common, shows there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from importlib import import_module
from math import inf
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, NamedTuple

from papan.core import Agent, Analysis, Game, PapanError, Position
from papan.core.certificate import (
    LARGEST_CERTIFICATE,
    LEAF_ENTRY,
    CertificateError,
    ClaimProof,
    ProofCertificate,
    ProofClaim,
)
from papan.core.files import read_regular
from papan.lab.log import Json, ResumableLog, RunLog, read_log
from papan.lab.machine import machine
from papan.lab.prove import locked
from papan.lab.work import Executor, WorkItem, completed

PART_LEAVES = 250
"""Leaves that one work item solves: neighbours in the proof, which share a table."""
EASY_NODES = 10_000_000
"""Limit of nodes for a leaf in its part; a harder one becomes an item of its own, without a
limit.
"""
PLAIN_SECONDS = 60.0
"""Seconds for each leaf that is proved by plain alpha-beta; a longer search leaves it undecided."""
WALKED = 5_000
"""Number of positions between two results while the rules walk a proof."""
NO_LOG = RunLog({}, {}, 0, None)


class Leaf(NamedTuple):
    """A leaf of a certificate: the claim that it supports, and its position as text.

    The claim is true of this position if the certificate is right.
    """

    claim: ProofClaim
    position: str


@dataclass
class LeafCount:
    """Counts of the leaves that searches have decided, which of them are false, and the work."""

    proved: int = 0
    """Number of leaves whose claim a search has proved."""
    false: list[Leaf] = field(default_factory=list)
    """Leaves whose claim a search has refuted."""
    undecided: list[Leaf] = field(default_factory=list)
    """Leaves whose search ended, at its limit of nodes or seconds, before it decided the claim."""
    nodes: int = 0
    """Nodes of all searches together."""
    seconds: float = 0.0
    """Wall-clock seconds of all searches together."""
    logged: int = 0
    """Number of results of leaves, decided or not, that were taken from the log of an earlier run.

    A leaf that was undecided in its part and then searched alone counts twice.
    """

    @property
    def decided(self) -> int:
        """Number of leaves that a search has proved or refuted."""
        return self.proved + len(self.false)

    def add(self, leaves: list[Leaf], answer: Json) -> None:
        """Add to the counts the *answer* of a search of *leaves*, except to `logged`.

        *answer* is JSON data as `decide_leaves` and `decide_plainly` return it; the indexes in it
        are those of *leaves*.
        """
        self.proved += len(leaves) - len(answer["false"]) - len(answer["undecided"])
        self.false += [leaves[place] for place in answer["false"]]
        self.undecided += [leaves[place] for place in answer["undecided"]]
        self.nodes += answer["nodes"]
        self.seconds += answer["seconds"]


@dataclass
class ProofCheck:
    """The result of a check so far: what the rules and the searches have confirmed or refuted."""

    certificate: ProofCertificate
    """What is checked."""
    position: Position
    """The position that the certificate is about."""
    inner: int = 0
    """Number of inner positions that follow by the rules."""
    leaves: list[Leaf] = field(default_factory=list)
    """The leaves that the rules have come to."""
    refuted: PapanError | None = None
    """The reason why the rules refute the proof; None if they do not."""
    walked: bool = False
    """True if the rules have walked all of the proof."""
    found: LeafCount = field(default_factory=LeafCount)
    """What the game's solver has found out about all leaves."""
    sample: list[Leaf] = field(default_factory=list)
    """Leaves that are to be proved a second time, by plain alpha-beta: see `decide_plainly`."""
    plain: LeafCount = field(default_factory=LeafCount)
    """What plain alpha-beta has found out about the sample."""

    @property
    def refutes(self) -> bool:
        """True if the proof is wrong: refuted by the rules, or with a leaf that is false."""
        return bool(self.refuted or self.found.false or self.plain.false)

    @property
    def whole(self) -> bool:
        """True if every inner position and every leaf was checked and is as claimed."""
        return self.walked and not self.refutes and self.found.proved == len(self.leaves)


@dataclass(frozen=True)
class ProofChecker:
    """Checks the certificate in the file *path*, and logs each part that is done."""

    path: Path
    log_path: Path
    """The log, or a folder in which it is named after the content of the proof."""
    catalog: str
    """Name of the module that finds the games, such as ``papan``."""
    memory: int = 256
    """Megabytes for each process."""
    samples: int = 0
    """Number of leaves, drawn at random, to be proved a second time: see `decide_plainly`."""
    seed: int = 0
    """Decides which leaves are drawn."""

    def check(self, executor: Executor, seconds: float = inf) -> Iterator[ProofCheck]:
        """Check everything, or as much as *seconds* allow; yield the result so far after each part.

        First the rules walk the whole proof, whatever *seconds* are: the result is yielded every
        `WALKED` positions. If they refute it, that ends the check: `ProofCheck.refuted` is set,
        nothing is raised. Then *executor* runs the searches until all are done, *seconds* since the
        call are over, or a leaf is refuted. The result is the same object each time.

        Raise OSError if the file cannot be read or the log not be written; PapanError if the file
        is no certificate of a known game for two, if the path of the log is that of a file which is
        no log of a check, or if another run has the log; and what a search raises.
        """
        end = monotonic() + seconds
        data = read_regular(self.path, LARGEST_CERTIFICATE, CertificateError)
        certificate = ProofCertificate.parse(data, self.path)
        root: Position = import_module(self.catalog).position(certificate.position)
        if root.game.seats != 2:
            raise PapanError("prove.not_for_two", game=root.game.spec)
        result = ProofCheck(certificate, root)
        try:
            for proof in certificate.proofs:
                yield from self._walk(result, proof)
        except CertificateError as error:
            result.refuted = error
            yield result
            return
        result.walked = True
        # Read from the end, a text begins with what was played first: neighbours share a table.
        result.leaves.sort(key=lambda leaf: (leaf.claim, leaf.position[::-1]))
        rng = random.Random(self.seed)
        result.sample = rng.sample(result.leaves, min(self.samples, len(result.leaves)))
        log = self._log(sha256(data).hexdigest())
        with locked(log.path):
            log.open()
        with locked(log.path):
            yield from self._solve(result, _LeafRun(log, executor, end))

    def _log(self, digest: str) -> ResumableLog:
        """Return the log of the check of the certificate with this SHA-256, not yet open.

        *digest* is hexadecimal. The log's file is *log_path*; if that is a folder or has no suffix,
        the file in it that is named after the first 16 digits. Raise PapanError if there is a file,
        not empty, that is no log of a check, or if the path is no regular file.
        """
        path = self.log_path
        path = path / f"{digest[:16]}.jsonl" if path.is_dir() or not path.suffix else path
        earlier = read_log(path)
        if path.exists() and path.stat().st_size and "check" not in (earlier or NO_LOG).header:
            raise PapanError("prove.no_check", path=path)
        identity = {"check": digest, "leaves": PART_LEAVES, "papan": machine()["papan"]}
        return ResumableLog(path, identity, {}, sealed=True)

    def _walk(self, result: ProofCheck, proof: ClaimProof) -> Iterator[ProofCheck]:
        """Add the inner positions and leaves of *proof*, as the rules walk it, to *result*.

        Yield it every `WALKED` positions. Raise CertificateError if the rules refute the proof.
        """
        for position, entry in proof.walk(result.position):
            if entry == LEAF_ENTRY:
                result.leaves.append(Leaf(proof.claim, str(position)))
            else:
                result.inner += 1
            if (result.inner + len(result.leaves)) % WALKED == 0:
                yield result

    def _solve(self, result: ProofCheck, run: _LeafRun) -> Iterator[ProofCheck]:
        """Search the leaves in three stages: in parts, the hard ones alone, the sample plainly.

        Hard leaves are those that `EASY_NODES` did not decide in their parts; the sample is
        searched by plain alpha-beta. What the log has of a stage is not searched again. *run* does
        the searches; they stop when a leaf is refuted or its time is over. Yield *result*, which
        has what was found so far, at the beginning of each stage and after each search of it.
        """
        parts = {
            f"part {first}": result.leaves[first : first + PART_LEAVES]
            for first in range(0, len(result.leaves), PART_LEAVES)
        }
        found = result.found
        for _ in run.each(parts, self._item, found, lambda: result.refutes):
            yield result
        hard = {f"leaf {leaf.claim.seat} {leaf.position}": [leaf] for leaf in found.undecided}
        for _ in run.each(hard, self._item, found, lambda: result.refutes):
            decided = {leaf for name, (leaf,) in hard.items() if name in run.log.found}
            found.undecided = [leaf for leaf in found.undecided if leaf not in decided]
            yield result
        plain = {f"plain {leaf.claim.seat} {leaf.position}": [leaf] for leaf in result.sample}
        for _ in run.each(plain, self._item, result.plain, lambda: result.refutes):
            yield result

    def _item(self, name: str, leaves: list[Leaf]) -> WorkItem:
        """Return the work item that searches *leaves*; *name* begins with ``part``, ``leaf`` or
        ``plain``.

        ``part`` is searched by the game's solver with `EASY_NODES` for each leaf, ``leaf`` by the
        same without a limit, ``plain`` by alpha-beta with `PLAIN_SECONDS` for each.
        """
        texts = [[*leaf.claim, leaf.position] for leaf in leaves]
        if name.startswith("plain "):
            return WorkItem(name, decide_plainly, (self.catalog, texts, PLAIN_SECONDS))
        nodes = EASY_NODES if name.startswith("part ") else None
        return WorkItem(name, decide_leaves, (self.catalog, texts, nodes, self.memory))


@dataclass(frozen=True)
class _LeafRun:
    """Searches leaves in parts until the time *end*, and logs each part."""

    log: ResumableLog
    executor: Executor
    end: float
    """Time of `monotonic` in seconds at which it stops."""

    def each(
        self,
        parts: dict[str, list[Leaf]],
        item: Callable[[str, list[Leaf]], WorkItem],
        count: LeafCount,
        enough: Callable[[], bool],
    ) -> Iterator[None]:
        """Add to *count* what the log has of *parts*; search the other parts, and yield after each.

        *parts* has the leaves of each part by its name; *item*, called with name and leaves,
        returns the work item of a part. Each answer is logged and added to *count*. The searches
        end early when *enough* returns True or the time *end* is reached. Also yield once before
        the first search. Raise what a search raises, OSError if the log cannot be written.
        """
        for name, leaves in parts.items():
            if name in self.log.found:
                count.add(leaves, self.log.found[name])
                count.logged += len(leaves)
        yield
        missing = iter([name for name in parts if name not in self.log.found])

        def following(_: Collection[str]) -> tuple[str, WorkItem] | None:
            name = next(missing, None)
            return None if name is None else (name, item(name, parts[name]))

        for name, future in completed(self.executor, following, enough, self.end):
            answer, took = future.result()
            self.log.keep(name, answer, took)
            count.add(parts[name], answer)
            yield


def decide_leaves(catalog: str, leaves: Json, nodes: int | None, memory: int) -> Json:
    """Search *leaves* with the solver of their game, at most *nodes* nodes each (None: unlimited).

    Each leaf is a list: seat, least margin of the seat in points, position as text. Return a dict:
    ``false`` and ``undecided``, lists with the indexes of the leaves whose claim is refuted or not
    decided; ``nodes`` of all searches, and ``seconds``, the wall-clock time of the call. There is
    no book or database; the table of *memory* megabytes is kept from one leaf to the next. A game
    without a solver is searched by alpha-beta. *catalog* is the name of the module that finds games
    and solvers, such as ``papan``; what it raises is passed on.
    """
    library: Any = import_module(f"{catalog}.api")
    settings = {"memory": memory, "book": False, "reuse": True}
    most = inf if nodes is None else nodes
    solvers: dict[tuple[Game, float], Agent | None] = {}

    def decide(claim: ProofClaim, position: Position) -> Analysis:
        goal = claim.goal(position)
        key = position.game, goal
        if key not in solvers:
            solvers[key] = library.solver_for(position.game, goal=goal, **settings)
        solver = solvers[key]
        if solver is not None:
            return solver.analyse(position, nodes=most)
        analysis: Analysis = library.solve(position, nodes=most)
        return analysis

    return _decided(catalog, leaves, decide)


def decide_plainly(catalog: str, leaves: Json, seconds: float) -> Json:
    """Search *leaves* with alpha-beta, which knows only the rules, for *seconds* each at most.

    *leaves*, *catalog* and the result are as in `decide_leaves`.
    """
    plain = import_module(catalog).agent("alphabeta")

    return _decided(catalog, leaves, lambda _, position: plain.analyse(position, seconds=seconds))


def _decided(
    catalog: str, leaves: Json, analyse: Callable[[ProofClaim, Position], Analysis]
) -> Json:
    """Search *leaves* with *analyse*; take and return data as `decide_leaves` does.

    *analyse* is called with the claim and the position of each leaf.
    """
    library, began = import_module(catalog), perf_counter()
    places: dict[bool | None, list[int]] = {True: [], False: [], None: []}
    nodes = 0
    for place, (seat, least, text) in enumerate(leaves):
        claim, position = ProofClaim(seat, least), library.position(text)
        analysis = analyse(claim, position)
        nodes += analysis.nodes
        places[claim.decided(position, *analysis.bounds or (-inf, inf))].append(place)
    found = {"false": places[False], "undecided": places[None]}
    return {**found, "nodes": nodes, "seconds": round(perf_counter() - began, 6)}
