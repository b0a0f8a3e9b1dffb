/* Part of <tare.h>: answers the host's requests, see spec/protocol.md. */
#ifndef TARE_DETAIL_SERVE_H_INCLUDED
#define TARE_DETAIL_SERVE_H_INCLUDED
#include "list.h"

/* Reports the address of the function with the measuring loop, if known. */
TARE_ENGINE_ void tare_say_loop_(struct tare_link_* link, const struct tare_benchmark* it) {
    if (it->loop_at_ != 0) tare_say_(link, ",\"loop_address\":%u", it->loop_at_);
}
TARE_ENGINE_ bool tare_open_(struct tare_link_* link, uint64_t index, uint64_t seed) {
    uint64_t choice = 0, ignored;
    struct tare_benchmark* const it = tare_find_(index, &choice);
    tare_move_heap_(seed);
    link->choice = choice;
    link->is_gone = false;
    const bool is_made = tare_make_(it, choice, &ignored);
    const uint64_t listed = it->operations;
    struct tare_rate rates[TARE_MAX_RATES_];
    memcpy(rates, it->rates, sizeof rates);
    if (is_made && tare_step_(it, TARE_SET_UP_, 0) && tare_step_(it, TARE_COUNT_, 0)) {
        link->open = it;
        const uint64_t input_bytes = tare_input_bytes_(it);
        tare_say_(link, "{\"reply\":\"opened\"");
        if (input_bytes != 0) tare_say_(link, ",\"input_bytes\":%u", input_bytes);
        tare_say_loop_(link, it);
        if (it->operations != listed) tare_say_(link, ",\"operations\":%u", it->operations);
        tare_say_(link, ",\"rates\":{");
        for (unsigned i = 0; i < TARE_MAX_RATES_ && it->rates[i].name != NULL; ++i) {
            const struct tare_rate* const rate = &it->rates[i];
            if (rate->per_invocation <= rates[i].per_invocation && rate->per_invocation >= rates[i].per_invocation)
                continue;
            tare_say_(link, ",%q:%f", rate->name, rate->per_invocation * tare_team_size_(it));
        }
        tare_say_(link, "}}\n");
    } else if (tare_state_.is_skipped) {
        tare_refuse_(link, "skipped", tare_state_.message);
        it->act_(it, TARE_DROP_, 0);
    } else {
        tare_blame_(link, it, TARE_SET_UP_);
        it->act_(it, TARE_DROP_, 0);
    }
    return true;
}
TARE_ENGINE_ void tare_close_(struct tare_link_* link, const char* reply) {
    struct tare_benchmark* const it = link->open;
    link->open = NULL;
    const bool is_clean = link->is_gone || tare_step_(it, TARE_CLEAN_UP_, 0);
    it->act_(it, TARE_DROP_, 0);
    link->is_gone = false;
    if (is_clean) tare_say_(link, "%s", reply);
    else if (*reply != 0) tare_blame_(link, it, TARE_CLEAN_UP_);
}
/* Makes another instance elsewhere in memory. In the quick style it belongs to the caller, and stays where it is. */
TARE_ENGINE_ void tare_randomize_(struct tare_link_* link, uint64_t seed) {
    struct tare_benchmark* const it = link->open;
    uint64_t ignored;
    const bool is_clean = link->is_gone || tare_step_(it, TARE_CLEAN_UP_, 0);
    link->is_gone = true;
    if (!is_clean) {
        tare_blame_(link, it, TARE_CLEAN_UP_);
        if (!link->is_walker) it->act_(it, TARE_DROP_, 0);
        return;
    }
    if (!link->is_walker) it->act_(it, TARE_DROP_, 0);
    tare_move_heap_(seed);
    link->is_gone =
        (!link->is_walker && !tare_make_(it, link->choice, &ignored)) || !tare_step_(it, TARE_SET_UP_, 0);
    if (link->is_gone) tare_blame_(link, it, TARE_SET_UP_);
    else tare_say_(link, "{\"reply\":\"randomized\"}\n");
}
TARE_ENGINE_ void tare_check_(struct tare_link_* link) {
    const struct tare_text_* const text = &tare_state_.checked;
    const enum tare_act_ failed = tare_run_once_(link->open);
    char digest[24];
    if (failed != TARE_DROP_) {
        tare_blame_(link, link->open, failed);
    } else if (text->digest == 0) {
        tare_say_(link, "{\"reply\":\"checked\",\"digest\":null,\"text\":null}\n");
    } else {
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)text->digest);
        tare_say_(link, "{\"reply\":\"checked\",\"digest\":%q,\"text\":", digest);
        tare_quote_(link, text->bytes, tare_beginning_(200));
        tare_say_(link, "}\n");
    }
}

TARE_ENGINE_ size_t tare_count_metrics_(void) {
    size_t count = 0;
    for (const struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_) ++count;
    return count;
}
/* Runs the iterations on a stack moved by 0 to 4080 bytes, differently for each request. */
TARE_ENGINE_ enum tare_act_ tare_run_(struct tare_link_* link, enum tare_act_ loop, const uint64_t* count) {
    struct tare_iteration_ ignored;
    enum tare_act_ failed = TARE_DROP_;
    const size_t shift = tare_state_.random == 0 ? 0 : (size_t)(tare_random_() % 256) * 16;
    void* const moved = __builtin_alloca(shift + 16);
    __asm__ volatile("" : : "r"(moved) : "memory");
    struct tare_cut_ cut = {count[3], link->cuts, link->cuts == NULL ? NULL : link->cuts + count[0] * count[3]};
    if (count[2] > 0) failed = tare_iterate_(link->open, loop, count[2], NULL, &ignored);
    for (uint64_t i = 0; i < count[0] && failed == TARE_DROP_; ++i) {
        failed = tare_iterate_(link->open, loop, count[1], count[3] > 0 ? &cut : NULL, &link->iterations[i]);
        if (count[3] > 0) cut.window += count[3], cut.width += count[3] + 1;
        double* value = link->metrics == NULL ? NULL : link->metrics + i * tare_count_metrics_();
        for (struct tare_metric* it = tare_state_.metrics; it != NULL && value != NULL; it = it->next_)
            *value++ = it->value_;
    }
    return failed;
}
TARE_ENGINE_ bool tare_make_room_(struct tare_link_* link, uint64_t iterations, uint64_t windows) {
    const size_t cuts = windows == 0 ? 0 : (size_t)(iterations * (2 * windows + 1));
    const size_t metrics = (size_t)iterations * tare_count_metrics_();
    if (metrics > link->metric_room) {
        free(link->metrics);
        link->metrics = (double*)malloc(metrics * sizeof *link->metrics);
        link->metric_room = link->metrics == NULL ? 0 : metrics;
    }
    if (iterations > link->room) {
        free(link->iterations);
        link->room = iterations < 64 ? 64 : (size_t)iterations;
        link->iterations = (struct tare_iteration_*)malloc(link->room * sizeof *link->iterations);
        if (link->iterations == NULL) link->room = 0;
    }
    if (cuts > link->cut_room) {
        free(link->cuts);
        link->cut_room = cuts < 1024 ? 1024 : cuts;
        link->cuts = (uint64_t*)malloc(link->cut_room * sizeof *link->cuts);
        if (link->cuts == NULL) link->cut_room = 0;
        else memset(link->cuts, 0xff, link->cut_room * sizeof *link->cuts); /* no page fault between windows */
    }
    return link->room >= iterations && link->cut_room >= cuts && link->metric_room >= metrics;
}
/* Writes a column with one number per iteration: the member at `offset`. */
TARE_ENGINE_ void tare_say_column_(struct tare_link_* link, const char* name, size_t offset, uint64_t iterations) {
    tare_say_(link, ",%q:[", name);
    for (uint64_t i = 0; i < iterations; ++i) {
        uint64_t number;
        memcpy(&number, (const char*)&link->iterations[i] + offset, sizeof number);
        tare_say_(link, ",%u", number);
    }
    tare_say_(link, "]");
}
TARE_ENGINE_ void tare_say_numbers_(struct tare_link_* link, const char* name, const uint64_t* numbers,
                                    size_t count) {
    tare_say_(link, ",%q:[", name);
    for (size_t i = 0; i < count; ++i) tare_say_(link, ",%u", numbers[i]);
    tare_say_(link, "]");
}
TARE_ENGINE_ void tare_say_metrics_(struct tare_link_* link, uint64_t iterations) {
    const size_t count = tare_count_metrics_();
    const double* value = link->metrics;
    tare_say_(link, ",\"metrics\":{");
    for (const struct tare_metric* it = tare_state_.metrics; it != NULL; it = it->next_, ++value) {
        tare_say_(link, ",%q:[", it->name);
        for (uint64_t i = 0; i < iterations; ++i) tare_say_(link, ",%f", value[i * count]);
        tare_say_(link, "]");
    }
    tare_say_(link, "}");
}
/* Measures as requested. False: it failed, and the failure was reported. */
TARE_ENGINE_ bool tare_run_or_blame_(struct tare_link_* link, enum tare_act_ loop, const uint64_t* count) {
    if (!tare_make_room_(link, count[0], count[3])) {
        tare_refuse_(link, "not-supported", "out of memory for that many iterations");
        return false;
    }
    const enum tare_act_ failed = tare_run_(link, loop, count);
    if (failed != TARE_DROP_) tare_blame_(link, link->open, failed);
    return failed == TARE_DROP_;
}
/* The only diagnoser, `memory`: counts the allocations of iterations, whose times are then meaningless. */
TARE_ENGINE_ void tare_diagnose_(struct tare_link_* link, const uint64_t* count) {
    tare_state_.count = tare_count_memory_;
    const bool is_done = tare_run_or_blame_(link, TARE_WORKLOAD_, count);
    tare_state_.count = NULL;
    if (!is_done) return;
    tare_say_(link, "{\"reply\":\"diagnosed\",\"metrics\":{");
    for (unsigned metric = 0; metric < 3; ++metric) {
        const size_t offset = offsetof(struct tare_iteration_, counted) + metric * sizeof(uint64_t);
        tare_say_column_(link, tare_memory_metrics_[metric], offset, count[0]);
    }
    tare_say_(link, "}}\n");
}
TARE_ENGINE_ void tare_measure_(struct tare_link_* link, enum tare_act_ loop, const uint64_t* count) {
    static const struct {
        const char* name;
        size_t offset;
    } columns[] = {{"elapsed_ns", offsetof(struct tare_iteration_, elapsed)},
                   {"cpu_ns", offsetof(struct tare_iteration_, cpu)},
                   {"process_cpu_ns", offsetof(struct tare_iteration_, process_cpu)},
                   {"probe_before_ns", offsetof(struct tare_iteration_, probe_before)},
                   {"probe_after_ns", offsetof(struct tare_iteration_, probe_after)},
                   {"switches", offsetof(struct tare_iteration_, switches)},
                   {"waits", offsetof(struct tare_iteration_, waits)}};
    if (!tare_run_or_blame_(link, loop, count)) return;
    tare_say_(link, "{\"reply\":\"measured\"");
    for (unsigned i = 0; i < (TARE_HAS_SWITCHES_ ? 7 : 5); ++i)
        tare_say_column_(link, columns[i].name, columns[i].offset, count[0]);
    if (count[3] > 0) {
        const size_t windows = (size_t)(count[0] * count[3]);
        tare_say_numbers_(link, "window_ns", link->cuts, windows);
        tare_say_numbers_(link, "width_ns", link->cuts + windows, windows + (size_t)count[0]);
    }
    if (loop != TARE_OVERHEAD_ && (link->open->steps_ & TARE_HAS_ITERATION_OPERATIONS_)) {
        tare_say_(link, ",\"operations\":[");
        for (uint64_t i = 0; i < count[0]; ++i) tare_say_(link, ",%f", link->iterations[i].operations);
        tare_say_(link, "]");
    }
    if (tare_state_.metrics != NULL && loop != TARE_OVERHEAD_) tare_say_metrics_(link, count[0]);
    tare_say_(link, "}\n");
}

/* Cuts off the next word; false if there is none. There is an empty word between two spaces. */
TARE_ENGINE_ bool tare_word_(char** rest, char** word) {
    if (*rest == NULL) return false;
    *word = *rest;
    char* const space = strchr(*rest, ' ');
    if (space != NULL) *space = 0;
    *rest = space == NULL ? NULL : space + 1;
    return true;
}
TARE_ENGINE_ const char* tare_unquote_(const char* word) {
    char text[1024]; /* as long as a request */
    size_t length = 0;
    if (strcmp(word, "%") == 0) word = "";
    for (; *word != 0; ++word) {
        unsigned byte = 0;
        if (*word == '%' && sscanf(word + 1, "%2x", &byte) == 1 && byte != 0) word += 2;
        else byte = (unsigned char)*word;
        text[length++] = (char)byte;
    }
    return tare_keep_text_(text, length);
}
/* The number of declared benchmarks with the parameter `name`. Each is made once, to detect values that do not
   fit. */
TARE_ENGINE_ uint64_t tare_count_having_(const char* name) {
    uint64_t having = 0;
    for (struct tare_benchmark* it = tare_state_.first; it != NULL; it = it->next_) {
        bool has = false;
        uint64_t ignored;
        tare_make_(it, 0, &ignored);
        for (unsigned i = 0; i < tare_state_.parameters; ++i)
            has |= strcmp(tare_state_.parameter[i].name, name) == 0;
        it->act_(it, TARE_DROP_, 0);
        it->combinations_ = 0; /* to be counted again */
        tare_state_.found = NULL;
        having += has;
    }
    return having;
}
TARE_ENGINE_ void tare_set_(struct tare_link_* link, const char* name, char* values) {
    struct tare_state_* const state = &tare_state_;
    struct tare_given_* const given = (struct tare_given_*)calloc(1, sizeof *given);
    char* word;
    if (given == NULL) {
        tare_refuse_(link, "not-supported", "out of memory");
        return;
    }
    given->name = tare_unquote_(name);
    while (tare_word_(&values, &word) && given->count < TARE_MAX_GIVEN_)
        given->value[given->count++] = tare_unquote_(word);
    given->next = state->given;
    state->given = given; /* precedes older values of the same name */
    state->misfit = NULL;
    const uint64_t having = tare_count_having_(given->name);
    if (state->misfit != NULL || having == 0) state->given = given->next;
    if (state->misfit != NULL) {
        tare_count_having_(given->name);
        tare_refuse_(link, "bad-value", state->misfit);
    } else {
        tare_say_(link, "{\"reply\":\"set\",\"benchmarks\":%u}\n", having);
    }
}
/* Answers a request. False: stop serving. R9: a request that the host would not send ends the process. */
TARE_ENGINE_ bool tare_answer_(struct tare_link_* link, char* line) {
    enum { HELLO, LIST, SET, OPEN, CHECK, MEASURE, CLOSE, RANDOMIZE, BYE, DIAGNOSE, UNKNOWN };
    static const struct {
        const char* verb;
        bool has_name; /* as the first argument; numbers follow, or for `set`, words */
        char state;    /* 'r'eady, 'o'pened, or 0: both */
    } requests[] = {{"hello", false, 0},   {"list", false, 'r'},   {"set", true, 'r'},    {"open", false, 'r'},
                    {"check", false, 'o'}, {"measure", true, 'o'}, {"close", false, 'o'}, {"randomize", false, 'o'},
                    {"bye", false, 0},     {"diagnose", true, 'o'}};
    static const struct {
        const char* name;
        enum tare_act_ act;
        bool is_single;
    } loops[] = {{"workload", TARE_WORKLOAD_, false},
                 {"overhead", TARE_OVERHEAD_, false},
                 {"rolled", TARE_ROLLED_, false},
                 {"single", TARE_WORKLOAD_, true},
                 {"single-overhead", TARE_OVERHEAD_, true}};
    char *rest = line, *verb = line, *word = line, *name = line;
    uint64_t number[4] = {0, 0, 0, 0};
    unsigned request = 0, loop = 0;
    tare_word_(&rest, &verb);
    while (request < UNKNOWN && strcmp(requests[request].verb, verb) != 0) ++request;
    if (request == UNKNOWN || (requests[request].state == 'r' && link->open != NULL) ||
        (requests[request].state == 'o' && link->open == NULL)) {
        fprintf(stderr, "error: tare cannot answer `%s` here\n", verb);
        _exit(2);
    }
    if (requests[request].has_name) tare_word_(&rest, &name);
    for (unsigned i = 0; i < 4 && request != SET && tare_word_(&rest, &word); ++i)
        number[i] = strtoull(word, NULL, 10);
    while (request == MEASURE && loop < 4 && strcmp(name, loops[loop].name) != 0) ++loop;
    tare_state_.is_single = loops[loop].is_single;
    switch (request) {
    case HELLO:
        if (number[0] == 1) tare_hello_(link);
        else tare_refuse_(link, "version", "this front end speaks version 1");
        return true;
    case LIST: tare_list_(link); return true;
    case SET: tare_set_(link, name, rest); return true;
    case OPEN: return link->start(link, number[0], number[1]);
    case CHECK: tare_check_(link); return true;
    case MEASURE: tare_measure_(link, loops[loop].act, number); return true;
    case DIAGNOSE: tare_diagnose_(link, number); return true;
    case CLOSE:
        tare_close_(link, "{\"reply\":\"closed\"}\n");
        link->is_closed = true;
        return !link->is_walker;
    case RANDOMIZE: tare_randomize_(link, number[0]); return true;
    default: /* bye */
        if (link->open != NULL) tare_close_(link, "");
        fflush(NULL);
        tare_say_(link, "{\"reply\":\"bye\"}\n");
        return false;
    }
}
/* Reads a request into `line`, which is as long as `link->in`. */
TARE_ENGINE_ void tare_read_(struct tare_link_* link, char* line) {
    for (;;) {
        char* const end = (char*)memchr(link->in, '\n', link->in_used);
        if (end != NULL) {
            const size_t length = (size_t)(end - link->in);
            memcpy(line, link->in, length);
            line[length] = 0;
            link->in_used -= length + 1;
            memmove(link->in, end + 1, link->in_used);
            return;
        }
        const ssize_t got = read(link->input, link->in + link->in_used, sizeof link->in - link->in_used);
        if (got > 0) link->in_used += (size_t)got;
        else if (got == 0 || errno != EINTR) _exit(0); /* the host is gone */
    }
}
TARE_ENGINE_ void tare_serve_(struct tare_link_* link) {
    char line[sizeof link->in];
    do tare_read_(link, line);
    while (tare_answer_(link, line));
}
/* The link named by TARE_LINK, or NULL if it is not set. */
TARE_ENGINE_ struct tare_link_* tare_link_from_environment_(void) {
    static struct tare_link_ link;
    const char* const value = getenv("TARE_LINK");
    char rest;
    if (value == NULL) return NULL;
    if (sscanf(value, "fd:%d,%d%c", &link.input, &link.output, &rest) != 2 || fcntl(link.input, F_GETFD) < 0 ||
        fcntl(link.output, F_GETFD) < 0) {
        fprintf(stderr, "error: TARE_LINK=%s is not fd:R,W with two open descriptors\n", value);
        exit(2);
    }
    fcntl(link.input, F_SETFD, FD_CLOEXEC);
    fcntl(link.output, F_SETFD, FD_CLOEXEC);
    unsetenv("TARE_LINK");
    tare_state_.is_counted = getenv("TARE_CALLGRIND") != NULL;
    unsetenv("TARE_CALLGRIND");
    link.start = tare_open_;
    return &link;
}
#endif
