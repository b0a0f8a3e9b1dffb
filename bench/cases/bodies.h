// The bodies for all C++ libraries of the comparison, each of which runs them in its own idiom.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace bodies {

// A chain of k dependent multiplications: 3 cycles each on the processors that this was written for.
template <int K>
inline void multiply_chain(std::uint64_t& x) {
    // Written out by the assembler: a loop would add a mispredicted exit to every invocation.
    asm volatile(".rept %c1\n\timulq %0, %0\n\t.endr" : "+r"(x) : "i"(K));
}

struct Parse {
    std::array<std::string, 6> texts{{"123456789", "987654321", "192837465", "918273645", "135792468", "246813579"}};

    long operator()() const {
        long sum = 0;
        for (auto const& text : texts) {
            sum += std::strtol(text.c_str(), nullptr, 10);
        }
        return sum;
    }
};

// Sorts 64 numbers; 256 permutations in turn, so that the branch predictor cannot learn one.
struct Sort64 {
    std::vector<std::array<int, 64>> permutations;
    std::size_t next = 0;

    Sort64() {
        std::mt19937 generator(7);
        permutations.resize(256);
        for (auto& permutation : permutations) {
            for (int i = 0; i < 64; ++i) {
                permutation[static_cast<std::size_t>(i)] = i;
            }
            std::shuffle(permutation.begin(), permutation.end(), generator);
        }
    }

    int operator()() {
        auto numbers = permutations[next++ & 255];
        std::sort(numbers.begin(), numbers.end());
        return numbers[31];
    }
};

// FNV-1a: a chain of dependent multiplications, one for each character.
inline std::uint64_t hash(std::string const& text) {
    std::uint64_t h = 14695981039346656037U;
    for (char const c : text) {
        h = (h ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    return h;
}

inline int push_1000() {
    std::vector<int> numbers;
    for (int i = 0; i < 1000; ++i) {
        numbers.push_back(i);
    }
    return numbers.back();
}

// The loop of random length: 0 to 255 draws, so that no two invocations cost the same.
struct Fluctuating {
    std::mt19937_64 generator{123};

    // The same machine code in the loop by hand, in Tare's and in the peers'.
    [[gnu::noinline]] std::uint64_t operator()() {
        std::uint64_t x = 0;
        std::uint64_t const draws = generator() & 255U;
        for (std::uint64_t i = 0; i < draws; ++i) {
            x ^= generator();
        }
        return x;
    }
};

inline void sleep_10_ms() { std::this_thread::sleep_for(std::chrono::milliseconds(10)); }

}  // namespace bodies
