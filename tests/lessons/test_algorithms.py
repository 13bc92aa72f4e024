"""What a lesson shows is what the real agent does: same values, same moves, same visits."""

from math import inf

from papan import api, catalog
from papan.core.parts import Drawing
from papan.games.connect4 import lesson as priority
from papan.games.dots import lesson as chains
from papan.games.onet import lesson as links
from papan.games.onet.links import OnetLinks
from papan.lessons import Story, chance, climbing, steps, trees


def test_random_draws_what_the_agent_draws() -> None:
    root = catalog.position(chance.DRAWN)
    for seed, move in chance.teach_random(Story()).items():
        assert catalog.agent("random", seed=seed).analyse(root).move == move


def test_the_priorities_are_those_of_the_paper() -> None:
    totals = priority.teach_priority(Story())
    analysis = catalog.agent("priority").analyse(catalog.position(priority.START))
    assert totals == {column: value.number for column, value in analysis.values.items()}
    assert analysis.move == max(totals, key=lambda column: totals[column])


def test_the_priorities_agree_with_the_agent_all_along_a_game() -> None:
    position = catalog.position("connect4")
    while position.moves():
        analysis = catalog.agent("priority").analyse(position)
        for column, reasons in priority.reasons_for(position).items():
            total = sum(adds for _, _, adds in reasons)
            assert total == analysis.values[column].number
        position = position.child(analysis.move)


def test_the_chain_lesson_finds_what_both_agents_find() -> None:
    root = catalog.position(chains.START)
    found = chains.teach(Story())
    for by_the_rules, name in ((False, "chains"), (True, "chains-fixed")):
        analysis = catalog.agent(name, depth=len(root.moves())).analyse(root)
        best = max(found[by_the_rules], key=lambda move: found[by_the_rules][move][0])
        assert (best, found[by_the_rules][best][0]) == (analysis.move, analysis.value)


def test_the_fault_of_the_chain_agent_costs_it_the_game() -> None:
    root = catalog.position(chains.START)
    values = api.solve(root, all_moves=True).values
    found = chains.teach(Story())
    best = {way: max(moves, key=lambda move: moves[move][0]) for way, moves in found.items()}
    assert values[best[False]].number < values[best[True]].number
    assert all(value == values[move].number for move, (value, _) in found[True].items())


def test_minimax_visits_the_nodes_of_the_agent() -> None:
    found = trees.minimax(Story())
    analysis = catalog.agent("minimax").analyse(found.root)
    assert (found.nodes, found.chosen) == (analysis.nodes, analysis.move)
    assert found.nodes == trees.everything(found.root)


def test_alpha_beta_comes_to_the_move_and_value_of_the_agent() -> None:
    story = Story()
    found = trees.alphabeta(story)
    analysis = catalog.agent("alphabeta:ordering=false,table=false").analyse(found.root)
    (done,) = (each for each in story.steps if each.text.key == "lesson.alphabeta_done")
    assert (found.chosen, done.variables["best"]) == (analysis.move, analysis.value)
    assert analysis.exact
    assert found.cuts > 2
    assert trees.pruned(found.root)[1] == found.nodes


def test_the_table_changes_no_value() -> None:
    found = trees.remember(Story())
    for position, value in found.known.items():
        sign = 1 if position.turn == found.root.turn else -1
        if position.moves():
            assert api.solve(position).value == sign * value
    assert found.nodes == trees.remembered(found.root)
    assert found.hits == found.nodes - len(found.known)


def test_the_proof_is_what_the_solver_says() -> None:
    found = trees.teach_proof(Story())
    solved = api.solve(found.root)
    assert (solved.value, solved.exact) == (found.goal, True)
    assert found.chosen in solved.best


def test_hill_climbing_sees_the_heights_that_the_agent_sees() -> None:
    root = catalog.position(climbing.CLIMBED)
    analysis = catalog.agent("hillclimb").analyse(root)
    heights = {move: value.number for move, value in analysis.values.items()}
    assert climbing.climb(Story()) == heights
    assert analysis.move not in api.solve(root).best


def test_the_genetic_lesson_breeds_the_games_of_the_agent() -> None:
    found = climbing.breed(Story())
    agent = catalog.agent(
        "genetic",
        population=climbing.POPULATION,
        generations=climbing.GENERATIONS,
        swap=climbing.SWAP,
        seed=climbing.SEED,
    )
    events = [event for event in agent.think(found.root) if event["t"] == "gen"]
    assert [event["best"] for event in events] == found.curves["best"]
    assert [round(event["mean"], 2) for event in events] == found.curves["mean"]
    name = found.root.game.move_name
    games = [[name(gene) for gene in game.genes] for game in found.games]
    assert [game["line"] for game in events[-1]["population"]] == games
    best = [
        game.genes[0] for game, fit in zip(found.games, found.fitness) if fit == max(found.fitness)
    ]
    assert len(set(best)) == 1  # so that there is one answer to what is played
    assert best[0] not in api.solve(found.root).best


def test_monte_carlo_visits_what_the_agent_visits() -> None:
    root = catalog.position(chance._SEARCHED)
    agent = catalog.agent(
        "mcts", iterations=chance._GAMES, exploration=chance.EXPLORATION, seed=chance.SEED
    )
    values = agent.analyse(root).values
    visits = {root.game.move_name(move): value.nodes for move, value in values.items()}
    assert chance.search(Story()) == visits


def test_the_waves_reach_the_cells_that_the_rules_reach() -> None:
    for found in links._spread(Story()):
        grid = found.position.game.grid
        first, second = (grid.names.index(found.names[key]) for key in ("first", "second"))
        rules = OnetLinks(grid, found.position.tiles)
        assert found.turns == rules.spread(first)
        turns = len(rules.path(first, second)) - 2 if rules.joins(first, second) else None
        assert found.found == turns


def test_m11_twice_the_edges_are_r_n_and_the_papers_formula_holds_for_cycles_alone() -> None:
    facts = chains.count_degrees(Story())
    assert len(facts) == 3
    for _, n, e, r, twice, product, _, _ in facts:
        assert twice == 2 * int(e) == product == int(r) * int(n)
    assert [n_twice == r_e for *_, n_twice, r_e in facts] == [True, False, False]
    assert [r for _, _, _, r, *_ in facts] == [2, 3, 3]


def test_m11_a_full_board_is_not_regular_and_its_lines_are_half_its_degrees() -> None:
    (lines,) = (s for s in steps("degrees") if s.text.key == "lesson.degrees_lines")
    assert lines.table is not None
    assert lines.table.rows == ((2, 4, 8), (3, 8, 24), (4, 4, 16))
    assert lines.variables["edges"] == catalog.game("dots:3,3").move_count == 24
    assert lines.text.values["paper"] == 8


def test_m12_breadth_first_links_what_depth_first_would_refuse() -> None:
    walks = links.compare_walks(Story())
    position = catalog.position(links.BOARD)
    edges = {order: len(walk.path(links.LINKED[1])) - 1 for order, walk in walks.items()}
    assert edges["breadth"] == 3
    assert edges["depth"] > 3
    assert position.play("".join(links.LINKED))
    (work,) = (s for s in steps("walks") if s.text.key == "lesson.walks_looks")
    graph = Drawing.of(position).graph("runs")
    assert int(work.variables["lists"]) <= 2 * len(graph.edges)
    assert int(work.variables["lists"]) < int(work.variables["matrix"]) <= len(graph.vertices) ** 2


def test_m09_the_cells_that_the_random_player_looks_at_are_counted() -> None:
    position = catalog.position("tictactoe:4,4,4").after("b2 c3 a1")
    assert chance.scanned(position) == (position.moves(), 16)
    (work,) = (s for s in steps("random") if s.text.key == "lesson.random_looks")
    assert work.table is not None
    assert [row[1] for row in work.table.rows] == [9, 16, 25, 100]
    assert [row[2] for row in work.table.rows] == [81, 256, 625, 10_000]


def test_n01_the_trick_of_the_lesson_wins_and_the_sum_finds_it() -> None:
    root = catalog.position(priority.TRICK)
    column = catalog.agent("priority").analyse(root).move
    assert root.game.move_name(column) == "6"
    solved = api.solve(root)
    assert column in solved.best
    threats = {
        each.values["cell"] for each in Drawing.of(root.child(column)).features() if each.svg
    }
    assert {"g3", "g4"} <= threats


def test_m12_three_climbers_are_compared_on_one_landscape_with_as_many_looks() -> None:
    found = climbing.compare(Story())
    looks = {kind: facts[0] for kind, facts in found.items()}
    assert len(set(looks.values())) == 1, looks
    assert found["hillclimb"][2] == climbing.SEEDS
    assert found["hillclimb"][1] == max(height for _, height, _ in found.values())
    assert all(found[kind][2] < climbing.SEEDS for kind in ("stochastic", "annealing"))


def test_m12_the_reservation_tree_of_the_lesson_is_drawn_with_its_minimax_values() -> None:
    step = next(each for each in steps("genetic") if each.tree)
    leaves = {node.number for node in step.tree} - {node.up for node in step.tree}
    for node in step.tree:
        below = [each for each in step.tree if each.up == node.number]
        if node.number not in leaves:
            best = max if node.role == "max" else min
            assert node.text == best(float(str(each.text)) for each in below)
    assert step.current in leaves


def test_the_learner_and_the_agent_learn_the_same_policy() -> None:
    root = catalog.position(chance.LEARNED)
    learner = chance.teach(Story())["explores"]
    analysis = catalog.agent(chance.LEARNING.agent, depth=1).analyse(root)
    assert analysis.value is not None
    near = {move for move, value in analysis.values.items() if value.number > analysis.value - 0.1}
    assert near == set(learner.policy(root))


def test_p1_nodes_of_alpha_beta_show_their_window() -> None:
    story = Story()
    trees.alphabeta(story)
    nodes = [node for step in story.steps for node in step.tree if node.window]
    assert len(nodes) > 50
    infinite = {"\u2212\u221e": -inf, "\u221e": inf}
    for node in nodes:
        assert node.window is not None
        alpha, beta = (infinite.get(str(each), each) for each in node.window)
        if node.state == "cut":  # nothing below it can matter any more
            assert float(alpha) >= float(beta)
