// Large memory that is taken from the machine only where it is touched; and threads.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace prover {

// Return memory for so many items, all zero.
template <class Item>
Item* reserve_zeros(size_t count) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* found = mmap(nullptr, count * sizeof(Item), PROT_READ | PROT_WRITE, flags, -1, 0);
    if (found == MAP_FAILED) {
        std::perror("prover: no memory");
        std::exit(4);
    }
    madvise(found, count * sizeof(Item), MADV_HUGEPAGE);
    return static_cast<Item*>(found);
}

template <class Item>
void release(Item* items, size_t count) {
    munmap(items, count * sizeof(Item));
}

// Call a function in several threads, with the number of each, and wait for all.
template <class Function>
void in_threads(int count, Function function) {
    std::vector<std::thread> others;
    for (int number = 1; number < count; number++) others.emplace_back(function, number);
    function(0);
    for (auto& each : others) each.join();
}

}  // namespace prover
