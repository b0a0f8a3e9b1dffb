// Part of <tare/nanobench.hpp>: Bench with nanobench's names. tare::Bench does the measuring.
#ifndef TARE_DETAIL_NANOBENCH_BENCH_HPP_INCLUDED
#define TARE_DETAIL_NANOBENCH_BENCH_HPP_INCLUDED

namespace ankerl {
namespace nanobench {

class Bench;
namespace detail {
void apply_environment(Bench& bench);
bool is_endless(const std::string& name);
void print(std::ostream* stream, const ::tare::Result& result);

// The result of setup(): the next run uses the set-up.
template <typename SetupOp> class SetupRunner {
public:
    SetupRunner(SetupOp set_up, Bench& bench) : set_up_(std::move(set_up)), bench_(bench) {}
    template <typename Op> Bench& run(Op&& op);
    template <typename Op> Bench& run(std::string_view name, Op&& op);

private:
    SetupOp set_up_;
    Bench& bench_;
};
} // namespace detail

/** Like nanobench's Bench. Settings apply to the runs that follow. */
class Bench {
public:
    Bench() { detail::apply_environment(*this); }

    // ---- what is measured
    Bench& title(std::string_view text) {
        if (config_.mBenchmarkTitle != text) forget();
        return config_.mBenchmarkTitle = text, *this;
    }
    const std::string& title() const noexcept { return config_.mBenchmarkTitle; }
    Bench& name(std::string_view text) { return config_.mBenchmarkName = text, *this; }
    const std::string& name() const noexcept { return config_.mBenchmarkName; }
    Bench& unit(std::string_view text) {
        if (config_.mUnit != text) forget();
        return config_.mUnit = text, *this;
    }
    const std::string& unit() const noexcept { return config_.mUnit; }
    template <typename T> Bench& batch(T count) noexcept {
        return config_.mBatch = static_cast<double>(count), *this;
    }
    double batch() const noexcept { return config_.mBatch; }
    template <typename T> Bench& complexityN(T n) noexcept {
        return config_.mComplexityN = static_cast<double>(n), *this;
    }
    double complexityN() const noexcept { return config_.mComplexityN; }
    Bench& context(const std::string& variable, const std::string& value) {
        return config_.mContext[variable] = value, *this;
    }
    Bench& clearContext() { return config_.mContext.clear(), *this; }
    /** Runs before each epoch of the next run, unmeasured. */
    template <typename SetupOp> detail::SetupRunner<SetupOp> setup(SetupOp set_up) {
        return detail::SetupRunner<SetupOp>(std::move(set_up), *this);
    }

    // ---- how much is measured
    Bench& epochs(size_t count) noexcept { return config_.mNumEpochs = count, says(Config::said_epochs); }
    size_t epochs() const noexcept { return config_.mNumEpochs; }
    Bench& minEpochTime(std::chrono::nanoseconds time) noexcept {
        return config_.mMinEpochTime = time, says(Config::said_min_time);
    }
    std::chrono::nanoseconds minEpochTime() const noexcept { return config_.mMinEpochTime; }
    Bench& maxEpochTime(std::chrono::nanoseconds time) noexcept {
        return config_.mMaxEpochTime = time, says(Config::said_max_time);
    }
    std::chrono::nanoseconds maxEpochTime() const noexcept { return config_.mMaxEpochTime; }
    Bench& minEpochIterations(uint64_t count) noexcept {
        return config_.mMinEpochIterations = count == 0 ? 1 : count, *this;
    }
    uint64_t minEpochIterations() const noexcept { return config_.mMinEpochIterations; }
    /** Sets the exact number of calls of the body per epoch, apart from the warm-up; 0: determined automatically. */
    Bench& epochIterations(uint64_t count) noexcept { return config_.mEpochIterations = count, *this; }
    uint64_t epochIterations() const noexcept { return config_.mEpochIterations; }
    Bench& warmup(uint64_t count) noexcept { return config_.mWarmup = count, *this; }
    uint64_t warmup() const noexcept { return config_.mWarmup; }
    /** Has no effect: epochs take 0.16 ms, which every clock resolves. */
    Bench& clockResolutionMultiple(size_t multiple) noexcept {
        return config_.mClockResolutionMultiple = multiple, *this;
    }
    size_t clockResolutionMultiple() const noexcept { return config_.mClockResolutionMultiple; }

    // ---- what is shown
    /** Makes the next run the one that later runs are compared with; false: no column `ratio`. */
    Bench& relative(bool is_wanted) noexcept {
        bench_.relative(is_wanted);
        return config_.mIsRelative = is_wanted, says(Config::said_relative);
    }
    bool relative() const noexcept { return config_.mIsRelative; }
    Bench& timeUnit(const std::chrono::duration<double>& unit_of_time, const std::string& text) {
        config_.mTimeUnit = unit_of_time;
        return config_.mTimeUnitName = text, says(Config::said_unit);
    }
    const std::chrono::duration<double>& timeUnit() const noexcept { return config_.mTimeUnit; }
    const std::string& timeUnitName() const noexcept { return config_.mTimeUnitName; }
    Bench& hideColumn(Column column) noexcept { return config_.mHiddenColumns |= detail::bit(column), *this; }
    Bench& showColumn(Column column) noexcept { return config_.mHiddenColumns &= ~detail::bit(column), *this; }
    bool isColumnVisible(Column column) const noexcept {
        return (config_.mHiddenColumns & detail::bit(column)) == 0;
    }
    Bench& contextColumn(const std::string& variable) {
        auto& all = config_.mContextColumns;
        if (std::find(all.begin(), all.end(), variable) == all.end()) all.push_back(variable);
        return *this;
    }
    Bench& clearContextColumns() noexcept { return config_.mContextColumns.clear(), *this; }
    Bench& performanceCounters(bool is_wanted) noexcept {
        return config_.mShowPerformanceCounters = is_wanted, says(Config::said_counters);
    }
    bool performanceCounters() const noexcept { return config_.mShowPerformanceCounters; }
    /** Sets where rows go; nullptr: nowhere. Default: std::cout. */
    Bench& output(std::ostream* stream) noexcept { return config_.mOut = stream, *this; }
    std::ostream* output() const noexcept { return config_.mOut; }
    Bench& config(const Config& settings) { return config_ = settings, *this; }
    const Config& config() const noexcept { return config_; }

    // ---- measuring
    template <typename Op> TARE_NOINLINE_ Bench& run(std::string_view name_, Op&& op) {
        return name(name_).run(std::forward<Op>(op));
    }
    template <typename Op> TARE_NOINLINE_ Bench& run(Op&& op) {
        while (detail::is_endless(config_.mBenchmarkName)) op();
        begin();
        bench_.run(op);
        results_.emplace_back(bench_.result(), config_);
        detail::print(config_.mOut, results_.back());
        return *this;
    }
    /** Measures several bodies in turn, round by round: compare("a", f, "b", g). */
    template <typename... Pairs> CompareResult compare(Pairs&&... names_and_bodies) {
        begin();
        const ::tare::CompareResult found = bench_.compare(std::forward<Pairs>(names_and_bodies)...);
        std::vector<CompareResult::Entry> entries;
        for (size_t i = 0; i < found.size(); ++i) {
            Config settings = config_;
            settings.mBenchmarkName = found[i].name;
            const ::tare::CompareResult::Entry& entry = found[i];
            Result result(entry.result, std::move(settings));
            entries.emplace_back(entry.name, result, 1 / entry.ratio, 1 / entry.ratio_high,
                                 entry.ratio_low > 0 ? 1 / entry.ratio_low : HUGE_VAL, entry.tied_rounds);
            results_.push_back(std::move(result));
        }
        if (config_.mOut != nullptr && found.rounds() > 0) *config_.mOut << found.text() << std::flush;
        return CompareResult(std::move(entries), found.rounds());
    }

    // ---- what was found
    /** The result of the last run. */
    const Result& result() const { return results_.at(results_.size() - 1); }
    const std::vector<Result>& results() const noexcept { return results_; }
    std::vector<BigO> complexityBigO() const {
        return ::tare::detail::big_o<BigO>(BigO::collectRangeMeasure(results_));
    }
    template <typename Op> BigO complexityBigO(const std::string& name_, Op op) const {
        return BigO(name_, BigO::collectRangeMeasure(results_), op);
    }
    Bench& render(std::string_view with, std::ostream& stream) {
        return ::ankerl::nanobench::render(with, results_, stream), *this;
    }
    template <typename Arg> Bench& doNotOptimizeAway(Arg&& value) {
        return ::tare::keep(std::forward<Arg>(value)), *this;
    }

private:
    template <typename SetupOp> friend class detail::SetupRunner;
    Bench& says(Config::Said what) { return config_.said |= what, *this; }
    void forget() {
        results_.clear();
        bench_.relative(true); // the next run is the first
    }
    void begin() { bench_.config(config_.settings()).output(nullptr); }

    Config config_;
    std::vector<Result> results_;
    ::tare::Bench bench_;
};

namespace detail {
template <typename SetupOp> template <typename Op> Bench& SetupRunner<SetupOp>::run(Op&& op) {
    bench_.bench_.iteration_set_up([this] { set_up_(); });
    return bench_.run(std::forward<Op>(op));
}
template <typename SetupOp>
template <typename Op>
Bench& SetupRunner<SetupOp>::run(std::string_view name, Op&& op) {
    bench_.name(name);
    return run(std::forward<Op>(op));
}
} // namespace detail

inline void render(std::string_view with, const Bench& bench, std::ostream& stream) {
    render(with, bench.results(), stream);
}

} // namespace nanobench
} // namespace ankerl
#endif
