// Results of the quick style for windows with known times, without a clock or load. Prints nothing if all are
// correct.
#include <tare/bench.hpp>

#include <cstdio>
#include <cstring>

namespace {

using tare::detail::Estimate;
const double probe = 8192; // a cycle of 0.25 ns
int wrong = 0;

void check(bool is_right, const char* what, const Estimate& result) {
    if (is_right) return;
    ++wrong;
    std::printf("%s: %.4f ns, error %.4f, limit %.4f, %s\n", what, result.nanoseconds, result.error, result.limit,
                result.warning == nullptr ? "no warning" : result.warning);
}
void add(tare::detail::Quick::Windows& windows, double elapsed) {
    tare_iteration_ window{};
    window.elapsed = window.cpu = static_cast<uint64_t>(elapsed);
    window.probe_before = window.probe_after = static_cast<uint64_t>(probe);
    windows.push_back(window);
}
// `times`: of the windows, in rotation.
Estimate of(uint64_t invocations, double empty, std::initializer_list<double> times, double operations = 1) {
    tare::detail::Quick quick;
    quick.invocations = invocations;
    quick.is_short = invocations > 1;
    quick.probe_ns = probe;
    while (quick.work.size() < tare::detail::quick_windows) {
        for (const double time : times) {
            if (quick.work.size() < tare::detail::quick_windows) add(quick.work, time);
            if (quick.rolled.size() < 15) add(quick.rolled, time / 2);
        }
    }
    for (int i = 0; i < 9; ++i) add(quick.overhead, empty);
    return quick.result(operations);
}
bool covers(const Estimate& result, double truth) {
    if (result.limit > 0) return truth <= result.limit;
    return result.nanoseconds * (1 - result.error) <= truth && truth <= result.nanoseconds * (1 + result.error);
}
bool says(const Estimate& result, const char* text) {
    return result.warning != nullptr && std::strstr(result.warning, text) != nullptr;
}

} // namespace

int main() {
    // After an iteration set-up: two clock reads of 20 ns, which the processor partly overlaps with the body.
    for (const double truth : {1.0, 8.3, 30.0, 82.8, 300.0}) {
        for (const double hidden : {0.0, 4.0}) {
            const double read = truth + 20 - hidden;
            const double cut =
                static_cast<double>(static_cast<int>(read / 10) * 10); // by a clock that goes in tens
            check(covers(of(1, 20, {read}), truth), "one time", of(1, 20, {read}));
            check(covers(of(1, 20, {cut, cut + 10}), truth), "two times", of(1, 20, {cut, cut + 10}));
        }
    }
    // A time that is always the same is still known only to a step of the clock.
    const Estimate steps = of(1, 20, {80, 90, 90, 90, 90, 90, 90, 90});
    check(steps.error > 10.0 / 70, "a step of the clock", steps);
    // For long bodies, neither matters.
    const Estimate slow = of(1, 20, {21000, 21010, 21020});
    check(covers(slow, 20990) && slow.error < 0.01 && slow.warning == nullptr, "a long body", slow);
    // However much the times of a body vary, it is not an empty loop.
    const Estimate wild = of(1, 20, {21000, 90000, 15000, 400000, 21000, 21000, 700000, 18000, 21000, 300000});
    check(!says(wild, "optimised away") && says(wild, "unstable"), "a body of 21 us, disturbed", wild);
    const Estimate shaken = of(100000, 400, {25000, 25000, 400000, 25000, 900000, 25000, 25000, 700000, 60000});
    check(!says(shaken, "optimised away") && says(shaken, "unstable"), "a short body, disturbed", shaken);
    // Short bodies in the unrolled loop, 100000 invocations a window.
    const Estimate addition = of(100000, 400, {25000});
    check(covers(addition, 0.25) && addition.error < 0.001 && addition.warning == nullptr, "an addition", addition);
    check(says(of(100000, 400, {500}), "optimised away"), "nothing", of(100000, 400, {500}));
    const Estimate hoisted = of(100000, 400, {5000});
    check(says(hoisted, "before the loop"), "a copy of a result", hoisted);
    const Estimate bytes = of(100000, 400, {40000}, 100);
    check(bytes.warning == nullptr, "less than a cycle for each of many operations", bytes);
    return wrong;
}
