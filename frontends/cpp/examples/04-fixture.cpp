// A fixture can be any struct. Its parameters are members, and its set-ups are methods with these names; nothing is inherited.
#include <tare.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

enum class Order { sorted, shuffled };
const char* to_text(Order order) { return order == Order::sorted ? "sorted" : "shuffled"; }

struct Select {
    tare::param<int> size{"size", {100, 10000}};
    tare::param<Order> order{"order", {Order::sorted, Order::shuffled}};
    std::vector<int> data;

    void set_up() { // before the first iteration; clean_up() would be after the last
        data.resize(static_cast<std::size_t>(size));
        for (int i = 0; i < size; ++i) data[static_cast<std::size_t>(i)] = i;
        if (order == Order::shuffled) std::shuffle(data.begin(), data.end(), std::mt19937(1));
    }
    int smallest() { return *std::min_element(data.begin(), data.end()); }
    int median() {
        std::vector<int> copy = data;
        std::nth_element(copy.begin(), copy.begin() + size / 2, copy.end());
        return copy[copy.size() / 2];
    }
    std::uint64_t operations() const {
        return static_cast<std::uint64_t>(size.value());
    } // the time is that of one element
};
TARE_BENCH(&Select::smallest).baseline().unit("element");
TARE_BENCH(&Select::median).unit("element");

// A template, measured for several types: "push_back/std::vector<int>", "push_back/std::deque<int>".
template <class Container> struct PushBack {
    Container container;
    void operator()() {
        container.clear();
        for (int i = 0; i < 100; ++i) container.push_back(i);
        tare::keep(container);
    }
};
TARE_BENCH_TYPES("push_back", PushBack, std::vector<int>, std::deque<int>);

TARE_MAIN()
