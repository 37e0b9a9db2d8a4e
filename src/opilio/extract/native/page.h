/* What is known of the page that is being read: open elements, extents in the text, links. */

#ifndef OPILIO_PAGE_H
#define OPILIO_PAGE_H

#include "elements.h"
#include "entities.h"

#define MOST_ATTRIBUTES 48
#define MOST_OPEN 200
#define MOST_DEEP 50       /* of an element whose extent counts; further up nobody looks for `html` */
#define MOST_BLOCKS 6      /* inside formatting that ends; the standard has a limit of eight */
#define MOST_EXTENTS 200000
#define MOST_HEADINGS 900
#define MOST_BOILERPLATE 1900
#define MOST_LIST_BYTES 400000 /* half of what `html_text` reads of lists, as is the next of what `Walk` reads */
#define MOST_READ_BYTES 900000

typedef struct {
    const char *name, *value; /* value: NULL without one */
    int name_length, value_length;
} Attribute;

typedef struct {
    const char *name;
    size_t length;
    const Element *element;
    Attribute attributes[MOST_ATTRIBUTES];
    int count;
} Tag;

enum { X_LINK = 1, X_HREF = 2, X_ROLE = 4, X_JUMP = 8, X_REMOVED = 16 };

/* An element whose text counts: from where to where, in which other one, and the last one inside it. */
typedef struct {
    const Element *element;
    int start, end, parent, last, flags;
    int headings; /* that began before it */
} Extent;

typedef struct {
    const char *name; /* in small letters only where the element is not known */
    size_t length;
    const Element *element;
    int extent;  /* -1: its text does not count */
    int heading; /* -1: it is none */
} Open;

typedef struct {
    PyObject *href, *rel;
    int extent;
    const char *title, *label, *alt; /* raw values, for a link without text */
    int title_length, label_length, alt_length, has_alt;
} Ref;

typedef struct {
    int level, start, end;
} HeadingText;

typedef struct {
    const char *at, *end;
    int anchors, boilerplate, scripts;
    char *text, *gone, *spare;
    int length; /* of the text */
    Open open[MOST_OPEN];
    int depth;
    Extent *extents;
    int extent_count, extent_room, inside; /* inside: the innermost open extent */
    Ref *refs;
    int ref_count, ref_room;
    HeadingText *headings;
    int heading_count, open_headings;
    int open_link; /* the extent of the open link that leads somewhere; -1 */
    int form_open, seen_html, seen_body, based, list_bytes, read_bytes, lists, regions, in_select;
    PyObject *events, *title, *language;
} Page;

/* Answers of all that follows: 1 to go on, 0 when the parser has to read the page, -1 with an exception. */

static const Attribute *attribute(const Tag *tag, const char *name) {
    int length = (int)strlen(name);
    for (int i = 0; i < tag->count; i++) {
        const Attribute *one = &tag->attributes[i];
        if (one->name_length == length && !strncasecmp(one->name, name, (size_t)length)) return one;
    }
    return NULL;
}

/* A text with its references resolved, as a string; NULL and `odd` when the parser has to decide. */
static PyObject *decoded(const char *value, int length, int *odd, int in_attribute) {
    if (!length) return PyUnicode_New(0, 0);
    if (memchr(value, '<', (size_t)length) || memchr(value, '\r', (size_t)length)) return *odd = 1, NULL;
    if (!memchr(value, '&', (size_t)length)) return string_of(value, length);
    char small[1024], *out = length < 500 ? small : PyMem_Malloc((size_t)length * 2 + 16);
    if (!out) return PyErr_NoMemory();
    const char *at = value, *end = value + length;
    int wrote = 0, piece;
    while (at && at < end) {
        if (*at != '&') out[wrote++] = *at++;
        else if ((at = entity(at, end, out + wrote, &piece, in_attribute))) wrote += piece;
    }
    PyObject *found = at ? string_of(out, wrote) : NULL;
    if (!at && !PyErr_Occurred()) *odd = 1;
    if (out != small) PyMem_Free(out);
    return found;
}

static PyObject *value_of(const char *value, int length, int *odd) { return decoded(value, length, odd, 1); }

static PyObject *lower_name(const char *name, int length) {
    char small[64];
    if (length > 60) return NULL;
    for (int i = 0; i < length; i++) small[i] = name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 32 : name[i];
    return string_of(small, length);
}

/* Hand an element over to Python: where it stands among the links, its name, its attributes, its text. */
static int tell(Page *page, const Tag *tag, const char *text, Py_ssize_t length) {
    PyObject *attributes = PyDict_New(), *event;
    int odd = 0, failed = !attributes;
    for (int i = 0; i < tag->count && !failed; i++) {
        const Attribute *one = &tag->attributes[i];
        PyObject *name = lower_name(one->name, one->name_length), *value = Py_None;
        if (!name) {
            odd = !PyErr_Occurred(), failed = 1;
            break;
        }
        if (one->value) value = value_of(one->value, one->value_length, &odd);
        else Py_INCREF(Py_None);
        failed = !value || !PyDict_SetDefault(attributes, name, value);
        Py_DECREF(name);
        Py_XDECREF(value);
    }
    if (failed) {
        Py_XDECREF(attributes);
        return odd && !PyErr_Occurred() ? 0 : -1;
    }
    event = Py_BuildValue("(isNs#)", page->ref_count, tag->element->name, attributes, text, length);
    failed = !event || PyList_Append(page->events, event);
    Py_XDECREF(event);
    return failed ? -1 : 1;
}

static int grown(void **array, int count, int *room, size_t size) {
    if (count < *room) return 1;
    int wanted = *room ? *room * 2 : 256;
    void *larger = PyMem_Realloc(*array, (size_t)wanted * size);
    if (!larger) return PyErr_NoMemory(), -1;
    *array = larger;
    *room = wanted;
    return 1;
}

/* Begin an extent at the end of the text so far. */
static int begin_extent(Page *page, const Element *element, int flags) {
    if (page->extent_count >= MOST_EXTENTS || page->depth > MOST_DEEP) return 0;
    int ready = grown((void **)&page->extents, page->extent_count, &page->extent_room, sizeof(Extent));
    if (ready < 1) return ready;
    page->extents[page->extent_count] = (Extent){
        .element = element ? element : &UNKNOWN, .start = page->length, .end = -1, .parent = page->inside, .last = page->extent_count,
        .flags = flags, .headings = page->heading_count};
    page->inside = page->extent_count++;
    return 1;
}

/* Close the innermost open element. */
static int close_one(Page *page, int by_itself) {
    Open *open = &page->open[--page->depth];
    if (open->heading >= 0) {
        page->headings[open->heading].end = page->length;
        page->open_headings--;
        if ((page->read_bytes += page->length - page->headings[open->heading].start) > MOST_READ_BYTES) return 0;
    }
    if (open->extent < 0) return 1;
    Extent *extent = &page->extents[open->extent];
    extent->end = page->length;
    extent->last = page->extent_count - 1;
    if (extent->flags & X_LINK && (page->read_bytes += extent->end - extent->start) > MOST_READ_BYTES) return 0;
    page->inside = extent->parent;
    if (open->extent == page->open_link) {
        page->open_link = -1;
        if (!by_itself) return 0; /* the parser opens the link again further on */
    }
    if (extent->element->flags & LIST && (page->list_bytes += extent->end - extent->start) > MOST_LIST_BYTES) return 0;
    return 1;
}

/* Close elements down to a place on the stack, that one included. */
static int close_to(Page *page, int place) {
    while (page->depth > place) {
        int done = close_one(page, page->depth - 1 == place);
        if (done < 1) return done;
    }
    return 1;
}

static inline int same_name(const Open *open, const Tag *tag) {
    if (open->element || tag->element) return open->element == tag->element;
    return open->length == tag->length && !strncasecmp(open->name, tag->name, tag->length);
}

#endif
