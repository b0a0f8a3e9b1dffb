// Declarations that are wrong: each costs its own case, and the others are measured.
#include <tare.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

TARE_BENCH("g/first", [] { return tare::opaque(1); });
TARE_BENCH("", [] { return tare::opaque(1); });
TARE_BENCH("g/zero", [] { return tare::opaque(1); }).operations(0);
TARE_BENCH("g/minus", [] { return tare::opaque(1); }).operations(-1);
struct Throws {
    Throws() { throw std::runtime_error("no file"); }
    int run() { return 1; }
};
TARE_BENCH(&Throws::run);
struct Nine {
    tare::param<int> a{"a", {1}}, b{"b", {1}}, c{"c", {1}}, d{"d", {1}}, e{"e", {1}}, f{"f", {1}};
    tare::param<int> g{"g", {1}}, h{"h", {1}}, i{"i", {1}};
    int run() { return i; }
};
TARE_BENCH(&Nine::run);
struct Long { // alike in their first 63 bytes, the last with a character of two bytes where it is cut
    tare::param<std::string> text{
        "text",
        {std::string(100, 'x') + "1", std::string(100, 'x') + "2", std::string(53, 'y') + "\xc3\xa4zzzzzzzzzzz"}};
    int run() { return text.value().back(); }
};
TARE_BENCH(&Long::run);
struct None {
    tare::param<int> n{"n", std::vector<int>()};
    int run() { return n; }
};
TARE_BENCH(&None::run);
struct NoOperations {
    int run() { return 1; }
    int operations() { return 0; }
};
TARE_BENCH(&NoOperations::run);
struct Unsized { // its sizes are known after the set-up
    std::vector<char> data = std::vector<char>(1);
    tare::param<int> size{"size", {1, 1000, -1}};
    bool is_set_up = false;
    void set_up() { is_set_up = true, data.resize(1000); }
    int run() { return data[0]; }
    long bytes() { return is_set_up ? size : 1; }
    long items() { return is_set_up ? 7 : 0; }
};
TARE_BENCH(&Unsized::run);
TARE_BENCH("options/bytes", [] {}).bytes(-1);
TARE_BENCH("options/nothing", [] {}).rate("x", std::numeric_limits<double>::quiet_NaN());
TARE_BENCH("options/fraction", [] {}).rate("x", 0.5).items(0u).invocations(3).visit_time(std::chrono::seconds(1));
TARE_BENCH("options/invocations", [] {}).invocations(-1);
TARE_BENCH("options/visit", [] {}).visit_time(std::chrono::seconds(0));
TARE_BENCH("options/warm-up", [] {}).warm_up_time(std::chrono::seconds(-1));
TARE_BENCH("options/threads", [] {}).own_time().in_threads(2);
TARE_BENCH(std::string("g/") + "last", [] { return tare::opaque(2); }).unit(std::string("by") + "te");

TARE_MAIN()
