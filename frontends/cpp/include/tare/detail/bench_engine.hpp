// Part of <tare/bench.hpp>: what Bench does around a body. Not optimised, like all code outside the measured windows.
#ifndef TARE_DETAIL_BENCH_ENGINE_HPP_INCLUDED
#define TARE_DETAIL_BENCH_ENGINE_HPP_INCLUDED

namespace tare {
namespace detail {

TARE_ENGINE_ void say_once(bool wants_counters) {
    static bool is_said = false, is_counter_said = false;
    if (!is_said) fputs(system_warnings().c_str(), stderr);
    is_said = true;
    if (!wants_counters || is_counter_said) return;
    is_counter_said = true;
    const std::string missing = counters_missing();
    if (!missing.empty()) fprintf(stderr, "note: %s\n", missing.c_str());
}
TARE_ENGINE_ const char* kept(const std::string& text) { return tare_keep_text_(text.data(), text.size()); }

// The events counted around the invocations themselves, or around nothing.
TARE_ENGINE_ double counted_overhead(const Quick::Windows& overhead, unsigned counter, bool is_per_invocation) {
    double least = HUGE_VAL;
    for (const tare_iteration_& window : overhead) {
        const double divisor = is_per_invocation ? static_cast<double>(window.invocations) : 1;
        least = std::min(least, static_cast<double>(window.counted[counter]) / divisor);
    }
    return overhead.empty() ? 0 : least;
}
// Ten times a number, rounded to two digits: 38.6 gives 390.
TARE_ENGINE_ uint64_t ten_times(uint64_t count) {
    uint64_t scale = 1;
    while (count * 10 / scale >= 100) scale *= 10;
    return (count * 10 + scale - 1) / scale * scale;
}

} // namespace detail

TARE_ENGINE_ detail::QuickPlan Bench::plan() const {
    detail::QuickPlan plan;
    plan.windows = static_cast<unsigned>(std::min<uint64_t>(config_.iterations, 1u << 24));
    plan.window_ns = config_.min_iteration_ns;
    plan.window_ns_max = config_.max_iteration_ns;
    plan.invocations_min = config_.min_invocations;
    plan.invocations = config_.invocations;
    plan.warm_up = config_.warm_up;
    return plan;
}
// Applies the settings. Returns an error in them, or null.
TARE_ENGINE_ const char* Bench::prepare(tare_benchmark& node, double& operations) {
    const char* fault = node.invalid_; // its result cannot be measured
    tare_state_.has_failed = false;
    node.operations = 0;
    node.act_(&node, TARE_COUNT_, 0); // applies the declarations of the body's type
    if (tare_state_.has_failed) fault = detail::kept(tare_state_.message);
    operations =
        config_.operations == 1 && node.operations != 0 ? static_cast<double>(node.operations) : config_.operations;
    if (!(operations > 0 && operations < 9e18)) fault = "operations must be greater than 0";
    if (fault_ != nullptr) fault = fault_;
    if (config_.name.empty()) fault = "its name is empty: give it one";
    node.operations = 1;
    node.waits = config_.waits;
    // A set-up before an iteration serves all of its invocations.
    if (set_up_ != nullptr) node.invocations_max = config_.invocations != 0 ? config_.invocations : INT64_MAX;
    return fault;
}
// True under a host, which measures the run in a separate process.
TARE_ENGINE_ bool Bench::is_linked(tare_benchmark& node, double operations, bool is_baseline) const {
    detail::WalkedRun run{node, {}};
    const std::string name_of = config_.name.empty() ? "without a name" : config_.name;
    node.title = detail::kept(config_.title.empty() ? name_of : config_.title + "/" + name_of);
    // A fraction becomes part of the unit: 1.5 operations are one "1.5 op".
    const bool is_whole = node.invalid_ != nullptr || (operations >= 1 && operations == std::floor(operations));
    node.operations = node.invalid_ == nullptr && is_whole ? static_cast<uint64_t>(operations) : 1;
    node.unit = detail::kept(is_whole ? config_.unit : detail::format("%.6g ", operations) + config_.unit);
    node.baseline = is_baseline;
    if (config_.complexity_n >= 0) run.parameters.emplace_back("n", detail::format("%.17g", config_.complexity_n));
    for (const auto& [variable, value] : config_.context) {
        if (run.parameters.size() < TARE_MAX_PARAMETERS_) run.parameters.emplace_back(variable, value);
    }
    return detail::is_walked(node, run);
}
TARE_ENGINE_ Result Bench::read(const detail::Quick& quick, const detail::Estimate& found,
                                double operations) const {
    Config settings = config_;
    detail::Estimate of_operation = found;
    settings.operations = operations;
    of_operation.nanoseconds /= operations;
    of_operation.cycles /= operations;
    of_operation.limit /= operations;
    if (found.warning != nullptr && std::string_view(found.warning).substr(0, 9) == "unstable:") {
        of_operation.warning =
            detail::kept(detail::format("unstable: close other programs, or try min_invocations(%llu)",
                                        static_cast<unsigned long long>(detail::ten_times(quick.invocations))));
    }
    Result result(of_operation, std::move(settings));
    double overhead[TARE_COUNTERS_];
    for (unsigned i = 0; i < TARE_COUNTERS_; ++i) {
        overhead[i] = detail::counted_overhead(quick.overhead, i, quick.is_short);
    }
    for (const tare_iteration_& window : quick.work) {
        const double count = static_cast<double>(window.invocations);
        double row[Result::measures] = {static_cast<double>(window.elapsed) * 1e-9 / count, count};
        for (unsigned j = 0; j < TARE_COUNTERS_; ++j) {
            const double counted =
                static_cast<double>(window.counted[j]) - overhead[j] * (quick.is_short ? count : 1);
            row[2 + j] = !config_.counters || !detail::counters().has(j) ? NAN : counted < 0 ? 0 : counted / count;
        }
        result.add(row);
    }
    return result;
}
TARE_ENGINE_ void Bench::print(const Result& result) {
    if (!sink_.is_open()) return;
    detail::say_once(config_.wants_counters);
    const std::string header = detail::header_text(result);
    if (header != header_) sink_.put(header);
    header_ = header;
    sink_.put(detail::row_text(result));
}
TARE_ENGINE_ void Bench::measure(tare_benchmark& node) {
    double operations = 1;
    const char* const fault = prepare(node, operations);
    const bool is_baseline = config_.is_relative() && !has_first_;
    node.invalid_ = fault;
    // The host compares within each size of the input, so each size has its own first run.
    const bool is_base_for_host = config_.relative == Config::automatic || is_baseline;
    if (is_linked(node, operations, is_base_for_host)) {
        has_first_ = true;
        results_.emplace_back(detail::Estimate(), config_);
        return set_up_.reset();
    }
    detail::Quick quick;
    detail::Estimate found;
    tare_state_.has_failed = false;
    node.operations = 1;
    if (fault != nullptr) tare_fail(fault);
    detail::use_counters(config_.counters);
    const bool is_good = fault == nullptr && tare_step_(&node, TARE_SET_UP_, 0) &&
                         quick.measure(node, plan(), found) == TARE_DROP_ && tare_step_(&node, TARE_CLEAN_UP_, 0);
    detail::use_counters(false);
    if (!is_good) found = detail::Estimate();
    Result result = read(quick, found, operations > 0 ? operations : 1);
    if (!is_good) result.set_failure(tare_state_.message);
    if (is_good && !has_first_ && result.limit <= 0) first_ = result.nanoseconds, has_first_ = true;
    if (is_good && config_.is_relative() && has_first_ && first_ > 0) result.ratio = result.nanoseconds / first_;
    results_.push_back(std::move(result));
    set_up_.reset();
    print(results_.back());
}

namespace detail {
struct Alternative {
    tare_benchmark* node = nullptr;
    double operations = 1;
    bool is_good = false;
    Quick quick;
    std::string failure;
};
// Adds the logarithm of a ratio: the time of the window of `other` by that of `first` in the same round. Adds
// nothing if either was preempted, or both took no time. (A NaN cannot be used for that: -ffast-math breaks its
// comparisons.)
TARE_ENGINE_ void add_log_ratio(const Alternative& first, const Alternative& other, size_t round,
                                std::vector<double>& logs) {
    const tare_iteration_ &a = first.quick.work[round], &b = other.quick.work[round];
    const bool by_wall = first.quick.way == Quick::waits || other.quick.way == Quick::waits;
    if (!by_wall && (was_preempted(a) || was_preempted(b))) return;
    if (a.elapsed == 0 && b.elapsed == 0) return;
    const double probes = by_wall ? 1 : probe_around(b) / probe_around(a);
    logs.push_back(std::log(
        static_cast<double>(b.elapsed) / static_cast<double>(b.invocations) / other.operations /
        (static_cast<double>(a.elapsed) / static_cast<double>(a.invocations) / first.operations) / probes));
}
// Rounds in random order, each order followed by its reverse.
TARE_ENGINE_ size_t measure_in_turn(std::vector<Alternative>& all, size_t rounds) {
    std::vector<size_t> order;
    Rng random(TARE_NOW_());
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i].is_good) order.push_back(i);
        if (all[i].is_good && rounds == 0) rounds = all[i].quick.windows;
    }
    rounds += rounds % 2;
    for (size_t round = 0; round < rounds; ++round) {
        if (round % 2 == 0) random.shuffle(order);
        else std::reverse(order.begin(), order.end());
        for (const size_t i : order) {
            Alternative& one = all[i];
            if (!one.is_good) continue;
            one.is_good = one.quick.turn(*one.node, static_cast<unsigned>(round)) == TARE_DROP_;
            if (!one.is_good) one.failure = tare_state_.message;
        }
    }
    return rounds;
}
} // namespace detail

TARE_ENGINE_ void Bench::compare_all(const std::vector<detail::Contestant>& contestants, CompareResult& result) {
    std::vector<detail::Alternative> all(contestants.size());
    const std::string title_before = config_.title;
    bool is_linked_here = false;
    for (size_t i = 0; i < all.size(); ++i) {
        detail::Alternative& one = all[i];
        config_.name = contestants[i].name;
        one.node = contestants[i].node;
        one.node->invalid_ = prepare(*one.node, one.operations);
        if (config_.title.empty()) config_.title = "comparison";
        is_linked_here = is_linked(*one.node, one.operations, i == 0);
        config_.title = title_before;
        if (is_linked_here) continue;
        tare_state_.has_failed = false;
        one.node->operations = 1;
        if (one.node->invalid_ != nullptr) tare_fail(one.node->invalid_);
        one.is_good = one.node->invalid_ == nullptr && tare_step_(one.node, TARE_SET_UP_, 0) &&
                      one.quick.begin(*one.node, plan()) == TARE_DROP_;
        if (!one.is_good) one.failure = tare_state_.message;
    }
    const size_t rounds = is_linked_here ? 0 : detail::measure_in_turn(all, config_.iterations);
    for (size_t i = 0; i < all.size(); ++i) {
        detail::Alternative& one = all[i];
        detail::Estimate found;
        if (one.is_good) one.is_good = tare_step_(one.node, TARE_CLEAN_UP_, 0);
        if (one.is_good) one.quick.choose_way(*one.node);
        if (one.is_good) found = one.quick.result(1);
        config_.name = contestants[i].name;
        CompareResult::Entry entry;
        entry.name = contestants[i].name;
        entry.result = read(one.quick, found, one.operations > 0 ? one.operations : 1);
        entry.result.set_failure(one.failure);
        std::vector<double> logs;
        for (size_t round = 0; round < rounds && i > 0 && one.is_good && all[0].is_good; ++round) {
            detail::add_log_ratio(all[0], one, round, logs);
        }
        if (i > 0) detail::judge(entry, std::move(logs), all.size() - 1);
        results_.push_back(entry.result);
        result.add(std::move(entry), rounds);
    }
    if (is_linked_here || !sink_.is_open()) return;
    detail::say_once(false);
    sink_.put(result.text());
}

} // namespace tare
#endif
