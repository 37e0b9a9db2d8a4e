"""A delivery is checked before it is sent."""

import io
import json
import zipfile

import pytest

from opilio.cli.main import main
from opilio.deliveries.checking import check
from opilio.deliveries.profile import profile

IMPC = profile("impc")
NAME, DOCUMENT = "J.2024-02-29.1.impc.zip", "J.2024-02-29.1.specimen.impc.xml"


GOOD = """<centreSpecimenSet><centre centreID="J">
  <mouse specimenID="M1" isBaseline="false" gender="male" zygosity="homozygous" pipeline="P" project="X"
         phenotypingCentre="J" DOB="2024-01-31"/>
</centre></centreSpecimenSet>"""
EXPERIMENT = """<centreProcedureSet><centre centreID="J" pipeline="P" project="X">
  <experiment experimentID="E1" dateOfExperiment="2024-02-28"><specimenID>M1</specimenID>
    <procedure procedureID="W"><simpleParameter parameterID="W1"><value>21.5</value></simpleParameter></procedure>
  </experiment></centre></centreProcedureSet>"""


def delivery(folder, name=NAME, **entries):
    """A delivery on the disk; entries by name."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for entry, content in (entries or {DOCUMENT: GOOD}).items():
            archive.writestr(entry, content)
    (folder / name).write_bytes(made.getvalue())
    return folder / name


def kinds(checked):
    """What was found, by kind and document."""
    return [(one.kind, one.document) for one in checked.found]


def test_a_good_delivery_would_be_taken(tmp_path):
    """Nothing is found, nothing is left behind."""
    checked = check(delivery(tmp_path), IMPC)
    assert checked.good
    assert (checked.documents, checked.found) == ([DOCUMENT], [])
    assert [one.name for one in tmp_path.iterdir()] == [NAME]


@pytest.mark.parametrize(
    ("name", "entries", "expected"),
    [
        ("J.2024-02-30.1.impc.zip", {}, [("name", "")]),
        (NAME, {"J.2024-02-30.1.specimen.impc.xml": "x"}, [("document-name", "J.2024-02-30.1.specimen.impc.xml")] * 2),
        (NAME, {"readme.txt": "x"}, [("left-out", "readme.txt"), ("empty", "")]),
        (NAME, {"inner/a.xml": "x"}, [("left-out", "inner/a.xml"), ("empty", "")]),
        (NAME, {"../a.xml": "x"}, [("path", "")]),
    ],
)
def test_what_is_wrong_is_found(tmp_path, name, entries, expected):
    """And it would not be taken."""
    checked = check(delivery(tmp_path, name, **entries), IMPC)
    assert kinds(checked) == expected
    assert not checked.good


def test_centres_may_be_others(tmp_path):
    """Than those that the profile brings."""
    path = delivery(tmp_path, "Barn.2024-02-29.1.impc.zip", **{"Barn.2024-02-29.1.specimen.impc.xml": GOOD})
    assert not check(path, IMPC).good
    assert check(path, IMPC, frozenset({"Barn"})).good


def test_documents_meet_their_schema(tmp_path):
    """Each kind its own; faults have line and column."""
    experiment = "J.2024-02-29.1.experiment.impc.xml"
    assert check(delivery(tmp_path, NAME, **{DOCUMENT: GOOD, experiment: EXPERIMENT}), IMPC).found == []
    bad = GOOD.replace("2024-01-31", "2024-02-31").replace('gender="male" ', "")
    checked = check(delivery(tmp_path, NAME, **{DOCUMENT: bad, experiment: GOOD}), IMPC)
    assert {(one.document, one.line, one.column) for one in checked.found} == {(DOCUMENT, 2, 3), (experiment, 1, 1)}
    assert any("gender" in one.what for one in checked.found)
    assert not checked.good


def told(capsys, *arguments):
    """Exit code and document of a command."""
    code = main(["delivery", *map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out or "{}")


def test_the_command_says_what_a_partner_should_mend(tmp_path, capsys):
    """For each delivery; the exit code says whether all are good."""
    good, bad = delivery(tmp_path), delivery(tmp_path, "J.2024-02-31.1.impc.zip")
    assert told(capsys, "check", good) == (
        0, {"deliveries": [{"name": NAME, "good": True, "documents": [DOCUMENT], "found": []}]},
    )  # fmt: skip
    code, document = told(capsys, "check", good, bad)
    assert code == 7
    assert [one["good"] for one in document["deliveries"]] == [True, False]
    main(["delivery", "check", str(bad)])
    assert "no day of the calendar, written YYYY-MM-DD" in capsys.readouterr().out


def test_a_file_that_is_not_there(tmp_path, capsys):
    """Is named, as is a profile that is not there."""
    assert main(["delivery", "check", str(tmp_path / "none.zip")]) == 4
    assert "none.zip" in capsys.readouterr().err
    assert main(["delivery", "check", str(delivery(tmp_path)), "--profile", "other"]) == 2
    assert "csv-manifest, impc" in capsys.readouterr().err


def test_profiles_are_listed(capsys):
    """With what they expect."""
    code, document = told(capsys, "profiles")
    assert code == 0
    assert [one["name"] for one in document["profiles"]] == ["csv-manifest", "impc"]


def test_a_server_without_a_key(capsys):
    """Is away, with its address."""
    assert main(["delivery", "host-key", "127.0.0.1", "--port", "1"]) == 6
    assert "127.0.0.1:1" in capsys.readouterr().err
