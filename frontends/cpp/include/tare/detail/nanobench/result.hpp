// Part of <tare/nanobench.hpp>: the result of a run, its fits, and its text by a template.
#ifndef TARE_DETAIL_NANOBENCH_RESULT_HPP_INCLUDED
#define TARE_DETAIL_NANOBENCH_RESULT_HPP_INCLUDED

namespace ankerl {
namespace nanobench {
namespace detail {

template <typename T> struct PerfCountSet {
    T pageFaults{}, cpuCycles{}, contextSwitches{}, instructions{}, branchInstructions{}, branchMisses{};
};
// Counts of an epoch, for Result::add(); empty unless a program fills them in.
class PerformanceCounters {
public:
    const PerfCountSet<uint64_t>& val() const noexcept { return value_; }
    const PerfCountSet<bool>& has() const noexcept { return has_; }

private:
    PerfCountSet<uint64_t> value_;
    PerfCountSet<bool> has_;
};
inline PerformanceCounters& performanceCounters() {
    static PerformanceCounters none;
    return none;
}

} // namespace detail

/** Like nanobench's, with Tare's estimate: nanoseconds, cycles, error, ratio, warning. */
class Result : public ::tare::Result {
public:
    explicit Result(Config config)
        : ::tare::Result(::tare::detail::Estimate(), config.settings()), config_(std::move(config)) {}
    Result(::tare::Result found, Config config) : ::tare::Result(std::move(found)), config_(std::move(config)) {}

    /** Adds an epoch. Everything but the iterations is divided by their number. */
    void add(Clock::duration total, uint64_t iterations, const detail::PerformanceCounters& counted) {
        const double count = static_cast<double>(iterations);
        const auto& value = counted.val();
        const auto& has = counted.has();
        const auto each = [&](bool is_known, uint64_t sum) {
            return is_known ? static_cast<double>(sum) / count : NAN;
        };
        ::tare::Result::add(
            {std::chrono::duration<double>(total).count() / count, count, each(has.pageFaults, value.pageFaults),
             each(has.cpuCycles, value.cpuCycles), each(has.contextSwitches, value.contextSwitches),
             each(has.instructions, value.instructions), each(has.branchInstructions, value.branchInstructions),
             each(has.branchMisses, value.branchMisses)});
    }
    const Config& config() const noexcept { return config_; }

    bool has(Measure measure) const { return measure != Measure::_size && ::tare::Result::has(measure); }
    double get(size_t epoch, Measure measure) const {
        if (!has(measure)) throw_out_of_range("this measure was not recorded");
        return ::tare::Result::get(epoch, measure);
    }
    // 0 for a measure that was not recorded.
    double median(Measure measure) const { return has(measure) ? ::tare::Result::median(measure) : 0; }
    double medianAbsolutePercentError(Measure measure) const {
        return has(measure) ? ::tare::Result::medianAbsolutePercentError(measure) : 0;
    }
    double average(Measure measure) const { return has(measure) ? ::tare::Result::average(measure) : 0; }
    double sum(Measure measure) const { return has(measure) ? ::tare::Result::sum(measure) : 0; }
    double sumProduct(Measure a, Measure b) const {
        return has(a) && has(b) ? ::tare::Result::sumProduct(a, b) : 0;
    }
    double minimum(Measure measure) const { return has(measure) ? ::tare::Result::minimum(measure) : 0; }
    double maximum(Measure measure) const { return has(measure) ? ::tare::Result::maximum(measure) : 0; }
    /** The value of a context variable; throws std::out_of_range if it does not exist. */
    const std::string& context(const std::string& variable) const { return config_.mContext.at(variable); }

    static Measure fromString(const std::string& name) {
        const ::tare::detail::MeasureName* const found = ::tare::detail::find_measure(name);
        return found == nullptr || found->factor != 1 ? Measure::_size : found->measure;
    }

private:
    static void throw_out_of_range(const char* what) {
#if defined(__cpp_exceptions)
        throw std::out_of_range(what);
#else
        ::tare::detail::refuse(what);
#endif
    }
    Config config_;
};

/** A function of the size fitted to times, in seconds. */
class BigO : public ::tare::BigO {
public:
    using RangeMeasure = std::vector<std::pair<double, double>>; // size, seconds of an iteration

    template <typename Op>
    BigO(const std::string& title, const RangeMeasure& points, Op op) : BigO(title, mapRangeMeasure(points, op)) {}
    BigO(const std::string& title, const RangeMeasure& scaled)
        : ::tare::BigO(title, in_nanoseconds(scaled), [](double n) { return n; }) {}

    double constant() const { return coefficient() * 1e-9; }
    double normalizedRootMeanSquare() const { return rms(); }
    template <typename Op> static RangeMeasure mapRangeMeasure(RangeMeasure points, Op op) {
        for (auto& point : points) point.first = op(point.first);
        return points;
    }
    /** The sizes and times of results; uses Tare's estimate if it was measured here. */
    static RangeMeasure collectRangeMeasure(const std::vector<Result>& results) {
        RangeMeasure points;
        for (const Result& one : results) {
            if (!(one.config().mComplexityN > 0) || !one.failure().empty()) continue;
            const double seconds = one.nanoseconds > 0 ? one.nanoseconds * 1e-9 * one.config().mBatch
                                                       : one.median(Result::Measure::elapsed);
            points.emplace_back(one.config().mComplexityN, seconds);
        }
        return points;
    }

private:
    static Points in_nanoseconds(RangeMeasure points) {
        for (auto& point : points) point.second *= 1e9;
        return points;
    }
};

inline std::ostream& operator<<(std::ostream& stream, const BigO& one) {
    return stream << ::tare::detail::format("%g * %s, rms=%g", one.constant(), one.name().c_str(),
                                            one.normalizedRootMeanSquare());
}
inline std::ostream& operator<<(std::ostream& stream, const std::vector<BigO>& all) {
    std::string table = "\n|   coefficient |   err% | complexity\n|--------------:|-------:|------------\n";
    for (const BigO& one : all) {
        table += ::tare::detail::format("| %13.7e | %5.1f%% | %s\n", one.constant(),
                                        one.normalizedRootMeanSquare() * 100, one.name().c_str());
    }
    return stream << table;
}

inline void render(std::string_view with, const std::vector<Result>& results, std::ostream& stream) {
    ::tare::render(with, std::vector<::tare::Result>(results.begin(), results.end()), stream);
}

} // namespace nanobench
} // namespace ankerl
#endif
