/* The elements that the quick reader tells apart, and what the HTML standard says about each.

   An element whose rules are not written here ends the quick reading: see ODD. */

#ifndef OPILIO_ELEMENTS_H
#define OPILIO_ELEMENTS_H

#include <stdint.h>
#include <string.h>

enum {
    SPECIAL = 1 << 0,    /* of the standard's category "special" */
    VOID_ = 1 << 1,      /* has no end tag */
    FORMATTING = 1 << 2, /* is opened again by the parser until its end tag comes; `a` is one too */
    CLOSES_P = 1 << 3,   /* its start tag ends a paragraph */
    BLOCK_END = 1 << 4,  /* its end tag reaches it through everything but a barrier */
    BARRIER = 1 << 5,    /* bars the scope of end tags */
    RAW = 1 << 6,        /* holds no markup; nobody sees its text */
    TABLE_PART = 1 << 7,
    HEADING = 1 << 8,
    REGION = 1 << 9,     /* navigation and the like */
    LIST = 1 << 10,
    ARTICLE = 1 << 11,   /* inside, header and footer are no boilerplate */
    TELLS = 1 << 12,     /* its attributes are handed over to Python */
    HEAD = 1 << 13,      /* may stand in front of the body */
    ODD = 1 << 14,       /* the parser has to read the page */
};

enum {
    T_OTHER, T_A, T_P, T_LI, T_DD, T_DT, T_FORM, T_BUTTON, T_TABLE, T_SECTION_OF_TABLE, T_TR, T_CELL, T_CAPTION,
    T_COLGROUP, T_COL, T_HTML, T_HEAD, T_BODY, T_TITLE, T_SCRIPT, T_STYLE, T_HEADING, T_UL, T_OL, T_BASE, T_IMG,
    T_HEADER, T_FOOTER, T_NOSCRIPT, T_ADDRESS, T_DIV, T_BR, T_SELECT, T_OPTION, T_SVG,
};

typedef struct {
    const char *name;
    uint8_t kind;
    uint32_t flags;
} Element;

#define BLOCK (SPECIAL | CLOSES_P | BLOCK_END)

static const Element ELEMENTS[] = {
    {"a", T_A, FORMATTING}, {"b", 0, FORMATTING}, {"big", 0, FORMATTING}, {"code", 0, FORMATTING},
    {"em", 0, FORMATTING}, {"font", 0, FORMATTING}, {"i", 0, FORMATTING}, {"s", 0, FORMATTING},
    {"small", 0, FORMATTING}, {"strike", 0, FORMATTING}, {"strong", 0, FORMATTING}, {"tt", 0, FORMATTING},
    {"u", 0, FORMATTING},
    {"address", T_ADDRESS, BLOCK}, {"article", 0, BLOCK | ARTICLE}, {"aside", 0, BLOCK | REGION},
    {"blockquote", 0, BLOCK}, {"center", 0, BLOCK}, {"details", 0, BLOCK}, {"dialog", 0, CLOSES_P | BLOCK_END},
    {"dir", 0, BLOCK}, {"div", T_DIV, BLOCK}, {"dl", 0, BLOCK}, {"fieldset", 0, BLOCK}, {"figcaption", 0, BLOCK},
    {"figure", 0, BLOCK}, {"footer", T_FOOTER, BLOCK | REGION}, {"header", T_HEADER, BLOCK | REGION},
    {"hgroup", 0, BLOCK}, {"main", 0, BLOCK | ARTICLE}, {"menu", 0, BLOCK}, {"nav", 0, BLOCK | REGION},
    {"ol", T_OL, BLOCK | LIST}, {"section", 0, BLOCK | ARTICLE}, {"summary", 0, BLOCK}, {"ul", T_UL, BLOCK | LIST},
    {"pre", 0, BLOCK},
    {"p", T_P, SPECIAL | CLOSES_P}, {"li", T_LI, SPECIAL}, {"dd", T_DD, SPECIAL}, {"dt", T_DT, SPECIAL},
    {"h1", T_HEADING, SPECIAL | CLOSES_P | HEADING}, {"h2", T_HEADING, SPECIAL | CLOSES_P | HEADING},
    {"h3", T_HEADING, SPECIAL | CLOSES_P | HEADING}, {"h4", T_HEADING, SPECIAL | CLOSES_P | HEADING},
    {"h5", T_HEADING, SPECIAL | CLOSES_P | HEADING}, {"h6", T_HEADING, SPECIAL | CLOSES_P | HEADING},
    {"form", T_FORM, SPECIAL | CLOSES_P}, {"button", T_BUTTON, SPECIAL | BLOCK_END},
    {"table", T_TABLE, SPECIAL | CLOSES_P | BARRIER}, {"tbody", T_SECTION_OF_TABLE, SPECIAL | TABLE_PART},
    {"thead", T_SECTION_OF_TABLE, SPECIAL | TABLE_PART}, {"tfoot", T_SECTION_OF_TABLE, SPECIAL | TABLE_PART},
    {"tr", T_TR, SPECIAL | TABLE_PART}, {"td", T_CELL, SPECIAL | TABLE_PART | BARRIER},
    {"th", T_CELL, SPECIAL | TABLE_PART | BARRIER}, {"caption", T_CAPTION, SPECIAL | TABLE_PART | BARRIER},
    {"colgroup", T_COLGROUP, SPECIAL | TABLE_PART}, {"col", T_COL, SPECIAL | TABLE_PART | VOID_},
    {"object", 0, SPECIAL | BARRIER | BLOCK_END | TELLS},
    {"html", T_HTML, SPECIAL | HEAD}, {"head", T_HEAD, SPECIAL | HEAD}, {"body", T_BODY, SPECIAL},
    {"title", T_TITLE, SPECIAL | RAW | HEAD}, {"script", T_SCRIPT, SPECIAL | RAW | HEAD},
    {"style", T_STYLE, SPECIAL | RAW | HEAD}, {"textarea", 0, SPECIAL | RAW}, {"iframe", 0, SPECIAL | RAW | TELLS},
    {"noscript", T_NOSCRIPT, SPECIAL | REGION},
    {"base", T_BASE, SPECIAL | VOID_ | TELLS | HEAD}, {"link", 0, SPECIAL | VOID_ | TELLS | HEAD},
    {"meta", 0, SPECIAL | VOID_ | TELLS | HEAD}, {"basefont", 0, SPECIAL | VOID_ | HEAD},
    {"bgsound", 0, SPECIAL | VOID_ | HEAD}, {"area", 0, SPECIAL | VOID_ | TELLS}, {"br", T_BR, SPECIAL | VOID_},
    {"embed", 0, SPECIAL | VOID_ | TELLS}, {"hr", 0, SPECIAL | VOID_ | CLOSES_P},
    {"img", T_IMG, SPECIAL | VOID_ | TELLS}, {"input", 0, SPECIAL | VOID_ | TELLS},
    {"param", 0, SPECIAL | VOID_}, {"source", 0, SPECIAL | VOID_ | TELLS}, {"track", 0, SPECIAL | VOID_ | TELLS},
    {"wbr", 0, SPECIAL | VOID_}, {"video", 0, TELLS}, {"audio", 0, TELLS},
    {"applet", 0, ODD}, {"feimage", 0, ODD}, {"frame", 0, ODD}, {"frameset", 0, ODD}, {"image", 0, ODD},
    {"isindex", 0, ODD}, {"keygen", 0, ODD}, {"listing", 0, ODD}, {"marquee", 0, ODD}, {"math", 0, ODD},
    {"nobr", 0, ODD}, {"noembed", 0, ODD}, {"noframes", 0, ODD}, {"optgroup", T_OPTION, ODD}, {"option", T_OPTION, ODD},
    {"plaintext", 0, ODD}, {"rb", 0, ODD}, {"rp", 0, ODD}, {"rt", 0, ODD}, {"rtc", 0, ODD}, {"ruby", 0, ODD},
    {"search", 0, ODD}, {"select", T_SELECT, ODD}, {"svg", T_SVG, ODD}, {"template", 0, ODD}, {"use", 0, ODD}, {"xmp", 0, ODD},
};

static const Element UNKNOWN = {"", T_OTHER, 0};

#define LONGEST_NAME 10
#define SLOTS 512

static uint8_t slots[SLOTS]; /* place in ELEMENTS + 1; 0: free */

static inline uint32_t hash_of(const char *name, size_t length) {
    uint32_t hash = (uint32_t)length;
    for (size_t i = 0; i < length; i++) hash = hash * 31 + (uint8_t)name[i];
    return hash & (SLOTS - 1);
}

static void fill_slots(void) {
    for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; i++) {
        uint32_t at = hash_of(ELEMENTS[i].name, strlen(ELEMENTS[i].name));
        while (slots[at]) at = (at + 1) & (SLOTS - 1);
        slots[at] = (uint8_t)(i + 1);
    }
}

/* The element of a name in small letters; NULL for one without rules of its own. */
static const Element *element_of(const char *name, size_t length) {
    if (length > LONGEST_NAME) return NULL;
    for (uint32_t at = hash_of(name, length); slots[at]; at = (at + 1) & (SLOTS - 1)) {
        const Element *found = &ELEMENTS[slots[at] - 1];
        if (!strncmp(found->name, name, length) && !found->name[length]) return found;
    }
    return NULL;
}

/* Whether a line begins in front of a tag, by the first letters of its name: as `html_text._BLOCK_TAG` has it. */
static inline int breaks_line(const char *at, const char *end) {
    char first = at[0] | 32, second, third = 0;
    if (at + 1 >= end) return 0;
    second = at[1];
    if (first == 'p' && (second == ' ' || (second >= '\t' && second <= '\r') || second == '>' || second == '/'))
        return 1;
    if (strchr("thn", first) && second >= '1' && second <= '6') return 1;
    if (!((second | 32) >= 'a' && (second | 32) <= 'z') || !(second & 64)) return 0;
    second |= 32;
    if (at + 2 < end && (at[2] & 64)) third = at[2] | 32;
    switch (first) {
        case 'd': case 'u': case 'o': return strchr("diltp", second) != NULL;
        case 'l': return strchr("diltpe", second) != NULL;
        case 't': case 'h': case 'n': return strchr("abdfhre", second) != NULL;
        case 'p': return second == 'r';
        case 'b': case 'a': case 's': return strchr("lreds", second) != NULL;
        case 'f': return second == 'i' || (second == 'o' && (third == 'o' || third == 'r'));
        case 'm': return (second == 'a' && third == 'i') || (second == 'e' && third == 'n');
        case 'c': return second == 'e';
    }
    return 0;
}

#endif
