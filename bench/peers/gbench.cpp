// The same bodies on Google Benchmark.
#include <benchmark/benchmark.h>

#include "bodies.h"

static void empty(benchmark::State& state) {
    for (auto _ : state) {
    }
}
BENCHMARK(empty);

static void fast(benchmark::State& state) {
    std::uint64_t x = 1;
    for (auto _ : state) {
        x += x;
        benchmark::DoNotOptimize(x);
    }
}
BENCHMARK(fast);

template <int K>
static void chain(benchmark::State& state) {
    std::uint64_t x = 3;
    for (auto _ : state) {
        bodies::multiply_chain<K>(x);
    }
}
BENCHMARK_TEMPLATE(chain, 1);
BENCHMARK_TEMPLATE(chain, 10);
BENCHMARK_TEMPLATE(chain, 100);
BENCHMARK_TEMPLATE(chain, 1000);

static void sleep_10_ms(benchmark::State& state) {
    for (auto _ : state) {
        bodies::sleep_10_ms();
    }
}
BENCHMARK(sleep_10_ms)->UseRealTime();

static void fluct(benchmark::State& state) {
    bodies::Fluctuating body;
    for (auto _ : state) {
        benchmark::DoNotOptimize(body());
    }
}
BENCHMARK(fluct);

static void parse(benchmark::State& state) {
    bodies::Parse body;
    for (auto _ : state) {
        benchmark::DoNotOptimize(body());
    }
}
BENCHMARK(parse);

static void sort64(benchmark::State& state) {
    bodies::Sort64 body;
    for (auto _ : state) {
        benchmark::DoNotOptimize(body());
    }
}
BENCHMARK(sort64);

static void push1000(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(bodies::push_1000());
    }
}
BENCHMARK(push1000);

BENCHMARK_MAIN();
