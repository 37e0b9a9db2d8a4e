"""The records of documents, and the rules that they keep to."""

import resource
from datetime import date

import pytest

from opilio.deliveries.errors import BadDocument
from opilio.deliveries.fields import value, values
from opilio.deliveries.integrity import judged, readable
from opilio.deliveries.profile import DocumentKind, Rule, ValueType, profile
from opilio.deliveries.records import Record, records

IMPC = profile("impc")
SPECIMEN, EXPERIMENT = IMPC.documents
TABLE = profile("csv-manifest").documents[0]
SPECIMENS = """<centreSpecimenSet><centre centreID="J">
  <mouse specimenID="M1" DOB="2024-01-31"><relatedSpecimen specimenID="M0" relationship="mother"/></mouse>
  <embryo specimenID="E1"><genotype> a </genotype><genotype>b</genotype></embryo>
</centre><centre centreID="H"><mouse specimenID="M2" DOB="2024-01-01"/></centre></centreSpecimenSet>"""


@pytest.fixture
def read(tmp_path):
    """The records of a text."""

    def found(text, kind):
        path = tmp_path / "document"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return list(records(path, kind))

    return found


def test_elements_are_records(read):
    """With their key, their line, and what they take from around them."""
    found = read(SPECIMENS, SPECIMEN)
    assert [(one.kind, one.key, one.line, one.values["centre"]) for one in found] == [
        ("specimen", "M1", 2, "J"), ("specimen", "E1", 3, "J"), ("specimen", "M2", 4, "H"),
    ]  # fmt: skip
    assert values(found[0].values, "relatedSpecimen/@specimenID") == ["M0"]
    assert values(found[1].values, "genotype") == ["a", "b"]
    assert value(found[1].values, "@DOB") == ""


def test_namespaces_do_not_matter(read):
    """Partners' own schemas have some."""
    (one,) = read("<x:s xmlns:x='urn:x'><x:mouse specimenID='M' x:DOB='2024-01-01'/></x:s>", SPECIMEN)
    assert (one.key, value(one.values, "@DOB")) == ("M", "2024-01-01")


def test_rows_are_records(read):
    """With their columns; the byte order mark is no part of a name."""
    found = read('\ufeffid,name\r\n1,"a, b"\r\n2,\r\n', TABLE)
    assert [(one.key, one.values, one.line) for one in found] == [
        ("1", {"id": "1", "name": "a, b"}, 2), ("2", {"id": "2", "name": ""}, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no column 'id'"), ("a,b\n1,2\n", "no column 'id'"), ("id,id\n1,2\n", "two of one name"),
        ("id,b\n1\n", "Row 2 has 1"), ("id,b\n1,2,3\n", "Row 2 has 3"), (b"id,b\n1,\xff\n", "cannot be read"),
        ('id,b\n1,"open', "cannot be read"), ("id\n" + "x" * (2 << 20), "cannot be read"),
    ],
)  # fmt: skip
def test_a_table_that_cannot_be_read(read, text, told):
    """Says why, with the row."""
    with pytest.raises(BadDocument, match=told):
        read(text, TABLE)


def test_a_broken_document_says_so(read):
    """After the records before the break."""
    with pytest.raises(BadDocument):
        read(SPECIMENS[:-30], SPECIMEN)


def test_memory_does_not_grow_with_the_document(read, tmp_path):
    """A hundred thousand records, one at a time."""
    text = "<s>" + "<mouse specimenID='M' DOB='2024-01-01'><genotype>x</genotype></mouse>" * 100_000 + "</s>"
    path = tmp_path / "large"
    path.write_text(text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sum(1 for _ in records(path, SPECIMEN)) == 100_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # kB


class Known:
    """What tests say is known."""

    def __init__(self, loaded=(), sets=None, taken=()):
        self.loaded, self.sets, self.taken = set(loaded), sets or {}, set(taken)

    def has(self, kind, key):
        return (kind, key) in self.loaded

    def holds(self, name, text):
        return text in self.sets[name]

    def others(self, kind, field, text, key):
        return text in self.taken

    def today(self):
        return date(2024, 6, 1)


def broken(rule, record, known=None):
    """The messages of one rule about one record."""
    made = Rule.model_validate({"name": "r", "record": "x", "field": "@f", **rule})
    found = judged(Record(kind="x", key="K", values=record, line=7), [made], known or Known())
    return [one.message for one in found]


@pytest.mark.parametrize(
    ("rule", "text", "told"),
    [
        ({"kind": "required"}, " ", "is missing"),
        ({"kind": "required"}, "x", None),
        ({"kind": "type", "type": "integer"}, "12", None),
        ({"kind": "type", "type": "integer"}, "1.5", "no integer"),
        ({"kind": "type", "type": "integer"}, "٣", "no integer"),
        ({"kind": "type", "type": "number"}, "-1.5e3", None),
        ({"kind": "type", "type": "number"}, "nan", "no number"),
        ({"kind": "type", "type": "date"}, "2024-02-30", "no date"),
        ({"kind": "type", "type": "boolean"}, "yes", "no boolean"),
        ({"kind": "option", "options": ["a", "b"]}, "c", "none of a, b"),
        ({"kind": "option", "options": ["a", "b"]}, "a", None),
        ({"kind": "option", "set": "strains"}, "S9", "not in strains"),
        ({"kind": "option", "set": "strains"}, "S1", None),
        ({"kind": "range", "least": 0, "most": 10}, "11", "more than 10"),
        ({"kind": "range", "least": 0, "most": 10}, "-1", "less than 0"),
        ({"kind": "range", "least": 0, "most": 10}, "10", None),
        ({"kind": "range", "least": 0}, "1e400", "no number"),
        ({"kind": "range", "least": 0}, "many", "no number"),
        ({"kind": "unique"}, "taken", "Another x"),
        ({"kind": "unique"}, "free", None),
        ({"kind": "reference", "to": "y"}, "Y1", None),
        ({"kind": "reference", "to": "y"}, "Y2", "no y 'Y2'"),
        ({"kind": "date"}, "2024-06-01", None),
        ({"kind": "date"}, "2024-06-02", "in the future"),
        ({"kind": "date", "future": True}, "2030-01-01", None),
        ({"kind": "date"}, "soon", "no date"),
        ({"kind": "date", "after": "@born"}, "2023-01-01", "before @born"),
        ({"kind": "date", "after": "@born"}, "2024-03-01", None),
    ],
)
def test_each_rule(rule, text, told):
    """What it takes, and what it says of the rest."""
    known = Known(loaded=[("y", "Y1")], sets={"strains": {"S1"}}, taken=["taken"])
    messages = broken(rule, {"@f": text, "@born": "2024-01-01"}, known)
    assert (messages == []) if told is None else any(told in message for message in messages)


def test_a_field_that_is_not_there_breaks_only_what_requires_it():
    """All other rules are about values."""
    for kind in ("type", "range", "unique", "date"):
        assert broken({"kind": kind}, {}) == []
    assert broken({"kind": "required"}, {}) == ["@f is missing."]


def test_a_missing_record_is_named_so_that_the_finding_can_be_retired():
    """By its kind and key, for each value."""
    (rule,) = [one for one in IMPC.rules if one.name == "specimen-submitted"]
    record = Record(kind="experiment", key="E1", values={"specimenID": [{"#text": "M1"}, {"#text": "M2"}]})
    found = judged(record, [rule], Known(loaded=[("specimen", "M1")]))
    assert [(one.key, one.awaits, one.level.value) for one in found] == [("E1", ("specimen", "M2"), "error")]


def test_huge_values_are_cut_in_messages():
    """Messages are for people."""
    (message,) = broken({"kind": "type", "type": "integer"}, {"@f": "x" * 10_000})
    assert len(message) < 300


def test_numbers_are_read_strictly():
    """As many digits as a double can take."""
    assert readable("9" * 18, ValueType.INTEGER)
    assert not readable("9" * 19, ValueType.INTEGER)
    assert DocumentKind.model_fields["format"].default == "xml"
