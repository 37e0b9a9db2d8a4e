/* Which elements are open: the rules of the HTML standard for tags, as far as they are wanted here.

   What is left out does not change the text, nor which text belongs to which link, list or region: formatting that the
   parser opens again, rows and bodies that it adds to tables, empty paragraphs. Where it would, the answer is 0. */

#ifndef OPILIO_TREE_H
#define OPILIO_TREE_H

#include "page.h"

static inline uint32_t flags_of(const Open *open) { return open->element ? open->element->flags : 0; }
static inline int kind_of(const Open *open) { return open->element ? open->element->kind : T_OTHER; }

/* The place of the innermost element of a kind; -1 behind a barrier. `further` bars too. */
static int in_scope(const Page *page, int kind, int further, int also) {
    for (int i = page->depth - 1; i >= 0; i--) {
        int one = kind_of(&page->open[i]);
        if (one == kind) return i;
        if (flags_of(&page->open[i]) & BARRIER || one == further || one == also) return -1;
    }
    return -1;
}

static int close_paragraph(Page *page) {
    int place = in_scope(page, T_P, T_BUTTON, T_BUTTON);
    return place < 0 ? 1 : close_to(page, place);
}

/* The innermost table; -1 outside of any. */
static int table_place(const Page *page) {
    for (int i = page->depth - 1; i >= 0; i--)
        if (kind_of(&page->open[i]) == T_TABLE) return i;
    return -1;
}

/* Whether what comes now would be moved out of a table. */
static int between_cells(const Page *page) {
    if (!page->depth) return 0;
    int kind = kind_of(&page->open[page->depth - 1]);
    return kind == T_TABLE || kind == T_SECTION_OF_TABLE || kind == T_TR || kind == T_COLGROUP;
}

static int push(Page *page, const Tag *tag) {
    if (page->depth >= MOST_OPEN) return 0;
    page->open[page->depth++] =
        (Open){.name = tag->name, .length = tag->length, .element = tag->element, .extent = -1, .heading = -1};
    return 1;
}

/* A row, a cell, or another part of a table: close what stands in its way. */
static int table_part(Page *page, const Tag *tag) {
    int table = table_place(page), kind = tag->element->kind, keep = table;
    if (table < 0) return 1; /* means nothing outside of a table */
    for (int i = table + 1; i < page->depth; i++) {
        int one = kind_of(&page->open[i]);
        if (one == T_SECTION_OF_TABLE && (kind == T_TR || kind == T_CELL)) keep = i;
        else if (one == T_TR && kind == T_CELL) keep = i;
        else if (one == T_COLGROUP && kind == T_COL) keep = i;
        else break;
    }
    int done = close_to(page, keep + 1);
    if (done < 1) return done;
    return tag->element->flags & VOID_ ? 1 : push(page, tag);
}

/* A list item or a part of a list of definitions ends the one before. */
static int close_item(Page *page, int kind, int other) {
    for (int i = page->depth - 1; i >= 0; i--) {
        int one = kind_of(&page->open[i]);
        if (one == kind || one == other) return close_to(page, i);
        if (flags_of(&page->open[i]) & SPECIAL && one != T_ADDRESS && one != T_DIV && one != T_P) return 1;
    }
    return 1;
}

/* Forget an element in the midst of the open ones. */
static int forget(Page *page, int place) {
    if (page->open[place].extent >= 0 || page->open[place].heading >= 0) return 0;
    memmove(&page->open[place], &page->open[place + 1], (size_t)(--page->depth - place) * sizeof(Open));
    return 1;
}

/* End formatting in which blocks are open; what is open in the innermost of them ends with it. */
static int end_below(Page *page, int place, int blocks) {
    if (blocks > MOST_BLOCKS) return 0;
    while (!(flags_of(&page->open[page->depth - 1]) & SPECIAL)) {
        int done = close_one(page, 0);
        if (done < 1) return done;
    }
    return forget(page, place);
}

/* End formatting (a link is one). Blocks inside it stay open, as the standard has it. */
static int end_formatting(Page *page, const Tag *tag, int starts_anew) {
    int blocks = 0;
    for (int i = page->depth - 1; i >= 0; i--) {
        const Open *open = &page->open[i];
        if (same_name(open, tag)) return blocks ? end_below(page, i, blocks) : close_to(page, i);
        if (flags_of(open) & BARRIER) return starts_anew && page->open_link >= 0 ? 0 : 1;
        if (flags_of(open) & SPECIAL) blocks++;
        else if (blocks && open->extent >= 0) return 0;
    }
    return 1;
}

static int end_any(Page *page, const Tag *tag) {
    for (int i = page->depth - 1; i >= 0; i--) {
        if (same_name(&page->open[i], tag)) return close_to(page, i);
        if (flags_of(&page->open[i]) & SPECIAL) return 1;
    }
    return 1;
}

static int end_block(Page *page, const Tag *tag) {
    for (int i = page->depth - 1; i >= 0; i--) {
        if (page->open[i].element == tag->element) return close_to(page, i);
        if (flags_of(&page->open[i]) & BARRIER) return 1;
    }
    return 1;
}

static int end_form(Page *page) {
    int place = in_scope(page, T_FORM, T_FORM, T_FORM);
    page->form_open = 0;
    if (place < 0) return 1;
    while (place < page->depth - 1) {
        int kind = kind_of(&page->open[page->depth - 1]);
        if (kind != T_P && kind != T_LI && kind != T_DD && kind != T_DT) return forget(page, place);
        int done = close_one(page, 0);
        if (done < 1) return done;
    }
    return close_one(page, 1);
}

static int end_table_part(Page *page, const Tag *tag) {
    for (int i = page->depth - 1; i >= 0; i--) {
        if (page->open[i].element == tag->element) return close_to(page, i);
        if (kind_of(&page->open[i]) == T_TABLE) return 1;
    }
    return 1;
}

static int end_tag(Page *page, const Tag *tag) {
    const Element *element = tag->element;
    int place;
    if (page->in_select) {
        if (!element || (element->kind != T_SELECT && element->kind != T_OPTION)) return 0;
        return page->in_select = element->kind == T_OPTION, 1;
    }
    if (!element) return end_any(page, tag);
    switch (element->kind) {
        case T_HTML: case T_HEAD: case T_BODY: case T_BR: return 1;
        case T_P:
            return close_paragraph(page);
        case T_LI:
            place = in_scope(page, T_LI, T_UL, T_OL);
            return place < 0 ? 1 : close_to(page, place);
        case T_DD: case T_DT: case T_HEADING:
            place = in_scope(page, element->kind, element->kind, element->kind);
            return place < 0 ? 1 : close_to(page, place);
        case T_FORM: return end_form(page);
        case T_TABLE: return (place = table_place(page)) < 0 ? 1 : close_to(page, place);
    }
    if (element->flags & (ODD | RAW)) return 0;
    if (element->flags & VOID_) return 1;
    if (element->flags & TABLE_PART) return end_table_part(page, tag);
    if (element->flags & FORMATTING) return end_formatting(page, tag, 0);
    return element->flags & BLOCK_END ? end_block(page, tag) : end_any(page, tag);
}

/* What a start tag closes before it opens. */
static int make_room(Page *page, const Element *element) {
    int place, done = 1;
    switch (element->kind) {
        case T_LI: done = close_item(page, T_LI, T_LI); break;
        case T_DD: case T_DT: done = close_item(page, T_DD, T_DT); break;
        case T_BUTTON:
            place = in_scope(page, T_BUTTON, T_BUTTON, T_BUTTON);
            return place < 0 ? 1 : close_to(page, place);
        default:
            if (!(element->flags & CLOSES_P)) return 1;
    }
    if (done == 1) done = close_paragraph(page);
    if (element->flags & HEADING && page->depth && kind_of(&page->open[page->depth - 1]) == T_HEADING)
        return 0; /* ends that one, unless formatting was opened again in it */
    return done;
}

#endif
