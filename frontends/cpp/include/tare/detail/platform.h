/* Part of <tare.h>: the system and the compiler. */
#ifndef TARE_DETAIL_PLATFORM_H_INCLUDED
#define TARE_DETAIL_PLATFORM_H_INCLUDED

#if !defined(__cplusplus) && !defined(_GNU_SOURCE) && defined(__linux__)
#    define _GNU_SOURCE 1 /* clock_gettime and RUSAGE_THREAD under -std=c11 */
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__unix__) || defined(__APPLE__)
#    define TARE_POSIX_ 1
#    include <fcntl.h>
#    include <pthread.h>
#    include <sched.h>
#    include <signal.h>
#    include <sys/resource.h>
#    include <sys/wait.h>
#    include <unistd.h>
#    if !defined(CLOCK_MONOTONIC) || (defined(__linux__) && !defined(RUSAGE_THREAD))
#        error "tare.h: include it before other headers, or compile with -std=gnu11 instead of -std=c11"
#    endif
#else
#    define TARE_POSIX_ 0 /* Windows: each body runs once */
#    if defined(_WIN32)
#        if !defined(WIN32_LEAN_AND_MEAN)
#            define WIN32_LEAN_AND_MEAN 1
#        endif
#        if !defined(NOMINMAX)
#            define NOMINMAX 1
#        endif
#        include <windows.h> /* for its clock, which MinGW's C and C++ lack */
#    endif
#endif
#if defined(__GNUC__)
#    define TARE_NOINLINE_ __attribute__((noinline))
#    if defined(__clang__)
#        define TARE_LOOP_ __attribute__((noinline, aligned(64)))
#    else
#        define TARE_LOOP_ __attribute__((noinline, no_icf, aligned(64)))
#    endif
#    define TARE_INLINE_ inline __attribute__((always_inline))
#    define TARE_WEAK_ __attribute__((weak))
#    define TARE_HIDDEN_ __attribute__((visibility("hidden")))
#    define TARE_COLD_ __attribute__((cold, noinline)) /* compiled for size, which compiles faster */
#else
#    define TARE_NOINLINE_ __declspec(noinline)
#    define TARE_LOOP_ __declspec(noinline)
#    define TARE_INLINE_ __forceinline
#    define TARE_WEAK_
#    define TARE_HIDDEN_
#    define TARE_COLD_
#endif
#if defined(__cplusplus)
#    define TARE_FUNCTION_ inline
#elif defined(__GNUC__)
#    define TARE_FUNCTION_ static __attribute__((unused))
#else
#    define TARE_FUNCTION_ static
#endif
/* Code outside the measured windows. Cold: compiled for size. No other attribute may change its optimisation,
   because inline functions of the C library (glibc with _FORTIFY_SOURCE) would be compiled differently within
   it. */
#if defined(__GNUC__)
#    define TARE_ENGINE_ TARE_COLD_ TARE_FUNCTION_
#else
#    define TARE_ENGINE_ TARE_FUNCTION_
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#    define TARE_IS_SANITIZED_ 1
#elif defined(__clang__)
#    define TARE_IS_SANITIZED_ (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#    define TARE_IS_SANITIZED_ 0
#endif
#if defined(__GLIBC__)
#    if __GLIBC_PREREQ(2, 33)
#        include <malloc.h>
#        define TARE_HEAP_BYTES_() ((uint64_t)(mallinfo2().uordblks + mallinfo2().hblkhd))
#    endif
#endif
#if !defined(TARE_HEAP_BYTES_)
#    define TARE_HEAP_BYTES_() ((uint64_t)0)
#endif
#if defined(RUSAGE_THREAD)
#    define TARE_HAS_SWITCHES_ 1
#else
#    define TARE_HAS_SWITCHES_ 0
#endif
#if TARE_POSIX_ && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#    define TARE_HAS_WIDTH_ 1
#else
#    define TARE_HAS_WIDTH_ 0
#endif
#if defined(__linux__) && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#    define TARE_HAS_FLUSH_ 1
#    include <sys/mman.h>
#    include <sys/syscall.h>
#else
#    define TARE_HAS_FLUSH_ 0
#endif
#if defined(__cplusplus)
#    define TARE_LANGUAGE_ "c++"
#    define TARE_FRONT_END_ "tare-cpp " TARE_VERSION
#else
#    define TARE_LANGUAGE_ "c"
#    define TARE_FRONT_END_ "tare-c " TARE_VERSION
#endif
#define TARE_CAT2_(a, b) a##b
#define TARE_CAT_(a, b) TARE_CAT2_(a, b)
/* A name unique to this line. It becomes part of the symbol of a lambda's loop, by which the host identifies the
   benchmark. */
#define TARE_HERE_(name) TARE_CAT_(TARE_CAT_(name, __LINE__), TARE_CAT_(_, __COUNTER__))

/* Whether the program was built with optimisation, as JSON. gcc has no macro that distinguishes -Og, which copies
   no loops and inlines little, from -O1; the deductions that it does not make from a comparison reveal it. nvcc
   makes none on behalf of the host's compiler. */
TARE_ENGINE_ const char* tare_optimised_(void) {
#if defined(__NVCC__)
    return "null";
#elif defined(__GNUC__) && !defined(__clang__)
    unsigned value = 5;
    __asm__("" : "+r"(value));
    if (value == 5) return __builtin_constant_p(value) ? "true" : "false";
    return "null";
#elif defined(__OPTIMIZE__)
    return "true";
#elif defined(__GNUC__)
    return "false";
#else
    return "null";
#endif
}
#endif
