"""Paper 001's genetic algorithm, by its own worked examples."""

from itertools import pairwise
from operator import ne

import pytest

import papan
from papan.agents.metaheuristics import (
    Chromosome,
    Genetic,
    fitness,
    judge_population,
    reservation_tree,
    swap,
)
from papan.core import CannotPlayError, Event, InvalidSpecError, Limit, margin
from papan.games.adjacency import Adjacency


def genes(text: str) -> tuple[int, ...]:
    return tuple(map(int, text))


@pytest.mark.parametrize(
    ("values", "expected"), [("6755", 1), ("5555", 4), ("7755", 2), ("5", 1), ("5655", 1)]
)
def test_fitness_is_the_run_of_equal_values_from_the_leaf(values: str, expected: int) -> None:
    assert fitness(genes(values)) == expected


@pytest.mark.parametrize(
    ("one", "other", "places", "swapped"),
    [
        ("12345", "23456", (1, 2), ("14325", "43256")),
        ("12345", "56789", (2, 0), ("12543", "36789")),
        ("123", "123", (0, 0), ("123", "123")),
        ("123", "123", (0, 1), ("213", "213")),
    ],
)
def test_swap_exchanges_genes_and_repairs_duplicates(
    one: str, other: str, places: tuple[int, int], swapped: tuple[str, str]
) -> None:
    assert swap(genes(one), genes(other), *places) == tuple(map(genes, swapped))


PICTURE = [
    Chromosome(genes("123"), (0, 1, 0), 6),
    Chromosome(genes("145"), (0, 1, 0), 5),
    Chromosome(genes("126"), (0, 1, 0), 7),
]
"""The paper's figure: A, B and C share their first gene, A and C the second one too."""


def test_the_reservation_tree_is_valued_by_minimax() -> None:
    assert reservation_tree(PICTURE, seat=0) == {
        genes("123"): 6,
        genes("126"): 7,
        genes("145"): 5,
        genes("12"): 7,
        genes("14"): 5,
        genes("1"): 5,
        (): 5,
    }


def test_the_paper_s_figure_gives_fitness_1_4_and_2() -> None:
    generation = judge_population(PICTURE, seat=0)
    assert generation.fitness == [1, 4, 2]
    assert generation.fittest == PICTURE[1]


def test_whose_turn_it_is_decides_between_most_and_least() -> None:
    """In the second of three turns the same seat moves again."""
    again = [each._replace(turns=(0, 0, 1)) for each in PICTURE]
    values = reservation_tree(again, seat=0)
    assert (values[genes("12")], values[genes("1")], values[()]) == (6, 6, 6)


def generations(agent: Genetic, text: str, limit: Limit = Limit()) -> list[Event]:  # noqa: B008
    events: list[Event] = []
    agent.analyse(papan.position(text), limit, events.append)
    return [event for event in events if event["t"] == "gen"]


@pytest.mark.parametrize("text", ["adjacency:4,4,3", "tictactoe", "dots:1,2"])
def test_chromosomes_are_whole_games_of_unique_moves(text: str) -> None:
    reported = generations(Genetic(population=7, generations=12, swap=1.0), text)
    assert [event["g"] for event in reported] == list(range(13))
    for event in reported:
        assert len(event["population"]) == 7
        for chromosome in event["population"]:
            assert len(set(chromosome["line"])) == len(chromosome["line"])
            assert not papan.position(text).after(" ".join(chromosome["line"])).moves()


def test_a_generation_tells_best_mean_worst_diversity_and_the_fittest() -> None:
    for event in generations(Genetic(), "adjacency:4,4,3"):
        found = [chromosome["fitness"] for chromosome in event["population"]]
        lines = {tuple(chromosome["line"]) for chromosome in event["population"]}
        assert (event["best"], event["worst"]) == (max(found), min(found))
        assert event["mean"] == pytest.approx(sum(found) / 5)
        assert event["div"] == len(lines) / 5
        assert event["line"] == event["population"][found.index(max(found))]["line"]


def test_plays_the_first_gene_of_the_fittest_of_the_last_generation() -> None:
    reported = generations(Genetic(), "adjacency:4,4,3")
    analysis = Genetic().analyse(papan.position("adjacency:4,4,3"))
    names = [Adjacency(4, 4, 3).move_name(move) for move in analysis.line]
    assert names == reported[-1]["line"]
    assert analysis.value == analysis.values[analysis.move].number


def test_without_swaps_nothing_new_is_born() -> None:
    reported = generations(Genetic(population=4, generations=30, swap=0.0), "adjacency:4,4,3")
    seen = [{tuple(each["line"]) for each in event["population"]} for event in reported]
    assert all(later <= earlier for earlier, later in pairwise(seen))
    assert reported[-1]["swaps"] == 0
    assert len(seen[-1]) == 1, "selection alone ends with one chromosome"


def test_the_fitter_are_selected_more_often() -> None:
    before, after = [], []
    for seed in range(30):
        agent = Genetic(population=40, generations=1, swap=0.0, seed=seed)
        first, second = generations(agent, "adjacency:4,4,1")
        fit = {tuple(each["line"]): each["fitness"] for each in first["population"]}
        before += [each["fitness"] for each in first["population"]]
        after += [fit[tuple(each["line"])] for each in second["population"]]
    assert sum(after) > 1.15 * sum(before)


def test_out_of_time_the_last_finished_generation_counts() -> None:
    start = papan.position("adjacency:4,4,3")
    reported = generations(Genetic(), "adjacency:4,4,3", Limit(nodes=50))
    analysis = Genetic().analyse(start, Limit(nodes=50))
    assert analysis.why == "nodes"
    assert 0 < len(reported) < 21
    assert start.game.move_name(analysis.move) == reported[-1]["line"][0]


def test_plays_only_where_moves_stay_legal() -> None:
    with pytest.raises(CannotPlayError, match="genetic cannot play connect4:6,7"):
        Genetic().analyse(papan.position("connect4"))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("genetic:population=0", "population must be from 1 to 100000, not 0"),
        ("genetic:generations=-1", "generations must be from 0 to 1000000, not -1"),
        ("genetic:swap=1.5", "swap must be from 0 to 1, not 1.5"),
    ],
)
def test_settings_out_of_bounds_are_refused(spec: str, message: str) -> None:
    with pytest.raises(InvalidSpecError, match=message):
        papan.agent(spec)


def test_q1_no_setting_of_the_text_s_algorithm_claims_to_be_the_authors_program() -> None:
    with pytest.raises(InvalidSpecError):
        papan.agent("genetic:program=true")
    assert papan.agent("reservation").name == "reservation"


def test_the_values_of_the_first_genes_are_those_of_the_last_generation() -> None:
    """Each has the number of games that begin with it, and the rest of the first of these."""
    position = papan.position("dots:1,2").after("a1b1")  # player 2 is to move
    agent = Genetic(population=51, generations=3, swap=1.0, seed=4)
    events: list[Event] = []
    analysis = agent.analyse(position, listener=events.append)
    shown = [event for event in events if event["t"] == "gen"]
    assert [event["swaps"] for event in shown] == [0, 25, 50, 75]
    last, names = shown[-1], position.game.move_name
    games = last["population"]
    assert len(games) == 50, "no more are told than views show"
    assert [names(move) for move in analysis.line] == last["line"]
    firsts: dict[str, list[str]] = {}
    for game in games:
        firsts.setdefault(game["line"][0], game["line"][1:])
    found = {names(move): value for move, value in analysis.values.items()}
    assert {name: [names(move) for move in found[name].line] for name in firsts} == firsts
    assert sum(value.nodes for value in found.values()) == 51
    for game in games:
        end = position.after(" ".join(game["line"]))
        assert game["v"] == margin(end, 1)


@pytest.mark.parametrize(("population", "swaps"), [(1, 0), (2, 1), (4, 2), (5, 2), (6, 3)])
def test_every_pair_of_neighbours_may_swap(population: int, swaps: int) -> None:
    agent = Genetic(population=population, generations=2, swap=1.0)
    shown = generations(agent, "adjacency:4,4,1")
    assert [event["swaps"] for event in shown] == [0, swaps, 2 * swaps]


def test_a_swap_changes_two_genes_at_most_and_leaves_the_others_in_their_places() -> None:
    shown = generations(Genetic(population=6, generations=8, swap=1.0), "adjacency:4,4,3")
    for before, after in pairwise(shown):
        parents = [each["line"] for each in before["population"]]
        for child in (each["line"] for each in after["population"]):
            changes = [sum(map(ne, child, parent)) for parent in parents]
            assert min(changes) <= 2


def test_signature() -> None:
    """The fitness of these generations. Change the numbers only on purpose, and say why."""
    shown = generations(Genetic(population=6, generations=6, seed=4), "adjacency:4,4,3")
    means = [event["mean"] for event in shown]
    assert means == [6.1667, 6.0, 7.0, 6.6667, 5.8333, 5.6667, 5.8333]
    assert " ".join(shown[-1]["line"]) == "d4 a2 c3 b1 b2 d3"


def test_out_of_time_the_games_that_were_finished_are_the_generation() -> None:
    position = papan.position("tictactoe")
    events: list[Event] = []
    analysis = Genetic(population=50).analyse(position, Limit(nodes=30), events.append)
    assert (analysis.why, analysis.nodes) == ("nodes", 30)
    played = sum(value.nodes for value in analysis.values.values())
    assert 3 <= played <= 6, "of five to nine moves each"
    assert not [event for event in events if event["t"] == "gen"]
    nothing = Genetic().analyse(position, Limit(nodes=4))
    assert (nothing.line, nothing.value, nothing.values) == ((0,), None, {})


def test_of_equally_fit_games_the_first_is_the_fittest() -> None:
    alike = [Chromosome(genes("12"), (0, 1), 3), Chromosome(genes("21"), (0, 1), 3)]
    assert judge_population(alike, seat=0).fittest == alike[0]
    assert judge_population([], seat=0) == ([], {}, [])
    assert fitness(()) == 0
