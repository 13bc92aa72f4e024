// The tree of proof numbers: which position to search next, and what is proved.
//
// The question is whether the first player's value is at least a goal. A node is a quiet position,
// or its mirror image. Its proof number estimates how much is left to do if the answer is yes, its
// disproof number if it is no. Leaves are searched by the engine; one that takes longer than its
// budget gets children.
//
// Threads share the tree without locks: an answer is written once, and only from what is proved;
// numbers are hints, and one that is out of date is put right by the next walk that passes.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>

#include "memory.h"
#include "search.h"

namespace prover {

enum Answer : uint8_t { UNKNOWN = 0, YES = 1, NO = 2 };
constexpr uint8_t EXPANDED = 4;  // beside an answer in a raw proof
constexpr float SOLVED = 1e30f, MOST_EFFORT = 1e20f, POSTPONED = 1e15f;
constexpr uint8_t MOST_TRIES = 20;

struct Weights {
    float later_move = 3;   // first number of a move: 1, and so much more for each before it
    float in_flight = 2;    // factor for a leaf that is being searched, so that others look elsewhere
    float met_again = 1.5;  // factor for such a leaf when another walk comes to it
    float order = 0.3;      // the second move is looked at if the first is so much harder, and so on
};

template <class Board>
struct Node {
    static constexpr uint8_t HAS_CHILDREN = 1, IN_FLIGHT = 2, FIRST_TO_MOVE = 4;
    typename Board::Cells key;
    std::atomic<float> proof, disproof;
    uint32_t children;  // where their list begins
    uint8_t count;
    std::atomic<uint8_t> answer, flags;
    std::atomic<uint8_t> tries;  // how often its budget was doubled: there was no room for children

    bool has(uint8_t flag) const { return flags.load(std::memory_order_acquire) & flag; }
    bool first_to_move() const { return flags.load(std::memory_order_relaxed) & FIRST_TO_MOVE; }
};

template <class Board>
class Tree {
public:
    using Number = uint32_t;
    using Path = std::vector<Number>;
    using Position = typename Board::Position;
    enum Walk { FOUND, MET, SOLVED_ON_THE_WAY };
    static constexpr Number NONE = 0;
    const int goal;
    Number root = NONE;

    Tree(int goal, Weights weights, uint64_t most_nodes)
        : goal(goal), weights_(weights), most_(std::min<uint64_t>(most_nodes, 0xFFFFFF00u)), slots_(slots_for(most_)),
          most_links_(std::min<uint64_t>(2 * most_, 0xFFFFFF00u)), nodes_(reserve_zeros<Node<Board>>(most_ + 1)),
          links_(reserve_zeros<Number>(most_links_)), map_(reserve_zeros<std::atomic<Number>>(slots_)) {}
    ~Tree() {
        release(nodes_, most_ + 1);
        release(links_, most_links_);
        release(map_, slots_);
    }
    Tree(const Tree&) = delete;

    static double bytes_per_node() { return sizeof(Node<Board>) + 2 * sizeof(Number) + 2 * sizeof(Number); }

    uint64_t size() const { return std::min<uint64_t>(used_ - 1, most_); }
    bool nearly_full() const { return used_ > most_ * 0.9 || used_links_ > most_links_ * 0.9; }
    const Node<Board>& operator[](Number number) const { return nodes_[number]; }
    Answer answer() const { return answer_of(nodes_[root]); }
    Answer answer_of(const Node<Board>& node) const { return Answer(node.answer.load(std::memory_order_acquire)); }
    Position position(Number number) const { return Board::position_of(nodes_[number].key); }
    int goal_in(const Node<Board>& node) const { return node.first_to_move() ? goal : 1 - goal; }
    std::vector<Number> children(Number number) const {
        const auto& node = nodes_[number];
        if (!node.has(Node<Board>::HAS_CHILDREN)) return {};
        return {links_ + node.children, links_ + node.children + node.count};
    }

    // The node of a quiet position; made with these numbers if there is none. NONE if there is no room.
    Number node_of(const Position& position, float proof = 1, float disproof = 1) {
        const Position image = Board::image(position);
        const auto key = Board::key(image);
        Number fresh = NONE;
        for (uint64_t slot = slot_of(key);; slot = (slot + 1) & (slots_ - 1)) {
            Number found = map_[slot].load(std::memory_order_acquire);
            if (found) {
                if (nodes_[found].key == key) return found;
                continue;
            }
            if (!fresh && !(fresh = make(image, key, proof, disproof))) return NONE;
            if (map_[slot].compare_exchange_strong(found, fresh, std::memory_order_acq_rel)) return fresh;
            if (nodes_[found].key == key) return found;  // another thread was first; the fresh one stays unused
        }
    }
    Number find(const Position& position) const {
        const auto key = Board::key(Board::image(position));
        for (uint64_t slot = slot_of(key);; slot = (slot + 1) & (slots_ - 1)) {
            Number found = map_[slot].load(std::memory_order_acquire);
            if (!found || nodes_[found].key == key) return found;
        }
    }

    // Walk to the most proving leaf. FOUND: it is the caller's now. MET: it is somebody else's.
    Walk walk(Path& path) {
        path.clear();
        for (Number number = root;;) {
            path.push_back(number);
            auto& node = nodes_[number];
            if (answer_of(node)) return turn_back(path, SOLVED_ON_THE_WAY);
            if (!node.has(Node<Board>::HAS_CHILDREN)) {
                uint8_t before = node.flags.fetch_or(Node<Board>::IN_FLIGHT, std::memory_order_acq_rel);
                bool flies = before & Node<Board>::IN_FLIGHT;
                if (!(before & Node<Board>::HAS_CHILDREN)) {
                    if (!flies && answer_of(node)) {
                        land(node);
                        return turn_back(path, SOLVED_ON_THE_WAY);
                    }
                    discourage(node, flies ? weights_.met_again : weights_.in_flight);
                    return turn_back(path, flies ? MET : FOUND);
                }
                if (!flies) land(node);
            }
            if (!(number = refresh(number))) return turn_back(path, SOLVED_ON_THE_WAY);
        }
    }

    // The leaf at the end of a path has been searched: a bound of its value, or OPEN.
    void searched(const Path& path, int value, bool cancelled) {
        auto& node = nodes_[path.back()];
        if (!answer_of(node)) {
            if (value != OPEN) settle(node, value >= goal_in(node));
            else if (cancelled) node.proof = 1, node.disproof = 1;  // as if nobody had been at it
            else grow(path.back());
        }
        land(node);
        refresh_up(path, path.size());
    }

    // Whether the answer of a leaf is of no use any more: the one of a position above is known.
    bool is_idle(const Path& path) const {
        return std::any_of(path.begin(), path.end(), [&](Number each) { return answer_of(nodes_[each]); });
    }

    // Give a leaf children; where there is no room, its next search gets twice the budget, later.
    void grow(Number number) {
        if (!nodes_[number].has(Node<Board>::HAS_CHILDREN) && !expand_node(number)) {
            if (nodes_[number].tries < MOST_TRIES) nodes_[number].tries++;
        }
        refresh(number);
    }

    // Take numbers from the children. Return the child to look at next, NONE if the answer is known.
    Number refresh(Number number) {
        auto& node = nodes_[number];
        if (answer_of(node) || !node.has(Node<Board>::HAS_CHILDREN)) return NONE;
        const bool first = node.first_to_move();
        float least = SOLVED, sum = 0, weight = 1;
        Number best = NONE;
        for (int i = 0; i < node.count; i++) {
            const Number number_there = links_[node.children + i];
            const auto& child = nodes_[number_there];
            const Answer known = answer_of(child);
            if (known == (first ? YES : NO)) return settle(node, true), NONE;
            if (known) continue;
            const float proof = child.proof.load(std::memory_order_relaxed);
            const float disproof = child.disproof.load(std::memory_order_relaxed);
            const float own = first ? proof : disproof, other = first ? disproof : proof;
            sum += other;
            if (!best || own * weight < least) least = own * weight, best = number_there;
            weight += weights_.order;
        }
        if (!best) return settle(node, false), NONE;
        sum = std::min(sum, MOST_EFFORT), least = std::min(least, MOST_EFFORT);
        put(node.proof, first ? least : sum);
        put(node.disproof, first ? sum : least);
        return best;
    }

    // What the root's answer needs: open nodes with all children; in solved ones, what proves them.
    std::vector<Number> needed(uint64_t most = ~0ull) const {
        const auto effort = proof_sizes();
        std::vector<uint8_t> seen(used_);
        std::vector<Number> found{root};
        seen[root] = 1;
        for (size_t i = 0; i < found.size() && found.size() < most; i++)
            for (Number child : proving_children(found[i], effort))
                if (!seen[child]) seen[child] = 1, found.push_back(child);
        return found;
    }

    // Drop all nodes that the root's answer and the given paths do not need. No thread may be at work.
    void collect_garbage(const std::vector<Path*>& paths) {
        std::vector<uint8_t> kept(used_);
        for (Number each : needed()) kept[each] = 1;
        for (const Path* path : paths)
            for (Number each : *path) kept[each] = 1;
        std::vector<Number> moved(used_);
        Number next = 1;
        for (Number each = 1; each < used_; each++)
            if (kept[each]) moved[each] = next++;
        auto links = reserve_zeros<Number>(most_links_);
        uint64_t used_links = 0;
        for (Number each = 1; each < used_; each++)
            if (kept[each]) move_node(each, moved, links, used_links);
        release(links_, most_links_);
        links_ = links, used_links_ = used_links, used_ = next;
        for (Path* path : paths)
            for (Number& each : *path) each = moved[each];
        root = moved[root];
        fill_map();
    }

    // The children that a proof of the node's answer needs; all, while it is open.
    std::vector<Number> proving_children(Number number, const std::vector<float>& sizes) const {
        const auto all = children(number);
        const auto& node = nodes_[number];
        const Answer known = answer_of(node);
        if (!known || all.empty() || (known == YES) != node.first_to_move()) return all;
        Number best = NONE;
        for (Number child : all)
            if (answer_of(nodes_[child]) == known && (!best || sizes[child] < sizes[best])) best = child;
        return best ? std::vector<Number>{best} : std::vector<Number>{};
    }

    // About how many positions a proof of each solved node has; 0 of others.
    std::vector<float> proof_sizes() const {
        std::vector<float> sizes(used_);
        std::vector<Number> order = solved_by_stones();
        for (Number each : order) {
            float size = 1;
            const auto& node = nodes_[each];
            if ((answer_of(node) == YES) == node.first_to_move()) {
                float least = 0;
                for (Number child : children(each))
                    if (answer_of(nodes_[child]) == answer_of(node) && (!least || sizes[child] < least))
                        least = sizes[child];
                size += least;
            } else {
                for (Number child : children(each)) size += sizes[child];
            }
            sizes[each] = std::min(size, MOST_EFFORT);
        }
        return sizes;
    }

    // Put a node into the tree as it was saved.
    void restore(const typename Board::Cells& key, Answer answer, float proof, float disproof) {
        Number number = node_of(Board::position_of(key), proof, disproof);
        if (number) nodes_[number].answer = answer;
    }
    // Put its children there, which have been restored before if they were saved.
    void restore_children(const typename Board::Cells& key) {
        Number number = find(Board::position_of(key));
        if (number && !nodes_[number].has(Node<Board>::HAS_CHILDREN)) expand_node(number);
    }
    // Make the open nodes from a number on look hard to answer so: others are searched before them.
    void postpone_from(uint64_t first, Answer answer) {
        for (uint64_t each = first; each < used_; each++)
            (answer == YES ? nodes_[each].proof : nodes_[each].disproof) = POSTPONED;
    }
    void refresh_all() {
        std::vector<std::vector<Number>> by_stones(Board::CELLS + 1);
        for (Number each = 1; each < used_; each++)
            if (nodes_[each].has(Node<Board>::HAS_CHILDREN)) by_stones[position(each).stones()].push_back(each);
        for (auto some = by_stones.rbegin(); some != by_stones.rend(); ++some)
            for (Number each : *some) refresh(each);
    }

private:
    Weights weights_;
    uint64_t most_, slots_, most_links_;
    Node<Board>* nodes_;
    Number* links_;
    std::atomic<Number>* map_;
    std::atomic<uint64_t> used_{1}, used_links_{0};

    static uint64_t slots_for(uint64_t most) {
        uint64_t slots = 64;
        while (slots * 3 / 4 < most) slots *= 2;
        return slots;
    }
    uint64_t slot_of(const typename Board::Cells& key) const {
        DoubleWord hash = 0;
        for (Word word : key.word) hash = stirred((hash ^ word) * multiplier(0));
        return hash & (slots_ - 1);
    }
    Number make(const Position& position, const typename Board::Cells& key, float proof, float disproof) {
        const uint64_t number = used_.fetch_add(1, std::memory_order_relaxed);
        if (number > most_) {
            used_.fetch_sub(1, std::memory_order_relaxed);
            return NONE;
        }
        auto& node = nodes_[number];
        node.key = key, node.proof = proof, node.disproof = disproof;
        node.flags = position.stones() % 2 == 0 ? Node<Board>::FIRST_TO_MOVE : 0;
        return Number(number);
    }
    // Threads meet near the root: what has not changed is not written, so that they can all keep it.
    static void put(std::atomic<float>& number, float value) {
        if (number.load(std::memory_order_relaxed) != value) number.store(value, std::memory_order_relaxed);
    }
    static void land(Node<Board>& node) {
        node.flags.fetch_and(uint8_t(~Node<Board>::IN_FLIGHT), std::memory_order_acq_rel);
    }
    static void discourage(Node<Board>& node, float factor) {
        node.proof = std::min(node.proof * factor, MOST_EFFORT);
        node.disproof = std::min(node.disproof * factor, MOST_EFFORT);
    }
    void settle(Node<Board>& node, bool mover_reaches) {
        node.answer.store(mover_reaches == node.first_to_move() ? YES : NO, std::memory_order_release);
    }
    Walk turn_back(const Path& path, Walk found) {
        refresh_up(path, path.size() - 1);
        return found;
    }
    // Refresh the first nodes of a path from below, until nothing changes.
    void refresh_up(const Path& path, size_t count) {
        while (count-- > 0) {
            auto& node = nodes_[path[count]];
            if (answer_of(node)) continue;
            const float proof = node.proof, disproof = node.disproof;
            refresh(path[count]);
            if (count + 1 < path.size() && !answer_of(node) && node.proof == proof && node.disproof == disproof) return;
        }
    }

    // Judge the moves of a node by theory, and make the children. Return False if there is no room.
    bool expand_node(Number number) {
        auto& node = nodes_[number];
        const Position position = Board::position_of(node.key);
        const auto wins = Board::winning(position.rival) & Board::empty(position);
        const int wanted = goal_in(node);
        Frame<Board> frame;
        Group<Board::COLUMNS> group;
        const int value = host_expand(group, position, wins, wanted, frame);
        if (value != OPEN) {
            if (!answer_of(node)) settle(node, value >= wanted);
            return true;
        }
        Number list[Board::COLUMNS];
        int count = 0;
        for (int i = 0; i < frame.count; i++) {
            const float effort = 1 + weights_.later_move * i;
            const bool first = node.first_to_move();
            Number child = node_of(frame.position(frame.order[i]), first ? effort : 1, first ? 1 : effort);
            if (!child) return false;
            if (std::find(list, list + count, child) == list + count) list[count++] = child;
        }
        const uint64_t begin = used_links_.fetch_add(count, std::memory_order_relaxed);
        if (begin + count > most_links_) {
            used_links_.fetch_sub(count, std::memory_order_relaxed);
            return false;
        }
        std::copy(list, list + count, links_ + begin);
        node.children = Number(begin), node.count = uint8_t(count);
        node.flags.fetch_or(Node<Board>::HAS_CHILDREN, std::memory_order_acq_rel);
        return true;
    }
    static int host_expand(const Group<Board::COLUMNS>& group, const Position& position,
                           const typename Board::Cells& wins, int wanted, Frame<Board>& frame) {
#ifdef __CUDA_ARCH__
        return OPEN;  // the tree lives on the host
#else
        return expand(group, static_cast<const Table*>(nullptr), position, wins, wanted, frame);
#endif
    }

    std::vector<Number> solved_by_stones() const {
        std::vector<std::vector<Number>> by_stones(Board::CELLS + 1);
        for (Number each = 1; each < used_; each++)
            if (answer_of(nodes_[each])) by_stones[position(each).stones()].push_back(each);
        std::vector<Number> order;
        for (auto some = by_stones.rbegin(); some != by_stones.rend(); ++some)
            order.insert(order.end(), some->begin(), some->end());
        return order;
    }
    void move_node(Number number, const std::vector<Number>& moved, Number* links, uint64_t& used_links) {
        const auto& from = nodes_[number];
        auto& to = nodes_[moved[number]];
        uint8_t flags = from.flags, count = 0;
        const uint64_t begin = used_links;
        if (keeps_children(number, moved)) {
            for (Number child : children(number))
                if (moved[child]) links[used_links++] = moved[child], count++;
        } else {
            flags &= uint8_t(~Node<Board>::HAS_CHILDREN);
        }
        to.key = from.key, to.proof = from.proof.load(), to.disproof = from.disproof.load();
        to.answer = from.answer.load(), to.flags = flags, to.tries = from.tries.load();
        to.children = Number(begin), to.count = count;
    }
    // Only a node that one child proves may lose others: elsewhere what is left would claim too much.
    bool keeps_children(Number number, const std::vector<Number>& moved) const {
        const auto all = children(number);
        const auto& node = nodes_[number];
        const Answer known = answer_of(node);
        auto stays = [&](Number child) { return moved[child] != NONE; };
        if (std::all_of(all.begin(), all.end(), stays)) return !all.empty();
        if (!known || (known == YES) != node.first_to_move()) return false;
        return std::any_of(all.begin(), all.end(),
                           [&](Number child) { return stays(child) && answer_of(nodes_[child]) == known; });
    }
    void fill_map() {
        release(map_, slots_);
        map_ = reserve_zeros<std::atomic<Number>>(slots_);
        for (Number each = 1; each < used_; each++) {
            uint64_t slot = slot_of(nodes_[each].key);
            while (map_[slot].load(std::memory_order_relaxed)) slot = (slot + 1) & (slots_ - 1);
            map_[slot].store(each, std::memory_order_relaxed);
        }
    }
};

}  // namespace prover
