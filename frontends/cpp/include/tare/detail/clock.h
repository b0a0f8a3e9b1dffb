/* Part of <tare.h>: clocks, and the probes of the core. */
#ifndef TARE_DETAIL_CLOCK_H_INCLUDED
#define TARE_DETAIL_CLOCK_H_INCLUDED
#include "benchmark.h"

enum { TARE_PROBE_CYCLES = 32768, TARE_WIDTH_ADDITIONS = 14400 };
#if TARE_POSIX_
TARE_FUNCTION_ uint64_t tare_clock_(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#    define TARE_NOW_() tare_clock_(CLOCK_MONOTONIC)
#    define TARE_THREAD_CPU_() tare_clock_(CLOCK_THREAD_CPUTIME_ID)
#    define TARE_PROCESS_CPU_() tare_clock_(CLOCK_PROCESS_CPUTIME_ID)
#else
TARE_FUNCTION_ uint64_t tare_clock_(void) {
#    if defined(_WIN32)
    LARGE_INTEGER now, second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&second);
    const uint64_t ticks = (uint64_t)now.QuadPart, per_second = (uint64_t)second.QuadPart;
    return ticks / per_second * 1000000000u + ticks % per_second * 1000000000u / per_second;
#    else
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#    endif
}
#    define TARE_NOW_() tare_clock_()
#    define TARE_THREAD_CPU_() tare_clock_()
#    define TARE_PROCESS_CPU_() tare_clock_()
#endif

/* Involuntary and voluntary context switches of this thread. */
TARE_FUNCTION_ void tare_switches_(uint64_t* switches, uint64_t* waits) {
#if defined(RUSAGE_THREAD)
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    *switches = (uint64_t)usage.ru_nivcsw;
    *waits = (uint64_t)usage.ru_nvcsw;
#else
    *switches = *waits = 0;
#endif
}

/* The time of TARE_PROBE_CYCLES dependent additions. Adding a register to itself takes one cycle on every core;
   some fold the addition of a constant into the renamer. */
TARE_FUNCTION_ TARE_NOINLINE_ uint64_t tare_probe_(void) {
    uintptr_t x = 1; /* register-wide: a wider type would take two additions */
    const uint64_t start = TARE_NOW_();
    for (unsigned turn = 0; turn < TARE_PROBE_CYCLES / 64; ++turn) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
        __asm__ volatile(".rept 64\n\tadd %0, %0\n\t.endr" : "+r"(x) : : "cc");
#elif defined(__GNUC__) && (defined(__aarch64__) || defined(__arm__) || defined(__riscv))
        __asm__ volatile(".rept 64\n\tadd %0, %0, %0\n\t.endr" : "+r"(x));
#else
        for (unsigned i = 0; i < 64; ++i) {
            x += x;
#    if defined(__GNUC__)
            __asm__ volatile("" : "+r"(x));
#    endif
        }
#endif
    }
    (void)x;
    return TARE_NOW_() - start;
}

/* The width probe, to be timed: TARE_WIDTH_ADDITIONS independent additions. If the core's other hardware thread is
   busy, fewer of them complete per cycle, while a dependent chain is as fast as ever. The loop is the same as in
   the host, the other native children and spec/protocol.md, so that all readings are comparable. */
#if TARE_HAS_WIDTH_
TARE_FUNCTION_ TARE_NOINLINE_ void tare_width_(void) {
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    /* A register is added, because some cores fold constants away. Each has its own (hence the &): gcc would merge
       two that begin with the same number, which makes the additions dependent. */
    const uint64_t one = 1;
    uint32_t turns = TARE_WIDTH_ADDITIONS / 96;
#    if defined(__x86_64__)
    __asm__ volatile("1:\n\t.rept 16\n\t"
                     "add %7, %1\n\tadd %7, %2\n\tadd %7, %3\n\tadd %7, %4\n\tadd %7, %5\n\tadd %7, %6\n\t"
                     ".endr\n\tdec %0\n\tjnz 1b"
                     : "+&r"(turns), "+&r"(a), "+&r"(b), "+&r"(c), "+&r"(d), "+&r"(e), "+&r"(f)
                     : "r"(one)
                     : "cc");
#    else
    __asm__ volatile("1:\n\t.rept 16\n\t"
                     "add %1, %1, %7\n\tadd %2, %2, %7\n\tadd %3, %3, %7\n\t"
                     "add %4, %4, %7\n\tadd %5, %5, %7\n\tadd %6, %6, %7\n\t"
                     ".endr\n\tsubs %w0, %w0, #1\n\tb.ne 1b"
                     : "+&r"(turns), "+&r"(a), "+&r"(b), "+&r"(c), "+&r"(d), "+&r"(e), "+&r"(f)
                     : "r"(one)
                     : "cc");
#    endif
}
#else
TARE_FUNCTION_ void tare_width_(void) {}
#endif

/* The smallest step of the clock. If a read takes longer than a step, no two reads are equal, and the smallest
   difference between the intervals of consecutive reads shows it. */
TARE_FUNCTION_ uint64_t tare_clock_resolution_(void) {
    uint64_t smallest = UINT64_MAX, difference = UINT64_MAX, before = 0;
    bool is_coarse = false;
    for (unsigned i = 0; i < 32; ++i) {
        const uint64_t start = TARE_NOW_();
        uint64_t end = start;
        for (unsigned reads = 0; end == start && reads < 1000000; ++reads) {
            end = TARE_NOW_();
            if (end == start) is_coarse = true;
        }
        const uint64_t step = end - start, gap = step > before ? step - before : before - step;
        if (step == 0) continue;
        if (step < smallest) smallest = step;
        if (before != 0 && gap != 0 && gap < difference) difference = gap;
        before = step;
    }
    if (smallest == UINT64_MAX) return 1;
    return is_coarse || difference > smallest ? smallest : difference;
}

TARE_FUNCTION_ uint64_t tare_random_(void) { /* splitmix64 */
    uint64_t z = tare_state_.random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
#endif
