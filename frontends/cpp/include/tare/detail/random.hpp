// Part of <tare/bench.hpp>: a fast random number generator, for inputs made within the measured time.
#ifndef TARE_DETAIL_RANDOM_HPP_INCLUDED
#define TARE_DETAIL_RANDOM_HPP_INCLUDED

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace tare {

/** RomuDuoJr (Overton, 2020): one multiplication and one rotation per number, about 1 ns. Not for cryptography. It
 *  works with std::shuffle and the standard distributions. Equal seeds give equal numbers. */
class Rng {
public:
    using result_type = uint64_t;
    static constexpr uint64_t(min)() { return 0; }
    static constexpr uint64_t(max)() { return ~uint64_t{0}; }

    /** Seeds differently in every process. */
    Rng() : Rng(process_seed()) {}
    explicit Rng(uint64_t seed) noexcept : x_(mix(seed)), y_(mix(seed)) {
        for (int i = 0; i < 10; ++i) (*this)();
    }
    /** Sets the state directly; not both may be 0. */
    Rng(uint64_t x, uint64_t y) noexcept : x_(x), y_(y) {}
    /** Restores a state returned by state(). */
    explicit Rng(const std::vector<uint64_t>& state) : x_(0), y_(0) {
        if (state.size() != 2)
            detail::refuse("Rng: needed exactly 2 entries in data, but got " + std::to_string(state.size()));
        x_ = state[0], y_ = state[1];
    }
    std::vector<uint64_t> state() const { return {x_, y_}; }
    Rng copy() const noexcept { return *this; }

#if defined(__clang__)
    __attribute__((no_sanitize("integer")))
#endif
    uint64_t
    operator()() noexcept {
        const uint64_t x = x_;
        x_ = 15241094284759029579u * y_;
        y_ = rotated(y_ - x, 27);
        return x;
    }
    /** Returns a number below `range`. It multiplies instead of dividing; the bias is at most range / 2^32. */
    uint32_t bounded(uint32_t range) noexcept { return scaled(static_cast<uint32_t>((*this)()), range); }
    /** Returns a number in [0, 1). */
    double uniform01() noexcept {
        const uint64_t bits = (uint64_t{0x3ff} << 52) | ((*this)() >> 12);
        double number;
        std::memcpy(&number, &bits, sizeof number);
        return number - 1;
    }
    /** Shuffles a container with size() and []; at most 2^32 elements. */
    template <class Container> void shuffle(Container& container) noexcept {
        using std::swap;
        auto left = container.size();
        while (left > 1) { // two positions from each number
            const uint64_t drawn = (*this)();
            for (const uint64_t half : {drawn & 0xffffffffu, drawn >> 32}) {
                const auto other = static_cast<decltype(left)>(half * left >> 32);
                --left;
                swap(container[left], container[other]);
            }
        }
    }

private:
    static constexpr uint32_t scaled(uint32_t number, uint32_t range) noexcept {
        return static_cast<uint32_t>(uint64_t{number} * range >> 32);
    }
    static constexpr uint64_t rotated(uint64_t x, unsigned bits) noexcept { return x << bits | x >> (64 - bits); }
    static uint64_t mix(uint64_t& state) noexcept { // splitmix64
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    static uint64_t process_seed() noexcept { // addresses are random, and each generator gets its own number
        static uint64_t count = 0;
        return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(&count)) * 0x9e3779b97f4a7c15u + TARE_NOW_() +
               ++count;
    }
    uint64_t x_, y_;
};

} // namespace tare
#endif
