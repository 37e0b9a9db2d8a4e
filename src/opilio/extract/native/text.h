/* Text as Python would have it: white space of Unicode, words joined by blanks, blocks by line ends. */

#ifndef OPILIO_TEXT_H
#define OPILIO_TEXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#define BREAK '\f'

/* How many bytes of white space stand at a place; 0 for a letter. The text is valid UTF-8. */
static inline int blank(const uint8_t *at) {
    uint8_t first = *at;
    if (first < 0x80) return first == ' ' || (first >= 9 && first <= 13) || (first >= 0x1c && first <= 0x1f);
    if (first == 0xc2) return at[1] == 0x85 || at[1] == 0xa0 ? 2 : 0;
    if (first == 0xe1) return at[1] == 0x9a && at[2] == 0x80 ? 3 : 0;
    if (first == 0xe2) {
        if (at[1] == 0x80) return (at[2] >= 0x80 && at[2] <= 0x8a) || at[2] == 0xa8 || at[2] == 0xa9 || at[2] == 0xaf ? 3 : 0;
        return at[1] == 0x81 && at[2] == 0x9f ? 3 : 0;
    }
    return first == 0xe3 && at[1] == 0x80 && at[2] == 0x80 ? 3 : 0;
}

static inline int is_start(uint8_t byte) { return (byte & 0xc0) != 0x80; }

/* Write the words of a text, joined by blanks, and by line ends where a block begins; the length. `gone` marks bytes
   that were taken out, if there is one. `out` has room for as many bytes as the text. */
static Py_ssize_t words(const uint8_t *text, Py_ssize_t length, const uint8_t *gone, char *out, int lines) {
    Py_ssize_t at = 0, wrote = 0;
    int pause = 0; /* 1: a blank, 2: a line end, before the next word */
    while (at < length) {
        if (gone && gone[at]) {
            at++;
            continue;
        }
        int white = blank(text + at);
        if (white) {
            if (lines && text[at] == BREAK) pause = 2;
            else if (!pause) pause = 1;
            at += white;
            continue;
        }
        if (pause && wrote) out[wrote++] = pause == 2 ? '\n' : ' ';
        pause = 0;
        do out[wrote++] = (char)text[at++];
        while (at < length && ((text[at] > ' ' && text[at] < 0x7f) || !is_start(text[at])) && !(gone && gone[at]));
    }
    return wrote;
}

/* How many characters of a text are no white space. */
static Py_ssize_t letters(const uint8_t *text, Py_ssize_t length, const uint8_t *gone) {
    Py_ssize_t count = 0;
    for (Py_ssize_t at = 0; at < length;) {
        int white = gone[at] ? 1 : blank(text + at);
        if (white) at += white;
        else count += is_start(text[at++]);
    }
    return count;
}

/* The first `most` characters of a text, in bytes. */
static Py_ssize_t characters(const uint8_t *text, Py_ssize_t length, Py_ssize_t most) {
    Py_ssize_t at = 0;
    if (length <= most) return length;
    for (; at < length; at++)
        if (is_start(text[at]) && most-- == 0) break;
    return at;
}

static PyObject *string_of(const char *text, Py_ssize_t length) {
    return PyUnicode_DecodeUTF8(text, length, "strict");
}

#endif
