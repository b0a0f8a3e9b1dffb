/* Part of <tare.h>: the program's description of itself and its benchmarks. */
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
/* musl does not identify itself: it is the C library of Linux that is none of the others. It is reported with the
   compiler, because programs of the same compiler may use different C libraries. */
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
#if defined(TARE_FLAGS) /* -DTARE_FLAGS='"-O2 -march=native"', from the build */
    tare_say_(link, ",\"flags\":%q", TARE_FLAGS);
#endif
    /* AddressSanitizer keeps freed memory for a while, up to 256 MiB, so growth does not mean a leak. */
    if (__asan_init != NULL) tare_say_(link, ",\"collects\":true");
    tare_say_(link, ",\"optimised\":%s,\"debugger\":%s,\"clock\":\"CLOCK_MONOTONIC\",\"clock_resolution_ns\":%u",
              tare_optimised_(), tare_is_traced_() ? "true" : "false", tare_clock_resolution_());
    tare_say_(link, ",\"unroll\":%u,\"rolled_unroll\":%u,\"probe_cycles\":%u", (uint64_t)TARE_UNROLL,
              (uint64_t)TARE_ROLLED_UNROLL, (uint64_t)TARE_PROBE_CYCLES);
    if (TARE_HAS_WIDTH_) tare_say_(link, ",\"width_additions\":%u", (uint64_t)TARE_WIDTH_ADDITIONS);
    tare_say_(link, ",\"context\":[");
    for (const struct tare_context_* it = tare_state_.context; it != NULL; it = it->next)
        tare_say_(link, ",{\"name\":%q,\"value\":%q}", it->name, it->value);
    tare_say_(link, "],\"metrics\":[");
    for (const struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_) {
        tare_say_(link, ",{\"name\":%q,\"unit\":%q", it->name, it->unit == NULL ? "" : it->unit);
        if (it->better != TARE_NEITHER)
            tare_say_(link, ",\"better\":%q", it->better == TARE_LOWER ? "lower" : "higher");
        tare_say_(link, ",\"per\":%q}", it->per_iteration ? "iteration" : it->per_second ? "second" : "operation");
    }
    tare_say_(link, "]");
    const bool counts = tare_counts_memory_();
    if (counts) {
        tare_say_(link, ",\"diagnosers\":[{\"name\":\"memory\",\"metrics\":[");
        for (unsigned i = 0; i < 3; ++i)
            tare_say_(link, ",{\"name\":%q,\"unit\":%q,\"better\":\"lower\",\"per\":%q}", tare_memory_metrics_[i],
                      i == 0 ? "" : "B", i == 2 ? "iteration" : "operation");
        tare_say_(link, "]}]");
    }
    tare_say_(link, ",\"capabilities\":[\"cpu\",\"process-cpu\",\"probe\",\"rolled\",\"single\",\"check\","
                    "\"randomize\",\"code\",\"parameters\"");
    if (TARE_HAS_SWITCHES_) tare_say_(link, ",\"switches\",\"waits\"");
    if (TARE_HAS_WIDTH_) tare_say_(link, ",\"windows\"");
    if (TARE_HAS_CALLGRIND_) tare_say_(link, ",\"callgrind\"");
    if (counts) tare_say_(link, ",\"diagnose\"");
    tare_say_(link, "]}\n");
}

TARE_ENGINE_ void tare_list_launch_(struct tare_link_* link, const struct tare_benchmark* it) {
    tare_say_(link, ",\"launch\":{\"environment\":{");
    for (unsigned i = 0; i < TARE_MAX_TEXTS_ && it->environment[i] != NULL; ++i) {
        const size_t length = strcspn(it->environment[i], "=");
        tare_say_(link, ",");
        tare_quote_(link, it->environment[i], length);
        tare_say_(link, ":%q", it->environment[i] + length + (it->environment[i][length] == '='));
    }
    tare_say_(link, "}");
    tare_say_texts_(link, "arguments", it->arguments);
    tare_say_(link, "}");
}
/* The number of threads that the amount of a rate applies to. */
TARE_ENGINE_ double tare_team_size_(const struct tare_benchmark* it) {
    return it->threads > 1 && it->ready_ != NULL ? (double)it->threads : 1;
}
/* Rates, the kind of time, settings for measuring, and the reason to skip it. */
TARE_ENGINE_ void tare_list_more_(struct tare_link_* link, const struct tare_benchmark* it) {
    tare_say_(link, ",\"rates\":[");
    for (unsigned i = 0; i < TARE_MAX_RATES_ && it->rates[i].name != NULL; ++i)
        tare_say_(link, ",{\"name\":%q%s,\"per_invocation\":%f}", it->rates[i].name,
                  strcmp(it->rates[i].name, "bytes") == 0 ? ",\"unit\":\"B\"" : "",
                  it->rates[i].per_invocation * tare_team_size_(it));
    tare_say_(link, "]");
    if (it->skip != NULL) tare_say_(link, ",\"skipped\":%q", it->skip);
    if (it->own_time || it->cpu_time) tare_say_(link, ",\"own_time\":true");
    if (it->results != TARE_RESULTS_SAME)
        tare_say_(link, ",\"results\":%q", it->results == TARE_RESULTS_CHANGE ? "change" : "differ");
    tare_say_(link, ",\"policy\":{");
    if (it->visit_ns != 0) tare_say_(link, ",\"visit_ns\":%u", it->visit_ns);
    if (it->warmup_ns != 0) tare_say_(link, ",\"warmup_ns\":%u", it->warmup_ns);
    if (it->invocations != 0) tare_say_(link, ",\"invocations\":%u", it->invocations);
    if (it->memory_randomization) tare_say_(link, ",\"memory_randomization\":true");
    tare_say_(link, "}");
}
TARE_ENGINE_ void tare_list_one_(struct tare_link_* link, const struct tare_benchmark* it, uint64_t index,
                                 const char* invalid) {
    static const char* const steps[] = {"global", "global-clean-up", "iteration", "iteration-clean-up"};
    tare_say_(link, "{\"reply\":\"benchmark\",\"index\":%u,\"group\":", index);
    tare_quote_(link, it->title, tare_group_length_(it->title));
    tare_say_(link, ",\"name\":%q,\"parameters\":[", tare_name_(it->title));
    for (unsigned i = 0; i < tare_state_.parameters; ++i) {
        const struct tare_parameter_* const parameter = &tare_state_.parameter[i];
        tare_say_(link, ",{\"name\":%q,\"value\":%q,\"type\":%q}", parameter->name, parameter->text,
                  parameter->type);
    }
    tare_say_(link, "]");
    if (it->file_ != NULL) tare_say_(link, ",\"file\":%q,\"line\":%u", it->file_, (uint64_t)it->line_);
    tare_say_(link, ",\"baseline\":%s,\"operations\":%u,\"unit\":%q", it->baseline ? "true" : "false",
              it->operations == 0 || invalid != NULL ? 1 : it->operations, it->unit == NULL ? "op" : it->unit);
    tare_say_texts_(link, "categories", it->category);
    tare_say_(link, ",\"set_ups\":[");
    for (unsigned i = 0; i < 4; ++i) {
        if (it->steps_ >> i & 1) tare_say_(link, ",%q", steps[i]);
    }
    tare_say_(link, "]");
    if (it->description != NULL) tare_say_(link, ",\"description\":%q", it->description);
    if (invalid != NULL) tare_say_(link, ",\"invalid\":%q", invalid);
    else tare_list_more_(link, it);
    tare_say_texts_(link, "diagnosers", it->diagnose);
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
