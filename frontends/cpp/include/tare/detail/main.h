/* Part of <tare.h>: what the program does at its start. */
#ifndef TARE_DETAIL_MAIN_H_INCLUDED
#define TARE_DETAIL_MAIN_H_INCLUDED
#include "platform.h"
#if TARE_POSIX_
#    include "serve.h"
#else
#    include "cases.h"
#endif

/* Whether `text` matches `pattern`, where * stands for any text and ? for any character. */
TARE_ENGINE_ bool tare_matches_(const char* pattern, const char* text) {
    const char *star = NULL, *resume = NULL;
    while (*text != 0) {
        if (*pattern == '*') star = ++pattern, resume = text;
        else if (*pattern == '?') {
            ++pattern, ++text;
            while (((unsigned char)*text & 0xc0u) == 0x80) ++text; /* the rest of a UTF-8 character */
        } else if (*pattern == *text) ++pattern, ++text;
        else if (star != NULL) pattern = star, text = ++resume;
        else return false;
    }
    while (*pattern == '*') ++pattern;
    return *pattern == 0;
}
/* As in `tare run --filter`: a pattern without * and ? matches every name that contains it. */
TARE_ENGINE_ bool tare_fits_(const char* pattern, const char* name) {
    return strpbrk(pattern, "*?") == NULL ? strstr(name, pattern) != NULL : tare_matches_(pattern, name);
}
/* Makes a text fit on one line of a terminal, whatever it contains. */
TARE_ENGINE_ char* tare_plain_(char* text) {
    for (size_t i = 0, left = strlen(text), bytes; left > 0; i += bytes, left -= bytes) {
        bytes = tare_utf8_((unsigned char*)text + i, left);
        if (bytes == 0 || (unsigned char)text[i] < 0x20 || text[i] == 0x7f) text[i] = '?';
        if (bytes == 0) bytes = 1;
    }
    return text;
}
/* Writes "group/name[size=10, kind=sorted]" for the instance that was made last. */
TARE_ENGINE_ void tare_full_name_(const struct tare_benchmark* it, char* name, size_t room) {
    struct tare_text_ text = {TARE_DIGEST_START_, 0, room, name, false};
    tare_text_say_(&text, it->title);
    for (unsigned i = 0; i < tare_state_.parameters; ++i) {
        tare_text_say_(&text, i == 0 ? "[" : ", ");
        tare_text_say_(&text, tare_state_.parameter[i].name);
        tare_text_say_(&text, "=");
        tare_text_say_(&text, tare_state_.parameter[i].text);
    }
    if (tare_state_.parameters > 0) tare_text_say_(&text, "]");
    tare_plain_(name);
}
/* Runs the body of an instance once and prints the outcome. False if it failed. */
TARE_ENGINE_ bool tare_try_(struct tare_benchmark* it, bool is_made) {
    struct tare_state_* const state = &tare_state_;
    if (it->skip != NULL) return printf("  skipped: %s\n", it->skip), true;
    if (is_made && tare_step_(it, TARE_SET_UP_, 0) && tare_run_once_(it) == TARE_DROP_ &&
        tare_step_(it, TARE_CLEAN_UP_, 0)) {
        state->checked_bytes[tare_beginning_(40)] = 0;
        return printf("  ran%s%s\n", *state->checked_bytes == 0 ? "" : "  ", tare_plain_(state->checked_bytes)),
               true;
    }
    printf("  %s: %s\n", state->is_skipped ? "skipped" : "failed", tare_plain_(state->message));
    return state->is_skipped;
}
/* Prints the names of the cases that match `filter`, and runs each one unless `lists`. Returns their number;
   `*failed` counts the failures. */
TARE_ENGINE_ size_t tare_each_(const char* filter, bool lists, size_t* failed) {
    size_t index = 0, shown = 0;
    uint64_t choice = 0, ignored;
    for (struct tare_benchmark* it; (it = tare_find_(index, &choice)) != NULL; ++index) {
        char name[320];
        const bool is_made = tare_make_(it, choice, &ignored);
        tare_full_name_(it, name, sizeof name);
        if (filter == NULL || tare_fits_(filter, name)) {
            ++shown;
            printf("%s%s", name, lists ? "\n" : "");
            *failed += !lists && !tare_try_(it, is_made);
            fflush(stdout);
        }
        it->act_(it, TARE_DROP_, 0);
    }
    return shown;
}
TARE_ENGINE_ int tare_direct_(int argc, char** argv) {
    const char* filter = NULL;
    bool lists = false;
    size_t failed = 0;
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--list") == 0) lists = true;
        else if (strcmp(argv[i], "--filter") == 0 && i + 1 < argc) filter = argv[++i];
        else if (strcmp(argv[i], "--help") == 0) {
            printf("usage: %s [--list] [--filter GLOB]\n\n"
                   "Runs each benchmark of this program once; `tare run %s` measures them.\n"
                   "  --list         prints their names\n"
                   "  --filter GLOB  only those with this in group/name[param=value], or with * and ? those that "
                   "match it\n\n"
                   "Without arguments it becomes `tare run %s` when tare is on the PATH; TARE_DIRECT=1 prevents "
                   "that.\n",
                   argv[0], argv[0], argv[0]);
            return 0;
        } else {
            fprintf(stderr, "error: unknown argument %s\nhint: %s --help\n", argv[i], argv[0]);
            return 2;
        }
    }
#if TARE_POSIX_
    if (argc == 1 && getenv("TARE_DIRECT") == NULL) {
        char self[4096];
        const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        self[length > 0 ? length : 0] = 0;
        setenv("TARE_DIRECT", "1", 1);
        execlp("tare", "tare", "run", length > 0 ? self : argv[0], (char*)NULL);
    }
#endif
    if (tare_each_(filter, lists, &failed) == 0) {
        fprintf(stderr, filter == NULL ? "error: no benchmarks\n" : "error: no benchmark matches\nhint: --list\n");
        return 2;
    }
    if (!lists)
        printf("hint: `tare` on the PATH measures them; `cargo install --path crates/cli` in a clone of Tare "
               "installs it\n");
    return failed > 0 ? 1 : 0;
}

TARE_FUNCTION_ int tare_main(int argc, char** argv) {
#if TARE_POSIX_
    struct tare_link_* const link = tare_link_from_environment_();
    if (link != NULL) {
        tare_serve_(link);
        if (tare_state_.end != NULL) tare_state_.end();
        exit(0); /* normal exit: destroys static objects, so that a crash in one is noticed */
    }
#else
    if (getenv("TARE_LINK") != NULL) {
        fprintf(stderr, "error: this system has no form of TARE_LINK yet\n");
        return 2;
    }
#endif
    return tare_direct_(argc, argv);
}
#endif
