// The conformance benchmarks (spec/protocol.md, section 8) in C++.
#include <tare.h>
#include <tare/once.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

struct Count {
    std::uint64_t invocations = 0;
    std::uint64_t operator()() { return ++invocations; }
};
TARE_BENCH("conformance/count", Count());

static std::uint64_t in_this_process = 0;
TARE_BENCH("conformance/cold-start", [] { return ++in_this_process; }).cold_start();
TARE_BENCH("conformance/monitoring", [] { return ++in_this_process; }).monitoring();

static std::string trace;
static std::string leave(char letter, char throws) {
    if (trace.size() < 1000) trace += letter;
    if (letter == throws) throw std::runtime_error("it throws");
    return trace;
}
template <char throws> struct Steps {
    void set_up() { leave('S', throws); }
    void iteration_set_up() { leave('s', throws); }
    std::string operator()() { return leave('b', throws); }
    void iteration_clean_up() { leave('c', throws); }
    void clean_up() { leave('C', throws); }
};
TARE_BENCH("conformance/trace", Steps<'-'>());
TARE_BENCH("conformance/throws-set-up", Steps<'S'>());
TARE_BENCH("conformance/throws-iteration-set-up", Steps<'s'>());
TARE_BENCH("conformance/throws-body", Steps<'b'>());
TARE_BENCH("conformance/throws-iteration-clean-up", Steps<'c'>());
TARE_BENCH("conformance/throws-clean-up", Steps<'C'>());

struct Operations {
    std::uint64_t found = 1;
    void set_up() { found = 12; }
    std::uint64_t operations() const { return found; }
    std::uint64_t operator()() const { return found; }
};
TARE_BENCH("conformance/operations", Operations());
struct IterationOperations {
    std::uint64_t found = 0;
    void iteration_set_up() { ++found; }
    std::uint64_t iteration_operations() const { return found; }
    std::uint64_t operator()() const { return found; }
};
TARE_BENCH("conformance/iteration-operations", IterationOperations());

struct Once {
    std::string maker;
    void set_up() {
        maker = tare::once_per_run("maker", [] { return std::to_string(getpid()); });
    }
    std::string operator()() const { return maker; }
};
TARE_BENCH("conformance/once", Once());

struct Parameter {
    tare::param<std::uint32_t> n{"n", {7}};
    std::uint32_t operator()() { return n; }
};
TARE_BENCH("conformance/parameter", Parameter());

static std::uint64_t additions(std::uint64_t count) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        sum += i;
        tare::keep_state(sum);
    }
    return sum;
}
TARE_BENCH("conformance/cost-1", [] { return additions(100); });
TARE_BENCH("conformance/cost-8", [] { return additions(800); });

TARE_BENCH("conformance/text-integer", [] { return -42; });
TARE_BENCH("conformance/text-big", [] { return UINT64_MAX; });
TARE_BENCH("conformance/text-float", [] { return 0.1; });
TARE_BENCH("conformance/text-whole", [] { return 2.0; });
TARE_BENCH("conformance/text-exponent", [] { return 1e21; });
TARE_BENCH("conformance/text-true", [] { return true; });
TARE_BENCH("conformance/text-text", [] { return std::string("\xc3\xa4 \"\t"); });
TARE_BENCH("conformance/text-long", [] {
    std::string text;
    for (int i = 0; i < 300; ++i) text += "\xc3\xa4";
    return text;
});
TARE_BENCH("conformance/text-list", [] { return std::vector<int>{1, 2, 3}; });
TARE_BENCH("conformance/text-texts", [] { return std::vector<std::string>{"a", "\"\n"}; });
TARE_BENCH("conformance/text-nothing", [] {});

TARE_MAIN()
