// The effect of several copies of a body in a loop: the table of docs/concepts/other-tools.md. Prints cycles, as the 10 % quantile of
// loops of 1, 4 and 16 copies, run in turn.
//
//   g++ -O2 -std=c++17 bench/cases/copies.cpp -o copies && ./copies
#include "alone.h"

#include <array>
#include <charconv>
#include <random>

namespace {

constexpr std::size_t Rounds = 2000;

// A turn of so many copies, as a tool compiles it. The sink takes a number in its register and all memory as changed.
template <int Copies, class Body> double cycles(Body& body, int invocations) {
    double const cycle = alone::cycle_ns();
    double const start = alone::now_ns();
    for (int turn = invocations / Copies; turn != 0; --turn) {
#pragma GCC unroll 16
        for (int copy = 0; copy < Copies; ++copy) {
            auto const result = body();
            asm volatile("" : : "r"(result) : "memory");
        }
    }
    double const ns = alone::now_ns() - start;
    return ns / std::max(cycle, alone::cycle_ns()) / (invocations / Copies * Copies);
}

double tenth(std::vector<double> values) {
    auto const place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 10);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

template <class Body> void show(char const* name, Body body) {
    // As many as take some 20 us.
    int const invocations = std::clamp(static_cast<int>(60000 / std::max(1.0, cycles<1>(body, 1600))), 16, 16000) / 16 * 16;
    std::array<std::vector<double>, 3> found;
    for (std::size_t round = 0; round < Rounds; ++round) {
        found[0].push_back(cycles<1>(body, invocations));
        found[1].push_back(cycles<4>(body, invocations));
        found[2].push_back(cycles<16>(body, invocations));
    }
    std::printf("| %s | %.1f | %.1f | %.1f |\n", name, tenth(found[0]), tenth(found[1]), tenth(found[2]));
}

[[gnu::noinline]] int plus_one(int value) {
    asm volatile("" : "+r"(value));
    return value + 1;
}

} // namespace

int main() {
    std::puts("| body | 1 copy | 4 copies | 16 copies |\n|---|---|---|---|");
    show("call a function that adds 1", [value = 0]() mutable { return value = plus_one(value); });
    std::string const one(64, 'a');
    std::string const other(64, 'a');
    show("compare two strings of 64 characters", [&] { return one == other; });
    std::string const five = "12345";
    show("copy a `std::string` of 5 characters", [&] {
        std::string const copy = five;
        asm volatile("" : : "m"(copy) : "memory");
        return copy.size();
    });
    std::mt19937 random(1);
    show("`std::mt19937`", [&] { return random(); });
    std::string const digits = "123456789";
    show("`std::from_chars`, 9 digits", [&] {
        int value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return value;
    });
    std::array<int, 16> numbers{};
    std::mt19937 same(2);
    for (int& number : numbers) { number = static_cast<int>(same() >> 1); }
    show("copy and sort 16 numbers", [&] {
        std::array<int, 16> copy = numbers;
        asm volatile("" : "+m"(copy));
        std::sort(copy.begin(), copy.end());
        asm volatile("" : : "m"(copy));
        return copy[0];
    });
}
