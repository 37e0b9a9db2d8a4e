"""XML documents against a schema: every fault with its exact place."""

import codecs
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from opilio.deliveries.errors import BadDeliveryProfile
from opilio.deliveries.schemas import Schema

XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="r"><xs:complexType><xs:sequence>
  <xs:element name="a" maxOccurs="unbounded"><xs:complexType><xs:simpleContent><xs:extension base="xs:int">
    <xs:attribute name="k" type="xs:date"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
</xs:sequence></xs:complexType></xs:element></xs:schema>"""


@pytest.fixture(scope="module")
def schema(tmp_path_factory):
    """A small schema: `r` of integers `a` with a date `k`."""
    path = tmp_path_factory.mktemp("schema") / "r.xsd"
    path.write_text(XSD)
    return Schema(path)


@pytest.fixture
def judge(schema, tmp_path):
    """The faults of a text."""

    def judged(text, most=1_000):
        path = tmp_path / "x.xml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return schema.faults(path, most)

    return judged


def places(faults):
    """Where they are."""
    return [(one.line, one.column) for one in faults]


@pytest.mark.parametrize(
    "text",
    [
        "<r><a>1</a></r>", "<r>\n<a k='2024-02-29'>1</a>\n</r>\n\n", "<r><a>1</a></r><!-- end -->", "<r ><a>1</a></r >",
        "<?xml version='1.0'?><!-- > < --><r><a>1<!-- x --></a></r>",
        codecs.BOM_UTF16_LE + "<?xml version='1.0' encoding='UTF-16'?><r><a>1</a></r>".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "<r><a>1</a></r>".encode("utf-16-be"),
        codecs.BOM_UTF8 + b"<r><a>1</a></r>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><r><a>1</a><!-- ä --></r>".encode("latin-1"),
    ],
)  # fmt: skip
def test_a_valid_document_has_no_faults(judge, text):
    """In whatever encoding it says it is."""
    assert judge(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<r>\n <a>x</a>\n</r>", [(2, 6)]),  # the end tag, where the value is complete
        ("<r>\n <a k='2024-02-30'>1</a></r>", [(2, 2)]),
        ("<r>\n <a\n   k='x>y'\n >1</a></r>", [(2, 2)]),  # a tag over several lines, with a > in it
        ("<r>\n<!-- > --> <b/></r>", [(2, 12)]),
        ("<r>\n  <a>1</a><c/>\n</r>", [(2, 11)]),
        ("<r>\n\n</r>", [(3, 1)]),  # something is missing: known at the end
        ("<r><a>äöü</a><a>ä</a></r>", [(1, 10), (1, 18)]),  # columns are characters
        ("<q/>", [(1, 1)]),
        ("<r>\r\n<a>1</a>\r\n<a>y</a></r>", [(3, 5)]),
        ("<r><a><![CDATA[ > </a> ]]></a></r>", [(1, 27)]),
        (codecs.BOM_UTF16_LE + "<r>\n<a>ä</a></r>".encode("utf-16-le"), [(2, 5)]),
    ],
)
def test_a_fault_has_its_line_and_column(judge, text, expected):
    """Of the tag at which it came up."""
    assert places(judge(text)) == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1), ("no xml", 1), ("<r><a>1</a>", 1), ("<r>\n<a>1</b></r>", 2), ("<r><a>1</a></r>junk", 1),
        ("<r><a>1</a></r><r/>", 1), ("<r>\n<a>\n&none;</a></r>", 3), (b"<r>\n<a>\xff</a></r>", 2),
        (b"<?xml version='1.0' encoding='UTF-8'?>\n<r><a>1</a><!-- \xe4 --></r>", 2), ("<r><a k=1>1</a></r>", 1),
        (b"<r><a>1</a></r>\0", 1), ("<r><a>\x01</a></r>", 1),
    ],
)  # fmt: skip
def test_what_is_no_xml_is_said_so(judge, text, line):
    """With the line, also where a parser with a schema keeps quiet."""
    faults = judge(text)
    assert "syntax" in [one.kind for one in faults]
    assert faults[-1].line == line


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE r><r><a>1</a></r>",
        "<!DOCTYPE r [<!ENTITY e '1'>]><r><a>&e;</a></r>",
        "<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r><a>1</a></r>",
        "<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><r><a>&x;</a></r>",
        "<!DOCTYPE r [<!ENTITY a '1'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;'>]>"
        "<r><a>&c;</a></r>",
    ],
)
def test_a_document_type_is_refused(judge, text):
    """And with it all entities; nothing outside is read."""
    faults = judge(text)
    assert "doctype" in [one.kind for one in faults]
    assert "root:" not in str(faults)


def test_a_document_chooses_no_schema(judge, tmp_path):
    """What it says of one is ignored."""
    instance = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'"
    assert judge(f"<r {instance} xsi:noNamespaceSchemaLocation='http://127.0.0.1:1/x.xsd'><a>1</a></r>") == []


def test_deep_nesting_and_huge_texts_are_refused(judge):
    """Before they fill the memory."""
    assert judge("<r>" + "<a>" * 100_000)
    assert judge("<r><a>" + "1" * 11_000_000 + "</a></r>")


def test_faults_are_capped(judge):
    """So that a hopeless document does not fill the tracker."""
    assert len(judge("<r>" + "<a>x</a>\n" * 5_000 + "</r>", most=100)) == 100


def test_all_lines_are_exact_in_a_large_document(judge):
    """As a plain search finds them."""
    lines = [
        "<r>",
        *(f"<a k='2024-01-01'>{'bad' if number % 97 == 0 else number}</a>" for number in range(5_000)),
        "</r>",
    ]
    expected = [number for number, line in enumerate(lines, start=1) if "bad" in line]
    assert [one.line for one in judge("\n".join(lines))] == expected


def test_a_schema_that_cannot_be_used(tmp_path):
    """Is named with its file."""
    (tmp_path / "s.xsd").write_text("<nonsense/>")
    with pytest.raises(BadDeliveryProfile, match=r"s\.xsd"):
        Schema(tmp_path / "s.xsd")
    with pytest.raises(BadDeliveryProfile):
        Schema(tmp_path / "none.xsd")


WORDS = (
    "<r>", "</r>", "<a>", "</a>", "1", "x", "<a k='", "'>", " ", "\n", "<!--", "-->", "<b/>", "&", "<![CDATA[", "]]>",
    "ä", ">",
)  # fmt: skip


@given(pieces=st.lists(st.sampled_from(WORDS), max_size=14))
def test_the_verdict_is_that_of_a_parser_and_a_validator(schema, tmp_path_factory, pieces):
    """Whatever the document: without faults exactly when it is well-formed and valid."""
    text = "".join(pieces).encode()
    path = tmp_path_factory.mktemp("any") / "x.xml"
    path.write_bytes(text)
    try:
        good = etree.XMLSchema(etree.fromstring(XSD)).validate(etree.fromstring(text))
    except etree.XMLSyntaxError:
        good = False
    assert (schema.faults(path) == []) is good
    assert all(re.search(r"\w", one.message) for one in schema.faults(path))
