// Four kernels that a machine is calibrated on: waiting for a result, many results at once, branches, memory.
#include <tare.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

std::uint64_t next(std::uint64_t& state) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// A permutation of one cycle: each load waits for the one before.
std::vector<std::uint32_t> cycle(std::uint32_t size) {
    std::vector<std::uint32_t> order(size);
    for (std::uint32_t i = 0; i < size; i++) {
        order[i] = i;
    }
    std::uint64_t state = 0x9e3779b97f4a7c15;
    for (std::uint32_t i = size - 1; i > 0; i--) {
        std::swap(order[i], order[next(state) % i]);
    }
    return order;
}

}  // namespace

TARE_BENCH("doctor/multiply", [x = std::uint64_t{1}]() mutable {
    for (int i = 0; i < 64; i++) {
        x *= 0x9e3779b97f4a7c15;
        tare::keep_state(x);
    }
});

TARE_BENCH("doctor/sum", [values = std::vector<std::uint32_t>(4096, 3)]() {
    std::uint32_t sum = 0;
    for (std::uint32_t value : values) {
        sum += value;
    }
    return sum;
});

TARE_BENCH("doctor/sort", [state = std::uint64_t{88172645463325252}]() mutable {
    std::array<std::uint32_t, 64> values;
    // Other values each time: how well a core learns the same ones differs from launch to launch.
    for (std::uint32_t& value : values) {
        value = static_cast<std::uint32_t>(next(state));
    }
    std::sort(values.begin(), values.end());
    return values[32];
});

TARE_BENCH("doctor/chase", [order = cycle(1 << 15), at = std::uint32_t{0}]() mutable {
    for (int i = 0; i < 64; i++) {
        at = order[at];
    }
    return at;
});

TARE_MAIN()
