// Part of <tare/nanobench.hpp>: the settings, by nanobench's names and with its defaults.
#ifndef TARE_DETAIL_NANOBENCH_CONFIG_HPP_INCLUDED
#define TARE_DETAIL_NANOBENCH_CONFIG_HPP_INCLUDED

namespace ankerl {
namespace nanobench {

using Clock = std::conditional_t<std::chrono::high_resolution_clock::is_steady, std::chrono::high_resolution_clock,
                                 std::chrono::steady_clock>;
using ::tare::Column;
using ::tare::Rng;
namespace templates = ::tare::templates;
/** Marks a value as used, so that it has to be computed. */
template <typename T> TARE_INLINE_ void doNotOptimizeAway(T&& value) { ::tare::keep(std::forward<T>(value)); }

namespace detail {
using ::tare::detail::bit;
}

struct Config {
    std::string mBenchmarkTitle = "benchmark";
    std::string mBenchmarkName = "noname";
    std::string mUnit = "op";
    double mBatch = 1.0;
    double mComplexityN = -1.0;
    size_t mNumEpochs = 11;
    size_t mClockResolutionMultiple = 1000;
    std::chrono::nanoseconds mMaxEpochTime = std::chrono::milliseconds(100);
    std::chrono::nanoseconds mMinEpochTime = std::chrono::milliseconds(1);
    uint64_t mMinEpochIterations = 1;
    uint64_t mEpochIterations = 0;
    uint64_t mWarmup = 0;
    std::ostream* mOut = &std::cout;
    std::chrono::duration<double> mTimeUnit = std::chrono::nanoseconds(1);
    std::string mTimeUnitName = "ns";
    bool mShowPerformanceCounters = true;
    bool mIsRelative = false;
    std::unordered_map<std::string, std::string> mContext;
    uint32_t mHiddenColumns = 0;
    std::vector<std::string> mContextColumns;

    // The settings made explicitly by the program. For the others, Tare's own defaults are used instead of
    // nanobench's.
    enum Said : unsigned {
        said_epochs = 1,
        said_min_time = 2,
        said_max_time = 4,
        said_relative = 8,
        said_counters = 16,
        said_unit = 32
    };
    unsigned said = 0;

    ::tare::Config settings() const;

private:
    bool is_said(Said what, bool is_default) const { return (said & what) != 0 || !is_default; }
};

inline ::tare::Config Config::settings() const {
    const Config usual;
    ::tare::Config ours;
    const bool is_relative_said = is_said(said_relative, mIsRelative == usual.mIsRelative);
    ours.title = mBenchmarkTitle == usual.mBenchmarkTitle ? "" : mBenchmarkTitle;
    ours.name = mBenchmarkName;
    ours.unit = mUnit;
    ours.operations = mBatch;
    ours.complexity_n = mComplexityN > 0 ? mComplexityN : -1;
    if (is_said(said_epochs, mNumEpochs == usual.mNumEpochs) || mEpochIterations != 0) ours.iterations = mNumEpochs;
    if (is_said(said_min_time, mMinEpochTime == usual.mMinEpochTime))
        ours.min_iteration_ns = ::tare::detail::whole_ns_of(mMinEpochTime, 0);
    if (is_said(said_max_time, mMaxEpochTime == usual.mMaxEpochTime))
        ours.max_iteration_ns = ::tare::detail::whole_ns_of(mMaxEpochTime, 0);
    ours.min_invocations = mMinEpochIterations;
    ours.invocations = mEpochIterations;
    ours.warm_up = mWarmup;
    ours.relative = !is_relative_said ? ::tare::Config::automatic
                    : mIsRelative     ? ::tare::Config::always
                                      : ::tare::Config::never;
    ours.counters = mShowPerformanceCounters;
    ours.wants_counters = mShowPerformanceCounters && (said & said_counters) != 0;
    if (is_said(said_unit, mTimeUnit == usual.mTimeUnit && mTimeUnitName == usual.mTimeUnitName)) {
        ours.time_unit_s = mTimeUnit.count();
        ours.time_unit_name = mTimeUnitName;
    }
    ours.hidden = mHiddenColumns;
    ours.context_columns = mContextColumns;
    for (const auto& [variable, value] : mContext) ours.context.emplace_back(variable, value);
    std::sort(ours.context.begin(), ours.context.end()); // the same parameters in the same order in every process
    return ours;
}

} // namespace nanobench
} // namespace ankerl
#endif
