/* What the index is fed, in one pass over the texts of a page: words split, in lower case, each replaced by its term.
 *
 * Words of texts whose letters and digits are ASCII are found here, by the rule of ASCII_WORD in alphabet.py; for signs
 * beyond ASCII stands what signs.py says. Words of other texts are asked for. The term of a word is asked once and kept
 * in a table. splitting.py and analyzer.py are the reference: both must give the same.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST = 200, FIRST_SLOTS = 1 << 12, FIRST_BYTES = 1 << 16, MOST_PROBES = 512, SHORT_LINE = 80 };

typedef struct {
    char *bytes;
    size_t size, room;
} Buffer;

typedef struct {
    uint32_t hash;
    uint32_t page; /* the last page that held the word; 0: an empty slot */
    uint32_t key_size, term_size;
    size_t key, term; /* where they begin in the texts of the table */
} Slot;

enum { UNKNOWN, LETTER, NOTHING, APOSTROPHE, BLANK, DOT }; /* what a character beyond ASCII counts for */
enum { INNER_DOT = 0xb7, KNOWN = 0x20000 }; /* the dot of Catalan; the characters whose kinds are kept: emoji, too */

typedef struct {
    PyObject_HEAD
    PyObject *missing; /* gives the term of a word */
    PyObject *form; /* gives what stands for a sign; None for a letter and what else is no sign */
    PyObject *words; /* gives the words of a text with letters beyond ASCII */
    unsigned char kinds[KNOWN]; /* of characters, as far as they were asked for */
    Slot *slots;
    size_t mask, count, most;
    Buffer texts; /* of words and terms, one after the other */
    uint32_t page;
    int busy;
} Feeding;

static int reserve(Buffer *buffer, size_t more) {
    size_t room = buffer->room ? buffer->room : FIRST_BYTES;
    char *bytes;
    if (buffer->size + more <= buffer->room) return 0;
    while (room < buffer->size + more) room *= 2;
    bytes = PyMem_Realloc(buffer->bytes, room);
    if (!bytes) {
        PyErr_NoMemory();
        return -1;
    }
    buffer->bytes = bytes;
    buffer->room = room;
    return 0;
}

/* Words are short: their first and last bytes, which may overlap, are all there is. */
static inline void copy(char *to, const char *from, size_t size) {
    if (size > 16)
        memcpy(to, from, size);
    else if (size >= 8) {
        uint64_t first, last;
        memcpy(&first, from, 8);
        memcpy(&last, from + size - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
    } else if (size >= 4) {
        uint32_t first, last;
        memcpy(&first, from, 4);
        memcpy(&last, from + size - 4, 4);
        memcpy(to, &first, 4);
        memcpy(to + size - 4, &last, 4);
    } else
        for (size_t at = 0; at < size; at++) to[at] = from[at];
}

static inline int equal(const char *one, const char *other, size_t size) {
    if (size > 16) return !memcmp(one, other, size);
    if (size >= 8) return !memcmp(one, other, 8) && !memcmp(one + size - 8, other + size - 8, 8);
    if (size >= 4) return !memcmp(one, other, 4) && !memcmp(one + size - 4, other + size - 4, 4);
    for (size_t at = 0; at < size; at++)
        if (one[at] != other[at]) return 0;
    return 1;
}

static void append(Buffer *buffer, const char *bytes, size_t size) {
    copy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

/* Bytes after a blank, except at the beginning. */
static int append_parted(Buffer *buffer, const char *bytes, size_t size) {
    if (reserve(buffer, size + 1)) return -1;
    if (buffer->size) buffer->bytes[buffer->size++] = ' ';
    append(buffer, bytes, size);
    return 0;
}

static int make_slots(Feeding *self, size_t number) {
    Slot *slots = PyMem_Calloc(number, sizeof(Slot));
    if (!slots) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t at = 0; self->slots && at <= self->mask; at++) {
        size_t place = self->slots[at].hash & (number - 1);
        if (!self->slots[at].page) continue;
        while (slots[place].page) place = (place + 1) & (number - 1);
        slots[place] = self->slots[at];
    }
    PyMem_Free(self->slots);
    self->slots = slots;
    self->mask = number - 1;
    return 0;
}

static void forget(Feeding *self) {
    memset(self->slots, 0, (self->mask + 1) * sizeof(Slot));
    self->count = self->texts.size = 0;
}

/* The slot of a word; asks for its term when it is new. NULL: an error is set, or too many words share a hash. */
static Slot *slot_of(Feeding *self, const char *word, size_t size, uint32_t hash) {
    size_t place = hash & self->mask;
    PyObject *term;
    const char *bytes;
    Py_ssize_t term_size;
    int probes = 0;
    Slot *slot;
    for (; (slot = &self->slots[place])->page; place = (place + 1) & self->mask) {
        if (slot->hash == hash && slot->key_size == size && equal(self->texts.bytes + slot->key, word, size))
            return slot;
        if (++probes > MOST_PROBES) return NULL; /* words that somebody chose for it */
    }
    term = PyObject_CallFunction(self->missing, "s#", word, (Py_ssize_t)size);
    if (!term) return NULL;
    bytes = PyUnicode_AsUTF8AndSize(term, &term_size);
    if (!bytes || reserve(&self->texts, size + (size_t)term_size)) {
        Py_DECREF(term);
        return NULL;
    }
    if (2 * ++self->count > self->mask) {
        if (make_slots(self, 2 * (self->mask + 1))) {
            self->count--;
            Py_DECREF(term);
            return NULL;
        }
        for (place = hash & self->mask; self->slots[place].page;) place = (place + 1) & self->mask;
    }
    slot = &self->slots[place];
    slot->hash = hash;
    slot->page = UINT32_MAX; /* no page yet */
    slot->key = self->texts.size;
    slot->key_size = (uint32_t)size;
    append(&self->texts, word, size);
    slot->term = self->texts.size;
    slot->term_size = (uint32_t)term_size;
    append(&self->texts, bytes, (size_t)term_size);
    Py_DECREF(term);
    return slot;
}

/* The word's term, and the word itself if it is new on this page. */
static int take(Feeding *self, Buffer *fed, Buffer *seen, const char *word, size_t size, uint32_t hash) {
    Slot *slot = slot_of(self, word, size, hash);
    if (!slot) return -1;
    if (slot->page != self->page) {
        slot->page = self->page;
        if (append_parted(seen, word, size)) return -1;
    }
    return append_parted(fed, self->texts.bytes + slot->term, slot->term_size);
}

static unsigned char LOWER[256]; /* letters and digits in lower case; 0 for all else */

/* The size of an ending ('s, 't, 'd, 'm, 're, 've, 'll) that no letter or digit follows; 0 if there is none. */
static size_t ending(const unsigned char *at, const unsigned char *end) {
    unsigned char first, second;
    size_t size;
    if (end - at < 2 || *at != '\'') return 0;
    first = LOWER[at[1]];
    second = end - at > 2 ? LOWER[at[2]] : 0;
    if (!second) return first == 's' || first == 't' || first == 'd' || first == 'm' ? 2 : 0;
    if (((first == 'r' || first == 'v') && second == 'e') || (first == 'l' && second == 'l'))
        size = 3;
    else
        return 0;
    return (size_t)(end - at) > size && LOWER[at[size]] ? 0 : size;
}

#define HASH_BEGIN 2166136261u
#define HASH_STEP(hash, byte) (((hash) ^ (byte)) * 16777619u)
#define HASH_END(hash) ((hash) ^ ((hash) >> 15))

/* What a character beyond ASCII counts for; -1: an error is set. */
static int kind_of(Feeding *self, Py_UCS4 code) {
    PyObject *form;
    int kind = LETTER;
    if (code < KNOWN && self->kinds[code]) return self->kinds[code];
    if (code == INNER_DOT) return DOT;
    form = PyObject_CallFunction(self->form, "C", (int)code);
    if (!form) return -1;
    if (PyUnicode_Check(form) && PyUnicode_IS_ASCII(form)) {
        const char *bytes = (const char *)PyUnicode_1BYTE_DATA(form);
        Py_ssize_t size = PyUnicode_GET_LENGTH(form);
        if (!size)
            kind = NOTHING;
        else if (!memchr(bytes, '\'', (size_t)size))
            kind = BLANK;
        else if (size == 1)
            kind = APOSTROPHE;
    }
    Py_DECREF(form);
    if (code < KNOWN) self->kinds[code] = (unsigned char)kind;
    return kind;
}

/* Whether a dot may stand between two l, where it is part of a word; what follows may be anything beyond ASCII. */
static int between_ls(const char *begin, const char *to, Py_UCS4 next) {
    return to > begin && (to[-1] | 0x20) == 'l' && (next >= 128 || (next | 0x20) == 'l');
}

/* A line in ASCII, with its end, if all its letters are; gives where it ends, or -1 with an error. */
static Py_ssize_t make_plain(Feeding *self, PyObject *text, Py_ssize_t at, Buffer *plain, int *strange) {
    const void *data = PyUnicode_DATA(text);
    const int width = PyUnicode_KIND(text);
    const Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    char *begin = plain->bytes + plain->size, *to = begin; /* there is room for the whole text */
    *strange = 0;
    while (at < size) {
        Py_UCS4 code = PyUnicode_READ(width, data, at);
        at++;
        if (code < 128) {
            *to++ = (char)code;
            if (code == '\n') break;
            continue;
        }
        switch (kind_of(self, code)) {
            case NOTHING: break;
            case APOSTROPHE: *to++ = '\''; break;
            case BLANK: *to++ = ' '; break;
            case DOT:
                if (!between_ls(begin, to, at < size ? PyUnicode_READ(width, data, at) : 0)) {
                    *to++ = ' ';
                    break;
                }
                /* fallthrough */
            case LETTER:
                *strange = 1;
                at = PyUnicode_FindChar(text, '\n', at, size, 1);
                return at == -2 ? -1 : at < 0 ? size : at + 1;
            default: return -1;
        }
    }
    plain->size += (size_t)(to - begin);
    return at;
}

static int feed_ascii(Feeding *self, const unsigned char *at, size_t length, Buffer *fed, Buffer *seen, Buffer *word) {
    const unsigned char *end = at + length;
    while (at < end) {
        uint32_t hash = HASH_BEGIN;
        size_t size = 0, more;
        unsigned char letter;
        while (at < end && !LOWER[*at]) at++;
        if (at == end) break;
        if (reserve(word, LONGEST)) return -1;
        for (; size < LONGEST && at < end && (letter = LOWER[*at]); at++) {
            word->bytes[size++] = (char)letter;
            hash = HASH_STEP(hash, letter);
        }
        while ((more = ending(at, end))) {
            word->size = size;
            if (reserve(word, more)) return -1;
            for (; more; more--, at++) {
                letter = *at == '\'' ? '\'' : LOWER[*at];
                word->bytes[size++] = (char)letter;
                hash = HASH_STEP(hash, letter);
            }
        }
        word->size = 0;
        if (take(self, fed, seen, word->bytes, size, HASH_END(hash))) return -1;
    }
    return 0;
}

static int feed_words(Feeding *self, PyObject *words, Buffer *fed, Buffer *seen) {
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(words); at++) {
        Py_ssize_t size;
        uint32_t hash = HASH_BEGIN;
        PyObject *word = PyList_GET_ITEM(words, at);
        const char *bytes = PyUnicode_AsUTF8AndSize(word, &size);
        int failed;
        if (!bytes) return -1;
        for (Py_ssize_t place = 0; place < size; place++) hash = HASH_STEP(hash, (unsigned char)bytes[place]);
        Py_INCREF(word);
        failed = take(self, fed, seen, bytes, (size_t)size, HASH_END(hash));
        Py_DECREF(word);
        if (failed) return -1;
    }
    return 0;
}

/* Lines of which some have letters beyond ASCII: Python finds their words. */
static int feed_strange(Feeding *self, PyObject *text, Py_ssize_t at, Py_ssize_t end, Buffer *fed, Buffer *seen) {
    PyObject *lines = PyUnicode_Substring(text, at, end), *words = lines ? PyObject_CallOneArg(self->words, lines) : NULL;
    int failed = -1;
    Py_XDECREF(lines);
    if (!words) return -1;
    if (PyList_CheckExact(words))
        failed = feed_words(self, words, fed, seen);
    else
        PyErr_SetString(PyExc_TypeError, "words are a list");
    Py_DECREF(words);
    return failed;
}

/* A text of any kind. No word goes over the end of a line, so lines can be fed one way or the other. */
static int feed_text(Feeding *self, PyObject *text, Buffer *fed, Buffer *seen, Buffer *word, Buffer *plain) {
    Py_ssize_t size = PyUnicode_GET_LENGTH(text), end, from = -1; /* where lines for Python begin */
    if (PyUnicode_IS_ASCII(text)) return feed_ascii(self, PyUnicode_1BYTE_DATA(text), (size_t)size, fed, seen, word);
    plain->size = 0;
    if (reserve(plain, (size_t)size)) return -1;
    for (Py_ssize_t at = 0; at < size; at = end) {
        int strange;
        end = make_plain(self, text, at, plain, &strange);
        if (end < 0) return -1;
        if (strange && from < 0) {
            if (feed_ascii(self, (unsigned char *)plain->bytes, plain->size, fed, seen, word)) return -1;
            from = at;
        } else if (!strange && from >= 0 && end - at > SHORT_LINE) {
            if (feed_strange(self, text, from, at, fed, seen)) return -1;
            from = -1;
            continue;
        }
        if (from >= 0) plain->size = 0; /* short lines among those for Python go with them */
    }
    if (from >= 0) return feed_strange(self, text, from, size, fed, seen);
    return feed_ascii(self, (unsigned char *)plain->bytes, plain->size, fed, seen, word);
}

static int begin_page(Feeding *self) {
    if (self->count >= self->most || self->page >= UINT32_MAX - 1) {
        forget(self);
        self->page = 0;
    }
    self->page++;
    return 0;
}

static PyObject *fed_parts(Feeding *self, PyObject *parts) {
    Buffer fed = {0}, seen = {0}, word = {0}, plain = {0};
    PyObject *texts = PyList_New(0), *words = NULL, *answer = NULL;
    int failed = !texts;
    begin_page(self);
    for (Py_ssize_t at = 0; !failed && at < PyTuple_GET_SIZE(parts); at++) {
        PyObject *part = PyTuple_GET_ITEM(parts, at), *text;
        fed.size = 0;
        if (PyUnicode_Check(part))
            failed = feed_text(self, part, &fed, &seen, &word, &plain);
        else {
            PyErr_SetString(PyExc_TypeError, "a part is a text");
            failed = 1;
        }
        if (failed) break;
        text = PyUnicode_DecodeUTF8(fed.bytes ? fed.bytes : "", (Py_ssize_t)fed.size, NULL);
        failed = !text || PyList_Append(texts, text);
        Py_XDECREF(text);
    }
    if (!failed) words = PyUnicode_DecodeUTF8(seen.bytes ? seen.bytes : "", (Py_ssize_t)seen.size, NULL);
    if (words) answer = PyTuple_Pack(2, texts, words);
    if (!answer && !PyErr_Occurred()) {
        forget(self);
        answer = Py_NewRef(Py_None);
    }
    Py_XDECREF(words);
    Py_XDECREF(texts);
    PyMem_Free(fed.bytes);
    PyMem_Free(seen.bytes);
    PyMem_Free(word.bytes);
    PyMem_Free(plain.bytes);
    return answer;
}

PyDoc_STRVAR(feed_doc, "feed(parts) -> (fed, words) or None\n\n"
    "What the index is fed for each part, and the different words of all; None where only Python can tell: while another\n"
    "thread uses the table, and for words that make it slow.");

static PyObject *feed(PyObject *object, PyObject *parts) {
    Feeding *self = (Feeding *)object;
    PyObject *answer;
    if (!PyTuple_CheckExact(parts)) {
        PyErr_SetString(PyExc_TypeError, "the parts are a tuple");
        return NULL;
    }
    if (self->busy) Py_RETURN_NONE; /* asking for a term may let other threads run */
    self->busy = 1;
    answer = fed_parts(self, parts);
    self->busy = 0;
    return answer;
}

static int initialise(PyObject *object, PyObject *arguments, PyObject *named) {
    Feeding *self = (Feeding *)object;
    static char *names[] = {"missing", "form", "words", "most", NULL};
    PyObject *missing, *form, *words;
    Py_ssize_t most;
    if (!PyArg_ParseTupleAndKeywords(arguments, named, "OOOn", names, &missing, &form, &words, &most)) return -1;
    if (self->slots) {
        PyErr_SetString(PyExc_TypeError, "it is made already");
        return -1;
    }
    self->missing = Py_NewRef(missing);
    self->form = Py_NewRef(form);
    self->words = Py_NewRef(words);
    self->most = (size_t)most;
    return make_slots(self, FIRST_SLOTS);
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT(((Feeding *)object)->missing);
    Py_VISIT(((Feeding *)object)->form);
    Py_VISIT(((Feeding *)object)->words);
    Py_VISIT(Py_TYPE(object));
    return 0;
}

static int clear(PyObject *object) {
    Py_CLEAR(((Feeding *)object)->missing);
    Py_CLEAR(((Feeding *)object)->form);
    Py_CLEAR(((Feeding *)object)->words);
    return 0;
}

static void dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    clear(object);
    PyMem_Free(((Feeding *)object)->slots);
    PyMem_Free(((Feeding *)object)->texts.bytes);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {{"feed", feed, METH_O, feed_doc}, {NULL, NULL, 0, NULL}};
static PyType_Slot type_slots[] = {
    {Py_tp_doc, "The terms of the words of one language, and what the index is fed of texts with them."},
    {Py_tp_init, initialise}, {Py_tp_new, PyType_GenericNew}, {Py_tp_dealloc, dealloc},
    {Py_tp_traverse, traverse}, {Py_tp_clear, clear}, {Py_tp_methods, methods}, {0, NULL},
};
static PyType_Spec spec = {
    .name = "opilio.search.analysis._feeding.Feeding", .basicsize = sizeof(Feeding),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, .slots = type_slots,
};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = "_feeding", .m_size = -1};

PyMODINIT_FUNC PyInit__feeding(void) {
    PyObject *made = PyModule_Create(&module), *type = made ? PyType_FromSpec(&spec) : NULL;
    for (int code = 0; code < 128; code++)
        LOWER[code] = (unsigned char)((code >= 'A' && code <= 'Z') ? code + 32
            : (code >= 'a' && code <= 'z') || (code >= '0' && code <= '9') ? code : 0);
    if (!type || PyModule_AddObjectRef(made, "Feeding", type)) {
        Py_XDECREF(type);
        Py_XDECREF(made);
        return NULL;
    }
    Py_DECREF(type);
    return made;
}
