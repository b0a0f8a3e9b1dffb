/* A complete child of the Tare protocol (spec/protocol.md; R1, R2, ... are its rules) in plain C11 with POSIX.
 *     cc -O2 -o reference-child reference-child.c && tare run ./reference-child
 * To write your own: replace the benchmarks of the first part; the second part need not change. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { UNROLL = 16, PROBE_CYCLES = 32768, WIDTH_ADDITIONS = 14400 };
#define TIMES_16(x) x x x x x x x x x x x x x x x x

/* R17: the compiler must believe that the value is used and that memory has changed; it costs no instruction. */
static inline void sink(uint64_t value) { __asm__ volatile("" : "+r"(value) : : "memory"); }

/* A loop for each body, so that the body can be inlined as in real code. R15: the rest runs one at a time. */
#define LOOP_OF(body)                                                                                            \
    static void body##_loop(uint64_t invocations) {                                                              \
        for (; invocations >= UNROLL; invocations -= UNROLL) { TIMES_16(sink(body());) }                         \
        for (; invocations > 0; invocations--) sink(body());                                                     \
    }

/* ---------------------------------------------------------------------------------------- the benchmarks */

/* Set-ups and clean-ups return NULL or what went wrong; a body sets `thrown`. */
static const char *thrown;
static uint64_t n; /* the parameter */
static uint64_t nothing(void) { return 0; }
LOOP_OF(nothing)

struct benchmark {
    const char *group, *name;
    uint64_t n; /* 0: no parameter */
    int line, baseline;
    uint64_t (*body)(void);
    void (*loop)(uint64_t);
    const char *(*set_up)(void), *(*clean_up)(void), *(*iteration_set_up)(void), *(*iteration_clean_up)(void);
    const char *(*text)(void); /* of what the body made; NULL: the number that it returns */
    uint64_t bytes; /* that an invocation works through, shown per second; 0: none */
    /* R25. Operations of an invocation: after the set-up, and of the iteration that has just run. NULL: 1. */
    uint64_t (*operations)(void), (*iteration_operations)(void);
};

#ifdef BENCHMARKS /* those of another file: -DBENCHMARKS='"mine.h"' */
#include BENCHMARKS
#else
static char *text;      /* made by the set-up of `text/strlen` */

static uint64_t sum_loop(void) {
    uint64_t sum = 0;
    for (uint64_t i = 1; i <= n; i++) { sum += i; __asm__ volatile("" : "+r"(sum)); }
    return sum;
}
static uint64_t sum_formula(void) { return n * (n + 1) / 2; }
static uint64_t text_strlen(void) { return strlen(text); }

static const char *make_text(void) {
    text = malloc(1001);
    if (text == NULL) return "out of memory";
    memset(text, 'x', 1000);
    text[1000] = 0;
    return NULL;
}
static const char *drop_text(void) { free(text); text = NULL; return NULL; }

LOOP_OF(sum_loop) LOOP_OF(sum_formula) LOOP_OF(text_strlen)

#define NO_STEPS NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL
static const struct benchmark benchmarks[] = {
    {"sum", "loop", 10, __LINE__, 1, sum_loop, sum_loop_loop, NO_STEPS},
    {"sum", "loop", 1000, __LINE__, 1, sum_loop, sum_loop_loop, NO_STEPS},
    {"sum", "formula", 10, __LINE__, 0, sum_formula, sum_formula_loop, NO_STEPS},
    {"sum", "formula", 1000, __LINE__, 0, sum_formula, sum_formula_loop, NO_STEPS},
    {"text", "strlen", 0, __LINE__, 0, text_strlen, text_strlen_loop, make_text, drop_text, NULL, NULL, NULL, 1000, NULL, NULL},
};
#endif
enum { COUNT = sizeof benchmarks / sizeof benchmarks[0] };

/* ------------------------------------------------------------------------------------------- the protocol */

static FILE *out;                      /* where replies go; never stdout (R3) */
static const struct benchmark *opened; /* NULL unless in the state `opened` */
static void *offset;                   /* a block whose size the seed of `open` says */

static void reply(const char *line) { fprintf(out, "%s\n", line); fflush(out); }
static void error(const char *kind, const char *message) {
    fprintf(out, "{\"reply\":\"error\",\"kind\":\"%s\",\"message\":\"%s\"}\n", kind, message);
    fflush(out);
}
static void exception(const char *step, const char *message) {
    fprintf(out, "{\"reply\":\"error\",\"kind\":\"exception\",\"step\":\"%s\",\"message\":\"%s\"}\n", step, message);
    fflush(out);
}

static uint64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Smallest step that the clock makes. Where a read takes longer than a step, no two reads are alike, and the smallest difference between
   the times of reads shows it. */
static uint64_t resolution_ns(void) {
    uint64_t smallest = UINT64_MAX, difference = UINT64_MAX, last = 0, before = clock_ns(CLOCK_MONOTONIC);
    bool is_coarse = false;
    for (int steps = 0; steps < 100;) {
        uint64_t now = clock_ns(CLOCK_MONOTONIC), step = now - before;
        if (step == 0) {
            is_coarse = true;
            continue;
        }
        if (step < smallest) smallest = step;
        uint64_t gap = step > last ? step - last : last - step;
        if (steps > 0 && gap > 0 && gap < difference) difference = gap;
        before = now;
        last = step;
        steps++;
    }
    return is_coarse || difference > smallest ? smallest : difference;
}

/* The clock probe: additions that wait for each other, one cycle each. The step is hidden from the compiler. */
static uint64_t probe_ns(void) {
    uint64_t begin = clock_ns(CLOCK_MONOTONIC);
    uintptr_t x = 0, step = 1; /* as wide as a register */
    __asm__ volatile("" : "+r"(step));
    for (int i = 0; i < PROBE_CYCLES / 16; i++) { TIMES_16(x += step; __asm__ volatile("" : "+r"(x));) }
    return clock_ns(CLOCK_MONOTONIC) - begin;
}

/* The width probe, without the clock reads around it: additions that do not wait for each other, as fast as the core can issue them. This loop and no other: then
 * the host can compare the readings with those of other native children. Other processors: leave the capability `windows` out. */
#if defined(__x86_64__)
#define HAS_WIDTH 1
#define SIX_ADDITIONS "add %7, %1\n add %7, %2\n add %7, %3\n add %7, %4\n add %7, %5\n add %7, %6\n"
#define REPEAT "dec %0\n jnz 1b\n"
#elif defined(__aarch64__)
#define HAS_WIDTH 1
#define SIX_ADDITIONS "add %1, %1, %7\n add %2, %2, %7\n add %3, %3, %7\n add %4, %4, %7\n add %5, %5, %7\n add %6, %6, %7\n"
#define REPEAT "subs %w0, %w0, #1\n b.ne 1b\n"
#else
#define HAS_WIDTH 0
#endif
static void width(void) {
#if HAS_WIDTH
    uint32_t turns = WIDTH_ADDITIONS / 96;
    uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, step = 1;
    __asm__ volatile("1:\n .rept 16\n" SIX_ADDITIONS ".endr\n" REPEAT
                     : "+&r"(turns), "+&r"(a), "+&r"(b), "+&r"(c), "+&r"(d), "+&r"(e), "+&r"(f)
                     : "r"(step) : "cc"); /* &: the step needs a register of its own, or the additions wait for it */
#endif
}

/* R9: the host sends nothing that this child does not know, or it is another host. */
static void unknown(const char *request) {
    fprintf(stderr, "error: tare cannot answer `%s` here\n", request);
    exit(2);
}

/* What follows answers one request each: `word` are its words, `number` those of them that are numbers. */

static void hello(char **word, const uint64_t *number) {
    (void)word;
    if (number[1] != 1) {
        reply("{\"reply\":\"error\",\"kind\":\"version\",\"message\":\"I speak version 1\",\"versions\":[1]}");
        return;
    }
#ifdef __OPTIMIZE__
    const char *optimised = "true";
#else
    const char *optimised = "false";
#endif
    fprintf(out, "{\"reply\":\"hello\",\"protocol\":1,\"language\":\"c\",\"front_end\":\"reference-child 1\","
            "\"compiler\":\"%s\",\"optimised\":%s,\"clock\":\"CLOCK_MONOTONIC\",\"clock_resolution_ns\":%" PRIu64 ","
            "\"unroll\":%d,\"probe_cycles\":%d,\"width_additions\":%d,\"capabilities\":[\"cpu\",\"probe\",\"parameters\"%s]}\n",
            __VERSION__, optimised, resolution_ns(), UNROLL, PROBE_CYCLES, WIDTH_ADDITIONS,
            HAS_WIDTH ? ",\"windows\"" : "");
    fflush(out);
}

static const char *set_ups(const struct benchmark *b) {
    static char names[80];
    snprintf(names, sizeof names, "%s%s%s%s", b->set_up ? ",\"global\"" : "", b->clean_up ? ",\"global-clean-up\"" : "",
             b->iteration_set_up ? ",\"iteration\"" : "", b->iteration_clean_up ? ",\"iteration-clean-up\"" : "");
    return names + (names[0] == ',');
}

/* The values of `n` that the host has set, in place of the declared ones. */
static uint64_t given[64];
static int givens;

/* The benchmark of this index, and its `n`; NULL: there is none. Of those that differ in `n` only, the first stands for all. */
static const struct benchmark *find(uint64_t index, uint64_t *its_n) {
    for (int i = 0; i < COUNT; i++) {
        const struct benchmark *b = &benchmarks[i];
        int same = i > 0 && b->body == benchmarks[i - 1].body, has_given = givens > 0 && b->n > 0;
        uint64_t cases = !has_given ? 1 : same ? 0 : (uint64_t)givens;
        *its_n = has_given && index < cases ? given[index] : b->n;
        if (index < cases) return b;
        index -= cases;
    }
    return NULL;
}

/* R22: the only parameter here is `n`, a number. */
static void set(char **word, const uint64_t *number) {
    (void)number;
    int values = 0, all = 0;
    uint64_t read[64];
    for (int i = 1; i <= 65 && word[i] != NULL; i++) {
        const char *text = word[i];
        if (i == 1) continue; /* the name */
        errno = 0;
        read[values] = strtoull(text, NULL, 10);
        if (strcmp(word[1], "n") == 0 && (errno != 0 || read[values] == 0 || text[strspn(text, "0123456789")] != 0)) {
            error("bad-value", "n is a whole number of at least 1");
            return;
        }
        int same = 0; /* 7 and 007 are one value */
        while (read[same] != read[values]) same++;
        if (same == values) values++;
    }
    for (int i = 0; i < COUNT; i++) all += benchmarks[i].n > 0 && (i == 0 || benchmarks[i].body != benchmarks[i - 1].body);
    if (strcmp(word[1], "n") != 0) all = 0;
    if (all > 0) { givens = values; memcpy(given, read, sizeof given); }
    fprintf(out, "{\"reply\":\"set\",\"benchmarks\":%d}\n", all);
    fflush(out);
}

static void list(char **word, const uint64_t *number) {
    (void)word, (void)number;
    const struct benchmark *b;
    uint64_t its_n;
    int i = 0;
    for (; (b = find((uint64_t)i, &its_n)) != NULL; i++) {
        fprintf(out, "{\"reply\":\"benchmark\",\"index\":%d,\"group\":\"%s\",\"name\":\"%s\",\"parameters\":[",
                i, b->group, b->name);
        if (b->n > 0) fprintf(out, "{\"name\":\"n\",\"value\":\"%" PRIu64 "\",\"type\":\"integer\"}", its_n);
        fprintf(out, "],");
        if (b->bytes > 0) fprintf(out, "\"rates\":[{\"name\":\"bytes\",\"per_invocation\":%" PRIu64 "}],", b->bytes);
        fprintf(out, "\"file\":\"%s\",\"line\":%d,\"baseline\":%s,\"returns\":true,\"set_ups\":[%s]}\n",
                __FILE__, b->line, b->baseline ? "true" : "false", set_ups(b));
    }
    fprintf(out, "{\"reply\":\"end\",\"count\":%d}\n", i);
    fflush(out);
}

/* Runs a step of the user's code. 1: it failed, and the error is written. */
static int failed(const char *step, const char *(*run)(void)) {
    const char *wrong = run ? run() : NULL;
    if (wrong) exception(step, wrong);
    return wrong != NULL;
}
static int body_failed(void) {
    const char *wrong = thrown;
    thrown = NULL;
    if (wrong) exception("body", wrong);
    return wrong != NULL;
}

static void open_one(char **word, const uint64_t *number) {
    (void)word;
    uint64_t its_n;
    const struct benchmark *b = find(number[1], &its_n);
    if (b == NULL) unknown("open");
    /* Moves what the set-up allocates, and by the hole the first block against the second. */
    void *hole = number[2] ? malloc(4096 + 16 * (number[2] / 1024 % 256)) : NULL;
    offset = number[2] ? malloc(16 * (number[2] % 1024) + 1) : NULL;
    free(hole);
    n = its_n;
    if (failed("set-up", b->set_up)) { free(offset); return; } /* R12: the state stays `ready` */
    opened = b;
    fputs("{\"reply\":\"opened\"", out);
    if (b->operations) fprintf(out, ",\"operations\":%" PRIu64, b->operations());
    reply("}");
}

/* R21: the result as text, and the FNV-1a hash of all of it. The texts here are plain ASCII: nothing needs to be escaped. */
static void check(char **word, const uint64_t *number) {
    (void)word, (void)number;
    if (failed("iteration-set-up", opened->iteration_set_up)) return;
    uint64_t result = opened->body(), hash = 14695981039346656037u;
    if (body_failed()) return;
    char decimal[21], shown[201];
    snprintf(decimal, sizeof decimal, "%" PRIu64, result);
    const char *text = opened->text ? opened->text() : decimal;
    for (const char *at = text; *at; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    snprintf(shown, sizeof shown, "%s", text);
    if (failed("iteration-clean-up", opened->iteration_clean_up)) return;
    fprintf(out, "{\"reply\":\"checked\",\"digest\":\"%016" PRIx64 "\",\"text\":\"%s\"}\n", hash, shown);
    fflush(out);
}

static void column(const char *name, const uint64_t *values, uint64_t count) {
    fprintf(out, ",\"%s\":[", name);
    for (uint64_t i = 0; i < count; i++) fprintf(out, "%s%" PRIu64, i ? "," : "", values[i]);
    fputc(']', out);
}

static void measure(char **word, const uint64_t *number) {
    uint64_t iterations = number[2], invocations = number[3], lead = number[4], windows = number[5];
    int workload = strcmp(word[1], "workload") == 0; /* or `overhead` */
    void (*loop)(uint64_t) = workload ? opened->loop : nothing_loop;
    uint64_t *elapsed = malloc((6 + 2 * windows) * iterations * sizeof *elapsed); /* here, because of R16 not below */
    if (elapsed == NULL) { error("not-supported", "too many iterations for the memory"); return; }
    memset(elapsed, 1, (6 + 2 * windows) * iterations * sizeof *elapsed); /* so that no page is missing below */
    uint64_t *cpu = elapsed + iterations, *before = cpu + iterations, *after = before + iterations;
    uint64_t *counted = after + iterations, *windows_ns = counted + iterations, *widths_ns = windows_ns + iterations * windows;
    if (lead > 0) {
        if (workload && failed("iteration-set-up", opened->iteration_set_up)) goto end;
        loop(lead);
        if (workload && opened->iteration_operations) opened->iteration_operations();
        if (body_failed() || (workload && failed("iteration-clean-up", opened->iteration_clean_up))) goto end;
    }
    for (uint64_t i = 0; i < iterations; i++) {
        if (workload && failed("iteration-set-up", opened->iteration_set_up)) goto end; /* R18: never in `overhead` */
        before[i] = probe_ns();
        uint64_t cpu_begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        if (windows == 0) {
            uint64_t begin = clock_ns(CLOCK_MONOTONIC);
            loop(invocations);
            elapsed[i] = clock_ns(CLOCK_MONOTONIC) - begin;
        } else {
            /* The clock read that ends a window begins the reading after it, and so on. */
            uint64_t *time = windows_ns + i * windows, *reading = widths_ns + i * (windows + 1), last, now;
            last = clock_ns(CLOCK_MONOTONIC);
            width();
            reading[0] = (now = clock_ns(CLOCK_MONOTONIC)) - last;
            elapsed[i] = 0;
            for (uint64_t w = 0; w < windows; w++) {
                last = now;
                loop(invocations);
                time[w] = (now = clock_ns(CLOCK_MONOTONIC)) - last;
                last = now;
                width();
                reading[w + 1] = (now = clock_ns(CLOCK_MONOTONIC)) - last;
            }
            for (uint64_t w = 0; w < windows; w++) elapsed[i] += time[w];
        }
        cpu[i] = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_begin;
        after[i] = probe_ns();
        if (workload && opened->iteration_operations) counted[i] = opened->iteration_operations();
        if (body_failed() || (workload && failed("iteration-clean-up", opened->iteration_clean_up))) goto end;
    }
    fputs("{\"reply\":\"measured\"", out);
    column("elapsed_ns", elapsed, iterations);
    column("cpu_ns", cpu, iterations);
    column("probe_before_ns", before, iterations);
    column("probe_after_ns", after, iterations);
    if (workload && opened->iteration_operations) column("operations", counted, iterations);
    if (windows > 0) {
        column("window_ns", windows_ns, iterations * windows);
        column("width_ns", widths_ns, iterations * (windows + 1));
    }
    reply("}");
end:
    free(elapsed);
}

/* Returns what went wrong, or NULL; the state is `ready` all the same (R12). */
static const char *close_opened(void) {
    const char *wrong = opened->clean_up ? opened->clean_up() : NULL;
    free(offset);
    opened = NULL;
    return wrong;
}

static void close_one(char **word, const uint64_t *number) {
    (void)word, (void)number;
    const char *wrong = close_opened();
    if (wrong) exception("clean-up", wrong);
    else reply("{\"reply\":\"closed\"}");
}

static void bye(char **word, const uint64_t *number) {
    (void)word, (void)number;
    if (opened) close_opened();
    reply("{\"reply\":\"bye\"}");
    exit(0);
}

enum { READY = 1, OPENED = 2, WORDS_MAX = 66 };
static const struct verb {
    const char *name;
    unsigned states; /* R11: in which it is answered */
    void (*answer)(char **word, const uint64_t *number);
} verbs[] = {
    {"hello", READY | OPENED, hello}, {"list", READY, list}, {"set", READY, set}, {"open", READY, open_one},
    {"check", OPENED, check}, {"measure", OPENED, measure}, {"close", OPENED, close_one}, {"bye", READY | OPENED, bye},
};

static void answer(char *line) {
    char *word[WORDS_MAX + 1] = {strtok(line, " ")}; /* the last one stays NULL */
    uint64_t number[WORDS_MAX] = {0};
    for (int i = 1; i < WORDS_MAX && (word[i] = strtok(NULL, " ")) != NULL; i++) number[i] = strtoull(word[i], NULL, 10);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (word[0] && strcmp(word[0], verbs[i].name) == 0 && verbs[i].states & (opened ? OPENED : READY)) {
            verbs[i].answer(word, number);
            return;
        }
    unknown(line);
}

static void run_directly(void) {
    for (int i = 0; i < COUNT; i++) {
        const struct benchmark *b = &benchmarks[i];
        n = b->n;
        const char *wrong = b->set_up ? b->set_up() : NULL;
        if (wrong) { printf("%s/%s: %s\n", b->group, b->name, wrong); continue; }
        printf("%s/%s returns %" PRIu64 "\n", b->group, b->name, b->body());
        if (b->clean_up) b->clean_up();
    }
    puts("hint: `tare run PROGRAM` measures them");
}

int main(void) {
    const char *link = getenv("TARE_LINK");
    if (link == NULL) { run_directly(); return 0; } /* R1 */
    int read_fd, write_fd, end = 0;
    if (sscanf(link, "fd:%d,%d%n", &read_fd, &write_fd, &end) != 2 || link[end] != 0) { /* R2 */
        fprintf(stderr, "error: TARE_LINK=%s is of no known form\n", link);
        return 2;
    }
    FILE *in = fdopen(read_fd, "r");
    out = fdopen(write_fd, "w");
    if (in == NULL || out == NULL) { perror("error: the link is not open"); return 2; }
    fcntl(read_fd, F_SETFD, FD_CLOEXEC); /* so that processes of the user's code do not hold the link */
    fcntl(write_fd, F_SETFD, FD_CLOEXEC);
    unsetenv("TARE_LINK");
    for (char line[256]; fgets(line, sizeof line, in) != NULL;) { /* R6 */
        line[strcspn(line, "\n")] = 0;
        answer(line);
    }
    _exit(0); /* R4 */
}
