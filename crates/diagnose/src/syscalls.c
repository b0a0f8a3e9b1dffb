/* Counts system calls of a process: a process of its own traces it while iterations run (ptrace), and lets it go between them.

   It is no child of the benchmark's process, which may wait for its children. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <linux/futex.h>
#include <linux/ptrace.h>

#define NUMBERS 1024
struct shared {
    struct head head;
    _Atomic uint32_t traces; /* 1 while the process is traced */
    _Atomic uint32_t error;  /* why it cannot be */
    _Atomic uint64_t tracer; /* the process that traces */
    _Atomic uint64_t waits;  /* for a futex */
    _Atomic uint64_t calls[NUMBERS];
    char names[NUMBERS][24];
};
static struct shared *shared;

#define N(name) {SYS_##name, #name}
static const struct { int number; const char *name; } names[] = {
    N(accept4), N(bind), N(brk), N(clock_gettime), N(clock_nanosleep), N(clone), N(clone3), N(close), N(connect), N(dup), N(dup3),
    N(epoll_ctl), N(epoll_pwait), N(eventfd2), N(execve), N(exit), N(exit_group), N(fallocate), N(fcntl), N(fdatasync), N(flock),
    N(fstat), N(fsync), N(ftruncate), N(futex), N(getcwd), N(getdents64), N(getpid), N(getppid), N(getrandom), N(getrusage),
    N(gettid), N(gettimeofday), N(getuid), N(io_uring_enter), N(ioctl), N(kill), N(listen), N(lseek), N(madvise), N(mkdirat), N(mmap),
    N(mprotect), N(mremap), N(munmap), N(nanosleep), N(newfstatat), N(openat), N(pipe2), N(ppoll), N(prctl), N(pread64), N(preadv),
    N(prlimit64), N(pselect6), N(pwrite64), N(pwritev), N(read), N(readlinkat), N(readv), N(recvfrom), N(recvmsg), N(renameat2),
    N(rseq), N(rt_sigaction), N(rt_sigprocmask), N(rt_sigreturn), N(sched_getaffinity), N(sched_setaffinity), N(sched_yield),
    N(sendmsg), N(sendto), N(set_robust_list), N(setsockopt), N(shutdown), N(socket), N(splice), N(statx), N(tgkill), N(timerfd_settime),
    N(unlinkat), N(wait4), N(waitid), N(write), N(writev),
#ifdef SYS_open
    N(access), N(epoll_wait), N(fork), N(lstat), N(open), N(pipe), N(poll), N(rename), N(select), N(stat), N(time), N(unlink), N(vfork),
#endif
};

static void pause_us(long us) {
    const struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

/* Calls `does` for each thread of a process. */
static int each_thread(pid_t process, int (*does)(pid_t)) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *const threads = opendir(path);
    if (threads == NULL) return 0;
    int done = 0;
    for (const struct dirent *entry; (entry = readdir(threads)) != NULL;) {
        const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        if (thread > 0) done += does(thread);
    }
    closedir(threads);
    return done;
}

static int seize(pid_t thread) {
    if (ptrace(PTRACE_SEIZE, thread, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE)) != 0) {
        /* A thread that was started meanwhile, or has ended, is no failure. */
        if (errno == EPERM && !atomic_load(&shared->traces)) atomic_store(&shared->error, (uint32_t)errno);
        return 0;
    }
    ptrace(PTRACE_INTERRUPT, thread, NULL, NULL);
    return 1;
}

/* The call that a thread is in, by the last digits of its number: from 1, with the highest bit if it waits for a futex. */
static uint32_t calls[1 << 16];
#define CALL_OF(thread) calls[(uint32_t)(thread) & 0xffff]
#define WAITS (UINT32_C(1) << 31)

/* A call counts when it returns. So what the process waits in while it is not traced never counts, however long it was looked at. */
static void count(pid_t thread) {
    struct ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0) {
        atomic_store(&shared->error, (uint32_t)errno);
        return;
    }
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
        const uint64_t number = info.entry.nr < NUMBERS ? info.entry.nr : NUMBERS - 1;
        const uint64_t operation = info.entry.args[1] & FUTEX_CMD_MASK;
        const int waits = operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI ||
                          operation == FUTEX_WAIT_REQUEUE_PI;
        CALL_OF(thread) = ((uint32_t)number + 1) | (number == SYS_futex && waits ? WAITS : 0);
    } else if (CALL_OF(thread) != 0) {
        atomic_fetch_add(&shared->calls[(CALL_OF(thread) & ~WAITS) - 1], 1);
        if (CALL_OF(thread) & WAITS) atomic_fetch_add(&shared->waits, 1);
        CALL_OF(thread) = 0;
    }
}

/* A traced thread has stopped: it goes on. Returns 0 where it ended. */
static int goes_on(pid_t thread, int status) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) return 0;
    const int sign = WSTOPSIG(status), event = status >> 16;
    if (sign == (SIGTRAP | 0x80)) {
        count(thread);
        ptrace(PTRACE_SYSCALL, thread, NULL, NULL);
    } else if (event == PTRACE_EVENT_STOP && sign != SIGTRAP) {
        ptrace(PTRACE_LISTEN, thread, NULL, NULL); /* a signal has stopped all of it */
    } else {
        ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)(event != 0 ? 0 : sign));
    }
    return 1;
}

static int interrupt(pid_t thread) { return ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) == 0; }

/* Lets all threads go. Each has to stop for it; whatever it stops for next is that stop. */
static void release(pid_t process) {
    for (int left = each_thread(process, interrupt); left > 0; --left) {
        int status;
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) break;
        if (!WIFSTOPPED(status)) continue;
        const int sign = WSTOPSIG(status), is_of_tracing = sign == (SIGTRAP | 0x80) || status >> 16 != 0;
        CALL_OF(thread) = 0;
        ptrace(PTRACE_DETACH, thread, NULL, (void *)(intptr_t)(is_of_tracing ? 0 : sign));
    }
}

/* It waits for the host. Before, it may only lack a processor to return from its last call. */
static int is_asleep(pid_t process) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *const file = fopen(path, "r");
    if (file == NULL) return 1;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    const char *const name = strrchr(text, ')');
    return name == NULL || name[1] == 0 || name[2] == 'S';
}

static void trace(pid_t process) {
    const int seized = each_thread(process, seize);
    int is_alive = seized > 0;
    if (!is_alive) {
        atomic_store(&shared->head.wanted, 0);
        return;
    }
    /* All of them stop once: from then on each of their calls is seen. */
    for (int i = 0; i < seized; ++i) {
        int status;
        const pid_t thread = waitpid(-1, &status, __WALL);
        if (thread > 0) goes_on(thread, status);
    }
    atomic_store(&shared->traces, 1);
    for (int idle = 0; is_alive;) {
        int status;
        const pid_t thread = waitpid(-1, &status, __WALL | WNOHANG);
        if (thread > 0) {
            idle = 0;
            if (!goes_on(thread, status) && thread == process) is_alive = 0;
        } else if (thread < 0) {
            is_alive = 0;
        } else if (++idle > 100) {
            if (!atomic_load(&shared->head.wanted) && is_asleep(process)) break;
            pause_us(20);
        }
    }
    if (!is_alive) _exit(0);
    release(process);
    atomic_store(&shared->traces, 0);
}

static void follow(pid_t process) {
    atomic_store(&shared->tracer, (uint64_t)getpid());
    while (kill(process, 0) == 0) {
        const uint32_t wanted = atomic_load(&shared->head.wanted);
        if (wanted == 1) trace(process);
        else if (wanted == 2) break;
        else pause_us(200);
    }
    _exit(0);
}

__attribute__((constructor)) static void begin(void) {
    shared = share("TARE_SYSTEM_CALLS", sizeof *shared);
    if (shared == NULL) return;
    const pid_t process = getpid();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    const pid_t between = fork();
    if (between < 0) return;
    if (between == 0) {
        if (fork() != 0) _exit(0);
        /* Nothing of the process stays open: who reads from it waits for its end. */
        for (int file = 0; file < 1024; ++file) close(file);
        follow(process);
    }
    while (waitpid(between, NULL, 0) < 0 && errno == EINTR) {}
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        strncpy(shared->names[names[i].number], names[i].name, sizeof *shared->names - 1);
    }
    atomic_store(&shared->head.works, 1);
}
