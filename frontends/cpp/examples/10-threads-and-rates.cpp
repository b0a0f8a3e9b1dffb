// Features known from Google Benchmark: threads in lockstep, ranges, rates, own time, types with a baseline, benchmarks added in main,
// and skipped benchmarks.
#include <tare.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace {
std::atomic<long> shared{0};
std::mutex mutex;
long guarded = 0;

// The size is a parameter, and bytes() depends on it: this shows a rate in GB/s beside the time.
struct Copy {
    tare::param<int> size{"size", tare::geometric(1024, 65536, 8)};
    std::vector<char> from, to;
    void set_up() { from.assign(static_cast<std::size_t>(size), 'x'), to = from; }
    long bytes() { return size; }
    char memcpy() { return std::memcpy(to.data(), from.data(), from.size()), to.back(); }
};

template <class Container> struct Sum {
    Container values = Container(1000, 1);
    long operator()() { return std::accumulate(values.begin(), values.end(), 0L); }
};
template <class From, class To> struct Convert {
    From value = static_cast<From>(42);
    To operator()() { return static_cast<To>(tare::opaque(value)); }
};
} // namespace

// One, two and four threads that start together: the time is per invocation on each thread, the rate for all threads.
TARE_BENCH("counter/atomic", [] { return shared.fetch_add(1); })
    .in_threads(1, 2, 4)
    .rate("additions", 1)
    .baseline();
TARE_BENCH("counter/mutex",
           [] {
               const std::lock_guard<std::mutex> lock(mutex);
               return ++guarded;
           })
    .in_threads(tare::geometric(1, 4))
    .rate("additions", 1);

TARE_BENCH(&Copy::memcpy);

// Types, with one of them as the baseline; use tare::types for a template with several arguments.
TARE_BENCH_TYPES("sum", Sum, std::vector<int>, std::deque<int>).baseline<std::vector<int>>().items(1000);
TARE_BENCH_TYPES("convert", Convert, tare::types<int, double>, tare::types<double, int>);

// The body reports how long it took, here without its preparation.
TARE_BENCH("own/fill", [] {
    std::vector<int> values(100);
    const auto begin = std::chrono::steady_clock::now();
    for (int& value : values) value = tare::opaque(7);
    tare::keep(values);
    tare::took(std::chrono::steady_clock::now() - begin);
}).own_time();

// CPU time instead of wall time; a longer visit, and a shorter warm-up.
TARE_BENCH("cpu/format", [] { return std::to_string(tare::opaque(123456)); })
    .cpu_time()
    .visit_time(std::chrono::milliseconds(2))
    .warm_up_time(std::chrono::milliseconds(5));

// A state of any type, created by the third argument.
TARE_BENCH(
    "state/back", [](const auto& words) { return words.back().size(); },
    [] { return std::vector<std::string>(3, "word"); });

// The first is skipped by its declaration, the second by its set-up.
TARE_BENCH("device/upload", [] {}).skip_if(std::getenv("TARE_EXAMPLE_DEVICE") == nullptr, "no device here");
TARE_BENCH("device/download", [] {}).set_up([] { tare::skip("no driver"); });

int main(int argc, char** argv) {
    for (const char* const text : {"1", "123456789"}) {
        tare::add(std::string("parse/") + text, [text] {
            return std::strtol(tare::opaque(text), nullptr, 10);
        }).bytes(std::strlen(text));
    }
    return tare_main(argc, argv);
}
