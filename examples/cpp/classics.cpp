// Classic benchmark problems, kept small. Run them:  tare run examples/cpp/classics.cpp
#include <tare.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

// ---- reading an integer: a parameter gives a case for each of its values

struct Parse {
    tare::param<std::string> text{"text", {"42", "1234567890"}};
    long with_strtol() { return std::strtol(text->c_str(), nullptr, 10); }
    long with_from_chars() {
        long value = 0;
        std::from_chars(text->data(), text->data() + text->size(), value);
        return value;
    }
    long with_stol() { return std::stol(text); }
};
TARE_BENCH(&Parse::with_strtol).name("parse an integer/strtol").baseline();
TARE_BENCH(&Parse::with_from_chars).name("parse an integer/from_chars");
TARE_BENCH(&Parse::with_stol).name("parse an integer/stol");

// ---- joining ten integers: the cost of allocation

namespace {
int numbers[10] = {1, 22, 333, 4444, 55555, 666666, 7777777, 88888888, 999999999, 1000000000};

std::string join_with_stream() {
    std::ostringstream stream;
    for (int number : numbers) stream << number << ',';
    return stream.str();
}
std::string join_with_plus() {
    std::string text;
    for (int number : numbers) text = text + std::to_string(number) + ',';
    return text;
}
std::string join_with_to_chars() {
    char buffer[120];
    char* end = buffer;
    for (int number : numbers) {
        end = std::to_chars(end, buffer + sizeof buffer, number).ptr;
        *end++ = ',';
    }
    return std::string(buffer, end);
}
} // namespace
TARE_BENCH("join ten integers/ostringstream", [] { return join_with_stream(); }).baseline();
TARE_BENCH("join ten integers/operator+", [] { return join_with_plus(); });
TARE_BENCH("join ten integers/to_chars", [] { return join_with_to_chars(); });

// ---- sorted and unsorted: the branch predictor at work

enum class Order { sorted, unsorted };
const char* to_text(Order order) { return order == Order::sorted ? "sorted" : "unsorted"; }

struct Branches {
    tare::param<Order> order{"order", {Order::sorted, Order::unsorted}};
    std::vector<int> data;

    void set_up() {
        std::mt19937 random(1);
        data.resize(32768);
        for (int& x : data) x = static_cast<int>(random() % 256);
        if (order == Order::sorted) std::sort(data.begin(), data.end());
    }
    long branchy() {
        long sum = 0;
        for (int x : data) {
            if (x < 128) continue;
            sum += x;
            tare::keep_state(sum); // no instruction, but may not be done on the other path: it stays a branch
        }
        return sum;
    }
    long branchless() {
        long sum = 0;
        for (int x : data) sum += x & -(x >= 128);
        return sum;
    }
    std::uint64_t operations() const { return 32768; }
};
TARE_BENCH(&Branches::branchy).name("sum of the large/branch").unit("element").baseline();
TARE_BENCH(&Branches::branchless).name("sum of the large/no branch").unit("element");

// ---- a list that grows: the iteration set-up gives every iteration an empty one (see traps/growing.cpp for what happens without)

TARE_BENCH("append 1000/as it comes", [](std::vector<int>& list) {
    for (int i = 0; i < 1000; ++i) list.push_back(i);
}).iteration_set_up([] {
      return std::vector<int>();
  }).baseline();
TARE_BENCH("append 1000/reserved", [](std::vector<int>& list) {
    list.reserve(1000);
    for (int i = 0; i < 1000; ++i) list.push_back(i);
}).iteration_set_up([] { return std::vector<int>(); });

// ---- something slow, and something whose length is random

TARE_BENCH("waiting/sleep 10 ms", [] { std::this_thread::sleep_for(std::chrono::milliseconds(10)); });

TARE_BENCH("fluctuating/0 to 255 random numbers", [random = std::mt19937_64(1)]() mutable {
    std::uint64_t sum = 0;
    for (std::uint64_t i = random() & 255; i > 0; --i) sum += random();
    return sum;
});

// ---- random number generators: a template, measured for several types

namespace {
struct xorshift64 { // Marsaglia 2003
    std::uint64_t state = 88172645463325252u;
    std::uint64_t operator()() {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^= state << 17;
    }
};
template <class Generator> struct Draw {
    Generator generator;
    auto operator()() { return generator(); }
};
} // namespace
TARE_BENCH_TYPES("random number", Draw, std::minstd_rand, std::mt19937, std::mt19937_64, std::ranlux24_base,
                 std::ranlux24, xorshift64);

TARE_MAIN()
