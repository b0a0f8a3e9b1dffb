// Part of <tare/bench.hpp>: a quick measurement from a few iterations in one process.
#ifndef TARE_DETAIL_QUICK_HPP_INCLUDED
#define TARE_DETAIL_QUICK_HPP_INCLUDED

namespace tare {
namespace detail {

// Good enough for a glance, but blind to differences between processes. Each window takes 0.1 to 0.2 ms, less than a
// time slice of the scheduler. It is enclosed by two clock probes, so that it is measured in cycles and drift of the
// clock rate cancels out. The printed time is at the median clock rate.
constexpr unsigned quick_windows = 45, quick_blocks = 9;
constexpr uint64_t quick_window_ns = 160000;
// From this time in ns on, an invocation is a turn by itself: the branches of several copies would be predicted
// differently from those of one, and the cost of the turn hardly shows.
constexpr uint64_t single_turns_from_ns = 4;

// The 20 % trimmed mean; sorts `values`.
TARE_ENGINE_ double centre(std::vector<double>& values) {
    const size_t count = values.size(), left_out = count / 5;
    if (count == 0) return 0;
    std::sort(values.begin(), values.end());
    double sum = 0;
    for (size_t i = left_out; i < count - left_out; ++i) sum += values[i];
    return sum / static_cast<double>(count - 2 * left_out);
}
// Nanoseconds of the probe around a window; the smaller value if only one of the two was disturbed.
TARE_ENGINE_ double probe_around(const tare_iteration_& window) {
    const double before = static_cast<double>(window.probe_before), after = static_cast<double>(window.probe_after);
    const double less = std::min(before, after);
    return before + after > 2.1 * less ? less : (before + after) / 2;
}
TARE_ENGINE_ bool was_preempted(const tare_iteration_& window) {
    const uint64_t lost = window.elapsed > window.cpu ? window.elapsed - window.cpu : 0;
    return lost > 10000 && lost > window.elapsed / 50;
}

// The size of a quick measurement. Values of 0 are determined automatically.
struct QuickPlan {
    unsigned windows = 0;
    uint64_t window_ns = 0, window_ns_max = 0, invocations_min = 0, invocations = 0, warm_up = 0;
    // Whether the program sets the exact number of calls, so that nothing has to be determined.
    bool is_exact() const { return windows != 0 && invocations != 0; }
};

// The windows of one body, and how to interpret them.
struct Quick {
    using Windows = std::vector<tare_iteration_>;
    enum Way { by_wall, by_cpu, waits };
    Windows work, rolled, overhead;
    double operations = 0; // per invocation; times are scaled to it if each window counts its own
    uint64_t invocations = 1;
    unsigned windows = 0;
    bool is_short = false; // so short that the loop is unrolled
    bool is_exact = false;
    Way way = by_wall;
    double probe_ns = 0; // the median of the probes

    tare_act_ begin(tare_benchmark& it, const QuickPlan& plan);
    tare_act_ turn(tare_benchmark& it, unsigned i);
    tare_act_ measure(tare_benchmark& it, const QuickPlan& plan, Estimate& result);
    double count_operations(const tare_benchmark& it);
    void choose_way(const tare_benchmark& it);
    Estimate result(double per) const;

private:
    tare_act_ pilot(tare_benchmark& it, const QuickPlan& plan, uint64_t& elapsed);
    double estimate(const Windows& of, double& half) const;
    double time_step() const;
};

// Keeps the window, unless it failed.
TARE_ENGINE_ tare_act_ add_window(tare_benchmark& it, tare_act_ loop, uint64_t invocations, Quick::Windows& to) {
    tare_iteration_ window = {};
    const tare_act_ failed = tare_iterate_(&it, loop, invocations, nullptr, &window);
    if (failed == TARE_DROP_) to.push_back(window);
    return failed;
}
// The time of a window in probes (if waiting, in nanoseconds), and half of its 96 % interval: between the second and
// the eighth of nine block means. Preempted windows are left out of the wall times.
TARE_ENGINE_ double Quick::estimate(const Windows& of, double& half) const {
    std::vector<double> values, blocks;
    for (const tare_iteration_& window : of) {
        if (way == by_wall && was_preempted(window)) continue;
        const double scale = window.operations > 0 ? operations / window.operations : 1;
        const double time = static_cast<double>(way == by_cpu ? window.cpu : window.elapsed);
        values.push_back(scale * (way == waits ? time : time / probe_around(window)));
    }
    const size_t size = std::max<size_t>(1, values.size() / quick_blocks);
    for (size_t at = 0; blocks.size() < quick_blocks && at + size <= values.size(); at += size) {
        std::vector<double> block(values.data() + at, values.data() + at + size);
        blocks.push_back(centre(block));
    }
    std::sort(blocks.begin(), blocks.end());
    half = blocks.size() == quick_blocks ? (blocks[7] - blocks[1]) / 2
           : blocks.size() < 2           ? 0
                                         : (blocks.back() - blocks.front()) / 2;
    return centre(values);
}
// Determines the number of invocations per window, and warms up in the process.
TARE_ENGINE_ tare_act_ Quick::pilot(tare_benchmark& it, const QuickPlan& plan, uint64_t& elapsed) {
    const bool is_set_up = (it.steps_ & (TARE_HAS_ITERATION_SET_UP_ | TARE_HAS_ITERATION_CLEAN_UP_)) != 0;
    const uint64_t most = it.invocations_max != 0 ? it.invocations_max : is_set_up ? 1 : UINT64_MAX;
    tare_iteration_ window = {};
    tare_act_ failed = TARE_DROP_;
    uint64_t target = plan.window_ns != 0 ? plan.window_ns : quick_window_ns;
    if (plan.window_ns_max != 0 && plan.window_ns == 0) target = std::min(target, plan.window_ns_max);
    tare_state_.is_single = true;
    if (plan.warm_up > 0) {
        failed = tare_iterate_(&it, TARE_WORKLOAD_, plan.warm_up, nullptr, &window);
        if (failed == TARE_DROP_ && is_exact)
            elapsed =
                static_cast<uint64_t>(static_cast<double>(window.elapsed) / static_cast<double>(plan.warm_up) *
                                      static_cast<double>(plan.invocations));
    }
    invocations = plan.invocations != 0 ? plan.invocations : 1;
    for (unsigned round = 0; round < 40 && failed == TARE_DROP_ && !is_exact; ++round) {
        const bool is_fixed = plan.invocations != 0 || invocations >= most;
        failed = tare_iterate_(&it, TARE_WORKLOAD_, invocations, nullptr, &window);
        elapsed = window.elapsed;
        if (failed != TARE_DROP_ || plan.invocations != 0) break;
        if (round > 0 && (is_fixed || window.elapsed > target / 2)) break;
        if (is_fixed || window.elapsed > target) continue;
        if (window.elapsed < target / 10) invocations *= 10;
        else
            invocations = static_cast<uint64_t>(static_cast<double>(invocations) * static_cast<double>(target) /
                                                static_cast<double>(window.elapsed));
        if (invocations > TARE_UNROLL) invocations += TARE_UNROLL - invocations % TARE_UNROLL;
        invocations = std::min(invocations, most);
    }
    if (plan.invocations == 0 && invocations < plan.invocations_min) {
        elapsed = static_cast<uint64_t>(static_cast<double>(elapsed) * static_cast<double>(plan.invocations_min) /
                                        static_cast<double>(invocations));
        invocations = plan.invocations_min;
    }
    return failed;
}
// Determines the length and number of the windows, and warms up. Returns the step that failed, or TARE_DROP_.
TARE_ENGINE_ tare_act_ Quick::begin(tare_benchmark& it, const QuickPlan& plan) {
    uint64_t elapsed = 0;
    is_exact = plan.is_exact();
    const tare_act_ failed = pilot(it, plan, elapsed);
    // A program that requests thousands of calls without a warm-up has a short body.
    is_short = elapsed > 0 ? elapsed < invocations * single_turns_from_ns : is_exact && invocations >= 8192;
    windows = plan.windows != 0     ? plan.windows
              : elapsed <= 300000   ? quick_windows
              : elapsed > 200000000 ? 3
              : elapsed > 800000    ? quick_blocks
                                    : 2 * quick_blocks;
    return failed;
}
// Runs the window `i`, and at intervals the windows of the other loops.
TARE_ENGINE_ tare_act_ Quick::turn(tare_benchmark& it, unsigned i) {
    tare_state_.is_single = !is_short;
    tare_act_ failed = add_window(it, TARE_WORKLOAD_, invocations, work);
    if (failed == TARE_DROP_ && i % 5 == 0) {
        // If the empty loop is only two clock reads, the third run in a row counts: the first one has mispredicted
        // branches, unlike the workload, which runs all the time, so half a short body too much would be
        // subtracted.
        tare_iteration_ ignored = {};
        for (unsigned j = 0; j < 2 && !is_short; ++j) tare_iterate_(&it, TARE_OVERHEAD_, 1, nullptr, &ignored);
        add_window(it, TARE_OVERHEAD_, is_short ? invocations / 4 : 1, overhead);
    }
    if (failed == TARE_DROP_ && is_short && !is_exact && i % 3 == 0)
        failed = add_window(it, TARE_ROLLED_, invocations / 2, rolled);
    return failed;
}
// Operations per invocation: the mean of the windows' counts, or else the declared number.
TARE_ENGINE_ double Quick::count_operations(const tare_benchmark& it) {
    double sum = 0;
    for (const tare_iteration_& window : work) sum += window.operations;
    operations = sum / static_cast<double>(work.size());
    return sum > 0 ? operations : it.operations == 0 ? 1 : static_cast<double>(it.operations);
}
TARE_ENGINE_ void Quick::choose_way(const tare_benchmark& it) {
    size_t preempted = 0, waiting = 0;
    std::vector<double> clock;
    for (const tare_iteration_& window : work) {
        preempted += was_preempted(window);
        waiting += window.waits > 0 && window.elapsed > window.cpu + window.elapsed / 10;
        clock.push_back(probe_around(window));
    }
    way = waiting > work.size() / 2 || it.waits ? waits : preempted > work.size() / 2 ? by_cpu : by_wall;
    std::sort(clock.begin(), clock.end());
    if (!clock.empty()) probe_ns = clock[clock.size() / 2];
}
// The smallest step between the observed times in nanoseconds, which is the clock's if windows are short.
TARE_ENGINE_ double Quick::time_step() const {
    std::vector<uint64_t> times;
    uint64_t step = UINT64_MAX;
    for (const tare_iteration_& window : work) times.push_back(window.elapsed);
    std::sort(times.begin(), times.end());
    for (size_t i = 1; i < times.size(); ++i)
        if (times[i] != times[i - 1]) step = std::min(step, times[i] - times[i - 1]);
    return static_cast<double>(step == UINT64_MAX ? tare_clock_resolution_() : step);
}
TARE_ENGINE_ Estimate Quick::result(double per) const {
    constexpr double unroll = TARE_UNROLL, probe_cycles = TARE_PROBE_CYCLES;
    const double n = static_cast<double>(invocations);
    const double unit_ns = way == waits ? 1 : probe_ns;  // the unit of the estimates
    const double least = 0.05 / probe_cycles * probe_ns; // 0.05 cycles: any real work takes more
    double half = 0, half_empty = 0, ignored = 0;
    double time = estimate(work, half), empty = estimate(overhead, half_empty);
    Estimate result;
    if (way == by_wall && is_short) {
        // A turn of the loop costs c in addition to the body: T8 = t + c / 8, T2 = t + c / 2.
        const double turn2 = estimate(rolled, ignored) / static_cast<double>(invocations / 2);
        empty /= static_cast<double>(invocations / 4);
        const double loop_turn = std::min(std::max((turn2 - time / n) * 8 / 3, 0.0), empty * unroll);
        empty *= unit_ns;
        time = (time / n - loop_turn / unroll) * unit_ns;
        half = half / n * unit_ns + (is_exact ? empty : 0); // the cost of the loop is unknown
    } else {
        // The cost of reading the clock is known to a quarter, because the processor overlaps it with the body.
        // Times are known to a step of the clock, however often the same value is read.
        empty *= unit_ns;
        half = (half + half_empty) * unit_ns + empty / 4 + time_step();
        time = (time * unit_ns - empty) / n;
        half /= n;
        empty /= n;
    }
    const double net = std::max(time, 0.0);
    result.nanoseconds = net / per;
    result.cycles = way == waits ? 0 : result.nanoseconds / probe_ns * probe_cycles;
    result.error = net > 0 ? half / net : 0;
    const bool is_tiny = net < 0.6 / probe_cycles * probe_ns; // an instruction or two
    if (time < 2 * least || time < half || (time < 2 * half && time < empty))
        result.limit = (net + std::max(half, least)) / per;
    if (is_short && is_tiny) {
        result.warning =
            result.limit > 0
                ? "nothing left to measure: empty, the same every time, or optimised away? Return the result"
                : "an instruction or two: is the work done once, before the loop? See tare::opaque";
    } else if (!is_short && result.limit > 0 && net < 2 * empty) {
        result.warning = "too short for two clock reads: do more per invocation, and declare operations(n)";
    } else if (result.limit > 0 || result.error > 0.05) {
        result.warning = invocations == 1 && empty > net / 10
                             ? "short for two clock reads: do more per invocation, and declare operations(n)"
                             : "unstable: close other programs, or do more per invocation";
    } else if (way == by_cpu) {
        result.warning = "always preempted: CPU time shown";
    }
    return result;
}
// Measures an instance after its set-up. Returns the step that failed, or TARE_DROP_.
TARE_ENGINE_ tare_act_ Quick::measure(tare_benchmark& it, const QuickPlan& plan, Estimate& found) {
    tare_act_ failed = begin(it, plan);
    for (unsigned i = 0; i < windows && failed == TARE_DROP_; ++i) failed = turn(it, i);
    if (failed != TARE_DROP_) return failed;
    choose_way(it);
    found = result(count_operations(it));
    return TARE_DROP_;
}

} // namespace detail
} // namespace tare
#endif
