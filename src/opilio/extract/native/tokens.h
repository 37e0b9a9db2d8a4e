/* Tags, comments and text of a page in turn. */

#ifndef OPILIO_TOKENS_H
#define OPILIO_TOKENS_H

#include <strings.h>

#include "tree.h"

static inline int is_space(char one) { return one == ' ' || one == '\n' || one == '\t' || one == '\r' || one == '\f'; }

/* Whether a style attribute may load something: the parser finds these after all others. */
static int loads_by_style(const Tag *tag) {
    for (int i = 0; i < tag->count; i++) {
        const Attribute *one = &tag->attributes[i];
        if (one->name_length != 5 || (one->name[0] | 32) != 's' || strncasecmp(one->name, "style", 5)) continue;
        for (int at = 0; at + 4 <= one->value_length; at++)
            if (!strncasecmp(one->value + at, "url", 3) || !strncasecmp(one->value + at, "impo", 4) ||
                one->value[at] == '&' || one->value[at] == '\\')
                return 1;
    }
    return 0;
}

/* Read the attributes of a tag from behind its name to behind its ">"; 0 when it does not end. */
static int read_attributes(Page *page, Tag *tag) {
    const char *at = page->at, *end = page->end;
    tag->count = 0;
    for (;;) {
        while (at < end && (is_space(*at) || *at == '/')) at++;
        if (at >= end) return 0;
        if (*at == '>') break;
        if (tag->count == MOST_ATTRIBUTES) return 0;
        Attribute *one = &tag->attributes[tag->count++];
        one->name = at++;
        while (at < end && !is_space(*at) && *at != '/' && *at != '>' && *at != '=') at++;
        one->name_length = (int)(at - one->name);
        one->value = NULL;
        one->value_length = 0;
        while (at < end && is_space(*at)) at++;
        if (at >= end) return 0;
        if (*at != '=') continue;
        at++;
        while (at < end && is_space(*at)) at++;
        if (at >= end) return 0;
        if (*at == '>') return 0; /* a value that is missing */
        if (*at == '"' || *at == '\'') {
            const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));
            if (!close) return 0;
            one->value = at + 1;
            at = close + 1;
            one->value_length = (int)(close - one->value);
        } else {
            one->value = at;
            while (at < end && !is_space(*at) && *at != '>') at++;
            one->value_length = (int)(at - one->value);
        }
    }
    page->at = at + 1;
    return !loads_by_style(tag);
}

static void read_name(Page *page, Tag *tag) {
    char small[LONGEST_NAME];
    tag->name = page->at;
    while (page->at < page->end && !is_space(*page->at) && *page->at != '/' && *page->at != '>') page->at++;
    tag->length = (size_t)(page->at - tag->name);
    tag->element = NULL;
    if (tag->length > LONGEST_NAME) return;
    for (size_t i = 0; i < tag->length; i++)
        small[i] = tag->name[i] >= 'A' && tag->name[i] <= 'Z' ? tag->name[i] | 32 : tag->name[i];
    tag->element = element_of(small, tag->length);
}

/* Jump over what begins with "<!", "<?" or "</" and is no tag. */
static int skip_comment(Page *page) {
    const char *at = page->at, *end = page->end;
    if (end - at < 4 || memcmp(at, "<!--", 4)) {
        const char *close = memchr(at, '>', (size_t)(end - at));
        if (!close) return 0;
        page->at = close + 1;
        return 1;
    }
    at += 4;
    if (at < end && *at == '>') return page->at = at + 1, 1;
    if (end - at > 1 && at[0] == '-' && at[1] == '>') return page->at = at + 2, 1;
    while ((at = memchr(at, '-', (size_t)(end - at)))) {
        if (end - at > 2 && at[1] == '-' && at[2] == '>') return page->at = at + 3, 1;
        if (end - at > 3 && at[1] == '-' && at[2] == '!' && at[3] == '>') return page->at = at + 4, 1;
        at++;
    }
    return 0;
}

/* Take text up to the next "<". */
static int read_text(Page *page) {
    const char *end = memchr(page->at, '<', (size_t)(page->end - page->at)), *at = page->at;
    if (end == at) end = memchr(at + 1, '<', (size_t)(page->end - at - 1)); /* a "<" that begins nothing */
    if (!end) end = page->end;
    char *begin = page->text + page->length, *out = begin;
    while (at < end) {
        const char *mark = memchr(at, '&', (size_t)(end - at));
        size_t plain = (size_t)((mark ? mark : end) - at);
        int wrote = 0;
        memcpy(out, at, plain);
        out += plain;
        if (!mark) break;
        if (!(at = entity(mark, end, out, &wrote, 0))) return PyErr_Occurred() ? -1 : 0;
        out += wrote;
    }
    page->at = end;
    page->length = (int)(out - page->text);
    int apart = between_cells(page);
    if (page->seen_body && !apart) return 1;
    while (begin < out && is_space(*begin)) begin++;
    if (begin == out) return 1;
    page->seen_body = 1;
    return !apart;
}

/* Elements of drawings that load nothing and lead nowhere. */
static int is_shape(const Tag *tag) {
    static const char *names[] = {"path", "g", "circle", "rect", "line", "polyline", "polygon", "ellipse", "defs",
                                  "symbol", "lineargradient", "radialgradient", "stop", "clippath", "mask", "text",
                                  "tspan", "marker", "pattern"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == tag->length && !strncasecmp(names[i], tag->name, tag->length)) return 1;
    return 0;
}

/* Read a drawing of nothing but shapes and text, from behind its start tag. */
static int skip_drawing(Page *page) {
    Tag tag;
    int open = 0;
    page->seen_body = 1;
    if (page->at[-2] == '/') return 1;
    while (page->at < page->end) {
        const char *at = page->at;
        if (*at != '<') {
            int done = read_text(page);
            if (done < 1) return done;
            continue;
        }
        if (page->end - at < 4) return 0;
        int closing = at[1] == '/';
        if (!memcmp(at, "<!--", 4)) {
            if (skip_comment(page) < 1) return 0;
            continue;
        }
        if (!is_letter(at[1 + closing])) return 0;
        page->at += 1 + closing;
        if (breaks_line(page->at, page->end)) page->text[page->length++] = BREAK;
        read_name(page, &tag);
        if (!read_attributes(page, &tag)) return 0;
        if (closing && tag.element && tag.element->kind == T_SVG) return 1;
        if (!is_shape(&tag) || attribute(&tag, "role") || attribute(&tag, "background")) return 0;
        open += closing ? -1 : page->at[-2] != '/';
        if (open < 0 || open > 20) return 0;
    }
    return 0;
}

/* The end of an element that holds no markup: behind its end tag; what is inside is given. */
static int skip_raw(Page *page, const Tag *tag, const char **inside, Py_ssize_t *length) {
    const char *at = page->at;
    *inside = at;
    while ((at = memchr(at, '<', (size_t)(page->end - at)))) {
        const char *after = at + 2 + tag->length;
        if (after < page->end && at[1] == '/' && !strncasecmp(at + 2, tag->name, tag->length) &&
            (is_space(*after) || *after == '/' || *after == '>')) {
            *length = at - *inside;
            const char *close = memchr(after, '>', (size_t)(page->end - after));
            if (!close || memchr(after, '"', (size_t)(close - after)) || memchr(after, '\'', (size_t)(close - after)))
                return 0;
            page->at = close + 1;
            return 1;
        }
        at++;
    }
    return 0;
}

#endif
