// Counterparts of Google Benchmark's own tests, with what they assert: basic, filter, fixture, map, multiple_ranges, args_product, options,
// setup_teardown. frameworks_test.py looks at what becomes of them.
#include <tare.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

namespace {
void spin(int turns) {
    for (int i = 0; i < turns; ++i) tare::keep(i);
}
} // namespace

// basic: unmeasured code before, during and after the loop; templates; the number of calls.
namespace basic {
struct Spin {
    tare::param<int> n{"n", {8, 512, 8192}};
    void empty() { spin(n); }
};
struct PauseBefore : Spin {
    void set_up() { spin(n); }
    void run() { spin(n); }
};
struct PauseDuring : Spin {
    void iteration_set_up() { spin(n); }
    void run() { spin(n); }
};
struct PauseBeforeAndAfter : Spin {
    void set_up() { spin(n); }
    void run() { spin(n); }
    void clean_up() { spin(n); }
};
template <class T> struct OneTemplate {
    T sum = 0;
    T operator()() { return sum += T(1); }
};
template <class A, class B> struct TwoTemplates {
    A sum = 0;
    B product = 1;
    A operator()() { return tare::keep(product *= B(1)), sum += A(1); }
};
long calls = 0;
} // namespace basic
TARE_BENCH("basic/empty", [] {}).in_threads(1, 2);
TARE_BENCH(&basic::Spin::empty).name("basic/spin_empty");
TARE_BENCH(&basic::PauseBefore::run).name("basic/spin_pause_before");
TARE_BENCH(&basic::PauseDuring::run).name("basic/spin_pause_during");
TARE_BENCH(&basic::PauseBeforeAndAfter::run).name("basic/spin_pause_before_and_after");
TARE_BENCH("basic/counted", [] { return ++basic::calls; });
TARE_BENCH_TYPES("basic_one", basic::OneTemplate, int, double);
TARE_BENCH_TYPES("basic_two", basic::TwoTemplates, tare::types<int, double>, tare::types<double, int>);

// filter
TARE_BENCH("NoPrefix", [] {});
TARE_BENCH("BM_Foo", [] {});
TARE_BENCH("BM_Bar", [] {});
TARE_BENCH("BM_FooBar", [] {});
TARE_BENCH("BM_FooBa", [] {});

// fixture: its set-up runs before each body, its clean-up after.
struct MyFixture {
    std::unique_ptr<int> data;
    void set_up() {
        if (data != nullptr) tare::fail("there is data");
        data = std::make_unique<int>(42);
    }
    void clean_up() { data.reset(); }
    long items() { return 42; }
    int foo() { return *data; }
    int bar() { return *data; }
    ~MyFixture() {
        if (data != nullptr) std::abort();
    }
};
TARE_BENCH(&MyFixture::foo);
TARE_BENCH(&MyFixture::bar);

// map
namespace {
std::map<int, int> random_map(int size) {
    std::map<int, int> made;
    for (int i = 0; i < size; ++i) made.insert({std::rand() % size, std::rand() % size});
    return made;
}
struct Map {
    tare::param<int> size{"size", tare::geometric(1 << 3, 1 << 12, 8)};
    std::map<int, int> map;
    long items() { return size; }
    void look_up() {
        for (int i = 0; i < size; ++i) tare::keep(map.find(std::rand() % size));
    }
};
struct FreshMap : Map {
    void iteration_set_up() { map = random_map(size); }
    void fresh() { look_up(); }
};
struct MapFixture : Map {
    void set_up() { map = random_map(size); }
    void clean_up() { map.clear(); }
    void same() { look_up(); }
};
} // namespace
TARE_BENCH(&FreshMap::fresh).name("map/fresh");
TARE_BENCH(&MapFixture::same).name("map/same");

// multiple_ranges, args_product: a product, with rows.
namespace {
std::vector<std::array<int, 3>> ranges() {
    std::vector<std::array<int, 3>> all;
    for (int a : {1, 2})
        for (int b : {3, 4, 7})
            for (int c : {5, 8, 15}) all.push_back({a, b, c});
    all.push_back({7, 6, 3});
    return all;
}
struct MultipleRanges {
    tare::rows<std::array<int, 3>> row{{"a", "b", "c"}, ranges};
    int product() {
        const auto [a, b, c] = row.value();
        return a * b * c;
    }
};
struct ArgsProduct {
    tare::param<int> a{"a", {1, 2}}, b{"b", {15}}, c{"c", {3, 7, 10}}, d{"d", {8, 9}};
    int product() { return a * b * c * d; }
};
} // namespace
TARE_BENCH(&MultipleRanges::product).name("ranges/product");
TARE_BENCH(&ArgsProduct::product).name("args/product");

// options
namespace {
struct Dense {
    tare::param<int> n{"n", tare::linear(10, 15)};
    int get() { return n; }
};
struct Negative {
    tare::param<int> n{"n", tare::linear(-2, 2)};
    int get() { return n; }
};
struct Doubled {
    tare::param<int> n{"n", tare::geometric(1, 8, 2)};
    int get() { return n; }
};
struct Below {
    tare::param<int> n{"n", tare::geometric(-64, -1, 8)};
    int get() { return n; }
};
struct Across {
    tare::param<long> n{"n", [] { return tare::geometric(-8L, 8L, 4L); }};
    long get() { return n; }
};
struct FromZero {
    tare::param<unsigned> n{"n", tare::geometric(0u, 8u)};
    unsigned get() { return n; }
};
struct Downwards {
    tare::param<int> n{"n", tare::geometric(8, 1)};
    int get() { return n; }
};
volatile int changing = 3;
volatile double changing_too = 0.5;
} // namespace
TARE_BENCH(&Dense::get).name("options/dense");
TARE_BENCH(&Negative::get).name("options/negative");
TARE_BENCH(&Doubled::get).name("options/doubled");
TARE_BENCH(&Below::get).name("options/below");
TARE_BENCH(&Across::get).name("options/across");
TARE_BENCH(&FromZero::get).name("options/from zero");
TARE_BENCH(&Downwards::get).name("options/downwards");
TARE_BENCH("options/rate", [] {}).rate("foo", 0.0001).bytes(4096);
TARE_BENCH("options/no rate", [] {}).rate("foo", -1);
TARE_BENCH(
    "options/volatile", []() -> volatile int& { return changing; });
TARE_BENCH(
    "options/volatile number", []() -> const volatile double& { return changing_too; });
TARE_BENCH("options/times", [] {})
    .visit_time(std::chrono::milliseconds(700))
    .warm_up_time(std::chrono::milliseconds(800));
TARE_BENCH("options/invocations", [] {}).invocations(42);
TARE_BENCH("options/threads", [] {}).in_threads(tare::geometric(2, 4));

// setup_teardown: once for each case, by the first thread.
namespace {
int set_ups = 0, clean_ups = 0;
void count_set_up() {
    ++set_ups;
    if (tare::thread_index() != 0) tare::fail("not the first thread");
}
} // namespace
TARE_BENCH("steps/alone", [] { return 10 * set_ups + clean_ups; }).set_up(count_set_up).clean_up([] {
    ++clean_ups;
});
TARE_BENCH("steps/in threads", [] { return 10 * set_ups + clean_ups; })
    .set_up(count_set_up)
    .clean_up([] { ++clean_ups; })
    .in_threads(2, 3);

TARE_MAIN()
