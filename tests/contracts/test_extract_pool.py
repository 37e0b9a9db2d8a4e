"""The helper process: what it reads, and how it is killed without harm."""

import asyncio
import io
import zipfile

import pytest

from opilio.extract import HelperLimits, HelperPool, LinkKind, Options, PageType, extract, extract_async
from opilio.extract.codec import BadAnswer, answer, answer_of
from opilio.extract.options import BadOptions, from_values, to_values
from opilio.extract.pool import HelperUnavailable
from opilio.kernel.urls import drop_parameters
from opilio.works.sample import pages
from tests.unit.extract.pages import URL, html, urls

_WORDS = "<d><p><r><t>One</t></r><r><t> two</t></r></p><p><t>Three</t></p></d>"
_TEN = "<s><p><t>Ten</t></p></s>"
_DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture(scope="module")
def pool():
    with HelperPool(limits=HelperLimits(cpu_seconds=5)) as one:
        yield one


def office(parts):
    """A zip of the given parts: name → content."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return data.getvalue()


def read(body, pool, content_type=_DOCX, **options):
    return extract(body, url=URL, content_type=content_type, pool=pool, options=Options(**options))


def test_deep_pages_are_read_aside(pool):
    """A page above the limits that the helper can manage is read like any other."""
    found = extract(b"<div>" * 2_500 + b"<a href=/x>deep</a>", url=URL, content_type="text/html", pool=pool)
    assert (found.unparsable, urls(found), found.text) == ("", ["/x"], "deep")


def test_hostile_pages_end_by_a_kill():
    """A page that would take minutes is given up after its seconds, and the next page is read."""
    with HelperPool(limits=HelperLimits(cpu_seconds=1)) as pool:
        found = extract(b"<div>" * 400_000, url=URL, content_type="text/html", pool=pool)
        assert found.unparsable == "it took more than 1 seconds of CPU time"
        assert found.page_type is PageType.HTML
        assert read(office({"word/document.xml": "<d><t>next</t></d>"}), pool).text == "next"


def test_the_clock_kills_too():
    """A helper that does not answer in time is killed, whatever it does."""
    with HelperPool(limits=HelperLimits(wall_seconds=0.0)) as pool:
        found = extract(b"<div>" * 400_000, url=URL, content_type="text/html", pool=pool)
    assert found.unparsable == "it took too long"


def test_memory_is_limited():
    """A page that needs more memory than allowed is unparsable."""
    with HelperPool(limits=HelperLimits(megabytes=400, cpu_seconds=60)) as pool:
        found = extract(b"<p>x" * 6_000_000, url=URL, content_type="text/html", pool=pool)
        assert found.unparsable


def test_without_a_pool_nothing_hangs():
    """Who gives no pool gets the reason instead."""
    found = extract(b"<div>" * 4_500, url=URL, content_type="text/html")
    assert found.unparsable == "the page is nested more than 4000 elements deep"


def test_processes_are_replaced():
    """After its number of resources a process makes room for another."""
    with HelperPool(limits=HelperLimits(resources=1)) as pool:
        body = office({"word/document.xml": "<d><t>a</t></d>"})
        assert [read(body, pool).text for _ in range(2)] == ["a", "a"]


def test_a_process_that_cannot_start_is_an_error():
    """A process that is not ready in time is no fault of the resource."""
    with HelperPool(limits=HelperLimits(start_seconds=0.0)) as pool, pytest.raises(HelperUnavailable) as caught:
        read(b"PK\x03\x04", pool)
    assert caught.value.what == "a helper process for extraction did not start: it took too long"


def test_the_event_loop_goes_on(pool):
    """Several resources are awaited at once while the loop does other things."""
    body = office({"word/document.xml": "<d><t>a</t></d>"})

    async def main():
        jobs = [asyncio.create_task(extract_async(body, url=URL, content_type=_DOCX, pool=pool)) for _ in range(3)]
        here = await extract_async(b"<p>here", url=URL, content_type="text/html", pool=pool)
        return [here, *(await asyncio.gather(*jobs))]

    assert [found.text for found in asyncio.run(main())] == ["here", "a", "a", "a"]


def test_pdf(pool):
    """A PDF gives title, language and text."""
    body = pages()["/publications/guide-to-the-harbour.pdf"].body
    found = extract(body, url=URL, content_type="application/pdf", pool=pool)
    assert (found.title, found.language, found.page_type.word) == ("A short guide to the harbour", "en-GB", "pdf")
    assert "harbour" in found.text


def _pdf(*objects):
    """A PDF of the given objects, the first of which is the catalogue."""
    out = b"%PDF-1.4\n"
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    return out + head + table + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))


_PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[<</Type/Annot/Subtype/Link/A<</S/URI/URI(/linked)>>>>]>>"


def test_links_of_a_pdf(pool):
    """The URIs of annotations are links."""
    body = _pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", _PAGE)
    found = extract(body, url=URL, content_type="application/pdf", pool=pool)
    assert urls(found, LinkKind.LINK) == ["/linked"]


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.4",
        b"%PDF-1.7 nonsense" * 50,
        _pdf(b"<</Type/Catalog/Pages 1 0 R>>"),
        _pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"),
        _pdf(b"[" * 5_000),
    ],
    ids=["empty", "nonsense", "page tree is the catalogue", "page tree in a circle", "deep arrays"],
)
def test_broken_pdfs_have_an_outcome(body, pool):
    """A PDF that cannot be read is unparsable or empty; the helper lives on or is replaced."""
    found = extract(body, url=URL, content_type="application/pdf", pool=pool)
    assert found.unparsable or found.text == ""
    assert read(office({"word/document.xml": "<d><t>next</t></d>"}), pool).text == "next"


def test_limit_of_pdf_pages(pool):
    """Pages above the limit are noted."""
    body = _pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R 3 0 R 3 0 R]/Count 3>>", _PAGE)
    found = read(body, pool, "application/pdf", max_pdf_pages=2)
    assert found.notes == ("1 of 3 pages above the limit were left out.",)


@pytest.mark.parametrize(
    ("parts", "extension", "text"),
    [
        ({"word/document.xml": _WORDS}, "docx", "One two\nThree"),
        ({"xl/sharedStrings.xml": "<s><si><t>A</t></si><si><t>B</t></si></s>"}, "xlsx", "A\nB"),
        ({"ppt/slides/slide10.xml": _TEN, "ppt/slides/slide2.xml": _TEN.replace("Ten", "Two")}, "pptx",
         "Two\nTen"),
        ({"content.xml": "<o><p>In <span>the</span> right order</p><h>Head</h></o>"}, "odt",
         "In the right order\nHead"),
    ],
)  # fmt: skip
def test_office_files(parts, extension, text, pool):
    """Words come in reading order, a paragraph per line."""
    found = (
        extract(office(parts), url=f"http://example.org/a.{extension}", content_type="", pool=pool)
        if extension != "odt"
        else read(office(parts), pool, "application/vnd.oasis.opendocument.text")
    )
    assert (found.text, found.extension, found.unparsable) == (text, extension, "")


def test_properties_and_links_of_office_files(pool):
    """Title, other properties and outward links are read."""
    body = office(
        {
            "word/document.xml": "<d/>",
            "docProps/core.xml": "<c xmlns:dc='d'><dc:title>Tides</dc:title><dc:creator>Curator</dc:creator></c>",
            "word/_rels/document.xml.rels": "<r><Relationship TargetMode='External' Target='http://example.org/out'/>"
            "<Relationship Target='styles.xml'/></r>",
        }
    )
    found = read(body, pool)
    assert found.title == "Tides"
    assert ("creator", "Curator", "name") in found.metas
    assert urls(found) == ["/out"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"PK\x03\x04 no zip", "it cannot be unpacked (BadZipFile)"),
        (office({"word/document.xml": "<!DOCTYPE d [<!ENTITY a 'b'>]><d/>"}), "it has a DOCTYPE with declarations"),
        (office({"word/document.xml": "<!DOCTYPE d><d/>"}), "it has a DOCTYPE"),
        (office({"word/document.xml": "<a>" * 500}), "elements are nested more than 200 deep"),
        (office({"word/document.xml": "<d><t>cut"}), "not well-formed XML: no element found in line 1"),
        (office({"word/document.xml": "<d>" + " " * 11_000_000}), "a part of it unpacks to far more than it seems"),
    ],
    ids=["no zip", "entities", "doctype", "deep", "cut", "bomb"],
)  # fmt: skip
def test_hostile_office_files(body, reason, pool):
    """Bombs and tricks are refused with the reason."""
    assert read(body, pool).unparsable == reason


def test_limits_of_office_files(pool):
    """The size of all parts together and their number are limited."""
    body = office({"word/document.xml": "<d><t>" + "x" * 5_000 + "</t></d>", "word/footnotes.xml": "<d/>"})
    assert read(body, pool, max_unpacked_bytes=1_000).unparsable == "it unpacks to more than 1000 bytes"
    assert read(body, pool, max_zip_entries=1).unparsable == "it has more than 1 entries"


def test_old_office_files_are_noted(pool):
    """Binary formats give no text but a note."""
    found = read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", pool, "application/msword")
    assert found.notes == ("The text of .doc files is not read.",)


def test_answers_come_back_whole():
    """What the helper answers is what it read."""
    found = html(
        "<html lang=en><meta name=robots content=none><h1>x</h1><nav>n</nav><a href=/1 rel=a>x</a><a href='http://['>"
    )
    assert answer_of(answer(found)) == found


@pytest.mark.parametrize(
    "data",
    [b"", b"[]", b"{}", b'{"page_type": 99, "extension": "x"}', b'{"page_type": 1, "extension": "", "links": 5}'],
)
def test_nonsense_answers_are_refused(data):
    """A helper that was taken over cannot do more than be wrong."""
    with pytest.raises(BadAnswer):
        answer_of(data)


def test_options_travel():
    """Options survive the way to the helper, and foreign ones are refused."""
    options = Options(query=drop_parameters("sid"), forms=True, max_links=5)
    assert from_values(to_values(options)) == options
    for bad in (
        {"max_links": 0},
        {"max_links": True},
        {"forms": 1},
        {"color": "red"},
        {"query": 5},
        {"query": {"rule": "x", "names": []}},
    ):
        with pytest.raises(BadOptions):
            from_values(bad)
