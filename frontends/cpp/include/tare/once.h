/* Tare for C: data made once for all processes of a run. Licence: MIT OR Apache-2.0. See frontends/cpp/README.md.
 * once.hpp for C++ is based on it.
 *
 *     #include <tare.h>
 *     #include <tare/once.h>
 *
 *     static void build(const char* path, void* data) { if (!write_index(path)) tare_fail("the disk is full"); }
 *     static void set_up(void) {
 *         const char* path = tare_once_per_run("index", build, NULL);
 *         if (path != NULL) open_index(path);
 *     }
 *
  * A run starts several processes of each benchmark, and each runs the set-up. If something takes long to make and
  * is the same for all of them, the first process that needs it makes it, in a folder that the host provides to
  * this program for the run (spec/protocol.md, R27). The others wait, and find it there. Without a host, each
  * process has its own folder, which is removed with the process. */
#ifndef TARE_ONCE_H_INCLUDED
#define TARE_ONCE_H_INCLUDED
#include <tare.h>

#if !TARE_POSIX_
#    error "tare/once.h needs POSIX"
#endif

#include <errno.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/stat.h>

enum { TARE_ONCE_PATH_ = 4096, TARE_ONCE_FAULT_ = 300, TARE_ONCE_NAME_ = 200 };

/* The folder of this program and run, for all files of the program. */
struct tare_once_folder_ {
    char path[TARE_ONCE_PATH_];
    pid_t owner; /* 0: the host's */
};
TARE_WEAK_ struct tare_once_folder_ tare_once_folder_;

/* Fails the set-up with this reason. */
TARE_ENGINE_ const char* tare_once_fail_(const char* name, const char* why) {
    char text[TARE_ONCE_NAME_ + TARE_ONCE_FAULT_ + 50];
    snprintf(text, sizeof text, "`%.*s` could not be made for the run: %s", (int)TARE_ONCE_NAME_, name, why);
    tare_fail(text);
    return NULL;
}
TARE_ENGINE_ void tare_once_error_(char fault[TARE_ONCE_FAULT_], const char* what, const char* path) {
    const char* const why = strerror(errno);
    snprintf(fault, TARE_ONCE_FAULT_, "%s `%.150s`: %s", what, path, why);
}
TARE_ENGINE_ int tare_once_remove_(const char* path, const struct stat* about, int kind, struct FTW* place) {
    (void)about, (void)kind, (void)place;
    remove(path);
    return 0;
}
TARE_ENGINE_ void tare_once_end_(void) {
    if (tare_once_folder_.owner == 0 || tare_once_folder_.owner != getpid()) return; /* in a fork of the process */
    tare_once_folder_.owner = 0;
    nftw(tare_once_folder_.path, tare_once_remove_, 16, FTW_DEPTH | FTW_PHYS);
    tare_once_folder_.path[0] = 0;
}
/* Finds the run's folder, or makes one for this process. */
TARE_ENGINE_ bool tare_once_begin_(char fault[TARE_ONCE_FAULT_]) {
    struct tare_once_folder_* const folder = &tare_once_folder_;
    if (folder->path[0] != 0) return true;
    const char *given = getenv("TARE_RUN_FOLDER"), *place = getenv("TMPDIR");
    const bool is_given = given != NULL && *given != 0;
    if (place == NULL || *place == 0) place = "/tmp";
    const int length = snprintf(folder->path, sizeof folder->path, is_given ? "%s" : "%s/tare-once-XXXXXX",
                                is_given ? given : place);
    if (length < 0 || (size_t)length >= sizeof folder->path) {
        errno = ENAMETOOLONG;
        tare_once_error_(fault, "cannot use the folder", is_given ? given : place);
        folder->path[0] = 0;
        return false;
    }
    if (is_given) return true;
    if (mkdtemp(folder->path) == NULL) {
        tare_once_error_(fault, "cannot make a folder in", place);
        folder->path[0] = 0;
        return false;
    }
    folder->owner = getpid();
    tare_state_.end = tare_once_end_; /* a child of a host does not run functions of atexit() */
    atexit(tare_once_end_);
    return true;
}
TARE_ENGINE_ bool tare_once_is_name_(const char* name) {
    return name != NULL && *name != 0 && *name != '.' && strlen(name) <= TARE_ONCE_NAME_ &&
           strchr(name, '/') == NULL;
}
TARE_ENGINE_ bool tare_once_write_(int file, const char* text) {
    const size_t length = strlen(text);
    return ftruncate(file, 0) == 0 && pwrite(file, text, length, 0) == (ssize_t)length;
}
/* Calls `make`. `fault` gets the error, including one from tare_fail(). An earlier failure of the set-up stays the
   failure, and is not attributed to `make`. */
TARE_ENGINE_ void tare_once_call_(void (*make)(const char*, void*), const char* path, void* data,
                                  char fault[TARE_ONCE_FAULT_]) {
    struct tare_state_* const state = &tare_state_;
    const bool has_failed = state->has_failed, is_skipped = state->is_skipped;
    char before[sizeof state->message];
    struct stat there;
    memcpy(before, state->message, sizeof before);
    state->has_failed = state->is_skipped = false;
    make(path, data);
    fault[0] = 0;
    if (state->has_failed && state->is_skipped)
        snprintf(fault, TARE_ONCE_FAULT_, "`skip(\"%.200s\")` in its function: call it in the set-up",
                 state->message);
    else if (state->has_failed)
        snprintf(fault, TARE_ONCE_FAULT_, "%.290s",
                 state->message[0] != 0 ? state->message : "its function failed without a reason");
    else if (stat(path, &there) != 0)
        snprintf(fault, TARE_ONCE_FAULT_, "its function created nothing at the given path");
    state->has_failed = has_failed;
    state->is_skipped = is_skipped;
    memcpy(state->message, before, sizeof before);
}

/* Makes a file or folder once for all processes of a run, and returns its path, which stays valid. `make` gets the
 * path and `data`, and creates it there. It is called in one process while the others wait. If it calls
 * tare_fail(), the set-up fails in every process, without a retry. This function then returns NULL, and the failure
 * has been reported.
 *
 * The name is a file name. Include anything that changes the content: "values-1000". */
TARE_ENGINE_ const char* tare_once_per_run(const char* name, void (*make)(const char* path, void* data),
                                           void* data) {
    char fault[TARE_ONCE_FAULT_] = "", state[TARE_ONCE_FAULT_ + 1] = "",
         path[TARE_ONCE_PATH_ + 2 * TARE_ONCE_NAME_];
    ssize_t length;
    int file, locked;
    if (!tare_once_is_name_(name))
        return tare_once_fail_(name == NULL ? "" : name,
                               "the name must be a file name: without `/`, and without a dot at its beginning");
    if (!tare_once_begin_(fault)) return tare_once_fail_(name, fault);
    /* The state is in a file that one process at a time locks: empty until a process begins to make it, then
       `done`, or `!` and the error. */
    snprintf(path, sizeof path, "%s/.%s.state", tare_once_folder_.path, name);
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    do locked = file < 0 ? -1 : flock(file, LOCK_EX);
    while (file >= 0 && locked != 0 && errno == EINTR);
    if (locked != 0) {
        tare_once_error_(fault, "cannot lock it in", tare_once_folder_.path);
        if (file >= 0) close(file);
        return tare_once_fail_(name, fault);
    }
    snprintf(path, sizeof path, "%s/%s", tare_once_folder_.path, name);
    length = pread(file, state, sizeof state - 1, 0);
    state[length > 0 ? length : 0] = 0;
    if (length == 0 && !tare_once_write_(file, "!the process that made it ended before it was finished")) {
        tare_once_error_(fault, "cannot write in", tare_once_folder_.path);
    } else if (length <= 0) {
        if (length < 0) tare_once_error_(fault, "cannot read in", tare_once_folder_.path);
        else tare_once_call_(make, path, data, fault);
        snprintf(state, sizeof state, "%s%s", fault[0] == 0 ? "done" : "!", fault);
        if (length == 0) tare_once_write_(file, state);
    } else if (strcmp(state, "done") != 0) {
        snprintf(fault, sizeof fault, "%s", state + 1);
    }
    flock(file, LOCK_UN); /* a process started by `make` may have inherited it and keep it open */
    close(file);
    return fault[0] != 0 ? tare_once_fail_(name, fault) : tare_keep_text_(path, strlen(path));
}

#endif
