"""What a puzzle asks, and what it tells after an answer."""

from textwrap import dedent
from typing import Any

import pytest

from papan import catalog, puzzles
from papan.core import Analysis, Message, Proved
from papan.core.message import LANGUAGES, text_of
from papan.core.reasons import Mistake
from papan.games.tictactoe.rules import TicTacToe
from papan.puzzles import Puzzle, answers, themes
from papan.puzzles.answers import PuzzleAnswer, Refutation, sentences
from tests.plugin_package import NIM
from tests.puzzles import puzzle_truth
from tests.puzzles.claims import GAMES, PLIES_TO_WIN, WIN

LARGE = ("dots:3,4", "tictactoe:5,5,4")
"""Boards of which one puzzle takes a second or two to solve in all ways."""


def some(*marks: pytest.MarkDecorator, large: bool) -> list[object]:
    """Six puzzles of each game, on large boards or on the others."""
    shipped = {
        game: [
            each
            for each in puzzles.chosen_puzzles(game)
            if (each.text.split()[0] in LARGE) == large
        ]
        for game in GAMES
    }
    return [
        pytest.param(each, id=each.name, marks=marks)
        for found in shipped.values()
        for each in puzzles.sample(found, min(6, len(found)), 1)
    ]


@pytest.mark.parametrize("puzzle", [*some(large=False), *some(pytest.mark.slow, large=True)])
def test_e10_the_solution_and_the_refutation_are_true(puzzle: Puzzle) -> None:
    position, answer = puzzle.position, PuzzleAnswer.of(puzzle)
    values = puzzle_truth.outcomes(position, puzzle_truth.values(position))
    exact = puzzle_truth.values(position)
    wrong = answer.likeliest_wrong
    assert wrong is not None and exact[wrong] < max(exact.values())
    assert exact[answer.move] == max(exact.values())
    assert position.game.move_name(answer.move) in answer.area
    refuted = answer.refutation(wrong)
    cost = refuted.verdict.key.removeprefix("puzzle.wrong_")
    assert {"game": -1, "win": 0}.get(cost, values[wrong]) == values[wrong]
    position.child(wrong).after(refuted.line)  # legal
    end = position.after(answer.line)
    if puzzle.theme in PLIES_TO_WIN:
        assert end.winner == position.turn
    for language in ("en", "id"):
        for said in (*puzzles.question(puzzle, answer.found), answer.idea, *sentences(answer)):
            text = said.text(language)
            assert text != said.key and "{" not in text, said


@pytest.mark.parametrize(
    ("theme", "text", "asked"),
    [
        ("fork", "tictactoe:3,3,3 oxo/.../x.. x", "You are ✕ (blue). Win in two moves."),
        ("win", "tictactoe:3,3,3 xxo/.../... o", "You are ◯ (red). Win in three moves."),
    ],
)
def test_e10_a_question_says_who_one_is_and_what_is_asked(
    theme: str, text: str, asked: str
) -> None:
    puzzle = Puzzle(theme, 900, text)
    found = themes.solved(puzzle.position)
    assert puzzles.in_words(puzzles.question(puzzle, found)[:2], "en") == asked
    plain = puzzles.question(puzzle, found, plain=True)[0].text("id")
    assert plain == f"Anda adalah {text[-1]} (pemain {'xo'.index(text[-1]) + 1})."


def test_where_to_look_is_not_most_of_a_small_board() -> None:
    for puzzle in puzzles.chosen_puzzles("tictactoe")[:20]:
        answer, moves = PuzzleAnswer.of(puzzle), len(puzzle.position.moves())
        area = answer.area
        assert puzzle.position.game.move_name(answer.move) in area
        assert 1 < len(area) <= max(2 if moves < 4 else 3, moves // 2), puzzle.text


@pytest.mark.parametrize("plain", [False, True])
def test_a_puzzle_of_a_game_without_marks_says_which_player_one_is(
    monkeypatch: pytest.MonkeyPatch, plain: bool
) -> None:
    names: dict[str, Any] = {"__name__": __name__}
    exec(dedent(NIM), names)
    monkeypatch.setitem(catalog.GAMES, "nim", names["Nim"])
    puzzle = Puzzle("only", 900, "nim:7 5 2")
    found = Analysis((0,), 1.0, Proved.exactly(1), position=puzzle.position)
    asked = puzzles.question(puzzle, found, plain)[0]
    assert [asked.text(each) for each in LANGUAGES] == [
        "You are player 2.",
        "Anda adalah pemain 2.",
    ]


def test_a_puzzle_of_another_game_with_marks_says_which_one_is_ones_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Misere(TicTacToe):
        name = "misere"

    monkeypatch.setitem(catalog.GAMES, "misere", Misere)
    puzzle = Puzzle("only", 900, "misere:3,3,3 x../.../... o")
    found = Analysis((0,), 1.0, Proved.exactly(1), position=puzzle.position)
    asked = [puzzles.question(puzzle, found, plain)[0].text() for plain in (False, True)]
    assert asked == ["You are ◯ (red).", "You are o (player 2)."]


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("tictactoe:5,5,4 ...../...../..x../...../..... o", "4 in a row wins."),
        (
            "dots:1,2 1110110 1 1-0",
            "Boxes with * are taken already: you have 1, the opponent has 0.",
        ),
        ("dots:1,2 1000000 2 0-0", "No box is taken yet."),
        (
            "adjacency:4,4,2 xxoo/..../..../xxoo x",
            "You have 4 marks, the opponent has 4; 4 moves to go, 2 of them yours.",
        ),
        ("onet:2,2,gravity=down 1,1/2,2", "After each pair the tiles move down."),
    ],
)
def test_a_question_tells_what_is_not_seen_on_the_board(text: str, known: str) -> None:
    (fact,) = puzzles.situation(catalog.position(text))
    assert text_of(fact.key, "en", **fact.values) == known


def test_y7_of_a_draw_only_the_move_that_was_asked_for_is_played() -> None:
    drawn = next(each for each in puzzles.shipped() if each.theme == "draw")
    answer = PuzzleAnswer.of(drawn)
    assert len(answer.found.line) > 1
    assert answer.line == (answer.move,)


def test_e10_a_block_is_explained_by_what_it_blocks() -> None:
    board = "connect4:6,7 x..o.../o.ox..o/x.xo.ox/x.oxxxo/x.oooxx/o.oxxox o"
    assert str(PuzzleAnswer.of(Puzzle("block", 500, board)).why) == (
        "5 is forced: it blocks the diagonal d5-g2, which the opponent was about to complete."
    )


@pytest.mark.parametrize(
    ("theme", "text", "said"),
    [
        # not only that it takes a cell: what that brings
        (
            "only",
            "adjacency:6,6,12 xoxoxo/.xx.ox/.xxx.x/ooxx../ooxxx./xoxooo o",
            "d2 takes the cell where the opponent could have turned 2 marks. "
            "With best play you then win by 2; after any other move you do not win.",
        ),
        # what it leaves, not that it is forced
        (
            "zugzwang",
            "connect4:6,7 o..o.oo/xx.x.xx/oo.o.oo/xx.x.xx/xo.o.xx/oxoxoox o",
            "2 leaves the opponent only answers that open a win: ",
        ),
        # that it gives the fewest, not that it lies between them
        (
            "fewest",
            "dots:3,3 101111111111001100000000 1 1-0",
            "Every line gives boxes away now: b1b2 gives 2, and no other gives fewer.",
        ),
        (
            "clear",
            "onet:4,6,kinds=8,gravity=left 3,6,2,3,0,0/7,3,8,0,0,0/6,7,8,0,0,0/2,3,0,0,0,0",
            "After c2c3 (butterfly) 5 pairs can be taken. The board can still be cleared after it.",
        ),
        # one line out of many, its moves named as everywhere
        (
            "win",
            "connect4:5,6 ..x.xo/..x.ox/..o.oo/o.x.xo/x.ooxx x",
            "1 wins in 4 moves, whatever the opponent does; for instance 1, 1, 2, 4.",
        ),
    ],
    ids=lambda each: each if each in themes.GENERAL else None,
)
def test_e10_an_answer_says_why_the_move_is_right(theme: str, text: str, said: str) -> None:
    answer = PuzzleAnswer.of(Puzzle(theme, 800, text))
    assert answer.why.text().startswith(said), answer.why.text()
    assert theme != "only" or answer.found.proved == Proved.exactly(2)


def test_e10_the_only_winning_move_is_explained_where_no_points_are_counted() -> None:
    answer = PuzzleAnswer.of(Puzzle("only", 800, "tictactoe:3,3,3 oxo/.../x.. x"))
    assert "threats" in answer.why.text()


def test_e10_the_idea_of_a_handout_is_not_to_give_the_fewest() -> None:
    board = "dots:2,3 10011010100111101 2 0-1"
    answer = PuzzleAnswer.of(Puzzle("handout", 700, board))
    assert answer.idea.key == "puzzle.idea_handout"


@pytest.mark.parametrize(("left", "own"), [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_y7_who_moves_next_has_the_odd_one_of_the_moves_to_go(left: int, own: int) -> None:
    board = ["xxoo", "xo..", "....", "xxoo"]
    empty = 16 - sum(row.count(mark) for row in board for mark in "xo")
    cells = "/".join(board).replace(".", "x", empty - left)
    rounds = (16 - left - 8 + left) // 2
    (fact,) = puzzles.situation(catalog.position(f"adjacency:4,4,{rounds} {cells} o"))
    assert (fact.values["moves"], fact.values["mine"]) == (left, own)


@pytest.mark.parametrize(
    ("text", "situation"),
    [
        ("dots:1,2 1111110 1 0-1", {"own": 0, "rival_boxes": 1}),
        ("dots:1,2 1111110 2 0-1", {"own": 1, "rival_boxes": 0}),
        ("adjacency:4,4,4 xxoo/xxoo/x.../.... o", {"own": 4, "rival_marks": 5}),
    ],
)
def test_y7_a_question_counts_for_who_is_asked(text: str, situation: dict[str, int]) -> None:
    (fact,) = puzzles.situation(catalog.position(text))
    assert fact.key != "dots.no_boxes_yet"
    assert situation.items() <= fact.values.items()


@pytest.mark.parametrize(
    ("why", "gives_away"),
    [
        (None, False),
        (Message("review.missed_win"), True),
        (Message("lines.gave_more"), True),
        (Message("adjacency.slip_count"), True),
        (Message("dots.no_boxes_yet"), False),
    ],
)
def test_y7_a_reason_that_names_the_right_move_waits_for_the_answer(
    why: Message | None, gives_away: bool
) -> None:
    verdict = Message("puzzle.wrong_win", {"move": "a1"})
    refutation = Refutation(WIN.position, 3, verdict, why, (4, 5))
    assert refutation.gives_away == gives_away


def test_y7_where_a_reason_says_only_what_was_missed_the_reply_is_told() -> None:
    verdict = Message("puzzle.wrong_win", {"move": "a2"})
    position = WIN.position
    for why, line, key in (
        (Message("review.missed_win"), (4, 5), "puzzle.answered"),
        (None, (4, 5), "puzzle.answered"),
        (None, (), "puzzle.wrong_win"),
        (Message("dots.no_boxes_yet"), (4, 5), "dots.no_boxes_yet"),
    ):
        shown = Refutation(position, 3, verdict, why, line).in_full
        said = shown.values["why"]
        assert isinstance(said, Message) and said.key == key
        assert shown.values["move"] == "a2"
        assert key != "puzzle.answered" or said.values["reply"] == "b2"


@pytest.mark.parametrize(
    ("theme", "text", "wrong"),
    [
        # 4 leaves the rival a win at once; 1 looks safe for two turns
        ("win", "connect4:5,6 .xo.x./.xo.oo/.ox.xx/oxo.oo/xxo.xx o", "1"),
        # all are safe for two turns, and from c on three more lines are open
        ("one", "connect4:5,6 ...o../..xo../..ox../..xo../o.oxxx x", "3"),
        # e5 turns two marks at once, e4 one; two turns later e4 has lost two marks, e5 four
        ("last", "adjacency:5,5,8 o.oxo/oooxx/oxxxx/oxxx./xooo. x", "e5"),
    ],
)
def test_y7_the_likeliest_wrong_move_is_the_one_that_looks_best(
    theme: str, text: str, wrong: str
) -> None:
    answer = PuzzleAnswer.of(Puzzle(theme, 800, text))
    assert answer.likeliest_wrong == answer.position.legal_move(wrong)


def test_y7_the_likeliest_wrong_pair_is_the_one_that_leaves_most_pairs() -> None:
    puzzle = next(
        each
        for each in puzzles.shipped()
        if each.theme == "pair" and len(each.position.moves()) > 3
    )
    answer = PuzzleAnswer.of(puzzle)
    pairs = {
        move: len(puzzle.position.child(move).moves())
        for move in puzzle.position.moves()
        if move not in answer.right
    }
    assert answer.likeliest_wrong is not None
    assert pairs[answer.likeliest_wrong] == max(pairs.values()) > min(pairs.values())


WORD_FOR_WORD = {
    ("one", "connect4:5,6 .xxo../.oox.o/.xxx.o/.xooox/oooxxx x"): (
        "Win at once.",
        "One of your lines lacks a single cell.",
        "1 5",
        "5",
        "5 wins: the row b3-e3.",
        "Why not 1? 1 loses. The opponent answers 5.",
    ),
    ("block", "connect4:5,6 o.xx../o.xo.x/x.xx.x/o.ox.x/ooxooo o"): (
        "The opponent is about to win. Stop it.",
        "One of the opponent's lines lacks a single cell.",
        "5 6",
        "6 5 5 5 5 2 2",
        "6 is forced: it blocks the column f2-f5, which the opponent was about to complete.",
        "Why not 5? You did not block f5.",
    ),
    ("fork", "tictactoe:3,3,3 ox./o../xox x"): (
        "Win in two moves. 3 in a row wins.",
        "Look for a move that makes two threats at once: only one of them can be stopped.",
        "c1 b2",
        "c1 b2 c2",
        "c1 makes two threats, c2 and b2: the opponent can stop only one.",
        "Why not b2? b2 gives the win away: it is only a draw. The opponent answers c1.",
    ),
    ("stack", "connect4:6,7 ..xxo../..oxx../.xooo../.ooxx../ooxoxoo/xxoxoxx x"): (
        "Win in two moves.",
        "Look for a threat that the opponent can stop only by opening another one.",
        "6 7",
        "7 6 6",
        "7 makes threats on f3 and f4: blocking f3 opens f4.",
        "Why not 1? 1 gives the win away: it is only a draw. The opponent answers 7.",
    ),
    ("zugzwang", "connect4:5,6 ..xx.x/x.xx.o/o.oo.o/x.ox.x/oxooox o"): (
        "Find the one right move: it leaves the opponent nothing but moves that harm.",
        "The opponent has to move too: leave only moves that harm.",
        "1 2",
        "1 2 2",
        "1 leaves the opponent only answers that open a win: b3 or e3.",
        "Why not 5? With 5, you let the opponent win at once at e3.",
    ),
    ("draw", "connect4:5,6 .o.xx./.o.xxo/.x.oox/.o.xxo/xxooox o"): (
        "There is no win here, but one move saves the draw. Find it.",
        "Ask of every move what the opponent would play next.",
        "1 3",
        "1",
        "1 holds the draw; every other move loses.",
        "Why not 3? After 3, the opponent wins in 4 of their moves (7 plies): 1, 1, 1, 3.",
    ),
    ("pair", "onet:4,6,kinds=8 4,6,0,0,0,0/2,7,5,7,0,7/5,2,0,0,0,6/7,0,0,4,0,0"): (
        "Only one pair leaves a way to clear the board. Which one?",
        "Look for a pair that frees tiles behind it.",
        "b1f3 d2f2",
        "b1f3 b2d2 f2a4 a2b3 a1d4 c2a3",
        "b1f3 (moon) is the only pair that keeps the board clearable (proved).",
        "Why not d2f2? d2f2 was the wrong pair of 4 equal tiles: "
        "a way to clear the board takes b2d2 instead.",
    ),
    ("chains", "dots:2,3 10110101011001001 1 1-0"): (
        "Several lines give nothing away, but only one of them is right. Which one? "
        "Boxes with * are taken already: you have 1, the opponent has 0.",
        "Count the chains: who will have to open the first long one?",
        "b1c1 b2c2 a3b3",
        "b2c2 c1c2 b1c1 d1d2 b2b3 c2c3 a3b3 c3d3",
        "With best play b2c2 brings you 3 boxes; no other line brings as many.",
        "Why not b1c1? With best play you now get 1 of the 5 boxes that were left; "
        "with b2c2 it would have been 2.",
    ),
}


@pytest.mark.parametrize("asked", WORD_FOR_WORD, ids=lambda asked: asked[0])
def test_a_puzzle_word_for_word_from_its_question_to_the_likeliest_mistake(
    asked: tuple[str, str],
) -> None:
    answer = PuzzleAnswer.of(Puzzle(asked[0], 800, asked[1]))
    game = answer.position.game
    asking = puzzles.question(Puzzle(asked[0], 800, asked[1]), answer.found)
    assert (
        puzzles.in_words(asking[game.seats > 1 :], "en"),
        answer.idea.text(),
        " ".join(answer.area),
        " ".join(map(game.move_name, answer.line)),
        *(each.text() for each in sentences(answer)),
    ) == WORD_FOR_WORD[asked]
    assert answer.right == [answer.move]
    assert themes.theme_of(answer.position, answer.found) == asked[0]


def test_a_refutation_goes_on_with_best_play_and_tells_what_the_move_loses() -> None:
    answer = PuzzleAnswer.of(WIN)
    game = answer.position.game
    for name, lost, line in (("b2", "win", "a3"), ("a2", "game", "b2")):
        refuted = answer.refutation(game.parse_move(name))
        assert refuted.verdict == Message(f"puzzle.wrong_{lost}", {"move": name})
        assert (refuted.position, game.move_name(refuted.move)) == (answer.position, name)
        assert game.move_name(refuted.line[0]) == line
    with pytest.raises(KeyError):
        answer.refutation(0)
    over = PuzzleAnswer.of(Puzzle("one", 450, "tictactoe:3,3,3 xox/oxo/.xo x"))
    assert (over.likeliest_wrong, [*sentences(over)]) == (None, [over.why])


@pytest.mark.parametrize(
    ("text", "wrong", "wins_in", "loses_in"),
    [
        ("tictactoe:3,3,3 xxo/.../... o", "b2", 5, None),  # a win becomes a draw
        ("tictactoe:3,3,3 xxo/.../... o", "a2", 5, 3),
        ("tictactoe:3,3,3 x../.o./..x o", "a3", None, 3),  # a draw is lost
        ("dots:2,3 11000100010100010 1 0-0", "b2c2", None, None),  # points are counted
    ],
)
def test_plies_are_told_of_quick_wins_alone(
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    wrong: str,
    wins_in: int | None,
    loses_in: int | None,
) -> None:
    mistakes: list[Mistake] = []
    monkeypatch.setattr(answers, "fault", mistakes.append)
    answer = PuzzleAnswer.of(Puzzle("only", 800, text))
    refuted = answer.refutation(answer.position.legal_move(wrong))
    (mistake,) = mistakes
    assert refuted.why is None
    assert (mistake.wins_in, mistake.loses_in) == (wins_in, loses_in)
    assert (mistake.move, mistake.plan) == (refuted.move, answer.found.line)
    assert (mistake.instead, mistake.now) == (
        answer.found.proved,
        answer.found.values[refuted.move],
    )
    assert refuted.line == mistake.refutation[:16]


def test_boxes_to_come_are_counted_for_who_is_asked() -> None:
    answer = PuzzleAnswer.of(Puzzle("chains", 700, "dots:2,3 11000100010100010 1 0-0"))
    assert answer.found.proved == Proved.exactly(2)
    said = "With best play b3c3 brings you 4 boxes; no other line brings as many."
    assert answer.why.text() == said, "four of six are two ahead"
