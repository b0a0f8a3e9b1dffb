/* Samples of a process where the kernel takes none: a timer of processor time interrupts it, and the handler writes where it was, and its
   stack, to a file that the host reads.

   `tare run --diagnose profile` puts it into the environment of the process of a pass (LD_PRELOAD), never of those that it times. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

/* As `timer.rs` reads it: a page with the switch and the number of samples, then the samples one after the other, round and round. */
enum { PAGE = 4096, SLOTS = 256, HEAD = 64, STACK = 16384 };

static volatile uint64_t *page; /* whether samples are wanted, and how many were taken */
static int file = -1;

static void take(int number, siginfo_t *info, void *interrupted) {
    (void)number, (void)info;
    const int error = errno;
    const ucontext_t *const context = interrupted;
    if (page[0] != 0) {
        const uint64_t at = __atomic_fetch_add(&page[1], 1, __ATOMIC_RELAXED);
        const off_t place = PAGE + (off_t)(at % SLOTS) * (HEAD + STACK);
#if defined(__x86_64__)
        const greg_t *const all = context->uc_mcontext.gregs;
        uint64_t head[8] = {at + 1, (uint64_t)getpid(), (uint64_t)all[REG_RIP], (uint64_t)all[REG_RSP], (uint64_t)all[REG_RBP]};
#else
        const mcontext_t *const all = &context->uc_mcontext;
        uint64_t head[8] = {at + 1, (uint64_t)getpid(), all->pc, all->sp, all->regs[29], all->regs[30]};
#endif
        /* The kernel copies as much as there is. */
        const ssize_t size = pwrite(file, (const void *)(uintptr_t)head[3], STACK, place + HEAD);
        head[6] = size > 0 ? (uint64_t)size : 0;
        (void)!pwrite(file, head, sizeof head, place);
    }
    errno = error;
}

static void start(void) {
    const struct itimerval rate = {{0, 1003}, {0, 1003}};
    setitimer(ITIMER_PROF, &rate, NULL);
}

__attribute__((constructor)) static void prepare(void) {
    const char *const path = getenv("TARE_TIMER");
    if (path == NULL || (file = open(path, O_RDWR | O_CLOEXEC)) < 0) return;
    page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) return;
    struct sigaction action = {0};
    action.sa_sigaction = take;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigaction(SIGPROF, &action, NULL);
    /* A copy of the process has no timer. */
    pthread_atfork(NULL, NULL, start);
    start();
}
