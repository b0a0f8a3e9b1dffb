// Alternatives side by side: the benchmarks of a group are compared with its baseline.
#include <tare.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {
const std::vector<int>& numbers() {
    static const std::vector<int> result = [] {
        std::vector<int> made(1000);
        std::iota(made.begin(), made.end(), 0);
        return made;
    }();
    return result;
}
} // namespace

namespace search { // TARE_BENCH(search::linear) is the benchmark "search/linear"
bool linear() { return std::find(numbers().begin(), numbers().end(), tare::opaque(700)) != numbers().end(); }
bool binary() { return std::binary_search(numbers().begin(), numbers().end(), tare::opaque(700)); }
} // namespace search

TARE_BENCH(search::linear).baseline();
TARE_BENCH(search::binary);

// The same per number: with operations(), the time is per element.
TARE_BENCH("sum/accumulate", [] { return std::accumulate(numbers().begin(), numbers().end(), 0L); })
    .baseline()
    .operations(1000)
    .unit("element")
    .category("sum")
    .description("the sum of 1000 ints");
TARE_BENCH("sum/reduce", [] { return std::reduce(numbers().begin(), numbers().end(), 0L); })
    .operations(1000)
    .unit("element")
    .category("sum");

TARE_MAIN()
