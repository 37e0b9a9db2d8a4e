"""`opilio archive verify`, `list`, `extract` and `recover` as they are typed."""

import json

import pytest

from opilio.cli.main import main
from tests.unit.archive.verify.archives import BODY, HEAD, URL, archive, good
from tests.unit.archive.verify.planted import RESPONSE


@pytest.fixture
def warc(tmp_path):
    return archive(good()).write(tmp_path)


@pytest.fixture
def broken(tmp_path):
    (tmp_path / "broken").mkdir()
    path = tmp_path / "broken" / "owls.warc.gz"
    path.write_bytes(archive(good()).bytes()[:-9])
    return path


def told(capfd, *arguments):
    """The exit code, and the JSON of a command."""
    code = main(["archive", *map(str, arguments), "--json"])
    out, error = capfd.readouterr()
    return code, json.loads(out or error)


def test_a_good_file_ends_with_0_and_a_damaged_one_with_7(capfd, warc, broken):
    """Counts, and each fault with file, offset, code, message and remedy."""
    code, document = told(capfd, "verify", warc)
    assert (code, document["records"], document["errors"], document["faults"]) == (0, len(good()), 0, [])
    code, document = told(capfd, "verify", broken)
    assert (code, document["counts"]) == (7, {"member-truncated": 1})
    (fault,) = document["faults"]
    assert fault["file"] == str(broken)
    assert fault["offset"] == archive(good()).offset(len(good()) - 1)
    assert fault["severity"] == "error"
    assert fault["remedy"]


def test_people_get_a_table_with_what_to_do(capfd, broken):
    """The remedy stands once for each kind of fault."""
    assert main(["archive", "verify", str(broken)]) == 7
    out = capfd.readouterr().out
    assert "member-truncated" in out
    assert out.count("Restore the file from a copy") == 1


def test_warnings_alone_end_with_0(capfd, tmp_path):
    """A file without warcinfo is unusual, not damaged."""
    path = archive([one.set(warc_warcinfo_id=None) for one in good()[1:]]).write(tmp_path)
    code, document = told(capfd, "verify", path, "--fast")
    assert (code, document["warnings"], document["errors"]) == (0, 1, 0)


def test_originals_are_looked_for_elsewhere(capfd, tmp_path):
    """`--against` names a folder or a file."""
    old, new = tmp_path / "old", tmp_path / "new"
    old.mkdir()
    new.mkdir()
    archive(good()[:2]).write(old)
    lone = archive([good()[4].set(warc_warcinfo_id=None)]).write(new)
    assert told(capfd, "verify", lone)[0] == 7
    assert told(capfd, "verify", lone, "--against", old)[0] == 0


def test_records_are_listed(capfd, warc):
    """With a limit and a note about it."""
    code, document = told(capfd, "list", warc, "--type", "response")
    assert (code, [one["url"] for one in document["records"]]) == (0, [URL, "http://example.com/chunks"])
    assert main(["archive", "list", str(warc), "--limit", "2"]) == 0
    out = capfd.readouterr().out
    assert "only the first 2" in out.lower()
    assert out.startswith("offset\ttype")


def test_a_capture_is_written_to_a_file(capfd, warc, tmp_path):
    """Binary, as it is."""
    target = tmp_path / "owls.html"
    code, document = told(capfd, "extract", URL, warc, "--output", target)
    assert (code, document["bytes"], target.read_bytes()) == (0, len(BODY), BODY)
    assert document["capture"]["offset"] in (archive(good()).offset(RESPONSE), archive(good()).offset(4))
    code, document = told(capfd, "extract", URL, warc, "--at", "2026", "--headers")
    assert (code, document["part"]) == (0, "headers")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["extract", "http://example.com/none", "WARC"], 4),
        (["extract", URL, "WARC", "--raw", "--payload"], 2),
        (["extract", URL, "WARC", "--at", "yesterday"], 2),
        (["extract", URL, "WARC", "--at", "20261399"], 2),
        (["verify", "GONE"], 4),
        (["verify", "EMPTY"], 2),
        (["list", "GONE"], 4),
        (["recover", "GONE"], 4),
        (["recover", "WARC", "--in-place", "--into", "EMPTY"], 2),
    ],
)
def test_bad_input_is_answered_with_thing_place_and_remedy(capfd, warc, tmp_path, arguments, code):
    """And with the exit code of its kind."""
    (tmp_path / "empty").mkdir()
    names = {"WARC": warc, "GONE": tmp_path / "gone", "EMPTY": tmp_path / "empty"}
    got, document = told(capfd, *(names.get(one, one) for one in arguments))
    assert got == code
    assert all(document["error"][name] for name in ("message", "where", "remedy")), document


def test_a_damaged_file_is_recovered_beside_it_or_elsewhere(capfd, broken, tmp_path):
    """What was lost is told to the byte; a second time the new file is in the way."""
    code, document = told(capfd, "recover", broken)
    (one,) = document["files"]
    last = archive(good()).offset(len(good()) - 1)
    assert (code, one["records"], one["lost"]) == (
        0, len(good()) - 1, [{"offset": last, "bytes": broken.stat().st_size - last}],
    )  # fmt: skip
    assert one["output"] == str(broken.with_name("owls.recovered.warc.gz"))
    assert told(capfd, "verify", one["output"])[0] == 0
    assert told(capfd, "recover", broken)[0] == 5
    code, document = told(capfd, "recover", broken, "--into", tmp_path / "elsewhere")
    assert (code, document["files"][0]["output"]) == (0, str(tmp_path / "elsewhere" / "owls.warc.gz"))
    assert main(["archive", "recover", str(broken.parent), "--into", str(tmp_path / "third")]) == 0
    assert "bytes lost" in capfd.readouterr().out


@pytest.mark.parametrize("data", [HEAD, b""])
def test_a_file_of_which_nothing_can_be_kept_ends_with_7(capfd, tmp_path, data):
    """No new file appears; an empty file is not whole either."""
    path = tmp_path / "owls.warc"
    path.write_bytes(data)
    code, document = told(capfd, "recover", path)
    assert (code, document["files"][0]["output"], document["files"][0]["whole"]) == (7, None, False)
    assert [each.name for each in tmp_path.iterdir()] == ["owls.warc"]
