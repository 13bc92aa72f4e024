"""papan: board games, the agents that play them and the tools that compare them."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from papan.plugins import brings_plugins

if TYPE_CHECKING:
    from papan.library import *  # noqa: F403
    from papan.library import __all__ as __all__

    __version__: str
else:  # type checkers would take any name for one of papan

    def __getattr__(name: str) -> Any:
        """Return what papan offers as *name*, and load what that takes at the first call.

        Raise AttributeError if it offers nothing of that name.
        """
        if name == "__version__":
            return import_module("importlib.metadata").version("papan")
        if name == "__all__" or not name.startswith("__"):
            if find_spec(f"papan.{name}"):
                return import_module(f"papan.{name}")
            module = next((each for each in _SOONER if name in _SOONER[each]), "papan.library")
            offered = vars(import_module(module))
            if name in offered:
                return globals().setdefault(name, offered[name])
        raise AttributeError(f"module 'papan' has no attribute {name!r}", name=name)


_SOONER = {
    "papan.catalog": [
        "AGENTS",
        "GAMES",
        "agent",
        "agent_from_user",
        "game",
        "is_foreign",
        "position",
    ],
    "papan.core": ["Agent", "Analysis", "Game", "Limit", "Position"],
}
"""Names that bots and referees ask for, by a module that is imported sooner than all of papan."""


def __dir__() -> list[str]:
    """Return the public names only, sorted: modules and their contents come with an import."""
    return sorted((*import_module("papan.library").__all__, "__doc__", "__version__"))


if brings_plugins():  # with all of papan loaded, because plug-ins import it
    import_module("papan.library")
    import_module("papan.catalog").load_plugins()
