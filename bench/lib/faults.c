/* Preloaded before the C library, injects faults into the host's files and clock:
 *
 *   TARE_FAULT_BELOW=FOLDERS TARE_FAULT_COUNT=FILE TARE_FAULT_AT=N [TARE_FAULT_ON=1]
 *       the N-th change of a file below one of FOLDERS (separated by ':') fails as on a full disk; with ON all later ones too, so that
 *       no file is written any more. FILE has eight bytes of zero, in which all processes count their changes: the nodes of a cluster
 *       share a disk.
 *   TARE_FAULT_CLOCK=SEED
 *       the clock of the day jumps up to two days back and forth
 *
 * It affects only the program `tare`, not other programs or children. */
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
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 1024 };
static char below[4 * PATH_MAX];
static unsigned char is_ours[FILES];
static long at;
static int64_t alone, *seen = &alone;
/* The file that was partly written. */
static int goes_on, cut_off = -1;
static uint64_t state;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    if (strcmp(program_invocation_short_name, "tare") != 0) return;
    const char *folder = getenv("TARE_FAULT_BELOW"), *number = getenv("TARE_FAULT_AT"), *seed = getenv("TARE_FAULT_CLOCK");
    const char *count = getenv("TARE_FAULT_COUNT");
    if (folder) snprintf(below, sizeof below, "%s", folder);
    if (number) at = atol(number);
    if (seed) state = (strtoull(seed, NULL, 10) + 1) * 0x9e3779b97f4a7c15u;
    goes_on = getenv("TARE_FAULT_ON") != NULL;
    int file = count ? REAL(open)(count, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED) seen = shared;
    REAL(close)(file);
}

/* Whether this change fails. */
static int fails(void) {
    int64_t now = __atomic_add_fetch(seen, 1, __ATOMIC_RELAXED);
    if (at == 0 || (goes_on ? now < at : now != at)) return 0;
    errno = ENOSPC;
    return 1;
}

static int is_below(int folder, const char *path) {
    char whole[PATH_MAX] = "";
    if (below[0] == 0 || path == NULL) return 0;
    size_t length = 0;
    if (path[0] != '/') {
        if (folder != AT_FDCWD || getcwd(whole, sizeof whole) == NULL) return 0;
        length = strlen(whole);
        whole[length++] = '/';
    }
    snprintf(whole + length, sizeof whole - length, "%s", path);
    for (const char *one = below; *one;) {
        size_t size = strcspn(one, ":");
        if (strncmp(whole, one, size) == 0 && whole[size] == '/') return 1;
        one += size + (one[size] == ':');
    }
    return 0;
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
    if (file >= 0 && file == cut_off) cut_off = -1;
    if (file >= 0 && file < FILES) is_ours[file] = 0;
    return REAL(close)(file);
}

/* A full disk accepts a part of a write, and then refuses the rest. */
ssize_t write(int file, const void *from, size_t length) {
    if (!is_of(file)) return REAL(write)(file, from, length);
    if (file == cut_off) { cut_off = -1; errno = ENOSPC; return -1; }
    if (!fails()) return REAL(write)(file, from, length);
    if (length < 2 || goes_on) return -1;
    cut_off = file;
    return REAL(write)(file, from, length / 2);
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
ssize_t copy_file_range(int from, off64_t *of_from, int to, off64_t *of_to, size_t length, unsigned flags) {
    if (is_of(to) && fails()) return -1;
    return REAL(copy_file_range)(from, of_from, to, of_to, length, flags);
}
ssize_t sendfile(int to, int from, off_t *place, size_t count) {
    return is_of(to) && fails() ? -1 : REAL(sendfile)(to, from, place, count);
}
ssize_t sendfile64(int to, int from, off64_t *place, size_t count) {
    return is_of(to) && fails() ? -1 : REAL(sendfile64)(to, from, place, count);
}
int symlink(const char *of, const char *path) {
    return is_below(AT_FDCWD, path) && fails() ? -1 : REAL(symlink)(of, path);
}
int linkat(int old, const char *from, int new, const char *to, int flags) {
    return is_below(new, to) && fails() ? -1 : REAL(linkat)(old, from, new, to, flags);
}
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
