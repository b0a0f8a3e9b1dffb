/* Part of <tare.h>: cases, which are benchmarks with the values of their parameters. */
#ifndef TARE_DETAIL_CASES_H_INCLUDED
#define TARE_DETAIL_CASES_H_INCLUDED
#include "iteration.h"
#include "text.h"

/* Called by an instance that is being made: the index of the value of parameter `name`; 0 at other times. */
TARE_ENGINE_ size_t tare_choose_(const char* name, size_t choices, struct tare_parameter_** parameter) {
    struct tare_state_* const state = &tare_state_;
    *parameter = NULL;
    if (!state->makes) return 0;
    if (choices == 0) {
        char message[160];
        snprintf(message, sizeof message,
                 "the parameter %.60s has no values: give it at least one; linear and geometric go upwards", name);
        tare_fail(message);
    }
    if (state->parameters == TARE_MAX_PARAMETERS_) {
        tare_fail("a fixture has more than 8 parameters: split it into two benchmarks, or combine values");
    }
    if (state->has_failed) return 0;
    struct tare_parameter_* const it = *parameter = &state->parameter[state->parameters++];
    it->name = name;
    it->type = "text";
    it->choices = choices;
    if (it->chosen >= choices) it->chosen = 0;
    return it->chosen;
}

/* The values set by the host for parameter `name` of an instance that is being made, or NULL. */
TARE_FUNCTION_ const struct tare_given_* tare_given_for_(const char* name) {
    for (const struct tare_given_* it = tare_state_.given; it != NULL && tare_state_.makes; it = it->next) {
        if (strcmp(it->name, name) == 0) return it;
    }
    return NULL;
}
TARE_ENGINE_ void tare_misfit_(const char* name, const char* value, const char* type) {
    char text[300];
    const char* wanted = "a value";
    if (tare_state_.misfit != NULL) return;
    if (type != NULL && strcmp(type, "integer") == 0) wanted = "a whole number";
    if (type != NULL && strcmp(type, "float") == 0) wanted = "a number";
    if (type != NULL && strcmp(type, "boolean") == 0) wanted = "a truth value";
    snprintf(text, sizeof text, "`%.100s` is not %s that the parameter %.100s can have", value, wanted, name);
    tare_state_.misfit = tare_keep_text_(text, strlen(text));
}

TARE_ENGINE_ void tare_misfit_row_(const char* name) {
    char text[200];
    if (tare_state_.misfit != NULL) return;
    snprintf(text, sizeof text, "the parameter %.100s cannot be set: its values are declared in rows with others",
             name);
    tare_state_.misfit = tare_keep_text_(text, strlen(text));
}
/* Makes the instance of the case `choice`, counted over all combinations of its parameters. Stores the names and
   texts of its parameters in tare_state_, and returns the number of combinations. */
TARE_FUNCTION_ bool tare_make_(struct tare_benchmark* it, uint64_t choice, uint64_t* combinations) {
    struct tare_state_* const state = &tare_state_;
    if (it->invalid_ != NULL) {
        state->has_failed = false;
        state->parameters = 0;
        *combinations = 1;
        tare_fail(it->invalid_);
        return false;
    }
    for (unsigned attempt = 0;; ++attempt) {
        state->makes = true;
        state->parameters = 0;
        if (attempt == 0) {
            for (unsigned i = 0; i < TARE_MAX_PARAMETERS_; ++i) state->parameter[i].chosen = 0;
        }
        const bool is_made = tare_step_(it, TARE_MAKE_, 0);
        state->makes = false;
        if (!is_made) return false;
        *combinations = 1;
        for (unsigned i = 0; i < state->parameters; ++i) {
            *combinations *= state->parameter[i].choices;
            if (*combinations <= TARE_MAX_COMBINATIONS_) continue;
            tare_step_(it, TARE_DROP_, 0);
            *combinations = 1;
            tare_fail("its parameters have more than a million combinations: give them fewer values");
            return false;
        }
        if (attempt == 1 || choice == 0 || choice >= *combinations) return true;
        tare_step_(it, TARE_DROP_, 0);
        for (unsigned i = state->parameters; i-- > 0;) { /* the last parameter changes fastest */
            state->parameter[i].chosen = (size_t)(choice % state->parameter[i].choices);
            choice /= state->parameter[i].choices;
        }
    }
}
/* The length of the group in "group/name", up to the last slash; 0 without one. */
TARE_FUNCTION_ size_t tare_group_length_(const char* title) {
    const char* const slash = strrchr(title, '/');
    return slash == NULL || slash[1] == 0 ? 0 : (size_t)(slash - title);
}
TARE_FUNCTION_ const char* tare_name_(const char* title) {
    const size_t length = tare_group_length_(title);
    return length == 0 ? title : title + length + 1;
}

/* A benchmark without a name is invalid, but still needs one to be reported by. */
TARE_ENGINE_ void tare_name_the_nameless_(struct tare_benchmark* it) {
    char title[200];
    const char* const file = it->file_ == NULL         ? ""
                             : strrchr(it->file_, '/') ? strrchr(it->file_, '/') + 1
                                                       : it->file_;
    snprintf(title, sizeof title, "without a name, %s:%d", file, it->line_);
    it->title = tare_keep_text_(title, strlen(title));
    it->invalid_ = "its name is empty: give it one";
}
/* The reason why an instance could not be made, for people. */
TARE_ENGINE_ const char* tare_why_invalid_(void) {
    char text[600];
    const struct tare_state_* const state = &tare_state_;
    if (state->type[0] == 0) return state->message;
    snprintf(text, sizeof text, "its constructor threw %.119s: %.399s", state->type, state->message);
    return tare_keep_text_(text, strlen(text));
}
/* Compares texts, treating digits in them as numbers: "n=8" comes before "n=64". */
TARE_ENGINE_ int tare_compare_texts_(const char* a, size_t a_length, const char* b, size_t b_length) {
    const char *const a_end = a + a_length, *const b_end = b + b_length;
    while (a < a_end && b < b_end) {
        size_t m = 0, n = 0;
        while (a + m < a_end && a[m] >= '0' && a[m] <= '9') ++m;
        while (b + n < b_end && b[n] >= '0' && b[n] <= '9') ++n;
        if (m == 0 || n == 0) m = n = 1;
        if (m != n && *a != '0' && *b != '0') return m < n ? -1 : 1;
        const int order = memcmp(a, b, m < n ? m : n);
        if (order != 0 || m != n) return order != 0 ? order : m < n ? -1 : 1;
        a += m, b += n;
    }
    return (a < a_end) - (b < b_end);
}
TARE_ENGINE_ int tare_compare_titles_(const char* a, const char* b) {
    const size_t m = tare_group_length_(a), n = tare_group_length_(b);
    const int order = tare_compare_texts_(a, m, b, n);
    const char *const a_name = tare_name_(a), *const b_name = tare_name_(b);
    return order != 0 ? order : tare_compare_texts_(a_name, strlen(a_name), b_name, strlen(b_name));
}
/* Compares by title, then by order of addition. */
TARE_ENGINE_ int tare_compare_added_(const void* left, const void* right) {
    const struct tare_benchmark *const a = *(struct tare_benchmark*const*)left, *const b =
                                                                                    *(struct tare_benchmark*const*)
                                                                                        right;
    const int order = tare_compare_titles_(a->title, b->title);
    return order != 0 ? order : (a->number_ > b->number_) - (a->number_ < b->number_);
}
/* Sorts benchmarks of tare::add after the others, by title: processes may add them in different orders, for example
   when walking a hash table, and an index must mean the same benchmark in all of them. */
TARE_ENGINE_ void tare_sort_added_(void) {
    struct tare_state_* const state = &tare_state_;
    struct tare_benchmark **end = &state->first, **added = NULL;
    size_t count = 0;
    for (const struct tare_benchmark* it = state->first; it != NULL; it = it->next_) count += it->added_;
    if (count > 0) added = (struct tare_benchmark**)malloc(count * sizeof *added);
    count = 0;
    state->is_sorted = true;
    state->found = NULL;
    for (struct tare_benchmark* it = state->first; it != NULL; it = it->next_) {
        if (it->title == NULL || *it->title == 0) tare_name_the_nameless_(it);
        if (added != NULL && it->added_) added[count++] = it;
        else *end = it, end = &it->next_, state->last = it;
    }
    if (added != NULL) qsort(added, count, sizeof *added, tare_compare_added_);
    for (size_t i = 0; i < count; ++i) *end = state->last = added[i], end = &added[i]->next_;
    *end = NULL;
    free(added);
}
TARE_ENGINE_ void tare_check_options_(struct tare_benchmark* it) {
    if (it->own_time && it->ready_ != NULL && it->invalid_ == NULL)
        it->invalid_ = "threads cannot share its own time: use own_time or in_threads, not both";
    if (it->is_fed_ && it->ready_ != NULL && it->invalid_ == NULL)
        it->invalid_ = "threads cannot share its inputs: use in_threads without tare::input and tare::rotate";
    if (it->cold_caches && !TARE_HAS_FLUSH_ && it->invalid_ == NULL)
        it->invalid_ = "cold_caches is for Linux on x86-64 and AArch64";
    if (it->invocations_max == 0) it->invocations_max = it->cold_caches ? 1 : it->fed_max_;
    if (it->cold_caches && (it->invocations_max != 1 || it->invocations > 1) && it->invalid_ == NULL)
        it->invalid_ = "cold_caches leaves one invocation per iteration: leave out invocations_max and invocations";
}
/* The case `index`, counted over all benchmarks and the values of their parameters, or NULL. A benchmark that
   cannot be made counts as one case. */
TARE_ENGINE_ struct tare_benchmark* tare_find_(uint64_t index, uint64_t* choice) {
    struct tare_state_* const state = &tare_state_;
    state->has_failed = false;
    if (!state->is_sorted) tare_sort_added_();
    /* Tens of thousands may be listed one by one: continue from the last one. */
    if (state->found == NULL || index < state->before) {
        state->found = state->first;
        state->before = 0;
    }
    index -= state->before;
    for (struct tare_benchmark* it = state->found; it != NULL; it = it->next_) {
        if (it->combinations_ == 0) {
            tare_check_options_(it);
            if (!tare_make_(it, 0, &it->combinations_)) it->combinations_ = 1;
            it->act_(it, TARE_DROP_, 0);
        }
        *choice = index;
        state->found = it;
        if (index < it->combinations_) return it;
        index -= it->combinations_;
        state->before += it->combinations_;
    }
    state->found = NULL;
    return NULL;
}
/* Runs the body once and keeps its result as text. Returns the step that failed, or TARE_DROP_. */
TARE_ENGINE_ enum tare_act_ tare_run_once_(struct tare_benchmark* it) {
    struct tare_text_* const text = &tare_state_.checked;
    text->bytes = tare_state_.checked_bytes;
    text->room = sizeof tare_state_.checked_bytes;
    text->length = 0;
    text->digest = 0;
    tare_state_.wanted = 1;
    if ((it->steps_ & TARE_HAS_ITERATION_SET_UP_) != 0 && !tare_step_(it, TARE_ITERATION_SET_UP_, 0))
        return TARE_ITERATION_SET_UP_;
    if (!tare_step_(it, TARE_CHECK_, 0)) return TARE_CHECK_;
    if ((it->steps_ & TARE_HAS_ITERATION_CLEAN_UP_) != 0 && !tare_step_(it, TARE_ITERATION_CLEAN_UP_, 0))
        return TARE_ITERATION_CLEAN_UP_;
    return TARE_DROP_;
}
/* The number of bytes of the first `characters` of the body's result. */
TARE_ENGINE_ size_t tare_beginning_(unsigned characters) {
    const struct tare_text_* const text = &tare_state_.checked;
    size_t length = 0;
    for (; characters > 0 && length < text->length; --characters) {
        const size_t bytes = tare_utf8_((unsigned char*)text->bytes + length, text->length - length);
        length += bytes == 0 ? 1 : bytes;
    }
    return length;
}
#endif
