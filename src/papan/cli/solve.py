"""``papan analyse``, ``solve`` and ``graph``: analyse, solve or draw a position."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from papan import api, catalog
from papan.cli.arguments import (
    USUAL,
    AgentOption,
    JsonOption,
    Memory,
    Moves,
    Nodes,
    PositionArgument,
    PositionOrNone,
    Seconds,
    Watch,
    agent_for,
    complaint,
    limit_of,
    position_of,
)
from papan.core import Analysis, InvalidPositionError, PapanError, Position, Proved
from papan.core.explain import EventLog, distance_message
from papan.core.files import read_regular
from papan.core.game import Game
from papan.core.graph import FORMS, GraphForm, WalkOrder
from papan.core.parts import Drawing, Setup
from papan.lab.files import LONGEST_RECORD
from papan.terminal.output import (
    Findings,
    figure,
    language,
    print_json,
    print_table,
    progress,
    say,
    seat_title,
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
    json: JsonOption = False,
    events: Annotated[bool, typer.Option("--events")] = False,
    show_progress: Watch = False,
) -> None:
    """Print an agent's analysis of one position, as text, JSON or events.

    *position* is a spec or a text, after which *moves* are made; *agent* is a spec; *seconds* and
    *nodes* limit the search (None: the agent's own or the usual limit). *json* prints the analysis
    as JSON, *events* all events of the search; *show_progress* prints progress also in a pipe.
    Raise PapanError if the position, the agent or a limit is invalid, the game is over, or the
    agent fails. After an interrupt, print the result so far and raise Interrupted.
    """
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
    """Print *analysis* of *position* as text: board, move, value, line, work, each move's value.

    What is not known is left out. *agent* is the spec of the agent, *log* has the events of its
    search, by which lines on how the choice was made follow.
    """
    name = position.game.move_name
    print(Drawing.of(position).picture())
    print()
    print(say("analyse.agent", agent=agent, player=seat_title(position, position.turn)))
    print(say("analyse.move", move=name(analysis.move)))
    if analysis.value is not None:
        kind = say("kind.exact" if analysis.exact else "kind.estimate")
        who = seat_title(position, position.turn)
        print(say("analyse.value", value=value_text(analysis.value), kind=kind, player=who))
    print(say("analyse.line", line=" ".join(map(name, analysis.line))))
    if analysis.distance is not None and analysis.value is not None:
        print(distance_message(position, analysis.value, analysis.distance).text(language()))
    print(_work(analysis))
    if analysis.values:
        print()
        _print_values(position, analysis, log)
    for line in how_lines(log, analysis):
        print(line)


def _work(analysis: Analysis) -> str:
    """Return the nodes and seconds of a search, and the reason why it ended, as a sentence."""
    why, seconds = say(f"why.{analysis.why}"), figure(analysis.seconds, ".3f")
    return say("analyse.work", nodes=analysis.nodes, seconds=seconds, why=why)


def _print_values(position: Position, analysis: Analysis, log: EventLog) -> None:
    """Print every move that has a value with that, its expected line, and the reason in the *log*.

    The best come first. Of a line at most 12 moves are printed; the columns of lines and reasons
    are left out if no move has one.
    """
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
    json: JsonOption = False,
    show_progress: Watch = False,
) -> None:
    """Prove and print the value of *position*, or of each line of standard input if it is None.

    *moves* are made there first. *board_file* has the board of one position instead: *position*
    then names its game (None: onet), and *moves* are ignored. *all_moves* prints the value of every
    move; *seconds* and *nodes* limit the search (None: no limit); it uses *threads* threads,
    *memory* megabytes and, if *book*, the opening book. *json* prints JSON, *show_progress* prints
    progress also in a pipe. Raise PapanError if a position or an option is invalid; from standard
    input, invalid lines are reported, and after all others are solved exit with 2. After an
    interrupt, print the result so far and raise Interrupted.
    """
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
        solve_one(_from_file(position or _game_of_files(), board_file))
    elif position is not None:
        if not position.strip():
            raise InvalidPositionError("solve.empty")
        solve_one(position_of(position, moves))
    else:
        done = [_line(number, line, moves, solve_one) for number, line in _lines()]
        if not all(done):
            raise typer.Exit(2)


def _lines() -> Iterator[tuple[int, str]]:
    """Return an iterator of (number, text) of the lines of standard input that are not blank.

    Numbers count all lines, from 1; texts are stripped. Lines are read one by one. On a terminal,
    first say that papan waits for them.
    """
    if sys.stdin.isatty():
        progress(say("solve.waiting"))
    return ((number, line.strip()) for number, line in enumerate(sys.stdin, 1) if line.strip())


def _line(count: int, line: str, moves: str, solve_one: Callable[[Position], None]) -> bool:
    """Call *solve_one* with the position of the text *line*, after *moves*; True if no error came.

    If the text or *moves* are invalid, or *solve_one* raises PapanError, print the error on
    standard error with the number of the line, *count*, and return False. *moves* are names,
    separated by spaces.
    """
    try:
        solve_one(position_of(line, moves))
    except PapanError as error:
        progress(say("solve.line", number=count, error=complaint(error)))
        return False
    return True


def _game_of_files() -> str:
    """Return the name of the first game that reads files of rows in a way of its own: ``onet``.

    Raise StopIteration if no game does.
    """
    own = (name for name, kind in catalog.GAMES.items() if _reads_rows(kind))
    return next(own)


def _reads_rows(kind: type[Game]) -> bool:
    """Return whether the game *kind* reads the rows of a file in another way than by default."""
    return Setup.class_for(kind).read_rows is not Setup.read_rows


def _from_file(game: str, path: Path) -> Position:
    """Return the position of *game* (a spec) that is in the UTF-8 file *path*.

    The file has rows of words, separated by spaces or commas. Raise PapanError if it cannot be
    read, is empty, or holds no position.
    """
    try:
        text = read_regular(path, LONGEST_RECORD, InvalidPositionError).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidPositionError("error.cannot_read", path=path, why=error) from None
    rows = [row for line in text.splitlines() if (row := line.replace(",", " ").split())]
    if not rows:
        raise InvalidPositionError("solve.empty_file", path=path)
    return Setup.of(catalog.game(game)).read_rows(rows)


def _print_solution(position: Position, analysis: Analysis, all_moves: bool) -> None:
    """Print the solution of *position* as text: the board, value, best moves and line.

    With *all_moves*, the values of the moves whose exact value is proved follow, the best first.
    Nodes, seconds and the end of the search come last.
    """
    name = position.game.move_name
    who = seat_title(position, position.turn)
    print(Drawing.of(position).picture())
    print(_verdict(position, analysis, who))
    if "proof" in analysis.facts:  # where no search has been, something else must tell why
        print(*(note.text(language()) for note in analysis.notes), sep="\n")
    if analysis.best:
        best = " ".join(map(name, analysis.best))
        print(say(_best_key(analysis, position), moves=best, count=len(analysis.best)))
    if len(analysis.line) > 1:
        print(say("analyse.line", line=" ".join(map(name, analysis.line))))
    if all_moves:
        proved = {move: each for move, each in analysis.values.items() if isinstance(each, Proved)}
        exact = {move: each.low for move, each in proved.items() if each.exact}
        for move, value in sorted(exact.items(), key=lambda pair: -pair[1]):
            print(f"{name(move)}: {value_text(value)}")
    print(_work(analysis))


def _best_key(analysis: Analysis, position: Position) -> str:
    """Return the key of the sentence that introduces the best moves of *position*.

    There is one each for moves that are guessed, that are all legal moves, that are the only legal
    move, that are all of the best ones, and that are some of them.
    """
    if not analysis.exact:
        return "solve.best_guess"
    if len(analysis.best) == len(position.moves()):
        return "solve.best_every" if len(analysis.best) > 1 else "solve.best_only"
    return "solve.best" if analysis.best_complete else "solve.best_some"


def _verdict(position: Position, analysis: Analysis, who: str) -> str:
    """Return the proved value of *position* in points, or its bounds, as a sentence.

    An exact value comes with the distance to the end, if it is known. The solver's own verdict, if
    there is one, stands in place of all that. *who* is the name of the player to move, whose value
    it is.
    """
    if analysis.verdict is not None:
        return analysis.verdict.text(language())
    if analysis.exact and analysis.value is not None:
        text = say("solve.exact", value=value_text(analysis.value), player=who)
        if analysis.distance is None:
            return text
        distance = distance_message(position, analysis.value, analysis.distance)
        return f"{text} {distance.text(language())}"
    most = position.game.largest_margin
    low, high = analysis.bounds or (-most, most)
    return say("solve.bounds", low=value_text(low), high=value_text(high), player=who)


def graph(
    position: PositionArgument,
    moves: Moves = "",
    graph_name: Annotated[str, typer.Option("--graph", metavar="NAME")] = "",
    origin: Annotated[str, typer.Option("--from", metavar="VERTEX")] = "",
    order: Annotated[WalkOrder, typer.Option("--search", metavar="breadth|depth")] = "breadth",
    form: Annotated[
        Literal[GraphForm, "text"], typer.Option(metavar="|".join(("text", *FORMS)))
    ] = "text",
) -> None:
    """Print one of the graphs of a position, in words or in one of the forms of `Graph.text`.

    *graph_name* is the name of the graph, empty for the first. *origin* is the vertex from which a
    walk starts, breadth or depth first by *order*; empty: no walk. Of the forms only ``text`` and
    ``svg`` show the walk. Raise PapanError if a name or the position is invalid, or the graph is
    too large for *form*.
    """
    place = position_of(position, moves)
    found = Drawing.of(place).graph(graph_name)
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
