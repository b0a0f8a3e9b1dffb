// The same bodies on nanobench; takes the name of a case and prints its median in ns.
#define ANKERL_NANOBENCH_IMPLEMENT
#include <nanobench.h>

#include <cstdio>
#include <cstring>

#include "bodies.h"
#include "kernels.h"

namespace {

template <typename Body>
void measure(char const* wanted, char const* name, Body body) {
    if (std::strcmp(wanted, "all") != 0 && std::strcmp(wanted, name) != 0) {
        return;
    }
    ankerl::nanobench::Bench bench;
    bench.output(nullptr).run(name, body);
    using Measure = ankerl::nanobench::Result::Measure;
    auto const& result = bench.results().back();
    std::printf("%s %.6f\n", name, result.median(Measure::elapsed) * 1e9);
}

template <class Kernel> void kernel(char const* wanted, char const* name) {
    Kernel body(KERNEL_ITEMS);
    body.set_up();
    measure(wanted, name, [&] { ankerl::nanobench::doNotOptimizeAway(body()); });
}

}  // namespace

int main(int argc, char** argv) {
    char const* const wanted = argc > 1 ? argv[1] : "all";
    using ankerl::nanobench::doNotOptimizeAway;
    std::uint64_t x = 1;
    std::uint64_t y = 3;
    bodies::Fluctuating fluct;
    bodies::Parse parse;
    bodies::Sort64 sort64;
    measure(wanted, "fast", [&] { doNotOptimizeAway(x += x); });
    measure(wanted, "chain<1>", [&] { bodies::multiply_chain<1>(y); });
    measure(wanted, "chain<10>", [&] { bodies::multiply_chain<10>(y); });
    measure(wanted, "chain<100>", [&] { bodies::multiply_chain<100>(y); });
    measure(wanted, "chain<1000>", [&] { bodies::multiply_chain<1000>(y); });
    measure(wanted, "fluct", [&] { doNotOptimizeAway(fluct()); });
    measure(wanted, "parse", [&] { doNotOptimizeAway(parse()); });
    measure(wanted, "sort64", [&] { doNotOptimizeAway(sort64()); });
    measure(wanted, "push1000", [&] { doNotOptimizeAway(bodies::push_1000()); });
    measure(wanted, "sleep_10_ms", [&] { bodies::sleep_10_ms(); });
#define KERNEL(name, type) kernel<kernels::type>(wanted, "kernel/" #name);
    KERNELS(KERNEL)
}
