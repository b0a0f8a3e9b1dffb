// The quick style: no registration, an answer at once. Run it:
//     g++ -O2 -std=c++17 -I../include 06-quick.cpp -o quick && ./quick
// `tare run 06-quick.cpp` measures the same cases with everything that Tare knows.
#include <tare/bench.hpp>

#include <atomic>
#include <cstdint>
#include <random>

int main() {
    tare::Bench bench("addition");
    std::uint64_t x = 1;
    bench.run("x += x", [&] {
        x += x;
        tare::keep_state(x);
    }); // x is a state: the next invocation continues from it

    std::atomic<int> shared(0);
    int expected = 0;
    bench.run("compare_exchange_strong", [&] { return shared.compare_exchange_strong(expected, 0); });

    std::mt19937 mt19937;
    std::mt19937_64 mt19937_64;
    std::minstd_rand minstd;
    const tare::Result fastest = tare::Bench("random numbers")
                                     .unit("number")
                                     .warm_up(100)
                                     .run("std::mt19937", [&] { return mt19937(); })
                                     .run("std::mt19937_64", [&] { return mt19937_64(); })
                                     .run("std::minstd_rand", [&] { return minstd(); })
                                     .result();

    std::printf("\nstd::minstd_rand: %.2f ns, %.1f cycles, ratio %.3f\n", fastest.nanoseconds, fastest.cycles,
                fastest.ratio);
}
