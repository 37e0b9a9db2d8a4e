/* Character references: the frequent ones here, the others by the names that Python knows. */

#ifndef OPILIO_ENTITIES_H
#define OPILIO_ENTITIES_H

#include "text.h"

#define LONGEST_ENTITY 40

static PyObject *entities; /* html.entities.html5: "amp;" → "&", also "amp" where the standard allows it */

static inline int is_letter(char one) { return (one | 32) >= 'a' && (one | 32) <= 'z' && (one & 64); }
static inline int is_digit(char one) { return one >= '0' && one <= '9'; }

static int put_code(uint32_t code, char *out) {
    if (code < 0x80) return out[0] = (char)code, 1;
    if (code < 0x800) return out[0] = (char)(0xc0 | code >> 6), out[1] = (char)(0x80 | (code & 63)), 2;
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12), out[1] = (char)(0x80 | (code >> 6 & 63));
        return out[2] = (char)(0x80 | (code & 63)), 3;
    }
    out[0] = (char)(0xf0 | code >> 18), out[1] = (char)(0x80 | (code >> 12 & 63));
    return out[2] = (char)(0x80 | (code >> 6 & 63)), out[3] = (char)(0x80 | (code & 63)), 4;
}

/* A reference by number; NULL where the standard has a rule of its own for it. */
static const char *by_number(const char *at, const char *end, char *out, int *wrote) {
    const char *first = at += 2;
    uint32_t code = 0;
    int hexadecimal = at < end && (*at | 32) == 'x';
    if (hexadecimal) first = ++at;
    for (; at < end && code <= 0x10ffff; at++) {
        char small = *at | 32;
        if (is_digit(*at)) code = code * (hexadecimal ? 16 : 10) + (uint32_t)(*at - '0');
        else if (hexadecimal && is_letter(*at) && small <= 'f') code = code * 16 + (uint32_t)(small - 'a' + 10);
        else break;
    }
    if (at == first || code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000) ||
        (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef) || code > 0x10ffff)
        return NULL;
    *wrote = put_code(code, out);
    return at < end && *at == ';' ? at + 1 : at;
}

static int known_name(const char *name, size_t length, char *out) {
    PyObject *key = PyUnicode_FromStringAndSize(name, (Py_ssize_t)length), *value;
    Py_ssize_t size = 0;
    if (!key) return -1;
    value = PyDict_GetItemWithError(entities, key);
    Py_DECREF(key);
    if (!value) return PyErr_Occurred() ? -1 : 0;
    const char *bytes = PyUnicode_AsUTF8AndSize(value, &size);
    if (!bytes) return -1;
    memcpy(out, bytes, (size_t)size);
    return (int)size;
}

/* Write what a "&" begins and say where to go on; NULL when the parser has to decide, or with an exception. */
static const char *entity(const char *at, const char *end, char *out, int *wrote, int in_attribute) {
    const char *name = at + 1, *stop = name;
    if (name < end && *name == '#') return by_number(at, end, out, wrote);
    while (stop < end && stop - name < LONGEST_ENTITY && (is_letter(*stop) || is_digit(*stop))) stop++;
    if (stop < end && *stop == ';') {
        size_t length = (size_t)(stop - name);
        char quick = 0;
        if (length == 2 && name[1] == 't') quick = name[0] == 'l' ? '<' : name[0] == 'g' ? '>' : 0;
        else if (length == 3 && !memcmp(name, "amp", 3)) quick = '&';
        else if (length == 4 && !memcmp(name, "quot", 4)) quick = '"';
        if (quick) return *out = quick, *wrote = 1, stop + 1;
        if ((*wrote = known_name(name, length + 1, out)) < 0) return NULL;
        if (*wrote) return stop + 1;
    }
    for (const char *cut = stop; cut - name >= 2; cut--) {
        if ((*wrote = known_name(name, (size_t)(cut - name), out)) < 0) return NULL;
        if (!*wrote) continue;
        if (in_attribute && cut < end && (*cut == '=' || is_letter(*cut) || is_digit(*cut))) break;
        return cut;
    }
    *out = '&';
    *wrote = 1;
    return name;
}

#endif
