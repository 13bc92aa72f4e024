"""Matches: pairs with the seats swapped, the same games from the same seed, sums that add up."""

from dataclasses import replace
from itertools import pairwise
from unittest.mock import Mock

import pytest

import papan
from papan.core import UNLIMITED, InvalidSpecError, Limit
from papan.core.interrupts import Interrupted
from papan.core.record import parse_record
from papan.lab.match import (
    Match,
    MatchGame,
    MatchResult,
    check_opening,
    distinct_pairs,
    forfeits_of,
    opening,
    play_match,
    unit_seed,
)
from papan.lab.statistics.elo import ScoreTally, elo_difference, superiority
from papan.lab.tournament.plan import TournamentPlan
from papan.lab.tournament.standings import Standings, repetitions
from papan.notebook.pages import page

from .bots import Cheater, Crasher

RANDOM = papan.agent("random")
GAME = papan.game("tictactoe")


def broken(position: papan.Position) -> int:
    return {"y": 0}["x"]


def test_c06_a_function_that_fails_does_not_look_weak() -> None:
    result = papan.match(broken, "random", "tictactoe")
    assert repr(result) == (
        "<MatchResult function:broken - random, tictactoe:3,3,3: +0 =0 \u22122, forfeits: 2>"
    )
    assert str(result).splitlines()[1:] == ["function:broken forfeited 2 (crash): KeyError: 'x'"]
    (fault,) = result.faults(0)
    assert (fault.kind, fault.games, fault.reason) == ("crash", 2, "KeyError: 'x'")
    assert fault.output.splitlines()[1].endswith("in broken")
    assert result.faults(1) == []


def test_c06_what_a_bot_printed_is_kept_in_the_record() -> None:
    record = papan.match(broken, "random", "tictactoe").games[0].record
    again = parse_record(str(record))
    assert again.output == record.output != ""
    assert "output" not in papan.match("random", "random", "tictactoe").games[0].record.json()


def test_a_pair_starts_from_one_opening_with_the_seats_swapped() -> None:
    games = list(Match((papan.agent("random:seed=7"), RANDOM), GAME, pairs=2, opening=3).play())
    assert [game.seating for game in games] == [(0, 1), (1, 0)] * 2
    assert games[0].record.start == games[1].record.start != games[2].record.start
    assert games[0].record.agents == games[1].record.agents[::-1]
    assert papan.position(games[0].record.start).turn == 1


def test_the_same_seed_gives_the_same_games() -> None:
    match = Match((RANDOM, papan.agent("random:seed=3")), GAME, pairs=3, seed=5)
    other = Match((RANDOM, papan.agent("random:seed=3")), GAME, pairs=3, seed=6)
    assert list(match.play()) == list(match.play())
    assert list(match.play()) != list(other.play())


def test_t01_neighbouring_seeds_share_no_pair() -> None:
    """Yet seed 0 and the work of a run in parts are what they were."""
    seeds = [range(unit_seed(seed, 0), unit_seed(seed, 10**6)) for seed in (-2, -1, 0, 1, 2, 10**9)]
    seeds.sort(key=lambda each: each.start)
    assert all(one.stop <= next_one.start for one, next_one in pairwise(seeds))
    assert seeds[0] == range(10**6) and seeds[-1].stop < 10**16
    assert unit_seed(10**18 - 1, 0) < 2**50
    whole = [game.record for game in Match((RANDOM, RANDOM), GAME, pairs=3, opening=0).play()]
    rest = Match((RANDOM, RANDOM), GAME, pairs=2, opening=0, first_pair=1).play()
    assert [game.record for game in rest] == whole[2:]
    assert [record.agents for record in whole[::2]] == [
        ("random", "random:seed=1"),
        ("random:seed=2", "random:seed=3"),
        ("random:seed=4", "random:seed=5"),
    ]
    other = {game.record for game in Match((RANDOM, RANDOM), GAME, 3, seed=1, opening=0).play()}
    assert not other & set(whole)


def test_twins_do_not_mirror_each_other() -> None:
    first, second = Match((RANDOM, RANDOM), GAME, opening=0).play()
    assert first.record.moves != second.record.moves


def test_an_opening_never_ends_the_game() -> None:
    small = papan.game("tictactoe:1,3,3")
    for game in Match((RANDOM, RANDOM), small, pairs=3, opening=50).play():
        assert papan.position(game.record.start).moves()


def test_wins_draws_and_losses_add_up_and_forfeits_are_counted_by_kind() -> None:
    result = play_match(Match((Crasher(), RANDOM), GAME, pairs=3))
    assert (result.wins, result.draws, result.losses) == (0, 0, 6)
    assert result.forfeits(0) == {"crash": 6}
    assert result.forfeits(1) == {}
    assert play_match(Match((RANDOM, Cheater()), GAME)).forfeits(1) == {"illegal": 2}


@pytest.mark.parametrize(("pairs", "opening"), [(0, 2), (1, -1)])
def test_a_match_needs_sensible_numbers(pairs: int, opening: int) -> None:
    with pytest.raises(InvalidSpecError, match="A match needs at least 1 pair"):
        Match((RANDOM, RANDOM), GAME, pairs, opening=opening)


def test_y7_who_forfeits_a_puzzle_loses_even_to_a_score_of_nothing() -> None:
    board = papan.position("onet:2,2 1,2/2,1")
    nothing = MatchGame((0,), papan.session(board).record())
    crash = MatchGame((1,), replace(nothing.record, end="crash", blame=1))
    assert nothing.record.scores == (0,)
    assert (nothing.against(crash), crash.against(nothing), crash.against(crash)) == (1, -1, 0)


def test_a_puzzle_is_played_by_each_alone_on_the_same_boards() -> None:
    match = Match((papan.agent("openings"), RANDOM), papan.game("onet:2,6,3"), pairs=3, seed=4)
    games = list(match.play())
    assert [game.seating for game in games] == [(0,), (1,)] * 3
    assert games[0].record.start == games[1].record.start != games[2].record.start
    result = play_match(match)
    assert result.wins + result.draws + result.losses == 3
    assert "openings - random" in str(result)


def test_t03_what_a_move_is_granted_is_said_as_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    granted: list[Limit] = []

    def play(given: Match, *others: object) -> MatchResult:
        granted.append(given.limit)
        return MatchResult(("", ""), ())

    monkeypatch.setattr("papan.api.play_match", play)
    papan.match("alphabeta", "random", "connect4")
    papan.match("alphabeta", "random", "connect4", nodes=9)
    papan.match("alphabeta", "random", "connect4", seconds=2)
    papan.match("alphabeta", "random", "connect4", limit=UNLIMITED)
    papan.match("alphabeta", "random", "connect4", nodes=50, limit=Limit(seconds=3, nodes=70))
    usual = Limit(nodes=10_000)
    assert granted == [usual, Limit(nodes=9), Limit(2), UNLIMITED, Limit(3, 50)]
    conducted = Mock()
    monkeypatch.setattr("papan.lab.tournament.run.play_or_resume", conducted)
    papan.tournament(["random", "random"], "tictactoe", "cup", nodes=9)
    assert conducted.call_args.args[1].limit == Limit(nodes=9)


def test_t17_a_match_knows_its_elo() -> None:
    result = papan.match("hillclimb", "random", "tictactoe", pairs=6)
    tally = ScoreTally.of_pairs(result.outcomes)
    assert (result.tally, result.elo) == (tally, elo_difference(tally))
    assert result.elo.low < result.elo.value < result.elo.high
    assert 0.5 < result.superiority == superiority(tally) < 1


def test_t04_pairs_that_repeat_each_other_are_counted_once() -> None:
    repeated = papan.match("minimax", "hillclimb", "tictactoe", pairs=5, nodes=100, opening=0)
    assert (repeated.pairs, repeated.distinct) == (5, 1)
    assert papan.match("random", "random", "tictactoe", pairs=5).distinct == 5
    assert "Different pairs: 1/5." in str(page(repeated))
    plan = TournamentPlan("tictactoe", ("minimax", "hillclimb", "random"), pairs=2)
    met = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    games = {
        number: MatchGame(met[number % 6], replace(repeated.games[0].record, moves=moves))
        for number, moves in enumerate("abcdefabcdeg")
    }
    standings = Standings.of(plan, games, 2)
    assert repetitions(standings) == "minimax - hillclimb 1/2, minimax - random 1/2"
    assert "Different pairs: minimax - hillclimb 1/2, minimax" in str(page(standings))


def test_t20_the_same_fault_is_told_once_whatever_the_seed() -> None:
    game = papan.match(broken, "random", "tictactoe").games[0]
    games = []
    for seed in ("", ",seed=2"):
        spec = f"bot:a.py{seed}"
        record = replace(game.record, agents=(spec, "random"), reason=f"{spec} failed.")
        games.append(replace(game, record=record))
    (fault,) = MatchResult(("bot:a.py", "random"), tuple(games)).faults(0)
    assert (fault.games, fault.reason) == (2, "bot:a.py failed.")


def forfeited(count: int, **cause: str) -> list[MatchGame]:
    """So many games that the first agent forfeited, for one reason."""
    record = papan.session("tictactoe").record()
    lost = replace(record, end="timeout", blame=1, reason=cause["key"], cause=cause)
    return [MatchGame((0, 1), lost)] * count


def test_y7_the_most_frequent_fault_comes_first_and_waiting_times_do_not_divide_it() -> None:
    rare = forfeited(1, key="program.mute")
    often = [
        *forfeited(1, key="error.slow", waited="2"),
        *forfeited(2, key="error.slow", waited="3"),
    ]
    faults = forfeits_of([*rare, *often], 0)
    assert [(each.reason, each.games) for each in faults] == [
        ("error.slow", 3),
        ("program.mute", 1),
    ]
    assert forfeits_of([*rare, *often], 1) == []


def test_y7_pairs_that_only_begin_differently_are_different_pairs() -> None:
    games = []
    for start in ("tictactoe", "tictactoe b2", "tictactoe"):
        record = papan.session(start).record()
        games += [MatchGame((0, 1), record), MatchGame((1, 0), record)]
    assert distinct_pairs(games) == 2


def test_y7_pairs_that_only_end_differently_are_different_pairs() -> None:
    record = papan.session("tictactoe").record()
    ends = ("timeout", "crash", "timeout")
    games = [MatchGame((0, 1), replace(record, end=end, blame=1)) for end in ends for _ in "12"]  # type: ignore[arg-type]
    assert distinct_pairs(games) == 2
    assert distinct_pairs(games[:3]) == 1


def test_y7_half_a_pair_does_not_count() -> None:
    games = tuple(Match((RANDOM, RANDOM), GAME, pairs=2).play())
    whole, cut = (MatchResult(("random", "random"), games[:count]) for count in (2, 3))
    assert cut.pairs == 1 and cut.tally == whole.tally


def test_y7_the_line_of_a_game_names_who_forfeited_it_and_why() -> None:
    game = forfeited(1, key="program.mute")[0]
    record = replace(
        game.record, agents=("one", "two"), blame=2, cause={}, reason="It fell asleep."
    )
    line = replace(game, record=record).message().text("en")
    assert "two" in line.replace("one - two", "") and "It fell asleep." in line
    assert "one" not in line.replace("one - two", "")
    over = MatchGame((0, 1), replace(record, blame=None, end="draw", scores=(1, 2.5)))
    assert over.message().values["scores"] == "1-2.5"


def test_y7_the_game_of_a_seat_is_won_by_the_agent_who_sits_there() -> None:
    record = papan.session("tictactoe").record()
    won = MatchGame((1, 0), replace(record, scores=(1, 0), end="win"))
    assert [won.outcome(agent) for agent in (0, 1)] == [-1, 1]
    drawn = replace(won, record=replace(record, scores=(0, 0), end="draw"))
    assert [drawn.outcome(agent) for agent in (0, 1)] == [0, 0]
    lost = replace(won, record=replace(record, scores=(0, 0), end="timeout", blame=1))
    assert (lost.culprit, lost.outcome(1)) == (1, -1)
    assert won.culprit is None


def test_y7_the_data_of_a_match_are_those_of_its_games() -> None:
    record = papan.session("tictactoe").record()
    wins = replace(record, scores=(1, 0), end="win")
    games = (MatchGame((0, 1), wins), MatchGame((1, 0), replace(record, end="crash", blame=1)))
    found = MatchResult(("a", "b"), games, "tictactoe").json()
    assert (found["game"], found["agents"]) == ("tictactoe", ["a", "b"])
    assert [found[key] for key in ("wins", "draws", "losses", "games")] == [2, 0, 0, 2]
    assert (found["pentanomial"], found["distinct"], found["score"]) == ([0, 0, 0, 0, 1], 1, 1)
    assert found["forfeits"] == [{}, {"crash": 1}]
    fault = {"kind": "crash", "reason": "", "games": 1, "output": "", "cause": {}}
    assert found["faults"] == [[], [fault]]
    assert len(found["records"]) == 2
    none = MatchResult(("a", "b"), ()).json()
    assert (none["games"], none["pentanomial"], none["records"]) == (0, None, [])
    board = papan.session(papan.position("onet:2,2 1,2/2,1")).record()
    alone = MatchResult(("a", "b"), (MatchGame((0,), board), MatchGame((1,), board))).json()
    assert (alone["pentanomial"], alone["draws"], alone["games"]) == (None, 1, 1)


def test_y7_a_match_that_is_stopped_counts_whole_pairs_and_ctrl_c_shows_all_games() -> None:
    def stop_after(count: int, how: type[BaseException] | None) -> MatchResult:
        over: list[MatchGame] = []

        def see(game: MatchGame) -> None:
            over.append(game)
            if how and len(over) == count:
                raise how

        return play_match(
            Match((RANDOM, RANDOM), GAME, pairs=3), lambda: not how and len(over) >= count, see
        )

    assert len(stop_after(3, None).games) == 2
    with pytest.raises(Interrupted) as interrupted:
        stop_after(3, KeyboardInterrupt)
    assert len(interrupted.value.result.games) == 3


@pytest.mark.parametrize("key", ["agent", "legal", "move", "position", "waited"])
def test_y7_the_same_fault_in_another_position_is_the_same_fault(key: str) -> None:
    often = [*forfeited(1, key="x", **{key: "1"}), *forfeited(1, key="x", **{key: "2"})]
    assert [each.games for each in forfeits_of(often, 0)] == [2]
    other = [*forfeited(1, key="x", why="1"), *forfeited(1, key="x", why="2")]
    assert [each.games for each in forfeits_of(other, 0)] == [1, 1]


def test_y7_an_opening_has_as_many_plies_as_the_board_allows() -> None:
    for plies in range(4):
        position = opening(GAME, plies, 5)
        assert sum(mark != "." for mark in str(position).split()[1] if mark != "/") == plies
    assert opening(papan.game("onet:2,6,3"), 3, 5) == opening(papan.game("onet:2,6,3"), 0, 5)
    with pytest.raises(InvalidSpecError) as refused:
        check_opening(papan.game("tictactoe:1,3,3"), 9)
    assert (refused.value.shown.values["opening"], refused.value.shown.values["played"]) == (
        "9",
        "2",
    )
    check_opening(papan.game("tictactoe:1,3,3"), 2)
    check_opening(papan.game("onet:2,6,3"), 9)
