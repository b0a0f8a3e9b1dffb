// Part of <tare/bench.hpp>: the result of a run, and its settings.
#ifndef TARE_DETAIL_RESULT_HPP_INCLUDED
#define TARE_DETAIL_RESULT_HPP_INCLUDED

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tare {

/** The columns of the table, in nanobench's order. */
enum class Column : size_t {
    ratio,         ///< to the first run, or to the one after relative(true)
    complexity_n,  ///< shown where complexity_n() was said
    time,          ///< of one operation
    rate,          ///< operations per second
    error,         ///< half of the 96 % interval within this process
    instructions,  ///< by performance counters, where the kernel has them, like ipc, branches and branch_misses
    cycles,        ///< of the core, by the clock probe
    ipc,           ///< instructions per cycle
    branches,      ///<
    branch_misses, ///< of all branches
    total,         ///< the time that measuring took; hidden unless shown
    // nanobench's names
    _size,
    relative = ratio,
    complexityN = complexity_n,
    timePerUnit = time,
    unitPerSecond = rate,
    branchMisses = branch_misses
};

namespace detail {
constexpr uint32_t bit(Column column) { return uint32_t{1} << static_cast<unsigned>(column); }

// A sink with write(), a FILE, or nothing.
class Sink {
public:
    Sink() = default;
    explicit Sink(FILE* file)
        : to_(file), write_(file == nullptr ? nullptr : +[](void* to, const char* bytes, size_t count) {
              fwrite(bytes, 1, count, static_cast<FILE*>(to));
              fflush(static_cast<FILE*>(to));
          }) {}
    template <class Stream>
    explicit Sink(Stream* stream)
        : to_(stream), write_(stream == nullptr ? nullptr : +[](void* to, const char* bytes, size_t count) {
              static_cast<Stream*>(to)->write(bytes, static_cast<std::ptrdiff_t>(count));
              static_cast<Stream*>(to)->flush();
          }) {}
    bool is_open() const { return write_ != nullptr; }
    void put(std::string_view text) const {
        if (write_ != nullptr) write_(to_, text.data(), text.size());
    }

private:
    void* to_ = nullptr;
    void (*write_)(void* to, const char* bytes, size_t count) = nullptr;
};

[[noreturn]] inline void refuse(const std::string& what) {
#if defined(__cpp_exceptions)
    throw std::runtime_error(what);
#else
    fprintf(stderr, "error: %s\n", what.c_str());
    abort();
#endif
}
} // namespace detail

/** The settings of a run. */
struct Config {
    std::string title, name, unit = "op";
    double operations = 1;    // per invocation
    double complexity_n = -1; // < 0: none
    uint64_t iterations = 0;  // 0: as many as 12 ms take
    uint64_t min_iteration_ns = 0, max_iteration_ns = 0;
    uint64_t min_invocations = 0, invocations = 0;          // per iteration
    uint64_t warm_up = 0;                                   // invocations
    enum { automatic, never, always } relative = automatic; // automatic: not if a complexity is fitted
    bool counters = true, wants_counters = false;           // the latter: report missing ones
    bool waits = false;
    double time_unit_s = 0; // 0: a unit that fits the time
    std::string time_unit_name;
    uint32_t hidden = detail::bit(Column::total);
    std::vector<std::string> context_columns;
    std::vector<std::pair<std::string, std::string>> context;

    bool is_relative() const { return relative == always || (relative == automatic && complexity_n < 0); }
    const std::string* find_context(std::string_view variable) const {
        for (const auto& [name_of, value] : context) {
            if (name_of == variable) return &value;
        }
        return nullptr;
    }
};

namespace detail {
// The estimate from the windows of a run.
struct Estimate {
    double nanoseconds = 0;        // per operation, without loop and clock; at least 0
    double cycles = 0;             // the same in cycles of the core; 0: unknown, because the body waits
    double error = 0;              // half of the 96 % interval within this process, relative to the time
    double limit = 0;              // > 0: indistinguishable from nothing; the time is less than this, in ns
    double ratio = 0;              // to the first run; 0: none
    const char* warning = nullptr; // null: none
};
} // namespace detail

/** The result of a run: the estimate (nanoseconds, cycles, error, limit, ratio, warning), and every iteration as
 *  measured, including disturbed ones and the time of the loop. */
class Result : public detail::Estimate {
public:
    enum class Measure : size_t {
        elapsed,    ///< seconds of one invocation
        iterations, ///< invocations of this iteration, by nanobench's name
        pagefaults, ///< of one invocation, as the following
        cpucycles,
        contextswitches,
        instructions,
        branchinstructions,
        branchmisses,
        _size ///< nanobench's word for a measure that does not exist
    };
    static constexpr size_t measures = static_cast<size_t>(Measure::_size);

    Result() = default;
    Result(const detail::Estimate& found, Config settings) : Estimate(found), config_(std::move(settings)) {}

    const Config& config() const { return config_; }
    /** The reason why nothing was measured, or an empty text. */
    const std::string& failure() const { return failure_; }
    void set_failure(std::string_view why) { failure_ = why; }

    /** The number of iterations. */
    size_t size() const { return values_.size() / measures; }
    bool empty() const { return values_.empty(); }
    bool has(Measure measure) const { return size() > 0 && !std::isnan(get(0, measure)); }
    /** The value of a measure, or NaN if its counter does not exist here. */
    double get(size_t iteration, Measure measure) const {
        return values_.at(iteration * measures + static_cast<size_t>(measure));
    }
    void add(const double (&row)[measures]) { values_.insert(values_.end(), row, row + measures); }

    double median(Measure measure) const { return middle(all(measure)); }
    /** The median of the deviations from the median, each relative to its value. */
    double medianAbsolutePercentError(Measure measure) const {
        std::vector<double> values = all(measure);
        const double centre = middle(values);
        for (double& value : values) value = value == centre ? 0 : std::fabs((value - centre) / value);
        return middle(std::move(values));
    }
    double average(Measure measure) const { return empty() ? 0 : sum(measure) / static_cast<double>(size()); }
    double sum(Measure measure) const {
        double total = 0;
        for (const double value : all(measure)) total += value;
        return total;
    }
    double sumProduct(Measure a, Measure b) const {
        double total = 0;
        for (size_t i = 0; i < size(); ++i) total += get(i, a) * get(i, b);
        return total;
    }
    double minimum(Measure measure) const {
        const std::vector<double> values = all(measure);
        return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
    }
    double maximum(Measure measure) const {
        const std::vector<double> values = all(measure);
        return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    }
    /** The value of a context variable; throws if it does not exist. */
    const std::string& context(std::string_view variable) const {
        const std::string* const value = config_.find_context(variable);
        if (value == nullptr)
            detail::refuse("no context variable `" + std::string(variable) + "` for `" + config_.name + "`");
        return *value;
    }

private:
    std::vector<double> all(Measure measure) const {
        std::vector<double> values;
        for (size_t i = 0; i < size(); ++i) values.push_back(get(i, measure));
        return values;
    }
    static double middle(std::vector<double> values) {
        const size_t half = values.size() / 2;
        if (values.empty()) return 0;
        std::sort(values.begin(), values.end());
        return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
    }
    Config config_;
    std::string failure_;
    std::vector<double> values_; // all measures of each iteration
};

} // namespace tare
#endif
