// Four kernels for calibrating a machine: waiting for a result, many results at once, branches, memory. Then the costs of a misprediction,
// a cache miss, an atomic instruction and a system call, each beside the same code without it.
#include <tare.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::uint64_t next(std::uint64_t& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// A permutation with a single cycle: each load waits for the previous one.
std::vector<std::uint32_t> cycle(std::uint32_t size) {
    std::vector<std::uint32_t> order(size);
    for (std::uint32_t i = 0; i < size; i++) {
        order[i] = i;
    }
    std::uint64_t state = 0x9e3779b97f4a7c15;
    for (std::uint32_t i = size - 1; i > 0; i--) {
        std::swap(order[i], order[next(state) % i]);
    }
    return order;
}

struct alignas(64) Line {
    std::uint32_t next;
};

std::vector<std::uint32_t> shuffled(std::uint32_t size, std::uint64_t& state) {
    std::vector<std::uint32_t> order(size);
    for (std::uint32_t i = 0; i < size; i++) {
        order[i] = i;
    }
    for (std::uint32_t i = size - 1; i > 0; i--) {
        std::swap(order[i], order[next(state) % (i + 1)]);
    }
    return order;
}

// Pages in random order, and the lines of each, so that few loads wait for address translation. Each load waits for the previous one, and
// its line was not loaded recently.
std::vector<Line> lines(std::size_t bytes, std::size_t page_bytes) {
    const std::uint32_t page = std::uint32_t(page_bytes / sizeof(Line));
    std::vector<Line> all(bytes / sizeof(Line));
    std::uint64_t state = 0x9e3779b97f4a7c15;
    std::vector<std::uint32_t> order;
    for (std::uint32_t at : shuffled(std::uint32_t(all.size()) / page, state)) {
        for (std::uint32_t line : shuffled(page, state)) {
            order.push_back(at * page + line);
        }
    }
    for (std::size_t i = 0; i < order.size(); i++) {
        all[order[i]].next = order[(i + 1) % order.size()];
    }
    return all;
}

struct Walk {
    std::vector<Line> all;
    std::uint32_t at = 0;

    explicit Walk(std::size_t bytes, std::size_t page_bytes = 4096) : all(lines(bytes, page_bytes)) {}
    std::uint32_t operator()() {
        for (int i = 0; i < 64; i++) {
            at = all[at].next;
        }
        return at;
    }
};

// Four times the size of the last cache, if it is known.
std::size_t memory() {
    long size = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    size = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return std::clamp<std::size_t>(size > 0 ? 4 * std::size_t(size) : 0, 64 << 20, 512 << 20);
}

// More random bits than any core learns.
struct Branches {
    std::uint8_t taken;
    std::vector<std::uint8_t> bits = std::vector<std::uint8_t>(1 << 16);
    std::size_t at = 0;

    explicit Branches(std::uint8_t taken) : taken(taken) {
        std::uint64_t state = 88172645463325252;
        for (std::uint8_t& bit : bits) {
            bit = std::uint8_t(next(state) >> 32);
        }
    }
    int operator()() {
        int count = 0;
        for (int i = 0; i < 64; i++) {
            at = (at + 1) % bits.size();
            if (bits[at] & taken) {
                tare::keep_state(++count);
            }
        }
        return count;
    }
};

}  // namespace

TARE_BENCH("doctor/multiply", [x = std::uint64_t{1}]() mutable {
    for (int i = 0; i < 64; i++) {
        x *= 0x9e3779b97f4a7c15;
        tare::keep_state(x);
    }
});

TARE_BENCH("doctor/sum", [values = std::vector<std::uint32_t>(4096, 3)]() {
    std::uint32_t sum = 0;
    for (std::uint32_t value : values) {
        sum += value;
    }
    return sum;
});

TARE_BENCH("doctor/sort", [state = std::uint64_t{88172645463325252}]() mutable {
    std::array<std::uint32_t, 64> values;
    // Different values each time: how well a core learns repeated values differs between launches.
    for (std::uint32_t& value : values) {
        value = static_cast<std::uint32_t>(next(state));
    }
    std::sort(values.begin(), values.end());
    return values[32];
});

TARE_BENCH("doctor/chase", [order = cycle(1 << 15), at = std::uint32_t{0}]() mutable {
    for (int i = 0; i < 64; i++) {
        at = order[at];
    }
    return at;
});

TARE_BENCH("cost/foreseen", Branches(tare::opaque(std::uint8_t{0})));
TARE_BENCH("cost/mispredicted", Branches(tare::opaque(std::uint8_t{1})));
TARE_BENCH("cost/first_cache", Walk(8 << 10));
TARE_BENCH("cost/l1_miss", Walk(256 << 10, 256 << 10));
// Made only by the process that measures it.
TARE_BENCH("cost/main_memory", [] {
    static Walk walk(memory());
    return walk();
});

TARE_BENCH("cost/atomic", [] {
    static std::atomic<std::uint64_t> count;
    for (int i = 0; i < 64; i++) {
        count.fetch_add(1, std::memory_order_relaxed);
    }
});

TARE_BENCH("cost/syscall", [] {
    for (int i = 0; i < 64; i++) {
        syscall(SYS_getppid);
    }
});

TARE_MAIN()
