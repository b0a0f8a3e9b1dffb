/* Part of <tare.h>: a benchmark, a metric, and the state of the process. */
#ifndef TARE_DETAIL_BENCHMARK_H_INCLUDED
#define TARE_DETAIL_BENCHMARK_H_INCLUDED
#include "platform.h"

#define TARE_DIGEST_START_ 14695981039346656037u /* FNV-1a, 64 bits */
enum { TARE_MAX_PARAMETERS_ = 8, TARE_MAX_TEXTS_ = 8, TARE_MAX_RATES_ = 4, TARE_MAX_COMBINATIONS_ = 1000000 };

/* What the engine asks of a benchmark. */
enum tare_act_ {
    TARE_MAKE_,
    TARE_COUNT_, /* its operations, of an instance that was not made here */
    TARE_SET_UP_,
    TARE_ITERATION_SET_UP_,
    TARE_WORKLOAD_,
    TARE_ROLLED_,
    TARE_OVERHEAD_,
    TARE_CHECK_,
    TARE_ITERATION_OPERATIONS_, /* how many it did, right after it */
    TARE_ITERATION_CLEAN_UP_,
    TARE_CLEAN_UP_,
    TARE_DROP_
};
enum {
    TARE_HAS_SET_UP_ = 1,
    TARE_HAS_CLEAN_UP_ = 2,
    TARE_HAS_ITERATION_SET_UP_ = 4,
    TARE_HAS_ITERATION_CLEAN_UP_ = 8,
    TARE_HAS_ITERATION_OPERATIONS_ = 16
};

/* How a benchmark is measured. */
enum tare_strategy {
    TARE_THROUGHPUT, /* warmed up, with as many invocations per iteration as fill about a millisecond */
    TARE_MONITORING, /* each invocation is a measurement, including the first one; none is dropped */
    TARE_COLD_START  /* only the first invocation of each process */
};

/* What a benchmark declares about its results. */
enum tare_results {
    TARE_RESULTS_SAME,   /* the same in each invocation, and as the other contestants of its group */
    TARE_RESULTS_CHANGE, /* something else in each invocation, on purpose */
    TARE_RESULTS_DIFFER  /* something else than the other contestants, on purpose */
};

/* What one invocation works through, shown per second beside the time. */
struct tare_rate {
    const char* name;      /* "bytes", "items", or another: lower-case letters, digits and _ */
    double per_invocation; /* of one thread; 0: no such rate */
};
/* A benchmark. In C its members are the options of TARE_C_BENCH; in C++ the methods of tare::Benchmark set them. */
struct tare_benchmark {
    const char* title;       /* "group/name"; the group may be missing */
    const char* unit;        /* name of one operation; NULL: "op" */
    const char* description; /* one line, or NULL */
    const char* category[TARE_MAX_TEXTS_];
    uint64_t operations;       /* operations that one invocation does; 0 counts as 1 */
    bool baseline;             /* the others of its group are compared with it */
    int threads;               /* threads that the body uses; 0 counts as 1, -1: not known */
    bool waits;                /* the body blocks: it is judged by its wall time alone */
    bool own_time;             /* the body says with tare_took() how long it took; nothing else counts */
    bool cpu_time;             /* CPU time counts: of the thread, or of the process where there are several */
    bool memory_randomization; /* each visit has its instance at another address */
    bool cold_caches;          /* before each invocation all data leaves the caches, which is not measured */
    enum tare_results results; /* what differs on purpose is not reported */
    const char* skip;          /* why it is not to be measured, or NULL */
    struct tare_rate rates[TARE_MAX_RATES_];
    uint64_t visit_ns, warmup_ns, invocations; /* rules of measuring, which flags override; 0: the host's */
    enum tare_strategy strategy;
    uint64_t invocations_max; /* of an iteration, as each uses up something prepared; 0: any number */
    const char* environment[TARE_MAX_TEXTS_]; /* "NAME=VALUE": variables of the processes that measure it ... */
    const char* arguments[TARE_MAX_TEXTS_];   /* ... and arguments of their command line */
    const char* diagnose[TARE_MAX_TEXTS_];    /* diagnosers that look at it: "code", "profile" */
    void (*set_up)(void); /* C only, as the next three: before the first and after the last iteration ... */
    void (*clean_up)(void);
    void (*iteration_set_up)(void); /* ... and around each */
    void (*iteration_clean_up)(void);
    double (*iteration_operations)(void); /* C only: operations of each invocation of the iteration that just ran */
    void (*result)(void); /* C only: says what the body made with tare_tell(), so that results can be compared */

    const char* file_;
    int line_;
    const char* invalid_; /* what is wrong with the declaration; NULL: nothing */
    bool returns_;
    bool added_;            /* by tare::add: in the order of the list it stands by its name */
    unsigned number_;       /* in the order of the declarations */
    bool is_fed_;           /* by tare::input or tare::rotate */
    uint64_t fed_max_;      /* inputs that tare::input makes at most; 0: any number */
    uint64_t fed_size_;     /* bytes of each, without what they have on the heap */
    unsigned steps_;        /* TARE_HAS_... */
    double operations_;     /* what iteration_operations gave last */
    uint64_t combinations_; /* of the values of its parameters; 0: not counted yet */
    bool (*act_)(struct tare_benchmark* self, enum tare_act_ act, uint64_t invocations); /* false: it failed */
    void (*loop_)(uint64_t turns, unsigned per_turn);                                    /* C only */
    uint64_t loop_at_;                           /* where the function with the measuring loop is; 0: not known */
    void (*ready_)(struct tare_benchmark* self); /* just before the clocks of an iteration; NULL: nothing to do */
    struct tare_benchmark* next_;
};

/* What is measured of each iteration beside its time. In C its members are the options of TARE_C_METRIC. */
enum tare_better { TARE_NEITHER, TARE_LOWER, TARE_HIGHER };
struct tare_metric {
    const char* name;        /* lower-case letters, digits and _ */
    double (*read)(void);    /* C only: a total that never falls; with per_iteration the value of the iteration */
    const char* unit;        /* "B" for bytes, or NULL */
    enum tare_better better; /* which values are better */
    bool per_iteration;      /* shown as it is read after an iteration, not as what an operation adds */
    bool per_second;         /* what is added is shown per second */

    double (*read_)(struct tare_metric* self);
    double before_, value_;
    struct tare_metric* next_;
};

struct tare_parameter_ {
    const char *name, *type;
    size_t choices, chosen;
    char text[64];
};

/* A text that grows: what a body returned, or a parameter's value. The digest is FNV-1a of all of it, also of what
   did not fit; 0: no text. */
struct tare_text_ {
    uint64_t digest;
    size_t length, room;
    char* bytes;
    bool is_cut;
};

/* Values that the host has set for a parameter, in place of the declared ones. */
enum { TARE_MAX_GIVEN_ = 64 };
struct tare_given_ {
    struct tare_given_* next;
    const char* name;
    size_t count;
    const char* value[TARE_MAX_GIVEN_];
};

/* A copy of a text, kept to the end. */
struct tare_kept_text_ {
    struct tare_kept_text_* next;
    char* text;
};

/* What the program says of the run. */
struct tare_context_ {
    struct tare_context_* next;
    const char *name, *value;
};

/* One process has one of these, however many files include the header, in C and C++ alike. */
struct tare_state_ {
    struct tare_benchmark *first, *last;
    unsigned benchmarks;          /* how many were declared */
    bool is_sorted;               /* what tare::add added */
    struct tare_benchmark* found; /* by tare_find_ last, behind so many cases; NULL: none */
    uint64_t before;
    struct tare_metric *metrics, *last_metric;
    struct tare_context_* context;
    bool makes; /* an instance is being made: parameters report to `parameter` */
    unsigned parameters;
    struct tare_parameter_ parameter[TARE_MAX_PARAMETERS_];
    struct tare_text_ checked;
    char checked_bytes[801]; /* 200 characters of at most four bytes */
    bool is_single;          /* an invocation is a turn of the loop */
    bool has_failed, is_skipped;
    bool is_counted; /* callgrind counts, and is told where loops begin and end */
    double took_ns;  /* what the body said since the iteration began */
    uint64_t wanted; /* invocations of the iteration that is set up now */
    char message[400], type[120];
    uint64_t random;
    void* block[64]; /* what moves the heap */
    unsigned blocks;
    struct tare_kept_text_* texts[256]; /* by the last byte of their digest */
    struct tare_given_* given;
    const char* misfit;               /* what is wrong with a value that was set; NULL: nothing */
    void (*end)(void);                /* removes what a process without a host's folder made; NULL: nothing */
    void (*count)(uint64_t* counted); /* performance counters: NULL starts them, else they stop and go there */
};
#if defined(__cplusplus)
extern "C" {
#endif
#if defined(__GNUC__)
TARE_WEAK_ struct tare_state_ tare_state_;
#elif defined(__cplusplus)
inline tare_state_ tare_state_;
#else
__declspec(selectany) struct tare_state_ tare_state_;
#endif
#if defined(__cplusplus)
}
#endif

/* Serves the host, or runs each body once, as the environment and the arguments say. Returns main's exit status. */
TARE_FUNCTION_ int tare_main(int argc, char** argv);

/* With own_time: the body, or a part of it, took so many nanoseconds. */
TARE_FUNCTION_ void tare_took(double nanoseconds) { tare_state_.took_ns += nanoseconds; }

/* Supplies main. Weak: a main in another file of the program goes before it. `tare run` adds one by itself. The library of MinGW has a main
   of its own, which goes before a weak one: there it is not weak. */
#if defined(_WIN32)
#    define TARE_MAIN()                                                                                            \
        int main(int argc, char** argv) { return tare_main(argc, argv); }
#else
#    define TARE_MAIN()                                                                                            \
        TARE_WEAK_ int main(int argc, char** argv) { return tare_main(argc, argv); }
#endif

/* Names the step that runs now (set-up, body, ...) a failure; the rest of the step still runs. */
TARE_ENGINE_ void tare_fail(const char* message) {
    if (tare_state_.has_failed) return;
    tare_state_.has_failed = true;
    tare_state_.is_skipped = false;
    tare_state_.type[0] = 0;
    snprintf(tare_state_.message, sizeof tare_state_.message, "%s", message);
}
/* In a set-up: the benchmark cannot or should not be measured here, which is no failure. */
TARE_ENGINE_ void tare_skip(const char* why) {
    if (tare_state_.has_failed) return;
    tare_fail(why);
    tare_state_.is_skipped = true;
}

TARE_ENGINE_ void tare_add_(struct tare_benchmark* benchmark) {
    if (tare_state_.last) tare_state_.last->next_ = benchmark;
    else tare_state_.first = benchmark;
    tare_state_.last = benchmark;
    benchmark->number_ = tare_state_.benchmarks++;
    tare_state_.is_sorted = false;
    tare_state_.found = NULL;
}

TARE_FUNCTION_ void tare_add_metric_(struct tare_metric* metric) {
    if (tare_state_.last_metric) tare_state_.last_metric->next_ = metric;
    else tare_state_.metrics = metric;
    tare_state_.last_metric = metric;
}

/* A copy of the text, so that it may have been a temporary one. The same text is kept once. */
TARE_ENGINE_ const char* tare_keep_text_(const char* bytes, size_t length) {
    uint64_t digest = TARE_DIGEST_START_;
    for (size_t i = 0; i < length; ++i) digest = (digest ^ (unsigned char)bytes[i]) * 1099511628211u;
    struct tare_kept_text_** const texts = &tare_state_.texts[digest & 255];
    for (const struct tare_kept_text_* it = *texts; it != NULL; it = it->next) {
        if (strlen(it->text) == length && memcmp(it->text, bytes, length) == 0) return it->text;
    }
    struct tare_kept_text_* const kept = (struct tare_kept_text_*)malloc(sizeof *kept + length + 1);
    if (kept == NULL) return "";
    kept->text = (char*)(kept + 1);
    memcpy(kept->text, bytes, length);
    kept->text[length] = 0;
    kept->next = *texts;
    *texts = kept;
    return kept->text;
}

/* Says something of the run, such as the data that it works on: it stands above the table, and in files that have a place for it.
 * In main, before tare_main(). The last value of a name counts. */
TARE_ENGINE_ void tare_context(const char* name, const char* value) {
    if (name == NULL || *name == 0) {
        fprintf(stderr, "error: tare_context: a name is empty; it is left out\n");
        return;
    }
    struct tare_context_** at = &tare_state_.context;
    while (*at != NULL && strcmp((*at)->name, name) != 0) at = &(*at)->next;
    if (*at == NULL) {
        struct tare_context_* const entry = (struct tare_context_*)calloc(1, sizeof **at);
        if (entry == NULL) return;
        entry->name = tare_keep_text_(name, strlen(name));
        *at = entry;
    }
    (*at)->value = value == NULL ? "" : tare_keep_text_(value, strlen(value));
}
#endif
