// The kernels of bench/verdicts on Google Benchmark; KERNEL_ITEMS sets the amount of work.
#include <benchmark/benchmark.h>

#include "kernels.h"

template <class Kernel> static void measure(benchmark::State& state) {
    Kernel kernel(KERNEL_ITEMS);
    kernel.set_up();
    for (auto _ : state) {
        benchmark::DoNotOptimize(kernel());
    }
}
#define MEASURE(name, type) BENCHMARK_TEMPLATE(measure, kernels::type)->Name(#name);
KERNELS(MEASURE)

BENCHMARK_MAIN();
