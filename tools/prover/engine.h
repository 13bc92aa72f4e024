// Engines: they work on thousands of jobs at a time, a few nodes of each in turn.
//
// `launch` starts such a turn and `collect` waits for its end; between the two the caller does as it
// likes, but for what `launch` has been given. The CPU's engine shares the turn among threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "memory.h"
#include "search.h"

namespace prover {

struct Verdict {
    int job;
    int value;  // a bound as `step` returns it, or OPEN
    Word nodes;
};

struct EngineSettings {
    int workers;  // 0: as many as the device holds
    int table_bits;
    bool forgets;
    int threads;
    double jobs_ahead;  // jobs for each worker, those in the queue included
};

template <class Board>
constexpr int FRAMES = Board::CELLS + 3;

// The jobs of an engine, by number, and those that wait for a worker.
template <class Board>
struct Jobs {
    std::vector<Job<Board>> all;
    std::vector<uint8_t> cancelled;
    std::vector<int> queue;

    explicit Jobs(size_t count) : all(count), cancelled(count) {}
    size_t size() const { return all.size(); }
    void put(int number, const Job<Board>& job) {
        all[number] = job, cancelled[number] = 0;
        queue.push_back(number);
    }
    void drop_first(size_t count) { queue.erase(queue.begin(), queue.begin() + count); }
};

template <class Board>
SHARED_CODE Worker beginning(int number, const Job<Board>& job) { return {number, 0, 0, job.budget}; }

#ifndef __CUDACC__

template <class Board>
class Engine {
public:
    static constexpr int WORKERS = 64;
    Jobs<Board> jobs;

    explicit Engine(const EngineSettings& settings)
        : jobs(size_t(worker_count(settings) * std::max(settings.jobs_ahead, 1.0)) + 1),
          table_{reserve_zeros<DoubleWord>(Table::bytes(settings.table_bits) / sizeof(DoubleWord)),
                 settings.table_bits, settings.forgets},
          workers_(worker_count(settings), Worker{Worker::IDLE, 0, 0, 0}), threads_(settings.threads) {
        frames_.resize(workers_.size(), std::vector<Frame<Board>>(FRAMES<Board>));
    }
    ~Engine() { release(table_.entries, Table::bytes(table_.bits) / sizeof(DoubleWord)); }
    Engine(const Engine&) = delete;

    static int worker_count(const EngineSettings& settings) { return settings.workers ? settings.workers : WORKERS; }
    double seconds() const { return 0; }
    void launch(int nodes) { nodes_ = nodes, sent_ = jobs.queue.size(); }

    // Threads work on the queue as it was at the launch, until every worker has had its turn.
    void collect(std::vector<Verdict>& verdicts) {
        std::atomic<size_t> taken{0}, turn{0};
        std::vector<std::vector<Verdict>> found(threads_);
        in_threads(threads_, [&](int thread) {
            for (size_t worker; (worker = turn++) < workers_.size();) work(worker, taken, found[thread]);
        });
        verdicts.clear();
        for (auto& some : found) verdicts.insert(verdicts.end(), some.begin(), some.end());
        jobs.drop_first(std::min(taken.load(), sent_));
    }

private:
    Table table_;
    std::vector<std::vector<Frame<Board>>> frames_;
    std::vector<Worker> workers_;
    int threads_, nodes_ = 0;
    size_t sent_ = 0;

    void work(size_t number, std::atomic<size_t>& taken, std::vector<Verdict>& verdicts) {
        Group<Board::COLUMNS> group;
        Worker& worker = workers_[number];
        Frame<Board>* frames = frames_[number].data();
        for (int i = 0; i < nodes_; i++) {
            if (worker.job == Worker::IDLE) {
                size_t place = taken++;
                if (place >= sent_) return;
                int job = jobs.queue[place];
                worker = beginning(job, jobs.all[job]);
                begin(group, table_, frames, jobs.all[job]);
            }
            const bool stops = worker.nodes >= worker.budget || (i == 0 && jobs.cancelled[worker.job]);
            const int value = stops ? OPEN : step(group, table_, frames, worker);
            if (stops || value != OPEN) {
                verdicts.push_back({worker.job, value, worker.nodes});
                worker.job = Worker::IDLE;
            }
        }
    }
};

#else

inline void must(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(3);
}

template <class Item>
Item* device_memory(size_t count) {
    Item* found;
    must(cudaMalloc(&found, count * sizeof(Item)));
    must(cudaMemset(found, 0, count * sizeof(Item)));
    return found;
}

// What a launch works on: addresses on the device.
template <class Board>
struct Turn {
    Table table;
    Frame<Board>* frames;
    Worker* workers;
    const Job<Board>* jobs;
    const uint8_t* cancelled;
    const int* queue;
    int queued, nodes;
    int* counts;  // jobs taken from the queue, verdicts written
    Verdict* verdicts;
};

#ifndef BLOCKS_PER_PROCESSOR
#define BLOCKS_PER_PROCESSOR 5
#endif
constexpr int THREADS = 128, WARP = 32;
template <class Board>
constexpr int WORKERS_PER_BLOCK = THREADS / WARP * (WARP / Board::COLUMNS);

// Take a job from the queue, if the group wants one. Return False if there is none.
template <class Board>
__device__ bool take_job(const Group<Board::COLUMNS>& group, const Turn<Board>& turn, Worker& worker,
                         Frame<Board>* frames, bool wants) {
    int place = 0;
    if (wants && group.leads()) place = atomicAdd(turn.counts, 1);
    place = group.from_leader(place);
    const bool found = wants && place < turn.queued;
    if (found) {
        const int job = turn.queue[place];
        worker = beginning(job, turn.jobs[job]);
        begin(group, turn.table, frames, turn.jobs[job]);
    }
    group.wait();
    return found;
}

template <class Board>
__global__ void __launch_bounds__(THREADS, BLOCKS_PER_PROCESSOR) take_turn(const __grid_constant__ Turn<Board> turn) {
#ifdef __CUDA_ARCH__
    using Group = Group<Board::COLUMNS>;
    const int lane = threadIdx.x % WARP, group_in_warp = lane / Board::COLUMNS;
    if (group_in_warp >= Group::IN_WARP) return;
    const Group group{lane % Board::COLUMNS, group_in_warp * Board::COLUMNS};
    const int number = (blockIdx.x * THREADS + threadIdx.x) / WARP * Group::IN_WARP + group_in_warp;
    Frame<Board>* frames = turn.frames + size_t(number) * FRAMES<Board>;
    Worker worker = turn.workers[number];
    bool works = true;  // it has a job, or there may be one in the queue
    if (worker.job != Worker::IDLE && turn.cancelled[worker.job]) worker.budget = 0;
    for (int i = 0; i < turn.nodes; i++) {
        const bool wants = works && worker.job == Worker::IDLE;
        if (group.any(wants) && !take_job(group, turn, worker, frames, wants) && wants) works = false;
        if (!group.any(works)) break;
        const bool stops = works && worker.nodes >= worker.budget, busy = works && !stops;
        const int value = step(group, turn.table, frames, worker, busy);
        if (stops || (busy && value != OPEN)) {
            if (group.leads()) turn.verdicts[atomicAdd(turn.counts + 1, 1)] = {worker.job, value, worker.nodes};
            worker.job = Worker::IDLE;
        }
    }
    if (group.leads()) turn.workers[number] = worker;
#endif
}

template <class Board>
class Engine {
public:
    Jobs<Board> jobs;

    explicit Engine(const EngineSettings& settings)
        : jobs(size_t(worker_count(settings) * std::max(settings.jobs_ahead, 1.0)) + 1) {
        const int workers = worker_count(settings);
        blocks_ = workers / WORKERS_PER_BLOCK<Board>;
        turn_.table = {device_memory<DoubleWord>(Table::bytes(settings.table_bits) / sizeof(DoubleWord)),
                       settings.table_bits, settings.forgets};
        turn_.frames = device_memory<Frame<Board>>(size_t(workers) * FRAMES<Board>);
        turn_.workers = device_memory<Worker>(workers);
        std::vector<Worker> idle(workers, Worker{Worker::IDLE, 0, 0, 0});
        must(cudaMemcpy(turn_.workers, idle.data(), sizeof(Worker) * workers, cudaMemcpyHostToDevice));
        turn_.jobs = jobs_ = device_memory<Job<Board>>(jobs.size());
        turn_.cancelled = cancelled_ = device_memory<uint8_t>(jobs.size());
        turn_.queue = queue_ = device_memory<int>(jobs.size());
        turn_.counts = device_memory<int>(2);
        turn_.verdicts = device_memory<Verdict>(jobs.size());
        must(cudaEventCreate(&begun_));
        must(cudaEventCreate(&ended_));
        cudaFuncAttributes kernel;
        must(cudaFuncGetAttributes(&kernel, take_turn<Board>));
        std::printf("# GPU: %d workers, %d registers, %zu bytes of local memory\n", workers, kernel.numRegs,
                    kernel.localSizeBytes);
    }
    Engine(const Engine&) = delete;

    static int worker_count(const EngineSettings& settings) {
        cudaDeviceProp device;
        must(cudaGetDeviceProperties(&device, 0));
        int blocks = 0;
        must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, take_turn<Board>, THREADS, 0));
        int most = device.multiProcessorCount * blocks * WORKERS_PER_BLOCK<Board>;
        if (!settings.workers) return most;
        return std::max(1, settings.workers / WORKERS_PER_BLOCK<Board>) * WORKERS_PER_BLOCK<Board>;
    }
    double seconds() const { return seconds_; }

    void launch(int nodes) {
        send(jobs_, jobs.all);
        send(cancelled_, jobs.cancelled);
        send(queue_, jobs.queue);
        must(cudaMemsetAsync(turn_.counts, 0, 2 * sizeof(int)));
        turn_.queued = int(jobs.queue.size()), turn_.nodes = nodes;
        must(cudaEventRecord(begun_));
        take_turn<Board><<<blocks_, THREADS>>>(turn_);
        must(cudaGetLastError());
        must(cudaEventRecord(ended_));
    }

    void collect(std::vector<Verdict>& verdicts) {
        must(cudaDeviceSynchronize());
        float milliseconds;
        must(cudaEventElapsedTime(&milliseconds, begun_, ended_));
        seconds_ += milliseconds / 1000;
        int counts[2];
        must(cudaMemcpy(counts, turn_.counts, sizeof counts, cudaMemcpyDeviceToHost));
        verdicts.resize(counts[1]);
        must(cudaMemcpy(verdicts.data(), turn_.verdicts, sizeof(Verdict) * counts[1], cudaMemcpyDeviceToHost));
        jobs.drop_first(std::min(counts[0], turn_.queued));
    }

private:
    Turn<Board> turn_{};
    Job<Board>* jobs_;
    uint8_t* cancelled_;
    int *queue_, blocks_;
    cudaEvent_t begun_, ended_;
    double seconds_ = 0;

    template <class Item>
    static void send(Item* to, const std::vector<Item>& items) {
        if (items.empty()) return;
        must(cudaMemcpyAsync(to, items.data(), sizeof(Item) * items.size(), cudaMemcpyHostToDevice));
    }
};

#endif

}  // namespace prover
