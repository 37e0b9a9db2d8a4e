"""Tables are read as a stream: good rows come through, bad ones are told with their line and reason."""

import io
import json
import os
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from opilio.curation.bulk.errors import BadTable
from opilio.curation.bulk.tables import reading, writing
from opilio.curation.bulk.tables.cells import guarded, looks_like_formula, unguarded

COLUMNS = ("name", "url", "note")
COUNT = 50_000 if float(os.environ.get("OPILIO_TEST_PROOF_SCALE", "1")) > 1 else 2_000


def read(data, form="csv", columns=COLUMNS, required=("name",)):
    """The rows of a file."""
    table = reading.read(io.BytesIO(data), form=form, where="table", columns=columns, required=required)
    return list(table.rows)


def faults(rows):
    return [(row.place, row.fault) for row in rows if row.fault]


def test_every_way_in_which_a_row_can_be_bad():
    """A bad row is told with its line; the rows around it come through."""
    data = (
        b"name,url,note\r\n"
        b"good,http://a.example/,one\r\n"
        b"short,http://a.example/\r\n"
        b'two,http://b.example/,"a note\r\non two lines"\r\n'
        b"caf\xe9,http://c.example/,latin\r\n"
        b"nul\x00,http://c.example/,x\r\n"
        b"=1+1,http://d.example/,x\r\n"
        b"three,http://e.example/,last\r\n"
    )
    rows = read(data)
    assert [row.cells["name"] for row in rows if not row.fault] == ["good", "two", "three"]
    assert rows[2].cells["note"] == "a note\r\non two lines"
    places = [place for place, _ in faults(rows)]
    assert places == [3, 6, 7, 8]
    words = " ".join(fault for _, fault in faults(rows))
    for word in ("2 cells under 3 columns", "0xe9", "Latin-1", "NUL", "formula"):
        assert word in words


@pytest.mark.parametrize(
    "data",
    [
        "name,url,note\r\nżółw,http://a.example/,🐢\r\n".encode("utf-8-sig"),
        "name,url,note\r\nżółw,http://a.example/,🐢\r\n".encode("utf-16"),
        "name;url;note\nżółw;http://a.example/;🐢\n".encode(),
        "name\turl\tnote\nżółw\thttp://a.example/\t🐢\n".encode(),
    ],
    ids=["utf-8-bom", "utf-16", "semicolons", "tabs"],
)
def test_charsets_and_separators(data):
    """What spreadsheets write is read, whatever mark begins it and whatever stands between cells."""
    (row,) = read(data)
    assert dict(row.cells) == {"name": "żółw", "url": "http://a.example/", "note": "🐢"}


def zipped():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("targets.csv", b"0" * 5_000_000)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (b"\r\n\r\n", "empty"),
        (b"good,http://a.example/,x\r\n", "lacks name"),
        (b"name,name\r\n", "repeats name"),
        (b"name,colour\r\n", "unknown colour"),
        (b"n\xe9me,url\r\n", "0xe9"),
        (b'name,"url\r\n', "header is no CSV"),
        (b"\x00" * 100, "NUL"),
        (zipped(), "zip archive"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"x" * 1_200_000, "too long"),
    ],
    ids=["empty", "blank", "no-header", "twice", "unknown", "latin", "quotes", "nul", "zip-bomb", "gzip", "long"],
)
def test_files_that_are_no_table(data, word):
    """A file that is something else is refused as a whole, in words."""
    with pytest.raises(BadTable, match=word):
        read(data)


def test_a_line_of_ten_megabytes():
    """It is told, not kept, and the next line is read."""
    rows = read(b"name,url,note\n" + b"x" * 10_000_000 + b"\nlast,http://a.example/,x\n")
    assert [(row.place, bool(row.fault)) for row in rows] == [(2, True), (3, False)]
    assert "longer than 1,000,000" in rows[0].fault


def test_a_quotation_mark_that_never_closes():
    """What it swallowed is one bad row, with its lines."""
    rows = read(b'name,url,note\ngood,u,x\n"open,u,x\nlost,u,x\n')
    assert rows[0].cells["name"] == "good"
    assert faults(rows) == [(3, "no CSV: a quotation mark is never closed (lines 3 to 4)")]


def test_a_large_table_with_seventeen_bad_rows():
    """All good rows come through, and the bad ones are told with their lines, however long the table is."""
    bad = {2 + number * (COUNT // 17) for number in range(17)}

    def pieces():
        yield b"name,url,note\r\n"
        for line in range(2, COUNT + 2):
            yield b"only one cell\r\n" if line in bad else f"Target {line},http://host{line}.example/,\r\n".encode()

    rows = read(b"".join(pieces()))
    assert {place for place, _ in faults(rows)} == bad
    assert sum(not row.fault for row in rows) == COUNT - 17


def test_json_items():
    """Texts, numbers, yes and no, nothing and lists become cells; an item of another shape is told."""
    items = [
        {"name": "a", "url": ["http://a.example/", "http://b.example/"], "note": True},
        {"name": "b", "url": None, "note": 3},
        "text",
        {"name": {"deep": 1}},
        {"name": "nul\x00"},
        {"nul\x00": "x"},
        {"name": "\ud800"},
    ]
    rows = read(json.dumps(items).encode(), "json")
    assert dict(rows[0].cells) == {"name": "a", "url": "http://a.example/\nhttp://b.example/", "note": "yes"}
    assert dict(rows[1].cells) == {"name": "b", "url": "", "note": "3"}
    assert [place for place, _ in faults(rows)] == [3, 4, 5, 6, 7]


@pytest.mark.parametrize("data", [b"{}", b"[]", b"", b"[1]", b'["a"]', b"[" * 100_000, b'[{"name": "a"', b"name,url"])
def test_json_that_is_no_table(data):
    """It is refused in words."""
    with pytest.raises(BadTable):
        read(data, "json")


def test_json_that_breaks_off():
    """What came before is read; where it broke off is told."""
    rows = read(b'[{"name": "a"}, {"name": "b"}, {"nam', "json")
    assert [row.cells.get("name") for row in rows if not row.fault] == ["a", "b"]
    assert faults(rows)[0][0] == 3


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00\ufffd"), max_size=30)


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, texts)), min_size=1, max_size=5))
def test_what_is_written_is_read_back(rows):
    """In CSV and JSON alike, whatever stands in the cells."""
    kept = [row for row in rows if any(text.strip() for text in row.values())]
    read_csv = read(b"".join(writing.as_csv(COLUMNS, kept)))
    assert [dict(row.cells) for row in read_csv] == kept
    if kept:
        assert [dict(row.cells) for row in read(b"".join(writing.as_json(COLUMNS, kept)), "json")] == kept


@given(texts)
def test_no_written_cell_looks_like_a_formula(text):
    """And nothing of the text is lost."""
    assert not looks_like_formula(guarded(text))
    assert unguarded(guarded(text)) == text
