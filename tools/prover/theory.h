// The theory of papan's solver (`games/connect4/kernel_theory.py`), cut down to who wins.
//
// The bounds hold in quiet positions, where nobody can win at once: strategies that answer every
// move prove them. The closer is the side that places the last stone of a full board.
#pragma once
#include "board.h"

namespace prover {

// A position after a move: who made it has `mine`; its rival `theirs`; with the empty cells that win.
template <class Board>
struct Sides {
    typename Board::Cells mine, theirs, my_wins, their_wins, empty;
};

template <class Board>
struct Roles {
    typename Board::Cells closer, opener, closer_wins, opener_wins, empty, playable;
};

struct Bounds {
    int low, high;  // -1 loses, 0 draws, 1 wins

    SHARED_CODE Bounds negated() const { return {-high, -low}; }
    SHARED_CODE void raise(int to) { low = to > low ? to : low; }
    SHARED_CODE void lower(int to) { high = to < high ? to : high; }
};

// Nobody wins before its second stone from now: near the end of the game that is too late.
SHARED_CODE Bounds soonest_ends(int left, bool again) {
    return {left - again > 2 ? -1 : 0, left + again > 3 ? 1 : 0};
}

// A side cannot win whose remaining fours all run through cells that already win: its rival does
// not play below them before the rest is full, and then too few cells are left.
template <class Board>
SHARED_CODE void last_hopes(const Roles<Board>& roles, Bounds& bounds) {
    if (bounds.high > 0 && !roles.closer_wins.any() && !Board::fours(roles.closer | roles.empty)) bounds.lower(0);
    const auto& wins = roles.opener_wins;
    if (bounds.low < 0 && Board::upwards(down<1>(Board::lowest_in_columns(wins))).count() <= 2 &&
        !Board::fours((roles.opener | roles.empty) & ~wins) && !(wins & up<1>(wins)).any())
        bounds.raise(0);
}

// The closer answers every stone in the same column, and so has all upper cells: it does not lose if
// the other cells have no four, and wins if the upper ones have. Above a cell that wins nobody plays.
template <class Board>
SHARED_CODE void closer_claims(const Roles<Board>& roles, Bounds& bounds) {
    auto claimed = roles.empty & Board::upper() & ~roles.playable;
    auto wins = Board::lowest_in_columns(roles.closer_wins & claimed);
    auto never = Board::upwards(wins) & ~wins;
    auto share = (roles.opener | (roles.empty & Board::lower()) | roles.playable) & ~never;
    if (!Board::fours(share)) bounds.raise(wins.any() || Board::fours(roles.closer | claimed) ? 1 : 0);
}

// The opener waits for a winning cell among the lower ones: the closer must play below it in the
// end. That holds if the cells which the closer gets until then have no four.
template <class Board>
SHARED_CODE void opener_waits(const Roles<Board>& roles, Bounds& bounds) {
    auto waiting = Board::lowest_in_columns(roles.opener_wins & Board::lower());
    auto claimed = Board::lowest_in_columns(roles.opener_wins & Board::upper());
    while (waiting.any() && bounds.high > -1) {
        auto column = Board::column(waiting.lowest() / Board::STEP), cell = waiting & column;
        waiting = waiting & ~column;
        auto wins = claimed & ~column, never = Board::upwards(wins) & ~wins;
        auto below = cell - Board::Cells::one();
        auto elsewhere = roles.empty & Board::lower() & ~column & ~never;
        auto share = elsewhere | (roles.empty & Board::upper() & column & below) | roles.closer | roles.playable;
        if (!Board::fours(share)) bounds.lower(-1);
    }
}

// Bounds for the side with `mine`, which is the closer if *closing*, and is to move if *again*.
template <class Board>
SHARED_CODE Bounds static_bounds(const Sides<Board>& sides, bool again, bool closing) {
    const auto& [mine, theirs, my_wins, their_wins, empty] = sides;
    Roles<Board> roles = {closing ? mine : theirs,       closing ? theirs : mine, closing ? my_wins : their_wins,
                          closing ? their_wins : my_wins, empty,                   Board::playable(empty)};
    Bounds bounds = soonest_ends(empty.count(), again);
    if (!closing) bounds = bounds.negated();
    last_hopes(roles, bounds);
    closer_claims(roles, bounds);
    opener_waits(roles, bounds);
    return closing ? bounds : bounds.negated();
}

// How promising a move is; the highest is searched first.
template <class Board>
SHARED_CODE int move_score(const Sides<Board>& sides, bool again, bool closing, int column) {
    const auto& [mine, theirs, wins, their_wins, empty] = sides;
    auto playable = Board::playable(empty), good = closing ? Board::upper() : Board::lower();
    int threats = 6 * wins.count() + 2 * (wins & good).count() + 2 * (wins & up<1>(playable)).count();
    int answers = (playable & ~down<1>(wins)).count();
    int initiative = again ? 9 : 0;
    constexpr int base = 1000;  // keeps scores positive
    return base + threats + Board::half_made(mine, mine | empty) + initiative - 2 * answers + 2 * Board::central(column);
}

}  // namespace prover
