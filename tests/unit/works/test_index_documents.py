"""Resources as search documents, and why some do not become one."""

import pytest

from opilio.archive.results.values import Resource
from opilio.kernel.page_text import PageText
from opilio.works.index_documents import Belonging, digest_of, document_of, modified_of, outline_of, why_not

HERE = Belonging(crawl="owls", agency="a1", target="t1", harvest="h1", copyright="© the owls")
META = '[["Description", "All about owls"], ["keywords", "owl, bird"], ["description", "second"]]'


def resource(**fields):
    usual = {
        "id": 1, "key": (0, 1), "url": "https://www.owls.example.org/a?b=c", "seed": 0, "outcome": "fetched",
        "status": 200, "type": "html", "extension": "html", "digest": "D", "title": "Owls", "language": "en",
        "meta": META, "last_modified": "Thu, 16 Jun 2022 16:47:39 GMT", "at": 1_700_000_000.0, "size": 9, "depth": 2,
    }  # fmt: skip
    return Resource(**{**usual, **fields})


def test_a_document():
    """Everything that is known of a page is told to the index."""
    text = PageText(text="Owls fly.\nHome", main=10, headings=((1, "Owls"), (2, "Flight")), canonical="https://x.test/")
    found = document_of(resource(), text, HERE, ["an owl page"])
    assert (found.site, found.host) == ("example.org", "www.owls.example.org")
    assert found.surt == "org,example,owls)/a?b=c"
    assert (found.title, found.headings) == ("Owls", ("Owls", "Flight"))
    assert (found.description, found.keywords) == ("All about owls", "owl, bird")
    assert ("description", "second") in found.metas
    assert (found.main_text, found.aside_text) == ("Owls fly.\n", "Home")
    assert found.anchors == ("an owl page",)
    assert (found.type, found.page_type, found.language) == ("text/html", "html", "en")
    assert (found.last_modified, found.captured) == (1_655_398_059.0, 1_700_000_000.0)
    assert (found.size, found.status, found.depth, found.digest) == (9, 200, 2, "D")
    assert (found.canonical, found.crawl) == ("https://x.test/", "owls")
    assert (found.agency, found.target, found.harvest, found.copyright) == ("a1", "t1", "h1", "© the owls")


@pytest.mark.parametrize("header", ["", "yesterday", "Thu, 99 Jun 2022 16:47:39 GMT", "Thu, 16 Jun 99999 16:47:39 GMT"])
def test_a_time_that_is_none(header):
    """Is unknown."""
    assert modified_of(header) == 0.0


def test_a_host_without_a_domain_is_its_own_site():
    """Such as an address or localhost."""
    assert outline_of(resource(url="http://127.0.0.1:8000/"), HERE).site == "127.0.0.1"


@pytest.mark.parametrize(
    ("fields", "has_text", "told"),
    [
        ({}, True, ""),
        ({"outcome": "unchanged"}, True, ""),
        ({"outcome": "duplicate", "type": "pdf"}, True, ""),
        ({"outcome": "soft-404", "reason": "says not found"}, True, "though its status claims success: says not found"),
        ({"outcome": "blocked"}, True, "wall"),
        ({"outcome": "gone", "reason": "status 404"}, False, "status 404"),
        ({"type": "image"}, False, "Files of the kind image have no text"),
        ({"reason": "robots: noindex, nofollow; cut off: time"}, False, "asks robots for noindex, nofollow."),
        ({}, False, "no text"),
    ],
)
def test_why_a_page_cannot_be_found(fields, has_text, told):
    """The reason is a sentence."""
    found = why_not(resource(**fields), has_text=has_text)
    assert told in found
    assert bool(told) == bool(found)


@pytest.mark.parametrize(
    "change", [{"title": "Larks"}, {"digest": "E"}, {"at": 5.0}, {"meta": "[]"}, {"language": "de"}]
)
def test_what_must_be_indexed_again(change):
    """Whatever the index is told about a page changes the digest; nothing else does."""
    before, after = resource(), resource(**change)
    assert digest_of(outline_of(before, HERE), before, "3") != digest_of(outline_of(after, HERE), after, "3")
    assert digest_of(outline_of(before, HERE), before, "3") == digest_of(outline_of(resource(ms=7), HERE), before, "3")
    assert digest_of(outline_of(before, HERE), before, "3") != digest_of(outline_of(before, HERE, ["x"]), before, "3")
    assert digest_of(outline_of(before, HERE), before, "3") != digest_of(outline_of(before, HERE), before, "4")
