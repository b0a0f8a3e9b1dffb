// The truth by hand: what bodies cost that have no cost known beforehand. One line each: name, ns (or cycles).
#include <ctime>
#include <cstdio>
#include <vector>

#include "bodies.h"

namespace {

double now(clockid_t clock) {
    timespec t{};
    clock_gettime(clock, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// Length of a cycle, ns: 32768 dependent additions.
double cycle_ns() {
    std::uint64_t x = 1;
    double const start = now(CLOCK_MONOTONIC);
    asm volatile(".rept 8192\n\taddq %0, %0\n\taddq %0, %0\n\taddq %0, %0\n\taddq %0, %0\n\t.endr" : "+r"(x));
    return (now(CLOCK_MONOTONIC) - start) / 32768;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// Cycles of a body in a loop by hand, which no library had a part in.
template <class Body>
double by_hand(Body body) {
    std::vector<double> cycles;
    for (int i = 0; i < 400; ++i) {
        double const before = cycle_ns();
        double const start = now(CLOCK_THREAD_CPUTIME_ID);
#pragma GCC unroll 16
        for (int j = 0; j < 20000; ++j) {
            body();
        }
        double const spent = now(CLOCK_THREAD_CPUTIME_ID) - start;
        cycles.push_back(spent / 20000 / std::min(before, cycle_ns()));
    }
    return median(cycles);
}

}  // namespace

int main() {
    std::vector<double> sleeps;
    for (int i = 0; i < 40; ++i) {
        double const start = now(CLOCK_MONOTONIC);
        bodies::sleep_10_ms();
        sleeps.push_back(now(CLOCK_MONOTONIC) - start);
    }
    std::printf("sleep_ns %.1f\n", median(sleeps));
    // The mean of a body that never costs the same: CPU time of stretches of 2000 invocations in cycles of their own moment.
    bodies::Fluctuating body;
    std::vector<double> cycles;
    std::uint64_t sink = 0;
    cycle_ns();
    for (int i = 0; i < 400; ++i) {
        double const before = cycle_ns();
        double const start = now(CLOCK_THREAD_CPUTIME_ID);
        for (int j = 0; j < 2000; ++j) {
            sink += body();
        }
        double const spent = now(CLOCK_THREAD_CPUTIME_ID) - start;
        double const after = cycle_ns();
        cycles.push_back(spent / 2000 / std::min(before, after));
    }
    std::printf("fluct_cycles %.3f\n", median(cycles));
    double a = 1000000007.5;
    double b = 7.25;
    std::printf("division_cycles %.3f\n", by_hand([&] {
        asm volatile("" : "+m"(a), "+m"(b));
        double const q = a / b;
        asm volatile("" : : "x"(q));
    }));
    std::string text("a text of some length, of which the hash is taken");
    std::printf("hash_cycles %.3f\n", by_hand([&] {
        asm volatile("" : "+m"(text) : : "memory");
        std::uint64_t const h = bodies::hash(text);
        asm volatile("" : : "r"(h));
    }));
    return sink == 42 ? 1 : 0;
}
