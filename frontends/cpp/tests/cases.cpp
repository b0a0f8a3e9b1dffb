// Benchmarks for protocol_test.py.
#include <tare.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Hiding an input copies neither strings nor containers, because the copy would be measured. Temporaries are moved.
template <class A, class B> constexpr bool is_same = std::is_same_v<A, B>;
static_assert(is_same<decltype(tare::opaque(std::declval<std::string&>())), const std::string&>);
static_assert(is_same<decltype(tare::opaque(std::declval<const std::vector<int>&>())), const std::vector<int>&>);
static_assert(is_same<decltype(tare::opaque(std::string())), std::string>);
static_assert(is_same<decltype(tare::opaque<std::string>("text")), std::string>);
static_assert(is_same<decltype(tare::opaque("text")), const char*>);
static_assert(is_same<decltype(tare::opaque(std::declval<std::optional<int>&>())), std::optional<int>>,
              "two registers are copied");
static_assert(is_same<decltype(tare::opaque<int>(std::declval<int&>())), int>);

static long invocations = 0; // of count/*
TARE_BENCH("count/body", [] { ++invocations; })
    .category("one")
    .category("two")
    .description("counts, and \"quotes\"");
TARE_BENCH("count/so far", [] { return invocations; }).baseline().operations(3).unit("byte").threads(0);

static bool was_single = false;
TARE_BENCH("loop/body", [] { was_single = tare_state_.is_single; });
TARE_BENCH("loop/was single", [] { return was_single; });

TARE_BENCH("value/int", [] { return tare::opaque(-42); });
TARE_BENCH("value/unsigned", [] { return tare::opaque(18446744073709551615u); });
TARE_BENCH("value/bool", [] { return tare::opaque(true); });
TARE_BENCH("value/double", [] { return tare::opaque(0.1); });
TARE_BENCH("value/string", [] { return std::string("\xc3\xa4\t\"\xff"); });
TARE_BENCH("value/literal", [] { return "text"; });
TARE_BENCH("value/list", [] { return std::vector<int>{1, 2, 3}; });
TARE_BENCH("value/pairs", [] { return std::vector<std::pair<int, char>>{{1, 'a'}, {2, 'b'}}; });
TARE_BENCH("value/long", [] { return std::string(1000, 'x'); });
TARE_BENCH("value/longer", [] { return std::string(1001, 'x'); });
TARE_BENCH("value/umlauts", [] {
    std::string text = "x";
    for (int i = 0; i < 200; ++i) text += "\xc3\xa4";
    return text;
});
TARE_BENCH("value/optional", [] { return std::optional<int>(3); });
TARE_BENCH("value/opaque", [] { return std::unordered_map<int, int>{{1, 2}}; });

enum class Shape { round, flat };
static const char* to_text(Shape shape) { return shape == Shape::round ? "round" : "flat"; }
struct Steps {
    tare::param<int> size{"size", {1, 20}};
    tare::param<Shape> shape{"shape", {Shape::round, Shape::flat}};
    tare::param<std::string> text{"text", {"a", "b \xc3\xa4"}};
    tare::param<double> number{"number", {0.5}};
    std::string seen = "made";
    void set_up() { seen += " set-up"; }
    void clean_up() { seen += " clean-up"; }
    void iteration_set_up() { seen += " ("; }
    void iteration_clean_up() { seen += ")"; }
    std::string run() { return seen += " run", seen + " " + std::to_string(size) + " " + text.value(); }
    std::uint64_t operations() const { return static_cast<std::uint64_t>(size.value()); }
};
TARE_BENCH(&Steps::run);

namespace inner {
template <class T> struct Make {
    T operator()() { return T(); }
};
static int answer() { return tare::opaque(42); }
} // namespace inner
TARE_BENCH_TYPES("types", inner::Make, int, std::vector<std::pair<int, int>>, std::string);
TARE_BENCH(inner::answer);

TARE_BENCH("state/of a list", [](std::vector<int>& list) {
    list.push_back(1);
    return list;
}).set_up([] {
      return std::vector<int>{7};
  }).clean_up([](std::vector<int>& list) { list.clear(); });
TARE_BENCH("state/mutable", [x = 0]() mutable { return ++x; });
struct Immovable {
    int count = 0;
    Immovable() = default;
    Immovable(const Immovable&) = delete;
    int run() { return ++count; }
};
TARE_BENCH(&Immovable::run);

[[noreturn]] static void fail() { throw std::invalid_argument("no \"good\"\n"); }
TARE_BENCH("fails/set-up", [] {}).set_up([] { fail(); });
TARE_BENCH("fails/body", [] {
    if (tare::opaque(true)) fail();
});
TARE_BENCH("fails/body with a number", [] {
    if (tare::opaque(true)) throw 3;
});
TARE_BENCH("fails/clean-up", [] {}).clean_up([] { fail(); });
TARE_BENCH("fails/iteration-set-up", [] {}).iteration_set_up([] { fail(); });
TARE_BENCH("fails/iteration-clean-up", [] {}).iteration_clean_up([] { fail(); });
TARE_BENCH("fails/said", [] { tare::fail("it is said"); });

TARE_BENCH("prints/to stdout", [] { std::puts("{\"reply\":\"nonsense\"}"); });

TARE_MAIN()
