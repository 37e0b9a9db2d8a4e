"""The PDF files of the sample site."""

import re

import pytest

from opilio.works.sample import pages
from opilio.works.sample.pdf import typeset


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/publications/guide-to-the-harbour.pdf", [b"rope walk", b"sixty-four prisms"]),
        ("/publications/yearly-report-2025.pdf", [b"31,870", b"\\(insured\\)", b"\xa3412,300"]),
    ],
)
def test_publications_are_pdf_files_with_their_words(path, words):
    """A publication is a PDF whose words can be found in it."""
    response = pages()[path]
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.body.startswith(b"%PDF-1.4\n")
    assert response.body.endswith(b"%%EOF\n")
    assert all(word in response.body for word in words)


def test_the_cross_reference_table_points_at_the_objects():
    """Each entry of the table is the offset of the object with that number, and the trailer finds the table."""
    body = typeset("A title\n" + "\n\n".join(f"Paragraph {number}." for number in range(100)))
    start = int(re.search(rb"startxref\n(\d+)\n", body)[1])
    assert body[start:].startswith(b"xref\n")
    offsets = [int(entry) for entry in re.findall(rb"(\d{10}) 00000 n \n", body[start:])]
    assert len(offsets) == int(re.search(rb"/Size (\d+)", body)[1]) - 1
    for number, offset in enumerate(offsets, 1):
        assert body[offset:].startswith(b"%d 0 obj\n" % number)


def test_long_texts_run_over_several_sheets():
    """Two hundred lines need five sheets, and each stream is as long as it says."""
    body = typeset("A title\n" + "\n\n".join(f"Paragraph {number}." for number in range(100)))
    assert b"/Count 5 " in body
    for length, stream in re.findall(rb"/Length (\d+) >>\nstream\n(.*?)\nendstream", body, re.DOTALL):
        assert len(stream) == int(length)


def test_a_title_alone_makes_one_sheet():
    """A text without paragraphs is still a PDF of one page."""
    assert b"/Count 1 " in typeset("Only a title")
