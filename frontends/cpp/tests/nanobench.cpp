// What nanobench's 24 tutorials and examples show, written again with its names: a program for nanobench compiles with another
// include. Run with the name of one, it does that one alone. tests/quick_test.py reads what it prints.
#include <tare/nanobench.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <fstream>
#include <iostream>
#include <list>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

namespace nb = ankerl::nanobench;

namespace {
int wrong = 0;
void check(bool is_right, const char* what) {
    if (!is_right) ++wrong, std::fprintf(stderr, "wrong: %s\n", what);
}

void tutorial_fast_v1() {
    std::uint64_t x = 1;
    nb::Bench().run("++x", [&]() { ++x; });
}
void tutorial_fast_v2() {
    std::uint64_t x = 1;
    nb::Bench().run("++x", [&]() { nb::doNotOptimizeAway(x += 1); });
}
void tutorial_slow_v1() {
    nb::Bench().run("sleep 2ms, auto", [&] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); });
}
void tutorial_slow_v2() {
    nb::Bench bench;
    bench.epochs(3).run("sleep 5ms", [&] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
    check(bench.results().front().size() == 3, "three epochs");
    check(bench.results().front().minimum(nb::Result::Measure::elapsed) >= 0.005, "5 ms at least");
}
void fluctuating(nb::Bench& bench) {
    std::mt19937_64 rng(7);
    bench.run("random fluctuations", [&] {
        const auto turns = rng() & UINT64_C(0xff);
        for (std::uint64_t i = 0; i < turns; ++i) nb::doNotOptimizeAway(rng());
    });
}
void tutorial_fluctuating_v1() {
    nb::Bench bench;
    fluctuating(bench);
}
void tutorial_fluctuating_v2() {
    nb::Bench bench;
    fluctuating(bench.minEpochIterations(5000).epochs(5));
    check(bench.results().front().minimum(nb::Result::Measure::iterations) >= 5000, "5000 iterations at least");
}

template <typename T> void plus_eq() {
    T x(1), y(2), z(3);
    nb::doNotOptimizeAway(x);
    z += x * y;
    nb::doNotOptimizeAway(z);
}
const char* context_csv() {
    return "{{#result}}{{title}};{{name}};{{context(scalar)}};{{context(foo)}};{{median(elapsed)}}\n{{/result}}";
}
void tutorial_context() {
    nb::Bench bench;
    std::ostringstream text, other;
    bench.title("Addition").output(nullptr);
    bench.context("scalar", "f32").context("foo", "bar").run("+=", plus_eq<float>);
    bench.context("scalar", "f64").context("foo", "baz").run("+=", plus_eq<double>);
    bench.render(context_csv(), text);
    check(text.str().find("Addition;+=;f32;bar;") == 0 &&
              text.str().find("Addition;+=;f64;baz;") != std::string::npos,
          "context in a template");
    bench.title("New Title"); // forgets the results, and not the context
    bench.run("+=", plus_eq<float>);
    check(bench.results().size() == 1 && bench.results().front().context("foo") == "baz", "context stays");
    bench.title("Yet Another Title").clearContext();
    bench.run("+=", plus_eq<float>);
    try {
        bench.render(context_csv(), other);
        check(false, "a context variable that is missing");
    } catch (const std::exception& error) {
        check(std::strstr(error.what(), "scalar") != nullptr, "the variable that is missing is named");
    }
}
void tutorial_render_simple() {
    std::atomic<int> x(0);
    nb::Bench().output(nullptr).run("std::atomic", [&] { ++x; }).render(nb::templates::csv(), std::cout);
}
void gen(const std::string& kind, const char* mustache, const nb::Bench& bench) {
    std::ofstream out("mustache." + kind);
    nb::render(mustache, bench, out);
}
void tutorial_mustache() {
    nb::Bench bench;
    bench.title("Benchmarking std::mt19937_64 and \"std::knuth_b\"").epochs(11);
    std::mt19937_64 rng1;
    bench.run("std::mt19937_64 </script>", [&] { nb::doNotOptimizeAway(rng1()); });
    std::knuth_b rng2;
    bench.run("std::knuth_b \"quoted\"; \\", [&] { nb::doNotOptimizeAway(rng2()); });
    gen("json", nb::templates::json(), bench);
    gen("html", nb::templates::htmlBoxplot(), bench);
    gen("csv", nb::templates::csv(), bench);
    gen("pyperf", nb::templates::pyperf(), bench);
}
void tutorial_complexity_set() {
    nb::Bench bench;
    nb::Rng rng(1);
    std::set<std::uint64_t> set;
    for (auto size : {10u, 100u, 1000u, 5000u}) {
        while (set.size() < size) set.insert(rng());
        bench.complexityN(set.size()).run("std::set find", [&] { nb::doNotOptimizeAway(set.find(rng())); });
    }
    std::cout << bench.complexityBigO() << std::endl;
}
void tutorial_complexity_sort() {
    nb::Rng rng{123};
    nb::Bench bench;
    std::vector<std::uint64_t> data;
    for (std::size_t n = 10; n < 5000; n *= 4) {
        while (data.size() < n) data.push_back(rng());
        bench.complexityN(n).run("std::sort", [&] {
            rng.shuffle(data);
            std::sort(data.begin(), data.end());
        });
    }
    std::cout << bench.complexityBigO() << std::endl;
    const auto log_log_n = bench.complexityBigO("O(log log n)", [](double n) { return std::log2(std::log2(n)); });
    std::cout << log_log_n << std::endl;
    check(log_log_n.normalizedRootMeanSquare() > bench.complexityBigO().front().normalizedRootMeanSquare(),
          "another function fits worse");
}
void tutorial_compare() {
    std::uint64_t x = 1;
    const auto found = nb::Bench().epochs(20).compare(
        "two multiplications", [&] { nb::doNotOptimizeAway(x = x * 3 * UINT64_C(0x9e3779b97f4a7c15) ^ x >> 7); },
        "twenty multiplications",
        [&] {
            for (int i = 0; i < 20; ++i) nb::doNotOptimizeAway(x *= 0x9e3779b97f4a7c15);
        });
    check(found.size() == 2 && found[1].name == "twenty multiplications", "two entries");
    check(found.fastest() == 0 && found[1].relative < 1, "twenty take longer than two");
    if (found.isSignificant(1)) std::cout << found[1].relativeLow << " .. " << found[1].relativeHigh << std::endl;
}

void example_always_the_same() {
    nb::Bench bench;
    nb::Rng rng;
    for (int i = 0; i < 3; ++i) {
        bench.run("rng() " + std::to_string(i), [&] { rng(); }).doNotOptimizeAway(rng());
    }
    std::ofstream json("always_the_same.json");
    bench.render(nb::templates::json(), json);
}
void example_atomic() {
    nb::Bench().run("one vector", [&] {
        const std::vector<int> v = {{11, 5, 5, 6, 7}};
        nb::doNotOptimizeAway(v);
    });
}
void example_branch_misses() {
    nb::Rng rng;
    nb::Bench bench;
    bench.title("evaluating branch misses");
    bench.batch(1.5)
        .run("50% mispredictions",
             [&] {
                 if ((rng() & 1u) != 0u) rng();
             })
        .doNotOptimizeAway(rng);
    bench.batch(1).run("none", [&] { rng(); }).doNotOptimizeAway(rng);
    check(bench.results()[0].config().operations == 1.5 && bench.batch() == 1, "a fraction as batch");
}
void example_complexity() {
    nb::Bench bench;
    nb::Rng rng{123};
    for (std::size_t range = 10; range <= 320; range *= 2) {
        std::vector<double> values(range, 0.0);
        for (auto& x : values) x = rng.uniform01();
        bench.complexityN(range).run("minimum pair " + std::to_string(range), [&] {
            double least = 1;
            for (std::size_t i = 0; i + 1 < values.size(); ++i) {
                for (std::size_t j = i + 1; j < values.size(); ++j) {
                    const auto difference = values[i] - values[j];
                    least = std::min(least, difference * difference);
                }
            }
            nb::doNotOptimizeAway(least);
        });
    }
    std::cout << bench.complexityBigO() << std::endl;
}
void example_containers() {
    nb::Bench bench;
    bench.title("random insert & erase in containers");
    nb::Rng rng;
    std::set<std::uint64_t> ordered;
    bench.run("std::set", [&] { ordered.insert(rng() & 0xff), ordered.erase(rng() & 0xff); })
        .doNotOptimizeAway(&ordered);
    std::unordered_set<std::uint64_t> hashed;
    bench.run("std::unordered_set", [&] { hashed.insert(rng() & 0xff), hashed.erase(rng() & 0xff); })
        .doNotOptimizeAway(&hashed);
}
template <typename Container> void fill(const char* label, int n, nb::Bench& bench) {
    bench.run(label, [&] {
        Container items;
        for (int i = 0; i < n; ++i) items.push_back(i);
        nb::doNotOptimizeAway(&items);
    });
}
void example_csv() {
    nb::Bench bench;
    bench.output(nullptr);
    for (int n = 100; n <= 1000; n *= 10) {
        bench.title("Size " + std::to_string(n));
        fill<std::vector<int>>("std::vector<int>", n, bench);
        fill<std::deque<int>>("std::deque<int>", n, bench);
        fill<std::list<int>>("std::list<int>", n, bench);
        bench.render(nb::templates::csv(), std::cout);
    }
}
void example_hide_output() {
    int y = 0;
    std::atomic<int> x(0);
    nb::Bench bench;
    bench.output(nullptr);
    bench.run("compare_exchange_strong", [&] { x.compare_exchange_strong(y, 0); });
    const auto& r = bench.results().front();
    std::cout << "result: " << r.median(nb::Result::Measure::elapsed) / r.config().operations << "s/"
              << r.config().unit << std::endl;
}
void example_preconfigured_name() {
    nb::Bench bench;
    bench.name("first").run([] { nb::doNotOptimizeAway(std::vector<int>{{11, 5}}); });
    bench.name("second");
    bench.run([] { nb::doNotOptimizeAway(std::vector<int>{{11, 5}}); });
    std::vector<nb::Result> results;
    results.insert(results.end(), bench.results().begin(), bench.results().end());
    check(results.size() == 2 && results[1].config().name == "second", "results are kept");
}
void example_pyperf() {
    std::vector<std::uint64_t> data(500, 0);
    std::default_random_engine engine(123);
    std::ofstream out("shuffle.json");
    nb::Bench()
        .epochs(20)
        .run("std::shuffle", [&]() { std::shuffle(data.begin(), data.end(), engine); })
        .render(nb::templates::pyperf(), out);
}
ANKERL_NANOBENCH_NO_SANITIZE("integer") std::uint64_t tangle(std::uint64_t& a, std::uint64_t& b) {
    const std::uint64_t s = (a += 0xC6BC279692B5C323u), t = (b += 0x9E3779B97F4A7C16u);
    const std::uint64_t z = (s ^ s >> 31) * t;
    return z ^ z >> 26;
}
class Counter {
public:
    ANKERL_NANOBENCH(NODISCARD) std::uint64_t next() { return ++count_; }

private:
    std::uint64_t count_ = 0;
};
void example_random2() {
    auto bench = nb::Bench().relative(true);
    std::mt19937_64 twister{};
    bench.run("std::mt19937_64", [&] { nb::doNotOptimizeAway(twister()); });
    std::uint64_t a = 1, b = 1;
    bench.run("Tangle", [&] { nb::doNotOptimizeAway(tangle(a, b)); });
    Counter counter;
    bench.run("a counter", [&] { nb::doNotOptimizeAway(counter.next()); });
}
template <typename Engine> void draw(nb::Bench* bench, const char* name) {
    Engine engine(7);
    bench->run(name, [&]() {
        auto r = std::uniform_int_distribution<std::uint64_t>{}(engine);
        nb::doNotOptimizeAway(r);
    });
}
void example_random_number_generators() {
    nb::Bench b;
    b.title("Random Number Generators").unit("uint64_t").warmup(100).relative(true);
    b.performanceCounters(true);
    draw<std::default_random_engine>(&b, "std::default_random_engine");
    draw<std::mt19937>(&b, "std::mt19937");
    draw<std::ranlux24_base>(&b, "std::ranlux24_base");
    draw<std::ranlux24>(&b, "std::ranlux24_base"); // the same name again, as in the original
    draw<nb::Rng>(&b, "ankerl::nanobench::Rng");
}
void example_random_uniform01() {
    nb::Bench bench;
    bench.title("random double in [0, 1(").relative(true);
    nb::Rng rng{123};
    double d = 0;
    bench.run("std::uniform_real_distribution", [&] { d += std::uniform_real_distribution<>{}(rng); })
        .doNotOptimizeAway(d);
    d = 0;
    bench.run("uniform01()", [&] { d += rng.uniform01(); }).doNotOptimizeAway(d);
}
void example_shuffle() {
    std::vector<std::uint64_t> data(1000, 0);
    nb::Bench bench;
    bench.relative(true).batch(data.size()).unit("elem");
    std::default_random_engine engine(123);
    bench.run("std::shuffle with std::default_random_engine",
              [&]() { std::shuffle(data.begin(), data.end(), engine); });
    nb::Rng rng(123);
    bench.run("std::shuffle with ankerl::nanobench::Rng", [&]() { std::shuffle(data.begin(), data.end(), rng); });
    bench.run("ankerl::nanobench::Rng::shuffle", [&]() { rng.shuffle(data); });
}

const struct {
    const char* name;
    void (*run)();
} all[] = {
#define ONE(name)                                                                                                  \
    { #name, name }
    ONE(tutorial_fast_v1),
    ONE(tutorial_fast_v2),
    ONE(tutorial_slow_v1),
    ONE(tutorial_slow_v2),
    ONE(tutorial_fluctuating_v1),
    ONE(tutorial_fluctuating_v2),
    ONE(tutorial_context),
    ONE(tutorial_render_simple),
    ONE(tutorial_mustache),
    ONE(tutorial_complexity_set),
    ONE(tutorial_complexity_sort),
    ONE(tutorial_compare),
    ONE(example_always_the_same),
    ONE(example_atomic),
    ONE(example_branch_misses),
    ONE(example_complexity),
    ONE(example_containers),
    ONE(example_csv),
    ONE(example_hide_output),
    ONE(example_preconfigured_name),
    ONE(example_pyperf),
    ONE(example_random2),
    ONE(example_random_number_generators),
    ONE(example_random_uniform01),
    ONE(example_shuffle),
};

// Settings and what they do, each with what nanobench has no test file for.
void settings() {
    nb::Bench bench;
    std::ostringstream text;
    std::uint64_t x = 1;
    int set_ups = 0;
    using Measure = nb::Result::Measure;
    bench.title("a | title").output(&text).unit("byte").timeUnit(std::chrono::milliseconds(1), "ms");
    bench.context("threads", "4").contextColumn("threads").hideColumn(nb::Column::unitPerSecond);
    bench.showColumn(nb::Column::total);
    const auto slow = [&] { std::this_thread::sleep_for(std::chrono::microseconds(200)); };
    bench.minEpochTime(std::chrono::milliseconds(2)).epochs(4).run("longer", slow);
    const double longer = bench.result().minimum(Measure::iterations);
    bench.minEpochTime(std::chrono::nanoseconds(0)).maxEpochTime(std::chrono::microseconds(1)).run("shorter", slow);
    check(bench.result().maximum(Measure::iterations) <= std::min(1.0, longer), "1 us has one sleep");
    bench.maxEpochTime(std::chrono::nanoseconds(0)).epochIterations(37);
    bench.setup([&] { ++set_ups; }).run("exactly", [&] { nb::doNotOptimizeAway(x += 1); });
    check(bench.result().minimum(Measure::iterations) == 37 && bench.result().size() == 4,
          "37 invocations, 4 times");
    check(set_ups >= 4, "a set-up for each epoch");
    const int before = set_ups;
    bench.run("without the set-up", [&] { nb::doNotOptimizeAway(x += 1); });
    check(set_ups == before, "a set-up is of one run");
    check(bench.results().size() == 4 && bench.result().config().context_columns.size() == 1, "four results");
    std::fputs(text.str().c_str(), stdout);
    bench.output(nullptr).performanceCounters(true).epochIterations(0).run("pages", [] {
        std::vector<char> pages(1 << 24);
        for (std::size_t i = 0; i < pages.size(); i += 4096) pages[i] = 1;
        nb::doNotOptimizeAway(pages);
    });
    if (bench.result().has(Measure::pagefaults)) {
        check(bench.result().median(Measure::pagefaults) >= 1, "16 MiB are mapped and touched");
    } else {
        std::puts("skipped: the kernel counts no page faults here");
    }
    try {
        bench.render("{{#result}}{{median(speed)}}{{/result}}", text);
        check(false, "an unknown measure");
    } catch (const std::runtime_error& error) {
        check(std::strstr(error.what(), "`speed`") != nullptr, "an unknown measure is named");
    }
    for (const char* bad :
         {"{{name}}", "{{#result}}", "{{#result}}{{nothing}}{{/result}}", "{{/result}}", "{{name"}) {
        try {
            bench.render(bad, text);
            check(false, bad);
        } catch (const std::runtime_error&) {}
    }
}
void random_numbers() {
    nb::Rng a(7), b(7), other(8);
    std::vector<int> numbers(1000), sorted;
    for (int i = 0; i < 1000; ++i) numbers[static_cast<std::size_t>(i)] = i;
    sorted = numbers;
    bool is_same = true, is_below = true, is_unit = true;
    std::vector<int> seen(10);
    for (int i = 0; i < 10000; ++i) {
        is_same = is_same && a() == b();
        const std::uint32_t drawn = other.bounded(10);
        is_below = is_below && drawn < 10;
        if (drawn < 10) ++seen[drawn];
        const double unit = other.uniform01();
        is_unit = is_unit && unit >= 0 && unit < 1;
    }
    check(is_same && is_below && is_unit, "numbers of a seed, bounded, in [0, 1)");
    check(*std::min_element(seen.begin(), seen.end()) > 850, "all numbers below 10 come up");
    check(nb::Rng(a.state())() == a.copy()(), "a state is copied");
    a.shuffle(numbers);
    check(numbers != sorted, "shuffled");
    int kept = 0;
    for (int i = 0; i < 1000; ++i) kept += numbers[static_cast<std::size_t>(i)] == i;
    check(kept < 20, "few stay in their place");
    std::sort(numbers.begin(), numbers.end());
    check(numbers == sorted, "nothing is lost");
}
void fits() {
    const tare::BigO::Points points = {{10, 1000}, {100, 20000}, {1000, 300000}}; // 30.1 ns * n log n, about
    const auto fits = tare::detail::big_o(points);
    check(fits.size() == 6 && fits[0].name() == "O(n log n)", "n log n");
    check(fits[0].rms() < 1e-9 && std::fabs(fits[0].coefficient() - 30.103) < 0.001, "its coefficient");
    check(tare::detail::outside_of_median(10, 0.05) == 1 && tare::detail::outside_of_median(5, 0.05) == -1,
          "sign test");
    tare::CompareResult::Entry entry;
    tare::detail::judge(entry, std::vector<double>(20, 0.0), 1);
    check(std::strcmp(entry.verdict, "same") == 0, "same");
    tare::detail::judge(entry, std::vector<double>(20, 0.1), 1);
    check(std::strcmp(entry.verdict, "slower") == 0 && entry.relative < 1, "slower");
    tare::detail::judge(entry, std::vector<double>(3, 0.1), 1);
    check(std::strcmp(entry.verdict, "unclear") == 0, "too few");
}
} // namespace

int main(int argc, char** argv) {
    settings();
    random_numbers();
    fits();
    for (const auto& one : all) {
        if (argc < 2 || std::strcmp(argv[1], one.name) == 0) one.run();
    }
    return wrong;
}
