"""One rule for limits: what is typed, else the agent's own settings, else the command's usual."""

from collections.abc import Callable
from pathlib import Path

import pytest

from papan import catalog
from papan.cli.app import COMMANDS
from papan.cli.arguments import USUAL, limit_of
from papan.core import UNLIMITED, Limit

from .conftest import Papan

BOT = "def choose(position):\n    return position.moves()[0]\n"


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "mybot.py"
    path.write_text(BOT)
    return str(path)


@pytest.mark.parametrize(
    ("spec", "granted"),
    [
        ("level:3", Limit(seconds=2)),
        ("mcts", Limit(seconds=2)),
        ("mcts:seconds=9", Limit(seconds=9)),
        ("mcts:iterations=70000", Limit(nodes=70_000)),
        ("bot:{bot},deadline=60", Limit(seconds=60)),
        ("bot:{bot}", Limit(seconds=10)),
    ],
)
def test_c04_own_settings_come_before_the_usual_limit(spec: str, granted: Limit, bot: str) -> None:
    agent = catalog.agent_from_user(spec.format(bot=bot))
    assert limit_of(None, None, USUAL["cli.play"], agent) == granted
    assert limit_of(1.5, None, USUAL["cli.play"], agent) == Limit(seconds=1.5)


def test_c04_play_grants_a_bot_its_deadline_and_says_so(papan: Papan, bot: str) -> None:
    ran = papan("play", "tictactoe", "--plain", "--vs", f"{bot},deadline=60", typed="quit\n")
    assert "has up to 60 s for a move" in ran.err
    ran = papan("play", "tictactoe", "--plain", "--seconds", "3", "--vs", bot, typed="quit\n")
    assert "has up to 3 s for a move" in ran.err
    assert "has up to 2 s for a move" in papan("play", "tictactoe", "--plain", typed="quit\n").err
    ran = papan("play", "tictactoe", "--plain", "--seconds", "inf", typed="quit\n")
    assert " has no limit for a move; --seconds changes that." in ran.err


@pytest.mark.parametrize("command", USUAL)
def test_c04_the_help_shows_the_usual_limit(papan: Papan, command: str) -> None:
    out = " ".join(papan(*command.split(".")[1:], "--help").out.split())
    usual = USUAL[command]
    shown = "no limit" if usual == UNLIMITED else f"{min(usual.seconds, usual.nodes):g}"
    assert f"If nothing is said: {shown}" in out.replace(" │ │ ", " ")


@pytest.mark.parametrize("command", USUAL)
def test_d16_the_help_says_where_settings_of_an_agent_grant_more(
    papan: Papan, command: str
) -> None:
    out = papan(*command.split(".")[1:], "--help").out.replace("│", " ")
    own_first = "unless the agent's own settings say it" in " ".join(out.split())
    assert own_first == (command in ("cli.play", "cli.watch", "cli.analyse"))


def test_c04_every_command_with_a_limit_has_a_usual_one() -> None:
    def limited(function: Callable[..., None]) -> bool:
        return "seconds" in function.__annotations__

    found = set()
    for name, entry in COMMANDS.items():
        parts = entry if isinstance(entry, dict) else {"": entry}
        found |= {f"cli.{name}.{part}".rstrip(".") for part, each in parts.items() if limited(each)}
    assert found == set(USUAL)


def test_c04_no_limit_of_nodes_can_be_typed_as_the_sentence_says(papan: Papan) -> None:
    assert "or inf, for no limit" in papan("solve", "tictactoe", "--nodes", "0").err
    assert "(solved)" in papan("solve", "tictactoe", "--nodes", "inf").out


def test_c04_on_a_screen_each_agent_has_its_own_limit(
    papan: Papan, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []
    monkeypatch.setattr("papan.cli.play.on_a_screen", lambda: True)
    monkeypatch.setattr(
        "papan.terminal.app.run_watched", lambda context, *rest: shown.append(context)
    )
    agents = ["mcts:iterations=7", "mcts:seconds=9"]
    assert papan("watch", "tictactoe", "--a", agents[0], "--b", agents[1]).code == 0
    (context,) = shown
    granted = [context.limit(catalog.agent(each)) for each in agents]
    assert granted == [Limit(nodes=7), Limit(seconds=9)]
