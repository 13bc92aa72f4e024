"""What is found by folder."""

from papan import catalog
from papan.core import Agent


def test_no_two_agents_have_the_same_name() -> None:
    found = [
        kind
        for package, pattern in (("papan.agents", "[!_]*"), ("papan.games", "*/paper.py"))
        for kind in catalog._classes(package, pattern, Agent)  # type: ignore[type-abstract]
    ]
    assert len({kind.name for kind in found}) == len(set(found)) == len(catalog.own_agents())
