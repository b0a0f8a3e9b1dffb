/* The same in C. */
#include <tare.h>
#include <tare/once.h>
#include <sys/stat.h>

static double total(void) { return 2.5; }
TARE_C_METRIC("total", .read = total, .unit = "B", .better = TARE_LOWER, .per_iteration = true);

TARE_C_BENCH("declared/waits", .waits = true) {}
TARE_C_BENCH("declared/batch", .invocations_max = 100) {}
TARE_C_BENCH("declared/cold", .strategy = TARE_COLD_START) {}
TARE_C_BENCH("declared/launch", .environment = {"COLOUR=red=1", "EMPTY="}, .arguments = {"--one", "two words"}) {}
TARE_C_BENCH("declared/bad variable", .environment = {"COLOUR"}) {}
TARE_C_BENCH("declared/cold data", .cold_caches = true) {}
TARE_C_BENCH("declared/half cold", .cold_caches = true, .invocations_max = 2) {}
TARE_C_BENCH("declared/once cold", .cold_caches = true, .invocations = 100) {}
TARE_C_BENCH("declared/moved", .memory_randomization = true) {}

/* Once per run: a failure is not retried, not even by another process. */
static char told[500];
static void tell(void) { tare_tell(told); }
static void leave(const char* path, void* data) {
    FILE* const file = fopen(path, "w");
    if (file == NULL) tare_fail("cannot write");
    else fprintf(file, "%ld%s", (long)getpid(), (const char*)data), fclose(file);
}
static void nest(const char* path, void* data) {
    char inner[400];
    snprintf(inner, sizeof inner, "%s/inner", path);
    if (mkdir(path, 0700) != 0) tare_fail("cannot make a folder");
    leave(inner, data);
}
static void read_text(void) {
    const char* const path = tare_once_per_run("text", leave, " and more ");
    const char* const folder = tare_once_per_run("folder", nest, "");
    FILE* const file = path == NULL ? NULL : fopen(path, "r");
    if (file == NULL || fgets(told, 100, file) == NULL) tare_fail("cannot read");
    if (file != NULL) fclose(file);
    if (folder != NULL) strcat(told, folder);
}
TARE_C_BENCH("declared/made once", .set_up = read_text, .result = tell, .results = TARE_RESULTS_CHANGE) {}
static int tries;
static void refuse(const char* path, void* data) {
    char why[100];
    snprintf(why, sizeof why, "no room, try %d of %ld", ++tries, (long)getpid());
    leave(path, data);
    tare_fail(why);
}
static void make_broken(void) { tare_once_per_run("broken", refuse, ""); }
TARE_C_BENCH("declared/not made", .set_up = make_broken) {}
static void make_nothing(const char* path, void* data) { (void)path, (void)data; }
static void make_none(void) { tare_once_per_run("none", make_nothing, NULL); }
TARE_C_BENCH("declared/makes nothing", .set_up = make_none) {}
static void give_up(const char* path, void* data) { (void)path, (void)data, tare_skip("no network"); }
static void make_skipped(void) { tare_once_per_run("skipped", give_up, NULL); }
TARE_C_BENCH("declared/skips while it makes", .set_up = make_skipped) {}
static void fail_before(void) {
    tare_fail("it failed before");
    tare_once_per_run("whole", leave, "");
}
TARE_C_BENCH("declared/failed before", .set_up = fail_before) {}
static void say_done(const char* path, void* data) { leave(path, data), tare_fail("done"); }
static void make_done(void) { tare_once_per_run("says done", say_done, ""); } /* for the others no success either */
TARE_C_BENCH("declared/says done", .set_up = make_done) {}
static void leave_folder(void) { tare_once_per_run("../x", leave, ""); }
TARE_C_BENCH("declared/elsewhere", .set_up = leave_folder) {}
TARE_MAIN()
