// Built with every compiler by compilers_test.py: uses each part of the header.
#include <tare.h>

#include <string>
#include <tuple>
#include <vector>

static std::vector<int> numbers() { return {3, 1, 2}; }
struct Fixture {
    tare::param<int> size{"size", {1, 2}};
    std::string text;
    void set_up() { text.assign(static_cast<size_t>(size.value()), 'a'); }
    size_t run() { return text.size(); }
};
TARE_BENCH("g/first", [] { return tare::opaque(7u) * 3u; }).baseline();
TARE_BENCH("g/tuple", [] { return std::tuple<int, std::string>(1, "b"); }).bytes(3);
// Types of every kind that fit into a register.
enum class Colour { red, green };
struct Point {
    short x, y;
};
TARE_BENCH("register/pointer", [] { return tare::opaque("text"); });
TARE_BENCH("register/enum", [] { return Colour::green; });
TARE_BENCH("register/struct", [] { return Point{1, 2}; });
TARE_BENCH("register/bool", [] { return true; });
TARE_BENCH("register/float", [] { return 0.5f; });
TARE_BENCH("memory/pointer to member", [] { return &Point::x; });
TARE_BENCH("memory/pointer to method", [] { return &std::string::clear; });
TARE_BENCH("memory/kept", [] {
    const auto clear = &std::string::clear;
    tare::keep(clear);
    tare::keep(&std::string::size);
});
static volatile int changes = 3;
TARE_BENCH(
    "register/volatile", []() -> volatile int& { return changes; });
TARE_BENCH("g/state", [](std::vector<int>& v) { v.push_back(1); }).iteration_set_up(numbers);
TARE_BENCH(
    "g/input", [](std::string text) { return text.size(); }, tare::input([] { return std::string("c"); }));
TARE_BENCH("g/optimised", [] { return tare_optimised_(); });
TARE_BENCH(numbers);
TARE_BENCH(&Fixture::run);
TARE_METRIC("calls", [] { return 1.0; });
TARE_MAIN()
