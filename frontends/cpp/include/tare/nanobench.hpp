// tare/nanobench.hpp - a program written for nanobench, measured by Tare: include this in place of <nanobench.h>.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The names are nanobench's, the method is Tare's: see docs/from/nanobench.md.
#ifndef TARE_NANOBENCH_HPP_INCLUDED
#define TARE_NANOBENCH_HPP_INCLUDED

#include "bench.hpp"

#include <chrono>
#include <cstring>
#include <unordered_map>

namespace ankerl {
namespace nanobench {

using ::tare::Bench;
using ::tare::BigO;
using ::tare::Column;
using ::tare::CompareResult;
using ::tare::doNotOptimizeAway;
using ::tare::render;
using ::tare::Result;
using ::tare::Rng;
using Clock = std::chrono::steady_clock;
namespace templates = ::tare::templates;

/** The settings, with nanobench's names for those that its examples read. */
using Config = ::tare::Config;

} // namespace nanobench
} // namespace ankerl

#define ANKERL_NANOBENCH(what) ANKERL_NANOBENCH_PRIVATE_##what()
#define ANKERL_NANOBENCH_PRIVATE_NODISCARD() [[nodiscard]]
#define ANKERL_NANOBENCH_PRIVATE_NOINLINE() TARE_NOINLINE_
#if defined(__clang__)
#    define ANKERL_NANOBENCH_NO_SANITIZE(...) __attribute__((no_sanitize(__VA_ARGS__)))
#else
#    define ANKERL_NANOBENCH_NO_SANITIZE(...)
#endif
#endif
