/* tare.h - the C++17 and C11 front end of Tare, a benchmarking system. One header, no dependency.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *   #include <tare.h>
 *   TARE_BENCH("parse/strtol", [] { return std::strtol("123456789", nullptr, 10); }).baseline();
 *   TARE_BENCH("parse/stoi", [] { return std::stoi("123456789"); });
 *   TARE_MAIN()
 *
 * `tare run parse.cpp` measures it with everything that Tare knows; the program alone prints a quick table.
 *
 * C++    TARE_BENCH(name, callable) · TARE_BENCH(function) · TARE_BENCH(&Fixture::method) · TARE_BENCH_TYPES(...)
 *        TARE_METRIC(name, callable) ·
 *        tare::keep(value) · tare::keep_state(variable) · tare::opaque(value) · tare::clobber() · tare::param<T> ·
 *        tare::fail(message) · TARE_CONTEXT(name, value); tare::Bench, the quick style, is in <tare/bench.hpp>
 * C      TARE_C_BENCH(name, options...) { ... } · TARE_C_METRIC(name, options...) · tare_keep(value) · tare_keep_state(variable) ·
 *        tare_keep_memory(&x, sizeof x) · tare_fail(message) · tare_tell(value); tare_once_per_run() is in <tare/once.h>
 * both   TARE_MAIN() · tare_main(argc, argv) · tare_context(name, value)
 *
 * A child of the Tare protocol (spec/protocol.md) when the environment variable TARE_LINK is set. Names that end in an
 * underscore and tare::detail are not for users. Order of this file: 1 platform, 2 what C and C++ share, 3 C++ API,
 * 4 C API, 5 the measured loops of C++, 6 clocks, 7 protocol, 8 quick table, 9 main.
 */
#ifndef TARE_H_INCLUDED
#define TARE_H_INCLUDED
#define TARE_VERSION "0.1.0"
#if defined(__cplusplus) && (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201703L
#    error "tare.h needs C++17: compile with -std=c++17"
#else

/* ---------------------------------------------------------------------------------------------- 1 platform */

#    if !defined(__cplusplus) && !defined(_GNU_SOURCE) && defined(__linux__)
#        define _GNU_SOURCE 1 /* clock_gettime and RUSAGE_THREAD under -std=c11 */
#    endif
#    include <stdarg.h>
#    include <stdbool.h>
#    include <stddef.h>
#    include <stdint.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>
#    include <time.h>
#    if defined(__unix__) || defined(__APPLE__)
#        define TARE_POSIX_ 1
#        include <errno.h>
#        include <fcntl.h>
#        include <pthread.h>
#        include <sched.h>
#        include <signal.h>
#        include <sys/resource.h>
#        include <sys/wait.h>
#        include <unistd.h>
#        if !defined(CLOCK_MONOTONIC) || (defined(__linux__) && !defined(RUSAGE_THREAD))
#            error "tare.h: include it before other headers, or compile with -std=gnu11 instead of -std=c11"
#        endif
#    else
#        define TARE_POSIX_ 0 /* Windows: the quick table only */
#        if defined(_WIN32)
#            if !defined(WIN32_LEAN_AND_MEAN)
#                define WIN32_LEAN_AND_MEAN 1
#            endif
#            if !defined(NOMINMAX)
#                define NOMINMAX 1
#            endif
#            include <windows.h> /* its clock, which neither C nor C++ of MinGW has */
#        endif
#    endif
#    ifdef __cplusplus
#        if !defined(__GNUC__)
#            include <atomic>
#        endif
#        include <initializer_list>
#        include <new>
#        include <type_traits>
#        include <utility>
#        if defined(__cpp_exceptions)
#            include <exception>
#        endif
#        if defined(__cpp_rtti) && defined(__GNUC__)
#            include <cxxabi.h>
#            include <typeinfo>
#        endif
#    endif

#    if defined(__GNUC__)
#        define TARE_NOINLINE_ __attribute__((noinline))
#        if defined(__clang__)
#            define TARE_LOOP_ __attribute__((noinline, aligned(64)))
#        else
#            define TARE_LOOP_ __attribute__((noinline, no_icf, aligned(64)))
#        endif
#        define TARE_INLINE_ inline __attribute__((always_inline))
#        define TARE_WEAK_ __attribute__((weak))
#        define TARE_HIDDEN_ __attribute__((visibility("hidden")))
#        define TARE_COLD_ __attribute__((cold, noinline)) /* compiled for size, which takes less time */
#        pragma GCC diagnostic push
#        if defined(__cplusplus)
#            pragma GCC diagnostic ignored "-Wold-style-cast" /* the shared part is C as well */
#            pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#            if !defined(__clang__)
#                pragma GCC diagnostic ignored "-Wuseless-cast"
#            endif
#        endif
#    else
#        define TARE_NOINLINE_ __declspec(noinline)
#        define TARE_LOOP_ __declspec(noinline)
#        define TARE_INLINE_ __forceinline
#        define TARE_WEAK_
#        define TARE_HIDDEN_
#        define TARE_COLD_
#    endif
#    if defined(__cplusplus)
#        define TARE_FUNCTION_ inline
#    elif defined(__GNUC__)
#        define TARE_FUNCTION_ static __attribute__((unused))
#    else
#        define TARE_FUNCTION_ static
#    endif
/* A mark beside the machine code of a body that says what is used: the distance to it, in a section of its own. It is no instruction.
   A loop is found by the marks in it, so the compiler must not merge loops that are alike (no_icf).
   docs/decisions/0020-cpp.md has the reasons. */
#    if defined(__cplusplus) && defined(__GNUC__) && defined(__ELF__) &&                                           \
        (defined(__x86_64__) || defined(__aarch64__))
#        define TARE_HAS_MARKS_ 1
/* R: lld would remove the section with --gc-sections. Not all assemblers that gcc uses know it. */
#        if defined(__clang__)
#            define TARE_MARK_SECTION_ "tare_marks,\"aR?\""
#        else
#            define TARE_MARK_SECTION_ "tare_marks,\"a?\""
#        endif
#        define TARE_MARK_                                                                                         \
            "2147:\n\t.pushsection " TARE_MARK_SECTION_ "\n\t.balign 4\n\t.long 2147b-.\n\t.popsection"
#    else
#        define TARE_HAS_MARKS_ 0
#        define TARE_MARK_ ""
#    endif
/* Takes a variable as used and as changed, without forcing anything to memory. To clang an asm that is volatile reads and
   writes memory; one that is not is kept as long as its result is used, and that of a state is: by the next invocation. */
#    if defined(__clang__)
#        define TARE_KEEP_STATE_(constraint, variable) __asm__ __inline__(TARE_MARK_ : constraint(variable))
#    elif defined(__GNUC__)
#        define TARE_KEEP_STATE_(constraint, variable)                                                             \
            __asm__ __inline__ volatile(TARE_MARK_ : constraint(variable))
#    endif
/* Runs `work` in `turns` turns of 8, 2 or 1 invocations. It stands here once, and the pragma copies it after inlining: whether the
   compiler inlines what a body calls depends on how often it is called, and would otherwise depend on this header.
   `i_` is the number of the invocation within its turn, which is constant in each of the copies. `leave` is done at the end of a turn of
   1, where it is not copied. Work in which nothing is volatile ends with TARE_STEP_, or nothing would be left of the loop. */
#    define TARE_PRAGMA_(text) _Pragma(#    text)
#    if defined(__GNUC__)
#        define TARE_UNLIKELY_(condition) __builtin_expect((condition), 0)
#    else
#        define TARE_UNLIKELY_(condition) (condition)
#    endif
#    if defined(__clang__)
#        define TARE_TWICE_ TARE_PRAGMA_(clang loop unroll(full))
#        define TARE_STEP_ (void)0
#        define TARE_LEAVES_ false /* clang 14 does not copy the loop at -O1 if it leaves it after a call */
/* A loop around nothing stays a loop, as what it counts is used after it. An asm that is volatile would touch memory. With one condition
   for both turns clang 14 loads and stores a captured state in each copy. */
#        define TARE_TURNS_(turns, per_turn, work, leave)                                                          \
            uint64_t seen_ = 0;                                                                                    \
            TARE_PRAGMA_(clang loop unroll(disable))                                                               \
            for (uint64_t turn_ = (turns); turn_ != 0; --turn_) {                                                  \
                TARE_PRAGMA_(clang loop unroll(full))                                                              \
                for (unsigned i_ = 0; i_ < 8; ++i_) {                                                              \
                    work;                                                                                          \
                    if (i_ == 0 && TARE_UNLIKELY_((per_turn) == 1)) {                                              \
                        leave;                                                                                     \
                        break;                                                                                     \
                    }                                                                                              \
                    if (i_ == 1 && TARE_UNLIKELY_((per_turn) == 2)) break;                                         \
                    __asm__("" : "+r"(seen_));                                                                     \
                }                                                                                                  \
                __asm__("" : "+r"(turn_), "+r"(seen_));                                                            \
            }                                                                                                      \
            __asm__ volatile("" : : "r"(seen_))
#    else
#        define TARE_LEAVES_ true
#        if defined(__GNUC__)
#            define TARE_TWICE_ TARE_PRAGMA_(GCC unroll 2)
#            define TARE_COPIES_ TARE_PRAGMA_(GCC unroll 8)
#            define TARE_STEP_ __asm__ volatile("")
#        else
#            define TARE_TWICE_
#            define TARE_COPIES_
#            define TARE_STEP_ (void)0
#        endif
#        define TARE_TURNS_(turns, per_turn, work, leave)                                                          \
            for (uint64_t turn_ = (turns); turn_ != 0; --turn_) {                                                  \
                TARE_COPIES_                                                                                       \
                for (unsigned i_ = 0; i_ < 8; ++i_) {                                                              \
                    work;                                                                                          \
                    if (i_ < 2 && TARE_UNLIKELY_((per_turn) == i_ + 1)) {                                          \
                        leave;                                                                                     \
                        break;                                                                                     \
                    }                                                                                              \
                }                                                                                                  \
            }                                                                                                      \
            (void)0
#    endif
/* The step of an empty loop: nothing, and yet gcc asks for the length of a turn in each of them, as around a body. clang does so anyway. */
#    if defined(__GNUC__) && !defined(__clang__)
#        define TARE_EMPTY_STEP_(per_turn) __asm__ volatile("" : "+r"(per_turn))
#    else
#        define TARE_EMPTY_STEP_(per_turn) TARE_STEP_
#    endif
/* clang takes memory whenever a constraint with alternatives lets it, unless the register comes first. */
#    if defined(__clang__)
#        define TARE_ANYWHERE_ "r,m"
#    else
#        define TARE_ANYWHERE_ "m,r"
#    endif
#    if defined(__x86_64__)
#        define TARE_FLOAT_ "x"
#    elif defined(__aarch64__)
#        define TARE_FLOAT_ "w"
#    else
#        define TARE_FLOAT_ "m"
#    endif
/* Takes a variable as used and as changed, and all memory with it. gcc leaves it where it is; clang would put it on the
   stack for that, so there it goes through a register. */
#    if defined(__clang__)
#        define TARE_KEEP_VARIABLE_(place, variable)                                                               \
            do {                                                                                                   \
                auto kept_ = variable;                                                                             \
                __asm__ __inline__ volatile(TARE_MARK_ : "+" place(kept_) : : "memory");                           \
                variable = kept_;                                                                                  \
            } while (0)
#    elif defined(__GNUC__)
#        define TARE_KEEP_VARIABLE_(place, variable)                                                               \
            __asm__ __inline__ volatile(TARE_MARK_ : "+m," place(variable) : : "memory")
#    endif
/* What runs outside of the measured windows. Cold: compiled for size. No attribute may change how it is optimised further,
   as what a C library defines inline would be compiled in another way within it (glibc with _FORTIFY_SOURCE). */
#    if defined(__GNUC__)
#        define TARE_ENGINE_ TARE_COLD_ TARE_FUNCTION_
#    else
#        define TARE_ENGINE_ TARE_FUNCTION_
#    endif
#    if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#        define TARE_IS_SANITIZED_ 1
#    elif defined(__clang__)
#        define TARE_IS_SANITIZED_ (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#    else
#        define TARE_IS_SANITIZED_ 0
#    endif
#    if defined(__GLIBC__)
#        if __GLIBC_PREREQ(2, 33)
#            include <malloc.h>
#            define TARE_HEAP_BYTES_() ((uint64_t)(mallinfo2().uordblks + mallinfo2().hblkhd))
#        endif
#    endif
#    if !defined(TARE_HEAP_BYTES_)
#        define TARE_HEAP_BYTES_() ((uint64_t)0)
#    endif
#    if defined(RUSAGE_THREAD)
#        define TARE_HAS_SWITCHES_ 1
#    else
#        define TARE_HAS_SWITCHES_ 0
#    endif
#    if TARE_POSIX_ && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#        define TARE_HAS_WIDTH_ 1
#    else
#        define TARE_HAS_WIDTH_ 0
#    endif
#    if defined(__linux__) && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#        define TARE_HAS_FLUSH_ 1
#        include <sys/mman.h>
#        include <sys/syscall.h>
#    else
#        define TARE_HAS_FLUSH_ 0
#    endif
#    if defined(__cplusplus)
#        define TARE_LANGUAGE_ "c++"
#        define TARE_FRONT_END_ "tare-cpp " TARE_VERSION
#    else
#        define TARE_LANGUAGE_ "c"
#        define TARE_FRONT_END_ "tare-c " TARE_VERSION
#    endif
#    define TARE_CAT2_(a, b) a##b
#    define TARE_CAT_(a, b) TARE_CAT2_(a, b)
/* A name of this line alone. The symbol of a lambda's loop has it, so that the host knows which benchmark it is. */
#    define TARE_HERE_(name) TARE_CAT_(TARE_CAT_(name, __LINE__), TARE_CAT_(_, __COUNTER__))

/* ---------------------------------------------------------------------------------- 2 what C and C++ share */

enum { TARE_UNROLL = 8, TARE_ROLLED_UNROLL = 2, TARE_PROBE_CYCLES = 32768, TARE_WIDTH_ADDITIONS = 14400 };
/* An invocation from this time on is a turn by itself, ns: several copies of its branches would be predicted differently from one, and
   the turn hardly shows. A host chooses by itself. */
enum { TARE_SINGLE_TURNS_FROM_NS_ = 4 };
#    define TARE_DIGEST_START_ 14695981039346656037u /* FNV-1a, 64 bits */
enum {
    TARE_MAX_PARAMETERS_ = 8,
    TARE_MAX_CATEGORIES_ = 8,
    TARE_MAX_LAUNCH_ = 8,
    TARE_MAX_RATES_ = 4,
    TARE_MAX_COMBINATIONS_ = 1000000
};

/* What the engine asks of a benchmark. */
enum tare_act_ {
    TARE_MAKE_,
    TARE_COUNT_, /* its operations, of an instance that was not made here */
    TARE_SET_UP_,
    TARE_ITERATION_SET_UP_,
    TARE_WORKLOAD_,
    TARE_ROLLED_,
    TARE_OVERHEAD_,
    TARE_CHECK_,
    TARE_ITERATION_OPERATIONS_, /* how many it did, right after it */
    TARE_ITERATION_CLEAN_UP_,
    TARE_CLEAN_UP_,
    TARE_DROP_
};
enum {
    TARE_HAS_SET_UP_ = 1,
    TARE_HAS_CLEAN_UP_ = 2,
    TARE_HAS_ITERATION_SET_UP_ = 4,
    TARE_HAS_ITERATION_CLEAN_UP_ = 8,
    TARE_HAS_ITERATION_OPERATIONS_ = 16
};

/* How a benchmark is measured. */
enum tare_strategy {
    TARE_THROUGHPUT, /* warmed up, with as many invocations per iteration as fill about a millisecond */
    TARE_MONITORING, /* each invocation is a measurement, including the first one; none is dropped */
    TARE_COLD_START  /* only the first invocation of each process */
};

/* What a benchmark declares about its results. */
enum tare_results {
    TARE_RESULTS_SAME,   /* the same in each invocation, and as the other contestants of its group */
    TARE_RESULTS_CHANGE, /* something else in each invocation, on purpose */
    TARE_RESULTS_DIFFER  /* something else than the other contestants, on purpose */
};

/* What one invocation works through, shown per second beside the time. */
struct tare_rate {
    const char* name;      /* "bytes", "items", or another: lower-case letters, digits and _ */
    double per_invocation; /* of one thread; 0: no such rate */
};
/* A benchmark. In C its members are the options of TARE_C_BENCH; in C++ the methods of tare::Benchmark set them. */
struct tare_benchmark {
    const char* title;       /* "group/name"; the group may be missing */
    const char* unit;        /* name of one operation; NULL: "op" */
    const char* description; /* one line, or NULL */
    const char* category[TARE_MAX_CATEGORIES_];
    uint64_t operations;       /* operations that one invocation does; 0 counts as 1 */
    bool baseline;             /* the others of its group are compared with it */
    int threads;               /* threads that the body uses; 0 counts as 1, -1: not known */
    bool waits;                /* the body blocks: it is judged by its wall time alone */
    bool own_time;             /* the body says with tare_took() how long it took; nothing else counts */
    bool cpu_time;             /* CPU time counts: of the thread, or of the process where there are several */
    bool memory_randomization; /* each visit has its instance at another address */
    bool cold_caches;          /* before each invocation all data leaves the caches, which is not measured */
    enum tare_results results; /* what differs on purpose is not reported */
    const char* skip;          /* why it is not to be measured, or NULL */
    struct tare_rate rates[TARE_MAX_RATES_];
    uint64_t visit_ns, warmup_ns, invocations; /* rules of measuring, which flags override; 0: the host's */
    enum tare_strategy strategy;
    uint64_t invocations_max; /* of an iteration, as each uses up something prepared; 0: any number */
    const char* environment[TARE_MAX_LAUNCH_]; /* "NAME=VALUE": variables of the processes that measure it ... */
    const char* arguments[TARE_MAX_LAUNCH_];   /* ... and arguments of their command line */
    const char* diagnose[TARE_MAX_LAUNCH_];    /* diagnosers that look at it: "code", "profile" */
    void (*set_up)(void); /* C only, as the next three: before the first and after the last iteration ... */
    void (*clean_up)(void);
    void (*iteration_set_up)(void); /* ... and around each */
    void (*iteration_clean_up)(void);
    double (*iteration_operations)(void); /* C only: operations of each invocation of the iteration that just ran */
    void (*result)(void); /* C only: says what the body made with tare_tell(), so that results can be compared */

    const char* file_;
    int line_;
    const char* invalid_; /* what is wrong with the declaration; NULL: nothing */
    bool returns_;
    bool added_;            /* by tare::add: in the order of the list it stands by its name */
    bool is_fed_;           /* by tare::input or tare::rotate */
    uint64_t fed_max_;      /* inputs that tare::input makes at most; 0: any number */
    uint64_t fed_size_;     /* bytes of each, without what they have on the heap */
    unsigned steps_;        /* TARE_HAS_... */
    double operations_;     /* what iteration_operations gave last */
    uint64_t combinations_; /* of the values of its parameters; 0: not counted yet */
    bool (*act_)(struct tare_benchmark* self, enum tare_act_ act, uint64_t invocations); /* false: it failed */
    void (*loop_)(uint64_t turns, unsigned per_turn);                                    /* C only */
    uint64_t loop_at_;                           /* where the function with the measuring loop is; 0: not known */
    void (*ready_)(struct tare_benchmark* self); /* just before the clocks of an iteration; NULL: nothing to do */
    struct tare_benchmark* next_;
};

/* What is measured of each iteration beside its time. In C its members are the options of TARE_C_METRIC. */
enum tare_better { TARE_NEITHER, TARE_LOWER, TARE_HIGHER };
struct tare_metric {
    const char* name;        /* lower-case letters, digits and _ */
    double (*read)(void);    /* C only: a total that never falls; with per_iteration the value of the iteration */
    const char* unit;        /* "B" for bytes, or NULL */
    enum tare_better better; /* which values are better */
    bool per_iteration;      /* shown as it is read after an iteration, not as what an operation adds */
    bool per_second;         /* what is added is shown per second */

    double (*read_)(struct tare_metric* self);
    double before_, value_;
    struct tare_metric* next_;
};

struct tare_parameter_ {
    const char *name, *type;
    size_t choices, chosen;
    char text[64];
};

/* A text that grows: what a body returned, or a parameter's value. The digest is FNV-1a of all of it, also of what
   did not fit; 0: no text. */
struct tare_text_ {
    uint64_t digest;
    size_t length, room;
    char* bytes;
    bool is_cut;
};

/* Values that the host has set for a parameter, in place of the declared ones. */
enum { TARE_MAX_GIVEN_ = 64 };
struct tare_given_ {
    struct tare_given_* next;
    const char* name;
    size_t count;
    const char* value[TARE_MAX_GIVEN_];
};

/* A copy of a text, kept to the end. */
struct tare_kept_text_ {
    struct tare_kept_text_* next;
    char* text;
};

/* What the program says of the run. */
struct tare_context_ {
    struct tare_context_* next;
    const char *name, *value;
};

/* One process has one of these, however many files include the header, in C and C++ alike. */
struct tare_state_ {
    struct tare_benchmark *first, *last;
    bool is_sorted;               /* what tare::add added */
    struct tare_benchmark* found; /* by tare_find_ last, behind so many cases; NULL: none */
    uint64_t before;
    struct tare_metric *metrics, *last_metric;
    struct tare_context_* context;
    bool makes; /* an instance is being made: parameters report to `parameter` */
    unsigned parameters;
    struct tare_parameter_ parameter[TARE_MAX_PARAMETERS_];
    struct tare_text_ checked;
    char checked_bytes[801]; /* 200 characters of at most four bytes */
    bool is_single;          /* an invocation is a turn of the loop */
    bool has_failed, is_skipped;
    bool is_counted; /* callgrind counts, and is told where loops begin and end */
    double took_ns;  /* what the body said since the iteration began */
    uint64_t wanted; /* invocations of the iteration that is set up now */
    char message[400], type[120];
    uint64_t random;
    void* block[64]; /* what moves the heap */
    unsigned blocks;
    struct tare_kept_text_* texts[256]; /* by the last byte of their digest */
    struct tare_given_* given;
    const char* misfit;            /* what is wrong with a value that was set; NULL: nothing */
    struct tare_link_* quick_link; /* the quick style under a host: see tare_quick_linked_ */
    uint64_t quick_runs, quick_wanted;
    FILE* quick_report;
    void (*end)(void);                /* removes what a process without a host's folder made; NULL: nothing */
    void (*count)(uint64_t* counted); /* performance counters: NULL starts them, else they stop and go there */
};
#    if defined(__cplusplus)
extern "C" {
#    endif
#    if defined(__GNUC__)
TARE_WEAK_ struct tare_state_ tare_state_;
#    elif defined(__cplusplus)
inline tare_state_ tare_state_;
#    else
__declspec(selectany) struct tare_state_ tare_state_;
#    endif
#    if defined(__cplusplus)
}
#    endif

/* What one run of the quick table found. */
struct tare_result {
    double nanoseconds;  /* of one operation, net of loop and clock; at least 0 */
    double cycles;       /* the same in cycles of the core; 0: not known, as the body waits */
    double error;        /* half of the 96 % interval within this process, as part of the time */
    double limit;        /* > 0: the time cannot be distinguished from nothing; it is less than these nanoseconds */
    double ratio;        /* to the baseline; 0: none */
    const char* warning; /* NULL: none */
};

/* Serves the host, or prints the quick table, as the environment and the arguments say. Returns main's exit status. */
TARE_FUNCTION_ int tare_main(int argc, char** argv);

/* With own_time: the body, or a part of it, took so many nanoseconds. */
TARE_FUNCTION_ void tare_took(double nanoseconds) { tare_state_.took_ns += nanoseconds; }

/* Supplies main. Weak: a main in another file of the program goes before it. `tare run` adds one by itself. The library of MinGW has a main
   of its own, which goes before a weak one: there it is not weak. */
#    if defined(_WIN32)
#        define TARE_MAIN()                                                                                        \
            int main(int argc, char** argv) { return tare_main(argc, argv); }
#    else
#        define TARE_MAIN()                                                                                        \
            TARE_WEAK_ int main(int argc, char** argv) { return tare_main(argc, argv); }
#    endif

/* Names the step that runs now (set-up, body, ...) a failure; the rest of the step still runs. */
TARE_ENGINE_ void tare_fail(const char* message) {
    if (tare_state_.has_failed) return;
    tare_state_.has_failed = true;
    tare_state_.is_skipped = false;
    tare_state_.type[0] = 0;
    snprintf(tare_state_.message, sizeof tare_state_.message, "%s", message);
}
/* In a set-up: the benchmark cannot or should not be measured here, which is no failure. */
TARE_ENGINE_ void tare_skip(const char* why) {
    if (tare_state_.has_failed) return;
    tare_fail(why);
    tare_state_.is_skipped = true;
}

TARE_ENGINE_ void tare_add_(struct tare_benchmark* benchmark) {
    if (tare_state_.last) tare_state_.last->next_ = benchmark;
    else tare_state_.first = benchmark;
    tare_state_.last = benchmark;
    tare_state_.is_sorted = false;
    tare_state_.found = NULL;
}

/* `count` invocations in whole turns. It runs between the clock reads, where a division by a variable would take its time. */
TARE_FUNCTION_ uint64_t tare_turns_(uint64_t count, unsigned per_turn) {
    return per_turn == 1 ? count : per_turn == TARE_UNROLL ? count / TARE_UNROLL : count / TARE_ROLLED_UNROLL;
}

TARE_FUNCTION_ void tare_add_metric_(struct tare_metric* metric) {
    if (tare_state_.last_metric) tare_state_.last_metric->next_ = metric;
    else tare_state_.metrics = metric;
    tare_state_.last_metric = metric;
}

/* A copy of the text, so that it may have been a temporary one. The same text is kept once. */
TARE_ENGINE_ const char* tare_keep_text_(const char* bytes, size_t length) {
    uint64_t digest = TARE_DIGEST_START_;
    for (size_t i = 0; i < length; ++i) digest = (digest ^ (unsigned char)bytes[i]) * 1099511628211u;
    struct tare_kept_text_** const texts = &tare_state_.texts[digest & 255];
    for (const struct tare_kept_text_* it = *texts; it != NULL; it = it->next) {
        if (strlen(it->text) == length && memcmp(it->text, bytes, length) == 0) return it->text;
    }
    struct tare_kept_text_* const kept = (struct tare_kept_text_*)malloc(sizeof *kept + length + 1);
    if (kept == NULL) return "";
    kept->text = (char*)(kept + 1);
    memcpy(kept->text, bytes, length);
    kept->text[length] = 0;
    kept->next = *texts;
    *texts = kept;
    return kept->text;
}

/* Says something of the run, such as the data that it works on: it stands above the table, and in files that have a place for it.
 * In main, before tare_main(). The last value of a name counts. */
TARE_ENGINE_ void tare_context(const char* name, const char* value) {
    if (name == NULL || *name == 0) {
        fprintf(stderr, "error: tare_context: a name is empty; it is left out\n");
        return;
    }
    struct tare_context_** at = &tare_state_.context;
    while (*at != NULL && strcmp((*at)->name, name) != 0) at = &(*at)->next;
    if (*at == NULL) {
        struct tare_context_* const entry = (struct tare_context_*)calloc(1, sizeof **at);
        if (entry == NULL) return;
        entry->name = tare_keep_text_(name, strlen(name));
        *at = entry;
    }
    (*at)->value = value == NULL ? "" : tare_keep_text_(value, strlen(value));
}

TARE_ENGINE_ void tare_text_put_(struct tare_text_* text, const char* bytes, size_t length) {
    for (size_t i = 0; i < length; ++i) {
        text->digest = (text->digest ^ (unsigned char)bytes[i]) * 1099511628211u;
        if (text->length + 1 < text->room) text->bytes[text->length++] = bytes[i];
        else text->is_cut = true;
    }
    if (text->room) text->bytes[text->length] = 0;
}

TARE_ENGINE_ void tare_text_say_(struct tare_text_* text, const char* string) {
    tare_text_put_(text, string, strlen(string));
}
/* A text within a list: as JSON.stringify writes it. */
TARE_ENGINE_ void tare_text_quote_(struct tare_text_* text, const char* bytes, size_t length) {
    static const char letters[] = "btn?fr"; /* of the characters 8 to 13 */
    tare_text_say_(text, "\"");
    for (size_t i = 0; i < length; ++i) {
        const unsigned char c = (unsigned char)bytes[i];
        char escaped[8] = {'\\', bytes[i], 0};
        if (c >= 0x20 && c != '"' && c != '\\') {
            tare_text_put_(text, bytes + i, 1);
            continue;
        }
        if (c >= 8 && c <= 13 && c != 11) escaped[1] = letters[c - 8];
        else if (c < 0x20) snprintf(escaped, sizeof escaped, "\\u%04x", c);
        tare_text_say_(text, escaped);
    }
    tare_text_say_(text, "\"");
}
/* Do these digits, read as a whole number times ten to the power of `exponent`, mean exactly `value`? */
TARE_ENGINE_ bool tare_reads_back_(const char* digits, int exponent, double value) {
    char number[48];
    snprintf(number, sizeof number, "%se%d", digits, exponent);
    const double read = strtod(number, NULL);
    return memcmp(&read, &value, sizeof read) == 0;
}
/* The shortest digits of a number > 0 that read back as the same; returns where the point stands: 0.DIGITS times ten to the
   power of that. */
TARE_ENGINE_ int tare_shortest_(double value, char digits[24]) {
    for (int count = 1;; ++count) {
        char written[40];
        int length = 0, exponent;
        snprintf(written, sizeof written, "%.*e", count - 1, value);
        for (const char* c = written; *c != 'e'; ++c) { /* the point may be a comma */
            if (*c >= '0' && *c <= '9') digits[length++] = *c;
        }
        digits[length] = 0;
        exponent = atoi(strchr(written, 'e') + 1) + 1;
        if (count == 17 || tare_reads_back_(digits, exponent - length, value)) return exponent;
        /* Above a power of two numbers lie twice as far apart as below: of so many digits the nearest may mean the number
           below, and the next this one. */
        if (digits[length - 1] == '9') continue;
        ++digits[length - 1];
        if (tare_reads_back_(digits, exponent - length, value)) return exponent;
    }
}
TARE_ENGINE_ void tare_text_double_(struct tare_text_* text, double value) {
    char digits[24], written[48];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t magnitude = bits << 1, infinity = UINT64_MAX << 53;
    /* Not by a comparison: with -ffast-math the compiler takes it for known that there is no NaN. */
    if (magnitude > infinity || magnitude == 0) {
        tare_text_say_(text, magnitude == 0 ? "0" : "NaN");
        return;
    }
    if (value < 0) tare_text_say_(text, "-"), value = -value;
    if (magnitude == infinity) {
        tare_text_say_(text, "Infinity");
        return;
    }
    const int point = tare_shortest_(value, digits), length = (int)strlen(digits);
    if (point > -6 && point <= 0) {
        snprintf(written, sizeof written, "0.%.*s%s", -point, "00000", digits);
    } else if (point > 0 && point <= 21 && length <= point) {
        snprintf(written, sizeof written, "%s%.*s", digits, point - length, "00000000000000000000");
    } else if (point > 0 && point <= 21) {
        snprintf(written, sizeof written, "%.*s.%s", point, digits, digits + point);
    } else {
        snprintf(written, sizeof written, "%c%s%se%+d", digits[0], digits[1] != 0 ? "." : "", digits + 1,
                 point - 1);
    }
    tare_text_say_(text, written);
}
TARE_ENGINE_ void tare_text_signed_(struct tare_text_* text, long long value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", value);
    tare_text_say_(text, digits);
}
TARE_ENGINE_ void tare_text_unsigned_(struct tare_text_* text, unsigned long long value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", value);
    tare_text_say_(text, digits);
}
TARE_ENGINE_ void tare_text_bool_(struct tare_text_* text, bool value) {
    tare_text_say_(text, value ? "true" : "false");
}

/* Ends a text that was cut with its digest, so that texts that begin alike stay different. */
TARE_ENGINE_ void tare_text_end_(struct tare_text_* text) {
    size_t start = text->length < 9 ? 0 : text->length - 9;
    if (!text->is_cut || text->room < 10) return;
    while (start > 0 && ((unsigned char)text->bytes[start] & 0xc0) == 0x80) --start; /* no half of a character */
    snprintf(text->bytes + start, text->room - start, "~%08x", (unsigned)(text->digest ^ (text->digest >> 32)));
}

/* An instance that is being made asks which of its values the parameter `name` has; 0 outside of that. */
TARE_ENGINE_ size_t tare_choose_(const char* name, size_t choices, struct tare_parameter_** parameter) {
    struct tare_state_* const state = &tare_state_;
    *parameter = NULL;
    if (!state->makes) return 0;
    if (choices == 0) {
        char message[160];
        snprintf(message, sizeof message,
                 "the parameter %.60s has no values: give it at least one; linear and geometric go upwards", name);
        tare_fail(message);
    }
    if (state->parameters == TARE_MAX_PARAMETERS_) {
        tare_fail("a fixture has more than 8 parameters: split it into two benchmarks, or combine values");
    }
    if (state->has_failed) return 0;
    struct tare_parameter_* const it = *parameter = &state->parameter[state->parameters++];
    it->name = name;
    it->type = "text";
    it->choices = choices;
    if (it->chosen >= choices) it->chosen = 0;
    return it->chosen;
}

/* The values that the host has set for the parameter `name` of an instance that is being made; NULL: none. */
TARE_FUNCTION_ const struct tare_given_* tare_given_for_(const char* name) {
    for (const struct tare_given_* it = tare_state_.given; it != NULL && tare_state_.makes; it = it->next) {
        if (strcmp(it->name, name) == 0) return it;
    }
    return NULL;
}
TARE_ENGINE_ void tare_misfit_(const char* name, const char* value, const char* type) {
    char text[300];
    const char* wanted = "a value";
    if (tare_state_.misfit != NULL) return;
    if (type != NULL && strcmp(type, "integer") == 0) wanted = "a whole number";
    if (type != NULL && strcmp(type, "float") == 0) wanted = "a number";
    if (type != NULL && strcmp(type, "boolean") == 0) wanted = "a truth value";
    snprintf(text, sizeof text, "`%.100s` is not %s that the parameter %.100s can have", value, wanted, name);
    tare_state_.misfit = tare_keep_text_(text, strlen(text));
}

TARE_ENGINE_ void tare_misfit_row_(const char* name) {
    char text[200];
    if (tare_state_.misfit != NULL) return;
    snprintf(text, sizeof text, "the parameter %.100s cannot be set: its values are declared in rows with others",
             name);
    tare_state_.misfit = tare_keep_text_(text, strlen(text));
}

#    ifdef __cplusplus
/* ------------------------------------------------------------------------------------------------ 3 C++ API */

#        if TARE_HAS_MARKS_
/* Where the section of the marks begins and ends, by the linker; null: there is none. And the beginning of the function that a place is in. */
extern "C" {
extern const int32_t tare_marks_begin_[] __asm__("__start_tare_marks") __attribute__((weak, visibility("hidden")));
extern const int32_t tare_marks_end_[] __asm__("__stop_tare_marks") __attribute__((weak, visibility("hidden")));
void* _Unwind_FindEnclosingFunction(void*);
}
#        endif

namespace tare {
namespace detail {
struct Node;
template <class State, class F> void hook(Node& node, unsigned which, F f);
template <class State, class F> void counter(Node& node, F f);
template <class T> constexpr bool fits_general_register();
template <class T> constexpr bool fits_float_register();
template <class T> bool describe(tare_text_& text, const T& value, bool is_inside = false);
template <class T> bool read(const char* text, const T* declared, size_t count, T& value);
template <class T> const char* type_of();
} // namespace detail

/** Forgets all memory: values are read again, and writes are carried out. Costs no instruction. */
TARE_INLINE_ void clobber() {
#        if defined(__GNUC__)
    __asm__ __inline__ volatile(TARE_MARK_ : : : "memory");
#        else
    std::atomic_signal_fence(std::memory_order_seq_cst);
#        endif
}

/** The sink: the optimiser has to make `value`, and takes it as used. A number or pointer stays in its register.
 *
 *  keep(f(x));                        a result
 *  auto y = f(x); keep(y);            the same; what is in y is unknown from here on
 *
 *  What is in memory is forgotten as well, captured variables with it, so that f is called anew in every invocation. A
 *  body that returns its result needs none of it: what a body returns goes to keep(). */
template <class T> TARE_INLINE_ void keep(T&& value) {
    using Value = std::remove_cv_t<std::remove_reference_t<T>>;
    constexpr bool is_variable = std::is_lvalue_reference_v<T> && !std::is_const_v<std::remove_reference_t<T>>;
#        if defined(__GNUC__)
    constexpr bool is_volatile_object = std::is_class_v<Value> && std::is_volatile_v<std::remove_reference_t<T>>;
    if constexpr (std::is_member_pointer_v<Value>) {
        // clang refuses it as an operand
        __asm__ __inline__ volatile(TARE_MARK_ : : "r"(__builtin_addressof(value)) : "memory");
    } else if constexpr ((!detail::fits_general_register<Value>() && !detail::fits_float_register<Value>()) ||
                         is_volatile_object) {
        __asm__ __inline__ volatile(TARE_MARK_ : : "m"(value) : "memory");
    } else if constexpr (is_variable) {
        if constexpr (detail::fits_float_register<Value>()) TARE_KEEP_VARIABLE_(TARE_FLOAT_, value);
        else if constexpr (std::is_class_v<Value>)
            __asm__ __inline__ volatile(TARE_MARK_ : "+" TARE_ANYWHERE_(value) : : "memory");
        else TARE_KEEP_VARIABLE_("r", value);
    } else {
        Value copy = value; // an operand that is itself in memory would be stored and loaded again
        if constexpr (detail::fits_float_register<Value>())
            __asm__ __inline__ volatile(TARE_MARK_ : : TARE_FLOAT_(copy) : "memory");
        else if constexpr (std::is_class_v<Value>)
            __asm__ __inline__ volatile(TARE_MARK_ : : TARE_ANYWHERE_(copy) : "memory");
        else __asm__ __inline__ volatile(TARE_MARK_ : : "r"(copy) : "memory");
    }
#        else
    static const volatile void* volatile seen;
    seen = &value;
    (void)is_variable;
    clobber();
#        endif
}

/** A state from which the next invocation continues: its value is unknown from here on. Memory is not forgotten and nothing
 *  is forced to it, so that `x += x; tare::keep_state(x);` is one addition. For a result say keep(): what does not
 *  depend on a state is computed once, before the loop, unless something forgets memory. */
template <class T> TARE_INLINE_ void keep_state(T& value) {
#        if defined(__GNUC__)
    if constexpr (detail::fits_general_register<T>() || detail::fits_float_register<T>()) {
        T copy = value; // an operand that is itself in memory would be stored and loaded again
        if constexpr (detail::fits_float_register<T>()) TARE_KEEP_STATE_("+" TARE_FLOAT_, copy);
        else if constexpr (std::is_class_v<T>) TARE_KEEP_STATE_("+" TARE_ANYWHERE_, copy);
        else TARE_KEEP_STATE_("+r", copy);
        value = copy;
        return;
    }
#        endif
    keep(value);
}

namespace detail {
/** Whether opaque() is the object itself, since the copy of a string or a container would be measured. */
template <class T> constexpr bool is_hidden_in_place() {
    if constexpr (std::is_class_v<T> || std::is_union_v<T>)
        return !std::is_trivially_copyable_v<T> || sizeof(T) > 64;
    else return false;
}
} // namespace detail

/** The same value, hidden from the optimiser: keeps constants from being computed at compile time.
 *  `return isqrt(tare::opaque(1000));` A variable that is a string, a container or another large object is not copied. */
template <class T, std::enable_if_t<!detail::is_hidden_in_place<T>(), int> = 0> TARE_INLINE_ T opaque(T value) {
#        if defined(__GNUC__)
    if constexpr (detail::fits_float_register<T>()) __asm__ volatile("" : "+" TARE_FLOAT_(value));
    else if constexpr (std::is_class_v<T> && detail::fits_general_register<T>())
        __asm__ volatile("" : "+" TARE_ANYWHERE_(value));
    else if constexpr (detail::fits_general_register<T>()) __asm__ volatile("" : "+r"(value));
    // Not keep(): it is no result, and says nothing of what is used.
    else __asm__ volatile("" : "+m"(value) : : "memory");
#        else
    keep(value);
#        endif
    return value;
}
template <class T, std::enable_if_t<detail::is_hidden_in_place<T>(), int> = 0>
TARE_INLINE_ const T& opaque(const T& value) {
    const T* place = __builtin_addressof(value);
#        if defined(__GNUC__)
    __asm__ volatile("" : "+r"(place) : : "memory");
#        else
    keep(place);
#        endif
    return *place;
}
template <class T, std::enable_if_t<!std::is_reference_v<T> && detail::is_hidden_in_place<T>(), int> = 0>
TARE_INLINE_ T opaque(T&& value) {
#        if defined(__GNUC__)
    __asm__ volatile("" : : "m"(value) : "memory");
#        else
    keep(value);
#        endif
    return static_cast<T&&>(value);
}

/** Makes the current step a failure; for code without exceptions. The rest of the step still runs. */
inline void fail(const char* message) { tare_fail(message); }
/** In a set-up: the benchmark cannot be measured here (a file or device is missing), which is not a failure. */
inline void skip(const char* why) { tare_skip(why); }
/** With own_time(): the body, or a part of it, took this long; a std::chrono::duration. */
template <class Duration> void took(const Duration& time) {
    using Period = typename Duration::period;
    tare_took(static_cast<double>(time.count()) * 1e9 * Period::num / Period::den);
}
namespace detail {
inline thread_local unsigned thread_index = 0, thread_count = 1;
}
/** With in_threads(): the number of this thread, from 0, and the number of threads. */
inline unsigned thread_index() { return detail::thread_index; }
inline unsigned thread_count() { return detail::thread_count; }

/** Values for a parameter or for in_threads(): at most 64. */
template <class T> class Series {
public:
    const T* data() const { return values_; }
    size_t size() const { return count_; }
    void add(T value) {
        if (count_ < 64) values_[count_++] = value;
    }

private:
    T values_[64] = {};
    size_t count_ = 0;
};
/** first, first + step, ... up to last: `tare::param<int> n{"n", tare::linear(0, 100, 20)};`. */
template <class T> Series<T> linear(T first, T last, T step = 1) {
    Series<T> all;
    if (step > 0 && first <= last) {
        const size_t steps = static_cast<size_t>((last - first) / step);
        for (size_t i = 0; i <= steps && i < 64; ++i) all.add(static_cast<T>(first + static_cast<T>(i) * step));
    }
    return all;
}
namespace detail {
template <class T> void add_negated(Series<T>& all, const Series<T>& values) {
    for (size_t i = values.size(); i > 0; --i) all.add(static_cast<T>(T(0) - values.data()[i - 1]));
}
} // namespace detail
/** first, first * factor, ... and last: geometric(8, 100, 2) is 8, 16, 32, 64, 100. Below 0 the same from the other end,
 *  geometric(-64, -1, 8) is -64, -8, -1; and from below 0 to above: geometric(-8, 8, 4) is -8, -4, -1, 0, 1, 4, 8. */
template <class T> Series<T> geometric(T first, T last, T factor = 2) {
    Series<T> all;
    if (!(factor > 1) || last < first) return all;
    if (first > 0) {
        for (T value = first; value < last && all.size() < 63; value = static_cast<T>(value * factor)) {
            all.add(value);
            if (value > last / factor) break;
        }
        all.add(last);
    } else if (last < T(0)) {
        detail::add_negated(all, geometric(static_cast<T>(T(0) - last), static_cast<T>(T(0) - first), factor));
    } else {
        if (first < T(0)) detail::add_negated(all, geometric(T(1), static_cast<T>(T(0) - first), factor));
        all.add(0);
        const Series<T> above = geometric(T(1), last, factor);
        for (size_t i = 0; i < above.size(); ++i) all.add(above.data()[i]);
    }
    return all;
}

namespace detail {
// Says the value of a parameter that is listed or opened; null: nobody asked for it.
template <class T> void report(tare_parameter_* to, const T& value) {
    if (to == nullptr) return;
    to->type = type_of<T>();
    tare_text_ text = {TARE_DIGEST_START_, 0, sizeof to->text, to->text, false};
    describe(text, value);
    tare_text_end_(&text);
}
// The same for the next member of a row: the first parameter is there, each of the others has this value alone.
template <class T> void report(tare_parameter_*& first, const T& value, const char* const*& names) {
    tare_parameter_* to = first;
    if (to == nullptr) tare_choose_(*names, 1, &to);
    report(to, value);
    first = nullptr;
    ++names;
}
} // namespace detail

/** A parameter of a fixture, made as a member with its name and values: `tare::param<int> size{"size", {10, 1000}};`.
 *  The benchmark is run for every value, and for every combination where there are several parameters (at most 8).
 *  T: a number, bool, string, or an enum that a function `to_text(Enum)` names. Copyable, with a default. */
template <class T> class param {
public:
    param(const char* name, std::initializer_list<T> values) : param(name, values.begin(), values.size()) {}
    /** The values of an array or container that has data() and size(). */
    template <class Values, class = decltype(std::declval<const Values&>().data())>
    param(const char* name, const Values& values) : param(name, values.data(), values.size()) {}
    /** The values that a function returns. */
    template <class Make, class = std::enable_if_t<std::is_invocable_v<const Make&>>, class = void>
    param(const char* name, const Make& make) : param(name, make()) {}
    param(const param& other) : param(other.name_, other.values_, other.count_) {
        if (!tare_state_.makes) value_ = other.value_;
    }
    param& operator=(const param&) = delete;
    ~param() { delete[] values_; }

    operator const T&() const { return value_; } // NOLINT: a parameter stands for its value
    const T& value() const { return value_; }
    const T* operator->() const { return &value_; }

private:
    param(const char* name, const T* values, size_t count) : name_(name), count_(count) {
        const tare_given_* const given = tare_given_for_(name);
        if (given != nullptr) count_ = given->count;
        values_ = new T[count_]();
        for (size_t i = 0; i < count_ && given == nullptr; ++i) values_[i] = values[i];
        if (given != nullptr) count_ = 0;
        for (size_t i = 0; given != nullptr && i < given->count; ++i) {
            T& value = values_[count_++];
            if (!detail::read(given->value[i], values, count, value)) {
                tare_misfit_(name, given->value[i], detail::type_of<T>());
            }
            if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) { // 7 and 007 are one value
                size_t same = 0;
                while (values_[same] < value || value < values_[same]) ++same;
                if (same + 1 < count_) --count_;
            }
        }
        tare_parameter_* reported;
        const size_t chosen = tare_choose_(name, count_, &reported);
        if (count_ != 0) value_ = values_[chosen];
        detail::report(reported, value_);
    }
    const char* name_;
    T* values_;
    size_t count_;
    T value_{};
};

/** Parameters whose values belong together: each row is a case, and its values make no combinations with each other.
 *
 *      tare::rows<std::pair<int, double>> row{{"n", "load"}, {{10, 0.5}, {1000, 0.9}}};
 *
 *  `auto [n, load] = row.value();` in a method, or `row->first`. T is a plain struct, std::pair, std::tuple or std::array with a
 *  member for each of the 2 to 8 names, copyable and with a default. A function may return the rows in a container. */
template <class T> class rows {
public:
    template <size_t N>
    rows(const char* const (&names)[N], std::initializer_list<T> values)
        : rows(tell<N>, names, N, values.begin(), values.size()) {}
    template <size_t N, class Values, class = decltype(std::declval<const Values&>().data())>
    rows(const char* const (&names)[N], const Values& values)
        : rows(tell<N>, names, N, values.data(), values.size()) {}
    /** The values that a function returns. */
    template <size_t N, class Make, class = std::enable_if_t<std::is_invocable_v<const Make&>>, class = void>
    rows(const char* const (&names)[N], const Make& make) : rows(names, make()) {}
    rows(const rows& other) : rows(other.tell_, other.names_, other.width_, other.values_, other.count_) {
        if (!tare_state_.makes) value_ = other.value_;
    }
    rows& operator=(const rows&) = delete;
    ~rows() { delete[] values_; }

    const T& value() const { return value_; }
    const T* operator->() const { return &value_; }

private:
    using Tell = void(const T& row, const char* const* names, tare_parameter_* first);
    rows(Tell* said, const char* const* names, size_t width, const T* values, size_t count)
        : tell_(said), width_(width), values_(new T[count]()), count_(count) {
        for (size_t i = 0; i < width; ++i) {
            names_[i] = names[i];
            if (tare_given_for_(names[i]) != nullptr) tare_misfit_row_(names[i]);
        }
        for (size_t i = 0; i < count; ++i) values_[i] = values[i];
        tare_parameter_* first;
        const size_t chosen = tare_choose_(names[0], count, &first);
        if (count != 0) value_ = values_[chosen];
        if (first != nullptr) tell_(value_, names_, first);
    }
    // The members of a row as texts: the first parameter has made the choice, the others have none of their own.
    template <size_t N> static void tell(const T& row, const char* const* names, tare_parameter_* first) {
        static_assert(N >= 2 && N <= 8, "a row has 2 to 8 names; one name alone is that of a tare::param");
        const auto each = [&](const auto&... members) { (detail::report(first, members, names), ...); };
        if constexpr (N == 2) {
            const auto& [a, b] = row;
            each(a, b);
        } else if constexpr (N == 3) {
            const auto& [a, b, c] = row;
            each(a, b, c);
        } else if constexpr (N == 4) {
            const auto& [a, b, c, d] = row;
            each(a, b, c, d);
        } else if constexpr (N == 5) {
            const auto& [a, b, c, d, e] = row;
            each(a, b, c, d, e);
        } else if constexpr (N == 6) {
            const auto& [a, b, c, d, e, f] = row;
            each(a, b, c, d, e, f);
        } else if constexpr (N == 7) {
            const auto& [a, b, c, d, e, f, g] = row;
            each(a, b, c, d, e, f, g);
        } else if constexpr (N == 8) {
            const auto& [a, b, c, d, e, f, g, h] = row;
            each(a, b, c, d, e, f, g, h);
        }
    }
    Tell* tell_;
    const char* names_[8] = {};
    size_t width_;
    T* values_;
    size_t count_;
    T value_{};
};

/** A text that is copied, so it may be temporary: a literal, a std::string, a std::string_view. */
class Text {
public:
    Text(const char* text) : text_(text == nullptr ? "" : tare_keep_text_(text, strlen(text))) {} // NOLINT
    template <class S, class = decltype(static_cast<const char*>(std::declval<const S&>().data()))>
    Text(const S& text) : text_(tare_keep_text_(text.data(), text.size())) {} // NOLINT
    const char* get() const { return text_; }

private:
    const char* text_;
};
namespace detail {
// What is wrong with this number of operations; null: nothing.
template <class Count> const char* operations_fault(Count count) {
    static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool>,
                  "operations is a whole number: for 1.5 bytes per operation, count other operations");
    return count < 1 ? "operations is less than 1: an invocation does at least one" : nullptr;
}
// Whether a number is whole, at least `least`, and no greater than one can be sent.
template <class Count> bool is_count(Count count, int least) {
    static_assert(std::is_arithmetic_v<Count> && !std::is_same_v<Count, bool>, "this is a whole number");
    if constexpr (std::is_floating_point_v<Count>) {
        return count >= static_cast<Count>(least) && count < static_cast<Count>(9.2e18) &&
               !(static_cast<Count>(static_cast<uint64_t>(count)) < count);
    } else if constexpr (std::is_signed_v<Count>) {
        return static_cast<int64_t>(count) >= least;
    } else {
        return static_cast<uint64_t>(count) >= static_cast<uint64_t>(least) &&
               static_cast<uint64_t>(count) <= static_cast<uint64_t>(INT64_MAX);
    }
}
// What is wrong with this amount of a rate; null: nothing.
inline const char* rate_fault(double amount) {
    return amount >= 0 && amount <= 1e300
               ? nullptr
               : "the amount of a rate, as of bytes or items, is not a number of at least 0";
}
void use_threads(Node& node, const unsigned* counts, size_t count);
void set_rate(tare_benchmark* node, const char* name, double amount);
template <class Duration> uint64_t ns_of(const Duration& time) {
    using Period = typename Duration::period;
    const double ns = static_cast<double>(time.count()) * 1e9 * Period::num / Period::den;
    return ns < 1 ? 1 : ns < 9.2e18 ? static_cast<uint64_t>(ns) : static_cast<uint64_t>(INT64_MAX);
}
// Puts a text into the first place that is free; false: there is none.
inline bool add_text(const char* (&list)[TARE_MAX_LAUNCH_], const char* text) {
    for (const char*& slot : list) {
        if (slot == nullptr) return slot = text, true;
    }
    return false;
}
} // namespace detail

/** The result of TARE_BENCH, for chaining options: `TARE_BENCH(...).baseline().unit("byte").operations(10000);`.
 *
 *  Set-ups of a body without argument are called as they are. A body that takes a reference has a state of that type,
 *  and a set-up either takes the same reference or returns the state:
 *
 *      TARE_BENCH("sort", [](std::vector<int>& v) { std::sort(v.begin(), v.end()); })
 *          .iteration_set_up([] { return shuffled(1000); }); */
template <class State> class Benchmark {
public:
    Benchmark(detail::Node* node); // NOLINT
    /** "group/name" instead of the declared name. */
    Benchmark& name(const Text& text) { return node_->title = text.get(), *this; }
    /** The others of the group are compared with this one. */
    Benchmark& baseline() { return node_->baseline = true, *this; }
    /** Operations that one invocation does; times are shown per operation. At least 1. */
    template <class Count> Benchmark& operations(Count count) {
        if (const char* const fault = detail::operations_fault(count)) node_->invalid_ = fault;
        return node_->operations = static_cast<uint64_t>(count), *this;
    }
    /** The name of one operation: "byte", "item". */
    Benchmark& unit(const Text& text) { return node_->unit = text.get(), *this; }
    Benchmark& description(const Text& text) { return node_->description = text.get(), *this; }
    template <class T> Benchmark& describe(const T&) {
        static_assert(sizeof(T) == 0, "`describe` is called `description`");
        return *this;
    }
    /** A category for filters; up to 8. */
    Benchmark& category(const Text& text) {
        for (const char*& slot : node_->category) {
            if (slot == nullptr) return slot = text.get(), *this;
        }
        node_->invalid_ = "it has more than 8 categories";
        return *this;
    }
    /** A diagnoser that looks at it, as `tare run --diagnose` has it look at all: "code", "profile"; up to 8. */
    Benchmark& diagnose(const Text& text) {
        if (!detail::add_text(node_->diagnose, text.get())) node_->invalid_ = "it has more than 8 diagnosers";
        return *this;
    }
    /** Threads that the body uses; 0 if unknown. */
    Benchmark& threads(unsigned count) { return node_->threads = count == 0 ? -1 : static_cast<int>(count), *this; }

    /** The body blocks (it sleeps, or waits for input, output or others), so only its wall time counts. */
    Benchmark& waits() { return node_->waits = true, *this; }
    /** The maximum of invocations per iteration, because each uses up something that was prepared. At least 1. */
    template <class Count> Benchmark& invocations_max(Count count) {
        static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool>,
                      "invocations_max is a whole number");
        if (count < 1) node_->invalid_ = "invocations_max is less than 1: an iteration has at least one";
        return node_->invocations_max = static_cast<uint64_t>(count), *this;
    }
    /** Runs the body in that many threads in lockstep: in_threads(1, 2, 4) is a case for each number. The time is that of an
     *  invocation on each thread, rates are those of all. The body and its state are shared; see thread_index(). */
    template <class... Counts> Benchmark& in_threads(Counts... counts) {
        const unsigned list[] = {static_cast<unsigned>(counts)...};
        return detail::use_threads(*whole_, list, sizeof...(counts)), *this;
    }
    template <class T> Benchmark& in_threads(const Series<T>& counts) {
        unsigned list[64];
        for (size_t i = 0; i < counts.size(); ++i) list[i] = static_cast<unsigned>(counts.data()[i]);
        return detail::use_threads(*whole_, list, counts.size()), *this;
    }
    /** The amount that one invocation processes, shown per second beside the time; up to 4. */
    template <class Count> Benchmark& rate(const Text& text, Count per_invocation) {
        static_assert(std::is_arithmetic_v<Count>, "the amount of a rate is a number");
        const double amount = static_cast<double>(per_invocation);
        if (const char* const fault = detail::rate_fault(amount)) return node_->invalid_ = fault, *this;
        for (tare_rate& slot : node_->rates) {
            if (slot.name == nullptr) return slot = {text.get(), amount}, *this;
        }
        return node_->invalid_ = "it has more than 4 rates", *this;
    }
    template <class Count> Benchmark& bytes(Count per_invocation) { return rate("bytes", per_invocation); }
    template <class Count> Benchmark& items(Count per_invocation) { return rate("items", per_invocation); }
    /** The body reports with tare::took() how long it took, and only that counts: time of a device, a part, a simulation. */
    Benchmark& own_time() { return node_->own_time = true, *this; }
    /** CPU time counts instead of wall time: of the thread, or of the process if there are several threads. */
    Benchmark& cpu_time() { return node_->cpu_time = true, *this; }
    /** Each visit has the instance and its state at another address, which shows how it affects the time. */
    Benchmark& memory_randomization() { return node_->memory_randomization = true, *this; }
    /** Before each invocation, all data of the process leaves the caches, unmeasured. One invocation per iteration; Linux. */
    Benchmark& cold_caches() {
        node_->cold_caches = true;
        return node_->steps_ |= TARE_HAS_ITERATION_SET_UP_, *this;
    }
    /** Each invocation intentionally returns something else; it is not compared with others, nor with other contestants. */
    Benchmark& results_change() { return node_->results = TARE_RESULTS_CHANGE, *this; }
    /** It intentionally returns something else than the other contestants of its group. */
    Benchmark& results_differ() { return node_->results = TARE_RESULTS_DIFFER, *this; }
    /** It is listed with this reason, but not measured. */
    Benchmark& skip(const Text& why) { return node_->skip = why.get(), *this; }
    Benchmark& skip_if(bool is_skipped, const Text& why) { return is_skipped ? skip(why) : *this; }
    /** Rules of measuring, which flags of `tare run` override: the length of a visit (1 ms unless set), the time that it warms up,
     *  invocations of an iteration. */
    template <class Duration> Benchmark& visit_time(const Duration& time) {
        if (!(time > Duration::zero())) node_->invalid_ = "visit_time is not above 0";
        return node_->visit_ns = detail::ns_of(time), *this;
    }
    template <class Duration> Benchmark& warm_up_time(const Duration& time) {
        if (!(time >= Duration::zero())) node_->invalid_ = "warm_up_time is less than 0";
        return node_->warmup_ns = detail::ns_of(time), *this;
    }
    template <class Count> Benchmark& invocations(Count count) {
        if (!detail::is_count(count, 1))
            return node_->invalid_ = "invocations is not a whole number of at least 1", *this;
        return node_->invocations = static_cast<uint64_t>(count), *this;
    }
    /** Each invocation is a measurement, including the first one: no warm-up, and none is dropped. */
    Benchmark& monitoring() { return node_->strategy = TARE_MONITORING, *this; }
    /** Only the first invocation of each process is measured. */
    Benchmark& cold_start() { return node_->strategy = TARE_COLD_START, *this; }
    /** An environment variable of the processes that measure it, set before they start; up to 8. */
    Benchmark& environment(const Text& variable, const Text& value) {
        const size_t length = strlen(variable.get()) + strlen(value.get()) + 2;
        char* const text = static_cast<char*>(malloc(length));
        if (text == nullptr) return *this;
        snprintf(text, length, "%s=%s", variable.get(), value.get());
        if (strchr(variable.get(), '=') != nullptr) node_->invalid_ = "the name of a variable has a = in it";
        if (!detail::add_text(node_->environment, text)) node_->invalid_ = "it has more than 8 variables";
        return *this;
    }
    /** An argument of the command line of these processes; up to 8. */
    Benchmark& argument(const Text& text) {
        if (!detail::add_text(node_->arguments, text.get())) node_->invalid_ = "it has more than 8 arguments";
        return *this;
    }

    /** Before the first iteration, after the last; not measured. */
    template <class F> Benchmark& set_up(F f) { return hook(0, std::move(f)); }
    template <class F> Benchmark& clean_up(F f) { return hook(1, std::move(f)); }
    /** Before and after each iteration; not measured. An iteration may be many invocations: see README, "Traps". */
    template <class F> Benchmark& iteration_set_up(F f) { return hook(2, std::move(f)); }
    template <class F> Benchmark& iteration_clean_up(F f) { return hook(3, std::move(f)); }
    /** Where each iteration does another number of operations: called after each, before its clean-up and not measured, it
     *  gives how many each invocation did. More than 0; a fraction where invocations differ. */
    template <class F> Benchmark& iteration_operations(F f) {
        detail::counter<State>(*whole_, std::move(f));
        return *this;
    }

    Benchmark& fed(uint64_t most, size_t size) { // by tare::input
        return node_->is_fed_ = true, node_->fed_max_ = most, node_->fed_size_ = size, *this;
    }

private:
    template <class F> Benchmark& hook(unsigned which, F f) {
        detail::hook<State>(*whole_, which, std::move(f));
        return *this;
    }
    tare_benchmark* node_;
    detail::Node* whole_;
};

/** Several template arguments, used as one in TARE_BENCH_TYPES. */
template <class... Types> struct types {};

/** The result of TARE_BENCH_TYPES: options of all its benchmarks, and the baseline among them. */
template <class... Types> class Benchmarks {
public:
    explicit Benchmarks(tare_benchmark* const (&nodes)[sizeof...(Types)]) {
        for (size_t i = 0; i < sizeof...(Types); ++i) nodes_[i] = nodes[i];
    }
    template <class Type> Benchmarks& baseline() {
        static_assert((std::is_same_v<Type, Types> || ...), "the baseline is one of the types of this list");
        size_t i = 0;
        ((nodes_[i++]->baseline = std::is_same_v<Type, Types>), ...);
        return *this;
    }
    Benchmarks& unit(const Text& text) {
        return set([&](tare_benchmark& it) { it.unit = text.get(); });
    }
    Benchmarks& description(const Text& text) {
        return set([&](tare_benchmark& it) { it.description = text.get(); });
    }
    template <class Count> Benchmarks& operations(Count count) {
        return set([&](tare_benchmark& it) {
            if (const char* const fault = detail::operations_fault(count)) it.invalid_ = fault;
            it.operations = static_cast<uint64_t>(count);
        });
    }
    Benchmarks& results_change() {
        return set([](tare_benchmark& it) { it.results = TARE_RESULTS_CHANGE; });
    }
    Benchmarks& results_differ() {
        return set([](tare_benchmark& it) { it.results = TARE_RESULTS_DIFFER; });
    }
    template <class Count> Benchmarks& bytes(Count amount) { return rate("bytes", amount); }
    template <class Count> Benchmarks& items(Count amount) { return rate("items", amount); }
    template <class Count> Benchmarks& rate(const Text& text, Count per_invocation) {
        static_assert(std::is_arithmetic_v<Count>, "the amount of a rate is a number");
        const double amount = static_cast<double>(per_invocation);
        return set([&](tare_benchmark& it) {
            if (const char* const fault = detail::rate_fault(amount)) it.invalid_ = fault;
            else detail::set_rate(&it, text.get(), amount);
        });
    }
    Benchmarks& diagnose(const Text& text) {
        return set([&](tare_benchmark& it) {
            if (!detail::add_text(it.diagnose, text.get())) it.invalid_ = "it has more than 8 diagnosers";
        });
    }
    Benchmarks& category(const Text& text) {
        return set([&](tare_benchmark& it) {
            for (const char*& slot : it.category) {
                if (slot == nullptr) return void(slot = text.get());
            }
            it.invalid_ = "it has more than 8 categories";
        });
    }

private:
    template <class F> Benchmarks& set(F f) {
        for (tare_benchmark* const it : nodes_) f(*it);
        return *this;
    }
    tare_benchmark* nodes_[sizeof...(Types)];
};

/** The result of TARE_METRIC, for chaining options: `TARE_METRIC("bytes_sent", f).unit("B").lower_is_better();`. */
class Metric {
public:
    explicit Metric(tare_metric* metric) : metric_(metric) {}
    /** The unit of a value: "B" for bytes, else as it is shown. */
    Metric& unit(const Text& text) { return metric_->unit = text.get(), *this; }
    Metric& lower_is_better() { return metric_->better = TARE_LOWER, *this; }
    Metric& higher_is_better() { return metric_->better = TARE_HIGHER, *this; }
    /** The value is shown as it is read after an iteration, as a mean, not as the amount that an operation adds. */
    Metric& per_iteration() { return metric_->per_iteration = true, *this; }
    /** The added amount is shown per second: hits, requests, or anything that varies between iterations. */
    Metric& per_second() { return metric_->per_second = true, *this; }

private:
    tare_metric* metric_;
};

/** The quick style: `#include <tare/bench.hpp>`. */
class Bench;

} // namespace tare

/* TARE_BENCH("group/name", callable): a lambda or any object that can be called. Where its type has them, the methods
 *     set_up, clean_up, iteration_set_up, iteration_clean_up, operations (asked again after set_up) and
 *     iteration_operations are used and its tare::param members make
 *     it a case each.
 * TARE_BENCH(function), TARE_BENCH(&Fixture::method): named by what is written, up to the last "::" is the group. */
#        define TARE_BENCH(...)                                                                                    \
            [[maybe_unused]] static const auto TARE_HERE_(tare_benchmark_) =                                       \
                TARE_CAT_(TARE_BENCH_, TARE_KIND_(TARE_SECOND_(__VA_ARGS__, TARE_LONE_, ~)()))(__VA_ARGS__)
/* TARE_BENCH_TYPES("group", Template, Type, ...): Template<Type>{}() as benchmark "group/Type", for every type; tare::types<A, B> in
 *     place of a type is Template<A, B>. Options are those of all: TARE_BENCH_TYPES(...).baseline<Type>().unit("byte"). */
#        define TARE_BENCH_TYPES(group, body, ...)                                                                 \
            [[maybe_unused]] static const auto TARE_HERE_(tare_benchmark_) =                                       \
                ::tare::detail::add_types<body, __VA_ARGS__>(__FILE__, __LINE__, group, #__VA_ARGS__)

/* TARE_METRIC("name", callable): what `tare run` measures of each iteration beside its time. The callable gives a total that
 *     never falls; what an operation adds to it is shown. It is read before and after each iteration, not while the clock
 *     runs. */
#        define TARE_METRIC(...)                                                                                   \
            [[maybe_unused]] static const auto TARE_CAT_(tare_metric_, __COUNTER__) =                              \
                ::tare::detail::add_metric(__VA_ARGS__)

/* TARE_CONTEXT("name", value): what the program says of the run, such as the data that it works on. It stands above the table,
 *     and in files that have a place for it. tare::context("name", value) says it in main. */
#        define TARE_CONTEXT(...)                                                                                  \
            [[maybe_unused]] static const bool TARE_CAT_(tare_context_of_, __COUNTER__) =                          \
                (::tare::context(__VA_ARGS__), true)

/* ONE when there is a single argument, MANY otherwise, whatever commas a lambda brings. */
#        define TARE_SECOND_(first, second, ...) second
#        define TARE_LONE_() ~, ONE
#        define TARE_KIND_(...) TARE_KIND2_(__VA_ARGS__, MANY, ~)
#        define TARE_KIND2_(...) TARE_SECOND_(__VA_ARGS__)
#        define TARE_BENCH_ONE(...) ::tare::detail::add_constant<(__VA_ARGS__)>(__FILE__, __LINE__, #        __VA_ARGS__)
#        define TARE_BENCH_MANY(...) ::tare::detail::add(__FILE__, __LINE__, __VA_ARGS__)
#    endif /* __cplusplus */

/* ---------------------------------------------------------------------------------------------------- 4 C API */

#    ifndef __cplusplus
/* TARE_C_BENCH("group/name") { ... } or with options: TARE_C_BENCH("group/name", .baseline = true, .set_up = make) */
#        define TARE_C_BENCH(...) TARE_C_BENCH_(TARE_HERE_(tare_body_), __VA_ARGS__)
#        define TARE_C_BENCH_(body, ...)                                                                           \
            static inline __attribute__((always_inline)) void body(bool*);                                         \
            static inline __attribute__((always_inline)) void TARE_CAT_(body, _invoke)(void) {                     \
                bool says = false;                                                                                 \
                body(&says);                                                                                       \
                if (!says) __asm__ volatile("" : : : "memory");                                                    \
            }                                                                                                      \
            static TARE_LOOP_ void TARE_CAT_(body, _loop)(uint64_t turns, unsigned per_turn) {                     \
                TARE_TURNS_(turns, per_turn, TARE_CAT_(body, _invoke)(); TARE_STEP_, (void)0);                     \
            }                                                                                                      \
            static struct tare_benchmark TARE_CAT_(body, _node) = {                                                \
                .file_ = __FILE__, .line_ = __LINE__, .loop_ = TARE_CAT_(body, _loop), .title = __VA_ARGS__};      \
            __attribute__((constructor)) static void TARE_CAT_(body, _add)(void) {                                 \
                tare_c_add_(&TARE_CAT_(body, _node));                                                              \
            }                                                                                                      \
            static inline __attribute__((always_inline)) void body(__attribute__((unused)) bool* tare_says_)

/* TARE_C_METRIC("name", .read = total, .unit = "B", .better = TARE_LOWER); */
#        define TARE_C_METRIC(...) TARE_C_METRIC_(TARE_CAT_(tare_metric_, __COUNTER__), __VA_ARGS__)
#        define TARE_C_METRIC_(metric, ...)                                                                        \
            static struct tare_metric metric = {.read_ = tare_c_read_, .name = __VA_ARGS__};                       \
            __attribute__((constructor)) static void TARE_CAT_(metric, _add)(void) { tare_add_metric_(&metric); }  \
            struct tare_metric

/* What a body writes to memory counts as read, or the compiler would leave out what the next invocation writes again; unless the
   body says itself what is used. The name `tare_says_` is its argument there, and this function in any other. */
static inline __attribute__((always_inline)) void tare_says_(void) {}
static inline __attribute__((always_inline)) void tare_said_(bool* says) { *says = true; }
static inline __attribute__((always_inline)) void tare_said_elsewhere_(void (*says)(void)) { (void)says; }
#        define TARE_SAY_() _Generic((tare_says_), bool* : tare_said_, default : tare_said_elsewhere_)(tare_says_)

/* A value where it is: gcc takes the place that costs nothing, clang the first that there is. On other processors than these two the
   place of a float is memory. */
#        if defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__))
#            define TARE_C_IS_FLOAT_(value)                                                                        \
                (__builtin_types_compatible_p(__typeof__(value), double) ||                                        \
                 __builtin_types_compatible_p(__typeof__(value), float))
#            define TARE_C_FLOAT_(value) __builtin_choose_expr(TARE_C_IS_FLOAT_(value), (value), 0.0)
#            define TARE_C_KEEP_(value)                                                                            \
                if (TARE_C_IS_FLOAT_(value))                                                                       \
                    __asm__ volatile("" : : TARE_FLOAT_(TARE_C_FLOAT_(value)) : "memory");                         \
                else __asm__ volatile("" : : TARE_ANYWHERE_(value) : "memory")
#            define TARE_C_KEEP_STATE_(value)                                                                      \
                if (TARE_C_IS_FLOAT_(value)) {                                                                     \
                    __typeof__(TARE_C_FLOAT_(value)) tare_float_ = TARE_C_FLOAT_(value);                           \
                    TARE_KEEP_STATE_("+" TARE_FLOAT_, tare_float_);                                                \
                    (value) = __builtin_choose_expr(TARE_C_IS_FLOAT_(value), tare_float_, (value));                \
                } else TARE_KEEP_STATE_("+r", value)
#        else
#            define TARE_C_KEEP_(value) __asm__ volatile("" : : "m,r," TARE_FLOAT_(value) : "memory")
#            define TARE_C_KEEP_STATE_(value) TARE_KEEP_STATE_("+m,r," TARE_FLOAT_, value)
#        endif
/* The sink for a number or pointer: it has to be made; what is in memory is forgotten. */
#        define tare_keep(value)                                                                                   \
            do {                                                                                                   \
                TARE_SAY_();                                                                                       \
                const __typeof__((value)) tare_kept_ = (value);                                                    \
                TARE_C_KEEP_(tare_kept_);                                                                          \
            } while (0)
/* For a state that the next invocation goes on from; nothing is forced to memory, and none is forgotten. */
#        define tare_keep_state(variable)                                                                          \
            do {                                                                                                   \
                TARE_SAY_();                                                                                       \
                __typeof__(variable) tare_kept_ = (variable);                                                      \
                TARE_C_KEEP_STATE_(tare_kept_);                                                                    \
                (variable) = tare_kept_;                                                                           \
            } while (0)
/* The sink for `size` bytes in memory, and all that they point to. */
#        define tare_keep_memory(pointer, size) (TARE_SAY_(), tare_keep_memory_((pointer), (size)))
static inline __attribute__((unused)) void tare_keep_memory_(const void* pointer, size_t size) {
    (void)size;
    __asm__ volatile("" : : "r"(pointer) : "memory");
}

static __attribute__((unused)) double tare_c_read_(struct tare_metric* self) { return self->read(); }
static __attribute__((unused)) TARE_LOOP_ void tare_c_overhead_(uint64_t turns, unsigned per_turn) {
    TARE_TURNS_(turns, per_turn, TARE_EMPTY_STEP_(per_turn), (void)0);
}
static __attribute__((unused)) void tare_c_run_(void (*loop)(uint64_t, unsigned), uint64_t count,
                                                unsigned per_turn) {
    if (tare_state_.is_single) per_turn = 1;
    if (per_turn != 1 && count % per_turn != 0) loop(count % per_turn, 1);
    loop(tare_turns_(count, per_turn), per_turn);
}
static __attribute__((unused)) bool tare_c_act_(struct tare_benchmark* self, enum tare_act_ act, uint64_t count) {
    void (*step)(void) = NULL;
    switch (act) {
    case TARE_SET_UP_: step = self->set_up; break;
    case TARE_ITERATION_SET_UP_: step = self->iteration_set_up; break;
    case TARE_WORKLOAD_: tare_c_run_(self->loop_, count, TARE_UNROLL); break;
    case TARE_ROLLED_: tare_c_run_(self->loop_, count, TARE_ROLLED_UNROLL); break;
    case TARE_OVERHEAD_: tare_c_run_(tare_c_overhead_, count, TARE_UNROLL); break;
    case TARE_CHECK_:
        self->loop_(1, 1);
        if (self->result == NULL || tare_state_.has_failed) break;
        tare_state_.checked.digest = TARE_DIGEST_START_;
        step = self->result;
        break;
    case TARE_ITERATION_OPERATIONS_: self->operations_ = self->iteration_operations(); break;
    case TARE_ITERATION_CLEAN_UP_: step = self->iteration_clean_up; break;
    case TARE_CLEAN_UP_: step = self->clean_up; break;
    case TARE_MAKE_:
    case TARE_COUNT_:
    case TARE_DROP_: break;
    }
    if (step != NULL) step();
    return !tare_state_.has_failed;
}
static __attribute__((unused)) void tare_c_add_(struct tare_benchmark* it) {
    it->act_ = tare_c_act_;
    it->loop_at_ = (uint64_t)(uintptr_t)it->loop_;
    for (unsigned i = 0; i < TARE_MAX_LAUNCH_ && it->environment[i] != NULL; ++i) {
        if (strchr(it->environment[i], '=') == NULL) it->invalid_ = "an entry of environment is not NAME=VALUE";
    }
    if (it->invocations_max > INT64_MAX) it->invalid_ = "invocations_max is less than 1";
    if (it->operations > INT64_MAX) it->invalid_ = "operations is less than 1: an invocation does at least one";
    if (it->invocations > INT64_MAX) it->invalid_ = "invocations is less than 0";
    if (it->visit_ns > INT64_MAX || it->warmup_ns > INT64_MAX)
        it->invalid_ = "visit_ns or warmup_ns is less than 0";
    for (unsigned i = 0; i < TARE_MAX_RATES_; ++i) {
        const double amount = it->rates[i].per_invocation;
        if (!(amount >= 0 && amount <= 1e300)) it->invalid_ = "the amount of a rate is not a number of at least 0";
    }
    it->steps_ = (it->set_up ? TARE_HAS_SET_UP_ : 0u) | (it->clean_up ? TARE_HAS_CLEAN_UP_ : 0u) |
                 (it->iteration_set_up || it->cold_caches ? TARE_HAS_ITERATION_SET_UP_ : 0u) |
                 (it->iteration_clean_up ? TARE_HAS_ITERATION_CLEAN_UP_ : 0u) |
                 (it->iteration_operations ? TARE_HAS_ITERATION_OPERATIONS_ : 0u);
    it->returns_ = it->result != NULL;
    tare_add_(it);
}
/* What the body made, as a number, truth value or text; for the function that the option `result` names. */
static inline __attribute__((unused)) void tare_tell_text_(struct tare_text_* text, const char* string) {
    if (string == NULL) text->digest = 0; /* nothing: no text */
    else tare_text_say_(text, string);
}
#        define tare_tell(value)                                                                                   \
            _Generic((value), bool                                                                                 \
                     : tare_text_bool_, float                                                                      \
                     : tare_text_double_, double                                                                   \
                     : tare_text_double_, char*                                                                    \
                     : tare_tell_text_, const char*                                                                \
                     : tare_tell_text_, signed char                                                                \
                     : tare_text_signed_, short                                                                    \
                     : tare_text_signed_, int                                                                      \
                     : tare_text_signed_, long                                                                     \
                     : tare_text_signed_, long long                                                                \
                     : tare_text_signed_, default                                                                  \
                     : tare_text_unsigned_)(&tare_state_.checked, (value))
#    endif /* !__cplusplus */

#    ifdef __cplusplus
/* -------------------------------------------------------------------------------- 5 the measured loops of C++ */

namespace tare {
namespace detail {

template <class T> constexpr bool fits_general_register() {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || std::is_pointer_v<T>)
        return sizeof(T) <= sizeof(void*);
    else if constexpr (std::is_class_v<T>)
        return std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T> &&
               !std::is_empty_v<T> && sizeof(T) <= sizeof(void*) && (sizeof(T) & (sizeof(T) - 1)) == 0;
    else return false;
}
template <class T> constexpr bool fits_float_register() {
    return std::is_same_v<T, float> || std::is_same_v<T, double>;
}

// The state that a body takes as its argument, by any reference or as a copy; or void.
template <class T> struct Argument { using type = void; };
template <class C, class R, class S> struct Argument<R (C::*)(S)> { using type = std::decay_t<S>; };
template <class C, class R, class S> struct Argument<R (C::*)(S) const> { using type = std::decay_t<S>; };
template <class C, class R, class S> struct Argument<R (C::*)(S) noexcept> { using type = std::decay_t<S>; };
template <class C, class R, class S> struct Argument<R (C::*)(S) const noexcept> { using type = std::decay_t<S>; };
template <class Body, class = void> struct CallOf { using type = void; };
template <class Body> struct CallOf<Body, std::void_t<decltype(&Body::operator())>> {
    using type = decltype(&Body::operator());
};
// std::is_invocable takes the compiler several times as long.
template <class Body, class = void> struct IsCalled : std::false_type {};
template <class Body> struct IsCalled<Body, std::void_t<decltype(std::declval<Body&>()())>> : std::true_type {};
template <class Body, bool = IsCalled<Body>::value> struct StateOf { using type = void; };
template <class Body> struct StateOf<Body, false> {
    using type = typename Argument<typename CallOf<Body>::type>::type;
    static_assert(!std::is_void_v<type>,
                  "a body takes no argument, or its state; one that takes `auto&` has its set-up as the "
                  "third argument: TARE_BENCH(name, body, set_up)");
};

template <class Body, class State> TARE_INLINE_ decltype(auto) invoke(Body& body, [[maybe_unused]] State* state) {
    if constexpr (std::is_void_v<State>) return body();
    else return body(*state);
}
template <class Body, class State> struct ReturnOf {
    using type = decltype(std::declval<Body&>()(std::declval<State&>()));
};
template <class Body> struct ReturnOf<Body, void> { using type = decltype(std::declval<Body&>()()); };
template <class Body, class State> using ResultOf = typename ReturnOf<Body, State>::type;

// What a body without a result writes to memory counts as read, or the compiler would leave out what the next invocation writes again.
// One that captured a number or two may hold a state in registers, where it stays if the body says so: by keep_state(), or another mark.
template <class Body, class State> constexpr bool is_register_state() {
    using Kept = std::conditional_t<std::is_void_v<State>, Body, State>;
    if constexpr (std::is_empty_v<Kept>) return false;
    else return std::is_trivially_copyable_v<Kept> && sizeof(Kept) <= 8 * sizeof(void*);
}
// keep() and clobber() of the loop: they are no marks of the body, and a mark takes a compiler longer than an addition.
template <class Value> TARE_INLINE_ void sink(const Value& value) {
#        if defined(__GNUC__)
    if constexpr (fits_float_register<Value>()) {
        Value copy = value;
        __asm__ volatile("" : : TARE_FLOAT_(copy) : "memory");
    } else if constexpr (fits_general_register<Value>()) {
        Value copy = value;
        if constexpr (std::is_class_v<Value>) __asm__ volatile("" : : TARE_ANYWHERE_(copy) : "memory");
        else __asm__ volatile("" : : "r"(copy) : "memory");
    } else if constexpr (std::is_member_pointer_v<Value>) {
        __asm__ volatile("" : : "r"(__builtin_addressof(value)) : "memory"); // clang refuses it as an operand
    } else {
        __asm__ volatile("" : : "m"(value) : "memory");
    }
#        else
    keep(value);
#        endif
}
TARE_INLINE_ void forget() {
#        if defined(__GNUC__)
    __asm__ volatile("" : : : "memory");
#        else
    clobber();
#        endif
}
// Gives a value of the same kind to the same sink, and does nothing to make it.
template <class Value> struct Overhead {
    TARE_INLINE_ void operator()() const {
#        if defined(__GNUC__)
        if constexpr (fits_general_register<Value>()) {
            std::conditional_t<sizeof(Value) == 8, uint64_t, uint32_t>
                nothing; // any bits would be no bool, no enum
            __asm__ volatile("" : "=r"(nothing));
            sink(nothing);
        } else if constexpr (fits_float_register<Value>()) {
            Value nothing;
            __asm__ volatile("" : "=" TARE_FLOAT_(nothing));
            sink(nothing);
        } else if constexpr (!std::is_void_v<Value>) {
            forget();
        }
#        endif
    }
};

// Says what the body returned.
using Say = void(const void* result);
// `forgets`: what a body without a result writes counts as read; `say` is called with the result of a turn of one invocation.
using Loop = void(void* body, void* state, uint64_t turns, unsigned per_turn, bool forgets, Say* say);

// A number goes to `say` as a copy, or it would have to be in memory in every invocation.
template <class Value> TARE_INLINE_ void say_result(Say* say, const Value& result) {
    if constexpr (fits_general_register<Value>() || fits_float_register<Value>()) {
        const Value copy = result;
        say(&copy);
    } else {
        say(__builtin_addressof(result));
    }
}

// What a body returned; what is read from a volatile variable is a value.
template <class Returned, bool is_volatile = std::is_volatile_v<std::remove_reference_t<Returned>>> struct Held {
    using type = Returned;
};
template <class Returned> struct Held<Returned, true> {
    using type = std::decay_t<Returned>;
    static_assert(std::is_scalar_v<type>, "the body returns a volatile object: return a member of it, or a copy");
};
template <class Returned> using HeldOf = typename Held<Returned>::type;

// The body is read through the reference, so that what it captured is unknown here, and read anew whenever memory is
// forgotten. A copy in a local variable would keep a state in a register, and take the work on captured constants out of
// the loop. Of a body that may hold a state in registers there are two loops, which are copied after inlining as well.
template <class Body, class State>
TARE_LOOP_ void loop(void* body, void* state, uint64_t turns, unsigned per_turn, [[maybe_unused]] bool forgets,
                     [[maybe_unused]] Say* say) {
    Body& it = *static_cast<Body*>(body);
    State* const of = static_cast<State*>(state);
    using Returned = ResultOf<Body, State>;
    if constexpr (!std::is_void_v<Returned>) {
        using Value =
            std::decay_t<Returned>; // not of a variable: gcc then takes time by the square of their number
        if constexpr (TARE_LEAVES_ && (fits_general_register<Value>() || fits_float_register<Value>())) {
            TARE_TURNS_(turns, per_turn, HeldOf<Returned> result = invoke(it, of);
                        sink<Value>(result),
                        if (i_ == 0 && TARE_UNLIKELY_(say != nullptr)) say_result<Value>(say, result));
        } else { // its destructor has one place of call as well
            TARE_TURNS_(
                turns, per_turn,
                {
                    HeldOf<Returned> result = invoke(it, of);
                    sink<std::remove_cv_t<std::remove_reference_t<Returned>>>(result);
                    if (i_ == 0 && per_turn == 1 && TARE_UNLIKELY_(say != nullptr)) say_result<Value>(say, result);
                },
                (void)0);
        }
    } else if constexpr (is_register_state<Body, State>()) {
        TARE_TWICE_
        for (unsigned which = 0; which < 2; ++which) {
            TARE_TURNS_(
                which == unsigned{forgets} ? turns : 0, per_turn,
                {
                    invoke(it, of);
                    if (which == 1) forget();
                    else TARE_STEP_;
                },
                (void)0);
        }
    } else {
        TARE_TURNS_(
            turns, per_turn,
            {
                invoke(it, of);
                forget();
            },
            (void)0);
    }
}
/* It asks in each turn what the loop of a body asks there, so that both have the same instructions beside the body. */
template <class Value>
TARE_LOOP_ void overhead_loop(void*, void*, uint64_t turns, unsigned per_turn, bool, [[maybe_unused]] Say* say) {
    if constexpr (std::is_void_v<Value>) {
        TARE_TURNS_(turns, per_turn, TARE_EMPTY_STEP_(per_turn), (void)0);
    } else if constexpr (TARE_LEAVES_ && (fits_general_register<Value>() || fits_float_register<Value>())) {
        TARE_TURNS_(turns, per_turn, Overhead<Value>{}(); TARE_EMPTY_STEP_(per_turn),
                                                          if (i_ == 0 && TARE_UNLIKELY_(say != nullptr))
                                                              TARE_EMPTY_STEP_(per_turn));
    } else {
        TARE_TURNS_(turns, per_turn, Overhead<Value>{}(); TARE_EMPTY_STEP_(per_turn), (void)0);
    }
}

// ---- values as text: for `check` and for the names of parameter values

template <class T, class = void> struct HasToText : std::false_type {};
template <class T>
struct HasToText<T, std::void_t<decltype(to_text(std::declval<const T&>()))>> : std::true_type {};
template <class T, class = void> struct IsString : std::false_type {};
template <class T>
struct IsString<T, std::void_t<decltype(std::declval<const T&>().size()),
                               decltype(static_cast<const char*>(std::declval<const T&>().data()))>>
    : std::true_type {};
template <class T, class = void> struct IsRange : std::false_type {};
template <class T>
struct IsRange<T,
               std::void_t<decltype(*std::declval<const T&>().begin()), decltype(std::declval<const T&>().end())>>
    : std::true_type {};
template <class T, class = void> struct IsPair : std::false_type {};
template <class T>
struct IsPair<T, std::void_t<decltype(std::declval<const T&>().first), decltype(std::declval<const T&>().second)>>
    : std::true_type {};
template <class T, class = void> struct IsHashed : std::false_type {};
template <class T>
struct IsHashed<T, std::void_t<decltype(std::declval<const T&>().bucket_count())>> : std::true_type {};
template <class T, class = void> struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<T,
                  std::void_t<decltype(*std::declval<const T&>()), decltype(std::declval<const T&>().has_value())>>
    : std::true_type {};
template <class T, class = void> struct IsTuple : std::false_type {};
template <class T> struct IsTuple<T, std::void_t<decltype(std::tuple_size<T>::value)>> : std::true_type {};
template <class T> using Element = std::decay_t<decltype(*std::declval<const T&>().begin())>;
template <class T, class I> struct EachHasText;
template <class T> constexpr bool has_text();
template <class T, size_t... I> struct EachHasText<T, std::index_sequence<I...>> {
    static constexpr bool value = (has_text<std::decay_t<std::tuple_element_t<I, T>>>() && ...);
};

template <class T> constexpr bool has_text() {
    if constexpr (HasToText<T>::value || IsString<T>::value || std::is_enum_v<T>) return true;
    else if constexpr (std::is_integral_v<T>) return sizeof(T) <= sizeof(long long);
    else if constexpr (std::is_arithmetic_v<T>) return true;
    else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) return true;
    else if constexpr (IsOptional<T>::value) return has_text<std::decay_t<decltype(*std::declval<const T&>())>>();
    else if constexpr (IsPair<T>::value)
        return has_text<std::decay_t<decltype(T::first)>>() && has_text<std::decay_t<decltype(T::second)>>();
    else if constexpr (IsRange<T>::value) {
        if constexpr (std::is_same_v<Element<T>, T> || IsHashed<T>::value)
            return false; // a path is a range of paths; the order of a hash table means nothing
        else return has_text<Element<T>>();
    } else if constexpr (IsTuple<T>::value)
        return EachHasText<T, std::make_index_sequence<std::tuple_size<T>::value>>::value;
    else return false;
}
inline void describe_string(tare_text_& text, const char* bytes, size_t length, bool is_inside) {
    if (is_inside) tare_text_quote_(&text, bytes, length);
    else tare_text_put_(&text, bytes, length);
}
template <class T, size_t... I> void describe_tuple(tare_text_& text, const T& value, std::index_sequence<I...>) {
    using std::get;
    (((I != 0 ? tare_text_say_(&text, ",") : void()), describe(text, get<I>(value), true)), ...);
}
// The text of spec/protocol.md, R21. False: there is nothing, which has no text; within a list that is null.
template <class T> bool describe(tare_text_& text, const T& value, bool is_inside) {
    if constexpr (HasToText<T>::value) {
        return describe(text, to_text(value), is_inside);
    } else if constexpr (std::is_same_v<T, bool>) {
        tare_text_bool_(&text, value);
    } else if constexpr (std::is_same_v<T, char>) {
        describe_string(text, &value, 1, is_inside);
    } else if constexpr (std::is_enum_v<T>) {
        return describe(text, static_cast<std::underlying_type_t<T>>(value), is_inside);
    } else if constexpr (std::is_floating_point_v<T>) {
        tare_text_double_(&text, static_cast<double>(value));
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        tare_text_signed_(&text, static_cast<long long>(value));
    } else if constexpr (std::is_integral_v<T>) {
        tare_text_unsigned_(&text, static_cast<unsigned long long>(value));
    } else if constexpr (IsString<T>::value) {
        describe_string(text, value.data(), value.size(), is_inside);
    } else if constexpr (std::is_pointer_v<T>) {
        if (value != nullptr) describe_string(text, value, strlen(value), is_inside);
        else if (is_inside) tare_text_say_(&text, "null");
        return value != nullptr;
    } else if constexpr (IsOptional<T>::value) {
        if (value.has_value()) return describe(text, *value, is_inside);
        if (is_inside) tare_text_say_(&text, "null");
        return false;
    } else if constexpr (IsPair<T>::value) {
        tare_text_say_(&text, "[");
        describe(text, value.first, true);
        tare_text_say_(&text, ",");
        describe(text, value.second, true);
        tare_text_say_(&text, "]");
    } else if constexpr (IsRange<T>::value) {
        const char* before = "[";
        for (const auto& element : value) {
            tare_text_say_(&text, before);
            describe<Element<T>>(text, element, true);
            before = ",";
        }
        tare_text_say_(&text, *before == '[' ? "[]" : "]");
    } else {
        tare_text_say_(&text, "[");
        describe_tuple(text, value, std::make_index_sequence<std::tuple_size<T>::value>());
        tare_text_say_(&text, "]");
    }
    return true;
}

// The type of a parameter, in the protocol's words.
template <class T> const char* type_of() {
    if constexpr (std::is_same_v<T, bool>) return "boolean";
    else if constexpr (std::is_floating_point_v<T>) return "float";
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>) return "integer";
    else return "text";
}

// The value that a text means: a number, a truth value, a text, or one of the declared values. False: none.
template <class T> bool read(const char* text, const T* declared, size_t count, T& value) {
    char* end = nullptr;
    errno = 0;
    if constexpr (std::is_same_v<T, bool>) {
        value = strcmp(text, "true") == 0;
        return value || strcmp(text, "false") == 0;
    } else if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(strtod(text, &end));
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char> && std::is_signed_v<T>) {
        const long long number = strtoll(text, &end, 10);
        value = static_cast<T>(number);
        if (value != number) return false;
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char>) {
        const unsigned long long number = strtoull(text, &end, 10);
        value = static_cast<T>(number);
        if (value != number || *text == '-') return false;
    } else if constexpr (std::is_same_v<T, const char*> ||
                         (IsString<T>::value && std::is_constructible_v<T, const char*>)) {
        value = T(tare_keep_text_(text, strlen(text)));
        return true;
    } else if constexpr (has_text<T>()) {
        for (size_t i = 0; i < count; ++i) {
            char bytes[256];
            tare_text_ written = {TARE_DIGEST_START_, 0, sizeof bytes, bytes, false};
            if (!describe(written, declared[i]) || strcmp(bytes, text) != 0) continue;
            value = declared[i];
            return true;
        }
        return false;
    } else {
        return false;
    }
    return end != text && *end == 0 && errno == 0 && *text != ' ' && *text != '+';
}

// ---- set-ups, found in the type of the body

#        define TARE_DETECT_(Name, method)                                                                         \
            template <class T, class = void> struct Name : std::false_type {};                                     \
            template <class T>                                                                                     \
            struct Name<T, std::void_t<decltype(std::declval<T&>().method())>> : std::true_type {}
TARE_DETECT_(HasSetUp, set_up);
TARE_DETECT_(HasCleanUp, clean_up);
TARE_DETECT_(HasIterationSetUp, iteration_set_up);
TARE_DETECT_(HasIterationCleanUp, iteration_clean_up);
TARE_DETECT_(HasOperations, operations);
TARE_DETECT_(HasBytes, bytes);
TARE_DETECT_(HasItems, items);
TARE_DETECT_(HasIterationOperations, iteration_operations);
#        undef TARE_DETECT_
// One look for all of these names, which most bodies have none of: where a body has one, it is not clear whose is meant.
struct Names {
    int set_up, clean_up, iteration_set_up, iteration_clean_up, operations, bytes, items, iteration_operations;
};
template <class T> struct Both : T, Names {};
template <class T, class = void> struct HasMethods : std::true_type {};
template <class T>
struct HasMethods<
    T, std::void_t<decltype(&Both<T>::set_up), decltype(&Both<T>::clean_up), decltype(&Both<T>::iteration_set_up),
                   decltype(&Both<T>::iteration_clean_up), decltype(&Both<T>::operations),
                   decltype(&Both<T>::bytes), decltype(&Both<T>::items), decltype(&Both<T>::iteration_operations)>>
    : std::false_type {};

inline void failed(const char* type, const char* message) {
    tare_state_.has_failed = false;
    tare_fail(message);
    snprintf(tare_state_.type, sizeof tare_state_.type, "%s", type);
}
#        if defined(__cpp_exceptions)
inline void failed(const std::exception& error) {
#            if defined(__cpp_rtti) && defined(__GNUC__)
    int status = 0;
    char* const name = abi::__cxa_demangle(typeid(error).name(), nullptr, nullptr, &status);
    failed(name == nullptr ? typeid(error).name() : name, error.what());
    free(name);
#            else
    failed("", error.what());
#            endif
}
#        endif

// What the type of a body brings, as functions of untyped pointers. All that does not depend on the type is compiled once, which
// is most of what a benchmark costs the compiler.
struct Kind {
    Loop *loop, *overhead;
    Say* say;                             // null: the result has no text
    void* (*make)(const void* prototype); // null: all instances are alike
    void (*drop)(void* body);
    void* (*make_state)(); // null: there is none, or a set-up makes it
    void (*drop_state)(void* state);
    void (*step[4])(void* body); // methods of its own
    void (*count)(void* body, tare_benchmark* node);
    void (*count_iteration)(void* body, tare_benchmark* node);
    const char* fault; // what it returns is work that nobody does; null: it is not
    bool has_state, returns, is_made;
    bool (*has_mark)(Loop* loop); // whether a mark in its loop says what is used; null: it cannot
};
// A benchmark. A registered one makes an instance for every `open`, as a copy of what was registered or by default; the
// quick style sets `body` to what stands in the caller and never makes one.
struct Node final : tare_benchmark {
    struct Hook {
        void* object;
        void (*call)(void* object, Node& node);
    };
    const Kind* kind = nullptr;
    void* body = nullptr;
    void* state = nullptr;
    const void* prototype = nullptr;
    Hook hooks[4] = {}, its_counter = {};
    Series<unsigned> teams;      // numbers of threads, each of them a case; none: this thread alone
    struct Team* team = nullptr; // of this instance
    enum { UNKNOWN, FORGETS, KEEPS } memory = UNKNOWN; // of its loop: whether what the body writes counts as read
    void (*in_team)(Node& node, uint64_t count, unsigned per_turn) = nullptr;
    void (*change_team)(Node& node, bool starts) = nullptr;
    void (*choose_team)(Node& node) = nullptr;
    Node() : tare_benchmark() {}
};
void perform(Node& node, tare_act_ act, uint64_t count);
TARE_FUNCTION_ TARE_NOINLINE_ bool act(tare_benchmark* self, tare_act_ which, uint64_t count) {
    Node& node = *static_cast<Node*>(self);
#        if defined(__cpp_exceptions)
    try {
        perform(node, which, count);
    } catch (const std::exception& error) { failed(error); } catch (...) {
        failed("", "an exception that is not a std::exception");
    }
#        else
    perform(node, which, count);
#        endif
    return !tare_state_.has_failed;
}
TARE_ENGINE_ void fill(Node& node, const Kind* kind, const char* file, int line, const char* title) {
    node.title = title;
    node.file_ = file;
    node.line_ = line;
    node.kind = kind;
    node.loop_at_ = uint64_t{reinterpret_cast<uintptr_t>(kind->loop)};
    node.returns_ = kind->returns;
    node.invalid_ = kind->fault;
    node.act_ = act;
    static const unsigned order[] = {TARE_HAS_SET_UP_, TARE_HAS_CLEAN_UP_, TARE_HAS_ITERATION_SET_UP_,
                                     TARE_HAS_ITERATION_CLEAN_UP_};
    for (unsigned i = 0; i < 4; ++i) node.steps_ |= kind->step[i] == nullptr ? 0u : order[i];
    if (kind->count_iteration != nullptr) node.steps_ |= TARE_HAS_ITERATION_OPERATIONS_;
}
TARE_ENGINE_ void make(Node& node) {
    const Kind& kind = *node.kind;
    node.body = kind.make != nullptr ? kind.make(node.prototype) : const_cast<void*>(node.prototype);
    if (kind.make_state != nullptr) node.state = kind.make_state();
    if (node.choose_team != nullptr) node.choose_team(node);
    if (kind.count != nullptr) kind.count(node.body, &node);
}
TARE_ENGINE_ void drop(Node& node) {
    if (node.team != nullptr) node.change_team(node, false);
    if (node.state != nullptr) node.kind->drop_state(node.state);
    if (node.body != nullptr && node.body != node.prototype) node.kind->drop(node.body);
    node.state = node.body = nullptr;
}
TARE_ENGINE_ void step(Node& node, unsigned which, bool is_own_first) {
    for (unsigned turn = 0; turn < 2; ++turn) {
        if ((turn == 0) == is_own_first) {
            if (node.kind->step[which] != nullptr) node.kind->step[which](node.body);
        } else if (node.hooks[which].call != nullptr) {
            node.hooks[which].call(node.hooks[which].object, node);
        }
    }
    if (which == 0 && node.kind->has_state && node.state == nullptr)
        tare_fail("its state has no default constructor: give it a set_up that returns one");
    if (which == 0 && node.change_team != nullptr && !tare_state_.has_failed) node.change_team(node, true);
}
// Whether there is a mark in the machine code of `loop`. Where its function cannot be found there is none.
TARE_ENGINE_ TARE_HIDDEN_ bool has_mark([[maybe_unused]] Loop* loop) {
#        if TARE_HAS_MARKS_
    const uintptr_t start = reinterpret_cast<uintptr_t>(loop), most = 1u << 20;
    for (const int32_t* mark = tare_marks_begin_; mark != tare_marks_end_; ++mark) {
        const uintptr_t place = reinterpret_cast<uintptr_t>(mark) + static_cast<uintptr_t>(intptr_t{*mark});
        if (place - start >= most) continue; // far away, or before it
        if (_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(place + 1)) == reinterpret_cast<void*>(start))
            return true;
    }
#        endif
    return false;
}
inline bool forgets(Node& node) {
    if (node.memory == Node::UNKNOWN)
        node.memory =
            node.kind->has_mark != nullptr && node.kind->has_mark(node.kind->loop) ? Node::KEEPS : Node::FORGETS;
    return node.memory == Node::FORGETS;
}
// `count` invocations, so many of them per turn.
inline void run_turns(Loop* loop, Node& node, uint64_t count, unsigned per_turn) {
    const bool is_forgotten = node.memory != Node::KEEPS;
    if (per_turn != 1 && count % per_turn != 0)
        loop(node.body, node.state, count % per_turn, 1, is_forgotten, nullptr);
    loop(node.body, node.state, tare_turns_(count, per_turn), per_turn, is_forgotten, nullptr);
}
inline void run(Node& node, tare_act_ act, uint64_t count) {
    unsigned per_turn = act == TARE_ROLLED_ ? TARE_ROLLED_UNROLL : TARE_UNROLL;
    (void)forgets(node);
    if (tare_state_.is_single) per_turn = 1;
    if (act == TARE_OVERHEAD_) run_turns(node.kind->overhead, node, count, per_turn);
    else if (node.team != nullptr) node.in_team(node, count, per_turn);
    else run_turns(node.kind->loop, node, count, per_turn);
}
inline void perform(Node& node, tare_act_ act, uint64_t count) {
    const Kind& kind = *node.kind;
    switch (act) {
    case TARE_MAKE_: return make(node);
    case TARE_COUNT_: return kind.count == nullptr ? void() : kind.count(node.body, &node);
    case TARE_SET_UP_: return step(node, 0, true);
    case TARE_ITERATION_SET_UP_: return step(node, 2, true);
    case TARE_WORKLOAD_:
    case TARE_ROLLED_:
    case TARE_OVERHEAD_: return run(node, act, count);
    case TARE_CHECK_: return kind.loop(node.body, node.state, 1, 1, forgets(node), kind.say);
    case TARE_ITERATION_OPERATIONS_:
        return node.its_counter.call != nullptr ? node.its_counter.call(node.its_counter.object, node)
                                                : kind.count_iteration(node.body, &node);
    case TARE_ITERATION_CLEAN_UP_: return step(node, 3, false);
    case TARE_CLEAN_UP_: return step(node, 1, false);
    case TARE_DROP_: return drop(node);
    }
}

template <class State, class F> void hook(Node& node, unsigned which, F f) {
    node.steps_ |= 1u << which;
    node.hooks[which].object = new F(std::move(f));
    node.hooks[which].call = [](void* object, [[maybe_unused]] Node& of) {
        F& function = *static_cast<F*>(object);
        if constexpr (std::is_void_v<State>) {
            function();
        } else if constexpr (std::is_invocable_v<F&, State&>) {
            if (of.state != nullptr) function(*static_cast<State*>(of.state));
        } else if constexpr (std::is_void_v<std::invoke_result_t<F&>>) {
            function();
        } else if constexpr (std::is_move_assignable_v<State>) {
            if (of.state == nullptr) of.state = new State(function());
            else *static_cast<State*>(of.state) = function();
        } else {
            State* const made = new State(function());
            delete static_cast<State*>(of.state);
            of.state = made;
        }
    };
}
template <class State, class F> void counter(Node& node, F f) {
    node.steps_ |= TARE_HAS_ITERATION_OPERATIONS_;
    node.its_counter.object = new F(std::move(f));
    node.its_counter.call = [](void* object, Node& of) {
        F& function = *static_cast<F*>(object);
        if constexpr (std::is_void_v<State>) of.operations_ = static_cast<double>(function());
        else if constexpr (!std::is_invocable_v<F&, State&>) of.operations_ = static_cast<double>(function());
        else if (of.state != nullptr)
            of.operations_ = static_cast<double>(function(*static_cast<State*>(of.state)));
    };
}

#        if TARE_POSIX_
// Threads that run a body in step: this one, and others that sleep between iterations and are awake before the clock is read.
struct Team {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Node* node;
    unsigned size, number;        // of threads; of the iteration
    unsigned awake, ended, begun; // atomic
    uint64_t count;
    unsigned per_turn;
    bool is_over, is_ready, has_failed;
    char message[400];
    pthread_t threads[256];
};
struct Member {
    Team* team;
    unsigned index;
};
inline void wait_for(const unsigned& counter, unsigned value) {
    for (unsigned turn = 0; __atomic_load_n(&counter, __ATOMIC_ACQUIRE) != value; ++turn) {
        if (turn > 2000) sched_yield();
    }
}
inline void run_member(Team& team) {
    Node& node = *team.node;
#            if defined(__cpp_exceptions)
    try {
        return run_turns(node.kind->loop, node, team.count, team.per_turn);
    } catch (const std::exception& error) {
        pthread_mutex_lock(&team.lock);
        if (!team.has_failed) snprintf(team.message, sizeof team.message, "on a thread: %s", error.what());
    } catch (...) {
        pthread_mutex_lock(&team.lock);
        if (!team.has_failed)
            snprintf(team.message, sizeof team.message, "on a thread: an exception that is not a std::exception");
    }
    team.has_failed = true;
    pthread_mutex_unlock(&team.lock);
#            else
    run_turns(node.kind->loop, node, team.count, team.per_turn);
#            endif
}
TARE_ENGINE_ void* be_member(void* argument) {
    const Member it = *static_cast<Member*>(argument);
    Team& team = *it.team;
    delete static_cast<Member*>(argument);
    thread_index = it.index;
    thread_count = team.size;
    for (unsigned last = 0;;) {
        pthread_mutex_lock(&team.lock);
        while (team.number == last && !team.is_over) pthread_cond_wait(&team.changed, &team.lock);
        const bool is_over = team.is_over;
        last = team.number;
        pthread_mutex_unlock(&team.lock);
        if (is_over) return nullptr;
        __atomic_fetch_add(&team.awake, 1u, __ATOMIC_RELEASE);
        wait_for(team.begun, last);
        run_member(team);
        __atomic_fetch_add(&team.ended, 1u, __ATOMIC_RELEASE);
    }
}
TARE_ENGINE_ void wake_team(tare_benchmark* self) {
    Team* const team = static_cast<Node*>(self)->team;
    if (team == nullptr || team->is_ready) return;
    team->is_ready = true;
    __atomic_store_n(&team->awake, 0u, __ATOMIC_RELEASE);
    __atomic_store_n(&team->ended, 0u, __ATOMIC_RELEASE);
    pthread_mutex_lock(&team->lock);
    ++team->number;
    pthread_cond_broadcast(&team->changed);
    pthread_mutex_unlock(&team->lock);
    wait_for(team->awake, team->size - 1);
}
inline void run_team(Node& node, uint64_t count, unsigned per_turn) {
    Team& team = *node.team;
    wake_team(&node); // unless it was
    team.is_ready = false;
    team.count = count, team.per_turn = per_turn;
    __atomic_store_n(&team.begun, team.number, __ATOMIC_RELEASE);
    run_member(team);
    wait_for(team.ended, team.size - 1);
    if (team.has_failed) tare_fail(team.message);
    team.has_failed = false;
}
TARE_ENGINE_ void change_team(Node& node, bool starts) {
    if (node.team != nullptr) {
        Team* const team = node.team;
        pthread_mutex_lock(&team->lock);
        team->is_over = true;
        pthread_cond_broadcast(&team->changed);
        pthread_mutex_unlock(&team->lock);
        for (unsigned i = 1; i < team->size; ++i) pthread_join(team->threads[i], nullptr);
        pthread_mutex_destroy(&team->lock);
        pthread_cond_destroy(&team->changed);
        delete team;
        node.team = nullptr;
        thread_count = 1;
    }
    const unsigned size = node.threads < 1 ? 1 : static_cast<unsigned>(node.threads);
    if (!starts || size == 1) return;
    Team* const team = node.team = new Team();
    pthread_mutex_init(&team->lock, nullptr);
    pthread_cond_init(&team->changed, nullptr);
    team->node = &node;
    thread_count = team->size = size;
    for (unsigned i = 1; i < size; ++i) {
        Member* const member = new Member{team, i};
        if (pthread_create(&team->threads[i], nullptr, be_member, member) == 0) continue;
        delete member;
        team->size = i;
        tare_fail("cannot start that many threads");
        return;
    }
}
TARE_ENGINE_ void choose_team(Node& node) {
    node.threads = static_cast<int>(param<unsigned>("threads", node.teams).value());
}
TARE_ENGINE_ void use_threads(Node& node, const unsigned* counts, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (counts[i] < 1 || counts[i] > 256) node.invalid_ = "in_threads: a number of threads is 1 to 256";
        node.teams.add(counts[i]);
    }
    node.choose_team = choose_team;
    node.in_team = run_team;
    node.change_team = change_team;
    node.ready_ = wake_team;
}
#        else
TARE_ENGINE_ void use_threads(Node& node, const unsigned*, size_t) {
    node.invalid_ = "in_threads: not supported on this system";
}
#        endif

// ---- what a Kind points to

template <class Value> TARE_COLD_ void say(const void* result) {
    tare_state_.checked.digest = TARE_DIGEST_START_;
    if (!describe<Value>(tare_state_.checked, *static_cast<const Value*>(result))) tare_state_.checked.digest = 0;
}
template <class Body> void* make_body(const void* prototype) {
    if (prototype == nullptr) {
        if constexpr (std::is_default_constructible_v<Body>) return new std::remove_const_t<Body>();
    } else if constexpr (std::is_copy_constructible_v<Body>) {
        return new std::remove_const_t<Body>(*static_cast<const Body*>(prototype));
    }
    return const_cast<void*>(prototype);
}
TARE_ENGINE_ void set_rate(tare_benchmark* node, const char* name, double amount) {
    for (tare_rate& slot : node->rates) {
        if (slot.name != nullptr && strcmp(slot.name, name) != 0) continue;
        slot = {name, amount};
        return;
    }
    tare_fail("it has more than 4 rates");
}
template <class Count> void count_rate(tare_benchmark* node, const char* name, Count amount) {
    if (const char* const fault = rate_fault(static_cast<double>(amount))) return tare_fail(fault);
    set_rate(node, name, static_cast<double>(amount));
}
template <class Body> void count_amounts(void* body, tare_benchmark* node) {
    [[maybe_unused]] Body& it = *static_cast<Body*>(body);
    if constexpr (HasOperations<Body>::value) {
        const auto count = it.operations();
        if (const char* const fault = operations_fault<std::decay_t<decltype(count)>>(count)) tare_fail(fault);
        node->operations = static_cast<uint64_t>(count);
    }
    if constexpr (HasBytes<Body>::value) count_rate(node, "bytes", it.bytes());
    if constexpr (HasItems<Body>::value) count_rate(node, "items", it.items());
}
// What is returned before it is computed: measured would be how long it takes to promise it.
template <class T, class = void> struct IsFuture : std::false_type {};
template <class T>
struct IsFuture<T, std::void_t<decltype(std::declval<T&>().wait()), decltype(std::declval<T&>().valid())>>
    : std::true_type {};
template <class T, class = void> struct IsCoroutine : std::false_type {};
template <class T> struct IsCoroutine<T, std::void_t<typename T::promise_type>> : std::true_type {};
template <class T, class = void> struct IsView : std::false_type {};
template <class T>
struct IsView<T, std::void_t<decltype(std::declval<T&>().begin()), decltype(std::declval<T&>().base())>>
    : std::is_constructible<bool, T&> {};
template <class T> constexpr const char* fault_of() {
    if constexpr (!std::is_class_v<T>) return nullptr;
    else if constexpr (IsFuture<T>::value)
        return "it returns a future: return its value, as in `return future.get();`";
    else if constexpr (IsCoroutine<T>::value)
        return "it returns a coroutine, which is never resumed: return its value, as in `return "
               "tare::wait(coroutine);` of <tare/coroutine.hpp>";
    else if constexpr (IsView<T>::value)
        return "it returns a view, which computes nothing until it is read: iterate over it, or return a container "
               "of its "
               "elements";
    else return nullptr;
}
template <class T> void* make_new() { return new T(); }
template <class T> void drop_it(void* it) { delete static_cast<T*>(it); }
template <class Body> constexpr void add_methods([[maybe_unused]] Kind& kind) {
    if constexpr (HasSetUp<Body>::value) kind.step[0] = [](void* body) { static_cast<Body*>(body)->set_up(); };
    if constexpr (HasCleanUp<Body>::value) kind.step[1] = [](void* body) { static_cast<Body*>(body)->clean_up(); };
    if constexpr (HasIterationSetUp<Body>::value)
        kind.step[2] = [](void* body) { static_cast<Body*>(body)->iteration_set_up(); };
    if constexpr (HasIterationCleanUp<Body>::value)
        kind.step[3] = [](void* body) { static_cast<Body*>(body)->iteration_clean_up(); };
    if constexpr (HasOperations<Body>::value || HasBytes<Body>::value || HasItems<Body>::value)
        kind.count = count_amounts<Body>;
    if constexpr (HasIterationOperations<Body>::value)
        kind.count_iteration = [](void* body, tare_benchmark* node) {
            node->operations_ = static_cast<double>(static_cast<Body*>(body)->iteration_operations());
        };
}
template <class Body, class State = typename StateOf<Body>::type> constexpr Kind kind_for() {
    using Returned = ResultOf<Body, State>;
    using Value = std::remove_cv_t<Returned>;
    Kind kind = {};
    kind.loop = loop<Body, State>;
    if constexpr (std::is_void_v<Returned>) {
        if constexpr (is_register_state<Body, State>()) kind.has_mark = has_mark;
    }
    kind.overhead = overhead_loop<Value>;
    kind.returns = !std::is_void_v<Returned>;
    kind.fault = fault_of<std::decay_t<Returned>>();
    kind.has_state = !std::is_void_v<State>;
    if constexpr (has_text<std::decay_t<Returned>>()) kind.say = say<std::decay_t<Returned>>;
#        if defined(__GNUC__)
    constexpr bool is_plain = __is_empty(Body) && __is_trivially_copyable(Body) &&
                              (!__is_constructible(Body) || __is_trivially_constructible(Body));
#        else
    constexpr bool is_plain =
        std::is_empty_v<Body> && std::is_trivially_copyable_v<Body> &&
        (!std::is_default_constructible_v<Body> || std::is_trivially_default_constructible_v<Body>);
#        endif
    if constexpr (!is_plain) {
        kind.is_made = true;
        kind.make = make_body<Body>;
        kind.drop = drop_it<Body>;
    }
    if constexpr (!std::is_void_v<State>) {
        if constexpr (std::is_default_constructible_v<State>) kind.make_state = make_new<State>;
        kind.drop_state = drop_it<State>;
    }
    if constexpr (!std::is_class_v<Body> || std::is_final_v<Body>) add_methods<Body>(kind);
    else if constexpr (HasMethods<Body>::value) add_methods<Body>(kind);
    return kind;
}
template <class Body> inline constexpr Kind kind_of = kind_for<Body>();

template <class F> struct MetricNode final : tare_metric {
    F callable;
    MetricNode(const char* title, F f) : tare_metric(), callable(std::move(f)) {
        name = title;
        read_ = [](tare_metric* self) { return static_cast<MetricNode*>(self)->attempt(); };
    }
    double attempt() {
#        if defined(__cpp_exceptions)
        try {
            return static_cast<double>(callable());
        } catch (const std::exception& error) { failed(error); } catch (...) {
            failed("", "an exception that is not a std::exception");
        }
        return 0;
#        else
        return static_cast<double>(callable());
#        endif
    }
};
template <class F> Metric add_metric(const Text& name, F f) {
    static_assert(std::is_arithmetic_v<std::decay_t<std::invoke_result_t<F&>>>, "a metric is a number");
    tare_metric* const metric = new MetricNode<F>(name.get(), std::move(f));
    tare_add_metric_(metric);
    return Metric(metric);
}

// "ns::Sort<int>::run" as "ns::Sort<int>/run"; a leading & and brackets are left out.
inline const char* title_of(const char* written) {
    while (*written == '&' || *written == '(' || *written == ' ') ++written;
    const size_t length = strlen(written);
    char* const title = static_cast<char*>(malloc(length + 1));
    if (title == nullptr) return written;
    memcpy(title, written, length + 1);
    int depth = 0;
    for (size_t i = length; i-- > 1;) {
        depth += (title[i] == '>') - (title[i] == '<');
        if (depth != 0 || title[i] != ':' || title[i - 1] != ':') continue;
        title[i - 1] = '/';
        memmove(title + i, title + i + 1, length - i);
        break;
    }
    return title;
}
// Keeps the title as it is.
TARE_ENGINE_ Node* add_titled(const Kind* kind, const char* file, int line, const char* title,
                              const void* prototype) {
    static const char alike = 0; // stands for an instance without content
    Node* const node = new Node();
    fill(*node, kind, file, line, title == nullptr ? "" : title);
    node->prototype = prototype == nullptr && kind->make == nullptr ? &alike : prototype;
    node->added_ = file == nullptr;
    tare_add_(node);
    return node;
}
// Copies the title.
TARE_ENGINE_ Node* add_node(const Kind* kind, const char* file, int line, const char* title,
                            const void* prototype) {
    const char* const kept = title == nullptr ? nullptr : tare_keep_text_(title, strlen(title));
    return add_titled(kind, file, line, kept, prototype);
}
// A title, which add_node() copies.
struct Title {
    const char* text;
    Title(const char* it) : text(it) {}
    Title(const Text& it) : text(it.get()) {}
    template <class S, class = decltype(static_cast<const char*>(std::declval<const S&>().data()))>
    Title(const S& it) : text(Text(it).get()) {}
};
// The body by value: a template that is instantiated for each benchmark has as little in it as can be.
template <class Body>
TARE_INLINE_ Benchmark<typename StateOf<Body>::type> add(const char* file, int line, Title title, Body body) {
    const void* prototype = nullptr;
    if constexpr (kind_of<Body>.is_made) prototype = new Body(static_cast<Body&&>(body));
    return {add_node(&kind_of<Body>, file, line, title.text, prototype)};
}
// A body with what makes its state, which may then be of any type: `[](auto& state)`.
template <class F, class State> struct Stateful {
    F function;
    decltype(auto) operator()(State& state) { return function(state); }
};
template <class F, class SetUp>
auto add(const char* file, int line, const Text& title, F&& callable, SetUp set_up) {
    using State = std::decay_t<std::invoke_result_t<SetUp&>>;
    static_assert(!std::is_void_v<State>, "the third argument of TARE_BENCH returns the state that the body takes");
    auto benchmark = detail::add(file, line, title, Stateful<std::decay_t<F>, State>{std::forward<F>(callable)});
    benchmark.set_up(std::move(set_up));
    return benchmark;
}
// Inputs that were made before the clock: each is taken once, or all of them in turn.
template <class T> class Pool {
public:
    Pool() = default;
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;
    ~Pool() {
        clear();
        ::operator delete(data_, std::align_val_t(alignof(T)));
    }
    template <class Make> void fill(size_t count, Make& make) {
        clear();
        if (count > room_) {
            ::operator delete(data_, std::align_val_t(alignof(T)));
            data_ = nullptr, room_ = 0;
            const size_t bytes = count * stride;
            data_ = static_cast<char*>(::operator new(bytes, std::align_val_t(alignof(T))));
            room_ = count;
        }
        for (; size_ < count; ++size_) {
            if constexpr (std::is_invocable_v<Make&, size_t>) new (data_ + size_ * stride) T(make(size_));
            else new (data_ + size_ * stride) T(make());
        }
    }
    void clear() {
        while (size_ > 0) at(--size_).~T();
        at_ = 0;
    }
    TARE_INLINE_ T& take() { return at(at_++); }
    TARE_INLINE_ const T& turn() {
        const T& it = at(at_);
        at_ = at_ + 1 < size_ ? at_ + 1 : 0;
        return it;
    }

private:
    // With a power of two, such as 4 KiB, from one to the next, the first lines of all would share one set of the caches.
    static constexpr size_t line = alignof(T) > 64 ? alignof(T) : 64;
    static constexpr size_t stride = sizeof(T) >= 512 && sizeof(T) % 128 == 0 ? sizeof(T) + line : sizeof(T);
    TARE_INLINE_ T& at(size_t number) { return *reinterpret_cast<T*>(data_ + number * stride); }
    char* data_ = nullptr;
    size_t size_ = 0, room_ = 0, at_ = 0;
};
template <class Make, bool = std::is_invocable_v<Make&, size_t>> struct MadeBy {
    using type = std::decay_t<std::invoke_result_t<Make&, size_t>>;
};
template <class Make> struct MadeBy<Make, false> { using type = std::decay_t<std::invoke_result_t<Make&>>; };
template <class Make> struct Input { Make make; };
template <class Make> struct Rotation {
    size_t count;
    Make make;
};
// A body that takes its own input by value gets it for good.
template <class F, class T> struct Fed {
    F function;
    decltype(auto) operator()(Pool<T>& pool) {
        if constexpr (std::is_invocable_v<F&, T&&>) return function(std::move(pool.take()));
        else return function(pool.take());
    }
};
template <class F, class T> struct Turned {
    F function;
    decltype(auto) operator()(Pool<T>& pool) { return function(pool.turn()); }
};
template <class F, class Make>
auto add(const char* file, int line, const Text& title, F&& callable, Input<Make> input) {
    using T = typename MadeBy<Make>::type;
    auto benchmark = detail::add(file, line, title, Fed<std::decay_t<F>, T>{std::forward<F>(callable)});
    benchmark.iteration_set_up([make = std::move(input.make)](Pool<T>& pool) mutable {
        pool.fill(static_cast<size_t>(tare_state_.wanted), make);
    });
    benchmark.iteration_clean_up([](Pool<T>& pool) { pool.clear(); });
    return benchmark.fed(16384, sizeof(T));
}
template <class F, class Make>
auto add(const char* file, int line, const Text& title, F&& callable, Rotation<Make> inputs) {
    using T = typename MadeBy<Make>::type;
    auto benchmark = detail::add(file, line, title, Turned<std::decay_t<F>, T>{std::forward<F>(callable)});
    const size_t count = inputs.count;
    benchmark.set_up([make = std::move(inputs.make), count](Pool<T>& pool) mutable {
        if (count == 0) tare_fail("tare::rotate has no inputs: give it at least one");
        pool.fill(count, make);
    });
    return benchmark.fed(0, 0);
}
// A function or a method as a type, so that it can be inlined like a lambda.
template <auto function> struct Function {
    decltype(auto) operator()() const { return function(); }
};
template <auto method, class Fixture> struct Method : Fixture {
    decltype(auto) operator()() {
        constexpr auto call = method;
        Fixture& it = *this;
        return (it.*call)();
    }
};
template <class T> struct ClassOf;
template <class T, class C> struct ClassOf<T C::*> { using type = C; };
template <auto constant> auto add_constant(const char* file, int line, const char* written) {
    if constexpr (std::is_member_function_pointer_v<decltype(constant)>) {
        using Body = Method<constant, typename ClassOf<decltype(constant)>::type>;
        return Benchmark<typename StateOf<Body>::type>(
            add_titled(&kind_of<Body>, file, line, title_of(written), nullptr));
    } else {
        using Body = Function<constant>;
        return Benchmark<typename StateOf<Body>::type>(
            add_titled(&kind_of<Body>, file, line, title_of(written), nullptr));
    }
}
// Cuts the next of "std::vector<int>, std::map<int, int>" off and gives it as "group/std::vector<int>".
inline char* next_title(const char* group, const char*& types) {
    while (*types == ' ' || *types == ',') ++types;
    size_t length = 0;
    for (int depth = 0; types[length] != 0 && (types[length] != ',' || depth > 0); ++length) {
        depth += (types[length] == '<' || types[length] == '(') - (types[length] == '>' || types[length] == ')');
    }
    const size_t before = strlen(group);
    char* const title = static_cast<char*>(malloc(before + 1 + length + 1));
    if (title == nullptr) return nullptr;
    memcpy(title, group, before);
    title[before] = '/';
    memcpy(title + before + 1, types, length);
    title[before + 1 + length] = 0;
    types += length;
    return title;
}
template <template <class...> class Body, class T> struct Applied { using type = Body<T>; };
template <template <class...> class Body, class... Ts> struct Applied<Body, types<Ts...>> {
    using type = Body<Ts...>;
};
// "tare::types<A, B>" as "A, B", in place.
inline const char* without_types(char* title, size_t before) {
    if (title == nullptr || title[strlen(title) - 1] != '>') return title;
    char* const rest = title + before;
    const size_t prefix = strncmp(rest, "::tare::types<", 14) == 0 ? 14
                          : strncmp(rest, "tare::types<", 12) == 0 ? 12
                          : strncmp(rest, "types<", 6) == 0        ? 6
                                                                   : 0;
    if (prefix == 0) return title;
    const size_t length = strlen(rest + prefix) - 1;
    memmove(rest, rest + prefix, length);
    rest[length] = 0;
    return title;
}
template <template <class...> class Body, class... Types>
Benchmarks<Types...> add_types(const char* file, int line, const char* group, const char* types_written) {
    tare_benchmark* const nodes[] = {add_titled(&kind_of<typename Applied<Body, Types>::type>, file, line,
                                                without_types(next_title(group, types_written), strlen(group) + 1),
                                                nullptr)...};
    return Benchmarks<Types...>(nodes);
}

} // namespace detail

/** The third argument of TARE_BENCH: a fresh input for each invocation, made before the clock starts and dropped after it has
 *  stopped. `make` may take the number of the input within the iteration. A body that takes it by value drops it. */
template <class Make> detail::Input<Make> input(Make make) { return {std::move(make)}; }
/** The same, but with `count` inputs, made in the set-up and taken in turn, so that a branch predictor cannot learn them. */
template <class Make> detail::Rotation<Make> rotate(size_t count, Make make) { return {count, std::move(make)}; }

template <class State> Benchmark<State>::Benchmark(detail::Node* node) : node_(node), whole_(node) {}

/** Adds a benchmark when the program runs: in main before tare_main(), from a loop over files. The third argument makes the state
 *  that the body takes. Every process must add the same benchmarks, in any order: they are listed by name, after the others. */
template <class... Arguments> auto add(const Text& name, Arguments&&... body_and_set_up) {
    return detail::add(nullptr, 0, name, std::forward<Arguments>(body_and_set_up)...);
}

/** Describes the run, such as the data that it works on: a text, a number, or anything else that has a text. It appears
 *  above the table, and in files that have a place for it. In main before tare_main(); elsewhere TARE_CONTEXT.
 *  The last value of a name counts. */
template <class T> void context(const Text& name, const T& value) {
    using Value = std::decay_t<const T&>;
    static_assert(detail::has_text<Value>(), "this value has no text: give one, such as path.string()");
    bool is_cut = true;
    for (size_t room = 1024; is_cut; room *= 2) { // until there is room for all of it
        char* const bytes = static_cast<char*>(calloc(room, 1));
        if (bytes == nullptr) return;
        tare_text_ text = {TARE_DIGEST_START_, 0, room, bytes, false};
        detail::describe<Value>(text, value);
        is_cut = text.is_cut;
        if (!is_cut) tare_context(name.get(), bytes);
        free(bytes);
    }
}
} // namespace tare
#    endif /* __cplusplus */

/* -------------------------------------------------------------------------------------------------- 6 clocks */

#    if TARE_POSIX_
TARE_FUNCTION_ uint64_t tare_clock_(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
#        define TARE_NOW_() tare_clock_(CLOCK_MONOTONIC)
#        define TARE_THREAD_CPU_() tare_clock_(CLOCK_THREAD_CPUTIME_ID)
#        define TARE_PROCESS_CPU_() tare_clock_(CLOCK_PROCESS_CPUTIME_ID)
#    else
TARE_FUNCTION_ uint64_t tare_clock_(void) {
#        if defined(_WIN32)
    LARGE_INTEGER now, second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&second);
    const uint64_t ticks = (uint64_t)now.QuadPart, per_second = (uint64_t)second.QuadPart;
    return ticks / per_second * 1000000000u + ticks % per_second * 1000000000u / per_second;
#        else
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#        endif
}
#        define TARE_NOW_() tare_clock_()
#        define TARE_THREAD_CPU_() tare_clock_()
#        define TARE_PROCESS_CPU_() tare_clock_()
#    endif

/* Involuntary and voluntary context switches of this thread. */
TARE_FUNCTION_ void tare_switches_(uint64_t* switches, uint64_t* waits) {
#    if defined(RUSAGE_THREAD)
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    *switches = (uint64_t)usage.ru_nivcsw;
    *waits = (uint64_t)usage.ru_nvcsw;
#    else
    *switches = *waits = 0;
#    endif
}

/* How long TARE_PROBE_CYCLES dependent additions take. An addition of a register to itself is one cycle on every core;
   adding a constant is folded into the renamer on some. */
TARE_FUNCTION_ TARE_NOINLINE_ uint64_t tare_probe_(void) {
    uintptr_t x = 1; /* as wide as a register: more is two additions */
    const uint64_t start = TARE_NOW_();
    for (unsigned turn = 0; turn < TARE_PROBE_CYCLES / 64; ++turn) {
#    if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
        __asm__ volatile(".rept 64\n\tadd %0, %0\n\t.endr" : "+r"(x) : : "cc");
#    elif defined(__GNUC__) && (defined(__aarch64__) || defined(__arm__) || defined(__riscv))
        __asm__ volatile(".rept 64\n\tadd %0, %0, %0\n\t.endr" : "+r"(x));
#    else
        for (unsigned i = 0; i < 64; ++i) {
            x += x;
#        if defined(__GNUC__)
            __asm__ volatile("" : "+r"(x));
#        endif
        }
#    endif
    }
    (void)x;
    return TARE_NOW_() - start;
}

/* The width probe, to be timed: TARE_WIDTH_ADDITIONS additions that do not wait for each other. A core whose other hardware thread is at
   work completes fewer of them a cycle, though a chain of them is as fast as ever. The loop is that of the host, of the
   other native children and of spec/protocol.md, so that all of them read the same. */
#    if TARE_HAS_WIDTH_
TARE_FUNCTION_ TARE_NOINLINE_ void tare_width_(void) {
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
    /* A register is added, as some cores fold constants away; and one of its own (hence the &): gcc puts two that begin
       with the same number into one, and then the additions do wait for each other. */
    const uint64_t one = 1;
    uint32_t turns = TARE_WIDTH_ADDITIONS / 96;
#        if defined(__x86_64__)
    __asm__ volatile("1:\n\t.rept 16\n\t"
                     "add %7, %1\n\tadd %7, %2\n\tadd %7, %3\n\tadd %7, %4\n\tadd %7, %5\n\tadd %7, %6\n\t"
                     ".endr\n\tdec %0\n\tjnz 1b"
                     : "+&r"(turns), "+&r"(a), "+&r"(b), "+&r"(c), "+&r"(d), "+&r"(e), "+&r"(f)
                     : "r"(one)
                     : "cc");
#        else
    __asm__ volatile("1:\n\t.rept 16\n\t"
                     "add %1, %1, %7\n\tadd %2, %2, %7\n\tadd %3, %3, %7\n\t"
                     "add %4, %4, %7\n\tadd %5, %5, %7\n\tadd %6, %6, %7\n\t"
                     ".endr\n\tsubs %w0, %w0, #1\n\tb.ne 1b"
                     : "+&r"(turns), "+&r"(a), "+&r"(b), "+&r"(c), "+&r"(d), "+&r"(e), "+&r"(f)
                     : "r"(one)
                     : "cc");
#        endif
}
#    else
TARE_FUNCTION_ void tare_width_(void) {}
#    endif

/* The smallest step that the clock makes: where a read takes longer than a step, no two reads are alike, and the smallest difference
   between the times of reads shows it. */
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

/* One iteration: invocations between two clock reads, and what happened meanwhile. */
enum { TARE_COUNTERS_ = 6 };
struct tare_iteration_ {
    uint64_t elapsed, cpu, process_cpu, probe_before, probe_after, switches, waits, invocations;
    uint64_t counted[TARE_COUNTERS_]; /* by performance counters, where tare_state_.count is set */
    double operations;                /* of an invocation, where the benchmark counts them; else 0 */
};
/* Where an iteration that is cut into windows leaves their times, and the readings of the width probe around them. */
struct tare_cut_ {
    uint64_t windows;
    uint64_t *window, *width; /* `windows`, and one more */
};

#    if TARE_HAS_FLUSH_
/* Takes the lines of so many pages out of the caches of all cores. */
TARE_FUNCTION_ TARE_NOINLINE_ void tare_flush_pages_(uintptr_t page, size_t bytes, const unsigned char* resident,
                                                     size_t pages) {
#        if defined(__x86_64__)
    const size_t line = 64;
#        else
    uint64_t cache_type;
    __asm__("mrs %0, ctr_el0" : "=r"(cache_type));
    const size_t line = (size_t)4 << (cache_type >> 16 & 15);
#        endif
    for (size_t i = 0; i < pages; ++i, page += bytes) {
        for (uintptr_t place = page; (resident[i] & 1) != 0 && place < page + bytes; place += line) {
#        if defined(__x86_64__)
            __asm__ volatile("clflush %0" : : "m"(*(const char*)place));
#        else
            __asm__ volatile("dc civac, %0" : : "r"(place));
#        endif
        }
    }
}
/* Whether a page can be read. The kernel looks at the mask before it refuses the first argument; nothing is changed. */
TARE_FUNCTION_ bool tare_is_readable_(uintptr_t page) {
    const int before = errno;
    const bool is_there = syscall(SYS_rt_sigprocmask, -1L, page, (void*)0, (size_t)8) == 0 || errno != EFAULT;
    errno = before;
    return is_there;
}
/* How many pages of a mapped file come before its end, of those that mincore() says are there: it says so of all pages of a
   file that the caller neither owns nor may write, and to touch one beyond the end is a SIGBUS. */
TARE_FUNCTION_ size_t tare_within_file_(uintptr_t page, size_t bytes, const unsigned char* resident, size_t pages) {
    size_t least = 0, most;
    while (pages > 0 && (resident[pages - 1] & 1) == 0) --pages;
    if (pages == 0 || tare_is_readable_(page + (pages - 1) * bytes)) return pages;
    for (most = pages - 1; least < most;) {
        const size_t middle = least + (most - least) / 2;
        if (tare_is_readable_(page + middle * bytes)) least = middle + 1;
        else most = middle;
    }
    return least;
}
/* All data of the process that can be read leaves the caches: what is not code, nor the kernel's, nor a device's. A walk through
   a buffer greater than the last cache would take tens of milliseconds on a server, and leave lines behind in it. */
TARE_ENGINE_ void tare_flush_data_(void) {
    static char text[4096];
    static unsigned char resident[1024];
    const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
    const int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    size_t used = 0, room = sizeof text - 1;
    for (ssize_t got; maps >= 0 && (got = read(maps, text + used, room)) > 0;) {
        char *line = text, *end;
        text[used += (size_t)got] = 0;
        for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            unsigned long from, to, inode;
            char rights[8];
            int name = 0;
            *end = 0;
            if (sscanf(line, "%lx-%lx %7s %*s %*s %lu %n", &from, &to, rights, &inode, &name) != 4) continue;
            if (rights[0] != 'r' || rights[2] == 'x' || strncmp(line + name, "[v", 2) == 0) continue;
            /* Memory that processes share lies below /dev/, too. */
            if (strncmp(line + name, "/dev/", 5) == 0 && strncmp(line + name, "/dev/shm/", 9) != 0 &&
                strncmp(line + name, "/dev/zero", 9) != 0)
                continue;
            for (unsigned long page = from; page < to; page += 1024 * bytes) {
                const size_t left = (to - page) / bytes, pages = left < 1024 ? left : 1024;
                if (mincore((void*)page, pages * bytes, resident) != 0) continue;
                tare_flush_pages_(page, bytes, resident,
                                  inode == 0 ? pages : tare_within_file_(page, bytes, resident, pages));
            }
        }
        used = strlen(line);
        memmove(text, line, used);
        if (used >= sizeof text - 1) used = 0; /* no line is as long */
        room = sizeof text - 1 - used;
    }
    if (maps >= 0) close(maps);
#        if defined(__x86_64__)
    __asm__ volatile("mfence" : : : "memory");
#        else
    __asm__ volatile("dsb ish" : : : "memory");
#        endif
}
#    else
TARE_ENGINE_ void tare_flush_data_(void) {}
#    endif

TARE_FUNCTION_ bool tare_step_(struct tare_benchmark* benchmark, enum tare_act_ act, uint64_t invocations) {
    tare_state_.has_failed = tare_state_.is_skipped = false;
    return benchmark->act_(benchmark, act, invocations) && !tare_state_.has_failed;
}
/* The loop once for each window, with a reading of the width probe between any two. One look at the clock ends the one and
   begins the other, so that they are all of the iteration. */
TARE_FUNCTION_ bool tare_cut_up_(struct tare_benchmark* it, enum tare_act_ loop, uint64_t invocations,
                                 const struct tare_cut_* cut, uint64_t* elapsed) {
    bool is_done = true;
    uint64_t end, start = TARE_NOW_();
    tare_width_();
    end = TARE_NOW_();
    cut->width[0] = end - start;
    for (uint64_t i = 0; i < cut->windows && is_done; ++i) {
        start = end;
        is_done = it->act_(it, loop, invocations);
        end = TARE_NOW_();
        cut->window[i] = end - start;
        start = end;
        tare_width_();
        end = TARE_NOW_();
        cut->width[i + 1] = end - start;
    }
    *elapsed = 0;
    for (uint64_t i = 0; i < cut->windows; ++i) *elapsed += cut->window[i];
    return is_done;
}
/* A request to valgrind's callgrind: rotations by 128 bits in all and an exchange of a register with itself, which change nothing, and
   which valgrind reads as a call (its manual: the client request mechanism). */
#    if defined(__linux__) && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#        define TARE_HAS_CALLGRIND_ 1
enum { TARE_DUMP_COUNTS_ = 0x43540000, TARE_ZERO_COUNTS_ };
TARE_FUNCTION_ void tare_ask_callgrind_(uint64_t request) {
    const uint64_t words[6] = {request, 0, 0, 0, 0, 0};
#        if defined(__x86_64__)
    uint64_t result = 0;
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(words)
                     : "cc", "memory");
#        else
    __asm__ volatile("mov x3, xzr\n\tmov x4, %0\n\tror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\t"
                     "ror x12, x12, #61\n\torr x10, x10, x10"
                     :
                     : "r"(words)
                     : "x3", "x4", "cc", "memory");
#        endif
}
/* What all threads execute from here to the end of the loop counts. */
TARE_FUNCTION_ void tare_callgrind_(bool is_begin) {
    tare_ask_callgrind_(is_begin ? TARE_ZERO_COUNTS_ : TARE_DUMP_COUNTS_);
}
#    else
#        define TARE_HAS_CALLGRIND_ 0
TARE_FUNCTION_ void tare_callgrind_(bool is_begin) { (void)is_begin; }
#    endif
/* Reads the metrics: before an iteration, and after it for what it added. False: one has no value, or failed. */
TARE_FUNCTION_ bool tare_read_metrics_(bool is_after) {
    for (struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_) {
        const double read = it->read_(it);
        if (tare_state_.has_failed) {
            char why[sizeof tare_state_.message];
            memcpy(why, tare_state_.message, sizeof why);
            snprintf(tare_state_.message, sizeof tare_state_.message, "the metric %.60s: %.300s", it->name, why);
            return false;
        }
        if (!is_after) it->before_ = read;
        else it->value_ = it->per_iteration ? read : read - it->before_;
        if (!is_after || (it->value_ >= 0 && it->value_ <= 1.7976931348623157e308)) continue;
        char message[200];
        snprintf(message, sizeof message, "the metric %.60s is %g: it must be a number, and must not decrease",
                 it->name, it->value_);
        tare_fail(message);
        return false;
    }
    return true;
}
/* Runs an iteration with its set-up and clean-up; cut into windows of so many invocations where `cut` is not NULL.
   Returns the step that failed, or TARE_DROP_. */
TARE_FUNCTION_ enum tare_act_ tare_iterate_(struct tare_benchmark* it, enum tare_act_ loop, uint64_t invocations,
                                            const struct tare_cut_* cut, struct tare_iteration_* iteration) {
    const bool has_steps = loop != TARE_OVERHEAD_;
    bool is_done;
    uint64_t switches, waits;
    tare_state_.wanted = invocations * (cut == NULL ? 1 : cut->windows);
    if (has_steps && (it->steps_ & TARE_HAS_ITERATION_SET_UP_) && !tare_step_(it, TARE_ITERATION_SET_UP_, 0)) {
        return TARE_ITERATION_SET_UP_;
    }
    if (has_steps && it->cold_caches) tare_flush_data_();
    tare_state_.has_failed = false;
    if (has_steps && !tare_read_metrics_(false)) return TARE_WORKLOAD_;
    tare_switches_(&switches, &waits);
    iteration->probe_before = tare_probe_();
    iteration->invocations = invocations;
    if (tare_state_.count != NULL) tare_state_.count(NULL);
    if (it->ready_ != NULL && has_steps) it->ready_(it);
    tare_state_.took_ns = 0;
    iteration->process_cpu = TARE_PROCESS_CPU_();
    iteration->cpu = TARE_THREAD_CPU_();
    if (tare_state_.is_counted) tare_callgrind_(true);
    if (cut != NULL) {
        is_done = tare_cut_up_(it, loop, invocations, cut, &iteration->elapsed);
    } else {
        iteration->elapsed = TARE_NOW_();
        is_done = it->act_(it, loop, invocations);
        iteration->elapsed = TARE_NOW_() - iteration->elapsed;
    }
    if (tare_state_.is_counted) tare_callgrind_(false);
    iteration->cpu = TARE_THREAD_CPU_() - iteration->cpu;
    iteration->process_cpu = TARE_PROCESS_CPU_() - iteration->process_cpu;
    if (tare_state_.count != NULL) tare_state_.count(iteration->counted);
    const uint64_t wall = iteration->elapsed;
    if (has_steps && it->cpu_time) iteration->elapsed = it->threads > 1 ? iteration->process_cpu : iteration->cpu;
    if (has_steps && it->own_time) {
        iteration->elapsed = tare_state_.took_ns < 0 ? 0 : (uint64_t)tare_state_.took_ns;
        if (tare_state_.took_ns <= 0 && is_done) {
            tare_fail("its own time is 0: call tare::took() (in C tare_took()) in the body");
            is_done = false;
        }
    } else if (has_steps && tare_state_.took_ns > 0 && is_done) {
        tare_fail(
            "it called tare::took() (in C tare_took()), which counts only in a benchmark declared with own_time");
        is_done = false;
    }
    if (cut != NULL && iteration->elapsed != wall && wall > 0) { /* the windows are parts of it */
        const double part = (double)iteration->elapsed / (double)wall;
        for (uint64_t i = 0; i < cut->windows; ++i)
            cut->window[i] = (uint64_t)((double)cut->window[i] * part + 0.5);
    }
    iteration->probe_after = tare_probe_();
    tare_switches_(&iteration->switches, &iteration->waits);
    iteration->switches -= switches;
    iteration->waits -= waits;
    if (has_steps && is_done) is_done = tare_read_metrics_(true);
    if (!is_done) return TARE_WORKLOAD_;
    iteration->operations = 0;
    if (has_steps && (it->steps_ & TARE_HAS_ITERATION_OPERATIONS_)) {
        if (!tare_step_(it, TARE_ITERATION_OPERATIONS_, 0)) return TARE_WORKLOAD_;
        iteration->operations = it->operations_;
        if (!(it->operations_ > 0 && it->operations_ <= 1.7976931348623157e308)) {
            char message[120];
            snprintf(message, sizeof message, "iteration_operations is %g: it must be greater than 0",
                     it->operations_);
            tare_fail(message);
            return TARE_WORKLOAD_;
        }
    }
    if (has_steps && (it->steps_ & TARE_HAS_ITERATION_CLEAN_UP_) && !tare_step_(it, TARE_ITERATION_CLEAN_UP_, 0)) {
        return TARE_ITERATION_CLEAN_UP_;
    }
    return TARE_DROP_;
}

/* Makes the instance of the case `choice`, counted over all combinations of its parameters. Leaves the names and texts
   of its parameters in tare_state_ and gives the number of combinations. */
TARE_FUNCTION_ bool tare_make_(struct tare_benchmark* it, uint64_t choice, uint64_t* combinations) {
    struct tare_state_* const state = &tare_state_;
    if (it->invalid_ != NULL) {
        state->has_failed = false;
        state->parameters = 0;
        *combinations = 1;
        tare_fail(it->invalid_);
        return false;
    }
    for (unsigned attempt = 0;; ++attempt) {
        state->makes = true;
        state->parameters = 0;
        if (attempt == 0) {
            for (unsigned i = 0; i < TARE_MAX_PARAMETERS_; ++i) state->parameter[i].chosen = 0;
        }
        const bool is_made = tare_step_(it, TARE_MAKE_, 0);
        state->makes = false;
        if (!is_made) return false;
        *combinations = 1;
        for (unsigned i = 0; i < state->parameters; ++i) {
            *combinations *= state->parameter[i].choices;
            if (*combinations <= TARE_MAX_COMBINATIONS_) continue;
            tare_step_(it, TARE_DROP_, 0);
            *combinations = 1;
            tare_fail("its parameters have more than a million combinations: give them fewer values");
            return false;
        }
        if (attempt == 1 || choice == 0 || choice >= *combinations) return true;
        tare_step_(it, TARE_DROP_, 0);
        for (unsigned i = state->parameters; i-- > 0;) { /* the last parameter changes fastest */
            state->parameter[i].chosen = (size_t)(choice % state->parameter[i].choices);
            choice /= state->parameter[i].choices;
        }
    }
}
/* Where the group in "group/name" ends: the last slash; 0 without one. */
TARE_FUNCTION_ size_t tare_group_length_(const char* title) {
    const char* const slash = strrchr(title, '/');
    return slash == NULL || slash[1] == 0 ? 0 : (size_t)(slash - title);
}
TARE_FUNCTION_ const char* tare_name_(const char* title) {
    const size_t length = tare_group_length_(title);
    return length == 0 ? title : title + length + 1;
}

/* Whether the program was built with optimisation, as in JSON. gcc has no macro that tells -Og, which copies no loop and inlines
   little, from -O1: what it does not conclude from a comparison says so. nvcc concludes nothing for the host's compiler. */
TARE_ENGINE_ const char* tare_optimised_(void) {
#    if defined(__NVCC__)
    return "null";
#    elif defined(__GNUC__) && !defined(__clang__)
    unsigned value = 5;
    __asm__("" : "+r"(value));
    if (value == 5) return __builtin_constant_p(value) ? "true" : "false";
    return "null";
#    elif defined(__OPTIMIZE__)
    return "true";
#    elif defined(__GNUC__)
    return "false";
#    else
    return "null";
#    endif
}

/* ------------------------------------------------------------------------------------------------ 7 protocol */

/* A benchmark without a name is invalid, and needs one all the same, to be called that. */
TARE_ENGINE_ void tare_name_the_nameless_(struct tare_benchmark* it) {
    char title[200];
    const char* const file = it->file_ == NULL         ? ""
                             : strrchr(it->file_, '/') ? strrchr(it->file_, '/') + 1
                                                       : it->file_;
    snprintf(title, sizeof title, "without a name, %s:%d", file, it->line_);
    it->title = tare_keep_text_(title, strlen(title));
    it->invalid_ = "its name is empty: give it one";
}
/* What kept the instance from being made, for people. */
TARE_ENGINE_ const char* tare_why_invalid_(void) {
    char text[600];
    const struct tare_state_* const state = &tare_state_;
    if (state->type[0] == 0) return state->message;
    snprintf(text, sizeof text, "its constructor threw %.119s: %.399s", state->type, state->message);
    return tare_keep_text_(text, strlen(text));
}
/* Compares texts with the numbers in them as numbers: "n=8" comes before "n=64". */
TARE_ENGINE_ int tare_compare_texts_(const char* a, size_t a_length, const char* b, size_t b_length) {
    const char *const a_end = a + a_length, *const b_end = b + b_length;
    while (a < a_end && b < b_end) {
        size_t m = 0, n = 0;
        while (a + m < a_end && a[m] >= '0' && a[m] <= '9') ++m;
        while (b + n < b_end && b[n] >= '0' && b[n] <= '9') ++n;
        if (m == 0 || n == 0) m = n = 1;
        if (m != n && *a != '0' && *b != '0') return m < n ? -1 : 1;
        const int order = memcmp(a, b, m < n ? m : n);
        if (order != 0 || m != n) return order != 0 ? order : m < n ? -1 : 1;
        a += m, b += n;
    }
    return (a < a_end) - (b < b_end);
}
TARE_ENGINE_ int tare_compare_titles_(const char* a, const char* b) {
    const size_t m = tare_group_length_(a), n = tare_group_length_(b);
    const int order = tare_compare_texts_(a, m, b, n);
    const char *const a_name = tare_name_(a), *const b_name = tare_name_(b);
    return order != 0 ? order : tare_compare_texts_(a_name, strlen(a_name), b_name, strlen(b_name));
}
/* One list of two that are sorted by title; of equal titles those of `a` come first. */
TARE_ENGINE_ struct tare_benchmark* tare_merge_(struct tare_benchmark* a, struct tare_benchmark* b) {
    struct tare_benchmark *merged = NULL, **end = &merged;
    while (a != NULL && b != NULL) {
        struct tare_benchmark** const least = tare_compare_titles_(a->title, b->title) <= 0 ? &a : &b;
        *end = *least;
        end = &(*least)->next_;
        *least = *end;
    }
    *end = a != NULL ? a : b;
    return merged;
}
/* Puts what tare::add added behind the rest, by title: processes may add in different orders, as those that walk a hash
   table, and an index must mean the same benchmark in all of them. There may be thousands: sorted lists of 1, 2, 4, 8 ... are
   merged as soon as there are two of a length. */
TARE_ENGINE_ void tare_sort_added_(void) {
    struct tare_state_* const state = &tare_state_;
    struct tare_benchmark **end = &state->first, *added = NULL, *next, *sorted[32] = {NULL};
    state->is_sorted = true;
    state->found = NULL;
    state->last = NULL;
    for (struct tare_benchmark* it = state->first; it != NULL; it = next) {
        next = it->next_;
        if (it->title == NULL || *it->title == 0) tare_name_the_nameless_(it);
        if (!it->added_) {
            *end = state->last = it;
            end = &it->next_;
            continue;
        }
        struct tare_benchmark* list = it;
        unsigned i = 0;
        it->next_ = NULL;
        for (; i < 31 && sorted[i] != NULL; ++i) {
            list = tare_merge_(sorted[i], list);
            sorted[i] = NULL;
        }
        sorted[i] = list;
    }
    for (unsigned i = 0; i < 32; ++i) added = tare_merge_(sorted[i], added);
    *end = added;
    for (; added != NULL; added = added->next_) state->last = added;
}
/* What only all options together show. */
TARE_ENGINE_ void tare_check_options_(struct tare_benchmark* it) {
    if (it->own_time && it->ready_ != NULL && it->invalid_ == NULL)
        it->invalid_ = "threads cannot share its own time: use own_time or in_threads, not both";
    if (it->is_fed_ && it->ready_ != NULL && it->invalid_ == NULL)
        it->invalid_ = "threads cannot share its inputs: use in_threads without tare::input and tare::rotate";
    if (it->cold_caches && !TARE_HAS_FLUSH_ && it->invalid_ == NULL)
        it->invalid_ = "cold_caches is for Linux on x86-64 and AArch64";
    if (it->invocations_max == 0) it->invocations_max = it->cold_caches ? 1 : it->fed_max_;
    if (it->cold_caches && (it->invocations_max != 1 || it->invocations > 1) && it->invalid_ == NULL)
        it->invalid_ = "cold_caches leaves one invocation per iteration: leave out invocations_max and invocations";
}
/* The case `index`, counted over all benchmarks and the values of their parameters. NULL: there is none. One that cannot
   be made counts as one case. */
TARE_ENGINE_ struct tare_benchmark* tare_find_(uint64_t index, uint64_t* choice) {
    struct tare_state_* const state = &tare_state_;
    state->has_failed = false;
    if (!state->is_sorted) tare_sort_added_();
    /* Ten thousand are listed one by one: go on from the last. */
    if (state->found == NULL || index < state->before) {
        state->found = state->first;
        state->before = 0;
    }
    index -= state->before;
    for (struct tare_benchmark* it = state->found; it != NULL; it = it->next_) {
        if (it->combinations_ == 0) {
            tare_check_options_(it);
            if (!tare_make_(it, 0, &it->combinations_)) it->combinations_ = 1;
            it->act_(it, TARE_DROP_, 0);
        }
        *choice = index;
        state->found = it;
        if (index < it->combinations_) return it;
        index -= it->combinations_;
        state->before += it->combinations_;
    }
    state->found = NULL;
    return NULL;
}

/* Bytes that the heap grows by while the inputs of `count` invocations are prepared; 0 if the C library does not say. */
TARE_ENGINE_ uint64_t tare_weigh_(struct tare_benchmark* it, uint64_t count) {
    const uint64_t before = TARE_HEAP_BYTES_();
    tare_state_.wanted = count;
    const bool is_made = tare_step_(it, TARE_ITERATION_SET_UP_, 0);
    const uint64_t after = TARE_HEAP_BYTES_();
    return tare_step_(it, TARE_ITERATION_CLEAN_UP_, 0) && is_made && after > before ? after - before : 0;
}
/* Bytes of an input of tare::input with what it has on the heap, as far as that is known; 0 without one. Allocators hand out a few freed
   blocks of a size without counting them. So several are made, unless one is large or slow. */
TARE_ENGINE_ uint64_t tare_input_bytes_(struct tare_benchmark* it) {
    enum { TRIED = 64, LARGE = 65536, SLOW_NS = 1000000 };
    if (it->fed_size_ == 0 || it->strategy == TARE_COLD_START) return 0;
    const uint64_t start = TARE_NOW_();
    const uint64_t one = tare_weigh_(it, 1);
    if (one > LARGE || TARE_NOW_() - start > SLOW_NS) return one > it->fed_size_ ? one : it->fed_size_;
    const uint64_t each =
        (tare_weigh_(it, TRIED) + it->fed_size_) / TRIED; /* the room of the first is there already */
    return each > it->fed_size_ ? each : it->fed_size_;
}
#    if TARE_POSIX_
struct tare_link_ {
    int input, output;
    size_t in_used, out_used;
    char in[1024], out[8192];
    bool is_walker, is_closed;   /* a walker serves until close, see tare_quick_linked_ */
    bool is_gone;                /* its instance, after a `randomize` that failed */
    uint64_t choice;             /* which of its combinations is open */
    struct tare_benchmark* open; /* NULL in the state `ready` */
    struct tare_iteration_* iterations;
    size_t room;
    double* metrics; /* of each iteration all of them */
    size_t metric_room;
    uint64_t* cuts; /* times of windows, and behind them readings */
    size_t cut_room;
    bool (*start)(struct tare_link_* link, uint64_t index,
                  uint64_t seed); /* answers `open`; false: serve no more */
};

TARE_ENGINE_ void tare_flush_(struct tare_link_* link) {
    for (size_t done = 0; done < link->out_used;) {
        const ssize_t written = write(link->output, link->out + done, link->out_used - done);
        if (written < 0 && errno != EINTR) _exit(1); /* the host is gone */
        if (written > 0) done += (size_t)written;
    }
    link->out_used = 0;
}
TARE_ENGINE_ void tare_write_(struct tare_link_* link, const char* bytes, size_t length) {
    for (size_t i = 0; i < length; ++i) {
        if (link->out_used == sizeof link->out) tare_flush_(link);
        link->out[link->out_used++] = bytes[i];
    }
}
/* Length of the UTF-8 character at `s`, of which `left` bytes are there; 0 when it is none. */
TARE_ENGINE_ size_t tare_utf8_(const unsigned char* s, size_t left) {
    const size_t length = s[0] < 0x80   ? 1
                          : s[0] < 0xc2 ? 0
                          : s[0] < 0xe0 ? 2
                          : s[0] < 0xf0 ? 3
                          : s[0] < 0xf5 ? 4
                                        : 0;
    if (length > left) return 0;
    for (size_t i = 1; i < length; ++i) {
        if ((s[i] & 0xc0) != 0x80) return 0;
    }
    const bool is_bad = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
                        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
    return is_bad ? 0 : length;
}
TARE_ENGINE_ void tare_quote_(struct tare_link_* link, const char* text, size_t length) {
    char escaped[8];
    tare_write_(link, "\"", 1);
    for (size_t i = 0, bytes; i < length; i += bytes == 0 ? 1 : bytes) {
        const unsigned char* const at = (const unsigned char*)text + i;
        bytes = tare_utf8_(at, length - i);
        const bool is_plain = bytes > 1 || (bytes == 1 && *at >= 0x20 && *at != '"' && *at != '\\');
        if (!is_plain) snprintf(escaped, sizeof escaped, "\\u%04x", bytes == 0 ? 0xfffdu : *at);
        tare_write_(link, is_plain ? text + i : escaped, is_plain ? bytes : 6);
    }
    tare_write_(link, "\"", 1);
}
/* Writes `format` with %s: a text as it is, %q: a text as a JSON string, %u: a uint64_t. */
TARE_ENGINE_ void tare_say_(struct tare_link_* link, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (; *format != 0; ++format) {
        if (*format != '%') {
            tare_write_(link, format, 1);
        } else if (*++format == 'u') {
            char digits[20];
            size_t at = sizeof digits;
            uint64_t number = va_arg(arguments, uint64_t);
            do digits[--at] = (char)('0' + number % 10);
            while ((number /= 10) != 0);
            tare_write_(link, digits + at, sizeof digits - at);
        } else {
            const char* const text = va_arg(arguments, const char*);
            if (*format == 'q') tare_quote_(link, text, strlen(text));
            else tare_write_(link, text, strlen(text));
        }
    }
    va_end(arguments);
    if (link->out_used > 0 && link->out[link->out_used - 1] == '\n') tare_flush_(link);
}
TARE_ENGINE_ void tare_say_double_(struct tare_link_* link, double value) {
    char digits[48] = "";
    struct tare_text_ text = {TARE_DIGEST_START_, 0, sizeof digits, digits, false};
    tare_text_double_(&text, value);
    tare_say_(link, "%s", digits);
}
TARE_ENGINE_ void tare_refuse_(struct tare_link_* link, const char* kind, const char* message) {
    tare_say_(link, "{\"reply\":\"error\",\"kind\":%q%s,\"message\":%q}\n", kind,
              strcmp(kind, "version") == 0 ? ",\"versions\":[1]" : "", message);
}
/* The user's code failed in a step of `it`. */
TARE_ENGINE_ void tare_blame_(struct tare_link_* link, const struct tare_benchmark* it, enum tare_act_ step) {
    const char* const name = step == TARE_MAKE_ || step == TARE_SET_UP_     ? "set-up"
                             : step == TARE_ITERATION_SET_UP_               ? "iteration-set-up"
                             : step == TARE_ITERATION_CLEAN_UP_             ? "iteration-clean-up"
                             : step == TARE_CLEAN_UP_ || step == TARE_DROP_ ? "clean-up"
                                                                            : "body";
    char why[sizeof tare_state_.message];
    if (tare_state_.is_skipped) { /* in the set-up of `open` it is no failure, and not blamed */
        memcpy(why, tare_state_.message, sizeof why);
        snprintf(tare_state_.message, sizeof tare_state_.message,
                 step == TARE_MAKE_ || step == TARE_SET_UP_
                     ? "skip(\"%.280s\") in a set-up that did not skip before: skip every time, or never"
                     : "skip(\"%.280s\") in a body: call it in the set-up, or use .skip() in the declaration",
                 why);
    }
    tare_say_(link, "{\"reply\":\"error\",\"kind\":\"exception\",\"step\":%q,\"message\":%q", name,
              tare_state_.message);
    if (tare_state_.type[0] != 0) tare_say_(link, ",\"type\":%q", tare_state_.type);
    if (it->file_ != NULL) tare_say_(link, ",\"file\":%q,\"line\":%u", it->file_, (uint64_t)it->line_);
    tare_say_(link, "}\n");
}

TARE_ENGINE_ bool tare_is_traced_(void) {
    char line[128];
    int tracer = 0;
    FILE* const status = fopen("/proc/self/status", "r");
    if (status == NULL) return false;
    while (fgets(line, sizeof line, status) != NULL && sscanf(line, "TracerPid: %d", &tracer) != 1) {}
    fclose(status);
    return tracer != 0;
}
/* The allocator that `tare run --diagnose memory` puts in front of that of the C library: it counts from the first function to
   the second. They are null in every other process, and in programs that are linked statically. */
#        ifdef __cplusplus
extern "C" {
#        endif
int tare_memory_begin(void) __attribute__((weak));
void tare_memory_end(uint64_t* counted) __attribute__((weak));
/* It is there if the program, or a part of it, is built with -fsanitize=address. */
void __asan_init(void) __attribute__((weak));
#        ifdef __cplusplus
}
#        endif
static const char* const tare_memory_metrics_[] = {"allocations", "allocated_bytes", "peak_bytes"};
TARE_ENGINE_ void tare_count_memory_(uint64_t* counted) {
    if (counted == NULL) (void)tare_memory_begin();
    else tare_memory_end(counted);
}
/* Whether it is there, and sees what this program allocates. */
TARE_ENGINE_ bool tare_counts_memory_(void) {
    uint64_t counted[3];
    if (tare_memory_begin == NULL || tare_memory_end == NULL) return false;
    const bool works = tare_memory_begin() != 0;
    /* What a body would allocate with. Twice, so that one that hands out what it kept is noticed. */
    struct page {
        char at[5000];
    };
    for (int i = 0; i < 2; ++i) {
#        ifdef __cplusplus
        uint64_t* number = new uint64_t;
        page* room = new page;
        __asm__ volatile("" : "+r"(number), "+r"(room)); /* or the compiler would leave them out */
        delete number;
        delete room;
#        else
        void *number = malloc(sizeof(uint64_t)), *room = malloc(sizeof(struct page));
        __asm__ volatile("" : "+r"(number), "+r"(room));
        free(number);
        free(room);
#        endif
    }
    tare_memory_end(counted);
    return works && counted[0] == 4 && counted[1] == 10016;
}

/* musl does not name itself: it is the C library of Linux that is none of the others. It stands beside the compiler, since two
   programs of one compiler may have different ones. */
#        if defined(__linux__) && !defined(__GLIBC__) && !defined(__BIONIC__) && !defined(__UCLIBC__)
#            define TARE_IS_MUSL_ 1
#            define TARE_LIBC_ " with musl"
#        else
#            define TARE_LIBC_ ""
#        endif
TARE_ENGINE_ void tare_hello_(struct tare_link_* link) {
    char runtime[64] = "", compiler[64] = "";
#        if defined(_LIBCPP_VERSION)
    snprintf(runtime, sizeof runtime, "libc++ %d", _LIBCPP_VERSION);
#        elif defined(_GLIBCXX_RELEASE)
    snprintf(runtime, sizeof runtime, "libstdc++ %d", _GLIBCXX_RELEASE);
#        elif defined(__GLIBC__)
    snprintf(runtime, sizeof runtime, "glibc %d.%d", __GLIBC__, __GLIBC_MINOR__);
#        elif defined(TARE_IS_MUSL_)
    snprintf(runtime, sizeof runtime, "musl");
#        endif
#        if defined(__clang__)
    snprintf(compiler, sizeof compiler, "clang %d.%d.%d" TARE_LIBC_, __clang_major__, __clang_minor__,
             __clang_patchlevel__);
#        elif defined(__GNUC__)
    snprintf(compiler, sizeof compiler, "gcc %d.%d.%d" TARE_LIBC_, __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#        endif
    tare_say_(link,
              "{\"reply\":\"hello\",\"protocol\":1,\"language\":%q,\"front_end\":%q,\"runtime\":%q,\"compiler\":%q",
              TARE_LANGUAGE_, TARE_FRONT_END_, runtime, compiler);
#        if defined(TARE_FLAGS) /* -DTARE_FLAGS='"-O2 -march=native"', from who knows them */
    tare_say_(link, ",\"flags\":%q", TARE_FLAGS);
#        endif
    /* What is freed stays with AddressSanitizer for a while, up to 256 MiB: its growth says nothing of a leak. */
    if (__asan_init != NULL) tare_say_(link, ",\"collects\":true");
    tare_say_(link, ",\"optimised\":%s,\"debugger\":%s,\"clock\":\"CLOCK_MONOTONIC\",\"clock_resolution_ns\":%u",
              tare_optimised_(), tare_is_traced_() ? "true" : "false", tare_clock_resolution_());
    tare_say_(link, ",\"unroll\":%u,\"rolled_unroll\":%u,\"probe_cycles\":%u", (uint64_t)TARE_UNROLL,
              (uint64_t)TARE_ROLLED_UNROLL, (uint64_t)TARE_PROBE_CYCLES);
    if (TARE_HAS_WIDTH_) tare_say_(link, ",\"width_additions\":%u", (uint64_t)TARE_WIDTH_ADDITIONS);
    for (const struct tare_context_* it = tare_state_.context; it != NULL; it = it->next) {
        tare_say_(link, "%s{\"name\":%q,\"value\":%q}%s", it == tare_state_.context ? ",\"context\":[" : ",",
                  it->name, it->value, it->next == NULL ? "]" : "");
    }
    tare_say_(link, ",\"metrics\":[");
    for (const struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_) {
        tare_say_(link, "%s{\"name\":%q,\"unit\":%q", it == tare_state_.metrics ? "" : ",", it->name,
                  it->unit == NULL ? "" : it->unit);
        if (it->better != TARE_NEITHER)
            tare_say_(link, ",\"better\":%q", it->better == TARE_LOWER ? "lower" : "higher");
        tare_say_(link, ",\"per\":%q}", it->per_iteration ? "iteration" : it->per_second ? "second" : "operation");
    }
    tare_say_(link, "],");
    const bool counts = tare_counts_memory_();
    if (counts) {
        tare_say_(link, "\"diagnosers\":[{\"name\":\"memory\",\"metrics\":[");
        for (unsigned i = 0; i < 3; ++i) {
            tare_say_(link, "%s{\"name\":%q,\"unit\":%q,\"better\":\"lower\",\"per\":%q}", i == 0 ? "" : ",",
                      tare_memory_metrics_[i], i == 0 ? "" : "B", i == 2 ? "iteration" : "operation");
        }
        tare_say_(link, "]}],");
    }
    tare_say_(link,
              "\"capabilities\":[\"cpu\",\"process-cpu\",\"probe\",%s%s%s%s\"rolled\",\"single\",\"check\","
              "\"randomize\",\"code\","
              "\"parameters\"]}\n",
              TARE_HAS_SWITCHES_ ? "\"switches\",\"waits\"," : "", TARE_HAS_WIDTH_ ? "\"windows\"," : "",
              counts ? "\"diagnose\"," : "", TARE_HAS_CALLGRIND_ ? "\"callgrind\"," : "");
}

TARE_ENGINE_ void tare_list_launch_(struct tare_link_* link, const struct tare_benchmark* it) {
    tare_say_(link, ",\"launch\":{\"environment\":{");
    for (unsigned i = 0; i < TARE_MAX_LAUNCH_ && it->environment[i] != NULL; ++i) {
        const size_t length = strcspn(it->environment[i], "=");
        if (i > 0) tare_say_(link, ",");
        tare_quote_(link, it->environment[i], length);
        tare_say_(link, ":%q", it->environment[i] + length + (it->environment[i][length] == '='));
    }
    tare_say_(link, "},\"arguments\":[");
    for (unsigned i = 0; i < TARE_MAX_LAUNCH_ && it->arguments[i] != NULL; ++i) {
        tare_say_(link, i == 0 ? "%q" : ",%q", it->arguments[i]);
    }
    tare_say_(link, "]}");
}
/* Threads that work through what a rate counts. */
TARE_ENGINE_ double tare_team_size_(const struct tare_benchmark* it) {
    return it->threads > 1 && it->ready_ != NULL ? (double)it->threads : 1;
}
/* Rates, what the time is, rules of measuring, why it is skipped. */
TARE_ENGINE_ void tare_list_more_(struct tare_link_* link, const struct tare_benchmark* it) {
    const double threads = tare_team_size_(it);
    const char* before = ",\"rates\":[";
    for (unsigned i = 0; i < TARE_MAX_RATES_ && it->rates[i].name != NULL; ++i, before = ",") {
        const bool is_bytes = strcmp(it->rates[i].name, "bytes") == 0;
        tare_say_(link, "%s{\"name\":%q%s,\"per_invocation\":", before, it->rates[i].name,
                  is_bytes ? ",\"unit\":\"B\"" : "");
        tare_say_double_(link, it->rates[i].per_invocation * threads);
        tare_say_(link, "}");
    }
    if (*before == ',' && before[1] == 0) tare_say_(link, "]");
    if (it->skip != NULL) tare_say_(link, ",\"skipped\":%q", it->skip);
    if (it->own_time || it->cpu_time) tare_say_(link, ",\"own_time\":true");
    if (it->results != TARE_RESULTS_SAME)
        tare_say_(link, ",\"results\":%q", it->results == TARE_RESULTS_CHANGE ? "change" : "differ");
    if (it->visit_ns == 0 && it->warmup_ns == 0 && it->invocations == 0 && !it->memory_randomization) return;
    const char* const names[] = {"visit_ns", "warmup_ns", "invocations"};
    const uint64_t values[] = {it->visit_ns, it->warmup_ns, it->invocations};
    before = ",\"policy\":{";
    for (unsigned i = 0; i < 3; ++i) {
        if (values[i] == 0) continue;
        tare_say_(link, "%s%q:%u", before, names[i], values[i]);
        before = ",";
    }
    if (it->memory_randomization) tare_say_(link, "%s\"memory_randomization\":true", before);
    tare_say_(link, "}");
}
TARE_ENGINE_ void tare_list_one_(struct tare_link_* link, const struct tare_benchmark* it, uint64_t index,
                                 const char* invalid) {
    static const char* const steps[] = {"global", "global-clean-up", "iteration", "iteration-clean-up"};
    const char* comma = "";
    tare_say_(link, "{\"reply\":\"benchmark\",\"index\":%u,\"group\":", index);
    tare_quote_(link, it->title, tare_group_length_(it->title));
    tare_say_(link, ",\"name\":%q,\"parameters\":[", tare_name_(it->title));
    for (unsigned i = 0; i < tare_state_.parameters; ++i, comma = ",") {
        const struct tare_parameter_* const parameter = &tare_state_.parameter[i];
        tare_say_(link, "%s{\"name\":%q,\"value\":%q,\"type\":%q}", comma, parameter->name, parameter->text,
                  parameter->type);
    }
    if (it->file_ != NULL) tare_say_(link, "],\"file\":%q,\"line\":%u", it->file_, (uint64_t)it->line_);
    else tare_say_(link, "]");
    tare_say_(link, ",\"baseline\":%s,\"operations\":%u,\"unit\":%q,\"categories\":[",
              it->baseline ? "true" : "false", it->operations == 0 || invalid != NULL ? 1 : it->operations,
              it->unit == NULL ? "op" : it->unit);
    for (unsigned i = 0; i < TARE_MAX_CATEGORIES_ && it->category[i] != NULL; ++i) {
        tare_say_(link, i == 0 ? "%q" : ",%q", it->category[i]);
    }
    tare_say_(link, "],\"set_ups\":[");
    comma = "";
    for (unsigned i = 0; i < 4; ++i) {
        if ((it->steps_ >> i & 1) == 0) continue;
        tare_say_(link, "%s%q", comma, steps[i]);
        comma = ",";
    }
    tare_say_(link, "]");
    if (it->description != NULL) tare_say_(link, ",\"description\":%q", it->description);
    if (invalid != NULL) tare_say_(link, ",\"invalid\":%q", invalid);
    else tare_list_more_(link, it);
    for (unsigned i = 0; i < TARE_MAX_LAUNCH_ && it->diagnose[i] != NULL; ++i) {
        tare_say_(link, i == 0 ? ",\"diagnosers\":[%q" : ",%q", it->diagnose[i]);
    }
    if (it->diagnose[0] != NULL) tare_say_(link, "]");
    if (it->waits) tare_say_(link, ",\"waits\":true");
    if (it->strategy != TARE_THROUGHPUT)
        tare_say_(link, ",\"strategy\":%q", it->strategy == TARE_MONITORING ? "monitoring" : "cold-start");
    if (it->invocations_max != 0) tare_say_(link, ",\"invocations_max\":%u", it->invocations_max);
    if (it->environment[0] != NULL || it->arguments[0] != NULL) tare_list_launch_(link, it);
    tare_say_(link, ",\"returns\":%s,\"threads\":%u}\n", it->returns_ ? "true" : "false",
              it->threads == 0  ? 1
              : it->threads < 0 ? 0
                                : (uint64_t)it->threads);
}
TARE_ENGINE_ void tare_list_(struct tare_link_* link) {
    uint64_t index = 0, choice = 0, ignored;
    for (struct tare_benchmark* it; (it = tare_find_(index, &choice)) != NULL; ++index) {
        const bool is_made = tare_make_(it, choice, &ignored);
        tare_list_one_(link, it, index, is_made ? NULL : tare_why_invalid_());
        it->act_(it, TARE_DROP_, 0);
    }
    tare_say_(link, "{\"reply\":\"end\",\"count\":%u}\n", index);
}

/* Moves what the heap gives next. A block shifts all of it; holes of random sizes, in random order with kept blocks between
   them, shift one allocation against the next, since an allocator takes the smallest hole that fits. Otherwise two blocks
   of 4 kB would lie 4112 bytes apart in every launch, and whether they alias would be the same in all. Their memory is not
   touched: they cost addresses, not pages. Freeing a block of 32 MB has glibc take others from the heap instead of mapping
   pages of their own, as it does anyway once a body has freed one. All are greater than what glibc keeps for the next of
   the same size, so that nothing is left of them when they are freed. */
enum { TARE_HOLES_ = 44, TARE_LEAST_HOLE_ = 1088, TARE_LARGEST_BLOCK_ = (32 << 20) - 8192 };
TARE_ENGINE_ void tare_move_heap_(uint64_t seed) {
    struct tare_state_* const state = &tare_state_;
    size_t size[TARE_HOLES_] = {0};
    void* hole[TARE_HOLES_];
    state->random = seed;
    while (state->blocks > 0) free(state->block[--state->blocks]);
    if (seed == 0) return;
    void* largest = malloc(TARE_LARGEST_BLOCK_);
    __asm__ volatile("" : "+r"(largest)); /* or the compiler would leave both out */
    free(largest);
    for (unsigned i = 0; i < TARE_HOLES_; ++i) { /* four of 1 to 2 kB, ..., four of 1 to 2 MB */
        const size_t least = (size_t)TARE_LEAST_HOLE_ << (i / 4);
        const unsigned other = (unsigned)(tare_random_() % (i + 1));
        size[i] = size[other];
        size[other] = least + (size_t)(tare_random_() % least);
    }
    state->block[state->blocks++] = malloc(TARE_LEAST_HOLE_ + (size_t)(tare_random_() % 65536));
    for (unsigned i = 0; i < TARE_HOLES_; ++i) {
        hole[i] = malloc(size[i]);
        state->block[state->blocks++] = malloc(TARE_LEAST_HOLE_ + (size_t)(tare_random_() % 4096));
    }
    for (unsigned i = 0; i < TARE_HOLES_; ++i) free(hole[i]);
}
/* Where the function with the measuring loop is, as far as that is known. */
TARE_ENGINE_ void tare_say_loop_(struct tare_link_* link, const struct tare_benchmark* it) {
    if (it->loop_at_ != 0) tare_say_(link, ",\"loop_address\":%u", it->loop_at_);
}
TARE_ENGINE_ bool tare_open_(struct tare_link_* link, uint64_t index, uint64_t seed) {
    uint64_t choice = 0, ignored;
    struct tare_benchmark* const it = tare_find_(index, &choice);
    tare_move_heap_(seed);
    link->choice = choice;
    link->is_gone = false;
    const bool is_made = tare_make_(it, choice, &ignored);
    const uint64_t listed = it->operations;
    struct tare_rate rates[TARE_MAX_RATES_];
    memcpy(rates, it->rates, sizeof rates);
    if (is_made && tare_step_(it, TARE_SET_UP_, 0) && tare_step_(it, TARE_COUNT_, 0)) {
        link->open = it;
        const char* before = ",\"rates\":{";
        const uint64_t input_bytes = tare_input_bytes_(it);
        tare_say_(link, "{\"reply\":\"opened\"");
        if (input_bytes != 0) tare_say_(link, ",\"input_bytes\":%u", input_bytes);
        tare_say_loop_(link, it);
        if (it->operations != listed) tare_say_(link, ",\"operations\":%u", it->operations);
        for (unsigned i = 0; i < TARE_MAX_RATES_ && it->rates[i].name != NULL; ++i) {
            const struct tare_rate* const rate = &it->rates[i];
            if (rate->per_invocation <= rates[i].per_invocation && rate->per_invocation >= rates[i].per_invocation)
                continue;
            tare_say_(link, "%s%q:", before, rate->name);
            tare_say_double_(link, rate->per_invocation * tare_team_size_(it));
            before = ",";
        }
        tare_say_(link, before[1] == 0 ? "}}\n" : "}\n");
    } else if (tare_state_.is_skipped) {
        tare_refuse_(link, "skipped", tare_state_.message);
        it->act_(it, TARE_DROP_, 0);
    } else {
        tare_blame_(link, it, TARE_SET_UP_);
        it->act_(it, TARE_DROP_, 0);
    }
    return true;
}
TARE_ENGINE_ void tare_close_(struct tare_link_* link, const char* reply) {
    struct tare_benchmark* const it = link->open;
    link->open = NULL;
    const bool is_clean = link->is_gone || tare_step_(it, TARE_CLEAN_UP_, 0);
    it->act_(it, TARE_DROP_, 0);
    link->is_gone = false;
    if (is_clean) tare_say_(link, "%s", reply);
    else if (*reply != 0) tare_blame_(link, it, TARE_CLEAN_UP_);
}
/* Another instance elsewhere in memory. That of the quick style stands in the caller, and stays where it is. */
TARE_ENGINE_ void tare_randomize_(struct tare_link_* link, uint64_t seed) {
    struct tare_benchmark* const it = link->open;
    uint64_t ignored;
    const bool is_clean = link->is_gone || tare_step_(it, TARE_CLEAN_UP_, 0);
    link->is_gone = true;
    if (!is_clean) {
        tare_blame_(link, it, TARE_CLEAN_UP_);
        if (!link->is_walker) it->act_(it, TARE_DROP_, 0);
        return;
    }
    if (!link->is_walker) it->act_(it, TARE_DROP_, 0);
    tare_move_heap_(seed);
    link->is_gone =
        (!link->is_walker && !tare_make_(it, link->choice, &ignored)) || !tare_step_(it, TARE_SET_UP_, 0);
    if (link->is_gone) tare_blame_(link, it, TARE_SET_UP_);
    else tare_say_(link, "{\"reply\":\"randomized\"}\n");
}
TARE_ENGINE_ void tare_check_(struct tare_link_* link) {
    struct tare_benchmark* const it = link->open;
    struct tare_text_* const text = &tare_state_.checked;
    enum tare_act_ failed = TARE_DROP_;
    char digest[24];
    text->bytes = tare_state_.checked_bytes;
    text->room = sizeof tare_state_.checked_bytes;
    text->length = 0;
    text->digest = 0;
    tare_state_.wanted = 1;
    const bool has_set_up = (it->steps_ & TARE_HAS_ITERATION_SET_UP_) != 0;
    const bool has_clean_up = (it->steps_ & TARE_HAS_ITERATION_CLEAN_UP_) != 0;
    if (has_set_up && !tare_step_(it, TARE_ITERATION_SET_UP_, 0)) failed = TARE_ITERATION_SET_UP_;
    else if (!tare_step_(it, TARE_CHECK_, 0)) failed = TARE_CHECK_;
    else if (has_clean_up && !tare_step_(it, TARE_ITERATION_CLEAN_UP_, 0)) failed = TARE_ITERATION_CLEAN_UP_;
    if (failed != TARE_DROP_) {
        tare_blame_(link, it, failed);
    } else if (text->digest == 0) {
        tare_say_(link, "{\"reply\":\"checked\",\"digest\":null,\"text\":null}\n");
    } else {
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)text->digest);
        tare_say_(link, "{\"reply\":\"checked\",\"digest\":%q,\"text\":", digest);
        size_t length = 0;
        for (unsigned characters = 0; characters < 200 && length < text->length; ++characters) {
            const size_t bytes = tare_utf8_((unsigned char*)text->bytes + length, text->length - length);
            length += bytes == 0 ? 1 : bytes;
        }
        tare_quote_(link, text->bytes, length);
        tare_say_(link, "}\n");
    }
}

TARE_ENGINE_ size_t tare_count_metrics_(void) {
    size_t count = 0;
    for (const struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_) ++count;
    return count;
}
/* Runs the iterations on a stack that is moved by 0 to 4080 bytes, anew for every request. */
TARE_ENGINE_ enum tare_act_ tare_run_(struct tare_link_* link, enum tare_act_ loop, const uint64_t* count) {
    struct tare_iteration_ ignored;
    enum tare_act_ failed = TARE_DROP_;
    const size_t shift = tare_state_.random == 0 ? 0 : (size_t)(tare_random_() % 256) * 16;
    void* const moved = __builtin_alloca(shift + 16);
    __asm__ volatile("" : : "r"(moved) : "memory");
    struct tare_cut_ cut = {count[3], link->cuts, link->cuts == NULL ? NULL : link->cuts + count[0] * count[3]};
    if (count[2] > 0) failed = tare_iterate_(link->open, loop, count[2], NULL, &ignored);
    for (uint64_t i = 0; i < count[0] && failed == TARE_DROP_; ++i) {
        failed = tare_iterate_(link->open, loop, count[1], count[3] > 0 ? &cut : NULL, &link->iterations[i]);
        if (count[3] > 0) cut.window += count[3], cut.width += count[3] + 1;
        double* value = link->metrics == NULL ? NULL : link->metrics + i * tare_count_metrics_();
        for (struct tare_metric* it = tare_state_.metrics; it != NULL && value != NULL; it = it->next_)
            *value++ = it->value_;
    }
    return failed;
}
/* Makes room for so many iterations of so many windows. */
TARE_ENGINE_ bool tare_make_room_(struct tare_link_* link, uint64_t iterations, uint64_t windows) {
    const size_t cuts = windows == 0 ? 0 : (size_t)(iterations * (2 * windows + 1));
    const size_t metrics = (size_t)iterations * tare_count_metrics_();
    if (metrics > link->metric_room) {
        free(link->metrics);
        link->metrics = (double*)malloc(metrics * sizeof *link->metrics);
        link->metric_room = link->metrics == NULL ? 0 : metrics;
    }
    if (iterations > link->room) {
        free(link->iterations);
        link->room = iterations < 64 ? 64 : (size_t)iterations;
        link->iterations = (struct tare_iteration_*)malloc(link->room * sizeof *link->iterations);
        if (link->iterations == NULL) link->room = 0;
    }
    if (cuts > link->cut_room) {
        free(link->cuts);
        link->cut_room = cuts < 1024 ? 1024 : cuts;
        link->cuts = (uint64_t*)malloc(link->cut_room * sizeof *link->cuts);
        if (link->cuts == NULL) link->cut_room = 0;
        else memset(link->cuts, 0xff, link->cut_room * sizeof *link->cuts); /* no page fault between windows */
    }
    return link->room >= iterations && link->cut_room >= cuts && link->metric_room >= metrics;
}
TARE_ENGINE_ void tare_say_column_(struct tare_link_* link, const char* name, const uint64_t* values,
                                   size_t count) {
    tare_say_(link, ",%q:", name);
    for (size_t i = 0; i < count; ++i) tare_say_(link, i == 0 ? "[%u" : ",%u", values[i]);
    tare_say_(link, "]");
}
TARE_ENGINE_ void tare_say_metrics_(struct tare_link_* link, uint64_t iterations) {
    const size_t count = tare_count_metrics_();
    size_t at = 0;
    tare_say_(link, ",\"metrics\":{");
    for (const struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_, ++at) {
        tare_say_(link, "%s%q:[", at == 0 ? "" : ",", it->name);
        for (uint64_t i = 0; i < iterations; ++i) {
            tare_say_(link, i == 0 ? "" : ",");
            tare_say_double_(link, link->metrics[i * count + at]);
        }
        tare_say_(link, "]");
    }
    tare_say_(link, "}");
}
/* The only diagnoser, `memory`: what iterations allocate; no time of them means anything. */
TARE_ENGINE_ void tare_diagnose_(struct tare_link_* link, const uint64_t* count) {
    void (*const before)(uint64_t*) = tare_state_.count;
    if (!tare_make_room_(link, count[0], 0)) {
        tare_refuse_(link, "not-supported", "out of memory for that many iterations");
        return;
    }
    tare_state_.count = tare_count_memory_;
    const enum tare_act_ failed = tare_run_(link, TARE_WORKLOAD_, count);
    tare_state_.count = before;
    if (failed != TARE_DROP_) {
        tare_blame_(link, link->open, failed);
        return;
    }
    tare_say_(link, "{\"reply\":\"diagnosed\",\"metrics\":{");
    for (unsigned metric = 0; metric < 3; ++metric) {
        tare_say_(link, "%s%q:", metric == 0 ? "" : ",", tare_memory_metrics_[metric]);
        for (uint64_t i = 0; i < count[0]; ++i)
            tare_say_(link, i == 0 ? "[%u" : ",%u", link->iterations[i].counted[metric]);
        tare_say_(link, "]");
    }
    tare_say_(link, "}}\n");
}
TARE_ENGINE_ void tare_measure_(struct tare_link_* link, enum tare_act_ loop, const uint64_t* count) {
    static const char* const columns[] = {"elapsed",     "cpu",      "process_cpu", "probe_before",
                                          "probe_after", "switches", "waits"};
    if (!tare_make_room_(link, count[0], count[3])) {
        tare_refuse_(link, "not-supported", "out of memory for that many iterations");
        return;
    }
    const enum tare_act_ failed = tare_run_(link, loop, count);
    if (failed != TARE_DROP_) {
        tare_blame_(link, link->open, failed);
        return;
    }
    tare_say_(link, "{\"reply\":\"measured\"");
    for (unsigned column = 0; column < (TARE_HAS_SWITCHES_ ? 7 : 5); ++column) {
        tare_say_(link, ",\"%s%s\":", columns[column], column < 5 ? "_ns" : "");
        for (uint64_t i = 0; i < count[0]; ++i) {
            const struct tare_iteration_* const w = &link->iterations[i];
            const uint64_t values[] = {w->elapsed,     w->cpu,      w->process_cpu, w->probe_before,
                                       w->probe_after, w->switches, w->waits};
            tare_say_(link, i == 0 ? "[%u" : ",%u", values[column]);
        }
        tare_say_(link, "]");
    }
    if (count[3] > 0) {
        const size_t windows = (size_t)(count[0] * count[3]);
        tare_say_column_(link, "window_ns", link->cuts, windows);
        tare_say_column_(link, "width_ns", link->cuts + windows, windows + (size_t)count[0]);
    }
    if (loop != TARE_OVERHEAD_ && (link->open->steps_ & TARE_HAS_ITERATION_OPERATIONS_)) {
        for (uint64_t i = 0; i < count[0]; ++i) {
            tare_say_(link, i == 0 ? ",\"operations\":[" : ",");
            tare_say_double_(link, link->iterations[i].operations);
        }
        tare_say_(link, "]");
    }
    if (tare_state_.metrics != NULL && loop != TARE_OVERHEAD_) tare_say_metrics_(link, count[0]);
    tare_say_(link, "}\n");
}

/* Cuts the next word off; false when there is none. Two spaces have an empty word between them. */
TARE_ENGINE_ bool tare_word_(char** rest, char** word) {
    if (*rest == NULL) return false;
    *word = *rest;
    char* const space = strchr(*rest, ' ');
    if (space != NULL) *space = 0;
    *rest = space == NULL ? NULL : space + 1;
    return true;
}
/* A word as the text that it stands for. */
TARE_ENGINE_ const char* tare_unquote_(const char* word) {
    char text[1024]; /* as a request */
    size_t length = 0;
    if (strcmp(word, "%") == 0) word = "";
    for (; *word != 0; ++word) {
        unsigned byte = 0;
        if (*word == '%' && sscanf(word + 1, "%2x", &byte) == 1 && byte != 0) word += 2;
        else byte = (unsigned char)*word;
        text[length++] = (char)byte;
    }
    return tare_keep_text_(text, length);
}
/* Benchmarks, as declared, that have the parameter `name`. Each is made once, so that a value which does not fit shows. */
TARE_ENGINE_ uint64_t tare_count_having_(const char* name) {
    uint64_t having = 0;
    for (struct tare_benchmark* it = tare_state_.first; it != NULL; it = it->next_) {
        bool has = false;
        uint64_t ignored;
        tare_make_(it, 0, &ignored);
        for (unsigned i = 0; i < tare_state_.parameters; ++i)
            has |= strcmp(tare_state_.parameter[i].name, name) == 0;
        it->act_(it, TARE_DROP_, 0);
        it->combinations_ = 0; /* counted anew */
        tare_state_.found = NULL;
        having += has;
    }
    return having;
}
TARE_ENGINE_ void tare_set_(struct tare_link_* link, const char* name, char* values) {
    struct tare_state_* const state = &tare_state_;
    struct tare_given_* const given = (struct tare_given_*)calloc(1, sizeof *given);
    char* word;
    if (given == NULL) {
        tare_refuse_(link, "not-supported", "out of memory");
        return;
    }
    given->name = tare_unquote_(name);
    while (tare_word_(&values, &word) && given->count < TARE_MAX_GIVEN_)
        given->value[given->count++] = tare_unquote_(word);
    given->next = state->given;
    state->given = given; /* before older values of the same name */
    state->misfit = NULL;
    const uint64_t having = tare_count_having_(given->name);
    if (state->misfit != NULL || having == 0) state->given = given->next;
    if (state->misfit != NULL) {
        tare_count_having_(given->name);
        tare_refuse_(link, "bad-value", state->misfit);
    } else {
        tare_say_(link, "{\"reply\":\"set\",\"benchmarks\":%u}\n", having);
    }
}
/* Answers one request. False: no more are to be served. R9: what the host would not send ends the process. */
TARE_ENGINE_ bool tare_answer_(struct tare_link_* link, char* line) {
    enum { HELLO, LIST, SET, OPEN, CHECK, MEASURE, CLOSE, RANDOMIZE, BYE, DIAGNOSE, UNKNOWN };
    static const struct {
        const char* verb;
        bool has_name; /* its first argument; numbers follow, and of `set` words */
        char state;    /* 'r'eady, 'o'pened, or 0: both */
    } requests[] = {{"hello", false, 0},   {"list", false, 'r'},   {"set", true, 'r'},    {"open", false, 'r'},
                    {"check", false, 'o'}, {"measure", true, 'o'}, {"close", false, 'o'}, {"randomize", false, 'o'},
                    {"bye", false, 0},     {"diagnose", true, 'o'}};
    static const struct {
        const char* name;
        enum tare_act_ act;
        bool is_single;
    } loops[] = {{"workload", TARE_WORKLOAD_, false},
                 {"overhead", TARE_OVERHEAD_, false},
                 {"rolled", TARE_ROLLED_, false},
                 {"single", TARE_WORKLOAD_, true},
                 {"single-overhead", TARE_OVERHEAD_, true}};
    char *rest = line, *verb = line, *word = line, *name = line;
    uint64_t number[4] = {0, 0, 0, 0};
    unsigned request = 0, loop = 0;
    tare_word_(&rest, &verb);
    while (request < UNKNOWN && strcmp(requests[request].verb, verb) != 0) ++request;
    if (request == UNKNOWN || (requests[request].state == 'r' && link->open != NULL) ||
        (requests[request].state == 'o' && link->open == NULL)) {
        fprintf(stderr, "error: tare cannot answer `%s` here\n", verb);
        _exit(2);
    }
    if (requests[request].has_name) tare_word_(&rest, &name);
    for (unsigned i = 0; i < 4 && request != SET && tare_word_(&rest, &word); ++i)
        number[i] = strtoull(word, NULL, 10);
    while (request == MEASURE && loop < 4 && strcmp(name, loops[loop].name) != 0) ++loop;
    tare_state_.is_single = loops[loop].is_single;
    switch (request) {
    case HELLO:
        if (number[0] == 1) tare_hello_(link);
        else tare_refuse_(link, "version", "this front end speaks version 1");
        return true;
    case LIST: tare_list_(link); return true;
    case SET: tare_set_(link, name, rest); return true;
    case OPEN: return link->start(link, number[0], number[1]);
    case CHECK: tare_check_(link); return true;
    case MEASURE: tare_measure_(link, loops[loop].act, number); return true;
    case DIAGNOSE: tare_diagnose_(link, number); return true;
    case CLOSE:
        tare_close_(link, "{\"reply\":\"closed\"}\n");
        link->is_closed = true;
        return !link->is_walker;
    case RANDOMIZE: tare_randomize_(link, number[0]); return true;
    default: /* bye */
        if (link->open != NULL) tare_close_(link, "");
        fflush(NULL);
        tare_say_(link, "{\"reply\":\"bye\"}\n");
        return false;
    }
}
/* Reads a request into `line`, which is as long as `link->in`. */
TARE_ENGINE_ void tare_read_(struct tare_link_* link, char* line) {
    for (;;) {
        char* const end = (char*)memchr(link->in, '\n', link->in_used);
        if (end != NULL) {
            const size_t length = (size_t)(end - link->in);
            memcpy(line, link->in, length);
            line[length] = 0;
            link->in_used -= length + 1;
            memmove(link->in, end + 1, link->in_used);
            return;
        }
        const ssize_t got = read(link->input, link->in + link->in_used, sizeof link->in - link->in_used);
        if (got > 0) link->in_used += (size_t)got;
        else if (got == 0 || errno != EINTR) _exit(0); /* the host is gone */
    }
}
TARE_ENGINE_ void tare_serve_(struct tare_link_* link) {
    char line[sizeof link->in];
    do tare_read_(link, line);
    while (tare_answer_(link, line));
}
/* The link that TARE_LINK names, or NULL when it is not set. */
TARE_ENGINE_ struct tare_link_* tare_link_from_environment_(void) {
    static struct tare_link_ link;
    const char* const value = getenv("TARE_LINK");
    char rest;
    if (value == NULL) return NULL;
    if (sscanf(value, "fd:%d,%d%c", &link.input, &link.output, &rest) != 2 || fcntl(link.input, F_GETFD) < 0 ||
        fcntl(link.output, F_GETFD) < 0) {
        fprintf(stderr, "error: TARE_LINK=%s is not fd:R,W with two open descriptors\n", value);
        exit(2);
    }
    fcntl(link.input, F_SETFD, FD_CLOEXEC);
    fcntl(link.output, F_SETFD, FD_CLOEXEC);
    unsetenv("TARE_LINK");
    tare_state_.is_counted = getenv("TARE_CALLGRIND") != NULL;
    unsetenv("TARE_CALLGRIND");
    link.start = tare_open_;
    return &link;
}
#    endif /* TARE_POSIX_ */

/* --------------------------------------------------------------------------------------------- 8 quick table */

/* Few iterations in one process: right for a glance, blind for what differs between processes. Each is 0.1 to 0.2 ms,
   shorter than a slice of the scheduler, and stands between two clock probes, so that it counts cycles and the drift
   of the clock cancels out; the time printed is that of the median clock. */
enum { TARE_QUICK_WINDOWS_ = 45, TARE_QUICK_BLOCKS_ = 9, TARE_QUICK_WINDOW_NS_ = 160000 };

TARE_ENGINE_ int tare_compare_(const void* left, const void* right) {
    double a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}
/* The 20 % trimmed mean; sorts `values`. */
TARE_ENGINE_ double tare_centre_(double* values, size_t count) {
    double sum = 0;
    if (count == 0) return 0;
    qsort(values, count, sizeof *values, tare_compare_);
    for (size_t i = count / 5; i < count - count / 5; ++i) sum += values[i];
    return sum / (double)(count - 2 * (count / 5));
}
/* Nanoseconds that the probe took around a window; the lesser when only one was disturbed. */
TARE_ENGINE_ double tare_probe_around_(const struct tare_iteration_* window) {
    const double before = (double)window->probe_before, after = (double)window->probe_after;
    const double less = before < after ? before : after;
    return before + after > 2.1 * less ? less : (before + after) / 2;
}
struct tare_series_ {
    struct tare_iteration_* window;
    unsigned count, room;
    double operations; /* of an invocation, which times are scaled to where each iteration counts its own */
};
enum tare_way_ { TARE_BY_WALL_, TARE_BY_CPU_, TARE_WAITS_ };

TARE_ENGINE_ bool tare_was_preempted_(const struct tare_iteration_* window) {
    const uint64_t lost = window->elapsed > window->cpu ? window->elapsed - window->cpu : 0;
    return lost > 10000 && lost > window->elapsed / 50;
}
/* The time of a window in probes (waiting: in nanoseconds), and half of its 96 % interval: between the second and the
   eighth of nine block means. Preempted windows are left out of the wall times. */
TARE_ENGINE_ double tare_estimate_(const struct tare_series_* series, enum tare_way_ way, double* half) {
    double block[TARE_QUICK_BLOCKS_];
    unsigned count = 0, blocks = 0;
    double* const value = (double*)malloc((2 * (size_t)series->count + 1) * sizeof *value);
    *half = 0;
    if (value == NULL) return 0;
    double* const copy = value + series->count;
    for (unsigned i = 0; i < series->count; ++i) {
        const struct tare_iteration_* const window = &series->window[i];
        if (way == TARE_BY_WALL_ && tare_was_preempted_(window)) continue;
        const double scale = window->operations > 0 ? series->operations / window->operations : 1;
        const double time = (double)(way == TARE_BY_CPU_ ? window->cpu : window->elapsed);
        value[count++] = scale * (way == TARE_WAITS_ ? time : time / tare_probe_around_(window));
    }
    const unsigned size = count < TARE_QUICK_BLOCKS_ ? 1 : count / TARE_QUICK_BLOCKS_;
    memcpy(copy, value, count * sizeof *value);
    for (; blocks < TARE_QUICK_BLOCKS_ && (blocks + 1) * size <= count; ++blocks) {
        block[blocks] = tare_centre_(copy + blocks * size, size);
    }
    const double centre = tare_centre_(value, count);
    tare_centre_(block, blocks);
    if (blocks == TARE_QUICK_BLOCKS_) *half = (block[7] - block[1]) / 2;
    else *half = blocks < 2 ? 0 : (block[blocks - 1] - block[0]) / 2;
    free(value);
    return centre;
}
TARE_ENGINE_ enum tare_act_ tare_add_window_(struct tare_benchmark* it, enum tare_act_ loop, uint64_t invocations,
                                             struct tare_series_* series) {
    if (series->count == series->room) {
        const unsigned room = series->room == 0 ? 64 : 2 * series->room;
        void* const more = realloc(series->window, room * sizeof *series->window);
        if (more == NULL) {
            tare_fail("out of memory for that many iterations");
            return TARE_WORKLOAD_;
        }
        series->window = (struct tare_iteration_*)more;
        series->room = room;
    }
    const enum tare_act_ failed = tare_iterate_(it, loop, invocations, NULL, &series->window[series->count]);
    if (failed == TARE_DROP_) ++series->count;
    return failed;
}
/* How a quick measurement is sized. What is 0 is left to the header. */
struct tare_quick_plan_ {
    unsigned windows;
    uint64_t window_ns, window_ns_max, invocations_min, invocations, warm_up;
};
/* The body is called exactly as often as the program asks: there is nothing to find out. */
TARE_ENGINE_ bool tare_is_exact_(const struct tare_quick_plan_* plan) {
    return plan->windows != 0 && plan->invocations != 0;
}
/* Finds how many invocations make a window, and warms up by it. */
TARE_ENGINE_ enum tare_act_ tare_pilot_(struct tare_benchmark* it, const struct tare_quick_plan_* plan,
                                        uint64_t* invocations, uint64_t* elapsed) {
    const bool is_set_up = (it->steps_ & (TARE_HAS_ITERATION_SET_UP_ | TARE_HAS_ITERATION_CLEAN_UP_)) != 0;
    uint64_t most = it->invocations_max != 0 ? it->invocations_max : is_set_up ? 1 : UINT64_MAX;
    const uint64_t input_bytes = tare_input_bytes_(it);
    /* Inputs stay in the cache of the core: half of a small one, as no host says how large it is. */
    if (input_bytes != 0 && most > 262144 / input_bytes) most = input_bytes < 262144 ? 262144 / input_bytes : 1;
    struct tare_iteration_ window;
    enum tare_act_ failed = TARE_DROP_;
    uint64_t target = plan->window_ns != 0 ? plan->window_ns : (uint64_t)TARE_QUICK_WINDOW_NS_;
    if (plan->window_ns_max != 0 && plan->window_ns_max < target && plan->window_ns == 0)
        target = plan->window_ns_max;
    tare_state_.is_single = true;
    if (plan->warm_up > 0) {
        failed = tare_iterate_(it, TARE_WORKLOAD_, plan->warm_up, NULL, &window);
        if (failed == TARE_DROP_ && tare_is_exact_(plan))
            *elapsed = (uint64_t)((double)window.elapsed / (double)plan->warm_up * (double)plan->invocations);
    }
    *invocations = plan->invocations != 0 ? plan->invocations : 1;
    for (unsigned round = 0; round < 40 && failed == TARE_DROP_ && !tare_is_exact_(plan); ++round) {
        const bool is_fixed = plan->invocations != 0 || *invocations >= most;
        failed = tare_iterate_(it, TARE_WORKLOAD_, *invocations, NULL, &window);
        if (it->own_time && window.cpu > window.elapsed) window.elapsed = window.cpu; /* what it takes to run it */
        *elapsed = window.elapsed;
        if (failed != TARE_DROP_ || plan->invocations != 0) break;
        if (round > 0 && (is_fixed || window.elapsed > target / 2)) break;
        if (is_fixed || window.elapsed > target) continue;
        if (window.elapsed < target / 10) *invocations *= 10;
        else *invocations = (uint64_t)((double)*invocations * (double)target / (double)window.elapsed);
        if (*invocations > TARE_UNROLL) *invocations += TARE_UNROLL - *invocations % TARE_UNROLL;
        if (*invocations > most) *invocations = most;
    }
    if (plan->invocations == 0 && *invocations < plan->invocations_min) {
        *elapsed = (uint64_t)((double)*elapsed * (double)plan->invocations_min / (double)*invocations);
        *invocations = plan->invocations_min;
    }
    return failed;
}
/* The empty loop. Where it is but two clock reads, the third in a row counts: the first run mispredicts its way there,
   which the workload, run all the time, does not, and what is subtracted would be too much by half a short body. */
TARE_ENGINE_ void tare_add_overhead_(struct tare_benchmark* it, bool is_short, uint64_t invocations,
                                     struct tare_series_* series) {
    struct tare_iteration_ ignored;
    for (unsigned i = 0; i < 2 && !is_short; ++i) tare_iterate_(it, TARE_OVERHEAD_, 1, NULL, &ignored);
    tare_add_window_(it, TARE_OVERHEAD_, is_short ? invocations / 4 : 1, series);
}
/* The smallest step between the times that occurred, in nanoseconds: the clock's, where windows are short. */
TARE_ENGINE_ double tare_times_step_(const struct tare_series_* series) {
    uint64_t step = UINT64_MAX;
    for (unsigned i = 0; i < series->count && i < 256; ++i) {
        for (unsigned j = 0; j < i; ++j) {
            const uint64_t a = series->window[i].elapsed, b = series->window[j].elapsed;
            const uint64_t gap = a > b ? a - b : b - a;
            if (gap != 0 && gap < step) step = gap;
        }
    }
    return (double)(step == UINT64_MAX ? tare_clock_resolution_() : step);
}
struct tare_quick_ {
    struct tare_series_ work, rolled, overhead;
    uint64_t invocations;
    unsigned windows;
    bool is_short; /* so short that the loop is unrolled */
    bool is_exact; /* tare_is_exact_ */
    enum tare_way_ way;
    double probe_ns; /* the median of the probes */
};
/* Finds out how long a window is and how many there are, and warms up. Returns the step that failed, or TARE_DROP_. */
TARE_ENGINE_ enum tare_act_ tare_quick_begin_(struct tare_benchmark* it, const struct tare_quick_plan_* plan,
                                              struct tare_quick_* quick) {
    uint64_t elapsed = 0;
    memset(quick, 0, sizeof *quick);
    const enum tare_act_ failed = tare_pilot_(it, plan, &quick->invocations, &elapsed);
    quick->is_exact = tare_is_exact_(plan);
    /* Who asks for thousands of calls and nothing before them has a short body. */
    quick->is_short = elapsed > 0 ? elapsed < quick->invocations * TARE_SINGLE_TURNS_FROM_NS_
                                  : quick->is_exact && quick->invocations >= 8192;
    quick->windows = plan->windows != 0    ? plan->windows
                     : elapsed <= 300000   ? TARE_QUICK_WINDOWS_
                     : elapsed > 200000000 ? 3
                     : elapsed > 800000    ? TARE_QUICK_BLOCKS_
                                           : 2 * TARE_QUICK_BLOCKS_;
    return failed;
}
/* Runs the window `i`, and what goes with it now and then. */
TARE_ENGINE_ enum tare_act_ tare_quick_turn_(struct tare_benchmark* it, struct tare_quick_* quick, unsigned i) {
    tare_state_.is_single = !quick->is_short;
    enum tare_act_ failed = tare_add_window_(it, TARE_WORKLOAD_, quick->invocations, &quick->work);
    if (failed == TARE_DROP_ && i % 5 == 0 && !it->own_time &&
        !it->cpu_time) { /* nothing is subtracted from those */
        tare_add_overhead_(it, quick->is_short, quick->invocations, &quick->overhead);
    }
    if (failed == TARE_DROP_ && quick->is_short && !quick->is_exact && i % 3 == 0) {
        failed = tare_add_window_(it, TARE_ROLLED_, quick->invocations / 2, &quick->rolled);
    }
    return failed;
}
/* Runs the windows. Returns the step that failed, or TARE_DROP_. */
TARE_ENGINE_ enum tare_act_ tare_quick_windows_(struct tare_benchmark* it, const struct tare_quick_plan_* plan,
                                                struct tare_quick_* quick) {
    enum tare_act_ failed = tare_quick_begin_(it, plan, quick);
    for (unsigned i = 0; i < quick->windows && failed == TARE_DROP_; ++i) failed = tare_quick_turn_(it, quick, i);
    return failed;
}
/* Operations of an invocation: the mean of those that the windows counted, else those that are declared. */
TARE_ENGINE_ double tare_quick_operations_(const struct tare_benchmark* it, struct tare_quick_* quick) {
    double sum = 0;
    for (unsigned i = 0; i < quick->work.count; ++i) sum += quick->work.window[i].operations;
    quick->work.operations = quick->rolled.operations = sum / quick->work.count;
    return sum > 0 ? quick->work.operations : it->operations == 0 ? 1 : (double)it->operations;
}
/* What its windows are to be read by. */
TARE_ENGINE_ void tare_quick_way_(const struct tare_benchmark* it, struct tare_quick_* quick) {
    unsigned preempted = 0, waiting = 0;
    const struct tare_series_* const work = &quick->work;
    double* const clock = (double*)malloc((work->count + (size_t)1) * sizeof *clock);
    if (clock == NULL) return;
    for (unsigned i = 0; i < work->count; ++i) {
        const struct tare_iteration_* const window = &work->window[i];
        preempted += tare_was_preempted_(window);
        waiting += window->waits > 0 && window->elapsed > window->cpu + window->elapsed / 10;
        clock[i] = tare_probe_around_(window);
    }
    quick->way = waiting > work->count / 2 || it->waits || it->own_time || it->threads < 0 || it->threads > 1
                     ? TARE_WAITS_
                 : preempted > work->count / 2 ? TARE_BY_CPU_
                                               : TARE_BY_WALL_;
    tare_centre_(clock, work->count);
    quick->probe_ns = clock[work->count / 2];
    free(clock);
}
/* The result, from the windows alone. */
TARE_ENGINE_ void tare_quick_result_(const struct tare_quick_* quick, double per, struct tare_result* result) {
    const double unroll = (double)(int)TARE_UNROLL, probe_cycles = (double)(int)TARE_PROBE_CYCLES;
    const double n = (double)quick->invocations;
    const double unit_ns = quick->way == TARE_WAITS_ ? 1 : quick->probe_ns; /* what the estimates are counted in */
    const double least =
        0.05 / probe_cycles * quick->probe_ns; /* 0.05 cycles: nothing that does something is less */
    double half = 0, half_empty = 0, ignored;
    double time = tare_estimate_(&quick->work, quick->way, &half), empty;
    memset(result, 0, sizeof *result);
    if (quick->way == TARE_BY_WALL_ && quick->is_short) {
        /* a turn of the loop costs c beside the body: T8 = t + c / 8, T2 = t + c / 2 */
        const double turn2 =
            tare_estimate_(&quick->rolled, quick->way, &ignored) / (double)(quick->invocations / 2);
        empty = tare_estimate_(&quick->overhead, quick->way, &ignored) / (double)(quick->invocations / 4);
        double loop_turn = (turn2 - time / n) * 8 / 3;
        loop_turn = loop_turn < 0 ? 0 : loop_turn > empty * unroll ? empty * unroll : loop_turn;
        empty *= unit_ns;
        time = (time / n - loop_turn / unroll) * unit_ns;
        half = half / n * unit_ns + (quick->is_exact ? empty : 0); /* what the loop costs is not known */
    } else {
        /* The cost of reading the clock is known to a quarter, since a processor does that beside the body; and a time is
           known to a step of the clock, however often the same one is read. */
        empty = tare_estimate_(&quick->overhead, quick->way, &half_empty) * unit_ns;
        half = (half + half_empty) * unit_ns + empty / 4 + tare_times_step_(&quick->work);
        time = (time * unit_ns - empty) / n;
        half /= n;
        empty /= n;
    }
    const double net = time < 0 ? 0 : time;
    result->nanoseconds = net / per;
    result->cycles = quick->way == TARE_WAITS_ ? 0 : result->nanoseconds / quick->probe_ns * probe_cycles;
    result->error = net > 0 ? half / net : 0;
    const bool is_tiny = net < 0.6 / probe_cycles * quick->probe_ns; /* an instruction or two */
    if (time < 2 * least || time < half || (time < 2 * half && time < empty)) {
        result->limit = (net + (half > least ? half : least)) / per;
    }
    if (quick->is_short && is_tiny) {
        result->warning =
            result->limit > 0
                ? "nothing left to measure: empty, the same every time, or optimised away? Return the result"
                : "an instruction or two: is the work done once, before the loop? See tare::opaque";
    } else if (!quick->is_short && result->limit > 0 && net < 2 * empty) {
        result->warning = "too short for two clock reads: do more per invocation, and declare operations(n)";
    } else if (result->limit > 0 || result->error > 0.05) {
        result->warning = quick->invocations == 1 && empty > net / 10
                              ? "short for two clock reads: do more per invocation, and declare operations(n)"
                              : "unstable: close other programs, or do more per invocation";
    } else if (quick->way == TARE_BY_CPU_) result->warning = "always preempted: CPU time shown";
}
TARE_ENGINE_ void tare_quick_free_(struct tare_quick_* quick) {
    free(quick->work.window);
    free(quick->rolled.window);
    free(quick->overhead.window);
}
/* Measures an instance that is set up. Returns the step that failed, or TARE_DROP_. The windows are freed by the caller. */
TARE_ENGINE_ enum tare_act_ tare_quick_measure_(struct tare_benchmark* it, const struct tare_quick_plan_* plan,
                                                struct tare_quick_* quick, struct tare_result* result) {
    memset(result, 0, sizeof *result);
    const enum tare_act_ failed = tare_quick_windows_(it, plan, quick);
    if (failed != TARE_DROP_) return failed;
    tare_quick_way_(it, quick);
    tare_quick_result_(quick, tare_quick_operations_(it, quick), result);
    if (it->strategy != TARE_THROUGHPUT) result->warning = "measured warm: tare run uses its strategy";
    return TARE_DROP_;
}

/* "13.21 ns", right-aligned in `width` columns. */
TARE_ENGINE_ void tare_print_time_(FILE* file, const char* before, double nanoseconds, int width) {
    static const char* const units[] = {"ns", "\xc2\xb5s", "ms", "s"};
    char text[48];
    unsigned unit = 0;
    while (nanoseconds >= 999.95 && unit < 3) nanoseconds /= 1000, ++unit;
    const int decimals = nanoseconds < 10 ? 3 : nanoseconds < 100 ? 2 : 1;
    snprintf(text, sizeof text, "%s%.*f %s", before, decimals, nanoseconds, units[unit]);
    fprintf(file, "| %*s ", width + (unit == 1), text);
}
/* A cell of a table of Markdown: no control characters, and no end of the cell. */
TARE_ENGINE_ void tare_print_cell_(FILE* file, const char* text) {
    for (; *text != 0; ++text) {
        if (*text == '|') fputc('\\', file);
        fputc((unsigned char)*text < 0x20 || *text == 0x7f ? ' ' : *text, file);
    }
}
/* How many backticks stand around a text that is code: one more than follow each other in it. */
TARE_ENGINE_ unsigned tare_fence_(const char* text, size_t length) {
    unsigned most = 0, run = 0;
    for (size_t i = 0; i < length; ++i) {
        run = text[i] == '`' ? run + 1 : 0;
        if (run > most) most = run;
    }
    return most + 1;
}
TARE_ENGINE_ void tare_print_code_(FILE* file, const char* text) {
    const unsigned fence = tare_fence_(text, strlen(text));
    const char* const beside = fence > 1 ? " " : "";
    for (unsigned i = 0; i < fence; ++i) fputc('`', file);
    fputs(beside, file);
    tare_print_cell_(file, text);
    fputs(beside, file);
    for (unsigned i = 0; i < fence; ++i) fputc('`', file);
}
TARE_ENGINE_ void tare_print_header_(FILE* file, const char* title, const char* unit) {
    char time[40];
    if (file == NULL) return;
    static bool is_said;
    if (!is_said && *tare_optimised_() == 'f')
        fprintf(stderr,
                "warning: built without optimisation: the times are not meaningful\nhint: compile with -O2\n");
    is_said = true;
    snprintf(time, sizeof time, "time/%s", unit == NULL ? "op" : unit);
    fprintf(file, "\n| %12s |    cycles |      \xc2\xb1 |  ratio | ", time);
    tare_print_cell_(file, *title ? title : "benchmark");
    fprintf(file, "\n|-------------:|----------:|-------:|-------:|:-----------------------\n");
    fflush(file);
}
TARE_ENGINE_ void tare_print_row_(FILE* file, const char* name, const struct tare_result* result) {
    if (file == NULL) return;
    if (result->limit > 0) tare_print_time_(file, "< ", result->limit, 12);
    else tare_print_time_(file, "", result->nanoseconds, 12);
    if (result->cycles <= 0 || result->limit > 0) fprintf(file, "| %9s ", "-");
    else fprintf(file, "| %9.*f ", result->cycles < 1000 ? 2 : 0, result->cycles);
    if (result->limit > 0) fprintf(file, "| %6s ", "-");
    else fprintf(file, "| %4.1f %% ", result->error * 100 < 999 ? result->error * 100 : 999.0);
    if (result->ratio <= 0 || result->limit > 0) fprintf(file, "| %6s | ", "-");
    else if (result->ratio >= 100000) fprintf(file, "| %6s | ", "> 1e5");
    else fprintf(file, "| %6.*f | ", result->ratio < 10 ? 3 : result->ratio < 1000 ? 1 : 0, result->ratio);
    tare_print_code_(file, name);
    if (result->warning != NULL) fprintf(file, " (%s)", result->warning);
    fprintf(file, "\n");
    fflush(file);
}
/* A parameter of a run() of the quick style, which has one value. */
struct tare_quick_parameter_ {
    const char *name, *value;
};
#    if TARE_POSIX_
/* The quick style under a host. main has to be walked through to know what it measures, and a body exists only while
   its run() does. So the process stops in the first run() and serves from there:
     list  was answered by a copy of the process, a scout, that walked on with the bodies left out and reported the names;
     open  makes a copy, a walker, that goes on to that run() and serves the link inside of it until close. */
enum {
    TARE_SCOUT_EXIT_ = 0,
    TARE_CLOSED_EXIT_ = 113,
    TARE_BYE_EXIT_ = 114,
    TARE_SCOUT_SECONDS_ = 10,
    TARE_SCOUT_RUNS_ = 10000
};

/* A run() as the scout reports it: a benchmark whose parameters have one value each. */
struct tare_heard_ {
    struct tare_benchmark benchmark;
    unsigned count;
    struct tare_quick_parameter_ parameter[TARE_MAX_PARAMETERS_];
};
TARE_ENGINE_ bool tare_heard_act_(struct tare_benchmark* self, enum tare_act_ act, uint64_t invocations) {
    struct tare_heard_* const heard = (struct tare_heard_*)self;
    (void)invocations;
    for (unsigned i = 0; i < heard->count && act == TARE_MAKE_; ++i) {
        struct tare_parameter_* reported;
        tare_choose_(heard->parameter[i].name, 1, &reported);
        if (reported == NULL) continue;
        const char* const value = heard->parameter[i].value;
        struct tare_text_ text = {TARE_DIGEST_START_, 0, sizeof reported->text, reported->text, false};
        if (*value != 0 && value[strspn(value, "0123456789")] == 0) reported->type = "integer";
        tare_text_say_(&text, value);
        tare_text_end_(&text);
    }
    return !tare_state_.has_failed;
}
/* Do two runs differ in their parameters alone, or in nothing? */
TARE_ENGINE_ bool tare_same_parameters_(const struct tare_heard_* a, const struct tare_heard_* b) {
    if (a->count != b->count) return false;
    for (unsigned i = 0; i < a->count; ++i) {
        if (strcmp(a->parameter[i].name, b->parameter[i].name) != 0) return false;
        if (strcmp(a->parameter[i].value, b->parameter[i].value) != 0) return false;
    }
    return true;
}
/* Adds what the scout reported. The first of a group with the same parameters is its baseline, and a name that is there
   already gets a number, as in a loop around run(). */
TARE_ENGINE_ void tare_add_heard_(struct tare_heard_* heard) {
    struct tare_benchmark* const it = &heard->benchmark;
    const char* const name = it->title;
    unsigned number = 1;
    for (const struct tare_benchmark* other = tare_state_.first; other != NULL;) {
        const size_t length = tare_group_length_(it->title);
        const bool is_alike = tare_same_parameters_((const struct tare_heard_*)other, heard);
        if (is_alike && length == tare_group_length_(other->title) && memcmp(other->title, name, length) == 0 &&
            other->baseline)
            it->baseline = false;
        const bool is_same = is_alike && strcmp(other->title, it->title) == 0;
        other = other->next_;
        if (!is_same) continue;
        char numbered[640];
        snprintf(numbered, sizeof numbered, "%s (%u)", name, ++number);
        it->title = tare_keep_text_(numbered, strlen(numbered));
        other = tare_state_.first;
    }
    tare_add_(it);
}
/* A list without some of its benchmarks would look like the whole one. */
TARE_ENGINE_ void tare_misheard_(void) {
    fprintf(stderr, "error: a run() could not be listed: its report ends early or cannot be read\n");
    exit(2);
}
/* Reads what the scout reported: lines for the benchmark's members, its title, its unit, what is wrong with it, its
   parameters. */
TARE_ENGINE_ void tare_hear_scout_(FILE* from) {
    char line[600], title[600], invalid[600], unit[600];
    unsigned long long operations, invocations_max;
    unsigned steps, count, strategy;
    int returns, baseline, waits;
    while (fgets(line, sizeof line, from) != NULL) {
        struct tare_heard_* const heard = (struct tare_heard_*)calloc(1, sizeof *heard);
        if (heard == NULL || fgets(title, sizeof title, from) == NULL || fgets(unit, sizeof unit, from) == NULL ||
            fgets(invalid, sizeof invalid, from) == NULL ||
            sscanf(line, "%llu %llu %d %d %d %u %u %u", &operations, &invocations_max, &returns, &baseline, &waits,
                   &strategy, &steps, &count) != 8)
            tare_misheard_();
        struct tare_benchmark* const it = &heard->benchmark;
        it->title = tare_keep_text_(title, strcspn(title, "\n"));
        it->unit = *unit == '\n' ? "op" : tare_keep_text_(unit, strcspn(unit, "\n"));
        if (*invalid != '\n') it->invalid_ = tare_keep_text_(invalid, strcspn(invalid, "\n"));
        it->operations = operations;
        it->invocations_max = invocations_max;
        it->returns_ = returns != 0;
        it->baseline = baseline != 0;
        it->waits = waits != 0;
        it->strategy = (enum tare_strategy)strategy;
        it->steps_ = steps;
        it->act_ = tare_heard_act_;
        for (unsigned i = 0; i < 2 * count && i < 2 * TARE_MAX_PARAMETERS_; ++i) {
            if (fgets(line, sizeof line, from) == NULL) tare_misheard_();
            const char* const text = tare_keep_text_(line, strcspn(line, "\n"));
            if (i % 2 == 0) heard->parameter[i / 2].name = text;
            else heard->parameter[i / 2].value = text, heard->count = i / 2 + 1;
        }
        tare_add_heard_(heard);
    }
}
/* True in the scout, which walks on; the process itself comes back with the list. */
TARE_ENGINE_ bool tare_send_scout_(struct tare_link_* link) {
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0) exit(2);
    const pid_t scout = fork();
    if (scout == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1); /* what main prints is printed once, by the walker */
        dup2(nowhere, 2);
        close(link->input);
        close(link->output);
        close(ends[0]);
        alarm(TARE_SCOUT_SECONDS_);
        tare_state_.quick_report = fdopen(ends[1], "w");
        return true;
    }
    close(ends[1]);
    FILE* const from = fdopen(ends[0], "r");
    if (from != NULL) tare_hear_scout_(from);
    if (from != NULL) fclose(from);
    if (scout > 0) waitpid(scout, NULL, 0);
    return false;
}
/* Answers `open` in the process that waits in the first run(). False in the walker. */
TARE_ENGINE_ bool tare_send_walker_(struct tare_link_* link, uint64_t index, uint64_t seed) {
    int status = 0;
    fflush(NULL);
    const pid_t walker = fork();
    if (walker == 0) {
        tare_state_.quick_wanted = index;
        tare_move_heap_(seed);
        return false;
    }
    if (walker < 0) {
        tare_refuse_(link, "not-supported", "cannot fork");
        return true;
    }
    while (waitpid(walker, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == TARE_CLOSED_EXIT_) return true;
    if (WIFEXITED(status)) _exit(WEXITSTATUS(status) == TARE_BYE_EXIT_ ? 0 : WEXITSTATUS(status) | 1);
    signal(WTERMSIG(status), SIG_DFL); /* die as the walker did */
    raise(WTERMSIG(status));
    _exit(1);
}
/* One line of the scout's report. */
TARE_ENGINE_ void tare_report_line_(const char* text) {
    FILE* const to = tare_state_.quick_report;
    unsigned left = 590; /* what the reader has room for */
    for (; *text != 0 && left > 0; ++text, --left) fputc(*text == '\n' ? ' ' : *text, to);
    fputc('\n', to);
}
/* A run() while TARE_LINK is set. Returns when it is not this run() that the host wants. */
TARE_ENGINE_ void tare_quick_linked_(struct tare_benchmark* it, const struct tare_quick_parameter_* parameters,
                                     unsigned count) {
    struct tare_state_* const state = &tare_state_;
    struct tare_link_* const link = state->quick_link;
    if (state->quick_runs == 0 && !tare_send_scout_(link)) {
        link->start = tare_send_walker_;
        tare_serve_(link);
        if (state->quick_wanted == UINT64_MAX) _exit(0); /* bye */
    }
    const uint64_t run = state->quick_runs++;
    if (state->quick_report != NULL) {
        if (run >= TARE_SCOUT_RUNS_) _exit(0); /* a loop that waits for a result, which there is none of */
        fprintf(state->quick_report, "%llu %llu %d %d %d %u %u %u\n", (unsigned long long)it->operations,
                (unsigned long long)it->invocations_max, it->returns_, it->baseline, it->waits,
                (unsigned)it->strategy, it->steps_, count);
        tare_report_line_(it->title);
        tare_report_line_(it->unit == NULL ? "op" : it->unit);
        tare_report_line_(it->invalid_ == NULL ? "" : it->invalid_);
        for (unsigned i = 0; i < count; ++i) {
            tare_report_line_(parameters[i].name);
            tare_report_line_(parameters[i].value);
        }
        fflush(state->quick_report);
    } else if (run == state->quick_wanted) {
        link->is_walker = true;
        link->is_closed = false;
        link->open = it;
        if (it->invalid_ == NULL && tare_step_(it, TARE_SET_UP_, 0)) {
            tare_say_(link, "{\"reply\":\"opened\"");
            tare_say_loop_(link, it);
            tare_say_(link, "}\n");
            tare_serve_(link);
        } else { /* the process that waits stays in the state `ready` */
            if (it->invalid_ != NULL) tare_fail(it->invalid_);
            tare_blame_(link, it, TARE_SET_UP_);
            link->is_closed = true;
        }
        _exit(link->is_closed ? TARE_CLOSED_EXIT_ : TARE_BYE_EXIT_);
    }
}
#    endif
/* True under a host, which measures this run() in a process of its own, if it is the one that it wants. */
TARE_ENGINE_ bool tare_quick_is_linked_(struct tare_benchmark* it, const struct tare_quick_parameter_* parameters,
                                        unsigned count) {
#    if TARE_POSIX_
    if (tare_state_.quick_runs == 0 && tare_state_.quick_link == NULL) {
        tare_state_.quick_link = tare_link_from_environment_();
        tare_state_.quick_wanted = UINT64_MAX;
    }
    if (tare_state_.quick_link != NULL) {
        tare_quick_linked_(it, parameters, count);
        return true;
    }
#    endif
    return (void)it, (void)parameters, (void)count, false;
}

/* ---------------------------------------------------------------------------------------------------- 9 main */

/* A case of the quick table: a benchmark with its parameters filled in. */
struct tare_row_ {
    struct tare_benchmark* benchmark;
    uint64_t choice;
    char parameters[160], name[320]; /* "[size=10, kind=sorted]", "group/name[size=10, kind=sorted]" */
    struct tare_result result;
    bool is_done, has_failed;
    const char* skipped; /* why, or NULL */
};

/* Does `text` match `pattern`, in which * stands for any text and ? for any character? */
TARE_ENGINE_ bool tare_matches_(const char* pattern, const char* text) {
    const char *star = NULL, *resume = NULL;
    while (*text != 0) {
        if (*pattern == '*') star = ++pattern, resume = text;
        else if (*pattern == '?') {
            ++pattern, ++text;
            while (((unsigned char)*text & 0xc0u) == 0x80) ++text; /* the rest of a character in UTF-8 */
        } else if (*pattern == *text) ++pattern, ++text;
        else if (star != NULL) pattern = star, text = ++resume;
        else return false;
    }
    while (*pattern == '*') ++pattern;
    return *pattern == 0;
}
/* As `tare run --filter` has it: a pattern without * and ? fits every name that contains it. */
TARE_ENGINE_ bool tare_fits_(const char* pattern, const char* name) {
    return strpbrk(pattern, "*?") == NULL ? strstr(name, pattern) != NULL : tare_matches_(pattern, name);
}
/* All cases that `filter` lets through, `*count` of them; NULL: no memory. One that cannot be made fails when its turn
   comes. */
TARE_ENGINE_ struct tare_row_* tare_rows_(const char* filter, size_t* count) {
    size_t total = 0;
    uint64_t choice = 0, ignored;
    while (tare_find_(total, &choice) != NULL) ++total;
    struct tare_row_* const rows = (struct tare_row_*)calloc(total + 1, sizeof *rows);
    if (rows == NULL) return NULL;
    *count = 0;
    for (size_t index = 0; index < total; ++index) {
        struct tare_row_* const row = &rows[*count];
        struct tare_benchmark* const it = row->benchmark = tare_find_(index, &row->choice);
        tare_make_(it, row->choice, &ignored);
        size_t used = 0;
        row->parameters[0] = 0;
        for (unsigned i = 0; i < tare_state_.parameters && used < sizeof row->parameters; ++i) {
            const struct tare_parameter_* const parameter = &tare_state_.parameter[i];
            used += (size_t)snprintf(row->parameters + used, sizeof row->parameters - used, "%s%s=%s",
                                     i == 0 ? "[" : ", ", parameter->name, parameter->text);
        }
        if (used > 0 && used + 1 < sizeof row->parameters) strcpy(row->parameters + used, "]");
        it->act_(it, TARE_DROP_, 0);
        snprintf(row->name, sizeof row->name, "%s%s", it->title, row->parameters);
        *count += filter == NULL || tare_fits_(filter, row->name);
    }
    return rows;
}
/* "12.8 GB/s, 3.2 M items/s": what an operation of so many ns works through. */
TARE_ENGINE_ void tare_rates_text_(const struct tare_benchmark* it, double nanoseconds, char* text, size_t room) {
    static const char* const prefix[] = {"", "k", "M", "G", "T", "P"};
    const double threads = it->ready_ == NULL ? 1 : it->threads,
                 per = it->operations == 0 ? 1 : (double)it->operations;
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < TARE_MAX_RATES_ && it->rates[i].name != NULL && nanoseconds > 0 && used < room; ++i) {
        double rate = it->rates[i].per_invocation * threads / (nanoseconds * per) * 1e9;
        unsigned power = 0;
        if (rate <= 0) continue;
        for (; rate >= 999.5 && power < 5; ++power) rate /= 1000;
        const bool is_bytes = strcmp(it->rates[i].name, "bytes") == 0;
        used += (size_t)snprintf(text + used, room - used, "%s%.*f %s%s%s/s", used == 0 ? "" : ", ",
                                 rate < 9.995   ? 2
                                 : rate < 99.95 ? 1
                                                : 0,
                                 rate, prefix[power],
                                 is_bytes     ? "B"
                                 : power == 0 ? ""
                                              : " ",
                                 is_bytes ? "" : it->rates[i].name);
    }
}
TARE_ENGINE_ void tare_measure_row_(struct tare_row_* row) {
    struct tare_benchmark* const it = row->benchmark;
    const struct tare_quick_plan_ plan = {0, 0, 0, 0, 0, 0};
    struct tare_quick_ quick;
    uint64_t combinations;
    memset(&quick, 0, sizeof quick);
    row->is_done = true;
    row->skipped = it->skip;
    if (row->skipped != NULL) return;
    row->has_failed = !tare_make_(it, row->choice, &combinations) || !tare_step_(it, TARE_SET_UP_, 0) ||
                      tare_quick_measure_(it, &plan, &quick, &row->result) != TARE_DROP_ ||
                      !tare_step_(it, TARE_CLEAN_UP_, 0);
    tare_quick_free_(&quick);
    if (!row->has_failed && row->result.limit <= 0 && it->rates[0].name != NULL) {
        char text[300];
        tare_rates_text_(it, row->result.nanoseconds, text, sizeof text);
        const size_t used = strlen(text);
        if (used > 0 && row->result.warning != NULL)
            snprintf(text + used, sizeof text - used, "; %s", row->result.warning);
        if (used > 0) row->result.warning = tare_keep_text_(text, strlen(text));
    }
    if (row->has_failed && tare_state_.is_skipped) {
        row->skipped = tare_keep_text_(tare_state_.message, strlen(tare_state_.message));
        row->has_failed = false;
    }
    if (row->has_failed) {
        fprintf(stderr, "error: %s: %s\n", row->name, tare_state_.message);
        row->result.warning = NULL;
    }
    it->act_(it, TARE_DROP_, 0);
}
TARE_ENGINE_ bool tare_same_group_(const struct tare_row_* a, const struct tare_row_* b) {
    const size_t length = tare_group_length_(a->benchmark->title);
    return length == tare_group_length_(b->benchmark->title) &&
           memcmp(a->benchmark->title, b->benchmark->title, length) == 0;
}
/* Measures the group that begins with row `begin`, and prints its table. */
TARE_ENGINE_ bool tare_print_group_(struct tare_row_* rows, size_t count, size_t begin) {
    char group[128];
    bool is_good = true;
    struct tare_row_* const leader = &rows[begin];
    snprintf(group, sizeof group, "%.*s", (int)tare_group_length_(leader->benchmark->title),
             leader->benchmark->title);
    tare_print_header_(stdout, group, leader->benchmark->unit);
    for (size_t i = begin; i < count; ++i) {
        if (tare_same_group_(leader, &rows[i])) tare_measure_row_(&rows[i]);
    }
    for (size_t i = begin; i < count; ++i) {
        struct tare_row_* const row = &rows[i];
        const struct tare_row_* baseline = NULL;
        if (!tare_same_group_(leader, row)) continue;
        for (size_t j = begin; j < count; ++j) {
            if (!tare_same_group_(leader, &rows[j]) || strcmp(row->parameters, rows[j].parameters) != 0) continue;
            if (baseline == NULL || (rows[j].benchmark->baseline && !baseline->benchmark->baseline))
                baseline = &rows[j];
        }
        const char* const name = row->name + (tare_name_(row->benchmark->title) - row->benchmark->title);
        if (row->skipped != NULL) {
            fprintf(stdout, "| %12s | %9s | %6s | %6s | ", "skipped", "-", "-", "-");
            tare_print_code_(stdout, name);
            fprintf(stdout, " (%s)\n", row->skipped);
            continue;
        }
        if (row->has_failed) {
            is_good = false;
            fprintf(stdout, "| %12s | %9s | %6s | %6s | ", "failed", "-", "-", "-");
            tare_print_code_(stdout, name);
            fprintf(stdout, "\n");
            continue;
        }
        if (baseline != NULL && !baseline->has_failed && baseline->skipped == NULL &&
            baseline->result.nanoseconds > 0 && baseline->result.limit <= 0) {
            row->result.ratio = row->result.nanoseconds / baseline->result.nanoseconds;
        }
        tare_print_row_(stdout, name, &row->result);
    }
    return is_good;
}
TARE_ENGINE_ int tare_direct_(int argc, char** argv) {
    const char* filter = NULL;
    bool lists = false;
    size_t count = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--list") == 0) lists = true;
        else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc) filter = argv[++i];
        else if (strcmp(argv[i], "--help") == 0) {
            printf("usage: %s [--list] [--filter GLOB]\n\n"
                   "Measures the benchmarks of this program in a few milliseconds each and prints a table.\n"
                   "  --list         prints their names\n"
                   "  --filter GLOB  only those with this in group/name[param=value], or with * and ? those that "
                   "match it\n\n"
                   "Without arguments it becomes `tare run %s` when tare is on the PATH; TARE_DIRECT=1 prevents "
                   "that.\n",
                   argv[0], argv[0]);
            return 0;
        } else {
            fprintf(stderr, "error: unknown argument %s\nhint: %s --help\n", argv[i], argv[0]);
            return 2;
        }
    }
#    if TARE_POSIX_
    if (argc == 1 && getenv("TARE_DIRECT") == NULL) {
        char self[4096];
        const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        self[length > 0 ? length : 0] = 0;
        setenv("TARE_DIRECT", "1", 1);
        execlp("tare", "tare", "run", length > 0 ? self : argv[0], (char*)NULL);
        fprintf(stderr,
                "hint: these times are from one process; for intervals and verdicts install tare: `tare run "
                "%s`\n",
                argv[0]);
    }
#    endif
    struct tare_row_* const rows = tare_rows_(filter, &count);
    bool is_good = rows != NULL;
    for (const struct tare_context_* it = tare_state_.context; it != NULL && !lists && count > 0; it = it->next) {
        printf("%s = %s\n", it->name, it->value);
    }
    for (size_t i = 0; i < count && rows != NULL; ++i) {
        if (lists) { /* a line each, and as --filter finds it */
            for (const char* c = rows[i].name; *c != 0; ++c)
                fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, stdout);
            printf("\n");
        } else if (!rows[i].is_done) is_good = tare_print_group_(rows, count, i) && is_good;
    }
    free(rows);
    if (is_good && count == 0) {
        fprintf(stderr, filter == NULL ? "error: no benchmarks\n" : "error: no benchmark matches\nhint: --list\n");
        return 2;
    }
    return is_good ? 0 : 1;
}

TARE_FUNCTION_ int tare_main(int argc, char** argv) {
#    if TARE_POSIX_
    struct tare_link_* const link = tare_link_from_environment_();
    if (link != NULL) {
        tare_serve_(link);
        if (tare_state_.end != NULL) tare_state_.end();
        exit(0); /* as it ends by itself: static objects too, so that a crash in one is seen */
    }
#    else
    if (getenv("TARE_LINK") != NULL) {
        fprintf(stderr, "error: this system has no form of TARE_LINK yet\n");
        return 2;
    }
#    endif
    return tare_direct_(argc, argv);
}

#    if defined(__GNUC__)
#        pragma GCC diagnostic pop
#    endif
#endif /* C++17 */
#endif /* TARE_H_INCLUDED */
