/* Takes denormal numbers for zero in the rounds in which the host wants it: the same process runs with them and without. The mode belongs
   to a thread, which looks at what is wanted where it reads the clock, as it does at the ends of each loop. Threads that are started later
   have the mode of their creator. */
#include <dlfcn.h>
#include <time.h>

struct shared {
    struct head head;
};
static struct shared *shared;

__attribute__((constructor)) static void begin(void) { shared = share("TARE_DENORMALS", sizeof *shared); }

static void flush(int wanted) {
#if defined(__x86_64__)
    const unsigned bits = 0x8040; /* results and operands */
    unsigned mode;
    __asm__ volatile("stmxcsr %0" : "=m"(mode));
    mode = wanted ? mode | bits : mode & ~bits;
    __asm__ volatile("ldmxcsr %0" : : "m"(mode));
#elif defined(__aarch64__)
    const uint64_t bit = 1u << 24;
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    mode = wanted ? mode | bit : mode & ~bit;
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#endif
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*of_system)(clockid_t, struct timespec *);
    static __thread int flushes;
    if (of_system == NULL) of_system = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    if (shared != NULL) atomic_store(&shared->head.works, 1);
    const int wanted = shared != NULL && atomic_load(&shared->head.wanted) == 1;
    if (wanted != flushes) flush(flushes = wanted);
    return of_system(clock, now);
}
