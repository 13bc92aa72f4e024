"""The widget: a game in a notebook, drawn by the web app's scripts; agents think in threads."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from posixpath import dirname, join, normpath
from threading import RLock
from typing import Any, ClassVar, TypeAlias, get_type_hints

import anywidget
import traitlets

from papan import catalog
from papan.core import Agent, Analysis, Limit, PapanError
from papan.core.agent import Search
from papan.core.drawing import RichRepr
from papan.core.errors import in_one_line
from papan.core.hint import HINT_STEPS, Hint, hint_of
from papan.core.message import catalogue, locale_language, text_of
from papan.core.parts import Drawing
from papan.core.reasons import Reason, reason
from papan.core.session import (
    PERSON,
    SeatAgent,
    Session,
    dealt_start,
    picked_move,
    result_text,
    seat_name,
)
from papan.web.boards import board_facts

State: TypeAlias = dict[str, Any]


STYLES = ("base", "board", "widget")
IMPORT = re.compile(r'^(import [^;]*? from )"(\.[^"]+)";$', re.M | re.S)
LOADER = """\
const sources = {sources};
const places = {{}};
for (const [name, text] of sources) {{
  const whole = text.replace(/"papan:([^"]+)"/g, (_, other) => JSON.stringify(places[other]));
  places[name] = URL.createObjectURL(new Blob([whole], {{ type: "text/javascript" }}));
}}
const {{ render }} = await import(places[{entry}]);
for (const place of Object.values(places)) URL.revokeObjectURL(place);
export default {{ render }};
"""
"""Script that loads the modules, each from its own text; the last one is the entry point."""


@cache
def script(entry: str) -> str:
    """Return one JavaScript module that loads *entry* and all modules that it imports, cached.

    *entry* is the name of a file of the web app's scripts, such as ``widget.js``. Raise OSError if
    a file is missing.
    """
    sources: dict[str, str] = {}
    _collect(entry, sources, ())
    return LOADER.format(sources=json.dumps([*sources.items()]), entry=json.dumps(entry))


def _collect(name: str, sources: dict[str, str], above: tuple[str, ...]) -> None:
    """Add the source of the module *name* to *sources*, by name, after those that it imports.

    Do nothing if *name* is there already. Imports are rewritten for the loader. *above* are the
    names of the modules that wait for this one. Raise AssertionError if *name* is among them, as it
    imports itself by way of others; OSError if its file is missing.
    """
    if name in sources:
        return
    assert name not in above, f"{name} imports itself by way of {above[-1]}"
    text = _read("js", name)

    def named(found: re.Match[str]) -> str:
        other = normpath(join(dirname(name), found[2]))
        _collect(other, sources, (*above, name))
        return f'{found[1]}"papan:{other}";'

    sources[name] = IMPORT.sub(named, text)


@cache
def style() -> str:
    """Return the web app's style sheets as CSS for elements in ``.papan`` alone; cached.

    The rest of a notebook is unchanged. Raise OSError if a file is missing.
    """
    sheets = "\n".join(_read("css", f"{name}.css") for name in STYLES)
    sheets = re.sub(r"^html \{", "& {", sheets.replace(":root", "&"), flags=re.M)
    return f".papan {{\n{sheets}}}\n"


def _read(folder: str, name: str) -> str:
    """Return the text of the web app's file *name* (a path with /) in *folder*, ``js`` or ``css``.

    Raise OSError if it is missing.
    """
    place = files("papan").joinpath("web", "static", folder, *name.split("/"))
    return place.read_text(encoding="utf-8")


SPOKEN = (
    "web.spot_",
    "means.",
    "web.picked_first",
    "web.no_moves",
    *("web.tools", "web.more", "web.panels", "web.flipped", "web.zoom"),
    *("web.show_features", "web.type_move", "web.enter"),
    *("web.close", "web.cancel", "screen.keys", "web.key_present", "web.key_escape", "web.present"),
    "lab.moves",
    "seat.",
    "game.",
    *(f"{name}.tile_" for name in catalog.GAMES),
)
"""Beginnings of the keys of texts that the scripts look up themselves."""


def _fits(method: Callable[..., object], arguments: Mapping[str, object]) -> bool:
    """Return whether *arguments*, JSON data by name, are just those that *method* declares.

    Each must be of its declared type itself, not of one derived from it: True is no int.
    """
    declared = get_type_hints(method)
    declared.pop("return", None)
    return arguments.keys() == declared.keys() and all(
        type(arguments[name]) is kind for name, kind in declared.items()
    )


class Widget(RichRepr, anywidget.AnyWidget):
    """Base of the games inside a notebook: it sends `state`, and the page shows it.

    *session* is the game. The page has no rules, but sends what was done: a message such as
    ``{"do": "go", "count": 3}`` calls the method of that name with these arguments, if it is one of
    `words`.
    """

    _esm: ClassVar[str] = script("widget.js")
    _css: ClassVar[str] = style()
    state = traitlets.Dict().tag(sync=True)
    """What the page shows now: the last `current_state`."""
    texts = traitlets.Dict().tag(sync=True)
    """Texts that the scripts look up, by key."""
    language = traitlets.Unicode("en").tag(sync=True)
    """Language of the page: en or id."""

    words: ClassVar[tuple[str, ...]] = ("go",)
    """Names of the methods that a message of the page may call."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.language = locale_language()
        texts = catalogue(self.language)
        self.texts = {key: text for key, text in texts.items() if key.startswith(SPOKEN)}
        self.session = session
        self.problem = ""
        self._lock = RLock()
        self.on_msg(self._received)

    def _repr_text_(self) -> str:
        return Drawing.of(self.session.position).picture()

    def _received(self, _: object, message: Any, __: object) -> None:
        """Carry out a *message* of the page, such as ``{"do": "go", "count": 3}``; send the state.

        A PapanError is shown on the page, in place of the last one. A message that is no dict is
        ignored; one without a word of `words`, or with other arguments than that method takes, only
        sends the state again.
        """
        if not isinstance(message, dict):
            return
        with self._lock:
            self.problem = ""
            word, arguments = message.get("do"), {**message}
            arguments.pop("do", None)
            if word in self.words and _fits(method := getattr(self, str(word)), arguments):
                try:
                    method(**arguments)
                except PapanError as error:
                    self.problem = error.text(self.language)
            self.update()

    def update(self) -> None:
        """Send `current_state` to the page."""
        self.state = self.current_state()

    def go(self, count: int) -> None:
        """Go to the position after *count* plies of the game, or to the nearest one.

        The plies after it stay, so that it is possible to go there again. A *count* below 0 means
        the start.
        """
        self.session.go(count)

    def current_state(self) -> State:
        """Return everything that the page shows, as JSON data by name; subclasses change entries.

        *board* is a dict with the fields of `BoardFacts`; *line* has the names of all moves, those
        after this position too, and *turns* the seat (0 or 1) of each. Seat by seat, *names* has
        the name of the seat, *seats* that of the player on it. *tools* are buttons as of `button`,
        *status* and *problem* sentences, perhaps empty. Here *choices* and *hint* are empty lists,
        *live* (a person may move) is False and *reason* None.
        """
        session = self.session
        line = [*session.plies, *reversed(session.undone)]
        return {
            "board": board_facts(tuple(session.plies), session.position).model_dump(),
            "line": [session.game.move_name(move) for _, move in line],
            "turns": [position.turn for position, _ in line],
            "names": [self.seat(seat) for seat in range(session.game.seats)],
            "seats": [self.title(agent) for agent in self.agents],
            "choices": [],
            "tools": self.tools(),
            "status": self.status(),
            "problem": self.problem,
            "live": False,
            "hint": [],
            "reason": None,
        }

    def tools(self) -> list[State]:
        """Return the buttons below the board, as `button` makes them; none by default."""
        return []

    def status(self) -> str:
        """Return the sentence below the board: the result, or empty while the game goes on."""
        return self.result() if self.session.end != "open" else ""

    def result(self) -> str:
        """Return how the game ended and who won, as one sentence, by the names of `agents`."""
        names = [self.title(agent) for agent in self.agents]
        return result_text(self.session.game, self.session.record(), names, self.language)

    @property
    def agents(self) -> tuple[str, ...]:
        """The spec of the agent on each seat, ``human`` for a person, seat 0 first."""
        return self.session.record().agents

    def button(self, key: str, do: str, off: bool = False, **more: object) -> State:
        """Return a button with the text of *key* that sends *do* with *more* as its arguments.

        It is JSON data: ``text``, ``send`` (the message), ``off`` and ``pressed`` (None: it is no
        switch). *off* disables it.
        """
        return {"text": self.say(key), "send": {"do": do, **more}, "off": off, "pressed": None}

    def seat(self, seat: int) -> str:
        """Return the name of a seat (0 or 1) for people."""
        return seat_name(self.session.game, seat, self.language)

    def title(self, spec: str) -> str:
        """Return the name for people of the player with *spec*, such as ``level:3``.

        People and levels have names in the language of the notebook; for any other agent it is
        *spec*.
        """
        name, _, number = spec.partition(":")
        key = {PERSON: "web.person", "level": f"web.level_{number[:1]}"}.get(name, spec)
        return self.say(key)

    def say(self, key: str, **values: object) -> str:
        """Return the text of *key* in the language of this notebook (en or id).

        *values* are put into it by name. An unknown key is returned unchanged; raise KeyError if
        the text has a value that is not given.
        """
        return text_of(key, self.language, **values)


class Stepper(Widget):
    """A played game to step through, with a slider and buttons; nothing can be played.

    *session* has the game; *agents* are the specs of those who played it, by seat.
    """

    def __init__(self, session: Session, agents: tuple[str, ...]) -> None:
        super().__init__(session)
        self._agents = agents
        self.update()

    @property
    def agents(self) -> tuple[str, ...]:
        """The specs of the agents that played; none of them is active here."""
        return self._agents

    def current_state(self) -> State:
        return super().current_state() | {"slider": self.say("notebook.slider")}

    def tools(self) -> list[State]:
        at, last = len(self.session.plies), len(self.session.plies) + len(self.session.undone)
        return [
            self.button("notebook.first", "go", at == 0, count=0),
            self.button("notebook.back", "go", at == 0, count=at - 1),
            self.button("notebook.forward", "go", at == last, count=at + 1),
            self.button("notebook.last", "go", at == last, count=last),
        ]

    def status(self) -> str:
        session = self.session
        if not session.undone and session.end != "open":
            return self.result()
        last = len(session.plies) + len(session.undone)
        return self.say("notebook.ply", ply=len(session.plies), last=last)


class PlayWidget(Widget):
    """A game in progress between people and agents, with moves, hints, and searches in threads.

    `close` stops the search.
    """

    words: ClassVar[tuple[str, ...]] = (
        *("go", "play", "undo", "redo", "hint", "now", "pause", "shuffle", "new", "sit"),
    )

    def __init__(
        self, session: Session, opponents: Mapping[str, SeatAgent], adviser: Agent, limit: Limit
    ) -> None:
        """Show *session* and start the agent to move; games between agents alone begin paused.

        *opponents* has those that can be chosen for a seat, by spec (None instead of an agent: a
        person); *adviser* gives hints; *limit* is that of each search.
        """
        super().__init__(session)
        self.opponents, self.adviser, self.limit = opponents, adviser, limit
        self.paused = None not in session.agents
        self.advice: Hint | None = None
        """The hint for this position; None until it is found."""
        self.hint_step = 0
        """The step of the hint that is shown, 1 to 3; 0 if none was asked for."""
        self.reason: Reason | None = None
        """The reason of the last move; None if a person made it."""
        self._search: Search | None = None
        self._begun_from = session.start  # before any deal or shuffle here
        self._deals = 0
        self.next()
        self.update()

    def play(self, move: str) -> None:
        """Play the move named *move* for a person, and start the agent that follows.

        Plies that were taken back are lost, and a search for a hint is stopped. Raise PapanError if
        it is not legal or not a person's turn.
        """
        if not self.session.person_to_move:
            raise PapanError("web.not_your_turn")
        self.session.play(picked_move(self.session.position, move))
        self.next()

    def undo(self) -> None:
        """Take moves back to the last choice of a person, or one ply if only agents play.

        At the start the last shuffle, if any, is undone instead. A running search is dropped, and
        the agent to move begins anew unless the agents are paused.
        """
        self.session.undo()
        self.next()

    def redo(self) -> None:
        """Play the moves again that were taken back, up to a person's next choice.

        If there are none, the position stays; a running search begins anew in any case.
        """
        self.session.redo()
        self.next()

    def go(self, count: int) -> None:
        """Go to the position after *count* plies, or the nearest, and pause the agents.

        A running search is dropped.
        """
        self.paused = True
        self.session.go(count)
        self.next()

    def shuffle(self) -> None:
        """Shuffle the remaining pieces, if the game allows it now; else do nothing."""
        if self.session.can_shuffle:
            self.session.shuffle()
            self.next()

    def hint(self) -> None:
        """Show one more step of a hint: first the idea, then the area, then the move.

        The first step starts the search for it, and counts as a hint in the record; until its
        result is there, nothing is shown. After the last one nothing changes. Raise PapanError if
        it is not a person's turn.
        """
        if not self.session.person_to_move:
            raise PapanError("web.not_your_turn")
        self.hint_step = min(self.hint_step + 1, HINT_STEPS)
        if self.hint_step == 1:
            self.session.hints[self.session.position.turn] += 1
            self._think(self.adviser)

    def now(self) -> None:
        """Stop the search, so that its best move so far is used; do nothing if none runs."""
        if self._search:
            self._search.stop()

    def pause(self) -> None:
        """Pause the agents, which drops a running search, or let them continue."""
        self.paused = not self.paused
        self.next()

    def new(self) -> None:
        """Start the same game again, with the same players in their seats.

        A random start is dealt anew, unless the game's spec has a seed; a position that was set up
        by hand stays the start. Games between agents alone begin paused, all others not.
        """
        agents = self.session.agents
        self._deals += 1
        self.session = Session(dealt_start(self._begun_from, self._deals), agents)
        self.paused = None not in agents
        self.next()

    def sit(self, seat: int, who: str) -> None:
        """Give *seat* (0 or 1) to the opponent with the spec *who* (``human``: a person).

        The present turn begins anew. Agents are paused if no person is left; else they go on, even
        if they were paused. Do nothing if there is no such seat or opponent.
        """
        agents = list(self.session.agents)
        if who in self.opponents and seat in range(len(agents)):
            agents[seat] = self.opponents[who]
            self.session.agents = tuple(agents)
            self.paused = None not in agents
            self.next()

    @property
    def thinking(self) -> bool:
        """True if an agent is searching for its move; False during the search for a hint."""
        return self._search is not None and not self.session.person_to_move

    def next(self) -> None:
        """Drop the running search, the hint and the reason; start the search of the agent to move.

        None starts if it is a person's turn, the agents are paused or the game is over.
        """
        self._drop()
        self.reason = None
        agent = self.session.agent
        if agent is not None and not self.paused and self.session.end == "open":
            self._think(agent)

    def _think(self, agent: Agent) -> None:
        """Start a search of *agent* in the present position; `_answered` gets its result.

        A search that runs already is not stopped, but its result will be ignored.
        """
        self._search = Search(agent, self.session.position, self.limit)
        self._search.start(self._answered)

    def close(self) -> None:
        """Close the widget, and stop its search."""
        with self._lock:
            self._drop()
        super().close()

    def _drop(self) -> None:
        """Stop the search without using its result, if one runs, and drop the hint."""
        self.advice, self.hint_step = None, 0
        if self._search:
            self._search.stop()
            self._search = None

    def _answered(self, search: Search) -> None:
        """Use the result of *search*, in its thread: play its move, or show its hint or error.

        An error pauses the agents. Do nothing if the search was dropped or replaced since.
        """
        with self._lock:
            if self._search is not search:
                return
            self._search, self.problem = None, ""
            if not isinstance(search.answer, Analysis):
                self.problem, self.paused = self._fault(search.answer), True
            elif self.session.person_to_move:
                self.advice = hint_of(self.session.position, search.answer)
            else:
                because = reason(self.session.position, search.answer.move, search.answer)
                self.session.play(search.answer.move)
                self.next()
                self.reason = because
            self.update()

    def _fault(self, error: BaseException | None) -> str:
        """Return the error of an agent as one sentence in the language of the notebook.

        Code of users may raise anything: of an error that is not papan's own at most 200 characters
        are shown.
        """
        if isinstance(error, PapanError):
            return error.text(self.language)
        return self.say("process.crashed", error=in_one_line(error)[:200])

    def current_state(self) -> State:
        return super().current_state() | {
            "choices": [{"who": who, "text": self.title(who)} for who in self.opponents],
            "seats": list(self.agents),
            "live": self.session.person_to_move,
            "hint": self._shown_by_hint(),
            "reason": self._shown_reason(),
        }

    def _shown_reason(self) -> State | None:
        """Return the reason of the agent's last move as JSON data; None if there is none.

        ``text`` is the reason in sentences, ``svg`` has SVG elements that point out the cells of
        its first clause.
        """
        if self.reason is None:
            return None
        alone = self.agents.count(PERSON) == 1
        names = [
            self.say("seat.alone") if who == PERSON and alone else self.title(who)
            for who in self.agents
        ]
        drawing, cells = Drawing.of(self.reason.position), self.reason.clauses[0].cells
        text = self.reason.text(self.language, names if len({*names}) == len(names) else ())
        return {"text": text, "svg": drawing.pointed_out(cells)}

    def _shown_by_hint(self) -> list[str]:
        """Return the names of the moves that the hint highlights now: the area, or the move alone.

        Empty without a hint or in its first step.
        """
        if self.advice is None or self.hint_step < 2:
            return []
        name = self.session.game.move_name(self.advice.move)
        return [name] if self.hint_step == HINT_STEPS else list(self.advice.area)

    def tools(self) -> list[State]:
        session, open_ = self.session, self.session.end == "open"
        hint = self.button("web.hint", "hint")
        pause = self.button("web.start" if self.paused else "web.pause", "pause")
        extras = (
            (hint, open_ and None in session.agents),
            (self.button("web.shuffle", "shuffle"), session.can_shuffle),
            (self.button("web.move_now", "now"), self.thinking),
            (pause, open_ and session.agent is not None),
        )
        return [
            self.button("web.new", "new"),
            self.button("web.undo", "undo", not session.plies),
            self.button("web.redo", "redo", not session.undone),
            *(button for button, wanted in extras if wanted),
        ]

    def status(self) -> str:
        session = self.session
        if session.end != "open":
            return self.result()
        if session.agent is not None:
            agent = self.title(session.agent.spec)
            return self.say("web.paused" if self.paused else "web.agent_thinks", agent=agent)
        if self.hint_step:
            return (
                self.advice.text(self.hint_step, self.language)
                if self.advice
                else (self.say("web.thinking"))
            )
        if session.game.seats == 1:
            return self.say("screen.turn_alone")
        return self.say("screen.turn", player=self.seat(session.position.turn))
