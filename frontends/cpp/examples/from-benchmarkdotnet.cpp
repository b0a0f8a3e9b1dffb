// The samples of docs/from/benchmarkdotnet-samples.md, in C++.
#include <tare.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {
void nap(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// String join
TARE_BENCH("join/stream", [] {
    std::ostringstream text;
    for (int i = 0; i < 10; ++i) text << (i == 0 ? "" : ", ") << i;
    return text.str();
}).baseline();
TARE_BENCH("join/append", [] {
    std::string text;
    for (int i = 0; i < 10; ++i) text.append(std::to_string(i)).append(", ");
    return text.substr(0, text.size() - 2);
});
TARE_BENCH("join/to_chars", [] {
    char text[30];
    char* end = text;
    for (int i = 0; i < 10; ++i) {
        end = std::to_chars(end, text + sizeof text, i).ptr;
        *end++ = ',';
        *end++ = ' ';
    }
    return std::string(text, end - 2);
});

// A list
struct List {
    std::vector<int> list;
    void iteration_set_up() { list.clear(); }
    void add() { list.push_back(1234); }
    void add_loop() {
        list.clear();
        for (int i = 0; i < 1000; ++i) list.push_back(1234);
    }
};
TARE_BENCH(&List::add).invocations_max(10000);
TARE_BENCH(&List::add_loop).operations(1000).invocations_max(1000);

// Parameters
struct Params {
    tare::param<int> a{"a", {1, 2}}, b{"b", {3, 6}};
    void benchmark() { nap(a + b); }
};
TARE_BENCH(&Params::benchmark).waits();

// Parameters from a function
std::vector<int> values_of_a() { return {1, 2}; }
struct Sources {
    tare::param<int> a{"a", values_of_a()}, b{"b", tare::linear(3, 6, 3)};
    void benchmark() { nap(a + b); }
};
TARE_BENCH(&Sources::benchmark).waits();

// Arguments
struct Arguments {
    tare::param<bool> more{"more", {true, false}};
    tare::rows<std::pair<int, int>> row{{"a", "b"}, {{1, 3}, {1, 6}, {2, 3}, {2, 6}}};
    void benchmark() {
        const auto [a, b] = row.value();
        nap(more ? a + b + 5 : a + b);
    }
};
TARE_BENCH(&Arguments::benchmark).waits();

// Arguments from a function
std::vector<std::pair<double, double>> numbers() { return {{1, 1}, {2, 2}, {4, 4}, {10, 10}}; }
struct Pow {
    tare::rows<std::pair<double, double>> row{{"x", "y"}, numbers()};
    double pow() { return std::pow(row->first, row->second); }
};
TARE_BENCH(&Pow::pow);

// Several modes
struct Modes {
    tare::param<unsigned> modes{"modes", {1, 2, 3, 4}};
    std::minstd_rand random{42};
    void sleep() { nap(3 + 3 * static_cast<int>(random() % modes)); }
};
TARE_BENCH(&Modes::sleep).waits().monitoring();

// Set-up and clean-up
struct Steps {
    void set_up() {}
    void iteration_set_up() {}
    void benchmark() {}
    void iteration_clean_up() {}
    void clean_up() {}
};
TARE_BENCH(&Steps::benchmark);

// Operations of an invocation
struct Increment {
    unsigned a = 0;
    void loop() {
        for (int i = 0; i < 4; ++i) tare::keep_state(++a);
    }
    void four() { tare::keep_state(++a), tare::keep_state(++a), tare::keep_state(++a), tare::keep_state(++a); }
};
TARE_BENCH(&Increment::loop);
TARE_BENCH(&Increment::four).operations(4);

// Three jobs
TARE_BENCH("roots/sqrt14", [] {
    double sum = 0;
    for (int i = 1; i <= 14; ++i) sum += std::sqrt(tare::opaque(static_cast<double>(i)));
    return sum;
});
} // namespace

TARE_MAIN()
