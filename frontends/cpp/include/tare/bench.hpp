// tare/bench.hpp - the quick style of Tare: no registration, an answer at once, results in the program.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//   #include <tare/bench.hpp>
//   int main() {
//       tare::Bench bench("random numbers");
//       std::mt19937 a;
//       std::mt19937_64 b;
//       bench.run("mt19937", [&] { return a(); }).run("mt19937_64", [&] { return b(); });
//   }
//
// It is separate from tare.h so that files with registered benchmarks need not compile <string>, <vector> and their
// uses. <tare/nanobench.hpp> provides the same under nanobench's names. Names in tare::detail are not for users.
#ifndef TARE_BENCH_HPP_INCLUDED
#define TARE_BENCH_HPP_INCLUDED

#include "../tare.h"
#if defined(__GNUC__)
#    pragma GCC diagnostic push
#endif
#include "detail/result.hpp"
#include "detail/quick.hpp"
#include "detail/walk.hpp"
#include "detail/random.hpp"
#include "detail/complexity.hpp"
#include "detail/counters.hpp"
#include "detail/table.hpp"
#include "detail/render.hpp"
#include "detail/compare.hpp"

namespace tare {
namespace detail {
// A function, called through the pointer to it.
template <class F> struct Called {
    F* function;
    decltype(auto) operator()() const { return function(); }
};
struct Contestant {
    tare_benchmark* node;
    std::string name;
};
} // namespace detail

/** Measures immediately, in about 12 ms per run, and prints a row of a Markdown table.
 *
 *      tare::Bench bench("addition");
 *      uint64_t x = 1;
 *      bench.run("x += x", [&] { x += x; tare::keep_state(x); });
 *
  *  The column `ratio` compares with the first run of a Bench. Under `tare run` the same program serves the host,
  *  which measures every run() in separate processes. Settings apply to the runs that follow. */
class Bench {
public:
    explicit Bench(std::string_view title_ = "") : sink_(stdout) { config_.title = title_; }

    // ---- what is measured
    /** Sets the group of the runs that follow. A new group discards the results. */
    Bench& title(std::string_view text) {
        if (config_.title != text) forget();
        return config_.title = text, *this;
    }
    const std::string& title() const { return config_.title; }
    Bench& name(std::string_view text) { return config_.name = text, *this; }
    const std::string& name() const { return config_.name; }
    /** Sets the name of one operation, in the singular. A new name discards the results. */
    Bench& unit(std::string_view text) {
        if (config_.unit != text) forget();
        return config_.unit = text, *this;
    }
    const std::string& unit() const { return config_.unit; }
    /** Sets the operations per invocation, more than 0; a fraction is allowed here. */
    template <class Count> Bench& operations(Count count) {
        static_assert(std::is_arithmetic_v<Count>, "operations is a number");
        return config_.operations = static_cast<double>(count), *this;
    }
    double operations() const { return config_.operations; }
    /** Sets the size of the input for complexity(): a column of the table, and a parameter `n` under `tare run`. */
    template <class Number> Bench& complexity_n(Number n) {
        return config_.complexity_n = static_cast<double>(n), *this;
    }
    double complexity_n() const { return config_.complexity_n; }
    /** Sets a variable of the runs that follow, for templates and context columns; a parameter under `tare run`. */
    Bench& context(std::string_view variable, std::string_view value) {
        for (auto& [variable_of, value_of] : config_.context) {
            if (variable_of == variable) return value_of = value, *this;
        }
        return config_.context.emplace_back(variable, value), *this;
    }
    Bench& clear_context() { return config_.context.clear(), *this; }
    /** Runs before every iteration of the next run(), unmeasured. An iteration is many invocations: see
     *  invocations(). */
    template <class F> Bench& iteration_set_up(F f) {
        set_up_ = std::make_shared<F>(std::move(f));
        call_set_up_ = [](void* it) { (*static_cast<F*>(it))(); };
        return *this;
    }
    /** Declares that the body blocks, so that only its wall time counts. */
    Bench& waits(bool does = true) { return config_.waits = does, *this; }

    // ---- how much is measured
    /** Sets the number of iterations, each a timed batch; 0: as many as fit in 12 ms. */
    template <class Count> Bench& iterations(Count count) {
        if (!detail::is_count(count, 0)) fault_ = "iterations is not a whole number of at least 0";
        return config_.iterations = static_cast<size_t>(count), *this;
    }
    /** Sets the approximate minimum time of an iteration, such as std::chrono::milliseconds(1). */
    template <class Duration> Bench& min_iteration_time(const Duration& time) {
        return config_.min_iteration_ns = detail::whole_ns_of(time, 0), *this;
    }
    /** Sets the maximum time of an iteration. A single invocation or a minimum may exceed it. */
    template <class Duration> Bench& max_iteration_time(const Duration& time) {
        return config_.max_iteration_ns = detail::whole_ns_of(time, 0), *this;
    }
    /** Sets the minimum number of invocations per iteration. */
    template <class Count> Bench& min_invocations(Count count) {
        if (!detail::is_count(count, 0)) fault_ = "min_invocations is not a whole number of at least 0";
        return config_.min_invocations = static_cast<uint64_t>(count), *this;
    }
    /** Sets the exact number of invocations per iteration; 0: determined automatically. With iterations(n) too, the
     *  body is called exactly n times that often after the warm-up. */
    template <class Count> Bench& invocations(Count count) {
        if (!detail::is_count(count, 0)) fault_ = "invocations is not a whole number of at least 0";
        return config_.invocations = static_cast<uint64_t>(count), *this;
    }
    /** Sets the number of invocations before the first iteration. */
    template <class Count> Bench& warm_up(Count count) {
        if (!detail::is_count(count, 0)) fault_ = "warm_up is not a whole number of at least 0";
        return config_.warm_up = static_cast<uint64_t>(count), *this;
    }

    // ---- what is shown
    /** Makes the next run the one that later runs are compared with; false: no column `ratio`. */
    Bench& relative(bool is_wanted) {
        has_first_ = false;
        return config_.relative = is_wanted ? Config::always : Config::never, *this;
    }
    bool relative() const { return config_.is_relative(); }
    /** Shows all times in this unit, such as time_unit(std::chrono::milliseconds(1), "ms"). */
    template <class Duration> Bench& time_unit(const Duration& unit_of_time, std::string_view text) {
        config_.time_unit_s = detail::ns_of(unit_of_time) * 1e-9;
        return config_.time_unit_name = text, *this;
    }
    Bench& hide(Column column) { return config_.hidden |= detail::bit(column), *this; }
    Bench& show(Column column) { return config_.hidden &= ~detail::bit(column), *this; }
    /** Adds a column with the value of a context variable. */
    Bench& context_column(std::string_view variable) {
        return config_.context_columns.emplace_back(variable), *this;
    }
    Bench& clear_context_columns() { return config_.context_columns.clear(), *this; }
    /** Counts instructions, branches and more, if the kernel supports it; on by default. An explicit true prints a
     *  line on stderr if the counters are missing. */
    Bench& performance_counters(bool is_wanted) {
        return config_.counters = config_.wants_counters = is_wanted, *this;
    }
    /** Sets where rows go: a FILE, a std::ostream, anything with write() and flush(), or nullptr for none. Default:
     *  stdout. */
    template <class Stream> Bench& output(Stream* stream) {
        return sink_ = detail::Sink(stream), header_.clear(), *this;
    }
    Bench& output(std::nullptr_t) { return sink_ = detail::Sink(), *this; }

    // ---- measuring
    /** Measures `body` and prints its row. The body runs in place, so it may refer to its surroundings, and takes
     *  no argument. Methods named set_up, clean_up, iteration_set_up, iteration_clean_up and operations are used if
     *  its type has them. */
    template <class F> TARE_NOINLINE_ Bench& run(std::string_view name_, F&& body) {
        return name(name_).run(std::forward<F>(body));
    }
    template <class F> TARE_NOINLINE_ Bench& run(F&& body) {
        const auto use = [&](detail::Node& node) {
            if (set_up_ != nullptr) detail::hook<void>(node, 2, [this] { call_set_up_(set_up_.get()); });
            measure(node);
        };
        return with_node(use, body), *this;
    }
    /** Measures several bodies in turn, round by round, so that disturbances affect all: compare("a", f, "b", g).
     *  Under `tare run` they are the contestants of a group. */
    template <class... Pairs> CompareResult compare(Pairs&&... names_and_bodies) {
        static_assert(sizeof...(Pairs) % 2 == 0 && sizeof...(Pairs) >= 4,
                      "compare() takes at least two names, each with a body: compare(\"a\", f, \"b\", g)");
        std::vector<detail::Contestant> contestants;
        CompareResult result;
        compare_from(result, contestants, names_and_bodies...);
        return result;
    }

    // ---- what was found
    /** The result of the last run. */
    const Result& result() const { return results_.empty() ? nothing() : results_.back(); }
    /** The results of all runs since the title or the unit changed. */
    const std::vector<Result>& results() const { return results_; }
    const Config& config() const { return config_; }
    Bench& config(const Config& settings) { return config_ = settings, *this; }
    /** Fits of how the time grows with complexity_n(), the best one first. */
    std::vector<BigO> complexity() const { return detail::big_o(points()); }
    /** Fits a custom function: complexity("O(log log n)", [](double n) { return log2(log2(n)); }). */
    template <class F> BigO complexity(std::string_view name_, F f) const {
        return BigO(std::string(name_), points(), f);
    }
    template <class Stream> Bench& render(std::string_view with, Stream& stream) {
        return ::tare::render(with, results_, stream), *this;
    }

private:
    template <class Use, class F> static void with_node(Use use, F& body) {
        if constexpr (std::is_function_v<F>) {
            detail::Called<F> called{&body};
            with_node(use, called);
        } else {
            static_assert(
                std::is_invocable_v<F&>,
                "the body of run() takes no argument: let it capture what it needs, as in [&] { sort(v); }");
            detail::Node node;
            detail::fill(node, &detail::kind_of<F>, nullptr, 0, "");
            node.prototype = node.body =
                const_cast<std::remove_const_t<F>*>(&body); // in place: neither created nor destroyed
            use(node);
        }
    }
    template <class Name, class F, class... Rest>
    void compare_from(CompareResult& result, std::vector<detail::Contestant>& contestants, Name&& name_, F& body,
                      Rest&&... rest) {
        const auto use = [&](detail::Node& node) {
            contestants.push_back({&node, std::string(name_)});
            if constexpr (sizeof...(rest) == 0) compare_all(contestants, result);
            else compare_from(result, contestants, rest...);
        };
        with_node(use, body);
    }
    static const Result& nothing() {
        static const Result none;
        return none;
    }
    void forget() {
        results_.clear();
        has_first_ = false;
    }
    BigO::Points points() const {
        BigO::Points all;
        for (const Result& one : results_) {
            if (one.config().complexity_n > 0 && one.failure().empty())
                all.emplace_back(one.config().complexity_n, one.nanoseconds * one.config().operations);
        }
        return all;
    }
    detail::QuickPlan plan() const;
    const char* prepare(tare_benchmark& node, double& operations);
    bool is_linked(tare_benchmark& node, double operations, bool is_baseline) const;
    Result read(const detail::Quick& quick, const detail::Estimate& found, double operations) const;
    void print(const Result& result);
    void measure(tare_benchmark& node);
    void compare_all(const std::vector<detail::Contestant>& contestants, CompareResult& result);

    Config config_;
    const char* fault_ = nullptr; // an error in a setting
    std::vector<Result> results_;
    detail::Sink sink_;
    std::string header_; // the header printed last
    double first_ = 0;   // nanoseconds of the run that others are compared with
    bool has_first_ = false;
    std::shared_ptr<void> set_up_; // of the next run
    void (*call_set_up_)(void*) = nullptr;
};

template <class Stream> void render(std::string_view with, const Bench& bench, Stream& stream) {
    render(with, bench.results(), stream);
}

} // namespace tare

#include "detail/bench_engine.hpp"
#if defined(__GNUC__)
#    pragma GCC diagnostic pop
#endif
#endif
