/* The conformance benchmarks (spec/protocol.md, section 8) for spec/reference-child.c:
 *     cc -O2 -DBENCHMARKS='"conformance/benchmarks.h"' -o conformance-child reference-child.c */

static uint64_t invocations;
static char trace[1001];

static const char *start_count(void) { invocations = 0; return NULL; }
static uint64_t count(void) { return ++invocations; }

/* Each step leaves its letter; in the benchmark whose `throws` it is, it fails as well. */
static const char *leave(char letter, char throws) {
    size_t length = strlen(trace);
    if (length < sizeof trace - 1) trace[length] = letter;
    return letter == throws ? "it throws" : NULL;
}
static const char *whole_trace(void) { return trace; }
#define STEPS(name, throws)                                                    \
    static const char *name##_set_up(void) { return leave('S', throws); }      \
    static const char *name##_begin(void) { return leave('s', throws); }       \
    static uint64_t name(void) { thrown = leave('b', throws); return 0; }      \
    static const char *name##_end(void) { return leave('c', throws); }         \
    static const char *name##_clean_up(void) { return leave('C', throws); }    \
    LOOP_OF(name)
STEPS(steps, 0)
STEPS(in_set_up, 'S')
STEPS(in_begin, 's')
STEPS(in_body, 'b')
STEPS(in_end, 'c')
STEPS(in_clean_up, 'C')

static uint64_t additions(uint64_t times) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 100 * times; i++) { sum += i; __asm__ volatile("" : "+r"(sum)); }
    return sum;
}
static uint64_t cost_1(void) { return additions(1); }
static uint64_t cost_8(void) { return additions(8); }
static uint64_t parameter(void) { return n; }
static uint64_t greatest(void) { return UINT64_MAX; }

/* R25: only the set-up knows how many operations an invocation does; and each iteration does another number. */
static uint64_t found;
static const char *find_operations(void) { found = 12; return NULL; }
static const char *start_iterations(void) { found = 0; return NULL; }
static const char *one_more(void) { found++; return NULL; }
static uint64_t operations(void) { return found; }
static uint64_t iterations(void) { return found; }
LOOP_OF(operations) LOOP_OF(iterations)

/* R27: the number of the process that was first to need it, in a file of the run; without a folder its own. */
static uint64_t maker;
static const char *make_once(void) {
    const char *const folder = getenv("TARE_RUN_FOLDER");
    char path[4096], text[24];
    int length = snprintf(text, sizeof text, "%ld", (long)getpid());
    if (folder != NULL) {
        snprintf(path, sizeof path, "%s/maker", folder);
        const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        if (file < 0 || fcntl(file, F_SETLKW, &all) != 0) return "the folder of the run cannot be written";
        char before[sizeof text] = "";
        if (read(file, before, sizeof before - 1) > 0) memcpy(text, before, sizeof text);
        else if (write(file, text, (size_t)length) != length) return "the folder of the run is full";
        close(file);
    }
    maker = strtoull(text, NULL, 10);
    return NULL;
}
static uint64_t once(void) { return maker; }
LOOP_OF(once)
LOOP_OF(count) LOOP_OF(cost_1) LOOP_OF(cost_8) LOOP_OF(greatest) LOOP_OF(parameter)

#define STEPS_OF(name) name, name##_loop, name##_set_up, name##_clean_up, name##_begin, name##_end, whole_trace, 0, NULL, NULL
#define NO_STEPS NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL
static const struct benchmark benchmarks[] = {
    {"conformance", "count", 0, __LINE__, 0, count, count_loop, start_count, NULL, NULL, NULL, NULL, 0, NULL, NULL},
    {"conformance", "trace", 0, __LINE__, 0, STEPS_OF(steps)},
    {"conformance", "throws-set-up", 0, __LINE__, 0, STEPS_OF(in_set_up)},
    {"conformance", "throws-iteration-set-up", 0, __LINE__, 0, STEPS_OF(in_begin)},
    {"conformance", "throws-body", 0, __LINE__, 0, STEPS_OF(in_body)},
    {"conformance", "throws-iteration-clean-up", 0, __LINE__, 0, STEPS_OF(in_end)},
    {"conformance", "throws-clean-up", 0, __LINE__, 0, STEPS_OF(in_clean_up)},
    {"conformance", "cost-1", 0, __LINE__, 0, cost_1, cost_1_loop, NO_STEPS},
    {"conformance", "cost-8", 0, __LINE__, 0, cost_8, cost_8_loop, NO_STEPS},
    {"conformance", "operations", 0, __LINE__, 0, operations, operations_loop, find_operations, NULL, NULL, NULL, NULL, 0, operations, NULL},
    {"conformance", "iteration-operations", 0, __LINE__, 0, iterations, iterations_loop, start_iterations, NULL, one_more, NULL, NULL,
     0, NULL, operations},
    {"conformance", "parameter", 7, __LINE__, 0, parameter, parameter_loop, NO_STEPS},
    {"conformance", "once", 0, __LINE__, 0, once, once_loop, make_once, NULL, NULL, NULL, NULL, 0, NULL, NULL},
    {"conformance", "text-big", 0, __LINE__, 0, greatest, greatest_loop, NO_STEPS},
};
