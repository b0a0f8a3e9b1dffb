/* Part of <tare.h>: a benchmark, a metric, and the state of the process. */
#ifndef TARE_DETAIL_BENCHMARK_H_INCLUDED
#define TARE_DETAIL_BENCHMARK_H_INCLUDED
#include "platform.h"

#define TARE_DIGEST_START_ 14695981039346656037u /* FNV-1a, 64 bits */
enum { TARE_MAX_PARAMETERS_ = 8, TARE_MAX_TEXTS_ = 8, TARE_MAX_RATES_ = 4, TARE_MAX_COMBINATIONS_ = 1000000 };

/* The actions that the engine requests from a benchmark. */
enum tare_act_ {
    TARE_MAKE_,
    TARE_COUNT_, /* computes its operations, for an instance made elsewhere */
    TARE_SET_UP_,
    TARE_ITERATION_SET_UP_,
    TARE_WORKLOAD_,
    TARE_ROLLED_,
    TARE_OVERHEAD_,
    TARE_CHECK_,
    TARE_ITERATION_OPERATIONS_, /* the operations of the iteration that just ran */
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
    TARE_RESULTS_CHANGE, /* different in each invocation, on purpose */
    TARE_RESULTS_DIFFER  /* different from the other contestants, on purpose */
};

/* An amount processed per invocation, shown per second beside the time. */
struct tare_rate {
    const char* name;      /* "bytes", "items", or another: lower-case letters, digits and _ */
    double per_invocation; /* per thread; 0: no such rate */
};
/* A benchmark. In C its members are the options of TARE_C_BENCH; in C++ the methods of tare::Benchmark set them. */
struct tare_benchmark {
    const char* title;       /* "group/name"; the group may be missing */
    const char* unit;        /* name of one operation; NULL: "op" */
    const char* description; /* one line, or NULL */
    const char* category[TARE_MAX_TEXTS_];
    uint64_t operations;       /* operations per invocation; 0 counts as 1 */
    bool baseline;             /* the others of the group are compared with it */
    int threads;               /* threads that the body uses; 0 counts as 1, -1: unknown */
    bool waits;                /* the body blocks, so only its wall time counts */
    bool own_time;             /* the body reports its time with tare_took(); nothing else counts */
    bool cpu_time;             /* CPU time counts: of the thread, or of the process if it has several */
    bool memory_randomization; /* moves the instance to another address for each visit */
    bool cold_caches;          /* flushes all data from the caches before each invocation, unmeasured */
    enum tare_results results; /* intended differences are not reported */
    const char* skip;          /* the reason not to measure it, or NULL */
    struct tare_rate rates[TARE_MAX_RATES_];
    uint64_t visit_ns, warmup_ns, invocations; /* settings, overridden by flags; 0: the host's */
    enum tare_strategy strategy;
    uint64_t invocations_max;                 /* per iteration, if each uses something up; 0: no limit */
    const char* environment[TARE_MAX_TEXTS_]; /* "NAME=VALUE": environment variables of its processes ... */
    const char* arguments[TARE_MAX_TEXTS_];   /* ... and their command-line arguments */
    const char* diagnose[TARE_MAX_TEXTS_];    /* diagnosers to run for it: "code", "profile" */
    void (*set_up)(void); /* C only, like the next three: before the first and after the last iteration ... */
    void (*clean_up)(void);
    void (*iteration_set_up)(void); /* ... and around each */
    void (*iteration_clean_up)(void);
    double (*iteration_operations)(void); /* C only: operations per invocation of the iteration that just ran */
    void (*result)(void); /* C only: reports the result of the body with tare_tell(), for comparison */

    const char* file_;
    int line_;
    const char* invalid_; /* an error in the declaration, or NULL */
    bool returns_;
    bool added_;            /* by tare::add; listed by name */
    unsigned number_;       /* in declaration order */
    bool is_fed_;           /* has inputs from tare::input or tare::rotate */
    uint64_t fed_max_;      /* the maximum number of inputs of tare::input; 0: no limit */
    uint64_t fed_size_;     /* bytes of each input, without its heap blocks */
    unsigned steps_;        /* TARE_HAS_... */
    double operations_;     /* the last result of iteration_operations */
    uint64_t combinations_; /* of its parameters' values; 0: not counted yet */
    bool (*act_)(struct tare_benchmark* self, enum tare_act_ act, uint64_t invocations); /* false: it failed */
    void (*loop_)(uint64_t turns, unsigned per_turn);                                    /* C only */
    uint64_t loop_at_; /* the address of the function with the measuring loop; 0: unknown */
    void (*ready_)(struct tare_benchmark* self); /* just before the clocks of an iteration, or NULL */
    struct tare_benchmark* next_;
};

/* A metric recorded for each iteration besides its time. In C its members are the options of TARE_C_METRIC. */
enum tare_better { TARE_NEITHER, TARE_LOWER, TARE_HIGHER };
struct tare_metric {
    const char* name;        /* lower-case letters, digits and _ */
    double (*read)(void);    /* C only: a total that never decreases; with per_iteration the iteration's value */
    const char* unit;        /* "B" for bytes, or NULL */
    enum tare_better better; /* which values are better */
    bool per_iteration;      /* shows the value read after an iteration instead of the increase per operation */
    bool per_second;         /* shows the increase per second */

    double (*read_)(struct tare_metric* self);
    double before_, value_;
    struct tare_metric* next_;
};

struct tare_parameter_ {
    const char *name, *type;
    size_t choices, chosen;
    char text[64];
};

/* A text under construction: a body's result, or a parameter's value. The digest is FNV-1a of the whole text,
   including what did not fit; 0: no text. */
struct tare_text_ {
    uint64_t digest;
    size_t length, room;
    char* bytes;
    bool is_cut;
};

/* Values of a parameter set by the host, which replace the declared ones. */
enum { TARE_MAX_GIVEN_ = 64 };
struct tare_given_ {
    struct tare_given_* next;
    const char* name;
    size_t count;
    const char* value[TARE_MAX_GIVEN_];
};

/* A copy of a text, kept until the end of the process. */
struct tare_kept_text_ {
    struct tare_kept_text_* next;
    char* text;
};

/* Context of the run. */
struct tare_context_ {
    struct tare_context_* next;
    const char *name, *value;
};

/* The state of the process: one instance, however many files include the header, in C and C++ alike. */
struct tare_state_ {
    struct tare_benchmark *first, *last;
    unsigned benchmarks;          /* how many were declared */
    bool is_sorted;               /* applies to the benchmarks of tare::add */
    struct tare_benchmark* found; /* the last result of tare_find_, with the cases before it; NULL: none */
    uint64_t before;
    struct tare_metric *metrics, *last_metric;
    struct tare_context_* context;
    bool makes; /* an instance is being made, whose parameters report to `parameter` */
    unsigned parameters;
    struct tare_parameter_ parameter[TARE_MAX_PARAMETERS_];
    struct tare_text_ checked;
    char checked_bytes[801]; /* 200 characters of at most four bytes */
    bool is_single;          /* a turn of the loop is one invocation */
    bool has_failed, is_skipped;
    bool is_counted; /* callgrind counts, and has to be told where loops begin and end */
    double took_ns;  /* reported by the body since the iteration began */
    uint64_t wanted; /* invocations of the iteration being set up */
    char message[400], type[120];
    uint64_t random;
    void* block[64]; /* moves the heap */
    unsigned blocks;
    struct tare_kept_text_* texts[256]; /* by the last byte of their digest */
    struct tare_given_* given;
    const char* misfit;               /* an error in a value that was set, or NULL */
    void (*end)(void);                /* removes the folder of a process without a host; NULL: nothing to do */
    void (*count)(uint64_t* counted); /* performance counters: NULL starts, otherwise stops and stores them */
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

/* Serves the host, or runs each body once, depending on the environment and the arguments. Returns main's exit
   status. */
TARE_FUNCTION_ int tare_main(int argc, char** argv);

/* With own_time: reports that the body, or a part of it, took this long. */
TARE_FUNCTION_ void tare_took(double nanoseconds) { tare_state_.took_ns += nanoseconds; }

/* Defines main. It is weak, so that a main in another file of the program takes precedence. `tare run` adds one
   itself. MinGW's library has its own main, which would take precedence over a weak one, so there it is not
   weak. */
#if defined(_WIN32)
#    define TARE_MAIN()                                                                                            \
        int main(int argc, char** argv) { return tare_main(argc, argv); }
#else
#    define TARE_MAIN()                                                                                            \
        TARE_WEAK_ int main(int argc, char** argv) { return tare_main(argc, argv); }
#endif

/* Makes the current step (set-up, body, ...) a failure. The rest of the step still runs. */
TARE_ENGINE_ void tare_fail(const char* message) {
    if (tare_state_.has_failed) return;
    tare_state_.has_failed = true;
    tare_state_.is_skipped = false;
    tare_state_.type[0] = 0;
    snprintf(tare_state_.message, sizeof tare_state_.message, "%s", message);
}
/* In a set-up: skips the benchmark, which is not a failure. */
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

/* Copies the text, which may be temporary. Equal texts are kept once. */
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

/* Adds context to the run, such as the data set. It is shown above the table, and in file formats that support it.
 * Call it in main, before tare_main(). The last value of a name counts. */
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
