// What a benchmark can declare besides its body: how many invocations are prepared, that it waits, how it is started, how it
// is measured, and what is counted in addition to the time.
#include <tare.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <regex>
#include <thread>
#include <vector>

namespace {
std::uint64_t comparisons = 0; // in this process so far
struct Number {
    int value;
    bool operator<(const Number& other) const { return ++comparisons, value < other.value; }
};

// Each invocation takes one of the 500 elements that are prepared before the iteration, so there are at most 500 invocations.
struct Heap {
    std::vector<Number> numbers;
    void iteration_set_up() {
        numbers.clear();
        for (int i = 0; i < 500; ++i) numbers.push_back({i * 7919 % 500});
        std::make_heap(numbers.begin(), numbers.end());
    }
    int pop() {
        std::pop_heap(numbers.begin(), numbers.end());
        const int value = numbers.back().value;
        numbers.pop_back();
        return value;
    }
};

bool parse() { return std::regex_match("10:20:30", std::regex("([0-9]+):([0-9]+):([0-9]+)")); }
} // namespace

// A metric is a total that never decreases. The amount that an operation adds to it is shown beside the time.
TARE_METRIC("comparisons", [] { return comparisons; }).lower_is_better();

TARE_BENCH(&Heap::pop).name("heap/pop").invocations_max(500);

// Cold start: only the first call in a process, so each launch is one measurement. Monitoring: each call as it is, including the first.
TARE_BENCH("regex/first call", parse).cold_start();
TARE_BENCH("regex/each call", parse).monitoring();
TARE_BENCH("regex/warm", parse);

// A body that sleeps is judged by its wall time. The variable is set before the process starts.
TARE_BENCH("wait/sleep",
           [] {
               const char* const text = std::getenv("MICROSECONDS");
               std::this_thread::sleep_for(std::chrono::microseconds(text == nullptr ? 0 : std::atoi(text)));
           })
    .waits()
    .environment("MICROSECONDS", "200");

TARE_MAIN()
