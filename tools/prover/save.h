// What the prover writes: the proof of a solved root, and an open tree to go on with.
//
// A raw proof is read by certify.py; README.md has its form. A saved tree is a line of text, and for
// each node its key, a byte as in a raw proof, and its proof and disproof number as logarithms.
#pragma once
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <unordered_set>

#include "tree.h"

namespace prover {

using File = std::unique_ptr<FILE, int (*)(FILE*)>;
inline File opened(const std::string& path, const char* mode) {
    File file(std::fopen(path.c_str(), mode), std::fclose);
    if (!file) {
        std::perror(path.c_str());
        std::exit(2);
    }
    return file;
}

template <class Board>
constexpr size_t KEY_BYTES = (Board::BITS + 7) / 8;

template <class Board>
void put_record(FILE* file, const Node<Board>& node, uint8_t status) {
    uint8_t bytes[sizeof node.key.word + 1] = {};
    std::memcpy(bytes, node.key.word, sizeof node.key.word);
    bytes[KEY_BYTES<Board>] = status;
    std::fwrite(bytes, 1, KEY_BYTES<Board> + 1, file);
}

// Write the positions that prove the root's answer. Return how many, and how many are leaves.
template <class Board>
std::pair<size_t, size_t> save_proof(const Tree<Board>& tree, const std::string& path) {
    const auto file = opened(path, "wb");
    const auto sizes = tree.proof_sizes();
    size_t leaves = 0;
    const auto all = tree.needed();
    for (auto number : all) {
        const bool inner = !tree.proving_children(number, sizes).empty();
        put_record(file.get(), tree[number], uint8_t(tree.answer_of(tree[number]) | (inner ? EXPANDED : 0)));
        leaves += !inner;
    }
    return {all.size(), leaves};
}

constexpr float STEPS_PER_DOUBLING = 8;
inline uint8_t as_logarithm(float number) {
    return uint8_t(std::lround(std::min(255.f, std::max(0.f, STEPS_PER_DOUBLING * std::log2(number)))));
}
inline float from_logarithm(uint8_t logarithm) { return std::exp2(logarithm / STEPS_PER_DOUBLING); }

template <class Board>
std::string tree_head(int goal) {
    return "papan prover's tree 1: " + std::to_string(Board::ROWS) + "x" + std::to_string(Board::COLUMNS) + ", goal " +
           std::to_string(goal) + "\n";
}

// Write at most so many nodes of a tree, those nearest to the root. Return how many.
template <class Board>
size_t save_tree(const Tree<Board>& tree, const std::string& path, uint64_t most) {
    const std::string part = path + ".part";
    auto all = tree.needed(most);
    if (all.size() > most) all.resize(most);
    const std::unordered_set<uint32_t> saved(all.begin(), all.end());
    const auto sizes = tree.proof_sizes();
    {
        const auto file = opened(part, "wb");
        std::fputs(tree_head<Board>(tree.goal).c_str(), file.get());
        for (auto number : all) {
            const auto& node = tree[number];
            const auto next = tree.proving_children(number, sizes);
            const bool inner = !next.empty() && std::all_of(next.begin(), next.end(), [&](auto child) {
                return saved.count(child) > 0;
            });
            put_record(file.get(), node, uint8_t(tree.answer_of(node) | (inner ? EXPANDED : 0)));
            const uint8_t numbers[2] = {as_logarithm(node.proof), as_logarithm(node.disproof)};
            std::fwrite(numbers, 1, sizeof numbers, file.get());
        }
    }
    std::rename(part.c_str(), path.c_str());
    return all.size();
}

// Read a saved tree. Return how many nodes it has; exits if it is that of another question.
template <class Board>
size_t load_tree(Tree<Board>& tree, const std::string& path) {
    const auto file = opened(path, "rb");
    char head[100] = {};
    if (!std::fgets(head, sizeof head, file.get()) || head != tree_head<Board>(tree.goal)) {
        std::fprintf(stderr, "prover: %s is not a tree of this board and question\n", path.c_str());
        std::exit(2);
    }
    std::vector<typename Board::Cells> inner;
    uint8_t record[KEY_BYTES<Board> + 3];
    size_t count = 0;
    for (; std::fread(record, 1, sizeof record, file.get()) == sizeof record; count++) {
        typename Board::Cells key{};
        std::memcpy(key.word, record, KEY_BYTES<Board>);
        const uint8_t status = record[KEY_BYTES<Board>];
        const float proof = from_logarithm(record[sizeof record - 2]);
        tree.restore(key, Answer(status & 3), proof, from_logarithm(record[sizeof record - 1]));
        if (status & EXPANDED) inner.push_back(key);
    }
    for (const auto& key : inner) tree.restore_children(key);
    tree.refresh_all();
    return count;
}

// Read a raw proof to prove it again: its leaves are open, and moves that it does not use come last.
// So leaves that were long to search get a proof of their own. Return how many positions it has.
template <class Board>
size_t reopen_proof(Tree<Board>& tree, const std::string& path) {
    const auto file = opened(path, "rb");
    std::vector<typename Board::Cells> inner;
    uint8_t record[KEY_BYTES<Board> + 1];
    Answer answer = UNKNOWN;
    size_t count = 0;
    for (; std::fread(record, 1, sizeof record, file.get()) == sizeof record; count++) {
        typename Board::Cells key{};
        std::memcpy(key.word, record, KEY_BYTES<Board>);
        const uint8_t status = record[KEY_BYTES<Board>];
        if (!count) answer = Answer(status & 3);  // the root is the first
        tree.restore(key, UNKNOWN, 1, 1);
        if (status & EXPANDED) inner.push_back(key);
    }
    if (tree.size() != count || !answer) {
        std::fprintf(stderr, "prover: %s is not a proof of this position\n", path.c_str());
        std::exit(2);
    }
    for (const auto& key : inner) tree.restore_children(key);
    tree.postpone_from(count + 1, answer);
    tree.refresh_all();
    return count;
}

}  // namespace prover
