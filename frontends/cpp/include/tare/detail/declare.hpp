// Part of <tare.h>: the options of a declaration.
#ifndef TARE_DETAIL_DECLARE_HPP_INCLUDED
#define TARE_DETAIL_DECLARE_HPP_INCLUDED
#include "team.hpp"

namespace tare {
namespace detail {
// Nanoseconds of a std::chrono::duration, whose header takes long to compile.
template <class Duration> double ns_of(const Duration& time) {
    using Period = typename Duration::period;
    return static_cast<double>(time.count()) * 1e9 * Period::num / Period::den;
}
// The same as a whole number that can be sent.
template <class Duration> uint64_t whole_ns_of(const Duration& time, double least) {
    const double ns = ns_of(time);
    return static_cast<uint64_t>(ns < least ? least : ns < 9.2e18 ? ns : 9.2e18);
}
} // namespace detail
/** Makes the current step a failure; for code without exceptions. The rest of the step still runs. */
inline void fail(const char* message) { tare_fail(message); }
/** In a set-up: skips the benchmark, for example if a file or device is missing. This is not a failure. */
inline void skip(const char* why) { tare_skip(why); }
/** With own_time(): reports that the body, or a part of it, took this long (a std::chrono::duration). */
template <class Duration> void took(const Duration& time) { tare_took(detail::ns_of(time)); }
/** A text that is copied, so it may be temporary: a literal, a std::string, a std::string_view. */
class Text {
public:
    Text(const char* text) : text_(text == nullptr ? "" : tare_keep_text_(text, strlen(text))) {} // NOLINT
    template <class S, class = decltype(static_cast<const char*>(std::declval<const S&>().data()))>
    Text(const S& text) : text_(tare_keep_text_(text.data(), text.size())) {} // NOLINT
    const char* get() const { return text_; }

private:
    const char* text_;
};
namespace detail {
// An error in this number of operations, or null.
template <class Count> const char* operations_fault(Count count) {
    static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool>,
                  "operations is a whole number: for 1.5 bytes per operation, count other operations");
    return count < 1 ? "operations is less than 1: an invocation does at least one" : nullptr;
}
// Whether a number is whole, at least `least`, and small enough to be sent.
template <class Count> bool is_count(Count count, int least) {
    static_assert(std::is_arithmetic_v<Count> && !std::is_same_v<Count, bool>, "this is a whole number");
    if constexpr (std::is_floating_point_v<Count>) {
        return count >= static_cast<Count>(least) && count < static_cast<Count>(9.2e18) &&
               !(static_cast<Count>(static_cast<uint64_t>(count)) < count);
    } else if constexpr (std::is_signed_v<Count>) {
        return static_cast<int64_t>(count) >= least;
    } else {
        return static_cast<uint64_t>(count) >= static_cast<uint64_t>(least) &&
               static_cast<uint64_t>(count) <= static_cast<uint64_t>(INT64_MAX);
    }
}
// An error in this amount of a rate, or null.
inline const char* rate_fault(double amount) {
    return amount >= 0 && amount <= 1e300
               ? nullptr
               : "the amount of a rate, as of bytes or items, is not a number of at least 0";
}
// Puts a text into the first free place; false if there is none.
inline bool add_text(const char* (&list)[TARE_MAX_TEXTS_], const char* text) {
    for (const char*& slot : list) {
        if (slot == nullptr) return slot = text, true;
    }
    return false;
}
// Sets the amount of a rate, or adds it; false if there are too many.
inline bool set_rate(tare_benchmark& node, const char* name, double amount) {
    for (tare_rate& slot : node.rates) {
        if (slot.name != nullptr && strcmp(slot.name, name) != 0) continue;
        return slot = {name, amount}, true;
    }
    return false;
}
} // namespace detail

/** The options of a declaration, for chaining: `TARE_BENCH(...).baseline().unit("byte").operations(10000);`. */
template <class Self> class Options {
public:
    /** Sets the operations per invocation, at least 1. Times are shown per operation. */
    template <class Count> Self& operations(Count count) {
        if (const char* const fault = detail::operations_fault(count)) return refuse(fault);
        return each([&](detail::Node& it) { it.operations = static_cast<uint64_t>(count); });
    }
    /** Sets the name of one operation: "byte", "item". */
    Self& unit(const Text& text) {
        return each([&](detail::Node& it) { it.unit = text.get(); });
    }
    Self& description(const Text& text) {
        return each([&](detail::Node& it) { it.description = text.get(); });
    }
    template <class T> Self& describe(const T&) {
        static_assert(sizeof(T) == 0, "`describe` is called `description`");
        return self();
    }
    /** Adds a category for filters; up to 8. */
    Self& category(const Text& text) {
        return add(&tare_benchmark::category, text, "it has more than 8 categories");
    }
    /** Adds a diagnoser to run for it, as `tare run --diagnose` does for all: "code", "profile"; up to 8. */
    Self& diagnose(const Text& text) {
        return add(&tare_benchmark::diagnose, text, "it has more than 8 diagnosers");
    }
    /** Sets the number of threads that the body uses; 0 if unknown. */
    Self& threads(unsigned count) {
        return each([&](detail::Node& it) { it.threads = count == 0 ? -1 : static_cast<int>(count); });
    }
    /** Declares that the body blocks (sleeps, or waits for I/O or others), so that only its wall time counts. */
    Self& waits() {
        return each([](detail::Node& it) { it.waits = true; });
    }
    /** Sets the maximum number of invocations per iteration, if each uses something up. At least 1. */
    template <class Count> Self& invocations_max(Count count) {
        static_assert(std::is_integral_v<Count> && !std::is_same_v<Count, bool>,
                      "invocations_max is a whole number");
        if (count < 1) return refuse("invocations_max is less than 1: an iteration has at least one");
        return each([&](detail::Node& it) { it.invocations_max = static_cast<uint64_t>(count); });
    }
    /** Runs the body in that many threads in lockstep; in_threads(1, 2, 4) is a case for each number. The time is
     *  per invocation on each thread, rates are for all threads. The body and its state are shared; see
     *  thread_index(). */
    template <class... Counts> Self& in_threads(Counts... counts) {
        const unsigned list[] = {static_cast<unsigned>(counts)...};
        return each([&](detail::Node& it) { detail::use_threads(it, list, sizeof...(counts)); });
    }
    template <class T> Self& in_threads(const Series<T>& counts) {
        unsigned list[64];
        for (size_t i = 0; i < counts.size(); ++i) list[i] = static_cast<unsigned>(counts.data()[i]);
        return each([&](detail::Node& it) { detail::use_threads(it, list, counts.size()); });
    }
    /** Sets an amount processed per invocation, shown per second beside the time; up to 4. */
    template <class Count> Self& rate(const Text& text, Count per_invocation) {
        static_assert(std::is_arithmetic_v<Count>, "the amount of a rate is a number");
        const double amount = static_cast<double>(per_invocation);
        if (const char* const fault = detail::rate_fault(amount)) return refuse(fault);
        return each([&](detail::Node& it) {
            if (!detail::set_rate(it, text.get(), amount)) it.invalid_ = "it has more than 4 rates";
        });
    }
    template <class Count> Self& bytes(Count per_invocation) { return rate("bytes", per_invocation); }
    template <class Count> Self& items(Count per_invocation) { return rate("items", per_invocation); }
    /** Declares that the body reports its time with tare::took(): of a device, a part, a simulation. Nothing else
     *  counts. */
    Self& own_time() {
        return each([](detail::Node& it) { it.own_time = true; });
    }
    /** Counts CPU time instead of wall time: of the thread, or of the process if it has several. */
    Self& cpu_time() {
        return each([](detail::Node& it) { it.cpu_time = true; });
    }
    /** Moves the instance and its state to another address for each visit, to show how the address affects the
     *  time. */
    Self& memory_randomization() {
        return each([](detail::Node& it) { it.memory_randomization = true; });
    }
    /** Flushes all data of the process from the caches before each invocation, unmeasured. One invocation per
     *  iteration; Linux. */
    Self& cold_caches() {
        return each([](detail::Node& it) { it.cold_caches = true, it.steps_ |= TARE_HAS_ITERATION_SET_UP_; });
    }
    /** Declares that each invocation returns a different result on purpose. Results are then not compared at all. */
    Self& results_change() {
        return each([](detail::Node& it) { it.results = TARE_RESULTS_CHANGE; });
    }
    /** Declares that its result differs on purpose from those of the other contestants of the group. */
    Self& results_differ() {
        return each([](detail::Node& it) { it.results = TARE_RESULTS_DIFFER; });
    }
    /** Lists the benchmark with this reason instead of measuring it. */
    Self& skip(const Text& why) {
        return each([&](detail::Node& it) { it.skip = why.get(); });
    }
    Self& skip_if(bool is_skipped, const Text& why) { return is_skipped ? skip(why) : self(); }
    /** Sets the length of a visit (1 ms by default), the time of the warm-up, or the invocations per iteration.
     *  Flags of `tare run` override them. */
    template <class Duration> Self& visit_time(const Duration& time) {
        if (!(time > Duration::zero())) return refuse("visit_time is not above 0");
        return each([&](detail::Node& it) { it.visit_ns = detail::whole_ns_of(time, 1); });
    }
    template <class Duration> Self& warm_up_time(const Duration& time) {
        if (!(time >= Duration::zero())) return refuse("warm_up_time is less than 0");
        return each([&](detail::Node& it) { it.warmup_ns = detail::whole_ns_of(time, 1); });
    }
    template <class Count> Self& invocations(Count count) {
        if (!detail::is_count(count, 1)) return refuse("invocations is not a whole number of at least 1");
        return each([&](detail::Node& it) { it.invocations = static_cast<uint64_t>(count); });
    }
    /** Records each invocation, including the first one: no warm-up, and none is dropped. */
    Self& monitoring() {
        return each([](detail::Node& it) { it.strategy = TARE_MONITORING; });
    }
    /** Measures only the first invocation of each process. */
    Self& cold_start() {
        return each([](detail::Node& it) { it.strategy = TARE_COLD_START; });
    }
    /** Sets an environment variable of the processes that measure it, before they start; up to 8. */
    Self& environment(const Text& variable, const Text& value) {
        if (strchr(variable.get(), '=') != nullptr) return refuse("the name of a variable has a = in it");
        const size_t length = strlen(variable.get()) + strlen(value.get()) + 2;
        char* const text = static_cast<char*>(malloc(length));
        if (text == nullptr) return self();
        snprintf(text, length, "%s=%s", variable.get(), value.get());
        return add(&tare_benchmark::environment, text, "it has more than 8 variables");
    }
    /** Adds an argument to the command line of these processes; up to 8. */
    Self& argument(const Text& text) {
        return add(&tare_benchmark::arguments, text, "it has more than 8 arguments");
    }

private:
    Self& self() { return static_cast<Self&>(*this); }
    template <class F> Self& each(F f) { return self().visit(f), self(); }
    Self& refuse(const char* fault) {
        return each([&](detail::Node& it) { it.invalid_ = fault; });
    }
    Self& add(const char* (tare_benchmark::*list)[TARE_MAX_TEXTS_], const Text& text, const char* fault) {
        return each([&](detail::Node& it) {
            if (!detail::add_text(it.*list, text.get())) it.invalid_ = fault;
        });
    }
};

/** The result of TARE_BENCH.
  *  Set-ups of a body without arguments are called without arguments. A body that takes a reference has a state of
  *  that type; its set-up either takes the same reference or returns the state:
 *  and a set-up either takes the same reference or returns the state:
 *
 *      TARE_BENCH("sort", [](std::vector<int>& v) { std::sort(v.begin(), v.end()); })
 *          .iteration_set_up([] { return shuffled(1000); }); */
template <class State> class Benchmark : public Options<Benchmark<State>> {
public:
    Benchmark(detail::Node* node) : node_(node) {} // NOLINT
    /** Sets "group/name" instead of the declared name. */
    Benchmark& name(const Text& text) { return node_->title = text.get(), *this; }
    /** Makes it the baseline, with which the others of the group are compared. */
    Benchmark& baseline() { return node_->baseline = true, *this; }
    /** Runs before the first iteration, or after the last; unmeasured. */
    template <class F> Benchmark& set_up(F f) { return hook(0, std::move(f)); }
    template <class F> Benchmark& clean_up(F f) { return hook(1, std::move(f)); }
    /** Runs before or after each iteration; unmeasured. An iteration may have many invocations: see README,
     *  "Traps". */
    template <class F> Benchmark& iteration_set_up(F f) { return hook(2, std::move(f)); }
    template <class F> Benchmark& iteration_clean_up(F f) { return hook(3, std::move(f)); }
    /** For a number of operations that varies between iterations. Called after each iteration, unmeasured and
     *  before the clean-up, it returns the operations per invocation: more than 0, a fraction if invocations
     *  differ. */
    template <class F> Benchmark& iteration_operations(F f) {
        detail::counter<State>(*node_, std::move(f));
        return *this;
    }

    Benchmark& fed(uint64_t most, size_t size) { // by tare::input
        return node_->is_fed_ = true, node_->fed_max_ = most, node_->fed_size_ = size, *this;
    }
    template <class F> void visit(F f) { f(*node_); }

private:
    template <class F> Benchmark& hook(unsigned which, F f) {
        detail::hook<State>(*node_, which, std::move(f));
        return *this;
    }
    detail::Node* node_;
};

/** Several template arguments, used as one in TARE_BENCH_TYPES. */
template <class... Types> struct types {};

/** The result of TARE_BENCH_TYPES: options for all its benchmarks, and the choice of the baseline. */
template <class... Types> class Benchmarks : public Options<Benchmarks<Types...>> {
public:
    explicit Benchmarks(detail::Node* const (&nodes)[sizeof...(Types)]) {
        for (size_t i = 0; i < sizeof...(Types); ++i) nodes_[i] = nodes[i];
    }
    template <class Type> Benchmarks& baseline() {
        static_assert((std::is_same_v<Type, Types> || ...), "the baseline is one of the types of this list");
        size_t i = 0;
        ((nodes_[i++]->baseline = std::is_same_v<Type, Types>), ...);
        return *this;
    }
    template <class F> void visit(F f) {
        for (detail::Node* const it : nodes_) f(*it);
    }

private:
    detail::Node* nodes_[sizeof...(Types)];
};

/** The result of TARE_METRIC, for chaining options: `TARE_METRIC("bytes_sent", f).unit("B").lower_is_better();`. */
class Metric {
public:
    explicit Metric(tare_metric* metric) : metric_(metric) {}
    /** Sets the unit of a value: "B" for bytes, others are shown as given. */
    Metric& unit(const Text& text) { return metric_->unit = text.get(), *this; }
    Metric& lower_is_better() { return metric_->better = TARE_LOWER, *this; }
    Metric& higher_is_better() { return metric_->better = TARE_HIGHER, *this; }
    /** Shows the value read after an iteration, as a mean, instead of the increase per operation. */
    Metric& per_iteration() { return metric_->per_iteration = true, *this; }
    /** Shows the increase per second: hits, requests, or anything that varies between iterations. */
    Metric& per_second() { return metric_->per_second = true, *this; }

private:
    tare_metric* metric_;
};
} // namespace tare
#endif
