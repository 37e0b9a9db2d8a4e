"""The lenient parser of queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.search.query.nodes import (
    EVERYTHING,
    NOTHING,
    Both,
    Either,
    Filter,
    Fuzzy,
    Not,
    Phrase,
    Required,
    Sequence,
    Wildcard,
    Word,
)
from opilio.search.query.parser import DEEPEST, MOST_WORDS, parse


def word(text, field=""):
    return Word(text=text, field=field)


A, B, C = word("a"), word("b"), word("c")


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a", A),
        ("a b", Sequence(parts=(A, B))),
        ("a AND b OR c", Either(parts=(Both(parts=(A, B)), C))),
        ("a OR b AND c", Either(parts=(A, Both(parts=(B, C))))),
        ("a b OR c", Sequence(parts=(A, Either(parts=(B, C))))),
        ("(a OR b) AND c", Both(parts=(Either(parts=(A, B)), C))),
        ("a -b", Sequence(parts=(A, Not(part=B)))),
        ("a NOT b", Sequence(parts=(A, Not(part=B)))),
        ("a AND NOT b", Both(parts=(A, Not(part=B)))),
        ("NOT NOT a", A),
        ("+a b", Sequence(parts=(Required(part=A), B))),
        ("-(a b)", Not(part=Sequence(parts=(A, B)))),
        ('"a b"', Phrase(text="a b")),
        ('"a b"~3', Phrase(text="a b", slop=3)),
        ("wor*", Wildcard(pattern="wor*")),
        ("w?rd", Wildcard(pattern="w?rd")),
        ("word~", Fuzzy(text="word", distance=1)),
        ("word~2", Fuzzy(text="word", distance=2)),
        ("title:a", word("a", "title")),
        ('title:"a b"', Phrase(text="a b", field="title")),
        ("title:(a OR b)", Either(parts=(word("a", "title"), word("b", "title")))),
        ("url:guide", word("guide", "url")),
        ("https://example.org/a?b=1", Phrase(text="https://example.org/a?b=1", field="url")),
        ("site:https://Example.ORG/path", Filter(name="site", value="example.org")),
        ("host:example.org", Filter(name="host", value="example.org")),
        ("type:PDF", Filter(name="type", value="pdf")),
        ("lang:EN", Filter(name="lang", value="en")),
        ("target:7", Filter(name="target", value="7")),
        ('meta:Author="Ann B"', Filter(name="meta", value="author=ann b")),
        ("meta:author=ann", Filter(name="meta", value="author=ann")),
        ("since:2024/2", Filter(name="since", value="2024-02")),
        ("until:20240229", Filter(name="until", value="2024-02-29")),
        ("*", EVERYTHING),
        ("", NOTHING),
        ("how does it work?", Sequence(parts=(word("how"), word("does"), word("it"), word("work")))),
        ("\\-a \\AND", Sequence(parts=(word("-a"), word("AND")))),
        ("c++", word("c++")),
    ],
)
def test_reading(text, node):
    """A query is read as its form says, without a word about it."""
    reading = parse(text)
    assert reading.node == node
    assert reading.notes == ()


@pytest.mark.parametrize(
    ("text", "node", "note"),
    [
        ('"a b', Phrase(text="a b"), "quotation mark was not closed"),
        ("(a b", Sequence(parts=(A, B)), "bracket was not closed"),
        ("a) b", Sequence(parts=(A, B)), "had no opening one"),
        ("a AND", A, "AND needs words on both sides"),
        ("OR a", A, "OR needs words on both sides"),
        ("a OR AND b", Sequence(parts=(A, B)), "needs words on both sides"),
        ("NOT", NOTHING, "NOT needs a word after it"),
        ("colour:a", word("colour:a"), "no field “colour”"),
        ("since:yesterday", NOTHING, "“yesterday” is no date"),
        ("since:2024-02-30 a", A, "is no date"),
        ("a~9", Fuzzy(text="a", distance=2), "at most 2 letters"),
        ('"a b"~999', Phrase(text="a b", slop=50), "at most 50 places"),
        ("?* a", A, "needs at least one letter"),
        ("x" * 300, word("x" * 200), "too long"),
    ],
)
def test_broken_queries_are_read_and_said_how(text, node, note):
    """What makes no sense is left out, and a sentence says so."""
    reading = parse(text)
    assert note in " ".join(reading.notes)
    if text != "a OR AND b":
        assert reading.node == node


def test_long_queries_are_cut():
    """Of ten thousand words the first are looked for."""
    reading = parse(" ".join(f"w{number}" for number in range(10_000)))
    assert len(reading.node.parts) == MOST_WORDS
    assert "too long" in reading.notes[0]


def test_deep_brackets_are_cut():
    """Brackets deeper than the limit count as none, and close where they were opened."""
    reading = parse("(" * 2_000 + "a b" + ")" * 2_000)
    assert reading.node == Sequence(parts=(A, B))
    assert f"up to {DEEPEST} deep" in " ".join(reading.notes)
    assert parse("title:(-" * 2_000 + "a").notes


@given(st.text())
def test_any_text_can_be_read(text):
    """Nothing that can be typed makes the parser fail."""
    assert isinstance(parse(text).notes, tuple)
