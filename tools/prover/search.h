// One search: alpha-beta with a null window, node by node, so that many can take turns.
//
// A position is searched by a group of lanes, one for each column. On the GPU a lane is a thread of
// a warp, which holds several groups: all of them take the same way through the code, those with
// nothing to do there too, or the warp would run it once for each. On the CPU a lane is an element of
// an array. Only quiet positions are searched: after a move, what it forces is played at once, and so
// it may be the same side's turn again. What is asked is whether the value of the side to move is at
// least a goal.
#pragma once
#include "table.h"

namespace prover {

constexpr int OPEN = 9;  // instead of a value: it is not known yet

// The lanes of a group: which column is whose, and answers of all of them as bits. On the GPU all
// groups of a warp must call these functions together.
template <int Columns>
struct Group {
    static constexpr Word ALL = (Word(1) << Columns) - 1;
#ifdef __CUDA_ARCH__
    static constexpr int HERE = 1, IN_WARP = WORD_BITS / Columns;
    static constexpr Word WARP = Word((DoubleWord(1) << IN_WARP * Columns) - 1);
    int lane, shift;
    __device__ int column(int) const { return lane; }
    __device__ bool leads() const { return lane == 0; }
    __device__ void wait() const { __syncwarp(WARP); }
    __device__ Word which(const bool* answers) const { return __ballot_sync(WARP, answers[0]) >> shift & ALL; }
    // Whether something is true of any group of the warp.
    __device__ bool any(bool mine) const { return __any_sync(WARP, mine); }
    __device__ int from_leader(int number) const { return __shfl_sync(WARP, number, shift); }
    // In each lane, how many lanes have a higher score.
    __device__ void rank(const int* scores, int* ranks) const {
        ranks[0] = 0;
        UNROLLED for (int i = 0; i < Columns; i++)
            ranks[0] += __shfl_sync(WARP, scores[0], shift + i) > scores[0];
    }
#else
    static constexpr int HERE = Columns;
    int column(int here) const { return here; }
    bool leads() const { return true; }
    void wait() const {}
    bool any(bool mine) const { return mine; }
    Word which(const bool* answers) const {
        Word found = 0;
        for (int i = 0; i < Columns; i++) found |= Word(answers[i]) << i;
        return found;
    }
    void rank(const int* scores, int* ranks) const {
        for (int i = 0; i < Columns; i++) {
            ranks[i] = 0;
            for (int j = 0; j < Columns; j++) ranks[i] += scores[j] > scores[i];
        }
    }
#endif
};

#define EACH_LANE UNROLLED for (int i = 0; i < Group<Board::COLUMNS>::HERE; i++)

// The positions to which the moves of a position lead, from the view of the side to move there.
// Boards lie word by word, so that the lanes of a group read and write neighbours.
template <class Board>
struct Frame {
    Word own[Board::WORDS][Board::COLUMNS], rival[Board::WORDS][Board::COLUMNS];
    Word rival_wins[Board::WORDS][Board::COLUMNS];  // empty cells where the rival wins
    Word bucket[Board::COLUMNS], tag[2][Board::COLUMNS];
    uint8_t order[Board::COLUMNS];  // columns, the most promising first
    uint8_t next, count;            // the place in the order, and its length
    int8_t best, goal;
    uint16_t same;  // columns after which the same side is to move again
    Word began;     // nodes when the search came here

    using Cells = typename Board::Cells;
    SHARED_CODE static Cells read(const Word (*boards)[Board::COLUMNS], int column) {
        Cells found;
        UNROLLED for (int i = 0; i < Board::WORDS; i++) found.word[i] = boards[i][column];
        return found;
    }
    SHARED_CODE static void write(Word (*boards)[Board::COLUMNS], int column, const Cells& cells) {
        UNROLLED for (int i = 0; i < Board::WORDS; i++) boards[i][column] = cells.word[i];
    }
    SHARED_CODE typename Board::Position position(int column) const { return {read(own, column), read(rival, column)}; }
    SHARED_CODE TableKey key(int column) const {
        return {bucket[column], DoubleWord(tag[1][column]) << WORD_BITS | tag[0][column]};
    }
    SHARED_CODE void write_key(int column, const TableKey& key) {
        bucket[column] = key.bucket, tag[0][column] = Word(key.tag), tag[1][column] = Word(key.tag >> WORD_BITS);
    }
};

// A question: is the position worth at least the goal for the side to move?
template <class Board>
struct Job {
    typename Board::Position position;
    int goal;
    Word budget;  // nodes after which the search gives up
};

struct Worker {
    static constexpr int IDLE = -1;
    int job, ply;
    Word nodes, budget;
};

// The moves of a quiet position while they are judged: those still open, none if the position is
// decided, and what the others reach.
template <class Board>
struct Fan {
    static constexpr int HERE = Group<Board::COLUMNS>::HERE;
    Sides<Board> sides[HERE];
    Word live, same;
    int best, goal, left;

    SHARED_CODE bool is_live(int column) const { return live >> column & 1; }
    SHARED_CODE bool again(int column) const { return same >> column & 1; }
    SHARED_CODE bool closing() const { return left & 1; }
    SHARED_CODE typename Board::Position after(int here, int column) const {
        const Sides<Board>& now = sides[here];
        return again(column) ? typename Board::Position{now.mine, now.theirs}
                             : typename Board::Position{now.theirs, now.mine};
    }
};

// Play every move that does not let the rival win at once.
template <class Board>
SHARED_CODE void play_safe_moves(const Group<Board::COLUMNS>& group, Fan<Board>& fan,
                                 const typename Board::Position& position, const typename Board::Cells& rival_wins,
                                 bool busy) {
    auto empty = Board::empty(position), safe = Board::playable(empty) & ~down<1>(rival_wins);
    bool legal[Fan<Board>::HERE];
    EACH_LANE {
        auto move = safe & Board::column(group.column(i)), mine = position.own | move, left = empty & ~move;
        legal[i] = move.any();
        fan.sides[i] = {mine, position.rival, Board::winning(mine) & left, rival_wins, left};
    }
    fan.live = group.which(legal) & (busy ? Group<Board::COLUMNS>::ALL : 0);
    fan.same = 0, fan.best = -1;
}

// The defender takes the only winning cell, and is now the last to have moved.
template <class Board>
SHARED_CODE void block(Sides<Board>& sides, const typename Board::Cells& threat) {
    sides.theirs = sides.theirs | threat, sides.empty = sides.empty & ~threat;
    sides.my_wins = sides.my_wins & ~threat;
    sides.their_wins = Board::winning(sides.theirs) & sides.empty;
}

template <class Board>
SHARED_CODE void change_sides(Sides<Board>& sides) {
    auto other = sides.mine;
    sides.mine = sides.theirs, sides.theirs = other;
    other = sides.my_wins, sides.my_wins = sides.their_wins, sides.their_wins = other;
}

// Play what the moves force, until nothing is forced. Two threats at once win, and so does one above
// another; a side loses that can only play below a winning cell of the other.
template <class Board>
SHARED_CODE void play_forced_moves(const Group<Board::COLUMNS>& group, Fan<Board>& fan) {
    bool threatens[Fan<Board>::HERE], wins[Fan<Board>::HERE], stuck[Fan<Board>::HERE];
    typename Board::Cells threat[Fan<Board>::HERE];
    Word active = fan.live;
    int sign = 1, left = fan.left - 1;  // whose view it is; cells left after the last move
    while (group.any(active)) {
        EACH_LANE {
            const Sides<Board>& sides = fan.sides[i];
            auto playable = Board::playable(sides.empty);
            threat[i] = sides.my_wins & playable;
            threatens[i] = threat[i].any();
            wins[i] = (threat[i].without_lowest() | (up<1>(threat[i]) & sides.my_wins)).any();
            stuck[i] = !threatens[i] && !(playable & ~down<1>(sides.my_wins)).any();
        }
        Word threatened = group.which(threatens) & active, won = group.which(wins) & active;
        const Word lost = group.which(stuck) & active, drawn = left ? 0 : lost;  // a full board is a draw
        won |= lost & ~drawn;
        if (drawn && fan.best < 0) fan.best = 0;
        if (won && sign > fan.best) fan.best = sign;
        fan.live &= ~(won | drawn);
        if (fan.best >= fan.goal) fan.live = 0;
        active = threatened & fan.live;
        fan.same ^= active;
        if (!group.any(active)) break;
        EACH_LANE {
            if (active >> group.column(i) & 1) block<Board>(fan.sides[i], threat[i]);
            change_sides(fan.sides[i]);
        }
        left--, sign = -sign;
    }
    if (sign < 0) EACH_LANE change_sides(fan.sides[i]);
}

// Leave out the moves that bounds decide.
template <class Board>
SHARED_CODE void narrow(const Group<Board::COLUMNS>& group, Fan<Board>& fan, const Bounds* bounds) {
    bool reaches[Fan<Board>::HERE], may[Fan<Board>::HERE], draws[Fan<Board>::HERE];
    EACH_LANE {
        reaches[i] = bounds[i].low >= fan.goal, may[i] = bounds[i].high >= fan.goal;
        draws[i] = bounds[i].high >= 0;
    }
    Word reached = group.which(reaches) & fan.live, possible = group.which(may) & fan.live;
    Word drawn = group.which(draws) & fan.live & ~possible;
    if (drawn && fan.best < 0) fan.best = 0;
    fan.live = possible;
    if (reached) fan.best = fan.goal, fan.live = 0;
}

template <class Board>
SHARED_CODE void apply_theory(const Group<Board::COLUMNS>& group, Fan<Board>& fan) {
    Bounds bounds[Fan<Board>::HERE];
    EACH_LANE {
        int column = group.column(i);
        if (fan.is_live(column)) bounds[i] = static_bounds(fan.sides[i], fan.again(column), fan.closing());
        else bounds[i] = {-1, 1};
    }
    narrow(group, fan, bounds);
}

template <class Board>
SHARED_CODE void apply_table(const Group<Board::COLUMNS>& group, Fan<Board>& fan, const Table& table, TableKey* keys) {
    Bounds bounds[Fan<Board>::HERE];
    EACH_LANE {
        int column = group.column(i);
        bounds[i] = {-1, 1};
        if (!fan.is_live(column)) continue;
        keys[i] = table_key<Board>(table, fan.after(i, column));
        if (Word data = look_up(table, keys[i])) bounds[i] = bounds_of(data);
        if (!fan.again(column)) bounds[i] = bounds[i].negated();
    }
    narrow(group, fan, bounds);
}

template <class Board>
SHARED_CODE void write_frame(const Group<Board::COLUMNS>& group, const Fan<Board>& fan, const TableKey* keys,
                             Frame<Board>& frame) {
    int scores[Fan<Board>::HERE], ranks[Fan<Board>::HERE];
    EACH_LANE {
        int column = group.column(i);
        bool again = fan.again(column);
        scores[i] = fan.is_live(column)
                        ? move_score(fan.sides[i], again, fan.closing(), column) * 16 + column : -1;
    }
    group.rank(scores, ranks);
    EACH_LANE {
        int column = group.column(i);
        if (!fan.is_live(column)) continue;
        auto after = fan.after(i, column);
        frame.write(frame.own, column, after.own);
        frame.write(frame.rival, column, after.rival);
        frame.write(frame.rival_wins, column, fan.again(column) ? fan.sides[i].their_wins : fan.sides[i].my_wins);
        frame.write_key(column, keys[i]);
        frame.order[ranks[i]] = uint8_t(column);
    }
    if (group.leads() && fan.live) {
        frame.same = uint16_t(fan.same), frame.best = int8_t(fan.best), frame.goal = int8_t(fan.goal);
        frame.next = 0, frame.count = uint8_t(ones(fan.live));
    }
    group.wait();
}

// Judge all moves of a quiet position. Return a bound of its value: at least the goal, or less; or
// OPEN, and the frame has the moves that must be searched. Without a table it uses theory alone. A
// group that is not busy comes along, and does nothing.
template <class Board>
SHARED_CODE int expand(const Group<Board::COLUMNS>& group, const Table* table,
                       const typename Board::Position& position, const typename Board::Cells& rival_wins, int goal,
                       Frame<Board>& frame, bool busy = true) {
    Fan<Board> fan;
    TableKey keys[Fan<Board>::HERE] = {};
    fan.goal = goal, fan.left = Board::CELLS - position.stones();
    play_safe_moves(group, fan, position, rival_wins, busy);
    play_forced_moves(group, fan);
    if (group.any(fan.live)) apply_theory(group, fan);
    if (table && group.any(fan.live)) apply_table(group, fan, *table, keys);
    if (group.any(fan.live)) write_frame(group, fan, keys, frame);
    return fan.live ? OPEN : fan.best;
}

// Begin a search: the position is the only move of a frame below all others. The group must wait.
template <class Board>
SHARED_CODE void begin(const Group<Board::COLUMNS>& group, const Table& table, Frame<Board>* frames, const Job<Board>& job) {
    if (group.leads()) {
        Frame<Board>& root = frames[0];
        root.write(root.own, 0, job.position.own);
        root.write(root.rival, 0, job.position.rival);
        root.write(root.rival_wins, 0, Board::winning(job.position.rival) & Board::empty(job.position));
        root.write_key(0, table_key<Board>(table, job.position));
        root.order[0] = 0, root.same = 1, root.best = -1, root.goal = int8_t(job.goal);
        root.next = 0, root.count = 1;
    }
}

// What the table knows of the next move: it may have been solved since its parent looked.
SHARED_CODE int solved_since(const Table& table, const TableKey& key, int goal) {
    Word data = look_up(table, key);
    if (!data) return OPEN;
    Bounds known = bounds_of(data);
    return known.low >= goal ? known.low : known.high < goal ? known.high : OPEN;
}

// Hand a value down to the frames below, as far as these are decided by it, unless it is OPEN.
// Return OPEN, or the value of the root.
template <class Board>
SHARED_CODE int hand_down(const Group<Board::COLUMNS>& group, const Table& table, Frame<Board>* frames,
                          Worker& worker, int value) {
    while (group.any(value != OPEN && worker.ply > 0)) {
        const bool falls = value != OPEN && worker.ply > 0;
        Frame<Board>& frame = frames[worker.ply];
        const int next = frame.next, own = frame.same >> frame.order[next] & 1 ? value : -value;
        const int best = own > frame.best ? own : frame.best;
        const bool reached = best >= frame.goal, more = next + 1 < frame.count;
        group.wait();  // all lanes have read what the first one writes
        if (falls && !reached && more) {
            if (group.leads()) frame.best = int8_t(best), frame.next = uint8_t(next + 1);
            value = OPEN;
        } else if (falls) {
            const Frame<Board>& parent = frames[--worker.ply];
            if (group.leads()) {
                Bounds proved = {reached ? best : -1, reached ? 1 : best};
                remember(table, parent.key(parent.order[parent.next]), proved, digits(worker.nodes - frame.began));
            }
            value = best;
        }
        group.wait();
    }
    return value;
}

// Search one node, if the group is busy. Return OPEN, or the value of the root if the search is over.
template <class Board>
SHARED_CODE int step(const Group<Board::COLUMNS>& group, const Table& table, Frame<Board>* frames, Worker& worker,
                     bool busy = true) {
    Frame<Board>& frame = frames[worker.ply];
    const int column = frame.order[frame.next];
    const int goal = frame.same >> column & 1 ? frame.goal : 1 - frame.goal;
    int value = busy && frame.next ? solved_since(table, frame.key(column), goal) : OPEN;
    const bool expands = busy && value == OPEN;
    Frame<Board>& above = frames[worker.ply + 1];
    const auto wins = frame.read(frame.rival_wins, column);
    const int found = expand(group, &table, frame.position(column), wins, goal, above, expands);
    if (expands) {
        worker.nodes++, value = found;
        if (value == OPEN) {
            if (group.leads()) above.began = worker.nodes - 1;
            worker.ply++;
        }
    }
    group.wait();
    return hand_down(group, table, frames, worker, value);
}

}  // namespace prover
