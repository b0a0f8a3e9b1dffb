// A body that uses up its input needs a new one every time: an unmeasured iteration set-up.
#include <tare.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {
std::vector<int> shuffled() {
    static std::mt19937 random(1); // not reseeded: the branch predictor would learn a single order
    std::vector<int> numbers(1000);
    for (int& number : numbers) number = static_cast<int>(random() % 1000);
    return numbers;
}
} // namespace

// The set-up returns the state, and the body takes it by reference. A measurement is then one invocation.
TARE_BENCH("sort 1000 ints/std::sort", [](std::vector<int>& v) {
    std::sort(v.begin(), v.end());
}).iteration_set_up([] {
      return shuffled();
  }).baseline();
TARE_BENCH("sort 1000 ints/std::stable_sort", [](std::vector<int>& v) {
    std::stable_sort(v.begin(), v.end());
}).iteration_set_up([] { return shuffled(); });

// Without it, the input is already sorted from the second invocation on, and the time belongs to a different task.
TARE_BENCH("sort 1000 ints/the mistake", [](std::vector<int>& v) { std::sort(v.begin(), v.end()); }).set_up([] {
    return shuffled();
});

TARE_MAIN()
