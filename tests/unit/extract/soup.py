"""Pages out of scraps: whole and broken markup of all kinds, for what must be the same whoever reads it."""

from hypothesis import strategies as st

_NAMES_IN_A_ROW = (
    "a a a a b i em p p div div ul ol li li dl dt dd h1 h2 h3 nav header footer aside main section article table table "
    "tr tr td td th tbody thead caption colgroup col form button span span code pre br img input hr select option "
    "noscript svg path script style title textarea object body html head link meta base label font center blockquote "
    "iframe video source strong x-y dialog details summary fieldset address ruby rt template"
)
_NAMES = _NAMES_IN_A_ROW.split()
_TEXTS = (
    "x", " ", "\n", "two words", "&amp;", "&nbsp;", "&copy", "&copy;x", "&#65;", "&#x2014;", "a&b", "&lt;p&gt;", "é",
    "\N{IDEOGRAPHIC SPACE}", "<", "< a", "&notit;", "long " * 30, "\f", "&", "&#", "&#0;", "]]>", "<!-- c -->",
    "<!---->", "<!doctype html>", "<?x?>", "</>", "</ x>", "\r\n", "\N{GRINNING FACE}",
)  # fmt: skip
_ATTRIBUTES = (
    'href="one"', "href=two", "href=#top", 'href=""', "href", "name=n", "rel=nofollow", 'rel="NoOpener X"',
    "role=navigation", 'role="search"', 'title="named"', 'alt="shown"', "src=s.png", 'href="a?b=1&amp;c=d&copy=1"',
    "aria-label=said", "type=password", 'type="application/ld+json"', "background=b.png", "lang=de", "/",
    "xlink:href=three", 'href="h<p>"', 'http-equiv=refresh content="0;url=x"', "name=robots content=none",
    'srcset="a 1x, b 2x"', "data-src=late.png", 'rel=canonical href="/c"',
)  # fmt: skip

_ATTRIBUTE_LISTS = st.lists(st.sampled_from(_ATTRIBUTES), max_size=3).map(" ".join)
_STARTS = st.builds(lambda name, inside: f"<{name} {inside}>", st.sampled_from(_NAMES), _ATTRIBUTE_LISTS)
_ENDS = st.sampled_from(_NAMES).map("</{}>".format)
_PIECES = st.one_of(_STARTS, _STARTS, _ENDS, st.sampled_from(_TEXTS), st.sampled_from(_TEXTS))


def _element(inside):
    return st.builds(
        lambda name, attributes, content: f"<{name} {attributes}>{content}</{name}>",
        st.sampled_from(_NAMES),
        _ATTRIBUTE_LISTS,
        st.lists(inside, max_size=5).map("".join),
    )


_ELEMENTS = st.recursive(st.sampled_from(_TEXTS), _element, max_leaves=25)

#: Whole elements, and among them pieces that belong to nothing.
SOUP = st.builds(
    lambda head, parts: (head + "".join(parts)).encode(),
    st.sampled_from(("", "<!doctype html>", "<!doctype html><html lang=en><head><title>T</title></head><body>")),
    st.lists(st.one_of(_ELEMENTS, _ELEMENTS, _PIECES), max_size=12),
)
