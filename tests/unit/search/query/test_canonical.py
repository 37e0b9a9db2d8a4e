"""The canonical form of a query."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from opilio.search.query.canonical import canonical
from opilio.search.query.parser import parse

_PIECES = st.sampled_from(
    [
        "a", "bee",
        '"', '"two words"', '"x y"~3', "(", ")", "-", "+", "AND", "OR", "NOT", "~", "~2", "*", "?", "\\", ":",
        "title:", "url:", "site:", "site:x.org", "meta:", 'meta:author="A B"', "meta:k=v", "type:pdf", "since:2024",
        "until:2024-02-30", "lang:en", "target:7", "wor*", "w?rd", "foo:bar",
        "http://x.org/a?b", "\\AND", "=", "é", "東京",
        "--", "+-", "\x00", "\ud800", "\u2028", "/", "&",
    ]
)  # fmt: skip
_QUERIES = st.one_of(
    st.text(max_size=60),
    st.lists(_PIECES, max_size=14).map(" ".join),
    st.lists(_PIECES, max_size=14).map("".join),
)


@given(_QUERIES)
@example('title:(a "b c" -d) OR NOT')
@example("(" * 30 + "a b" + ")" * 30 + " c")
@example("a* \\")
@example("-(-(a b))")
def test_canonical_form_gives_the_same_tree(text):
    """Whatever was typed, its canonical form is read as the same query, and is its own canonical form."""
    node = parse(text).node
    again = parse(canonical(node))
    assert again.node == node
    assert canonical(again.node) == canonical(node)


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("  climate   change ", "climate change"),
        ("a AND b OR c", "a AND b OR c"),
        ("(a OR b) AND c", "(a OR b) AND c"),
        ("NOT a", "-a"),
        ('"Tall  ships"~2', '"Tall ships"~2'),
        ("SITE:https://Example.org/path", "site:example.org"),
        ("title:(a b)", "title:a title:b"),
        ("(title:(a b)) c", "(title:a title:b) c"),
        ("since:2024/5", "since:2024-05"),
        ('meta:Author="A. B"', 'meta:"author=a. b"'),
        ("https://example.org/a", 'url:"https://example.org/a"'),
        ("\\AND \\-x site\\:y", "\\AND \\-x site\\:y"),
        ("()", ""),
    ],
)
def test_canonical_form(typed, written):
    """The same query has one form."""
    assert canonical(parse(typed).node) == written
