/* Reads an HTML page without a parser: links, title, headings and visible text in one pass over its bytes.

   Only for pages about which the rules of `tree.h` leave no doubt; for any other the answer is None and lexbor reads
   it. What both give is the same: tests/unit/extract/test_quick.py holds them against each other. */

#include "boilerplate.h"
#include "resolving.h"
#include "tokens.h"

static PyObject *link_kind, *word_a, *word_href, *nothing;

static int is_role(const Tag *tag) {
    static const char *roles[] = {"navigation", "banner", "contentinfo", "complementary", "search"};
    const Attribute *role = attribute(tag, "role");
    if (!role || !role->value) return 0;
    if (memchr(role->value, '&', (size_t)role->value_length)) return -1;
    for (int i = 0; i < 5; i++)
        if ((size_t)role->value_length == strlen(roles[i]) && !memcmp(role->value, roles[i], (size_t)role->value_length))
            return 1;
    return 0;
}

/* A link that leads somewhere; not yet on the stack. */
static int begin_link(Page *page, const Tag *tag, const Attribute *href, int flags) {
    int odd = 0;
    const Attribute *rel = attribute(tag, "rel"), *title = attribute(tag, "title");
    const Attribute *label = attribute(tag, "aria-label");
    if (*href->value == '#' && !page->based) return begin_extent(page, tag->element, flags | X_JUMP);
    int done = grown((void **)&page->refs, page->ref_count, &page->ref_room, sizeof(Ref));
    if (done < 1) return done;
    Ref *ref = &page->refs[page->ref_count];
    memset(ref, 0, sizeof *ref);
    if (!(ref->href = value_of(href->value, href->value_length, &odd))) return odd ? 0 : -1;
    page->ref_count++;
    if (rel && rel->value && rel->value_length) {
        if (!(ref->rel = value_of(rel->value, rel->value_length, &odd))) return odd ? 0 : -1;
        PyObject *small = PyObject_CallMethod(ref->rel, "lower", NULL);
        if (!small) return -1;
        Py_SETREF(ref->rel, small);
    }
    if (title) ref->title = title->value, ref->title_length = title->value_length;
    if (label) ref->label = label->value, ref->label_length = label->value_length;
    ref->extent = page->extent_count;
    return begin_extent(page, tag->element, flags | X_LINK);
}

static int start_link(Page *page, const Tag *tag, int role) {
    const Attribute *href = attribute(tag, "href"), *first = href;
    int flags = href ? X_HREF : 0, done = end_formatting(page, tag, 1);
    if (done < 1) return done;
    if (!href || !href->value_length) first = attribute(tag, "xlink:href");
    if ((done = push(page, tag)) < 1) return done;
    if (role) flags |= X_ROLE, page->regions++;
    if (first && first->value_length) done = begin_link(page, tag, first, flags);
    else if (flags) done = begin_extent(page, tag->element, flags);
    else return 1;
    if (done < 1) return done;
    page->open_link = page->open[page->depth - 1].extent = page->inside;
    return 1;
}

static int holds(const char *text, Py_ssize_t length, const char *what) {
    return memmem(text, (size_t)length, what, strlen(what)) != NULL;
}

/* Whether the parser reads a text otherwise than it is written: a line end as another, a mark in front of a tag. */
static int looks_odd(const char *text, Py_ssize_t length) {
    const char *end = text + length;
    if (memchr(text, '\r', (size_t)length)) return 1;
    while ((text = memchr(text, '<', (size_t)(end - text))) && ++text < end)
        if (is_letter(*text) || *text == '/') return 1;
    return 0;
}

/* An element whose content is no markup. */
static int raw_element(Page *page, const Tag *tag) {
    const char *inside;
    Py_ssize_t length;
    int kind = tag->element->kind;
    if (page->open_link >= 0 || page->open_headings || (between_cells(page) && kind != T_SCRIPT && kind != T_STYLE))
        return 0;
    if (!skip_raw(page, tag, &inside, &length)) return 0;
    if (kind == T_TITLE) {
        int odd = 0;
        if (page->title) return 1;
        page->title = decoded(inside, (int)length, &odd, 0);
        return page->title ? 1 : odd ? 0 : -1;
    }
    if (kind == T_STYLE) {
        int loads = holds(inside, length, "url(") || holds(inside, length, "import") || holds(inside, length, "URL(");
        return !loads ? 1 : looks_odd(inside, length) ? 0 : tell(page, tag, inside, length);
    }
    if (kind == T_SCRIPT) {
        const Attribute *type = attribute(tag, "type");
        int data = type && type->value &&
                   (memchr(type->value, '+', (size_t)type->value_length) || memchr(type->value, '&', (size_t)type->value_length));
        int wanted = page->scripts || data;
        if (holds(inside, length, "<!--") && (holds(inside, length, "<s") || holds(inside, length, "<S"))) return 0;
        if (wanted && looks_odd(inside, length)) return 0;
        return !wanted && !attribute(tag, "src") ? 1 : tell(page, tag, wanted ? inside : "", wanted ? length : 0);
    }
    return tag->element->flags & TELLS ? tell(page, tag, "", 0) : 1;
}

/* `html`, `head`, `body`: each counts once, and not late. */
static int frame_element(Page *page, const Tag *tag) {
    int kind = tag->element->kind, odd = 0;
    if (kind == T_HEAD) return 1;
    if (kind == T_BODY) {
        int late = page->seen_body;
        page->seen_body = 1;
        return late && attribute(tag, "background") ? 0 : attribute(tag, "background") ? tell(page, tag, "", 0) : 1;
    }
    if (page->seen_html || page->seen_body || page->title || page->ref_count || PyList_GET_SIZE(page->events)) return 0;
    page->seen_html = 1;
    const Attribute *language = attribute(tag, "lang");
    if (!language || !language->value_length) language = attribute(tag, "xml:lang");
    if (!language || !language->value_length) return 1;
    page->language = value_of(language->value, language->value_length, &odd);
    return page->language ? 1 : odd ? 0 : -1;
}

static int void_element(Page *page, const Tag *tag) {
    const Element *element = tag->element;
    if (element->kind == T_BASE) {
        const Attribute *href = attribute(tag, "href");
        for (int i = 0; href && i < href->value_length; i++) {
            if (href->value[i] & 0x80 || href->value[i] == '&') return 0;
            page->based |= (unsigned char)href->value[i] > ' ';
        }
    }
    if (element->kind == T_IMG && page->open_link >= 0 && page->ref_count) {
        Ref *ref = &page->refs[page->ref_count - 1];
        const Attribute *alt = attribute(tag, "alt");
        if (ref->extent == page->open_link && alt && !ref->has_alt)
            ref->has_alt = 1, ref->alt = alt->value, ref->alt_length = alt->value_length;
    }
    return element->flags & TELLS ? tell(page, tag, "", 0) : 1;
}

static int begin_heading(Page *page, const Tag *tag) {
    if (page->heading_count >= MOST_HEADINGS) return 0;
    page->headings[page->heading_count] = (HeadingText){.level = tag->name[1] - '0', .start = page->length, .end = -1};
    page->open[page->depth - 1].heading = page->heading_count++;
    page->open_headings++;
    return 1;
}

static int start_tag(Page *page, Tag *tag) {
    const Element *element = tag->element;
    uint32_t flags = element ? element->flags : 0;
    int role = is_role(tag), done;
    if (page->in_select) return element && element->kind == T_OPTION;
    if (role < 0 || (flags & ODD && (role || between_cells(page)))) return 0;
    if (flags & ODD) return element->kind == T_SELECT ? page->in_select = page->seen_body = 1
                            : element->kind == T_SVG ? skip_drawing(page) : 0;
    if (element && (element->kind == T_HTML || element->kind == T_HEAD || element->kind == T_BODY))
        return role ? 0 : frame_element(page, tag);
    if (element && element->kind == T_NOSCRIPT && !page->seen_body) return 0;
    if (!(flags & HEAD)) page->seen_body |= 1;
    if (flags & TABLE_PART) return role || attribute(tag, "background") ? 0 : table_part(page, tag);
    if (flags & RAW) return raw_element(page, tag);
    if (between_cells(page)) return 0;
    if (element && element->kind == T_A) return start_link(page, tag, role);
    if (role && flags & FORMATTING) return 0; /* the parser may open it again */
    if (element && (done = make_room(page, element)) < 1) return done;
    if (flags & VOID_) return void_element(page, tag);
    if (flags & TELLS && (done = tell(page, tag, "", 0)) < 1) return done;
    if (element && element->kind == T_FORM && page->form_open++) return 1;
    if (element && element->kind == T_TABLE && attribute(tag, "background") && (done = tell(page, tag, "", 0)) < 1)
        return done;
    if ((done = push(page, tag)) < 1) return done;
    if (flags & HEADING && (done = begin_heading(page, tag)) < 1) return done;
    if (!(flags & (REGION | LIST | ARTICLE)) && !role) return 1;
    page->regions += role || flags & REGION;
    page->lists += flags & LIST ? 1 : 0;
    if ((done = begin_extent(page, element, role ? X_ROLE : 0)) == 1)
        page->open[page->depth - 1].extent = page->inside;
    return done;
}

static int read_page(Page *page) {
    Tag tag;
    while (page->at < page->end) {
        int done;
        const char *at = page->at;
        int more = page->end - at > 1, closing = more && at[0] == '<' && at[1] == '/';
        if (*at != '<' || !more) done = read_text(page);
        else if (at[1] == '!' || at[1] == '?') done = skip_comment(page);
        else if (closing && (page->end - at < 3 || !is_letter(at[2]))) done = skip_comment(page);
        else if (!closing && !is_letter(at[1])) done = read_text(page);
        else {
            page->at += 1 + closing;
            if (breaks_line(page->at, page->end)) page->text[page->length++] = BREAK;
            read_name(page, &tag);
            done = !read_attributes(page, &tag) ? 0 : closing ? end_tag(page, &tag) : start_tag(page, &tag);
        }
        if (done < 1) return done;
    }
    while (page->depth) {
        int done = close_one(page, 1);
        if (done < 1) return done;
    }
    return 1;
}

static PyObject *label_of(Page *page, const Ref *ref) {
    int odd = 0;
    const char *from = ref->alt;
    int length = ref->alt_length;
    if (ref->title_length) from = ref->title, length = ref->title_length;
    else if (ref->label_length) from = ref->label, length = ref->label_length;
    if (!from || !length) return Py_NewRef(nothing);
    PyObject *found = value_of(from, length, &odd), *shortened;
    if (!found) return odd ? Py_NewRef(Py_None) : NULL;
    Py_ssize_t size;
    const char *bytes = PyUnicode_AsUTF8AndSize(found, &size);
    shortened = bytes ? one_line(page, bytes, size) : NULL;
    Py_DECREF(found);
    return shortened;
}

/* The links as tuples; None where the parser has to decide. */
static PyObject *references(Page *page) {
    PyObject *list = PyList_New(page->ref_count);
    for (int i = 0; list && i < page->ref_count; i++) {
        Ref *ref = &page->refs[i];
        const Extent *extent = &page->extents[ref->extent];
        PyObject *text = page->anchors ? one_line(page, page->text + extent->start, extent->end - extent->start)
                                       : Py_NewRef(nothing);
        if (text && page->anchors && !PyUnicode_GET_LENGTH(text)) Py_SETREF(text, label_of(page, ref));
        PyObject *made = text && text != Py_None ? PyTuple_New(6) : NULL;
        if (!made) {
            Py_CLEAR(list);
            if (text == Py_None) return text;
            Py_XDECREF(text);
            return NULL;
        }
        PyTuple_SET_ITEM(made, 0, Py_NewRef(ref->href));
        PyTuple_SET_ITEM(made, 1, Py_NewRef(link_kind));
        PyTuple_SET_ITEM(made, 2, Py_NewRef(word_a));
        PyTuple_SET_ITEM(made, 3, Py_NewRef(word_href));
        PyTuple_SET_ITEM(made, 4, Py_NewRef(ref->rel ? ref->rel : nothing));
        PyTuple_SET_ITEM(made, 5, text);
        PyList_SET_ITEM(list, i, made);
    }
    return list;
}

static PyObject *result(Page *page) {
    PyObject *links = references(page), *headings, *main_text = NULL, *aside = NULL;
    if (!links || links == Py_None) return links;
    headings = heading_list(page);
    if (headings) aside = taken_out(page);
    if (aside) main_text = lines_of(page, page->text, page->length, (uint8_t *)page->gone);
    if (!main_text) {
        Py_DECREF(links);
        Py_XDECREF(headings);
        Py_XDECREF(aside);
        return NULL;
    }
    return Py_BuildValue(
        "(NOONONN)", links, page->events, page->title ? page->title : Py_None, headings,
        page->language ? page->language : nothing, main_text, aside);
}

static void free_page(Page *page) {
    for (int i = 0; i < page->ref_count; i++) {
        Py_XDECREF(page->refs[i].href);
        Py_XDECREF(page->refs[i].rel);
    }
    Py_XDECREF(page->events);
    Py_XDECREF(page->title);
    Py_XDECREF(page->language);
    PyMem_Free(page->text);
    PyMem_Free(page->refs);
    PyMem_Free(page->extents);
    PyMem_Free(page->headings);
    PyMem_Free(page);
}

static PyObject *quick_read(PyObject *self, PyObject *args) {
    Py_buffer markup;
    int anchors, boilerplate, scripts;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*ppp", &markup, &anchors, &boilerplate, &scripts)) return NULL;
    PyObject *found = NULL;
    size_t size = (size_t)markup.len;
    Page *page = PyMem_Calloc(1, sizeof(Page));
    if (page) {
        *page = (Page){.at = markup.buf, .end = (char *)markup.buf + size, .anchors = anchors,
                       .boilerplate = boilerplate, .scripts = scripts, .inside = -1, .open_link = -1};
        page->text = PyMem_Malloc(6 * size + 192);
        page->headings = PyMem_Malloc(MOST_HEADINGS * sizeof(HeadingText));
        page->events = PyList_New(0);
    }
    if (!page || !page->text || !page->headings || !page->events) PyErr_NoMemory();
    else {
        page->gone = page->text + 2 * size + 64;
        page->spare = page->gone + 2 * size + 64;
        int done = memchr(markup.buf, 0, size) ? 0 : read_page(page);
        if (done == 1 && (page->lists > MOST_BOILERPLATE || page->regions > MOST_BOILERPLATE)) done = 0;
        if (done == 1) found = result(page);
        else if (!done) found = Py_NewRef(Py_None);
    }
    if (page) free_page(page);
    PyBuffer_Release(&markup);
    return found;
}

static PyObject *prepare(PyObject *self, PyObject *args) {
    PyObject *names, *kind;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &names, &kind)) return NULL;
    Py_XSETREF(entities, Py_NewRef(names));
    Py_XSETREF(link_kind, Py_NewRef(kind));
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"prepare", prepare, METH_VARARGS, "prepare(entities, link_kind): what the reading needs of Python."},
    {"read", quick_read, METH_VARARGS, "read(markup, anchors, boilerplate, scripts): what a page holds, or None."},
    {"resolve", quick_resolve, METH_VARARGS,
     "resolve(references, known, link, most, type): links, references that are none, how many were above the limit."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_quick", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__quick(void) {
    fill_slots();
    word_a = PyUnicode_InternFromString("a");
    word_href = PyUnicode_InternFromString("href");
    nothing = PyUnicode_New(0, 0);
    entities = PyDict_New();
    link_kind = Py_NewRef(Py_None);
    if (!word_a || !word_href || !nothing || !entities) return NULL;
    return PyModule_Create(&module);
}
