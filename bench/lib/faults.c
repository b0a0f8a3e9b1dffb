/* Loaded before the C library, makes the host's files and clock as bad as they can be:
 *
 *   TARE_FAULT_BELOW=FOLDER TARE_FAULT_AT=N [TARE_FAULT_ON=1]
 *       the N-th change of a file below FOLDER fails as on a full disk; with ON all later ones too, until no file is written any more
 *   TARE_FAULT_CLOCK=SEED
 *       the clock of the day jumps up to two days back and forth
 *   TARE_FAULT_COUNT=FILE
 *       at the end the number of changes is written there
 *
 * It is for the program `tare` alone: others, and children, are as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 1024 };
static char below[PATH_MAX], counted[PATH_MAX];
static unsigned char is_ours[FILES];
static long at, seen;
static int goes_on;
static uint64_t state;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    if (strcmp(program_invocation_short_name, "tare") != 0) return;
    const char *folder = getenv("TARE_FAULT_BELOW"), *number = getenv("TARE_FAULT_AT"), *seed = getenv("TARE_FAULT_CLOCK");
    const char *count = getenv("TARE_FAULT_COUNT");
    if (folder) snprintf(below, sizeof below, "%s/", folder);
    if (number) at = atol(number);
    if (seed) state = (strtoull(seed, NULL, 10) + 1) * 0x9e3779b97f4a7c15u;
    if (count) snprintf(counted, sizeof counted, "%s", count);
    goes_on = getenv("TARE_FAULT_ON") != NULL;
}

__attribute__((destructor)) static void end(void) {
    if (counted[0] == 0) return;
    char text[40];
    int length = snprintf(text, sizeof text, "%ld\n", seen), file = REAL(open)(counted, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && REAL(write)(file, text, (size_t)length) > 0) REAL(close)(file);
}

/* Whether this change fails. */
static int fails(void) {
    long now = __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED);
    if (at == 0 || (goes_on ? now < at : now != at)) return 0;
    errno = ENOSPC;
    return 1;
}

static int is_below(int folder, const char *path) {
    char whole[PATH_MAX];
    if (below[0] == 0 || path == NULL) return 0;
    if (path[0] == '/') return strncmp(path, below, strlen(below)) == 0;
    if (folder != AT_FDCWD) return 0;
    if (getcwd(whole, sizeof whole) == NULL) return 0;
    size_t length = strlen(whole);
    snprintf(whole + length, sizeof whole - length, "/%s", path);
    return strncmp(whole, below, strlen(below)) == 0;
}

static int is_of(int file) { return file >= 0 && file < FILES && is_ours[file]; }

static int opened(int file, int flags, int ours) {
    if (file >= 0 && file < FILES) is_ours[file] = ours && (flags & (O_WRONLY | O_RDWR)) != 0;
    return file;
}

static int open_any(int folder, const char *path, int flags, mode_t mode) {
    int ours = is_below(folder, path);
    if (ours && (flags & O_CREAT) && faccessat(folder, path, F_OK, 0) != 0 && fails()) return -1;
    return opened(REAL(openat)(folder, path, flags, mode), flags, ours);
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }

int open(const char *path, int flags, ...) { MODE(flags) return open_any(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return open_any(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...);
int openat64(int folder, const char *path, int flags, ...) { MODE(flags) return open_any(folder, path, flags | O_LARGEFILE, mode); }

int close(int file) {
    if (file >= 0 && file < FILES) is_ours[file] = 0;
    return REAL(close)(file);
}

/* A full disk takes a part of what is written. */
static ssize_t written(int file, size_t length) {
    if (!is_of(file) || !fails()) return -1;
    return length > 1 && !goes_on ? (ssize_t)(length / 2) : 0;
}

ssize_t write(int file, const void *from, size_t length) {
    ssize_t part = written(file, length);
    if (part < 0) return REAL(write)(file, from, length);
    if (part == 0) { errno = ENOSPC; return -1; }
    at++; /* The rest does not fit either. */
    return REAL(write)(file, from, (size_t)part);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
    if (is_of(file) && fails()) return -1;
    return REAL(writev)(file, parts, count);
}
ssize_t pwrite(int file, const void *from, size_t length, off_t place) {
    if (is_of(file) && fails()) return -1;
    return REAL(pwrite)(file, from, length, place);
}
ssize_t pwrite64(int file, const void *from, size_t length, off64_t place) {
    if (is_of(file) && fails()) return -1;
    return REAL(pwrite64)(file, from, length, place);
}
int fsync(int file) { return is_of(file) && fails() ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return is_of(file) && fails() ? -1 : REAL(fdatasync)(file); }
int ftruncate(int file, off_t size) { return is_of(file) && fails() ? -1 : REAL(ftruncate)(file, size); }
int ftruncate64(int file, off64_t size) { return is_of(file) && fails() ? -1 : REAL(ftruncate64)(file, size); }
int rename(const char *from, const char *to) { return is_below(AT_FDCWD, to) && fails() ? -1 : REAL(rename)(from, to); }
int mkdir(const char *path, mode_t mode) { return is_below(AT_FDCWD, path) && fails() ? -1 : REAL(mkdir)(path, mode); }
int link(const char *from, const char *to) { return is_below(AT_FDCWD, to) && fails() ? -1 : REAL(link)(from, to); }

static int64_t jump(void) {
    uint64_t one = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    one = (one ^ one >> 30) * 0xbf58476d1ce4e5b9u;
    one ^= one >> 27;
    return one % 4 ? 0 : (int64_t)(one >> 8) % (2 * 86400);
}
int clock_gettime(clockid_t clock, struct timespec *time) {
    int done = REAL(clock_gettime)(clock, time);
    if (state != 0 && done == 0 && clock == CLOCK_REALTIME) time->tv_sec += jump();
    return done;
}
