/* tare.h - the C++17 and C11 front end of Tare, a benchmarking system. No dependency, and nothing to link.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 *   #include <tare.h>
 *   TARE_BENCH("parse/strtol", [] { return std::strtol("123456789", nullptr, 10); }).baseline();
 *   TARE_BENCH("parse/stoi", [] { return std::stoi("123456789"); });
 *   TARE_MAIN()
 *
 * `tare run parse.cpp` measures it; the program alone runs each body once.
 *
 * C++    TARE_BENCH(name, callable) · TARE_BENCH(function) · TARE_BENCH(&Fixture::method) · TARE_BENCH_TYPES(...)
 *        TARE_METRIC(name, callable) ·
 *        tare::keep(value) · tare::keep_state(variable) · tare::opaque(value) · tare::clobber() · tare::param<T> ·
 *        tare::fail(message) · TARE_CONTEXT(name, value); tare::Bench, the quick style, is in <tare/bench.hpp>
 * C      TARE_C_BENCH(name, options...) { ... } · TARE_C_METRIC(name, options...) · tare_keep(value) · tare_keep_state(variable) ·
 *        tare_keep_memory(&x, sizeof x) · tare_fail(message) · tare_tell(value); tare_once_per_run() is in <tare/once.h>
 * both   TARE_MAIN() · tare_main(argc, argv) · tare_context(name, value)
 *
 * With the environment variable TARE_LINK, a program is a child of the Tare protocol (spec/protocol.md). Names ending
 * in an underscore and tare::detail are not for users. The parts are in tare/detail: .h files for C, and .hpp files
 * for C++, which build on them. The measuring code is in turns.h, loop.hpp and iteration.h.
 * `frontends/cpp/one-header` combines them into one file.
 */
#ifndef TARE_H_INCLUDED
#define TARE_H_INCLUDED
#define TARE_VERSION "0.1.0"
#if defined(__cplusplus) && (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201703L
#    error "tare.h needs C++17: compile with -std=c++17"
#else
#    if defined(__GNUC__)
#        pragma GCC diagnostic push
#        if defined(__cplusplus)
#            pragma GCC diagnostic ignored "-Wold-style-cast" /* in the parts shared with C */
#            pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#            if !defined(__clang__)
#                pragma GCC diagnostic ignored "-Wuseless-cast"
#            endif
#        endif
#    endif
#    include "tare/detail/keep.h"
#    include "tare/detail/main.h"
#    ifdef __cplusplus
#        include "tare/detail/add.hpp"
/* TARE_BENCH("group/name", callable): a lambda or any object that can be called. If its type has the methods set_up,
 *     clean_up, iteration_set_up, iteration_clean_up, operations (called again after set_up) or iteration_operations,
 *     they are used, and each combination of its tare::param members is a case.
 * TARE_BENCH(function), TARE_BENCH(&Fixture::method): named as written; the group ends at the last "::". */
#        define TARE_BENCH(...)                                                                                    \
            [[maybe_unused]] static const auto TARE_HERE_(tare_benchmark_) =                                       \
                TARE_CAT_(TARE_BENCH_, TARE_KIND_(TARE_SECOND_(__VA_ARGS__, TARE_LONE_, ~)()))(__VA_ARGS__)
/* TARE_BENCH_TYPES("group", Template, Type, ...): Template<Type>{}() as benchmark "group/Type", for every type. Write
 *     tare::types<A, B> as a type for Template<A, B>. Options apply to all:
 *     TARE_BENCH_TYPES(...).baseline<Type>().unit("byte"). */
#        define TARE_BENCH_TYPES(group, body, ...)                                                                 \
            [[maybe_unused]] static const auto TARE_HERE_(tare_benchmark_) =                                       \
                ::tare::detail::add_types<body, __VA_ARGS__>(__FILE__, __LINE__, group, #__VA_ARGS__)

/* TARE_METRIC("name", callable): a metric that `tare run` records for each iteration besides its time. The callable
 *     returns a total that never decreases, and the increase per operation is shown. It is called before and after
 *     each iteration, outside the measured time. */
#        define TARE_METRIC(...)                                                                                   \
            [[maybe_unused]] static const auto TARE_CAT_(tare_metric_, __COUNTER__) =                              \
                ::tare::detail::add_metric(__VA_ARGS__)

/* TARE_CONTEXT("name", value): context of the run, such as the data set. It is shown above the table, and in file
 *     formats that support it. In main, call tare::context("name", value) instead. */
#        define TARE_CONTEXT(...)                                                                                  \
            [[maybe_unused]] static const bool TARE_CAT_(tare_context_of_, __COUNTER__) =                          \
                (::tare::context(__VA_ARGS__), true)

/* ONE for a single argument, MANY otherwise, whatever commas a lambda contains. */
#        define TARE_SECOND_(first, second, ...) second
#        define TARE_LONE_() ~, ONE
#        define TARE_KIND_(...) TARE_KIND2_(__VA_ARGS__, MANY, ~)
#        define TARE_KIND2_(...) TARE_SECOND_(__VA_ARGS__)
#        define TARE_BENCH_ONE(...) ::tare::detail::add_constant<(__VA_ARGS__)>(__FILE__, __LINE__, #        __VA_ARGS__)
#        define TARE_BENCH_MANY(...) ::tare::detail::add(__FILE__, __LINE__, __VA_ARGS__)
#    else
#        include "tare/detail/c.h"
#    endif
#    if defined(__GNUC__)
#        pragma GCC diagnostic pop
#    endif
#endif /* C++17 */
#endif /* TARE_H_INCLUDED */
