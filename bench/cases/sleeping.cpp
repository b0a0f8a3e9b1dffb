// 200 short cases that sleep: nodes that share the processors of one machine do not take them from each other.
#include <tare.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace {
std::vector<int> numbers() {
    std::vector<int> all(200);
    std::iota(all.begin(), all.end(), 1);
    return all;
}
} // namespace

struct Sleep {
    tare::param<int> n{"n", numbers()};
    void sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(4)); }
};
TARE_BENCH(&Sleep::sleep).name("sleep");
