// Inputs made before the clock starts, rotating inputs, cold caches, and data at many addresses.
//
//     tare run 11-inputs.cpp

#include <tare.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

namespace {
std::vector<int> shuffled(int count) {
    static std::uint32_t seed = 1;
    std::vector<int> values(static_cast<std::size_t>(count));
    for (int& value : values) value = static_cast<int>((seed = seed * 1664525 + 1013904223) >> 8);
    return values;
}
std::string number(std::size_t i) { return std::to_string(static_cast<std::uint32_t>(i * 2654435761u)); }

// A body that uses up its input: each invocation has its own input, and an iteration has many invocations.
TARE_BENCH(
    "sort/by reference", [](std::vector<int>& v) { std::sort(v.begin(), v.end()); },
    tare::input([] { return shuffled(30); }))
    .baseline();
// If the body takes it by value, it also drops it, and the drop is part of the time.
TARE_BENCH(
    "sort/by value", [](std::vector<int> v) { std::sort(v.begin(), v.end()); },
    tare::input([] { return shuffled(30); }));

// The branch predictor learns the branches of one text, but not those of 256.
TARE_BENCH("parse/one text", [] { return std::stoul(tare::opaque("2654435761")); }).baseline();
TARE_BENCH(
    "parse/texts in turn", [](const std::string& text) { return std::stoul(text); },
    tare::rotate(256, [](std::size_t i) { return number(i); }));

struct Sum {
    std::vector<int> values;
    void set_up() { values.assign(20000, 1); }
    int operator()() { return std::accumulate(values.begin(), values.end(), 0); }
};
TARE_BENCH("sum/warm", Sum{}).baseline();
TARE_BENCH("sum/cold", Sum{}).cold_caches();

// Each visit has both arrays at different addresses.
struct Copy {
    std::vector<char> from, to;
    void set_up() { from.assign(8192, 'x'), to.assign(8192, 'y'); }
    char operator()() { return std::memcpy(to.data(), from.data(), from.size()), to.back(); }
};
TARE_BENCH("copy/many places", Copy{}).memory_randomization();
} // namespace
