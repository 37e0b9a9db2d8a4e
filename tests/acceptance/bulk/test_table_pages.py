"""Tables at the pages: uploaded, looked at, imported; exported by filter; hostile files told."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from opilio.curation.models import BulkRun, Target
from opilio.people.privileges import Privilege, Scope
from tests.acceptance.bulk.conftest import CURATES

PATH = "/bulk/import/target"


@pytest.fixture
def curator(town, enter):
    return enter("curator", privileges=CURATES)


def upload(browser, data, name="targets.csv", path=PATH, **fields):
    return browser.send(path, {"file": SimpleUploadedFile(name, data), **fields})


def test_a_table_is_looked_at_and_then_imported(curator, desk):
    """Bad rows are listed with line and reason, good ones tried; one button makes them."""
    desk.target(name="There", owner=curator.user)
    assert "Import …" in curator.see("/targets")
    answer = upload(
        curator,
        b"agency,name,description,seeds\n"
        b"Library,First <b>,A & B,http://first.example\n"
        b"Nowhere,Lost,,\n"
        b"Library,There,Other words,\n"
        b"Library,Second,,http://second.example/\n",
    )
    assert answer.status_code == 302, answer.content.decode()[:3000]
    text = curator.see(answer["Location"])
    assert "1 row cannot be used" in text
    assert "There is no agency &#x27;Nowhere&#x27;." in text
    assert "name: First &lt;b&gt;" in text
    assert "It is there already, with another description" in text
    assert Target.objects.count() == 1
    curator.send(answer["Location"], {"do": "run"})
    assert {row.name for row in Target.objects.all()} == {"There", "First <b>", "Second"}
    refused = b"".join(curator.get(f"{answer['Location']}?format=csv").streaming_content).decode()
    assert "Other words" in refused
    assert "Nowhere" in refused
    again = upload(curator, b"agency,name,description\nLibrary,There,Other words\n", update="on")
    curator.send(again["Location"], {"do": "run", "update": "yes"})
    assert Target.objects.get(name="There").description == "Other words"


def bomb():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("targets.csv", b"0" * 20_000_000)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "targets.csv", "empty"),
        (b"a,b\n1,2\n", "targets.csv", "lacks agency, name"),
        (b"agency,name\n", "targets.exe", "neither .csv nor .json"),
        (bomb(), "targets.csv", "zip archive"),
        (b"\x00" * 5_000, "targets.csv", "NUL"),
        (b"[" * 200_000, "targets.json", "first item cannot be read"),
        (b'{"name": 1}', "targets.json", "no JSON list"),
        (b"agency,name," + b"x" * 3_000_000, "targets.csv", "too long"),
    ],
    ids=["empty", "no-header", "name", "zip-bomb", "nul", "deep", "object", "long"],
)
def test_hostile_files_are_told_beside_the_field(curator, data, name, words):
    """Nothing is kept of them."""
    answer = upload(curator, data, name)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert not BulkRun.objects.exists()


def test_one_line_of_ten_megabytes(curator):
    """Is one bad row among good ones."""
    data = b"agency,name\nLibrary," + b"x" * 10_000_000 + b"\nLibrary,Good\n"
    text = curator.see(upload(curator, data)["Location"])
    assert "longer than 1,000,000 characters" in text
    assert "name: Good" in text


def test_who_may_import_and_export(town, enter, desk):
    """Only whoever may make or change such rows imports; an export holds what the asker may see."""
    desk.target(name="Of the museum", agency=town.museum)
    desk.target(name="=Of the library")
    reader = enter("reader", privileges={Privilege.SYSTEM_REPORT_LEVEL_1: Scope.AGENCY})
    assert reader.get(PATH).status_code == 403
    assert reader.get("/bulk/import/explosives").status_code == 404
    text = b"".join(reader.get("/bulk/export/target?format=table.csv").streaming_content).decode()
    assert "'=Of the library" in text
    assert "Of the museum" not in text
    stranger = enter("stranger")
    assert b"library" not in b"".join(stranger.get("/bulk/export/target?format=table.json").streaming_content)
    assert reader.get("/bulk/export/target?format=exe").status_code == 404


def test_an_export_follows_the_filter(curator, desk):
    """Only rows that the list shows are written."""
    desk.target(name="Red", owner=curator.user)
    desk.target(name="Blue", owner=curator.user)
    answer = curator.get("/targets?q=Red&format=table.json")
    assert answer.headers["Content-Type"] == "application/json"
    text = b"".join(answer.streaming_content).decode()
    assert '"name": "Red"' in text
    assert "Blue" not in text
