// Threads in lockstep, states of every kind, types, benchmarks added in main, for protocol_test.py.
#include <tare.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
std::atomic<long> calls{0}, indices{0};
// Neither default-constructible nor copyable.
struct Connection {
    explicit Connection(int socket_number) : number(socket_number) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    int number;
};
template <class Key, class Value> struct Pair {
    long operator()() const { return static_cast<long>(sizeof(Key) + sizeof(Value)); }
};
} // namespace

TARE_METRIC("calls", [] { return calls.load(); }).per_second();
TARE_METRIC("indices", [] { return indices.load(); });

TARE_BENCH("threads/count",
           [] {
               calls += 1;
               indices += static_cast<long>(tare::thread_index());
               return tare::thread_count();
           })
    .in_threads(1, 3)
    .items(10);
TARE_BENCH("threads/throws", [] {
    if (tare::thread_index() == 1) throw std::runtime_error("on purpose");
}).in_threads(2);
TARE_BENCH("threads/too many", [] {}).in_threads(1000);

TARE_BENCH("state/by reference", [](std::vector<int>& v) { return v.size(); }).set_up([] {
    return std::vector<int>(3);
});
TARE_BENCH("state/const", [](const std::vector<int>& v) { return v.size(); }).set_up([] {
    return std::vector<int>(4);
});
TARE_BENCH("state/by value", [](std::shared_ptr<int> p) { return *p; }).set_up([] {
    return std::make_shared<int>(5);
});
TARE_BENCH(
    "state/generic", [](const auto& text) { return text.size(); }, [] { return std::string("sixsix"); });
TARE_BENCH(
    "state/without default", [](Connection& c) { return c.number; }, [] { return Connection(7); });
TARE_BENCH("state/missing", [](Connection& c) { return c.number; });

TARE_BENCH_TYPES("types", Pair, tare::types<int, char>, tare::types<std::array<int, 4>, long>)
    .baseline<tare::types<int, char>>()
    .unit("pair")
    .category("typed");

TARE_CONTEXT("data", std::string("big \"1\".txt"));

int main(int argc, char** argv) {
    tare::context("size", 4096);
    tare::context("half", 0.5);
    std::string umlauts; // of characters of two bytes, and longer than other texts may be
    for (int i = 0; i < 1000; ++i) umlauts += "\xc3\xa4";
    tare::context("long", umlauts);
    tare::context("last", "a");
    tare_context("last", "b");
    for (int i = 0; i < 2; ++i) {
        tare::add("added/" + std::to_string(i), [i] { return tare::opaque(i); }).operations(i + 1);
    }
    const auto sizes = tare::geometric(8, 100);
    const auto steps = tare::linear(0.0, 1.0, 0.25);
    std::string text;
    for (std::size_t i = 0; i < sizes.size(); ++i) text += std::to_string(sizes.data()[i]) + " ";
    for (std::size_t i = 0; i < steps.size(); ++i)
        text += std::to_string(static_cast<int>(steps.data()[i] * 100)) + " ";
    const char* const order[] = {"n=10", "n=9", "n=100"};
    const int first = getenv("OTHER_ORDER") == nullptr ? 0 : 2; // 0 1 2 or 2 1 0
    for (int i = 0; i < 3; ++i) tare::add(std::string("order/") + order[abs(first - i)], [] {});
    tare::add("ranges/both", [text] { return text; });
    return tare_main(argc, argv);
}
