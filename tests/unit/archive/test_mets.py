"""The description of a package: METS 1.12 with Dublin Core and PREMIS 3, valid whatever people typed."""

import dataclasses
from datetime import UTC, datetime

import pytest
from lxml import etree

from opilio.archive.mets.document import document
from opilio.archive.mets.formats import format_of, group_of
from opilio.archive.mets.values import Happening, PackageFacts, PackedFile, Remark, Step, Withheld
from tests.schemas import require_valid

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOSTILE = "<script>alert(1)</script> & \x00\x07\ud800 \u202eevil \N{GRINNING FACE}" + "x" * 5_000
DC = "{http://purl.org/dc/elements/1.1/}"
METS = "{http://www.loc.gov/METS/}"
OPILIO = "{urn:opilio:package:1}"


def sections(text="Owls of the marsh", **more):
    described = {"title": text, "creator": text, "identifier_isbn": "978-3", "identifier_issn": "1234-5678",
                 "date": "2026", "rights": text}  # fmt: skip
    permission = {
        "id": "9", "status": 2, "start_date": "2020-01-01", "end_date": None, "access_status": "Open (unrestricted)",
        "open_access_date": "2030-01-01", "copyright_statement": text, "special_requirements": text, "agent_id": 3,
        "authorisation": {"title": text, "order_number": "17"}, "agent": {"name": text, "email": "a@owls.example"},
        "patterns": ["http://owls.example/*"], "exclusions": [{"url": "http://owls.example/secret", "reason": text}],
    }  # fmt: skip
    return {
        "target": {"id": "5", "name": text, "reference": "REF-1", "description": text, "description-record": described,
                   "groups": [{"id": "6", "name": text, "type": "Collection"}]},
        "members": [{"id": "7", "name": "Herons", "description-record": None}],
        "seeds": [{"id": "8", "url": "http://owls.example/", "primary": True, "permissions": ["9"]}],
        "permissions": [permission, {**permission, "id": "10", "status": 1}],
        "profile": {"id": "4", "name": text, "version": 2}, "profile-note": text,
        "people": {"owner": {"username": "curator", "name": text}, "agency": {"id": "1", "name": "Library"}},
        "software": {"opilio": "0.1.0", "python": "3.11"}, **more,
    }  # fmt: skip


def facts(text="Owls of the marsh", **more):
    given = PackageFacts(
        identifier="info:opilio/harvest/42/result/2", harvest=42, result=2, sections=sections(text),
        snapshot_digest="sha256:ab", frozen_at=NOW, packed_at=NOW, packed_by="archivist", software="Opilio 0.1.0",
        started_at=NOW, ended_at=NOW, agent="barn", figures={"urls_down": 12, "status": "finished"},
        steps=(Step(number=1, derived_from=None, made_at=NOW, made_by="system", provenance="What the crawl captured."),
               Step(number=2, derived_from=1, made_at=NOW, made_by="curator", provenance=text, notes=(text, "b"))),
        events=(Happening(identifier="event 1", result=1, kind="capture", at=NOW, outcome="success", by="system",
                          software="Opilio 0.1.0"),
                Happening(identifier="event 2", result=2, kind="derivation", at=NOW, outcome="success", by="curator",
                          detail=text)),
        remarks=(Remark(about="harvest", at=NOW, by="curator", text=text),
                 Remark(about="target", at=NOW, by="curator", text=text)),
        withheld=(Withheld(level="block", reach="url", value="http://owls.example/x", authority=text, reason=text,
                           ordered_at=NOW, captured_from=NOW),),
        answers={"series": text},
    )  # fmt: skip
    return dataclasses.replace(given, **more)


FILES = (
    PackedFile(path="data/warcs/a b#1.warc.gz", size=10, checksum="ab" * 64, created=NOW),
    PackedFile(path="data/index.cdxj", size=5, checksum="cd" * 64),
    PackedFile(path="data/results/result-1.db", size=7, checksum="ef" * 64),
    PackedFile(path="data/plan.json", size=3, checksum="01" * 64),
)


@pytest.mark.parametrize("text", ["Owls of the marsh", HOSTILE, "\u05e2\u05d5\u05e3"])
def test_the_document_is_valid(text):
    """Against the schemas of METS and PREMIS, also with markup, control characters and long texts in every field."""
    root, premis = require_valid(document(facts(text), FILES))
    assert premis == 1 + len(FILES) + 2 + 2 + len({"archivist", "curator", "system", "Opilio", "agency", "agent"})
    assert root.get("OBJID") == "info:opilio/harvest/42/result/2"


def test_a_harvest_of_which_little_is_known_is_described_too():
    """Of a harvest that came from elsewhere only the seeds are frozen."""
    bare = PackageFacts(
        identifier="info:opilio/harvest/1/result/1", harvest=1, result=1, snapshot_digest="", frozen_at=NOW,
        sections={"seeds": [{"url": "http://owls.example/"}]}, packed_at=NOW, packed_by="", software="Opilio 0.1.0",
    )  # fmt: skip
    root, _ = require_valid(document(bare, ()))
    assert root.findtext(f".//{DC}title") == "Harvest 1"


def test_every_element_of_the_description_is_there():
    """ISBN and ISSN become identifiers; date and rights have elements of their own."""
    root = etree.fromstring(document(facts(), FILES))
    told = [one.text for one in root.iter(f"{DC}identifier")]
    assert told == ["ISBN 978-3", "ISSN 1234-5678", "info:opilio/harvest/42/result/2"]
    assert root.findtext(f".//{DC}date") == "2026"
    assert root.findtext(f".//{DC}rights") == "Owls of the marsh"


def test_rights_provenance_and_seeds_are_told():
    """Each permission with its patterns and the seeds that rely on it; each result with its notes."""
    root = etree.fromstring(document(facts(), FILES))
    permission = root.find(f".//{OPILIO}permission[@id='9']")
    assert permission.findtext(f"{OPILIO}pattern") == "http://owls.example/*"
    assert permission.findtext(f"{OPILIO}seed") == "http://owls.example/"
    assert [one.get("number") for one in root.iter(f"{OPILIO}result")] == ["1", "2"]
    assert [one.text for one in root.iter(f"{OPILIO}modification")] == ["Owls of the marsh", "b"]
    assert root.find(f".//{OPILIO}seed[@kind='primary']") is not None
    assert root.findtext(f".//{OPILIO}takedown[@level='block']/{OPILIO}value") == "http://owls.example/x"


def test_files_have_size_digest_type_and_a_way_to_them():
    """What a reference would read as something else is escaped."""
    root = etree.fromstring(document(facts(), FILES))
    warc = next(one for one in root.iter(f"{METS}file") if one.get("MIMETYPE") == "application/warc+gzip")
    assert (warc.get("SIZE"), warc.get("CHECKSUM"), warc.get("CHECKSUMTYPE")) == ("10", "ab" * 64, "SHA-512")
    assert warc.get("CREATED") == "2026-03-01T12:00:00Z"
    assert warc[0].get("{http://www.w3.org/1999/xlink}href") == "data/warcs/a%20b%231.warc.gz"
    assert len(root.findall(f".//{METS}fptr")) == len(FILES)


def test_only_an_empty_reference_is_filled_in():
    """What was frozen stays; a number that came later is taken where there was none."""
    frozen = facts(reference="LATER")
    assert etree.fromstring(document(frozen, ())).findtext(f".//{OPILIO}target/{OPILIO}reference") == "REF-1"
    target = {**frozen.sections["target"], "reference": ""}
    bare = dataclasses.replace(frozen, sections={**frozen.sections, "target": target})
    assert etree.fromstring(document(bare, ())).findtext(f".//{OPILIO}target/{OPILIO}reference") == "LATER"


def test_the_same_facts_give_the_same_bytes():
    """The order in which files are named changes nothing."""
    assert document(facts(), FILES) == document(facts(), FILES[::-1])


@pytest.mark.parametrize(
    ("path", "group", "mime"),
    [
        ("data/warcs/a.warc.gz", "warcs", "application/warc+gzip"),
        ("archive/a.warc", "warcs", "application/warc"),
        ("data/index.cdxj", "index", "text/plain"),
        ("data/results/result-1.db", "results", "application/vnd.sqlite3"),
        ("data/logs/crawl.log", "logs", "text/plain"),
        ("data/report.html", "reports", "text/html"),
        ("data/screenshots/1.png", "screenshots", "image/png"),
        ("data/plan.json", "documents", "application/json"),
        ("data/odd", "documents", "application/octet-stream"),
    ],
)
def test_files_are_grouped_and_typed_by_their_names(path, group, mime):
    """The packer wrote them, so their names tell what they are."""
    assert (group_of(path), format_of(path).mime) == (group, mime)
