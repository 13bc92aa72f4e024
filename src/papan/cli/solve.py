"""What can be said of positions: ``papan analyse``, ``solve``, ``prove``, ``review``, ``graph``."""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from math import inf, isfinite
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Literal

import typer

from papan import api, catalog
from papan.cli.arguments import (
    USUAL,
    AgentOption,
    Cluster,
    FileArgument,
    Json,
    Memory,
    Moves,
    Nodes,
    PositionArgument,
    PositionOrNone,
    Seconds,
    Seed,
    Watch,
    Workers,
    agent_for,
    complaint,
    limit_of,
    position_of,
    worker_count,
)
from papan.cli.tournament import CATALOG
from papan.core import Analysis, InvalidPositionError, PapanError, Position, Progress, Proved
from papan.core.analysis import finite
from papan.core.explain import EventLog
from papan.core.files import read_regular
from papan.core.graph import FORMS, Form, Order
from papan.core.interrupts import stopped_by_signal
from papan.core.parts import Drawing
from papan.core.review import Review
from papan.lab.files import LARGEST_FILE, data_folder, writing
from papan.lab.prove import Bounds, Check, Checker, Left, Proof
from papan.lab.work import Executor, executor_here, timed
from papan.terminal.output import (
    Bar,
    Findings,
    figure,
    language,
    player,
    print_json,
    print_table,
    program,
    progress,
    rewrite,
    say,
    show_result,
    value_text,
)
from papan.terminal.reasons import best_first, how_lines, reason_of


def analyse(
    position: PositionArgument,
    moves: Moves = "",
    agent: AgentOption = "alphabeta",
    seconds: Seconds = None,
    nodes: Nodes = None,
    json: Json = False,
    events: Annotated[bool, typer.Option("--events")] = False,
    show_progress: Watch = False,
) -> None:
    """The analysis of one position."""
    place = position_of(position, moves)
    thinker = agent_for(agent, place.game)
    limit = limit_of(seconds, nodes, USUAL["cli.analyse"], thinker)
    found = Findings(show_progress)
    log = EventLog(print_json if events else found.listener)

    def search() -> Analysis:
        with found:
            return thinker.analyse(place, limit, log)

    def show(analysis: Analysis) -> None:
        if json:
            print_json({"agent": thinker.spec} | analysis.json())
        elif not events:
            _print_analysis(place, thinker.spec, analysis, log)

    show_result(search, show)


def _print_analysis(position: Position, agent: str, analysis: Analysis, log: EventLog) -> None:
    name = position.game.move_name
    print(Drawing.of(position).picture())
    print()
    print(say("analyse.agent", agent=agent, player=player(position, position.turn)))
    print(say("analyse.move", move=name(analysis.move)))
    if analysis.value is not None:
        kind = say("kind.exact" if analysis.exact else "kind.estimate")
        who = player(position, position.turn)
        print(say("analyse.value", value=value_text(analysis.value), kind=kind, player=who))
    print(say("analyse.line", line=" ".join(map(name, analysis.line))))
    if analysis.distance is not None:
        print(say("analyse.distance", plies=analysis.distance))
    print(_work(analysis))
    if analysis.values:
        print()
        _print_values(position, analysis, log)
    for line in how_lines(log, analysis):
        print(line)


def _work(analysis: Analysis) -> str:
    """What it took, and why it ended."""
    why, seconds = say(f"why.{analysis.why}"), figure(analysis.seconds, ".3f")
    return say("analyse.work", nodes=analysis.nodes, seconds=seconds, why=why)


def _print_values(position: Position, analysis: Analysis, log: EventLog) -> None:
    """Every move with its value, what follows it, and what the value is made of."""
    name = position.game.move_name
    rows = [
        [
            name(move),
            value_text(value),
            " ".join(map(name, value.line[:12])),
            reason_of(name(move), log),
        ]
        for move, value in best_first(analysis)
    ]
    headings = [say(f"analyse.column_{key}") for key in ("move", "value", "line", "reason")]
    shown = [0, 1, *(place for place in (2, 3) if any(row[place] for row in rows))]
    print_table(
        [headings[place] for place in shown], [[row[place] for place in shown] for row in rows]
    )


def solve(
    position: PositionOrNone = None,
    moves: Moves = "",
    board_file: Annotated[Path | None, typer.Option("--board", metavar="FILE")] = None,
    all_moves: Annotated[bool, typer.Option("--all-moves")] = False,
    seconds: Seconds = None,
    nodes: Nodes = None,
    threads: Annotated[int, typer.Option(metavar="N")] = 1,
    memory: Memory = 256,
    book: Annotated[bool, typer.Option("--book/--no-book")] = True,
    json: Json = False,
    show_progress: Watch = False,
) -> None:
    """One position, or one for each line of standard input."""
    limit = limit_of(seconds, nodes, USUAL["cli.solve"])
    settings: Any = {"threads": threads, "memory": memory, "book": book, "all_moves": all_moves}
    api.check_solver_settings(**settings)

    def solve_one(place: Position) -> None:
        def search() -> Analysis:
            with Findings(show_progress) as found:
                return api.solve(
                    place, limit.seconds, limit.nodes, listener=found.listener, **settings
                )

        def show(analysis: Analysis) -> None:
            if json:
                print_json(analysis.json())
            else:
                _print_solution(place, analysis, all_moves)

        show_result(search, show)

    if board_file is not None:
        solve_one(_from_file(position or "onet", board_file))
    elif position is not None:
        if not position.strip():
            raise InvalidPositionError("solve.empty")
        solve_one(position_of(position, moves))
    else:
        done = [_line(number, line, moves, solve_one) for number, line in _lines()]
        if not all(done):
            raise typer.Exit(2)


def _lines() -> Iterator[tuple[int, str]]:
    """What is on standard input, with the numbers of the lines."""
    if sys.stdin.isatty():
        progress(say("solve.waiting"))
    return ((number, line.strip()) for number, line in enumerate(sys.stdin, 1) if line.strip())


def _line(count: int, line: str, moves: str, solve_one: Callable[[Position], None]) -> bool:
    """Solve what one line describes; a bad one is complained of, and the others still count."""
    try:
        solve_one(position_of(line, moves))
    except PapanError as error:
        progress(say("solve.line", number=count, error=complaint(error)))
        return False
    return True


def _from_file(game: str, path: Path) -> Position:
    """The board in a file: rows of numbers for Onet, or the fields of a position."""
    try:
        text = read_regular(path, LARGEST_FILE, InvalidPositionError).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidPositionError("error.cannot_read", path=path, why=error) from None
    rows = [row for line in text.splitlines() if (row := line.replace(",", " ").split())]
    if not rows:
        raise InvalidPositionError("solve.empty_file", path=path)
    if game == "onet":
        game = f"onet:{len(rows)},{len(rows[0])}"
    between = "," if game.startswith("onet") else " "
    return catalog.position(f"{game} {'/'.join(between.join(row) for row in rows)}")


def _print_solution(position: Position, analysis: Analysis, all_moves: bool) -> None:
    name = position.game.move_name
    who = player(position, position.turn)
    print(Drawing.of(position).picture())
    print(_verdict(position, analysis, who))
    if analysis.best:
        print(say(_best_key(analysis), moves=" ".join(map(name, analysis.best))))
    if len(analysis.line) > 1:
        print(say("analyse.line", line=" ".join(map(name, analysis.line))))
    if all_moves:
        proved = {move: each for move, each in analysis.values.items() if isinstance(each, Proved)}
        exact = {move: each.low for move, each in proved.items() if each.exact}
        for move, value in sorted(exact.items(), key=lambda pair: -pair[1]):
            print(f"{name(move)}: {value_text(value)}")
    print(_work(analysis))


def _best_key(analysis: Analysis) -> str:
    """The text that says how sure it is that these are the best moves, and all of them."""
    if not analysis.exact:
        return "solve.best_guess"
    return "solve.best" if analysis.best_complete else "solve.best_some"


def _verdict(position: Position, analysis: Analysis, who: str) -> str:
    """The value in one sentence, or what is proven of it."""
    if analysis.verdict is not None:
        return analysis.verdict.text(language())
    if analysis.exact and analysis.value is not None:
        text = say("solve.exact", value=value_text(analysis.value), player=who)
        if analysis.distance is None:
            return text
        return f"{text} {say('analyse.distance', plies=analysis.distance)}"
    most = position.game.largest_margin
    low, high = analysis.bounds or (-most, most)
    return say("solve.bounds", low=value_text(low), high=value_text(high), player=who)


def review(
    game_file: FileArgument,
    seconds: Seconds = None,
    json: Json = False,
) -> None:
    """A saved game in words: its mistakes, why they are mistakes, and what was better."""
    played = api.load(game_file)
    limit = limit_of(seconds, None, USUAL["cli.review"])
    total = len(catalog.game(played.game).split_moves(played.moves))

    def judge() -> Review:
        with Bar(say("review.running")) as bar:
            return api.review(
                played,
                limit.seconds,
                on_verdict=lambda each: bar.update(Progress(total - each.ply, total)),
            )

    def show(found: Review) -> None:
        if len(found.verdicts) < total:
            progress(say("cli.so_far", done=len(found.verdicts), total=total))
        if json:
            names = found.names(language())
            for verdict in found.verdicts:
                print_json(verdict.json() | {"text": verdict.text(language(), names)})
        else:
            for line in found.lines(language()):
                print(line)

    show_result(judge, show)


def graph(
    position: PositionArgument,
    moves: Moves = "",
    name: Annotated[str, typer.Option("--graph", metavar="NAME")] = "",
    origin: Annotated[str, typer.Option("--from", metavar="VERTEX")] = "",
    order: Annotated[Order, typer.Option("--search", metavar="breadth|depth")] = "breadth",
    form: Annotated[
        Literal[Form, "text"], typer.Option(metavar="|".join(("text", *FORMS)))
    ] = "text",
) -> None:
    """One of the graphs of a position, in words or in one of the forms of `Graph.text`."""
    place = position_of(position, moves)
    found = Drawing.of(place).graph(name)
    walk = found.walk(origin, order) if origin else None
    if form == "svg":
        print(found.svg(walk))
    elif form != "text":
        print(found.text(form))
    else:
        names = " ".join([*(each.name for each in Drawing.of(place).graphs()), "moves"])
        title = say(key := f"graph.title_{found.name}")
        print(say("graph.heading", name=found.name, title=found.name if title == key else title))
        for fact in [*found.summary(), *(found.walked(walk) if walk else ())]:
            print(say(fact.key, **fact.values))
        print(say("graph.others", names=names))
        print()
        print(found.text("list"))


# Proofs: a value proved in parts that survive any interruption, and the check of it.

PAUSE = 10.0
"""Seconds between two lines about how it is going."""

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
    samples: Annotated[int, typer.Option(metavar="N")] = Checker.samples,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Prove a position, or check a proof."""
    if check_file is not None:
        if samples < 0:
            raise PapanError("prove.bad_samples", samples=samples)
        _check(check_file, Checker(CATALOG, samples, seed), json)
        return
    if position is None or not position.strip():
        raise PapanError("prove.nothing")
    count = worker_count(workers)
    root = position_of(position, moves)
    path = proof_file or data_folder() / "proofs" / f"{_name(root)}.jsonl"
    proof: Proof | None = None
    try:
        with writing(path):
            proof = Proof(path, root, plies, trust)
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
    """What the file of a position is called where nobody says it."""
    name = re.sub("[^a-z0-9]+", "-", root.game.spec).strip("-")
    if root == root.game.start():
        return name
    return f"{name}-{hashlib.sha256(str(root).encode()).hexdigest()[:8]}"


def _executor(address: str | None, workers: int) -> AbstractContextManager[Executor]:
    """Where parts are solved: on the cluster at *address*, or here."""
    if address is None:
        return executor_here(workers)
    from papan.lab.tournament.run import cluster

    return cluster(address, timed)


def _run(proof: Proof, executor: Executor, memory: int, seconds: float) -> None:
    """Solve parts, and say now and then how far it is: at once when more is known of the root."""
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


def _between(bounds: Bounds) -> str:
    return say("prove.between", span=_span(bounds))


def _span(bounds: Bounds) -> str:
    """From where to where a value may lie; one number where that is known."""
    low, high = map(value_text, bounds)
    return say("prove.span_exact" if low == high else "prove.span", low=low, high=high)


def _left(left: Left) -> str:
    """What is left, in words."""
    goal = value_text(left.goal)
    counts = {"goal": goal, "least": left.least_parts, "most": left.most_parts}
    if not isfinite(left.most_seconds):
        return say("prove.left_unknown", **counts)
    soonest, latest = _time(left.least_seconds), _time(left.most_seconds)
    return say("prove.left", soonest=soonest, latest=latest, **counts)


def _time(seconds: float) -> str:
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{int(seconds) % 60:02}"


def _show(proof: Proof, json: bool) -> None:
    """What was proved, with what work, and what is left."""
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
    who = player(root, root.turn)
    if tree.settled:
        print(say("solve.exact", value=values["low"], player=who))
    else:
        print(say("solve.bounds", player=who, **values))
        print(say("prove.stopped", left=_left(left)))
    skipped = len(tree.parts) - len(asked) if tree.settled else 0
    print(say("prove.work", skipped=skipped, path=proof.log.path, **work))


def _check(path: Path, checker: Checker, json: bool) -> None:
    """Check a proof, and say what came of it; it has failed where the proof does not hold."""
    result: Check | None = None
    try:
        for result in checker.check(path):
            rewrite(say("prove.checking", done=result.looked, samples=checker.samples))
        rewrite("")
    except KeyboardInterrupt:
        rewrite("")
        if result is not None and not json:
            print("\n".join(_check_lines(result, checker.samples)))
        raise
    assert result is not None  # the first one says what the file says
    if json:
        print_json(_check_facts(result))
    else:
        print("\n".join(_check_lines(result, checker.samples)))
        print(say("prove.sound" if result.sound else "prove.unsound"))
    if not result.sound:
        raise typer.Exit(1)


def _check_lines(result: Check, samples: int) -> list[str]:
    root = result.position
    spans = {"found": _span(result.bounds), "said": _span(result.claimed)}
    who = player(root, root.turn)
    counts = {"whole": result.whole, "lines": result.lines, "unreached": result.unreached}
    wrong = [
        say(
            "prove.false",
            position=str(claim.position),
            least=value_text(claim.least),
            player=player(root, claim.seat),
        )
        for claim in result.wrong
    ]
    return [
        say("prove.recomputed", parts=result.parts, player=who, **spans),
        say("prove.checked", looked=result.looked, samples=samples, wrong=len(wrong), **counts),
        *(say("prove.stranger", position=name) for name in result.strangers),
        *wrong,
    ]


def _check_facts(result: Check) -> dict[str, Any]:
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
