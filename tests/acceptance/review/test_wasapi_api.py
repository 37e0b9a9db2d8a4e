"""WARC files of endorsed results for partners, by the API: listed in pages, fetched whole or in part."""

import hashlib
from urllib.parse import urlsplit

import pytest
from warcio.archiveiterator import ArchiveIterator

from opilio.curation.models import HarvestFile, HarvestState, Result, ResultState
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.api.conftest import Caller
from tests.review_desk import at_home

ARCHIVE = {Privilege.ARCHIVE_HARVEST: Scope.AGENCY}


@pytest.fixture
def home(settings, tmp_path):
    return at_home(settings, tmp_path)


def endorsed(yard, home, *, results=1, number=None, **fields):
    """A harvest whose folder is there, with an endorsed result."""
    made = yard.sealed(home, results=results, state=HarvestState.ENDORSED, **fields)
    Result.objects.filter(harvest=made, number=number or results).update(state=ResultState.ENDORSED)
    return made


def listed(caller, **query):
    answer = caller.get("/wasapi/v1/webdata", **query)
    assert answer.status_code == 200, answer.content
    return answer.json()


def names(document):
    return [each["filename"] for each in document["files"]]


def fetch(caller, document, **headers):
    path = urlsplit(document["files"][0]["locations"][0]).path.removeprefix("/api/v1")
    return caller.send("GET", path, **headers)


def test_a_partner_lists_and_fetches_what_was_endorsed(office, yard, home, tmp_path):
    """Name, size and checksum are those of the file that comes; it is a WARC file."""
    harvest = endorsed(yard, home)
    yard.sealed(home)  # nobody has endorsed it
    partner = office.caller(privileges=ARCHIVE)
    document = listed(partner)
    (file,) = document["files"]
    row = HarvestFile.objects.get(harvest=harvest)
    assert (document["count"], document["next"], document["previous"]) == (1, None, None)
    assert (file["filename"], file["filetype"], file["size"]) == (row.name, "warc", row.size)
    assert (file["account"], file["crawl"]) == (str(harvest.agency_id), str(harvest.pk))
    assert file["collection"] == str(harvest.abstract_target_id)
    assert file["crawl-time"].replace("-", "").startswith(row.name.split("-")[-3][:8])
    body = b"".join(fetch(partner, document).streaming_content)
    assert len(body) == file["size"]
    assert hashlib.sha256(body).hexdigest() == file["checksums"]["sha256"]
    (tmp_path / "fetched.warc.gz").write_bytes(body)
    with (tmp_path / "fetched.warc.gz").open("rb") as stream:
        assert {"warcinfo", "response"} <= {record.rec_type for record in ArchiveIterator(stream)}


def test_a_fetch_that_broke_off_goes_on(office, yard, home):
    """By ranges; with another tag than that of the file all of it comes."""
    endorsed(yard, home)
    partner = office.caller(privileges=ARCHIVE)
    document = listed(partner)
    size = document["files"][0]["size"]
    whole = fetch(partner, document)
    body = b"".join(whole.streaming_content)
    rest = fetch(partner, document, Range="bytes=100-", **{"If-Range": whole["ETag"]})
    assert (rest.status_code, rest["Content-Range"]) == (206, f"bytes 100-{size - 1}/{size}")
    assert b"".join(rest.streaming_content) == body[100:]
    other = fetch(partner, document, Range="bytes=100-", **{"If-Range": '"another"'})
    assert (other.status_code, b"".join(other.streaming_content)) == (200, body)
    beyond = fetch(partner, document, Range=f"bytes={size}-")
    assert (beyond.status_code, beyond["Content-Range"]) == (416, f"bytes */{size}")


def test_pages_and_filters(office, yard, home):
    """The address of the next page holds the filters; what cannot be meant is refused by name."""
    made = [endorsed(yard, home) for _ in range(3)]
    partner = office.caller(privileges=ARCHIVE)
    first = listed(partner, page_size=2)
    assert (first["count"], len(first["files"])) == (3, 2)
    rest = listed(partner, page_size=2, page=2)
    assert first["next"].endswith("/api/v1/wasapi/v1/webdata?page_size=2&page=2")
    assert [each["crawl"] for each in (*first["files"], *rest["files"])] == [str(one.pk) for one in made]
    assert [each["crawl"] for each in listed(partner, crawl=made[1].pk)["files"]] == [str(made[1].pk)]
    wanted = {str(made[0].abstract_target_id), str(made[2].abstract_target_id)}
    assert {each["collection"] for each in listed(partner, collection=sorted(wanted))["files"]} == wanted
    assert names(listed(partner, filename="nothing-*")) == []
    assert names(listed(partner, **{"crawl-time-before": "1990"})) == []
    assert len(names(listed(partner, **{"crawl-time-after": "1990-01-31"}))) == 3
    refused = partner.get("/wasapi/v1/webdata", **{"crawl-time-after": "yesterday"})
    assert (refused.status_code, "crawl-time-after" in refused.content.decode()) == (422, True)
    assert partner.get("/wasapi/v1/webdata", page_size=2_001).status_code == 422


def test_files_of_results_that_nobody_endorsed_stay(office, yard, home):
    """Of derived results those files are there that the endorsed one stands on."""
    harvest = endorsed(yard, home, results=2, number=1)
    for number in (2, 3):
        HarvestFile(harvest=harvest, result=number, name=f"patch-{number}.warc.gz", size=7, digest="").save()
    partner = office.caller(privileges=ARCHIVE)
    assert [name.startswith("patch") for name in names(listed(partner))] == [False]
    Result.objects.filter(harvest=harvest).update(state=ResultState.UNASSESSED)
    assert names(listed(partner)) == []
    Result.objects.filter(harvest=harvest, number=2).update(state=ResultState.ENDORSED)
    assert [name.startswith("patch") for name in names(listed(partner))] == [False, True]
    third = HarvestFile.objects.get(name="patch-3.warc.gz")
    assert partner.get(f"/wasapi/v1/files/{third.pk}/{third.name}").status_code == 404
    second = HarvestFile.objects.get(name="patch-2.warc.gz")
    gone = partner.get(f"/wasapi/v1/files/{second.pk}/{second.name}")
    assert (gone.status_code, "not on this machine" in gone.content.decode()) == (404, True)
    harvest.purged = True
    harvest.save()
    assert names(listed(partner)) == []


def test_who_may_not_hand_over_sees_nothing(office, yard, home):
    """No privilege: refused. Another agency, or another owner where that counts: an empty list and no file."""
    harvest = endorsed(yard, home)
    document = listed(office.caller(privileges=ARCHIVE))
    assert (
        office.caller(privileges={Privilege.ENDORSE_HARVEST: Scope.AGENCY}).get("/wasapi/v1/webdata").status_code == 403
    )
    stranger = office.caller(agency=office.museum, privileges=ARCHIVE)
    colleague = office.caller(privileges={Privilege.ARCHIVE_HARVEST: Scope.OWNER})
    for one in (stranger, colleague):
        assert names(listed(one)) == []
        assert fetch(one, document).status_code == 404
    harvest.owner = colleague.user
    harvest.save()
    assert len(names(listed(colleague))) == 1
    everywhere = office.caller(agency=office.museum, privileges={Privilege.ARCHIVE_HARVEST: Scope.ALL})
    assert len(names(listed(everywhere))) == 1
    assert Caller().get("/wasapi/v1/webdata").status_code == 401
