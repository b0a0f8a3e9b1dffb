// Part of <tare/bench.hpp>: the kernel's performance counters, read around each iteration and outside its clock
// readings.
#ifndef TARE_DETAIL_COUNTERS_HPP_INCLUDED
#define TARE_DETAIL_COUNTERS_HPP_INCLUDED

#if defined(__linux__)
#    include <linux/perf_event.h>
#    include <sys/ioctl.h>
#    include <sys/syscall.h>
#endif

namespace tare {
namespace detail {

// In the order of Result::Measure from pagefaults on.
struct Counters {
    int descriptor[TARE_COUNTERS_] = {-1, -1, -1, -1, -1, -1};
    uint64_t before[TARE_COUNTERS_] = {};
    bool is_open = false;
    int why = 0; // errno of the hardware counters

    bool has(unsigned counter) const { return descriptor[counter] >= 0; }
    bool has_hardware() const { return has(1) || has(3); }
};
inline Counters& counters() {
    static Counters all;
    return all;
}

#if defined(__linux__)
TARE_ENGINE_ void open_counters() {
    static const struct {
        uint32_t type;
        uint64_t event;
        bool in_kernel; // a switch happens in the kernel, so user-only counting would miss it
    } events[TARE_COUNTERS_] = {{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, false},
                                {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, false},
                                {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, true},
                                {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false},
                                {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, false},
                                {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, false}};
    Counters& all = counters();
    all.is_open = true;
    for (unsigned i = 0; i < TARE_COUNTERS_; ++i) {
        perf_event_attr what;
        memset(&what, 0, sizeof what);
        what.size = sizeof what;
        what.type = events[i].type;
        what.config = events[i].event;
        what.exclude_kernel = !events[i].in_kernel;
        what.exclude_hv = 1;
        what.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
        all.descriptor[i] = static_cast<int>(
            syscall(SYS_perf_event_open, &what, 0, -1, -1, static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC)));
        if (all.descriptor[i] < 0 && i == 1) all.why = errno;
    }
}
// The events counted since the counter was opened, scaled if the kernel had to share the hardware.
TARE_ENGINE_ uint64_t read_counter(int descriptor) {
    uint64_t read_out[3] = {0, 0, 0}; // value, time enabled, time running
    if (::read(descriptor, read_out, sizeof read_out) != static_cast<ssize_t>(sizeof read_out)) return 0;
    if (read_out[2] == 0 || read_out[2] >= read_out[1]) return read_out[0];
    return static_cast<uint64_t>(static_cast<double>(read_out[0]) * static_cast<double>(read_out[1]) /
                                 static_cast<double>(read_out[2]));
}
TARE_ENGINE_ void count(uint64_t* counted) {
    Counters& all = counters();
    for (unsigned i = 0; i < TARE_COUNTERS_; ++i) {
        if (!all.has(i)) continue;
        const uint64_t now = read_counter(all.descriptor[i]);
        if (counted == nullptr) all.before[i] = now;
        else counted[i] = now - all.before[i];
    }
}
#else
TARE_ENGINE_ void open_counters() { counters().is_open = true; }
TARE_ENGINE_ void count(uint64_t*) {}
#endif

TARE_ENGINE_ void use_counters(bool is_wanted) {
    if (is_wanted && !counters().is_open) open_counters();
    tare_state_.count = is_wanted ? count : nullptr;
}
// The reason why there are no hardware counters; empty if there are.
TARE_ENGINE_ std::string counters_missing() {
    const Counters& all = counters();
    if (all.has_hardware()) return "";
#if defined(__linux__)
    if (all.why == EACCES || all.why == EPERM) {
        return "no performance counters: the kernel does not allow them\n"
               "hint: `sudo sysctl kernel.perf_event_paranoid=2`, or counters(false)";
    }
    if (all.why == ENOSYS) return "no performance counters: the system call is blocked here, as in many containers";
    return "no performance counters: this machine does not have them, like most virtual machines";
#else
    return "no performance counters on this system";
#endif
}

} // namespace detail
} // namespace tare
#endif
