/* The conformance benchmarks (spec/protocol.md, section 8) in C. */
#include <tare.h>
#include <tare/once.h>

static uint64_t invocations;
static void start_count(void) { invocations = 0; }
static void tell_count(void) { tare_tell(invocations); }
TARE_C_BENCH("conformance/count", .set_up = start_count, .result = tell_count) { ++invocations; }

static uint64_t in_this_process;
static void tell_process(void) { tare_tell(in_this_process); }
TARE_C_BENCH("conformance/cold-start", .strategy = TARE_COLD_START, .result = tell_process) { ++in_this_process; }
TARE_C_BENCH("conformance/monitoring", .strategy = TARE_MONITORING, .result = tell_process) { ++in_this_process; }

static char trace[1001];
static void leave(char letter, char throws) {
    const size_t length = strlen(trace);
    if (length < sizeof trace - 1) trace[length] = letter;
    if (letter == throws) tare_fail("it throws");
}
static void tell_trace(void) { tare_tell(trace); }
#define STEPS(title, name, throws)                                                                                 \
    static void name##_set_up(void) { leave('S', throws); }                                                        \
    static void name##_begin(void) { leave('s', throws); }                                                         \
    static void name##_end(void) { leave('c', throws); }                                                           \
    static void name##_clean_up(void) { leave('C', throws); }                                                      \
    TARE_C_BENCH(title, .set_up = name##_set_up, .clean_up = name##_clean_up, .iteration_set_up = name##_begin,    \
                 .iteration_clean_up = name##_end, .result = tell_trace) {                                         \
        leave('b', throws);                                                                                        \
    }
STEPS("conformance/trace", steps, '-')
STEPS("conformance/throws-set-up", in_set_up, 'S')
STEPS("conformance/throws-iteration-set-up", in_begin, 's')
STEPS("conformance/throws-body", in_body, 'b')
STEPS("conformance/throws-iteration-clean-up", in_end, 'c')
STEPS("conformance/throws-clean-up", in_clean_up, 'C')

static uint64_t found;
static void start_iterations(void) { found = 0; }
static void one_more(void) { ++found; }
static double how_many(void) { return (double)found; }
static void tell_found(void) { tare_tell(found); }
TARE_C_BENCH("conformance/iteration-operations", .set_up = start_iterations, .iteration_set_up = one_more,
             .iteration_operations = how_many, .result = tell_found) {}

static char maker[32];
static void write_maker(const char* path, void* data) {
    FILE* const file = fopen(path, "w");
    (void)data;
    if (file == NULL) tare_fail("cannot write");
    else fprintf(file, "%ld", (long)getpid()), fclose(file);
}
static void read_maker(void) {
    const char* const path = tare_once_per_run("maker", write_maker, NULL);
    FILE* const file = path == NULL ? NULL : fopen(path, "r");
    if (path == NULL) return;
    if (file == NULL || fgets(maker, sizeof maker, file) == NULL) tare_fail("cannot read");
    if (file != NULL) fclose(file);
}
static void tell_maker(void) { tare_tell(maker); }
TARE_C_BENCH("conformance/once", .set_up = read_maker, .result = tell_maker) {}

static void additions(uint64_t count) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        sum += i;
        tare_keep_state(sum);
    }
    tare_keep(sum);
}
TARE_C_BENCH("conformance/cost-1") { additions(100); }
TARE_C_BENCH("conformance/cost-8") { additions(800); }

#define TEXT(title, name, ...)                                                                                     \
    static void name(void) { tare_tell(__VA_ARGS__); }                                                             \
    TARE_C_BENCH(title, .result = name) {}
TEXT("conformance/text-integer", integer, -42)
TEXT("conformance/text-big", big, UINT64_MAX)
TEXT("conformance/text-float", fraction, 0.1)
TEXT("conformance/text-whole", whole, 2.0f)
TEXT("conformance/text-exponent", exponent, 1e21)
TEXT("conformance/text-true", truth, (bool)true)
TEXT("conformance/text-text", text, "\xc3\xa4 \"\t")
static void tell_long(void) {
    char text[601] = "";
    for (int i = 0; i < 300; ++i) strcat(text, "\xc3\xa4");
    tare_tell((const char*)text);
}
TARE_C_BENCH("conformance/text-long", .result = tell_long) {}
TARE_C_BENCH("conformance/text-nothing") {}

TARE_MAIN()
