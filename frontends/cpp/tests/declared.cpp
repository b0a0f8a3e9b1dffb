// Everything that a benchmark can declare, for protocol_test.py to find in `list`, `hello` and `measured`.
#include <tare.h>
#include <tare/once.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

static std::uint64_t total = 0;
static double level = 0.5;
TARE_METRIC("total", [] { return total; }).unit("B").lower_is_better();
TARE_METRIC(std::string("level"), [] { return level; }).higher_is_better().per_iteration();
static int thrown = 0; // 1: an exception, 2: something else
TARE_METRIC("plain", [] {
    if (thrown == 1) throw std::runtime_error("no value");
    if (thrown == 2) throw 7;
    return 7;
});

struct Typed {
    tare::param<int> whole{"whole", {1}};
    tare::param<double> number{"number", {0.5}};
    tare::param<bool> truth{"truth", {true}};
    tare::param<std::string> text{"text", {"a"}};
    tare::param<char> letter{"letter", {'x'}};
    void run() { total += 3; }
};
TARE_BENCH(&Typed::run);
TARE_BENCH("declared/waits", [] {}).waits();
TARE_BENCH("declared/batch", [] {}).invocations_max(100);
TARE_BENCH("declared/cold", [] {}).cold_start();
TARE_BENCH("declared/monitoring", [] {}).monitoring();
TARE_BENCH("declared/launch",
           [] {
               const char* const colour = std::getenv("COLOUR");
               return std::string(colour == nullptr ? "none" : colour);
           })
    .environment("COLOUR", "red=1")
    .environment(std::string("EMPTY"), "")
    .argument("--one")
    .argument("two words");
TARE_BENCH("declared/no batch", [] {}).invocations_max(0);
TARE_BENCH("declared/bad variable", [] {}).environment("A=B", "c");
TARE_BENCH("declared/many variables", [] {})
    .environment("A", "")
    .environment("B", "")
    .environment("C", "")
    .environment("D", "")
    .environment("E", "")
    .environment("F", "")
    .environment("G", "")
    .environment("H", "")
    .environment("I", "");
TARE_BENCH("declared/falls", [] { level = tare::opaque(-1.0); });
template <int what> struct Throws {
    void operator()() { thrown = what; }
    void clean_up() { thrown = 0; }
};
// Inputs made before the clock starts: each used once, or all in rotation.
int greatest = -1;
TARE_BENCH(
    "declared/fed", [](int& input) { return greatest = input > greatest ? input : greatest; },
    tare::input([](std::size_t i) { return static_cast<int>(i); }));
// Bytes from one input to the next.
const char* before = nullptr;
std::ptrdiff_t apart = 0;
TARE_BENCH(
    "declared/fed apart",
    [](std::array<char, 4096>& input) {
        if (before != nullptr && input.data() > before) apart = input.data() - before;
        before = input.data();
        return static_cast<int>(apart);
    },
    tare::input([] { return std::array<char, 4096>(); }));
TARE_BENCH(
    "declared/turned", [](const std::string& text) { return text; },
    tare::rotate(3, [](std::size_t i) { return std::string(i + 1, 'x'); }));
TARE_BENCH(
    "declared/nothing in turn", [](int input) { return input; }, tare::rotate(0, [] { return 1; }));
TARE_BENCH(
    "declared/fed threads", [](int input) { return input; }, tare::input([] { return 1; }))
    .in_threads(2);
TARE_BENCH("declared/cold data", [] { return greatest; }).cold_caches();
TARE_BENCH(
    "declared/cold input", [](int input) { return input; }, tare::input([] { return 1; }))
    .cold_caches();
// For a file that the caller does not own, `mincore` reports all pages as resident, including those beyond its end.
TARE_BENCH("declared/short file", [] { return greatest; }).cold_caches().set_up([] {
    const int file = open("/etc/passwd", O_RDONLY);
    if (file < 0 || mmap(nullptr, 1 << 20, PROT_READ, MAP_SHARED, file, 0) == MAP_FAILED) tare::fail("not mapped");
    if (geteuid() == 0 && seteuid(65534) != 0) tare::fail("still root");
    close(file);
});
TARE_BENCH("declared/half cold", [] { return greatest; }).invocations_max(2).cold_caches();
TARE_BENCH("declared/once cold", [] { return greatest; }).cold_caches().invocations(100);
TARE_BENCH("declared/moved", [] { return greatest; }).memory_randomization();
// A set-up that works only once: after `randomize` there is no instance.
int made = 0;
TARE_BENCH("declared/once", [](int& state) { return ++state; }).set_up([] {
    if (made++ > 0) tare::fail("it was there before");
    return 1;
});
TARE_BENCH("declared/skips late", [] { tare::skip("too late"); });
// Once per run: a failure is not retried, not even by another process.
int tries = 0;
struct MadeOnce {
    std::string text;
    void set_up() {
        text = tare::once_per_run("text", [] { return std::to_string(getpid()); });
        text += tare::once_per_run("a file", [](const std::string& path) { fclose(fopen(path.c_str(), "w")); });
    }
    std::string operator()() const { return text; }
};
TARE_BENCH("declared/made once", MadeOnce()).results_change();
TARE_BENCH("declared/not made", [](int& state) { return state; }).results_differ().set_up([] {
    tare::once_per_run("broken", [](const std::string&) {
        ++tries;
        throw std::runtime_error("no room, try " + std::to_string(tries) + " of " + std::to_string(getpid()));
    });
    return 1;
});
// Half made, and reported without an exception.
TARE_BENCH("declared/half made", [](int& state) { return state; }).results_differ().set_up([] {
    tare::once_per_run("half", [](const std::string& path) {
        fclose(fopen(path.c_str(), "w"));
        tare::fail("done"); // for the others no success either
    });
    return 1;
});
TARE_BENCH("declared/skips while it makes", [](int& state) { return state; }).results_differ().set_up([] {
    tare::once_per_run("skipped", [](const std::string& path) {
        fclose(fopen(path.c_str(), "w"));
        tare::skip("no network");
    });
    return 1;
});
// An earlier failure is unrelated to making the data.
TARE_BENCH("declared/failed before", [](int& state) { return state; }).results_differ().set_up([] {
    tare::fail("it failed before");
    tare::once_per_run("whole", [](const std::string& path) { fclose(fopen(path.c_str(), "w")); });
    return 1;
});
int chosen = 0;
TARE_BENCH("declared/skips once", [](int& state) { return ++state; }).set_up([] {
    if (chosen++ > 0) tare::skip("only once");
    return 1;
});
struct Many {
    tare::param<int> a{"a", tare::linear(1, 60)}, b{"b", tare::linear(1, 60)}, c{"c", tare::linear(1, 60)},
        d{"d", {1, 2, 3, 4, 5}};
    int run() { return a + b + c + d; }
};
TARE_BENCH(&Many::run).name("declared/many combinations");
// Rows together with a parameter, from a function, of a struct, and empty.
struct Load {
    int size;
    double share;
    const char* name;
};
static std::vector<Load> loads() { return {{10, 0.5, "half"}, {20, 0.25, "quarter"}}; }
struct Rows {
    tare::param<bool> adds{"adds", {false, true}};
    tare::rows<std::pair<int, int>> row{{"a", "b"}, {{3, 1}, {4, 2}, {5, 3}}};
    int sum() {
        const auto [a, b] = row.value();
        return adds ? 10 * a + b : b;
    }
};
struct Loads {
    tare::rows<Load> row{{"size", "share", "name"}, loads()};
    std::string text() { return row->name + std::to_string(row->size); }
};
struct NoRows {
    tare::rows<std::pair<int, int>> row{{"c", "d"}, std::vector<std::pair<int, int>>()};
    int first() { return row->first; }
};
TARE_BENCH(&Rows::sum).name("rows/sum");
TARE_BENCH(&Loads::text).name("rows/text");
TARE_BENCH(&NoRows::first).name("rows/none");
TARE_BENCH("declared/throws", Throws<1>());
TARE_BENCH("declared/throws a number", Throws<2>());
TARE_MAIN()
