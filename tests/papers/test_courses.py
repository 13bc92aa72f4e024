"""Courses: every stage leads somewhere, from the first idea of a paper to its experiment."""

from urllib.parse import parse_qs, urlsplit

import pytest

from papan import catalog
from papan.core.message import LANGUAGES, catalogue, text_of
from papan.core.session import PERSON
from papan.lessons import LESSONS
from papan.papers import PAPERS
from papan.papers.paper import Paper


def _sections(paper: Paper) -> list[str]:
    return [stage.address.split("/")[1] for stage in paper.course]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)
def test_a_course_goes_from_the_rules_to_the_experiment(paper: Paper) -> None:
    stages = paper.course
    assert stages[0].address == f"/learn/{paper.game}"
    assert stages[-1].address == f"/lab/{paper.number}"
    assert {"learn", "play", "watch", "analyse", "lab"} == set(_sections(paper))
    assert len({stage.name for stage in stages}) == len(stages)
    for language in LANGUAGES:
        known = catalogue(language)
        assert {f"course.{paper.number}_{stage.name}" for stage in stages} <= known.keys()


def opens(paper: Paper, text: str) -> None:
    """The page at this address is there, its agents can play its game."""
    address = urlsplit(text)
    section, name = address.path.split("/")[1:]
    if section == "learn":
        assert name in LESSONS
    elif section != "lab":
        game = catalog.game(name)
        assert game.name == paper.game
        words = parse_qs(address.query)
        agents = [*words.get("seats", []), *words.get("variants", [])]
        for agent in (each for text in agents for each in text.split("|")):
            assert agent == PERSON or catalog.agent(agent).plays(game)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)
def test_every_stage_of_a_course_can_be_opened(paper: Paper) -> None:
    for stage in paper.course:
        opens(paper, stage.address)


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.number)
def test_q13_what_the_authors_program_offers_is_a_page_and_a_command(paper: Paper) -> None:
    for each in paper.programs:
        opens(paper, each.address)
        assert each.command.startswith("papan ")
        for language in LANGUAGES:
            assert each.text.key in catalogue(language)
    assert paper.programs or paper.number > "004", "the first five have one"


def test_q13_the_menu_and_the_flowcharts_of_003_are_there() -> None:
    (paper,) = [each for each in PAPERS if each.number == "003"]
    assert [text_of(each.text.key, "id")[:2] for each in paper.programs] == [
        f"{number}." for number in range(1, 6)
    ]
    for flow in paper.flows:
        kinds = [kind for kind, _ in flow.boxes]
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        for kind, text in flow.boxes:
            assert (kind == "choice") == ("?" in text_of(text.key, "en"))
    assert [len(flow.boxes) for flow in paper.flows] == [4, 9], "as in figures 1 and 2"
    assert "draw one" not in " ".join(text_of(text.key, "en") for _, text in paper.flows[1].boxes)
