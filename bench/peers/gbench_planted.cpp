// The benchmarks of bench/verdicts on Google Benchmark; CHAIN says how long the chains are.
#include <benchmark/benchmark.h>

#include "bodies.h"

template <int Seed>
static void chain(benchmark::State& state) {
    std::uint64_t x = Seed;
    for (auto _ : state) {
        bodies::multiply_chain<CHAIN>(x);
    }
}
BENCHMARK_TEMPLATE(chain, 3);
BENCHMARK_TEMPLATE(chain, 5);
BENCHMARK_TEMPLATE(chain, 7);
BENCHMARK_TEMPLATE(chain, 9);

template <class Body>
static void mixed(benchmark::State& state) {
    Body body;
    for (auto _ : state) {
        benchmark::DoNotOptimize(body());
    }
}
BENCHMARK_TEMPLATE(mixed, bodies::Sort64);
BENCHMARK_TEMPLATE(mixed, bodies::Parse);
BENCHMARK_TEMPLATE(mixed, bodies::Fluctuating);

BENCHMARK_MAIN();
