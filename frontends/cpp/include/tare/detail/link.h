/* Part of <tare.h>: the link to the host, and JSON. */
#ifndef TARE_DETAIL_LINK_H_INCLUDED
#define TARE_DETAIL_LINK_H_INCLUDED
#include "cases.h"

struct tare_link_ {
    int input, output;
    size_t in_used, out_used;
    char in[1024], out[8192], last; /* the byte written last */
    bool is_walker, is_closed;      /* a walker serves until close, see walk.hpp */
    bool is_gone;                   /* the instance is gone, after a failed `randomize` */
    uint64_t choice;                /* which of its combinations is open */
    struct tare_benchmark* open;    /* NULL in the state `ready` */
    struct tare_iteration_* iterations;
    size_t room;
    double* metrics; /* all metrics of each iteration */
    size_t metric_room;
    uint64_t* cuts; /* times of windows, followed by readings */
    size_t cut_room;
    bool (*start)(struct tare_link_* link, uint64_t index, uint64_t seed); /* answers `open`; false: stop serving */
};

TARE_ENGINE_ void tare_flush_(struct tare_link_* link) {
    for (size_t done = 0; done < link->out_used;) {
        const ssize_t written = write(link->output, link->out + done, link->out_used - done);
        if (written < 0 && errno != EINTR) _exit(1); /* the host is gone */
        if (written > 0) done += (size_t)written;
    }
    link->out_used = 0;
}
TARE_ENGINE_ void tare_write_(struct tare_link_* link, const char* bytes, size_t length) {
    for (size_t i = 0; i < length; ++i) {
        if (link->out_used == sizeof link->out) tare_flush_(link);
        link->out[link->out_used++] = link->last = bytes[i];
    }
}
TARE_ENGINE_ void tare_quote_(struct tare_link_* link, const char* text, size_t length) {
    char escaped[8];
    tare_write_(link, "\"", 1);
    for (size_t i = 0, bytes; i < length; i += bytes == 0 ? 1 : bytes) {
        const unsigned char* const at = (const unsigned char*)text + i;
        bytes = tare_utf8_(at, length - i);
        const bool is_plain = bytes > 1 || (bytes == 1 && *at >= 0x20 && *at != '"' && *at != '\\');
        if (!is_plain) snprintf(escaped, sizeof escaped, "\\u%04x", bytes == 0 ? 0xfffdu : *at);
        tare_write_(link, is_plain ? text + i : escaped, is_plain ? bytes : 6);
    }
    tare_write_(link, "\"", 1);
}
/* Writes `format`, with %s: a text as is, %q: a text as a JSON string, %u: a uint64_t, %f: a double. A comma before
   the first element of a list or an object is left out. */
TARE_ENGINE_ void tare_say_(struct tare_link_* link, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (; *format != 0; ++format) {
        if (*format == ',' && (link->last == '[' || link->last == '{')) continue;
        if (*format != '%') {
            tare_write_(link, format, 1);
        } else if (*++format == 'u') {
            char digits[20];
            size_t at = sizeof digits;
            uint64_t number = va_arg(arguments, uint64_t);
            do digits[--at] = (char)('0' + number % 10);
            while ((number /= 10) != 0);
            tare_write_(link, digits + at, sizeof digits - at);
        } else if (*format == 'f') {
            char digits[48] = "";
            struct tare_text_ text = {TARE_DIGEST_START_, 0, sizeof digits, digits, false};
            tare_text_double_(&text, va_arg(arguments, double));
            tare_write_(link, digits, text.length);
        } else {
            const char* const text = va_arg(arguments, const char*);
            if (*format == 'q') tare_quote_(link, text, strlen(text));
            else tare_write_(link, text, strlen(text));
        }
    }
    va_end(arguments);
    if (link->last == '\n') tare_flush_(link);
}
TARE_ENGINE_ void tare_say_texts_(struct tare_link_* link, const char* name,
                                  const char* const texts[TARE_MAX_TEXTS_]) {
    tare_say_(link, ",%q:[", name);
    for (unsigned i = 0; i < TARE_MAX_TEXTS_ && texts[i] != NULL; ++i) tare_say_(link, ",%q", texts[i]);
    tare_say_(link, "]");
}
TARE_ENGINE_ void tare_refuse_(struct tare_link_* link, const char* kind, const char* message) {
    tare_say_(link, "{\"reply\":\"error\",\"kind\":%q%s,\"message\":%q}\n", kind,
              strcmp(kind, "version") == 0 ? ",\"versions\":[1]" : "", message);
}
/* Reports a failure of the user's code in a step of `it`. */
TARE_ENGINE_ void tare_blame_(struct tare_link_* link, const struct tare_benchmark* it, enum tare_act_ step) {
    const char* const name = step == TARE_MAKE_ || step == TARE_SET_UP_     ? "set-up"
                             : step == TARE_ITERATION_SET_UP_               ? "iteration-set-up"
                             : step == TARE_ITERATION_CLEAN_UP_             ? "iteration-clean-up"
                             : step == TARE_CLEAN_UP_ || step == TARE_DROP_ ? "clean-up"
                                                                            : "body";
    char why[sizeof tare_state_.message];
    if (tare_state_.is_skipped) { /* in the set-up of `open`, a skip is not a failure */
        memcpy(why, tare_state_.message, sizeof why);
        snprintf(tare_state_.message, sizeof tare_state_.message,
                 step == TARE_MAKE_ || step == TARE_SET_UP_
                     ? "skip(\"%.280s\") in a set-up that did not skip before: skip every time, or never"
                     : "skip(\"%.280s\") in a body: call it in the set-up, or use .skip() in the declaration",
                 why);
    }
    tare_say_(link, "{\"reply\":\"error\",\"kind\":\"exception\",\"step\":%q,\"message\":%q", name,
              tare_state_.message);
    if (tare_state_.type[0] != 0) tare_say_(link, ",\"type\":%q", tare_state_.type);
    if (it->file_ != NULL) tare_say_(link, ",\"file\":%q,\"line\":%u", it->file_, (uint64_t)it->line_);
    tare_say_(link, "}\n");
}
#endif
