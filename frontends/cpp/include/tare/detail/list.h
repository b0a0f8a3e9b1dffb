/* Part of <tare.h>: what the program tells of itself and of its benchmarks. */
#ifndef TARE_DETAIL_LIST_H_INCLUDED
#define TARE_DETAIL_LIST_H_INCLUDED
#include "link.h"
#include "memory.h"
#include "turns.h"

TARE_ENGINE_ bool tare_is_traced_(void) {
    char line[128];
    int tracer = 0;
    FILE* const status = fopen("/proc/self/status", "r");
    if (status == NULL) return false;
    while (fgets(line, sizeof line, status) != NULL && sscanf(line, "TracerPid: %d", &tracer) != 1) {}
    fclose(status);
    return tracer != 0;
}
/* Whether the program was built with optimisation, as in JSON. gcc has no macro that tells -Og, which copies no loop and inlines
   little, from -O1: what it does not conclude from a comparison says so. nvcc concludes nothing for the host's compiler. */
TARE_ENGINE_ const char* tare_optimised_(void) {
#if defined(__NVCC__)
    return "null";
#elif defined(__GNUC__) && !defined(__clang__)
    unsigned value = 5;
    __asm__("" : "+r"(value));
    if (value == 5) return __builtin_constant_p(value) ? "true" : "false";
    return "null";
#elif defined(__OPTIMIZE__)
    return "true";
#elif defined(__GNUC__)
    return "false";
#else
    return "null";
#endif
}
/* musl does not name itself: it is the C library of Linux that is none of the others. It stands beside the compiler, since two
   programs of one compiler may have different ones. */
#if defined(__linux__) && !defined(__GLIBC__) && !defined(__BIONIC__) && !defined(__UCLIBC__)
#    define TARE_IS_MUSL_ 1
#    define TARE_LIBC_ " with musl"
#else
#    define TARE_LIBC_ ""
#endif
TARE_ENGINE_ void tare_hello_(struct tare_link_* link) {
    char runtime[64] = "", compiler[64] = "";
#if defined(_LIBCPP_VERSION)
    snprintf(runtime, sizeof runtime, "libc++ %d", _LIBCPP_VERSION);
#elif defined(_GLIBCXX_RELEASE)
    snprintf(runtime, sizeof runtime, "libstdc++ %d", _GLIBCXX_RELEASE);
#elif defined(__GLIBC__)
    snprintf(runtime, sizeof runtime, "glibc %d.%d", __GLIBC__, __GLIBC_MINOR__);
#elif defined(TARE_IS_MUSL_)
    snprintf(runtime, sizeof runtime, "musl");
#endif
#if defined(__clang__)
    snprintf(compiler, sizeof compiler, "clang %d.%d.%d" TARE_LIBC_, __clang_major__, __clang_minor__,
             __clang_patchlevel__);
#elif defined(__GNUC__)
    snprintf(compiler, sizeof compiler, "gcc %d.%d.%d" TARE_LIBC_, __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
    tare_say_(link,
              "{\"reply\":\"hello\",\"protocol\":1,\"language\":%q,\"front_end\":%q,\"runtime\":%q,\"compiler\":%q",
              TARE_LANGUAGE_, TARE_FRONT_END_, runtime, compiler);
#if defined(TARE_FLAGS) /* -DTARE_FLAGS='"-O2 -march=native"', from who knows them */
    tare_say_(link, ",\"flags\":%q", TARE_FLAGS);
#endif
    /* What is freed stays with AddressSanitizer for a while, up to 256 MiB: its growth says nothing of a leak. */
    if (__asan_init != NULL) tare_say_(link, ",\"collects\":true");
    tare_say_(link, ",\"optimised\":%s,\"debugger\":%s,\"clock\":\"CLOCK_MONOTONIC\",\"clock_resolution_ns\":%u",
              tare_optimised_(), tare_is_traced_() ? "true" : "false", tare_clock_resolution_());
    tare_say_(link, ",\"unroll\":%u,\"rolled_unroll\":%u,\"probe_cycles\":%u", (uint64_t)TARE_UNROLL,
              (uint64_t)TARE_ROLLED_UNROLL, (uint64_t)TARE_PROBE_CYCLES);
    if (TARE_HAS_WIDTH_) tare_say_(link, ",\"width_additions\":%u", (uint64_t)TARE_WIDTH_ADDITIONS);
    for (const struct tare_context_* it = tare_state_.context; it != NULL; it = it->next) {
        tare_say_(link, "%s{\"name\":%q,\"value\":%q}%s", it == tare_state_.context ? ",\"context\":[" : ",",
                  it->name, it->value, it->next == NULL ? "]" : "");
    }
    tare_say_(link, ",\"metrics\":[");
    for (const struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_) {
        tare_say_(link, "%s{\"name\":%q,\"unit\":%q", it == tare_state_.metrics ? "" : ",", it->name,
                  it->unit == NULL ? "" : it->unit);
        if (it->better != TARE_NEITHER)
            tare_say_(link, ",\"better\":%q", it->better == TARE_LOWER ? "lower" : "higher");
        tare_say_(link, ",\"per\":%q}", it->per_iteration ? "iteration" : it->per_second ? "second" : "operation");
    }
    tare_say_(link, "],");
    const bool counts = tare_counts_memory_();
    if (counts) {
        tare_say_(link, "\"diagnosers\":[{\"name\":\"memory\",\"metrics\":[");
        for (unsigned i = 0; i < 3; ++i) {
            tare_say_(link, "%s{\"name\":%q,\"unit\":%q,\"better\":\"lower\",\"per\":%q}", i == 0 ? "" : ",",
                      tare_memory_metrics_[i], i == 0 ? "" : "B", i == 2 ? "iteration" : "operation");
        }
        tare_say_(link, "]}],");
    }
    tare_say_(link,
              "\"capabilities\":[\"cpu\",\"process-cpu\",\"probe\",%s%s%s%s\"rolled\",\"single\",\"check\","
              "\"randomize\",\"code\","
              "\"parameters\"]}\n",
              TARE_HAS_SWITCHES_ ? "\"switches\",\"waits\"," : "", TARE_HAS_WIDTH_ ? "\"windows\"," : "",
              counts ? "\"diagnose\"," : "", TARE_HAS_CALLGRIND_ ? "\"callgrind\"," : "");
}

TARE_ENGINE_ void tare_list_launch_(struct tare_link_* link, const struct tare_benchmark* it) {
    tare_say_(link, ",\"launch\":{\"environment\":{");
    for (unsigned i = 0; i < TARE_MAX_TEXTS_ && it->environment[i] != NULL; ++i) {
        const size_t length = strcspn(it->environment[i], "=");
        if (i > 0) tare_say_(link, ",");
        tare_quote_(link, it->environment[i], length);
        tare_say_(link, ":%q", it->environment[i] + length + (it->environment[i][length] == '='));
    }
    tare_say_(link, "},\"arguments\":[");
    for (unsigned i = 0; i < TARE_MAX_TEXTS_ && it->arguments[i] != NULL; ++i) {
        tare_say_(link, i == 0 ? "%q" : ",%q", it->arguments[i]);
    }
    tare_say_(link, "]}");
}
/* Threads that work through what a rate counts. */
TARE_ENGINE_ double tare_team_size_(const struct tare_benchmark* it) {
    return it->threads > 1 && it->ready_ != NULL ? (double)it->threads : 1;
}
/* Rates, what the time is, rules of measuring, why it is skipped. */
TARE_ENGINE_ void tare_list_more_(struct tare_link_* link, const struct tare_benchmark* it) {
    const double threads = tare_team_size_(it);
    const char* before = ",\"rates\":[";
    for (unsigned i = 0; i < TARE_MAX_RATES_ && it->rates[i].name != NULL; ++i, before = ",") {
        const bool is_bytes = strcmp(it->rates[i].name, "bytes") == 0;
        tare_say_(link, "%s{\"name\":%q%s,\"per_invocation\":%f}", before, it->rates[i].name,
                  is_bytes ? ",\"unit\":\"B\"" : "", it->rates[i].per_invocation * threads);
    }
    if (*before == ',' && before[1] == 0) tare_say_(link, "]");
    if (it->skip != NULL) tare_say_(link, ",\"skipped\":%q", it->skip);
    if (it->own_time || it->cpu_time) tare_say_(link, ",\"own_time\":true");
    if (it->results != TARE_RESULTS_SAME)
        tare_say_(link, ",\"results\":%q", it->results == TARE_RESULTS_CHANGE ? "change" : "differ");
    if (it->visit_ns == 0 && it->warmup_ns == 0 && it->invocations == 0 && !it->memory_randomization) return;
    const char* const names[] = {"visit_ns", "warmup_ns", "invocations"};
    const uint64_t values[] = {it->visit_ns, it->warmup_ns, it->invocations};
    before = ",\"policy\":{";
    for (unsigned i = 0; i < 3; ++i) {
        if (values[i] == 0) continue;
        tare_say_(link, "%s%q:%u", before, names[i], values[i]);
        before = ",";
    }
    if (it->memory_randomization) tare_say_(link, "%s\"memory_randomization\":true", before);
    tare_say_(link, "}");
}
TARE_ENGINE_ void tare_list_one_(struct tare_link_* link, const struct tare_benchmark* it, uint64_t index,
                                 const char* invalid) {
    static const char* const steps[] = {"global", "global-clean-up", "iteration", "iteration-clean-up"};
    const char* comma = "";
    tare_say_(link, "{\"reply\":\"benchmark\",\"index\":%u,\"group\":", index);
    tare_quote_(link, it->title, tare_group_length_(it->title));
    tare_say_(link, ",\"name\":%q,\"parameters\":[", tare_name_(it->title));
    for (unsigned i = 0; i < tare_state_.parameters; ++i, comma = ",") {
        const struct tare_parameter_* const parameter = &tare_state_.parameter[i];
        tare_say_(link, "%s{\"name\":%q,\"value\":%q,\"type\":%q}", comma, parameter->name, parameter->text,
                  parameter->type);
    }
    if (it->file_ != NULL) tare_say_(link, "],\"file\":%q,\"line\":%u", it->file_, (uint64_t)it->line_);
    else tare_say_(link, "]");
    tare_say_(link, ",\"baseline\":%s,\"operations\":%u,\"unit\":%q,\"categories\":[",
              it->baseline ? "true" : "false", it->operations == 0 || invalid != NULL ? 1 : it->operations,
              it->unit == NULL ? "op" : it->unit);
    for (unsigned i = 0; i < TARE_MAX_TEXTS_ && it->category[i] != NULL; ++i) {
        tare_say_(link, i == 0 ? "%q" : ",%q", it->category[i]);
    }
    tare_say_(link, "],\"set_ups\":[");
    comma = "";
    for (unsigned i = 0; i < 4; ++i) {
        if ((it->steps_ >> i & 1) == 0) continue;
        tare_say_(link, "%s%q", comma, steps[i]);
        comma = ",";
    }
    tare_say_(link, "]");
    if (it->description != NULL) tare_say_(link, ",\"description\":%q", it->description);
    if (invalid != NULL) tare_say_(link, ",\"invalid\":%q", invalid);
    else tare_list_more_(link, it);
    for (unsigned i = 0; i < TARE_MAX_TEXTS_ && it->diagnose[i] != NULL; ++i) {
        tare_say_(link, i == 0 ? ",\"diagnosers\":[%q" : ",%q", it->diagnose[i]);
    }
    if (it->diagnose[0] != NULL) tare_say_(link, "]");
    if (it->waits) tare_say_(link, ",\"waits\":true");
    if (it->strategy != TARE_THROUGHPUT)
        tare_say_(link, ",\"strategy\":%q", it->strategy == TARE_MONITORING ? "monitoring" : "cold-start");
    if (it->invocations_max != 0) tare_say_(link, ",\"invocations_max\":%u", it->invocations_max);
    if (it->environment[0] != NULL || it->arguments[0] != NULL) tare_list_launch_(link, it);
    tare_say_(link, ",\"returns\":%s,\"threads\":%u}\n", it->returns_ ? "true" : "false",
              it->threads == 0  ? 1
              : it->threads < 0 ? 0
                                : (uint64_t)it->threads);
}
TARE_ENGINE_ void tare_list_(struct tare_link_* link) {
    uint64_t index = 0, choice = 0, ignored;
    for (struct tare_benchmark* it; (it = tare_find_(index, &choice)) != NULL; ++index) {
        const bool is_made = tare_make_(it, choice, &ignored);
        tare_list_one_(link, it, index, is_made ? NULL : tare_why_invalid_());
        it->act_(it, TARE_DROP_, 0);
    }
    tare_say_(link, "{\"reply\":\"end\",\"count\":%u}\n", index);
}
#endif
