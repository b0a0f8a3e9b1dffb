/* Part of <tare.h>: results and values of parameters as texts, with their digests: R21 of spec/protocol.md. */
#ifndef TARE_DETAIL_TEXT_H_INCLUDED
#define TARE_DETAIL_TEXT_H_INCLUDED
#include "benchmark.h"

/* The length of the UTF-8 character at `s`, which has `left` bytes left; 0 if it is invalid. */
TARE_ENGINE_ size_t tare_utf8_(const unsigned char* s, size_t left) {
    const size_t length = s[0] < 0x80   ? 1
                          : s[0] < 0xc2 ? 0
                          : s[0] < 0xe0 ? 2
                          : s[0] < 0xf0 ? 3
                          : s[0] < 0xf5 ? 4
                                        : 0;
    if (length > left) return 0;
    for (size_t i = 1; i < length; ++i) {
        if ((s[i] & 0xc0) != 0x80) return 0;
    }
    const bool is_bad = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
                        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f);
    return is_bad ? 0 : length;
}
TARE_ENGINE_ void tare_text_put_(struct tare_text_* text, const char* bytes, size_t length) {
    for (size_t i = 0; i < length; ++i) {
        text->digest = (text->digest ^ (unsigned char)bytes[i]) * 1099511628211u;
        if (text->length + 1 < text->room) text->bytes[text->length++] = bytes[i];
        else text->is_cut = true;
    }
    if (text->room) text->bytes[text->length] = 0;
}

TARE_ENGINE_ void tare_text_say_(struct tare_text_* text, const char* string) {
    tare_text_put_(text, string, strlen(string));
}
/* Writes a text within a list, like JSON.stringify. */
TARE_ENGINE_ void tare_text_quote_(struct tare_text_* text, const char* bytes, size_t length) {
    static const char letters[] = "btn?fr"; /* for the characters 8 to 13 */
    tare_text_say_(text, "\"");
    for (size_t i = 0; i < length; ++i) {
        const unsigned char c = (unsigned char)bytes[i];
        char escaped[8] = {'\\', bytes[i], 0};
        if (c >= 0x20 && c != '"' && c != '\\') {
            tare_text_put_(text, bytes + i, 1);
            continue;
        }
        if (c >= 8 && c <= 13 && c != 11) escaped[1] = letters[c - 8];
        else if (c < 0x20) snprintf(escaped, sizeof escaped, "\\u%04x", c);
        tare_text_say_(text, escaped);
    }
    tare_text_say_(text, "\"");
}
/* Whether these digits, as a whole number times 10 to the power of `exponent`, parse to exactly `value`. */
TARE_ENGINE_ bool tare_reads_back_(const char* digits, int exponent, double value) {
    char number[48];
    snprintf(number, sizeof number, "%se%d", digits, exponent);
    const double read = strtod(number, NULL);
    return memcmp(&read, &value, sizeof read) == 0;
}
/* The shortest digits of a number > 0 that parse to the same value. Returns the position of the point: the value is
   0.DIGITS times 10 to the power of it. */
TARE_ENGINE_ int tare_shortest_(double value, char digits[24]) {
    for (int count = 1;; ++count) {
        char written[40];
        int length = 0, exponent;
        snprintf(written, sizeof written, "%.*e", count - 1, value);
        for (const char* c = written; *c != 'e'; ++c) { /* the decimal point may be a comma */
            if (*c >= '0' && *c <= '9') digits[length++] = *c;
        }
        digits[length] = 0;
        exponent = atoi(strchr(written, 'e') + 1) + 1;
        if (count == 17 || tare_reads_back_(digits, exponent - length, value)) return exponent;
        /* Above a power of two, numbers are twice as far apart as below. So among decimals of this length, the
           nearest may mean the number below, and the next one this number. */
        if (digits[length - 1] == '9') continue;
        ++digits[length - 1];
        if (tare_reads_back_(digits, exponent - length, value)) return exponent;
    }
}
TARE_ENGINE_ void tare_text_double_(struct tare_text_* text, double value) {
    char digits[24], written[48];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t magnitude = bits << 1, infinity = UINT64_MAX << 53;
    /* No comparison with itself: with -ffast-math the compiler assumes that there is no NaN. */
    if (magnitude > infinity || magnitude == 0) {
        tare_text_say_(text, magnitude == 0 ? "0" : "NaN");
        return;
    }
    if (value < 0) tare_text_say_(text, "-"), value = -value;
    if (magnitude == infinity) {
        tare_text_say_(text, "Infinity");
        return;
    }
    const int point = tare_shortest_(value, digits), length = (int)strlen(digits);
    if (point > -6 && point <= 0) {
        snprintf(written, sizeof written, "0.%.*s%s", -point, "00000", digits);
    } else if (point > 0 && point <= 21 && length <= point) {
        snprintf(written, sizeof written, "%s%.*s", digits, point - length, "00000000000000000000");
    } else if (point > 0 && point <= 21) {
        snprintf(written, sizeof written, "%.*s.%s", point, digits, digits + point);
    } else {
        snprintf(written, sizeof written, "%c%s%se%+d", digits[0], digits[1] != 0 ? "." : "", digits + 1,
                 point - 1);
    }
    tare_text_say_(text, written);
}
TARE_ENGINE_ void tare_text_signed_(struct tare_text_* text, long long value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", value);
    tare_text_say_(text, digits);
}
TARE_ENGINE_ void tare_text_unsigned_(struct tare_text_* text, unsigned long long value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%llu", value);
    tare_text_say_(text, digits);
}
TARE_ENGINE_ void tare_text_bool_(struct tare_text_* text, bool value) {
    tare_text_say_(text, value ? "true" : "false");
}

/* Ends a truncated text with its digest, so that texts with the same beginning stay different. */
TARE_ENGINE_ void tare_text_end_(struct tare_text_* text) {
    size_t start = text->length < 9 ? 0 : text->length - 9;
    if (!text->is_cut || text->room < 10) return;
    while (start > 0 && ((unsigned char)text->bytes[start] & 0xc0) == 0x80) --start; /* do not split a character */
    snprintf(text->bytes + start, text->room - start, "~%08x", (unsigned)(text->digest ^ (text->digest >> 32)));
}
#endif
