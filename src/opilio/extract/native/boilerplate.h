/* Out of the gathered text: texts of links and headings, boilerplate, and the rest.

   The rules are those of `html_text`: regions first, then elements by their role, then lists of links. */

#ifndef OPILIO_BOILERPLATE_H
#define OPILIO_BOILERPLATE_H

#include "page.h"

#define MAX_ANCHOR 500
#define LINKED 0.7
#define FEWEST 3

/* A text on one line, not too long, as `links.anchor` makes it. */
static PyObject *one_line(Page *page, const char *text, Py_ssize_t length) {
    const uint8_t *bytes = (const uint8_t *)text;
    length = characters(bytes, length, 4 * MAX_ANCHOR);
    Py_ssize_t wrote = words(bytes, length, NULL, page->spare, 0);
    return string_of(page->spare, characters((uint8_t *)page->spare, wrote, MAX_ANCHOR));
}

static PyObject *lines_of(Page *page, const char *text, Py_ssize_t length, const uint8_t *gone) {
    return string_of(page->spare, words((const uint8_t *)text, length, gone, page->spare, 1));
}

static PyObject *heading_list(Page *page) {
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < page->heading_count; i++) {
        HeadingText *one = &page->headings[i];
        PyObject *text = one_line(page, page->text + one->start, one->end - one->start);
        PyObject *made = NULL;
        if (text && !PyUnicode_GET_LENGTH(text)) {
            Py_DECREF(text);
            one->level = 0; /* nothing to read: it is none */
            continue;
        }
        if (text) made = Py_BuildValue("(iN)", one->level, text);
        if (!made || PyList_Append(list, made)) Py_CLEAR(list);
        Py_XDECREF(made);
    }
    return list;
}

static int in_article(const Page *page, const Extent *extent) {
    for (int up = extent->parent; up >= 0; up = page->extents[up].parent) {
        const Element *element = page->extents[up].element;
        if (element->flags & ARTICLE) return 1;
    }
    return 0;
}

/* Move an element's text to the end of `aside`. */
static int take(Page *page, int number, char *aside, int used) {
    Extent *extent = &page->extents[number];
    aside[used++] = BREAK;
    for (int i = extent->start; i < extent->end; i++)
        if (!page->gone[i]) aside[used++] = page->text[i];
    memset(page->gone + extent->start, 1, (size_t)(extent->end - extent->start));
    for (int i = number; i <= extent->last; i++) page->extents[i].flags |= X_REMOVED;
    return used;
}

/* Whether an element is a region; `by_role` asks for those that say so by their role. A jump at the top, before any
   heading, counts as one. */
static int is_region(const Page *page, const Extent *extent, int by_role) {
    int kind = extent->element->kind;
    if (extent->flags & X_REMOVED) return 0;
    if (by_role ? !(extent->flags & X_ROLE) : !(extent->element->flags & REGION)) {
        if (by_role || !(extent->flags & X_JUMP)) return 0;
        for (int i = 0; i < extent->headings; i++)
            if (page->headings[i].level) return 0;
    }
    return (kind != T_HEADER && kind != T_FOOTER) || !in_article(page, extent);
}

static int is_menu(const Page *page, int number) {
    const Extent *list = &page->extents[number];
    const uint8_t *text = (uint8_t *)page->text, *gone = (uint8_t *)page->gone;
    Py_ssize_t whole = letters(text + list->start, list->end - list->start, gone + list->start), linked = 0;
    int links = 0;
    for (int i = number + 1; i <= list->last; i++) {
        const Extent *one = &page->extents[i];
        if (!(one->flags & X_HREF) || one->flags & X_REMOVED) continue;
        links++;
        linked += letters(text + one->start, one->end - one->start, gone + one->start);
    }
    return links >= FEWEST && (double)linked >= LINKED * (double)whole;
}

/* Take the boilerplate out of the text; what it says, as lines. */
static PyObject *taken_out(Page *page) {
    memset(page->gone, 0, (size_t)page->length + 1);
    if (!page->boilerplate) return PyUnicode_New(0, 0);
    char *aside = PyMem_Malloc((size_t)page->length + (size_t)page->extent_count + 16);
    int used = 0;
    if (!aside) return PyErr_NoMemory();
    for (int by_role = 0; by_role < 2; by_role++)
        for (int i = 0; i < page->extent_count; i++)
            if (is_region(page, &page->extents[i], by_role)) used = take(page, i, aside, used);
    for (int i = 0; i < page->extent_count; i++) {
        const Extent *one = &page->extents[i];
        if (one->element->flags & LIST && !(one->flags & X_REMOVED) && is_menu(page, i))
            used = take(page, i, aside, used);
    }
    PyObject *found = lines_of(page, aside, used, NULL);
    PyMem_Free(aside);
    return found;
}

#endif
