// nanobench's 24 tutorials and examples, rewritten with its names: a program for nanobench compiles with another
// include. With a name as argument it runs only that one. tests/quick_test.py reads the output.
#include <tare/nanobench.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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
    check(bench.results()[0].config().mBatch == 1.5 && bench.batch() == 1, "a fraction as batch");
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
    std::cout << "result: " << r.median(nb::Result::Measure::elapsed) / r.config().mBatch << "s/"
              << r.config().mUnit << std::endl;
}
void example_preconfigured_name() {
    nb::Bench bench;
    bench.name("first").run([] { nb::doNotOptimizeAway(std::vector<int>{{11, 5}}); });
    bench.name("second");
    bench.run([] { nb::doNotOptimizeAway(std::vector<int>{{11, 5}}); });
    std::vector<nb::Result> results;
    results.insert(results.end(), bench.results().begin(), bench.results().end());
    check(results.size() == 2 && results[1].config().mBenchmarkName == "second", "results are kept");
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

// Settings and their effects, including those that nanobench has no test file for.
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
    check(set_ups == 4, "a set-up for each epoch");
    const int before = set_ups;
    bench.run("without the set-up", [&] { nb::doNotOptimizeAway(x += 1); });
    check(set_ups == before, "a set-up is of one run");
    check(bench.results().size() == 4 && bench.result().config().mContextColumns.size() == 1, "four results");
    std::fputs(text.str().c_str(), stdout);
    bench.output(nullptr).performanceCounters(true).epochIterations(0).run("pages", [] {
        const std::size_t size = std::size_t{1} << 24;
        void* const pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (std::size_t i = 0; i < size; i += 4096) static_cast<volatile char*>(pages)[i] = 1;
        munmap(pages, size);
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
         {"{{nothing}}", "{{#result}}", "{{#result}}{{nothing}}{{/result}}", "{{/result}}", "{{name"}) {
        try {
            bench.render(bad, text);
            check(false, bad);
        } catch (const std::runtime_error&) {}
    }
}
// The getters of a default Bench, and of one with settings.
void getters() {
    nb::Bench bench;
    check(bench.title() == "benchmark" && bench.name() == "noname" && bench.unit() == "op", "names by default");
    check(bench.epochs() == 11 && bench.minEpochTime() == std::chrono::milliseconds(1) &&
              bench.maxEpochTime() == std::chrono::milliseconds(100) && bench.clockResolutionMultiple() == 1000 &&
              bench.minEpochIterations() == 1,
          "sizes by default");
    check(bench.output() == &std::cout && bench.timeUnitName() == "ns" && bench.timeUnit().count() == 1e-9,
          "output by default");
    nb::Config config = bench.epochs(2).epochIterations(3).output(nullptr).config();
    config.mBenchmarkTitle = "title", config.mUnit = "byte", config.mContext["a"] = "b";
    config.mMinEpochTime = std::chrono::milliseconds(3);
    bench.config(config).contextColumn("a").contextColumn("a").run([] {});
    check(bench.unit() == "byte" && bench.minEpochTime() == std::chrono::milliseconds(3), "a config as a whole");
    check(bench.result().config().mContext.at("a") == "b" && bench.result().size() == 2, "it was used");
    check(bench.config().mContextColumns.size() == 1, "a column is added once");
    check(ANKERL_NANOBENCH(CXX) >= ANKERL_NANOBENCH(CXX17) && ANKERL_NANOBENCH_VERSION_MAJOR == 4, "versions");
}
// The body is called exactly as often as set: nothing is determined automatically, and no other loop runs.
void exact_calls() {
    std::vector<int> inputs(5 + 3 * 1000);
    std::size_t next = 0;
    nb::Bench bench;
    bench.output(nullptr).epochs(3).epochIterations(1000).minEpochIterations(5000).warmup(5);
    bench.run("consume", [&] { inputs.at(next++) = 1; });
    check(bench.result().failure().empty() && next == inputs.size(), "each input once");
    check(bench.result().get(2, nb::Result::Measure::iterations) == 1000, "1000 in each epoch");
    int cold = 0;
    nb::Bench().output(nullptr).epochs(1).epochIterations(1).run("cold", [&] { ++cold; });
    check(cold == 1, "one cold call");
    std::string calls;
    const auto call = [&] { calls += 'b'; };
    nb::Bench().output(nullptr).epochs(2).epochIterations(3).setup([&] { calls += 's'; }).run("in turn", call);
    check(calls == "sbbbsbbb", "a set-up before each epoch");
}
nb::Result made_up(std::initializer_list<int> nanoseconds) {
    nb::Config config;
    config.mBenchmarkName = "made up";
    config.mComplexityN = 8;
    nb::Result result(config);
    for (const int one : nanoseconds) {
        result.add(std::chrono::nanoseconds(one), 1, nb::detail::performanceCounters());
    }
    return result;
}
void results_of_ones_own() {
    using Measure = nb::Result::Measure;
    const nb::Result result = made_up({10, 20, 30, 40}), none = made_up({});
    check(result.size() == 4 && result.median(Measure::elapsed) == 25e-9 && result.has(Measure::iterations),
          "added");
    check(none.empty() && none.average(Measure::elapsed) == 0 && none.maximum(Measure::elapsed) == 0, "nothing");
    check(std::fabs(result.medianAbsolutePercentError(Measure::elapsed) - 0.3125) < 1e-9, "error");
    check(std::isinf(made_up({0, 10}).medianAbsolutePercentError(Measure::elapsed)), "the error of 0");
    check(nb::Result::fromString("cpucycles") == Measure::cpucycles, "a measure by its name");
    check(nb::Result::fromString("Elapsed") == Measure::_size && result.sum(Measure::_size) == 0,
          "no such measure");
    check(!result.has(Measure::branchmisses) && result.sum(Measure::branchmisses) == 0, "not recorded");
    try {
        static_cast<void>(result.context("missing"));
        check(false, "a context variable that is missing");
    } catch (const std::out_of_range&) {}
    const auto points = nb::BigO::collectRangeMeasure({result, made_up({50})});
    check(points == nb::BigO::RangeMeasure({{8, 25e-9}, {8, 50e-9}}), "sizes and seconds");
    const nb::BigO linear("O(n)", {{2, 5}, {4, 10}, {8, 20}}, [](double n) { return n; });
    check(std::fabs(linear.constant() - 2.5) < 1e-9 && linear.normalizedRootMeanSquare() < 1e-9, "a fit");
    std::ostringstream text;
    text << std::vector<nb::BigO>{linear};
    check(text.str().find("| 2.5000000e+00 |   0.0% | O(n)\n") != std::string::npos, "a fit as text");
    const nb::CompareResult compared({{"a", result, 1, 1, 1, 0}, {"b", made_up({5}), 5, 4.5, 5.5, 2}}, 12);
    check(compared.comparisons() == 1 && compared.isSignificant(1) && compared.fastest() == 1, "a comparison");
    check(compared[1].tiedRounds == 2 && compared.rounds() == 12, "ties");
    text.str("");
    text << compared;
    check(text.str().find("|  0.200 |   [0.182, 0.222] |  faster | `b`") != std::string::npos, "as text");
}
std::string rendered(const char* with, const std::vector<nb::Result>& results) {
    std::ostringstream text;
    nb::render(with, results, text);
    return text.str();
}
void templates_outside_of_results() {
    const std::vector<nb::Result> one = {made_up({10, 20, 30})}, two = {one[0], one[0]};
    check(rendered("{{name}} {{sum(iterations)}}", one) == "made up 3", "the only result");
    check(rendered("{{#measurement}}{{elapsedns}}{{^-last}};{{/last}}{{/measurement}}", one) == "10;20;30",
          "its measurements, and an end as nanobench's templates have it");
    check(rendered("{{name}}", two) == "made up", "a setting of the last of several");
    try {
        rendered("{{#measurement}}{{/measurement}}", two);
        check(false, "of which result?");
    } catch (const std::runtime_error&) {}
}
void environment() {
    setenv("NANOBENCH_CONFIG", "epochs=51, minEpochTime=2.5ms,nonsense=1,warmup=oops", 1);
    const nb::Bench bench;
    check(bench.epochs() == 51 && bench.minEpochTime() == std::chrono::microseconds(2500) && bench.warmup() == 0,
          "NANOBENCH_CONFIG");
    unsetenv("NANOBENCH_CONFIG");
    nb::Bench other;
    std::vector<std::string> errors;
    nb::detail::applyConfigString(other, "maxEpochTime=99999999999s,epochs=1.5,epochs", errors);
    check(errors.size() == 3 && errors[0].find("is too large") != std::string::npos, "what cannot be applied");
    check(other.epochs() == 11, "and is not");
}
// One header per stream, whoever prints.
void headers() {
    std::ostringstream text;
    for (int i = 0; i < 3; ++i) {
        nb::Bench bench;
        bench.output(&text).epochs(1).epochIterations(1).title("shared").run("row", [] {});
    }
    const std::string printed = text.str();
    check(printed.find("| shared") == printed.rfind("| shared"), "one header");
}
// Seeded inputs are the same as nanobench's.
void random_numbers_of_a_seed() {
    nb::Rng a(123), b(123);
    check(a() == 2222826058396098479u && a.bounded(100) == 96, "numbers of a seed");
    std::vector<int> digits = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    b.shuffle(digits);
    check(digits == std::vector<int>({5, 4, 6, 8, 3, 2, 0, 7, 1, 9}), "shuffled by a seed");
    for (const std::size_t size : {0u, 1u, 3u}) {
        try {
            nb::Rng(std::vector<std::uint64_t>(size, 1));
            check(false, "a state of another size");
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
    check(std::strcmp(entry.verdict, "slower") == 0 && entry.ratio > 1, "slower");
    tare::detail::judge(entry, std::vector<double>(3, 0.1), 1);
    check(std::strcmp(entry.verdict, "unclear") == 0, "too few");
}
} // namespace

// Never ends if NANOBENCH_ENDLESS names it.
int endless() {
    int calls = 0;
    nb::Bench().output(nullptr).epochs(1).epochIterations(1).run("endless", [&] {
        if (++calls == 30000) std::_Exit(7);
    });
    return calls == 1 ? 0 : 1;
}

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "endless") == 0) return endless();
    settings();
    getters();
    exact_calls();
    results_of_ones_own();
    templates_outside_of_results();
    environment();
    headers();
    random_numbers_of_a_seed();
    random_numbers();
    fits();
    for (const auto& one : all) {
        if (argc < 2 || std::strcmp(argv[1], one.name) == 0) one.run();
    }
    return wrong;
}
