/* Part of <tare.h>: an iteration: invocations between two looks at the clock, and what happens meanwhile. */
#ifndef TARE_DETAIL_ITERATION_H_INCLUDED
#define TARE_DETAIL_ITERATION_H_INCLUDED
#include "caches.h"
#include "clock.h"

/* The measurements of an iteration. */
enum { TARE_COUNTERS_ = 6 };
struct tare_iteration_ {
    uint64_t elapsed, cpu, process_cpu, probe_before, probe_after, switches, waits, invocations;
    uint64_t counted[TARE_COUNTERS_]; /* by performance counters, if tare_state_.count is set */
    double operations;                /* per invocation if the benchmark counts them, else 0 */
};
/* Storage for the times of an iteration's windows, and for the readings of the width probe around them. */
struct tare_cut_ {
    uint64_t windows;
    uint64_t *window, *width; /* `windows`, and one more */
};
TARE_FUNCTION_ bool tare_step_(struct tare_benchmark* benchmark, enum tare_act_ act, uint64_t invocations) {
    tare_state_.has_failed = tare_state_.is_skipped = false;
    return benchmark->act_(benchmark, act, invocations) && !tare_state_.has_failed;
}
/* Runs the loop once for each window, with a reading of the width probe between them. One look at the clock ends a
   window and begins a reading (and the reverse), so that together they cover the whole iteration. */
TARE_FUNCTION_ bool tare_cut_up_(struct tare_benchmark* it, enum tare_act_ loop, uint64_t invocations,
                                 const struct tare_cut_* cut, uint64_t* elapsed) {
    bool is_done = true;
    uint64_t end, start = TARE_NOW_();
    tare_width_();
    end = TARE_NOW_();
    cut->width[0] = end - start;
    for (uint64_t i = 0; i < cut->windows && is_done; ++i) {
        start = end;
        is_done = it->act_(it, loop, invocations);
        end = TARE_NOW_();
        cut->window[i] = end - start;
        start = end;
        tare_width_();
        end = TARE_NOW_();
        cut->width[i + 1] = end - start;
    }
    *elapsed = 0;
    for (uint64_t i = 0; i < cut->windows; ++i) *elapsed += cut->window[i];
    return is_done;
}
/* A client request to valgrind's callgrind (see valgrind's manual): rotations by 128 bits in total and an exchange
   of a register with itself, which change nothing, and which valgrind interprets as a call. */
#if defined(__linux__) && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
#    define TARE_HAS_CALLGRIND_ 1
enum { TARE_DUMP_COUNTS_ = 0x43540000, TARE_ZERO_COUNTS_ };
TARE_FUNCTION_ void tare_ask_callgrind_(uint64_t request) {
    const uint64_t words[6] = {request, 0, 0, 0, 0, 0};
#    if defined(__x86_64__)
    uint64_t result = 0;
    __asm__ volatile("rolq $3, %%rdi\n\trolq $13, %%rdi\n\trolq $61, %%rdi\n\trolq $51, %%rdi\n\txchgq %%rbx, %%rbx"
                     : "+d"(result)
                     : "a"(words)
                     : "cc", "memory");
#    else
    __asm__ volatile("mov x3, xzr\n\tmov x4, %0\n\tror x12, x12, #3\n\tror x12, x12, #13\n\tror x12, x12, #51\n\t"
                     "ror x12, x12, #61\n\torr x10, x10, x10"
                     :
                     : "r"(words)
                     : "x3", "x4", "cc", "memory");
#    endif
}
/* Counts what all threads execute from here to the end of the loop. */
TARE_FUNCTION_ void tare_callgrind_(bool is_begin) {
    tare_ask_callgrind_(is_begin ? TARE_ZERO_COUNTS_ : TARE_DUMP_COUNTS_);
}
#else
#    define TARE_HAS_CALLGRIND_ 0
TARE_FUNCTION_ void tare_callgrind_(bool is_begin) { (void)is_begin; }
#endif
/* Reads the metrics, before an iteration and after it. False if one has no value, or failed. */
TARE_FUNCTION_ bool tare_read_metrics_(bool is_after) {
    for (struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_) {
        const double read = it->read_(it);
        if (tare_state_.has_failed) {
            char why[sizeof tare_state_.message];
            memcpy(why, tare_state_.message, sizeof why);
            snprintf(tare_state_.message, sizeof tare_state_.message, "the metric %.60s: %.300s", it->name, why);
            return false;
        }
        if (!is_after) it->before_ = read;
        else it->value_ = it->per_iteration ? read : read - it->before_;
        if (!is_after || (it->value_ >= 0 && it->value_ <= 1.7976931348623157e308)) continue;
        char message[200];
        snprintf(message, sizeof message, "the metric %.60s is %g: it must be a number, and must not decrease",
                 it->name, it->value_);
        tare_fail(message);
        return false;
    }
    return true;
}
/* The loop between two looks at the clock, which is the measured time. */
TARE_FUNCTION_ bool tare_time_(struct tare_benchmark* it, enum tare_act_ loop, uint64_t invocations,
                               const struct tare_cut_* cut, struct tare_iteration_* iteration) {
    if (cut != NULL) return tare_cut_up_(it, loop, invocations, cut, &iteration->elapsed);
    iteration->elapsed = TARE_NOW_();
    const bool is_done = it->act_(it, loop, invocations);
    iteration->elapsed = TARE_NOW_() - iteration->elapsed;
    return is_done;
}
/* Replaces the wall time with own_time or cpu_time. False if the body reported no time, or an invalid one. */
TARE_FUNCTION_ bool tare_choose_time_(const struct tare_benchmark* it, const struct tare_cut_* cut,
                                      struct tare_iteration_* iteration) {
    const uint64_t wall = iteration->elapsed;
    if (it->cpu_time) iteration->elapsed = it->threads > 1 ? iteration->process_cpu : iteration->cpu;
    if (it->own_time) iteration->elapsed = tare_state_.took_ns < 0 ? 0 : (uint64_t)tare_state_.took_ns;
    if (it->own_time && tare_state_.took_ns <= 0)
        tare_fail("its own time is 0: call tare::took() (in C tare_took()) in the body");
    if (!it->own_time && tare_state_.took_ns > 0)
        tare_fail(
            "it called tare::took() (in C tare_took()), which counts only in a benchmark declared with own_time");
    if (cut != NULL && iteration->elapsed != wall && wall > 0) { /* the windows are parts of it */
        const double part = (double)iteration->elapsed / (double)wall;
        for (uint64_t i = 0; i < cut->windows; ++i)
            cut->window[i] = (uint64_t)((double)cut->window[i] * part + 0.5);
    }
    return !tare_state_.has_failed;
}
/* Asks a benchmark that counts its operations for the number per invocation. */
TARE_FUNCTION_ bool tare_ask_operations_(struct tare_benchmark* it, struct tare_iteration_* iteration) {
    char message[120];
    iteration->operations = 0;
    if ((it->steps_ & TARE_HAS_ITERATION_OPERATIONS_) == 0) return true;
    if (!tare_step_(it, TARE_ITERATION_OPERATIONS_, 0)) return false;
    iteration->operations = it->operations_;
    if (it->operations_ > 0 && it->operations_ <= 1.7976931348623157e308) return true;
    snprintf(message, sizeof message, "iteration_operations is %g: it must be greater than 0", it->operations_);
    tare_fail(message);
    return false;
}
/* Measures an iteration: the other clocks are read around its loop, and the core is probed around these. */
TARE_FUNCTION_ bool tare_measure_iteration_(struct tare_benchmark* it, enum tare_act_ loop, uint64_t invocations,
                                            const struct tare_cut_* cut, struct tare_iteration_* iteration) {
    uint64_t switches, waits;
    tare_switches_(&switches, &waits);
    iteration->probe_before = tare_probe_();
    iteration->invocations = invocations;
    if (tare_state_.count != NULL) tare_state_.count(NULL);
    if (it->ready_ != NULL && loop != TARE_OVERHEAD_) it->ready_(it);
    tare_state_.took_ns = 0;
    iteration->process_cpu = TARE_PROCESS_CPU_();
    iteration->cpu = TARE_THREAD_CPU_();
    if (tare_state_.is_counted) tare_callgrind_(true);
    const bool is_done = tare_time_(it, loop, invocations, cut, iteration);
    if (tare_state_.is_counted) tare_callgrind_(false);
    iteration->cpu = TARE_THREAD_CPU_() - iteration->cpu;
    iteration->process_cpu = TARE_PROCESS_CPU_() - iteration->process_cpu;
    if (tare_state_.count != NULL) tare_state_.count(iteration->counted);
    iteration->probe_after = tare_probe_();
    tare_switches_(&iteration->switches, &iteration->waits);
    iteration->switches -= switches;
    iteration->waits -= waits;
    return is_done;
}
/* Runs an iteration with its set-up and clean-up. If `cut` is not NULL, it is cut into windows of that many
   invocations.
   Returns the step that failed, or TARE_DROP_. */
TARE_FUNCTION_ enum tare_act_ tare_iterate_(struct tare_benchmark* it, enum tare_act_ loop, uint64_t invocations,
                                            const struct tare_cut_* cut, struct tare_iteration_* iteration) {
    iteration->operations = 0;
    if (loop == TARE_OVERHEAD_) { /* runs no user code */
        tare_state_.has_failed = false;
        return tare_measure_iteration_(it, loop, invocations, cut, iteration) ? TARE_DROP_ : TARE_WORKLOAD_;
    }
    tare_state_.wanted = invocations * (cut == NULL ? 1 : cut->windows);
    if ((it->steps_ & TARE_HAS_ITERATION_SET_UP_) && !tare_step_(it, TARE_ITERATION_SET_UP_, 0))
        return TARE_ITERATION_SET_UP_;
    if (it->cold_caches) tare_flush_data_();
    tare_state_.has_failed = false;
    const bool is_done =
        tare_read_metrics_(false) && tare_measure_iteration_(it, loop, invocations, cut, iteration) &&
        tare_choose_time_(it, cut, iteration) && tare_read_metrics_(true) && tare_ask_operations_(it, iteration);
    if (!is_done) return TARE_WORKLOAD_;
    if ((it->steps_ & TARE_HAS_ITERATION_CLEAN_UP_) && !tare_step_(it, TARE_ITERATION_CLEAN_UP_, 0))
        return TARE_ITERATION_CLEAN_UP_;
    return TARE_DROP_;
}
#endif
