// Reference times: the cost of a body in a hand-written loop, in windows in which no other program used the core.
//
// A visit is some windows of about 70 us with a reading of the width probe (independent additions) between any two, and a reading
// of the clock probe (dependent additions) at either end. A window counts if the width at its ends, and at the ends of the adjacent
// windows, is that of an unshared core: the lowest level shared by a twentieth of the session's readings. (Not a low quantile: on a
// busy machine some readings are too low, because the clock probe was interrupted.)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

namespace alone {

inline double now_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

// Length of a cycle, ns: 32768 dependent additions.
inline double cycle_ns() {
    std::uint64_t x = 1;
    double const start = now_ns();
#if defined(__aarch64__)
    asm volatile(".rept 32768\n\tadd %0, %0, %0\n\t.endr" : "+r"(x));
#else
    asm volatile(".rept 32768\n\taddq %0, %0\n\t.endr" : "+r"(x) : : "cc");
#endif
    return (now_ns() - start) / 32768;
}

// Time of an independent addition, ns: 14400 of them on six registers.
[[gnu::noinline]] inline double addition_ns() {
    std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    std::uint64_t const one = 1;
    std::uint32_t turns = 150;
    double const start = now_ns();
#if defined(__aarch64__)
    asm volatile("1:\n\t.rept 16\n\tadd %1, %1, %7\n\tadd %2, %2, %7\n\tadd %3, %3, %7\n\tadd %4, %4, %7\n\t"
                 "add %5, %5, %7\n\tadd %6, %6, %7\n\t.endr\n\tsubs %w0, %w0, #1\n\tb.ne 1b"
                 : "+&r"(turns), "+&r"(a), "+&r"(b), "+&r"(c), "+&r"(d), "+&r"(e), "+&r"(f)
                 : "r"(one)
                 : "cc");
#else
    asm volatile("1:\n\t.rept 16\n\tadd %7, %1\n\tadd %7, %2\n\tadd %7, %3\n\tadd %7, %4\n\tadd %7, %5\n\tadd %7, %6\n\t"
                 ".endr\n\tdec %0\n\tjnz 1b"
                 : "+&r"(turns), "+&r"(a), "+&r"(b), "+&r"(c), "+&r"(d), "+&r"(e), "+&r"(f)
                 : "r"(one)
                 : "cc");
#endif
    return (now_ns() - start) / 14400;
}

// Windows of a visit.
constexpr std::size_t Windows = 10;

struct Visit {
    double cycle; // ns
    double width[Windows + 1]; // cycles an addition
    double cycles[Windows]; // of an invocation
};

struct Measured {
    std::string name;
    std::vector<Visit> visits;
};

// Makes the compiler treat a value as used and its memory as changed.
template <class Value> void use(Value const& value) { asm volatile("" : : "r"(value) : "memory"); }
inline void use(double const& value) { asm volatile("" : : "x"(value) : "memory"); }

// `count` invocations, ns.
template <class Body> [[gnu::noinline]] double window_ns(Body& body, std::size_t count) {
    double const start = now_ns();
    for (std::size_t i = count; i != 0; --i) {
        use(body());
    }
    return now_ns() - start;
}

// Visits for so many seconds, after 0.1 s to warm up.
template <class Body> Measured measure(char const* name, Body&& body, double seconds) {
    std::size_t count = 1;
    double ns = window_ns(body, count);
    while (ns < 20'000) {
        count *= 2;
        ns = window_ns(body, count);
    }
    for (double const start = now_ns(); now_ns() - start < 1e8;) {
        ns = std::min(ns, window_ns(body, count));
    }
    count = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(count) * 70'000 / ns));
    Measured found{name, {}};
    for (double const start = now_ns(); now_ns() - start < seconds * 1e9;) {
        Visit visit{};
        double const before = cycle_ns();
        visit.width[0] = addition_ns();
        for (std::size_t i = 0; i < Windows; ++i) {
            visit.cycles[i] = window_ns(body, count) / static_cast<double>(count);
            visit.width[i + 1] = addition_ns();
        }
        double const after = cycle_ns();
        if (std::fabs(after / before - 1) > 0.02) {
            continue; // interrupted, or the clock moved
        }
        visit.cycle = (before + after) / 2;
        for (std::size_t i = 0; i < Windows; ++i) {
            visit.cycles[i] /= visit.cycle;
        }
        for (double& width : visit.width) {
            width /= visit.cycle;
        }
        found.visits.push_back(visit);
    }
    return found;
}

// Cycles per addition of an unshared core.
inline double level(std::vector<Measured> const& session) {
    std::vector<double> readings;
    for (auto const& body : session) {
        for (auto const& visit : body.visits) {
            readings.insert(readings.end(), visit.width, visit.width + Windows + 1);
        }
    }
    std::sort(readings.begin(), readings.end());
    std::size_t end = 0;
    for (std::size_t first = 0; first < readings.size(); ++first) {
        while (end < readings.size() && readings[end] <= 1.03 * readings[first]) {
            ++end;
        }
        if (20 * (end - first) >= readings.size()) {
            return readings[(first + end) / 2];
        }
    }
    return 0;
}

// One line: the name, cycles of an invocation (20 % trimmed mean of windows alone on the core; nan where they are fewer than 50),
// and the share of such windows.
inline void tell(Measured const& body, double level) {
    std::vector<double> kept;
    for (auto const& visit : body.visits) {
        for (std::size_t i = 0; i < Windows; ++i) {
            std::size_t const first = i == 0 ? 0 : i - 1;
            std::size_t const last = std::min(i + 2, Windows);
            if (*std::max_element(visit.width + first, visit.width + last + 1) <= 1.05 * level) {
                kept.push_back(visit.cycles[i]);
            }
        }
    }
    std::sort(kept.begin(), kept.end());
    double sum = 0;
    std::size_t const cut = kept.size() / 10;
    for (std::size_t i = cut; i < kept.size() - cut; ++i) {
        sum += kept[i];
    }
    double const mean = kept.size() < 50 ? std::nan("") : sum / static_cast<double>(kept.size() - 2 * cut);
    double const windows = static_cast<double>(std::max<std::size_t>(1, body.visits.size() * Windows));
    std::printf("%s %.4f %.4f\n", body.name.c_str(), mean, static_cast<double>(kept.size()) / windows);
}

} // namespace alone
