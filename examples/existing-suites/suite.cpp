// A benchmark as it was written for Google Benchmark: `c++ -O2 suite.cpp -o suite -lbenchmark -lpthread`.
#include <benchmark/benchmark.h>
#include "digits.h"
static void BM_Digits(benchmark::State& state) {
    std::string text = numbers(state.range(0));
    for (auto _ : state) benchmark::DoNotOptimize(digits(text));
}
BENCHMARK(BM_Digits)->ArgName("n")->Arg(2)->Arg(2000);
BENCHMARK_MAIN();
