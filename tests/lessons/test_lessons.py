"""Every lesson: told in each language, asking only what its own next step answers."""

import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise

import pytest

from papan import api, catalog
from papan.core import Position, margin
from papan.core.message import LANGUAGES, Message, catalogue, text_of
from papan.core.parts import Coach
from papan.lessons import (
    LESSONS,
    Branches,
    Guide,
    Pruning,
    Question,
    Scene,
    Step,
    Story,
    TextValue,
    Truth,
    steps,
    written,
)
from papan.papers import PAPERS
from tests.brute_force import after_each

MOST_STEPS = 60


def texts(step: Step) -> Iterator[Message]:
    """Everything that a step says."""
    yield step.text
    yield from (Message(f"lesson.var_{name}") for name in step.variables)
    yield from (Message(key) for key in (step.table.head if step.table else ()))
    yield from (Message(f"lesson.curve_{name}") for name in step.curves)
    if step.question:
        yield step.question.text
        yield from step.question.hints
        yield from (text for reply in step.question.replies.values() for text in reply)
        yield from filter(None, [step.question.otherwise])


def shown(step: Step) -> Iterator[TextValue]:
    """Everything in a step that may be the key of a text."""
    yield from step.variables.values()
    yield from (value for text in texts(step) for value in text.values.values())
    yield from (value for row in (step.table.rows if step.table else ()) for value in row)
    yield from (node.text for node in step.tree if node.text is not None)
    yield from (step.question.choices if step.question else ())


def questions(name: str) -> Iterator[tuple[Question, Step]]:
    """The questions of a lesson, each with the step that follows it."""
    found = steps(name)
    return ((step.question, following) for step, following in pairwise(found) if step.question)


@pytest.fixture(scope="module")
def tasks() -> list[tuple[Position, Question]]:
    """Every position in which a move is asked for; lessons are not run to list the tests."""
    found = [
        (step.scene.position, step.question)
        for name in LESSONS
        for step in steps(name)
        if step.scene and step.question and step.question.kind == "move"
    ]
    assert len(found) > 10
    return found


def test_there_is_a_lesson_for_each_game_and_each_algorithm() -> None:
    games = {lesson.game for lesson in LESSONS.values() if lesson.kind == "game"}
    assert {paper.game for paper in PAPERS} <= games <= set(catalog.GAMES)
    algorithms = {name for name, lesson in LESSONS.items() if lesson.kind == "algorithm"}
    assert algorithms >= {"random", "priority", "chains", "minimax", "alphabeta", "table"}
    assert algorithms >= {"proof", "hillclimb", "genetic", "mcts", "links"}


@pytest.mark.parametrize("name", [name for name in LESSONS if LESSONS[name].agent])
def test_the_agent_of_a_lesson_plays_its_game(name: str) -> None:
    lesson = LESSONS[name]
    for spec in (lesson.agent, *lesson.variants):
        assert catalog.agent(spec).plays(catalog.game(lesson.game))
    assert len(set(lesson.variants)) in (0, 2)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_can_be_told_in_each_language(name: str, language: str) -> None:
    known = catalogue(language)
    assert {f"lesson.{name}_title", f"lesson.{name}_about"} <= known.keys()
    for step in steps(name):
        for text in texts(step):
            assert text.key in known
            assert "{" not in text_of(text.key, language, **text.values)
        assert not step.curves or f"lesson.{name}_curves" in known
        keys = [each for each in shown(step) if isinstance(each, str) and "." in each]
        assert {key for key in keys if re.fullmatch(r"[a-z]+[0-9]?\.[a-z_0-9]+", key)} <= set(known)


@pytest.mark.parametrize("name", [name for name in LESSONS if LESSONS[name].lines])
def test_the_pseudo_code_has_the_same_lines_in_each_language(name: str) -> None:
    codes = [catalogue(language)[f"lesson.{name}_code"].split("\n") for language in LANGUAGES]
    indents = [[len(line) - len(line.lstrip()) for line in code] for code in codes]
    assert indents[0] == indents[1]
    assert len(codes[0]) == len(LESSONS[name].lines)


@pytest.mark.parametrize("name", LESSONS)
def test_the_steps_of_a_lesson_fit_together(name: str) -> None:
    reported = steps(name)
    assert 5 <= len(reported) <= MOST_STEPS
    for step in reported:
        assert step.line in LESSONS[name].lines or not LESSONS[name].lines
        assert step.scene is not None
        assert all(move in step.scene.position.moves() for move in step.scene.marks)
        numbers = {node.number for node in step.tree}
        assert all(node.up is None or node.up in numbers for node in step.tree)
        assert step.current is None or step.current in numbers
        assert step.table is None or {len(row) for row in step.table.rows} <= {len(step.table.head)}


@pytest.mark.parametrize("name", LESSONS)
def test_the_next_step_answers_each_question(name: str) -> None:
    assert steps(name)[-1].question is None
    asked = list(questions(name))
    assert len(asked) >= 2
    for question, following in asked:
        if question.about:
            assert question.answers == (following.variables[question.about],)
        if question.kind == "choice":
            assert question.answers[0] in question.choices
            assert len(set(question.choices)) == len(question.choices) > 1


@pytest.mark.parametrize("name", ["alphabeta", "proof"])
def test_not_every_answer_of_a_lesson_is_the_same(name: str) -> None:
    assert len({question.answers for question, _ in questions(name)}) > 1


def test_the_solver_proves_which_moves_a_task_accepts(
    tasks: list[tuple[Position, Question]],
) -> None:
    for position, question in tasks:
        solved = api.solve(position, all_moves=True)
        assert solved.exact
        assert {position.game.move_name(move) for move in solved.best} == set(question.answers)
        for move, value in Truth().moves(position).items():
            found = solved.values[move]
            assert value <= found.number if found.kind == "upper" else value == found.number


def test_every_other_move_is_answered_by_what_comes_of_it(
    tasks: list[tuple[Position, Question]],
) -> None:
    for position, question in tasks:
        names = set(map(position.game.move_name, position.moves()))
        others = names - set(map(str, question.answers))
        assert question.replies.keys() == question.refutations.keys() == others
        assert others


def test_u16_a_refutation_is_best_play_to_the_end(tasks: list[tuple[Position, Question]]) -> None:
    for position, question in tasks:
        truth = Truth()
        for move, refutation in question.refutations.items():
            value = truth.moves(position)[position.legal_move(move)]
            end = position.after(move).after(" ".join(refutation))
            assert end.is_over
            assert margin(end, position.turn) == value < truth.value(position)
            *_, loss = question.replies[move]
            assert loss.values["lost"] == truth.value(position) - margin(end, position.turn)
            called = loss.values["move"], loss.values["answer"]  # E13: as the moves are everywhere
            assert called == (move, "".join(refutation[:1]))


@pytest.mark.parametrize("name", LESSONS)
def test_u16_every_wrong_answer_has_its_own_reason(name: str) -> None:
    for question, _ in questions(name):
        if question.kind == "number":
            assert question.otherwise, question.text.key
        else:
            possible = set(map(written, question.choices)) or question.refutations.keys()
            assert question.replies.keys() == possible - set(map(written, question.answers))
        reasons = list(question.replies.values())
        assert all(reasons)
        assert len(set(map(str, reasons))) == len(reasons), "each answer its own"
        assert not question.replies.keys() & set(map(written, question.answers))


@pytest.mark.thorough
def test_the_lessons_are_found_whichever_module_comes_first() -> None:
    code = "import papan.games.connect4.lesson, papan.lessons as found; print(*found.LESSONS)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == list(LESSONS)


@pytest.mark.parametrize(
    ("name", "key", "words"),
    [
        ("degrees", "lesson.degrees_start", ["Lucas", "La Pipopipette", "Dots and Dashes"]),
        ("degrees", "lesson.degrees_words", ["Euler", "K\u00f6nigsberg"]),
        ("hillclimb", "lesson.hillclimb_objective", ["5", "8", "2"]),
        ("priority", "lesson.priority_strategies", []),
        ("priority", "lesson.priority_erratum", ["temp"]),
        ("priority", "lesson.priority_trick_done", ["g3", "g4", "\u201c"]),
        ("priority", "lesson.priority_fixed", ["\u201c"]),
    ],
)
def test_n01_lessons_say_what_the_papers_say(name: str, key: str, words: list[str]) -> None:
    (step,) = (each for each in steps(name) if each.text.key == key)
    for language in LANGUAGES:
        sentence = text_of(key, language, **step.text.values)
        assert all(word in sentence for word in words)


@pytest.mark.parametrize("name", catalog.GAMES)
def test_u03_reviews_know_the_step_of_a_lesson_about_each_reason(name: str) -> None:
    keys = {step.text.key for step in steps(name)}
    assert {*Coach.class_for(catalog.GAMES[name]).lesson_steps.values()} <= keys


# Y7: the parts of which lessons are made, by hand


def last_step(story: Story) -> Step:
    return story.steps[-1]


def asked(story: Story) -> Question:
    question = last_step(story).question
    assert question is not None
    return question


@pytest.mark.parametrize(
    ("answer", "text"),
    [(2.0, "2"), (0.5, "0.5"), (-0.0, "0"), (-3, "-3"), (1000, "1000"), ("win", "win")],
)
def test_y7_an_answer_is_written_as_pages_write_it(answer: TextValue, text: str) -> None:
    assert written(answer) == text


def test_y7_a_step_shows_the_variables_that_it_names_and_begins_one_chapter() -> None:
    story = Story()
    story.begin_chapter("growth_start", side=3)
    story.add_step("a", {"x": 1, "y": 2}, line="look", variables="y z")
    story.add_step("b")
    first, second = story.steps
    assert (first.text, first.line) == (Message("lesson.a", {"x": 1, "y": 2}), "look")
    assert first.variables == {"y": 2}
    assert first.chapter == Message("lesson.growth_start", {"side": 3})
    assert (second.chapter, second.variables, second.tree, second.current) == (None, {}, (), None)


def test_y7_a_likely_slip_that_is_right_is_no_slip_and_the_first_of_two_explains() -> None:
    story = Story()
    story.add_step("a")
    story.ask_number("x", 4, "n", {"right": 4, "twice": 8.0, "also": 8, "none": 0}, side=3)
    question = asked(story)
    assert (question.kind, question.answers, question.about) == ("number", (4,), "x")
    assert question.text == Message("lesson.n_ask", {"side": 3})
    assert question.otherwise == Message("lesson.n_why", {"side": 3})
    assert question.replies == {
        "8": (Message("lesson.twice", {"side": 3}),),
        "0": (Message("lesson.none", {"side": 3}),),
    }


def test_y7_every_wrong_choice_is_answered_and_the_right_one_is_not() -> None:
    story = Story()
    story.add_step("a")
    for why, key in (("", "lesson.n_why"), ("other", "lesson.other")):
        story.ask_choice("x", "b", ["a", "b", "c"], "n", why, side=3)
        question = asked(story)
        assert (question.answers, question.choices) == (("b",), ("a", "b", "c"))
        assert question.replies == {
            choice: (Message(key, {"side": 3, "choice": choice}),) for choice in "ac"
        }


def test_y7_a_drawn_tree_has_the_way_to_the_current_node_and_what_lies_beside_it() -> None:
    tree = Branches()
    root = tree.enter(None, "", "max")
    left, right = (tree.enter(root, name, "min") for name in "ab")
    below, beside = tree.enter(left, "c", "max"), tree.enter(right, "d", "max")
    deep = tree.enter(below, "e", "min")
    tree.note(left, 3, "done")
    tree.frame(left, -1, "\u221e")
    numbers = {
        current: [node.number for node in tree.at(current)[0]]
        for current in (root, left, right, below, deep)
    }
    assert numbers == {
        root: [root, left, right],
        left: [root, left, right, below],
        right: [root, left, right, beside],
        below: [root, left, right, below, deep],
        deep: [root, left, right, below, deep],
    }
    node = tree.at(root)[0][left]
    assert (node.text, node.state, node.window, node.up) == (3, "done", (-1, "\u221e"), root)
    assert len(tree) == 6


def test_y7_what_is_shown_has_the_moves_that_led_there_and_one_mark() -> None:
    guide = Guide(Story())
    start = catalog.position("tictactoe")
    scene = guide.show("a", start, "b2 a1", "c3")
    shown_scene = last_step(guide.story).scene
    assert shown_scene is not None
    assert shown_scene.position == scene.position == start.after("b2 a1")
    assert [move for _, move in shown_scene.played] == [4, 0]
    assert [before for before, _ in shown_scene.played] == [start, start.after("b2")]
    assert (shown_scene.marks, scene.marks) == ((8,), ())


@pytest.mark.parametrize(
    ("text", "player", "people"),
    [
        ("tictactoe:3,3,3 xx./oo./... x", "web.piece_x", ("X", "O")),
        ("tictactoe:3,3,3 xx./oo./x.. o", "web.piece_o", ("O", "X")),
        ("dots:1,2 1111110 1 1-0", "web.seat_1", ("seat.1", "seat.2")),
        ("dots:2,2 000101000011 2 0-1", "web.seat_2", ("seat.2", "seat.1")),
    ],
)
def test_y7_a_task_asks_who_is_to_move_and_says_what_is_won(
    text: str, player: str, people: tuple[str, str]
) -> None:
    guide, position = Guide(Story()), catalog.position(text)
    guide.task("n", position)
    first, second = guide.story.steps
    values = after_each(position)
    best = [
        position.game.move_name(move) for move in values if values[move] == max(values.values())
    ]
    question = first.question
    assert question is not None and first.scene == Scene(position)
    assert question.text == Message("lesson.ask_move", {"player": player})
    assert [*question.answers] == best
    assert question.hints[0].key == "lesson.n_hint"
    assert question.hints[1].values == {"good": len(best), "count": len(values)}
    assert second.variables == {"moves": ", ".join(best), "value": max(values.values())}
    assert second.text.values["move"] == best[0]
    assert second.scene == Scene(position).after(position.legal_move(best[0]))
    for replies in question.replies.values():
        named = [each.values for each in replies if "player" in each.values]
        assert all((each["player"], each["rival"]) == people for each in named)


@pytest.mark.parametrize(
    ("text", "move", "key", "lost"),
    [
        ("tictactoe:3,3,3 xx./oo./... x", "a3", "lesson.reply_win_to_loss", 2),
        ("tictactoe:3,3,3 oxo/.../x.. x", "c3", "lesson.reply_win_to_draw", 1),
        ("tictactoe:3,3,3 o../.x./o.x x", "b1", "lesson.reply_draw_to_loss", 1),
        ("dots:1,2 1111100 1 0-0", "c1c2", "lesson.reply_costs", 4),
    ],
)
def test_y7_a_wrong_move_is_answered_by_what_it_costs(
    text: str, move: str, key: str, lost: float
) -> None:
    guide, position = Guide(Story()), catalog.position(text)
    guide.task("n", position)
    replies = guide.story.steps[0].question
    assert replies is not None and move in replies.replies
    *_, loss = replies.replies[move]
    assert loss.key == key
    assert loss.values["lost"] == lost


def test_y7_a_wrong_pair_of_a_puzzle_for_one_leaves_tiles() -> None:
    (task,) = (each for each in steps("onet") if each.text.key == "lesson.onet_order_task")
    assert task.question and task.question.replies
    assert {reply[-1].key for reply in task.question.replies.values()} == {"lesson.reply_stuck"}
    assert task.question.text == Message("lesson.ask_pair")


def test_y7_the_best_line_wins_at_once_where_it_can() -> None:
    position = catalog.position("tictactoe:3,3,3 xx./xo./o.o x")
    line = Truth().line(position)
    assert position.game.move_name(line[0]) == "c1" and len(line) == 1


@pytest.mark.parametrize(
    "spec", ["tictactoe:3,3,3 xo./.x./o.. x", "dots:1,2", "dots:2,2 110110000000 1 0-0"]
)
def test_y7_a_lesson_s_search_finds_what_trying_everything_finds(spec: str) -> None:
    position = catalog.position(spec)
    values = after_each(position)
    assert Pruning(position).value(position) == max(values.values())
    truth = Truth()
    assert truth.moves(position) == values
    assert truth.best(position) == [
        move for move in position.moves() if values[move] == max(values.values())
    ]
    rival = position.child(position.moves()[0])
    if rival.turn != position.turn:
        assert Pruning(position).value(rival) == values[position.moves()[0]]


def test_y7_lessons_about_games_come_first_each_kind_in_its_order() -> None:
    places = [(each.kind == "algorithm", each.place, each.name) for each in LESSONS.values()]
    assert places == sorted(places)
    assert [each.game for each in LESSONS.values()][:2] == ["tictactoe", "connect4"]
