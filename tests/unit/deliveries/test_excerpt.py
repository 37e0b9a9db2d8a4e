"""Lines of a document around a place: the right ones, of long lines the right part, in any encoding."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as some

from opilio.deliveries import excerpt
from opilio.deliveries.excerpt import excerpts

TEXT = "\n".join(f"line {number}" for number in range(1, 8))


def laid(folder, text, encoding="utf-8", mark=b""):
    """A document with this text."""
    path = folder / "document"
    path.write_bytes(mark + text.encode(encoding))
    return path


def test_lines_around_a_place(tmp_path):
    """At the ends of the document there are fewer."""
    path = laid(tmp_path, TEXT)
    found = excerpts(path, [(4, 6), (1, 1), (7, 0)], around=1)
    assert [(one.number, one.text, one.at) for one in found[4, 6]] == [
        (3, "line 3", None), (4, "line 4", 5), (5, "line 5", None)
    ]  # fmt: skip
    assert [one.number for one in found[1, 1]] == [1, 2]
    assert [(one.number, one.at, one.more) for one in found[7, 0]] == [(6, None, False), (7, None, False)]


def test_a_place_that_is_not_there_is_left_out(tmp_path):
    """As when a document was replaced, or a server of findings is wrong."""
    path = laid(tmp_path, TEXT)
    assert excerpts(path, [(99, 1), (0, 1), (-3, 1)]) == {}
    assert excerpts(path, []) == {}
    assert excerpts(laid(tmp_path, ""), [(2, 1)]) == {}


def test_a_column_behind_the_end_marks_nothing(tmp_path):
    """The line is shown all the same."""
    (line,) = excerpts(laid(tmp_path, "short"), [(1, 500)], around=0).get((1, 500), ()) or [None]
    assert line is None or line.at is None


@pytest.mark.parametrize("block", [1, 7, 4096])
def test_of_a_long_line_the_part_around_the_column_is_shown(tmp_path, monkeypatch, block):
    """Whatever the size of the blocks in which it is read."""
    monkeypatch.setattr(excerpt, "_BLOCK", block)
    path = laid(tmp_path, f"<a>\n{'x' * 3_000}!{'y' * 3_000}\n</a>\n")
    shown = excerpts(path, [(2, 3_001)], around=1)[2, 3_001]
    line = shown[1]
    assert line.text[line.at] == "!"
    assert (line.start, line.more, len(line.text)) == (3_001 - 120, True, 241)
    assert [one.text for one in (shown[0], shown[2])] == ["<a>", "</a>"]


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [("utf-16-le", codecs.BOM_UTF16_LE), ("utf-16-be", codecs.BOM_UTF16_BE), ("utf-8", codecs.BOM_UTF8),
     ("utf-32-le", codecs.BOM_UTF32_LE)],
)  # fmt: skip
def test_columns_count_characters_in_any_encoding(tmp_path, encoding, mark):
    """As the validator counts them."""
    path = laid(tmp_path, "<ö>\n  🦉<b/>", encoding, mark)
    (line,) = excerpts(path, [(2, 4)], around=0)[2, 4]
    assert line.text[line.at :] == "<b/>"


def test_bytes_that_are_no_text_are_shown_as_such(tmp_path):
    """They neither stop the reader nor shift lines."""
    path = tmp_path / "document"
    path.write_bytes(b"a\xff\xfe\n\x00b\r\nc\x85d")
    found = excerpts(path, [(2, 2)], around=1)[2, 2]
    assert [one.number for one in found] == [1, 2, 3]
    assert found[1].text[found[1].at] == "b"


@given(some.text(alphabet="ab\n\u2028\r\x0bö🦉", max_size=80), some.integers(1, 12), some.integers(1, 20))
def test_every_line_is_as_a_plain_reader_has_it(tmp_path_factory, text, line, column):
    """A break is a line feed and nothing else."""
    path = laid(tmp_path_factory.mktemp("documents"), text)
    lines = text.split("\n")
    found = excerpts(path, [(line, column)], around=0).get((line, column))
    if line > len(lines):
        assert not found
    elif found:
        (shown,) = found
        assert len(shown.text) == len(lines[line - 1])
        assert all(a == b or a == " " for a, b in zip(shown.text, lines[line - 1], strict=True))
    else:
        assert lines[line - 1] == ""
