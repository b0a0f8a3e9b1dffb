// tare/nanobench.hpp - measures a program written for nanobench with Tare: include this instead of <nanobench.h>.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The names are nanobench's, the method is Tare's: see docs/from/nanobench.md.
#ifndef TARE_NANOBENCH_HPP_INCLUDED
#define TARE_NANOBENCH_HPP_INCLUDED

#include "bench.hpp"

#include <chrono>
#include <cstring>
#include <ios>
#include <iostream>
#include <unordered_map>

#define ANKERL_NANOBENCH_VERSION_MAJOR 4 // for programs that check it
#define ANKERL_NANOBENCH_VERSION_MINOR 6
#define ANKERL_NANOBENCH_VERSION_PATCH 0
#define ANKERL_NANOBENCH(what) ANKERL_NANOBENCH_PRIVATE_##what()
#if defined(_MSVC_LANG)
#    define ANKERL_NANOBENCH_PRIVATE_CXX() _MSVC_LANG
#else
#    define ANKERL_NANOBENCH_PRIVATE_CXX() __cplusplus
#endif
#define ANKERL_NANOBENCH_PRIVATE_CXX98() 199711L
#define ANKERL_NANOBENCH_PRIVATE_CXX11() 201103L
#define ANKERL_NANOBENCH_PRIVATE_CXX14() 201402L
#define ANKERL_NANOBENCH_PRIVATE_CXX17() 201703L
#define ANKERL_NANOBENCH_PRIVATE_HAS_STRING_VIEW() 1
#define ANKERL_NANOBENCH_PRIVATE_NODISCARD() [[nodiscard]]
#define ANKERL_NANOBENCH_PRIVATE_NOINLINE() TARE_NOINLINE_
#if defined(__clang__)
#    define ANKERL_NANOBENCH_NO_SANITIZE(...) __attribute__((no_sanitize(__VA_ARGS__)))
#else
#    define ANKERL_NANOBENCH_NO_SANITIZE(...)
#endif

#if defined(__GNUC__)
#    pragma GCC diagnostic push
#endif
#include "detail/nanobench/config.hpp"
#include "detail/nanobench/result.hpp"
#include "detail/nanobench/compare.hpp"
#include "detail/nanobench/bench.hpp"
#include "detail/nanobench/environment.hpp"
#if defined(__GNUC__)
#    pragma GCC diagnostic pop
#endif
#endif
