// A board of Connect 4: its masks, where stones land, what completes a four, mirror images.
//
// Columns lie one after the other from the left, each from the bottom with one bit to spare above,
// so that no line runs from one column's top into the next one's bottom.
#pragma once
#include "bits.h"

namespace prover {

template <int RowCount, int ColumnCount>
struct Board {
    static constexpr int ROWS = RowCount, COLUMNS = ColumnCount, CELLS = ROWS * COLUMNS;
    static constexpr int STEP = ROWS + 1, BITS = STEP * COLUMNS;
    static constexpr int WORDS = (BITS + WORD_BITS - 1) / WORD_BITS;
    static constexpr int MOST_STONES_OF_IMAGES = 14;  // later, mirror images hardly ever meet
    using Cells = Bits<WORDS>;

    struct Position {
        Cells own, rival;  // of the side to move, and of the other
        SHARED_CODE int stones() const { return (own | rival).count(); }
    };

    SHARED_CODE static constexpr Cells rows_where(int from, int to, int modulus, int remainder) {
        Cells found{};
        for (int column = 0; column < COLUMNS; column++)
            for (int row = from; row < to; row++)
                if (row % modulus == remainder) found.set(column * STEP + row);
        return found;
    }
    SHARED_CODE static Cells cells() {
        constexpr Cells mask = rows_where(0, ROWS, 1, 0);
        return mask;
    }
    SHARED_CODE static Cells bottoms() {
        constexpr Cells mask = rows_where(0, 1, 1, 0);
        return mask;
    }
    SHARED_CODE static Cells tops() {  // the bits to spare
        constexpr Cells mask = rows_where(ROWS, ROWS + 1, 1, 0);
        return mask;
    }
    // The top row and every second below: the closer, who places the last stone, can have all of them.
    SHARED_CODE static Cells upper() {
        constexpr Cells mask = rows_where(0, ROWS, 2, (ROWS + 1) % 2);
        return mask;
    }
    SHARED_CODE static Cells lower() {
        constexpr Cells mask = rows_where(0, ROWS, 2, ROWS % 2);
        return mask;
    }
    SHARED_CODE static Cells column(int number) {
        constexpr Word full = (Word(1) << ROWS) - 1;
        Cells found{};
        UNROLLED for (int i = 0; i < WORDS; i++) {
            int at = number * STEP - WORD_BITS * i;
            found.word[i] = at >= WORD_BITS ? 0 : at >= 0 ? full << at : at > -WORD_BITS ? full >> -at : 0;
        }
        return found;
    }
    SHARED_CODE static int central(int column) {
        return column < COLUMNS - 1 - column ? column : COLUMNS - 1 - column;
    }

    SHARED_CODE static Cells empty(const Position& position) {
        return cells() & ~(position.own | position.rival);
    }
    SHARED_CODE static Cells playable(const Cells& empty) {
        return ((empty ^ cells()) + bottoms()) & empty;
    }
    // The lowest of some cells in each column.
    SHARED_CODE static Cells lowest_in_columns(const Cells& some) { return some & (tops() - some); }
    // All cells from some, at most one in each column, up to the top.
    SHARED_CODE static Cells upwards(const Cells& some) { return (tops() - some) & cells(); }

    // Every cell, taken or not, that makes four with three of the stones.
    SHARED_CODE static Cells winning(const Cells& stones) {
        Cells above = up<1>(stones) & up<2>(stones) & up<3>(stones);
        return above | completing<STEP>(stones) | completing<STEP + 1>(stones) | completing<STEP - 1>(stones);
    }
    SHARED_CODE static bool fours(const Cells& some) {
        return (starts<STEP>(some) | starts<1>(some) | starts<STEP + 1>(some) | starts<STEP - 1>(some)).any();
    }
    // Those of some cells that belong to four in a row.
    SHARED_CODE static Cells in_fours(const Cells& some) {
        return members<STEP>(some) | members<1>(some) | members<STEP + 1>(some) | members<STEP - 1>(some);
    }
    // How many fours of some cells, not vertical ones, hold two or more of the stones.
    SHARED_CODE static int half_made(const Cells& stones, const Cells& some) {
        return twos<STEP>(stones, some) + twos<STEP + 1>(stones, some) + twos<STEP - 1>(stones, some);
    }

    // A position as one bitboard: own stones, and a bit above the highest stone of each column.
    SHARED_CODE static Cells key(const Position& position) {
        return position.own | ((position.own | position.rival) + bottoms());
    }
    SHARED_CODE static Position position_of(const Cells& key) {
        Position found{};
        for (int column = 0; column < COLUMNS; column++) {
            int row = ROWS;
            while (!key.has(column * STEP + row)) row--;
            while (row-- > 0) (key.has(column * STEP + row) ? found.own : found.rival).set(column * STEP + row);
        }
        return found;
    }
    SHARED_CODE static Cells mirrored(const Cells& bits) {
        constexpr Word full = (Word(1) << STEP) - 1;
        Cells found{};
        UNROLLED for (int column = 0; column < COLUMNS; column++) {
            const int from = column * STEP, to = (COLUMNS - 1 - column) * STEP;
            const int source = from / WORD_BITS, target = to / WORD_BITS;
            Word moved = bits.word[source] >> from % WORD_BITS;
            if (from % WORD_BITS + STEP > WORD_BITS && source + 1 < WORDS)
                moved |= bits.word[(source + 1) % WORDS] << (WORD_BITS - from % WORD_BITS) % WORD_BITS;
            moved &= full;
            found.word[target] |= moved << to % WORD_BITS;
            if (to % WORD_BITS + STEP > WORD_BITS && target + 1 < WORDS)
                found.word[(target + 1) % WORDS] |= moved >> (WORD_BITS - to % WORD_BITS) % WORD_BITS;
        }
        return found;
    }
    SHARED_CODE static Position mirrored(const Position& position) {
        return {mirrored(position.own), mirrored(position.rival)};
    }
    // Of a position and its mirror image the one with the lesser key.
    SHARED_CODE static Position image(const Position& position) {
        Cells straight = key(position), other = mirrored(straight);
        return other.below(straight) ? mirrored(position) : position;
    }

private:
    template <int Distance>
    SHARED_CODE static Cells completing(const Cells& stones) {
        Cells pair = stones & up<Distance>(stones);
        Cells after = up<Distance>(pair) & (up<3 * Distance>(stones) | down<Distance>(stones));
        Cells before = down<2 * Distance>(pair) & (up<Distance>(stones) | down<3 * Distance>(stones));
        return after | before;
    }
    template <int Distance>
    SHARED_CODE static Cells starts(const Cells& some) {
        Cells pair = some & down<Distance>(some);
        return pair & down<2 * Distance>(pair);
    }
    template <int Distance>
    SHARED_CODE static Cells members(const Cells& some) {
        Cells first = starts<Distance>(some), pair = first | up<Distance>(first);
        return pair | up<2 * Distance>(pair);
    }
    template <int Distance>
    SHARED_CODE static int twos(const Cells& stones, const Cells& some) {
        Cells both = stones & down<Distance>(stones), either = stones | down<Distance>(stones);
        Cells held = both | down<2 * Distance>(both) | (either & down<2 * Distance>(either));
        return (starts<Distance>(some) & held).count();
    }
};

}  // namespace prover
