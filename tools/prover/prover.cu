// Prove who wins on a board of Connect 4, with the CPU or with a GPU. README.md has the options.
//
//   g++ -O2 -march=native -std=c++20 -pthread -x c++ -DBOARD_ROWS=6 -DBOARD_COLUMNS=7 -o prover prover.cu
//   nvcc -O3 -arch=sm_90 -std=c++20 -Xcompiler -pthread -DBOARD_ROWS=7 -DBOARD_COLUMNS=9 -o prover prover.cu
#include <chrono>
#include <csignal>
#include <iostream>
#include <map>

#include "engine.h"
#include "save.h"

namespace prover {

using ThisBoard = Board<BOARD_ROWS, BOARD_COLUMNS>;
using ThisTree = Tree<ThisBoard>;

volatile std::sig_atomic_t stopped = 0;
void stop(int) { stopped = 1; }

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void refuse(const std::string& why) {
    std::fprintf(stderr, "prover: %s\n", why.c_str());
    std::exit(2);
}

// The words of the command line: a name and a number (or a file) each.
class Options {
public:
    Options(int count, char** words) {
        for (int i = 0; i < count; i += 2) {
            const std::string name = words[i];
            if (!known().count(name)) refuse("there is no option " + name);
            if (i + 1 == count) refuse(name + " needs a value");
            given_[name] = words[i + 1];
        }
    }
    std::string text(const std::string& name) const {
        auto found = given_.find(name);
        return found == given_.end() ? known().at(name) : found->second;
    }
    double number(const std::string& name) const {
        char* end;
        const std::string word = text(name);
        const double found = std::strtod(word.c_str(), &end);
        if (word.empty() || *end || !(found >= 0)) refuse(name + " needs a number, not '" + word + "'");
        return found;
    }

private:
    std::map<std::string, std::string> given_;
    static const std::map<std::string, std::string>& known() {
        static const std::map<std::string, std::string> defaults = {
            {"--goal", "1"},       {"--moves", ""},       {"--seconds", "1e9"},  {"--threads", "1"},
            {"--most-nodes", "1e18"},
            {"--table-bits", "22"}, {"--workers", "0"},    {"--nodes", "400"},    {"--budget", "3000"},
            {"--first-budget", "200"}, {"--budget-growth", "0"}, {"--jobs-ahead", "2"},  {"--misses", "100"},
            {"--tree-nodes", "3e6"}, {"--forget", "1"},     {"--cancel", "1"},     {"--proof", ""},
            {"--load", ""},        {"--reopen", ""},     {"--save", ""},        {"--save-nodes", "1e9"}, {"--save-every", "1e9"},
            {"--say-every", "10"},  {"--later-move", "3"},  {"--order", "0.3"},   {"--in-flight", "2"},
            {"--met-again", "1.5"},
        };
        return defaults;
    }
};

EngineSettings engine_settings(const Options& options) {
    EngineSettings found = {int(options.number("--workers")), int(options.number("--table-bits")),
                            options.number("--forget") != 0, int(options.number("--threads")),
                            options.number("--jobs-ahead")};
    if (found.table_bits < 1 || found.table_bits > 32) refuse("--table-bits is 1 to 32");
    if (found.threads < 1) refuse("--threads is 1 or more");
    return found;
}

// The position after some moves, letters of columns; exits if they cannot be played, or it is not quiet.
ThisBoard::Position position_after(const std::string& moves) {
    ThisBoard::Position position{};
    for (char letter : moves) {
        const int column = letter - 'a';
        if (column < 0 || column >= ThisBoard::COLUMNS) refuse("there is no column '" + std::string(1, letter) + "'");
        const auto cell = ThisBoard::playable(ThisBoard::empty(position)) & ThisBoard::column(column);
        if (!cell.any()) refuse("column '" + std::string(1, letter) + "' is full");
        position = {position.rival, position.own | cell};
    }
    const auto empty = ThisBoard::empty(position), playable = ThisBoard::playable(empty);
    const auto wins = ThisBoard::winning(position.own) | ThisBoard::winning(position.rival);
    const bool over = !playable.any() || ThisBoard::fours(position.own) || ThisBoard::fours(position.rival);
    if (over || (wins & playable).any())
        refuse("after '" + moves + "' somebody can win at once, or the game is over");
    return position;
}

// Proves the answer at the root of a tree: walks to leaves, and hands them to the engine.
class Proof {
public:
    Proof(const Options& options, ThisTree& tree)
        : options_(options), tree_(tree), engine_(engine_settings(options)), threads_(engine_settings(options).threads),
          paths_(engine_.jobs.size()), found_(threads_), begun_(now()) {
        for (int job = int(engine_.jobs.size()); job-- > 0;) free_.push_back(job);
    }

    // Work until the root is solved, or time is over, or somebody says stop.
    void run() {
        std::vector<Verdict> verdicts;
        bool flying = false;
        double say_at = begun_ + options_.number("--say-every"), save_at = begun_ + options_.number("--save-every");
        const double end = begun_ + options_.number("--seconds");
        const double most = options_.number("--most-nodes");
        while (!tree_.answer() && !stopped && now() < end && nodes_ < most) {
            take(verdicts);
            if (options_.number("--cancel")) cancel();
            if (tree_.answer()) break;
            hand_out();
            if (flying) engine_.collect(verdicts);
            else verdicts.clear();
            engine_.launch(int(options_.number("--nodes")));
            flying = true;
            if (now() > say_at) say(), say_at = now() + options_.number("--say-every");
            if (now() > save_at) save(), save_at = now() + options_.number("--save-every");
        }
        if (flying) engine_.collect(last_);
        for (const auto& each : verdicts) nodes_ += each.nodes;
        for (const auto& each : last_) nodes_ += each.nodes;
        say();
        save();
    }

    void save() const {
        if (options_.text("--save").empty() || tree_.answer()) return;
        size_t saved = save_tree(tree_, options_.text("--save"), uint64_t(options_.number("--save-nodes")));
        std::printf("# saved %zu nodes\n", saved);
        std::fflush(stdout);
    }

    void say() const {
        const auto& root = tree_[tree_.root];
        const double seconds = now() - begun_;
        std::printf("# %.1f s, %.4g nodes (%.1f M/s), %llu jobs solved, %llu failed, %llu cancelled, tree %llu, "
                    "proof %.4g, disproof %.4g, in flight %zu, GPU %.1f s, walks in vain %llu, garbage %d times\n",
                    seconds, double(nodes_), nodes_ / 1e6 / seconds, (unsigned long long)solved_,
                    (unsigned long long)failed_, (unsigned long long)dropped_, (unsigned long long)tree_.size(),
                    double(root.proof), double(root.disproof), engine_.jobs.size() - free_.size(), engine_.seconds(),
                    (unsigned long long)in_vain_, collections_);
        std::fflush(stdout);
    }
    uint64_t nodes() const { return nodes_; }
    double seconds() const { return now() - begun_; }

private:
    const Options& options_;
    ThisTree& tree_;
    Engine<ThisBoard> engine_;
    int threads_, collections_ = 0;
    std::vector<ThisTree::Path> paths_;  // from the root to the leaf of each job
    std::vector<int> free_;              // jobs that are not in use
    std::vector<std::vector<int>> found_;  // jobs handed out, by thread
    std::vector<Verdict> last_;
    uint64_t nodes_ = 0, solved_ = 0, failed_ = 0, dropped_ = 0, size_after_collection_ = 0;
    std::atomic<uint64_t> in_vain_{0};
    double begun_;

    void take(const std::vector<Verdict>& verdicts) {
        const size_t portion = 16;
        std::atomic<size_t> next{0};
        in_threads(verdicts.size() > portion ? threads_ : 1, [&](int) {
            for (size_t from; (from = next.fetch_add(portion)) < verdicts.size();)
                for (size_t i = from; i < std::min(from + portion, verdicts.size()); i++) {
                    const auto& each = verdicts[i];
                    tree_.searched(paths_[each.job], each.value, engine_.jobs.cancelled[each.job]);
                }
        });
        for (const auto& each : verdicts) {
            nodes_ += each.nodes;
            (each.value != OPEN ? solved_ : engine_.jobs.cancelled[each.job] ? dropped_ : failed_)++;
            paths_[each.job].clear();
            free_.push_back(each.job);
        }
        if (tree_.nearly_full() && tree_.size() > size_after_collection_ * 1.05) collect_garbage();
    }

    void collect_garbage() {
        std::vector<ThisTree::Path*> paths;
        for (auto& path : paths_)
            if (!path.empty()) paths.push_back(&path);
        tree_.collect_garbage(paths);
        size_after_collection_ = tree_.size();
        collections_++;
    }

    // Cancel the jobs whose answer is of no use any more.
    void cancel() {
        std::atomic<size_t> next{0};
        const size_t portion = 256;
        in_threads(threads_, [&](int) {
            for (size_t from; (from = next.fetch_add(portion)) < paths_.size();)
                for (size_t job = from; job < std::min(from + portion, paths_.size()); job++)
                    if (!paths_[job].empty() && tree_.is_idle(paths_[job])) engine_.jobs.cancelled[job] = 1;
        });
    }

    // Budgets are small at first, when most leaves are near the root, and may grow with the tree.
    Word budget(const Node<ThisBoard>& leaf) const {
        const double most = options_.number("--budget"), growth = options_.number("--budget-growth");
        const double grown = growth ? most * std::max(1., std::sqrt(failed_ / growth)) : most;
        const double begun = options_.number("--first-budget") + failed_ / 4.;
        return Word(std::min(4e9, std::ldexp(std::min(grown, begun), leaf.tries)));
    }

    // Walk to leaves until every job is in use, or walks only meet leaves that are being searched.
    void hand_out() {
        std::atomic<size_t> taken{0};
        const int most_misses = int(options_.number("--misses"));
        in_threads(threads_, [&](int thread) {
            auto& mine = found_[thread];
            mine.clear();
            ThisTree::Path path;
            size_t place = free_.size();
            bool has_place = false;
            for (int misses = 0; misses < most_misses && !tree_.answer();) {
                if (!has_place && (place = taken++) >= free_.size()) break;
                has_place = true;
                const auto result = tree_.walk(path);
                if (result == ThisTree::MET) misses++, in_vain_++;
                if (result != ThisTree::FOUND) continue;
                const int job = free_[place];
                has_place = false;
                const auto& leaf = tree_[path.back()];
                engine_.jobs.all[job] = {tree_.position(path.back()), tree_.goal_in(leaf), budget(leaf)};
                paths_[job] = path;
                mine.push_back(job);
            }
        });
        std::vector<uint8_t> used(engine_.jobs.size());
        for (const auto& mine : found_)
            for (int job : mine) used[job] = 1, engine_.jobs.put(job, engine_.jobs.all[job]);
        free_.erase(std::remove_if(free_.begin(), free_.end(), [&](int job) { return used[job]; }), free_.end());
    }
};

int solve(const Options& options) {
    const auto root = position_after(options.text("--moves"));
    const Weights weights = {float(options.number("--later-move")), float(options.number("--in-flight")),
                             float(options.number("--met-again")), float(options.number("--order"))};
    if (options.number("--goal") > 1) refuse("--goal is 1 (does the first player win?) or 0 (does he at least draw?)");
    ThisTree tree(int(options.number("--goal")), weights, uint64_t(options.number("--tree-nodes")));
    if (!(tree.root = tree.node_of(root))) refuse("--tree-nodes is too small");
    if (!options.text("--load").empty()) {
        const size_t loaded = load_tree(tree, options.text("--load"));
        std::printf("# loaded %zu nodes: proof %.4g, disproof %.4g\n", loaded, double(tree[tree.root].proof),
                    double(tree[tree.root].disproof));
    }
    if (!options.text("--reopen").empty())
        std::printf("# reopened a proof of %zu positions\n", reopen_proof(tree, options.text("--reopen")));
    std::signal(SIGINT, stop);
    std::signal(SIGTERM, stop);
    Proof proof(options, tree);
    proof.run();
    const char* answers[] = {"open", "yes", "no"};
    if (tree.answer() && !options.text("--proof").empty()) {
        const auto [positions, leaves] = save_proof(tree, options.text("--proof"));
        std::printf("# proof: %zu positions, %zu leaves\n", positions, leaves);
    }
    std::printf("%dx%d goal %d: %s, %.4g nodes, %.2f s\n", ThisBoard::ROWS, ThisBoard::COLUMNS, tree.goal, answers[tree.answer()],
                double(proof.nodes()), proof.seconds());
    return tree.answer() ? 0 : 1;
}

// Read positions as moves, a line each, and write each with the value for the side to move.
int check(const Options& options) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
    auto settings = engine_settings(options);
    settings.jobs_ahead = 2. * lines.size();
    Engine<ThisBoard> engine(settings);
    for (size_t i = 0; i < lines.size(); i++)
        for (int goal : {0, 1})
            engine.jobs.put(int(2 * i + goal), {position_after(lines[i]), goal, ~Word(0)});
    std::vector<int> reached(2 * lines.size());
    std::vector<Verdict> verdicts;
    uint64_t nodes = 0;
    const double begun = now();
    for (size_t left = reached.size(); left > 0 && !stopped;) {
        engine.launch(int(options.number("--nodes")));
        engine.collect(verdicts);
        left -= verdicts.size();
        for (const auto& each : verdicts) reached[each.job] = each.value >= each.job % 2, nodes += each.nodes;
    }
    for (size_t i = 0; i < lines.size(); i++)
        std::printf("%s %d\n", lines[i].c_str(), reached[2 * i] + reached[2 * i + 1] - 1);
    const double seconds = now() - begun;
    std::fprintf(stderr, "# %zu positions, %.4g nodes, %.2f s (%.1f M/s)\n", lines.size(), double(nodes), seconds,
                 nodes / 1e6 / seconds);
    return 0;
}

}  // namespace prover

int main(int count, char** words) {
    using namespace prover;
    const std::string task = count > 1 ? words[1] : "";
    if (task != "solve" && task != "check") refuse("say solve or check");
    const Options options(count - 2, words + 2);
    return task == "solve" ? solve(options) : check(options);
}
